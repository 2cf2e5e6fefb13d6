/* SPDX-License-Identifier: MIT */
/*
 * Substitution matrices, see score_matrix.h.
 */
#include "src/scoring/score_matrix.h"

#include "src/base/int64.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const rhomb_score_matrix BUILT_IN[] = {
#include "src/scoring/matrices.inc"
};

const rhomb_score_matrix *rhomb__matrix_built_in(const char *name)
{
    for (size_t i = 0; i < COUNT(BUILT_IN); i++) {
        if (strcasecmp(BUILT_IN[i].name, name) == 0)
            return &BUILT_IN[i];
    }
    return NULL;
}

bool rhomb__matrix_is_minimap2(const rhomb_score_matrix *matrix)
{
    static const char *const NAMES[] = {"asm5", "asm10", "asm20", "map-ont"};
    bool is = false;
    for (size_t i = 0; i < COUNT(NAMES); i++)
        is = is || matrix == rhomb__matrix_built_in(NAMES[i]);
    return is;
}

void rhomb__matrix_names(char *out, size_t bytes)
{
    out[0] = '\0';
    for (size_t i = 0; i < COUNT(BUILT_IN); i++) {
        const size_t used = strlen(out);
        snprintf(out + used, bytes - used, "%s%s",
                 i == 0                     ? ""
                 : i + 1 == COUNT(BUILT_IN) ? " or "
                                            : ", ",
                 BUILT_IN[i].name);
    }
}

int32_t rhomb_score_matrix_symbol(const rhomb_score_matrix *matrix, char letter)
{
    if (matrix == NULL)
        return -1;
    const int folded = rhomb__alphabet_fold(matrix->alphabet, (unsigned char)letter);
    const char *found = folded != '\0' ? strchr(matrix->symbols, folded) : NULL;
    return found != NULL ? (int32_t)(found - matrix->symbols) : -1;
}

void rhomb__matrix_range(const rhomb_score_matrix *matrix, int32_t *lowest, int32_t *highest)
{
    *lowest = *highest = matrix->scores[0][0];
    for (int32_t i = 0; i < matrix->count; i++) {
        for (int32_t j = 0; j < matrix->count; j++) {
            *lowest = matrix->scores[i][j] < *lowest ? matrix->scores[i][j] : *lowest;
            *highest = matrix->scores[i][j] > *highest ? matrix->scores[i][j] : *highest;
        }
    }
}

void rhomb_scoring_set_matrix(rhomb_scoring *scoring, const rhomb_score_matrix *matrix)
{
    int32_t lowest, highest;
    if (scoring == NULL || matrix == NULL)
        return;
    rhomb__matrix_range(matrix, &lowest, &highest);
    scoring->matrix = matrix;
    scoring->match = highest > 0 ? highest : 0;
    scoring->mismatch = lowest < 0 ? -lowest : 0;
}

static rhomb_status check_symbols(rhomb__error *error, const rhomb_score_matrix *matrix)
{
    for (int32_t i = 0; i < matrix->count; i++) {
        const char symbol = matrix->symbols[i];
        if (rhomb__alphabet_has(matrix->alphabet, (unsigned char)symbol) &&
            rhomb_score_matrix_symbol(matrix, symbol) == i)
            continue;
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "matrix %s: symbol %d is not an upper-case letter of its alphabet, or "
                           "there twice",
                           matrix->name, (int)i + 1);
    }
    return RHOMB_OK;
}

