/* SPDX-License-Identifier: MIT */
/*
 * See emu_pairs.h.
 */
#include "emu/emu_pairs.h"

#include "support/test.h"

#include <string.h>

static const char ACGT[] = "ACGT";

void *emu_allocate(int64_t count, size_t size)
{
    const size_t bytes = (size_t)count * size;
    void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    assert_non_null(memory);
    memset(memory, 0x55, (size_t)count * size);
    return memory;
}

static int64_t append(letters *bases, const letters *text)
{
    const int64_t at = bases->length;
    letters_append(bases, text->at, text->length);
    while (bases->length % RHOMB_WORD_SYMBOLS != 0)
        letters_append(bases, "A", 1);
    return at;
}

void emu_pairs_place(emu_pairs *to, const pair *pairs, int64_t count)
{
    to->places = emu_allocate(EMU_PAIRS_BEFORE + count, sizeof *to->places);
    for (int64_t i = 0; i < count; i++) {
        rhomb_batch_pair *place = &to->places[EMU_PAIRS_BEFORE + i];
        place->query_length = (rhomb_i32)pairs[i].b.length;
        place->target_length = (rhomb_i32)pairs[i].a.length;
        place->query_at = append(&to->bases, &pairs[i].b);
        place->target_at = append(&to->bases, &pairs[i].a);
    }
}

void emu_pairs_release(emu_pairs *pairs)
{
    free(pairs->bases.at);
    free(pairs->places);
}

/* Codes that differ in each of the planes. */
static uint32_t code_of(char base, int32_t planes)
{
    const char *at = strchr(ACGT, base);
    return at != NULL ? (uint32_t)(at - ACGT) * 0x55 & ((UINT32_C(1) << planes) - 1) : 0;
}

uint32_t *emu_pairs_pack(const emu_pairs *pairs, int32_t planes)
{
    const letters *text = &pairs->bases;
    const int64_t words = text->length / RHOMB_WORD_SYMBOLS, unit = RHOMB_UNIT_WORDS(planes);
    uint32_t *packed = emu_allocate((words + 1) * unit, sizeof *packed);
    for (int64_t at = 0; at < text->length; at++) {
        const uint32_t code = code_of(text->at[at], planes);
        for (int32_t p = 0; p < planes; p++) {
            uint32_t *word = &packed[at / RHOMB_WORD_SYMBOLS * unit + p];
            *word = *word << 1 | (code >> p & 1u);
        }
    }
    return packed;
}

uint8_t *emu_pairs_flags(const emu_pairs *pairs)
{
    const letters *text = &pairs->bases;
    uint8_t *flags = calloc((size_t)(text->length / RHOMB_WORD_SYMBOLS + 1), 1);
    assert_non_null(flags);
    for (int64_t at = 0; at < text->length; at++)
        flags[at / RHOMB_WORD_SYMBOLS] |= strchr(ACGT, text->at[at]) == NULL;
    return flags;
}
