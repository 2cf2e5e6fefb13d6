/* SPDX-License-Identifier: MIT */
/*
 * Local alignments of one pair through the library's interface, on the device that "auto" takes:
 * score, ends and beginning are those of the whole matrix (tests/reference/gotoh_modes.h), and the
 * path has the score. Shapes are made so small that pairs have many strips and launches, with edges
 * one less, as many and one more; and batches give the same rows.
 *
 * Exits with 77 where there is no device.
 */
#include "rhomb/local.h"
#include "rhomb/scoring.h"
#include "support/affine_pair.h"
#include "support/check.h"
#include "support/mode_check.h"
#include "support/test.h"
#include "tests/reference/gotoh_modes.h"

static session the_session;

static const char *const SCORINGS[] = {"match:2,4,4,2", "match:1,0,0,1", "match:3,2,6,1,14,0"};

/* Vectors, and groups as of a GPU; steps of a launch. */
static const struct {
    int32_t group, rows, steps;
} SHAPES[] = {{0, 0, 0}, {1, 1, 7}, {1, 2, 64}, {2, 2, 1}, {4, 3, 5}, {8, 2, 64}};

static void fail_pair(const rhomb_pair *p, const char *scoring, size_t shape, const char *why)
{
    fprintf(stderr, "seed: RHOMB_TEST_SEED=%llu\n", (unsigned long long)rng_seed());
    fprintf(stderr,
            "rhomb align --mode local --score %s --tune local-group=%d,local-rows=%d,"
            "local-steps=%d <(printf '>t\\n%.*s\\n') <(printf '>q\\n%.*s\\n')\n",
            scoring, (int)SHAPES[shape].group, (int)SHAPES[shape].rows, (int)SHAPES[shape].steps,
            (int)p->target_length, p->target, (int)p->query_length, p->query);
    fail_msg("%s", why);
}

static rhomb_tuning tuning_of(size_t shape)
{
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    tuning.local_group_size = SHAPES[shape].group;
    tuning.local_item_rows = SHAPES[shape].rows;
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
    const char *why = oracle_mode_judge(p, e, ops, count, o);
    free(ops);
    return why;
}

/* Aligns a pair, and returns the report. */
static rhomb_local_report check_pair(const rhomb_pair *p, const char *text, size_t shape)
{
    static const oracle_mode LOCAL = {.mode = RHOMB_MODE_LOCAL};
    const oracle_penalties penalties = mode_penalties_of(the_session.ctx, text);
    const rhomb_tuning tuning = tuning_of(shape);
    rhomb_alignment *alignment = NULL;
    rhomb_scoring scoring;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    int64_t count = 0;
    options.scoring = &scoring;
    options.tuning = &tuning;
    assert_int_equal(rhomb_scoring_parse(the_session.ctx, text, &scoring), RHOMB_OK);
    if (rhomb_align_local(the_session.ctx, p->target, p->target_length, p->query, p->query_length,
                          &options, &alignment) != RHOMB_OK)
        fail_pair(p, text, shape, rhomb_context_error(the_session.ctx));
    const rhomb_local_report report = *rhomb_alignment_local(alignment);
    const rhomb_pair_extent *e = &report.extent;
    const rhomb_pair_extent expected = oracle_mode_extent(
        p->target, p->target_length, p->query, p->query_length, &penalties, &LOCAL, NULL);
    if (e->score != expected.score || e->target_end != expected.target_end ||
        e->query_end != expected.query_end || e->target_begin != expected.target_begin ||
        e->query_begin != expected.query_begin)
        fail_pair(p, text, shape, "another alignment");
    const rhomb_path_op *path = rhomb_alignment_path(alignment, &count);
    const char *why = judge_path(p, e, path, count, &penalties);
    if (why != NULL)
        fail_pair(p, text, shape, why);
    rhomb_alignment_destroy(alignment);
    return report;
}

static rhomb_pair pair_of(const pair *p)
{
    return (rhomb_pair){p->a.at, p->a.length, p->b.at, p->b.length};
}

