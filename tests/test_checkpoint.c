/* SPDX-License-Identifier: MIT */
/*
 * Calls that end early and go on: what a run keeps at any moment, and what it writes when it is
 * stopped, leads to the same distance, the same work and the same path as a run that nothing has
 * disturbed.
 */
#include "checkpoint_fixture.h"

#include "rhomb/plan.h"

#include "support/amount.h"
#include "support/thread_ranks.h"
#include "support/whole_files.h"

#include <unistd.h>

static const job JOBS[] = {
    JOB("a sweep", DISTANCE, PAIR_UNRELATED, 20000, 0, SWEEP, -1, "edit", .blocks_per_launch = 16),
    JOB("sweeps of two directions", DISTANCE, PAIR_LONG_INDELS, 20000, 0.05, SWEEP, -1, "edit",
        .blocks_per_launch = 8, .directions = 2, .first_half_width = 20),
    JOB("sweeps in groups", DISTANCE, PAIR_UNIFORM, 20000, 0.1, SWEEP, -1, "edit",
        .blocks_per_launch = 8, .group_size = 64, .words_per_item = 1),
    JOB("a bit-sliced sweep", DISTANCE, PAIR_UNIFORM, 70000, 0.03, SWEEP, -1, "affine:4,6,2",
        .blocks_per_launch = 64),
    JOB("a limited sweep", DISTANCE, PAIR_UNRELATED, 20000, 0, SWEEP, 3000, "edit",
        .blocks_per_launch = 16),
    JOB("a wavefront", DISTANCE, PAIR_UNIFORM, 20000, 0.05, WAVE, -1, "edit",
        .launches_per_read = 3),
    JOB("a wavefront that widens", DISTANCE, PAIR_LONG_INDELS, 20000, 0.05, WAVE, -1, "edit",
        .launches_per_read = 5, .group_size = 16, .diagonals_per_item = 4, .tile_scores = 16,
        .wide_group_size = 64, .wide_diagonals_per_item = 4, .wide_tile_scores = 32,
        .wide_diagonals = 700),
    JOB("limited diamonds", DISTANCE, PAIR_UNIFORM, 10000, 0.05, WAVE, 600, "edit",
        .launches_per_read = 4, .tile_shape = RHOMB_TILE_DIAMOND),
    JOB("an affine wavefront", DISTANCE, PAIR_UNIFORM, 30000, 0.04, WAVE, -1, "affine:4,6,2",
        .launches_per_read = 2, .tile_scores = 16),
    JOB("both engines", DISTANCE, PAIR_UNRELATED, 30000, 0, AUTO, -1, "edit",
        .blocks_per_launch = 16, .launches_per_read = 2),
    JOB("both engines, affine", DISTANCE, PAIR_UNIFORM, 30000, 0.2, AUTO, -1, "affine2p:4,4,2,24,1",
        .blocks_per_launch = 16, .launches_per_read = 2),
    JOB("a wavefront with a long indel", DISTANCE, PAIR_LONG_INDEL, 60000, 0.01, AUTO, -1, "edit",
        .launches_per_read = 2),
    JOB("the path of a wavefront", PATH, PAIR_LONG_INDELS, 60000, 0.06, WAVE, -1, "edit",
        .launches_per_read = 8),
    JOB("the path of a sweep", PATH, PAIR_UNRELATED, 12000, 0, SWEEP, -1, "edit",
        .blocks_per_launch = 16),
    JOB("the path of an affine wavefront", PATH, PAIR_UNIFORM, 20000, 0.05, WAVE, -1,
        "affine:4,6,2", .launches_per_read = 8),
    JOB("the path of a bit-sliced sweep", PATH, PAIR_UNIFORM, 6000, 0.3, SWEEP, -1, "affine:4,6,2",
        .blocks_per_launch = 16),
    JOB("the path of both engines", PATH, PAIR_UNRELATED, 20000, 0, AUTO, -1, "edit",
        .blocks_per_launch = 16, .launches_per_read = 2),
};

