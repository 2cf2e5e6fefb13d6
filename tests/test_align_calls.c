/* SPDX-License-Identifier: MIT */
/*
 * Everything about rhomb_align() but its paths: arguments that are refused, callers that stop it at
 * any time, what progress says, and the memory that it takes, which the linker has counted here
 * (--wrap).
 *
 *     test_align_calls [units]     units: the device's memory alone, of a CPU with many
 */
#include <stdatomic.h>

#include <malloc.h>

#include "host/device/context.h"
#include "rhomb/align.h"
#include "rhomb/local.h"
#include "rhomb/tuning.h"
#include "support/pair.h"
#include "support/run.h"
#include "support/test.h"
#include "tests/reference/keep_plan.h"

static rhomb_context *ctx;

static atomic_llong live_bytes, peak_bytes;

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *block, size_t bytes);
void __real_free(void *block);

void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *block, size_t bytes);
void __wrap_free(void *block);

static void count_bytes(int64_t bytes)
{
    const long long now = atomic_fetch_add(&live_bytes, bytes) + bytes;
    long long peak = atomic_load(&peak_bytes);
    while (now > peak && !atomic_compare_exchange_weak(&peak_bytes, &peak, now))
        continue;
}

static void *count_block(void *block)
{
    count_bytes((int64_t)malloc_usable_size(block));
    return block;
}

void *__wrap_malloc(size_t bytes)
{
    return count_block(__real_malloc(bytes));
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return count_block(__real_calloc(count, bytes));
}

void *__wrap_realloc(void *block, size_t bytes)
{
    const int64_t before = (int64_t)malloc_usable_size(block);
    void *moved = __real_realloc(block, bytes);
    if (moved != NULL)
        count_bytes((int64_t)malloc_usable_size(moved) - before);
    return moved;
}

void __wrap_free(void *block)
{
    count_bytes(-(int64_t)malloc_usable_size(block));
    __real_free(block);
}

/* Bases of which the query lacks so many in the middle. */
static pair make_gap(int64_t kept, int64_t gap)
{
    rng r = rng_for("align calls", kept + gap);
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    letters_random(&p.a, "ACGT", kept + gap, &r);
    letters_append(&p.b, p.a.at, kept / 2);
    letters_append(&p.b, p.a.at + kept / 2 + gap, kept - kept / 2);
    return p;
}

static pair make_mutated(int64_t length, double error_rate)
{
    rng r = rng_for("align calls mutated", length);
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    letters_random(&p.a, "ACGT", length, &r);
    letters_mutate(&p.b, &p.a, error_rate, "ACGT", &r);
    return p;
}

static rhomb_status align_pair(const pair *p, const rhomb_options *options, rhomb_alignment **out)
{
    return rhomb_align(ctx, p->a.at, p->a.length, p->b.at, p->b.length, options, out);
}

/* Aligns, and fails the test where that fails. */
static rhomb_align_report report_of(const pair *p, const rhomb_options *options)
{
    rhomb_alignment *alignment = NULL;
    if (align_pair(p, options, &alignment) != RHOMB_OK)
        fail_msg("%s", rhomb_context_error(ctx));
    rhomb_align_report report = *rhomb_alignment_report(alignment);
    report.whole = keep_report(report.whole);
    rhomb_alignment_destroy(alignment);
    assert_int_equal(ctx->stream.bytes_in_use, 0);
    return report;
}

static void expect_refused(const rhomb_options *options, const pair *p, rhomb_status expected,
                           const char *text)
{
    rhomb_alignment *alignment = (rhomb_alignment *)&ctx; /* anything but NULL */
    const rhomb_status status = align_pair(p, options, &alignment);
    if (status != expected)
        fail_msg("%s instead of %s: %s", rhomb_status_name(status), rhomb_status_name(expected),
                 rhomb_context_error(ctx));
    if (strstr(rhomb_context_error(ctx), text) == NULL)
        fail_msg("'%s' lacks '%s'", rhomb_context_error(ctx), text);
    assert_null(alignment);
}

