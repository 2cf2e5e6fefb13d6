/* SPDX-License-Identifier: MIT */
/*
 * The ways of splitting subproblems, as test_splits.c asks them: what each takes, its rule, its
 * shapes, and the pairs that are hard for it alone.
 */
#include "host/device/context.h"
#include "host/engines/engine.h"
#include "split_rig.h"
#include "src/base/int64.h"
#include "src/strips/strips_many.h"
#include "support/affine_pair.h"
#include "support/amount.h"
#include "support/test.h"

#define IUPAC     "ACGTUNRYSWKMBDHV"
#define ALL_BYTES (INT64_C(1) << 40)

/* Unit costs. */
static split_list unit_list(const split_solver *s)
{
    const rhomb__costs costs = rhomb__costs_edit();
    return split_list_of(&costs, s->takes);
}

static bool groups_take(const split_list *list, const rhomb_subproblem *subproblem)
{
    (void)list;
    return subproblem->pair.distance <= RHOMB_SPLIT_LIMIT;
}

static bool wide_takes(const split_list *list, const rhomb_subproblem *subproblem)
{
    (void)list;
    return subproblem->pair.distance > 0;
}

/* Where half of the edits, rounded up, and the others from the end meet. */
static oracle_breakpoint meet(const split_list *list, int64_t index)
{
    const int64_t distance = list->at[index].pair.distance;
    const plain_pair texts = split_list_texts(list, index);
    const rhomb_split_point point = oracle_split_wavefront(&texts, distance);
    assert_int_equal(point.status, RHOMB_SPLIT_FOUND);
    return (oracle_breakpoint){point.target, point.query, (distance + 1) / 2, RHOMB_GAP_NONE};
}

static void add_unit(split_list *list, rng *r)
{
    split_list_add_random(list, "ACGT", 500, 60, r);
}

/* Subproblems of all sorts, in both widths of offsets and with all kinds of bases. */
static void unit_points(const split_solver *s)
{
    static const split_shape PACKED[] = {{.alphabet = "ACGT", .planes = 2, .offset_bits = 32},
                                         {.alphabet = IUPAC, .planes = 4, .offset_bits = 64},
                                         {.alphabet = IUPAC, .planes = 8, .offset_bits = 32}};
    for (size_t i = 0; i < COUNT(PACKED); i++) {
        split_list list = unit_list(s);
        rng r = rng_for("split", (int64_t)i);
        split_shape shape = PACKED[i];
        int64_t cells = 0;
        shape.plan = s->shape.plan;
        shape.tuning.portion_bytes = s->way == &rhomb__split_wide ? 1 << 26 : 0;
        split_list_add_odd(&list, &r);
        split_list_add_random(&list, PACKED[i].alphabet, 40, 300, &r);
        split_list_add_random(&list, PACKED[i].alphabet, 2000, 60, &r);
        for (int64_t k = 0; k < list.count; k++)
            cells += rhomb__split_cells(&list.at[k].pair);
        assert_int_equal(split_check_list(s, &list, &shape).cells, cells);
        split_list_release(&list);
    }
}

/* Distances up to the most that groups take, and beyond: long gaps, so that there are few cells. */
static void check_far(const split_solver *s)
{
    enum { QUERY = 7 };
    static const int64_t DISTANCES[] = {RHOMB_SPLIT_LIMIT - 1, RHOMB_SPLIT_LIMIT,
                                        RHOMB_SPLIT_LIMIT + 1, RHOMB_SPLIT_LIMIT + 2, 40001};
    const bool wide = s->way == &rhomb__split_wide;
    split_list list = unit_list(s);
    rng r = rng_for("split far", 0);
    for (size_t i = 0; i < COUNT(DISTANCES); i++) {
        pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
        letters_random(&p.a, "ACGT", DISTANCES[i] + QUERY, &r);
        letters_append(&p.b, p.a.at + 100 * (i + 1), QUERY);
        assert_int_equal(split_list_add(&list, &p, SPLIT_NO_GAPS),
                         wide || DISTANCES[i] <= RHOMB_SPLIT_LIMIT);
        pair_release(&p);
    }
    split_check_list(s, &list, &s->other);
    if (!wide) {
        rhomb_subproblem beyond = list.at[0];
        rhomb__breakpoint found;
        split_rig g;
        beyond.pair.target_length = RHOMB_SPLIT_LIMIT + 1 + QUERY;
        beyond.pair.distance = RHOMB_SPLIT_LIMIT + 1;
        split_rig_open(&g, &list, &s->shape);
        split_rig_way(&g, s->way);
        assert_int_equal(rhomb__splitter_solve(g.splitter, &s->shape.plan, &beyond, 1, &found),
                         RHOMB_ERR_INTERNAL);
        split_rig_close(&g);
    }
    split_list_release(&list);
}

