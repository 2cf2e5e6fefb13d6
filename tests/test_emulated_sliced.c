/* SPDX-License-Identifier: MIT */
/*
 * The kernels of the bit-sliced sweep as host code (emu/), so that the sanitizers see every access:
 * sweeps for bounds of all kinds, alone and several side by side, against Gotoh's penalty; and, row
 * by row of every strip, against Gotoh's recurrence in just the cells that the strips have swept
 * (plain_sweep.h). A number that did not fit in its planes would show there. No strip may have left
 * out a step of a path within the bound (path_cover.h).
 */
#include "emulated_variants.h"
#include "path_cover.h"
#include "src/base/int64.h"
#include "src/strips/sliced.h"
#include "support/affine_pair.h"
#include "support/amount.h"
#include "support/cost_sets.h"
#include "support/test.h"
#include "sweep_rig.h"
#include "tests/reference/gotoh.h"

#define DECLARE_BITSLICED(name) extern const emulated_bitsliced name;
EMULATED_BITSLICED_MAP(DECLARE_BITSLICED)

#define ADDRESS(name) &name,
static const emulated_bitsliced *const SWEEPS[] = {EMULATED_BITSLICED_MAP(ADDRESS)};

/*
 * Cells of the largest matrices for the plain program and for all paths, and of those that are
 * swept for more bounds.
 */
enum { MOST_CELLS = 5000000, MOST_COVERED = 1500000, FEW_CELLS = 100000 };

static rhomb__costs costs_of(const emulated_bitsliced *v)
{
    const int32_t numbers[] = {v->mismatch, v->open[0], v->extend[0], v->open[1], v->extend[1]};
    return costs_of_numbers(numbers);
}

static int64_t gotoh(const sweep_problem *p)
{
    const rhomb__costs *costs = &p->plan.costs;
    const letters *a = &p->letters.a, *b = &p->letters.b;
    const oracle_penalties penalties = costs_penalties(costs);
    const oracle_borders borders = {p->sweep.gaps[0], p->sweep.gaps[1]};
    return oracle_gotoh_borders(a->at, a->length, b->at, b->length, &penalties, borders);
}

/* The cost that lengths and borders leave no path below. */
static int64_t least_cost(const sweep_problem *p)
{
    const rhomb__costs *costs = &p->plan.costs;
    const int64_t end = llabs(p->letters.a.length - p->letters.b.length);
    const int64_t least = rhomb__costs_gap(costs, end) -
                          rhomb__costs_of_opening(costs, p->sweep.gaps[0]) -
                          rhomb__costs_of_opening(costs, p->sweep.gaps[1]);
    return rhomb__max(least, 0);
}

/* Gaps at the borders, at the end only of whole blocks and of two directions. */
static void choose_borders(sweep_problem *p, rng *r)
{
    if (rng_chance(r, 0.3))
        return;
    p->sweep.gaps[0] = random_gap(r, &p->plan.costs);
    if (p->letters.a.length == p->sweep.columns && p->sweep.blocks[1] > 0)
        p->sweep.gaps[1] = random_gap(r, &p->plan.costs);
}

/* With a random number of steps, and gaps at the borders. */
static void complete_randomly(sweep_problem *p, const rhomb__costs *costs, rng *r)
{
    if (p->letters.a.length > RHOMB__BLOCK_COLUMNS && rng_chance(r, 0.5))
        p->letters.a.length -= p->letters.a.length % RHOMB__BLOCK_COLUMNS;
    sweep_complete_randomly(p, costs, r);
    choose_borders(p, r);
}

/* What is known of a problem, whatever the bound. */
typedef struct judge {
    const sweep_problem *p;
    int64_t distance;
    int64_t bound; /* of the last sweep */
    bool is_swept; /* by the plain program */
    bool is_covered;
    plain_sweep plain;
    path_cover cover;
    rhomb_strip records[2 + MODEL_MOST_STRIPS]; /* as the plain program leaves them */
} judge;

static void judge_start(judge *j, const sweep_problem *p)
{
    memset(j, 0, sizeof *j);
    j->p = p;
    j->distance = gotoh(p);
    const int64_t cells = p->sweep.rows * p->sweep.columns;
    j->is_swept = plain_sweep_fits(&p->sweep) && cells < MOST_CELLS;
    j->is_covered = j->is_swept && cells < MOST_COVERED;
    if (j->is_swept)
        plain_sweep_start(&j->plain, &p->letters, p->codes, &p->sweep);
    if (!j->is_covered)
        return;
    path_cover_start(&j->cover, &j->plain);
    assert_true(path_cover_distance(&j->cover) == j->distance);
}

