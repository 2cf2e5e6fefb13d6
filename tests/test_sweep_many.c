/* SPDX-License-Identifier: MIT */
/*
 * Problems of an alignment that are swept side by side (host/splits/sweep_many.c), with unit costs
 * and with others: each is split where a plain dynamic program says (breakpoints.h), whatever else
 * is in the portion and whatever the strips are like. Distances that are wrong, and problems that
 * cannot be, are refused.
 */
#include "host/device/context.h"
#include "host/splits/splitter.h"
#include "src/base/int64.h"
#include "support/affine_pair.h"
#include "support/cost_sets.h"
#include "support/run.h"
#include "support/test.h"
#include "tests/reference/breakpoints.h"

enum { MOST = 64 };

/* Problems one after the other in a pair, and where they are split. */
typedef struct list {
    letters target;
    letters query;
    int64_t count;
    rhomb_subproblem problems[MOST];
    rhomb__breakpoint expected[MOST];
} list;

/* Where a plain dynamic program splits texts with these costs. */
static rhomb__breakpoint split_of(const rhomb__costs *costs, const letters *a, const letters *b,
                                  oracle_borders borders, int64_t *distance)
{
    const plain_pair texts = {a->at, a->length, b->at, b->length, false};
    const oracle_penalties penalties = costs_penalties(costs);
    const oracle_breakpoint at = oracle_split_sweep(&texts, &penalties, borders, distance);
    return (rhomb__breakpoint){at.target, at.query, at.cost, at.gap};
}

