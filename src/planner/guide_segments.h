/* SPDX-License-Identifier: MIT */
/*
 * How a pair is cut at points of a guide (rhomb/guide.h). Pure functions.
 *
 * Pieces of a pair that are swept side by side fill a device, where a single narrow band would wait
 * for itself. So there are many, but each is long enough for its strips; and in both sequences, so
 * that an insertion or deletion shares a segment with what is on either side of it.
 */
#ifndef RHOMB_SRC_GUIDE_SEGMENTS_H
#define RHOMB_SRC_GUIDE_SEGMENTS_H

#include "cl/abi.h"
#include "rhomb/guide.h"
#include "src/base/error.h"
#include "src/planner/eta.h"
#include "src/scoring/costs.h"

/* The most segments that a pair is cut into. */
#define RHOMB__GUIDE_SEGMENTS 512

/* RHOMB_ERR_ARGUMENT unless the points grow, within these lengths. */
rhomb_status rhomb__guide_check(rhomb__error *error, const rhomb_guide *guide, int64_t n,
                                int64_t m);

/*
 * Whether a guide may pay for a pair of n and m bases whose distance is at most `bound`: not where
 * the band for that is about as narrow as those of segments.
 */
bool rhomb__guide_pays(const rhomb__costs *costs, int64_t n, int64_t m, int64_t bound);

/*
 * Cuts a pair of n and m bases into segments, at most RHOMB__GUIDE_SEGMENTS, whose `distance` is
 * the bound that a narrow band is for. Returns their number: 0 where it is better not to.
 */
int64_t rhomb__guide_cut(const rhomb__costs *costs, const rhomb_guide *guide, int64_t n, int64_t m,
                         rhomb_subproblem *segments);

/* Diagonals on either side of a segment's, in a pair whose longer sequence has so many bases. */
int64_t rhomb__guide_half_width(int64_t longer);

/* The pair that a guide is for; borrowed. */
typedef struct rhomb__guided_pair {
    const char *target;
    int64_t target_length;
    const char *query;
    int64_t query_length;
    int64_t unlike; /* bases that one has more of a symbol that matches no other, as N */
} rhomb__guided_pair;

/*
 * What a guide promises: by its divergence, with gaps as long as
 * its points are apart from each other's diagonals, and random sequences where it has no points for
 * long, other than runs of one symbol in both. A cost of -1 if it does not say.
 */
void rhomb__guide_promise(const rhomb__costs *costs, const rhomb_guide *guide,
                          const rhomb__guided_pair *pair, rhomb__promise *promise);

/*
 * Device memory for segments at a time, besides the packed pair; and the same with what the buffers
 * may have to spare.
 */
int64_t rhomb__guide_bytes(int64_t n, int64_t m);
int64_t rhomb__guide_most_bytes(int64_t n, int64_t m);

#endif