static void judge_end(judge *j)
{
    plain_sweep_end(&j->plain);
    path_cover_end(&j->cover);
}

static void fail_sweep(const judge *j, const char *what, int64_t strip, int64_t found,
                       int64_t expected)
{
    const sweep_problem *p = j->p;
    const rhomb__costs *c = &p->plan.costs;
    fail_msg("strip %lld: %s is %lld, not %lld; bound %lld, cost %lld, %lld steps a launch, %d "
             "directions, PLANES=%d GROUP_SIZE=%d ITEM_WORDS=%d LANES=%d, mismatch %lld, gaps "
             "%lld + %lld, %lld + %lld, borders %d and %d\ntarget, %lld: %.*s\nquery, %lld: %.*s",
             (long long)strip, what, (long long)found, (long long)expected, (long long)j->bound,
             (long long)j->distance, (long long)p->sweep.shape.steps, (int)p->plan.directions,
             (int)p->kernel->planes, (int)p->kernel->group_size, (int)p->kernel->item_words,
             (int)p->kernel->lanes, (long long)c->mismatch, (long long)c->open[0],
             (long long)c->extend[0], (long long)c->open[1], (long long)c->extend[1],
             (int)p->sweep.gaps[0], (int)p->sweep.gaps[1], (long long)p->letters.a.length,
             (int)p->letters.a.length, p->letters.a.at, (long long)p->letters.b.length,
             (int)p->letters.b.length, p->letters.b.at);
}

static void expect(const judge *j, const char *what, int64_t strip, int64_t found, int64_t expected)
{
    if (found != expected)
        fail_sweep(j, what, strip, found, expected);
}

/* How far a strip came, and what it says to the one below. */
static void check_front(const judge *j, const rhomb_strip *records, int64_t strip)
{
    const rhomb_strip_front *found = rhomb__strip_result(&records[2 + strip]);
    const rhomb_strip_front *expected = rhomb__strip_result(&j->records[2 + strip]);
    expect(j, "the beginning", strip, found->begin, expected->begin);
    expect(j, "the end", strip, found->end, expected->end);
    if (sweep_model_strip(&j->plain.model, strip)->begin < 0)
        return;
    expect(j, "the score", strip, found->score, expected->score);
    for (int piece = 0; piece < 2; piece++)
        expect(j, "what is saved at the end", strip, found->end_saves[piece],
               expected->end_saves[piece]);
    if (found->begin == RHOMB_NO_BLOCK)
        return;
    expect(j, "the first score", strip, found->begin_score, expected->begin_score);
    expect(j, "the room", strip, found->room, expected->room);
    for (int piece = 0; piece < 2; piece++)
        expect(j, "what is saved at the beginning", strip, found->begin_saves[piece],
               expected->begin_saves[piece]);
}

/* The rows of a strip in the last column that it has swept. */
static void check_rows(const judge *j, int64_t strip, const uint32_t *down)
{
    const rhomb__sweep *w = &j->p->sweep;
    const model_strip *swept = sweep_model_strip(&j->plain.model, strip);
    const int64_t direction = strip % 2, top = strip / 2 * w->strip_rows;
    const int64_t first = sweep_model_first_block(w, direction);
    const int64_t column = (swept->end - first) * RHOMB__BLOCK_COLUMNS;
    const rhomb__sliced_rows rows = rhomb__sliced_rows_of(&w->costs, down);
    for (int64_t row = 0; swept->begin >= 0 && row < w->strip_rows; row++) {
        expect(j, "a difference", strip, rhomb__sliced_growth(&rows, row, 1),
               plain_sweep_at(&j->plain, direction, top + row + 1, column) -
                   plain_sweep_at(&j->plain, direction, top + row, column));
        for (int piece = 0; piece < w->costs.pieces; piece++)
            expect(j, "what is saved in a row", strip, rhomb__sliced_saves(&rows, row, piece),
                   plain_sweep_saves_right(&j->plain, direction, top + row + 1, column, piece));
    }
}

