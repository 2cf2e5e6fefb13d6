/* SPDX-License-Identifier: MIT */
/*
 * The calls of a batch, besides what pairs come to: arguments that cannot be, pairs that cannot be,
 * callers that stop or go away, the order of calls, whose memory is whose and for how long.
 */
#include <math.h>
#include <stdatomic.h>

#include <pthread.h>

#include "host/device/context.h"
#include "support/batch_check.h"
#include "support/check.h"
#include "support/run.h"
#include "support/test.h"

static session device;

/* What a callback has seen, and when it is to stop the batch. */
typedef struct taken {
    int64_t pairs;
    int64_t calls;
    int64_t stop_at; /* pairs; 0: never */
    int64_t distances[64];
    rhomb_status statuses[64];
    pthread_t thread;
    bool other_thread;
} taken;

static int take(int64_t first, const rhomb_pair_result *const *results, size_t count, void *user)
{
    taken *t = user;
    t->calls++;
    t->other_thread |= !pthread_equal(t->thread, pthread_self());
    assert_int_equal(first, t->pairs);
    for (size_t i = 0; i < count; i++) {
        const size_t at = (size_t)first + i;
        if (at < COUNT(t->distances)) {
            t->distances[at] = results[i]->distance;
            t->statuses[at] = results[i]->status;
            assert_int_equal(results[i]->detail == NULL, results[i]->status == RHOMB_OK);
        }
    }
    t->pairs += (int64_t)count;
    return t->stop_at > 0 && t->pairs >= t->stop_at;
}

static taken taken_none(void)
{
    const taken t = {.thread = pthread_self()};
    return t;
}

static rhomb_batch_options options_for(taken *t)
{
    rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
    options.results = take;
    options.user = t;
    options.cigar = true;
    return options;
}

static rhomb_batch *create(const rhomb_batch_options *options)
{
    rhomb_batch *batch = NULL;
    if (rhomb_batch_create(device.ctx, options, &batch) != RHOMB_OK)
        fail_msg("%s", rhomb_context_error(device.ctx));
    assert_non_null(batch);
    return batch;
}

/* Jobs of a few pairs, so that even a test's few make several. */
static rhomb_batch_tuning small_jobs(void)
{
    rhomb_batch_tuning tuning = RHOMB_BATCH_TUNING_INIT;
    tuning.job_bases = 4096;
    tuning.workers = 2;
    return tuning;
}

static const rhomb_pair PAIR = {"GATTACA", 7, "GATACCA", 7}; /* two edits */

static void fill_pairs(rhomb_pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        pairs[i] = PAIR;
}

static void expect_refused(const rhomb_batch_options *options, const char *what)
{
    rhomb_batch *batch = (rhomb_batch *)&batch; /* anything but NULL */
    const rhomb_status status = rhomb_batch_create(device.ctx, options, &batch);
    if (status != RHOMB_ERR_ARGUMENT)
        fail_msg("%s: %s", what, rhomb_status_name(status));
    assert_null(batch);
    assert_true(rhomb_context_error(device.ctx)[0] != '\0');
}

static void test_arguments(void **state)
{
    taken t = taken_none();
    const rhomb_batch_options good = options_for(&t);
    rhomb_batch *batch = NULL;
    assert_int_equal(rhomb_batch_create(NULL, &good, &batch), RHOMB_ERR_ARGUMENT);
    assert_null(batch);
    assert_int_equal(rhomb_batch_create(device.ctx, &good, NULL), RHOMB_ERR_ARGUMENT);
    expect_refused(NULL, "no options");
    rhomb_batch_options bad = good;
    bad.results = NULL;
    expect_refused(&bad, "no function");
    bad = good;
    bad.struct_size = 0;
    expect_refused(&bad, "options of size 0");
    bad.struct_size = sizeof bad + 1;
    expect_refused(&bad, "options from the future");
    bad = good;
    bad.max_distance = -2;
    expect_refused(&bad, "a limit below 0");
    bad = good;
    bad.alphabet = (rhomb_alphabet)7;
    expect_refused(&bad, "no alphabet");
    rhomb_batch_destroy(NULL);
    assert_int_equal(t.calls, 0);
}

