/* SPDX-License-Identifier: MIT */
/*
 * Bases of a job, see batch_bases.h.
 *
 * A store past the caches does not read its line first, and leaves the caches to others. For
 * each pair a thread copies 300 bytes out of memory and 320 into it, and many threads share the
 * memory.
 */
#include "src/batch/batch_bases.h"

#include <string.h>

#include "src/batch/batch_shape.h"

#if defined(__SSE2__)
#    include <emmintrin.h>

static void copy_word_past(char *to, const char *from)
{
    const __m128i first = _mm_loadu_si128((const __m128i *)(const void *)from);
    const __m128i second = _mm_loadu_si128((const __m128i *)(const void *)(from + 16));
    _mm_stream_si128((__m128i *)(void *)to, first);
    _mm_stream_si128((__m128i *)(void *)(to + 16), second);
}

void rhomb__bases_are_past(void)
{
    _mm_sfence();
}
#else
static void copy_word_past(char *to, const char *from)
{
    memcpy(to, from, RHOMB_WORD_SYMBOLS);
}

void rhomb__bases_are_past(void)
{
}
#endif

int64_t rhomb__batch_copy_bases(char *to, int64_t at, const char *bases, int64_t length, bool past)
{
    const int64_t room = rhomb__batch_room(length), rest = length % RHOMB_WORD_SYMBOLS;
    const int64_t whole = length - rest;
    char last[RHOMB_WORD_SYMBOLS];
    if (!past) {
        if (length > 0)
            memcpy(to + at, bases, (size_t)length);
        memset(to + at + length, 'A', (size_t)(room - length));
        return at + room;
    }
    for (int64_t i = 0; i < whole; i += RHOMB_WORD_SYMBOLS)
        copy_word_past(to + at + i, bases + i);
    if (whole < room) {
        memset(last, 'A', sizeof last);
        if (rest > 0)
            memcpy(last, bases + whole, (size_t)rest);
        copy_word_past(to + at + whole, last);
    }
    return at + room;
}
