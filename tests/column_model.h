/* SPDX-License-Identifier: MIT */
/*
 * Where a sweep splits a subproblem, by Gotoh's matrix (1982) in plain code, a column at a time, up
 * to the middle from either end: any costs, and gaps at the borders.
 */
#ifndef RHOMB_TESTS_COLUMN_MODEL_H
#define RHOMB_TESTS_COLUMN_MODEL_H

#include "host/engines/engine.h"
#include "support/pair.h"

/*
 * The breakpoint of all of target and query: in the middle column, rounded up to whole blocks, the
 * first row that a path of least cost goes through; not within a gap, if such a path is not, else
 * within one of the first piece, if one is. *distance is that cost.
 */
rhomb__breakpoint column_model_split(const rhomb__costs *costs, const letters *target,
                                     const letters *query, int32_t begin_gap, int32_t end_gap,
                                     int64_t *distance);

#endif
