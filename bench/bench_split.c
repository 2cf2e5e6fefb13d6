/* SPDX-License-Identifier: MIT */
/*
 * bench_split COUNT LENGTH ERROR [GROUP [IN_PLACE [DEVICE]]]: splits COUNT problems of LENGTH
 * letters with that share of edits in one call (host/divide/split.c), five times, and prints the
 * median: cells a second, and microseconds a column of the largest problem. GROUP 0 lets the
 * library choose. Problems beyond the first 256 are these again. Points are checked by the
 * distances of the parts, of the first few problems, with the library's own engines.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "host/device/context.h"
#include "host/divide/split.h"
#include "host/engines/engine.h"
#include "src/base/clock.h"
#include "src/base/int64.h"
#include "tests/reference/random_bases.h"

enum { DISTINCT = 256, CHECKED = 8, RUNS = 5 };

typedef struct work {
    rhomb_context *ctx;
    char *target, *query;
    int64_t target_length, query_length;
    rhomb_split_pair *pairs;
    rhomb_split_point *points;
    int64_t count, distinct;
} work;

static int fail(work *w)
{
    fprintf(stderr, "bench_split: %s\n", w->ctx != NULL ? rhomb_context_error(w->ctx) : "memory");
    return 1;
}

/* The distance of two ranges; -1 where the library fails. */
static int64_t distance_of(work *w, int64_t target_at, int64_t n, int64_t query_at, int64_t m)
{
    rhomb_result *result = NULL;
    if (rhomb_distance(w->ctx, w->target + target_at, n, w->query + query_at, m, NULL, &result) !=
        RHOMB_OK)
        return -1;
    const int64_t distance = rhomb_result_report(result)->distance;
    rhomb_result_destroy(result);
    return distance;
}

static bool make_problems(work *w, int64_t length, double rate)
{
    uint64_t random = 1;
    w->distinct = rhomb__min(w->count, DISTINCT);
    w->target = malloc((size_t)(w->distinct * length));
    w->query = malloc((size_t)(2 * w->distinct * length));
    w->pairs = calloc((size_t)w->count, sizeof *w->pairs);
    w->points = calloc((size_t)w->count, sizeof *w->points);
    if (w->target == NULL || w->query == NULL || w->pairs == NULL || w->points == NULL)
        return false;
    random_bases(w->target, w->distinct * length, &random);
    for (int64_t i = 0; i < w->count; i++) {
        rhomb_split_pair *p = &w->pairs[i];
        if (i >= w->distinct) {
            *p = w->pairs[i % w->distinct];
            continue;
        }
        p->target_at = w->target_length;
        p->query_at = w->query_length;
        p->target_length = length;
        p->query_length =
            random_edits(w->target + p->target_at, length, rate, &random, w->query + p->query_at);
        p->distance = distance_of(w, p->target_at, length, p->query_at, p->query_length);
        if (p->distance < 1)
            return false;
        w->target_length += length;
        w->query_length += p->query_length;
    }
    return true;
}

