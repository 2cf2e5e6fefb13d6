/* SPDX-License-Identifier: MIT */
/*
 * Pairs of records of two files that --match finds, where their numbers do not say which belong
 * together. The first pass over the files is for names, lengths and minimizers; bases are read
 * again for each chunk of pairs if a file has an index, and are kept if not.
 */
#ifndef RHOMB_CLI_MATCHED_H
#define RHOMB_CLI_MATCHED_H

#include "host/cli/base/cli.h"
#include "host/cli/base/rows.h"
#include "host/cli/command/options.h"
#include "host/cli/sketch/votes.h"
#include "rhomb/pairs.h"

typedef struct cli_matched cli_matched;

/* Some pairs on their way to the printer: a chunk in a list. `next` belongs to whoever holds the
 * chunk. */
typedef struct cli_load {
    rhomb_pair_chunk *chunk;
    struct cli_load *next;
    double fraction;     /* of the input, up to the end of the chunk; -1: not known */
    const bool *reverse; /* for each pair: the query is the record's other strand; NULL: none is */
    const bool *waits;   /* for each pair: its row comes after those of all others; NULL: of none */
    void (*release)(struct cli_load *load); /* NULL: the chunk is one of the library */
    /* Of --strand auto: the pairs with their queries as they are compared; else NULL.
     */
    rhomb_pair *oriented;
    bool *on_reverse;
    size_t oriented_count;
} cli_load;

/* The pairs of a load, with their queries on the strands that are compared. */
static inline const rhomb_pair *cli_load_pairs(const cli_load *load)
{
    return load->oriented != NULL ? load->oriented : load->chunk->pairs;
}

/*
 * Starts to read both files, on threads of their own unless `threads` is 1. Everything is borrowed.
 * NULL, with the message printed, if there is no memory.
 */
cli_matched *cli_matched_start(const char *targets, const char *queries, const char *mode,
                               int32_t threads);

/*
 * Waits for that, and finds partners; those of a part, if one is asked for, see cli_match_part().
 * The exit status, with messages printed.
 */
int cli_matched_find(cli_matched *matched, bool is_dna, const cli_part_asked *part);

/*
 * Has the results of each query that is in several pairs wait for each other, as one of them is its
 * primary record in SAM: not with --part or --resume. The exit status, with the message printed.
 */
int cli_matched_wait(cli_matched *matched, bool is_part);

/* Keeps, of results of pairs from `first` on, those that wait. CLI_OK or CLI_MEMORY. */
int cli_matched_keep(cli_matched *matched, int64_t first, const rhomb_pair_result *const *results,
                     size_t count);

/*
 * After all results: how many rows those that waited have. The best alignment of a query is the
 * primary one, the first of equal ones; where there is none the query has one row. Several threads
 * may call the second function, which appends a row.
 */
size_t cli_matched_settle(cli_matched *matched, const cli_row_style *style);
void cli_matched_append_kept(const cli_matched *matched, size_t index, cli_buffer *out,
                             const cli_row_style *style);

/* Appends what tells these pairs, of a part on a device, from others: see journal.h. */
void cli_matched_identify(const cli_matched *matched, const char *device,
                          const cli_part_asked *part, cli_buffer *identity);

/* Leaves out the first pairs. */
void cli_matched_skip(cli_matched *matched, int64_t pairs);

/* The number of the first pair, from 0, among those of all parts. */
int64_t cli_matched_first(const cli_matched *matched);

/*
 * The next pairs, in the order of the targets; *load is NULL after the last one. The exit status,
 * with the message printed. Loads borrow from `matched`, and are released by their own release().
 */
int cli_matched_next(cli_matched *matched, cli_load **load);

/*
 * Says which records have no partner, in the last part; *count is their number. The exit status.
 * Each has a row, which cli_matched_append_left() appends; several threads may call it.
 */
int cli_matched_leave(cli_matched *matched, size_t *count);
void cli_matched_append_left(const cli_matched *matched, size_t index, cli_buffer *out,
                             const cli_row_style *style);

/* NULL is allowed. */
void cli_matched_release(cli_matched *matched);

/*
 * Reads pairs ahead of their use, on a thread of its own. The number of chunks depends on how long
 * the user keeps them; memory is bounded because the feed is never more than a few chunks ahead.
 */

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

/*
 * --strand auto of a batch: each query is on the strand on which it shares most minimizers with its
 * target (sketch/votes.h), or as it was read if it shares too few. A heuristic.
 */

/* The target of the last pair. All zeros at first, but for the first member. */
typedef struct cli_strands {
    bool has_one_target; /* which all pairs have */
    bool has_votes;
    cli_votes votes;
} cli_strands;

/* Gives a load the strands of its queries. False without memory. */
bool cli_strands_choose(cli_strands *strands, cli_load *load);

/* Releases what a load has of that. */
void cli_strands_drop(cli_load *load);

#endif
