/* SPDX-License-Identifier: MIT */
/*
 * Alignments of one pair that need not go from end to end, through the library's interface, on the
 * device that "auto" takes: score, ends and beginning are those of the whole matrix
 * (tests/reference/gotoh_modes.h), and the path has the score. Shapes are made so small that pairs
 * have many strips and launches, with edges one less, as many and one more; and batches give the
 * same rows.
 *
 *     test_align_local MODE    local, ends-free or extend
 *
 * Exits with 77 where there is no device.
 */
#include "rhomb/local.h"
#include "rhomb/scoring.h"
#include "support/affine_pair.h"
#include "support/amount.h"
#include "support/check.h"
#include "support/mode_check.h"
#include "support/quick_build.h"
#include "support/run.h"
#include "support/test.h"
#include "tests/reference/path_judge.h"

static session the_session;
static rhomb_mode the_mode = RHOMB_MODE_LOCAL;

static const char *const NAMES[] = {"global", "ends-free", "extend", "local"};

/*
 * With the third and fourth gaps alone are often better than all else. The last ones have no match
 * score, as free ends alone allow.
 */
static const char *const SCORINGS[] = {"match:2,4,4,2",
                                       "match:1,0,0,1",
                                       "match:1,19,39,3",
                                       "match:1,19,37,3,39,2",
                                       "match:3,2,6,1,14,0",
                                       "wfa",
                                       "edit"};
enum { MATCHING = 5 };

/* Vectors, and groups as of a GPU; steps of a launch. */
static const struct {
    int32_t group, rows, steps;
} SHAPES[] = {{0, 0, 0}, {1, 1, 7}, {1, 2, 64}, {2, 2, 1}, {4, 3, 5}, {8, 2, 64}};

/* A z-drop needs more rows: two of vectors, 8 or 16 of groups. */
static int32_t rows_of(size_t shape, const rhomb_mode_options *mode)
{
    const int32_t group = SHAPES[shape].group, rows = SHAPES[shape].rows;
    if (mode->mode != RHOMB_MODE_EXTEND || mode->z_drop < 0 || group == 0)
        return rows;
    return group == 1 ? rows + 1 : rows == 2 ? 8 : 16;
}

static void fail_pair(const rhomb_pair *p, const char *scoring, size_t shape,
                      const rhomb_mode_options *mode, const char *why)
{
    const rhomb_free_ends *f = &mode->free_ends;
    fprintf(stderr, "seed: RHOMB_TEST_SEED=%llu\n", (unsigned long long)rng_seed());
    fprintf(stderr, "rhomb align --mode %s --score %s", NAMES[mode->mode], scoring);
    if (mode->mode == RHOMB_MODE_ENDS_FREE)
        fprintf(stderr, " --free-ends %lld,%lld,%lld,%lld", (long long)f->query_begin,
                (long long)f->query_end, (long long)f->target_begin, (long long)f->target_end);
    if (mode->mode == RHOMB_MODE_EXTEND && mode->z_drop >= 0)
        fprintf(stderr, " --z-drop %lld", (long long)mode->z_drop);
    if (mode->mode == RHOMB_MODE_EXTEND)
        fprintf(stderr, " --end-bonus %lld", (long long)mode->end_bonus);
    fprintf(stderr,
            " --tune local=%d:%d:%d <(printf '>t\\n%.*s\\n') "
            "<(printf '>q\\n%.*s\\n')\n",
            (int)SHAPES[shape].group, (int)rows_of(shape, mode), (int)SHAPES[shape].steps,
            (int)p->target_length, p->target, (int)p->query_length, p->query);
    fail_msg("%s", why);
}

/* Limits, drops and bonuses: none, some, and beyond all lengths. */
static rhomb_mode_options draw_mode(rng *r)
{
    static const int64_t LIMITS[] = {0, 0, 1, 3, 20, 1000};
    rhomb_mode_options mode = RHOMB_MODE_OPTIONS_INIT;
    int64_t *const fields[] = {&mode.free_ends.query_begin, &mode.free_ends.query_end,
                               &mode.free_ends.target_begin, &mode.free_ends.target_end};
    mode.mode = the_mode;
    for (size_t i = 0; i < COUNT(fields); i++)
        *fields[i] = LIMITS[rng_below(r, COUNT(LIMITS))];
    mode.end_bonus = LIMITS[rng_below(r, COUNT(LIMITS))];
    mode.z_drop = rng_below(r, 2) == 0 ? rng_below(r, 60) : RHOMB_NO_LIMIT;
    return mode;
}