static void test_tuning_ranges(void **state)
{
#define FIELD(name, bad)                                                                           \
    {                                                                                              \
#        name, offsetof(rhomb_batch_tuning, name), sizeof((const rhomb_batch_tuning *)NULL)->name, \
            bad                                                                                    \
    }
    static const struct {
        const char *name;
        size_t at, size;
        int64_t bad;
    } cases[] = {
        FIELD(group_size, -1),   FIELD(group_size, 3),     FIELD(group_size, 512),
        FIELD(first_limit, -1),  FIELD(first_limit, 2001), FIELD(last_limit, -1),
        FIELD(last_limit, 2001), FIELD(workers, -1),       FIELD(workers, 65),
        FIELD(job_bases, 4095),  FIELD(job_bases, -1),     FIELD(job_bases, (INT64_C(1) << 30) + 1),
        FIELD(score_bits, 8),    FIELD(score_bits, -1),    FIELD(long_bases, -1),
    };
#undef FIELD
    taken t = taken_none();
    for (size_t i = 0; i < COUNT(cases); i++) {
        rhomb_batch_tuning tuning = RHOMB_BATCH_TUNING_INIT;
        rhomb_batch_options options = options_for(&t);
        const int32_t narrow = (int32_t)cases[i].bad;
        memcpy((char *)&tuning + cases[i].at,
               cases[i].size == sizeof narrow ? (const void *)&narrow : &cases[i].bad,
               cases[i].size);
        options.tuning = &tuning;
        expect_refused(&options, cases[i].name);
    }
    rhomb_batch_tuning tuning = RHOMB_BATCH_TUNING_INIT;
    rhomb_batch_options options = options_for(&t);
    tuning.struct_size++;
    options.tuning = &tuning;
    expect_refused(&options, "tuning from the future");
}

/* Pairs that cannot be, among such that can. */
static void test_bad_pairs(void **state)
{
    static const struct {
        rhomb_pair pair;
        rhomb_status status;
        int64_t distance;
    } cases[] = {
        {{"GATTACA", 7, "GATACCA", 7}, RHOMB_OK, 2},
        {{"ACGT", -1, "ACGT", 4}, RHOMB_ERR_ARGUMENT, -1},
        {{"ACGT", 4, "ACGT", INT64_MIN}, RHOMB_ERR_ARGUMENT, -1},
        {{NULL, 4, "ACGT", 4}, RHOMB_ERR_ARGUMENT, -1},
        {{"ACGT", 4, NULL, 1}, RHOMB_ERR_ARGUMENT, -1},
        {{NULL, -5, NULL, -5}, RHOMB_ERR_ARGUMENT, -1},
        {{NULL, 0, "ACGT", 4}, RHOMB_OK, 4},
        {{"ACG", 3, NULL, 0}, RHOMB_OK, 3},
        {{NULL, 0, NULL, 0}, RHOMB_OK, 0},
        {{"AXG", 3, "ACG", 3}, RHOMB_ERR_ALPHABET, -1},
        {{"", 0, "A-", 2}, RHOMB_ERR_ALPHABET, -1},
        {{"A-", 2, "A-", 2}, RHOMB_ERR_ALPHABET, -1},
        {{"ACG", INT64_MAX, "ACG", INT64_MAX}, RHOMB_ERR_ARGUMENT, -1},
        {{"GATTACA", 7, "GATACCA", 7}, RHOMB_OK, 2},
    };
    taken t = taken_none();
    const rhomb_batch_options options = options_for(&t);
    rhomb_batch *batch = create(&options);
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(rhomb_batch_add(batch, &cases[i].pair, 1), RHOMB_OK);
    assert_int_equal(rhomb_batch_finish(batch), RHOMB_OK);
    assert_int_equal(t.pairs, COUNT(cases));
    for (size_t i = 0; i < COUNT(cases); i++)
        if (t.statuses[i] != cases[i].status || t.distances[i] != cases[i].distance)
            fail_msg("pair %zu: %s, distance %lld", i, rhomb_status_name(t.statuses[i]),
                     (long long)t.distances[i]);
    assert_int_equal(rhomb_batch_get_report(batch)->failed, 9);
    assert_int_equal(rhomb_batch_add(batch, NULL, 1), RHOMB_ERR_ARGUMENT);
    assert_non_null(strstr(rhomb_context_error(device.ctx), "pairs must not be NULL"));
    rhomb_batch_destroy(batch);
    assert_int_equal(rhomb_batch_add(NULL, &PAIR, 1), RHOMB_ERR_ARGUMENT);
    assert_int_equal(rhomb_batch_finish(NULL), RHOMB_ERR_ARGUMENT);
}

