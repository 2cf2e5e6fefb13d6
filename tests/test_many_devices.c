/* SPDX-License-Identifier: MIT */
/*
 * Many pairs on several devices: the results, their order and their bytes are those of one device,
 * each device has jobs of a batch, callers stop at any place, and long pairs are solved side by
 * side. Two PoCL devices, unless the environment says otherwise; skipped (77) where there is only
 * one.
 */
#include "rhomb/batch.h"
#include "rhomb/matrix.h"
#include "support/rng.h"
#include "support/test.h"

enum { PAIRS = 600, LONGEST = 400, SEQUENCES = 60, LIMIT = 30 };

static const rhomb_scoring AFFINE = {0, 4, 6, 2, -1, -1, NULL}, SCORES = {2, 4, 4, 2, -1, -1, NULL};

static struct {
    char letters[2 * PAIRS][2 * LONGEST];
    rhomb_pair pairs[PAIRS];
    rhomb_matrix_sequence sequences[SEQUENCES];
    rhomb_context *one, *all;
} set;

static int64_t mutate(const char *from, int64_t length, double rate, rng *r, char *to)
{
    int64_t n = 0;
    for (int64_t i = 0; i < length && n + 2 < 2 * LONGEST; i++) {
        const int64_t kind = rng_chance(r, rate) ? rng_below(r, 3) : 3;
        if (kind != 1)
            to[n++] = kind == 0 ? "ACGTN"[rng_below(r, 5)] : from[i];
        if (kind == 2)
            to[n++] = "ACGT"[rng_below(r, 4)];
    }
    return n;
}

/* Pairs of all sorts: alike, unlike, empty, with a symbol of no alphabet. */
static void make_set(void)
{
    rng r = rng_for("many devices", 0);
    for (int i = 0; i < PAIRS; i++) {
        const int64_t length = i % 50 == 7 ? 0 : rng_between(&r, 1, LONGEST);
        char *target = set.letters[2 * i], *query = set.letters[2 * i + 1];
        for (int64_t k = 0; k < length; k++)
            target[k] = "ACGT"[rng_below(&r, 4)];
        const double rate = i % 9 == 0 ? 0.4 : 0.04;
        set.pairs[i] = (rhomb_pair){target, length, query, mutate(target, length, rate, &r, query)};
        if (i % 97 == 50 && set.pairs[i].query_length > 0)
            query[0] = '!';
    }
    for (int i = 0; i < SEQUENCES; i++) {
        char *bases = set.letters[2 * PAIRS - SEQUENCES + i];
        const int64_t length =
            mutate(set.letters[2], set.pairs[1].target_length, i % 7 == 0 ? 0.3 : 0.02, &r, bases);
        set.sequences[i] = (rhomb_matrix_sequence){bases, length, NULL};
    }
}

/* What a batch has delivered, as text, so that all of it is compared. */
typedef struct record {
    char *text;
    size_t length, room;
    int64_t delivered, stop_at; /* -1: never */
    bool in_order;
} record;

__attribute__((format(printf, 2, 3))) static void put(record *r, const char *format, ...)
{
    va_list args;
    if (r->room - r->length < 4096) {
        r->room = 2 * r->room + 65536;
        r->text = realloc(r->text, r->room);
        assert_non_null(r->text);
    }
    va_start(args, format);
    r->length += (size_t)vsnprintf(r->text + r->length, r->room - r->length, format, args);
    va_end(args);
}

static int take(int64_t first, const rhomb_pair_result *const *results, size_t count, void *user)
{
    record *r = user;
    r->in_order = r->in_order && first == r->delivered;
    for (size_t i = 0; i < count; i++, r->delivered++) {
        if (r->delivered == r->stop_at)
            return 1;
        const rhomb_pair_result *p = results[i];
        put(r, "%lld %d %lld %s", (long long)first + (long long)i, (int)p->status,
            (long long)p->distance, p->detail != NULL ? p->detail : "");
        if (p->extent != NULL)
            put(r, " %lld %lld-%lld %lld-%lld %d", (long long)p->extent->score,
                (long long)p->extent->target_begin, (long long)p->extent->target_end,
                (long long)p->extent->query_begin, (long long)p->extent->query_end,
                (int)p->extent->reached_end);
        for (int64_t k = 0; k < p->cigar_count; k++)
            put(r, " %u", (unsigned)p->cigar[k]);
        put(r, "\n");
    }
    return 0;
}

