/* SPDX-License-Identifier: MIT */
/*
 * Batches with a scoring whose matrices are computed in bit planes (cl/batch/batch_sliced.cl), in
 * the lanes of vectors and in groups as on a GPU: the same results and, byte for byte, the same
 * paths as without them. Those are compared with whole matrices in plain code first.
 *
 *     test_batch_planes CASE [SCORING]
 */
#include "support/amount.h"
#include "support/check.h"
#include "support/mode_check.h"
#include "support/quick_build.h"
#include "support/run.h"
#include "support/test.h"

static session device;
static const char *scoring = "wfa"; /* 4,6,2 */

/* Two sequences of these lengths, one mutated from the other as far as they go. */
static void add_edge(mode_asker *a, int64_t n, int64_t m, double rate, rng *r)
{
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    letters_random(&p.a, "ACGT", n, r);
    letters_mutate(&p.b, &p.a, rate, "ACGT", r);
    if (p.b.length < m)
        letters_random(&p.b, "ACGT", m - p.b.length, r);
    mode_add(a, p.a.at, n, p.b.at, m);
    pair_release(&p);
}

/* Lengths at the edges of blocks of columns, of words and of strips, of all rates of errors. */
static void add_edges(mode_asker *a, rng *r)
{
    static const int64_t LENGTHS[] = {1,  15, 16,  17,  31,  32,  33,  63,
                                      64, 65, 127, 128, 129, 511, 512, 513};
    static const double RATES[] = {0.02, 0.1, 0.3, 1};
    for (size_t i = 0; i < COUNT(LENGTHS); i++)
        for (size_t k = 0; k < COUNT(LENGTHS); k++)
            add_edge(a, LENGTHS[i], LENGTHS[k], RATES[(i + k) % COUNT(RATES)], r);
}

/* Long gaps, repeats, IUPAC codes, empty sequences, and pairs that small memory has no room for. */
static void add_others(mode_asker *a, rng *r)
{
    mode_add_random(a, 110, 300, r);
    add_edge(a, 2000, 2040, 0.2, r);
    add_edge(a, 2100, 300, 0.1, r);
    mode_add(a, NULL, 0, "ACGT", 4);
    mode_add(a, "ACGT", 4, NULL, 0);
    mode_add(a, NULL, 0, NULL, 0);
}

static mode_asker asker_of(rhomb_mode mode)
{
    rng r = rng_for("planes", mode);
    mode_asker a = mode_asker_of(device.ctx, scoring, mode);
    add_edges(&a, &r);
    add_others(&a, &r);
    mode_draw(&a, &r);
    a.mode.z_drop = -1;
    return a;
}

/* Results without bit planes, which the oracle has seen: the asker's next ones have to be like
 * these. */
static void make_like(mode_asker *a)
{
    a->like = NULL;
    a->tuning.group_size = 1;
    a->tuning.bit_planes = 2;
    mode_ask(a);
    a->like = mode_results(a);
}

static void release(mode_asker *a)
{
    rhomb_batch_results_destroy(a->like);
    mode_release(a);
}

/* In all ways with groups of that size. */
static void ask_groups(mode_asker *a, int32_t group)
{
    for (int planes = 0; planes < 3; planes++) {
        a->tuning.group_size = group;
        a->tuning.bit_planes = planes;
        /* A share of it: one of them for each group and mode, in turns. */
        if (amount_is_whole() || planes == (group + (int)a->mode.mode) % 3)
            mode_ask(a);
    }
}

/* End to end: with all memory, with little, in several jobs, and where wavefronts come first. */
static void check_global(int32_t group)
{
    mode_asker a = asker_of(RHOMB_MODE_GLOBAL);
    make_like(&a);
    ask_groups(&a, group);
    a.tuning.bit_planes = 1;
    a.tuning.column_bytes = INT64_C(1) << 20;
    mode_ask_one(&a);
    a.tuning.bit_planes = 0;
    mode_ask_one(&a);
    a.tuning.job_bases = 16384;
    a.tuning.workers = 1; /* a job begins where the one before suggests */
    mode_ask_one(&a);
    a.tuning.job_bases = 0;
    a.tuning.first_limit = 5;
    a.tuning.last_limit = 20;
    mode_ask_one(&a);
    release(&a);
}

