/* SPDX-License-Identifier: MIT */
/*
 * The kernel of cl/batch/batch_sliced.cl as host code, in buffers of the sizes that
 * src/batch/batch_sliced.c gives it, so that the sanitizers see every access: costs are those of
 * Gotoh's matrix, paths those that the kernel's rule says, and what it has no room for goes on to
 * the next level. Pairs are whole, or parts of them at costs that are known.
 */
#include "emu/emulated.h"
#include "emulated_variants.h"
#include "src/base/int64.h"
#include "src/batch/batch_scored_shape.h"
#include "src/batch/batch_sliced.h"
#include "support/affine_pair.h"
#include "support/amount.h"
#include "support/cost_sets.h"
#include "support/test.h"
#include "tests/emu/emu_pairs.h"
#include "tests/reference/path_judge.h"

#define DECLARE(name) extern const emulated_batch_sliced name;
EMULATED_BATCH_SLICED_MAP(DECLARE)

#define ADDRESS(name) &name,
static const emulated_batch_sliced *const VARIANTS[] = {EMULATED_BATCH_SLICED_MAP(ADDRESS)};

enum { PAIRS = 44, ANSWERS_BEFORE = 3, OPERATIONS_BEFORE = 7, LEVEL = 1, NEXT = 2, LEVELS = 3 };

#define NEVER     (INT64_MAX / 4)
#define UNTOUCHED 0x55555555

/* A pair, or what is aligned of it, and what it costs. */
typedef struct part {
    const char *target, *query;
    int64_t n, m;
    int64_t cost;
    bool other;    /* it has bases without a code */
    int64_t wrong; /* by so much more than its cost it is known */
    rhomb_batch_scored told;
    rhomb_cigar_op *path;
    int64_t operations;
} part;

typedef struct job {
    const emulated_batch_sliced *variant;
    rhomb__costs costs;
    oracle_penalties penalties;
    pair pairs[PAIRS];
    part parts[PAIRS];
    emu_pairs placed;
    uint32_t *packed;
    uint8_t *flags;
    int64_t longest;
    int64_t launches; /* so far */
    bool similar;     /* longer pairs, of which known parts are nearly the whole */
} job;

/* A launch, and what it leaves. */
typedef struct launch {
    rhomb_batch_affine_job job;
    int64_t groups;
    int64_t listed;     /* the first of the list's pairs; 0: all of the job */
    int64_t operations; /* for which there is room, all of which are taken */
    uint32_t lists[LEVELS][PAIRS];
    rhomb_batch_counts counts;
    emulated_batch_sliced_arguments arguments;
} launch;

static rhomb__costs costs_of(const emulated_batch_sliced *v)
{
    rhomb__costs costs = costs_of_numbers(v->costs);
    costs.replaced = v->replaced;
    return costs;
}

static rhomb__batch_shape shape_of(const emulated_batch_sliced *v)
{
    return (rhomb__batch_shape){.group_size = v->group_size,
                                .sliced_words = v->item_words,
                                .sliced_lanes = v->lanes,
                                .sliced_groups = 3,
                                .workers = 1};
}

/* Of a cell the least cost of any path, and of those within a gap, by RHOMB_GAP_*. */
typedef struct cell {
    int64_t cost[5];
} cell;

static void fill_cell(const job *j, const part *p, cell *cells, int64_t row, int64_t column)
{
    const rhomb__costs *costs = &j->costs;
    cell *c = &cells[row * (p->n + 1) + column];
    int64_t best = row == 0 && column == 0 ? 0 : NEVER;
    if (row > 0 && column > 0) {
        const int64_t before = (c - p->n - 2)->cost[0];
        const bool equal = p->query[row - 1] == p->target[column - 1];
        best = equal ? before : costs->replaced ? NEVER : before + costs->mismatch;
    }
    for (int gap = RHOMB_GAP_D; gap <= RHOMB_GAP_I_2; gap++) {
        const int piece = (gap - RHOMB_GAP_D) % 2;
        const bool is_i = RHOMB_GAP_IS_I(gap), begins = is_i ? row == 0 : column == 0;
        const cell *from = begins ? NULL : is_i ? c - p->n - 1 : c - 1;
        c->cost[gap] = from == NULL || piece >= costs->pieces
                           ? NEVER
                           : rhomb__min(from->cost[0] + costs->open[piece], from->cost[gap]) +
                                 costs->extend[piece];
        best = rhomb__min(best, c->cost[gap]);
    }
    c->cost[0] = best;
}

