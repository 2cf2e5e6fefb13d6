/* SPDX-License-Identifier: MIT */
/*
 * Problems of an alignment that are swept side by side (host/divide/sweep_many.c):
 * each is split where a plain dynamic program says, in the first row of the middle column that a
 * path of least cost goes through, whatever else is in the portion and whatever the strips are
 * like. Distances that are wrong, and problems that cannot be, are refused.
 */
#include "host/device/context.h"
#include "host/divide/sweep_many.h"
#include "src/base/int64.h"
#include "support/pair.h"
#include "support/test.h"
#include "tests/reference/recurrences.h"

enum { MOST = 64 };

/* Problems behind each other in a pair, and where they are split. */
typedef struct list {
    letters target;
    letters query;
    int64_t count;
    rhomb_split_pair pairs[MOST];
    rhomb__breakpoint expected[MOST];
} list;

/* ---------------------------------------------------------------- the model */

/* The costs of the column after `columns` bases of the first text, row by row. */
static int64_t *column_costs(const plain_pair *p, int64_t columns)
{
    int64_t *cost = malloc((size_t)(p->m + 1) * sizeof *cost);
    assert_non_null(cost);
    plain_first_column(p, cost);
    for (int64_t j = 0; j < columns; j++)
        plain_next_column(p, j, cost);
    return cost;
}

/* Splits a by its middle, rounded up to whole blocks. */
static rhomb__breakpoint split_plainly(const char *a, int64_t n, const char *b, int64_t m,
                                       int64_t *distance)
{
    const int64_t middle = rhomb__ceil_div(rhomb__ceil_div(n, 16), 2) * 16;
    const plain_pair forward = {a, n, b, m, false}, backward = {a, n, b, m, true};
    int64_t *before = column_costs(&forward, middle);
    int64_t *behind = column_costs(&backward, n - middle);
    rhomb__breakpoint breakpoint = {.target = middle, .cost = before[0]};
    *distance = before[0] + behind[m];
    for (int64_t i = 1; i <= m; i++) {
        if (before[i] + behind[m - i] < *distance) {
            *distance = before[i] + behind[m - i];
            breakpoint.query = i;
            breakpoint.cost = before[i];
        }
    }
    free(before);
    free(behind);
    return breakpoint;
}

/* ---------------------------------------------------------------- problems */

static void add(list *l, const letters *a, const letters *b)
{
    rhomb_split_pair *problem = &l->pairs[l->count];
    rhomb__breakpoint *breakpoint = &l->expected[l->count++];
    assert_true(l->count <= MOST);
    *problem = (rhomb_split_pair){l->target.length, a->length, l->query.length, b->length, 0};
    letters_append(&l->target, a->at, a->length);
    letters_append(&l->query, b->at, b->length);
    if (a->length >= 64) {
        *breakpoint = split_plainly(a->at, a->length, b->at, b->length, &problem->distance);
    } else {
        const rhomb__breakpoint m =
            split_plainly(b->at, b->length, a->at, a->length, &problem->distance);
        *breakpoint = (rhomb__breakpoint){m.query, m.target, m.cost, RHOMB_GAP_NONE};
    }
    if (problem->distance == 0) /* such are no problems */
        l->count--;
}

static void add_random(list *l, int64_t n, int64_t m, const char *alphabet, rng *r)
{
    letters a = {NULL, 0, 0}, b = {NULL, 0, 0};
    letters_random(&a, alphabet, n, r);
    letters_random(&b, alphabet, m, r);
    add(l, &a, &b);
    free(a.at);
    free(b.at);
}

/* b is a without some letters: the distance is the difference of the lengths. */
static void add_deletions(list *l, int64_t n, int64_t left_out, rng *r)
{
    letters a = {NULL, 0, 0}, b = {NULL, 0, 0};
    letters_random(&a, "ACGT", n, r);
    for (int64_t i = 0; i < n; i++) {
        if (i % rhomb__max(n / left_out, 1) != 0)
            letters_append(&b, a.at + i, 1);
    }
    add(l, &a, &b);
    add(l, &b, &a);
    free(a.at);
    free(b.at);
}

/* One block in each direction, short targets that change places, the least distance there is. */
static void add_odd(list *l, rng *r)
{
    add_random(l, 64, 1, "ACGT", r);
    add_random(l, 65, 64, "ACGT", r);
    add_random(l, 63, 700, "ACGT", r);
    add_random(l, 1, 500, "ACGT", r);
    add_random(l, 20, 17, "ACGT", r);
    add_random(l, 40, 32, "ACGT", r);
    add_deletions(l, 500, 1, r);
    add_deletions(l, 900, 250, r);
    add_random(l, 70, 2000, "ACGT", r);
    add_random(l, 2000, 70, "A", r);
}

