/* SPDX-License-Identifier: MIT */
/*
 * No clock decides: the same pair has the same engine, the same work on the way to it and the same
 * path, whatever time the library sees go by. Its calls of clock_gettime() come here (--wrap),
 * where time stands still, creeps, or leaps by seconds, so that a device is far quicker or far
 * slower than its profile.
 */
#include <time.h>

#include "host/device/context.h"
#include "rhomb/align.h"
#include "rhomb/tuning.h"
#include "support/pair.h"
#include "support/run.h"
#include "support/test.h"
#include "tests/reference/keep_plan.h"

typedef enum test_clock { REAL, FROZEN, CREEPING, LEAPING, ERRATIC, CLOCK_COUNT } test_clock;

static const char *const CLOCK_NAMES[] = {"real", "frozen", "creeping", "leaping", "erratic"};

static struct {
    test_clock kind;
    double seconds;
    rng random;
} fake;

int __real_clock_gettime(clockid_t id, struct timespec *now);
int __wrap_clock_gettime(clockid_t id, struct timespec *now);

int __wrap_clock_gettime(clockid_t id, struct timespec *now)
{
    static const double MOST_STEP[] = {0, 0, 1e-6, 2, 0};
    if (fake.kind == REAL)
        return __real_clock_gettime(id, now);
    fake.seconds += 1e-6 * (double)rng_below(&fake.random, 1000001) * MOST_STEP[fake.kind];
    if (fake.kind == ERRATIC && rng_chance(&fake.random, 0.1))
        fake.seconds += 1e-3 * (double)rng_below(&fake.random, 5001);
    now->tv_sec = (time_t)fake.seconds;
    now->tv_nsec = (long)(1e9 * (fake.seconds - (double)now->tv_sec));
    return 0;
}

static void set_clock(test_clock kind, uint64_t seed)
{
    fake.kind = kind;
    fake.seconds = 1000;
    fake.random = (rng){seed};
}

/* A pair that is asked about. */
typedef struct choice {
    const char *name;
    pair_model model;
    int64_t length;
    double error_rate;
    int64_t longest_indel;
} choice;

/* On either side of where `auto` changes engines on a CPU, with long indels. */
static const choice CHOICES[] = {
    {"1 k at 30 %", PAIR_UNIFORM, 1000, 0.3, 0},
    {"20 k at 2 %", PAIR_UNIFORM, 20000, 0.02, 0},
    {"20 k at 5 %", PAIR_UNIFORM, 20000, 0.05, 0},
    {"20 k at 10 %", PAIR_UNIFORM, 20000, 0.1, 0},
    {"40 k, long indels", PAIR_LONG_INDELS, 40000, 0.02, 3000},
    {"60 k, a long indel", PAIR_LONG_INDEL, 60000, 0.01, 6000},
    {"100 k at 3 %", PAIR_UNIFORM, 100000, 0.03, 0},
    {"100 k at 4 %", PAIR_UNIFORM, 100000, 0.04, 0},
    {"100 k at 5 %", PAIR_UNIFORM, 100000, 0.05, 0},
    {"100 k at 7 %", PAIR_UNIFORM, 100000, 0.07, 0},
    {"100 k, blocks swapped", PAIR_BLOCK_SWAP, 100000, 0.01, 9000},
    {"300 k at 2 %", PAIR_UNIFORM, 300000, 0.02, 0},
    {"300 k, long indels", PAIR_LONG_INDELS, 300000, 0.01, 9000},
    {"30 k, unrelated", PAIR_UNRELATED, 30000, 0, 0},
    {"a part of 50 k", PAIR_PART, 50000, 0.03, 0},
};

/* What an alignment comes to, but for time. */
typedef struct answer {
    rhomb_align_report report;
    rhomb_path_op *ops;
    int64_t count;
} answer;

static rhomb_context *ctx;

static int on_progress(const rhomb_progress *progress, void *user)
{
    ++*(int64_t *)user;
    return 0;
}

static answer ask(const choice *q, const pair *p, bool with_progress)
{
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_alignment *alignment = NULL;
    answer a;
    int64_t calls = 0;
    options.tuning = &tuning;
    if (with_progress) {
        options.progress = on_progress;
        options.progress_user = &calls;
    }
    if (rhomb_align(ctx, p->a.at, p->a.length, p->b.at, p->b.length, &options, &alignment) !=
        RHOMB_OK)
        fail_msg("%s: %s", q->name, rhomb_context_error(ctx));
    const rhomb_path_op *ops = rhomb_alignment_path(alignment, &a.count);
    a.report = *rhomb_alignment_report(alignment);
    a.report.whole = keep_report(a.report.whole);
    a.ops = malloc((size_t)a.count * sizeof *ops + 1);
    assert_non_null(a.ops);
    memcpy(a.ops, ops, (size_t)a.count * sizeof *ops);
    rhomb_alignment_destroy(alignment);
    return a;
}

static void compare(const choice *q, test_clock clock, const answer *first, const answer *other)
{
    const rhomb_report *a = first->report.whole, *b = other->report.whole;
    const struct {
        const char *what;
        int64_t first;
        int64_t other;
    } COUNTS[] = {
        {"distance", a->distance, b->distance},
        {"batches", a->batches, b->batches},
        {"cells", a->cells, b->cells},
        {"diagonals in use", a->diagonals_in_use, b->diagonals_in_use},
        {"operations", first->count, other->count},
    };
    if (strcmp(first->report.engine, other->report.engine) != 0)
        fail_msg("%s, %s clock: %s instead of %s", q->name, CLOCK_NAMES[clock],
                 other->report.engine, first->report.engine);
    for (size_t i = 0; i < COUNT(COUNTS); i++) {
        if (COUNTS[i].first != COUNTS[i].other)
            fail_msg("%s, %s clock, %s: %s is %" PRId64 ", and was %" PRId64, q->name,
                     CLOCK_NAMES[clock], a->plan->engine, COUNTS[i].what, COUNTS[i].other,
                     COUNTS[i].first);
    }
    if (memcmp(first->ops, other->ops, (size_t)first->count * sizeof *first->ops) != 0)
        fail_msg("%s, %s clock: another path", q->name, CLOCK_NAMES[clock]);
}

static void test_clocks(void **state)
{
    bool engines[2] = {false, false};
    for (size_t i = 0; i < COUNT(CHOICES); i++) {
        const choice *q = &CHOICES[i];
        const pair_recipe recipe = {.model = q->model,
                                    .length = q->length,
                                    .error_rate = q->error_rate,
                                    .longest_indel = q->longest_indel,
                                    .alphabet = "ACGT"};
        rng random = rng_for("same choices", (int64_t)i);
        pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
        pair_make(&recipe, &random, &p);
        set_clock(REAL, 0);
        answer first = ask(q, &p, false);
        engines[strcmp(first.report.engine, "wavefront") == 0] = true;
        for (int clock = FROZEN; clock < CLOCK_COUNT; clock++) {
            set_clock((test_clock)clock, 7 * i + (uint64_t)clock);
            answer other = ask(q, &p, clock % 2 == 0);
            set_clock(REAL, 0);
            compare(q, (test_clock)clock, &first, &other);
            free(other.ops);
        }
        free(first.ops);
        pair_release(&p);
    }
    assert_true(engines[0] && engines[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_LIST(cmocka_unit_test, test_clocks)};
    set_clock(REAL, 0);
    ctx = device_open();
    if (ctx == NULL)
        return 77;
    const int failed = cmocka_run_group_tests_name("same_choices", tests, NULL, NULL);
    rhomb_context_destroy(ctx);
    return failed;
}
