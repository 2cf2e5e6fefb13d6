/* SPDX-License-Identifier: MIT */
/*
 * The pair of the known-answer tests, see known_pair.h.
 */
#include "host/engines/known_pair.h"

enum { RUN = 400, EDITED = 800, UNRELATED_TARGET = 500, UNRELATED_QUERY = 620 };

_Static_assert(RUN + EDITED + UNRELATED_TARGET == RHOMB__KNOWN_TARGET, "the known target's length");
_Static_assert(RUN + EDITED + UNRELATED_QUERY == RHOMB__KNOWN_QUERY, "the known query's length");

/* Marsaglia's xorshift. */
static char next_base(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return "ACGT"[*state >> 30];
}

void rhomb__known_pair_make(rhomb__known_pair *p)
{
    uint32_t state = 2463534242u;
    p->target_length = p->query_length = 0;
    for (int i = 0; i < RUN + EDITED; i++) {
        const char base = next_base(&state);
        const int edit = i < RUN ? 0 : i % 37;
        p->target[p->target_length++] = base;
        if (edit != 11)
            p->query[p->query_length++] = edit == 5 || edit == 23 ? next_base(&state) : base;
    }
    for (int i = 0; i < UNRELATED_TARGET; i++)
        p->target[p->target_length++] = next_base(&state);
    for (int i = 0; i < UNRELATED_QUERY; i++)
        p->query[p->query_length++] = next_base(&state);
}

rhomb__codes rhomb__known_pair_codes(int32_t planes)
{
    static const uint8_t PATTERNS[] = {0x00, 0x55, 0xaa, 0xff};
    rhomb__codes codes = {{0}, 4};
    for (int i = 0; i < 4; i++)
        codes.code[(unsigned char)"ACGT"[i]] = PATTERNS[i] & (uint8_t)((1u << planes) - 1);
    return codes;
}
