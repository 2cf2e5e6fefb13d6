/* SPDX-License-Identifier: MIT */
/*
 * For tests of cl/divide/split.cl: problems as ranges of one long pair, with matches around
 * each of them that tempt a run to go on, and a plain wavefront without pruning, packing or blocks
 * that says where each is to be split.
 */
#ifndef RHOMB_TESTS_SPLIT_LIST_H
#define RHOMB_TESTS_SPLIT_LIST_H

#include "cl/abi.h"
#include "pair.h"

/* All zero at first. */
typedef struct split_list {
    letters target; /* the whole sequences */
    letters query;
    rhomb_split_pair *pairs;
    rhomb_split_point *expected;
    int64_t count;
    int64_t room;
} split_list;

/*
 * Adds a problem with the bases of a pair, the first of which is the target. False, and nothing
 * is added, where its distance is 0 or more than `most`. Aborts without memory.
 */
bool split_list_add(split_list *list, const pair *p, int64_t most);

/* Adds `count` random pairs of all models with these bases; the longest has about `longest`. */
void split_list_add_random(split_list *list, const char *alphabet, int64_t longest, int64_t count,
                           int64_t most, rng *r);

/* Pairs that are hard in some way of their own: empty, unequal, few edits, runs. */
void split_list_add_odd(split_list *list, rng *r);

void split_list_release(split_list *list);

#endif
