/* SPDX-License-Identifier: MIT */
/*
 * The two recurrences of the edit distance in plain code, without bounds, words or tiles: Wagner
 * and Fischer's matrix, a column at a time, and Ukkonen's furthest offsets, a score at a time.
 * Bytes are compared as they are.
 */
#ifndef RHOMB_REFERENCE_RECURRENCES_H
#define RHOMB_REFERENCE_RECURRENCES_H

#include <stdbool.h>
#include <stdint.h>

/* Two texts that are read from their beginnings or from their ends. */
typedef struct plain_pair {
    const char *target;
    int64_t n;
    const char *query;
    int64_t m;
    bool backward;
} plain_pair;

/* The costs of rows 0 to m in column 0, and, in place, those of column j + 1 from column j. */
void plain_first_column(const plain_pair *p, int64_t *cost);
void plain_next_column(const plain_pair *p, int64_t j, int64_t *cost);

/* The edit distance, column by column. Aborts without memory. */
int64_t oracle_textbook(const char *a, int64_t a_length, const char *b, int64_t b_length);

#define PLAIN_NOTHING (-1) /* the offset of a diagonal that no path has come to */

/* The wavefront of a score. */
typedef struct plain_wavefront {
    const plain_pair *pair;
    int64_t score;   /* -1 before the first one */
    int64_t *offset; /* the furthest column of diagonal k at [k], from -score - 1 to score + 1 */
    int64_t *before; /* those of the score before */
    int64_t *memory;
} plain_wavefront;

/* Makes room for scores up to `most`. Aborts without memory. */
void plain_wavefront_open(plain_wavefront *w, const plain_pair *p, int64_t most);

void plain_wavefront_next(plain_wavefront *w);

void plain_wavefront_close(plain_wavefront *w);

#endif
