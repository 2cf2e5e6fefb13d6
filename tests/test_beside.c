/* SPDX-License-Identifier: MIT */
/*
 * Contexts that share a device (rhomb_context_open_shared()): what they share and what not, in
 * which order they end, a program that two of them want at the same time, whether it can be built
 * or not, its known-answer test, and calls of several at once. Exits with 77 where there is no
 * device.
 *
 * clBuildProgram() is counted and, where a test says so, held up until another context waits for
 * the same program; nothing here depends on time.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "host/device/context.h"
#include "host/device/device.h"
#include "host/device/program.h"
#include "rhomb/align.h"
#include "rhomb/tuning.h"
#include "support/pair.h"
#include "support/run.h"
#include "support/test.h"
#include "tests/reference/edlib_distance.h"
#include "tests/reference/path_judge.h"

static const rhomb__kernel_source TINY = {
    "tiny.cl", "__kernel void fill(__global int *out) { out[get_global_id(0)] = FACTOR; }\n",
    "0123456789012345678901234567890123456789012345678901234567890123"};

/* Of clBuildProgram(). */
static struct {
    atomic_int count;
    atomic_bool holds;    /* the next one waits until `is_awaited` ... */
    atomic_bool has_come; /* ... and has come that far */
    atomic_bool is_awaited;
    atomic_bool fails; /* and then fails, once */
} builds;

/* Half a minute at most: only what is broken takes so long. */
static void wait_for(atomic_bool *flag)
{
    for (int i = 0; i < 300000 && !atomic_load(flag); i++)
        nanosleep(&(struct timespec){0, 100000}, NULL);
}

typedef void(CL_CALLBACK *build_note)(cl_program, void *);

cl_int __real_clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                             const char *options, build_note note, void *user);
cl_int __wrap_clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                             const char *options, build_note note, void *user);

cl_int __wrap_clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                             const char *options, build_note note, void *user)
{
    atomic_fetch_add(&builds.count, 1);
    if (atomic_exchange(&builds.holds, false)) {
        atomic_store(&builds.has_come, true);
        wait_for(&builds.is_awaited);
        if (atomic_exchange(&builds.fails, false))
            return CL_BUILD_PROGRAM_FAILURE;
    }
    return __real_clBuildProgram(program, count, devices, options, note, user);
}

/* Whether contexts share a queue, if a test says so; else as the device needs it. */
static enum { USUAL_QUEUES, OWN_QUEUES, SHARED_QUEUE } queues;

rhomb__quirks __real_rhomb__quirks_of(const rhomb_device_info *info);
rhomb__quirks __wrap_rhomb__quirks_of(const rhomb_device_info *info);

rhomb__quirks __wrap_rhomb__quirks_of(const rhomb_device_info *info)
{
    rhomb__quirks quirks = __real_rhomb__quirks_of(info);
    if (queues != USUAL_QUEUES)
        quirks.shares_queue = quirks.one_queue || queues == SHARED_QUEUE;
    return quirks;
}

/* Messages of all contexts, a line each. */
static struct {
    pthread_mutex_t lock;
    char text[1 << 16];
    size_t length;
} messages = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void keep_message(int level, const char *text, void *user)
{
    pthread_mutex_lock(&messages.lock);
    const size_t room = sizeof messages.text - messages.length;
    const int length = snprintf(messages.text + messages.length, room, "%s\n", text);
    assert_true(length > 0 && (size_t)length < room);
    messages.length += (size_t)length;
    pthread_mutex_unlock(&messages.lock);
}

static rhomb_context *create(void)
{
    const rhomb_context_options options = {
        .struct_size = sizeof options, .threads = 1, .cache_dir = "off", .log = keep_message};
    rhomb_context *ctx = NULL;
    assert_int_equal(rhomb_context_create(&ctx, &options), RHOMB_OK);
    return ctx;
}

static rhomb_context *create_open(void)
{
    rhomb_context *ctx = create();
    assert_int_equal(rhomb_context_open(ctx, getenv("RHOMB_TEST_DEVICE"), 0), RHOMB_OK);
    return ctx;
}