static rhomb_status run_batch(rhomb_context *ctx, const rhomb_batch_options *asked, record *r)
{
    rhomb_batch_options options = *asked;
    rhomb_batch *batch = NULL;
    options.results = take;
    options.user = r;
    r->in_order = true;
    rhomb_status status = rhomb_batch_create(ctx, &options, &batch);
    for (int i = 0; status == RHOMB_OK && i < PAIRS; i += 60) {
        status = rhomb_batch_add(batch, set.pairs + i, 60);
        if (status == RHOMB_OK && i == 240)
            status = rhomb_batch_finish(batch); /* and goes on */
    }
    if (status == RHOMB_OK)
        status = rhomb_batch_finish(batch);
    rhomb_batch_destroy(batch);
    return status;
}

static int64_t pairs_of(int32_t device)
{
    return rhomb_context_work(set.all, device)->pairs;
}

/* The same on one device and on all; each of them has had jobs, however fast it is. */
static void compare(const char *name, const rhomb_batch_options *options)
{
    record one = {.stop_at = -1}, all = {.stop_at = -1};
    int64_t before[2] = {pairs_of(0), pairs_of(1)};
    assert_int_equal(run_batch(set.one, options, &one), RHOMB_OK);
    const rhomb_status status = run_batch(set.all, options, &all);
    if (status != RHOMB_OK)
        fail_msg("%s: %s", name, rhomb_context_error(set.all));
    assert_true(all.in_order);
    assert_int_equal(all.delivered, PAIRS);
    if (one.length != all.length || memcmp(one.text, all.text, one.length) != 0)
        fail_msg("%s: several devices give something else than one", name);
    for (int i = 0; i < 2; i++)
        if (pairs_of(i) == before[i])
            fail_msg("%s: device %d has done nothing", name, i);
    free(one.text);
    free(all.text);
}

static rhomb_batch_options options_of(const rhomb_batch_tuning *tuning)
{
    rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
    options.tuning = tuning;
    return options;
}

/* Jobs of a few pairs, so that there are many of them. */
static rhomb_batch_tuning small_jobs(void)
{
    rhomb_batch_tuning tuning = RHOMB_BATCH_TUNING_INIT;
    tuning.job_bases = 16384;
    tuning.workers = 2;
    return tuning;
}

static void test_batch(void **state)
{
    const rhomb_batch_tuning tuning = small_jobs();
    rhomb_batch_options options = options_of(&tuning);
    compare("distances", &options);
    options.borrow_pairs = true;
    options.max_distance = 20;
    compare("limited", &options);
    options = options_of(&tuning);
    options.cigar = true;
    compare("paths", &options);
    options.scoring = &AFFINE;
    compare("affine paths", &options);
}

static void test_modes(void **state)
{
    const rhomb_batch_tuning tuning = small_jobs();
    rhomb_batch_options options = options_of(&tuning);
    options.cigar = true;
    options.scoring = &SCORES;
    options.mode = RHOMB_MODE_LOCAL;
    compare("local", &options);
    options.mode = RHOMB_MODE_EXTEND;
    options.z_drop = 50;
    compare("extend", &options);
    options.mode = RHOMB_MODE_ENDS_FREE;
    options.z_drop = RHOMB_NO_LIMIT;
    options.free_ends = (rhomb_free_ends){20, 20, 20, 20};
    compare("ends-free", &options);
}

/* Pairs for the engines of long pairs, several of a job and one, with paths and without. */
static void test_long_pairs(void **state)
{
    rhomb_batch_tuning tuning = small_jobs();
    tuning.last_limit = 20;
    rhomb_batch_options options = options_of(&tuning);
    compare("long distances", &options);
    options.cigar = true;
    compare("long paths", &options);
    tuning.long_bases = 100;
    options.scoring = &SCORES;
    options.mode = RHOMB_MODE_LOCAL;
    compare("long local", &options);
}

static void test_cancel(void **state)
{
    const rhomb_batch_tuning tuning = small_jobs();
    const rhomb_batch_options options = options_of(&tuning);
    static const int64_t stops[] = {0, 1, 77, 299, 300, PAIRS - 1};
    for (size_t i = 0; i < COUNT(stops); i++) {
        record r = {.stop_at = stops[i]};
        assert_int_equal(run_batch(set.all, &options, &r), RHOMB_ERR_CANCELLED);
        assert_string_equal(rhomb_context_error(set.all), "stopped while taking results");
        assert_int_equal(r.delivered, stops[i]);
        free(r.text);
    }
}

/* A matrix, its distances in order. */
typedef struct table {
    int64_t distances[SEQUENCES * SEQUENCES];
    int64_t next, calls, stop_at; /* the call of progress that stops it; 0: none */
    bool in_order;
} table;

