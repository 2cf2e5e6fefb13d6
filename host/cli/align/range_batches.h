/* SPDX-License-Identifier: MIT */
/*
 * Rows of `--ranges` as pairs of batches: one by the scoring of the call and, in an audit by a
 * preset of minimap2, one of the rows with N or IUPAC codes, by its matrix (range_rows.h). Batches
 * of a context take turns, so that rows of the second one wait until they, and the results after
 * them, are many.
 */
#ifndef RHOMB_CLI_RANGE_BATCHES_H
#define RHOMB_CLI_RANGE_BATCHES_H

#include "host/cli/align/range_rows.h"

/*
 * Takes the result of a row, which is valid during the call. The exit status: any but CLI_OK stops.
 */
typedef int (*cli_range_take_fn)(cli_range_row *row, const cli_range_result *result, void *user);

/* Called after some results: progress and signals. The exit status, as above. */
typedef int (*cli_range_pause_fn)(void *user);

/* One of the batches. */
typedef struct cli_range_batch {
    struct cli_range_batches *all;
    rhomb_batch *batch;   /* NULL: no row was added to it */
    cli_range_row *first; /* its rows without a result, linked by `after` */
    cli_range_row **last;
} cli_range_batch;

typedef struct cli_range_batches {
    const cli_align_arguments *args;
    rhomb_context *ctx; /* with a device */
    cli_range_take_fn take;
    cli_range_pause_fn pause;
    void *user;
    cli_range_batch own;       /* by the scoring of the call */
    cli_range_batch ambiguous; /* by args->ambiguous */
    int64_t waiting_bytes;     /* of its rows, and of results that are held meanwhile */
    cli_buffer ops;            /* of a row's path */
    int status;                /* of `take` and `pause` */
} cli_range_batches;

/* `batches` stays where it is. */
void cli_range_batches_start(cli_range_batches *batches, const cli_align_arguments *args,
                             rhomb_context *ctx);

/*
 * Adds a row, whose pair is set. Results of rows come in the order of these for each of the
 * batches. The exit status, as below.
 */
int cli_range_batches_add(cli_range_batches *batches, cli_range_row *row);

/*
 * Keeps a copy of a result in row->held, until the row is freed: others come before it. The exit
 * status.
 */
int cli_range_batches_hold(cli_range_batches *batches, cli_range_row *row,
                           const cli_range_result *result);

/*
 * Puts a long row in pieces, if there are anchors (rhomb/anchors.h) in all parts of it: the pairs
 * between them, of which each has a cheapest path by itself. Then the row is for
 * cli_range_batches_add(). The exit status.
 */
int cli_range_batches_cut(const cli_range_batches *batches, cli_range_row *row);

/* Brings the results of all rows so far. */
int cli_range_batches_finish(cli_range_batches *batches);

void cli_range_batches_close(cli_range_batches *batches);

#endif
