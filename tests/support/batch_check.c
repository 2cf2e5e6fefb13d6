/* SPDX-License-Identifier: MIT */
/*
 * The tester of batches, see batch_check.h.
 */
#include "batch_check.h"

#include "mode_check.h"
#include "require.h"
#include "test.h"

#define MOST_PATH 4000

static bool is_within_limit(const batch_setup *setup, const listed_pair *p)
{
    return setup->max_distance == RHOMB_NO_LIMIT || p->distance <= setup->max_distance;
}

static const char *judge_cigar(batch_asker *asker, const rhomb_pair_result *result,
                               const rhomb_pair *texts, int64_t distance)
{
    REQUIRE(result->cigar != NULL || result->cigar_count == 0);
    const char *complaint = path_judge(result->cigar, result->cigar_count, texts, distance);
    if (complaint != NULL || distance > asker->most_path)
        return complaint;
    if (!path_find(texts, distance, &asker->path))
        return "there is a path, but the plain wavefront finds none of this cost";
    if (asker->path.count != result->cigar_count ||
        (result->cigar_count > 0 && memcmp(asker->path.ops, result->cigar,
                                           (size_t)result->cigar_count * sizeof *result->cigar)))
        return "the path is a shortest one, but not the one of the rule";
    return NULL;
}

static const char *judge_result(batch_asker *asker, const rhomb_pair_result *result, int64_t index)
{
    const listed_pair *p = &asker->list->at[index];
    REQUIRE(result->status == p->status);
    REQUIRE((result->detail == NULL) == (result->status == RHOMB_OK));
    REQUIRE(result->detail == NULL || result->detail[0] != '\0');
    if (result->status != RHOMB_OK || !is_within_limit(&asker->setup, p)) {
        REQUIRE(result->distance == -1);
        REQUIRE(result->cigar == NULL && result->cigar_count == 0);
        return NULL;
    }
    REQUIRE(result->distance == p->distance);
    if (asker->setup.cigar) {
        const rhomb_pair texts = pair_list_compared(asker->list, index);
        return judge_cigar(asker, result, &texts, p->distance);
    }
    REQUIRE(result->cigar == NULL && result->cigar_count == 0);
    return NULL;
}

/* What the report has to say, by the results that came. */
static void count_result(batch_asker *asker, int64_t index, rhomb_status status)
{
    const listed_pair *p = &asker->list->at[index];
    rhomb_batch_report *expected = &asker->expected;
    expected->pairs++;
    if (status != RHOMB_OK) {
        expected->failed++;
        return;
    }
    expected->bases += p->target_length + p->query_length;
    expected->other_bases += p->other_bases;
    if (is_within_limit(&asker->setup, p))
        expected->distances += p->distance;
    else
        expected->exceeding++;
}

static int take_results(int64_t first, const rhomb_pair_result *const *results, size_t count,
                        void *user)
{
    batch_asker *asker = user;
    if (asker->complaint == NULL && first != asker->delivered)
        asker->complaint = "results are out of order";
    if (asker->complaint == NULL && count == 0)
        asker->complaint = "a delivery without results";
    if (asker->complaint == NULL && first + (int64_t)count > asker->base + asker->list->count)
        asker->complaint = "more results than pairs";
    for (size_t i = 0; i < count && asker->complaint == NULL; i++) {
        const int64_t index = first + (int64_t)i - asker->base;
        const char *complaint = judge_result(asker, results[i], index);
        count_result(asker, index, results[i]->status);
        if (complaint == NULL)
            continue;
        asker->complaint = complaint;
        asker->culprit = index;
        asker->wrong = *results[i];
    }
    asker->delivered += (int64_t)count;
    return asker->complaint != NULL;
}

static void fail_asker(batch_asker *asker)
{
    const batch_setup *setup = &asker->setup;
    const char *family = asker->list != NULL ? asker->list->family : "none";
    fprintf(stderr, "wrong: %s; device %s, %d workers, %lld pairs at once\n", asker->complaint,
            rhomb_context_device(asker->ctx)->name, (int)setup->tuning.workers,
            (long long)setup->at_once);
    fprintf(stderr, "  seed:     RHOMB_TEST_SEED=%llu, family %s, pair %lld of the list\n",
            (unsigned long long)rng_seed(), family, (long long)asker->culprit);
    if (asker->culprit >= 0) {
        const listed_pair *p = &asker->list->at[asker->culprit];
        const rhomb_pair texts = pair_list_given(asker->list, asker->culprit);
        char options[96];
        snprintf(options, sizeof options, "%s --alphabet %s", setup->cigar ? " --cigar" : "",
                 asker->alphabet == RHOMB_ALPHABET_DNA ? "dna" : "bytes");
        batch_print_command(&texts, options, &setup->tuning);
        fprintf(stderr,
                "  expected: %s, distance %lld, limit %lld, not %s, %lld, %lld operations\n",
                rhomb_status_name(p->status), (long long)p->distance,
                (long long)setup->max_distance, rhomb_status_name(asker->wrong.status),
                (long long)asker->wrong.distance, (long long)asker->wrong.cigar_count);
    }
    fail_msg("%s, pair %lld: %s", family, (long long)asker->culprit, asker->complaint);
}

