/* SPDX-License-Identifier: MIT */
/*
 * A caller that was built against an older header: test_old_header.sh compiles it against headers
 * whose structures lack their last member, and runs it with the library of today. It uses each of
 * them, and walks every array.
 */
#include <rhomb/align.h>
#include <rhomb/all_records.h>
#include <rhomb/batch.h>
#include <rhomb/comparison.h>
#include <rhomb/guide.h>
#include <rhomb/local.h>
#include <rhomb/matrix.h>
#include <rhomb/paf.h>
#include <rhomb/pairs.h>
#include <rhomb/plan.h>
#include <rhomb/ranks.h>
#include <rhomb/verify.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define EXPECT(condition)                                                      \
    do {                                                                       \
        if (!(condition)) {                                                    \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, \
                    ctx != NULL ? rhomb_context_error(ctx) : "");              \
            return 1;                                                          \
        }                                                                      \
    } while (0)

static const char TARGET[] = "ACGTACGTTTGACCA", QUERY[] = "ACGTCGTTTGAACCA";
enum {
    TARGET_LENGTH = sizeof TARGET - 1,
    QUERY_LENGTH = sizeof QUERY - 1,
    DISTANCE = 2,
    LONG_LENGTH = 20000
};

static int deliver(int64_t first, const rhomb_pair_result *const *results, size_t count, void *user)
{
    int64_t *sum = user;
    (void)first;
    for (size_t i = 0; i < count; i++)
        *sum += results[i]->status == RHOMB_OK ? results[i]->distance : 1000;
    return 0;
}

static int watch(const rhomb_progress *progress, void *user)
{
    *(int64_t *)user += progress->lower_bound <= progress->upper_bound;
    return 0;
}

static int check_distance(rhomb_context *ctx)
{
    int64_t told = 0;
    rhomb_guide guide = RHOMB_GUIDE_INIT;
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_plan *plan = NULL;
    rhomb_result *result = NULL;
    options.max_distance = 10;
    options.guide = &guide;
    options.progress = watch;
    options.progress_user = &told;
    EXPECT(tuning.struct_size == sizeof tuning);
    EXPECT(rhomb_plan_distance(ctx, TARGET, TARGET_LENGTH, QUERY, QUERY_LENGTH, &options, &plan) ==
           RHOMB_OK);
    EXPECT(plan->upper_bound == 10 && rhomb_plan_seconds(plan, DISTANCE) > 0);
    rhomb_plan_destroy(plan);
    EXPECT(rhomb_distance(ctx, TARGET, TARGET_LENGTH, QUERY, QUERY_LENGTH, &options, &result) ==
           RHOMB_OK);
    EXPECT(rhomb_result_report(result)->distance == DISTANCE);
    EXPECT(strcmp(rhomb_result_report(result)->plan->engine, "bitparallel") == 0);
    EXPECT(told > 0);
    rhomb_result_destroy(result);
    return 0;
}

/*
 * A pair with every 20th base another one, in chunks of a strip: that is shared.
 */
static int check_shares(rhomb_context *ctx)
{
    static char target[LONG_LENGTH], query[LONG_LENGTH];
    const int32_t devices = rhomb_context_device_count(ctx);
    uint32_t bits = 1;
    int64_t cells = 0;
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_result *result = NULL;
    for (size_t i = 0; i < LONG_LENGTH; i++) {
        bits = bits * 1664525 + 1013904223;
        target[i] = "ACGT"[bits >> 30];
        query[i] = i % 20 == 0 ? "CGTA"[bits >> 30] : target[i];
    }
    tuning.group_size = 1;
    tuning.words_per_item = 1;
    tuning.blocks_per_launch = 16;
    tuning.first_half_width = LONG_LENGTH;
    tuning.chunk_strips = 1;
    options.engine = RHOMB_ENGINE_BITPARALLEL;
    options.tuning = &tuning;
    EXPECT(rhomb_distance(ctx, target, LONG_LENGTH, query, LONG_LENGTH, &options, &result) ==
           RHOMB_OK);
    const rhomb_report *report = rhomb_result_report(result);
    EXPECT(report->distance > 0 && report->distance <= LONG_LENGTH / 20);
    EXPECT(report->share_count == (devices > 1 ? devices : 0));
    for (int64_t i = 0; i < report->share_count; i++) {
        const rhomb_device_share *share = report->shares[i];
        cells += share->cells;
    }
    EXPECT(report->share_count == 0 || cells == report->cells);
    rhomb_result_destroy(result);
    return 0;
}

