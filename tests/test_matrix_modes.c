/* SPDX-License-Identifier: MIT */
/*
 * Substitution matrices on devices: batches and single pairs in every mode against Gotoh's matrix
 * in plain code: scores, begins and ends by the rules of rhomb/batch.h, and paths that have the
 * score. All tiny pairs, random families, edges of the symbols.
 *
 *     test_matrix_modes CASE [PERCENT]    PERCENT of the random pairs, 100 unless told
 */
#include "rhomb/align.h"
#include "rhomb/local.h"
#include "rhomb/tuning.h"
#include "support/amount.h"
#include "support/check.h"
#include "support/mode_check.h"
#include "support/run.h"
#include "support/test.h"
#include "tests/reference/path_judge.h"

static session device;

static const char *const SETS[] = {"matrix:BLOSUM62,11,1",      "matrix:PAM30,9,1",
                                   "matrix:HOXD70,400,30",      "matrix:NUC.4.4,5,2,20,1",
                                   "matrix:BLOSUM45,10,3,25,1", "matrix:PAM250,0,2"};

/* Texts of up to 3 of three symbols, two of which score above 0 with each other. */
static const char *const TINY[] = {"",     "I",    "V",    "W",    "II",   "IV",   "VI",  "VV",
                                   "IW",   "WI",   "VW",   "WV",   "WW",   "III",  "IIV", "IVI",
                                   "VII",  "IVV",  "VIV",  "VVI",  "VVV",  "IIW",  "IWI", "WII",
                                   "IVW",  "WVI",  "VWI",  "WIV",  "WWI",  "IWW",  "WVW", "WWW",
                                   "IIII", "IVIV", "VVII", "IWWV", "WIVW", "VIIW", "WWWW"};

static void add_tiny(mode_asker *a)
{
    for (size_t i = 0; i < COUNT(TINY); i++)
        for (size_t j = 0; j < COUNT(TINY); j++)
            mode_add(a, TINY[i], (int64_t)strlen(TINY[i]), TINY[j], (int64_t)strlen(TINY[j]));
}

/* All texts of up to 4 of two symbols, "AC" becoming others. */
static void add_two(mode_asker *a, const char *two)
{
    const int64_t first = a->count;
    mode_add_tiny(a, 31);
    for (int64_t i = first; i < a->count; i++) {
        char *target = (char *)(uintptr_t)a->pairs[i].target;
        char *query = (char *)(uintptr_t)a->pairs[i].query;
        for (int64_t at = 0; at < a->pairs[i].target_length; at++)
            target[at] = two[target[at] == 'C'];
        for (int64_t at = 0; at < a->pairs[i].query_length; at++)
            query[at] = two[query[at] == 'C'];
    }
}

static void test_exhaustive(void **state)
{
    static const char *const SCORINGS[] = {"matrix:BLOSUM62,1,1", "matrix:BLOSUM45,0,2",
                                           "matrix:PAM30,3,1,4,0"};
    for (size_t s = 0; s < COUNT(SCORINGS); s++) {
        mode_asker a = mode_asker_of(device.ctx, SCORINGS[s], RHOMB_MODE_LOCAL);
        add_tiny(&a);
        add_two(&a, "*X");
        for (int mode = RHOMB_MODE_GLOBAL; mode <= RHOMB_MODE_LOCAL; mode++) {
            a.mode.mode = (rhomb_mode)mode;
            for (int limits = 0; limits < (mode == RHOMB_MODE_ENDS_FREE ? 16 : 1); limits++) {
                a.mode.free_ends =
                    (rhomb_free_ends){limits & 1, (limits & 2) / 2, limits & 4, (limits & 8) / 4};
                mode_ask_one(&a);
            }
        }
        mode_release(&a);
    }
}

/* The mode of a case that runs in each. */
static rhomb_mode mode_of(void **state)
{
    return *(const rhomb_mode *)*state;
}

static void draw(mode_asker *a, rng *r)
{
    mode_draw(a, r);
    a->mode.z_drop = -1;
    a->mode.end_bonus = 0;
}

