/* SPDX-License-Identifier: MIT */
/*
 * Real pairs of genomes with known distances, read from the folder RHOMB_DATA (see there for where
 * they come from), and alignments of them with known gap-affine penalties. Which pairs: "quick"
 * those with distances up to 30,000, "slow" up to 200,000, "gpu" the rest, which a CPU computes for
 * an hour.
 *
 *     test_real FOLDER quick|slow|gpu     FOLDER where RHOMB_DATA is not set
 *
 * Exits with 77 without the folder or a device.
 */
#include <unistd.h>

#include "rhomb/align.h"
#include "support/run.h"
#include "support/test.h"
#include "tests/reference/path_judge.h"

typedef struct known_pair {
    const char *size;
    const char *target;
    const char *query;
    int64_t distance;
    int64_t penalty; /* with 4,6,2; -1: unknown */
} known_pair;

/* edlib and a full bit-parallel matrix gave the distances, BiWFA of WFA2-lib the penalties. */
static const known_pair PAIRS[] = {
    {"quick", "mt_human", "mt_orang", 3315, 11548},
    {"quick", "mt_human", "mt_chimp", 1473, 5968},
    {"quick", "c4_chm13", "c4_hg002", 23, 96},
    {"quick", "caulobacter_CB15", "caulobacter_NA1000", 26177, 52564},
    {"slow", "enm002_human", "enm002_chimp", 71684, 235904},
    {"slow", "yeast_S288C", "yeast_sacCer3", 157410, 358340},
    {"gpu", "CP000051", "AE002160", 549784, -1},
    {"gpu", "BA000035", "BX927147", 1528200, -1},
};
enum { PAIR_COUNT = COUNT(PAIRS) };

static const char *data_folder;
static rhomb_context *ctx;

static void test_pair(void **state)
{
    const known_pair *p = *state;
    letters target = real_letters(ctx, data_folder, p->target),
            query = real_letters(ctx, data_folder, p->query);
    rhomb_result *result = NULL;
    if (rhomb_distance(ctx, target.at, target.length, query.at, query.length, NULL, &result) !=
        RHOMB_OK)
        fail_msg("%s and %s: %s", p->target, p->query, rhomb_context_error(ctx));
    const rhomb_report *report = rhomb_result_report(result);
    printf("%s and %s: distance %lld in %.2f s, %.3g cells a second\n", p->target, p->query,
           (long long)report->distance, report->seconds_solve,
           (double)report->cells / report->seconds_solve);
    if (report->distance != p->distance)
        fail_msg("%s and %s: %lld instead of %lld", p->target, p->query,
                 (long long)report->distance, (long long)p->distance);
    rhomb_result_destroy(result);
    free(query.at);
    free(target.at);
}

static void align_by(const known_pair *p, const rhomb_pair *texts, rhomb_engine engine)
{
    static const oracle_penalties WFA = {.mismatch = 4, .pieces = 1, .open = {6}, .extend = {2}};
    rhomb_scoring scoring;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_alignment *alignment = NULL;
    int64_t count = 0;
    options.scoring = &scoring;
    options.engine = engine;
    assert_true(rhomb_scoring_parse(ctx, "wfa", &scoring) == RHOMB_OK);
    if (rhomb_align(ctx, texts->target, texts->target_length, texts->query, texts->query_length,
                    &options, &alignment) != RHOMB_OK)
        fail_msg("%s and %s: %s", p->target, p->query, rhomb_context_error(ctx));
    const rhomb_align_report *report = rhomb_alignment_report(alignment);
    const rhomb_path_op *ops = rhomb_alignment_path(alignment, &count);
    printf("%s and %s: penalty %lld, %.2f s of %s, %.2f s with the path\n", p->target, p->query,
           (long long)report->whole->distance, report->whole->seconds_solve, report->engine,
           report->seconds_total);
    const char *why = path_judge_scored(ops, count, texts, &WFA, p->penalty, true);
    if (why != NULL || report->whole->distance != p->penalty)
        fail_msg("%s and %s, %s: %lld instead of %lld; %s", p->target, p->query, report->engine,
                 (long long)report->whole->distance, (long long)p->penalty,
                 why != NULL ? why : "the path has it");
    rhomb_alignment_destroy(alignment);
}

static void test_scored(void **state)
{
    const known_pair *p = *state;
    letters target = real_letters(ctx, data_folder, p->target),
            query = real_letters(ctx, data_folder, p->query);
    const rhomb_pair texts = {target.at, target.length, query.at, query.length};
    align_by(p, &texts, RHOMB_ENGINE_AUTO);
    if (p->distance < 10000) { /* the other one takes the longer ones for minutes */
        align_by(p, &texts, RHOMB_ENGINE_WAVEFRONT);
        align_by(p, &texts, RHOMB_ENGINE_BITPARALLEL);
    }
    free(query.at);
    free(target.at);
}

/* Runs the pairs of a size; returns how many failed. */
static int run_pairs(const char *size)
{
    int failures = 0, found = 0;
    for (size_t i = 0; i < PAIR_COUNT; i++) {
        const known_pair *p = &PAIRS[i];
        const struct CMUnitTest tests[] = {
            {p->target, test_pair, NULL, NULL, (void *)(uintptr_t)p},
            {"scored", test_scored, NULL, NULL, (void *)(uintptr_t)p}};
        const struct CMUnitTest distance[] = {tests[0]};
        if (strcmp(p->size, size) != 0)
            continue;
        found++;
        /* Without a known penalty there is nothing to compare. */
        failures += p->penalty >= 0 ? cmocka_run_group_tests_name(p->query, tests, NULL, NULL)
                                    : cmocka_run_group_tests_name(p->query, distance, NULL, NULL);
    }
    return found > 0 ? failures : 1;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    data_folder = real_folder(argv[1]);
    if (data_folder == NULL || (ctx = device_open()) == NULL)
        return 77;
    const int failures = run_pairs(argv[2]);
    rhomb_context_destroy(ctx);
    return failures != 0;
}
