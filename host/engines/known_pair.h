/* SPDX-License-Identifier: MIT */
/*
 * The pair of the known-answer tests, made from fixed numbers, so that it is the same on every
 * machine: a run of matches, then a piece with scattered edits, then random sequences of unequal
 * length.
 */
#ifndef RHOMB_HOST_KNOWN_PAIR_H
#define RHOMB_HOST_KNOWN_PAIR_H

#include "cl/abi.h"
#include "host/upload/send.h"
#include "rhomb/local.h"
#include "src/base/alphabet.h"
#include "src/scoring/costs.h"

/* The maximum lengths. */
#define RHOMB__KNOWN_TARGET 1700
#define RHOMB__KNOWN_QUERY  1820

typedef struct rhomb__known_pair {
    char target[RHOMB__KNOWN_TARGET];
    char query[RHOMB__KNOWN_QUERY];
    int64_t target_length;
    int64_t query_length;
} rhomb__known_pair;

void rhomb__known_pair_make(rhomb__known_pair *p);

/* The pair as a device has it; all zeros before. */
typedef struct rhomb__known_packed {
    rhomb__known_pair pair;
    rhomb__buffer target, query;
} rhomb__known_packed;

/* Makes and packs it: as a pair of so many planes is, `packing` NULL: for subproblems. */
rhomb_status rhomb__known_pack(rhomb_context *ctx, int32_t planes,
                               const rhomb__pair_packing *packing, rhomb__known_packed *out);
void rhomb__known_packed_release(rhomb_context *ctx, rhomb__known_packed *packed);

/*
 * RHOMB_ERR_DEVICE_WRONG_RESULT: the self-test of a program gave something else than it should,
 * "of the split kernel gave 1 instead of 2".
 */
rhomb_status rhomb__known_fail(rhomb_context *ctx, const rhomb__program *program,
                               const char *format, ...) RHOMB__PRINTF(3, 4);

/* Its cost by any scoring, by Gotoh's recurrence (1982); -1 without memory. */
int64_t rhomb__known_pair_cost(const rhomb__known_pair *p, const rhomb__costs *costs);

/*
 * The same of a range of it that may begin and end within gaps and has bases of both sequences; the
 * range's distance has no meaning here.
 */
int64_t rhomb__known_range_cost(const rhomb__known_pair *p, const rhomb_subproblem *range,
                                const rhomb__costs *costs);

/* Spreads four codes over all bits of a symbol, so that no bit goes untested; of masks, one each.
 */
rhomb__codes rhomb__known_pair_codes(int32_t planes);

#define RHOMB__KNOWN_NONE (INT64_MIN / 4)

/*
 * The best score of a pair, whose symbols match as the alphabet has it; of an extension without
 * z-drop and bonus. KNOWN_NONE without memory.
 */
int64_t rhomb__known_mode_score(const rhomb_scoring *s, const rhomb_mode_options *mode,
                                rhomb_alphabet alphabet, const rhomb_pair *pair);

#endif
