/* SPDX-License-Identifier: MIT */
/*
 * Distances by the emulated wavefront kernels: where the two directions meet, by the definition and
 * in truth; that the device stops in time; and whole runs of trapezoids, in one direction and two,
 * and of diamonds, which do what host/engines/wavefront/engine_wavefront.c does. Single wavefronts:
 * test_emulated_wavefront.c.
 */
#include "emu/emu_pyramid.h"
#include "emulated_variants.h"
#include "src/base/int64.h"
#include "support/amount.h"
#include "support/test.h"

#define DECLARE(name) extern const emulated_wavefront name;
EMULATED_WAVEFRONT_MAP(DECLARE)
EMULATED_WAVEFRONT_DIAMOND_MAP(DECLARE)

#define ADDRESS(name) &name,
static const emulated_wavefront *const TRAPEZOIDS[] = {EMULATED_WAVEFRONT_MAP(ADDRESS)};
static const emulated_wavefront *const DIAMONDS[] = {EMULATED_WAVEFRONT_DIAMOND_MAP(ADDRESS)};

static bool is_wide(const emulated_wavefront *v)
{
    return v->group_size * v->item_diagonals > 1000;
}

static int64_t pairs_of(const emulated_wavefront *v, int64_t wide, int64_t pairs)
{
    return amount(is_wide(v) ? wide : pairs);
}

static void fail_variant(const emulated_wavefront *v, const model_pair *pair, const char *what,
                         int64_t number)
{
    model_pair_print(pair);
    fail_msg("pair %lld: %s; PLANES=%d OFFSET_BITS=%d GROUP_SIZE=%d ITEM_DIAGONALS=%d "
             "TILE_SCORES=%d, %s",
             (long long)number, what, (int)v->planes, (int)v->offset_bits, (int)v->group_size,
             (int)v->item_diagonals, (int)v->tile_scores,
             v->meet == NULL ? "diamonds" : "trapezoids");
}

static void check_column(const model_columns *c, const int64_t *matrix, int64_t r)
{
    const model_pair *p = c->pair;
    for (int64_t k = rhomb__max(-r, -p->m); k <= rhomb__min(r, p->n); k++) {
        int64_t furthest = -1;
        for (int64_t j = rhomb__max(k, 0); j <= rhomb__min(p->n, p->m + k); j++)
            if (matrix[j * (p->m + 1) + j - k] <= r)
                furthest = j;
        if (model_offset(c, r, k) != furthest) {
            model_pair_print(p);
            fail_msg("column %lld, diagonal %lld: %lld in the model, %lld in the matrix",
                     (long long)r, (long long)k, (long long)model_offset(c, r, k),
                     (long long)furthest);
        }
    }
}

/* Wavefronts a and b of the directions overlap exactly if the distance is at most a + b. */
static void check_overlap(const model_columns c[2], int64_t a, int64_t b, int64_t distance)
{
    const model_pair *p = c[0].pair;
    const int64_t end = p->n - p->m;
    int64_t far[2] = {0, 0};
    bool overlap = false;
    for (int64_t k = -a; k <= a; k++) {
        far[0] = rhomb__max(far[0], 2 * model_offset(&c[0], a, k) - k);
        overlap |= llabs(end - k) <= b &&
                   model_offset(&c[0], a, k) + model_offset(&c[1], b, end - k) >= p->n;
    }
    for (int64_t k = -b; k <= b; k++)
        far[1] = rhomb__max(far[1], 2 * model_offset(&c[1], b, k) - k);
    if (overlap != (distance <= a + b)) {
        model_pair_print(p);
        fail_msg("distance %lld: columns %lld and %lld %s", (long long)distance, (long long)a,
                 (long long)b, overlap ? "overlap" : "do not overlap");
    }
    assert_true(!overlap || far[0] + far[1] >= p->n + p->m);
}

/*
 * The model's columns are those of the edit distance matrix, and what cl/wavefront/wavefront.clh
 * says of columns that overlap is so; and none overlap before their furthest antidiagonals do,
 * which is what the device goes by.
 */
