/* SPDX-License-Identifier: MIT */
/*
 * Room in a job, see batch_fit.h: checks usual pairs in blocks, and any pair on its own.
 */
#include "src/batch/batch_fit.h"

#include "src/base/int64.h"
#include "src/batch/batch_shape.h"

#include <emmintrin.h>
#include <string.h>

/*
 * Pairs that are checked together, and the distance in pairs to those that are prefetched. Usually
 * another thread has just written the pairs, so they come from its cache or from memory, and the
 * hardware prefetch of a CPU ends at each page.
 */
#define BLOCK 16
#define AHEAD 64

/* Bytes of a cache line, or fewer: fetching a line twice costs next to nothing. */
#define LINE 64

/* Fetches memory that will be read soon: any address, even beyond the end of an array. */
static void prefetch(uintptr_t address)
{
#if defined(__GNUC__)
    __builtin_prefetch((const void *)address);
#else
    (void)address;
#endif
}

/* The largest 2^k - 1 that is below a length, or 0. */
static uint64_t bits_below(int64_t length)
{
    uint64_t bits = 0;
    while (2 * bits + 1 < (uint64_t)length)
        bits = 2 * bits + 1;
    return bits;
}

/*
 * Adds a block of pairs if all of them are for the kernels and have bases, as nearly all pairs do,
 * and if there is room. Returns false, and adds nothing, where a pair may not be one of these. The
 * sums and bits need no branches, and one test serves all pairs: a wrong length (negative, 0 or too
 * large) sets a bit above `usual` in the length less 1, and a NULL pointer sets the highest bit.
 * Sums of arbitrary lengths may overflow, and are not used.
 */
static bool fit_block(const rhomb__batch_shape *shape, int64_t most_operations, uint64_t usual,
                      const rhomb_pair *pairs, rhomb__batch_load *load)
{
    const uint64_t last = (uint64_t)shape->most_edits;
    const uint64_t mask = RHOMB_WORD_SYMBOLS - 1;
    uint64_t bases = (uint64_t)load->bases, operations = (uint64_t)load->operations;
    uint64_t lengths = 0;
    uintptr_t pointers = 0;
    for (size_t at = 0; at < BLOCK * sizeof *pairs; at += LINE)
        prefetch((uintptr_t)pairs + AHEAD * sizeof *pairs + at);
    for (int i = 0; i < BLOCK; i++) {
        const uint64_t target = (uint64_t)pairs[i].target_length;
        const uint64_t query = (uint64_t)pairs[i].query_length;
        const uint64_t longer = target > query ? target : query;
        lengths |= (target - 1) | (query - 1);
        pointers |= ((uintptr_t)pairs[i].target - 1) | ((uintptr_t)pairs[i].query - 1);
        bases += ((target + mask) & ~mask) + ((query + mask) & ~mask);
        operations += 2 * (longer < last ? longer : last) + 1;
    }
    if (lengths > usual || pointers > UINTPTR_MAX / 2 || bases > (uint64_t)shape->job_bases ||
        operations > (uint64_t)most_operations)
        return false;
    load->bases = (int64_t)bases;
    load->operations = (int64_t)operations;
    return true;
}

/* Any pair; false where there is no room for it. */
static bool fit_any(const rhomb__batch_shape *shape, int64_t most_operations,
                    const rhomb_pair *pair, rhomb__batch_load *load)
{
    const int64_t most_bases = shape->job_bases;
    int64_t bases = 0, operations = 1, long_bases = 0; /* kernels see a long pair as empty */
    if (load->long_bases > most_bases)
        return false; /* long pairs are borrowed until the job is delivered */
    if (rhomb__batch_is_short(shape, pair)) {
        bases = rhomb__batch_room(pair->target_length) + rhomb__batch_room(pair->query_length);
        operations = rhomb__batch_operations(shape, pair);
    } else {
        long_bases = rhomb__min(rhomb__max(pair->target_length, 0), most_bases) +
                     rhomb__min(rhomb__max(pair->query_length, 0), most_bases);
    }
    if (load->bases + bases > most_bases || load->operations + operations > most_operations)
        return false;
    load->bases += bases;
    load->operations += operations;
    load->long_bases += long_bases;
    return true;
}

size_t rhomb__batch_fit(const rhomb__batch_shape *shape, bool cigar, const rhomb_pair *pairs,
                        size_t count, rhomb__batch_load *load)
{
    const int64_t most_operations = cigar ? shape->job_operations : INT64_MAX;
    const uint64_t usual = bits_below(shape->long_bases);
    size_t fitting = 0;
    while (fitting < count) {
        if (count - fitting >= BLOCK && load->long_bases <= shape->job_bases &&
            fit_block(shape, most_operations, usual, pairs + fitting, load)) {
            fitting += BLOCK;
            continue;
        }
        const size_t rest = count - fitting;
        const size_t end = fitting + (rest < BLOCK ? rest : BLOCK);
        for (; fitting < end; fitting++)
            if (!fit_any(shape, most_operations, &pairs[fitting], load))
                return fitting;
    }
    return fitting;
}

/*
 * Bases of a job. A store past the caches does not read its line first, and leaves the caches to
 * others. For each pair a thread copies 300 bytes out of memory and 320 into it, and many threads
 * share the memory.
 */
#if defined(__SSE2__)

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
