/* SPDX-License-Identifier: MIT */
/*
 * Where pairs come from: files of a folder, or a generator with a fixed seed; and where they go,
 * files for other programs.
 */
#include "bench.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/reference/random_bases.h"

#define SEED UINT64_C(20231119)

/* Letters a line of the FASTA files written. */
#define LINE_LETTERS 80

int64_t bench_scaled(const bench *b, int64_t length)
{
    const int64_t scaled = (int64_t)((double)length * b->scale);
    return scaled < 64 ? 64 : scaled;
}

bool bench_pair_allocate(bench *b, const char *name, int64_t target_length, int64_t query_room,
                         bench_pair *pair)
{
    const int64_t rooms[] = {target_length, query_room};
    memset(pair, 0, sizeof *pair);
    snprintf(pair->name, sizeof pair->name, "%s", name);
    for (int i = 0; i < 2; i++) {
        pair->memory[i] = malloc((size_t)rooms[i] + 1);
        if (pair->memory[i] == NULL) {
            bench_pair_release(pair);
            return bench_fail(b, "out of memory for %s", name);
        }
        pair->memory[i][0] = 'N'; /* for bench_pair_with_n() */
    }
    pair->target = pair->memory[0] + 1;
    pair->target_length = target_length;
    pair->query = pair->memory[1] + 1;
    return true;
}

bool bench_pair_generate(bench *b, const char *name, int64_t length, double rate, bench_pair *pair)
{
    const int64_t n = bench_scaled(b, length);
    uint64_t state = SEED ^ (uint64_t)n;
    if (!bench_pair_allocate(b, name, n, 2 * n, pair))
        return false;
    random_bases(pair->memory[0] + 1, n, &state);
    pair->query_length = random_edits(pair->target, n, rate, &state, pair->memory[1] + 1);
    return true;
}

bool bench_pair_unrelated(bench *b, const char *name, int64_t target_length, int64_t query_length,
                          bench_pair *pair)
{
    const int64_t n = bench_scaled(b, target_length), m = bench_scaled(b, query_length);
    uint64_t state = SEED ^ (uint64_t)n;
    if (!bench_pair_allocate(b, name, n, m, pair))
        return false;
    random_bases(pair->memory[0] + 1, n, &state);
    random_bases(pair->memory[1] + 1, m, &state);
    pair->query_length = m;
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

/* One record with the name of its role and the pair's behind it. */
static bool write_fasta(bench *b, const char *prefix, const char *role, const char *name,
                        const char *letters, int64_t length)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s.%s.fa", prefix, role) >= (int)sizeof path)
        return bench_fail(b, "the path %s is too long", prefix);
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return bench_fail(b, "cannot write %s", path);
    fprintf(file, ">%s %s\n", role, name);
    for (int64_t at = 0; at < length; at += LINE_LETTERS) {
        const int64_t rest = length - at;
        fwrite(letters + at, 1, (size_t)(rest < LINE_LETTERS ? rest : LINE_LETTERS), file);
        fputc('\n', file);
    }
    const bool good = !ferror(file);
    if (fclose(file) != 0 || !good)
        return bench_fail(b, "%s could not be written", path);
    printf("%s: %" PRId64 " letters\n", path, length);
    return true;
}

bool bench_pair_write(bench *b, const bench_pair *pair)
{
    if (b->written)
        return bench_fail(b, "--write: %s would replace another pair; choose one with --only",
                          pair->name);
    b->written = true;
    return write_fasta(b, b->write, "target", pair->name, pair->target, pair->target_length) &&
           write_fasta(b, b->write, "query", pair->name, pair->query, pair->query_length);
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
