/* SPDX-License-Identifier: MIT */
/*
 * Where pairs come from: files of a folder, or a generator with a fixed seed; and where they go,
 * files for other programs.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "tests/reference/random_bases.h"

#define SEED UINT64_C(20231119)

/* Bases of a line in FASTA files; of those like an assembly's, the lines of N, and how many in
 * turns are in upper and in lower case. */
#define LINE_BASES     80
#define ASSEMBLY_BASES 60
#define LINES_OF_N     1000
#define MASKED_LINES   20

int64_t bench_scaled(const bench *b, int64_t length)
{
    const int64_t scaled = (int64_t)((double)length * b->scale);
    return scaled < 64 ? 64 : scaled;
}

/* Room for a pair, to be filled at memory[i] + 1. */
static bool allocate(bench *b, int64_t target_length, int64_t query_room, bench_pair *pair)
{
    const int64_t rooms[] = {target_length, query_room};
    for (int i = 0; i < 2; i++) {
        pair->memory[i] = malloc((size_t)rooms[i] + 1);
        if (pair->memory[i] == NULL) {
            bench_pair_release(pair);
            return bench_fail(b, "out of memory for %s", pair->name);
        }
        pair->memory[i][0] = 'N'; /* for bench_pair_with_n() */
    }
    pair->target = pair->memory[0] + 1;
    pair->target_length = target_length;
    pair->query = pair->memory[1] + 1;
    return true;
}

static bool generate(bench *b, const bench_source *source, bench_pair *pair)
{
    const random_recipe *recipe = source->recipe;
    const double scale = recipe != NULL ? source->scale * b->scale : 0;
    const int64_t n = recipe != NULL ? (int64_t)((double)recipe->length * scale)
                                     : bench_scaled(b, source->length);
    const int64_t m = source->query_length > 0 ? bench_scaled(b, source->query_length) : 0;
    const int64_t room = recipe != NULL ? n + n / 2 + 1000 : m > 0 ? m : 2 * n;
    uint64_t state = SEED ^ (uint64_t)n;
    snprintf(pair->name, sizeof pair->name, "%s", source->name);
    if (!allocate(b, n, room, pair))
        return false;
    if (recipe != NULL) {
        pair->query_length =
            random_pieces(recipe, scale, pair->memory[0] + 1, n, pair->memory[1] + 1, room);
        if (pair->query_length >= 0)
            return true;
        bench_pair_release(pair);
        return bench_fail(b, "%s: no room for its pieces", source->name);
    }
    random_bases(pair->memory[0] + 1, n, &state);
    if (m > 0)
        random_bases(pair->memory[1] + 1, m, &state);
    pair->query_length =
        m > 0 ? m : random_edits(pair->target, n, source->rate, &state, pair->memory[1] + 1);
    return true;
}

/* Puts upper-case copies into memory. */
static bool fold(bench *b, bench_pair *pair)
{
    const char *from[] = {pair->target, pair->query};
    const int64_t lengths[] = {pair->target_length, pair->query_length};
    if (!allocate(b, lengths[0], lengths[1], pair))
        return false;
    for (int i = 0; i < 2; i++)
        for (int64_t at = 0; at < lengths[i]; at++)
            pair->memory[i][at + 1] = (char)toupper((unsigned char)from[i][at]);
    return true;
}

static bool read_files(bench *b, const bench_source *source, bench_pair *pair)
{
    const char *const *files = source->files;
    snprintf(pair->name, sizeof pair->name, "%s x %s", files[0], files[1]);
    if (b->data == NULL)
        return bench_fail(b, "name the folder of %s.fa.gz with --data or RHOMB_DATA", files[0]);
    const double began = bench_now();
    for (int i = 0; i < 2; i++) {
        char path[BENCH_PATH_BYTES];
        snprintf(path, sizeof path, "%s/%s.fa.gz", b->data, files[i]);
        if (rhomb_sequence_read(b->ctx, path, NULL, &pair->sequences[i]) != RHOMB_OK) {
            bench_pair_release(pair);
            return bench_fail(b, "%s", rhomb_context_error(b->ctx));
        }
    }
    pair->read_seconds = bench_now() - began;
    pair->target = rhomb_sequence_bases(pair->sequences[0]);
    pair->target_length = rhomb_sequence_length(pair->sequences[0]);
    pair->query = rhomb_sequence_bases(pair->sequences[1]);
    pair->query_length = rhomb_sequence_length(pair->sequences[1]);
    return !source->fold || fold(b, pair);
}

bool bench_pair_make(bench *b, const bench_source *source, bench_pair *pair)
{
    memset(pair, 0, sizeof *pair);
    return source->files[0] != NULL ? read_files(b, source, pair) : generate(b, source, pair);
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

bool bench_fasta_write(bench *b, const char *path, const char *title, const char *bases,
                       int64_t length, bool like_an_assembly)
{
    char line[LINE_BASES + 1];
    const int64_t width = like_an_assembly ? ASSEMBLY_BASES : LINE_BASES;
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return bench_fail(b, "cannot write %s", path);
    fprintf(file, ">%s\n", title);
    memset(line, 'N', (size_t)width);
    line[width] = '\n';
    for (int i = 0; like_an_assembly && i < LINES_OF_N; i++)
        fwrite(line, 1, (size_t)width + 1, file);
    for (int64_t at = 0, number = 0; at < length; at += width, number++) {
        const int64_t rest = length - at;
        const int64_t count = rest < width ? rest : width;
        const bool masked = like_an_assembly && number / MASKED_LINES % 2 == 1;
        for (int64_t i = 0; i < count; i++)
            line[i] = (char)(bases[at + i] + (masked ? 'a' - 'A' : 0));
        line[count] = '\n';
        fwrite(line, 1, (size_t)count + 1, file);
    }
    const bool good = !ferror(file);
    if (fclose(file) != 0 || !good)
        return bench_fail(b, "%s could not be written", path);
    return true;
}

bool bench_pair_write(bench *b, const bench_pair *pair)
{
    const char *const roles[] = {"target", "query"};
    const char *const bases[] = {pair->target, pair->query};
    const int64_t lengths[] = {pair->target_length, pair->query_length};
    if (b->written)
        return bench_fail(b, "--write: %s would replace another pair; choose one with --only",
                          pair->name);
    b->written = true;
    for (int i = 0; i < 2; i++) {
        char path[BENCH_PATH_BYTES], title[128];
        if (snprintf(path, sizeof path, "%s.%s.fa", b->write, roles[i]) >= (int)sizeof path)
            return bench_fail(b, "the path %s is too long", b->write);
        snprintf(title, sizeof title, "%s %s", roles[i], pair->name);
        if (!bench_fasta_write(b, path, title, bases[i], lengths[i], false))
            return false;
        printf("%s: %" PRId64 " bases\n", path, lengths[i]);
    }
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