/* How often strips were narrowed. */
typedef struct narrowings {
    int64_t later;   /* begin launches later, ... */
    int64_t sooner;  /* ... or end sooner, than their band does */
    int64_t limited; /* had ended when a larger end came to be known */
} narrowings;

static void count_narrowed(const judge *j, const rhomb_strip *records, narrowings *n)
{
    const int64_t steps = j->p->sweep.shape.steps;
    for (int64_t i = 2; i < rhomb__sweep_records(&j->p->sweep); i++) {
        const rhomb_strip *strip = &records[i];
        const int64_t begin = rhomb__strip_result(strip - 2)->begin;
        const int64_t end = rhomb__strip_result(strip)->end;
        if (begin >= end)
            continue;
        n->later += begin - strip->first_block > steps;
        n->sooner += strip->end_block > end;
    }
}

/* What src/strips/strips.h promises of a sweep, and each of its strips. */
static void check_sweep(judge *j, const sweep_rig *rig, int64_t index, int64_t bound, int64_t cost,
                        narrowings *n)
{
    const rhomb_strip *records = sweep_rig_records(rig, index);
    j->bound = bound;
    if (j->distance <= bound ? cost != j->distance : cost <= bound || cost < j->distance)
        fail_sweep(j, "(all) the cost", -1, cost, j->distance);
    count_narrowed(j, records, n);
    if (!j->is_swept)
        return;
    plain_sweep_run(&j->plain, bound, j->records);
    if (j->plain.model.wrong != NULL)
        fail_sweep(j, j->plain.model.wrong, j->plain.model.wrong_strip, 0, 0);
    for (int64_t strip = 0; strip < 2 * j->p->sweep.strips; strip++) {
        check_front(j, records, strip);
        check_rows(j, strip, sweep_rig_down(rig, index, strip));
    }
    n->limited += j->plain.model.limited;
    if (!j->is_covered)
        return;
    const int64_t left_out = path_cover_left_out(&j->cover, records, bound);
    expect(j, "the first strip that leaves out a path", left_out, left_out, -1);
}

/* A bound that a path of two gaps can have, from too low to the whole matrix. */
static int64_t random_bound(const judge *j, rng *r)
{
    const rhomb__costs *costs = &j->p->plan.costs;
    const int64_t n = j->p->letters.a.length, m = j->p->letters.b.length, d = j->distance;
    const int64_t least = least_cost(j->p);
    const int64_t most = rhomb__costs_gap(costs, n) + rhomb__costs_gap(costs, m);
    const int64_t bounds[] = {d - 1,
                              d,
                              d + 1,
                              least,
                              most,
                              d - 2 * costs->mismatch,
                              d - costs->open[costs->pieces - 1],
                              d + costs->open[costs->pieces - 1],
                              rng_between(r, 0, d),
                              rng_between(r, d / 2, d),
                              rng_between(r, d, rhomb__max(d, most)),
                              rhomb__costs_bound(costs, n - m, rng_between(r, 0, 40))};
    return rhomb__max(bounds[rng_below(r, COUNT(bounds))], least);
}

/* Sweeps for bounds one after the other, or for some random ones. */
static void check_problem(const sweep_problem *p, const int64_t *spare, size_t count, rng *r,
                          narrowings *n)
{
    sweep_rig rig;
    judge j;
    judge_start(&j, p);
    sweep_rig_start(&rig, p, 1);
    for (size_t i = 0; i < count; i++) {
        rhomb__sweep_breakpoint found;
        int64_t bound = i == 0 ? rhomb__max(j.distance, random_bound(&j, r)) : random_bound(&j, r);
        if (spare != NULL)
            bound = j.distance + spare[i];
        sweep_rig_run(&rig, &bound, &found);
        check_sweep(&j, &rig, 0, bound, found.cost, n);
    }
    sweep_rig_end(&rig);
    judge_end(&j);
}

static void check_randomly(const sweep_problem *p, rng *r, narrowings *n)
{
    check_problem(p, NULL, p->sweep.rows * p->sweep.columns < FEW_CELLS ? 8 : 3, r, n);
}