static void test_groups(void **state)
{
    check_global(8);
}

/* Pairs in the lanes of vectors. */
static void test_lanes(void **state)
{
    check_global(1);
}

/* As many work-items as GPUs have. */
static void test_waves(void **state)
{
    check_global(32);
}

/* Costs alone, whose work-items have more rows, and limits at and beside what pairs cost. */
static void test_costs(void **state)
{
    rng r = rng_for("planes costs", 0);
    mode_asker a = asker_of(RHOMB_MODE_GLOBAL);
    add_edge(&a, 33000, 60, 0.1, &r);
    add_edge(&a, 60, 33000, 0.1, &r);
    make_like(&a);
    for (int round = 0; round < 8; round++) {
        const rhomb_pair_result *some = a.like[rng_below(&r, a.count)];
        a.tuning.group_size = round < 4 ? 8 : 1;
        a.tuning.bit_planes = round % 2;
        a.cigar = round % 4 > 1;
        mode_ask_one(&a);
        for (int64_t beside = -1; beside <= 1; beside++) {
            a.max_distance = some->distance + beside >= 0 ? some->distance + beside : 0;
            mode_ask_one(&a);
        }
        a.max_distance = RHOMB_NO_LIMIT;
    }
    release(&a);
}

static void check_mode(rhomb_mode mode)
{
    mode_asker a = asker_of(mode);
    make_like(&a);
    ask_groups(&a, 8);
    ask_groups(&a, 1);
    a.tuning.bit_planes = 1;
    a.tuning.column_bytes = INT64_C(1) << 20;
    mode_ask_one(&a);
    release(&a);
}

static void test_ends_free(void **state)
{
    check_mode(RHOMB_MODE_ENDS_FREE);
}

static void test_extend(void **state)
{
    check_mode(RHOMB_MODE_EXTEND);
}

static void test_local(void **state)
{
    check_mode(RHOMB_MODE_LOCAL);
}

/*
 * A path that the kernels still find, and one that is not theirs, as the matrix would take too much
 * memory: that of the engines for long pairs, whatever computes the cost. And longer sequences than
 * bit planes are for, beside short ones.
 */
static void test_long(void **state)
{
    rng r = rng_for("planes long", 0);
    mode_asker a = mode_asker_of(device.ctx, scoring, RHOMB_MODE_GLOBAL);
    add_edge(&a, 5500, 5500, 1, &r);
    add_edge(&a, 6000, 6000, 1, &r);
    add_edge(&a, 33000, 60, 0.1, &r);
    add_edge(&a, 60, 33000, 0.1, &r);
    add_edge(&a, 100, 100, 0.1, &r);
    make_like(&a);
    ask_groups(&a, 1);
    a.tuning.group_size = 8;
    a.tuning.bit_planes = 1;
    mode_ask_one(&a);
    release(&a);
}

/*
 * A few longer pairs among short ones, with memory from so little that none of them has room to so
 * much that the first level of bit planes has: those in between are the second's.
 */
static void test_mixed(void **state)
{
    rng r = rng_for("planes mixed", 0);
    mode_asker a = mode_asker_of(device.ctx, scoring, RHOMB_MODE_GLOBAL);
    for (int i = 0; i < 80; i++)
        add_edge(&a, 60 + rng_below(&r, 80), 60 + rng_below(&r, 80), 0.1, &r);
    for (int64_t length = 700; length <= 2800; length *= 2)
        add_edge(&a, length, length + 9, 0.1, &r);
    make_like(&a);
    a.tuning.bit_planes = 1;
    for (int64_t bytes = INT64_C(1) << 20; bytes <= INT64_C(1) << 28; bytes *= 4)
        for (int32_t group = 1; group <= 8; group *= 8) {
            a.tuning.column_bytes = bytes;
            a.tuning.group_size = group;
            mode_ask_one(&a);
        }
    release(&a);
}

