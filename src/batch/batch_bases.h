/* SPDX-License-Identifier: MIT */
/*
 * Bases of a job of a batch, laid out for the device: each sequence in whole words.
 */
#ifndef RHOMB_SRC_BATCH_BASES_H
#define RHOMB_SRC_BATCH_BASES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Copies a sequence to to[at] and returns where the next one begins. The rest of the last word is
 * filled with a base that has a code in any alphabet. `at` is a whole number of words. With `past`,
 * `to` is aligned to 16 bytes, and the bases bypass the caches of this CPU, where it can do that,
 * so that a bus takes them from memory. To be followed by rhomb__bases_are_past().
 */
int64_t rhomb__batch_copy_bases(char *to, int64_t at, const char *bases, int64_t length, bool past);

/* Everything that bypassed the caches is in memory before anything that is stored from here on. */
void rhomb__bases_are_past(void);

#endif
