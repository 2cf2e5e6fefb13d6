/* SPDX-License-Identifier: MIT */
/*
 * What host and kernels share: integer types, constants, and the records. Fixed-width members only,
 * explicit padding, a multiple of 8 bytes, no pointers.
 */
#ifndef RHOMB_ABI_H
#define RHOMB_ABI_H

#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)
typedef int rhomb_i32;
typedef long rhomb_i64;
typedef uint rhomb_u32;
/*
 * Not worth a warning, which some drivers print: loops that are not unrolled or made vectors of,
 * and vectors that a processor takes in two parts, which no other program ever sees.
 */
#    if defined(__clang__)
#        pragma clang diagnostic ignored "-Wpass-failed"
#        if __has_warning("-Wpsabi")
#            pragma clang diagnostic ignored "-Wpsabi"
#        endif
#    endif
/* Launches have their groups in the last of three dimensions: quirks.shares_kernels of a device. */
#    ifdef RHOMB_GROUPS_LAST
#        define get_group_id(dimension)    get_group_id(2 - (dimension))
#        define get_num_groups(dimension)  get_num_groups(2 - (dimension))
#        define get_global_size(dimension) (get_num_groups(dimension) * get_local_size(dimension))
#        define get_global_id(dimension) \
            (get_group_id(dimension) * get_local_size(dimension) + get_local_id(dimension))
#    endif
#else
#    include <stdint.h>
typedef int32_t rhomb_i32;
typedef int64_t rhomb_i64;
typedef uint32_t rhomb_u32;
#endif

/*
 * Symbols of padding before and after a packed sequence. A tile may hold diagonals outside the
 * matrix and read symbols there; none is further away than the widest tile and its scores.
 */
#define RHOMB_PAD_SYMBOLS 16384

/* The widest tile, in diagonals, and the most scores of a launch: 8192 + 2 * 256 < PAD_SYMBOLS. */
#define RHOMB_MAX_TILE_DIAGONALS 8192
#define RHOMB_MAX_TILE_SCORES    256

/* Symbols of a packed word, see cl/common/extend.clh. */
#define RHOMB_WORD_SYMBOLS      32
#define RHOMB_WORD_SYMBOLS_LOG2 5

/*
 * What "planes" is: the bits of a code, 1 to 8, of symbols that match if their codes are equal; or
 * with RHOMB_MASKS, the bits of a mask of bases, of symbols that match if they have one in common.
 * Without bits symbols are bytes. Kernels have RHOMB_PLANES and RHOMB_HAS_MASKS.
 */
#define RHOMB_MASKS               16
#define RHOMB_MASK_PLANES         (RHOMB_MASKS + 4)
#define RHOMB_PLANE_COUNT(planes) ((planes) & (RHOMB_MASKS - 1))
/* What of bytes is folded before they are packed or compared: case, and that U is T. */
#define RHOMB_FOLD_CASE 1
#define RHOMB_FOLD_U    2
/* The code of padding: one that matches itself, so that as much of it at both ends costs nothing.
 */
#define RHOMB_PAD_CODE(planes) ((planes) / RHOMB_MASKS)
#if defined(RHOMB_PLANES) && RHOMB_PLANES == 20
#    undef RHOMB_PLANES
#    define RHOMB_PLANES    4
#    define RHOMB_HAS_MASKS 1
#elif defined(RHOMB_PLANES) && RHOMB_PLANES == 16
#    undef RHOMB_PLANES
#    define RHOMB_PLANES    0
#    define RHOMB_HAS_MASKS 1
#else
#    define RHOMB_HAS_MASKS 0
#endif

/*
 * Words in memory for one of each plane, a power of two: so that a work-item has all of them by one
 * load, and not by three, for which a GPU took more than twice as long (bench/NOTES.md).
 */
#define RHOMB_UNIT_WORDS(planes)                                  \
    (RHOMB_PLANE_COUNT(planes) <= 2   ? RHOMB_PLANE_COUNT(planes) \
     : RHOMB_PLANE_COUNT(planes) <= 4 ? 4                         \
                                      : 8)
/* The same of a kernel. */
#define RHOMB_UNIT RHOMB_UNIT_WORDS(RHOMB_PLANES)

