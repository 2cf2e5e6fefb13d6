/* SPDX-License-Identifier: MIT */
/*
 * The extension of an output's name: a format that the command writes, or one that it does not
 * write, which is refused because the name would be wrong.
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
 * Checks the name, which may be NULL. Without `has_format` the extension sets *format, which stays
 * as it is if the extension is unknown; *compress, which may be NULL, is whether to compress the
 * file. CLI_OK, or CLI_USAGE after a message.
 */
int cli_read_ending(const cli_command *command, const cli_endings *can, const char *name,
                    bool has_format, int *format, bool *compress);

#endif
