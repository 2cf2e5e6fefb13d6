/* SPDX-License-Identifier: MIT */
/*
 * Calls that end early and go on: what a run keeps at any moment, and what it writes when it is
 * stopped, leads to the same distance, the same work and the same path as a run that nothing has
 * disturbed. And what is of another call, or damaged, is refused.
 *
 * What a killed process would leave is the file as it is at some moment, so copies of that are made
 * while a call runs. Time is the test's own (--wrap): it leaps, so that there are many moments.
 */
#include <time.h>

#include "host/device/context.h"
#include "rhomb/align.h"
#include "rhomb/local.h"
#include "rhomb/scoring.h"
#include "rhomb/tuning.h"
#include "support/pair.h"
#include "support/test.h"
#include "tests/reference/keep_plan.h"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

/* Seconds by which each look at the clock moves it. */
static double clock_step = 0.3;
static double clock_now = 1000;

int __wrap_clock_gettime(clockid_t id, struct timespec *now);

int __wrap_clock_gettime(clockid_t id, struct timespec *now)
{
    (void)id;
    clock_now += clock_step;
    now->tv_sec = (time_t)clock_now;
    now->tv_nsec = (long)(1e9 * (clock_now - (double)now->tv_sec));
    return 0;
}

typedef struct job {
    const char *name;
    bool aligns;
    pair_model model;
    int64_t length;
    double error_rate;
    rhomb_engine engine;
    const char *score;
    rhomb_tuning tuning;
    int64_t max_distance;
} job;

#define TUNING .struct_size = sizeof(rhomb_tuning)

static const job JOBS[] = {
    {"a sweep",
     false,
     PAIR_UNRELATED,
     20000,
     0,
     RHOMB_ENGINE_BITPARALLEL,
     "edit",
     {TUNING, .blocks_per_launch = 16},
     RHOMB_NO_LIMIT},
    {"sweeps of two directions",
     false,
     PAIR_LONG_INDELS,
     20000,
     0.05,
     RHOMB_ENGINE_BITPARALLEL,
     "edit",
     {TUNING, .blocks_per_launch = 8, .directions = 2, .first_beside = 20},
     RHOMB_NO_LIMIT},
    {"sweeps in groups",
     false,
     PAIR_UNIFORM,
     20000,
     0.1,
     RHOMB_ENGINE_BITPARALLEL,
     "edit",
     {TUNING, .blocks_per_launch = 8, .group_size = 64, .words_per_item = 1},
     RHOMB_NO_LIMIT},
    {"a bit-sliced sweep",
     false,
     PAIR_UNIFORM,
     70000,
     0.03,
     RHOMB_ENGINE_BITPARALLEL,
     "affine:4,6,2",
     {TUNING, .blocks_per_launch = 64},
     RHOMB_NO_LIMIT},
    {"a limited sweep",
     false,
     PAIR_UNRELATED,
     20000,
     0,
     RHOMB_ENGINE_BITPARALLEL,
     "edit",
     {TUNING, .blocks_per_launch = 16},
     3000},
    {"a wavefront",
     false,
     PAIR_UNIFORM,
     20000,
     0.05,
     RHOMB_ENGINE_WAVEFRONT,
     "edit",
     {TUNING, .launches_per_read = 3},
     RHOMB_NO_LIMIT},
    {"a wavefront that widens, with beams",
     false,
     PAIR_LONG_INDELS,
     20000,
     0.05,
     RHOMB_ENGINE_WAVEFRONT,
     "edit",
     {TUNING, .launches_per_read = 5, .group_size = 16, .diagonals_per_item = 4, .tile_scores = 16,
      .wide_group_size = 64, .wide_diagonals_per_item = 4, .wide_tile_scores = 32,
      .wide_diagonals = 700, .beam_diagonals = 400},
     RHOMB_NO_LIMIT},
    {"diamonds",
     false,
     PAIR_UNIFORM,
     10000,
     0.05,
     RHOMB_ENGINE_WAVEFRONT,
     "edit",
     {TUNING, .launches_per_read = 4, .tile_shape = RHOMB_TILE_DIAMOND},
     RHOMB_NO_LIMIT},
    {"an affine wavefront",
     false,
     PAIR_UNIFORM,
     30000,
     0.04,
     RHOMB_ENGINE_WAVEFRONT,
     "affine:4,6,2",
     {TUNING, .launches_per_read = 2, .tile_scores = 16},
     RHOMB_NO_LIMIT},
    {"both engines",
     false,
     PAIR_UNRELATED,
     30000,
     0,
     RHOMB_ENGINE_AUTO,
     "edit",
     {TUNING, .blocks_per_launch = 16, .launches_per_read = 2},
     RHOMB_NO_LIMIT},
    {"both engines, affine",
     false,
     PAIR_UNIFORM,
     30000,
     0.2,
     RHOMB_ENGINE_AUTO,
     "affine2p:4,4,2,24,1",
     {TUNING, .blocks_per_launch = 16, .launches_per_read = 2},
     RHOMB_NO_LIMIT},
    {"the path of a wavefront",
     true,
     PAIR_LONG_INDELS,
     60000,
     0.06,
     RHOMB_ENGINE_WAVEFRONT,
     "edit",
     {TUNING, .launches_per_read = 8},
     RHOMB_NO_LIMIT},
    {"the path of a sweep",
     true,
     PAIR_UNRELATED,
     12000,
     0,
     RHOMB_ENGINE_BITPARALLEL,
     "edit",
     {TUNING, .blocks_per_launch = 16},
     RHOMB_NO_LIMIT},
    {"the path of an affine wavefront",
     true,
     PAIR_UNIFORM,
     20000,
     0.05,
     RHOMB_ENGINE_WAVEFRONT,
     "affine:4,6,2",
     {TUNING, .launches_per_read = 8},
     RHOMB_NO_LIMIT},
    {"the path of a bit-sliced sweep",
     true,
     PAIR_UNIFORM,
     6000,
     0.3,
     RHOMB_ENGINE_BITPARALLEL,
     "affine:4,6,2",
     {TUNING, .blocks_per_launch = 16},
     RHOMB_NO_LIMIT},
    {"the path of both engines",
     true,
     PAIR_UNRELATED,
     20000,
     0,
     RHOMB_ENGINE_AUTO,
     "edit",
     {TUNING, .blocks_per_launch = 16, .launches_per_read = 2},
     RHOMB_NO_LIMIT},
};

