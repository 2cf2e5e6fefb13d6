/* SPDX-License-Identifier: MIT */
/*
 * The distances of many pairs by the public library, for src/package/python/tests/measure.py:
 *
 *     many_pairs FILE LENGTH
 *
 * FILE holds all targets of LENGTH bases, then as many queries. Each line of the input asks for
 * them once more; the answer is a line with their sum.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "rhomb/batch.h"

int main(int argc, char **argv)
{
    rhomb_context *ctx = NULL;
    FILE *file = argc == 3 ? fopen(argv[1], "rb") : NULL;
    const int64_t length = argc == 3 ? strtoll(argv[2], NULL, 10) : 0;
    if (file == NULL || length < 1 || fseek(file, 0, SEEK_END) != 0)
        return 2;
    const size_t bytes = (size_t)ftell(file), count = bytes / 2 / (size_t)length;
    char *bases = malloc(bytes);
    rhomb_pair *pairs = malloc(count * sizeof *pairs);
    int64_t *distances = malloc(count * sizeof *distances);
    rewind(file);
    bool fine = bases != NULL && pairs != NULL && distances != NULL &&
                fread(bases, 1, bytes, file) == bytes &&
                rhomb_context_create(&ctx, NULL) == RHOMB_OK;
    for (size_t i = 0; fine && i < count; i++) {
        const char *target = bases + i * (size_t)length;
        pairs[i] = (rhomb_pair){target, length, target + bytes / 2, length};
    }
    while (fine && getchar() == '\n') {
        int64_t sum = 0;
        fine = rhomb_batch_distances(ctx, pairs, count, NULL, distances, NULL) == RHOMB_OK;
        for (size_t i = 0; fine && i < count; i++)
            sum += distances[i];
        printf("%" PRId64 "\n", sum);
        fflush(stdout);
    }
    if (!fine)
        fprintf(stderr, "many_pairs: %s\n", ctx != NULL ? rhomb_context_error(ctx) : "no context");
    rhomb_context_destroy(ctx);
    free(distances);
    free(pairs);
    free(bases);
    fclose(file);
    return fine ? 0 : 1;
}
