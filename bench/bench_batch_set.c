/* SPDX-License-Identifier: MIT */
/*
 * Sets of many short pairs: generated with a fixed seed, or read from a file, and written to files.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "bench_batch.h"
#include "rhomb/pairs.h"
#include "tests/reference/random_bases.h"

#define SEED UINT64_C(20261120)

/* Room for `count` pairs and their bases; pages that stay untouched cost nothing. */
static bool allocate(bench *b, const bench_source *source, size_t count, size_t bytes,
                     bench_set *set)
{
    memset(set, 0, sizeof *set);
    snprintf(set->name, sizeof set->name, "%s", source->name);
    set->length = source->length;
    set->rate = source->rate;
    set->pairs = calloc(count, sizeof *set->pairs);
    set->memory = malloc(bytes);
    if (set->pairs != NULL && set->memory != NULL)
        return true;
    bench_set_release(set);
    return bench_fail(b, "out of memory for %s", source->name);
}

bool bench_set_make(bench *b, const bench_source *source, bench_set *set)
{
    const int64_t length = source->length;
    const size_t count = (size_t)bench_scaled(b, source->count);
    /* A copy has twice as many bases at the most. */
    if (!allocate(b, source, count, 3 * count * (size_t)length, set))
        return false;
    uint64_t state = SEED ^ (uint64_t)length ^ random_threshold(source->rate);
    for (char *at = set->memory; set->count < count; set->count++) {
        rhomb_pair *pair = &set->pairs[set->count];
        char *query = at + length;
        random_bases(at, length, &state);
        pair->target = at;
        pair->target_length = length;
        pair->query = query;
        pair->query_length = random_edits(at, length, source->rate, &state, query);
        at = query + pair->query_length;
        set->bases += length + pair->query_length;
    }
    return true;
}

/* Copies bases in upper case, since peers tell the cases apart. */
static const char *fold(const char *from, int64_t length, char *to)
{
    for (int64_t i = 0; i < length; i++)
        to[i] = (char)toupper((unsigned char)from[i]);
    return to;
}

/* The pairs of a chunk, over and over. */
static bool repeat_chunk(bench *b, const bench_source *source, const rhomb_pair_chunk *chunk,
                         bench_set *set)
{
    const size_t count = (size_t)bench_scaled(b, source->count);
    size_t bytes = 0;
    for (size_t i = 0; i < chunk->count; i++)
        bytes += (size_t)(chunk->pairs[i].target_length + chunk->pairs[i].query_length);
    if (!allocate(b, source, count, bytes, set))
        return false;
    for (char *at = set->memory; set->count < count; set->count++) {
        rhomb_pair *pair = &set->pairs[set->count];
        if (set->count < chunk->count) {
            *pair = chunk->pairs[set->count];
            pair->target = fold(pair->target, pair->target_length, at);
            at += pair->target_length;
            pair->query = fold(pair->query, pair->query_length, at);
            at += pair->query_length;
        } else {
            *pair = set->pairs[set->count - chunk->count];
        }
        set->bases += pair->target_length + pair->query_length;
    }
    return true;
}

bool bench_set_read(bench *b, const bench_source *source, const char *path, bench_set *set)
{
    rhomb_pairs *pairs = NULL;
    rhomb_pair_chunk *chunk = NULL;
    rhomb_status status = rhomb_pairs_open(b->ctx, path, NULL, NULL, &pairs);
    if (status == RHOMB_OK)
        status = rhomb_pairs_next(pairs, &chunk);
    bool good = status == RHOMB_OK || bench_fail(b, "%s", rhomb_context_error(b->ctx));
    /* The first chunk is some megabytes: enough for what is repeated anyway. */
    if (good && (chunk->count == 0 || chunk->fault_count > 0))
        good = bench_fail(b, "%s has no pairs, or invalid lines", path);
    good = good && repeat_chunk(b, source, chunk, set);
    rhomb_pair_chunk_destroy(chunk);
    rhomb_pairs_destroy(pairs);
    return good;
}

bool bench_set_write(bench *b, const bench_set *set, int copies, const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return bench_fail(b, "cannot write %s", path);
    for (int c = 0; c < copies; c++)
        for (size_t i = 0; i < set->count; i++) {
            const rhomb_pair *pair = &set->pairs[i];
            fprintf(file, ">%.*s\n<%.*s\n", (int)pair->query_length, pair->query,
                    (int)pair->target_length, pair->target);
        }
    const bool good = !ferror(file);
    if (fclose(file) != 0 || !good)
        return bench_fail(b, "%s could not be written", path);
    return true;
}

void bench_set_release(bench_set *set)
{
    free(set->pairs);
    free(set->memory);
    set->pairs = NULL;
    set->memory = NULL;
}
