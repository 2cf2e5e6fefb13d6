/* SPDX-License-Identifier: MIT */
/*
 * Marks of bases, see compare_marks.h: bit b of word w is base 64 w + b.
 */
#include "src/formats/compare_marks.h"

#include <stdlib.h>

rhomb_status rhomb__marks_create(rhomb__error *error, rhomb__marks *marks, int64_t length)
{
    const size_t words = (size_t)length / 64 + 1;
    if (marks->bits[0] != NULL)
        return RHOMB_OK;
    uint64_t *bits = calloc(words * RHOMB__MARKS, sizeof *bits);
    if (bits == NULL)
        return rhomb__fail_memory(error, words * RHOMB__MARKS * sizeof *bits,
                                  "which bases are aligned");
    for (size_t i = 0; i < RHOMB__MARKS; i++)
        marks->bits[i] = bits + i * words;
    return RHOMB_OK;
}

void rhomb__marks_release(rhomb__marks *marks)
{
    free(marks->bits[0]);
    *marks = (rhomb__marks){{NULL}};
}

/* The bases of word `word` that are in [begin, end). */
static uint64_t part_of(int64_t word, int64_t begin, int64_t end)
{
    const int64_t from = begin - 64 * word, to = end - 64 * word;
    const uint64_t before = from > 0 ? (UINT64_C(1) << from) - 1 : 0;
    return (to < 64 ? (UINT64_C(1) << to) - 1 : UINT64_MAX) & ~before;
}

void rhomb__marks_set(rhomb__marks *marks, rhomb__mark mark, int64_t begin, int64_t end)
{
    for (int64_t w = begin / 64; 64 * w < end; w++)
        marks->bits[mark][w] |= part_of(w, begin, end);
}

void rhomb__marks_align(rhomb__marks *marks, int64_t begin, int64_t end)
{
    for (int64_t w = begin / 64; 64 * w < end; w++) {
        const uint64_t part = part_of(w, begin, end);
        marks->bits[RHOMB__MARK_REPEATED][w] |= marks->bits[RHOMB__MARK_ALIGNED][w] & part;
        marks->bits[RHOMB__MARK_ALIGNED][w] |= part;
        marks->bits[RHOMB__MARK_OPEN][w] |= part;
    }
}

void rhomb__marks_settle(rhomb__marks *marks, int64_t begin, int64_t end, bool is_similar)
{
    for (int64_t w = begin / 64; 64 * w < end; w++) {
        const uint64_t part = part_of(w, begin, end);
        if (is_similar)
            marks->bits[RHOMB__MARK_SIMILAR][w] |= marks->bits[RHOMB__MARK_OPEN][w] & part;
        marks->bits[RHOMB__MARK_OPEN][w] &= ~part;
    }
}

static int64_t ones_of(uint64_t bits)
{
    bits -= bits >> 1 & UINT64_C(0x5555555555555555);
    bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
    bits = (bits + (bits >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (int64_t)(bits * UINT64_C(0x0101010101010101) >> 56);
}

int64_t rhomb__marks_count(const rhomb__marks *marks, rhomb__mark mark, int64_t begin, int64_t end)
{
    int64_t count = 0;
    for (int64_t w = begin / 64; 64 * w < end; w++)
        count += ones_of(marks->bits[mark][w] & part_of(w, begin, end));
    return count;
}