static const char *scoring_of(int64_t index)
{
    const int64_t count = the_mode == RHOMB_MODE_ENDS_FREE ? (int64_t)COUNT(SCORINGS) : MATCHING;
    return SCORINGS[index % count];
}

static rhomb_tuning tuning_of(size_t shape, const rhomb_mode_options *mode)
{
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    tuning.local_group_size = SHAPES[shape].group;
    tuning.local_item_rows = rows_of(shape, mode);
    tuning.local_steps = SHAPES[shape].steps;
    return tuning;
}

/* Operations of short paths have the same form as those of long ones. */
static const char *judge_path(const rhomb_pair *p, const rhomb_pair_extent *e,
                              const rhomb_path_op *path, int64_t count, const oracle_penalties *o)
{
    rhomb_cigar_op *ops = malloc(((size_t)count + 1) * sizeof *ops);
    assert_non_null(ops);
    for (int64_t i = 0; i < count; i++)
        ops[i] = (rhomb_cigar_op)path[i];
    const char *why = path_judge_extent(ops, count, p, e, o);
    free(ops);
    return why;
}

static bool same(const rhomb_pair_extent *a, const rhomb_pair_extent *b)
{
    return a->score == b->score && a->target_end == b->target_end && a->query_end == b->query_end &&
           a->target_begin == b->target_begin && a->query_begin == b->query_begin;
}

/* A report that outlives its alignment. */
typedef struct checked {
    rhomb_local_report report;
    rhomb_pair_extent extent;
} checked;

/* Aligns a pair, and returns the report. */
static checked check_pair(const rhomb_pair *p, const char *text, size_t shape,
                          const rhomb_mode_options *mode)
{
    const oracle_mode how = {mode->mode, mode->free_ends, mode->z_drop, mode->end_bonus};
    const oracle_penalties penalties = mode_penalties_of(the_session.ctx, text);
    const rhomb_tuning tuning = tuning_of(shape, mode);
    rhomb_alignment *alignment = NULL;
    rhomb_scoring scoring;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    int64_t count = 0;
    options.scoring = &scoring;
    options.tuning = &tuning;
    assert_int_equal(rhomb_scoring_parse(the_session.ctx, text, &scoring), RHOMB_OK);
    if (rhomb_align_mode(the_session.ctx, p->target, p->target_length, p->query, p->query_length,
                         mode, &options, &alignment) != RHOMB_OK)
        fail_pair(p, text, shape, mode, rhomb_context_error(the_session.ctx));
    const rhomb_local_report *report = rhomb_alignment_local(alignment);
    const checked copy = {*report, *report->extent};
    const rhomb_pair_extent *e = report->extent;
    const rhomb_pair_extent expected = oracle_mode_extent(p->target, p->target_length, p->query,
                                                          p->query_length, &penalties, &how, NULL);
    if (!same(e, &expected))
        fail_pair(p, text, shape, mode, "another alignment");
    if (mode->mode == RHOMB_MODE_EXTEND)
        assert_int_equal(e->reached_end, expected.reached_end);
    const rhomb_path_op *path = rhomb_alignment_path(alignment, &count);
    const char *why = judge_path(p, e, path, count, &penalties);
    if (why != NULL)
        fail_pair(p, text, shape, mode, why);
    rhomb_alignment_destroy(alignment);
    return copy;
}

static rhomb_pair pair_of(const pair *p)
{
    return (rhomb_pair){p->a.at, p->a.length, p->b.at, p->b.length};
}

/* All pairs of up to three letters of two, none included. */
static void test_exhaustive(void **state)
{
    enum { ROUNDS = 5, STRINGS = 15, ALL = STRINGS * STRINGS };
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    quick_builds = true;
    for (int i = 0; i < ROUNDS * ALL; i++) {
        const int a = i % ALL / STRINGS, b = i % STRINGS, round = i / ALL;
        if (!amount_takes(i))
            continue;
        rng r = rng_for("align local exhaustive", i);
        const rhomb_mode_options mode = draw_mode(&r);
        pair_tiny(&p, STRINGS, i % ALL);
        const rhomb_pair both = pair_of(&p);
        check_pair(&both, scoring_of(a + round), (size_t)(a + b) % COUNT(SHAPES), &mode);
    }
    pair_release(&p);
}

