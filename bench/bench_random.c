/* SPDX-License-Identifier: MIT */
/*
 * Random letters, see bench_random.h.
 */
#include "bench_random.h"

#include <stdbool.h>

uint64_t bench_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

int64_t bench_random_below(uint64_t *state, int64_t limit)
{
    return (int64_t)(bench_random(state) % (uint64_t)limit);
}

uint64_t bench_random_threshold(double probability)
{
    return (uint64_t)(probability * 9007199254740992.0); /* 2^53 */
}

char bench_random_letter(uint64_t *state)
{
    return "ACGT"[bench_random(state) >> 62];
}

void bench_random_fill(char *letters, int64_t length, uint64_t *state)
{
    for (int64_t i = 0; i < length; i++)
        letters[i] = bench_random_letter(state);
}

char bench_random_other(char letter, uint64_t *state)
{
    static const char *const OTHERS[] = {"CGT", "AGT", "ACT", "ACG"};
    const int at = letter == 'A' ? 0 : letter == 'C' ? 1 : letter == 'G' ? 2 : 3;
    return OTHERS[at][bench_random(state) % 3];
}

int64_t bench_random_mutate(const char *from, int64_t length, double rate, uint64_t *state,
                            char *to)
{
    const uint64_t threshold = bench_random_threshold(rate);
    int64_t used = 0;
    for (int64_t i = 0; i < length; i++) {
        const bool edit = bench_random(state) >> 11 < threshold;
        const int kind = edit ? (int)(bench_random(state) % 3) : -1;
        if (kind == 0)
            to[used++] = bench_random_other(from[i], state);
        else if (kind != 1)
            to[used++] = from[i];
        if (kind == 2)
            to[used++] = bench_random_letter(state);
    }
    return used;
}
