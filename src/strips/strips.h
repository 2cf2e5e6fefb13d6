/* SPDX-License-Identifier: MIT */
/*
 * The geometry of sweeps: strips of rows, the range of column blocks that a band
 * has in each strip, the launch in which each strip begins, and the result from the strips' sums.
 * Pure integer functions; cl/bitparallel/bitparallel.cl has a picture.
 *
 * Two directions. A *forward* sweep goes from the first column to the middle one, a *backward*
 * sweep of both sequences reversed from the last to the middle. The distance is the least sum of
 * the two costs over the rows of the middle column. A column takes the same time however few rows
 * the band has, so two half sweeps side by side take half as long as a whole one. With one
 * direction the middle is the last column, and the backward costs are those of deleting the
 * remaining rows.
 *
 * The band is a profile: for each strip a range of blocks. Every path of cost U stays within some
 * diagonals (rhomb__costs_half_width()), with unit costs those from -(U - K) / 2 to K + (U - K) / 2
 * (for K >= 0), and the same band serves the reversed sequences. rhomb__sweep_band() makes the time
 * table for it. While the sweep runs, the kernel narrows the band: a strip's last row says which of
 * its vertices have a score that, with the least cost of the rest, is within U, and the strip below
 * begins and ends accordingly (cl/common/passage.clh has the argument). The time table stays
 * unchanged, so the host reads nothing.
 *
 * Paths cannot use what a profile leaves out, so the resulting cost is the cost of a path, an
 * upper bound of the distance. If it is at most U, it is the distance, because a path of cost at
 * most U has all its vertices in the profile. If it is more, the distance is more than U.
 */
#ifndef RHOMB_SRC_STRIPS_H
#define RHOMB_SRC_STRIPS_H

#include <stdbool.h>

#include "rhomb/rhomb.h"

#include "cl/abi.h"
#include "src/scoring/costs.h"

/*
 * Which device has which strips of a sweep that several share, and which of its strips are
 * *borders*: the last ones of its chunks, that another device has a strip below of. Strips and
 * borders are counted in one direction; the other one has the same.
 *
 * How devices share a sweep: chunks of neighbouring strips, whose owners take turns. What a chunk's
 * last strip passes on travels to the next owner for `travel` launches, so the strip below begins
 * that much later. What strips compute does not depend on it.
 */
typedef struct rhomb__strip_chunks {
    int32_t owners;                     /* 0 or 1: one has all strips */
    int32_t travel;                     /* launches */
    int64_t strips[RHOMB_MOST_DEVICES]; /* of a chunk of each owner, at least 1 */
} rhomb__strip_chunks;

/* Whether there are several owners. */
bool rhomb__chunks_are_shared(const rhomb__strip_chunks *chunks);

/* The owner of strip g. */
int32_t rhomb__strip_owner(const rhomb__strip_chunks *chunks, int64_t g);

/* Whether the strip above strip g is another owner's. */
bool rhomb__strip_begins_chunk(const rhomb__strip_chunks *chunks, int64_t g);

/* How many of the strips [0, g) an owner has. */
int64_t rhomb__strips_owned(const rhomb__strip_chunks *chunks, int32_t owner, int64_t g);

/* Strip `index` of those that an owner has. */
int64_t rhomb__strip_of_owner(const rhomb__strip_chunks *chunks, int32_t owner, int64_t index);

/*
 * How many borders an owner has among the strips [0, g), of `strips` in all; and the strip of
 * border `index`.
 */
int64_t rhomb__borders_owned(const rhomb__strip_chunks *chunks, int32_t owner, int64_t g,
                             int64_t strips);
int64_t rhomb__border_of_owner(const rhomb__strip_chunks *chunks, int32_t owner, int64_t index);

#define RHOMB__BLOCK_COLUMNS 16
#define RHOMB__WORD_ROWS     32

/* The shape of a group's work. */
typedef struct rhomb__strip_shape {
    int64_t items;      /* of a strip: work-items, or lanes of a vector */
    int64_t words;      /* of 32 rows, of an item */
    int64_t lag;        /* blocks by which the last item lags the first */
    int64_t steps;      /* blocks of each strip in a launch */
    bool sliced;        /* the bit-sliced step, for any costs; else Myers' step, for unit costs */
    rhomb__costs costs; /* of the bit-sliced step */
} rhomb__strip_shape;

/* 32-bit words that a strip keeps for 32 rows (down), and hands down for a block (across). */
int64_t rhomb__shape_down_words(const rhomb__strip_shape *shape);
int64_t rhomb__shape_border_words(const rhomb__strip_shape *shape);

/*
 * The matrix. As many matching symbols are appended to both sequences as make its blocks whole;
 * that leaves the distance unchanged. Strips 2 g and 2 g + 1 are strip g of the forward and of
 * the backward sweep.
 */