/* A pair of any model, or that is hard for gaps; false when it is one that no engine gets. */
static bool random_pair(sweep_problem *p, const emulated_sweep *kernel, rng *r)
{
    static const affine_family FAMILIES[] = {AFFINE_LONG_GAPS, AFFINE_BESIDE,  AFFINE_ENDS,
                                             AFFINE_ACROSS,    AFFINE_UNEQUAL, AFFINE_REPEATS};
    if (rng_chance(r, 0.5))
        return sweep_random_pair(p, kernel, r);
    p->kernel = kernel;
    affine_pair_make(FAMILIES[rng_below(r, COUNT(FAMILIES))], sweep_random_length(kernel, r), r,
                     &p->letters);
    p->letters.a.length = rhomb__min(p->letters.a.length, SWEEP_LONGEST);
    p->letters.b.length = rhomb__min(p->letters.b.length, SWEEP_LONGEST);
    return p->letters.a.length > 0 && p->letters.b.length > 0;
}

/* Fewer of the pairs that take longer. */
static int64_t pairs_of(const emulated_sweep *kernel)
{
    return amount(rhomb__max(300 * 64 / rhomb__max(sweep_strip_rows(kernel), 64), 24));
}

static void test_sweeps(void **state)
{
    sweep_problem p = {0};
    narrowings n = {0, 0, 0};
    for (size_t v = 0; v < COUNT(SWEEPS); v++) {
        const rhomb__costs costs = costs_of(SWEEPS[v]);
        for (int64_t number = 0; number < pairs_of(&SWEEPS[v]->sweep); number++) {
            rng r = rng_for("sliced", (int64_t)v * 1000 + number);
            if (!random_pair(&p, &SWEEPS[v]->sweep, &r))
                continue;
            complete_randomly(&p, &costs, &r);
            check_randomly(&p, &r, &n);
        }
    }
    const int64_t least = amount_is_whole() ? 10 : 0;
    assert_true(n.later > least && n.sooner > least);
    pair_release(&p.letters);
}

/* All pairs of lengths around the edges of blocks and words, with one edit or none. */
static void test_edges(void **state)
{
    static const int64_t LENGTHS[] = {1, 2, 15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 64, 65, 70};
    sweep_problem p = {0};
    narrowings n = {0, 0, 0};
    for (size_t i = 0; i < COUNT(LENGTHS) * COUNT(LENGTHS); i++) {
        rng r = rng_for("sliced edges", (int64_t)i);
        if (!amount_takes((int64_t)i))
            continue;
        const emulated_bitsliced *v = SWEEPS[i % COUNT(SWEEPS)];
        const rhomb__costs costs = costs_of(v);
        p.kernel = &v->sweep;
        p.letters.a.length = p.letters.b.length = 0;
        letters_random(&p.letters.a, sweep_alphabet(p.kernel->planes), SWEEP_SHORT, &r);
        letters_append(&p.letters.b, p.letters.a.at, SWEEP_SHORT);
        p.letters.b.at[rng_below(&r, SWEEP_SHORT)] = 'N';
        p.letters.a.length = LENGTHS[i % COUNT(LENGTHS)];
        p.letters.b.length = LENGTHS[i / COUNT(LENGTHS)];
        complete_randomly(&p, &costs, &r);
        check_randomly(&p, &r, &n);
    }
    pair_release(&p.letters);
}

/* Several sweeps in the same launches, each with its own band. */
static void test_side_by_side(void **state)
{
    enum { MOST = 4 };
    static judge judges[MOST];
    sweep_problem problems[MOST] = {0};
    narrowings n = {0, 0, 0};
    for (int64_t number = 0; number < amount((int64_t)COUNT(SWEEPS) * 20); number++) {
        rng r = rng_for("side by side", number);
        const emulated_bitsliced *v = SWEEPS[(size_t)number % COUNT(SWEEPS)];
        const rhomb__costs costs = costs_of(v);
        const int64_t count = rng_between(&r, 2, MOST), steps = rng_between(&r, 1, 20);
        int64_t bounds[MOST];
        rhomb__sweep_breakpoint found[MOST];
        sweep_rig rig;
        for (int64_t i = 0; i < count; i++) {
            while (!random_pair(&problems[i], &v->sweep, &r))
                continue;
            sweep_complete_problem(&problems[i], &costs, steps, (int)rng_between(&r, 1, 2));
            choose_borders(&problems[i], &r);
            judge_start(&judges[i], &problems[i]);
            bounds[i] = random_bound(&judges[i], &r);
        }
        sweep_rig_start(&rig, problems, count);
        sweep_rig_run(&rig, bounds, found);
        for (int64_t i = 0; i < count; i++) {
            check_sweep(&judges[i], &rig, i, bounds[i], found[i].cost, &n);
            judge_end(&judges[i]);
        }
        sweep_rig_end(&rig);
    }
    for (int i = 0; i < MOST; i++)
        pair_release(&problems[i].letters);
}