/* Of all models, with lengths from a few blocks to many strips. */
static void add_pairs(list *l, const char *alphabet, rng *r)
{
    for (int model = 0; model < PAIR_MODEL_COUNT; model++) {
        pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
        const pair_recipe recipe = {.model = (pair_model)model,
                                    .length = rng_between(r, 200, model % 3 == 0 ? 2500 : 900),
                                    .error_rate = 0.4 * (double)rng_between(r, 0, 100) / 100,
                                    .spacing = 11,
                                    .longest_indel = 150,
                                    .alphabet = alphabet};
        pair_make(&recipe, r, &p);
        if (p.a.length > 64 && p.b.length > 0)
            add(l, &p.a, &p.b);
        pair_release(&p);
    }
}

static void release_list(list *l)
{
    free(l->target.at);
    free(l->query.at);
}

/* ------------------------------------------------------------------- calls */

/* Each letter its own code. */
static rhomb__codes codes_of(const char *alphabet)
{
    rhomb__codes codes = {{0}, (int32_t)strlen(alphabet)};
    for (int i = 0; alphabet[i] != '\0'; i++)
        codes.code[(unsigned char)alphabet[i]] = (uint8_t)i;
    return codes;
}

/* What the caller was told, and when it wants to stop. */
typedef struct listener {
    int64_t calls;
    int64_t stop_at; /* a call that wants to stop; 0: none */
    double fraction;
} listener;

static rhomb_status hear(rhomb_context *ctx, double fraction, void *user)
{
    listener *t = user;
    assert_true(fraction >= t->fraction && fraction <= 1 + 1e-9);
    t->fraction = fraction;
    return ++t->calls == t->stop_at ? rhomb__fail(&ctx->stream.error, RHOMB_ERR_CANCELLED, "stop")
                                    : RHOMB_OK;
}

typedef struct form {
    int32_t lanes, group_size, words, blocks, planes;
} form;

/* A pair on the device, and a sweeper of its problems. */
typedef struct rig {
    rhomb_context *ctx;
    rhomb__buffer target;
    rhomb__buffer query;
    rhomb__sweeper *sweeper;
} rig;

static rhomb__plan plan_of(const form *shape)
{
    const rhomb__plan plan = {.engine = RHOMB_ENGINE_BITPARALLEL,
                              .costs = rhomb__costs_edit(),
                              .planes = shape->planes,
                              .directions = 2,
                              .sweep.group_size = shape->group_size,
                              .sweep.lanes = shape->lanes,
                              .sweep.words_per_item = shape->words,
                              .sweep.blocks_per_launch = shape->blocks,
                              .sweep.first_beside = 64};
    return plan;
}

static void open_rig(rig *g, rhomb_context *ctx, const list *l, const char *alphabet,
                     int32_t planes, int64_t portion_bytes, listener *told)
{
    const rhomb__codes codes = codes_of(alphabet);
    const rhomb__bases target = {l->target.at, l->target.length, &codes, "the target"};
    const rhomb__bases query = {l->query.at, l->query.length, &codes, "the query"};
    const rhomb__pair_packing packing =
        rhomb__pair_packing_windows(l->target.length, l->query.length, planes, 2);
    const rhomb__sweep_source source = {.target = &g->target,
                                        .query = &g->query,
                                        .target_length = l->target.length,
                                        .query_length = l->query.length,
                                        .portion_bytes = portion_bytes,
                                        .advance = told != NULL ? hear : NULL,
                                        .user = told};
    rhomb__program *pack = NULL;
    g->ctx = ctx;
    rhomb__error_clear(&ctx->stream.error);
    assert_int_equal(rhomb__pack_program(ctx, &pack), RHOMB_OK);
    assert_int_equal(
        rhomb__pack_pair(&ctx->stream, pack, &packing, &target, &query, &g->target, &g->query),
        RHOMB_OK);
    assert_int_equal(rhomb__sweeper_open(ctx, &source, &g->sweeper), RHOMB_OK);
}

static void close_rig(rig *g)
{
    rhomb__sweeper_close(g->sweeper);
    rhomb__buffer_release(&g->ctx->stream, &g->query);
    rhomb__buffer_release(&g->ctx->stream, &g->target);
    assert_int_equal(g->ctx->stream.bytes_in_use, 0);
}

