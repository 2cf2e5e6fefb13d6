/* SPDX-License-Identifier: MIT */
/*
 * Ranks that solve a pair together: what is reported, what cannot be, each message in turn that
 * gets lost, and calls that are stopped. That results are those of one device show the families of
 * test_distance, test_scores, test_align and test_align_scores with RHOMB_TEST_RANKS.
 *
 *     test_ranks [CASE [each]]    each: of the messages of test_lost, which takes minutes
 */
#include "rhomb/align.h"
#include "rhomb/batch.h"
#include "rhomb/matrix.h"
#include "rhomb/scoring.h"
#include "rhomb/tuning.h"
#include "support/amount.h"
#include "support/pair.h"
#include "support/test.h"
#include "support/thread_ranks.h"

#include <unistd.h>

enum { RANKS = 3 };

/* Nothing waits for ever: a test that hangs fails. */
#define MOST_SECONDS 240

/* A pair, and how it is solved. */
typedef struct work {
    int64_t length;
    double error_rate;
    const char *score;
    rhomb_engine engine;
    rhomb_tuning tuning; /* all that can be shared is */
    pair p;
    rhomb_scoring scoring;
    rhomb_options options;
    int64_t distance; /* what comes out on one device, and the path, from the first run on */
    rhomb_path_op *ops;
    int64_t count;
} work;

#define TUNING .struct_size = sizeof(rhomb_tuning), .chunk_strips = 1

/* A sweep, whose path has several swept subproblems; and those that wavefronts split. */
static work the_sweep = {.length = 30000,
                         .error_rate = 0.2,
                         .score = "edit",
                         .engine = RHOMB_ENGINE_BITPARALLEL,
                         .tuning = {TUNING}};
static work the_waves = {.length = 6000,
                         .error_rate = 0.2,
                         .score = "edit",
                         .engine = RHOMB_ENGINE_WAVEFRONT,
                         .tuning = {TUNING}};
static work the_affine = {.length = 10000,
                          .error_rate = 0.1,
                          .score = "affine:4,6,2",
                          .engine = RHOMB_ENGINE_WAVEFRONT,
                          .tuning = {TUNING}};
static work *the_work = &the_sweep; /* of the running test */

static rhomb_context *create(void)
{
    rhomb_context *ctx = NULL;
    assert_int_equal(rhomb_context_create(&ctx, NULL), RHOMB_OK);
    return ctx;
}

static void destroy(rhomb_context *ctx)
{
    rhomb_context_destroy(ctx);
    ranks_wait();
}

static rhomb_status align(rhomb_context *ctx, rhomb_alignment **out)
{
    const pair *p = &the_work->p;
    return rhomb_align(ctx, p->a.at, p->a.length, p->b.at, p->b.length, &the_work->options, out);
}

static void judge(const rhomb_alignment *alignment)
{
    work *w = the_work;
    int64_t count = 0;
    const rhomb_path_op *ops = rhomb_alignment_path(alignment, &count);
    const int64_t distance = rhomb_alignment_report(alignment)->whole->distance;
    if (w->ops == NULL) {
        w->ops = malloc((size_t)count * sizeof *ops);
        assert_non_null(w->ops);
        memcpy(w->ops, ops, (size_t)count * sizeof *ops);
        w->count = count;
        w->distance = distance;
    }
    assert_int_equal(distance, w->distance);
    assert_int_equal(count, w->count);
    assert_memory_equal(ops, w->ops, (size_t)count * sizeof *ops);
}

/* Aligns, and compares with what came out before. */
static void expect_same(rhomb_context *ctx)
{
    rhomb_alignment *alignment = NULL;
    if (align(ctx, &alignment) != RHOMB_OK)
        fail_msg("%s", rhomb_context_error(ctx));
    judge(alignment);
    rhomb_alignment_destroy(alignment);
}