/* All pairs of up to three letters of two. */
static void test_exhaustive(void **state)
{
    char texts[14][4];
    size_t count = 0;
    for (int length = 1; length <= 3; length++)
        for (int bits = 0; bits < 1 << length; bits++, count++)
            for (int i = 0; i < length; i++)
                texts[count][i] = "AC"[bits >> i & 1];
    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b < count; b++) {
            const rhomb_pair p = {texts[a],
                                  a < 2   ? 1
                                  : a < 6 ? 2
                                          : 3,
                                  texts[b],
                                  b < 2   ? 1
                                  : b < 6 ? 2
                                          : 3};
            check_pair(&p, SCORINGS[a % COUNT(SCORINGS)], (a + b) % COUNT(SHAPES));
        }
}

static void test_random(void **state)
{
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (int64_t i = 0; i < 240; i++) {
        rng r = rng_for("align local", i);
        const size_t shape = (size_t)(i % (int64_t)COUNT(SHAPES));
        const char *text = SCORINGS[i / (int64_t)COUNT(SHAPES) % (int64_t)COUNT(SCORINGS)];
        affine_family family = (affine_family)(i % AFFINE_FAMILY_COUNT);
        family = family == AFFINE_STRIPS ? AFFINE_UNEQUAL : family; /* long */
        affine_pair_make(family, rng_between(&r, 1, i % 7 == 0 ? 900 : 200), &r, &p);
        const rhomb_pair both = pair_of(&p);
        check_pair(&both, text, shape);
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
            rng r = rng_for("align local edges", (int64_t)shape * 100 + i);
            pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
            letters_random(
                &p.a, "AC",
                (i / 9 + 1) * launch + i % 3 - 1 > 0 ? (i / 9 + 1) * launch + i % 3 - 1 : 1, &r);
            letters_random(&p.b, "AC", (i / 9 + 1) * rows + i / 3 % 3 - 1, &r);
            const rhomb_pair both = pair_of(&p);
            check_pair(&both, SCORINGS[0], shape);
            pair_release(&p);
        }
    }
}

/* Much is pruned between similar sequences, and in the sweep for the beginning. */
static void test_pruned(void **state)
{
    for (size_t shape = 0; shape < COUNT(SHAPES); shape++) {
        rng r = rng_for("align local pruned", (int64_t)shape);
        pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
        letters_random(&p.a, "ACGT", 3000, &r);
        letters_mutate(&p.b, &p.a, 0.03, "ACGT", &r);
        const rhomb_pair both = pair_of(&p);
        const rhomb_local_report report = check_pair(&both, SCORINGS[0], shape);
        if (shape > 0) {
            assert_true(report.cells_pruned > report.cells / 4);
            assert_true(report.begin_cells_pruned > report.begin_cells / 2);
        }
        pair_release(&p);
    }
}

/* Equal copies of the best part: the first one in the target, and of two in the query. */
static void test_ties(void **state)
{
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
        const rhomb_local_report report = check_pair(&both, SCORINGS[0], shape);
        assert_int_equal(report.extent.target_end, 110);
        assert_int_equal(report.extent.query_end, 130);
        pair_release(&p);
        free(part.at);
    }
}