static void test_arguments(void **state)
{
    static char target[] = "ACGTACGTTTACA", query[] = "ACGGACGTTACA", odd[] = "ACGTAC-T";
    const pair p = {{target, 13, 0}, {query, 12, 0}};
    const pair refused[] = {{{target, -1, 0}, {query, 12, 0}},
                            {{target, 13, 0}, {query, INT64_MIN, 0}},
                            {{NULL, 13, 0}, {query, 12, 0}},
                            {{target, 13, 0}, {NULL, 12, 0}},
                            {{target, INT64_MAX, 0}, {query, 12, 0}}};
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    rhomb_alignment *alignment = (rhomb_alignment *)&ctx;
    assert_int_equal(rhomb_align(NULL, target, 13, query, 12, NULL, &alignment),
                     RHOMB_ERR_ARGUMENT);
    assert_null(alignment);
    assert_int_equal(align_pair(&p, NULL, NULL), RHOMB_ERR_ARGUMENT);
    rhomb_alignment_destroy(NULL);
    for (size_t i = 0; i < COUNT(refused); i++)
        expect_refused(NULL, &refused[i], RHOMB_ERR_ARGUMENT, i < 2 ? "negative" : "");
    const pair spoilt[] = {{{odd, 8, 0}, {query, 12, 0}}, {{target, 13, 0}, {odd, 8, 0}}};
    expect_refused(NULL, &spoilt[0], RHOMB_ERR_ALPHABET, "target");
    expect_refused(NULL, &spoilt[1], RHOMB_ERR_ALPHABET, "query");
    options.max_distance = -2;
    expect_refused(&options, &p, RHOMB_ERR_ARGUMENT, "");
    options.max_distance = RHOMB_NO_LIMIT;
    options.struct_size += 8;
    expect_refused(&options, &p, RHOMB_ERR_ARGUMENT, "");
    options.struct_size -= 8;
    options.tuning = &tuning;
    tuning.directions = 1;
    expect_refused(&options, &p, RHOMB_ERR_ARGUMENT, "two directions");
    tuning.directions = 0;
    tuning.tile_shape = RHOMB_TILE_DIAMOND;
    expect_refused(&options, &p, RHOMB_ERR_ARGUMENT, "trapezoids");
    tuning.tile_shape = RHOMB_TILE_AUTO;
    tuning.directions = 2;
    assert_int_equal(report_of(&p, &options).whole->distance, 2);
    assert_string_equal(rhomb_context_error(ctx), "");
}

/* Without a path there is no memory for one, and sequences of nothing may be NULL. */
static void test_nothing(void **state)
{
    const pair none = {{NULL, 0, 0}, {NULL, 0, 0}};
    rhomb_alignment *alignment = NULL;
    int64_t count = -1;
    assert_int_equal(align_pair(&none, NULL, &alignment), RHOMB_OK);
    assert_null(rhomb_alignment_path(alignment, &count));
    assert_int_equal(count, 0);
    assert_int_equal(rhomb_alignment_report(alignment)->whole->distance, 0);
    assert_int_equal(rhomb_alignment_report(alignment)->host_bytes, 0);
    rhomb_alignment_destroy(alignment);
}

typedef struct watcher {
    int64_t calls[2]; /* of the distance, of the path */
    int stop_in;      /* which of the two */
    int64_t stop_at;  /* 0: never */
    double fraction;  /* of the last call */
} watcher;

static int watch(const rhomb_progress *progress, void *user)
{
    watcher *w = user;
    const int phase = progress->fraction >= 0.5;
    w->fraction = progress->fraction;
    return ++w->calls[phase] == w->stop_at && phase == w->stop_in;
}

/* Stops at a call, and says whether there was such a one: how often it is asked depends on the
 * clock. */
static bool stop_once(const pair *p, rhomb_options *options, watcher *w)
{
    rhomb_alignment *alignment = (rhomb_alignment *)&ctx;
    options->progress_user = w;
    const rhomb_status status = align_pair(p, options, &alignment);
    const int64_t calls = w->calls[w->stop_in];
    if (calls < w->stop_at)
        assert_int_equal(status, RHOMB_OK);
    else if (status != RHOMB_ERR_CANCELLED || calls != w->stop_at)
        fail_msg("%s after %lld calls: %s", rhomb_status_name(status), (long long)calls,
                 rhomb_context_error(ctx));
    assert_int_equal(alignment == NULL, status != RHOMB_OK);
    assert_int_equal(ctx->stream.bytes_in_use, 0);
    if (status == RHOMB_OK)
        rhomb_alignment_destroy(alignment);
    return status != RHOMB_OK;
}

/* A caller may stop at any time, and use the context again. */
static void stop_everywhere(const pair *p, rhomb_engine engine)
{
    watcher all = {.stop_at = 0};
    int64_t stopped[2] = {0, 0};
    rhomb_options options = RHOMB_OPTIONS_INIT;
    options.engine = engine;
    options.progress = watch;
    options.progress_user = &all;
    const rhomb_align_report whole = report_of(p, &options);
    if (all.fraction <= 0.5 || all.fraction > 1)
        fail_msg("the last of %lld calls says %.3f", (long long)all.calls[1], all.fraction);
    for (int phase = 0; phase < 2; phase++)
        for (int64_t at = 1; at <= all.calls[phase]; at += at < 8 ? 1 : 1 + all.calls[phase] / 20) {
            watcher w = {.stop_in = phase, .stop_at = at};
            stopped[phase] += stop_once(p, &options, &w);
        }
    if (stopped[0] < 2 || stopped[1] < 4)
        fail_msg("stopped %lld times before the distance, %lld after", (long long)stopped[0],
                 (long long)stopped[1]);
    const rhomb_align_report again = report_of(p, NULL);
    assert_int_equal(again.whole->distance, whole.whole->distance);
    printf("stopped at %lld of %lld calls of the distance, %lld of %lld of the path\n",
           (long long)stopped[0], (long long)all.calls[0], (long long)stopped[1],
           (long long)all.calls[1]);
}

