/* SPDX-License-Identifier: MIT */
/*
 * Rows of `--ranges`: which ranges of two files belong together, from PAF, SAM, BAM, CRAM or a
 * table (rhomb/paf.h), with their bases.
 */
#ifndef RHOMB_CLI_RANGE_ROWS_H
#define RHOMB_CLI_RANGE_ROWS_H

#include <rhomb/batch.h>
#include <rhomb/verify.h>

#include "host/cli/align/align_arguments.h"

/*
 * What a row of an audit has of N and IUPAC codes, which minimap2 scores as -1 with any base: APART
 * is by a scoring that does so too, args->ambiguous. Others are by that of the call, as without an
 * audit by a preset of minimap2.
 */
typedef enum cli_ambiguous {
    CLI_AMBIGUOUS_NONE, /* or there is no audit */
    CLI_AMBIGUOUS_APART,
    CLI_AMBIGUOUS_AS_OTHERS
} cli_ambiguous;

/*
 * The most cells, target bases times query bases, of a row that is scored apart: these take time in
 * proportion to them, 12 s of a CPU core at the most, and some 0.9 GB of the device.
 */
static const int64_t CLI_AMBIGUOUS_CELLS = INT64_C(1) << 36;

/* Two ranges. Positions are 0-based and half-open, on the forward strands of the records. */
typedef struct cli_range_row {
    int64_t line;      /* of the file */
    int64_t record[2]; /* numbers of target and query in their files */
    const char *name[2];
    const char *bases[2]; /* of the ranges, as they are in the file */
    int64_t begin[2], end[2];
    int64_t length[2]; /* of the records */
    bool reverse;
    char *oriented; /* the query's range on its strand, if that is -; NULL: not yet, or + */
    char *tags;     /* those to keep; NULL: none */
    /* With --audit, the alignment that the row brings, with = and X for M; NULL: none. */
    rhomb_path_op *ops;
    int64_t op_count;
    cli_ambiguous ambiguous;
    const rhomb_scoring *scoring;  /* NULL: unit costs */
    char *fault;                   /* with --keep-going, why it cannot be used; else NULL */
    rhomb_pair pair;               /* for a batch, which borrows it */
    struct cli_task *task;         /* of a long row, see long_ranges.h; else NULL */
    struct cli_range_result *held; /* its result, while others before it have none; else NULL */
    struct cli_range_row *after;   /* the next one of its batch, see range_batches.h */
    struct cli_range_row *next;    /* of all */
} cli_range_row;

/* Has row->oriented, if there is one; the exit status. And has it no longer: while it waits. */
int cli_range_row_orient(cli_range_row *row);
void cli_range_row_rest(cli_range_row *row);

void cli_range_row_free(cli_range_row *row);

/* The row as the writers see it, without operations. */
cli_path cli_range_row_path(const cli_align_arguments *args, const cli_range_row *row);

typedef struct cli_range_rows {
    const cli_align_arguments *args;
    rhomb_context *ctx; /* of the files, which is its own, so that a thread may read them */
    rhomb_sequence_set *sets[2]; /* the second is NULL if both are the same file */
    rhomb_paf *paf;
    int64_t rows;      /* read, of all parts */
    int64_t unaligned; /* of these, queries without a range */
} cli_range_rows;

/* Reads both files of sequences, and opens that of the ranges. The exit status, as below. */
int cli_range_rows_open(cli_range_rows *rows, const cli_align_arguments *args);

/* The sequences of a side, 0 or 1. */
const rhomb_sequence_set *cli_range_rows_set(const cli_range_rows *rows, int side);

/* The next row of this part, which the caller frees; NULL after the last one. */
int cli_range_rows_next(cli_range_rows *rows, cli_range_row **row);

void cli_range_rows_close(cli_range_rows *rows);

#endif