static int check_alignment(rhomb_context *ctx)
{
    rhomb_alignment *alignment = NULL;
    EXPECT(rhomb_align(ctx, TARGET, TARGET_LENGTH, QUERY, QUERY_LENGTH, NULL, &alignment) ==
           RHOMB_OK);
    const rhomb_align_report *report = rhomb_alignment_report(alignment);
    EXPECT(report->whole->distance == DISTANCE && report->whole->plan->planes == 2);
    EXPECT(report->mismatches + report->inserted + report->deleted == DISTANCE);
    rhomb_alignment_destroy(alignment);
    return 0;
}

static int check_local(rhomb_context *ctx)
{
    rhomb_mode_options mode = RHOMB_MODE_OPTIONS_INIT;
    rhomb_mode_plan plans[2] = {RHOMB_MODE_PLAN_INIT, RHOMB_MODE_PLAN_INIT};
    const rhomb_mode_plan untouched = plans[1];
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_scoring scoring;
    rhomb_alignment *alignment = NULL;
    EXPECT(rhomb_scoring_parse(ctx, "match:2,4,4,2", &scoring) == RHOMB_OK);
    options.scoring = &scoring;
    EXPECT(rhomb_plan_mode(ctx, TARGET, TARGET_LENGTH, QUERY, QUERY_LENGTH, &mode, &options,
                           &plans[0]) == RHOMB_OK);
    EXPECT(plans[0].columns == TARGET_LENGTH && plans[0].rows == QUERY_LENGTH);
    EXPECT(plans[0].struct_size == sizeof plans[0]);
    EXPECT(memcmp(&plans[1], &untouched, sizeof untouched) == 0);
    EXPECT(rhomb_align_mode(ctx, TARGET, TARGET_LENGTH, QUERY, QUERY_LENGTH, &mode, &options,
                            &alignment) == RHOMB_OK);
    const rhomb_local_report *report = rhomb_alignment_local(alignment);
    const rhomb_pair_extent *extent = report->extent;
    EXPECT(extent->score > 0 && extent->target_end <= TARGET_LENGTH && report->cells > 0);
    rhomb_alignment_destroy(alignment);
    return 0;
}

static int take_row(int64_t row, int64_t column, const int64_t *distances, size_t count, void *user)
{
    (void)row;
    (void)column;
    for (size_t i = 0; i < count; i++)
        *(int64_t *)user += distances[i];
    return 0;
}

static int watch_matrix(const rhomb_matrix_progress *progress, void *user)
{
    *(int64_t *)user |= progress->done > progress->pairs;
    return 0;
}

static int check_matrix(rhomb_context *ctx)
{
    const rhomb_matrix_sequence sequences[2] = {{TARGET, TARGET_LENGTH, "t"},
                                                {QUERY, QUERY_LENGTH, "q"}};
    rhomb_matrix_options options = RHOMB_MATRIX_OPTIONS_INIT;
    rhomb_matrix_tuning tuning = RHOMB_MATRIX_TUNING_INIT;
    rhomb_matrix_report report[2] = {RHOMB_MATRIX_REPORT_INIT, RHOMB_MATRIX_REPORT_INIT};
    const rhomb_matrix_report untouched = report[1];
    int64_t sum = 0, wrong = 0;
    options.results = take_row;
    options.user = &sum;
    options.progress = watch_matrix;
    options.progress_user = &wrong;
    options.tuning = &tuning;
    EXPECT(rhomb_matrix_compute(ctx, sequences, 2, &options, &report[0]) == RHOMB_OK);
    EXPECT(sum == DISTANCE && wrong == 0 && report[0].pairs == 1);
    EXPECT(report[0].struct_size == sizeof report[0]);
    EXPECT(memcmp(&report[1], &untouched, sizeof untouched) == 0);
    return 0;
}

