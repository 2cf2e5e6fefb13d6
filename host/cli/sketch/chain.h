/* SPDX-License-Identifier: MIT */
/*
 * Longest chains of points that two sequences have in common (M. L. Fredman, Discrete Mathematics
 * 11, 1975): a false point is in it only where no more true ones are in its place.
 */
#ifndef RHOMB_CLI_CHAIN_H
#define RHOMB_CLI_CHAIN_H

#include <rhomb/guide.h>

#include <stdbool.h>
#include <stddef.h>

/*
 * Of `count` points, whose targets grow, leaves a longest chain of which the queries grow as well:
 * its length in *length. False if there is no memory.
 */
bool cli_chain_keep(rhomb_guide_point *points, size_t count, size_t *length);

/*
 * Of a chain, leaves the points that are worth the way to them: each is worth `gain`, and each
 * diagonal (query minus target) between one point and the next costs 1, from diagonal 0 at the
 * beginning to `end` at the end. A repeat elsewhere, or a piece that is inverted, has a few points
 * far off, and no path goes there. *length may be 0. False if there is no memory.
 */
bool cli_chain_straighten(rhomb_guide_point *points, size_t count, double gain, int64_t end,
                          size_t *length);

#endif