/* Large parts, parts that are split together, and leaves of all kinds. */
static void test_cancel(void **state)
{
    pair gap = make_gap(100, 16500), mutated = make_mutated(9000, 0.2);
    stop_everywhere(&gap, RHOMB_ENGINE_WAVEFRONT);
    stop_everywhere(&gap, RHOMB_ENGINE_BITPARALLEL);
    stop_everywhere(&mutated, RHOMB_ENGINE_WAVEFRONT);
    pair_release(&gap);
    pair_release(&mutated);
}

static int follow_progress(const rhomb_progress *now, void *user)
{
    rhomb_progress *before = user;
    assert_true(now->lower_bound >= before->lower_bound && now->lower_bound <= now->upper_bound);
    assert_true(now->upper_bound <= before->upper_bound);
    assert_true(now->seconds >= before->seconds);
    assert_true(now->fraction >= before->fraction && now->fraction <= 1);
    *before = *now;
    return 0;
}

/*
 * A local alignment has three phases, two sweeps and its path: bounds go one way, and the fraction
 * never falls. support/check.c looks at distances so, align_check.c at alignments end to end.
 */
static void test_local_progress(void **state)
{
    const rhomb_scoring scoring = {2, 4, 4, 2, -1, -1, NULL};
    pair p = make_mutated(30000, 0.1);
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_alignment *alignment = NULL;
    rhomb_progress before = {.upper_bound = INT64_MAX};
    options.scoring = &scoring;
    options.progress = follow_progress;
    options.progress_user = &before;
    assert_int_equal(
        rhomb_align_mode(ctx, p.a.at, p.a.length, p.b.at, p.b.length, NULL, &options, &alignment),
        RHOMB_OK);
    rhomb_alignment_destroy(alignment);
    assert_true(before.fraction > 0.9);
    pair_release(&p);
}

typedef struct builds {
    int64_t of_distance;
    int64_t of_path;
    bool stops; /* at the first one of the path */
    const char *complaint;
} builds;

static int count_builds(const rhomb_progress *progress, void *user)
{
    builds *b = user;
    if (progress->eta_seconds < 0 && progress->fraction >= 0.5)
        b->complaint = "no ETA of a path";
    if (!progress->building)
        return 0;
    b->of_distance += progress->fraction < 0.5;
    b->of_path += progress->fraction >= 0.5;
    return b->stops && b->of_path > 0;
}

/*
 * Each program that no cache has is told of before it is compiled, and its time counts as that of
 * building; a call that stops there leaves the context as it should be.
 */
static void test_building(void **state)
{
    rhomb_context *const shared = ctx;
    rhomb_context_options fresh = RHOMB_CONTEXT_OPTIONS_INIT;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_alignment *alignment = NULL;
    builds first = {.stops = true}, second = {.stops = false}, third = {.stops = false};
    pair p = make_mutated(3000, 0.3);
    fresh.cache_dir = "off";
    ctx = NULL;
    assert_int_equal(rhomb_context_create(&ctx, &fresh), RHOMB_OK);
    assert_int_equal(rhomb_context_open(ctx, shared->stream.device->info.name, 0), RHOMB_OK);
    options.engine = RHOMB_ENGINE_WAVEFRONT;
    options.progress = count_builds;
    options.progress_user = &first;
    assert_int_equal(align_pair(&p, &options, &alignment), RHOMB_ERR_CANCELLED);
    assert_true(first.of_distance >= 2 && first.of_path == 1 &&
                ctx->stream.device->building == 0); /* pack.cl, wavefront.cl; split.cl */
    options.progress_user = &second;
    const rhomb_align_report cold = report_of(&p, &options);
    assert_true(second.of_distance == 0 && second.of_path >= 2); /* split.cl, batch.cl */
    assert_true(cold.seconds_build > 0);
    options.progress_user = &third;
    const rhomb_align_report warm = report_of(&p, &options);
    assert_true(third.of_distance == 0 && third.of_path == 0);
    assert_true(warm.seconds_build == 0);
    assert_null(first.complaint);
    assert_null(second.complaint);
    assert_null(third.complaint);
    rhomb_context_destroy(ctx);
    ctx = shared;
    pair_release(&p);
}

