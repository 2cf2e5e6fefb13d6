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

/* Of a matrix of proteins, in the order of NCBI's files. */
#define PROTEIN(matrix)                                                \
    .name = (matrix), .alphabet = RHOMB_ALPHABET_PROTEIN, .count = 24, \
    .symbols = "ARNDCQEGHILKMFPSTWYVBZX*"

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

/* Columns of a file: letters that a sequence cannot have (J, O, U) are read, and left out. */
enum { MOST_COLUMNS = 64 };

typedef struct table {
    rhomb__error *error;
    const char *name;
    const char *at, *end; /* of the line */
    int line;
    int columns;
    char letters[MOST_COLUMNS + 1];
    int lines[MOST_COLUMNS]; /* those of the rows; 0: not read yet */
    int8_t scores[MOST_COLUMNS][MOST_COLUMNS];
} table;

/* The next word of the line; its length is 0 at the end. */
static size_t next_word(table *t, const char **word)
{
    while (t->at < t->end && strchr(" \t\r", *t->at) != NULL)
        t->at++;
    *word = t->at;
    while (t->at < t->end && strchr(" \t\r", *t->at) == NULL)
        t->at++;
    return (size_t)(t->at - *word);
}

/* "matrix NAME, line 3: expected ..., not 'word'". */
static rhomb_status fail_at(table *t, const char *expected, const char *word, size_t length)
{
    if (length == 0)
        return rhomb__fail(t->error, RHOMB_ERR_INPUT,
                           "matrix %s, line %d: expected %s, not the end of the line", t->name,
                           t->line, expected);
    return rhomb__fail(t->error, RHOMB_ERR_INPUT, "matrix %s, line %d: expected %s, not '%.*s'",
                       t->name, t->line, expected, (int)(length < 40 ? length : 40), word);
}

/* The number of a letter's column; -1: none. */
static int column_of(const table *t, char letter)
{
    const char *found = memchr(t->letters, letter, (size_t)t->columns);
    return found != NULL ? (int)(found - t->letters) : -1;
}

static bool is_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '*';
}

static rhomb_status read_letters(table *t)
{
    const char *word;
    for (size_t length = next_word(t, &word); length > 0; length = next_word(t, &word)) {
        const char letter = (char)rhomb__alphabet_fold(RHOMB_ALPHABET_PROTEIN, word[0]);
        if (length != 1 || !is_letter(letter) || t->columns == MOST_COLUMNS)
            return fail_at(t, "one letter or * for each column", word, length);
        if (column_of(t, letter) >= 0)
            return fail_at(t, "each letter once", word, length);
        t->letters[t->columns++] = letter;
    }
    return RHOMB_OK;
}

/* A whole number from -127 to 127. */
static bool read_score(const char *word, size_t length, int8_t *score)
{
    int value = 0;
    const size_t first = length > 0 && (word[0] == '-' || word[0] == '+') ? 1 : 0;
    for (size_t i = first; i < length; i++) {
        if (word[i] < '0' || word[i] > '9' || value > INT8_MAX)
            return false;
        value = 10 * value + (word[i] - '0');
    }
    *score = (int8_t)(word[0] == '-' ? -value : value);
    return length > first && value <= INT8_MAX;
}

static rhomb_status read_row(table *t)
{
    const char *word;
    size_t length = next_word(t, &word);
    char expected[64];
    const int row = length == 1
                        ? column_of(t, (char)rhomb__alphabet_fold(RHOMB_ALPHABET_PROTEIN, word[0]))
                        : -1;
    if (row < 0)
        return fail_at(t, "a row that begins with the letter of a column", word, length);
    if (t->lines[row] > 0)
        return fail_at(t, "one row for each letter", word, length);
    t->lines[row] = t->line;
    snprintf(expected, sizeof expected, "%d whole numbers from -127 to 127", t->columns);
    for (int i = 0; i < t->columns; i++) {
        length = next_word(t, &word);
        if (length == 0 || !read_score(word, length, &t->scores[row][i]))
            return fail_at(t, expected, word, length);
    }
    length = next_word(t, &word);
    return length == 0 ? RHOMB_OK : fail_at(t, "the end of the line", word, length);
}