static int pass(int32_t to, int32_t channel, const void *data, size_t bytes, void *user)
{
    (void)to, (void)channel, (void)data, (void)bytes, (void)user;
    return 1;
}

static int hear(int32_t from, int32_t channel, void *data, size_t bytes, void *user)
{
    (void)from, (void)channel, (void)data, (void)bytes, (void)user;
    return 1;
}

/* All members so far are needed: one is missing in the older header, and that is what is said. */
static int check_ranks(rhomb_context *ctx)
{
    rhomb_ranks ranks = RHOMB_RANKS_INIT;
    ranks.count = 2;
    ranks.send = pass;
    ranks.receive = hear;
    EXPECT(rhomb_context_join_ranks(ctx, &ranks, RHOMB_OK) == RHOMB_ERR_ARGUMENT);
    EXPECT(strstr(rhomb_context_error(ctx), "ranks need all functions") != NULL);
    return 0;
}

static int check_batch(rhomb_context *ctx)
{
    const rhomb_pair pairs[2] = {{TARGET, TARGET_LENGTH, QUERY, QUERY_LENGTH},
                                 {TARGET, TARGET_LENGTH, TARGET, TARGET_LENGTH}};
    rhomb_batch_tuning tuning = RHOMB_BATCH_TUNING_INIT;
    rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
    const rhomb_pair_result *const *results = NULL;
    rhomb_batch *batch = NULL;
    int64_t sum = 0;
    tuning.workers = 1;
    EXPECT(tuning.struct_size == sizeof tuning);
    options.results = deliver;
    options.user = &sum;
    EXPECT(rhomb_batch_create(ctx, &options, &batch) == RHOMB_OK);
    EXPECT(rhomb_batch_add(batch, pairs, 2) == RHOMB_OK && rhomb_batch_finish(batch) == RHOMB_OK);
    EXPECT(sum == DISTANCE);
    const rhomb_batch_report *report = rhomb_batch_get_report(batch);
    EXPECT(report->pairs == 2);
    rhomb_batch_destroy(batch);
    const rhomb_device_work *work = rhomb_context_work(ctx, 0);
    EXPECT(work != NULL && work->pairs >= 0);
    EXPECT(rhomb_batch_align(ctx, pairs, 2, NULL, &results) == RHOMB_OK);
    EXPECT(results[0]->distance == DISTANCE && results[1]->distance == 0);
    rhomb_batch_results_destroy(results);
    return 0;
}

/* Files of this folder: records, and pairs. */
static int check_files(rhomb_context *ctx)
{
    rhomb_records *records = NULL;
    const rhomb_record *record = NULL;
    rhomb_pairs_options options = RHOMB_PAIRS_OPTIONS_INIT;
    rhomb_pairs *pairs = NULL;
    rhomb_pair_chunk *chunk = NULL;
    EXPECT(rhomb_records_open(ctx, "old.fa", &records) == RHOMB_OK);
    EXPECT(rhomb_records_next(records, &record) == RHOMB_OK && record != NULL);
    EXPECT(strcmp(record->name, "t") == 0 && strcmp(record->bases, "ACGTACGT") == 0);
    rhomb_records_destroy(records);
    EXPECT(rhomb_pairs_open(ctx, "old.seq", NULL, &options, &pairs) == RHOMB_OK);
    EXPECT(rhomb_pairs_next(pairs, &chunk) == RHOMB_OK && chunk->count == 2);
    EXPECT(chunk->pairs[0].target_length == 8 && chunk->faults == NULL);
    const rhomb_pairs_report *report = rhomb_pairs_get_report(pairs);
    EXPECT(report->pairs == 2);
    rhomb_pair_chunk_destroy(chunk);
    rhomb_pairs_destroy(pairs);
    return 0;
}