/*
 * After a packed sequence, in its directions, come as many tables of its runs of one symbol: how
 * many whole chunks of that many symbols, from each one on, are one and the same symbol; 0 where
 * this one is not. Chunks are counted from the sequence's first symbol, and there is one at its
 * end. Smaller ones find shorter runs, which a group follows in a round or two anyway; larger ones
 * make a smaller table. Not tuned.
 */
#define RHOMB_RUN_CHUNK_LOG2     12
#define RHOMB_RUN_CHUNK          (1 << RHOMB_RUN_CHUNK_LOG2)
#define RHOMB_RUN_CHUNKS(length) ((length) / RHOMB_RUN_CHUNK + 1)

/* Runs of matches that a group follows together in a column of the wavefront. */
#define RHOMB_MOST_RUNS 64

/* `distance` until the end is reached. */
#define RHOMB_UNSOLVED (-1)

/* The state of the end diagonal K after a launch; offsets and distances as in rhomb.h. */
typedef struct rhomb_front {
    rhomb_i64 distance; /* RHOMB_UNSOLVED, or a score r with f_r[K] >= n */
    rhomb_i64 bound;    /* the distance is at most this */
    rhomb_i64 reach;    /* f_r[K] ... */
    rhomb_i64 column;   /* ... and its score r */
} rhomb_front;

/*
 * The status record. Some members exist twice and launches alternate between the two, so that a
 * group never reads what another group of its launch writes. Directions: 0 is forward from the
 * beginnings, 1 backward from the ends. `tiles` counts those that were computed (not pruned),
 * modulo 2^32.
 */
typedef struct rhomb_wavefront_status {
    rhomb_front front[2][2]; /* [direction][launch.front] */
    rhomb_i64 complete[2]; /* [launch.turn]: the score that all launches up to there have reached */
    rhomb_u32 furthest[2][2]; /* [direction][launch.turn]: antidiagonal i + j, see far_shift */
    rhomb_u32 tiles;
    rhomb_u32 met;       /* not 0: the wavefronts of the two directions overlap, or reach the end */
    rhomb_u32 met_group; /* the lowest group of the look that saw it */
    rhomb_u32 padding;
} rhomb_wavefront_status;

/* `met_group` while no group has. */
#define RHOMB_NO_GROUP 0xffffffffu

/*
 * A launch of the pyramid, as src/planner/tiling.c laid it out, or a share of its tiles; and the
 * places of its sequences and wavefronts.
 */
typedef struct rhomb_launch {
    rhomb_i64 query_length;       /* m */
    rhomb_i64 target_length;      /* n */
    rhomb_i64 query_backward;     /* words from the packed query to its reverse */
    rhomb_i64 target_backward;    /* and of the target */
    rhomb_i64 origin;             /* diagonal of a wavefront's first element */
    rhomb_i64 wavefront_backward; /* elements from a forward wavefront to the backward one */
    rhomb_i64 first_diagonal;     /* of the launch's first tile, in either direction */
    rhomb_i64 tile_pitch;         /* from one tile to the next */
    rhomb_i64 tiles;              /* of this launch, for each direction */
    rhomb_i64 start;              /* r0: the wavefront that it starts from */
    rhomb_i32 scores[2];          /* by which each direction advances, at most TILE_SCORES */
    rhomb_i32 directions;         /* 1 or 2 */
    rhomb_i32 prune;              /* tiles that cannot matter are left out */
    rhomb_i32 front;              /* the fronts that are read; the others are written */
    rhomb_i32 turn;               /* the same for what else alternates */
    rhomb_i32 meets_later;        /* 1: stop before a launch when the directions may have met */
    rhomb_i32 leads;              /* the first share, or all: it holds the first tile */
    rhomb_i32 far_shift; /* status.furthest counts in units of 1 << far_shift, rounded up */
    rhomb_i32 padding;
} rhomb_launch;

/* The front of a strip while no path may leave its last row. */
#define RHOMB_NO_BLOCK ((rhomb_i64)0x7fffffffffffffff)

/*
 * How far a strip of a sweep has swept its last row, for the strip below (src/strips/strips.h).
 * Scores are costs of paths from the beginning.
 */
