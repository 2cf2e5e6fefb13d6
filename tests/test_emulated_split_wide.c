/* SPDX-License-Identifier: MIT */
/*
 * The kernels of cl/divide/split_wide.cl as host code, for tiles of all kinds, with the problems,
 * tiles and wavefronts that host/splits/split_wide.c lays out, in buffers of just the size, so that
 * the sanitizers see every access. Problems of all sizes go through the same launches, and each
 * alone. Each point has to be the one of breakpoints.h.
 */
#include "emu/emu_packed.h"
#include "emulated_variants.h"
#include "host/splits/split_wide.c"
#include "support/amount.h"
#include "support/split_list.h"
#include "support/test.h"

#define DECLARE(name) extern const emulated_split_wide name;
EMULATED_SPLIT_WIDE_MAP(DECLARE)

#define ADDRESS(name) &name,
static const emulated_split_wide *const VARIANTS[] = {EMULATED_SPLIT_WIDE_MAP(ADDRESS)};

/* A pair that is packed for a variant. */
typedef struct rig {
    const emulated_split_wide *variant;
    emulated_split_wide_arguments arguments;
    rhomb_context ctx; /* of no device: for errors alone, of which there are none */
    rhomb__split_source source;
} rig;

/* Each symbol with a code of its own. */
static void rig_open(rig *g, const emulated_split_wide *v, const split_list *list)
{
    const letters *bases[] = {&list->query, &list->target};
    int64_t backward[2];
    for (int i = 0; i < 2; i++)
        backward[i] = rhomb__packing_windows(bases[i]->length, v->planes, 2).parts[0].units *
                      RHOMB_UNIT_WORDS(v->planes);
    memset(g, 0, sizeof *g);
    g->variant = v;
    g->arguments.query = emulated_pack_bases(bases[0]->at, bases[0]->length, v->planes, 2);
    g->arguments.target = emulated_pack_bases(bases[1]->at, bases[1]->length, v->planes, 2);
    g->source.query_length = list->query.length;
    g->source.target_length = list->target.length;
    g->source.planes = v->planes;
    g->source.offset_bits = v->offset_bits;
    g->source.tuning.portion_bytes = INT64_MAX;
    g->arguments.whole = rhomb__split_whole_of(&g->source);
    assert_int_equal(g->arguments.whole.query_backward, backward[0]);
    assert_int_equal(g->arguments.whole.target_backward, backward[1]);
}

static void rig_close(rig *g)
{
    free((void *)(uintptr_t)g->arguments.query);
    free((void *)(uintptr_t)g->arguments.target);
}

/* A buffer of wavefronts of just the size, filled with "no offset". */
static void *allocate_columns(const wide_run *b)
{
    const bool wide = b->source->offset_bits == 64;
    void *columns = malloc((size_t)b->cells * (wide ? 8 : 4));
    assert_non_null(columns);
    for (int64_t at = 0; at < b->cells; at++) {
        if (wide)
            ((int64_t *)columns)[at] = -INT64_C(0x4000000000000000);
        else
            ((int32_t *)columns)[at] = -0x40000000;
    }
    return columns;
}

/* As rhomb__split_wide_solve() goes through its launches. */
static void run(const emulated_split_wide *v, emulated_split_wide_arguments *a, const wide_run *b)
{
    int64_t active = b->count;
    a->turn = 0;
    for (a->start = -1; a->start < columns_of(&b->problems[0].pair); a->start += v->tile_scores) {
        while (columns_of(&b->problems[active - 1].pair) <= a->start)
            active--;
        int64_t work;
        v->launch(a, groups_after(b, active, a->start, &work));
        a->turn++;
    }
    v->meet(a, b->count);
}

/* Splits problems side by side. */
static void split(rig *g, const rhomb_split_pair *pairs, int64_t count, rhomb_split_point *points)
{
    emulated_split_wide_arguments *a = &g->arguments;
    wide_run b = {.ctx = &g->ctx,
                  .source = &g->source,
                  .plan = {.wavefront = {.group_size = g->variant->group_size,
                                         .diagonals_per_item = g->variant->item_diagonals,
                                         .tile_scores = g->variant->tile_scores}},
                  .pairs = pairs};
    assert_int_equal(make_order(&b, count), RHOMB_OK);
    plan_portion(&b, count);
    assert_int_equal(b.count, count);
    assert_int_equal(allocate_host(&b), RHOMB_OK);
    describe(&b);
    assert_int_equal(b.rank_ends[b.rank_count - 1], b.tile_count);
    a->problems = b.problems;
    a->tiles = b.tiles;
    a->points = b.points;
    for (int i = 0; i < 2; i++)
        a->columns[i] = allocate_columns(&b);
    memset(b.points, 0x55, (size_t)count * sizeof *b.points);
    run(g->variant, a, &b);
    for (int64_t i = 0; i < count; i++)
        points[b.order[i].index] = b.points[i];
    free(a->columns[0]);
    free(a->columns[1]);
    free(b.problems);
    free(b.points);
    free(b.tiles);
    free(b.rank_ends);
    free(b.order);
}