static void add(list *l, const letters *a, const letters *b)
{
    const rhomb_split_pair place = {l->target.length, a->length, l->query.length, b->length, 0};
    const rhomb__costs costs = rhomb__costs_edit();
    const oracle_borders none = {RHOMB_GAP_NONE, RHOMB_GAP_NONE};
    rhomb_subproblem *problem = &l->problems[l->count];
    rhomb__breakpoint *breakpoint = &l->expected[l->count++];
    assert_true(l->count <= MOST);
    *problem = (rhomb_subproblem){.pair = place};
    letters_append(&l->target, a->at, a->length);
    letters_append(&l->query, b->at, b->length);
    if (a->length >= 64) {
        *breakpoint = split_of(&costs, a, b, none, &problem->pair.distance);
    } else {
        const rhomb__breakpoint m = split_of(&costs, b, a, none, &problem->pair.distance);
        *breakpoint = (rhomb__breakpoint){m.query, m.target, m.cost, RHOMB_GAP_NONE};
    }
    if (problem->pair.distance == 0) /* such are no problems */
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

/* b is a without some bases: the distance is the difference of the lengths. */
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

/* Each symbol its own code. */
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

/* Costs are all 0 for unit costs. */
typedef struct form {
    int32_t lanes, group_size, words, blocks, planes;
    rhomb__costs costs;
} form;

/* A pair on the device, and a sweeper of its problems. */
typedef struct rig {
    rhomb_context *ctx;
    rhomb__buffer target;
    rhomb__buffer query;
    rhomb__splitter *splitter;
} rig;

static rhomb__plan plan_of(const form *shape)
{
    const bool is_edit = shape->costs.pieces == 0;
    const rhomb__plan plan = {.row = RHOMB__ROW_SWEEP,
                              .costs = is_edit ? rhomb__costs_edit() : shape->costs,
                              .sweep.sliced = !is_edit,
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
    const rhomb__split_source source = {.target = &g->target,
                                        .query = &g->query,
                                        .target_length = l->target.length,
                                        .query_length = l->query.length,
                                        .planes = planes,
                                        .tuning.portion_bytes = portion_bytes,
                                        .advance = told != NULL ? hear : NULL,
                                        .user = told};
    rhomb__program *pack = NULL;
    g->ctx = ctx;
    rhomb__error_clear(&ctx->stream.error);
    assert_int_equal(rhomb__pack_program(ctx, &pack), RHOMB_OK);
    assert_int_equal(
        rhomb__pack_pair(&ctx->stream, pack, &packing, &target, &query, &g->target, &g->query),
        RHOMB_OK);
    assert_int_equal(rhomb__splitter_open(ctx, &rhomb__split_sweeps, &source, &g->splitter),
                     RHOMB_OK);
}

static void close_rig(rig *g)
{
    rhomb__splitter_close(g->splitter);
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
        rhomb__splitter_solve(g.splitter, &plan, l->problems, l->count, breakpoints);
    *work = g.splitter->work;
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

static bool is_same(const rhomb__breakpoint *a, const rhomb__breakpoint *b)
{
    return a->target == b->target && a->query == b->query && a->cost == b->cost && a->gap == b->gap;
}

static void check_meetings(const list *l, const rhomb__breakpoint *breakpoints, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        const rhomb_split_pair *p = &l->problems[i].pair;
        if (!is_same(&breakpoints[i], &l->expected[i]))
            fail_msg("problem %lld, %lld by %lld letters, gaps %d and %d, distance %lld: (%lld, "
                     "%lld) after %lld, gap %d, not (%lld, %lld) after %lld, gap %d",
                     (long long)i, (long long)p->target_length, (long long)p->query_length,
                     (int)l->problems[i].begin_gap, (int)l->problems[i].end_gap,
                     (long long)p->distance, (long long)breakpoints[i].target,
                     (long long)breakpoints[i].query, (long long)breakpoints[i].cost,
                     (int)breakpoints[i].gap, (long long)l->expected[i].target,
                     (long long)l->expected[i].query, (long long)l->expected[i].cost,
                     (int)l->expected[i].gap);
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
    assert_true(work.cells > 0 && work.launches > 0);
    rhomb_context_destroy(ctx);
}

/* Programs that other tests have compiled. */
static const form VECTORS = {.lanes = 16, .group_size = 1, .words = 1, .blocks = 7, .planes = 2},
                  GROUPS = {.lanes = 1, .group_size = 8, .words = 2, .blocks = 5, .planes = 2},
                  LETTERS = {.lanes = 1, .group_size = 4, .words = 1, .blocks = 3, .planes = 8};

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
        assert_int_equal(rhomb__splitter_solve(g.splitter, &plan, l.problems, count, breakpoints),
                         RHOMB_OK);
        check_meetings(&l, breakpoints, count);
    }
    assert_int_equal(g.splitter->work.portions, 4);
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
            l.problems[i].pair.distance += off;
            const rhomb_status status =
                sweep(ctx, &l, "ACGT", &VECTORS, INT64_MAX, NULL, breakpoints, &work);
            assert_int_equal(status, off == 0 ? RHOMB_OK : RHOMB_ERR_DEVICE_WRONG_RESULT);
            l.problems[i].pair.distance -= off;
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
    const rhomb_split_pair good = l.problems[0].pair;
    const rhomb_split_pair bad[] = {{1, 300, 0, 280, good.distance},
                                    {0, 300, -1, 280, good.distance},
                                    {0, 300, 0, 280, 19},
                                    {0, 300, 0, 280, 301},
                                    {0, 300, 0, 0, 300},
                                    {0, 16, 0, 16, 16},
                                    {0, INT64_MAX, 0, 280, 250}};
    rhomb_context *ctx = open_device();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        l.problems[0].pair = bad[i];
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
    form steps = VECTORS; /* more launches than go unseen */
    steps.blocks = 1;
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

/* The costs of a text and borders, by code that knows neither columns nor strips. */
static int64_t cost_of(const rhomb__costs *c, const letters *a, int64_t a_from, int64_t a_to,
                       const letters *b, int64_t b_from, int64_t b_to, oracle_borders borders)
{
    const oracle_penalties penalties = costs_penalties(c);
    return oracle_gotoh_borders(a->at + a_from, a_to - a_from, b->at + b_from, b_to - b_from,
                                &penalties, borders);
}

/* Adds a problem with these costs and borders, whose halves cost what they should. */
static void add_bordered(list *l, const rhomb__costs *costs, const letters *a, const letters *b,
                         oracle_borders borders)
{
    rhomb_subproblem *problem = &l->problems[l->count];
    rhomb__breakpoint *at = &l->expected[l->count++];
    int64_t distance = 0;
    assert_true(l->count <= MOST);
    *at = split_of(costs, a, b, borders, &distance);
    *problem =
        (rhomb_subproblem){{l->target.length, a->length, l->query.length, b->length, distance},
                           borders.begin,
                           borders.end};
    letters_append(&l->target, a->at, a->length);
    letters_append(&l->query, b->at, b->length);
    const oracle_borders first = {borders.begin, at->gap}, second = {at->gap, borders.end};
    const int64_t n = a->length, m = b->length;
    assert_true(cost_of(costs, a, 0, n, b, 0, m, borders) == distance);
    assert_true(cost_of(costs, a, 0, at->target, b, 0, at->query, first) == at->cost);
    assert_true(cost_of(costs, a, at->target, n, b, at->query, m, second) ==
                distance - at->cost - rhomb__costs_of_opening(costs, at->gap));
}

/* Inserts bases into the target, about its middle. */
static void add_middle_gap(pair *p, rng *r)
{
    letters all = {NULL, 0, 0};
    const int64_t gap = rng_between(r, 1, rng_chance(r, 0.5) ? 6 : 80);
    const int64_t at = p->a.length / 2 - rng_below(r, gap + 8);
    if (at < 0)
        return;
    letters_append(&all, p->a.at, at);
    letters_random(&all, "ACGT", gap, r);
    letters_append(&all, p->a.at + at, p->a.length - at);
    free(p->a.at);
    p->a = all;
}

/* Pairs that are hard for gaps, of lengths near edges; those that end within a gap in whole blocks.
 */
static list bordered_problems(const rhomb__costs *costs, rng *r)
{
    static const affine_family FAMILIES[] = {AFFINE_LONG_GAPS, AFFINE_BESIDE,  AFFINE_ENDS,
                                             AFFINE_ACROSS,    AFFINE_UNEQUAL, AFFINE_REPEATS};
    list l = {.count = 0};
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    while (l.count < MOST) {
        const int64_t edge = rng_chance(r, 0.7) ? 32 : 512;
        const int64_t length =
            rng_between(r, edge < 512 ? 2 : 1, 1024 / edge) * edge + rng_between(r, -2, 2);
        affine_pair_make(FAMILIES[rng_below(r, COUNT(FAMILIES))], length, r, &p);
        if (rng_chance(r, 0.5))
            add_middle_gap(&p, r);
        if (rng_chance(r, 0.7))
            p.a.length -= p.a.length % RHOMB__BLOCK_COLUMNS;
        if (p.a.length < 64 || p.a.length > 1100 || p.b.length == 0 || p.b.length > 1100)
            continue;
        const bool whole = p.a.length % RHOMB__BLOCK_COLUMNS == 0;
        const oracle_borders borders = {random_gap(r, costs),
                                        whole ? random_gap(r, costs) : RHOMB_GAP_NONE};
        add_bordered(&l, costs, &p.a, &p.b, borders);
    }
    pair_release(&p);
    return l;
}

/* Programs that are quick to compile: `wfa`, two pieces that cross at 14 bases, and unequal gaps.
 */
static const rhomb__costs WFA = {.mismatch = 2, .pieces = 1, .open = {3, 0}, .extend = {1, 0}},
                          TWO = {.mismatch = 3, .pieces = 2, .open = {1, 30}, .extend = {3, 1}},
                          FLAT = {.mismatch = 2, .pieces = 1, .open = {0, 0}, .extend = {3, 0}};

static form with_costs(const form *shape, const rhomb__costs *costs)
{
    form of = *shape;
    of.costs = *costs;
    of.costs.unit = of.costs.doubled = 1;
    return of;
}

static void test_borders(void **state)
{
    const form forms[] = {with_costs(&VECTORS, &WFA), with_costs(&VECTORS, &TWO),
                          with_costs(&GROUPS, &TWO), with_costs(&GROUPS, &FLAT)};
    for (size_t f = 0; f < COUNT(forms); f++) {
        int64_t within[RHOMB_GAP_D_2 + 1] = {0};
        for (int64_t number = 0; number < 3; number++) {
            rng r = rng_for("sweep borders", (int64_t)f * 100 + number);
            list l = bordered_problems(&forms[f].costs, &r);
            check_list(&l, "ACGT", &forms[f], number == 2 ? 60000 : INT64_MAX);
            for (int64_t i = 0; i < l.count; i++)
                within[l.expected[i].gap]++;
            release_list(&l);
        }
        assert_true(within[RHOMB_GAP_NONE] > 20);
        assert_true(within[RHOMB_GAP_D] > 2 || forms[f].costs.open[0] == 0);
        assert_true(within[RHOMB_GAP_D_2] > 5 || forms[f].costs.pieces == 1);
    }
}

/* Problems that only a wavefront can split, and gaps that there are not. */
static void test_not_swept(void **state)
{
    static const struct {
        int64_t cut; /* bases of the target that are left out */
        int32_t begin, end;
    } BAD[] = {{260, 0, 0},
               {1, 0, RHOMB_GAP_D},
               {15, 0, RHOMB_GAP_I},
               {0, RHOMB_GAP_D_2, 0},
               {0, 0, RHOMB_GAP_I_2},
               {0, -1, 0},
               {0, 0, 5}};
    const form shape = with_costs(&VECTORS, &WFA);
    rng r = rng_for("not swept", 0);
    list l = {.count = 0};
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    rhomb__breakpoint breakpoints[MOST];
    rhomb__split_work work = {0};
    rhomb_context *ctx = open_device();
    letters_random(&p.a, "ACGT", 320, &r);
    letters_random(&p.b, "ACGT", 300, &r);
    add_bordered(&l, &shape.costs, &p.a, &p.b, (oracle_borders){RHOMB_GAP_I, RHOMB_GAP_D});
    const rhomb_subproblem good = l.problems[0];
    assert_int_equal(sweep(ctx, &l, "ACGT", &shape, INT64_MAX, NULL, breakpoints, &work), RHOMB_OK);
    for (size_t i = 0; i < COUNT(BAD); i++) {
        l.problems[0] = (rhomb_subproblem){good.pair, BAD[i].begin, BAD[i].end};
        l.problems[0].pair.target_length -= BAD[i].cut;
        if (sweep(ctx, &l, "ACGT", &shape, INT64_MAX, NULL, breakpoints, &work) !=
            RHOMB_ERR_INTERNAL)
            fail_msg("problem %d can be swept", (int)i);
    }
    for (int off = -3; off <= 3; off += 3) {
        l.problems[0] = good;
        l.problems[0].pair.distance += off;
        assert_int_equal(sweep(ctx, &l, "ACGT", &shape, INT64_MAX, NULL, breakpoints, &work),
                         off == 0 ? RHOMB_OK : RHOMB_ERR_DEVICE_WRONG_RESULT);
    }
    rhomb_context_destroy(ctx);
    pair_release(&p);
    release_list(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_meetings),   cmocka_unit_test(test_calls),
        cmocka_unit_test(test_letters),    cmocka_unit_test(test_wrong_distances),
        cmocka_unit_test(test_impossible), cmocka_unit_test(test_stop),
        cmocka_unit_test(test_borders),    cmocka_unit_test(test_not_swept),
    };
    return device_exists() ? cmocka_run_group_tests_name("sweep_many", tests, NULL, NULL) : 77;
}