static void test_random(void **state)
{
    const rhomb_mode mode = mode_of(state);
    for (size_t s = 0; s < COUNT(SETS); s++) {
        rng r = rng_for("matrix modes", (int64_t)(s * 8 + mode));
        mode_asker a = mode_asker_of(device.ctx, SETS[s], mode);
        for (int round = 0; round < 3; round++) {
            if (!amount_is_whole() && round != ((int)s + (int)mode) % 3)
                continue;
            mode_add_random(&a, amount(400), round == 0 ? 400 : 120, &r);
            draw(&a, &r);
            a.cigar = round != 2;
            a.ends_only = round == 2;
            mode_ask(&a);
            mode_release(&a);
        }
    }
}

/* Groups as on a GPU, numbers of 16 and 32 bits, small jobs. */
static void test_tuned(void **state)
{
    const rhomb_mode mode = mode_of(state);
    static const int32_t GROUPS[] = {8, 1, 8, 8}, BITS[] = {0, 32, 32, 16};
    for (size_t i = 0; i < COUNT(GROUPS); i++) {
        if (!amount_is_whole() && i % 4 != (size_t)mode)
            continue;
        rng r = rng_for("matrix tuned", (int64_t)(i * 8 + mode));
        mode_asker a = mode_asker_of(device.ctx, SETS[i % 2 == 0 ? 0 : 3], mode);
        a.tuning.group_size = GROUPS[i];
        a.tuning.score_bits = BITS[i];
        a.tuning.job_bases = i == 2 ? 16384 : 0;
        draw(&a, &r);
        mode_add_random(&a, amount(200), 200, &r);
        mode_ask(&a);
        mode_release(&a);
    }
}

/* What a pair is by the oracle, and what the path of a single call is. */
static void check_single(const rhomb_pair *p, const char *text, const oracle_mode *how,
                         rhomb_alphabet alphabet)
{
    const oracle_penalties penalties = mode_penalties_of(device.ctx, text);
    const rhomb_pair_extent expected = oracle_mode_extent(p->target, p->target_length, p->query,
                                                          p->query_length, &penalties, how, NULL);
    const bool global = how->mode == RHOMB_MODE_GLOBAL;
    rhomb_mode_options mode = RHOMB_MODE_OPTIONS_INIT;
    static int64_t asked = 0;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    rhomb_alignment *alignment = NULL;
    rhomb_scoring scoring;
    int64_t count = 0;
    assert_int_equal(rhomb_scoring_parse(device.ctx, text, &scoring), RHOMB_OK);
    options.scoring = &scoring;
    options.alphabet = alphabet;
    options.tuning = &tuning;
    tuning.chunk_strips = asked++ % 2; /* a path in chunks of one strip, or all strips at once */
    mode.mode = how->mode;
    mode.free_ends = how->free_ends;
    const rhomb_status status =
        global ? rhomb_align(device.ctx, p->target, p->target_length, p->query, p->query_length,
                             &options, &alignment)
               : rhomb_align_mode(device.ctx, p->target, p->target_length, p->query,
                                  p->query_length, &mode, &options, &alignment);
    if (status != RHOMB_OK)
        fail_msg("%s: %s", text, rhomb_context_error(device.ctx));
    const rhomb_pair_extent whole = {.score = rhomb_alignment_report(alignment)->whole->score,
                                     .target_end = p->target_length,
                                     .query_end = p->query_length};
    const rhomb_pair_extent *got = global ? &whole : rhomb_alignment_local(alignment)->extent;
    const rhomb_path_op *path = rhomb_alignment_path(alignment, &count);
    rhomb_cigar_op *ops = malloc(((size_t)count + 1) * sizeof *ops);
    assert_non_null(ops);
    for (int64_t i = 0; i < count; i++)
        ops[i] = (rhomb_cigar_op)path[i];
    const char *why = path_judge_extent(ops, count, p, &expected, &penalties);
    free(ops);
    if (got->score != expected.score || got->target_begin != expected.target_begin ||
        got->target_end != expected.target_end || got->query_begin != expected.query_begin ||
        got->query_end != expected.query_end)
        why = "another alignment";
    if (why != NULL)
        fail_msg("seed %llu, mode %d, %s: %s: %lld, not %lld\n%.*s\n%.*s",
                 (unsigned long long)rng_seed(), (int)how->mode, text, why, (long long)got->score,
                 (long long)expected.score, (int)p->target_length, p->target, (int)p->query_length,
                 p->query);
    rhomb_alignment_destroy(alignment);
}