static void check_points(const emulated_split_wide *v, const split_list *list, int64_t first,
                         int64_t count, const rhomb_split_point *points)
{
    for (int64_t i = 0; i < count; i++) {
        const rhomb_split_pair *p = &list->pairs[first + i];
        const rhomb_split_point *expected = &list->expected[first + i];
        if (memcmp(&points[i], expected, sizeof *expected) != 0)
            fail_msg("PLANES=%d OFFSET_BITS=%d GROUP_SIZE=%d ITEM_DIAGONALS=%d TILE_SCORES=%d: "
                     "problem %lld, one of %lld, %lld by %lld letters, distance %lld: (%lld, %lld) "
                     "with status %d, not (%lld, %lld)",
                     (int)v->planes, (int)v->offset_bits, (int)v->group_size,
                     (int)v->item_diagonals, (int)v->tile_scores, (long long)(first + i),
                     (long long)count, (long long)p->target_length, (long long)p->query_length,
                     (long long)p->distance, (long long)points[i].target,
                     (long long)points[i].query, (int)points[i].status, (long long)expected->target,
                     (long long)expected->query);
    }
}

/* All problems side by side; and, for one in `apart`, alone. */
static void check_list(const emulated_split_wide *v, const split_list *list, int64_t apart)
{
    rig g;
    rhomb_split_point *points = malloc((size_t)list->count * sizeof *points);
    assert_non_null(points);
    rig_open(&g, v, list);
    split(&g, list->pairs, list->count, points);
    check_points(v, list, 0, list->count, points);
    for (int64_t i = 0; i < list->count; i += apart) {
        split(&g, &list->pairs[i], 1, points);
        check_points(v, list, i, 1, points);
    }
    rig_close(&g);
    free(points);
}

static void test_random(void **state)
{
    for (size_t v = 0; v < COUNT(VARIANTS); v++) {
        split_list list = {.count = 0};
        rng r = rng_for("emulated launches", (int64_t)v);
        const char *alphabet = VARIANTS[v]->planes == 2 ? "ACGT" : "ACGTNRYK";
        split_list_add_random(&list, alphabet, 12, amount(30), 40, &r);
        split_list_add_random(&list, alphabet, 300, amount(12), 150, &r);
        check_list(VARIANTS[v], &list, 3);
        split_list_release(&list);
    }
}

/* Stretches of one base after indels, longer than what a group compares in its first round. */
static void test_gaps(void **state)
{
    for (size_t v = 0; v < COUNT(VARIANTS); v++) {
        split_list list = {.count = 0};
        rng r = rng_for("emulated launches, gaps", (int64_t)v);
        split_list_add_gaps(&list, "ACGT", 3000, amount(6), 400, &r);
        check_list(VARIANTS[v], &list, 3);
        split_list_release(&list);
    }
}

/* Long runs of one letter that the tables say; ranges begin anywhere in a chunk and a word. */
static void test_known(void **state)
{
    for (size_t v = 0; v < COUNT(VARIANTS); v++) {
        split_list list = {.count = 0};
        rng r = rng_for("emulated launches, known runs", (int64_t)v);
        for (int64_t i = 0; i < amount(3); i++) {
            pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
            pair_make_known_runs(VARIANTS[v]->planes == 2 ? "AC" : "NA", 4 * (int64_t)v + i, &r,
                                 &p);
            assert_true(split_list_add(&list, &p, 2000));
            pair_release(&p);
        }
        check_list(VARIANTS[v], &list, 2);
        split_list_release(&list);
    }
}

/* Problems that are hard in some way, most of them of few edits. */
static void test_odd(void **state)
{
    for (size_t v = 0; v < COUNT(VARIANTS); v++) {
        split_list list = {.count = 0};
        rng r = rng_for("emulated launches, odd", (int64_t)v);
        split_list_add_odd(&list, &r);
        check_list(VARIANTS[v], &list, 10);
        split_list_release(&list);
    }
}

