/* SPDX-License-Identifier: MIT */
/*
 * A caller that was built against an older header: test_old_header.sh compiles it against headers
 * whose structures lack their last member, and runs it with the library of today. It uses each of
 * them, and walks every array.
 */
#include <rhomb/align.h>
#include <rhomb/batch.h>
#include <rhomb/paf.h>
#include <rhomb/plan.h>
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
enum { TARGET_LENGTH = sizeof TARGET - 1, QUERY_LENGTH = sizeof QUERY - 1, DISTANCE = 2 };

static int deliver(int64_t first, const rhomb_pair_result *const *results, size_t count, void *user)
{
    int64_t *sum = user;
    (void)first;
    for (size_t i = 0; i < count; i++)
        *sum += results[i]->status == RHOMB_OK ? results[i]->distance : 1000;
    return 0;
}

static int check_distance(rhomb_context *ctx)
{
    rhomb_rates rates = RHOMB_RATES_INIT;
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_plan *plan = NULL;
    rhomb_result *result = NULL;
    tuning.rates = &rates;
    options.max_distance = 10;
    EXPECT(tuning.struct_size == sizeof tuning && tuning.rates->struct_size == sizeof rates);
    EXPECT(rhomb_plan_distance(ctx, TARGET, TARGET_LENGTH, QUERY, QUERY_LENGTH, &options, &plan) ==
           RHOMB_OK);
    EXPECT(plan->upper_bound == 10 && rhomb_plan_seconds(plan, DISTANCE) > 0);
    rhomb_plan_destroy(plan);
    EXPECT(rhomb_distance(ctx, TARGET, TARGET_LENGTH, QUERY, QUERY_LENGTH, &options, &result) ==
           RHOMB_OK);
    EXPECT(rhomb_result_report(result)->distance == DISTANCE);
    EXPECT(strcmp(rhomb_result_report(result)->plan->engine, "wavefront") == 0);
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
    EXPECT(sum == DISTANCE && rhomb_batch_get_report(batch)->pairs == 2);
    rhomb_batch_destroy(batch);
    EXPECT(rhomb_batch_align(ctx, pairs, 2, NULL, &results) == RHOMB_OK);
    EXPECT(results[0]->distance == DISTANCE && results[1]->distance == 0);
    rhomb_batch_results_destroy(results);
    return 0;
}

/* Files of this folder: a PAF, and its sequences. */
static int check_verify(rhomb_context *ctx)
{
    rhomb_verify_options options = RHOMB_VERIFY_OPTIONS_INIT;
    rhomb_verify_report report[2] = {RHOMB_VERIFY_REPORT_INIT, RHOMB_VERIFY_REPORT_INIT};
    rhomb_sequence_set *set = NULL;
    rhomb_paf *paf = NULL;
    const rhomb_verify_report untouched = report[1];
    EXPECT(rhomb_sequence_set_read(ctx, "old.fa", &set) == RHOMB_OK);
    EXPECT(rhomb_paf_open(ctx, "old.paf", &paf) == RHOMB_OK);
    EXPECT(rhomb_verify(paf, set, set, &options, &report[0]) == RHOMB_OK);
    EXPECT(report[0].rows == 1 && report[0].errors == 0);
    EXPECT(memcmp(&report[1], &untouched, sizeof untouched) == 0);
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
    const int failed =
        check_distance(ctx) || check_alignment(ctx) || check_batch(ctx) || check_verify(ctx);
    rhomb_context_destroy(ctx);
    return failed;
}
