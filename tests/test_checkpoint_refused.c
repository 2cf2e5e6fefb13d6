/* SPDX-License-Identifier: MIT */
/*
 * Checkpoints that are refused: of other calls, damaged, or of a plan that the device cannot run;
 * those of a device of another kind that are taken; and files that cannot be written.
 */
#include "checkpoint_fixture.h"
#include "checkpoint_repair.h"

#include "host/device/context.h"
#include "rhomb/local.h"
#include "rhomb/scoring.h"
#include "support/whole_files.h"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

static const job A_SWEEP =
    JOB("a sweep", DISTANCE, PAIR_UNRELATED, 20000, 0, SWEEP, -1, "edit", .blocks_per_launch = 16);
static const job A_WAVEFRONT = JOB("a wavefront", DISTANCE, PAIR_UNIFORM, 20000, 0.05, WAVE, -1,
                                   "edit", .launches_per_read = 3);
static const job A_PATH = JOB("the path of a wavefront", PATH, PAIR_LONG_INDELS, 60000, 0.06, WAVE,
                              -1, "edit", .launches_per_read = 8);

/* A checkpoint of a job that was stopped. */
static void stop_early(const job *j, const pair *p)
{
    watcher w = {.stop_at = 5};
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
    job j = A_SWEEP;
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
        {&j.engine, sizeof j.engine, AUTO,
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

/*
 * A device that seems to be of another kind has another plan; its checkpoint's plan is what counts,
 * unless this device cannot run that.
 */
static void goes_on_elsewhere(void **state)
{
    static const int ENGINES[] = {SWEEP, WAVE, AUTO};
    rhomb_device_info *info = &ctx->stream.device->info;
    const rhomb_device_info real = *info;
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (size_t i = 0; i < 2 * COUNT(ENGINES); i++) {
        const job j = JOB("elsewhere", i % 2 == 1, PAIR_UNIFORM, 20000, 0.2, ENGINES[i / 2], -1,
                          "edit", .directions = 0);
        watcher none = {.calls = 0}, again = none, w = {.stop_at = 4};
        make_pair(&j, &p);
        answer expected = call(&j, &p, NULL, 0, &none);
        assert_int_equal(expected.status, RHOMB_OK);
        info->kind = real.kind == RHOMB_DEVICE_GPU ? RHOMB_DEVICE_CPU : RHOMB_DEVICE_GPU;
        unlink(file);
        assert_int_equal(call(&j, &p, file, 1e9, &w).status, RHOMB_ERR_CANCELLED);
        *info = real;
        if (real.kind == RHOMB_DEVICE_CPU) {
            info->max_group_size = 1;
            expect_refused(&j, &p, RHOMB_ERR_ARGUMENT,
                           "cannot go on with the resume file's plan: group size ");
            *info = real;
        }
        answer a = call(&j, &p, file, 1e9, &again);
        if (a.status != RHOMB_OK || a.report.distance != expected.report.distance ||
            !a.report.resumed)
            fail_msg("%zu: %s", i, rhomb_context_error(ctx));
        release_answer(&a);
        release_answer(&expected);
    }
    unlink(file);
    pair_release(&p);
}

/* Number `index` of the content of a section; NULL: there is none of this name. */
static char *number_of(const copy *c, const char *name, size_t index)
{
    rhomb__checkpoint_frame frame;
    for (size_t at = 0; at + sizeof frame < c->size; at += 8) {
        if (strncmp(c->bytes + at, name, sizeof frame.name) == 0)
            return c->bytes + at + sizeof frame + 8 * index;
    }
    return NULL;
}

/* A number is another one, and the checksums are right. */
static void expect_wrong(const pair *p, const copy *c, const char *name, size_t index,
                         int64_t value, const char *text)
{
    int64_t before = 0;
    char *at = number_of(c, name, index);
    assert_non_null(at);
    memcpy(&before, at, sizeof before);
    memcpy(at, &value, sizeof value);
    checkpoint_repair((unsigned char *)c->bytes, c->size, RHOMB__CHECKPOINT_FORMAT);
    file_write(file, c->bytes, c->size);
    expect_refused(&A_PATH, p, RHOMB_ERR_INPUT, text);
    memcpy(at, &before, sizeof before);
    checkpoint_repair((unsigned char *)c->bytes, c->size, RHOMB__CHECKPOINT_FORMAT);
}

/* A path whose subproblems are too many, other ones, or not those of the pair. */
static void refuses_wrong_paths(void **state)
{
    static watcher w;
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    const copy *found = NULL;
    w = (watcher){.copies = true};
    make_pair(&A_PATH, &p);
    use_devices(most_devices());
    answer expected = call(&A_PATH, &p, file, 1e-9, &w);
    assert_int_equal(expected.status, RHOMB_OK);
    for (int64_t i = 0; i < w.copy_count; i++) {
        if (number_of(&w.copied[i], "parts", 0) != NULL)
            found = &w.copied[i];
    }
    assert_non_null(found);
    expect_wrong(&p, found, "path", 0, -1, "is damaged: its path has too many parts");
    expect_wrong(&p, found, "path", 0, 1000000, "is damaged: its path has too many parts");
    expect_wrong(&p, found, "path", 0, 77, "is damaged: its part \"parts\" has ");
    expect_wrong(&p, found, "parts", 0, 1, "is damaged: its path is of another pair");
    expect_wrong(&p, found, "parts", 4, 1, "is damaged: its path is of another pair");
    watcher none = {.calls = 0};
    file_write(file, found->bytes, found->size);
    answer a = call(&A_PATH, &p, file, 1e9, &none);
    assert_true(a.status == RHOMB_OK && a.report.resumed);
    assert_int_equal(a.operations, expected.operations);
    assert_memory_equal(a.path, expected.path, (size_t)a.operations * sizeof *a.path);
    release_answer(&a);
    release_answer(&expected);
    for (int64_t i = 0; i < w.copy_count; i++)
        free(w.copied[i].bytes);
    pair_release(&p);
    unlink(file);
}

/* Nowhere to write at the start is an error; later it is none, and the file stays what it was. */
static void needs_room(void **state)
{
    struct rlimit before, small;
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    const job *j = &A_WAVEFRONT;
    watcher w = {.calls = 0};
    make_pair(j, &p);
    assert_int_equal(call(j, &p, "/none/such", 1, &w).status, RHOMB_ERR_OUTPUT);
    assert_contains(rhomb_context_error(ctx), "/none/such cannot be opened: No such");
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
    assert_contains(logged, "could not be written, what it was before stays: cannot be "
                            "written: File too large");
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
    assert_int_equal(rhomb_align_mode(ctx, "ACGT", 4, "ACGT", 4, NULL, &options, &alignment),
                     RHOMB_ERR_ARGUMENT);
    assert_contains(rhomb_context_error(ctx), "checkpoint");
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
    const struct CMUnitTest tests[] = {TEST_LIST(cmocka_unit_test, refuses_others,
                                                 goes_on_elsewhere, refuses_wrong_paths, needs_room,
                                                 has_no_local_ones)};
    return run_checkpoint_tests("checkpoint_refused", tests, COUNT(tests));
}