static int64_t distance_bytes(const pair *p, rhomb_engine engine)
{
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_result *result = NULL;
    options.engine = engine;
    if (rhomb_distance(ctx, p->a.at, p->a.length, p->b.at, p->b.length, &options, &result) !=
        RHOMB_OK)
        fail_msg("%s", rhomb_context_error(ctx));
    const int64_t bytes = rhomb_result_report(result)->device_bytes;
    rhomb_result_destroy(result);
    return bytes;
}

/* On the device at most half as much again as for the distance, and 64 MiB. */
static void test_device_memory(void **state)
{
    pair pairs[] = {make_mutated(400000, 0.005), make_mutated(30000, 0.3), make_gap(100, 60000)};
    for (size_t i = 0; i < COUNT(pairs); i++) {
        for (int engine = RHOMB_ENGINE_WAVEFRONT; engine <= RHOMB_ENGINE_BITPARALLEL; engine++) {
            rhomb_options options = RHOMB_OPTIONS_INIT;
            options.engine = (rhomb_engine)engine;
            if (i == 2 && options.engine == RHOMB_ENGINE_WAVEFRONT)
                continue;
            const int64_t bytes = distance_bytes(&pairs[i], options.engine);
            const rhomb_align_report report = report_of(&pairs[i], &options);
            printf("%lld and %lld letters, distance %lld: %lld bytes after %lld\n",
                   (long long)pairs[i].a.length, (long long)pairs[i].b.length,
                   (long long)report.whole->distance, (long long)report.device_bytes,
                   (long long)bytes);
            if (report.device_bytes > bytes + bytes / 2 + (INT64_C(64) << 20))
                fail_msg("pair %zu: %lld bytes instead of %lld", i, (long long)report.device_bytes,
                         (long long)bytes);
        }
        pair_release(&pairs[i]);
    }
}

/* What the library has of the host's memory at most in an alignment, besides what it had before. */
static int64_t host_bytes(const pair *p, rhomb_align_report *report)
{
    const int64_t before = atomic_load(&live_bytes);
    atomic_store(&peak_bytes, before);
    *report = report_of(p, NULL);
    return atomic_load(&peak_bytes) - before;
}

/* Of the host's: 28 bytes for each edit, and what any alignment takes. */
static void check_host_memory(pair few, pair many)
{
    rhomb_align_report small, large;
    report_of(&many, NULL); /* builds what stays */
    const int64_t least = host_bytes(&few, &small), most = host_bytes(&many, &large);
    const int64_t edits = large.whole->distance - small.whole->distance;
    printf("%lld bytes for %lld edits, %lld for %lld\n", (long long)least,
           (long long)small.whole->distance, (long long)most, (long long)large.whole->distance);
    assert_true(edits > 10000);
    assert_true(large.host_bytes <= most);
    assert_true(most - least <= 28 * edits);
    pair_release(&few);
    pair_release(&many);
}

/* A pair whose query lacks bases, one in `each`, none beside another. */
static pair make_shorter(int64_t length, int64_t each)
{
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    rng r = rng_for("align calls, shorter", length);
    letters_random(&p.a, "ACGT", length, &r);
    for (int64_t i = 0; i < length; i++)
        if (i % each != each / 2)
            letters_append(&p.b, &p.a.at[i], 1);
    return p;
}

/* Of edits of all kinds, and of deletions alone: a path without a mismatch. */
static void test_host_memory(void **state)
{
    check_host_memory(make_mutated(60000, 0.01), make_mutated(60000, 0.3));
    check_host_memory(make_shorter(60000, 2000), make_shorter(60000, 5));
}

int main(int argc, char **argv)
{
    const bool units = argc > 1 && strcmp(argv[1], "units") == 0;
    const struct CMUnitTest of_units[] = {TEST_LIST(cmocka_unit_test, test_device_memory)};
    const struct CMUnitTest tests[] = {TEST_LIST(cmocka_unit_test, test_arguments, test_nothing,
                                                 test_cancel, test_device_memory, test_host_memory,
                                                 test_building, test_local_progress)};
    if (units)
        setenv("POCL_MAX_PTHREAD_COUNT", "64", 1);
    ctx = device_open();
    if (ctx == NULL)
        return 77;
    const int failures = units ? cmocka_run_group_tests_name("align units", of_units, NULL, NULL)
                               : cmocka_run_group_tests_name("align calls", tests, NULL, NULL);
    rhomb_context_destroy(ctx);
    return failures != 0;
}
