/* SPDX-License-Identifier: MIT */
/*
 * Longest chains, see chain.h: last[l] is the point that ends the best chain of l + 1 points so
 * far, and before[i] the one before point i.
 */
#include "host/cli/sketch/chain.h"

#include <stdlib.h>

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
