/* SPDX-License-Identifier: MIT */
/*
 * What the name of an output ends in: a format that the command writes, or one that it does not,
 * which would not be true of the file.
 */
#ifndef RHOMB_CLI_ENDINGS_H
#define RHOMB_CLI_ENDINGS_H

#include "host/cli/base/cli.h"

/* What a command can write. */
typedef struct cli_endings {
    const cli_word *formats;
    size_t count;
    bool compresses; /* by .gz and .bgz */
} cli_endings;

/*
 * Looks at the name, which may be NULL. Without `has_format` *format is what it ends in, or stays
 * as it is where that means nothing; *compress, which may be NULL, is whether the file is to be
 * compressed. CLI_OK, or CLI_USAGE after a message.
 */
int cli_read_ending(const cli_command *command, const cli_endings *can, const char *name,
                    bool has_format, int *format, bool *compress);

#endif