static void put(part *p, uint32_t code)
{
    rhomb_cigar_op *last = &p->path[p->operations - 1];
    if (p->operations > 0 && (*last & 15) == code)
        *last += 1 << 4;
    else
        p->path[p->operations++] = 1 << 4 | code;
}

/* The gap, or none, by which the path comes to a cell. */
static int gap_of(const job *j, const part *p, const cell *c, bool equal, bool by_waves)
{
    static const int ORDER[] = {RHOMB_GAP_D, RHOMB_GAP_I, RHOMB_GAP_D_2, RHOMB_GAP_I_2};
    const int64_t diagonal = (c - p->n - 2)->cost[0] + (equal ? 0 : j->costs.mismatch);
    const bool can = equal ? !by_waves : !j->costs.replaced;
    if (can && c->cost[0] == diagonal)
        return RHOMB_GAP_NONE;
    for (size_t i = 0; i < COUNT(ORDER); i++)
        if (c->cost[ORDER[i]] == c->cost[0])
            return ORDER[i];
    return RHOMB_GAP_NONE;
}

/*
 * The path by the rule: from the end on, mismatches first, then gaps, then matches, or matches
 * first where the matrix takes less than wavefronts; longer gaps before new ones.
 */
static void trace_back(const job *j, part *p, const cell *cells)
{
    const bool by_waves = rhomb__batch_is_by_waves(&j->costs, p->n, p->m, p->cost);
    int64_t row = p->m, column = p->n;
    int gap = RHOMB_GAP_NONE;
    while (row > 0 && column > 0) {
        const cell *c = &cells[row * (p->n + 1) + column];
        const bool equal = p->query[row - 1] == p->target[column - 1];
        const int64_t open = gap == RHOMB_GAP_NONE ? 0 : j->costs.open[(gap - RHOMB_GAP_D) % 2];
        if (gap != RHOMB_GAP_NONE && c->cost[gap] > c->cost[0] + open)
            gap = RHOMB_GAP_NONE;
        if (gap == RHOMB_GAP_NONE)
            gap = gap_of(j, p, c, equal, by_waves);
        if (gap == RHOMB_GAP_NONE)
            put(p, equal ? RHOMB_BATCH_EQ : RHOMB_BATCH_X);
        else
            put(p, RHOMB_GAP_IS_I(gap) ? RHOMB_BATCH_I : RHOMB_BATCH_D);
        row -= gap == RHOMB_GAP_NONE || RHOMB_GAP_IS_I(gap);
        column -= gap == RHOMB_GAP_NONE || !RHOMB_GAP_IS_I(gap);
    }
    for (; row > 0; row--)
        put(p, RHOMB_BATCH_I);
    for (; column > 0; column--)
        put(p, RHOMB_BATCH_D);
    for (int64_t i = 0; i < p->operations / 2; i++) {
        const rhomb_cigar_op swap = p->path[i];
        p->path[i] = p->path[p->operations - 1 - i];
        p->path[p->operations - 1 - i] = swap;
    }
}

/* Cost and path of a part; both are what plain code elsewhere says that they cost. */
static void solve_part(const job *j, part *p)
{
    cell *cells = emu_allocate((p->n + 1) * (p->m + 1), sizeof *cells);
    for (int64_t row = 0; row <= p->m; row++)
        for (int64_t column = 0; column <= p->n; column++)
            fill_cell(j, p, cells, row, column);
    p->cost = cells[(p->n + 1) * (p->m + 1) - 1].cost[0];
    p->path = emu_allocate(p->n + p->m + 1, sizeof *p->path);
    p->operations = 0;
    trace_back(j, p, cells);
    free(cells);
    const rhomb_pair texts = {p->target, p->n, p->query, p->m};
    const rhomb_pair_extent whole = {
        .score = -p->cost, .target_end = p->n, .query_end = p->m, .reached_end = true};
    assert_int_equal(p->cost, oracle_gotoh(p->target, p->n, p->query, p->m, &j->penalties));
    assert_null(path_judge_extent(p->path, p->operations, &texts, &whole, &j->penalties));
}

