/* SPDX-License-Identifier: MIT */
/*
 * Where pairs come from: files of a folder, or a generator with a fixed seed.
 */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#define SEED UINT64_C(20231119)

/* splitmix64 (Vigna): one multiplication chain a number is fast enough for 20 million letters. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static char random_letter(uint64_t *state)
{
    return "ACGT"[next_random(state) >> 62];
}

static void fill_random(char *letters, int64_t length, uint64_t *state)
{
    for (int64_t i = 0; i < length; i++)
        letters[i] = random_letter(state);
}

/* Another letter than `letter`, each of the three as likely. */
static char substitute(char letter, uint64_t *state)
{
    static const char *const OTHERS[] = {"CGT", "AGT", "ACT", "ACG"};
    const int at = letter == 'A' ? 0 : letter == 'C' ? 1 : letter == 'G' ? 2 : 3;
    return OTHERS[at][next_random(state) % 3];
}

/* Copies with edits; at most twice the length comes out. */
static int64_t mutate(const char *from, int64_t length, double rate, uint64_t *state, char *to)
{
    const uint64_t threshold = (uint64_t)(rate * 9007199254740992.0); /* 2^53 */
    int64_t used = 0;
    for (int64_t i = 0; i < length; i++) {
        const bool edit = next_random(state) >> 11 < threshold;
        const int kind = edit ? (int)(next_random(state) % 3) : -1;
        if (kind == 0)
            to[used++] = substitute(from[i], state);
        else if (kind != 1)
            to[used++] = from[i];
        if (kind == 2)
            to[used++] = random_letter(state);
    }
    return used;
}

bool bench_pair_generate(bench *b, const char *name, int64_t length, double rate, bench_pair *pair)
{
    const int64_t scaled = (int64_t)((double)length * b->scale);
    const int64_t n = scaled < 64 ? 64 : scaled;
    uint64_t state = SEED ^ (uint64_t)n;
    memset(pair, 0, sizeof *pair);
    snprintf(pair->name, sizeof pair->name, "%s", name);
    for (int i = 0; i < 2; i++) {
        pair->memory[i] = malloc((size_t)n * 2 + 1);
        if (pair->memory[i] == NULL) {
            bench_pair_release(pair);
            return bench_fail(b, "out of memory for %s", name);
        }
        pair->memory[i][0] = 'N'; /* for bench_pair_with_n() */
    }
    fill_random(pair->memory[0] + 1, n, &state);
    pair->target = pair->memory[0] + 1;
    pair->target_length = n;
    pair->query = pair->memory[1] + 1;
    pair->query_length = n + n / 25;
    if (rate < 1)
        pair->query_length = mutate(pair->target, n, rate, &state, pair->memory[1] + 1);
    else
        fill_random(pair->memory[1] + 1, pair->query_length, &state);
    return true;
}

bench_pair bench_pair_with_n(const bench_pair *pair)
{
    bench_pair with_n = *pair;
    with_n.target = pair->memory[0];
    with_n.query = pair->memory[1];
    with_n.target_length++;
    with_n.query_length++;
    return with_n;
}

bool bench_pair_read(bench *b, const char *target, const char *query, bench_pair *pair)
{
    const char *names[] = {target, query};
    memset(pair, 0, sizeof *pair);
    snprintf(pair->name, sizeof pair->name, "%s x %s", target, query);
    if (b->data == NULL)
        return bench_fail(b, "name the folder of %s.fa.gz with --data or RHOMB_DATA", target);
    const double began = bench_now();
    for (int i = 0; i < 2; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s.fa.gz", b->data, names[i]);
        if (rhomb_sequence_read(b->ctx, path, NULL, &pair->sequences[i]) != RHOMB_OK) {
            bench_pair_release(pair);
            return bench_fail(b, "%s", rhomb_context_error(b->ctx));
        }
    }
    pair->read_seconds = bench_now() - began;
    pair->target = rhomb_sequence_letters(pair->sequences[0]);
    pair->target_length = rhomb_sequence_length(pair->sequences[0]);
    pair->query = rhomb_sequence_letters(pair->sequences[1]);
    pair->query_length = rhomb_sequence_length(pair->sequences[1]);
    return true;
}

void bench_pair_release(bench_pair *pair)
{
    for (int i = 0; i < 2; i++) {
        rhomb_sequence_destroy(pair->sequences[i]);
        free(pair->memory[i]);
        pair->sequences[i] = NULL;
        pair->memory[i] = NULL;
    }
}
