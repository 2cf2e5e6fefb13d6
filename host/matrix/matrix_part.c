/* SPDX-License-Identifier: MIT */
/*
 * Parts of a matrix that are computed apart, see rhomb/matrix.h.
 */
#include "rhomb/matrix.h"

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