typedef struct rhomb__sweep {
    rhomb__strip_shape shape;
    rhomb__costs costs;
    int64_t rows;       /* of the query, padded */
    int64_t columns;    /* of the target, padded: a multiple of RHOMB__BLOCK_COLUMNS */
    int64_t blocks[2];  /* of either sweep */
    int64_t strip_rows; /* of a strip: items * words * 32 */
    int64_t strips;     /* of one sweep */
    int64_t follow; /* 0, or a larger bound than the band's: paths up to this cost are kept while
                       they stay in the band */
    int32_t
        gaps[2]; /* RHOMB_GAP_* that paths may be within where the forward and where the backward
                    sweep begins, see rhomb_subproblem; with the latter no symbol is appended */
    rhomb__strip_chunks chunks;
} rhomb__sweep;

rhomb__sweep rhomb__sweep_make(int64_t target_length, int64_t query_length,
                               const rhomb__strip_shape *shape, int directions);

/* Records that a sweep needs: two above the strips, then strip i at 2 + i. */
int64_t rhomb__sweep_records(const rhomb__sweep *sweep);

/*
 * Fills the records for paths of cost at most `bound`, and returns the number of launches. bound is
 * at least the cost of a gap of |columns - rows| bases, less the openings of both borders' gaps.
 */
int64_t rhomb__sweep_band(const rhomb__sweep *sweep, int64_t bound, rhomb_strip *records);

/* The work of a band, before it is narrowed. */
typedef struct rhomb__sweep_extent {
    int64_t launches;
    int64_t strip_blocks; /* blocks of all strips */
} rhomb__sweep_extent;

/* The extent of the band that rhomb__sweep_band() makes. */
rhomb__sweep_extent rhomb__sweep_measure(const rhomb__sweep *sweep, int64_t bound);

/* The block after the last one of a direction: the middle, if there are two directions. */
int64_t rhomb__sweep_last_block(const rhomb__sweep *sweep, int64_t direction);

/*
 * The strips [2 * first, 2 * end) are in flight in a launch; both ends only grow with it.
 */
void rhomb__sweep_active(const rhomb__sweep *sweep, const rhomb_strip *records, int64_t launch,
                         int64_t *first, int64_t *end);

/* How far a strip came, valid once its launches are done. */
const rhomb_strip_front *rhomb__strip_result(const rhomb_strip *strip);

/*
 * Whether that is possible: it is within the strip, and scores change by at most a gap of one base
 * per column and row.
 */
bool rhomb__strip_is_sound(const rhomb__sweep *sweep, const rhomb_strip *strip);

/*
 * The strips [2 * first, 2 * end) are all whose rows rhomb__sweep_cost() needs;
 * first == end if a direction did not reach the middle column.
 */
void rhomb__sweep_middle(const rhomb__sweep *sweep, const rhomb_strip *records, int64_t *first,
                         int64_t *end);

/*
 * Where a path crosses the middle column: in the first row in which one has that cost. If paths
 * through that row have it without being within a gap there, this is one of them; else it is within
 * a gap of the first piece, if that is possible, or of the second. Only horizontal gaps cross a
 * column. The two costs of a path within a gap, and the opening, are its cost: forward_cost is that
 * of the subproblem up to there, which may end within this gap.
 */
typedef struct rhomb__sweep_breakpoint {
    int64_t cost;         /* of the path; INT64_MAX if nothing met */
    int64_t row;          /* -1 with one direction */
    int64_t forward_cost; /* up to that row; not known with one direction */
    int32_t gap;          /* RHOMB_GAP_NONE, _D or _D_2 */
} rhomb__sweep_breakpoint;

/*
 * The least cost of a path through what was swept, and where it crosses the middle. Both follow
 * from the records as the kernel left them, and from `down`: what the strips from 2 * first_down on
 * keep of the middle column, with Myers' step two words for 32 rows, plus and minus, else as
 * sliced.h has it.
 */
rhomb__sweep_breakpoint rhomb__sweep_cost(const rhomb__sweep *sweep, const rhomb_strip *records,
                                          const uint32_t *down, int64_t first_down);

/* The most columns of a direction that a path within the bound may have passed. */
int64_t rhomb__sweep_reach(const rhomb__sweep *sweep, const rhomb_strip *records);

/*
 * What a path would cost if all of it were like most of it: the cost of the whole at the median of
 * the rates at which costs have grown from strip to strip. -1 where there are too few strips to
 * say.
 */
int64_t rhomb__sweep_expected(const rhomb__sweep *sweep, const rhomb_strip *records);

/* The cells that the strips of one owner have swept. */
int64_t rhomb__sweep_cells_of(const rhomb__sweep *sweep, const rhomb_strip *records, int32_t owner);

/* The cells that were swept; before the sweep, those of the whole band. For reports. */
int64_t rhomb__sweep_cells(const rhomb__sweep *sweep, const rhomb_strip *records);
int64_t rhomb__sweep_band_cells(const rhomb__sweep *sweep, const rhomb_strip *records);

#endif