static void make_work(work *w)
{
    rng r = rng_for("ranks", 0);
    letters_random(&w->p.a, "ACGT", w->length, &r);
    letters_mutate(&w->p.b, &w->p.a, w->error_rate, "ACGT", &r);
    rhomb_context *one = create();
    assert_int_equal(rhomb_scoring_parse(one, w->score, &w->scoring), RHOMB_OK);
    w->options = (rhomb_options)RHOMB_OPTIONS_INIT;
    w->options.engine = w->engine;
    w->options.tuning = &w->tuning;
    w->options.scoring = &w->scoring;
    assert_int_equal(rhomb_context_open(one, NULL, 0), RHOMB_OK);
    the_work = w;
    expect_same(one);
    rhomb_context_destroy(one);
}

static int make_works(void **state)
{
    make_work(&the_affine);
    make_work(&the_waves);
    make_work(&the_sweep);
    return 0;
}

static int drop_works(void **state)
{
    work *const all[] = {&the_sweep, &the_waves, &the_affine};
    for (size_t i = 0; i < COUNT(all); i++) {
        pair_release(&all[i]->p);
        free(all[i]->ops);
    }
    return 0;
}

/* The work of a test. */
static int use_sweep(void **state)
{
    the_work = &the_sweep;
    return 0;
}

static int use_waves(void **state)
{
    the_work = &the_waves;
    return 0;
}

static int use_affine(void **state)
{
    the_work = &the_affine;
    return 0;
}

/* Path and cells are those of one device, and every rank has a share, but rank 0 a wavefront. */
static void test_shares(void **state)
{
    rhomb_context *one = create(), *several = create();
    rhomb_alignment *alone = NULL, *shared = NULL;
    int64_t counts[2];
    assert_int_equal(rhomb_context_open(one, NULL, 0), RHOMB_OK);
    assert_int_equal(ranks_join(several, RANKS, NULL), RHOMB_OK);
    assert_int_equal(rhomb_context_device_count(several), RANKS);
    for (int32_t i = 0; i < RANKS; i++)
        assert_string_equal(rhomb_context_device_at(several, i)->name,
                            rhomb_context_device(one)->name);
    assert_int_equal(align(one, &alone), RHOMB_OK);
    assert_int_equal(align(several, &shared), RHOMB_OK);
    const rhomb_path_op *a = rhomb_alignment_path(alone, &counts[0]);
    const rhomb_path_op *b = rhomb_alignment_path(shared, &counts[1]);
    assert_int_equal(counts[0], counts[1]);
    assert_memory_equal(a, b, (size_t)counts[0] * sizeof *a);
    const rhomb_report *report = rhomb_alignment_report(shared)->whole;
    assert_int_equal(report->share_count, the_work == &the_sweep ? RANKS : 0);
    for (int32_t i = 0; i < RANKS; i++)
        assert_true(rhomb_alignment_report(shared)->share_splits[i] > 0); /* of the path */
    int64_t cells = report->share_count > 0 ? 0 : report->cells;
    for (int32_t i = 0; i < report->share_count; i++) {
        assert_true(report->shares[i]->cells > 0);
        assert_true(report->shares[i]->bytes_sent > 0);
        /* None was busy for longer than the call. */
        assert_true(report->shares[i]->cells_per_second * report->seconds_total >=
                    (double)report->shares[i]->cells);
        cells += report->shares[i]->cells;
    }
    assert_int_equal(cells, rhomb_alignment_report(alone)->whole->cells);
    assert_int_equal(rhomb_alignment_report(shared)->cells, rhomb_alignment_report(alone)->cells);
    expect_same(several); /* in the same context, with what the ranks have kept */
    rhomb_alignment_destroy(shared);
    rhomb_alignment_destroy(alone);
    rhomb_context_destroy(one);
    destroy(several);
}

/* test_lost tries each message, rather than some that are further and further apart. */
static bool tries_each;

/* A message that is lost, whichever of those that are tried, ends the call with an error, and
 * nobody waits. */
