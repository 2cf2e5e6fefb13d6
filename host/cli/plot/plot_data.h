/* SPDX-License-Identifier: MIT */
/*
 * What `rhomb plot` keeps of a PAF file while it streams by: sequences, traces of the paths
 * (see below), matches in windows along each target, and the number of indels of each size. Rows
 * (records) and operations are fed once, in the order of the file; memory grows with names and
 * rows, but not with operations, except those of a path of M, which wait for another path.
 *
 * Functions that return an int return an exit status and have printed their message.
 */
#ifndef RHOMB_CLI_PLOT_DATA_H
#define RHOMB_CLI_PLOT_DATA_H

#include "host/cli/base/cli.h"
#include <rhomb/paf.h>
#include <rhomb/similar.h>

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

/* What is shown of the targets, or of the queries. All zeros is everything. */
typedef struct cli_plot_range {
    char *name;         /* only this sequence, of malloc(); NULL: any, but with a range only one */
    int64_t begin, end; /* 0-based, half-open; end 0: to the sequence's end */
} cli_plot_range;

typedef struct cli_plot_view {
    cli_plot_range target, query;
    int64_t least;         /* bases of target or query that a row has to cover; 0: any */
    double least_identity; /* of similar segments; 0: the default */
} cli_plot_view;

/* Whether only a part of a sequence is shown. */
static inline bool cli_plot_is_part(const cli_plot_range *range)
{
    return range->begin > 0 || range->end > 0;
}

/*
 * Bases of the operations in a window: the matches, all, and those of M, which may match or not.
 * Gaps after an M count as M: a window of gaps alone would show 0 % beside windows that are left
 * out.
 */
typedef struct cli_plot_window {
    int64_t matches, columns, either;
} cli_plot_window;

typedef struct cli_plot_sequence {
    char *name;
    int64_t length;
    int64_t low, high; /* what rows cover of it; low > high if they cover nothing */
    /* For targets: windows from low on, in units; the first one begins at first * unit. */
    cli_plot_window *windows;
    int64_t first, count;
} cli_plot_sequence;

/* Sequences by name. */
typedef struct cli_plot_names {
    cli_plot_sequence *list;
    size_t count, room;
    size_t *slots; /* a hash table of index + 1; 0 is free */
    size_t slot_count;
} cli_plot_names;

/* Sizes from 2^k up to 2^(k + 1) - 1 are counted together. */
enum { CLI_PLOT_SIZES = 61 };

/* The number of bases of each kind of operation, in what is shown. */
typedef struct cli_plot_totals {
    int64_t rows;      /* that are shown */
    int64_t with_path; /* of those */
    int64_t matches, mismatches, inserted, deleted;
    int64_t either; /* of M, which match or do not */
    /* Columns 10 and 11 of the rows: matches and block length as their program has them. */
    int64_t said_matches, said_bases;
} cli_plot_totals;

/* The row that is being read. */
typedef struct cli_plot_row {
    const rhomb_paf_record *row;
    bool reverse, shown;
    bool drawing; /* its trace has begun ... */
    int64_t from; /* ... at this target position */
    bool goes_on; /* begins where the preceding row ended, or after it */
    size_t target, query;
    int64_t block;             /* of the pair, as in rhomb_paf_tags */
    int64_t at, other;         /* target and oriented query position so far */
    int64_t at_end, other_end; /* where the path has to end */
    int64_t low, high;         /* what is shown of the oriented query */
    bool has_either;           /* operations M, or = and X: a path has one or the other */
    bool has_known;
    rhomb_similar similar;
    int64_t open; /* the target position from which on it is not known what is similar */
    bool gap_is_deletion;
    int64_t gap_bases; /* of the gap that ends here and may go on; 0: there is none */
} cli_plot_row;

typedef struct cli_plot_data {
    const char *path; /* of the file, for messages */
    cli_plot_view view;
    cli_plot_names targets, queries;
    cli_plot_names others[2]; /* targets and queries that are not the one that a range names, */
    bool seen[2];             /* and whether that one is there */
    cli_traces traces;
    int64_t unit;                     /* bases of a window as kept */
    bool unit_is_fixed;               /* by --window */
    int64_t units;                    /* windows that are kept, of all targets */
    double touched;                   /* bases of the targets that rows cover */
    int64_t sizes[2][CLI_PLOT_SIZES]; /* of insertions, of deletions */
    cli_plot_totals totals;
    cli_plot_row now;
    cli_buffer held; /* operations of the row, until one says what matches */
    size_t held_at;  /* the first one that its other path has not had yet */
} cli_plot_data;

