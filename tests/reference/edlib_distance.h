/* SPDX-License-Identifier: MIT */
/*
 * The distance by edlib (Šošić and Šikić 2017), as an independent program.
 */
#ifndef RHOMB_REFERENCE_EDLIB_DISTANCE_H
#define RHOMB_REFERENCE_EDLIB_DISTANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "recurrences.h"

/* Whether edlib was there when this was built. */
bool oracle_has_edlib(void);

/*
 * edlib's distance of two texts, bytes compared as they are; -1 without edlib, on failure, and for
 * texts that are too long for its lengths. ..._path() has it find the path as well.
 */
int64_t oracle_edlib(const char *a, int64_t a_length, const char *b, int64_t b_length);
int64_t oracle_edlib_path(const char *a, int64_t a_length, const char *b, int64_t b_length);

/*
 * The edit distance of two texts; with `fold`, as folded_base() has them. By both programs where
 * the matrix has at most 2^16 cells (they must agree), by edlib alone where it is larger.
 */
int64_t oracle_distance(const char *a, int64_t a_length, const char *b, int64_t b_length,
                        bool fold);

#endif
