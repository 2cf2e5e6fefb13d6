/* SPDX-License-Identifier: MIT */
/*
 * Pairs of records of two files that --match finds, where their numbers do not say which belong
 * together. The first pass over the files is for names, lengths and minimizers; bases are read
 * again for each chunk of pairs if a file has an index, and are kept if not.
 */
#ifndef RHOMB_CLI_MATCHED_H
#define RHOMB_CLI_MATCHED_H

#include "host/cli/base/rows.h"
#include "host/cli/command/options.h"

typedef struct cli_matched cli_matched;
typedef struct cli_load cli_load; /* see feed.h */

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
int cli_matched_find(cli_matched *matched, const cli_part_asked *part);

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

#endif
