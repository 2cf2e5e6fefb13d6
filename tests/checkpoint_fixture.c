/* SPDX-License-Identifier: MIT */
/* What tests of checkpoints share, see checkpoint_fixture.h. */
#include <time.h>

#include "checkpoint_fixture.h"

#include "host/device/context.h"
#include "rhomb/scoring.h"
#include "support/thread_ranks.h"
#include "support/whole_files.h"
#include "tests/reference/keep_plan.h"

#include <stdatomic.h>
#include <unistd.h>

/* Milliseconds, and those by which each look at the clock moves it; of all threads. */
#define CLOCK_STEP 30
static atomic_int_least64_t clock_now = 1000000;

int __wrap_clock_gettime(clockid_t id, struct timespec *now);

int __wrap_clock_gettime(clockid_t id, struct timespec *now)
{
    (void)id;
    const int64_t ms = atomic_fetch_add(&clock_now, CLOCK_STEP) + CLOCK_STEP;
    now->tv_sec = (time_t)(ms / 1000);
    now->tv_nsec = (long)(ms % 1000 * 1000000);
    return 0;
}

rhomb_context *ctx;
static rhomb_context *all, *alone; /* the latter where the former has several devices */
static char folder[] = "/tmp/rhomb-checkpoints-XXXXXX";
char file[64];

/* The message of level 0 that came last. */
char logged[2048];

static void keep_message(int level, const char *text, void *user)
{
    if (level == 0)
        snprintf(logged, sizeof logged, "%s", text);
}

/* Keeps the file if it has something, and is another one than before. */
void make_copy(watcher *w)
{
    const copy *last = w->copy_count > 0 ? &w->copied[w->copy_count - 1] : NULL;
    copy now = {.call = w->calls};
    if (access(file, F_OK) == 0)
        now.bytes = file_read(file, &now.size);
    const bool is_new =
        now.size > 0 && w->copy_count < MOST_COPIES &&
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

void make_pair(const job *j, pair *p)
{
    rng r = rng_for(j->name, j->length);
    const pair_recipe recipe = {.model = j->model,
                                .length = j->length,
                                .error_rate = j->error_rate,
                                .longest_indel = j->length / 10,
                                .alphabet = "ACGT"};
    pair_make(&recipe, &r, p);
}

void release_answer(answer *a)
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

/* Slow devices, by the rates that they are believed to have: they are looked at often. */
static void seem_slow(rhomb_context *slow)
{
    for (int32_t i = 0; i < rhomb_context_device_count(slow); i++) {
        rhomb__rate_values *rates = &rhomb__context_of(slow, i)->stream.device->rates.values;
        rates->cells_per_second = 2e6;
        rates->sweep_cells_per_second = 2e8;
    }
}

int32_t most_devices(void)
{
    return rhomb_context_device_count(all);
}

void use_devices(int32_t count)
{
    ctx = count == 1 && alone != NULL ? alone : all;
    assert_int_equal(rhomb_context_device_count(ctx), count);
}

answer call(const job *j, const pair *p, const char *checkpoint, double seconds, watcher *w)
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
    rhomb_tuning tuning = j->tuning;
    tuning.chunk_strips = most_devices() > 1 ? 2 : 0; /* a part of the call's identity */
    options.tuning = &tuning;
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
    for (int32_t i = 0; i < rhomb_context_device_count(ctx); i++)
        assert_int_equal(rhomb__context_of(ctx, i)->stream.bytes_in_use, 0);
    return a;
}

static const rhomb_context_options OPTIONS = {
    .struct_size = sizeof OPTIONS, .cache_dir = "off", .log = keep_message};

static bool open_all(void)
{
    if (rhomb_context_create(&all, &OPTIONS) != RHOMB_OK)
        return false;
    ctx = all;
    if (ranks_open(all) != RHOMB_OK)
        return false;
    seem_slow(all);
    return true;
}

void open_again(void)
{
    rhomb_context_destroy(all);
    assert_true(open_all());
}

/* Opens the devices, and where they are several the first one in another context. */
static bool open_devices(void)
{
    if (!open_all())
        return false;
    if (rhomb_context_device_count(all) < 2)
        return true;
    char first[16];
    snprintf(first, sizeof first, "%d", (int)rhomb_context_device_at(all, 0)->index);
    if (rhomb_context_create(&alone, &OPTIONS) != RHOMB_OK ||
        rhomb_context_open(alone, first, 0) != RHOMB_OK)
        return false;
    seem_slow(alone);
    return true;
}

int run_checkpoint_tests(const char *name, const struct CMUnitTest *tests, size_t count)
{
    int failed = 77;
    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(file, sizeof file, "%s/c", folder);
    if (open_devices())
        failed = _cmocka_run_group_tests(name, tests, count, NULL, NULL);
    else
        fprintf(stderr, "skipped: %s\n", rhomb_context_error(all));
    rhomb_context_destroy(alone);
    rhomb_context_destroy(all);
    rmdir(folder);
    return failed;
}
