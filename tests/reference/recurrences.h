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

/*
 * All columns, of which row i of column j is [j * (m + 1) + i]; the caller frees them. Aborts
 * without memory.
 */
int64_t *plain_matrix(const plain_pair *p);

/* The edit distance, column by column. Aborts without memory. */
int64_t oracle_textbook(const char *a, int64_t a_length, const char *b, int64_t b_length);

#define PLAIN_NOTHING (-1) /* the offset of a diagonal that no path has come to */

/* The wavefront of a score, for texts of less than 2^31 bases. All zero at first. */
typedef struct plain_wavefront {
    plain_pair pair;
    int64_t score;         /* -1 before the first one */
    const int32_t *offset; /* of diagonal k at [k], the furthest column; |k| <= score + 2 */
    bool keeps;            /* the wavefronts of all scores, or of the last two */
    int64_t most;
    int32_t *memory;
    int64_t room;
} plain_wavefront;

/*
 * Begins with a pair, keeping two wavefronts, for scores up to `most`, or those of all scores.
 * Memory is used again; aborts without.
 */
void plain_wavefront_begin(plain_wavefront *w, const plain_pair *p, int64_t most);
void plain_wavefront_begin_all(plain_wavefront *w, const plain_pair *p);

void plain_wavefront_next(plain_wavefront *w);

/* The wavefront of one of the scores that are kept, as `offset`. */
const int32_t *plain_wavefront_of(const plain_wavefront *w, int64_t score);

void plain_wavefront_end(plain_wavefront *w);

#endif
