/* SPDX-License-Identifier: MIT */
/*
 * A path reduced to what a picture can show of it, in memory that does not grow with the path.
 *
 * A path is a chain of vertices, the ends of its operations: target position i and offset j - i,
 * with j counted along the aligned strand. Between two vertices both change linearly. Vertices are
 * put into columns of 2^shift bases of the target. A column keeps its first and its last vertex and
 * the extremes of the offset:
 *
 *      offset   high _ _ _ _/\_ _           a column stands for all vertices whose target
 *               first __/\_/  \   last      position is between two multiples of 2^shift
 *               low _ _ _ _ _ _\_/_ _
 *
 * so that the drawing is exact to the base in the offset, and to a column's width along the target.
 * If all traces of a picture together have too many columns, the width doubles.
 */
#ifndef RHOMB_CLI_PLOT_TRACE_H
#define RHOMB_CLI_PLOT_TRACE_H

#include "host/cli/base/cli.h"

/*
 * Columns of an alignment: the matches, all, those of gaps, those of M, which may match, and those
 * with a base of the target that are in no similar segment.
 */
typedef struct cli_trace_sums {
    int64_t matches, columns, gaps, either, other;
} cli_trace_sums;

typedef struct cli_trace_column {
    int64_t first_at, last_at; /* target positions of the first and the last vertex */
    int64_t first, last;       /* their offsets */
    int64_t low, high;         /* the extremes of all offsets */
    cli_trace_sums sums;       /* of the operations that end at its vertices */
    bool gap;                  /* the path does not come here from the preceding column */
} cli_trace_column;

/*
 * Rows of the same strand of the same sequences are one trace with gaps, parts of one alignment, if
 * each begins where the preceding one ended, or after it.
 */
typedef struct cli_trace {
    size_t target, query; /* which sequences */
    bool reverse;
    bool has_path;   /* false: the straight line between the ends of a row without one */
    bool is_similar; /* has a similar segment */
    cli_trace_column *columns;
    size_t count;
} cli_trace;

typedef struct cli_traces {
    cli_trace *traces;
    size_t count;
    size_t columns;      /* of all traces */
    size_t most_columns; /* if there are more, the width doubles */
    int shift;           /* a column has 2^shift bases */
} cli_traces;

/*
 * The number of columns above which they are widened: enough for several per pixel of any picture,
 * and 6 MB. Each trace has at least one column, so that many rows may need more.
 */
enum { CLI_TRACE_COLUMNS = 1 << 16 };

/* Begins a trace and returns it, valid until the next one; NULL if memory is short. */
cli_trace *cli_traces_begin(cli_traces *traces);

/*
 * Adds a vertex to the last trace: `at` never decreases. `gap`: no path leads here from the
 * preceding vertex. False if memory is short.
 */
bool cli_traces_add(cli_traces *traces, int64_t at, int64_t offset, bool gap);

/* Adds to the column of the last vertex. */
void cli_traces_count(cli_traces *traces, const cli_trace_sums *sums);
/* Tells that the bases [begin, end) of the target are not similar in the last trace. */
void cli_traces_tell_other(cli_traces *traces, int64_t begin, int64_t end);

/* *sum += bases, or INT64_MAX at most: a file may claim any number of bases. */
static inline void cli_plot_sum(int64_t *sum, int64_t bases)
{
    *sum = *sum > INT64_MAX - bases ? INT64_MAX : *sum + bases;
}
/* Whether a trace has a path that says of all bases whether they match. */
bool cli_trace_is_known(const cli_trace *trace);
void cli_trace_add_sums(cli_trace_sums *to, const cli_trace_sums *from);

void cli_traces_free(cli_traces *traces);

#endif