static void test_random(void **state)
{
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (int64_t i = 0; i < amount(240); i++) {
        rng r = rng_for("align local", i);
        const size_t shape = (size_t)(i % (int64_t)COUNT(SHAPES));
        const rhomb_mode_options mode = draw_mode(&r);
        affine_family family = (affine_family)(i % AFFINE_FAMILY_COUNT);
        family = family == AFFINE_STRIPS ? AFFINE_UNEQUAL : family; /* long */
        affine_pair_make(family, rng_between(&r, 1, i % 7 == 0 ? 900 : 200), &r, &p);
        const rhomb_pair both = pair_of(&p);
        check_pair(&both, scoring_of(i / (int64_t)COUNT(SHAPES)), shape, &mode);
    }
    pair_release(&p);
}

/* Lengths at the edges of strips and of what a launch has. */
static void test_edges(void **state)
{
    for (size_t shape = 1; shape < COUNT(SHAPES); shape++) {
        const int64_t items = SHAPES[shape].group == 1 ? 16 : SHAPES[shape].group;
        const int64_t columns = SHAPES[shape].group == 1 ? 1 : 4;
        const int64_t rows = items * SHAPES[shape].rows;
        const int64_t launch = SHAPES[shape].steps * columns;
        for (int64_t i = 0; i < 18; i++) {
            if (!amount_takes(i))
                continue;
            rng r = rng_for("align local edges", (int64_t)shape * 100 + i);
            const rhomb_mode_options mode = draw_mode(&r);
            const int64_t n = (i / 9 + 1) * launch + i % 3 - 1;
            pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
            letters_random(&p.a, "AC", n > 0 ? n : 1, &r);
            letters_random(&p.b, "AC", (i / 9 + 1) * rows + i / 3 % 3 - 1, &r);
            const rhomb_pair both = pair_of(&p);
            check_pair(&both, SCORINGS[0], shape, &mode);
            pair_release(&p);
        }
    }
    quick_builds = false;
}

/* Much is pruned between similar sequences, and in the sweep for the beginning. */
static void test_pruned(void **state)
{
    rhomb_mode_options mode = RHOMB_MODE_OPTIONS_INIT;
    mode.mode = the_mode;
    for (size_t shape = 0; shape < COUNT(SHAPES); shape++) {
        rng r = rng_for("align local pruned", (int64_t)shape);
        pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
        letters_random(&p.a, "ACGT", amount_is_first_tier() ? 1200 : 3000, &r);
        letters_mutate(&p.b, &p.a, 0.03, "ACGT", &r);
        const rhomb_pair both = pair_of(&p);
        const rhomb_local_report report = check_pair(&both, SCORINGS[0], shape, &mode).report;
        if (shape > 0) {
            assert_true(report.cells_pruned > report.cells / 4);
            assert_true(the_mode == RHOMB_MODE_EXTEND ||
                        report.begin_cells_pruned > report.begin_cells / 2);
        }
        pair_release(&p);
    }
}

/*
 * Equal copies of the best part: the first one in the target, and of two in the query. With all
 * ends free, the last part of the query in whichever copy comes first.
 */
static void test_ties(void **state)
{
    rhomb_mode_options mode = RHOMB_MODE_OPTIONS_INIT;
    mode.mode = the_mode;
    mode.free_ends = (rhomb_free_ends){1000, 1000, 1000, 1000};
    for (size_t shape = 0; shape < COUNT(SHAPES); shape++) {
        rng r = rng_for("align local ties", (int64_t)shape);
        pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
        letters part = {NULL, 0, 0};
        letters_random(&part, "ACGT", 40, &r);
        for (int i = 0; i < 4; i++) {
            letters_repeat(&p.a, "A", 70 + i);
            letters_append(&p.a, part.at, part.length);
            letters_repeat(&p.b, "C", 90 - i);
            letters_append(&p.b, part.at, part.length);
        }
        const rhomb_pair both = pair_of(&p);
        const rhomb_pair_extent extent = check_pair(&both, SCORINGS[0], shape, &mode).extent;
        if (the_mode == RHOMB_MODE_LOCAL) {
            assert_int_equal(extent.target_end, 110);
            assert_int_equal(extent.query_end, 130);
        }
        pair_release(&p);
        free(part.at);
    }
}