static void test_lost(void **state)
{
    int64_t messages = 0, tried = 0;
    for (int64_t at = 0; at <= messages;
         at += tries_each ? 1 : 1 + at / (amount_is_whole() ? 8 : 4)) {
        rhomb_context *ctx = create();
        rhomb_alignment *alignment = NULL;
        alarm(MOST_SECONDS);
        (void)ranks_fail_at(at);
        rhomb_status status = ranks_join(ctx, RANKS, NULL);
        if (status == RHOMB_OK)
            status = align(ctx, &alignment);
        const bool failed = ranks_failed();
        if (status == RHOMB_OK) {
            judge(alignment);
        } else {
            assert_true(failed);
            if (rhomb_status_class(status) != rhomb_status_class(RHOMB_ERR_DEVICE) ||
                strstr(rhomb_context_error(ctx), "rank") == NULL)
                fail_msg("message %lld: %s: %s", (long long)at, rhomb_status_name(status),
                         rhomb_context_error(ctx));
        }
        rhomb_alignment_destroy(alignment);
        destroy(ctx);
        const int64_t calls = ranks_fail_at(0);
        messages = at == 0 ? calls : messages;
        tried += failed;
    }
    alarm(0);
    printf("%lld of %lld messages were lost\n", (long long)tried, (long long)messages);
    assert_true(tried > (amount_is_whole() ? 20 : 10));
}

typedef struct stopping {
    int64_t calls, at;
} stopping;

static int stop(const rhomb_progress *progress, void *user)
{
    stopping *s = user;
    return ++s->calls == s->at;
}

/* A call that the caller stops, anywhere, and the next one in the same context. */
static void test_stopped(void **state)
{
    rhomb_context *ctx = create();
    assert_int_equal(ranks_join(ctx, RANKS, NULL), RHOMB_OK);
    bool stopped = true;
    for (int64_t at = 1; stopped; at += 1 + at / (amount_is_whole() ? 4 : 1)) {
        stopping s = {0, at};
        rhomb_alignment *alignment = NULL;
        the_work->options.progress = stop;
        the_work->options.progress_user = &s;
        const rhomb_status status = align(ctx, &alignment);
        the_work->options.progress = NULL;
        stopped = s.calls >= at;
        assert_int_equal(status, stopped ? RHOMB_ERR_CANCELLED : RHOMB_OK);
        rhomb_alignment_destroy(alignment);
        expect_same(ctx);
    }
    destroy(ctx);
}

/* Messages that come late, in any order of ranks. */
static void test_late(void **state)
{
    rhomb_context *ctx = create();
    alarm(MOST_SECONDS);
    ranks_delay(3000);
    assert_int_equal(ranks_join(ctx, RANKS, NULL), RHOMB_OK);
    for (int i = 0; i < 3; i++)
        expect_same(ctx);
    destroy(ctx);
    ranks_delay(0);
    alarm(0);
}

/* A rank that has no device says so, and the others end. */
static void test_no_device(void **state)
{
    rhomb_context *ctx = create();
    char selector[32];
    /* Only the first rank finds one: the others' shares are of a device that is not there. */
    snprintf(selector, sizeof selector, "%d", 1000);
    assert_int_equal(rhomb_context_open_share(ctx, selector, 0, 0), RHOMB_ERR_NO_DEVICE);
    assert_int_equal(ranks_join_as(ctx, RANKS, NULL, selector), RHOMB_ERR_NO_DEVICE);
    assert_non_null(strstr(rhomb_context_error(ctx), "rank 1: "));
    assert_int_equal(rhomb_context_device_count(ctx), 1);
    expect_same(ctx);
    destroy(ctx);
}

/* Nor does rank 0 always find one: the others end, and its call says why. */
static void test_no_device_first(void **state)
{
    rhomb_context *ctx = create();
    assert_int_equal(ranks_join_as(ctx, RANKS, "no such device", NULL), RHOMB_ERR_NO_DEVICE);
    assert_non_null(strstr(rhomb_context_error(ctx), "no such device"));
    destroy(ctx);
}

