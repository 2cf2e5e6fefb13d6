/* SPDX-License-Identifier: MIT */
/*
 * Reads pairs ahead of their use, on a thread of its own. The number of chunks depends on how long
 * the user keeps them; memory is bounded because the feed is never more than a few chunks ahead.
 */
#ifndef RHOMB_CLI_FEED_H
#define RHOMB_CLI_FEED_H

#include "host/cli/base/cli.h"
#include "host/cli/batch/matched.h"

/* The load, from `load` on, that has a pair. */
const cli_load *cli_load_of(const cli_load *load, int64_t pair);

/* The number of its first fault at or after the pair `index` of its chunk. */
size_t cli_load_fault(const cli_load *load, size_t index);

/* The bytes of all its pairs. */
int64_t cli_load_bytes(const cli_load *load);

typedef struct cli_feed cli_feed;

/*
 * Starts to read one file of pairs, or targets and `queries`, as the options say. cli_feed_next()
 * reads instead with one thread, if the system can give none, and under a limit on the address
 * space: then what is held at any time depends on the input alone, and chunks that are given back
 * are released. The paths are borrowed until the program ends. It `orients` queries by --strand
 * auto, on the thread that reads. NULL, with the message printed, if
 * there is no memory.
 */
cli_feed *cli_feed_start(const char *path, const char *queries, const rhomb_pairs_options *options,
                         bool orients, int32_t threads);

/*
 * The same for pairs that have been found, and are borrowed. cli_feed_next() loads them, as what is
 * to be read of them was read before.
 */
cli_feed *cli_feed_of(cli_matched *matched);

/* Waits for the next chunk; *load is NULL after the last one, and if reading has failed. */
rhomb_status cli_feed_next(cli_feed *feed, cli_load **load);

/* Whether that would not wait, as far as is known. */
bool cli_feed_is_ready(cli_feed *feed);

/* Prints the error of a failed cli_feed_next() and returns its exit status. */
int cli_feed_fail(const cli_feed *feed, rhomb_status status);

/* Gives a chunk back, to be filled again. */
void cli_feed_recycle(cli_feed *feed, cli_load *load);

/* What reading took, once it has ended; all zeros if it failed before it began. */
rhomb_pairs_report cli_feed_report(const cli_feed *feed);

/*
 * Releases it. NULL is allowed. A reader that still waits for its input, when something else has
 * ended the program, is not waited for: it releases itself, unless the process ends first.
 */
void cli_feed_release(cli_feed *feed);

#endif
