/* SPDX-License-Identifier: MIT */
/*
 * Subproblems with known costs as ranges of one long pair, with matches around each of them that
 * tempt a run to go on, and perhaps with gaps at their borders: what is given to all that splits
 * them or finds their paths.
 */
#ifndef RHOMB_TESTS_SPLIT_LIST_H
#define RHOMB_TESTS_SPLIT_LIST_H

#include "cost_sets.h"
#include "pair.h"
#include "src/paths/path_ops.h"
#include "tests/reference/gotoh.h"

typedef struct split_list split_list;

/* Whether those of a list may have such costs, lengths and borders. */
typedef bool (*split_takes)(const split_list *list, const rhomb_subproblem *subproblem);

struct split_list {
    letters target; /* the whole sequences */
    letters query;
    rhomb__costs costs;
    split_takes takes; /* NULL: all that cost something */
    rhomb_subproblem *at;
    int64_t count;
    int64_t room;
    oracle_breakpoint *expected; /* NULL: not known yet */
};

#define SPLIT_NO_GAPS ((oracle_borders){RHOMB_GAP_NONE, RHOMB_GAP_NONE})

/* An empty list. */
split_list split_list_of(const rhomb__costs *costs, split_takes takes);

/* One piece or two, with openings up to `most`; mismatches may be as dear as gaps, or dearer. */
rhomb__costs split_list_random_costs(rng *r, int64_t most);

/* What a range of the list costs: by edlib, or Gotoh's matrix. */
int64_t split_list_cost(const split_list *list, const rhomb_subproblem *range);

/* A subproblem's texts. */
plain_pair split_list_texts(const split_list *list, int64_t index);

/*
 * Adds a subproblem with the bases of a pair, the first of which is the target. False, and nothing
 * is added, where the list does not take it. Aborts without memory.
 */
bool split_list_add(split_list *list, const pair *p, oracle_borders borders);

/*
 * Adds `count` random subproblems of about `longest` bases at most: by all models of pair.h, or
 * where `alphabet` is NULL by the families of affine_pair.h. With other than unit costs they have
 * all kinds of gaps at their borders. Fails the test where too few are taken.
 */
void split_list_add_random(split_list *list, const char *alphabet, int64_t longest, int64_t count,
                           rng *r);

/* The same, where fewer may be taken; returns how many. */
int64_t split_list_add_some(split_list *list, const char *alphabet, int64_t longest, int64_t count,
                            rng *r);

/* Pairs that are hard with unit costs in some way of their own: empty, unequal, few edits, runs. */
void split_list_add_odd(split_list *list, rng *r);

/* Fails the test and says of which subproblem. */
void split_list_fail(const split_list *list, int64_t index, const char *why);

/* Fails the test unless this is a path of a subproblem that costs what it should. */
void split_list_check_path(const split_list *list, int64_t index, const rhomb__cigar *path);

void split_list_release(split_list *list);

#endif