static void test_model(void **state)
{
    for (int64_t number = 0; number < 400; number++) {
        rng r = rng_for("model", number);
        model_pair pair;
        model_columns columns[2];
        int64_t *matrix[2];
        model_pair_make(&pair, MODEL_TINY, 1 + (int32_t)(number % 3), 1, &r);
        for (int i = 0; i < 2; i++) {
            model_columns_make(&columns[i], &pair, i, 3, INT64_MAX);
            const plain_pair texts = model_texts(&pair, i);
            matrix[i] = plain_matrix(&texts);
        }
        const int64_t distance = matrix[0][(pair.m + 1) * (pair.n + 1) - 1];
        assert_int_equal(columns[0].columns, distance + 4);
        assert_int_equal(columns[1].columns, distance + 4);
        for (int64_t a = 0; a < distance + 4; a++) {
            check_column(&columns[0], matrix[0], a);
            check_column(&columns[1], matrix[1], a);
            for (int64_t b = 0; b < distance + 4; b++)
                check_overlap(columns, a, b, distance);
        }
        for (int i = 0; i < 2; i++) {
            model_columns_release(&columns[i]);
            free(matrix[i]);
        }
        model_pair_release(&pair);
    }
}

/* What rhomb_wavefront_meet() has to find in the diagonals of `at`. */
static bool has_met(const emu_pyramid *e, rhomb__window held, rhomb__window at, int64_t a,
                    int64_t b)
{
    const int64_t end = e->pair->n - e->pair->m;
    for (int64_t k = rhomb__max(at.low, held.low); k <= rhomb__min(at.high, held.high); k++) {
        const int64_t other = end - k;
        if (llabs(k) > a)
            continue;
        const int64_t forward = e->columns[0][0][k - e->low];
        if (e->directions == 1 && k == end && forward >= e->pair->n)
            return true;
        if (e->directions == 2 && other >= held.low && other <= held.high && llabs(other) <= b &&
            forward + e->columns[0][1][other - e->low] >= e->pair->n)
            return true;
    }
    return false;
}

/*
 * The look, by its definition, at wavefronts that hold some diagonals and few offsets near the end.
 *
 */
static void check_meet(const emulated_wavefront *v, int64_t number)
{
    rng r = rng_for("meet", number);
    model_pair pair;
    emu_pyramid e;
    model_pair_make(&pair, MODEL_TINY, v->planes, v->group_size, &r);
    emu_pyramid_open(&e, v, &pair, rng_chance(&r, 0.8) ? 2 : 1, true, pair.n + pair.m);
    for (int look = 0; look < 20; look++) {
        const int64_t a_group = (int64_t)v->group_size * v->item_diagonals;
        const int64_t start = rng_between(&r, -1, 60);
        const int32_t forward = (int32_t)rng_between(&r, start < 0, 10);
        const int32_t backward = (int32_t)rng_between(&r, start < 0, 10);
        const int64_t low = rng_between(&r, -pair.m - 3, 0), first = rng_between(&r, low - 9, 9);
        const rhomb__window held = {low, rng_between(&r, rhomb__max(low, 0), pair.n + 3)};
        rhomb__window at = {first, rng_between(&r, first, pair.n + 9)};
        for (int i = 0; i < 2; i++)
            for (int64_t k = e.low; k <= e.high; k++)
                e.columns[0][i][k - e.low] = rng_chance(&r, 0.02)
                                                 ? rng_between(&r, pair.n / 2, pair.n)
                                                 : rng_between(&r, -9, pair.n / 2 - 1);
        e.status = emu_pyramid_initial(&e, 0);
        emu_pyramid_meet(&e, 0, held, start, forward, backward, at);
        at.high = first + rhomb__ceil_div(at.high - first + 1, a_group) * a_group - 1;
        if ((e.status.met != 0) != has_met(&e, held, at, start + forward, start + backward))
            fail_variant(v, &pair, e.status.met ? "has not met" : "has met", number);
    }
    emu_pyramid_close(&e);
    model_pair_release(&pair);
}

