/* SPDX-License-Identifier: MIT */
/*
 * Whether a CIGAR is a path through the matrix of two texts at all.
 */
#ifndef RHOMB_REFERENCE_PATH_JUDGE_H
#define RHOMB_REFERENCE_PATH_JUDGE_H

#include <stdbool.h>

#include "rhomb/batch.h"
#include "tests/reference/gotoh.h"

/*
 * What is wrong with a CIGAR, or NULL: it spells the target from the query with `distance` edits,
 * `=` and X tell the truth, neighbours differ, and no run is empty. Bytes are compared as they are.
 */
const char *path_judge(const rhomb_cigar_op *ops, int64_t count, const rhomb_pair *texts,
                       int64_t distance);

/* The same for the path of an alignment; with `fold` as folded_base() has them. */
const char *path_judge_long(const rhomb_path_op *ops, int64_t count, const rhomb_pair *texts,
                            int64_t distance, bool fold);

/*
 * The same for an alignment by other penalties, whose sum has to be `least`, as oracle_gotoh() has
 * it: each run of I or D is one gap, and pays for one opening. By the rule of rhomb/align.h no
 * insertion comes right before a deletion, and a gap after matches cannot be moved to the left.
 */
const char *path_judge_scored(const rhomb_path_op *ops, int64_t count, const rhomb_pair *texts,
                              const oracle_penalties *penalties, int64_t least, bool fold);

/*
 * The same for the part of two texts that a mode has aligned, by its score, in any order of gaps.
 */
const char *path_judge_extent(const rhomb_cigar_op *ops, int64_t count, const rhomb_pair *texts,
                              const rhomb_pair_extent *extent, const oracle_penalties *penalties);

#endif