/* Bases that have little in common use up the bound, strip by strip, so the band gets narrow. */
static void test_narrowing(void **state)
{
    sweep_problem p = {0};
    narrowings n[2] = {{0, 0, 0}, {0, 0, 0}}; /* of groups, of vectors */
    for (size_t v = 0; v < COUNT(SWEEPS); v++) {
        const rhomb__costs costs = costs_of(SWEEPS[v]);
        const emulated_sweep *kernel = p.kernel = &SWEEPS[v]->sweep;
        const int64_t length = rhomb__max(4 * sweep_strip_rows(kernel), SWEEP_LONGEST / 3);
        for (int64_t number = 0; length * length < MOST_CELLS && number < 3; number++) {
            rng r = rng_for("sliced narrowing", (int64_t)v * 100 + number);
            p.letters.a.length = p.letters.b.length = 0;
            letters_random(&p.letters.a, sweep_alphabet(kernel->planes), length, &r);
            letters_mutate(&p.letters.b, &p.letters.a, 0.6, sweep_alphabet(kernel->planes), &r);
            complete_randomly(&p, &costs, &r);
            const int64_t spare[] = {-costs.extend[0], length / 8};
            check_problem(&p, spare, COUNT(spare), &r, &n[kernel->lanes > 1]);
        }
    }
    for (int vectors = 0; vectors < 2; vectors++)
        assert_true(n[vectors].later > 4 && n[vectors].sooner > 1);
    pair_release(&p.letters);
}

/* Appends a copy with `count` mismatches in its first rows, as far apart as can be. */
static void append_copy(letters *to, const letters *from, int64_t length, int64_t rows,
                        int64_t count)
{
    const int64_t at = to->length;
    letters_append(to, from->at, length);
    for (int64_t i = 0; i < count; i++) {
        char *base = &to->at[at + (2 * i + 1) * rows / (2 * count)];
        *base = *base == 'A' ? 'C' : 'A';
    }
}

/*
 * A strip's first item may have ended, by all that the strip above knew, when that one finds out
 * about a larger end: where a second path comes by on the right, which is too dear by less than an
 * opening. Here that is the beginning of the query, twice in the target, with mismatches so far
 * apart in both that a gap instead of some of them gains nothing. Those of the second copy come
 * early: else a gap down from there would do as well as the path, on all columns before.
 */
static int64_t make_late_end(sweep_problem *p, const rhomb__costs *costs, rng *r)
{
    const int64_t strip_rows = sweep_strip_rows(p->kernel);
    const int64_t rows = rhomb__max(2 * strip_rows, 256), far = rows + 16 * rng_below(r, 3);
    const int64_t open = costs->open[costs->pieces - 1], extend = rhomb__costs_least_extend(costs);
    const int64_t gap = rhomb__costs_gap(costs, far);
    /* As many as it takes to be too dear, and within the band by the bound that does it. */
    const int64_t second = (gap + open - extend * far) / costs->mismatch + 1 + rng_below(r, 2);
    const int64_t bound = gap + second * costs->mismatch + extend * far - open - rng_below(r, 8);
    /* By the first path alone the strip below ends some blocks before the second one. */
    const int64_t room = 2 * extend * (far - strip_rows - rng_between(r, 64, 96));
    const int64_t first = (bound + open - room) / costs->mismatch;
    const char *alphabet = sweep_alphabet(p->kernel->planes);
    letters *target = &p->letters.a, *query = &p->letters.b;
    target->length = query->length = 0;
    letters_random(query, alphabet, far + rows + 64, r);
    append_copy(target, query, rows, rows, first);
    letters_random(target, alphabet, far - rows, r);
    append_copy(target, query, rows, rows / 2, second);
    letters_random(target, alphabet, query->length - target->length, r);
    return bound;
}