static int64_t draw_length(rng *r)
{
    static const int64_t EDGES[] = {1, 16, 32, 64, 96, 128, 192};
    return rng_chance(r, 0.6) ? EDGES[rng_below(r, COUNT(EDGES))] + rng_between(r, 0, 2) - 1
                              : rng_below(r, 140) + 1;
}

/* Other codes count as A, once it has been noted where they are. */
static void make_job(job *j, rng *r)
{
    static const affine_family SIMILAR[] = {AFFINE_UNIFORM, AFFINE_LONG_GAPS, AFFINE_BESIDE,
                                            AFFINE_ACROSS};
    for (int i = 0; i < PAIRS; i++) {
        affine_family family = (affine_family)(i % AFFINE_FAMILY_COUNT);
        if (family == AFFINE_STRIPS) /* thousands of bases */
            family = AFFINE_REPEATS;
        if (j->similar)
            affine_pair_make(SIMILAR[i * (int)COUNT(SIMILAR) / PAIRS], 100 + rng_below(r, 300), r,
                             &j->pairs[i]);
        else
            affine_pair_make(family, draw_length(r), r, &j->pairs[i]);
    }
    emu_pairs_place(&j->placed, j->pairs, PAIRS);
    j->packed = emu_pairs_pack(&j->placed, j->variant->planes);
    j->flags = emu_pairs_flags(&j->placed);
    for (int i = 0; i < PAIRS; i++) {
        letters *const texts[] = {&j->pairs[i].a, &j->pairs[i].b};
        j->parts[i].other = false;
        for (int t = 0; t < 2; t++)
            for (int64_t at = 0; at < texts[t]->length; at++)
                if (memchr("ACGT", texts[t]->at[at], 4) == NULL) {
                    texts[t]->at[at] = 'A';
                    j->parts[i].other = true;
                }
    }
}

/* The parts: whole pairs, or ranges of them whose costs are known, a few of them wrong. */
static void make_parts(job *j, bool known, rng *r)
{
    j->longest = 0;
    for (int i = 0; i < PAIRS; i++) {
        const pair *texts = &j->pairs[i];
        part *p = &j->parts[i];
        int64_t ends[4] = {0, texts->a.length, 0, texts->b.length};
        for (int side = 0; known && side < 4; side += 2) {
            const int64_t share = j->similar ? 40 : 2;
            ends[side] = rng_below(r, ends[side + 1] / share + 1);
            ends[side + 1] -= rng_below(r, (ends[side + 1] - ends[side]) / share + 1);
        }
        free(p->path);
        p->target = texts->a.at + ends[0];
        p->query = texts->b.at + ends[2];
        p->n = ends[1] - ends[0];
        p->m = ends[3] - ends[2];
        p->other &= !known;
        solve_part(j, p);
        const int64_t wrongs[] = {1, 50, -1, -p->cost - 9, 1000000};
        p->wrong = known && i % 7 == 3 ? wrongs[i / 7 % (int)COUNT(wrongs)] : 0;
        p->told = (rhomb_batch_scored){.kind = known && i % 11 == 5 ? RHOMB_BATCH_BEYOND
                                                                    : RHOMB_BATCH_FOUND,
                                       .score = (rhomb_i32)(3 * (p->n + p->m) - p->cost - p->wrong),
                                       .target_begin = (rhomb_i32)ends[0],
                                       .target_end = (rhomb_i32)ends[1],
                                       .query_begin = (rhomb_i32)ends[2],
                                       .query_end = (rhomb_i32)ends[3]};
        j->longest = rhomb__max(j->longest, rhomb__max(p->n, p->m));
    }
}

static void release_job(job *j)
{
    for (int i = 0; i < PAIRS; i++) {
        pair_release(&j->pairs[i]);
        free(j->parts[i].path);
    }
    emu_pairs_release(&j->placed);
    free(j->packed);
    free(j->flags);
}