rhomb_status rhomb__matrix_check(rhomb__error *error, const rhomb_score_matrix *matrix)
{
    if (matrix->name == NULL || matrix->count < 1 || matrix->count > RHOMB_MATRIX_SYMBOLS ||
        memchr(matrix->symbols, '\0', sizeof matrix->symbols) != matrix->symbols + matrix->count ||
        (matrix->alphabet != RHOMB_ALPHABET_DNA && matrix->alphabet != RHOMB_ALPHABET_PROTEIN))
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "a matrix has a name, 1 to %d symbols, and the alphabet DNA or PROTEIN",
                           RHOMB_MATRIX_SYMBOLS);
    rhomb_status status = check_symbols(error, matrix);
    for (int32_t i = 0; status == RHOMB_OK && i < matrix->count; i++) {
        for (int32_t j = 0; j < i; j++) {
            if (matrix->scores[i][j] != matrix->scores[j][i])
                return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                                   "matrix %s is not symmetric: %c with %c is %d, %c with %c is %d",
                                   matrix->name, matrix->symbols[i], matrix->symbols[j],
                                   matrix->scores[i][j], matrix->symbols[j], matrix->symbols[i],
                                   matrix->scores[j][i]);
        }
    }
    return status;
}

rhomb_status rhomb__matrix_check_asked(rhomb__error *error, const rhomb_scoring *scoring,
                                       rhomb_alphabet alphabet, int64_t max_distance)
{
    const rhomb_score_matrix *matrix = scoring != NULL ? scoring->matrix : NULL;
    if (matrix != NULL && matrix->alphabet != alphabet)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "the matrix %s needs the alphabet \"%s\"",
                           matrix->name,
                           matrix->alphabet == RHOMB_ALPHABET_PROTEIN ? "protein" : "dna");
    if (matrix != NULL && max_distance >= 0)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "max_distance does not go with a substitution matrix");
    return RHOMB_OK;
}

void rhomb__symbol_table_make(const rhomb_score_matrix *matrix, rhomb__symbol_table *out)
{
    int32_t highest;
    out->matrix = matrix;
    rhomb__matrix_range(matrix, &out->lowest, &highest);
    for (int b = 0; b < 256; b++) {
        const int32_t symbol = rhomb_score_matrix_symbol(matrix, (char)b);
        out->number[b] = (uint8_t)(symbol >= 0 ? symbol : RHOMB_MATRIX_SYMBOLS);
    }
}

int32_t rhomb__matrix_score(const rhomb_score_matrix *matrix, char a, char b)
{
    const int32_t i = rhomb_score_matrix_symbol(matrix, a);
    const int32_t j = rhomb_score_matrix_symbol(matrix, b);
    int32_t lowest, highest;
    if (i >= 0 && j >= 0)
        return matrix->scores[i][j];
    rhomb__matrix_range(matrix, &lowest, &highest);
    return lowest;
}

rhomb_status rhomb__matrix_check_bases(rhomb__error *error, rhomb_alphabet alphabet,
                                       const rhomb_score_matrix *matrix, const char *what,
                                       const char *bases, int64_t length,
                                       const rhomb__histogram *histogram)
{
    bool lacks = false;
    const rhomb_status status =
        rhomb__histogram_check(error, alphabet, what, bases, length, histogram);
    if (status != RHOMB_OK || matrix == NULL)
        return status;
    for (int b = 0; b < 256; b++)
        lacks |= histogram->count[b] > 0 && rhomb_score_matrix_symbol(matrix, (char)b) < 0;
    for (int64_t at = 0; lacks && at < length; at++) {
        if (rhomb_score_matrix_symbol(matrix, bases[at]) < 0)
            return rhomb__fail(
                error, RHOMB_ERR_ALPHABET,
                "%s: '%c' at position %lld has no scores in the matrix %s, which has those of %s",
                what, bases[at], (long long)at + 1, matrix->name, matrix->symbols);
    }
    return RHOMB_OK;
}

rhomb__codes rhomb__matrix_codes(const rhomb_score_matrix *matrix)
{
    rhomb__codes codes = {{0}, matrix->count};
    for (int byte = 0; byte < 256; byte++)
        codes.code[byte] = (uint8_t)rhomb__max(rhomb_score_matrix_symbol(matrix, (char)byte), 0);
    return codes;
}