static void test_meet(void **state)
{
    for (size_t i = 0; i < COUNT(TRAPEZOIDS); i++)
        for (int64_t number = 0; number < pairs_of(TRAPEZOIDS[i], 2, 60); number++)
            check_meet(TRAPEZOIDS[i], (int64_t)i * 1000 + number);
}

/* The furthest antidiagonal of a wavefront, in the units of the status record. */
static int64_t furthest_of(const model_columns *c, int64_t r, int32_t far_shift)
{
    int64_t far = 0;
    for (int64_t k = -r; k <= r; k++)
        far = rhomb__max(far, 2 * model_offset(c, r, k) - k);
    return rhomb__ceil_div(far, INT64_C(1) << far_shift) << far_shift;
}

/*
 * Without a look of the host's, the device stops before the first launch that starts where the
 * furthest antidiagonals of the directions have passed each other: the launch before was the one
 * that may have met, and nothing is written any more.
 */
static void check_stop(const emulated_wavefront *v, int64_t number)
{
    rng r = rng_for("stop", number);
    const int64_t columns = v->tile_scores;
    model_pair pair;
    model_columns model[2];
    emu_pyramid e;
    model_pair_make(&pair, (model_kind)rng_below(&r, MODEL_RUNS), v->planes, v->group_size, &r);
    for (int i = 0; i < 2; i++)
        model_columns_make(&model[i], &pair, i, columns, INT64_MAX);
    const int64_t distance = model[0].columns - 1 - columns;
    emu_pyramid_open(&e, v, &pair, 2, false, rhomb__max(pair.m, pair.n));
    e.meets_later = 1;
    e.far_shift = (int32_t)rng_below(&r, 4);
    int64_t stop = -1;
    while (stop + columns < model[0].columns - 1 &&
           furthest_of(&model[0], stop, e.far_shift) + furthest_of(&model[1], stop, e.far_shift) <
               pair.n + pair.m)
        stop += columns;
    for (int64_t start = -1; start <= stop + 2 * columns; start += columns) {
        const rhomb__launch launch = rhomb__launch_at(&e.tiling, start, rhomb__max(pair.m, pair.n));
        const uint32_t tiles = e.status.tiles;
        emu_pyramid_launch(&e, &launch, (int32_t)columns, (int32_t)columns);
        emu_pyramid_advance(&e, &launch, columns);
        if ((e.status.tiles == tiles) != (start >= stop) ||
            e.status.complete[e.turn] != rhomb__min(start + columns, stop))
            fail_variant(v, &pair, "stops too early or too late", number);
    }
    /* A host that computes the last launch again finds the distance in it. */
    assert_true(distance > 2 * (stop - columns));
    emu_pyramid_close(&e);
    for (int i = 0; i < 2; i++)
        model_columns_release(&model[i]);
    model_pair_release(&pair);
}

static void test_stop(void **state)
{
    for (size_t i = 0; i < COUNT(TRAPEZOIDS); i++)
        for (int64_t number = 0; number < pairs_of(TRAPEZOIDS[i], 1, 25); number++)
            check_stop(TRAPEZOIDS[i], (int64_t)i * 1000 + number);
}

/* How a pair is solved. */
typedef struct problem {
    int64_t limit; /* on the distance */
    int32_t directions;
    bool pruning;
    int64_t launches_per_read;
    int64_t tiles_per_launch;
    int32_t far_shift;
} problem;

/* A run of the engine. */
typedef struct driver {
    emu_pyramid e;
    int64_t bound; /* as read last */
    bool watches;  /* each launch is followed by a look at whether the directions have met */
} driver;

/* The bound that launches are laid by: two directions may pass an odd one by a wavefront. */
static int64_t laying_bound(const driver *d)
{
    return d->bound + d->e.directions - 1;
}

static rhomb__window all_diagonals(const driver *d)
{
    const rhomb__window all = {d->e.low, d->e.high};
    return all;
}

/* Looks at a wavefront with the diagonals that the tiles of a launch store. */
static void look(driver *d, int which, const rhomb__launch *launch, int64_t forward,
                 int64_t backward)
{
    const int64_t low = launch->first_diagonal + d->e.tiling.scores;
    const rhomb__window at = {low, low + launch->tiles * launch->pitch - 1};
    emu_pyramid_meet(&d->e, which, all_diagonals(d), launch->start, (int32_t)forward,
                     (int32_t)backward, at);
}

