/* SPDX-License-Identifier: MIT */
/*
 * See affine_model.h.
 */
#include "affine_model.h"

#include <stdlib.h>

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t *vertex(const affine_model *model, int direction, int64_t i, int64_t j)
{
    return model->cost[direction] + (i * (model->range.pair.target_length + 1) + j) * AFFINE_KINDS;
}

int64_t affine_model_cost(const affine_model *model, int direction, int64_t i, int64_t j,
                          int32_t kind)
{
    return vertex(model, direction, i, j)[kind];
}

bool affine_has_gap(const rhomb__costs *costs, int32_t gap)
{
    return gap == RHOMB_GAP_NONE || RHOMB_GAP_PIECE(gap) < costs->pieces;
}

/* A vertex from those that lie before it in a direction; NULL where there are none. */
static void fill_vertex(const rhomb__costs *costs, const int64_t *left, const int64_t *up,
                        const int64_t *diagonal, int64_t both, int64_t *v)
{
    v[RHOMB_GAP_NONE] = diagonal != NULL ? diagonal[RHOMB_GAP_NONE] + both : AFFINE_NEVER;
    for (int32_t gap = RHOMB_GAP_D; gap < AFFINE_KINDS; gap++) {
        const int64_t *from = RHOMB_GAP_IS_I(gap) ? up : left;
        const int piece = RHOMB_GAP_PIECE(gap);
        v[gap] = AFFINE_NEVER;
        if (from == NULL || !affine_has_gap(costs, gap))
            continue;
        v[gap] = least(from[RHOMB_GAP_NONE] + costs->open[piece], from[gap]) + costs->extend[piece];
        v[RHOMB_GAP_NONE] = least(v[RHOMB_GAP_NONE], v[gap]);
    }
}

/* A direction: from its corner on, each vertex after those that it comes from. */
static void fill(affine_model *model, int direction, const pair *p, int32_t gap)
{
    const int64_t n = p->a.length, m = p->b.length, step = direction == 0 ? -1 : 1;
    for (int64_t row = 0; row <= m; row++) {
        for (int64_t column = 0; column <= n; column++) {
            const int64_t i = direction == 0 ? row : m - row,
                          j = direction == 0 ? column : n - column;
            int64_t *v = vertex(model, direction, i, j);
            const bool inner = row > 0 && column > 0;
            const bool equal =
                inner && p->a.at[j - (direction == 0)] == p->b.at[i - (direction == 0)];
            fill_vertex(&model->costs, column > 0 ? vertex(model, direction, i, j + step) : NULL,
                        row > 0 ? vertex(model, direction, i + step, j) : NULL,
                        inner ? vertex(model, direction, i + step, j + step) : NULL,
                        equal ? 0 : model->costs.mismatch, v);
            if (row == 0 && column == 0)
                v[RHOMB_GAP_NONE] = v[gap] = 0;
        }
    }
}

void affine_model_open(affine_model *model, const pair *p, const rhomb__costs *costs,
                       int32_t begin_gap, int32_t end_gap)
{
    const int64_t n = p->a.length, m = p->b.length;
    *model = (affine_model){.costs = *costs, .range = {{0, n, 0, m, 0}, begin_gap, end_gap}};
    for (int direction = 0; direction < 2; direction++) {
        model->cost[direction] =
            malloc((size_t)((n + 1) * (m + 1) * AFFINE_KINDS) * sizeof(int64_t));
        if (model->cost[direction] == NULL)
            abort();
        fill(model, direction, p, direction == 0 ? begin_gap : end_gap);
    }
    const int64_t *end = vertex(model, 0, m, n);
    model->range.pair.distance =
        least(end[RHOMB_GAP_NONE], end[end_gap] - rhomb__costs_of_opening(costs, end_gap));
}

void affine_model_close(affine_model *model)
{
    free(model->cost[0]);
    free(model->cost[1]);
}

bool affine_model_is_best(const affine_model *model, int64_t i, int64_t j, int32_t kind)
{
    return affine_model_cost(model, 0, i, j, kind) + affine_model_cost(model, 1, i, j, kind) ==
           model->range.pair.distance + rhomb__costs_of_opening(&model->costs, kind);
}

int32_t affine_random_gap(const rhomb__costs *costs, rng *r)
{
    int32_t gap = (int32_t)rng_below(r, AFFINE_KINDS);
    while (!affine_has_gap(costs, gap))
        gap = (int32_t)rng_below(r, AFFINE_KINDS);
    return gap;
}

/* Bases of one sequence alone; those of the other are drawn from others. */
static void add_gap(pair *p, int64_t most, rng *r)
{
    const bool in_target = rng_chance(r, 0.5);
    letters_random(in_target ? &p->a : &p->b, in_target ? "AC" : "GT", rng_below(r, most + 1), r);
}

void affine_bordered_pair(int64_t length, int64_t gap, rng *r, pair *p)
{
    pair_release(p);
    letters_append(&p->a, "", 0);
    letters_append(&p->b, "", 0);
    add_gap(p, gap, r);
    const int64_t most = rng_below(r, length + 1);
    while (p->a.length < most) {
        const int64_t bases = rng_between(r, 1, 1 + length / 4), at = p->a.length;
        if (rng_chance(r, 0.3)) { /* mismatches */
            letters_random(&p->a, "AC", bases, r);
            letters_random(&p->b, "GT", bases, r);
        } else if (rng_chance(r, 0.3)) {
            add_gap(p, bases, r);
        } else {
            letters_random(&p->a, rng_chance(r, 0.5) ? "ACGT" : "AG", bases, r);
            letters_append(&p->b, p->a.at + at, bases);
        }
    }
    add_gap(p, gap, r);
}
