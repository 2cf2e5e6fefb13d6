/* SPDX-License-Identifier: MIT */
/*
 * See align_model.h. The constants are those that decide about the path in
 * host/divide/align_rounds.c and host/divide/align_base_cases.c: a path that changes with them is
 * another rule.
 */
#include "align_model.h"

#include <stdlib.h>

#include "gotoh.h"
#include "src/base/int64.h"

#define LEAF_DISTANCE 128
#define LEAF_LETTERS  32768
#define BLOCK_COLUMNS 16
#define LEAST_COLUMNS 64

typedef struct part {
    rhomb_pair texts;
    int64_t distance;
} part;

/* The first `at` bases of the target and `row` of the query cost `cost`. */
typedef struct split_place {
    int64_t at, row, cost;
} split_place;

static void make_room(align_model *model, int64_t more)
{
    if (model->count + more <= model->room)
        return;
    model->room = 2 * (model->count + more) + 64;
    model->ops = realloc(model->ops, (size_t)model->room * sizeof *model->ops);
    if (model->ops == NULL)
        abort();
}

static void append(align_model *model, rhomb_cigar_op code, int64_t length)
{
    if (length == 0)
        return;
    if (model->count > 0 && RHOMB_CIGAR_CODE(model->ops[model->count - 1]) == code) {
        model->ops[model->count - 1] += (rhomb_cigar_op)length << 4;
        return;
    }
    make_room(model, 1);
    model->ops[model->count++] = (rhomb_cigar_op)length << 4 | code;
}

static bool is_leaf(const part *p)
{
    const int64_t n = p->texts.target_length, m = p->texts.query_length;
    return n == 0 || m == 0 || p->distance <= 1 ||
           (p->distance <= LEAF_DISTANCE && n <= LEAF_LETTERS && m <= LEAF_LETTERS);
}

static void append_leaf(align_model *model, const part *p)
{
    const int64_t n = p->texts.target_length, m = p->texts.query_length;
    model->base_cases++;
    if (n == 0 || m == 0) {
        append(model, RHOMB_CIGAR_D, n);
        append(model, RHOMB_CIGAR_I, m);
        return;
    }
    if (!path_find(&p->texts, p->distance, &model->leaf))
        abort();
    for (int64_t i = 0; i < model->leaf.count; i++)
        append(model, RHOMB_CIGAR_CODE(model->leaf.ops[i]), RHOMB_CIGAR_LENGTH(model->leaf.ops[i]));
}

static plain_pair view_of(const part *p, bool backward)
{
    const rhomb_pair *t = &p->texts;
    const plain_pair view = {t->target, t->target_length, t->query, t->query_length, backward};
    return view;
}

/* Column by column. */
static void fill_matrix(const plain_pair *view, int64_t columns, int64_t *cost)
{
    plain_first_column(view, cost);
    for (int64_t j = 0; j < columns; j++)
        plain_next_column(view, j, cost);
}

/* Score by score: whether a diagonal is through the last column. */
static void fill_wavefront(const plain_pair *view, int64_t columns, int64_t most, int64_t *cost)
{
    plain_wavefront w = {.memory = NULL};
    plain_wavefront_begin(&w, view, most);
    for (int64_t i = 0; i <= view->m; i++)
        cost[i] = INT64_MAX;
    while (w.score < most) {
        plain_wavefront_next(&w);
        for (int64_t k = rhomb__max(-w.score, -view->m); k <= rhomb__min(w.score, view->n); k++) {
            const int64_t row = columns - k;
            if (w.offset[k] >= columns && row >= 0 && row <= view->m && cost[row] == INT64_MAX)
                cost[row] = w.score;
        }
    }
    plain_wavefront_end(&w);
}

/*
 * The costs of getting through so many columns, by the way that has less to do; INT64_MAX: beyond
 * the distance.
 */
static int64_t *costs_at(const part *p, int64_t columns, bool backward)
{
    const double n = (double)p->texts.target_length, m = (double)p->texts.query_length;
    const double d = (double)p->distance;
    const plain_pair view = view_of(p, backward);
    int64_t *cost = malloc((size_t)(view.m + 1) * sizeof *cost);
    if (cost == NULL)
        abort();
    if (n * m <= 8 * d * (d < n + m ? d : n + m))
        fill_matrix(&view, columns, cost);
    else
        fill_wavefront(&view, columns, p->distance, cost);
    return cost;
}

static split_place sweep_place(const part *p)
{
    const int64_t m = p->texts.query_length;
    const int64_t blocks = rhomb__ceil_div(p->texts.target_length, BLOCK_COLUMNS);
    const int64_t column = rhomb__ceil_div(blocks, 2) * BLOCK_COLUMNS;
    int64_t *before = costs_at(p, column, false);
    int64_t *behind = costs_at(p, p->texts.target_length - column, true);
    int64_t row = 0;
    while (row <= m && (before[row] > p->distance || behind[m - row] != p->distance - before[row]))
        row++;
    if (row > m)
        abort();
    const split_place place = {column, row, before[row]};
    free(before);
    free(behind);
    return place;
}