typedef struct rhomb_strip_front {
    rhomb_i64 begin;       /* first block by which a path within the bound may leave, or NO_BLOCK */
    rhomb_i64 begin_score; /* at that block's left edge */
    rhomb_i64 room;  /* what such a path may cost to leave the end diagonal and come back to it */
    rhomb_i64 end;   /* blocks up to here have been swept ... */
    rhomb_i64 score; /* ... and this is the score there */
    rhomb_i64 limit; /* bit-sliced: the end by which the last launch went; NO_BLOCK before */
    /* Bit-sliced: what each piece of a gap saves where it goes on instead of being opened: ... */
    rhomb_i32 begin_saves[2]; /* ... a vertical gap at that left edge, ... */
    rhomb_i32 end_saves[2];   /* ... a horizontal one where the strip has ended */
} rhomb_strip_front;

/*
 * A strip: its time table, and the two fronts between which launches alternate, so that a group
 * never reads what another group of its launch writes.
 */
typedef struct rhomb_strip {
    rhomb_strip_front front[2];
    rhomb_i64 first_block; /* blocks [first_block, end_block) are all that a launch may ask for */
    rhomb_i64 end_block;
    rhomb_i64 below_first_block; /* of the strip below */
    rhomb_i64 first_step;        /* in which the first item does the first block */
    rhomb_i64 last_launch;       /* with steps of this strip; -1: it has none */
    rhomb_i64 above_last_launch; /* of the strip above */
    rhomb_i64 first_item;        /* whose rows its first work-item has */
    rhomb_i64 corner;            /* the column in which the end diagonal crosses the last row */
    rhomb_i64 slack;             /* (the bound on the cost) - (the least extension) * corner */
} rhomb_strip;

/*
 * Penalties of the bit-sliced sweep: the most that the first base of a gap may cost, or a second
 * piece's opening; and the bits of a number up to there, and somewhat beyond.
 */
#define RHOMB_SLICED_MOST 32767
#define RHOMB_SLICED_BITS(n) \
    ((n) < 1        ? 0      \
     : (n) < 2      ? 1      \
     : (n) < 4      ? 2      \
     : (n) < 8      ? 3      \
     : (n) < 16     ? 4      \
     : (n) < 32     ? 5      \
     : (n) < 64     ? 6      \
     : (n) < 128    ? 7      \
     : (n) < 256    ? 8      \
     : (n) < 512    ? 9      \
     : (n) < 1024   ? 10     \
     : (n) < 2048   ? 11     \
     : (n) < 4096   ? 12     \
     : (n) < 8192   ? 13     \
     : (n) < 16384  ? 14     \
     : (n) < 32768  ? 15     \
     : (n) < 65536  ? 16     \
     : (n) < 131072 ? 17     \
                    : 18)

/*
 * Symbols of a packed sequence that a sweep has as rows or as columns (rhomb_pack_row_ranges() and
 * rhomb_pack_column_ranges() of cl/common/pack.cl). A subproblem has two of each, one for each
 * direction.
 */
typedef struct rhomb_pack_range {
    rhomb_i64 first_unit; /* of those that are written: a range ends at the next one's first */
    rhomb_i64 window;     /* of its first unit: where in the packed buffer, in symbols */
    rhomb_i64 begin;      /* of the range's symbols [begin, end) are the subproblem's, ... */
    rhomb_i64 end;        /* ... and all others are 0 */
    rhomb_i32 from_query; /* 1: of the packed query, 0: of the packed target */
    rhomb_i32 padding;
} rhomb_pack_range;

#include "abi_batch.h"

typedef struct rhomb_long_local_job {
    rhomb_batch_scoring scoring;
    rhomb_i32 query_length;  /* m, rows */
    rhomb_i32 target_length; /* n, columns */
    rhomb_i64 query_at;      /* their first symbols among the packed ones */
    rhomb_i64 target_at;
    rhomb_i32 credit;       /* the score of the corner before both first symbols */
    rhomb_i32 steps;        /* of a launch */
    rhomb_i32 free_rows;    /* of the first column, that cost nothing */
    rhomb_i32 free_columns; /* of the first row */
    rhomb_i32 first_row;
    rhomb_i32 first_column;
    rhomb_i32 last_row; /* of extensions 0 where it does not matter */
    rhomb_i32 last_column;
    /*
     * With a matrix, of paths: the border after every `keep` strips is kept (0: none), in rows from
     * 1 on of the border's memory; `above` is the one above the first strip, 0: the first row's.
     */
    rhomb_i32 keep;
    rhomb_i32 above;
    rhomb_i32 kept_columns; /* of such a row, or blocks of them */
    rhomb_i32 bonus;
} rhomb_long_local_job;

