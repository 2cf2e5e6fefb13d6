/* SPDX-License-Identifier: MIT */
/*
 * Random bases, see random_bases.h.
 */
#include "random_bases.h"

#include <stdbool.h>
#include <string.h>

uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

int64_t random_below(uint64_t *state, int64_t bound)
{
    return (int64_t)(random_next(state) % (uint64_t)bound);
}

uint64_t random_threshold(double probability)
{
    return (uint64_t)(probability * 9007199254740992.0); /* 2^53 */
}

char random_base(uint64_t *state)
{
    return "ACGT"[random_next(state) >> 62];
}

char folded_base(char base)
{
    const char upper = (char)(base >= 'a' && base <= 'z' ? base - 'a' + 'A' : base);
    return upper == 'U' ? 'T' : upper;
}

const char *iupac_bases(char code)
{
    static const char *const BASES[] = {
        ['A'] = "A",   ['C'] = "C",   ['G'] = "G",   ['T'] = "T",   ['R'] = "AG",
        ['Y'] = "CT",  ['S'] = "GC",  ['W'] = "AT",  ['K'] = "GT",  ['M'] = "AC",
        ['B'] = "CGT", ['D'] = "AGT", ['H'] = "ACT", ['V'] = "ACG", ['N'] = "ACGT"};
    const size_t at = (unsigned char)code;
    const char *bases = at < sizeof BASES / sizeof BASES[0] ? BASES[at] : NULL;
    return bases != NULL ? bases : "";
}

bool matching_is_iupac;

void match_iupac(bool iupac)
{
    matching_is_iupac = iupac;
}

bool iupac_match(char a, char b)
{
    return strpbrk(iupac_bases(a), iupac_bases(b)) != NULL;
}

char complement_base(char base)
{
    static const char FROM[] = "ACGTUacgtu", TO[] = "TGCAAtgcaa";
    const char *at = base != '\0' ? strchr(FROM, base) : NULL;
    return at != NULL ? TO[at - FROM] : base;
}

void complement_bases(char *bases, int64_t length)
{
    for (int64_t i = 0, j = length - 1; i <= j; i++, j--) {
        const char base = complement_base(bases[i]);
        bases[i] = complement_base(bases[j]);
        bases[j] = base;
    }
}

void random_bases(char *bases, int64_t length, uint64_t *state)
{
    for (int64_t i = 0; i < length; i++)
        bases[i] = random_base(state);
}

char random_other_base(char base, uint64_t *state)
{
    static const char *const OTHERS[] = {"CGT", "AGT", "ACT", "ACG"};
    const int at = base == 'A' ? 0 : base == 'C' ? 1 : base == 'G' ? 2 : 3;
    return OTHERS[at][random_next(state) % 3];
}

int64_t random_edits(const char *from, int64_t length, double rate, uint64_t *state, char *to)
{
    const uint64_t threshold = random_threshold(rate);
    int64_t used = 0;
    for (int64_t i = 0; i < length; i++) {
        const bool edit = random_next(state) >> 11 < threshold;
        const int kind = edit ? (int)(random_next(state) % 3) : -1;
        if (kind == 0)
            to[used++] = random_other_base(from[i], state);
        else if (kind != 1)
            to[used++] = from[i];
        if (kind == 2)
            to[used++] = random_base(state);
    }
    return used;
}