/* The detail says which byte, and where. */
static int expect_letter(int64_t first, const rhomb_pair_result *const *results, size_t count,
                         void *user)
{
    assert_int_equal(first, 0);
    assert_int_equal(count, 1);
    assert_int_equal(results[0]->status, RHOMB_ERR_ALPHABET);
    if (strstr(results[0]->detail, "'X'") == NULL || strstr(results[0]->detail, "6") == NULL ||
        strstr(results[0]->detail, "query") == NULL)
        fail_msg("%s", results[0]->detail);
    return 0;
}

static void test_letter_detail(void **state)
{
    const rhomb_pair spoilt = {"GATTACA", 7, "GATTAXA", 7};
    taken t = taken_none();
    rhomb_batch_options options = options_for(&t);
    options.results = expect_letter;
    rhomb_batch *batch = create(&options);
    assert_int_equal(rhomb_batch_add(batch, &spoilt, 1), RHOMB_OK);
    assert_int_equal(rhomb_batch_finish(batch), RHOMB_OK);
    rhomb_batch_destroy(batch);
}

static void test_nothing(void **state)
{
    taken t = taken_none();
    const rhomb_batch_options options = options_for(&t);
    rhomb_batch *batch = create(&options);
    assert_int_equal(rhomb_batch_finish(batch), RHOMB_OK);
    assert_int_equal(rhomb_batch_add(batch, NULL, 0), RHOMB_OK);
    assert_int_equal(rhomb_batch_add(batch, &PAIR, 0), RHOMB_OK);
    assert_int_equal(rhomb_batch_finish(batch), RHOMB_OK);
    assert_int_equal(rhomb_batch_get_report(batch)->pairs, 0);
    rhomb_batch_destroy(batch);
    assert_int_equal(t.calls, 0);
}

/* More pairs after the end, and batches one after the other and in turns. */
static void test_turns(void **state)
{
    taken a = taken_none(), b = taken_none();
    const rhomb_batch_options options_a = options_for(&a), options_b = options_for(&b);
    rhomb_batch *first = create(&options_a), *second = create(&options_b);
    for (int64_t turn = 1; turn <= 3; turn++) {
        assert_int_equal(rhomb_batch_add(first, &PAIR, 1), RHOMB_OK);
        assert_int_equal(rhomb_batch_finish(first), RHOMB_OK);
        assert_int_equal(a.pairs, turn);
        assert_int_equal(rhomb_batch_add(second, &PAIR, 1), RHOMB_OK);
        assert_int_equal(rhomb_batch_finish(second), RHOMB_OK);
        assert_int_equal(rhomb_batch_finish(second), RHOMB_OK);
        assert_int_equal(b.pairs, turn);
        assert_int_equal(a.distances[turn - 1], 2);
        assert_int_equal(b.distances[turn - 1], 2);
    }
    assert_int_equal(rhomb_batch_get_report(first)->pairs, 3);
    rhomb_batch_destroy(first);
    assert_int_equal(rhomb_batch_add(second, &PAIR, 1), RHOMB_OK);
    assert_int_equal(rhomb_batch_finish(second), RHOMB_OK);
    rhomb_batch_destroy(second);
    assert_false(a.other_thread || b.other_thread);
}

