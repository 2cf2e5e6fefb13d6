/* SPDX-License-Identifier: MIT */
/*
 * Rows of `--ranges`: which ranges of two files belong together, from PAF, SAM, BAM, CRAM or a
 * table (rhomb/paf.h), with their bases.
 */
#ifndef RHOMB_CLI_RANGE_ROWS_H
#define RHOMB_CLI_RANGE_ROWS_H

#include "host/cli/align/align_arguments.h"
#include "host/cli/base/sink.h"
#include "host/cli/base/text_buffer.h"
#include "host/cli/many/journal.h"
#include "host/cli/many/many.h"
#include "host/cli/writers/path_rows.h"
#include <rhomb/anchors.h>
#include <rhomb/batch.h>
#include <rhomb/verify.h>

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

/* A long row in pieces, each before an anchor but the last one, and what is known of its path. */
typedef struct cli_range_pieces {
    rhomb_anchor *anchors;
    rhomb_pair *pairs;
    size_t count, done; /* pieces */
    cli_buffer ops;
    rhomb_status status; /* of the first piece without a path, and its reason */
    char *detail;
} cli_range_pieces;

void cli_range_pieces_free(cli_range_pieces *pieces);

/* Adds columns to a path, to its last operation if that is the same. */
void cli_range_append_op(cli_buffer *to, unsigned code, int64_t length);

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
    struct cli_task *task;         /* of a long row, see below; else NULL */
    cli_range_pieces *pieces;      /* of one that is in pieces; else NULL */
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
    int64_t rows;             /* read, of all parts */
    int64_t unaligned;        /* of these, queries without a range */
    bool masks;               /* codes are masks of bases, ... */
    unsigned char codes[256]; /* ... by which bases of given alignments are compared */
} cli_range_rows;

/* Rows of sequences that are read already, or NULL; the ranges are not opened. */
cli_range_rows cli_range_rows_of(const cli_align_arguments *args, rhomb_context *ctx,
                                 rhomb_sequence_set *targets, rhomb_sequence_set *queries);

/* Reads both files of sequences, and opens that of the ranges. The exit status, as below. */
int cli_range_rows_open(cli_range_rows *rows, const cli_align_arguments *args);

/* The sequences of a side, 0 or 1. */
const rhomb_sequence_set *cli_range_rows_set(const cli_range_rows *rows, int side);

/* The next row of this part, which the caller frees; NULL after the last one. */
int cli_range_rows_next(cli_range_rows *rows, cli_range_row **row);

void cli_range_rows_close(cli_range_rows *rows);

/*
 * What `rhomb align --ranges` keeps in the file of --resume: what has come of the rows that are
 * complete, in their order. A run that goes on reads all rows again, and makes its outputs of what
 * the file has, then of what is still to do.
 */

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

/*
 * Rows of `--ranges` that are long: each is a pair by itself, with a guide from the sketch of its
 * ranges, in a pool with contexts of its own, which is opened for the first of them.
 */

/* Rows of fewer bases on both sides are solved in batches. */
enum { CLI_LONG_RANGE = 100000 };

/* All zeros but `args` is none. */
typedef struct cli_long_ranges {
    const cli_align_arguments *args;
    rhomb_context *ctx;
    cli_pool *pool;
    int64_t rows, bases; /* that wait */
} cli_long_ranges;

bool cli_range_is_long(const cli_range_row *row);

/* Gives a row to the pool, which keeps its result in row->task. The exit status, as below. */
int cli_long_ranges_add(cli_long_ranges *ranges, cli_range_row *row);

/* Whether there are so many that one should be waited for before there are more. */
bool cli_long_ranges_are_enough(const cli_long_ranges *ranges);

/* Waits for a row. */
int cli_long_ranges_wait(cli_long_ranges *ranges, const cli_range_row *row);

/* To be called while the rows are still there. */
void cli_long_ranges_close(cli_long_ranges *ranges);

/*
 * `--audit`: what the alignments that rows bring cost, beside the least cost of the same ranges. A
 * cost is the penalty or, with a match score, less the score: so what is lost is never negative.
 */

/* Rows that lost most, which the summary names. */
enum { CLI_AUDIT_WORST = 10 };

typedef struct cli_audit_worst {
    int64_t line, lost;
    int64_t given, least; /* costs */
} cli_audit_worst;

/* All zeros is none. */
typedef struct cli_audit {
    cli_output output;
    cli_sink sink;
    int64_t given;   /* rows with an alignment */
    int64_t optimal; /* of these */
    int64_t bases;   /* of the targets of these */
    cli_buffer lost; /* an int64_t of each of these */
    int64_t lost_sum;
    int64_t ambiguous; /* of these, with other bases than A, C, G, T and U */
    int64_t apart;     /* of those, by args->ambiguous */
    cli_audit_worst worst[CLI_AUDIT_WORST];
    int32_t worst_count;
} cli_audit;

/* Which quantiles summaries have. */
enum { CLI_AUDIT_QUANTILES = 4 };
extern const int64_t CLI_AUDIT_PERCENT[CLI_AUDIT_QUANTILES];

/* What so many percent of the rows lost at most, after cli_audit_end(), if there are any. */
int64_t cli_audit_quantile(const cli_audit *audit, int64_t percent);

/* What 1,000 bases of the target lost, 0 if there are none. */
double cli_audit_per_kb(const cli_audit *audit);

/* Opens the file. The exit status, as below. */
int cli_audit_open(cli_audit *audit, const char *name);

/* Writes the line of a row; `path` has the best alignment, NULL: there is none, for `why`. */
int cli_audit_add(cli_audit *audit, const cli_range_row *row, const cli_path *path,
                  const char *why);

/* Puts the file in its place, and says what it comes to. */
int cli_audit_end(cli_audit *audit, const cli_align_arguments *args);

void cli_audit_close(cli_audit *audit);

/* The work of `rhomb align --ranges`: exact alignments of ranges that another program found. */

/* The exit status. */
int cli_ranges_run(cli_align_arguments *args, int argc, char **argv);

#endif