/* What is refused, and what is nothing. */
static void test_arguments(void **state)
{
    rhomb_context *ctx = the_session.ctx;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_scoring scoring = {2, 4, 4, 2, -1, -1};
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    rhomb_alignment *alignment = NULL;
    assert_int_equal(rhomb_align_local(ctx, "A", 1, "A", 1, NULL, &alignment), RHOMB_ERR_ARGUMENT);
    options.scoring = &scoring;
    options.tuning = &tuning;
    assert_int_equal(rhomb_align_local(NULL, "A", 1, "A", 1, &options, &alignment),
                     RHOMB_ERR_ARGUMENT);
    assert_int_equal(rhomb_align_local(ctx, "A", 1, "A", 1, &options, NULL), RHOMB_ERR_ARGUMENT);
    options.max_distance = 5;
    assert_int_equal(rhomb_align_local(ctx, "A", 1, "A", 1, &options, &alignment),
                     RHOMB_ERR_ARGUMENT);
    options.max_distance = RHOMB_NO_LIMIT;
    const int32_t bad[][3] = {{3, 1, 1},  {512, 1, 1},   {-1, 1, 1}, {1, 33, 1},
                              {2, 1, 65}, {1, 1, 65537}, {2, -1, 1}, {2, 1, -1}};
    for (size_t i = 0; i < COUNT(bad); i++) {
        tuning.local_group_size = bad[i][0];
        tuning.local_item_rows = bad[i][1];
        tuning.local_steps = bad[i][2];
        assert_int_equal(rhomb_align_local(ctx, "A", 1, "A", 1, &options, &alignment),
                         RHOMB_ERR_ARGUMENT);
    }
    tuning.local_group_size = tuning.local_item_rows = tuning.local_steps = 0;
    scoring.match = INT64_C(1) << 27; /* 2^30 with eight bases */
    scoring.mismatch = 1;
    assert_int_equal(rhomb_align_local(ctx, "AAAAAAAA", 8, "AAAAAAAA", 8, &options, &alignment),
                     RHOMB_ERR_ARGUMENT);
    assert_null(alignment);
    scoring.match = 2;
    assert_int_equal(rhomb_align_local(ctx, "AAA", 3, "CCC", 3, &options, &alignment), RHOMB_OK);
    assert_int_equal(rhomb_alignment_local(alignment)->extent.score, 0);
    rhomb_alignment_destroy(alignment);
    assert_int_equal(rhomb_align_local(ctx, NULL, 0, "CCC", 3, &options, &alignment), RHOMB_OK);
    assert_int_equal(rhomb_alignment_local(alignment)->extent.score, 0);
    rhomb_alignment_destroy(alignment);
    assert_int_equal(rhomb_align(ctx, "A", 1, "A", 1, &options, &alignment), RHOMB_OK);
    assert_null(rhomb_alignment_local(alignment));
    rhomb_alignment_destroy(alignment);
}

/* A batch gives the same rows. */
static void test_batch(void **state)
{
    enum { PAIRS = 40 };
    pair pairs[PAIRS] = {{{NULL, 0, 0}, {NULL, 0, 0}}};
    rhomb_pair given[PAIRS];
    rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
    rhomb_scoring scoring;
    const rhomb_pair_result *const *results = NULL;
    assert_int_equal(rhomb_scoring_parse(the_session.ctx, SCORINGS[0], &scoring), RHOMB_OK);
    for (int64_t i = 0; i < PAIRS; i++) {
        rng r = rng_for("align local batch", i);
        affine_pair_make(AFFINE_LONG_GAPS, rng_between(&r, 1, 800), &r, &pairs[i]);
        given[i] = pair_of(&pairs[i]);
    }
    options.scoring = &scoring;
    options.mode = RHOMB_MODE_LOCAL;
    assert_int_equal(rhomb_batch_align(the_session.ctx, given, PAIRS, &options, &results),
                     RHOMB_OK);
    for (int64_t i = 0; i < PAIRS; i++) {
        const rhomb_local_report report = check_pair(&given[i], SCORINGS[0], 0);
        const rhomb_pair_extent *e = results[i]->extent;
        assert_true(e->score == report.extent.score && e->target_end == report.extent.target_end &&
                    e->query_end == report.extent.query_end &&
                    e->target_begin == report.extent.target_begin &&
                    e->query_begin == report.extent.query_begin);
        pair_release(&pairs[i]);
    }
    rhomb_batch_results_destroy(results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exhaustive), cmocka_unit_test(test_random),
        cmocka_unit_test(test_edges),      cmocka_unit_test(test_pruned),
        cmocka_unit_test(test_ties),       cmocka_unit_test(test_batch),
        cmocka_unit_test(test_arguments),
    };
    if (!session_open(&the_session))
        return 77;
    const int failed = cmocka_run_group_tests_name("align_local", tests, NULL, NULL);
    session_close(&the_session);
    return failed;
}
