/* SPDX-License-Identifier: MIT */
/*
 * The kernels of cl/batch/batch_local.cl and cl/batch/batch_extend.cl as host code, in buffers of
 * the sizes that the planner gives them, so that the sanitizers see every access: scores, begins
 * and ends are those of whole matrices in plain code.
 */
#include "emu/emulated.h"
#include "emulated_variants.h"
#include "src/base/int64.h"
#include "src/batch/mode_bins.h"
#include "support/affine_pair.h"
#include "support/test.h"
#include "tests/emu/emu_pairs.h"
#include "tests/reference/gotoh_modes.h"

#define DECLARE(name) extern const emulated_batch_mode name;
EMULATED_BATCH_LOCAL_MAP(DECLARE)
EMULATED_BATCH_EXTEND_MAP(DECLARE)

#define ADDRESS(name) &name,
static const emulated_batch_mode *const LOCAL[] = {EMULATED_BATCH_LOCAL_MAP(ADDRESS)};
static const emulated_batch_mode *const EXTEND[] = {EMULATED_BATCH_EXTEND_MAP(ADDRESS)};

enum { PAIRS = 60, ANSWERS_BEFORE = 3 };

typedef struct job {
    const emulated_batch_mode *variant;
    pair pairs[PAIRS];
    emu_pairs placed;
    uint32_t lists[3][PAIRS]; /* the last one is solved */
    rhomb_batch_counts counts;
    emulated_batch_mode_arguments arguments;
} job;

static void make_job(job *j, int64_t longest, rng *r)
{
    for (int i = 0; i < PAIRS; i++) {
        pair *p = &j->pairs[i];
        affine_family family = (affine_family)(i % AFFINE_FAMILY_COUNT);
        if (family == AFFINE_STRIPS || family == AFFINE_CODES) /* long, or other letters */
            family = AFFINE_ENDS;
        affine_pair_make(family, rng_below(r, longest) + 1, r, p);
        j->lists[2][i] = (uint32_t)(PAIRS - 1 - i);
    }
    emu_pairs_place(&j->placed, j->pairs, PAIRS);
}

static void release_job(job *j)
{
    for (int i = 0; i < PAIRS; i++)
        pair_release(&j->pairs[i]);
    emu_pairs_release(&j->placed);
    free((void *)(uintptr_t)j->arguments.bases);
    free(j->arguments.answers);
    free(j->arguments.memory);
}

static rhomb_batch_scoring scoring_of(const oracle_penalties *p)
{
    const bool second = p->pieces == 2;
    return (rhomb_batch_scoring){.match = (rhomb_i32)p->match,
                                 .mismatch = (rhomb_i32)p->mismatch,
                                 .open = (rhomb_i32)(p->open[0] + p->extend[0]),
                                 .extend = (rhomb_i32)p->extend[0],
                                 .open_2 = second ? (rhomb_i32)(p->open[1] + p->extend[1]) : 0,
                                 .extend_2 = second ? (rhomb_i32)p->extend[1] : 0};
}

/* The memory that the planner has for the largest pair. */
static int64_t slot_cells(const job *j, rhomb_mode mode, int32_t items, bool drops)
{
    const emulated_batch_mode *v = j->variant;
    const rhomb_scoring scoring = {
        .match = 1, .gap_open_2 = v->pieces == 2 ? 1 : -1, .gap_extend_2 = -1};
    const rhomb_batch_options options = {.mode = mode, .scoring = &scoring};
    const rhomb__batch_shape shape = {.group_size = items, /* so that the last bins have as many */
                                      .item_rows = v->item_rows,
                                      .lanes = v->lanes == 16 ? 16 : 1,
                                      .drops = drops,
                                      .short_scores = v->bits == 16};
    const int32_t scores = (v->bits == 16 ? 1 : 2) * RHOMB__BATCH_SHORT_BINS - 1;
    const int32_t bin = !drops || j->arguments.diagonal ? scores : 0;
    rhomb_pair longest = {NULL, 0, NULL, 0};
    for (int i = 0; i < PAIRS; i++) {
        const pair *p = &j->pairs[i];
        longest.target_length = rhomb__max(longest.target_length, p->a.length);
        longest.query_length = rhomb__max(longest.query_length, p->b.length);
    }
    return (rhomb__batch_slot_cells(&shape, &options, bin, &longest) + 1) / 2 * 2;
}