static rhomb_context *create_beside(const rhomb_context *first)
{
    rhomb_context *ctx = create();
    assert_int_equal(rhomb_context_open_shared(ctx, first, 0), RHOMB_OK);
    return ctx;
}

static int set_up(void **state)
{
    messages.length = 0;
    messages.text[0] = '\0';
    atomic_store(&builds.count, 0);
    atomic_store(&builds.holds, false);
    atomic_store(&builds.has_come, false);
    atomic_store(&builds.is_awaited, false);
    atomic_store(&builds.fails, false);
    queues = USUAL_QUEUES;
    return 0;
}

/* Random pairs, and edlib's distances. */
enum { LENGTH = 20000, PAIRS = 12 };

static pair pairs[PAIRS];
static int64_t distances[PAIRS];

static void make_pairs(void)
{
    for (int i = 0; i < PAIRS; i++) {
        rng r = rng_for("beside", i);
        const pair_recipe recipe = {.model = PAIR_UNIFORM,
                                    .length = rng_between(&r, 1, LENGTH),
                                    .error_rate = 0.05,
                                    .alphabet = "ACGT"};
        pair *p = &pairs[i];
        pair_make(&recipe, &r, p);
        distances[i] = oracle_edlib(p->a.at, p->a.length, p->b.at, p->b.length);
    }
}

/* Aligns a pair, by either engine. What is wrong, or NULL. */
static const char *align(rhomb_context *ctx, int which, rhomb_engine engine)
{
    const pair *p = &pairs[which];
    const rhomb_pair texts = {p->a.at, p->a.length, p->b.at, p->b.length};
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_alignment *alignment = NULL;
    int64_t count = 0;
    options.engine = engine;
    if (rhomb_align(ctx, texts.target, texts.target_length, texts.query, texts.query_length,
                    &options, &alignment) != RHOMB_OK)
        return rhomb_context_error(ctx);
    const rhomb_path_op *ops = rhomb_alignment_path(alignment, &count);
    const char *wrong = path_judge_long(ops, count, &texts, distances[which], false);
    rhomb_alignment_destroy(alignment);
    return wrong;
}

static void expect_aligned(rhomb_context *ctx, int which)
{
    const char *wrong = align(ctx, which, RHOMB_ENGINE_AUTO);
    if (wrong != NULL)
        fail_msg("pair %d: %s", which, wrong);
}

static void test_what_is_shared(void **state)
{
    rhomb_context *a = create_open(), *b = create_beside(a);
    const rhomb__device *of_a = a->stream.device, *of_b = b->stream.device;
    rhomb__program *first = NULL, *second = NULL;
    assert_ptr_equal(of_b->driver, of_a->driver);
    assert_ptr_equal(of_b->context, of_a->context);
    assert_ptr_not_equal(of_b, of_a);
    assert_int_equal(of_b->queue == of_a->queue, of_a->quirks.shares_queue);
    assert_string_equal(of_b->info.name, of_a->info.name);
    assert_string_equal(of_b->info.note, of_a->info.note);
    assert_int_equal(of_b->info.index, of_a->info.index);
    assert_int_equal(of_b->info.memory_bytes, of_a->info.memory_bytes);
    assert_int_equal(of_b->info.max_group_size, of_a->info.max_group_size);
    assert_memory_equal(&of_b->rates, &of_a->rates, sizeof of_a->rates);
    assert_int_equal(rhomb_context_device_count(b), 1);
    assert_int_equal(rhomb__program_get(b, &TINY, "-DFACTOR=3", &first), RHOMB_OK);
    assert_int_equal(rhomb__program_get(a, &TINY, "-DFACTOR=3", &second), RHOMB_OK);
    assert_ptr_equal(first, second);
    assert_int_equal(atomic_load(&builds.count), 1);
    assert_int_equal(rhomb__program_get(a, &TINY, "-DFACTOR=4", &second), RHOMB_OK);
    assert_ptr_not_equal(first, second);
    assert_int_equal(atomic_load(&builds.count), 2);
    /* Memory is counted apart. */
    a->stream.bytes_in_use += 1;
    assert_int_equal(b->stream.bytes_in_use, 0);
    a->stream.bytes_in_use -= 1;
    rhomb_context_destroy(b);
    rhomb_context_destroy(a);
}