/* Calls for many pairs have no use for ranks. */
static void test_refused(void **state)
{
    const rhomb_matrix_sequence sequences[2] = {{"ACGT", 4, "a"}, {"ACCT", 4, "b"}};
    rhomb_context *ctx = create();
    rhomb_batch *batch = NULL;
    rhomb_ranks ranks = {.struct_size = sizeof ranks, .rank = 0, .count = 2};
    assert_int_equal(rhomb_context_join_ranks(NULL, &ranks, RHOMB_OK), RHOMB_ERR_ARGUMENT);
    assert_int_equal(rhomb_context_join_ranks(ctx, NULL, RHOMB_OK), RHOMB_ERR_ARGUMENT);
    assert_int_equal(rhomb_context_join_ranks(ctx, &ranks, RHOMB_OK),
                     RHOMB_ERR_ARGUMENT); /* no functions */
    ranks.count = RHOMB_MOST_DEVICES + 1;
    assert_int_equal(rhomb_context_join_ranks(ctx, &ranks, RHOMB_OK), RHOMB_ERR_ARGUMENT);
    assert_int_equal(rhomb_ranks_serve(NULL, &ranks, RHOMB_OK), RHOMB_ERR_ARGUMENT);
    assert_int_equal(rhomb_context_open_share(ctx, NULL, 0, -1), RHOMB_ERR_ARGUMENT);
    assert_int_equal(ranks_join(ctx, 2, NULL), RHOMB_OK);
    assert_int_equal(rhomb_batch_create(ctx, NULL, &batch), RHOMB_ERR_ARGUMENT);
    assert_non_null(strstr(rhomb_context_error(ctx), "rank"));
    assert_int_equal(rhomb_matrix_compute(ctx, sequences, 2, NULL, NULL), RHOMB_ERR_ARGUMENT);
    assert_non_null(strstr(rhomb_context_error(ctx), "rank"));
    destroy(ctx);
}

/* Rank 1 of another build, or of another program. */
static const char *said;
static size_t said_bytes;

static int say(int32_t from, int32_t channel, void *data, size_t bytes, void *user)
{
    memset(data, 0, bytes);
    memcpy(data, said, bytes < said_bytes ? bytes : said_bytes);
    return 0;
}

static int take(int32_t to, int32_t channel, const void *data, size_t bytes, void *user)
{
    return 0;
}

static int look(int32_t from, int32_t channel, bool *waits, void *user)
{
    *waits = true;
    return 0;
}

static void test_garbage(void **state)
{
    rhomb_context *ctx = create();
    const rhomb_ranks ranks = {.struct_size = sizeof ranks,
                               .rank = 0,
                               .count = 2,
                               .send = take,
                               .receive = say,
                               .probe = look};
    /* A head of remote.c: mark, kind, status and its bytes. */
    const int32_t head[] = {0x52484d42, 0, RHOMB_OK, 0, 64, 0};
    said = "GET / HTTP/1.1\r\n";
    said_bytes = strlen(said);
    assert_int_equal(rhomb_context_join_ranks(ctx, &ranks, RHOMB_OK), RHOMB_ERR_DEVICE);
    assert_non_null(strstr(rhomb_context_error(ctx), "something else than messages"));
    said = (const char *)head;
    said_bytes = sizeof head;
    assert_int_equal(rhomb_context_join_ranks(ctx, &ranks, RHOMB_OK), RHOMB_ERR_DEVICE);
    assert_non_null(strstr(rhomb_context_error(ctx), "rank 1: it runs another version"));
    rhomb_context_destroy(ctx);
}

/* A test of a work. */
#define OF(test, work)                                        \
    {                                                         \
#        test "_" #        work, test, use_##work, NULL, NULL \
    }

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        OF(test_shares, sweep),
        OF(test_shares, waves),
        OF(test_shares, affine),
        OF(test_lost, sweep),
        OF(test_lost, waves),
        OF(test_lost, affine),
        OF(test_stopped, sweep),
        OF(test_stopped, waves),
        OF(test_stopped, affine),
        OF(test_late, sweep),
        OF(test_late, waves),
        OF(test_late, affine),
        cmocka_unit_test(test_no_device),
        cmocka_unit_test(test_no_device_first),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_garbage),
    };
    rhomb_context *ctx = create();
    const bool has = rhomb_context_open(ctx, NULL, 0) == RHOMB_OK;
    rhomb_context_destroy(ctx);
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    tries_each = argc > 2 && strcmp(argv[2], "each") == 0;
    return has ? cmocka_run_group_tests(tests, make_works, drop_works) : 77;
}
