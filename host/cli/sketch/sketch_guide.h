/* SPDX-License-Identifier: MIT */
/*
 * Guides from sketches: of the anchors of two sequences those along which a path is believed to
 * lead, as the library takes them (rhomb/guide.h).
 */
#ifndef RHOMB_CLI_SKETCH_GUIDE_H
#define RHOMB_CLI_SKETCH_GUIDE_H

#include <rhomb/guide.h>

#include "host/cli/sketch/relation.h"

/*
 * The longest chain of anchors that grow in both sequences, without those that are not worth the
 * way to their diagonals, thinned out, as the query has them on a strand and with a rotation:
 * guide->points, which the caller frees. Where nothing is left, as of sequences that are unrelated,
 * but for less than a tenth perhaps, the guide says so and has no points. False if there is nothing
 * to say, or no memory.
 */
bool cli_guide_make(const cli_relation *relation, int64_t target_length, int64_t query_length,
                    bool reverse, int64_t rotation, rhomb_guide *guide, rhomb_guide_point **points);

#endif