static void test_late_end(void **state)
{
    sweep_problem p = {0};
    narrowings n[2] = {{0, 0, 0}, {0, 0, 0}}; /* of groups, of vectors */
    for (size_t v = 0; v < COUNT(SWEEPS); v++) {
        const rhomb__costs costs = costs_of(SWEEPS[v]);
        const int64_t open = costs.open[costs.pieces - 1];
        p.kernel = &SWEEPS[v]->sweep;
        /* Openings that are worth some blocks of a gap. */
        for (int64_t number = 0; open > 64 && open < 256 && number < 6; number++) {
            rng r = rng_for("late end", (int64_t)v * 100 + number);
            const int64_t bound = make_late_end(&p, &costs, &r);
            sweep_complete_problem(&p, &costs, rng_between(&r, 1, 4), 1);
            const int64_t spare = bound - gotoh(&p);
            check_problem(&p, &spare, 1, &r, &n[p.kernel->lanes > 1]);
        }
    }
    for (int vectors = 0; vectors < 2; vectors++)
        assert_true(n[vectors].limited > 2);
    pair_release(&p.letters);
}

/* 2^31 columns, and more than any sequence has. */
static const int64_t FAR_BLOCKS[] = {INT64_C(1) << 27, (INT64_C(1) << 27) + 5, INT64_C(1) << 28,
                                     INT64_C(1) << 40};

/* Moves the beginning of a sweep's only strip, as its record above says. */
static void move_begin(rhomb_strip *records, int64_t blocks)
{
    records[0].front[0].begin += blocks;
    records[0].front[1].begin += blocks;
}

/* The same with its end; the cost is too little for the room that this takes. */
static void move_end(rhomb_strip *records, int64_t blocks, int64_t extend)
{
    const int64_t room = 2 * extend * RHOMB__BLOCK_COLUMNS * blocks;
    records[0].front[0].room += room;
    records[0].front[1].room += room;
    records[2].end_block += blocks;
}

/*
 * A strip that began, or that will end, further away than columns in 32 bits: launches in the
 * middle of a strip that see it so change nothing.
 */
static void test_far_edges(void **state)
{
    sweep_problem p = {0};
    narrowings n = {0, 0, 0};
    for (size_t v = 0; v < COUNT(SWEEPS); v++) {
        const rhomb__costs costs = costs_of(SWEEPS[v]);
        rng r = rng_for("far edges", (int64_t)v);
        sweep_rig rig;
        judge j;
        p.kernel = &SWEEPS[v]->sweep;
        p.letters.a.length = p.letters.b.length = 0;
        letters_random(&p.letters.a, sweep_alphabet(p.kernel->planes), 600, &r);
        letters_random(&p.letters.b, sweep_alphabet(p.kernel->planes), 10, &r);
        sweep_complete_problem(&p, &costs, rng_between(&r, 1, 4), 1);
        judge_start(&j, &p);
        sweep_rig_start(&rig, &p, 1);
        for (size_t i = 0; i < COUNT(FAR_BLOCKS); i++) {
            const int64_t far = FAR_BLOCKS[i], extend = rhomb__costs_least_extend(&costs);
            const int64_t bound = rhomb__costs_gap(&costs, 600) + rhomb__costs_gap(&costs, 10);
            const rhomb_strip *strip = &rig.records[2];
            rhomb__sweep_breakpoint found;
            sweep_rig_begin(&rig, &bound);
            for (int64_t launch = 0; launch < rig.launches; launch++) {
                const bool has_begun = launch > 0 && strip->front[(launch - 1) & 1].end > 0;
                const bool ends = (launch + 1) * p.sweep.shape.steps >= strip->end_block;
                move_begin(rig.records, has_begun ? -far : 0);
                move_end(rig.records, ends ? 0 : far, extend);
                sweep_rig_launch(&rig, launch);
                move_end(rig.records, ends ? 0 : -far, extend);
                move_begin(rig.records, has_begun ? far : 0);
            }
            sweep_rig_finish(&rig, &found);
            check_sweep(&j, &rig, 0, bound, found.cost, &n);
        }
        sweep_rig_end(&rig);
        judge_end(&j);
    }
    pair_release(&p.letters);
}

int main(int argc, char **argv)
{
    amount_from(argc, argv, 1);
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edges),        cmocka_unit_test(test_sweeps),
        cmocka_unit_test(test_side_by_side), cmocka_unit_test(test_narrowing),
        cmocka_unit_test(test_late_end),     cmocka_unit_test(test_far_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
