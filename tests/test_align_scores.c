/* SPDX-License-Identifier: MIT */
/*
 * Alignments with gap-affine costs on the device that "auto" takes: each path goes through both
 * sequences at exactly the cost of Gotoh's matrix, added up gap by gap by code that knows nothing
 * of the library, with its gaps in order; and each engine gives one path whatever the tuning and
 * the threads.
 *
 *     test_align_scores CASE [PERCENT]    one case; PERCENT of its pairs, 100 unless told
 *     test_align_scores                   all cases
 *
 * Each set of penalties has several programs to build, so that a case has one set, most have few,
 * and a long run draws more of them. Exits with 77 where there is no device.
 */
#include "align_check.h"
#include "support/affine_pair.h"
#include "support/amount.h"
#include "support/cost_sets.h"
#include "support/quick_build.h"
#include "support/test.h"
#include "support/thread_ranks.h"

/* Short pairs of a set: sweeps of two pieces, and more planes, take longer. Long ones of each. */
enum {
    WFA_PAIRS = 11000,
    MAP_ONT_PAIRS = 4000,
    ASM20_PAIRS = 2500,
    RANDOM_PAIRS = 2500,
    LONG_PAIRS = 12,
    DEAR_PAIRS = 100,
    LEAST_PAIRS = 20000
};

/* Such pairs are split, several times where much is different: base cases have traces of 2^18. */
enum { LONG = 1500, LONGEST = 4000 };

static align_asker asker;
static const rhomb_engine ENGINES[] = {RHOMB_ENGINE_AUTO, RHOMB_ENGINE_WAVEFRONT,
                                       RHOMB_ENGINE_BITPARALLEL};

static void ask_engines(align_question *q)
{
    for (size_t i = 0; i < COUNT(ENGINES); i++) {
        q->engine = ENGINES[i];
        align_ask(&asker, q, NULL);
    }
}

/* A gap of a third of the longer sequence, in either of them: `place` 0 to 2 is where. */
static void make_large_gap(int place, bool inserted, double error_rate, rng *r, pair *p)
{
    const int64_t length = rng_between(r, LONG, LONGEST), gap = length / 3;
    const int64_t before = place == 0 ? 0 : place == 1 ? (length - gap) / 2 : length - gap;
    letters kept = {NULL, 0, 0};
    p->a.length = p->b.length = 0;
    letters_append(&kept, "", 0);
    letters_append(&p->b, "", 0);
    letters_random(&p->a, "ACGT", length, r);
    letters_append(&kept, p->a.at, before);
    letters_append(&kept, p->a.at + before + gap, length - gap - before);
    letters_mutate(&p->b, &kept, error_rate, "ACGT", r);
    free(kept.at);
    if (inserted)
        pair_swap(p);
}

/* One sequence of at most 70 bases, some of which the other one has, in order. */
static void make_thin(rng *r, pair *p)
{
    const int64_t few = rng_between(r, 1, 70), many = rng_between(r, 300, 7000);
    const bool target = rng_chance(r, 0.5);
    letters *thin = target ? &p->a : &p->b, *thick = target ? &p->b : &p->a;
    p->a.length = p->b.length = 0;
    letters_random(thick, "ACGT", many, r);
    while (thin->length < few) {
        const int64_t piece = rng_between(r, 1, few - thin->length);
        if (rng_chance(r, 0.3))
            letters_random(thin, "ACGT", piece, r);
        else
            letters_append(thin, thick->at + many / few * thin->length, piece);
    }
}

/* Short ones. Codes besides A, C, G and T have programs of their own. */
static void make_random(int64_t index, bool codes, rng *r, pair *p)
{
    affine_family family = (affine_family)(index / 3 % AFFINE_FAMILY_COUNT);
    if ((family == AFFINE_CODES && !codes) || family == AFFINE_STRIPS)
        family = AFFINE_BESIDE;
    affine_pair_make(family, rng_below(r, INT64_C(1) << rng_between(r, 2, 9)), r, p);
}

