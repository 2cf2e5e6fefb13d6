/* SPDX-License-Identifier: MIT */
/*
 * Batches with a scoring, in every mode, against whole matrices in plain code: scores, begins and
 * ends by the rules of rhomb/batch.h, and paths that have the score. All tiny pairs, random
 * families, lengths at the edges of strips, bits and bins, and the same pairs in other orders.
 *
 *     test_batch_modes CASE [PERCENT]    PERCENT of the random pairs, 100 unless told
 */
#include "rhomb/scoring.h"
#include "support/affine_pair.h"
#include "support/check.h"
#include "support/test.h"
#include "tests/reference/gotoh_modes.h"

static session device;
static int64_t percent = 100;

/* Pairs, and what a batch has said of them. */
typedef struct asked {
    const char *scoring;
    oracle_mode mode;
    oracle_penalties penalties;
    bool cigar;
    bool ends_only;
    rhomb_batch_tuning tuning;
    rhomb_pair *pairs;
    int64_t count;
    int64_t delivered;
    rhomb_pair_extent *expected; /* NULL: by the oracle */
    rhomb_pair_extent *got;      /* NULL: not kept */
    int64_t operations;          /* a digest of all paths */
} asked;

static const char *const MODE_NAMES[] = {"global", "ends-free", "extend", "local"};

static oracle_penalties penalties_of(const char *text)
{
    rhomb_scoring s;
    assert_int_equal(rhomb_scoring_parse(device.ctx, text, &s), RHOMB_OK);
    return (oracle_penalties){.mismatch = s.mismatch,
                              .pieces = s.gap_open_2 >= 0 ? 2 : 1,
                              .open = {s.gap_open, s.gap_open_2},
                              .extend = {s.gap_extend, s.gap_extend_2},
                              .match = s.match};
}

/* ------------------------------------------------------------------- judging */

static void fail_pair(const asked *a, int64_t index, const char *why,
                      const rhomb_pair_extent *expected, const rhomb_pair_result *r)
{
    const rhomb_pair *p = &a->pairs[index];
    const rhomb_pair_extent none = {0};
    const rhomb_pair_extent *got = r->extent != NULL ? r->extent : &none;
    const rhomb_free_ends *f = &a->mode.free_ends;
    fprintf(stderr, "seed: RHOMB_TEST_SEED=%llu, device %s\n", (unsigned long long)rng_seed(),
            rhomb_context_device(device.ctx)->name);
    fprintf(stderr, "printf '>%.*s\\n<%.*s\\n' | rhomb batch --score %s --mode %s",
            (int)p->query_length, p->query, (int)p->target_length, p->target, a->scoring,
            MODE_NAMES[a->mode.mode]);
    if (a->mode.mode == RHOMB_MODE_ENDS_FREE)
        fprintf(stderr, " --free-ends %lld,%lld,%lld,%lld", (long long)f->query_begin,
                (long long)f->query_end, (long long)f->target_begin, (long long)f->target_end);
    if (a->mode.z_drop >= 0)
        fprintf(stderr, " --z-drop %lld", (long long)a->mode.z_drop);
    fprintf(stderr, " --end-bonus %lld%s --tune group=%d -\n", (long long)a->mode.end_bonus,
            a->cigar ? " --cigar" : "", (int)a->tuning.group_size);
    fail_msg("pair %lld: %s: %lld, target %lld to %lld, query %lld to %lld, not %lld, %lld to "
             "%lld, %lld to %lld%s%s",
             (long long)index, why, (long long)got->score, (long long)got->target_begin,
             (long long)got->target_end, (long long)got->query_begin, (long long)got->query_end,
             (long long)expected->score, (long long)expected->target_begin,
             (long long)expected->target_end, (long long)expected->query_begin,
             (long long)expected->query_end, r->detail != NULL ? ": " : "",
             r->detail != NULL ? r->detail : "");
}

static bool same_extent(const rhomb_pair_extent *a, const rhomb_pair_extent *b, bool begins)
{
    return a->score == b->score && a->target_end == b->target_end && a->query_end == b->query_end &&
           a->reached_end == b->reached_end &&
           (!begins || (a->target_begin == b->target_begin && a->query_begin == b->query_begin));
}

