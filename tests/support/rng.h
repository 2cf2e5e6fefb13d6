/* SPDX-License-Identifier: MIT */
/*
 * Random numbers that are the same on every machine. A generator belongs to one case: it is made
 * from the run's seed, a name and an index, so that any case can be made again without those before
 * it. The generator is Steele, Lea and Flood's SplitMix64.
 */
#ifndef RHOMB_TESTS_RNG_H
#define RHOMB_TESTS_RNG_H

#include <stdbool.h>
#include <stdint.h>

typedef struct rng {
    uint64_t state;
} rng;

/* The run's seed: the environment's RHOMB_TEST_SEED, or a fixed one. */
uint64_t rng_seed(void);

/* The generator of case `index` of the stream `name`. */
rng rng_for(const char *name, int64_t index);

/* A number from 0 to bound - 1; bound >= 1. */
int64_t rng_below(rng *r, int64_t bound);

/* A number from low to high, both included. */
int64_t rng_between(rng *r, int64_t low, int64_t high);

/* True with the given probability. */
bool rng_chance(rng *r, double probability);

#endif