/* The engines of long pairs work beside a batch that is open. */
static void test_beside_distance(void **state)
{
    taken t = taken_none();
    const rhomb_batch_options options = options_for(&t);
    rhomb_batch *batch = create(&options);
    rhomb_result *result = NULL;
    for (int turn = 0; turn < 2; turn++) {
        assert_int_equal(rhomb_batch_add(batch, &PAIR, 1), RHOMB_OK);
        assert_int_equal(rhomb_batch_finish(batch), RHOMB_OK);
        assert_int_equal(rhomb_distance(device.ctx, PAIR.target, PAIR.target_length, PAIR.query,
                                        PAIR.query_length, NULL, &result),
                         RHOMB_OK);
        assert_int_equal(rhomb_result_report(result)->distance, 2);
        rhomb_result_destroy(result);
    }
    rhomb_batch_destroy(batch);
    assert_int_equal(t.pairs, 2);
}

/* Pairs that are too long for the kernels borrow their bases no longer than others do. */
static void test_long_on_the_way(void **state)
{
    char text[1000];
    taken t = taken_none();
    rhomb_batch_options options = options_for(&t);
    rhomb_batch_tuning tuning = small_jobs();
    const rhomb_pair twice = {text, sizeof text, text, sizeof text};
    memset(text, 'C', sizeof text);
    tuning.long_bases = 100;
    options.tuning = &tuning;
    rhomb_batch *batch = create(&options);
    for (int64_t i = 0; i < 40; i++) {
        assert_int_equal(rhomb_batch_add(batch, &twice, 1), RHOMB_OK);
        assert_true(i < 20 || t.pairs > i - 20);
    }
    assert_int_equal(rhomb_batch_finish(batch), RHOMB_OK);
    assert_int_equal(t.pairs, 40);
    assert_int_equal(rhomb_batch_get_report(batch)->long_pairs, 40);
    rhomb_batch_destroy(batch);
}

/* A caller that adds for ever gets results on the way. */
static void test_results_on_the_way(void **state)
{
    enum { PAIRS = 20000, MOST_UNDER_WAY = 4096 };
    static rhomb_pair pairs[PAIRS];
    taken t = taken_none();
    const rhomb_batch_tuning tuning = small_jobs();
    rhomb_batch_options options = options_for(&t);
    options.tuning = &tuning;
    fill_pairs(pairs, PAIRS);
    rhomb_batch *batch = create(&options);
    assert_int_equal(rhomb_batch_add(batch, pairs, PAIRS), RHOMB_OK);
    assert_true(t.pairs >= PAIRS - MOST_UNDER_WAY);
    assert_int_equal(rhomb_batch_finish(batch), RHOMB_OK);
    assert_int_equal(t.pairs, PAIRS);
    rhomb_batch_destroy(batch);
}

/* Commands whose end was asked for. By this clock of the device, each takes a millisecond. */
static atomic_int commands_ended;

cl_int __real_clGetEventProfilingInfo(cl_event event, cl_profiling_info what, size_t size,
                                      void *value, size_t *size_out);
cl_int __wrap_clGetEventProfilingInfo(cl_event event, cl_profiling_info what, size_t size,
                                      void *value, size_t *size_out);

cl_int __wrap_clGetEventProfilingInfo(cl_event event, cl_profiling_info what, size_t size,
                                      void *value, size_t *size_out)
{
    const cl_int code = __real_clGetEventProfilingInfo(event, what, size, value, size_out);
    if (code != CL_SUCCESS)
        return code;
    const bool is_end = what == CL_PROFILING_COMMAND_END;
    const cl_ulong nanoseconds = is_end ? 6000000 : 5000000;
    memcpy(value, &nanoseconds, sizeof nanoseconds);
    commands_ended += is_end;
    return code;
}

/*
 * Times of the device's stages are those of what it did, each command counted once, and only there
 * where they were asked for.
 */
