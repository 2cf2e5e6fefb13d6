/* SPDX-License-Identifier: MIT */
/*
 * Longest chains, see relation.h: last[l] is the point that ends the best chain of l + 1 points so
 * far, and before[i] the one before point i.
 *
 * Straight ones: worth[i] is that of the best one that ends with point i. The one before is the
 * best of those on lower diagonals, by what it is worth and its diagonal, or on higher ones, by
 * what it is worth less its diagonal: two trees of maxima over ranks of diagonals (P. M. Fenwick,
 * Software: Practice and Experience 24, 1994).
 */
#include "host/cli/sketch/relation.h"

#include <math.h>

/* Fills both arrays; the length of the chain. */
static size_t grow(const rhomb_guide_point *points, size_t count, size_t *last, size_t *before)
{
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
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
    return length;
}

bool cli_chain_keep(rhomb_guide_point *points, size_t count, size_t *length)
{
    size_t *last = malloc((count + 1) * sizeof *last);
    size_t *before = malloc((count + 1) * sizeof *before);
    const bool good = last != NULL && before != NULL;
    *length = good ? grow(points, count, last, before) : 0;
    /* From its end on the chain's numbers replace the ends of shorter ones. */
    for (size_t left = *length, at = left > 0 ? last[left - 1] : 0; left > 0; at = before[at])
        last[--left] = at;
    for (size_t i = 0; i < *length; i++)
        points[i] = points[last[i]];
    free(before);
    free(last);
    return good;
}

/* Maxima of ranks up to one, and the points that have them. */
typedef struct maxima {
    double *most;
    size_t *point;
    size_t size;
} maxima;

static void put(maxima *t, size_t rank, double value, size_t point)
{
    for (size_t i = rank + 1; i <= t->size; i += i & (~i + 1)) {
        if (value > t->most[i - 1]) {
            t->most[i - 1] = value;
            t->point[i - 1] = point;
        }
    }
}

static double get(const maxima *t, size_t rank, size_t *point)
{
    double most = -INFINITY;
    for (size_t i = rank + 1; i > 0; i -= i & (~i + 1)) {
        if (t->most[i - 1] > most) {
            most = t->most[i - 1];
            *point = t->point[i - 1];
        }
    }
    return most;
}

static bool maxima_make(maxima *t, size_t size)
{
    *t = (maxima){malloc(size * sizeof *t->most), malloc(size * sizeof *t->point), size};
    for (size_t i = 0; t->most != NULL && i < size; i++)
        t->most[i] = -INFINITY;
    return t->most != NULL && t->point != NULL;
}

static void maxima_release(maxima *t)
{
    free(t->most);
    free(t->point);
}

static int64_t diagonal(rhomb_guide_point point)
{
    return point.query - point.target;
}

static int by_value(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/*
 * The chain from the beginning, which is point `count`, to the end, in before[]; the point before
 * the end. diagonals[] are all of them in order.
 */
static size_t straighten(const rhomb_guide_point *points, size_t count, double gain, int64_t end,
                         const int64_t *diagonals, maxima *below, maxima *above, size_t *before)
{
    size_t last = count;
    for (size_t i = 0; i <= count + 1; i++) {
        /* The beginning, then the points, then the end. */
        const size_t point = i == 0 ? count : i - 1;
        const int64_t own = i == 0 ? 0 : i <= count ? diagonal(points[point]) : end;
        const int64_t *found = bsearch(&own, diagonals, count + 2, sizeof own, by_value);
        const size_t rank = (size_t)(found - diagonals), reverse = count + 1 - rank;
        size_t low = count, high = count;
        const double lower = get(below, rank, &low) - (double)own;
        const double higher = get(above, reverse, &high) + (double)own;
        const double worth = i == 0 ? 0 : gain + (lower > higher ? lower : higher);
        last = lower > higher ? low : high;
        if (i > count)
            break;
        before[point] = last;
        put(below, rank, worth + (double)own, point);
        put(above, reverse, worth - (double)own, point);
    }
    return last;
}

bool cli_chain_straighten(rhomb_guide_point *points, size_t count, double gain, int64_t end,
                          size_t *length)
{
    maxima below, above;
    int64_t *diagonals = malloc((count + 2) * sizeof *diagonals);
    size_t *before = malloc((count + 1) * sizeof *before);
    const bool made[2] = {maxima_make(&below, count + 2), maxima_make(&above, count + 2)};
    const bool good = diagonals != NULL && before != NULL && made[0] && made[1];
    *length = 0;
    if (good) {
        for (size_t i = 0; i < count; i++)
            diagonals[i] = diagonal(points[i]);
        diagonals[count] = 0;
        diagonals[count + 1] = end;
        qsort(diagonals, count + 2, sizeof *diagonals, by_value);
        size_t at = straighten(points, count, gain, end, diagonals, &below, &above, before);
        /* From its end on: points that stay are marked, then moved together. */
        for (size_t i = count; i-- > 0;) {
            const bool stays = i == at;
            at = stays ? before[i] : at;
            before[i] = stays;
        }
        for (size_t i = 0; i < count; i++)
            if (before[i])
                points[(*length)++] = points[i];
    }
    maxima_release(&above);
    maxima_release(&below);
    free(before);
    free(diagonals);
    return good;
}
