/* SPDX-License-Identifier: MIT */
/*
 * What `rhomb align --ranges` keeps in the file of --resume: what has come of the rows that are
 * complete, in their order. A run that goes on reads all rows again, and makes its outputs of what
 * the file has, then of what is still to do.
 */
#ifndef RHOMB_CLI_RANGES_KEPT_H
#define RHOMB_CLI_RANGES_KEPT_H

#include "host/cli/align/range_rows.h"
#include "host/cli/base/text_buffer.h"
#include "host/cli/many/journal.h"

/* What has come of a row. */
typedef struct cli_range_result {
    rhomb_status status;
    const char *detail; /* unless that is RHOMB_OK */
    bool exceeds;       /* --max-distance */
    const rhomb_path_op *ops;
    int64_t count;
    const rhomb_pair_extent *extent; /* of modes other than GLOBAL */
} cli_range_result;

/* All zeros is none. */
typedef struct cli_ranges_kept {
    cli_journal *journal;
    int64_t rows;           /* that an earlier run has left, and are still to be taken */
    rhomb__section section; /* of these, */
    const char *at, *end;   /* and what is left of it */
    cli_buffer ops;         /* of the row that was taken last, */
    char *detail;           /* and its other parts */
    rhomb_pair_extent extent;
    cli_buffer fresh; /* rows that are not in the file yet */
    int64_t fresh_rows;
    double settled; /* when the file was written */
} cli_ranges_kept;

/* Opens args->pair.resume, of these sequences; the exit status, as below. */
int cli_ranges_kept_open(cli_ranges_kept *kept, const cli_range_rows *rows, bool by_target);

/* Takes what an earlier run has left of a row; `result` is valid until the next one. */
int cli_ranges_kept_take(cli_ranges_kept *kept, const cli_range_row *row, cli_range_result *result);

/* Keeps what has come of a row, unless there is no file. */
int cli_ranges_kept_add(cli_ranges_kept *kept, const cli_range_row *row,
                        const cli_range_result *result);

/* All rows so far outlast this process. */
int cli_ranges_kept_settle(cli_ranges_kept *kept);

void cli_ranges_kept_release(cli_ranges_kept *kept);

#endif