/* The best cell of a strip, rows and columns from 1 on; score 0: none is better than nothing. */
typedef struct rhomb_long_local_cell {
    rhomb_i32 score;
    rhomb_i32 column;
    rhomb_i32 row;
    rhomb_i32 padding;
} rhomb_long_local_cell;

/* The best score so far: launches read one and raise the other, in turns. */
typedef struct rhomb_long_local_status {
    rhomb_i32 best[2];
    rhomb_u32 pruned; /* blocks, modulo 2^32 */
    rhomb_u32 padding;
} rhomb_long_local_status;

/*
 * What a path by a trace is in (cl/local/local_trace.clh): 0: no gap; a gap of the target's bases,
 * of the first or the second piece; of the query's. RHOMB_TRACE_AFTER more: one in the next cell.
 */
#define RHOMB_TRACE_D     1
#define RHOMB_TRACE_I     3
#define RHOMB_TRACE_AFTER 4

/* Where a path of one long pair is on its way back, and what it is in. */
typedef struct rhomb_long_path_at {
    rhomb_i32 row;
    rhomb_i32 column;
    rhomb_i32 in;
    rhomb_i32 operations; /* that have been written */
} rhomb_long_path_at;

/* The most steps of a launch by work-items. */
#define RHOMB_LONG_LOCAL_STEPS 64

/*
 * What a strip keeps between launches, in words of 4 bytes: H and the gaps of its rows, and for
 * each item or lane the corner, and what it has handed down; with `drops` cells of antidiagonals.
 */
#define RHOMB_LONG_LOCAL_STATE(items, rows, pieces, columns, drops) \
    ((items) * ((1 + (pieces)) * ((rows) + (columns)) + 2 + 4 * (rows) * (drops)))

/* The steps by which a strip is later than the one above. */
#define RHOMB_LONG_LAG(items, rows, columns, steps, drops) \
    ((steps) + ((drops) ? ((items) * (rows) + (columns)-1) / (columns) : (items)-1))

/*
 * A subproblem of an alignment by recursion (cl/divide/split.cl), whose distance is known: a range
 * of both sequences of a pair, in symbols from the sequences' beginnings.
 */
typedef struct rhomb_split_pair {
    rhomb_i64 target_at;
    rhomb_i64 target_length; /* n */
    rhomb_i64 query_at;
    rhomb_i64 query_length; /* m */
    rhomb_i64 distance;     /* 1 to RHOMB_SPLIT_LIMIT */
} rhomb_split_pair;

/*
 * Gaps that a path may be within where a subproblem begins or ends: bases of the target alone (D)
 * or of the query alone (I), of the first or the second piece of a gap's cost.
 */
#define RHOMB_GAP_NONE 0
#define RHOMB_GAP_D    1
#define RHOMB_GAP_D_2  2
#define RHOMB_GAP_I    3
#define RHOMB_GAP_I_2  4

/* Whether such a gap has bases of the query, and its piece: 0 or 1. */
#define RHOMB_GAP_IS_I(gap)  ((gap) >= RHOMB_GAP_I)
#define RHOMB_GAP_PIECE(gap) (((gap)-1) & 1)

/*
 * A subproblem with any costs; its distance is a cost. Where it begins with a gap, a path may go on
 * with that gap at no cost of opening, and where it ends with one, likewise backwards from the end:
 * the opening of a gap across a border belongs to no subproblem. So a path that consists of nothing
 * but one gap, which both borders have, costs an opening less than its extensions; elsewhere costs
 * are not negative. Unit costs have no such gaps.
 */
typedef struct rhomb_subproblem {
    rhomb_split_pair pair;
    rhomb_i32 begin_gap; /* RHOMB_GAP_* */
    rhomb_i32 end_gap;
} rhomb_subproblem;

/*
 * Such a subproblem for the kernel that finds paths (cl/affine/affine_path.cl); places are those in
 * the packed sequences. By wavefronts, it has room for a trace of `diagonals` from first_diagonal
 * on, for each score from 1 up to the cost and the opening of the end gap.
 */