static void judge(asked *a, int64_t index, const rhomb_pair_result *r)
{
    const rhomb_pair *p = &a->pairs[index];
    const bool begins =
        !a->ends_only || a->mode.mode == RHOMB_MODE_EXTEND || a->mode.mode == RHOMB_MODE_GLOBAL;
    const rhomb_pair_extent expected =
        a->expected != NULL ? a->expected[index]
                            : oracle_mode_extent(p->target, p->target_length, p->query,
                                                 p->query_length, &a->penalties, &a->mode, NULL);
    const char *why = NULL;
    if (r->status != RHOMB_OK || r->extent == NULL)
        why = "no result";
    else if (!same_extent(r->extent, &expected, begins))
        why = "another alignment";
    else if (!begins && (r->extent->target_begin != -1 || r->extent->query_begin != -1))
        why = "a begin that was not asked for";
    else if (a->cigar)
        why = oracle_mode_judge(p, r->extent, r->cigar, r->cigar_count, &a->penalties);
    if (why != NULL)
        fail_pair(a, index, why, &expected, r);
    if (a->got != NULL)
        a->got[index] = *r->extent;
    for (int64_t i = 0; i < r->cigar_count; i++)
        a->operations += (index + 1) * (int64_t)r->cigar[i] * (i + 1);
}

static int take(int64_t first, const rhomb_pair_result *const *results, size_t count, void *user)
{
    asked *a = user;
    assert_int_equal(first, a->delivered);
    for (size_t i = 0; i < count; i++)
        judge(a, first + (int64_t)i, results[i]);
    a->delivered += (int64_t)count;
    return 0;
}

static void ask(asked *a)
{
    rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
    rhomb_batch *batch = NULL;
    rhomb_scoring scoring;
    assert_int_equal(rhomb_scoring_parse(device.ctx, a->scoring, &scoring), RHOMB_OK);
    a->penalties = penalties_of(a->scoring);
    a->delivered = a->operations = 0;
    options.scoring = &scoring;
    options.mode = a->mode.mode;
    options.free_ends = a->mode.free_ends;
    options.z_drop = a->mode.z_drop;
    options.end_bonus = a->mode.end_bonus;
    options.cigar = a->cigar;
    options.ends_only = a->ends_only;
    options.tuning = &a->tuning;
    options.results = take;
    options.user = a;
    rhomb_status status = rhomb_batch_create(device.ctx, &options, &batch);
    if (status == RHOMB_OK)
        status = rhomb_batch_add(batch, a->pairs, (size_t)a->count);
    if (status == RHOMB_OK)
        status = rhomb_batch_finish(batch);
    if (status != RHOMB_OK)
        fail_msg("%s %s: %s", a->scoring, MODE_NAMES[a->mode.mode],
                 rhomb_context_error(device.ctx));
    assert_int_equal(a->delivered, a->count);
    rhomb_batch_destroy(batch);
}

static asked asked_of(const char *scoring, rhomb_mode mode)
{
    return (asked){.scoring = scoring,
                   .mode = {.mode = mode, .z_drop = -1},
                   .cigar = true,
                   .tuning = RHOMB_BATCH_TUNING_INIT};
}

/* ---------------------------------------------------------------------- pairs */

static char *copy(const char *text, int64_t length)
{
    char *own = malloc((size_t)length + 1);
    assert_non_null(own);
    memcpy(own, text != NULL ? text : "", (size_t)length);
    return own;
}

static void add(asked *a, const char *target, int64_t n, const char *query, int64_t m)
{
    a->pairs = realloc(a->pairs, (size_t)(a->count + 1) * sizeof *a->pairs);
    assert_non_null(a->pairs);
    a->pairs[a->count++] = (rhomb_pair){copy(target, n), n, copy(query, m), m};
}

static void release(asked *a)
{
    for (int64_t i = 0; i < a->count; i++) {
        free((void *)(uintptr_t)a->pairs[i].target);
        free((void *)(uintptr_t)a->pairs[i].query);
    }
    free(a->pairs);
    a->pairs = NULL;
    a->count = 0;
}

/* Lengths at the edges of words, lanes, blocks and strips, and others. */
static int64_t draw_length(rng *r, int64_t most)
{
    static const int64_t EDGES[] = {4, 8, 16, 32, 64, 128, 256};
    const int64_t length = rng_chance(r, 0.4)
                               ? EDGES[rng_below(r, COUNT(EDGES))] + rng_between(r, -1, 1)
                               : rng_below(r, most) + 1;
    return length < most ? length : most;
}

