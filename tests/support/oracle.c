/* SPDX-License-Identifier: MIT */
/*
 * Independent distances, see oracle.h.
 */
#include "oracle.h"

#include "tests/reference/random_bases.h"

#include <stdio.h>
#include <stdlib.h>

#define TEXTBOOK_CELLS (INT64_C(1) << 16)

static char *folded(const char *text, int64_t length, bool fold)
{
    char *copy = malloc((size_t)length + 1);
    if (copy == NULL)
        abort();
    for (int64_t i = 0; i < length; i++)
        copy[i] = fold ? folded_base(text[i]) : text[i];
    return copy;
}

int64_t oracle_distance(const char *a, int64_t a_length, const char *b, int64_t b_length, bool fold)
{
    char *x = folded(a, a_length, fold), *y = folded(b, b_length, fold);
    const int64_t distance = oracle_edlib(x, a_length, y, b_length);
    if (a_length * b_length <= TEXTBOOK_CELLS &&
        oracle_textbook(x, a_length, y, b_length) != distance) {
        fprintf(stderr, "the oracles disagree: edlib says %lld\n", (long long)distance);
        abort();
    }
    free(x);
    free(y);
    return distance;
}