/* rhomb_distance(): the score, and the penalty that goes with it. */
static void check_distance(const rhomb_pair *p, const char *text, rhomb_alphabet alphabet)
{
    const oracle_penalties penalties = mode_penalties_of(device.ctx, text);
    const int64_t score =
        -oracle_gotoh(p->target, p->target_length, p->query, p->query_length, &penalties);
    const int64_t bases = p->target_length + p->query_length;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_result *result = NULL;
    rhomb_scoring scoring;
    assert_int_equal(rhomb_scoring_parse(device.ctx, text, &scoring), RHOMB_OK);
    options.scoring = &scoring;
    options.alphabet = alphabet;
    if (rhomb_distance(device.ctx, p->target, p->target_length, p->query, p->query_length, &options,
                       &result) != RHOMB_OK)
        fail_msg("%s: %s", text, rhomb_context_error(device.ctx));
    const rhomb_report *report = rhomb_result_report(result);
    assert_true(report->has_score);
    assert_int_equal(report->score, score);
    assert_int_equal(report->distance,
                     (penalties.match * bases - 2 * score) / (penalties.match % 2 == 0 ? 2 : 1));
    rhomb_result_destroy(result);
}

/* Single pairs, which strips sweep. */
static void test_single(void **state)
{
    const rhomb_mode mode = mode_of(state);
    for (size_t s = 0; s < COUNT(SETS); s++) {
        rng r = rng_for("matrix single", (int64_t)(s * 8 + mode));
        mode_asker a = mode_asker_of(device.ctx, SETS[s], mode);
        mode_add_random(&a, amount(30), s % 2 == 0 ? 600 : 200, &r);
        for (int64_t i = 0; i < a.count; i++) {
            draw(&a, &r);
            check_single(&a.pairs[i], SETS[s], &a.mode, a.alphabet);
            if (mode == RHOMB_MODE_GLOBAL && i % 4 == 0)
                check_distance(&a.pairs[i], SETS[s], a.alphabet);
        }
        mode_release(&a);
    }
}

/* Equal sequences, which are not at the least penalty, and empty ones. */
static void test_equal(void **state)
{
    static const rhomb_pair PAIRS[] = {
        {"AAAA", 4, "AAAA", 4}, {"AAAA", 4, "aaaa", 4}, {"XXX", 3, "XXX", 3}, {"W", 1, "W", 1},
        {"", 0, "AW", 2},       {"AW", 2, "", 0},       {"", 0, "", 0},       {"*", 1, "X", 1}};
    for (size_t i = 0; i < COUNT(PAIRS); i++) {
        for (int mode = RHOMB_MODE_GLOBAL; mode <= RHOMB_MODE_LOCAL; mode++) {
            const oracle_mode how = {.mode = (rhomb_mode)mode, .z_drop = -1};
            if (memcmp(PAIRS[i].query, "aaaa", (size_t)PAIRS[i].query_length) != 0)
                check_single(&PAIRS[i], SETS[0], &how, RHOMB_ALPHABET_PROTEIN);
        }
        check_distance(&PAIRS[i], SETS[0], RHOMB_ALPHABET_PROTEIN);
    }
}

/* Matrices without a score above 0, lower case, symbols that the matrix has not. */
static void test_edges(void **state)
{
    static const char NEGATIVE[] = "A C\nA -1 -3\nC -3 -2\n";
    rhomb_scoring scoring = {0, 0, 2, 1, -1, -1, NULL};
    const rhomb_score_matrix *matrix = NULL;
    rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
    const rhomb_pair_result *const *results = NULL;
    const rhomb_pair pairs[] = {{"ACCA", 4, "aca", 3}, {"ACGA", 4, "AC", 2}};
    assert_int_equal(
        rhomb_score_matrix_parse(device.ctx, "low", NEGATIVE, sizeof NEGATIVE - 1, &matrix),
        RHOMB_OK);
    rhomb_scoring_set_matrix(&scoring, matrix);
    options.scoring = &scoring;
    options.cigar = true;
    if (rhomb_batch_align(device.ctx, pairs, 2, &options, &results) != RHOMB_OK)
        fail_msg("%s", rhomb_context_error(device.ctx));
    /* A-1 C-2 A-1 and a gap of 1: 3; without a match score the distance is less the score. */
    assert_int_equal(results[0]->extent->score, -7);
    assert_int_equal(results[0]->distance, 7);
    assert_int_equal(results[1]->status, RHOMB_ERR_ALPHABET);
    assert_non_null(strstr(results[1]->detail, "target: 'G' at position 3 has no scores in the "
                                               "matrix low, which has those of AC"));
    rhomb_batch_results_destroy(results);
    options.mode = RHOMB_MODE_LOCAL;
    assert_int_equal(rhomb_batch_align(device.ctx, pairs, 2, &options, &results),
                     RHOMB_ERR_ARGUMENT);
    assert_non_null(strstr(rhomb_context_error(device.ctx), "need a matrix with a score above 0"));
    options.mode = RHOMB_MODE_GLOBAL;
    options.alphabet = RHOMB_ALPHABET_PROTEIN;
    assert_int_equal(rhomb_batch_align(device.ctx, pairs, 2, &options, &results),
                     RHOMB_ERR_ARGUMENT);
    assert_non_null(strstr(rhomb_context_error(device.ctx), "needs the alphabet \"dna\""));
}

