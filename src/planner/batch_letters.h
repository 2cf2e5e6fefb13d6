/* SPDX-License-Identifier: MIT */
/*
 * Letters of a job of a batch, where the device takes them from: each sequence in whole words.
 */
#ifndef RHOMB_SRC_BATCH_LETTERS_H
#define RHOMB_SRC_BATCH_LETTERS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Copies a sequence to to[at] and returns where the next one begins. What is left of the last word
 * is filled with a letter that has a code in any alphabet. `at` is a whole number of words, and
 * with `past` `to` is aligned to 16 bytes: the letters go past this processor's caches then, where
 * it can do that, for a bus to take them from memory. To be followed by rhomb__letters_are_past().
 */
int64_t rhomb__batch_copy_letters(char *to, int64_t at, const char *letters, int64_t length,
                                  bool past);

/* What went past the caches is in memory before anything that is stored from here on. */
void rhomb__letters_are_past(void);

#endif
