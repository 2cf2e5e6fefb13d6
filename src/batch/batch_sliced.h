/* SPDX-License-Identifier: MIT */
/*
 * How a batch computes matrices of gap-affine costs in bit planes (cl/batch/batch_sliced.cl): which
 * of its pairs, and how many work-items share one. Pure.
 */
#ifndef RHOMB_SRC_BATCH_SLICED_H
#define RHOMB_SRC_BATCH_SLICED_H

#include "src/batch/batch_shape.h"
#include "src/planner/profiles.h"
#include "src/scoring/costs.h"

/* As cl/batch/batch_costs.clh has it: a pair's path is the matrix's beyond so many cells of it. */
#define RHOMB__BATCH_WAVE_CELLS 3

/* Words of 32 rows of a work-item. */
int32_t rhomb__batch_sliced_words(const rhomb__costs *costs, int32_t group_size, bool path);

/* The cells of the matrix in bit planes that take as long as a cell of a wavefront. */
int32_t rhomb__batch_sliced_wave_cells(const rhomb__costs *costs, const rhomb__tuning_row *row,
                                       int32_t group_size);

/*
 * Whether wavefronts up to a cost take less than the matrix, of which `wave_cells` cells take as
 * long as one of theirs.
 */
bool rhomb__batch_is_cheap(const rhomb__costs *costs, int64_t n, int64_t m, int64_t cost,
                           int32_t wave_cells);

/*
 * A guess at what a pair costs, in the unit of its scoring: by how many of the query's words are
 * near where they would be in the target, as errors leave a word of k bases whole with the
 * probability (1 - rate)^k. A few microseconds for each 1,000 bases, up to a tenth of a second.
 */
int64_t rhomb__batch_guess(const rhomb__costs *costs, const rhomb_pair *pair);

/*
 * Memory of a group of pairs up to a length, of which `items` work-items share each, in words of 4
 * bytes: a multiple of 16. With the marks of the `whole` matrix, or of the smallest chunk.
 */
int64_t rhomb__batch_sliced_cells(const rhomb__batch_shape *shape, const rhomb__costs *costs,
                                  bool path, bool whole, int64_t longest, int64_t items);

/*
 * The levels of bit planes: the first one has memory for pairs of usual lengths, so that many
 * groups have some, the second for the longest of a job.
 */
#define RHOMB__BATCH_SLICED_LEVELS 2

static inline bool rhomb__batch_is_sliced(const rhomb__batch_shape *shape, int32_t level)
{
    return shape->sliced_level >= 0 && level >= shape->sliced_level &&
           level < shape->sliced_level + RHOMB__BATCH_SLICED_LEVELS;
}

/* The length up to which sequences are usual in a job of so many bases and pairs. */
int64_t rhomb__batch_usual_bases(int64_t bases, int64_t pairs);

/*
 * A launch for `count` pairs up to a length; where that does not fit, for as long ones as do. Pairs
 * whose cost is known, as in all modes but global, are swept in a band.
 */
typedef struct rhomb__batch_teams {
    int32_t items; /* that share a pair */
    int64_t groups;
    int64_t group_cells; /* of memory, 4 bytes each */
    bool fits;           /* pairs of that length have room */
} rhomb__batch_teams;

rhomb__batch_teams rhomb__batch_teams_of(const rhomb__batch_shape *shape, const rhomb__costs *costs,
                                         bool path, bool known, int64_t longest, int64_t count);

#endif
