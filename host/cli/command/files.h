/* SPDX-License-Identifier: MIT */
/* The files of a command, see cli_files_check(). */
#ifndef RHOMB_CLI_FILES_H
#define RHOMB_CLI_FILES_H

#include "host/cli/command/command.h"

/*
 * All files that a command reads and writes, judged before any of them is opened, by
 * cli_read_options(): no output may be an input, and no two outputs one file. The files are
 *
 *     what options and operands name: CLI_OPTION_INPUT, CLI_OPTION_OUTPUT, CLI_OPTION_FOLDER;
 *     indexes that are there beside an input: .fai and .gzi;
 *     standard input and output, where they are files;
 *     names that come of those, such as FILE.new, which the command's `files` lists.
 *
 * A file that is there is known by its device and inode, so that links make no difference; one that
 * is not, by its folder and its name there. Devices and pipes are left alone.
 *
 * A file whose name comes of another one must not be a link, which would be written through; those
 * that a run goes on with are opened with O_NOFOLLOW as well. Files with a temporary name are
 * created by mkstemp(), which takes no name that is there.
 *
 * Returns CLI_OK, or an exit status after a message.
 */
int cli_files_check(const cli_command *command, const void *arguments);

/*
 * For a command's `files`: adds a file that is written beside the FILE of an option, with this
 * ending. Nothing is added if `file` is NULL, standard output, a device or a pipe.
 */
void cli_files_beside(cli_files *files, const char *option, const char *file, const char *ending);

#endif