static rhomb_status sweep(rhomb_context *ctx, const list *l, const char *alphabet,
                          const form *shape, int64_t portion_bytes, listener *told,
                          rhomb__breakpoint *breakpoints, rhomb__split_work *work)
{
    rig g;
    const rhomb__plan plan = plan_of(shape);
    open_rig(&g, ctx, l, alphabet, shape->planes, portion_bytes, told);
    const rhomb_status status =
        rhomb__sweeper_solve(g.sweeper, &plan, l->pairs, l->count, breakpoints);
    *work = rhomb__sweeper_work(g.sweeper);
    close_rig(&g);
    return status;
}

static rhomb_context *open_device(void)
{
    rhomb_context *ctx = NULL;
    assert_int_equal(rhomb_context_create(&ctx, NULL), RHOMB_OK);
    if (rhomb_context_open(ctx, getenv("RHOMB_TEST_DEVICE"), 0) != RHOMB_OK)
        fail_msg("%s", rhomb_context_error(ctx));
    return ctx;
}

static void check_meetings(const list *l, const rhomb__breakpoint *breakpoints, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        const rhomb_split_pair *p = &l->pairs[i];
        if (memcmp(&breakpoints[i], &l->expected[i], sizeof breakpoints[i]) != 0)
            fail_msg("problem %lld, %lld by %lld letters, distance %lld: (%lld, %lld) after %lld, "
                     "not (%lld, %lld) after %lld",
                     (long long)i, (long long)p->target_length, (long long)p->query_length,
                     (long long)p->distance, (long long)breakpoints[i].target,
                     (long long)breakpoints[i].query, (long long)breakpoints[i].cost,
                     (long long)l->expected[i].target, (long long)l->expected[i].query,
                     (long long)l->expected[i].cost);
    }
}

static void check_list(const list *l, const char *alphabet, const form *shape,
                       int64_t portion_bytes)
{
    rhomb__breakpoint breakpoints[MOST];
    rhomb__split_work work = {0};
    listener told = {0};
    rhomb_context *ctx = open_device();
    if (sweep(ctx, l, alphabet, shape, portion_bytes, &told, breakpoints, &work) != RHOMB_OK)
        fail_msg("%s", rhomb__error_text(&ctx->stream.error));
    check_meetings(l, breakpoints, l->count);
    assert_int_equal(work.problems, l->count);
    assert_true(portion_bytes > 1 || work.portions == l->count);
    assert_true(portion_bytes < INT32_MAX || work.portions == 1);
    assert_true(told.fraction > 0.999 && told.fraction < 1.001);
    assert_true(work.cells > 0 && work.launches > 0 && work.device_bytes > 0);
    rhomb_context_destroy(ctx);
}

/* ------------------------------------------------------------------- tests */

/* Programs that other tests have compiled. */
static const form VECTORS = {16, 1, 1, 7, 2}, GROUPS = {1, 8, 2, 5, 2}, LETTERS = {1, 4, 1, 3, 8};

static list some_problems(const char *alphabet, const char *name)
{
    list l = {.count = 0};
    rng r = rng_for(name, 0);
    add_odd(&l, &r);
    add_pairs(&l, alphabet, &r);
    return l;
}

/* In vectors and in groups, side by side, one by one, and a few at a time. */
static void test_meetings(void **state)
{
    list l = some_problems("ACGT", "sweep many");
    check_list(&l, "ACGT", &VECTORS, INT64_MAX);
    check_list(&l, "ACGT", &GROUPS, INT64_MAX);
    check_list(&l, "ACGT", &VECTORS, 1);
    check_list(&l, "ACGT", &GROUPS, 8000);
    release_list(&l);
}

/* Calls that need more than those before them, or less, or another program. */
static void test_calls(void **state)
{
    static const form *const SHAPES[] = {&GROUPS, &GROUPS, &VECTORS, &GROUPS};
    list l = some_problems("ACGT", "sweep many calls");
    rhomb__breakpoint breakpoints[MOST];
    rig g;
    rhomb_context *ctx = open_device();
    open_rig(&g, ctx, &l, "ACGT", 2, INT64_MAX, NULL);
    for (int64_t i = 0; i < 4; i++) {
        const rhomb__plan plan = plan_of(SHAPES[i]);
        const int64_t count = i % 2 == 0 ? rhomb__min(l.count, 3 + i) : l.count;
        memset(breakpoints, 0, sizeof breakpoints);
        assert_int_equal(rhomb__sweeper_solve(g.sweeper, &plan, l.pairs, count, breakpoints),
                         RHOMB_OK);
        check_meetings(&l, breakpoints, count);
    }
    const rhomb__split_work work = rhomb__sweeper_work(g.sweeper);
    assert_int_equal(work.portions, 4);
    assert_int_equal(work.device_bytes, ctx->stream.bytes_in_use - g.target.bytes - g.query.bytes);
    close_rig(&g);
    rhomb_context_destroy(ctx);
    release_list(&l);
}

