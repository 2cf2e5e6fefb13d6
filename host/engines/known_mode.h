/* SPDX-License-Identifier: MIT */
/*
 * Scores for known-answer tests of modes other than end to end, by plain dynamic programming.
 */
#ifndef RHOMB_HOST_KNOWN_MODE_H
#define RHOMB_HOST_KNOWN_MODE_H

#include "rhomb/local.h"

#define RHOMB__KNOWN_NONE (INT64_MIN / 4)

/*
 * The best score of a pair, whose symbols match as the alphabet has it; of an extension without
 * z-drop and bonus. KNOWN_NONE without memory.
 */
int64_t rhomb__known_mode_score(const rhomb_scoring *s, const rhomb_mode_options *mode,
                                rhomb_alphabet alphabet, const rhomb_pair *pair);

#endif