/* Copies of the file, and when they were made. */
#define MOST_COPIES 400

typedef struct copy {
    char *bytes;
    size_t size;
    int64_t call;
} copy;

static rhomb_context *ctx;
static char folder[] = "/tmp/rhomb-checkpoints-XXXXXX";
static char file[64];

/* What a progress function does: at which call it stops the run, or makes copies. */
typedef struct watcher {
    int64_t calls, stop_at;
    double fraction; /* as told last */
    bool copies;
    int64_t copy_count;
    copy copied[MOST_COPIES];
} watcher;

/* What a call has come to, but for time. */
typedef struct answer {
    rhomb_status status;
    rhomb_report report;
    rhomb_align_report align;
    rhomb_path_op *path;
    int64_t operations;
} answer;

static char *read_file(size_t *size)
{
    FILE *in = fopen(file, "rb");
    char *bytes = NULL;
    *size = 0;
    if (in == NULL)
        return NULL;
    assert_int_equal(fseek(in, 0, SEEK_END), 0);
    *size = (size_t)ftell(in);
    rewind(in);
    bytes = malloc(*size + 1);
    assert_int_equal(fread(bytes, 1, *size, in), *size);
    fclose(in);
    return bytes;
}

static void write_file(const char *bytes, size_t size)
{
    FILE *out = fopen(file, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, size, out), size);
    assert_int_equal(fclose(out), 0);
}

/* Keeps the file if it is another one than before. */
static void make_copy(watcher *w)
{
    const copy *last = w->copy_count > 0 ? &w->copied[w->copy_count - 1] : NULL;
    copy now = {.call = w->calls};
    now.bytes = read_file(&now.size);
    const bool is_new =
        now.bytes != NULL && w->copy_count < MOST_COPIES &&
        (last == NULL || now.size != last->size || memcmp(now.bytes, last->bytes, now.size) != 0);
    if (is_new)
        w->copied[w->copy_count++] = now;
    else
        free(now.bytes);
}

static int on_progress(const rhomb_progress *progress, void *user)
{
    watcher *w = user;
    if (progress->building)
        return 0;
    w->calls++;
    assert_true(progress->fraction >= w->fraction && progress->fraction <= 1);
    w->fraction = progress->fraction;
    if (w->copies)
        make_copy(w);
    return w->stop_at > 0 && w->calls >= w->stop_at;
}