/* The most windows that are kept, 24 bytes each, however small --window is. */
enum { CLI_PLOT_WINDOWS = 1 << 20 };

/* The most without --window, besides one per target. Several together are drawn as one. */
enum { CLI_PLOT_MOST = 20000 };

/* `window` 0: chosen automatically. Texts are borrowed. */
void cli_plot_data_init(cli_plot_data *data, const char *path, const cli_plot_view *view,
                        int64_t window);

/*
 * A row, then its operations in segments, then its end. `row` stays valid until then. Rows of one
 * `block`, as in rhomb_paf_tags, may go on from one to the next.
 */
int cli_plot_begin_row(cli_plot_data *data, const rhomb_paf_record *row, int64_t block);
int cli_plot_add_ops(cli_plot_data *data, const rhomb_path_op *ops, size_t count);
int cli_plot_end_row(cli_plot_data *data);

/*
 * Between the operations and the end of a row whose path has M: the row's other path, which says
 * what matches, again in segments. Whether it is needed; its operations.
 */
bool cli_plot_wants_matches(const cli_plot_data *data);
int cli_plot_add_matches(cli_plot_data *data, const rhomb_path_op *ops, size_t count);

void cli_plot_data_free(cli_plot_data *data);

/* In plot_names.c: finds a sequence, or adds it. */
int cli_plot_find(cli_plot_data *data, cli_plot_names *names, const char *name, int64_t length,
                  size_t *index);
void cli_plot_names_free(cli_plot_names *names);

/*
 * In plot_windows.c: makes windows for [begin, end) of a target, which a row covers, and with
 * `slack` some more, so that few calls have to copy them; then adds the bases of the target that
 * one operation has there.
 */
int cli_plot_windows_cover(cli_plot_data *data, size_t target, int64_t begin, int64_t end,
                           bool slack);
void cli_plot_windows_add(cli_plot_data *data, size_t target, int64_t begin, int64_t end,
                          uint64_t code);
void cli_plot_window_add(cli_plot_window *to, const cli_plot_window *from);
/* Adds bases only in the query, at target position `at`. */
void cli_plot_windows_insert(cli_plot_data *data, size_t target, int64_t at, int64_t bases);

/*
 * Where sequences lie on the axes of a plot: end to end, in bases, independent of pixels. Targets
 * are in the order of the file; queries by where their longest traces lie along the targets, so
 * that similar sequences lie on a diagonal.
 */

/*
 * One sequence on an axis: its bases [low, high) are shown from `start` on. Of these [begin, end)
 * is the range that was asked for, or what rows cover.
 */
typedef struct cli_plot_span {
    size_t sequence;
    double start, low, high;
    int64_t begin, end;
    size_t rank;  /* 0 for the longest sequence */
    double label; /* where its name is along the axis, in pixels, as cli_plot_place_names() says */
    bool named;
} cli_plot_span;

typedef struct cli_plot_axis {
    const cli_plot_sequence *list;
    cli_plot_span *spans; /* in the order of the axis */
    size_t *places;       /* for each sequence, its index in spans */
    size_t count;
    double length; /* of all; above 0 */
} cli_plot_axis;

/*
 * A single sequence of which rows cover less than half is cut to what they cover; a range is shown
 * as it is, with what its rows cover of the queries. False if memory is short.
 */
bool cli_plot_layout(const cli_plot_data *data, cli_plot_axis *targets, cli_plot_axis *queries);
void cli_plot_axis_free(cli_plot_axis *axis);

/*
 * Places names in the pixels [from, to) of an axis, or of one that goes down: each as near to the
 * middle of its sequence as names of `room` pixels let it. If there is no room for all, those of
 * the longest sequences are named. Returns how many.
 */
size_t cli_plot_place_names(cli_plot_axis *axis, double from, double to, double room);

/* Where a position of a sequence lies on the axis. */
double cli_plot_place(const cli_plot_axis *axis, size_t sequence, double position);

#endif
