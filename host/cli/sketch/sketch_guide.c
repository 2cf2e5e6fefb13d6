/* SPDX-License-Identifier: MIT */
/*
 * Guides, see sketch_guide.h. The chain is a longest increasing subsequence (M. L. Fredman,
 * Discrete Mathematics 11, 1975): a false anchor is in it only where no more true ones are in its
 * place.
 */
#include "host/cli/sketch/sketch_guide.h"

#include <stdlib.h>

/* About as many points are kept; an anchor before a long gap is kept in any case. */
#define POINTS   8192
#define LONG_GAP 4 /* times the mean distance of points */

/* Edits per base of random sequences of four bases. */
#define RANDOM_DIVERGENCE 0.52

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

/*
 * Keeps a longest chain; returns its length. last[l] is the point that ends the best chain of l + 1
 * points so far, and before[i] the one before point i.
 */
static size_t keep_chain(rhomb_guide_point *points, size_t count)
{
    size_t *last = malloc(count * sizeof *last), *before = malloc(count * sizeof *before);
    size_t length = 0;
    for (size_t i = 0; last != NULL && before != NULL && i < count; i++) {
        size_t low = 0, high = length;
        while (low < high) {
            const size_t middle = low + (high - low) / 2;
            if (points[last[middle]].query < points[i].query)
                low = middle + 1;
            else
                high = middle;
        }
        before[i] = low > 0 ? last[low - 1] : count;
        last[low] = i;
        length += low == length;
    }
    if (length > 0) {
        rhomb_guide_point *chain = malloc(length * sizeof *chain);
        size_t left = chain != NULL ? length : 0;
        length = left;
        for (size_t at = length > 0 ? last[length - 1] : 0; left > 0; at = before[at])
            chain[--left] = points[at];
        for (size_t i = 0; i < length; i++)
            points[i] = chain[i];
        free(chain);
    }
    free(before);
    free(last);
    return length;
}

static bool is_apart(rhomb_guide_point from, rhomb_guide_point to, int64_t bases)
{
    return to.target - from.target >= bases || to.query - from.query >= bases;
}

/*
 * Keeps about POINTS of a chain; fewer where not all of both sequences was looked at. Points are
 * close together then where the look was, and far apart elsewhere, which must not seem to be
 * replaced (rhomb__guide_expected()).
 */
static size_t thin_out(rhomb_guide_point *points, size_t count, double share)
{
    const int64_t span = count > 0 ? points[count - 1].target - points[0].target : 0;
    const int64_t step = (int64_t)((double)span / (POINTS * share * share));
    size_t kept = count > 0;
    for (size_t i = 1; i < count; i++) {
        const bool ends = i + 1 < count && is_apart(points[i], points[i + 1], LONG_GAP * step + 1);
        if (is_apart(points[kept - 1], points[i], step) || ends)
            points[kept++] = points[i];
    }
    return kept;
}

bool cli_guide_make(const cli_relation *relation, int64_t query_length, bool reverse,
                    int64_t rotation, rhomb_guide *guide, rhomb_guide_point **out)
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
    if (points == NULL)
        return false;
    count = thin_out(points, keep_chain(points, count), relation->share);
    guide->points = *out = points;
    guide->count = (int64_t)count;
    guide->divergence = 1 - relation->similarity;
    return count > 0;
}