/* Adds a pair of this distance: one substitution after the other, or with one text all in there. */
static void add_of_distance(split_list *list, int64_t distance, bool is_gap, rng *r)
{
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    if (distance < 1)
        return;
    letters_random(&p.a, "ACG", 3 * distance, r);
    letters_append(&p.b, p.a.at, is_gap ? 2 * distance : 3 * distance);
    for (int64_t i = 0; !is_gap && i < distance; i++)
        p.b.at[3 * i + 1] = 'T';
    assert_true(split_list_add(list, &p, distance));
    assert_int_equal(list->pairs[list->count - 1].distance, distance);
    const letters swap = p.a;
    p.a = p.b;
    p.b = swap;
    assert_true(split_list_add(list, &p, distance));
    pair_release(&p);
}

/*
 * Directions that end with a launch, a wavefront before and a wavefront after; |n - m| = d as
 * well.
 */
static void test_edges(void **state)
{
    for (size_t v = 0; v < COUNT(VARIANTS); v++) {
        split_list list = {.count = 0};
        rng r = rng_for("emulated launches, edges", (int64_t)v);
        const int64_t columns = VARIANTS[v]->tile_scores;
        for (int64_t launches = 1; launches <= 3; launches += columns > 30 ? 2 : 1)
            for (int64_t beside = -3; beside <= 3; beside++)
                add_of_distance(&list, 2 * (launches * columns - 1) + beside, beside % 2 == 0, &r);
        check_list(VARIANTS[v], &list, 5);
        split_list_release(&list);
    }
}

/*
 * Long equal pieces on diagonals far above and below 0: tiles that are mirrored, and runs that a
 * group follows together, from within ranges whose ends look as if they went on.
 */
static void test_runs(void **state)
{
    split_list list = {.count = 0};
    rng r = rng_for("emulated launches, runs", 0);
    for (int i = 0; i < 4; i++) {
        pair p = {{NULL, 0, 0}, {NULL, 0, 0}}, more = {{NULL, 0, 0}, {NULL, 0, 0}};
        letters_random(i < 2 ? &p.a : &p.b, "ACGT", 60 + 40 * i, &r);
        letters_random(&more.a, "ACGT", 1500, &r);
        letters_mutate(&more.b, &more.a, i % 2 == 0 ? 0.005 : 0.02, "ACGT", &r);
        letters_append(&p.a, more.a.at, more.a.length);
        letters_append(&p.b, more.b.at, more.b.length);
        letters_random(i % 2 == 0 ? &p.b : &p.a, "ACGT", 50, &r);
        assert_true(split_list_add(&list, &p, INT64_MAX));
        pair_release(&p);
        pair_release(&more);
    }
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (int block = 0; block < amount(70); block++) {
        letters_repeat(&p.a, "A", 301);
        letters_repeat(&p.b, "A", 300);
        letters_append(&p.b, "C", 1);
    }
    assert_true(split_list_add(&list, &p, INT64_MAX));
    pair_release(&p);
    for (size_t v = 0; v < COUNT(VARIANTS); v++)
        check_list(VARIANTS[v], &list, 4);
    split_list_release(&list);
}

/* Of a distance that is too small there is no point. */
static void test_too_small(void **state)
{
    for (size_t v = 0; v < COUNT(VARIANTS); v++) {
        split_list list = {.count = 0};
        rng r = rng_for("emulated launches, too small", (int64_t)v);
        rig g;
        split_list_add_random(&list, "ACGT", 200, amount(16), 60, &r);
        rig_open(&g, VARIANTS[v], &list);
        for (int64_t i = 0; i < list.count; i++) {
            rhomb_split_pair p = list.pairs[i];
            rhomb_split_point point;
            const int64_t apart = p.target_length - p.query_length;
            p.distance--;
            if (p.distance < 1 || p.distance < apart || p.distance < -apart)
                continue;
            split(&g, &p, 1, &point);
            assert_int_equal(point.status, RHOMB_SPLIT_APART);
        }
        rig_close(&g);
        split_list_release(&list);
    }
}

int main(int argc, char **argv)
{
    amount_from(argc, argv, 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),    cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_known),     cmocka_unit_test(test_odd),
        cmocka_unit_test(test_edges),     cmocka_unit_test(test_runs),
        cmocka_unit_test(test_too_small),
    };
    return cmocka_run_group_tests_name("emulated launches", tests, NULL, NULL);
}
