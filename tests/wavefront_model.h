/* SPDX-License-Identifier: MIT */
/*
 * What the wavefront engine has to compute, without its kernels: pairs of sequences of symbols, in
 * both directions, and all columns of their pyramids by the plain wavefront. A test of its own
 * compares the columns with the edit distance matrix.
 */
#ifndef RHOMB_TESTS_WAVEFRONT_MODEL_H
#define RHOMB_TESTS_WAVEFRONT_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "support/rng.h"
#include "tests/reference/recurrences.h"

/* A pair as codes of `planes` bits; direction 1 has both sequences reversed. */
typedef struct model_pair {
    int32_t planes;
    int64_t m; /* of the query */
    int64_t n; /* of the target */
    unsigned char *query[2];
    unsigned char *target[2];
} model_pair;

typedef enum model_kind {
    MODEL_TINY,      /* up to 70 symbols, of any kind; or none */
    MODEL_UNRELATED, /* some hundred symbols */
    MODEL_SIMILAR,   /* few edits among some hundred symbols, now and then a long one */
    MODEL_TANDEM,    /* one base throughout or a short unit again and again, with edits */
    MODEL_BLOCKS,    /* similar, with long blocks of one base: N, say */
    MODEL_RUNS,      /* runs as long as words, steps, and what a group compares, and one off */
    MODEL_GAPS,      /* blocks of one base after indels, as long as the rounds of a group */
    MODEL_GRID,      /* many diagonals have runs that begin and end together */
    MODEL_KINDS
} model_kind;

/* Makes a pair; the longest runs are for groups of so many items. */
void model_pair_make(model_pair *p, model_kind kind, int32_t planes, int64_t group_size, rng *r);
void model_pair_release(model_pair *p);

/* Prints both sequences, if they are not too long. */
void model_pair_print(const model_pair *p);

/* The pair as texts, from its beginning or from its end. */
plain_pair model_texts(const model_pair *p, int direction);

/* The columns 0 .. columns - 1 of a direction's pyramid. */
typedef struct model_columns {
    const model_pair *pair;
    int64_t columns;
    plain_wavefront wavefront;
} model_columns;

/*
 * Computes columns until the end diagonal has come to the end, and `more`, but `most` at the most.
 */
void model_columns_make(model_columns *c, const model_pair *p, int direction, int64_t more,
                        int64_t most);
void model_columns_release(model_columns *c);

/*
 * The furthest offset of diagonal k in wavefront r, at most what the matrix has room for. Diagonals
 * that are not reached yet, and all of wavefront -1, have what r insertions or deletions give.
 */
int64_t model_offset(const model_columns *c, int64_t r, int64_t k);

#endif