static void test_arguments(void **state)
{
    rhomb_context *a = create(), *b = create();
    assert_int_equal(rhomb_context_open_shared(b, a, 0), RHOMB_ERR_ARGUMENT);
    assert_string_equal(rhomb_context_error(b), "the other context has no open device 0");
    assert_null(rhomb_context_device(b));
    rhomb_context_destroy(a);
    a = create_open();
    assert_int_equal(rhomb_context_open_shared(b, a, 0), RHOMB_OK);
    const rhomb_device_info *before = rhomb_context_device(b);
    const int32_t bad[] = {rhomb_context_device_count(a), -1};
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_int_equal(rhomb_context_open_shared(b, a, bad[i]), RHOMB_ERR_ARGUMENT);
    assert_ptr_equal(rhomb_context_device(b), before);
    expect_aligned(b, 0);
    rhomb_context_destroy(b);
    rhomb_context_destroy(a);
}

/* Whichever is closed first, the other one works, and so does one that is opened beside that. */
static void test_order_of_closing(void **state)
{
    for (int last = 0; last < 2; last++) {
        rhomb_context *both[2] = {create_open(), NULL};
        both[1] = create_beside(both[0]);
        expect_aligned(both[0], 0);
        char *name = strdup(rhomb_context_device(both[0])->name);
        assert_non_null(name);
        rhomb_context_destroy(both[1 - last]);
        rhomb_context *ctx = both[last];
        expect_aligned(ctx, 1);
        assert_string_equal(rhomb_context_device(ctx)->name, name);
        rhomb_context *third = create_beside(ctx);
        assert_memory_equal(&third->stream.device->rates, &ctx->stream.device->rates,
                            sizeof ctx->stream.device->rates);
        rhomb_context_destroy(ctx);
        expect_aligned(third, 0);
        /* Beside itself is no use, but no harm; and one that opens anew shares no more. */
        assert_int_equal(rhomb_context_open_shared(third, third, 0), RHOMB_OK);
        expect_aligned(third, 1);
        assert_int_equal(rhomb_context_open(third, getenv("RHOMB_TEST_DEVICE"), 0), RHOMB_OK);
        expect_aligned(third, 0);
        rhomb_context_destroy(third);
        free(name);
    }
}

/* A request for a program on a thread of its own. */
typedef struct request {
    rhomb_context *ctx;
    rhomb_status status;
    rhomb__program *program;
} request;

static void *get(void *user)
{
    request *r = user;
    r->status = rhomb__program_get(r->ctx, &TINY, "-DFACTOR=5", &r->program);
    return NULL;
}

/* Of rhomb__build_watch: the context is about to wait. */
static rhomb_status say_awaited(rhomb_context *ctx, void *user)
{
    atomic_store(&builds.is_awaited, true);
    return RHOMB_OK;
}

static rhomb_status stop(rhomb_context *ctx, void *user)
{
    atomic_store(&builds.is_awaited, true);
    return rhomb__fail(&ctx->stream.error, RHOMB_ERR_CANCELLED, "stopped before a wait");
}

/* Both want a program: the first one builds it, and is held until the second one waits. */
static void get_both(rhomb_context *a, rhomb_context *b, request requests[2])
{
    pthread_t thread;
    requests[0] = (request){.ctx = a};
    requests[1] = (request){.ctx = b};
    atomic_store(&builds.holds, true);
    assert_int_equal(pthread_create(&thread, NULL, get, &requests[0]), 0);
    wait_for(&builds.has_come);
    get(&requests[1]);
    pthread_join(thread, NULL);
}

static void test_same_program_at_once(void **state)
{
    rhomb_context *a = create_open(), *b = create_beside(a);
    request r[2];
    b->build_watch.tell = say_awaited;
    get_both(a, b, r);
    assert_int_equal(r[0].status, RHOMB_OK);
    assert_int_equal(r[1].status, RHOMB_OK);
    assert_non_null(r[0].program);
    assert_ptr_equal(r[0].program, r[1].program);
    assert_int_equal(atomic_load(&builds.count), 1);
    /* The wait counts as time to build, and work's clock stands still meanwhile. */
    assert_true(b->stream.device->build_seconds > 0);
    assert_int_equal(b->stream.device->building, 0);
    rhomb_context_destroy(a);
    rhomb_context_destroy(b);
}