typedef struct rhomb_affine_path {
    rhomb_i64 target_at;
    rhomb_i64 query_at;
    rhomb_i32 target_length;
    rhomb_i32 query_length;
    rhomb_i32 cost;
    rhomb_i32 begin_gap;
    rhomb_i32 end_gap;
    rhomb_i32 first_diagonal;
    rhomb_i32 diagonals;
    rhomb_i32 by_matrix; /* 1: by the whole matrix */
    rhomb_i32 row_cells; /* of its memory before the trace, 4 bytes each */
    rhomb_i32 padding;
    rhomb_u32 operations_at; /* the first of its room, which two for each gap or mismatch and ... */
    rhomb_u32 operations;    /* ... one more fill */
} rhomb_affine_path;

/* The rows of a matrix: antidiagonals of M, and of four gaps. */
#define RHOMB_AFFINE_PATH_MATRIX_ROWS (3 + 2 * 4)

/*
 * The rows of M in the ring of the last scores: the present one, and those that it looks back to.
 * The mismatch is 0 where it is dearer than two gaps, the second extension where there is none.
 */
#define RHOMB_AFFINE_PATH_GREATER(a, b) ((a) > (b) ? (a) : (b))
#define RHOMB_AFFINE_PATH_M_ROWS(mismatch, open, extend, open_2, extend_2) \
    (1 + RHOMB_AFFINE_PATH_GREATER(                                        \
             mismatch, RHOMB_AFFINE_PATH_GREATER((open) + (extend),        \
                                                 (extend_2) > 0 ? (open_2) + (extend_2) : 0)))

/*
 * The largest distance of a subproblem that the kernel for unit costs allows: a group's column has
 * at most as many diagonals. The host gives it smaller ones (TOGETHER_MOST in
 * host/divide/align_rounds.c).
 */
#define RHOMB_SPLIT_LIMIT 32768

/* What the device is given: a subproblem, and where its columns are. */
typedef struct rhomb_split_job {
    rhomb_split_pair pair;
    rhomb_i64 columns_at; /* in offsets, RHOMB_SPLIT_COLUMNS of RHOMB_SPLIT_CELLS each */
} rhomb_split_job;

/* Whether a breakpoint was found, and if not, why. Nothing writes 0. */
#define RHOMB_SPLIT_FOUND 1
#define RHOMB_SPLIT_APART 2 /* the directions do not meet: the distance is larger */
#define RHOMB_SPLIT_LESS  3 /* they meet an edit earlier: it is smaller */

/* The breakpoint of a subproblem, in symbols from its own beginning. */
typedef struct rhomb_split_point {
    rhomb_i64 target; /* j */
    rhomb_i64 query;  /* i */
    rhomb_i32 status;
    rhomb_i32 padding;
} rhomb_split_point;

/*
 * Columns of a subproblem: the last two of each direction. A column has the diagonals from -left to
 * right of its last turn, `edits` edits away from the beginning and inside the matrix, and two more
 * cells on either side that hold no offset.
 */
#define RHOMB_SPLIT_COLUMNS             4
#define RHOMB_SPLIT_SIDE(edits, length) ((edits) < (length) ? (edits) : (length))
#define RHOMB_SPLIT_CELLS(edits, m, n) \
    (RHOMB_SPLIT_SIDE(edits, m) + RHOMB_SPLIT_SIDE(edits, n) + 1 + 4)

/*
 * Subproblems of an alignment that are too wide for one group (cl/divide/split_wide.cl): a
 * subproblem as above, of any distance, and where its wavefronts are in either buffer:
 * `cells` for each direction, the first on diagonal `origin`.
 */
typedef struct rhomb_split_wide {
    rhomb_split_pair pair;
    rhomb_i64 columns_at;
    rhomb_i64 cells;
    rhomb_i64 origin;
} rhomb_split_wide;

/*
 * The pair that they are ranges of, packed in both directions, and the words from a packed sequence
 * to its reverse.
 */
typedef struct rhomb_split_whole {
    rhomb_i64 query_length;
    rhomb_i64 target_length;
    rhomb_i64 query_backward;
    rhomb_i64 target_backward;
} rhomb_split_whole;

