/* SPDX-License-Identifier: MIT */
/* Guides, see relation.h. */
#include "host/cli/sketch/relation.h"

/* About as many points are kept; an anchor before a long gap is kept in any case. */
#define POINTS   8192
#define LONG_GAP 4 /* times the mean distance of points */
#define MOST_GAP 65536

/* Edits per base of random sequences of four bases. */
#define RANDOM_DIVERGENCE 0.52
#define AFFINE_WORTH      2

/* The points of anchors on the strand, in the order of the target; *count of them. */
static rhomb_guide_point *points_of(const cli_relation *relation, int64_t m, bool reverse,
                                    int64_t rotation, size_t *count)
{
    rhomb_guide_point *points = malloc(relation->anchor_count * sizeof *points);
    *count = 0;
    for (size_t i = 0; points != NULL && i < relation->anchor_count; i++) {
        const cli_anchor *anchor = &relation->anchors[i];
        int64_t query = reverse ? m - relation->k - anchor->query : anchor->query;
        query -= rotation;
        query += query < 0 ? m : 0;
        if (anchor->reverse == reverse && query + relation->k <= m)
            points[(*count)++] = (rhomb_guide_point){anchor->target, query};
    }
    return points;
}

static bool is_apart(rhomb_guide_point from, rhomb_guide_point to, int64_t bases)
{
    return to.target - from.target >= bases || to.query - from.query >= bases;
}

/*
 * Keeps about POINTS of a chain; fewer where not all of both sequences was looked at. Points are
 * close together then where the look was, and far apart elsewhere, which must not seem to be
 * replaced.
 */
static size_t thin_out(rhomb_guide_point *points, size_t count, double share)
{
    const int64_t span = count > 0 ? points[count - 1].target - points[0].target : 0;
    const double points_wanted = POINTS * share * share;
    const int64_t step = points_wanted > 1 ? (int64_t)((double)span / points_wanted) : span;
    size_t kept = count > 0;
    for (size_t i = 1; i < count; i++) {
        const bool ends = i + 1 < count && is_apart(points[i], points[i + 1], LONG_GAP * step + 1);
        if (is_apart(points[kept - 1], points[i], step) || ends)
            points[kept++] = points[i];
    }
    return kept;
}

/*
 * A point stands for the bases up to the next one, which match there, and are random elsewhere.
 * With unit costs these cost RANDOM_DIVERGENCE a base, and a diagonal one; with others, relative to
 * a diagonal, AFFINE_WORTH times as much (4,6,2: 2.3 a base, and 2 a diagonal of a long gap).
 */
static double worth(const rhomb_scoring *scoring)
{
    const bool is_edit =
        scoring == NULL || (scoring->match == 0 && scoring->gap_open == 0 &&
                            scoring->gap_open_2 < 0 && scoring->mismatch == scoring->gap_extend);
    return is_edit ? 1 : AFFINE_WORTH;
}

static bool straighten(rhomb_guide_point *points, size_t *count, double gain_per_base, int64_t n,
                       int64_t m)
{
    if (*count == 0)
        return true;
    const double bases = (double)(n < m ? n : m) / (double)*count;
    const double gain = gain_per_base * bases;
    return cli_chain_straighten(points, *count, gain > 0 ? gain : 0, m - n, count);
}

/*
 * Following goes from point to point at the same time, and waits for the longest way. So a long gap
 * in both sequences gets points on the straight line: what has no anchors is replaced, and one path
 * through it costs about as much as another.
 */
static int64_t ways(rhomb_guide_point from, rhomb_guide_point to)
{
    const int64_t n = to.target - from.target, m = to.query - from.query;
    const int64_t ways = (n < m ? n : m) / MOST_GAP;
    return ways > 1 ? ways : 1;
}

static void fill(rhomb_guide_point from, rhomb_guide_point to, rhomb_guide_point *out,
                 int64_t *count)
{
    const int64_t parts = ways(from, to);
    for (int64_t i = 1; i < parts; i++)
        out[(*count)++] = (rhomb_guide_point){from.target + (to.target - from.target) / parts * i,
                                              from.query + (to.query - from.query) / parts * i};
}

/* False if there is no memory. */
static bool fill_gaps(rhomb_guide_point **points, size_t *count, int64_t n, int64_t m)
{
    const rhomb_guide_point end = {n, m};
    rhomb_guide_point at = {0, 0};
    const int64_t most = (int64_t)*count + (n < m ? n : m) / MOST_GAP + 1;
    rhomb_guide_point *filled = malloc((size_t)most * sizeof *filled);
    int64_t used = 0;
    if (filled == NULL)
        return false;
    for (size_t i = 0; i < *count; i++) {
        fill(at, (*points)[i], filled, &used);
        at = filled[used++] = (*points)[i];
    }
    fill(at, end, filled, &used);
    free(*points);
    *points = filled;
    *count = (size_t)used;
    return true;
}

bool cli_guide_make(const cli_relation *relation, const rhomb_scoring *scoring,
                    int64_t target_length, int64_t query_length, bool reverse, int64_t rotation,
                    rhomb_guide *guide, rhomb_guide_point **out)
{
    const rhomb_guide none = RHOMB_GUIDE_INIT;
    size_t count = 0;
    *guide = none;
    *out = NULL;
    if (relation->is_unrelated) {
        guide->divergence = RANDOM_DIVERGENCE;
        return true;
    }
    if (!relation->is_related)
        return false;
    rhomb_guide_point *points = points_of(relation, query_length, reverse, rotation, &count);
    if (points == NULL || !cli_chain_keep(points, count, &count) ||
        !straighten(points, &count,
                    worth(scoring) * (RANDOM_DIVERGENCE - (1 - relation->similarity)),
                    target_length, query_length)) {
        free(points);
        return false;
    }
    count = thin_out(points, count, relation->share);
    guide->divergence = count > 0 ? 1 - relation->similarity : RANDOM_DIVERGENCE;
    const bool looked_at_all = relation->share >= 1;
    if (looked_at_all && !fill_gaps(&points, &count, target_length, query_length)) {
        free(points);
        return false;
    }
    guide->points = *out = points;
    guide->count = (int64_t)count;
    return true;
}
