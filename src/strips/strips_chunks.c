/* SPDX-License-Identifier: MIT */
/*
 * Shares of a sweep, see strips_chunks.h.
 */
#include "src/strips/strips_chunks.h"

#include "src/base/int64.h"

bool rhomb__chunks_are_shared(const rhomb__strip_chunks *chunks)
{
    return chunks->owners > 1;
}

/* The strips of a turn: of the first `owners` owners. */
static int64_t strips_of_turn(const rhomb__strip_chunks *chunks, int32_t owners)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < owners; i++)
        sum += chunks->strips[i];
    return sum;
}

static int64_t turn_of(const rhomb__strip_chunks *chunks)
{
    return strips_of_turn(chunks, chunks->owners);
}

int32_t rhomb__strip_owner(const rhomb__strip_chunks *chunks, int64_t g)
{
    int32_t owner = 0;
    if (!rhomb__chunks_are_shared(chunks))
        return 0;
    const int64_t at = g % turn_of(chunks);
    while (at >= strips_of_turn(chunks, owner + 1))
        owner++;
    return owner;
}

bool rhomb__strip_begins_chunk(const rhomb__strip_chunks *chunks, int64_t g)
{
    return g > 0 && rhomb__chunks_are_shared(chunks) &&
           rhomb__strip_owner(chunks, g) != rhomb__strip_owner(chunks, g - 1);
}

int64_t rhomb__strips_owned(const rhomb__strip_chunks *chunks, int32_t owner, int64_t g)
{
    if (!rhomb__chunks_are_shared(chunks))
        return g;
    const int64_t turn = turn_of(chunks), before = strips_of_turn(chunks, owner);
    const int64_t own = chunks->strips[owner];
    return g / turn * own + rhomb__min(rhomb__max(g % turn - before, 0), own);
}

int64_t rhomb__strip_of_owner(const rhomb__strip_chunks *chunks, int32_t owner, int64_t index)
{
    if (!rhomb__chunks_are_shared(chunks))
        return index;
    const int64_t own = chunks->strips[owner];
    return index / own * turn_of(chunks) + strips_of_turn(chunks, owner) + index % own;
}

int64_t rhomb__border_of_owner(const rhomb__strip_chunks *chunks, int32_t owner, int64_t index)
{
    return index * turn_of(chunks) + strips_of_turn(chunks, owner + 1) - 1;
}

int64_t rhomb__borders_owned(const rhomb__strip_chunks *chunks, int32_t owner, int64_t g,
                             int64_t strips)
{
    if (!rhomb__chunks_are_shared(chunks))
        return 0;
    /* The last strip of all is no border: none is below it. */
    const int64_t end = rhomb__min(g, strips - 1);
    const int64_t first = rhomb__border_of_owner(chunks, owner, 0);
    return end <= first ? 0 : rhomb__ceil_div(end - first, turn_of(chunks));
}