/*
 * The affine wavefront (cl/affine/affine.clh). The scores of M that a score looks back; `first` and
 * `first_2` are what the first base of a gap costs by either piece, 0 without a second one.
 */
#define RHOMB_AFFINE_LOOKBACK(mismatch, first, first_2)          \
    ((mismatch) > (first) && (mismatch) > (first_2) ? (mismatch) \
     : (first) > (first_2)                          ? (first)    \
                                                    : (first_2))

/*
 * The scores of M, and of D or I, that items of a group hold in registers
 * (cl/affine/affine_group.clh); where costs look back further, rows of memory hold them.
 */
#define RHOMB_AFFINE_HELD_M    8
#define RHOMB_AFFINE_HELD_GAPS 4

/* The diagonals by which offsets spread in so many scores; `extend_2` is 0 without a second piece.
 */
#define RHOMB_AFFINE_MARGIN(scores, extend, extend_2) \
    ((extend_2) > 0 ? ((scores) + (extend_2)-1) / (extend_2) : ((scores) + (extend)-1) / (extend))

/*
 * A subproblem with affine costs, or a whole pair, and where its offsets are in either buffer: for
 * each direction the slots, of `cells` diagonals each, the first of which is `origin`. The backward
 * direction has the diagonals K - k, K = n - m.
 */
typedef struct rhomb_affine_problem {
    rhomb_subproblem range;
    rhomb_i64 at;
    rhomb_i64 cells;
    rhomb_i64 origin[2];
    rhomb_i64 until[2]; /* the scores at which the directions are where they are to meet, ... */
    rhomb_i32 turn[2];  /* ... and the buffers that have them then: 0 or 1 */
} rhomb_affine_problem;

/*
 * What one group computes in a launch: `steps` scores from `start` on of a tile whose first element
 * is on diagonal `first`. Only the diagonals [low, high] are in the window of the launch.
 */
typedef struct rhomb_affine_tile {
    rhomb_i64 first;
    rhomb_i64 low;
    rhomb_i64 high;
    rhomb_i64 start;
    rhomb_i32 steps;
    rhomb_u32 problem;
    rhomb_i32 direction;
    rhomb_i32 turn; /* of the buffer that is read; the other one is written */
} rhomb_affine_tile;

/* A point at which the directions meet: the least key of those that a group found. */
typedef struct rhomb_affine_point {
    rhomb_i64 key; /* RHOMB_AFFINE_APART, or see RHOMB_AFFINE_KEY() */
    rhomb_i64 target;
} rhomb_affine_point;

#define RHOMB_AFFINE_APART ((rhomb_i64)0x7fffffffffffffff)

/*
 * Points by their forward diagonal, counted from the window's first one, then by the gap that they
 * are in, then by the score that the forward direction has paid, which is `earlier` below its last.
 */
#define RHOMB_AFFINE_KEY(diagonal, gap, earlier) \
    ((((rhomb_i64)(diagonal)*8 + (gap)) << 20) + (earlier))
#define RHOMB_AFFINE_KEY_DIAGONAL(key) ((key) >> 23)
#define RHOMB_AFFINE_KEY_GAP(key)      ((int)((key) >> 20) & 7)
#define RHOMB_AFFINE_KEY_EARLIER(key)  ((key)&0xfffff)

/* The most scores that costs may look back. */
#define RHOMB_AFFINE_MOST_LOOKBACK 1024

/*
 * What the looks at a pair of unknown cost have seen, by the host's order of launches: the first
 * look at which the directions had met, and how far they had come.
 */
typedef struct rhomb_affine_status {
    rhomb_i32 met;         /* the look's number, or RHOMB_AFFINE_NOT_MET */
    rhomb_i32 least;       /* the least cost of a path that a search has seen, or INT_MAX */
    rhomb_u32 furthest[2]; /* antidiagonals i + j of each direction, >> far_shift */
} rhomb_affine_status;

#define RHOMB_AFFINE_NOT_MET 0x7fffffff

/* A group of a launch: the tile and the subproblem that it computes. */
typedef struct rhomb_split_tile {
    rhomb_u32 problem;
    rhomb_u32 tile; /* twice its rank, from the middle outwards, and the direction */
} rhomb_split_tile;

#endif