/* The same answer; `what` and `index` say how it came. */
static void expect_same(const job *j, const answer *a, const answer *expected, const char *what,
                        int64_t index)
{
    const rhomb_report *r = &a->report, *e = &expected->report;
    if (a->status != RHOMB_OK)
        fail_msg("%s, %s %" PRId64 ": %s", j->name, what, index, rhomb_context_error(ctx));
    if (r->distance != e->distance || r->cells != e->cells || r->batches != e->batches ||
        strcmp(r->plan->engine, e->plan->engine) != 0 ||
        r->cells_saved_diagonal != e->cells_saved_diagonal ||
        r->cells_saved_limit != e->cells_saved_limit ||
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
    if (a->align.cells != expected->align.cells || a->align.splits != expected->align.splits)
        fail_msg("%s, %s %" PRId64 ": %" PRId64 " cells and %" PRId64 " splits of the path, not "
                 "%" PRId64 " and %" PRId64,
                 j->name, what, index, a->align.cells, a->align.splits, expected->align.cells,
                 expected->align.splits);
}

/* Whether a copy has a part of a path. */
static bool is_of_path(const copy *c)
{
    for (size_t at = 0; at + 8 <= c->size; at += 8) {
        if (memcmp(c->bytes + at, "parts\0\0\0", 8) == 0)
            return true;
    }
    return false;
}

/*
 * From the file as it was at some moments: some of all, and some of those with a part of a path;
 * *paths counts the latter.
 */
static int64_t go_on_from_copies(const job *j, const pair *p, const answer *expected,
                                 const int32_t devices[2], int64_t *paths)
{
    static watcher w;
    int64_t resumed = 0;
    w = (watcher){.copies = true};
    use_devices(devices[0]);
    answer a = call(j, p, file, 0.25, &w);
    expect_same(j, &a, expected, "checkpoints", w.copy_count);
    assert_false(a.report.resumed);
    assert_true(w.copy_count == 0 || a.report.checkpoints > 0);
    release_answer(&a);
    make_copy(&w);
    use_devices(devices[1]);
    /* Of each kind. */
    const int64_t most = amount_is_first_tier() ? 3 : most_devices() > 1 ? 5 : 12;
    const int64_t apart = w.copy_count / most + 1;
    int64_t of_paths = 0;
    for (int64_t i = 0; i < w.copy_count; i++)
        of_paths += is_of_path(&w.copied[i]);
    *paths = 0;
    for (int64_t i = 0, path = 0; i < w.copy_count; i++) {
        const bool is_path = is_of_path(&w.copied[i]);
        const bool takes_path = is_path && path++ % (of_paths / most + 1) == 0;
        if (i % apart == 0 || takes_path || i + 1 == w.copy_count) {
            *paths += is_path;
            watcher none = {.calls = 0};
            file_write(file, w.copied[i].bytes, w.copied[i].size);
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

/* Stopped again and again, and nothing is written but then; on both numbers of devices in turns. */
static int64_t go_on_after_stops(const job *j, const pair *p, const answer *expected,
                                 const int32_t devices[2])
{
    answer a = {.status = RHOMB_ERR_CANCELLED};
    int64_t runs = 0, before = 0;
    double fraction = 0;
    for (; a.status == RHOMB_ERR_CANCELLED; runs++) {
        /* A shared sweep begins again each time: the stop has to come after it at last. */
        const int64_t more = most_devices() > 1 ? runs * runs : runs;
        watcher w = {.stop_at = 4 + more / (amount_is_first_tier() ? 1 : 3), .fraction = fraction};
        use_devices(devices[runs % 2]);
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

/* How many there were of each, over all jobs. */
typedef struct tally {
    int64_t copies, paths, stops;
} tally;

static void go_on(const job *j, const pair *p, const answer *expected, const int32_t devices[2],
                  tally *all)
{
    tally t = {0, 0, 0};
    t.copies = go_on_from_copies(j, p, expected, devices, &t.paths);
    t.stops = go_on_after_stops(j, p, expected, devices);
    print_message("%s, %d devices, then %d: went on from %" PRId64 " copies, %" PRId64
                  " of paths, and %" PRId64 " stops\n",
                  j->name, (int)devices[0], (int)devices[1], t.copies, t.paths, t.stops);
    all->copies += t.copies;
    all->paths += t.paths;
    all->stops += t.stops;
}

static void goes_on(void **state)
{
    const int32_t most = most_devices(), devices[][2] = {{most, most}, {most, 1}, {1, most}};
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    const size_t turns = most > 1 ? COUNT(devices) : 1;
    tally all = {0, 0, 0};
    for (size_t k = 0; k < turns; k++) {
        for (size_t i = 0; i < COUNT(JOBS); i++) {
            const job *j = &JOBS[i];
            watcher none = {.calls = 0};
            /* A share of it: each job on one of them, in turns. */
            if (!amount_is_whole() && i % turns != k)
                continue;
            make_pair(j, &p);
            use_devices(1);
            answer expected = call(j, &p, NULL, 0, &none);
            if (expected.status != RHOMB_OK)
                fail_msg("%s: %s", j->name, rhomb_context_error(ctx));
            assert_true(!expected.report.resumed && expected.report.checkpoints == 0);
            go_on(j, &p, &expected, devices[k], &all);
            release_answer(&expected);
        }
        if (!amount_is_whole() && k + 1 < turns)
            continue;
        /* How many of each depends on when files are on the disk. */
        assert_true(all.copies > 30 && all.paths > 4 && all.stops > 20);
        all = (tally){0, 0, 0};
    }
    pair_release(&p);
}

/* What messages that get lost have come to. */
typedef struct losses {
    int64_t lost, kept; /* the calls that failed, and those of them that left a checkpoint */
    int64_t messages;   /* of the last call */
} losses;

/* Whether the loss of a message ends a call, which then goes on with what is in the file. */
static bool lose(const job *j, const pair *p, const answer *expected, int64_t at, losses *all)
{
    watcher none = {.calls = 0};
    open_again();
    (void)ranks_fail_at(at);
    answer a = call(j, p, file, 1e-9, &none);
    all->messages = ranks_fail_at(0);
    const bool is_lost = a.status != RHOMB_OK;
    if (is_lost) {
        none = (watcher){.calls = 0};
        release_answer(&a);
        all->lost++;
        all->kept += access(file, F_OK) == 0;
        use_devices(1);
        a = call(j, p, file, 1e9, &none);
    }
    expect_same(j, &a, expected, "lost message", at);
    release_answer(&a);
    unlink(file);
    return is_lost;
}

/* Each message between ranks that is tried gets lost; what is in the file then is as good. */
static void goes_on_after_losses(void **state)
{
    static const char *const NAMES[] = {"sweeps of two directions",
                                        "the path of a bit-sliced sweep"};
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    if (getenv("RHOMB_TEST_RANKS") == NULL)
        skip();
    for (size_t i = 0; i < COUNT(JOBS); i++) {
        const job *j = &JOBS[i];
        watcher none = {.calls = 0};
        losses all = {.lost = 0};
        bool is_named = false;
        for (size_t k = 0; k < COUNT(NAMES); k++)
            is_named = is_named || strcmp(j->name, NAMES[k]) == 0;
        if (!is_named)
            continue;
        make_pair(j, &p);
        use_devices(1);
        answer expected = call(j, &p, NULL, 0, &none);
        for (int64_t at = 1; lose(j, &p, &expected, at, &all);)
            at += 1 + (amount_is_whole() ? at / 3 : at);
        /* They become rarer, and the first checkpoint may be late: from the end on, until one is.
         */
        for (int64_t at = all.messages; all.kept == 0 && at > 0; at -= 1 + at / 32)
            (void)lose(j, &p, &expected, at, &all);
        print_message("%s: %" PRId64 " losses, %" PRId64 " with a checkpoint\n", j->name, all.lost,
                      all.kept);
        assert_true(all.kept > 0);
        release_answer(&expected);
    }
    open_again();
    pair_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_LIST(cmocka_unit_test, goes_on, goes_on_after_losses)};
    return run_checkpoint_tests("checkpoint", tests, COUNT(tests));
}