/* The build of one fails: the other one builds for itself. */
static void test_failing_build(void **state)
{
    rhomb_context *a = create_open(), *b = create_beside(a);
    request r[2];
    b->build_watch.tell = say_awaited;
    atomic_store(&builds.fails, true);
    get_both(a, b, r);
    assert_int_equal(r[0].status, RHOMB_ERR_BUILD);
    assert_null(r[0].program);
    assert_contains(rhomb_context_error(a), "CL_BUILD_PROGRAM_FAILURE");
    assert_int_equal(r[1].status, RHOMB_OK);
    assert_string_equal(rhomb_context_error(b), "");
    assert_int_equal(atomic_load(&builds.count), 2);
    get(&r[0]);
    assert_ptr_equal(r[0].program, r[1].program);
    assert_int_equal(atomic_load(&builds.count), 2);
    rhomb_context_destroy(a);
    rhomb_context_destroy(b);
}

/* A caller that would have to wait stops: only its own call ends. */
static void test_stopped_wait(void **state)
{
    rhomb_context *a = create_open(), *b = create_beside(a);
    request r[2];
    b->build_watch.tell = stop;
    get_both(a, b, r);
    assert_int_equal(r[0].status, RHOMB_OK);
    assert_int_equal(r[1].status, RHOMB_ERR_CANCELLED);
    assert_null(r[1].program);
    b->build_watch.tell = NULL;
    get(&r[1]);
    assert_ptr_equal(r[0].program, r[1].program);
    rhomb_context_destroy(a);
    rhomb_context_destroy(b);
}

/* A known-answer test on a thread of its own, which passes. */
typedef struct trial {
    rhomb_context *ctx;
    rhomb__program *programs[2];
    atomic_bool begins, has_begun;
} trial;

static void *begin_test(void *user)
{
    trial *t = user;
    atomic_store(&t->begins, true);
    const bool is_due = rhomb__test_begin(t->ctx, RHOMB__TEST_USUAL, t->programs, 2);
    atomic_store(&t->has_begun, is_due);
    if (is_due)
        rhomb__test_end(t->ctx, RHOMB__TEST_USUAL, t->programs, 2, RHOMB_OK);
    return NULL;
}

/* What waits for another one's test takes its success, and tests for itself after a failure. */
static void test_known_answers(void **state)
{
    static const rhomb_status ends[] = {RHOMB_OK, RHOMB_ERR_DEVICE_WRONG_RESULT};
    for (size_t i = 0; i < COUNT(ends); i++) {
        rhomb_context *a = create_open(), *b = create_beside(a);
        trial t = {.ctx = b};
        pthread_t thread;
        rhomb__program *nested = NULL;
        assert_int_equal(rhomb__program_get(a, &TINY, "-DFACTOR=6", &t.programs[0]), RHOMB_OK);
        assert_int_equal(rhomb__program_get(a, &TINY, "-DFACTOR=7", &nested), RHOMB_OK);
        assert_true(rhomb__test_begin(a, RHOMB__TEST_USUAL, t.programs, 2));
        assert_int_equal(pthread_create(&thread, NULL, begin_test, &t), 0);
        wait_for(&t.begins);
        /* The test may use what it tests, and test something else. */
        assert_false(rhomb__test_begin(a, RHOMB__TEST_USUAL, t.programs, 1));
        assert_true(rhomb__test_begin(a, RHOMB__TEST_RANGES, t.programs, 1));
        rhomb__test_end(a, RHOMB__TEST_RANGES, t.programs, 1, RHOMB_OK);
        assert_true(rhomb__test_begin(a, RHOMB__TEST_USUAL, &nested, 1));
        rhomb__test_end(a, RHOMB__TEST_USUAL, &nested, 1, RHOMB_OK);
        assert_false(atomic_load(&t.has_begun));
        rhomb__test_end(a, RHOMB__TEST_USUAL, t.programs, 2, ends[i]);
        pthread_join(thread, NULL);
        assert_int_equal(atomic_load(&t.has_begun), ends[i] != RHOMB_OK);
        assert_false(rhomb__test_begin(a, RHOMB__TEST_USUAL, t.programs, 2));
        assert_false(rhomb__test_begin(b, RHOMB__TEST_RANGES, t.programs, 2));
        assert_false(rhomb__test_begin(b, RHOMB__TEST_USUAL, &nested, 1));
        assert_int_equal(a->stream.device->building, 0);
        assert_int_equal(b->stream.device->building, 0);
        rhomb_context_destroy(a);
        rhomb_context_destroy(b);
    }
}

