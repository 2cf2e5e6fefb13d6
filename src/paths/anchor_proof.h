/* SPDX-License-Identifier: MIT */
/*
 * Anchors (rhomb/anchors.h) by words of a given length, and by given runs of matches. Shorter words
 * prove less of long sequences, as they are there by chance.
 */
#ifndef RHOMB_SRC_ANCHOR_PROOF_H
#define RHOMB_SRC_ANCHOR_PROOF_H

#include "rhomb/anchors.h"
#include "src/scoring/costs.h"

/* The bases of a word, at most 31. */
int64_t rhomb__anchor_word(int64_t target_length);

/* What one broken word costs at least: an edit, or a gap's share of all that it breaks. */
int64_t rhomb__anchor_edit(const rhomb__costs *costs, int64_t word);

/*
 * Makes anchors of `count` runs of matches in the order of both sequences, in their place: what is
 * proved of them by a path through all. Their number, or -1 without memory.
 */
int64_t rhomb__anchors_of_runs(const rhomb_pair *pair, const rhomb__costs *costs, int64_t word,
                               rhomb_anchor *runs, int64_t count);

/* RHOMB_OK or RHOMB_ERR_MEMORY. */
rhomb_status rhomb__anchors_by_words(const rhomb_pair *pair, const rhomb__costs *costs,
                                     int64_t word, int32_t threads, rhomb_anchor **anchors,
                                     size_t *count);

#endif