static void check_groups(const split_solver *s)
{
    unit_points(s);
    check_far(s);
}

/* The wide tile is used from its diagonals on, those of all problems together on average. */
static void check_tiles(const split_solver *s)
{
    split_list list = unit_list(s);
    rng r = rng_for("split tiles", 0);
    int64_t diagonals = 0, most = 0;
    split_list_add_random(&list, "ACGT", 900, 20, &r);
    for (int64_t i = 0; i < list.count; i++) {
        diagonals += list.at[i].pair.distance;
        most = rhomb__max(most, (list.at[i].pair.distance + 1) / 2);
    }
    for (int narrow = 0; narrow < 2; narrow++) {
        split_shape shape = s->other;
        shape.plan.wavefront.wide_diagonals = diagonals + narrow;
        const int64_t scores =
            narrow ? shape.plan.wavefront.tile_scores : shape.plan.wavefront.wide_tile_scores;
        /* Wavefronts -1 and all after it, and where they meet. */
        assert_int_equal(split_check_list(s, &list, &shape).launches,
                         rhomb__ceil_div(most + 1, scores) + 1);
    }
    split_list_release(&list);
}

static void check_wide(const split_solver *s)
{
    unit_points(s);
    check_far(s);
    check_tiles(s);
}

/* Affine wavefronts, which have no rule but that all tiles find the same. */

static bool affine_takes(const split_list *list, const rhomb_subproblem *subproblem)
{
    return rhomb__split_affine_can(&list->costs, subproblem->pair.distance);
}

static void add_affine(split_list *list, rng *r)
{
    split_list_add_random(list, NULL, 120, 60, r);
}

#define TILE(group, items, scores, is_local)     \
    {                                            \
        .row = RHOMB__ROW_AFFINE, .wavefront = { \
            .group_size = group,                 \
            .diagonals_per_item = items,         \
            .tile_scores = scores,               \
            .tiles_local = is_local              \
        }                                        \
    }
#define AFFINE(bits, ...)                                                               \
    {                                                                                   \
        .offset_bits = bits, .tuning.portion_bytes = 1 << 26, .plan = TILE(__VA_ARGS__) \
    }

static const split_shape SMALL = AFFINE(32, 1, 5, 0, false), WIDE = AFFINE(64, 1, 90, 30, false),
                         GROUP = AFFINE(32, 4, 9, 3, true), MEMORY = AFFINE(64, 2, 20, 1, false);

/* What the engine finds for a pair alone is what is found beside others. */
static void check_alone(const split_list *list, const split_shape *shape, int64_t most)
{
    for (int64_t i = 0; i < list->count && most > 0; i++) {
        const rhomb_split_pair *p = &list->at[i].pair;
        const split_list one = {.target = {list->target.at + p->target_at, p->target_length, 0},
                                .query = {list->query.at + p->query_at, p->query_length, 0}};
        rhomb_options options = RHOMB_OPTIONS_INIT;
        rhomb__plan plan = split_plan_of(list, shape);
        rhomb__programs programs = {NULL, NULL};
        rhomb__solution solution = {.distance = -1};
        split_rig g;
        if (list->at[i].begin_gap + list->at[i].end_gap > 0 || p->target_length == 0 ||
            p->query_length == 0)
            continue;
        plan.target_length = p->target_length;
        plan.query_length = p->query_length;
        plan.upper_bound = i % 2 == 0
                               ? p->distance
                               : rhomb__costs_most(&list->costs, p->target_length, p->query_length);
        split_rig_open(&g, &one, shape);
        const rhomb__problem problem = {.plan = &plan,
                                        .options = &options,
                                        .query_length = p->query_length,
                                        .target_length = p->target_length,
                                        .query = &g.query,
                                        .target = &g.target,
                                        .upper_bound = plan.upper_bound,
                                        .wants_breakpoint = true};
        split_expect_ok(g.ctx,
                        rhomb__engine_programs(g.ctx, &rhomb__engine_affine, &plan, &programs));
        split_expect_ok(g.ctx, rhomb__engine_solve(g.ctx, &rhomb__engine_affine, &programs,
                                                   &problem, &solution));
        const rhomb__breakpoint *alone = &solution.breakpoint;
        const oracle_breakpoint *beside = &list->expected[i];
        if (solution.distance != p->distance || alone->target != beside->target ||
            alone->query != beside->query || alone->cost != beside->cost ||
            alone->gap != beside->gap)
            split_list_fail(list, i, "another breakpoint for the pair alone");
        split_rig_close(&g);
        most--;
    }
}