/* A pair whose path is along an edge of the band of its cost: a gap there, and later one back. */
static void add_detour(mode_asker *a, int64_t length, int64_t gap, bool right, rng *r)
{
    letters from = {NULL, 0, 0}, more = {NULL, 0, 0}, to = {NULL, 0, 0};
    letters_random(&from, "ACGT", length, r);
    letters_random(&more, "ACGT", gap, r);
    letters_append(&to, from.at, length / 5);
    letters_append(&to, from.at + length / 5 + gap, length / 2);
    letters_append(&to, more.at, gap);
    letters_append(&to, from.at + length / 5 + gap + length / 2,
                   length - length / 5 - gap - length / 2);
    if (right)
        mode_add(a, from.at, from.length, to.at, to.length);
    else
        mode_add(a, to.at, to.length, from.at, from.length);
    free(from.at);
    free(more.at);
    free(to.at);
}

/* Pairs of some thousand bases, some with a gap of hundreds, in memory for few of their strips. */
static void test_chunks(void **state)
{
    static const rhomb_mode MODES[] = {RHOMB_MODE_GLOBAL, RHOMB_MODE_ENDS_FREE};
    static const struct way {
        int32_t group, mebibytes;
    } WAYS[] = {{1, 16}, {8, 2}, {32, 4}};
    for (size_t k = 0; k < COUNT(MODES); k++) {
        rng r = rng_for("planes chunks", (int)k);
        mode_asker a = mode_asker_of(device.ctx, scoring, MODES[k]);
        for (int i = 0; i < 12; i++) {
            const int64_t length = 1000 + rng_below(&r, 800);
            if (i < 4) /* the largest reach of all */
                add_detour(&a, length, 300, i % 2, &r);
            else
                add_edge(&a, length, length + i - 8, 0.01, &r);
        }
        mode_draw(&a, &r);
        a.mode.z_drop = -1;
        make_like(&a);
        a.tuning.bit_planes = 1;
        for (size_t i = 0; i < COUNT(WAYS); i++) {
            a.tuning.group_size = WAYS[i].group;
            a.tuning.column_bytes = (int64_t)WAYS[i].mebibytes << 20;
            mode_ask(&a);
        }
        release(&a);
    }
}

/* An empty sequence beside one whose gap costs more than the kernels count to. */
static void test_empty(void **state)
{
    enum { BASES = 600000 };
    char *bases = malloc(BASES);
    assert_non_null(bases);
    memset(bases, 'A', BASES);
    mode_asker a = mode_asker_of(device.ctx, "affine:3,0,1000", RHOMB_MODE_GLOBAL);
    a.cigar = false;
    mode_add(&a, bases, BASES, "", 0);
    mode_add(&a, "", 0, bases, BASES);
    for (int32_t planes = 1; planes <= 2; planes++) {
        a.tuning.bit_planes = planes;
        mode_ask(&a);
    }
    mode_release(&a);
    free(bases);
}

static const struct CMUnitTest TESTS[] = {
    {"groups", test_groups, NULL, NULL, NULL},       {"lanes", test_lanes, NULL, NULL, NULL},
    {"waves", test_waves, NULL, NULL, NULL},         {"costs", test_costs, NULL, NULL, NULL},
    {"ends_free", test_ends_free, NULL, NULL, NULL}, {"extend", test_extend, NULL, NULL, NULL},
    {"local", test_local, NULL, NULL, NULL},         {"long", test_long, NULL, NULL, NULL},
    {"mixed", test_mixed, NULL, NULL, NULL},         {"empty", test_empty, NULL, NULL, NULL},
    {"chunks", test_chunks, NULL, NULL, NULL},
};

int main(int argc, char **argv)
{
    if (argc > 2)
        scoring = argv[2];
    quick_builds = argc > 1 && strcmp(argv[1], "long") != 0;
    return session_run(&device, TESTS, argc > 1 ? argv[1] : NULL);
}
