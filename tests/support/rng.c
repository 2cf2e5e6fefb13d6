/* SPDX-License-Identifier: MIT */
/*
 * See rng.h.
 */
#include "rng.h"

#include <stdlib.h>

#include "tests/reference/random_bases.h"

#define DEFAULT_SEED UINT64_C(20231120)

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
        r.state = random_next(&r.state);
    }
    r.state ^= (uint64_t)index;
    r.state = random_next(&r.state);
    return r;
}

int64_t rng_below(rng *r, int64_t bound)
{
    return random_below(&r->state, bound);
}

int64_t rng_between(rng *r, int64_t low, int64_t high)
{
    return low + rng_below(r, high - low + 1);
}

bool rng_chance(rng *r, double probability)
{
    return (double)(random_next(&r->state) >> 11) * 0x1p-53 < probability;
}