/*
 * The first sum of scores at which the directions have met, which is not before the last launch:
 * it is computed again from the older one of the two wavefronts, in parts.
 */
static int64_t replay(driver *d)
{
    emu_pyramid *e = &d->e;
    const int64_t columns = e->tiling.scores, from = e->start - columns;
    const rhomb__launch launch = rhomb__launch_at(&e->tiling, from, laying_bound(d));
    int64_t apart = 0, together = e->directions * columns;
    e->source = 1 - e->source;
    e->meets_later = 0;
    while (together - apart > 1) {
        const int64_t middle = apart + (together - apart) / 2;
        const int64_t forward = e->directions == 2 ? (middle + 1) / 2 : middle;
        const int64_t backward = middle - forward;
        for (int i = 0; i < 2; i++)
            for (int64_t k = e->low; k <= e->high; k++)
                e->columns[1 - e->source][i][k - e->low] = emu_pyramid_nothing(e);
        e->status = emu_pyramid_initial(e, d->bound);
        emu_pyramid_launch(e, &launch, (int32_t)forward, (int32_t)backward);
        look(d, 1 - e->source, &launch, forward, backward);
        *(e->status.met != 0 ? &together : &apart) = middle;
    }
    return e->directions * from + together;
}

/* Forgets the launches that the device has left out. */
static void rewind_to(emu_pyramid *e, int64_t complete)
{
    if ((e->start - complete) / e->tiling.scores % 2 != 0)
        e->source = 1 - e->source;
    e->start = complete;
}

/* What the host does when the device has stopped: goes back, looks, and goes on or replays. */
static bool settle(driver *d, int64_t *distance)
{
    emu_pyramid *e = &d->e;
    const int64_t columns = e->tiling.scores;
    rewind_to(e, rhomb__max(e->status.complete[0], e->status.complete[1]));
    bool met = e->status.met != 0 || e->directions == 1;
    if (!met) {
        const rhomb__launch launch =
            rhomb__launch_at(&e->tiling, e->start - columns, laying_bound(d));
        look(d, e->source, &launch, columns, columns);
        met = e->status.met != 0;
    }
    if (met)
        *distance = replay(d);
    d->watches = true;
    e->meets_later = 0;
    return met;
}

/* Whether the device has stopped, or has solved the pair. */
static bool has_stopped(const driver *d)
{
    const emu_pyramid *e = &d->e;
    const rhomb_wavefront_status *s = &e->status;
    if (e->directions == 1)
        return rhomb__max(s->front[0][0].distance, s->front[0][1].distance) != RHOMB_UNSOLVED;
    return s->met != 0 || rhomb__max(s->complete[0], s->complete[1]) < e->start;
}

static void read_bound(driver *d)
{
    for (int i = 0; i < 2 * d->e.directions; i++)
        d->bound = rhomb__min(d->bound, d->e.status.front[i / 2][i % 2].bound);
}

/* The distance that the launches find: RHOMB_UNSOLVED when none is left below the limit. */
static int64_t run_launches(driver *d, int64_t launches_per_read)
{
    emu_pyramid *e = &d->e;
    const bool diamond = e->variant->meet == NULL;
    int64_t distance = RHOMB_UNSOLVED;
    for (int64_t index = 1;; index++) {
        const rhomb__launch launch = rhomb__launch_at(&e->tiling, e->start, laying_bound(d));
        const bool ended = e->directions * e->start >= d->bound;
        if (!ended) {
            emu_pyramid_launch(e, &launch, (int32_t)e->tiling.scores, (int32_t)e->tiling.scores);
            if (d->watches)
                look(d, 1 - e->source, &launch, e->tiling.scores, e->tiling.scores);
            emu_pyramid_advance(e, &launch, e->tiling.scores);
        }
        if (!ended && index % launches_per_read != 0)
            continue;
        read_bound(d);
        if (diamond && has_stopped(d))
            return rhomb__max(e->status.front[0][0].distance, e->status.front[0][1].distance);
        if (!diamond && (has_stopped(d) || (ended && e->directions == 2)) && settle(d, &distance))
            return distance;
        if (ended && e->directions * e->start >= d->bound)
            return RHOMB_UNSOLVED;
    }
}

