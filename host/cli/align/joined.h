/* SPDX-License-Identifier: MIT */
/*
 * A block that was cut (sketch/cuts.h), put together again from the results of its segments, which
 * come one after the other.
 */
#ifndef RHOMB_CLI_JOINED_H
#define RHOMB_CLI_JOINED_H

#include "host/cli/many/many.h"

/* All zeros is none. */
typedef struct cli_joined {
    cli_buffer ops; /* rhomb_path_op each: of the segments so far, and how many there are */
    int64_t segments;
    cli_block block; /* which has these */
    char *oriented;  /* the query's bases on their strand */
} cli_joined;

/* Whether a part is a segment of such a block. */
bool cli_joined_has(const cli_joined *joined, const cli_part *part);

/*
 * Adds a segment. After the last one *whole is the block as a part, but for its path, which is in
 * `ops`; then it is to be emptied. The exit status.
 */
int cli_joined_add(cli_joined *joined, const cli_part *part, cli_part *whole);

void cli_joined_empty(cli_joined *joined);
void cli_joined_release(cli_joined *joined);

#endif
