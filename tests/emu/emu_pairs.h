/* SPDX-License-Identifier: MIT */
/*
 * Pairs as a job of a batch has them on a device, in memory of just the size: packed one after the
 * other, each sequence from a word's beginning on.
 */
#ifndef RHOMB_EMU_PAIRS_H
#define RHOMB_EMU_PAIRS_H

#include "cl/abi.h"
#include "support/pair.h"

#include <stddef.h>

/* Places begin after so many records, as those of a job begin after its bases. */
#define EMU_PAIRS_BEFORE 5

typedef struct emu_pairs {
    letters bases;
    rhomb_batch_pair *places;
} emu_pairs;

/* Memory whose bytes are 0x55; fails the test where there is none. */
void *emu_allocate(int64_t count, size_t size);

/* Places pairs whose first sequence is the target; the caller releases what it holds. */
void emu_pairs_place(emu_pairs *to, const pair *pairs, int64_t count);
void emu_pairs_release(emu_pairs *pairs);

/*
 * The bases in planes, with the word that a window may read after the last one, and for each word
 * whether one of its bases is not A, C, G or T. The caller frees them.
 */
uint32_t *emu_pairs_pack(const emu_pairs *pairs, int32_t planes);
uint8_t *emu_pairs_flags(const emu_pairs *pairs);

#endif
