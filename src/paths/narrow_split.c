/* SPDX-License-Identifier: MIT */
/*
 * See narrow_split.h. A *line* has a vertex for each place along the shorter side; lines follow one
 * another along the longer one.
 */
#include "src/paths/narrow_split.h"

#include "src/base/int64.h"

/* Of a gap that no path has; with room for what is added. */
#define NEVER (INT64_MAX / 4)

/* The least cost of any path to a vertex, and of those within a gap along the longer side. */
typedef struct vertex {
    int64_t any;
    int64_t along[2];
} vertex;

/* One direction: both sides are read from its own beginning. */
typedef struct walk {
    const rhomb__costs *costs;
    const rhomb__codes *codes;
    const char *longer;
    const char *shorter;
    int64_t shorter_length;
    int64_t step; /* from a base to the next one: 1, or backwards -1 */
    int32_t gap;  /* at its beginning */
    bool along_is_i;
} walk;

static char base_at(const walk *w, const char *side, int64_t at)
{
    return side[at * w->step];
}

/* A gap one base longer. */
static int64_t extended(const rhomb__costs *costs, int64_t any, int64_t gap, int piece)
{
    return rhomb__min(any + costs->open[piece], gap) + costs->extend[piece];
}

/* Gaps along the shorter side, from each place to the next; `across` has those to the first. */
static void go_across(const walk *w, vertex *line, int64_t across[2])
{
    for (int64_t i = 0; i < w->shorter_length; i++) {
        for (int piece = 0; piece < w->costs->pieces; piece++) {
            across[piece] = extended(w->costs, line[i].any, across[piece], piece);
            line[i + 1].any = rhomb__min(line[i + 1].any, across[piece]);
        }
    }
}

static void first_line(const walk *w, vertex *line)
{
    int64_t across[2] = {NEVER, NEVER};
    for (int64_t i = 0; i <= w->shorter_length; i++)
        line[i] = (vertex){i == 0 ? 0 : NEVER, {NEVER, NEVER}};
    if (w->gap != RHOMB_GAP_NONE) {
        int64_t *gaps = RHOMB_GAP_IS_I(w->gap) == w->along_is_i ? line[0].along : across;
        gaps[RHOMB_GAP_PIECE(w->gap)] = 0;
    }
    go_across(w, line, across);
}

/* The line after one more base of the longer side, in place. */
static void next_line(const walk *w, int64_t base, vertex *line)
{
    const char along = base_at(w, w->longer, base);
    int64_t across[2] = {NEVER, NEVER}, diagonal = NEVER;
    for (int64_t i = 0; i <= w->shorter_length; i++) {
        vertex *now = &line[i];
        const int64_t before = now->any;
        now->any = diagonal;
        for (int piece = 0; piece < w->costs->pieces; piece++) {
            now->along[piece] = extended(w->costs, before, now->along[piece], piece);
            now->any = rhomb__min(now->any, now->along[piece]);
        }
        diagonal = before;
        if (i < w->shorter_length &&
            !rhomb__codes_match(w->codes, base_at(w, w->shorter, i), along))
            diagonal += w->costs->mismatch;
    }
    go_across(w, line, across);
}

/* The line after `bases` bases of the longer side. */
static void walk_to(const walk *w, int64_t bases, vertex *line)
{
    first_line(w, line);
    for (int64_t base = 0; base < bases; base++)
        next_line(w, base, line);
}

/* Where the lines of both directions meet; target and query are the longer and the shorter side. */
static rhomb__narrow_point meet(const rhomb__costs *costs, const vertex *before,
                                const vertex *after, int64_t middle, int64_t shorter_length)
{
    rhomb__narrow_point best = {.target = middle, .cost = INT64_MAX};
    for (int64_t i = 0; i <= shorter_length; i++) {
        const vertex *first = &before[i], *second = &after[shorter_length - i];
        for (int piece = -1; piece < costs->pieces; piece++) {
            const int64_t open = piece < 0 ? 0 : costs->open[piece];
            const int64_t cost_before = piece < 0 ? first->any : first->along[piece] - open;
            const int64_t cost_after = piece < 0 ? second->any : second->along[piece] - open;
            if (cost_before + open + cost_after >= best.cost)
                continue;
            best.query = i;
            best.gap = piece < 0 ? RHOMB_GAP_NONE : RHOMB_GAP_D + piece;
            best.forward_cost = cost_before;
            best.cost = cost_before + open + cost_after;
        }
    }
    return best;
}

bool rhomb__narrow_can(const rhomb_split_pair *subproblem)
{
    const int64_t n = subproblem->target_length, m = subproblem->query_length;
    return rhomb__min(n, m) < RHOMB__NARROW && rhomb__max(n, m) >= 2;
}

rhomb__narrow_point rhomb__narrow_split(const rhomb__path_pair *pair,
                                        const rhomb_subproblem *subproblem)
{
    const rhomb_split_pair *of = &subproblem->pair;
    const bool by_query = of->query_length >= of->target_length;
    const char *target = pair->target + of->target_at, *query = pair->query + of->query_at;
    const int64_t length = rhomb__max(of->target_length, of->query_length);
    const int64_t shorter = rhomb__min(of->target_length, of->query_length);
    const int64_t middle = length / 2;
    const walk forward = {
        pair->costs, pair->codes, by_query ? query : target, by_query ? target : query,
        shorter,     1,           subproblem->begin_gap,     by_query};
    walk backward = forward;
    backward.longer += length - 1;
    backward.shorter += shorter - 1;
    backward.step = -1;
    backward.gap = subproblem->end_gap;
    vertex before[RHOMB__NARROW], after[RHOMB__NARROW];
    walk_to(&forward, middle, before);
    walk_to(&backward, length - middle, after);
    rhomb__narrow_point point = meet(pair->costs, before, after, middle, shorter);
    if (by_query) {
        point.target = point.query;
        point.query = middle;
        point.gap =
            point.gap == RHOMB_GAP_NONE ? RHOMB_GAP_NONE : point.gap - RHOMB_GAP_D + RHOMB_GAP_I;
    }
    return point;
}