/*
 * After a common beginning both sequences have the same two parts, in the other order: so there are
 * two ends with the same score on an antidiagonal, in other items or strips.
 */
static void test_swapped(void **state)
{
    for (size_t i = 0; i < 24; i++) {
        rng r = rng_for("align local swapped", (int64_t)i);
        rhomb_mode_options mode = draw_mode(&r);
        const int64_t length = rng_between(&r, 1, 90), common = rng_between(&r, 1, 60);
        pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
        mode.z_drop = the_mode == RHOMB_MODE_EXTEND ? 200 : RHOMB_NO_LIMIT;
        letters_random(&p.a, "ACGT", common + 2 * length, &r);
        letters_append(&p.b, p.a.at, common);
        letters_append(&p.b, p.a.at + common + length, length);
        letters_append(&p.b, p.a.at + common, length);
        const rhomb_pair both = pair_of(&p);
        check_pair(&both, "match:2,3,1,1", i % COUNT(SHAPES), &mode);
        pair_release(&p);
    }
}

static void check_modes(rhomb_context *ctx, const rhomb_options *options)
{
    const rhomb_free_ends none = {0, 0, 0, 0};
    const rhomb_mode_options bad[] = {
        {sizeof bad[0], RHOMB_MODE_GLOBAL, none, RHOMB_NO_LIMIT, 0},
        {sizeof bad[0], (rhomb_mode)4, none, RHOMB_NO_LIMIT, 0},
        {sizeof bad[0], RHOMB_MODE_ENDS_FREE, {0, -1, 0, 0}, RHOMB_NO_LIMIT, 0},
        {sizeof bad[0], RHOMB_MODE_EXTEND, none, -2, 0},
        {sizeof bad[0], RHOMB_MODE_EXTEND, none, RHOMB_NO_LIMIT, -1},
        {sizeof bad[0] + 8, RHOMB_MODE_EXTEND, none, RHOMB_NO_LIMIT, 0}};
    for (size_t i = 0; i < COUNT(bad); i++) {
        rhomb_alignment *alignment = NULL;
        assert_int_equal(rhomb_align_mode(ctx, "A", 1, "A", 1, &bad[i], options, &alignment),
                         RHOMB_ERR_ARGUMENT);
        assert_null(alignment);
    }
}

/* What is refused, and what is nothing. */
static void test_arguments(void **state)
{
    rhomb_context *ctx = the_session.ctx;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_scoring scoring = {2, 4, 4, 2, -1, -1, NULL};
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    rhomb_alignment *alignment = NULL;
    assert_int_equal(rhomb_align_mode(ctx, "A", 1, "A", 1, NULL, NULL, &alignment),
                     RHOMB_ERR_ARGUMENT);
    options.scoring = &scoring;
    options.tuning = &tuning;
    assert_int_equal(rhomb_align_mode(NULL, "A", 1, "A", 1, NULL, &options, &alignment),
                     RHOMB_ERR_ARGUMENT);
    assert_int_equal(rhomb_align_mode(ctx, "A", 1, "A", 1, NULL, &options, NULL),
                     RHOMB_ERR_ARGUMENT);
    options.max_distance = 5;
    assert_int_equal(rhomb_align_mode(ctx, "A", 1, "A", 1, NULL, &options, &alignment),
                     RHOMB_ERR_ARGUMENT);
    options.max_distance = RHOMB_NO_LIMIT;
    check_modes(ctx, &options);
    const int32_t bad[][3] = {{3, 1, 1},  {512, 1, 1},   {-1, 1, 1}, {1, 33, 1},
                              {2, 1, 65}, {1, 1, 65537}, {2, -1, 1}, {2, 1, -1}};
    for (size_t i = 0; i < COUNT(bad); i++) {
        tuning.local_group_size = bad[i][0];
        tuning.local_item_rows = bad[i][1];
        tuning.local_steps = bad[i][2];
        assert_int_equal(rhomb_align_mode(ctx, "A", 1, "A", 1, NULL, &options, &alignment),
                         RHOMB_ERR_ARGUMENT);
    }
    tuning.local_group_size = tuning.local_item_rows = tuning.local_steps = 0;
    scoring.match = INT64_C(1) << 27; /* 2^31 with 16 bases */
    scoring.mismatch = 1;
    assert_int_equal(rhomb_align_mode(ctx, "AAAAAAAAAAAAAAAA", 16, "AAAAAAAAAAAAAAAA", 16, NULL,
                                      &options, &alignment),
                     RHOMB_ERR_ARGUMENT);
    assert_null(alignment);
    scoring.match = 2;
    assert_int_equal(rhomb_align_mode(ctx, "AAA", 3, "CCC", 3, NULL, &options, &alignment),
                     RHOMB_OK);
    assert_int_equal(rhomb_alignment_local(alignment)->extent->score, 0);
    rhomb_alignment_destroy(alignment);
    assert_int_equal(rhomb_align_mode(ctx, NULL, 0, "CCC", 3, NULL, &options, &alignment),
                     RHOMB_OK);
    assert_int_equal(rhomb_alignment_local(alignment)->extent->score, 0);
    rhomb_alignment_destroy(alignment);
    assert_int_equal(rhomb_align(ctx, "A", 1, "A", 1, &options, &alignment), RHOMB_OK);
    assert_null(rhomb_alignment_local(alignment));
    rhomb_alignment_destroy(alignment);
}

