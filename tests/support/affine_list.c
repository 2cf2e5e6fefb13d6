/* SPDX-License-Identifier: MIT */
/*
 * See affine_list.h.
 */
#include "affine_list.h"

#include "affine_pair.h"
#include "cost_sets.h"
#include "test.h"
#include "tests/reference/path_judge.h"

rhomb__costs affine_list_random_costs(rng *r, int64_t most)
{
    rhomb__costs costs = random_costs(r, most);
    const int64_t two_gaps = 2 * (costs.open[0] + costs.extend[0]);
    if (rng_chance(r, 0.3))
        costs.mismatch = two_gaps;
    costs.replaced = costs.mismatch == two_gaps && rng_chance(r, 0.5);
    return costs;
}

static void make_room(affine_list *list)
{
    if (list->count < list->room)
        return;
    list->room = 2 * list->room + 16;
    list->subproblems = realloc(list->subproblems, (size_t)list->room * sizeof *list->subproblems);
    if (list->subproblems == NULL)
        abort();
}

bool affine_list_add(affine_list *list, const pair *p, const rhomb__costs *costs,
                     oracle_borders borders)
{
    static const char TEMPTING[] = "AAAAACAAAGAAAAAACCCCCCTTTTTTTTTTTAAAAAA";
    const int64_t between = (int64_t)sizeof TEMPTING - 1 - list->count % 33;
    const oracle_penalties penalties = costs_penalties(costs);
    if (p->a.length == 0 || p->b.length == 0)
        return false;
    const int64_t cost =
        oracle_gotoh_borders(p->a.at, p->a.length, p->b.at, p->b.length, &penalties, borders);
    if (cost == 0)
        return false;
    make_room(list);
    if (list->count % 7 > 0) { /* the others begin right where one before ends */
        letters_append(&list->target, TEMPTING, between);
        letters_append(&list->query, TEMPTING, between);
    }
    list->subproblems[list->count++] = (rhomb_subproblem){
        {list->target.length, p->a.length, list->query.length, p->b.length, cost},
        borders.begin,
        borders.end};
    letters_append(&list->target, p->a.at, p->a.length);
    letters_append(&list->query, p->b.at, p->b.length);
    return true;
}

static void make_random(const char *alphabet, int64_t length, rng *r, pair *p)
{
    const pair_recipe recipe = {.model = (pair_model)rng_below(r, PAIR_MODEL_COUNT),
                                .length = length,
                                .error_rate = 0.02 * (double)rng_below(r, 12),
                                .spacing = rng_between(r, 1, 300),
                                .longest_indel = length / 4 + 1,
                                .alphabet = alphabet};
    if (alphabet != NULL) {
        pair_make(&recipe, r, p);
        return;
    }
    affine_family family = (affine_family)rng_below(r, AFFINE_FAMILY_COUNT);
    while (family == AFFINE_STRIPS || family == AFFINE_CODES) /* long; IUPAC codes */
        family = (affine_family)rng_below(r, AFFINE_FAMILY_COUNT);
    affine_pair_make(family, length, r, p);
}

/* Half of them about as long as a group has diagonals, or a word has bases. */
static int64_t random_length(int64_t longest, rng *r)
{
    const int64_t around = (rng_chance(r, 0.5) ? 16 : 32) * rng_between(r, 1, 4);
    const int64_t length =
        rng_chance(r, 0.5) ? around + rng_between(r, -1, 1) : rng_between(r, 1, longest);
    return length < longest ? length : longest;
}

void affine_list_add_random(affine_list *list, const char *alphabet, int64_t longest, int64_t count,
                            const rhomb__costs *costs, rng *r)
{
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (int64_t i = 0; i < count;) {
        make_random(alphabet, random_length(longest, r), r, &p);
        i += affine_list_add(list, &p, costs,
                             (oracle_borders){random_gap(r, costs), random_gap(r, costs)});
    }
    pair_release(&p);
}

/* What is wrong with a path, or NULL. */
static const char *judge(const affine_list *list, const rhomb_subproblem *s,
                         const rhomb__costs *costs, const rhomb__cigar *path)
{
    const oracle_penalties penalties = costs_penalties(costs);
    const oracle_borders borders = {s->begin_gap, s->end_gap};
    const rhomb_pair texts = {list->target.at + s->pair.target_at, s->pair.target_length,
                              list->query.at + s->pair.query_at, s->pair.query_length};
    int64_t edits = 0;
    for (int64_t i = 0; i < path->count; i++) {
        const bool equal = RHOMB_CIGAR_CODE(path->ops[i]) == RHOMB_CIGAR_EQ;
        edits += equal ? 0 : (int64_t)RHOMB_CIGAR_LENGTH(path->ops[i]);
        if (costs->replaced && RHOMB_CIGAR_CODE(path->ops[i]) == RHOMB_CIGAR_X)
            return "a mismatch, which gaps should replace";
    }
    const char *complaint = path_judge(path->ops, path->count, &texts, edits);
    if (complaint == NULL &&
        oracle_path_penalty(path->ops, path->count, &penalties, borders) != s->pair.distance)
        complaint = "another cost";
    return complaint;
}

void affine_list_check(const affine_list *list, int64_t index, const rhomb__costs *costs,
                       const rhomb__cigar *path)
{
    const rhomb_subproblem *s = &list->subproblems[index];
    const char *complaint = judge(list, s, costs, path);
    if (complaint != NULL)
        fail_msg("subproblem %lld, %lld bases from %lld on and %lld from %lld on, gaps %d and %d, "
                 "cost %lld, with mismatch %lld, gaps %lld + k * %lld and %lld + k * %lld: %s",
                 (long long)index, (long long)s->pair.target_length, (long long)s->pair.target_at,
                 (long long)s->pair.query_length, (long long)s->pair.query_at, (int)s->begin_gap,
                 (int)s->end_gap, (long long)s->pair.distance, (long long)costs->mismatch,
                 (long long)costs->open[0], (long long)costs->extend[0], (long long)costs->open[1],
                 (long long)costs->extend[1], complaint);
}

void affine_list_release(affine_list *list)
{
    free(list->target.at);
    free(list->query.at);
    free(list->subproblems);
}