/* All tiles find the same. */
static void check_affine_tiles(const split_solver *s, split_list *list,
                               const split_shape *const *shapes, size_t count)
{
    for (size_t i = 0; i < count && shapes[i] != NULL; i++) {
        assert_int_equal(split_check_list(s, list, shapes[i]).portions, 1);
        if (i == 0)
            check_alone(list, shapes[i], 5);
    }
    split_list_release(list);
}

/* Each tile is a program to build for each of the costs. */
static void check_costs(const split_solver *s)
{
    static const struct {
        const char *text; /* NULL: random ones */
        int64_t most;
        const split_shape *shapes[2];
    } CASES[] = {{NULL, 8, {&SMALL, &GROUP}}, {NULL, 20, {&WIDE, NULL}},
                 {NULL, 5, {&MEMORY, &WIDE}}, {NULL, 8, {&SMALL, NULL}},
                 {"wfa", 0, {&SMALL, NULL}},  {"map-ont", 0, {&WIDE, NULL}}};
    for (size_t i = 0; i < COUNT(CASES); i++) {
        rng r = rng_for("affine splits", (int64_t)i);
        const rhomb__costs costs =
            CASES[i].text != NULL ? costs_of_text(CASES[i].text) : random_costs(&r, CASES[i].most);
        split_list list = split_list_of(&costs, s->takes);
        split_list_add_random(&list, NULL, 60, amount(150), &r);
        split_list_add_random(&list, NULL, 250, amount(10), &r);
        check_affine_tiles(s, &list, CASES[i].shapes, 2);
    }
}

static bool cheap_takes(const split_list *list, const rhomb_subproblem *subproblem)
{
    return affine_takes(list, subproblem) &&
           subproblem->pair.distance <= 5 * rhomb__affine_lookback(&list->costs);
}

/* Launches are as short as costs allow: so directions meet close to the end of one. */
static void check_scorings(const split_solver *s)
{
    enum { PAIRS = 8, LENGTH = 200, MOST_LOOK = 150 }; /* others take long */
    for (size_t i = 0; scoring_at(i) != NULL; i++) {
        rng r = rng_for("affine splits, scorings", (int64_t)i);
        rhomb__costs costs;
        rhomb__error error = {0};
        if (!amount_takes((int64_t)i))
            continue;
        assert_int_equal(rhomb__costs_of(&error, scoring_at(i), &costs), RHOMB_OK);
        const int64_t look = rhomb__affine_lookback(&costs);
        split_list list = split_list_of(&costs, cheap_takes);
        if (look > MOST_LOOK)
            continue;
        const int64_t bases = 4 * look / rhomb__costs_least_extend(&costs);
        assert_true(split_list_add_some(&list, NULL, rhomb__min(bases, LENGTH), PAIRS, &r) > 0);
        split_check_list(s, &list, &SMALL);
        split_list_release(&list);
    }
}

/* Gaps alone, from one border to the other, in all places of launches. */
static void check_gaps(const split_solver *s)
{
    static const split_shape *const BOTH[] = {&SMALL, &WIDE};
    const rhomb__costs costs = costs_of_text("affine2p:7,2,3,9,2");
    split_list list = split_list_of(&costs, s->takes);
    rng r = rng_for("affine splits, gaps", 0);
    for (int64_t bases = 12; bases < 60; bases++) {
        if (!amount_takes(bases - 12))
            continue;
        for (int which = 0; which < 2; which++) {
            pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
            letters_append(&p.a, "", 0);
            letters_append(&p.b, "", 0);
            letters_random(which == 0 ? &p.a : &p.b, "ACGT", bases, &r);
            for (int32_t gap = 0; gap < ORACLE_KINDS; gap++) {
                const int32_t end = bases % 2 == 0 ? gap : random_gap(&r, &costs);
                split_list_add(&list, &p, (oracle_borders){gap, end});
            }
            pair_release(&p);
        }
    }
    assert_true(list.count > amount(300));
    check_affine_tiles(s, &list, BOTH, 2);
}