/* Random pairs of all families, each by one engine in turn. */
static void ask_random(const score_set *set, bool codes, int64_t pairs)
{
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (int64_t i = 0; i < pairs; i++) {
        rng r = rng_for(set->text, i);
        make_random(i, codes, &r, &p);
        align_question q = align_question_scored(&p, set, "random", i);
        q.engine = ENGINES[i % (int64_t)COUNT(ENGINES)];
        align_ask(&asker, &q, NULL);
    }
    pair_release(&p);
}

/* Long ones, by every engine. */
static void ask_long(const score_set *set, int64_t pairs)
{
    static const affine_family FAMILIES[] = {AFFINE_UNRELATED, AFFINE_UNIFORM, AFFINE_BESIDE,
                                             AFFINE_ACROSS,    AFFINE_UNEQUAL, AFFINE_LONG_GAPS,
                                             AFFINE_STRIPS,    AFFINE_ENDS,    AFFINE_REPEATS};
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (int64_t i = 0; i < pairs; i++) {
        rng r = rng_for("align scores long", i);
        affine_pair_make(FAMILIES[i % (int64_t)COUNT(FAMILIES)], rng_between(&r, LONG, LONGEST), &r,
                         &p);
        align_question q = align_question_scored(&p, set, "long", i);
        ask_engines(&q);
    }
    pair_release(&p);
}

/* What one gap fills, by every engine. */
static void ask_gaps(const score_set *set, int64_t pairs)
{
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (int64_t i = 0; i < pairs; i++) {
        rng r = rng_for("align scores gaps", i);
        if (i % 2 == 0)
            make_thin(&r, &p);
        else
            make_large_gap((int)(i / 2 % 3), i / 6 % 2 == 1, 0.04 * (double)(i / 12 % 3), &r, &p);
        align_question q = align_question_scored(&p, set, i % 2 == 0 ? "thin" : "large gap", i);
        ask_engines(&q);
    }
    pair_release(&p);
}

/* There is no path above the limit, and the same one below it. */
static void ask_limits(const score_set *set)
{
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (int64_t i = 0; i < 4; i++) {
        rng r = rng_for("align scores limits", i);
        affine_pair_make(AFFINE_BESIDE, i < 2 ? 60 : LONGEST, &r, &p);
        align_question q = align_question_scored(&p, set, "limits", i);
        align_ask(&asker, &q, NULL);
        const int64_t penalty = align_penalty(&q);
        q.max_distance = penalty;
        for (size_t engine = 0; engine < COUNT(ENGINES); engine++) {
            q.engine = ENGINES[engine];
            align_ask(&asker, &q, NULL);
            q.max_distance = RHOMB_NO_LIMIT;
            align_ask_same(&asker, &q);
            q.max_distance = penalty - 1;
            align_ask(&asker, &q, NULL);
            q.max_distance = penalty;
        }
    }
    pair_release(&p);
}

static void ask_set(const rhomb_scoring *scoring, bool codes, int64_t pairs)
{
    const score_set set = score_set_of(scoring);
    pairs = amount(pairs);
    const int64_t asked = asker.asked, by_waves = asker.split[0], by_sweeps = asker.split[1];
    ask_random(&set, codes, pairs);
    ask_long(&set, amount(LONG_PAIRS));
    ask_gaps(&set, amount(LONG_PAIRS));
    ask_limits(&set);
    printf("%s: %lld random pairs, %lld alignments; split after the first time: %lld by the "
           "wavefront, %lld by the sweep\n",
           set.text, (long long)pairs, (long long)(asker.asked - asked),
           (long long)(asker.split[0] - by_waves), (long long)(asker.split[1] - by_sweeps));
    assert_true(asker.split[0] > by_waves && asker.split[1] > by_sweeps);
}

static const rhomb_scoring WFA = {0, 4, 6, 2, -1, -1, NULL}, MAP_ONT = {2, 4, 4, 2, 24, 1, NULL},
                           ASM5 = {1, 19, 39, 3, 81, 1, NULL}, ASM10 = {1, 9, 16, 2, 41, 1, NULL},
                           ASM20 = {1, 4, 6, 2, 26, 1, NULL};

