/* SPDX-License-Identifier: MIT */
/*
 * Substitution matrices (rhomb/scoring.h): those that are built in, the text of others, and what of
 * a sequence has a score. Its symbols' numbers are the codes of packed sequences, so that a
 * kernel's table of scores is the matrix as it is.
 */
#ifndef RHOMB_SRC_SCORE_MATRIX_H
#define RHOMB_SRC_SCORE_MATRIX_H

#include "rhomb/scoring.h"
#include "src/base/alphabet.h"

/* The matrix that is built in under a name, in either case; NULL: none is. */
const rhomb_score_matrix *rhomb__matrix_built_in(const char *name);

/* Whether it is that of a preset of minimap2: of its scores, with -1 for N and IUPAC codes. */
bool rhomb__matrix_is_minimap2(const rhomb_score_matrix *matrix);

/* All of their names: "A, B or C". */
void rhomb__matrix_names(char *out, size_t bytes);

/* See rhomb_score_matrix_parse(); of the same name, which is borrowed. */
rhomb_status rhomb__matrix_parse(rhomb__error *error, const char *name, const char *text,
                                 size_t length, rhomb_score_matrix *out);

/* RHOMB_ERR_ARGUMENT for a matrix that cannot be: rhomb/scoring.h has the rules. */
rhomb_status rhomb__matrix_check(rhomb__error *error, const rhomb_score_matrix *matrix);

/*
 * What a call with a scoring asks for besides, if that has a matrix: its alphabet, and no bound for
 * distances.
 */
rhomb_status rhomb__matrix_check_asked(rhomb__error *error, const rhomb_scoring *scoring,
                                       rhomb_alphabet alphabet, int64_t max_distance);

/* Its highest and its lowest score. */
void rhomb__matrix_range(const rhomb_score_matrix *matrix, int32_t *lowest, int32_t *highest);

/* rhomb__histogram_check(), and that each symbol is in the matrix, if there is one. */
rhomb_status rhomb__matrix_check_bases(rhomb__error *error, rhomb_alphabet alphabet,
                                       const rhomb_score_matrix *matrix, const char *what,
                                       const char *bases, int64_t length,
                                       const rhomb__histogram *histogram);

/* What two letters score; the lowest score where one has no symbol. */
int32_t rhomb__matrix_score(const rhomb_score_matrix *matrix, char a, char b);

/* The same for many pairs of letters. */
typedef struct rhomb__symbol_table {
    const rhomb_score_matrix *matrix; /* NULL: none yet */
    uint8_t number[256];              /* of a byte's symbol; RHOMB_MATRIX_SYMBOLS: none */
    int32_t lowest;
} rhomb__symbol_table;

void rhomb__symbol_table_make(const rhomb_score_matrix *matrix, rhomb__symbol_table *out);

static inline int32_t rhomb__symbol_table_score(const rhomb__symbol_table *table, unsigned char a,
                                                unsigned char b)
{
    const uint8_t i = table->number[a], j = table->number[b];
    return i < RHOMB_MATRIX_SYMBOLS && j < RHOMB_MATRIX_SYMBOLS ? table->matrix->scores[i][j]
                                                                : table->lowest;
}

/* Codes for packing: the number of each byte's symbol, and 0 for a byte without one. */
rhomb__codes rhomb__matrix_codes(const rhomb_score_matrix *matrix);

#endif