static void check_affine(const split_solver *s)
{
    check_costs(s);
    check_scorings(s);
    check_gaps(s);
}

/* Sweeps, whose breakpoint is in the middle column. */

static bool sweeps_take(const split_list *list, const rhomb_subproblem *subproblem)
{
    const rhomb_split_pair *p = &subproblem->pair;
    const bool swaps = rhomb__sweep_swaps(&list->costs, p->target_length);
    const int64_t columns = swaps ? p->query_length : p->target_length;
    const int64_t rows = swaps ? p->target_length : p->query_length;
    return columns > RHOMB__BLOCK_COLUMNS && rows > 0 && rhomb__sweep_can(&list->costs, subproblem);
}

static oracle_breakpoint in_middle(const split_list *list, int64_t index)
{
    const rhomb_subproblem *s = &list->at[index];
    const oracle_borders borders = {s->begin_gap, s->end_gap};
    const oracle_penalties penalties = costs_penalties(&list->costs);
    const plain_pair p = split_list_texts(list, index),
                     mirrored = {p.query, p.m, p.target, p.n, false};
    const bool swaps = rhomb__costs_are_edit(&list->costs) && p.n < 64;
    int64_t cost = 0;
    oracle_breakpoint at = oracle_split_sweep(swaps ? &mirrored : &p, &penalties, borders, &cost);
    assert_int_equal(cost, s->pair.distance);
    return swaps ? (oracle_breakpoint){at.query, at.target, at.cost, at.gap} : at;
}

/* One block in each direction, short targets that change places, the least distance there is. */
static void add_lengths(split_list *list, rng *r)
{
    static const int64_t LENGTHS[][2] = {{64, 1},  {65, 64}, {63, 700},  {1, 500},
                                         {20, 17}, {40, 32}, {70, 2000}, {2000, 70}};
    static const int64_t DELETIONS[][2] = {{500, 500},
                                           {900, 3}}; /* bases, every so many left out */
    for (size_t i = 0; i < COUNT(LENGTHS) + COUNT(DELETIONS); i++) {
        const bool random = i < COUNT(LENGTHS);
        const int64_t *of = random ? LENGTHS[i] : DELETIONS[i - COUNT(LENGTHS)];
        pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
        letters_random(&p.a, of[0] == 2000 ? "A" : "ACGT", of[0], r);
        if (random)
            letters_random(&p.b, of[0] == 2000 ? "A" : "ACGT", of[1], r);
        for (int64_t k = 0; !random && k < of[0]; k++)
            if (k % of[1] != 0)
                letters_append(&p.b, p.a.at + k, 1);
        const pair swapped = {p.b, p.a};
        split_list_add(list, &p, SPLIT_NO_GAPS);
        if (!random)
            split_list_add(list, &swapped, SPLIT_NO_GAPS);
        pair_release(&p);
    }
}

