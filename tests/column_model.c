/* SPDX-License-Identifier: MIT */
/*
 * See column_model.h.
 */
#include "column_model.h"

#include "src/base/int64.h"

#include <stdlib.h>

#define NEVER (INT64_MAX / 4)

/* A row of a column: the least cost of any path, and of those within a gap along the row. */
typedef struct vertex {
    int64_t any;
    int64_t right[2];
} vertex;

/* One direction of a matrix. */
typedef struct half {
    const rhomb__costs *costs;
    const letters *target;
    const letters *query;
    bool backward;
    int32_t gap; /* at its beginning */
} half;

static char base_of(const half *h, const letters *these, int64_t at)
{
    return these->at[h->backward ? these->length - 1 - at : at];
}

/* A gap one base longer. */
static int64_t extended(const rhomb__costs *costs, int64_t any, int64_t gap, int piece)
{
    return piece < costs->pieces ? rhomb__min(any + costs->open[piece], gap) + costs->extend[piece]
                                 : NEVER;
}

/* Adds what gaps down the column give its rows; `down` is those to the first row. */
static void go_down(const half *h, vertex *column, int64_t down[2])
{
    for (int64_t i = 0; i < h->query->length; i++) {
        for (int piece = 0; piece < 2; piece++) {
            down[piece] = extended(h->costs, column[i].any, down[piece], piece);
            column[i + 1].any = rhomb__min(column[i + 1].any, down[piece]);
        }
    }
}

static void first_column(const half *h, vertex *column)
{
    int64_t down[2] = {NEVER, NEVER};
    for (int64_t i = 0; i <= h->query->length; i++)
        column[i] = (vertex){i == 0 ? 0 : NEVER, {NEVER, NEVER}};
    if (h->gap != RHOMB_GAP_NONE)
        (RHOMB_GAP_IS_I(h->gap) ? down : column[0].right)[RHOMB_GAP_PIECE(h->gap)] = 0;
    go_down(h, column, down);
}

/* The column after the target's base `base`, in place. */
static void next_column(const half *h, char base, vertex *column)
{
    int64_t down[2] = {NEVER, NEVER}, diagonal = NEVER;
    for (int64_t i = 0; i <= h->query->length; i++) {
        const vertex before = column[i];
        vertex *now = &column[i];
        now->any = diagonal;
        for (int piece = 0; piece < 2; piece++) {
            now->right[piece] = extended(h->costs, before.any, before.right[piece], piece);
            now->any = rhomb__min(now->any, now->right[piece]);
        }
        diagonal = before.any;
        if (i < h->query->length && base_of(h, h->query, i) != base)
            diagonal += h->costs->mismatch;
    }
    go_down(h, column, down);
}

/* The column after so many bases. */
static vertex *column_at(const half *h, int64_t columns)
{
    vertex *column = malloc((size_t)(h->query->length + 1) * sizeof *column);
    if (column == NULL)
        abort();
    first_column(h, column);
    for (int64_t j = 0; j < columns; j++)
        next_column(h, base_of(h, h->target, j), column);
    return column;
}

rhomb__breakpoint column_model_split(const rhomb__costs *costs, const letters *target,
                                     const letters *query, int32_t begin_gap, int32_t end_gap,
                                     int64_t *distance)
{
    const int64_t n = target->length, m = query->length;
    const int64_t middle = rhomb__ceil_div(rhomb__ceil_div(n, 16), 2) * 16;
    const half forward = {costs, target, query, false, begin_gap};
    const half backward = {costs, target, query, true, end_gap};
    vertex *before = column_at(&forward, middle);
    vertex *behind = column_at(&backward, n - middle);
    rhomb__breakpoint breakpoint = {.target = middle};
    *distance = NEVER;
    for (int64_t i = 0; i <= m; i++) {
        for (int gap = RHOMB_GAP_NONE; gap <= costs->pieces; gap++) {
            const bool any = gap == RHOMB_GAP_NONE;
            const int64_t open = any ? 0 : costs->open[gap - 1];
            const int64_t first = any ? before[i].any : before[i].right[gap - 1] - open;
            const int64_t second = any ? behind[m - i].any : behind[m - i].right[gap - 1] - open;
            if (first + open + second >= *distance)
                continue;
            *distance = first + open + second;
            breakpoint = (rhomb__breakpoint){middle, i, first, gap};
        }
    }
    free(before);
    free(behind);
    return breakpoint;
}
