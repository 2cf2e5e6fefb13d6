/* SPDX-License-Identifier: MIT */
/*
 * SplitMix64, see rng.h.
 */
#include "rng.h"

#include <stdlib.h>

#define DEFAULT_SEED UINT64_C(20231120)

static uint64_t next(rng *r)
{
    r->state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t x = r->state;
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

uint64_t rng_seed(void)
{
    const char *text = getenv("RHOMB_TEST_SEED");
    return text != NULL && text[0] != '\0' ? strtoull(text, NULL, 0) : DEFAULT_SEED;
}

rng rng_for(const char *name, int64_t index)
{
    rng r = {rng_seed()};
    for (; *name != '\0'; name++) {
        r.state ^= (unsigned char)*name;
        r.state = next(&r);
    }
    r.state ^= (uint64_t)index;
    r.state = next(&r);
    return r;
}

/* The remainder's bias is below bound / 2^64. */
int64_t rng_below(rng *r, int64_t bound)
{
    return (int64_t)(next(r) % (uint64_t)bound);
}

int64_t rng_between(rng *r, int64_t low, int64_t high)
{
    return low + rng_below(r, high - low + 1);
}

bool rng_chance(rng *r, double probability)
{
    return (double)(next(r) >> 11) * 0x1p-53 < probability;
}
