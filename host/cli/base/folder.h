/* SPDX-License-Identifier: MIT */
/*
 * A folder of outputs that is either complete or absent: it is filled under a temporary name beside
 * its own, and renamed in the end. One that a run may go on with is FOLDER.partial until then.
 */
#ifndef RHOMB_CLI_FOLDER_H
#define RHOMB_CLI_FOLDER_H

#include "host/cli/base/cli.h"

enum { CLI_FOLDER_FILES = 8 };

/* All zeros is none. */
typedef struct cli_folder {
    char *path;                    /* where it will be */
    char *working;                 /* where it is; NULL: nowhere any more */
    char *files[CLI_FOLDER_FILES]; /* that it may have, with the working folder before each */
    bool is_kept;                  /* FOLDER.partial, which stays if something fails */
} cli_folder;

/*
 * Makes a folder for files of these names, of which NULL ends the list. Refuses a name that is
 * there, unless it is an empty folder. The exit status, after a message.
 */
int cli_folder_open(cli_folder *folder, const char *name, const char *const *files, bool is_kept);

/* Puts it in its place. The exit status. */
int cli_folder_commit(cli_folder *folder);

/* Removes what was not committed, unless it is kept and has something, and releases everything. */
void cli_folder_close(cli_folder *folder);

#endif