static void add_random(asked *a, int64_t count, int64_t most, rng *r)
{
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (int64_t i = 0; i < count; i++) {
        affine_family family = (affine_family)(i % AFFINE_FAMILY_COUNT);
        if (family == AFFINE_STRIPS) /* thousands of bases */
            family = AFFINE_ACROSS;
        affine_pair_make(family, draw_length(r, most), r, &p);
        add(a, p.a.at, p.a.length, p.b.at, p.b.length);
    }
    pair_release(&p);
}

static void draw_mode(asked *a, rng *r)
{
    a->mode.free_ends = (rhomb_free_ends){0, 0, 0, 0};
    a->mode.z_drop = -1;
    a->mode.end_bonus = 0;
    if (a->mode.mode == RHOMB_MODE_ENDS_FREE)
        a->mode.free_ends = (rhomb_free_ends){
            rng_below(r, 4) * rng_below(r, 40), rng_below(r, 4) * rng_below(r, 40),
            rng_below(r, 4) * rng_below(r, 40), rng_below(r, 4) * rng_below(r, 40)};
    if (a->mode.mode != RHOMB_MODE_EXTEND)
        return;
    a->mode.z_drop = rng_chance(r, 0.3) ? -1 : rng_below(r, 100);
    a->mode.end_bonus = rng_chance(r, 0.5) ? 0 : rng_below(r, 30);
}

/* ---------------------------------------------------------------------- tests */

/* The string over {A, C} with that number: its bits, after a 1. */
static int64_t string_of(char *to, int number)
{
    int64_t length = 0;
    for (; number > 1; number >>= 1)
        to[length++] = (number & 1) != 0 ? 'C' : 'A';
    return length;
}

/* All pairs of strings of up to 4 letters, with all small limits. */
static void test_exhaustive(void **state)
{
    static const char *const SCORINGS[] = {"match:2,4,4,2", "match:1,1,0,1", "match:3,0,0,0",
                                           "match:2,3,2,2,4,1"};
    char target[8], query[8];
    for (size_t s = 0; s < COUNT(SCORINGS); s++) {
        asked a = asked_of(SCORINGS[s], RHOMB_MODE_LOCAL);
        for (int x = 1; x < 32; x++)
            for (int y = 1; y < 32; y++)
                add(&a, target, string_of(target, x), query, string_of(query, y));
        for (int mode = RHOMB_MODE_GLOBAL; mode <= RHOMB_MODE_LOCAL; mode++) {
            a.mode.mode = (rhomb_mode)mode;
            for (int limits = 0; limits < (mode == RHOMB_MODE_ENDS_FREE ? 16 : 1); limits++) {
                a.mode.free_ends =
                    (rhomb_free_ends){limits & 1, (limits & 2) / 2, limits & 4, (limits & 8) / 4};
                ask(&a);
            }
        }
        a.mode = (oracle_mode){.mode = RHOMB_MODE_EXTEND, .z_drop = -1};
        for (int64_t bonus = 0; bonus < 4; bonus++)
            for (int64_t drop = -1; drop < 6; drop += 2) {
                a.mode.z_drop = drop;
                a.mode.end_bonus = bonus;
                ask(&a);
            }
        release(&a);
    }
}

static const char *const SETS[] = {"match:2,4,4,2",      "asm20",         "map-ont",
                                   "match:5,4,10,1",     "match:1,3,0,2", "wfa",
                                   "affine2p:4,6,2,20,1"};

static void check_random(rhomb_mode mode, int64_t count, const rhomb_batch_tuning *tuning,
                         const char *name)
{
    for (size_t s = 0; s < COUNT(SETS); s++) {
        rng r = rng_for(name, (int64_t)(s * 8 + mode));
        asked a = asked_of(SETS[s], mode);
        const bool no_match = penalties_of(SETS[s]).match == 0;
        if (tuning != NULL)
            a.tuning = *tuning;
        if (no_match && (mode == RHOMB_MODE_LOCAL || mode == RHOMB_MODE_EXTEND))
            continue;
        for (int round = 0; round < 4; round++) {
            add_random(&a, count * percent / 400 + 1, round == 0 ? 400 : 120, &r);
            draw_mode(&a, &r);
            a.cigar = round != 2;
            a.ends_only = round == 2;
            ask(&a);
            release(&a);
        }
    }
}

static void test_global(void **state)
{
    check_random(RHOMB_MODE_GLOBAL, 4000, NULL, "modes global");
}