/* Of each diagonal, the furthest column that `most` edits reach: at [j - i + m]; -1 where none is.
 */
static int64_t *reach_of(const part *p, bool backward, int64_t most)
{
    const plain_pair view = view_of(p, backward);
    int64_t *cost = malloc((size_t)(view.m + 1) * sizeof *cost);
    int64_t *reach = malloc((size_t)(view.n + view.m + 1) * sizeof *reach);
    if (cost == NULL || reach == NULL)
        abort();
    for (int64_t k = 0; k <= view.n + view.m; k++)
        reach[k] = -1;
    plain_first_column(&view, cost);
    for (int64_t j = 0; j <= view.n; j++) {
        for (int64_t i = 0; i <= view.m; i++)
            if (cost[i] <= most)
                reach[j - i + view.m] = j;
        if (j < view.n)
            plain_next_column(&view, j, cost);
    }
    free(cost);
    return reach;
}

/* Where a wavefront splits a part, from its whole matrix. */
static split_place matrix_place(const part *p)
{
    const int64_t n = p->texts.target_length, m = p->texts.query_length;
    const int64_t first = rhomb__ceil_div(p->distance, 2);
    int64_t *before = reach_of(p, false, first), *behind = reach_of(p, true, p->distance - first);
    split_place place = {-1, -1, first};
    for (int64_t k = -m; k <= n && place.at < 0; k++) {
        const int64_t j = before[k + m], rest = behind[n - m - k + m];
        if (j >= 0 && rest >= 0 && j + rest >= n) {
            place.at = j;
            place.row = j - k;
        }
    }
    if (place.at < 0)
        abort();
    free(before);
    free(behind);
    return place;
}

static split_place wavefront_place(const part *p)
{
    const rhomb_pair *t = &p->texts;
    const double n = (double)t->target_length, m = (double)t->query_length;
    if (8 * n * m < (double)p->distance * (double)p->distance)
        return matrix_place(p);
    const plain_pair view = view_of(p, false);
    const rhomb_split_point point = oracle_split_wavefront(&view, p->distance);
    const split_place place = {point.target, point.query, rhomb__ceil_div(p->distance, 2)};
    if (point.status != RHOMB_SPLIT_FOUND)
        abort();
    return place;
}

/* A target that is too short for a sweep changes places with the query. */
static split_place place_of(const part *p, bool sweeps)
{
    const rhomb_pair *t = &p->texts;
    if (!sweeps)
        return wavefront_place(p);
    if (t->target_length >= LEAST_COLUMNS)
        return sweep_place(p);
    const part swapped = {{t->query, t->query_length, t->target, t->target_length}, p->distance};
    const split_place other = sweep_place(&swapped);
    const split_place place = {other.row, other.at, other.cost};
    return place;
}

static void solve_part(align_model *model, const part *p, bool sweeps);

static void solve_halves(align_model *model, const part *p, split_place at, bool sweeps)
{
    const rhomb_pair *t = &p->texts;
    const part first = {{t->target, at.at, t->query, at.row}, at.cost};
    const part second = {
        {t->target + at.at, t->target_length - at.at, t->query + at.row, t->query_length - at.row},
        p->distance - at.cost};
    solve_part(model, &first, sweeps);
    solve_part(model, &second, sweeps);
}

static void solve_part(align_model *model, const part *p, bool sweeps)
{
    const int64_t longer = rhomb__max(p->texts.target_length, p->texts.query_length);
    const bool swept =
        sweeps && p->distance > ALIGN_SWEEP_LEAST && p->distance > longer / ALIGN_SWEEP_SPARSE;
    if (is_leaf(p)) {
        append_leaf(model, p);
        return;
    }
    model->splits++;
    model->sweeps += swept;
    if (swept && (model->least_swept == 0 || p->distance < model->least_swept))
        model->least_swept = p->distance;
    if (!swept)
        model->most_left = rhomb__max(model->most_left, p->distance);
    const bool sparse = sweeps && !swept && p->distance > ALIGN_SWEEP_LEAST;
    model->sparse += sparse;
    model->dense += swept && model->depth > 0;
    model->depth += sparse;
    solve_halves(model, p, place_of(p, swept), sweeps);
    model->depth -= sparse;
}

void align_model_find(align_model *model, const rhomb_pair *texts, int64_t distance, bool sweeps)
{
    const part whole = {*texts, distance};
    model->count = model->base_cases = model->splits = 0;
    model->sweeps = model->sparse = model->least_swept = model->most_left = 0;
    model->dense = model->depth = 0;
    if (is_leaf(&whole) || (sweeps && texts->target_length < LEAST_COLUMNS))
        solve_part(model, &whole, sweeps);
    else
        solve_halves(model, &whole, place_of(&whole, sweeps), sweeps);
    make_room(model, model->count); /* an operation more for each gap */
    model->count = path_in_order(model->ops, model->count, texts);
}

void align_model_release(align_model *model)
{
    const align_model none = {.ops = NULL};
    free(model->ops);
    path_release(&model->leaf);
    *model = none;
}
