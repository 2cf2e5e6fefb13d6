/* SPDX-License-Identifier: MIT */
/*
 * For tests of cl/affine/affine_path.cl: subproblems with gaps at their borders, as ranges of one
 * long pair, with matches around each of them that tempt a run to go on; their costs are
 * those of oracle_gotoh_borders().
 */
#ifndef RHOMB_TESTS_AFFINE_LIST_H
#define RHOMB_TESTS_AFFINE_LIST_H

#include "pair.h"
#include "src/paths/path_ops.h"
#include "src/scoring/costs.h"
#include "tests/reference/gotoh.h"

/* All zero at first. */
typedef struct affine_list {
    letters target; /* the whole sequences */
    letters query;
    rhomb_subproblem *subproblems;
    int64_t count;
    int64_t room;
} affine_list;

/* One piece or two, with openings up to `most`; mismatches may be as dear as gaps, or dearer. */
rhomb__costs affine_list_random_costs(rng *r, int64_t most);

/*
 * Adds a subproblem with the bases of a pair, the first of which is the target. False, and
 * nothing is added, where it lacks bases of a sequence or costs nothing. Aborts without memory.
 */
bool affine_list_add(affine_list *list, const pair *p, const rhomb__costs *costs,
                     oracle_borders borders);

/*
 * Adds `count` random subproblems of about `longest` bases at most, with all kinds of gaps at
 * their borders: of the families of affine_pair.h, or with `alphabet` by other models.
 */
void affine_list_add_random(affine_list *list, const char *alphabet, int64_t longest, int64_t count,
                            const rhomb__costs *costs, rng *r);

/* Fails the test unless this is a path of a subproblem that costs what it should. */
void affine_list_check(const affine_list *list, int64_t index, const rhomb__costs *costs,
                       const rhomb__cigar *path);

void affine_list_release(affine_list *list);

#endif