/* A batch gives the same rows, also of pairs that its kernels do not take. */
static void check_batch(const rhomb_pair *given, size_t count, const rhomb_mode_options *mode,
                        int32_t long_bases)
{
    rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
    rhomb_batch_tuning tuning = RHOMB_BATCH_TUNING_INIT;
    rhomb_scoring scoring;
    const rhomb_pair_result *const *results = NULL;
    assert_int_equal(rhomb_scoring_parse(the_session.ctx, SCORINGS[0], &scoring), RHOMB_OK);
    tuning.long_bases = long_bases;
    options.tuning = &tuning;
    options.scoring = &scoring;
    options.mode = mode->mode;
    options.free_ends = mode->free_ends;
    options.z_drop = mode->z_drop;
    options.end_bonus = mode->end_bonus;
    assert_int_equal(rhomb_batch_align(the_session.ctx, given, count, &options, &results),
                     RHOMB_OK);
    for (size_t i = 0; i < count; i++) {
        const rhomb_pair_extent alone = check_pair(&given[i], SCORINGS[0], 0, mode).extent;
        assert_int_equal(results[i]->status, RHOMB_OK);
        if (!same(results[i]->extent, &alone))
            fail_pair(&given[i], SCORINGS[0], 0, mode, "another alignment in a batch");
    }
    rhomb_batch_results_destroy(results);
}

static void test_batch(void **state)
{
    enum { PAIRS = 40 };
    const int64_t count = amount_is_first_tier() ? 14 : PAIRS;
    pair pairs[PAIRS] = {{{NULL, 0, 0}, {NULL, 0, 0}}};
    rhomb_pair given[PAIRS];
    rng r = rng_for("align local batch modes", 0);
    rhomb_mode_options mode = draw_mode(&r);
    mode.z_drop = the_mode == RHOMB_MODE_EXTEND ? 15 : RHOMB_NO_LIMIT;
    for (int64_t i = 0; i < count; i++) {
        rng own = rng_for("align local batch", i);
        affine_pair_make(AFFINE_LONG_GAPS, rng_between(&own, 1, 800), &own, &pairs[i]);
        given[i] = pair_of(&pairs[i]);
    }
    check_batch(given, (size_t)count, &mode, 0);
    check_batch(given, (size_t)count, &mode, 100);
    mode.z_drop = RHOMB_NO_LIMIT;
    check_batch(given, (size_t)count, &mode, 100);
    for (int64_t i = 0; i < count; i++)
        pair_release(&pairs[i]);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {TEST_LIST(cmocka_unit_test, test_exhaustive, test_random,
                                                 test_edges, test_pruned, test_ties, test_swapped,
                                                 test_batch, test_arguments)};
    for (int mode = RHOMB_MODE_ENDS_FREE; argc > 1 && mode <= RHOMB_MODE_LOCAL; mode++)
        if (strcmp(argv[1], NAMES[mode]) == 0)
            the_mode = (rhomb_mode)mode;
    return session_run(&the_session, tests, NULL);
}
