/* SPDX-License-Identifier: MIT */
/*
 * Whether a band that was narrowed has left out a step of a path within its bound: Gotoh's matrix
 * of the whole pair from either end, so that the least cost of a path through each step is known.
 */
#ifndef RHOMB_TESTS_PATH_COVER_H
#define RHOMB_TESTS_PATH_COVER_H

#include "plain_sweep.h"
#include "tests/reference/gotoh.h"

/* The matrices from either end. */
typedef struct path_cover {
    const plain_sweep *plain; /* has the pair */
    const rhomb__sweep *sweep;
    oracle_penalties penalties;
    oracle_vertex *vertices[2];
} path_cover;

/* For a pair that a plain sweep has, by its costs. Aborts without memory. */
void path_cover_start(path_cover *c, const plain_sweep *s);
void path_cover_end(path_cover *c);

/* The least cost of all paths. */
int64_t path_cover_distance(const path_cover *c);

/*
 * A strip that has not swept a step of a path of cost at most `bound` in its rows, -1 if there is
 * none. Each strip has swept the blocks that the records say. Steps down the last column of a
 * direction do not count: there the other one goes on, or a gap.
 */
int64_t path_cover_left_out(const path_cover *c, const rhomb_strip *records, int64_t bound);

#endif
