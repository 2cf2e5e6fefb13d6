/* SPDX-License-Identifier: MIT */
/*
 * Independent distances, see oracle.h.
 */
#include "oracle.h"

#include <stdio.h>
#include <stdlib.h>

#define TEXTBOOK_CELLS (INT64_C(1) << 16)

static void *allocate(int64_t count, size_t size)
{
    void *memory = calloc((size_t)count, size);
    if (memory == NULL)
        abort();
    return memory;
}

int64_t oracle_textbook(const char *a, int64_t a_length, const char *b, int64_t b_length)
{
    int64_t *row = allocate(b_length + 1, sizeof *row);
    for (int64_t j = 0; j <= b_length; j++)
        row[j] = j;
    for (int64_t i = 1; i <= a_length; i++) {
        int64_t diagonal = row[0];
        row[0] = i;
        for (int64_t j = 1; j <= b_length; j++) {
            int64_t best = diagonal + (a[i - 1] != b[j - 1]);
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            diagonal = row[j];
            row[j] = best;
        }
    }
    const int64_t distance = row[b_length];
    free(row);
    return distance;
}

static char *folded(const char *text, int64_t length, bool fold)
{
    char *copy = allocate(length + 1, 1);
    for (int64_t i = 0; i < length; i++)
        copy[i] = (char)(fold && text[i] >= 'a' && text[i] <= 'z' ? text[i] - 32 : text[i]);
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
