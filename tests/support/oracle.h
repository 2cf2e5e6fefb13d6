/* SPDX-License-Identifier: MIT */
/*
 * Independent code that says what a distance is: the textbook's dynamic program, and edlib.
 */
#ifndef RHOMB_TESTS_ORACLE_H
#define RHOMB_TESTS_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/reference/edlib_distance.h"
#include "tests/reference/recurrences.h"

/*
 * The edit distance of two texts; with `fold`, as folded_base() has them. By both programs where
 * the matrix has at most 2^16 cells (they must agree), by edlib alone where it is larger.
 */
int64_t oracle_distance(const char *a, int64_t a_length, const char *b, int64_t b_length,
                        bool fold);

#endif