static void check_distance(const emulated_wavefront *v, const model_pair *pair, const problem *p,
                           int64_t expected)
{
    driver d = {.bound = p->limit};
    char what[200];
    emu_pyramid_open(&d.e, v, pair, p->directions, p->pruning, p->limit);
    d.e.meets_later = p->directions == 2;
    d.e.tiles_per_launch = p->tiles_per_launch;
    d.e.far_shift = p->far_shift;
    const int64_t found = run_launches(&d, p->launches_per_read);
    emu_pyramid_close(&d.e);
    /* Beyond the limit the kernel may know the distance or not, but nothing below. */
    if (expected <= p->limit ? found == expected : found == RHOMB_UNSOLVED || found > p->limit)
        return;
    snprintf(
        what, sizeof what,
        "distance %lld: limit %lld, %d directions%s, %lld launches a read, %lld tiles a launch, "
        "far_shift %d",
        (long long)found, (long long)p->limit, (int)p->directions, p->pruning ? ", pruning" : "",
        (long long)p->launches_per_read, (long long)p->tiles_per_launch, (int)p->far_shift);
    fail_variant(v, pair, what, expected);
}

/* Solves a pair: as it is, and with a limit at or just beside the distance. */
static void check_pair(const emulated_wavefront *v, int64_t number)
{
    rng r = rng_for("distances", number);
    model_pair pair;
    model_columns columns;
    const model_kind kind =
        rng_chance(&r, 0.5) ? MODEL_TINY : (model_kind)rng_below(&r, MODEL_GRID);
    model_pair_make(&pair, kind, v->planes, v->group_size, &r);
    model_columns_make(&columns, &pair, 0, 0, INT64_MAX);
    const int64_t expected = columns.columns - 1;
    const int64_t longer = rhomb__max(pair.m, pair.n);
    const int64_t least = rhomb__max(1, longer - rhomb__min(pair.m, pair.n));
    problem p = {.limit = longer, .launches_per_read = rng_between(&r, 1, 10)};
    p.directions = v->meet != NULL && rng_chance(&r, 0.7) ? 2 : 1;
    p.pruning = rng_chance(&r, 0.75);
    p.tiles_per_launch = rng_chance(&r, 0.5) ? INT64_MAX : rng_between(&r, 1, 4);
    p.far_shift = rng_chance(&r, 0.3) ? (int32_t)rng_between(&r, 1, 4) : 0;
    /* Pairs that are equal, or of which one is empty, never get to an engine. */
    if (expected > 0 && rhomb__min(pair.m, pair.n) > 0) {
        check_distance(v, &pair, &p, expected);
        p.limit = rhomb__min(expected + rng_between(&r, -1, 1), longer);
        if (p.limit >= least)
            check_distance(v, &pair, &p, expected);
    }
    model_columns_release(&columns);
    model_pair_release(&pair);
}

static void test_distances(void **state)
{
    for (size_t i = 0; i < COUNT(TRAPEZOIDS); i++)
        for (int64_t number = 0; number < pairs_of(TRAPEZOIDS[i], 3, 50); number++)
            check_pair(TRAPEZOIDS[i], (int64_t)i * 1000 + number);
    for (size_t i = 0; i < COUNT(DIAMONDS); i++)
        for (int64_t number = 0; number < pairs_of(DIAMONDS[i], 3, 70); number++)
            check_pair(DIAMONDS[i], (int64_t)(COUNT(TRAPEZOIDS) + i) * 1000 + number);
}

int main(int argc, char **argv)
{
    amount_from(argc, argv, 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_model),
        cmocka_unit_test(test_meet),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_distances),
    };
    return cmocka_run_group_tests_name("emulated_distance", tests, NULL, NULL);
}