/* What the kernel has to say of a part: a kind, or NEXT. */
static int32_t expected_kind(const job *j, const launch *l, const part *p)
{
    const rhomb__batch_shape shape = shape_of(j->variant);
    const bool trivial = p->n == 0 || p->m == 0;
    const int64_t cells = rhomb__batch_sliced_cells(&shape, &j->costs, j->variant->path,
                                                    rhomb__max(p->n, p->m), l->job.team_items);
    const int32_t left = l->job.next < LEVELS ? NEXT : RHOMB_BATCH_BEYOND;
    if (p->other)
        return RHOMB_BATCH_BASES;
    if (p->told.kind != RHOMB_BATCH_FOUND)
        return p->told.kind;
    if (!trivial && cells > l->job.group_cells)
        return left;
    if (l->job.known && p->wrong != 0)
        return RHOMB_BATCH_WRONG;
    if (!l->job.known && l->job.max_cost >= 0 && p->cost > l->job.max_cost)
        return RHOMB_BATCH_EXCEEDS;
    const bool by_waves = rhomb__batch_is_by_waves(&j->costs, p->n, p->m, p->cost);
    return j->variant->path && !trivial && by_waves && p->cost > l->job.limit ? left
                                                                              : RHOMB_BATCH_FOUND;
}

/* The operations that the kernel may take for a part. */
static int64_t room_for(const job *j, const launch *l, const part *p)
{
    const rhomb__costs *costs = &j->costs;
    const int64_t gap = costs->open[0] + costs->extend[0];
    const int64_t edit = costs->replaced ? gap : rhomb__min(gap, costs->mismatch);
    if (!j->variant->path || expected_kind(j, l, p) != RHOMB_BATCH_FOUND || p->n + p->m == 0)
        return 0;
    return p->n == 0 || p->m == 0 ? 1 : rhomb__min(2 * (p->cost / edit) + 1, p->n + p->m + 1);
}

static void run(job *j, launch *l)
{
    emulated_batch_sliced_arguments *a = &l->arguments;
    const int64_t listed = l->listed > 0 ? l->listed : PAIRS;
    int64_t operations = OPERATIONS_BEFORE;
    for (int i = 0; i < PAIRS; i++)
        l->lists[LEVEL][i] = (uint32_t)(PAIRS - 1 - i);
    a->answers = emu_allocate(ANSWERS_BEFORE + PAIRS, sizeof *a->answers);
    for (int i = 0; i < PAIRS; i++) {
        if (l->listed == 0 || PAIRS - 1 - i < listed)
            operations += room_for(j, l, &j->parts[i]);
        if (l->job.known)
            a->answers[ANSWERS_BEFORE + i] = j->parts[i].told;
    }
    l->counts = (rhomb_batch_counts){.pairs_at = EMU_PAIRS_BEFORE,
                                     .answers_at = ANSWERS_BEFORE,
                                     .cigar_used = OPERATIONS_BEFORE,
                                     .others = 1};
    l->counts.listed[LEVEL] = (uint32_t)listed;
    l->job.level = LEVEL;
    l->job.levels = LEVELS;
    l->job.half_match = 3;
    l->job.doubled = l->job.unit = 1;
    a->bases = j->packed;
    a->flags = j->flags;
    a->pairs = j->placed.places;
    a->lists = l->lists[0];
    a->list_pitch = PAIRS;
    a->cigars = emu_allocate(operations, sizeof *a->cigars);
    a->memory = emu_allocate(l->groups * l->job.group_cells, sizeof *a->memory);
    a->counts = &l->counts;
    a->job = l->job;
    a->all = l->listed == 0;
    j->variant->solve(a, l->groups);
    l->operations = operations;
}

static void fail_part(const job *j, const launch *l, int64_t index, const char *why)
{
    const part *p = &j->parts[index];
    const rhomb_batch_scored *got = &l->arguments.answers[ANSWERS_BEFORE + index];
    const int32_t *c = j->variant->costs;
    fail_msg("group %d, words %d, lanes %d, path %d, costs %d, %d, %d, %d, %d, %d items, %lld "
             "groups of %lld "
             "cells, max %d, limit %d, known %d: pair %lld, %.*s x %.*s: %s: kind %d, cost %d, %u "
             "operations; the cost is %lld",
             (int)j->variant->group_size, (int)j->variant->item_words, (int)j->variant->lanes,
             (int)j->variant->path, (int)c[0], (int)c[1], (int)c[2], (int)c[3], (int)c[4],
             (int)l->job.team_items, (long long)l->groups, (long long)l->job.group_cells,
             (int)l->job.max_cost, (int)l->job.limit, (int)l->job.known, (long long)index,
             (int)p->n, p->target, (int)p->m, p->query, why, (int)got->kind, (int)got->score,
             (unsigned)got->cigar_count, (long long)p->cost);
}