/* Whether both parts of the first problems have the distances that they are to have. */
static bool check(work *w)
{
    for (int64_t i = 0; i < rhomb__min(w->distinct, CHECKED); i++) {
        const rhomb_split_pair *p = &w->pairs[i];
        const rhomb_split_point *at = &w->points[i];
        const int64_t first = distance_of(w, p->target_at, at->target, p->query_at, at->query);
        const int64_t second =
            distance_of(w, p->target_at + at->target, p->target_length - at->target,
                        p->query_at + at->query, p->query_length - at->query);
        if (first != (p->distance + 1) / 2 || second != p->distance / 2) {
            fprintf(stderr, "bench_split: problem %lld, distance %lld, has parts %lld and %lld\n",
                    (long long)i, (long long)p->distance, (long long)first, (long long)second);
            return false;
        }
    }
    return true;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static rhomb_status run(work *w, rhomb__splitter *splitter)
{
    rhomb_status status = RHOMB_OK;
    double seconds[RUNS];
    int64_t largest = 0, cells = 0;
    RHOMB_TRY(rhomb__split_solve(splitter, w->pairs, w->count, w->points)); /* builds programs */
    const clock_t used = clock();
    for (int i = 0; i < RUNS; i++) {
        const double began = rhomb__now();
        RHOMB_TRY(rhomb__split_solve(splitter, w->pairs, w->count, w->points));
        seconds[i] = rhomb__now() - began;
    }
    const double processor = (double)(clock() - used) / CLOCKS_PER_SEC / RUNS;
    qsort(seconds, RUNS, sizeof *seconds, compare);
    for (int64_t i = 0; i < w->count; i++) {
        largest = rhomb__max(largest, w->pairs[i].distance);
        cells += rhomb__split_cells(&w->pairs[i]);
    }
    printf("%lld problems, largest distance %lld, %.3e cells: %.6f s, %.3e cells/s, %.3f us a "
           "column; of a processor's time %.3e cells/s\n",
           (long long)w->count, (long long)largest, (double)cells, seconds[RUNS / 2],
           (double)cells / seconds[RUNS / 2], 1e6 * seconds[RUNS / 2] / (double)((largest + 1) / 2),
           (double)cells / processor);
out:
    return status;
}

int main(int argc, char **argv)
{
    rhomb_status status = RHOMB_OK;
    work w = {.ctx = NULL};
    rhomb__splitter *splitter = NULL;
    rhomb__buffer target = {NULL, 0}, query = {NULL, 0};
    rhomb__program *pack = NULL;
    if (argc < 4) {
        fprintf(stderr, "bench_split COUNT LENGTH ERROR [GROUP [IN_PLACE [DEVICE]]]\n");
        return 2;
    }
    w.count = atoll(argv[1]);
    if (rhomb_context_create(&w.ctx, NULL) != RHOMB_OK ||
        rhomb_context_open(w.ctx, argc > 6 ? argv[6] : NULL, 0) != RHOMB_OK ||
        !make_problems(&w, atoll(argv[2]), atof(argv[3])))
        return fail(&w);
    rhomb__codes codes = {{0}, 4};
    for (int i = 0; i < 4; i++)
        codes.code[(unsigned char)"ACGT"[i]] = (uint8_t)i;
    const rhomb__letters in_target = {w.target, w.target_length, &codes, "the target"};
    const rhomb__letters in_query = {w.query, w.query_length, &codes, "the query"};
    const rhomb_plan plan = {.target_length = w.target_length,
                             .query_length = w.query_length,
                             .planes = 2,
                             .directions = 2};
    const rhomb__split_source source = {.target = &target,
                                        .query = &query,
                                        .target_length = w.target_length,
                                        .query_length = w.query_length,
                                        .planes = 2,
                                        .offset_bits = 32,
                                        .tuning = {.group_size = argc > 4 ? atoi(argv[4]) : 0,
                                                   .in_place = argc > 5 ? atoi(argv[5]) : 0}};
    RHOMB_TRY(rhomb__pack_program(w.ctx, &pack));
    RHOMB_TRY(rhomb__engine_pack(w.ctx, &rhomb__engine_wavefront, pack, &plan, &in_target,
                                 &in_query, &target, &query));
    RHOMB_TRY(rhomb__splitter_open(w.ctx, &source, &splitter));
    RHOMB_TRY(run(&w, splitter));
    if (!check(&w))
        status = RHOMB_ERR_INTERNAL;
out:
    if (status != RHOMB_OK)
        fail(&w);
    rhomb__splitter_close(splitter);
    rhomb__buffer_release(w.ctx, &target);
    rhomb__buffer_release(w.ctx, &query);
    rhomb_context_destroy(w.ctx);
    free(w.target);
    free(w.query);
    free(w.pairs);
    free(w.points);
    return status != RHOMB_OK;
}