static void make_pair(const job *j, pair *p)
{
    rng r = rng_for(j->name, j->length);
    const pair_recipe recipe = {.model = j->model,
                                .length = j->length,
                                .error_rate = j->error_rate,
                                .longest_indel = j->length / 10,
                                .alphabet = "ACGT"};
    pair_make(&recipe, &r, p);
}

static void release_answer(answer *a)
{
    free(a->path);
    a->path = NULL;
}

static void take_path(answer *a, const rhomb_alignment *alignment)
{
    const rhomb_path_op *path = rhomb_alignment_path(alignment, &a->operations);
    a->align = *rhomb_alignment_report(alignment);
    a->report = *keep_report(a->align.whole);
    a->path = malloc(((size_t)a->operations + 1) * sizeof *path);
    memcpy(a->path, path, (size_t)a->operations * sizeof *path);
}

static answer call(const job *j, const pair *p, const char *checkpoint, double seconds, watcher *w)
{
    answer a = {.status = RHOMB_OK};
    rhomb_scoring scoring;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_result *result = NULL;
    rhomb_alignment *alignment = NULL;
    assert_int_equal(rhomb_scoring_parse(ctx, j->score, &scoring), RHOMB_OK);
    options.engine = j->engine;
    options.max_distance = j->max_distance;
    options.scoring = &scoring;
    options.tuning = &j->tuning;
    options.progress = on_progress;
    options.progress_user = w;
    options.checkpoint = checkpoint;
    options.checkpoint_seconds = seconds;
    if (j->aligns)
        a.status =
            rhomb_align(ctx, p->a.at, p->a.length, p->b.at, p->b.length, &options, &alignment);
    else
        a.status =
            rhomb_distance(ctx, p->a.at, p->a.length, p->b.at, p->b.length, &options, &result);
    if (alignment != NULL)
        take_path(&a, alignment);
    if (result != NULL)
        a.report = *keep_report(rhomb_result_report(result));
    rhomb_alignment_destroy(alignment);
    rhomb_result_destroy(result);
    assert_int_equal(ctx->stream.bytes_in_use, 0);
    return a;
}

/* The same answer; `what` and `index` say how it came. */
static void expect_same(const job *j, const answer *a, const answer *expected, const char *what,
                        int64_t index)
{
    const rhomb_report *r = &a->report, *e = &expected->report;
    if (a->status != RHOMB_OK)
        fail_msg("%s, %s %" PRId64 ": %s", j->name, what, index, rhomb_context_error(ctx));
    if (r->distance != e->distance || r->cells != e->cells || r->batches != e->batches ||
        strcmp(r->plan->engine, e->plan->engine) != 0 || r->beam_bound != e->beam_bound ||
        r->beam_cells != e->beam_cells || r->cells_saved_diagonal != e->cells_saved_diagonal ||
        r->exceeds_max_distance != e->exceeds_max_distance)
        fail_msg("%s, %s %" PRId64 ": distance %" PRId64 " by %s, %" PRId64 " cells in %" PRId64
                 ", not %" PRId64 " by %s, %" PRId64 " in %" PRId64,
                 j->name, what, index, r->distance, r->plan->engine, r->cells, r->batches,
                 e->distance, e->plan->engine, e->cells, e->batches);
    if (!j->aligns)
        return;
    if (a->operations != expected->operations ||
        memcmp(a->path, expected->path, (size_t)a->operations * sizeof *a->path) != 0)
        fail_msg("%s, %s %" PRId64 ": another path", j->name, what, index);
}

/* From the file as it was at some moments. */
static int64_t go_on_from_copies(const job *j, const pair *p, const answer *expected)
{
    static watcher w;
    int64_t resumed = 0;
    w = (watcher){.copies = true};
    answer a = call(j, p, file, 2, &w);
    expect_same(j, &a, expected, "checkpoints", w.copy_count);
    assert_false(a.report.resumed);
    assert_true(w.copy_count == 0 || a.report.checkpoints > 0);
    release_answer(&a);
    make_copy(&w);
    const int64_t apart = w.copy_count / 12 + 1;
    for (int64_t i = 0; i < w.copy_count; i++) {
        if (i % apart == 0 || i + 1 == w.copy_count) {
            watcher none = {.calls = 0};
            write_file(w.copied[i].bytes, w.copied[i].size);
            a = call(j, p, file, 1e9, &none);
            expect_same(j, &a, expected, "from copy", i);
            assert_true(a.report.resumed && a.report.seconds_earlier >= 0);
            release_answer(&a);
            resumed++;
        }
        free(w.copied[i].bytes);
    }
    unlink(file);
    return resumed;
}