static void check_part(const job *j, const launch *l, int64_t index)
{
    const part *p = &j->parts[index];
    const rhomb_batch_scored *got = &l->arguments.answers[ANSWERS_BEFORE + index];
    const int32_t kind = expected_kind(j, l, p);
    const bool untouched = l->listed > 0 && PAIRS - 1 - index >= l->listed;
    int64_t listed = 0;
    for (uint32_t i = 0; i < l->counts.listed[NEXT]; i++)
        listed += l->lists[NEXT][i] == index;
    if (listed != (!untouched && kind == NEXT))
        fail_part(j, l, index, "another next level");
    if (untouched || kind == NEXT) {
        if (!l->job.known && got->kind != UNTOUCHED)
            fail_part(j, l, index, "an answer");
        return;
    }
    if (got->kind != kind)
        fail_part(j, l, index, "another kind");
    if (kind != RHOMB_BATCH_FOUND)
        return;
    if (got->score != (l->job.known ? p->told.score : p->cost))
        fail_part(j, l, index, "another cost");
    if (j->variant->path &&
        (got->cigar_count != p->operations ||
         (p->operations > 0 && memcmp(l->arguments.cigars + got->cigar_at, p->path,
                                      (size_t)p->operations * sizeof *p->path) != 0)))
        fail_part(j, l, index, "another path");
}

/* Runs a launch, and compares all that it leaves; of a job's launches it takes a share. */
static void check(job *j, launch l)
{
    if (!amount_takes(j->launches++))
        return;
    run(j, &l);
    for (int64_t i = 0; i < PAIRS; i++)
        check_part(j, &l, i);
    assert_int_equal(l.counts.cigar_used, l.operations);
    free(l.arguments.answers);
    free(l.arguments.cigars);
    free(l.arguments.memory);
}

/* With the memory that the longest sequence takes. */
static launch launch_of(const job *j, int32_t items, int64_t longest)
{
    const rhomb__batch_shape shape = shape_of(j->variant);
    return (launch){.groups = 1,
                    .job = {.team_items = items,
                            .next = NEXT,
                            .max_cost = -1,
                            .limit = (rhomb_i32)rhomb__batch_most_by_waves(&j->costs),
                            .group_cells = rhomb__batch_sliced_cells(
                                &shape, &j->costs, j->variant->path, longest, items)}};
}

static job job_of(size_t variant, bool similar, rng *r)
{
    job j = {
        .variant = VARIANTS[variant], .costs = costs_of(VARIANTS[variant]), .similar = similar};
    j.penalties = costs_penalties(&j.costs);
    j.penalties.mismatch += j.costs.replaced;
    make_job(&j, r);
    return j;
}

/* All pairs by teams of all sizes, in several groups; then fewer pairs than teams, or a few more.
 */
static void test_teams(void **state)
{
    for (size_t v = 0; v < COUNT(VARIANTS); v++) {
        rng r = rng_for("emulated sliced teams", (int64_t)v);
        job j = job_of(v, false, &r);
        make_parts(&j, false, &r);
        for (int32_t items = 1; items <= VARIANTS[v]->group_size; items *= 2) {
            launch l = launch_of(&j, items, j.longest);
            check(&j, l);
            l.groups = 3;
            l.listed = 1 + rng_below(&r, 2 * VARIANTS[v]->group_size * VARIANTS[v]->lanes / items);
            l.listed = rhomb__min(l.listed, PAIRS);
            check(&j, l);
        }
        release_job(&j);
    }
}

/* A pair has room where the planner says so, to the word. */
static void test_room(void **state)
{
    for (size_t v = 0; v < COUNT(VARIANTS); v++) {
        rng r = rng_for("emulated sliced room", (int64_t)v);
        job j = job_of(v, false, &r);
        make_parts(&j, false, &r);
        for (int32_t items = 1; items <= VARIANTS[v]->group_size; items *= 2)
            for (int beside = -16; beside <= 0; beside += 16) {
                const part *p = &j.parts[rng_below(&r, PAIRS)];
                launch l = launch_of(&j, items, rhomb__max(rhomb__max(p->n, p->m), 17));
                l.job.group_cells += beside;
                check(&j, l);
                l.job.next = LEVELS;
                l.groups = 2;
                check(&j, l);
            }
        release_job(&j);
    }
}