static int see_error(const rhomb_verify_error *error, void *user)
{
    *(int64_t *)user += error->kind == RHOMB_VERIFY_MISSING;
    return 0;
}

/* A PAF, and its sequences. */
static int check_verify(rhomb_context *ctx)
{
    rhomb_verify_options options = RHOMB_VERIFY_OPTIONS_INIT;
    rhomb_verify_report report[2] = {RHOMB_VERIFY_REPORT_INIT, RHOMB_VERIFY_REPORT_INIT};
    rhomb_sequence_set *set = NULL;
    rhomb_paf *paf = NULL;
    const rhomb_verify_report untouched = report[1];
    const rhomb_paf_record *row = NULL;
    rhomb_compare_options compare = RHOMB_COMPARE_OPTIONS_INIT;
    rhomb_comparison *comparison = NULL;
    int64_t errors = 0;
    EXPECT(rhomb_sequence_set_read(ctx, "old.fa", &set) == RHOMB_OK);
    EXPECT(rhomb_paf_open(ctx, "old.paf", &paf) == RHOMB_OK);
    EXPECT(rhomb_verify(paf, set, set, &options, &report[0]) == RHOMB_OK);
    EXPECT(report[0].rows == 1 && report[0].errors == 0);
    EXPECT(memcmp(&report[1], &untouched, sizeof untouched) == 0);
    /* Nothing is left to read. */
    options.error = see_error;
    options.error_user = &errors;
    EXPECT(rhomb_verify(paf, set, set, &options, &report[0]) == RHOMB_OK && errors == 1);
    rhomb_paf_destroy(paf);
    EXPECT(rhomb_paf_open(ctx, "old.paf", &paf) == RHOMB_OK);
    EXPECT(rhomb_paf_next(paf, &row) == RHOMB_OK && row->matches == 7);
    const rhomb_paf_tags *tags = rhomb_paf_get_tags(paf);
    EXPECT(tags->has_edits && tags->edits == 1);
    rhomb_paf_destroy(paf);
    EXPECT(rhomb_paf_open(ctx, "old.paf", &paf) == RHOMB_OK);
    EXPECT(rhomb_compare(paf, set, set, &compare, &comparison) == RHOMB_OK);
    const rhomb_comparison_report *found = rhomb_comparison_get_report(comparison);
    const rhomb_comparison_side *target = found->target, *query = found->query;
    const rhomb_comparison_sum *all = found->all;
    const rhomb_comparison_runs *inversions = found->inversions;
    EXPECT(target->aligned == 7 && query->aligned == 7 && all->matches == 7 &&
           inversions->count == 0);
    rhomb_comparison_destroy(comparison);
    rhomb_paf_destroy(paf);
    rhomb_sequence_set_destroy(set);
    return 0;
}

int main(void)
{
    rhomb_context_options options = RHOMB_CONTEXT_OPTIONS_INIT;
    const rhomb_device_info *const *devices = NULL;
    size_t count = 0;
    rhomb_context *ctx = NULL;
    options.threads = 1;
    EXPECT(rhomb_context_create(&ctx, &options) == RHOMB_OK);
    EXPECT(rhomb_context_devices(ctx, &devices, &count) == RHOMB_OK);
    if (count == 0)
        return 77;
    for (size_t i = 0; i < count; i++)
        EXPECT(devices[i]->index == (int32_t)i && devices[i]->name[0] != '\0');
    EXPECT(rhomb_context_open(ctx, "all", 0) == RHOMB_OK);
    const rhomb_device_info *device = rhomb_context_device(ctx);
    EXPECT(device->compute_units > 0);
    const int failed = check_distance(ctx) || check_shares(ctx) || check_alignment(ctx) ||
                       check_local(ctx) || check_batch(ctx) || check_matrix(ctx) ||
                       check_files(ctx) || check_verify(ctx) || check_ranks(ctx);
    rhomb_context_destroy(ctx);
    return failed;
}
