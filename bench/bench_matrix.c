/* SPDX-License-Identifier: MIT */
/*
 * The suite `matrix`: unrelated letters, from 100 kbp to 24 Mbp. Each pair is measured twice: as
 * "matrix" by a sweep whose first band is as wide as can be, which is the rate of a busy device,
 * and as "unrelated" the way a user asks for it, where the engine chooses the band.
 *
 * GCUPS counts the cells of the whole matrix. A band never holds those that are further from both
 * ends' diagonals than any path can go, so that fewer cells are computed: both rates are printed.
 */
#include "bench.h"

#include <string.h>

/* The longest pairs for which edlib is worth waiting for: a second or two. */
#define EDLIB_LENGTH 200000

static const char BY_EDLIB[] = "edlib";

static const struct {
    const char *sizes;
    int64_t target_length;
    int64_t query_length;
} PAIRS[] = {
    {"100 k x 100 k", 100000, 100000},       {"162 k x 172 k", 162000, 172000},
    {"1.04 M x 1.07 M", 1040000, 1070000},   {"3.15 M x 3.28 M", 3150000, 3280000},
    {"23.0 M x 24.5 M", 23000000, 24500000},
};

enum { PAIR_COUNT = sizeof PAIRS / sizeof PAIRS[0] };

static int64_t longer_of(const bench_pair *pair)
{
    return pair->target_length > pair->query_length ? pair->target_length : pair->query_length;
}

/* The margins of strips can make it more than all. */
static void print_share(const rhomb_report *r)
{
    printf("%-34s %.0f %% of the matrix computed\n", "",
           100 * (double)r->cells / ((double)r->target_length * (double)r->query_length));
}

/* Both rows; what the first one finds out, the second one has to find as well. */
static void run_rows(bench *b, const char *whole, const char *plain, const bench_pair *pair)
{
    bench_case c = {.suite = "matrix",
                    .name = whole,
                    .pair = pair,
                    .engine = RHOMB_ENGINE_BITPARALLEL,
                    .tuning = b->tuning,
                    .max_distance = RHOMB_NO_LIMIT,
                    .distance = BENCH_UNKNOWN,
                    .repeat = b->repeat,
                    .verify_first = true,
                    .once_when_long = true};
    bench_runs runs = {0};
    if (longer_of(pair) <= EDLIB_LENGTH && bench_has_edlib()) {
        c.distance = bench_edlib_distance(pair, NULL);
        c.verified_by = BY_EDLIB;
    }
    c.tuning.first_beside = longer_of(pair);
    if (bench_wants(b, whole) && bench_run_checked(b, &c, true, &runs) && runs.count > 0)
        print_share(&runs.report);
    memset(&runs, 0, sizeof runs);
    c.name = plain;
    c.engine = bench_engine(b, RHOMB_ENGINE_AUTO);
    c.tuning = b->tuning;
    if (bench_wants(b, plain))
        bench_run_checked(b, &c, true, &runs);
}

bool bench_suite_matrix(bench *b)
{
    for (int i = 0; i < PAIR_COUNT; i++) {
        bench_pair pair;
        char whole[64], plain[64];
        snprintf(whole, sizeof whole, "matrix %s", PAIRS[i].sizes);
        snprintf(plain, sizeof plain, "unrelated %s", PAIRS[i].sizes);
        if ((!bench_wants(b, whole) && !bench_wants(b, plain)) ||
            bench_scaled(b, PAIRS[i].query_length) > b->max_length)
            continue;
        if (!bench_pair_unrelated(b, plain, PAIRS[i].target_length, PAIRS[i].query_length, &pair))
            return false;
        bool good = true;
        if (b->instead != NULL)
            good = b->instead(b, &pair);
        else
            run_rows(b, whole, plain, &pair);
        bench_pair_release(&pair);
        if (!good)
            return false;
    }
    return true;
}