static void test_profile(void **state)
{
    enum { PAIRS = 2000 };
    static rhomb_pair pairs[PAIRS];
    const rhomb_batch_tuning tuning = small_jobs();
    fill_pairs(pairs, PAIRS);
    for (int asked = 0; asked < 2; asked++) {
        taken t = taken_none();
        rhomb_batch_options options = options_for(&t);
        options.tuning = &tuning;
        options.profile = asked;
        rhomb_batch *batch = create(&options);
        assert_int_equal(rhomb_batch_add(batch, pairs, PAIRS), RHOMB_OK);
        assert_int_equal(rhomb_batch_finish(batch), RHOMB_OK);
        const rhomb_batch_report *report = rhomb_batch_get_report(batch);
        const double stages[] = {report->seconds_send, report->seconds_pack, report->seconds_solve,
                                 report->seconds_fetch};
        double busy = 0;
        for (size_t i = 0; i < COUNT(stages); i++) {
            assert_int_equal(stages[i] > 0, asked);
            busy += stages[i];
        }
        assert_int_equal(commands_ended > 0, asked);
        assert_true(fabs(busy - 1e-3 * commands_ended) < 1e-6);
        rhomb_batch_destroy(batch);
    }
}

/* Long pairs take memory beside the jobs' own: their engines, and a path in one piece. */
static void test_device_bytes(void **state)
{
    enum { LENGTH = 600 };
    char target[LENGTH], query[LENGTH];
    const rhomb_pair unlike = {target, LENGTH, query, LENGTH};
    int64_t bytes[3];
    memset(target, 'A', LENGTH);
    memset(query, 'C', LENGTH);
    for (int i = 0; i < 3; i++) {
        taken t = taken_none();
        rhomb_batch_tuning tuning = small_jobs();
        rhomb_batch_options options = options_for(&t);
        options.tuning = &tuning;
        options.cigar = i < 2;
        tuning.last_limit = 40;
        rhomb_batch *batch = create(&options);
        const int64_t before = rhomb_batch_get_report(batch)->device_bytes;
        if (i > 0)
            assert_int_equal(rhomb_batch_add(batch, &unlike, 1), RHOMB_OK);
        assert_int_equal(rhomb_batch_finish(batch), RHOMB_OK);
        bytes[i] = rhomb_batch_get_report(batch)->device_bytes - before;
        rhomb_batch_destroy(batch);
    }
    assert_int_equal(bytes[0], 0);
    assert_true(bytes[1] >= (int64_t)sizeof(int32_t) * (LENGTH + 1) * (LENGTH + 1));
    assert_true(bytes[2] > 0 && bytes[2] < bytes[1]);
}

/* Stops at the first results, later on, and at the last ones: nothing comes after it. */
static void test_cancel(void **state)
{
    enum { PAIRS = 3000 };
    static const int64_t STOPS[] = {1, 1000, PAIRS};
    static rhomb_pair pairs[PAIRS];
    const rhomb_batch_tuning tuning = small_jobs();
    fill_pairs(pairs, PAIRS);
    for (size_t i = 0; i < COUNT(STOPS); i++) {
        taken t = taken_none();
        rhomb_batch_options options = options_for(&t);
        options.tuning = &tuning;
        t.stop_at = STOPS[i];
        rhomb_batch *batch = create(&options);
        rhomb_status status = rhomb_batch_add(batch, pairs, PAIRS);
        if (status == RHOMB_OK)
            status = rhomb_batch_finish(batch);
        assert_int_equal(status, RHOMB_ERR_CANCELLED);
        assert_true(rhomb_context_error(device.ctx)[0] != '\0');
        const int64_t calls = t.calls;
        assert_int_equal(rhomb_batch_add(batch, pairs, 1), RHOMB_ERR_CANCELLED);
        assert_int_equal(rhomb_batch_finish(batch), RHOMB_ERR_CANCELLED);
        rhomb_batch_destroy(batch);
        assert_int_equal(t.calls, calls);
    }
}

/* Destroyed without an end: what was added is dropped, and borrowed no longer than that. */
static void test_destroy_early(void **state)
{
    enum { PAIRS = 500, LENGTH = 60 };
    const rhomb_batch_tuning tuning = small_jobs();
    for (size_t count = 0; count <= PAIRS; count = 2 * count + 1) {
        taken t = taken_none();
        rhomb_batch_options options = options_for(&t);
        char *text = malloc(LENGTH);
        assert_non_null(text);
        memset(text, 'C', LENGTH);
        options.tuning = &tuning;
        rhomb_batch *batch = create(&options);
        for (size_t i = 0; i < count; i++) {
            const rhomb_pair short_pair = {text, LENGTH, text, (int64_t)(i % LENGTH)};
            assert_int_equal(rhomb_batch_add(batch, &short_pair, 1), RHOMB_OK);
        }
        const int64_t calls = t.calls;
        rhomb_batch_destroy(batch);
        free(text);
        assert_int_equal(t.calls, calls);
    }
}