static void test_ends_free(void **state)
{
    check_random(RHOMB_MODE_ENDS_FREE, 4000, NULL, "modes ends");
}

static void test_extend(void **state)
{
    check_random(RHOMB_MODE_EXTEND, 5000, NULL, "modes extend");
}

static void test_local(void **state)
{
    check_random(RHOMB_MODE_LOCAL, 5000, NULL, "modes local");
}

/* Groups as on a GPU, low limits, little memory, small jobs. */
static void check_tuned(rhomb_mode mode)
{
    static const int32_t GROUPS[] = {8, 1, 8}, FIRST[] = {0, 3, 0}, LAST[] = {0, 20, 0};
    static const int64_t JOBS[] = {0, 0, 16384};
    for (size_t i = 0; i < COUNT(GROUPS); i++) {
        rhomb_batch_tuning tuning = RHOMB_BATCH_TUNING_INIT;
        tuning.group_size = GROUPS[i];
        tuning.first_limit = FIRST[i];
        tuning.last_limit = LAST[i];
        tuning.job_bases = JOBS[i];
        tuning.column_bytes = INT64_C(1) << 20;
        rng r = rng_for("modes tuned", (int64_t)(i * 8 + mode));
        asked a = asked_of(i == 2 ? "match:2,3,2,2,4,1" : "match:2,4,4,2", mode);
        a.tuning = tuning;
        draw_mode(&a, &r);
        add_random(&a, 300, 200, &r);
        ask(&a);
        release(&a);
    }
}

static void test_tuned_global(void **state)
{
    check_tuned(RHOMB_MODE_GLOBAL);
}

static void test_tuned_ends_free(void **state)
{
    check_tuned(RHOMB_MODE_ENDS_FREE);
}

static void test_tuned_extend(void **state)
{
    check_tuned(RHOMB_MODE_EXTEND);
}

static void test_tuned_local(void **state)
{
    check_tuned(RHOMB_MODE_LOCAL);
}

/* The same pairs by their length, backwards and mixed have the same alignments. */
static int compare_lengths(const void *x, const void *y)
{
    const rhomb_pair *a = x, *b = y;
    return (a->query_length > b->query_length) - (a->query_length < b->query_length);
}

static void test_orders(void **state)
{
    for (int mode = RHOMB_MODE_GLOBAL; mode <= RHOMB_MODE_LOCAL; mode++) {
        rng r = rng_for("modes orders", mode);
        asked a = asked_of("match:2,4,4,2", (rhomb_mode)mode);
        draw_mode(&a, &r);
        add_random(&a, 200, 300, &r);
        qsort(a.pairs, (size_t)a.count, sizeof *a.pairs, compare_lengths);
        ask(&a);
        for (int64_t i = 0; i < a.count / 2; i++) {
            const rhomb_pair swap = a.pairs[i];
            a.pairs[i] = a.pairs[a.count - 1 - i];
            a.pairs[a.count - 1 - i] = swap;
        }
        ask(&a);
        for (int64_t i = a.count - 1; i > 0; i--) {
            const int64_t other = rng_below(&r, i + 1);
            const rhomb_pair swap = a.pairs[i];
            a.pairs[i] = a.pairs[other];
            a.pairs[other] = swap;
        }
        ask(&a);
        release(&a);
    }
}

/* Equal sequences whose score is at the limit of 16 bits, and at what the planner allows them. */
static void test_bits(void **state)
{
    asked a = asked_of("match:100,4,4,2", RHOMB_MODE_LOCAL);
    rng r = rng_for("modes bits", 0);
    char bases[400];
    for (size_t i = 0; i < sizeof bases; i++)
        bases[i] = "ACGT"[rng_below(&r, 4)];
    for (int64_t beside = -1; beside <= 1; beside++) {
        add(&a, bases, 300 + beside, bases, 300 + beside);
        add(&a, bases, 327 + beside, bases, 327 + beside);
        add(&a, bases, 400, bases + 20, 300 + beside);
    }
    ask(&a);
    release(&a);
}

/* N and other codes match themselves; what is no letter fails alone. */
static int take_letters(int64_t first, const rhomb_pair_result *const *results, size_t count,
                        void *user)
{
    int64_t *scores = user;
    for (size_t i = 0; i < count; i++)
        scores[first + (int64_t)i] =
            results[i]->status == RHOMB_OK ? results[i]->extent->score : -1;
    return 0;
}