/* Stopped again and again, and nothing is written but then. */
static int64_t go_on_after_stops(const job *j, const pair *p, const answer *expected)
{
    answer a = {.status = RHOMB_ERR_CANCELLED};
    int64_t runs = 0, before = 0;
    double fraction = 0;
    for (; a.status == RHOMB_ERR_CANCELLED; runs++) {
        watcher w = {.stop_at = 4 + runs / 3, .fraction = fraction};
        a = call(j, p, file, 1e9, &w);
        fraction = w.fraction;
        assert_true(runs < 300);
        before += access(file, F_OK) == 0;
    }
    expect_same(j, &a, expected, "stops", runs);
    assert_true(runs == 1 || a.report.resumed);
    release_answer(&a);
    unlink(file);
    return before > 0 ? runs - 1 : 0;
}

static void goes_on(void **state)
{
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (size_t i = 0; i < COUNT(JOBS); i++) {
        const job *j = &JOBS[i];
        watcher none = {.calls = 0};
        make_pair(j, &p);
        answer expected = call(j, &p, NULL, 0, &none);
        if (expected.status != RHOMB_OK)
            fail_msg("%s: %s", j->name, rhomb_context_error(ctx));
        assert_true(!expected.report.resumed && expected.report.checkpoints == 0);
        const int64_t copies = go_on_from_copies(j, &p, &expected);
        const int64_t stops = go_on_after_stops(j, &p, &expected);
        print_message("%s: %" PRId64 " calls, went on from %" PRId64 " copies and %" PRId64
                      " stops\n",
                      j->name, none.calls, copies, stops);
        if (copies < 3 || stops < 1)
            fail_msg("%s: too few moments", j->name);
        release_answer(&expected);
    }
    pair_release(&p);
}

/* The message of level 0 that came last. */
static char logged[2048];

static void keep_message(int level, const char *text, void *user)
{
    if (level == 0)
        snprintf(logged, sizeof logged, "%s", text);
}

/* A checkpoint of a job that was stopped. */
static void stop_early(const job *j, const pair *p)
{
    watcher w = {.stop_at = 12};
    unlink(file);
    assert_int_equal(call(j, p, file, 1e9, &w).status, RHOMB_ERR_CANCELLED);
    assert_int_equal(access(file, F_OK), 0);
}

static void expect_refused(const job *j, const pair *p, rhomb_status expected, const char *text)
{
    watcher w = {.calls = 0};
    const rhomb_status status = call(j, p, file, 1e9, &w).status;
    if (status != expected || strstr(rhomb_context_error(ctx), text) == NULL)
        fail_msg("%s with \"%s\", not %s with \"%s\"", rhomb_status_name(status),
                 rhomb_context_error(ctx), rhomb_status_name(expected), text);
}

static void refuses_others(void **state)
{
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    job j = JOBS[0];
    make_pair(&j, &p);
    stop_early(&j, &p);
    const struct {
        void *at;
        size_t size;
        int64_t value;
        const char *text;
    } changes[] = {
        {&p.a.at[77], 1, p.a.at[77] == 'A' ? 'C' : 'A', "its target is \"20000 bases, MD5 "},
        {&p.b.at[77], 1, p.b.at[77] == 'A' ? 'C' : 'A', "its query is \""},
        {&p.b.length, sizeof p.b.length, 19000, "and this one's is \"19000 bases, MD5 "},
        {&j.max_distance, sizeof j.max_distance, 19999, "its limit is \"-1\", and this one's"},
        {&j.engine, sizeof j.engine, RHOMB_ENGINE_AUTO,
         "its engine is \"bitparallel\", and this one's is \"auto\""},
        {&j.tuning.blocks_per_launch, 4, 17, "its tuning is \""},
        {&j.aligns, sizeof j.aligns, true, "its call is \"distance\", and this one's is \"align\""},
    };
    for (size_t i = 0; i < COUNT(changes); i++) {
        int64_t before = 0;
        memcpy(&before, changes[i].at, changes[i].size);
        memcpy(changes[i].at, &changes[i].value, changes[i].size);
        expect_refused(&j, &p, RHOMB_ERR_INPUT, changes[i].text);
        memcpy(changes[i].at, &before, changes[i].size);
    }
    j.score = "affine:4,6,2";
    expect_refused(&j, &p, RHOMB_ERR_INPUT, "its scoring is \"0 1 0 1 -1 -1\"");
    j.score = "edit";
    watcher w = {.calls = 0};
    assert_int_equal(call(&j, &p, file, 1e9, &w).status, RHOMB_OK);
    pair_release(&p);
    unlink(file);
}