static int take_row(int64_t row, int64_t column, const int64_t *distances, size_t count, void *user)
{
    table *t = user;
    t->in_order = t->in_order && rhomb_matrix_pair(row, column) == t->next;
    memcpy(t->distances + t->next, distances, count * sizeof *distances);
    t->next += (int64_t)count;
    return 0;
}

static int watch(const rhomb_matrix_progress *now, void *user)
{
    table *t = user;
    assert_true(now->fraction >= 0 && now->fraction <= 1);
    return ++t->calls == t->stop_at;
}

static rhomb_status run_matrix(rhomb_context *ctx, const rhomb_matrix_options *asked, table *t)
{
    rhomb_matrix_options options = *asked;
    options.results = take_row;
    options.progress = watch;
    options.progress_user = options.user = t;
    t->in_order = true;
    t->calls = 0;
    t->next = options.first_pair;
    return rhomb_matrix_compute(ctx, set.sequences, SEQUENCES, &options, NULL);
}

static void compare_matrix(const char *name, const rhomb_matrix_options *options)
{
    static table one, all;
    const int64_t pairs = rhomb_matrix_pair(SEQUENCES, 0);
    const int64_t before[2] = {pairs_of(0), pairs_of(1)};
    assert_int_equal(run_matrix(set.one, options, &one), RHOMB_OK);
    if (run_matrix(set.all, options, &all) != RHOMB_OK)
        fail_msg("%s: %s", name, rhomb_context_error(set.all));
    assert_true(all.in_order);
    assert_int_equal(all.next, pairs);
    assert_memory_equal(one.distances, all.distances, (size_t)pairs * sizeof(int64_t));
    assert_true(pairs_of(0) + pairs_of(1) > before[0] + before[1]);
    /* In parts. */
    static table parts;
    for (int64_t part = 0; part < 4; part++) {
        rhomb_matrix_options some = *options;
        assert_int_equal(
            rhomb_matrix_part(set.sequences, SEQUENCES, part, 4, &some.first_pair, &some.end_pair),
            RHOMB_OK);
        assert_int_equal(run_matrix(set.all, &some, &parts), RHOMB_OK);
        assert_int_equal(parts.next, some.end_pair);
    }
    assert_memory_equal(one.distances, parts.distances, (size_t)pairs * sizeof(int64_t));
    /* Stopped, and from there on. */
    for (int64_t stop = 1; stop < all.calls; stop += 1 + all.calls / 5) {
        static table stopped;
        rhomb_matrix_options rest = *options;
        stopped.stop_at = stop;
        const rhomb_status status = run_matrix(set.all, options, &stopped);
        assert_true(status == RHOMB_ERR_CANCELLED || status == RHOMB_OK);
        rest.first_pair = stopped.next;
        stopped.stop_at = 0;
        assert_int_equal(run_matrix(set.all, &rest, &stopped), RHOMB_OK);
        assert_memory_equal(one.distances, stopped.distances, (size_t)pairs * sizeof(int64_t));
    }
}

static void test_matrix(void **state)
{
    rhomb_matrix_tuning tuning = RHOMB_MATRIX_TUNING_INIT;
    rhomb_matrix_options options = RHOMB_MATRIX_OPTIONS_INIT;
    tuning.first_limit = 8;
    tuning.job_pairs = 100;
    options.tuning = &tuning;
    compare_matrix("matrix", &options);
    tuning.last_limit = LIMIT; /* relatives of 30 % are for the engines of long pairs */
    compare_matrix("long pairs of a matrix", &options);
    options.max_distance = 40;
    compare_matrix("matrix with a limit", &options);
    options.max_distance = RHOMB_NO_LIMIT;
    tuning.pool_bytes = 1; /* no sequence is packed */
    compare_matrix("matrix of sequences that are not packed", &options);
}

int main(void)
{
    setenv("POCL_DEVICES", "basic pthread", 0);
    make_set();
    if (rhomb_context_create(&set.one, NULL) != RHOMB_OK ||
        rhomb_context_create(&set.all, NULL) != RHOMB_OK)
        return 1;
    if (rhomb_context_open(set.all, "all", 0) != RHOMB_OK ||
        rhomb_context_device_count(set.all) < 2) {
        printf("skipped: there are not two devices\n");
        return 77;
    }
    if (rhomb_context_open(set.one, NULL, 0) != RHOMB_OK)
        return 1;
    const struct CMUnitTest tests[] = {TEST_LIST(cmocka_unit_test, test_batch, test_modes,
                                                 test_long_pairs, test_cancel, test_matrix)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rhomb_context_destroy(set.one);
    rhomb_context_destroy(set.all);
    return failed;
}
