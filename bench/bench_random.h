/* SPDX-License-Identifier: MIT */
/*
 * Random letters for generated pairs. All numbers come from one 64-bit state by integer arithmetic,
 * so that a seed gives the same letters on every machine.
 */
#ifndef RHOMB_BENCH_BENCH_RANDOM_H
#define RHOMB_BENCH_BENCH_RANDOM_H

#include <stdint.h>

/* The next 64 bits of splitmix64 (Vigna): quick enough for hundreds of millions of letters. */
uint64_t bench_random(uint64_t *state);

/* From 0 to `limit` - 1; the bias of the remainder does not matter here. */
int64_t bench_random_below(uint64_t *state, int64_t limit);

/* What `bench_random(state) >> 11` is below with the given probability. */
uint64_t bench_random_threshold(double probability);

/* One of A, C, G and T. */
char bench_random_letter(uint64_t *state);

void bench_random_fill(char *letters, int64_t length, uint64_t *state);

/* Another letter than `letter`, each of the three as likely. */
char bench_random_other(char letter, uint64_t *state);

/*
 * Copies `length` letters with that share of edits, a third each of substitutions, insertions and
 * deletions; returns how many come out, twice as many at most.
 */
int64_t bench_random_mutate(const char *from, int64_t length, double rate, uint64_t *state,
                            char *to);

#endif