/* Extensions that stop, or prefer the end, have no matrix: a batch or one pair. */
static void test_refusals(void **state)
{
    static const char WHY[] = "z_drop and end_bonus do not go with a substitution matrix";
    const rhomb_pair both = {"AWA", 3, "AWA", 3};
    rhomb_scoring scoring;
    assert_int_equal(rhomb_scoring_parse(device.ctx, SETS[0], &scoring), RHOMB_OK);
    for (int bonus = 0; bonus < 2; bonus++) {
        rhomb_batch_options batch = RHOMB_BATCH_OPTIONS_INIT;
        rhomb_options options = RHOMB_OPTIONS_INIT;
        rhomb_mode_options mode = RHOMB_MODE_OPTIONS_INIT;
        const rhomb_pair_result *const *results = NULL;
        rhomb_alignment *alignment = NULL;
        batch.mode = mode.mode = RHOMB_MODE_EXTEND;
        batch.scoring = options.scoring = &scoring;
        batch.alphabet = options.alphabet = RHOMB_ALPHABET_PROTEIN;
        batch.z_drop = mode.z_drop = bonus ? RHOMB_NO_LIMIT : 0;
        batch.end_bonus = mode.end_bonus = bonus;
        assert_int_equal(rhomb_batch_align(device.ctx, &both, 1, &batch, &results),
                         RHOMB_ERR_ARGUMENT);
        assert_non_null(strstr(rhomb_context_error(device.ctx), WHY));
        assert_int_equal(
            rhomb_align_mode(device.ctx, "AWA", 3, "AWA", 3, &mode, &options, &alignment),
            RHOMB_ERR_ARGUMENT);
        assert_non_null(strstr(rhomb_context_error(device.ctx), WHY));
    }
}

static const struct CMUnitTest TESTS[] = {
    {"exhaustive", test_exhaustive, NULL, NULL, NULL},
    IN_MODE("global", test_random, RHOMB_MODE_GLOBAL),
    IN_MODE("ends_free", test_random, RHOMB_MODE_ENDS_FREE),
    IN_MODE("extend", test_random, RHOMB_MODE_EXTEND),
    IN_MODE("local", test_random, RHOMB_MODE_LOCAL),
    IN_MODE("tuned_global", test_tuned, RHOMB_MODE_GLOBAL),
    IN_MODE("tuned_ends_free", test_tuned, RHOMB_MODE_ENDS_FREE),
    IN_MODE("tuned_extend", test_tuned, RHOMB_MODE_EXTEND),
    IN_MODE("tuned_local", test_tuned, RHOMB_MODE_LOCAL),
    IN_MODE("single_global", test_single, RHOMB_MODE_GLOBAL),
    IN_MODE("single_ends_free", test_single, RHOMB_MODE_ENDS_FREE),
    IN_MODE("single_extend", test_single, RHOMB_MODE_EXTEND),
    IN_MODE("single_local", test_single, RHOMB_MODE_LOCAL),
    {"equal", test_equal, NULL, NULL, NULL},
    {"edges", test_edges, NULL, NULL, NULL},
    {"refusals", test_refusals, NULL, NULL, NULL},
};

int main(int argc, char **argv)
{
    amount_from(argc, argv, 2);
    return session_run(&device, TESTS, argc > 1 ? argv[1] : NULL);
}