static void expect_ok(batch_asker *asker, rhomb_status status)
{
    static char detail[1024];
    if (status != RHOMB_OK && asker->complaint == NULL) {
        snprintf(detail, sizeof detail, "%s: %s", rhomb_status_name(status),
                 rhomb_context_error(asker->ctx));
        asker->complaint = detail;
    }
    if (asker->complaint != NULL)
        fail_asker(asker);
}

void batch_asker_open(batch_asker *asker, rhomb_context *ctx, const batch_setup *setup,
                      rhomb_alphabet alphabet)
{
    const batch_asker fresh = {
        .ctx = ctx, .setup = *setup, .alphabet = alphabet, .culprit = -1, .most_path = MOST_PATH};
    rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
    *asker = fresh;
    options.max_distance = setup->max_distance;
    options.alphabet = alphabet;
    options.cigar = setup->cigar;
    options.results = take_results;
    options.user = asker;
    options.tuning = &setup->tuning;
    expect_ok(asker, rhomb_batch_create(ctx, &options, &asker->batch));
}

/* The library copies what it gets, so the array is filled with nonsense after each call. */
static rhomb_status add_pairs(batch_asker *asker, int64_t begin, int64_t end)
{
    const size_t count = (size_t)(end - begin);
    rhomb_pair *pairs = malloc((count + 1) * sizeof *pairs);
    if (pairs == NULL)
        abort();
    for (size_t i = 0; i < count; i++)
        pairs[i] = pair_list_given(asker->list, begin + (int64_t)i);
    const rhomb_status status = rhomb_batch_add(asker->batch, pairs, count);
    memset(pairs, 0x5a, count * sizeof *pairs);
    free(pairs);
    return status;
}

void batch_asker_ask(batch_asker *asker, const pair_list *list)
{
    const int64_t step = asker->setup.at_once > 0 ? asker->setup.at_once : list->count;
    rhomb_status status = RHOMB_OK;
    asker->list = list;
    asker->base = asker->delivered;
    for (int64_t begin = 0; status == RHOMB_OK && begin < list->count; begin += step)
        status = add_pairs(asker, begin, begin + step < list->count ? begin + step : list->count);
    if (status == RHOMB_OK)
        status = rhomb_batch_finish(asker->batch);
    expect_ok(asker, status);
    if (asker->delivered != asker->base + list->count) {
        asker->complaint = "results are missing";
        fail_asker(asker);
    }
}

static const char *judge_report(const batch_asker *asker, const rhomb_batch_report *report)
{
    const rhomb_batch_report *expected = &asker->expected;
    REQUIRE(report->pairs == expected->pairs);
    REQUIRE(report->failed == expected->failed);
    REQUIRE(report->exceeding == expected->exceeding);
    /* What a pair that failed counts for is left open. */
    REQUIRE(report->distances == expected->distances || report->failed > 0);
    REQUIRE(report->bases == expected->bases || report->failed > 0);
    REQUIRE(report->other_bases <= expected->other_bases || report->failed > 0);
    REQUIRE(report->long_pairs <= report->pairs);
    REQUIRE(asker->setup.tuning.workers == 0 || report->workers <= asker->setup.tuning.workers);
    REQUIRE(report->seconds_total >= 0 && report->seconds_fill >= 0);
    return NULL;
}

void batch_asker_close(batch_asker *asker, rhomb_batch_report *report)
{
    const rhomb_batch_report *got = rhomb_batch_get_report(asker->batch);
    asker->complaint = judge_report(asker, got);
    if (asker->complaint != NULL) {
        fprintf(stderr, "  report:   %lld pairs, %lld bases, %lld others, %lld failed\n",
                (long long)got->pairs, (long long)got->bases, (long long)got->other_bases,
                (long long)got->failed);
        fail_asker(asker);
    }
    if (report != NULL)
        *report = *got;
    rhomb_batch_destroy(asker->batch);
    asker->batch = NULL;
    path_release(&asker->path);
}

void batch_ask(rhomb_context *ctx, const batch_setup *setup, const pair_list *list,
               rhomb_batch_report *report)
{
    batch_asker asker;
    batch_asker_open(&asker, ctx, setup, list->alphabet);
    batch_asker_ask(&asker, list);
    batch_asker_close(&asker, report);
}