static void test_wfa(void **state)
{
    ask_set(&WFA, true, WFA_PAIRS);
}

static void test_map_ont(void **state)
{
    ask_set(&MAP_ONT, false, MAP_ONT_PAIRS);
}

static void test_asm20(void **state)
{
    ask_set(&ASM20, false, ASM20_PAIRS);
}

/* The dearest presets: some pairs, of which the longer ones are split by each engine. */
static void test_dear(void **state)
{
    static const rhomb_scoring *const DEAR[] = {&ASM5, &ASM10};
    quick_builds = true;
    for (size_t i = 0; i < COUNT(DEAR); i++) {
        const score_set set = score_set_of(DEAR[i]);
        const int64_t by_waves = asker.split[0], by_sweeps = asker.split[1];
        ask_random(&set, false, amount(DEAR_PAIRS));
        ask_long(&set, 3);
        assert_true(asker.split[0] > by_waves && asker.split[1] > by_sweeps);
    }
    quick_builds = false;
}

/* One set of each hundred per cent, mismatches in every other one dearer than two gaps. */
static void test_random(void **state)
{
    const int64_t all = amount_percent(), sets = amount(1);
    amount_set(all < 100 ? all : 100);
    for (int64_t i = 0; i < sets; i++) {
        rng r = rng_for("align scores penalties", i);
        const rhomb__costs c = random_costs(&r, 4 + 6 * (i % 4));
        const rhomb_scoring scoring = {.mismatch = c.mismatch * (i % 2 == 0 ? 3 : 1),
                                       .gap_open = c.open[0],
                                       .gap_extend = c.extend[0],
                                       .gap_open_2 = c.pieces == 2 ? c.open[1] : -1,
                                       .gap_extend_2 = c.pieces == 2 ? c.extend[1] : -1};
        ask_set(&scoring, false, RANDOM_PAIRS);
    }
    amount_set(all);
}

static void test_total(void **state)
{
    assert_true(WFA_PAIRS + MAP_ONT_PAIRS + ASM20_PAIRS + RANDOM_PAIRS >= LEAST_PAIRS);
}

/*
 * What costs less than two openings cannot be split by wavefronts: it is a base case, though its
 * trace is larger than others.
 */
static void test_large_openings(void **state)
{
    static const rhomb_scoring SCORING = {0, 300, 500, 1, -1, -1, NULL};
    const score_set set = score_set_of(&SCORING);
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (int64_t i = 0; i < 4; i++) {
        rng r = rng_for("align scores large openings", i);
        if (i == 3)
            make_thin(&r, &p);
        else
            make_large_gap((int)i, i == 1, 0.002, &r, &p);
        align_question q = align_question_scored(&p, &set, "large openings", i);
        q.engine = RHOMB_ENGINE_WAVEFRONT;
        align_ask(&asker, &q, NULL);
    }
    pair_release(&p);
}

/* Further than they can look back: every subproblem is swept, or split on the host. */
static void test_largest_openings(void **state)
{
    static const rhomb_scoring SCORING = {0, 2001, 1500, 300, 3000, 1, NULL};
    const score_set set = score_set_of(&SCORING);
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (int64_t i = 0; i < 8; i++) {
        rng r = rng_for("align scores largest openings", i);
        if (i % 4 == 3)
            make_thin(&r, &p);
        else
            make_large_gap((int)(i % 3), i > 3, 0.002, &r, &p);
        align_question q = align_question_scored(&p, &set, "largest openings", i);
        q.engine = i % 2 == 0 ? RHOMB_ENGINE_AUTO : RHOMB_ENGINE_BITPARALLEL;
        align_ask(&asker, &q, NULL);
    }
    pair_release(&p);
}

static const rhomb_scoring TWO = {0, 5, 8, 2, 24, 1, NULL},
                           DEAREST = {0, 30000, 30000, 1, -1, -1, NULL};