static void add_swept(split_list *list, rng *r)
{
    add_lengths(list, r);
    split_list_add_random(list, "ACGT", 600, 8, r);
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

/* Hard for gaps, of lengths near edges; those that end within a gap in whole blocks. */
static void add_bordered(split_list *list, int64_t count, rng *r)
{
    static const affine_family FAMILIES[] = {AFFINE_LONG_GAPS, AFFINE_BESIDE,  AFFINE_ENDS,
                                             AFFINE_ACROSS,    AFFINE_UNEQUAL, AFFINE_REPEATS};
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    while (list->count < count) {
        const int64_t edge = rng_chance(r, 0.7) ? 32 : 512;
        const int64_t length =
            rng_between(r, edge < 512 ? 2 : 1, 1024 / edge) * edge + rng_between(r, -2, 2);
        affine_pair_make(FAMILIES[rng_below(r, COUNT(FAMILIES))], length, r, &p);
        if (rng_chance(r, 0.5))
            add_middle_gap(&p, r);
        if (rng_chance(r, 0.7))
            p.a.length -= p.a.length % RHOMB__BLOCK_COLUMNS;
        if (p.a.length > 1100 || p.b.length > 1100)
            continue;
        split_list_add(list, &p,
                       (oracle_borders){random_gap(r, &list->costs), random_gap(r, &list->costs)});
    }
    pair_release(&p);
}

#define SWEEP(group, number, words, blocks) \
    {                                       \
        .row = RHOMB__ROW_SWEEP, .sweep = { \
            .group_size = group,            \
            .lanes = number,                \
            .words_per_item = words,        \
            .blocks_per_launch = blocks,    \
            .first_half_width = 64          \
        }                                   \
    }

/* Programs that other tests have compiled. */
static const split_shape VECTORS = {.tuning.portion_bytes = ALL_BYTES, .plan = SWEEP(1, 16, 1, 7)},
                         ITEMS = {.tuning.portion_bytes = ALL_BYTES, .plan = SWEEP(8, 1, 2, 5)},
                         CODES = {.alphabet = IUPAC,
                                  .planes = 8,
                                  .tuning.portion_bytes = ALL_BYTES,
                                  .plan = SWEEP(4, 1, 1, 3)};

/* Costs whose programs are quick to compile: two pieces that cross at 14 bases, unequal gaps. */
static void check_borders(const split_solver *s)
{
    static const struct {
        const char *costs;
        const split_shape *shape;
    } CASES[] = {{"wfa", &VECTORS},
                 {"affine2p:3,1,3,30,1", &VECTORS},
                 {"affine2p:3,1,3,30,1", &ITEMS},
                 {"affine:2,0,3", &ITEMS}};
    for (size_t c = 0; c < COUNT(CASES); c++) {
        const rhomb__costs costs = costs_of_text(CASES[c].costs);
        int64_t within[RHOMB_GAP_D_2 + 1] = {0};
        for (int64_t number = 0; number < 3; number++) {
            rng r = rng_for("sweep borders", (int64_t)c * 100 + number);
            split_list list = split_list_of(&costs, s->takes);
            split_shape shape = *CASES[c].shape;
            if (number == 2)
                shape.tuning.portion_bytes = 60000;
            add_bordered(&list, 64, &r);
            split_check_list(s, &list, &shape);
            for (int64_t i = 0; i < list.count; i++)
                within[list.expected[i].gap]++;
            split_list_release(&list);
        }
        assert_true(within[RHOMB_GAP_NONE] > 20);
        assert_true(within[RHOMB_GAP_D] > 2 || costs.open[0] == 0);
        assert_true(within[RHOMB_GAP_D_2] > 5 || costs.pieces == 1);
    }
}

/* Subproblems that only a wavefront can split, and gaps that there are not. */
static void check_not_swept(const split_solver *s)
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
    const rhomb__costs costs = costs_of_text("wfa");
    split_list list = split_list_of(&costs, s->takes);
    rng r = rng_for("not swept", 0);
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    rhomb__breakpoint found;
    split_rig g;
    letters_random(&p.a, "ACGT", 320, &r);
    letters_random(&p.b, "ACGT", 300, &r);
    assert_true(split_list_add(&list, &p, (oracle_borders){RHOMB_GAP_I, RHOMB_GAP_D}));
    const rhomb__plan plan = split_plan_of(&list, &VECTORS);
    split_rig_open(&g, &list, &VECTORS);
    split_rig_way(&g, s->way);
    for (size_t i = 0; i < COUNT(BAD); i++) {
        rhomb_subproblem bad = {list.at[0].pair, BAD[i].begin, BAD[i].end};
        bad.pair.target_length -= BAD[i].cut;
        rhomb__error_clear(&g.ctx->stream.error);
        if (rhomb__splitter_solve(g.splitter, &plan, &bad, 1, &found) != RHOMB_ERR_INTERNAL)
            fail_msg("problem %d can be swept", (int)i);
    }
    split_rig_close(&g);
    pair_release(&p);
    split_list_release(&list);
}

static void check_sweeps(const split_solver *s)
{
    static const split_shape *const SHAPES[] = {&VECTORS, &ITEMS, &CODES};
    for (size_t i = 0; i < COUNT(SHAPES); i++) {
        split_list list = unit_list(s);
        rng r = rng_for("sweep many", (int64_t)i);
        add_lengths(&list, &r);
        split_list_add_random(&list, SHAPES[i] == &CODES ? IUPAC : "ACGT", 2500, 20, &r);
        split_check_list(s, &list, SHAPES[i]);
        split_list_release(&list);
    }
    check_borders(s);
    check_not_swept(s);
}