static void test_letters(void **state)
{
    list l = some_problems("ACGTUNRYSWKMBDHV", "sweep many letters");
    check_list(&l, "ACGTUNRYSWKMBDHV", &LETTERS, INT64_MAX);
    release_list(&l);
}

static void test_wrong_distances(void **state)
{
    list l = {.count = 0};
    rng r = rng_for("sweep many wrong", 0);
    rhomb__breakpoint breakpoints[MOST];
    rhomb__split_work work = {0};
    add_random(&l, 300, 280, "ACGT", &r);
    add_random(&l, 90, 200, "ACGT", &r);
    add_random(&l, 200, 210, "ACGT", &r);
    rhomb_context *ctx = open_device();
    for (int64_t i = 0; i < l.count; i++) {
        for (int64_t off = -3; off <= 3; off++) {
            l.pairs[i].distance += off;
            const rhomb_status status =
                sweep(ctx, &l, "ACGT", &VECTORS, INT64_MAX, NULL, breakpoints, &work);
            assert_int_equal(status, off == 0 ? RHOMB_OK : RHOMB_ERR_DEVICE_WRONG_RESULT);
            l.pairs[i].distance -= off;
        }
    }
    rhomb_context_destroy(ctx);
    release_list(&l);
}

/* Outside of the pair, impossible distances, nothing to be split. */
static void test_impossible(void **state)
{
    list l = {.count = 0};
    rng r = rng_for("sweep many impossible", 0);
    rhomb__breakpoint breakpoints[MOST];
    rhomb__split_work work = {0};
    add_random(&l, 300, 280, "ACGT", &r);
    const rhomb_split_pair good = l.pairs[0];
    const rhomb_split_pair bad[] = {{1, 300, 0, 280, good.distance},
                                    {0, 300, -1, 280, good.distance},
                                    {0, 300, 0, 280, 19},
                                    {0, 300, 0, 280, 301},
                                    {0, 300, 0, 0, 300},
                                    {0, 16, 0, 16, 16},
                                    {0, INT64_MAX, 0, 280, 250}};
    rhomb_context *ctx = open_device();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        l.pairs[0] = bad[i];
        if (sweep(ctx, &l, "ACGT", &VECTORS, INT64_MAX, NULL, breakpoints, &work) !=
            RHOMB_ERR_INTERNAL)
            fail_msg("impossible problem %d", (int)i);
    }
    l.count = 0;
    assert_int_equal(sweep(ctx, &l, "ACGT", &VECTORS, INT64_MAX, NULL, breakpoints, &work),
                     RHOMB_OK);
    rhomb_context_destroy(ctx);
    release_list(&l);
}

/* The caller can stop, between launches and between portions. */
static void test_stop(void **state)
{
    list l = {.count = 0};
    rng r = rng_for("sweep many stop", 0);
    rhomb__breakpoint breakpoints[MOST];
    rhomb__split_work work = {0};
    const form steps = {16, 1, 1, 1, 2}; /* more launches than go unseen */
    add_random(&l, 9000, 3000, "ACGT", &r);
    add_random(&l, 300, 280, "ACGT", &r);
    rhomb_context *ctx = open_device();
    listener all = {0};
    assert_int_equal(sweep(ctx, &l, "ACGT", &steps, 1, &all, breakpoints, &work), RHOMB_OK);
    assert_true(all.calls > 2);
    for (int64_t at = 1; at <= all.calls && at <= 3; at++) {
        listener told = {.stop_at = at};
        assert_int_equal(sweep(ctx, &l, "ACGT", &steps, 1, &told, breakpoints, &work),
                         RHOMB_ERR_CANCELLED);
        assert_int_equal(told.calls, at);
    }
    rhomb_context_destroy(ctx);
    release_list(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_meetings),   cmocka_unit_test(test_calls),
        cmocka_unit_test(test_letters),    cmocka_unit_test(test_wrong_distances),
        cmocka_unit_test(test_impossible), cmocka_unit_test(test_stop),
    };
    rhomb_context *ctx = NULL;
    if (rhomb_context_create(&ctx, NULL) != RHOMB_OK ||
        rhomb_context_open(ctx, getenv("RHOMB_TEST_DEVICE"), 0) == RHOMB_ERR_NO_DEVICE) {
        rhomb_context_destroy(ctx);
        return 77;
    }
    rhomb_context_destroy(ctx);
    return cmocka_run_group_tests_name("sweep_many", tests, NULL, NULL);
}
