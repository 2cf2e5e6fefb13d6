/* SPDX-License-Identifier: MIT */
/*
 * Pairs read ahead of who uses them, on a thread of its own. How many chunks there are is up to who
 * keeps them; what bounds memory is that the feed is never ahead by more than a few.
 */
#ifndef RHOMB_CLI_FEED_H
#define RHOMB_CLI_FEED_H

#include "host/cli/base/cli.h"
#include "rhomb/pairs.h"

/* A chunk on its way. `next` is for whoever has it. */
typedef struct cli_load {
    rhomb_pair_chunk *chunk;
    struct cli_load *next;
} cli_load;

typedef struct cli_feed cli_feed;

/*
 * Starts to read one file of pairs, or targets and `queries`; with one thread, or where the system
 * has none to give, cli_feed_next() reads. The paths are borrowed until the program ends. NULL,
 * with the message printed, when there is no memory.
 */
cli_feed *cli_feed_start(const char *path, const char *queries, int32_t threads);

/* Waits for the next chunk; *load is NULL behind the last one, and where reading has failed. */
rhomb_status cli_feed_next(cli_feed *feed, cli_load **load);

/* Prints the error of a cli_feed_next() that has failed and returns its exit status. */
int cli_feed_fail(const cli_feed *feed, rhomb_status status);

/* Gives a chunk back, to be filled again. */
void cli_feed_recycle(cli_feed *feed, cli_load *load);

/* What reading took, for who has seen its end; all zeros where it has failed before it began. */
rhomb_pairs_report cli_feed_report(const cli_feed *feed);

/*
 * Releases it. NULL is allowed. A reader that waits for its input because something else has ended
 * the program is not waited for: it releases itself, unless the process ends before.
 */
void cli_feed_release(cli_feed *feed);

#endif
