/* SPDX-License-Identifier: MIT */
/*
 * Guides from sketches: of the anchors of two sequences those along which a path is believed to
 * lead, as the library takes them (rhomb/guide.h).
 */
#ifndef RHOMB_CLI_SKETCH_GUIDE_H
#define RHOMB_CLI_SKETCH_GUIDE_H

#include <rhomb/guide.h>
#include <rhomb/scoring.h>

#include "host/cli/sketch/relation.h"

/*
 * The longest chain of anchors that grow in both sequences, without those that are not worth the
 * way to their diagonals, thinned out, as the query has them on a strand and with a rotation, and
 * points on the straight line in long gaps: guide->points, which the caller frees. Where no anchors
 * are left the guide says that the sequences are unlike; of sequences that are unrelated, but for
 * less than a tenth perhaps, it has no points. scoring is NULL for unit costs. False if there is
 * nothing to say, or no memory.
 */
bool cli_guide_make(const cli_relation *relation, const rhomb_scoring *scoring,
                    int64_t target_length, int64_t query_length, bool reverse, int64_t rotation,
                    rhomb_guide *guide, rhomb_guide_point **points);

#endif