static rhomb_status read_lines(table *t, const char *text, size_t length)
{
    const char *const end = text + length;
    rhomb_status status = RHOMB_OK;
    while (status == RHOMB_OK && text < end) {
        const char *line_end = memchr(text, '\n', (size_t)(end - text)), *word;
        t->at = text;
        t->end = line_end != NULL ? line_end : end;
        t->line++;
        text = line_end != NULL ? line_end + 1 : end;
        if (next_word(t, &word) == 0 || *word == '#')
            continue;
        t->at = word;
        status = t->columns == 0 ? read_letters(t) : read_row(t);
    }
    return status;
}

/* That all rows are there, and that the order of two letters does not matter. */
static rhomb_status check_table(table *t)
{
    if (t->columns == 0)
        return rhomb__fail(t->error, RHOMB_ERR_INPUT,
                           "matrix %s: expected a line with the letters of its columns, not the "
                           "end of the text",
                           t->name);
    for (int i = 0; i < t->columns; i++) {
        if (t->lines[i] == 0)
            return rhomb__fail(t->error, RHOMB_ERR_INPUT,
                               "matrix %s: expected a row of the letter '%c', not the end of the "
                               "text",
                               t->name, t->letters[i]);
    }
    for (int i = 0; i < t->columns; i++) {
        for (int j = 0; j < i; j++) {
            if (t->scores[i][j] != t->scores[j][i])
                return rhomb__fail(
                    t->error, RHOMB_ERR_INPUT,
                    "matrix %s, line %d: expected a symmetric matrix: %c with %c scores %d, and %c "
                    "with %c %d (line %d)",
                    t->name, t->lines[i], t->letters[i], t->letters[j], t->scores[i][j],
                    t->letters[j], t->letters[i], t->scores[j][i], t->lines[j]);
        }
    }
    return RHOMB_OK;
}

/* Whether two rows have the same scores. */
static bool is_same(const table *t, int a, int b)
{
    return memcmp(t->scores[a], t->scores[b], (size_t)t->columns) == 0;
}

static rhomb_alphabet alphabet_of(const table *t)
{
    for (int i = 0; i < t->columns; i++) {
        if (!rhomb__alphabet_has(RHOMB_ALPHABET_DNA, t->letters[i]))
            return RHOMB_ALPHABET_PROTEIN;
    }
    return RHOMB_ALPHABET_DNA;
}

/* The columns of letters that sequences can have, in the order of the alphabet. */
static rhomb_status take(const table *t, rhomb_score_matrix *out)
{
    int from[RHOMB_MATRIX_SYMBOLS];
    *out = (rhomb_score_matrix){.name = t->name, .alphabet = alphabet_of(t)};
    const int u = column_of(t, 'U'), as_t = column_of(t, 'T');
    const bool folds = out->alphabet == RHOMB_ALPHABET_DNA && u >= 0;
    if (folds && as_t >= 0 && !is_same(t, u, as_t))
        return rhomb__fail(t->error, RHOMB_ERR_INPUT,
                           "matrix %s, line %d: expected the scores of T, as U is T", t->name,
                           t->lines[u]);
    for (const char *symbol = rhomb__alphabet_symbols(out->alphabet); *symbol != '\0'; symbol++) {
        const int column = *symbol == 'T' && as_t < 0 && folds ? u : column_of(t, *symbol);
        if (column < 0)
            continue;
        from[out->count] = column;
        out->symbols[out->count++] = *symbol;
    }
    if (out->count == 0)
        return rhomb__fail(t->error, RHOMB_ERR_INPUT,
                           "matrix %s: expected letters of proteins or nucleotides, not %s",
                           t->name, t->letters);
    for (int i = 0; i < out->count; i++) {
        for (int j = 0; j < out->count; j++)
            out->scores[i][j] = t->scores[from[i]][from[j]];
    }
    return RHOMB_OK;
}

rhomb_status rhomb__matrix_parse(rhomb__error *error, const char *name, const char *text,
                                 size_t length, rhomb_score_matrix *out)
{
    rhomb_status status = RHOMB_OK;
    table t = {.error = error, .name = name};
    RHOMB_TRY(read_lines(&t, text, length));
    RHOMB_TRY(check_table(&t));
    RHOMB_TRY(take(&t, out));
out:
    return status;
}