/* Pairs that one context aligns on a thread of its own. */
typedef struct share {
    rhomb_context *ctx;
    int first, step;
    const char *wrong;
} share;

static void *align_share(void *user)
{
    share *s = user;
    for (int i = s->first; i < 2 * PAIRS && s->wrong == NULL; i += s->step)
        s->wrong =
            align(s->ctx, i % PAIRS, i < PAIRS ? RHOMB_ENGINE_WAVEFRONT : RHOMB_ENGINE_BITPARALLEL);
    return NULL;
}

/* Fails the test if no message has the text, or two programs' are the same. */
static void expect_once(const char *text)
{
    char found[64][512];
    size_t count = 0;
    for (const char *line = messages.text; *line != '\0'; line += strcspn(line, "\n") + 1) {
        const int length = (int)strcspn(line, "\n");
        const char *at = strstr(line, text), *rest = strchr(line, '(');
        if (at == NULL || at > line + length)
            continue;
        assert_true(count < COUNT(found));
        snprintf(found[count], sizeof found[0], "%.*s", length, line);
        if (rest != NULL && rest < line + length) /* "FILE: compiled in SECONDS (OPTIONS)" */
            snprintf(found[count], sizeof found[0], "%.*s%.*s", (int)(at - line), line,
                     (int)(line + length - rest), rest);
        for (size_t i = 0; i < count; i++)
            if (strcmp(found[i], found[count]) == 0)
                fail_msg("twice: %s", found[i]);
        count++;
    }
    assert_true(count > 0);
}

/* Several at once from the first program on: each is built and tested once, and all is right. */
static void align_at_once(int count)
{
    share shares[4];
    pthread_t threads[4];
    for (int i = 0; i < count; i++)
        shares[i] = (share){.ctx = i == 0 ? create_open() : create_beside(shares[0].ctx),
                            .first = i,
                            .step = count};
    for (int i = 0; i < count; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, align_share, &shares[i]), 0);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < count; i++)
        if (shares[i].wrong != NULL)
            fail_msg("context %d: %s", i, shares[i].wrong);
    expect_once("self-test passed: ");
    expect_once("compiled in ");
    for (int i = 0; i < count; i++)
        rhomb_context_destroy(shares[i].ctx);
}

static void test_threads(void **state)
{
    align_at_once(4);
}

/* In one queue, or in one each: a context goes on without the first one. */
static void test_queues(void **state)
{
    for (queues = OWN_QUEUES; queues <= SHARED_QUEUE; queues++) {
        rhomb_context *a = create_open(), *b = create_beside(a);
        assert_int_equal(a->stream.queue == b->stream.queue, queues == SHARED_QUEUE);
        expect_aligned(a, 0);
        expect_aligned(b, 1);
        rhomb_context_destroy(a);
        expect_aligned(b, 0);
        rhomb_context_destroy(b);
    }
    set_up(state);
    queues = SHARED_QUEUE;
    align_at_once(3);
}

#define BESIDE_TEST(test) cmocka_unit_test_setup(test, set_up)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_LIST(BESIDE_TEST, test_what_is_shared, test_arguments,
                                                 test_order_of_closing, test_same_program_at_once,
                                                 test_failing_build, test_stopped_wait,
                                                 test_known_answers, test_threads, test_queues)};
    if (!device_exists())
        return 77;
    make_pairs();
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    for (int i = 0; i < PAIRS; i++)
        pair_release(&pairs[i]);
    return failures;
}