/* `drops`: by the kernel for extensions that may stop early. */
static void check_job(job *j, const oracle_mode *mode, const oracle_penalties *p, int32_t items,
                      int64_t groups, bool lines, bool drops)
{
    emulated_batch_mode_arguments *a = &j->arguments;
    const rhomb_free_ends *ends = &mode->free_ends;
    const int64_t slot = slot_cells(j, mode->mode, items, drops);
    const bool local = mode->mode == RHOMB_MODE_LOCAL;
    j->counts = (rhomb_batch_counts){.pairs_at = EMU_PAIRS_BEFORE, .answers_at = ANSWERS_BEFORE};
    j->counts.listed[2] = PAIRS;
    a->bases = emu_pairs_pack(&j->placed, j->variant->planes);
    a->pairs = j->placed.places;
    a->lists = j->lists[0];
    a->list_pitch = PAIRS;
    a->answers = emu_allocate(ANSWERS_BEFORE + PAIRS, sizeof *a->answers);
    a->memory = emu_allocate(groups * slot * (j->variant->group_size / items), 4);
    a->counts = &j->counts;
    a->local = (rhomb_batch_local_job){
        .scoring = scoring_of(p),
        .list = 2,
        .pair_items = items,
        .passes = mode->mode == RHOMB_MODE_EXTEND ? 1 : 2,
        .lines = lines,
        .free_query_begin = local ? INT32_MAX / 2 : (rhomb_i32)ends->query_begin,
        .free_query_end = (rhomb_i32)ends->query_end,
        .free_target_begin = local ? INT32_MAX / 2 : (rhomb_i32)ends->target_begin,
        .free_target_end = (rhomb_i32)ends->target_end,
        .slot_cells = slot};
    a->extend = (rhomb_batch_extend_job){
        .scoring = scoring_of(p),
        .list = 2,
        .z_drop = (rhomb_i32)mode->z_drop,
        .end_bonus = (rhomb_i32)mode->end_bonus,
        .pair_items = items,
        .first_limit = 8,
        .drop_extend = (rhomb_i32)(p->pieces == 2 && p->extend[1] < p->extend[0] ? p->extend[1]
                                                                                 : p->extend[0]),
        .slot_cells = slot};
    j->variant->solve(a, groups);
    for (int i = 0; i < PAIRS; i++) {
        const pair *texts = &j->pairs[i];
        const rhomb_batch_scored *got = &a->answers[ANSWERS_BEFORE + i];
        const rhomb_pair_extent e = oracle_mode_extent(texts->a.at, texts->a.length, texts->b.at,
                                                       texts->b.length, p, mode, NULL);
        if (got->kind != RHOMB_BATCH_FOUND || got->score != e.score ||
            got->target_begin != e.target_begin || got->target_end != e.target_end ||
            got->query_begin != e.query_begin || got->query_end != e.query_end)
            fail_msg("group %d, rows %d, lanes %d, bits %d, edges %d, %d items, z-drop %lld, "
                     "bonus %lld: %.*s x %.*s: %d, "
                     "%d, %d to %d, %d to %d, not %lld, %lld to %lld, %lld to %lld",
                     (int)j->variant->group_size, (int)j->variant->item_rows,
                     (int)j->variant->lanes, (int)j->variant->bits, (int)j->variant->edges,
                     (int)items, (long long)mode->z_drop, (long long)mode->end_bonus,
                     (int)texts->a.length, texts->a.at, (int)texts->b.length, texts->b.at,
                     (int)got->kind, (int)got->score, (int)got->target_begin, (int)got->target_end,
                     (int)got->query_begin, (int)got->query_end, (long long)e.score,
                     (long long)e.target_begin, (long long)e.target_end, (long long)e.query_begin,
                     (long long)e.query_end);
    }
}

static oracle_penalties draw_penalties(const emulated_batch_mode *v, rng *r)
{
    return (oracle_penalties){.match = rng_below(r, 4) + 1,
                              .mismatch = rng_below(r, 4) > 0 ? rng_below(r, 6) : 40,
                              .pieces = v->pieces,
                              .open = {rng_below(r, 6), 6 + rng_below(r, 10)},
                              .extend = {1 + rng_below(r, 3), rng_below(r, 2)}};
}

static rhomb_mode mode_of(const emulated_batch_mode *v)
{
    static const rhomb_mode modes[] = {RHOMB_MODE_LOCAL, RHOMB_MODE_ENDS_FREE, RHOMB_MODE_EXTEND};
    return modes[v->edges];
}

/* Also extensions that do not stop early. */
static void test_local(void **state)
{
    for (size_t v = 0; v < COUNT(LOCAL); v++)
        for (int64_t round = 0; round < 4; round++) {
            job j = {.variant = LOCAL[v]};
            rng r = rng_for("emulated batch modes", (int64_t)v * 10 + round);
            const oracle_penalties p = draw_penalties(LOCAL[v], &r);
            oracle_mode mode = {.mode = mode_of(LOCAL[v]), .z_drop = -1};
            if (mode.mode == RHOMB_MODE_ENDS_FREE && round > 0)
                mode.free_ends = (rhomb_free_ends){rng_below(&r, 30), rng_below(&r, 30),
                                                   rng_below(&r, 30), rng_below(&r, 30)};
            make_job(&j, round == 0 ? 200 : 60, &r);
            int32_t items = LOCAL[v]->group_size >> (round % 3);
            items = items > 0 ? items : 1;
            check_job(&j, &mode, &p, items, 1 + round % 2, round != 1, false);
            release_job(&j);
        }
}

static void check_extend(const emulated_batch_mode *variant, int32_t items, int64_t round)
{
    job j = {.variant = variant};
    rng r = rng_for("emulated extension", variant->group_size * 1000 + items * 10 + round);
    const oracle_penalties p = draw_penalties(variant, &r);
    const oracle_mode mode = {.mode = RHOMB_MODE_EXTEND,
                              .z_drop = round == 0 ? -1 : rng_below(&r, 40),
                              .end_bonus = round == 3 ? 100000 : round % 2 * rng_below(&r, 20)};
    make_job(&j, round == 0 ? 200 : 60, &r);
    j.arguments.diagonal = items == 0;
    check_job(&j, &mode, &p, items > 0 ? items : variant->group_size, 1 + round % 2, false, true);
    release_job(&j);
}

/* By antidiagonals, and by teams of all sizes. */
static void test_extend(void **state)
{
    for (size_t v = 0; v < COUNT(EXTEND); v++)
        for (int64_t round = 0; round < 4; round++) {
            check_extend(EXTEND[v], 0, round);
            for (int32_t items = 1; items <= EXTEND[v]->group_size && EXTEND[v]->item_rows > 0;
                 items *= 2)
                check_extend(EXTEND[v], items, round);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_local),
        cmocka_unit_test(test_extend),
    };
    return cmocka_run_group_tests_name("emulated batch modes", tests, NULL, NULL);
}