/*
 * Bases, and pairs that are borrowed too, are freed as soon as their results are there: where
 * they are borrowed longer, it is seen.
 */
typedef struct borrowed {
    rhomb_pair *pairs;
    rhomb_pair **lent; /* NULL: pairs are copied */
    int64_t returned;
} borrowed;

static char *copy_text(const char *text, int64_t length)
{
    char *copy = malloc((size_t)length + (length == 0));
    assert_non_null(copy);
    if (length > 0)
        memcpy(copy, text, (size_t)length);
    return copy;
}

static int return_letters(int64_t first, const rhomb_pair_result *const *results, size_t count,
                          void *user)
{
    borrowed *b = user;
    for (size_t i = 0; i < count; i++) {
        rhomb_pair *given = &b->pairs[(size_t)first + i];
        const char *complaint =
            path_judge(results[i]->cigar, results[i]->cigar_count, given, results[i]->distance);
        if (complaint != NULL)
            fail_msg("pair %lld: %s", (long long)first + (long long)i, complaint);
        memset((char *)(uintptr_t)given->target, 'T', (size_t)given->target_length);
        free((char *)(uintptr_t)given->target);
        free((char *)(uintptr_t)given->query);
        if (b->lent != NULL)
            free(b->lent[(size_t)first + i]);
        b->returned++;
    }
    return 0;
}

static void make_texts(rng *r, size_t index, rhomb_pair *texts)
{
    const pair_recipe recipe = {.model = PAIR_UNIFORM,
                                .length = rng_below(r, 300),
                                .error_rate = 0.05,
                                .alphabet = index % 16 == 0 ? "ACGTN" : "ACGT"};
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    pair_make(&recipe, r, &p);
    *texts = (rhomb_pair){copy_text(p.a.at, p.a.length), p.a.length, copy_text(p.b.at, p.b.length),
                          p.b.length};
    pair_release(&p);
}

/* Adds pairs one at a time, more to a job than it can borrow from different places. */
static void borrow(const char *name, bool borrow_pairs)
{
    enum { PAIRS = 2000 };
    static rhomb_pair pairs[PAIRS];
    static rhomb_pair *lent[PAIRS];
    borrowed b = {pairs, borrow_pairs ? lent : NULL, 0};
    rng r = rng_for(name, 0);
    rhomb_batch_tuning tuning = small_jobs();
    taken unused = taken_none();
    rhomb_batch_options options = options_for(&unused);
    tuning.last_limit = 40; /* beyond it, the engines of long pairs read bases */
    tuning.job_bases = borrow_pairs ? 65536 : 4096;
    options.results = return_letters;
    options.user = &b;
    options.tuning = &tuning;
    options.borrow_pairs = borrow_pairs;
    rhomb_batch *batch = create(&options);
    for (size_t i = 0; i < PAIRS; i++) {
        rhomb_pair *given = malloc(sizeof *given);
        assert_non_null(given);
        make_texts(&r, i, &pairs[i]);
        *given = pairs[i];
        lent[i] = given;
        assert_int_equal(rhomb_batch_add(batch, given, 1), RHOMB_OK);
        if (!borrow_pairs)
            free(given);
    }
    assert_int_equal(rhomb_batch_finish(batch), RHOMB_OK);
    rhomb_batch_destroy(batch);
    assert_int_equal(b.returned, PAIRS);
}

static void test_borrowing(void **state)
{
    borrow("borrowing", false);
    borrow("borrowing pairs", true);
}

SESSION_MAIN(device, test_arguments, test_tuning_ranges, test_bad_pairs, test_letter_detail,
             test_nothing, test_turns, test_beside_distance, test_results_on_the_way,
             test_long_on_the_way, test_cancel, test_destroy_early, test_borrowing, test_profile,
             test_device_bytes)