/* Tiles that build in no time: of a CPU, and none but the narrow ones; and both. */
#define NARROW                                                                                  \
    .row = RHOMB__ROW_WAVEFRONT, .wavefront.group_size = 1, .wavefront.diagonals_per_item = 16, \
    .wavefront.tile_scores = 5
#define BOTH_TILES                                                                   \
    NARROW, .wavefront.wide_group_size = 1, .wavefront.wide_diagonals_per_item = 48, \
            .wavefront.wide_tile_scores = 16, .wavefront.wide_diagonals = 1

static const split_shape GPU_GROUPS[] = {{.tuning.group_size = 2},
                                         {.tuning = {.group_size = 2, .in_place = true}},
                                         {.tuning.group_size = 16},
                                         {.tuning = {.group_size = 16, .in_place = true}},
                                         {.tuning.group_size = 128},
                                         {.tuning = {.group_size = 128, .in_place = true}},
                                         {.tuning.group_size = 1024},
                                         {.tuning = {.group_size = 1024, .in_place = true}},
                                         /* Some columns are in local memory, and some are not. */
                                         {.tuning = {.group_size = 16, .local_bytes = 2500}}};
#define GPU_TILE(bits, group, items, scores)                                                       \
    {                                                                                              \
        .offset_bits = bits, .tuning.portion_bytes = 1 << 26, .plan = {                            \
            .row = RHOMB__ROW_WAVEFRONT,                                                           \
            .wavefront = {.group_size = group, .diagonals_per_item = items, .tile_scores = scores} \
        }                                                                                          \
    }
static const split_shape GPU_WIDE[] = {GPU_TILE(32, 32, 2, 16), GPU_TILE(64, 64, 8, 32),
                                       GPU_TILE(32, 128, 8, 64), GPU_TILE(64, 256, 1, 64),
                                       GPU_TILE(32, 1024, 8, 256)};
static const split_shape GPU_AFFINE[] = {
    AFFINE(32, 32, 0, 0, true), AFFINE(64, 64, 300, 20, true), AFFINE(32, 256, 700, 100, true),
    AFFINE(64, 256, 700, 100, false), AFFINE(32, 1024, 900, 60, true)};

static const split_solver SOLVERS[] = {
    {.name = "groups",
     .way = &rhomb__split_groups,
     .takes = groups_take,
     .costs = "edit",
     .rule = meet,
     .add = add_unit,
     .some_bytes = 20000,
     .too_small = "no breakpoint",
     .too_large = "a smaller one",
     .check = check_groups,
     .groups = GPU_GROUPS,
     .group_count = COUNT(GPU_GROUPS)},
    {.name = "wide",
     .way = &rhomb__split_wide,
     .takes = wide_takes,
     .costs = "edit",
     .rule = meet,
     .add = add_unit,
     .shape.plan = {NARROW},
     .other = {.tuning.portion_bytes = 1 << 26, .plan = {BOTH_TILES}},
     .some_bytes = 20000,
     .too_small = "no breakpoint",
     .check = check_wide,
     .groups = GPU_WIDE,
     .group_count = COUNT(GPU_WIDE)},
    {.name = "affine",
     .way = &rhomb__split_affine,
     .takes = affine_takes,
     .costs = "affine2p:7,2,3,9,2",
     .add = add_affine,
     .shape = AFFINE(32, 1, 5, 0, false),
     .other = AFFINE(32, 1, 90, 30, false),
     .some_bytes = 30000,
     .quick = true,
     .too_small = "do not meet",
     .check = check_affine,
     .groups = GPU_AFFINE,
     .group_count = COUNT(GPU_AFFINE)},
    {.name = "sweeps",
     .way = &rhomb__split_sweeps,
     .takes = sweeps_take,
     .costs = "edit",
     .rule = in_middle,
     .add = add_swept,
     .shape.plan = SWEEP(8, 1, 2, 5),
     .other.plan = SWEEP(1, 16, 1, 7),
     .some_bytes = 8000,
     .too_small = "",
     .too_large = "",
     .check = check_sweeps},
};

const split_solver *split_solver_at(size_t position)
{
    return position < COUNT(SOLVERS) ? &SOLVERS[position] : NULL;
}