/* Multiples of unit costs: the engines of those, by each of them, with limits in between. */
static void test_scaled(void **state)
{
    static const rhomb_scoring SCALED = {0, 3, 0, 3, -1, -1, NULL};
    const score_set set = score_set_of(&SCALED);
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (int64_t i = 0; i < 6; i++) {
        rng r = rng_for("align scores scaled", i);
        affine_pair_make(i % 2 == 0 ? AFFINE_UNIFORM : AFFINE_LONG_GAPS, 3000, &r, &p);
        align_question q = align_question_scored(&p, &set, "scaled", i);
        for (int64_t beside = -1; beside <= 2; beside++) {
            q.max_distance = q.distance + beside;
            ask_engines(&q);
        }
    }
    pair_release(&p);
}

/* Costs that no wavefront has, by sweeps alone. */
static void test_dearest(void **state)
{
    const score_set set = score_set_of(&DEAREST);
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (int64_t i = 0; i < 22; i++) {
        if (!amount_takes(i))
            continue;
        rng r = rng_for("align scores dearest", i);
        affine_pair_make((affine_family)(i % AFFINE_FAMILY_COUNT),
                         rng_between(&r, 1, i % 4 == 0 ? 6000 : 1500), &r, &p);
        align_question q = align_question_scored(&p, &set, "dearest", i);
        align_ask(&asker, &q, NULL);
        q.engine = RHOMB_ENGINE_BITPARALLEL;
        align_ask(&asker, &q, NULL);
    }
    pair_release(&p);
}

/* One gap of many times the rest, in either sequence: what is beside it is narrow. */
static void test_long_gap(void **state)
{
    enum { SHARED = 4000, GAP = 60000 };
    static const rhomb_scoring *const SCORINGS[] = {&WFA, &TWO, &DEAREST};
    rng r = rng_for("align scored long", 0);
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    letters_random(&p.a, "ACGT", SHARED, &r);
    letters_append(&p.b, p.a.at, SHARED / 2);
    letters_random(&p.b, "ACGT", GAP, &r);
    letters_append(&p.b, p.a.at + SHARED / 2, SHARED / 2);
    const pair swapped = {p.b, p.a}, *const both[] = {&p, &swapped};
    for (size_t i = 0; i < 2 * COUNT(SCORINGS); i++) {
        const score_set set = score_set_of(SCORINGS[i / 2]);
        const align_question q = {.p = both[i % 2],
                                  .set = &set,
                                  .engine = RHOMB_ENGINE_BITPARALLEL,
                                  .tuning = RHOMB_TUNING_INIT,
                                  .max_distance = RHOMB_NO_LIMIT,
                                  .distance = oracle_gap(&set.penalties, GAP),
                                  .family = "long gap",
                                  .index = (int64_t)i};
        align_ask(&asker, &q, NULL);
    }
    pair_release(&p);
}

/* Long runs of one letter that the tables say, against a sweep, which follows no runs. */
static void test_known_runs(void **state)
{
    static const rhomb_scoring *const SCORINGS[] = {&WFA, &TWO};
    rhomb_context *ctx = asker.session.ctx;
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (int64_t i = 0; i < 15; i++) {
        if (!amount_takes(i))
            continue;
        rng r = rng_for("align scored known runs", i);
        const score_set set = score_set_of(SCORINGS[i % (int64_t)COUNT(SCORINGS)]);
        rhomb_result *result = NULL;
        rhomb_options options = RHOMB_OPTIONS_INIT;
        options.scoring = &set.scoring;
        options.engine = RHOMB_ENGINE_BITPARALLEL;
        pair_make_known_runs(i % 3 == 0 ? "AC" : "NA", i, &r, &p);
        if (rhomb_distance(ctx, p.a.at, p.a.length, p.b.at, p.b.length, &options, &result) !=
            RHOMB_OK)
            fail_msg("%s", rhomb_context_error(ctx));
        const align_question q = {.p = &p,
                                  .set = &set,
                                  .engine = RHOMB_ENGINE_WAVEFRONT,
                                  .tuning = RHOMB_TUNING_INIT,
                                  .max_distance = RHOMB_NO_LIMIT,
                                  .distance = rhomb_result_report(result)->distance,
                                  .family = "known runs",
                                  .index = i};
        align_ask(&asker, &q, NULL);
        rhomb_result_destroy(result);
    }
    pair_release(&p);
}