/* As the planner has it for several sizes of memory. */
static void test_planned(void **state)
{
    for (size_t v = 0; v < COUNT(VARIANTS); v++) {
        rhomb__batch_shape shape = shape_of(VARIANTS[v]);
        rng r = rng_for("emulated sliced planned", (int64_t)v);
        job j = job_of(v, false, &r);
        make_parts(&j, false, &r);
        for (int64_t longest = 20; longest <= j.longest; longest = longest * 5 / 2) {
            shape.bytes[RHOMB__BATCH_COLUMNS] =
                8 * rhomb__batch_sliced_cells(&shape, &j.costs, VARIANTS[v]->path, longest,
                                              shape.group_size) +
                rng_below(&r, 40);
            const rhomb__batch_teams teams =
                rhomb__batch_teams_of(&shape, &j.costs, VARIANTS[v]->path, false, j.longest, PAIRS);
            launch l = launch_of(&j, teams.items, j.longest);
            assert_int_equal(teams.fits, teams.group_cells >= l.job.group_cells);
            assert_true(teams.groups * teams.group_cells * 4 <= shape.bytes[RHOMB__BATCH_COLUMNS]);
            l.groups = teams.groups;
            l.job.group_cells = teams.group_cells;
            if (teams.fits)
                l.job.next = LEVELS;
            check(&j, l);
        }
        release_job(&j);
    }
}

/* Costs that the caller limits, and paths by wavefronts that would take too much memory. */
static void test_limits(void **state)
{
    for (size_t v = 0; v < COUNT(VARIANTS); v++) {
        rng r = rng_for("emulated sliced limits", (int64_t)v);
        job j = job_of(v, false, &r);
        make_parts(&j, false, &r);
        for (int round = 0; round < 8; round++) {
            const int32_t items = rhomb__max(VARIANTS[v]->group_size >> round % 2, 1);
            launch l = launch_of(&j, items, j.longest);
            const int64_t cost = j.parts[rng_below(&r, PAIRS)].cost + round % 3 - 1;
            if (round < 4)
                l.job.max_cost = (rhomb_i32)rhomb__max(cost, 0);
            else
                l.job.limit = (rhomb_i32)rhomb__max(cost, 1);
            check(&j, l);
        }
        release_job(&j);
    }
}

/* Parts of pairs at costs that are known, and at others. */
static void test_known(void **state)
{
    for (size_t v = 0; v < COUNT(VARIANTS); v++) {
        rng r = rng_for("emulated sliced known", (int64_t)v);
        job j = job_of(v, false, &r);
        for (int32_t items = 1; items <= VARIANTS[v]->group_size; items *= 4) {
            make_parts(&j, true, &r);
            launch l = launch_of(&j, items, j.longest);
            l.job.known = 1;
            l.listed = PAIRS;
            check(&j, l);
            l = launch_of(&j, items, rhomb__max(j.longest / 2, 1));
            l.job.known = 1;
            check(&j, l);
        }
        release_job(&j);
    }
}

/* Bands that differ from pair to pair, where a group has one, and are shared by several. */
static void test_bands(void **state)
{
    for (size_t v = 0; v < COUNT(VARIANTS); v++) {
        rng r = rng_for("emulated sliced bands", (int64_t)v);
        job j = job_of(v, true, &r);
        make_parts(&j, true, &r);
        for (int32_t items = VARIANTS[v]->group_size; items >= 1; items /= 2) {
            launch l = launch_of(&j, items, j.longest);
            l.job.known = 1;
            check(&j, l);
        }
        release_job(&j);
    }
}

int main(int argc, char **argv)
{
    amount_from(argc, argv, 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_teams),  cmocka_unit_test(test_room),  cmocka_unit_test(test_planned),
        cmocka_unit_test(test_limits), cmocka_unit_test(test_known), cmocka_unit_test(test_bands),
    };
    return cmocka_run_group_tests_name("emulated batch in bit planes", tests, NULL, NULL);
}