static void test_letters(void **state)
{
    static const rhomb_pair PAIRS[] = {{"ACGTNNRYACGT", 12, "acgtnnryacgt", 12},
                                       {"ACGTNNRYACGT", 12, "ACGT", 4},
                                       {"ACGT!", 5, "ACGT", 4},
                                       {"ACGT", 4, "ACGT", 4},
                                       {"NNNN", 4, "AAAA", 4}};
    static const int64_t SCORES[] = {24, 8, -1, 8, 0};
    int64_t scores[COUNT(PAIRS)];
    rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
    const rhomb_scoring scoring = {2, 4, 4, 2, -1, -1};
    options.scoring = &scoring;
    options.results = take_letters;
    options.user = scores;
    options.cigar = true;
    for (int mode = RHOMB_MODE_EXTEND; mode <= RHOMB_MODE_LOCAL; mode++) {
        rhomb_batch *batch = NULL;
        options.mode = (rhomb_mode)mode;
        assert_int_equal(rhomb_batch_create(device.ctx, &options, &batch), RHOMB_OK);
        assert_int_equal(rhomb_batch_add(batch, PAIRS, COUNT(PAIRS)), RHOMB_OK);
        assert_int_equal(rhomb_batch_finish(batch), RHOMB_OK);
        rhomb_batch_destroy(batch);
        for (size_t i = 0; i < COUNT(PAIRS); i++)
            assert_int_equal(scores[i], SCORES[i]);
    }
}

static void expect_refused(const rhomb_batch_options *options)
{
    rhomb_batch *batch = NULL;
    assert_int_equal(rhomb_batch_create(device.ctx, options, &batch), RHOMB_ERR_ARGUMENT);
    assert_null(batch);
    assert_true(rhomb_context_error(device.ctx)[0] != '\0');
}

static void test_arguments(void **state)
{
    int64_t scores[1];
    const rhomb_scoring good = {2, 4, 4, 2, -1, -1}, none = {0, 4, 6, 2, -1, -1};
    const rhomb_scoring large = {1 << 21, 4, 6, 2, -1, -1};
    rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
    options.results = take_letters;
    options.user = scores;
    options.mode = (rhomb_mode)4;
    expect_refused(&options);
    options.mode = RHOMB_MODE_LOCAL;
    expect_refused(&options); /* unit costs */
    options.scoring = &none;
    expect_refused(&options);
    options.mode = RHOMB_MODE_EXTEND;
    expect_refused(&options);
    options.scoring = &large;
    expect_refused(&options);
    options.scoring = &good;
    options.z_drop = -2;
    expect_refused(&options);
    options.z_drop = -1;
    options.end_bonus = -1;
    expect_refused(&options);
    options.end_bonus = 0;
    options.max_distance = 5;
    expect_refused(&options);
    options.max_distance = RHOMB_NO_LIMIT;
    options.mode = RHOMB_MODE_ENDS_FREE;
    options.free_ends.target_end = -1;
    expect_refused(&options);
}

static const struct CMUnitTest TESTS[] = {
    {"exhaustive", test_exhaustive, NULL, NULL, NULL},
    {"global", test_global, NULL, NULL, NULL},
    {"ends_free", test_ends_free, NULL, NULL, NULL},
    {"extend", test_extend, NULL, NULL, NULL},
    {"local", test_local, NULL, NULL, NULL},
    {"tuned_global", test_tuned_global, NULL, NULL, NULL},
    {"tuned_ends_free", test_tuned_ends_free, NULL, NULL, NULL},
    {"tuned_extend", test_tuned_extend, NULL, NULL, NULL},
    {"tuned_local", test_tuned_local, NULL, NULL, NULL},
    {"orders", test_orders, NULL, NULL, NULL},
    {"bits", test_bits, NULL, NULL, NULL},
    {"letters", test_letters, NULL, NULL, NULL},
    {"arguments", test_arguments, NULL, NULL, NULL},
};

int main(int argc, char **argv)
{
    int failed = 0;
    if (argc > 2)
        percent = strtoll(argv[2], NULL, 10);
    if (!session_open(&device))
        return 77;
    for (size_t i = 0; i < COUNT(TESTS); i++) {
        const struct CMUnitTest one[] = {TESTS[i]};
        if (argc > 1 && strcmp(argv[1], TESTS[i].name) != 0)
            continue;
        failed += cmocka_run_group_tests_name("batch modes", one, NULL, NULL);
    }
    session_close(&device);
    return failed != 0;
}