/* Tiles of a few diagonals, strips of a few rows, and launches that take several or stop early. */
static const struct {
    rhomb_engine engine;
    rhomb_tuning tuning;
} TUNINGS[] = {
    {RHOMB_ENGINE_WAVEFRONT,
     {.group_size = 4, .diagonals_per_item = 16, .tile_scores = 17, .offset_bits = 64}},
    {RHOMB_ENGINE_BITPARALLEL,
     {.group_size = 2, .words_per_item = 1, .blocks_per_launch = 7, .first_half_width = 3}},
};

/* Of one engine, whatever the tuning: pairs with several rounds, and with gaps across borders. */
static void test_tunings(void **state)
{
    const score_set set = score_set_of(&WFA);
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    quick_builds = true;
    for (size_t i = 0; i < COUNT(TUNINGS); i++)
        for (int64_t k = 0; k < 6; k++) {
            if (!amount_takes(k))
                continue;
            rng r = rng_for("align scores tunings", k);
            if (k % 3 == 0)
                make_large_gap(1, k == 3, 0.1, &r, &p);
            else if (k % 3 == 1)
                affine_pair_make(AFFINE_UNRELATED, LONGEST, &r, &p);
            else
                make_thin(&r, &p);
            align_question q = align_question_scored(&p, &set, "tunings", k);
            q.engine = TUNINGS[i].engine;
            align_ask(&asker, &q, NULL);
            q.tuning = TUNINGS[i].tuning;
            q.tuning.struct_size = sizeof q.tuning;
            align_ask_same(&asker, &q);
        }
    quick_builds = false;
    pair_release(&p);
}

static void test_threads(void **state)
{
    static const int32_t THREADS[] = {1, 16};
    const score_set set = score_set_of(&WFA);
    rhomb_context *const kept = asker.session.ctx;
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    rng r = rng_for("align scores threads", 0);
    affine_pair_make(AFFINE_BESIDE, 20000, &r, &p);
    align_question q = align_question_scored(&p, &set, "threads", 0);
    for (size_t engine = 1; engine < COUNT(ENGINES); engine++) {
        q.engine = ENGINES[engine];
        align_ask(&asker, &q, NULL);
        for (size_t i = 0; i < COUNT(THREADS); i++) {
            rhomb_context_options options = RHOMB_CONTEXT_OPTIONS_INIT;
            options.threads = THREADS[i];
            assert_int_equal(rhomb_context_create(&asker.session.ctx, &options), RHOMB_OK);
            assert_int_equal(ranks_open(asker.session.ctx), RHOMB_OK);
            align_ask_same(&asker, &q);
            rhomb_context_destroy(asker.session.ctx);
            asker.session.ctx = kept;
        }
    }
    pair_release(&p);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST_LIST(cmocka_unit_test, test_total, test_wfa, test_map_ont, test_asm20, test_dear,
                  test_random, test_large_openings, test_largest_openings, test_tunings,
                  test_threads, test_dearest, test_long_gap, test_known_runs, test_scaled)};
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    amount_from(argc, argv, 2);
    /* Hardly a kernel is used twice, and to keep a binary takes PoCL as long as to build it. */
    setenv("RHOMB_CACHE_DIR", "off", 1);
    if (!align_asker_open(&asker))
        return 77;
    const int failures = cmocka_run_group_tests_name("align_scores", tests, NULL, NULL);
    printf("%lld alignments\n", (long long)asker.asked);
    align_asker_close(&asker);
    return failures != 0;
}