/* Of a large file: a bit that is flipped here and there, and the file cut off. */
static void refuses_damage(void **state)
{
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    const job *j = &JOBS[5];
    size_t size = 0;
    make_pair(j, &p);
    stop_early(j, &p);
    char *bytes = read_file(&size);
    for (size_t at = 100; at < size; at += size / 9) {
        bytes[at] ^= 4;
        write_file(bytes, size);
        expect_refused(j, &p, RHOMB_ERR_INPUT, "is damaged: ");
        bytes[at] ^= 4;
        write_file(bytes, at);
        expect_refused(j, &p, RHOMB_ERR_INPUT, "is damaged: ");
    }
    write_file(bytes, 0);
    expect_refused(j, &p, RHOMB_ERR_INPUT, "is damaged: ");
    free(bytes);
    pair_release(&p);
    unlink(file);
}

/* Nowhere to write at the start is an error; later it is none, and the file stays what it was. */
static void needs_room(void **state)
{
    struct rlimit before, small;
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    const job *j = &JOBS[5];
    watcher w = {.calls = 0};
    make_pair(j, &p);
    assert_int_equal(call(j, &p, "/none/such", 1, &w).status, RHOMB_ERR_OUTPUT);
    assert_non_null(strstr(rhomb_context_error(ctx), "/none/such.new cannot be opened: No such"));
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 3000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    answer a = call(j, &p, file, 1e-9, &w);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(a.status, RHOMB_OK);
    assert_int_equal(a.report.checkpoints, 0);
    assert_int_not_equal(access(file, F_OK), 0);
    assert_non_null(strstr(logged, "could not be written, what it was before stays: cannot be "
                                   "written: File too large"));
    pair_release(&p);
}

static void has_no_local_ones(void **state)
{
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_alignment *alignment = NULL;
    rhomb_scoring scoring;
    rhomb_result *result = NULL;
    assert_int_equal(rhomb_scoring_parse(ctx, "match:2,4,4,2", &scoring), RHOMB_OK);
    options.scoring = &scoring;
    options.checkpoint = file;
    assert_int_equal(rhomb_align_local(ctx, "ACGT", 4, "ACGT", 4, &options, &alignment),
                     RHOMB_ERR_ARGUMENT);
    assert_non_null(strstr(rhomb_context_error(ctx), "checkpoint"));
    /* What needs no engine has none either. */
    assert_int_equal(rhomb_distance(ctx, "ACGT", 4, "ACGT", 4, &options, &result), RHOMB_OK);
    rhomb_result_destroy(result);
    assert_int_not_equal(access(file, F_OK), 0);
    options.checkpoint_seconds = -1;
    assert_int_equal(rhomb_distance(ctx, "ACGT", 4, "ACGT", 4, &options, &result),
                     RHOMB_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(goes_on), cmocka_unit_test(refuses_others),
                                       cmocka_unit_test(refuses_damage),
                                       cmocka_unit_test(needs_room),
                                       cmocka_unit_test(has_no_local_ones)};
    const rhomb_context_options options = {
        .struct_size = sizeof options, .cache_dir = "off", .log = keep_message};
    if (rhomb_context_create(&ctx, &options) != RHOMB_OK || mkdtemp(folder) == NULL)
        return 1;
    snprintf(file, sizeof file, "%s/c", folder);
    if (rhomb_context_open(ctx, getenv("RHOMB_TEST_DEVICE"), 0) != RHOMB_OK) {
        fprintf(stderr, "skipped: %s\n", rhomb_context_error(ctx));
        rhomb_context_destroy(ctx);
        rmdir(folder);
        return 77;
    }
    const int failed = cmocka_run_group_tests_name("checkpoint", tests, NULL, NULL);
    rhomb_context_destroy(ctx);
    rmdir(folder);
    return failed;
}
