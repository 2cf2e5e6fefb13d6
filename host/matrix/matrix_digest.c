/* SPDX-License-Identifier: MIT */
/*
 * The digest of a matrix's input, see rhomb/matrix.h: that of a text with a line for each sequence;
 * and parts of a matrix that are computed apart.
 */
#include "rhomb/matrix.h"

#include <stdio.h>
#include <string.h>

#include "host/device/context.h"
#include "rhomb/scoring.h"
#include "src/base/digest.h"
#include "src/io/stream.h"

/* Adds a line: a name that may be NULL, and numbers, after the digest of some bases. */
static rhomb_status add(rhomb__error *error, rhomb__bytes *text, const rhomb_matrix_sequence *s)
{
    rhomb_status status = RHOMB_OK;
    const char *name = s->name != NULL ? s->name : "";
    char line[80], md5[RHOMB__MD5_HEX_SIZE];
    if (!rhomb__md5_hex(s->length > 0 ? s->bases : "", (size_t)s->length, md5))
        return rhomb__fail_memory(error, sizeof md5, "a digest");
    RHOMB_TRY(rhomb__bytes_append(error, text, name, strlen(name) + 1));
    snprintf(line, sizeof line, "%lld %s\n", (long long)s->length, md5);
    status = rhomb__bytes_append(error, text, line, strlen(line));
out:
    return status;
}

/* What the results depend on besides the sequences; the last value only where there is one. */
static rhomb_status add_options(rhomb__error *error, rhomb__bytes *text,
                                const rhomb_matrix_options *options)
{
    static const rhomb_scoring EDIT = RHOMB_SCORING_EDIT;
    const rhomb_scoring *s = options->scoring != NULL ? options->scoring : &EDIT;
    const int64_t values[] = {options->max_distance, options->alphabet, s->match,
                              s->mismatch,           s->gap_open,       s->gap_extend,
                              s->gap_open_2,         s->gap_extend_2,   options->columns};
    rhomb_status status = RHOMB_OK;
    const size_t count = sizeof values / sizeof values[0] - (options->columns == 0);
    for (size_t i = 0; i < count; i++) {
        char line[32];
        snprintf(line, sizeof line, "%lld\n", (long long)values[i]);
        RHOMB_TRY(rhomb__bytes_append(error, text, line, strlen(line)));
    }
out:
    return status;
}

rhomb_status rhomb_matrix_digest(rhomb_context *ctx, const rhomb_matrix_sequence *sequences,
                                 int64_t count, const rhomb_matrix_options *options, char out[33])
{
    rhomb_status status = RHOMB_OK;
    rhomb_matrix_options given = RHOMB_MATRIX_OPTIONS_INIT;
    rhomb__bytes text = {NULL, 0, 0, 0};
    if (ctx == NULL)
        return RHOMB_ERR_ARGUMENT;
    rhomb__error *error = &ctx->stream.error;
    rhomb__error_clear(error);
    if (out == NULL || count < 0 || (sequences == NULL && count > 0))
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "sequences and out must not be NULL");
    out[0] = '\0';
    RHOMB_TRY(rhomb__take_given(error, "rhomb_matrix_options", options, &given, sizeof given));
    RHOMB_TRY(add_options(error, &text, &given));
    for (int64_t i = 0; i < count; i++)
        RHOMB_TRY(add(error, &text, &sequences[i]));
    if (!rhomb__md5_hex(text.data, text.length, out))
        status = rhomb__fail_memory(error, text.length, "a digest");
out:
    rhomb__bytes_release(&text);
    return status;
}

/* What a row's pairs weigh: their bases, and one for each pair; `before` are those of its columns.
 */
static double weight_of(const rhomb_matrix_sequence *s, int64_t row, double before)
{
    return before + (double)row * ((double)s[row].length + 1);
}

/* The first pair before which there is that much work. */
static int64_t pair_after(const rhomb_matrix_sequence *s, int64_t count, double work)
{
    double before = 0, gone = 0;
    int64_t row = 0, column = 0;
    while (row < count && gone + weight_of(s, row, before) <= work) {
        gone += weight_of(s, row, before);
        before += (double)s[row].length;
        row++;
    }
    if (row == count)
        return rhomb_matrix_pair(count, 0);
    while (column < row && gone < work)
        gone += (double)s[row].length + (double)s[column++].length + 1;
    return rhomb_matrix_pair(row, column);
}

rhomb_status rhomb_matrix_part(const rhomb_matrix_sequence *sequences, int64_t count, int64_t part,
                               int64_t parts, int64_t *first, int64_t *end)
{
    double all = 0, before = 0;
    if (first == NULL || end == NULL || count < 0 || (sequences == NULL && count > 0) || part < 0 ||
        part >= parts)
        return RHOMB_ERR_ARGUMENT;
    for (int64_t i = 0; i < count; i++) {
        all += weight_of(sequences, i, before);
        before += (double)sequences[i].length;
    }
    const int64_t pairs = count > 0 ? rhomb_matrix_pair(count, 0) : 0;
    const double share = all / (double)parts;
    *first = part == 0 ? 0 : pair_after(sequences, count, share * (double)part);
    *end = part + 1 == parts ? pairs : pair_after(sequences, count, share * (double)(part + 1));
    return RHOMB_OK;
}
