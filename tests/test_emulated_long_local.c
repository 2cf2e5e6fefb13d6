/* SPDX-License-Identifier: MIT */
/*
 * The kernel of cl/local/long_local.cl as host code, in buffers of the sizes that the planner gives
 * them, so that the sanitizers see every access: the score and the end of whole matrices in plain
 * code (tests/reference/gotoh_modes.h), and backwards from there the beginning; in every mode, with
 * the jobs of src/planner/long_job.h.
 */
#include "emu/emu_packed.h"
#include "emulated_variants.h"
#include "src/planner/long_drop.h"
#include "src/planner/long_job.h"
#include "src/planner/long_shape.h"
#include "support/affine_pair.h"
#include "support/amount.h"
#include "support/guard.h"
#include "support/test.h"
#include "tests/reference/gotoh_modes.h"

#define DECLARE(name) extern const emulated_long name;
EMULATED_LONG_LOCAL_MAP(DECLARE)

#define ADDRESS(name) &name,
static const emulated_long *const VARIANTS[] = {EMULATED_LONG_LOCAL_MAP(ADDRESS)};

/* What RHOMB_MODE is for a z-drop. */
enum { DROPS = 4 };

/* Packs the `length` symbols from `at` on, or those before `at` backwards. */
static uint32_t *pack(const letters *text, int64_t at, int64_t length, bool backward,
                      int32_t planes)
{
    const int64_t unit = RHOMB_UNIT_WORDS(planes);
    uint32_t *packed =
        filled_memory((length / RHOMB_WORD_SYMBOLS + 1) * unit * (int64_t)sizeof *packed, 1);
    for (int64_t i = 0; i < length; i++) {
        const char letter = text->at[backward ? at - 1 - i : at + i];
        const uint32_t code = (uint32_t)(strchr("ACGT", letter) - "ACGT");
        const int shift = 31 - (int)(i % RHOMB_WORD_SYMBOLS);
        for (int32_t p = 0; p < planes; p++) {
            uint32_t *word = &packed[i / RHOMB_WORD_SYMBOLS * unit + p];
            *word = (*word & ~(1u << shift)) | (code >> p & 1u) << shift;
        }
    }
    return packed;
}

static rhomb__long_shape shape_of(const emulated_long *v, int32_t steps)
{
    return (rhomb__long_shape){.group_size = v->group_size,
                               .item_rows = v->item_rows,
                               .lanes = v->lanes,
                               .pieces = v->pieces,
                               .steps = steps,
                               .columns = v->lanes > 1 ? 1 : RHOMB_BATCH_LOCAL_BLOCK,
                               .items = v->group_size * v->lanes,
                               .drops = v->mode == DROPS};
}

/* Looks at antidiagonals as soon as they are said to be complete. */
static void take_tops(const emulated_long_arguments *a, rhomb__long_drop *drop,
                      const rhomb_scoring *scoring, int64_t z_drop, int64_t last)
{
    const int32_t *tops = a->tops;
    while (drop->looked_at < last && !drop->dropped) {
        const int64_t t = drop->looked_at + 1;
        rhomb__long_drop_take(drop, scoring, z_drop, tops[2 * t] - a->job.credit, tops[2 * t + 1]);
    }
}

/*
 * Runs all launches, each in two parts, and returns the best cell, borders included; in *end the
 * best one of the last row, of extensions with a bonus.
 */
static rhomb_long_local_cell sweep(const emulated_long *v, emulated_long_arguments *a,
                                   const rhomb__long_shape *shape, const rhomb_mode_options *mode,
                                   const rhomb_scoring *scoring, int32_t best,
                                   rhomb_long_local_cell *end)
{
    const int64_t n = a->job.target_length, m = a->job.query_length;
    const int64_t strips = rhomb__long_strips(shape, m), lag = rhomb__long_lag(shape);
    rhomb__long_drop drop = rhomb__long_drop_begin();
    rhomb_long_local_cell found = rhomb__long_border_end(mode, scoring, &a->job);
    rhomb_long_local_status status = {.best = {best, best}};
    *end = (rhomb_long_local_cell){0, 0, 0, 0};
    if (n == 0 || m == 0)
        return found;
    a->border = filled_memory(rhomb__long_border_bytes(shape, n), 1);
    a->state = filled_memory(rhomb__long_state_bytes(shape, m), 1);
    a->cells = filled_memory((strips + 1) * (int64_t)sizeof *a->cells, 1);
    a->status = &status;
    a->tops = shape->drops ? filled_memory((n + m + 1) * 2 * (int64_t)sizeof(int32_t), 1) : NULL;
    for (int64_t l = 0; l < rhomb__long_launches(shape, n, m); l++) {
        int64_t first, last, step;
        rhomb__long_running(shape, n, m, l, &first, &last, &step);
        const int64_t half = (last - first) / 2;
        a->turn = (int32_t)(l & 1);
        a->first = (int32_t)(first + half); /* in any order */
        a->step = (int32_t)(step - half * lag);
        v->launch(a, last - first - half);
        a->first = (int32_t)first;
        a->step = (int32_t)step;
        v->launch(a, half);
        if (shape->drops)
            take_tops(a, &drop, scoring, mode->z_drop, rhomb__long_complete(shape, n, m, l + 1));
    }
    for (int64_t i = 0; i < strips; i++)
        if (rhomb__long_is_before(mode->mode, &a->cells[i], &found))
            found = a->cells[i];
    if (mode->mode == RHOMB_MODE_EXTEND && a->job.last_row > 0 && a->job.last_row <= m)
        *end = a->cells[strips];
    if (shape->drops) {
        assert_true(drop.dropped || drop.looked_at == n + m);
        found = (rhomb_long_local_cell){(int32_t)drop.score + a->job.credit, (int32_t)drop.column,
                                        (int32_t)drop.row, 0};
    }
    if (drop.dropped)
        end->column = 0;
    free(a->tops);
    free(a->border);
    free(a->state);
    free(a->cells);
    return found;
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

static rhomb_scoring public_of(const oracle_penalties *p)
{
    const bool second = p->pieces == 2;
    return (rhomb_scoring){p->match,
                           p->mismatch,
                           p->open[0],
                           p->extend[0],
                           second ? p->open[1] : -1,
                           second ? p->extend[1] : -1};
}

/* Sweeps the job of a pair, or of what ends at (n, m), backwards. */
static rhomb_long_local_cell sweep_pair(const emulated_long *v, const pair *p, int64_t n, int64_t m,
                                        bool backward, const oracle_penalties *o, int32_t steps,
                                        const rhomb_mode_options *mode,
                                        const rhomb_long_local_job *job, int32_t best,
                                        rhomb_long_local_cell *end)
{
    const rhomb__long_shape shape = shape_of(v, steps);
    const rhomb_scoring scoring = public_of(o);
    uint32_t *target = pack(&p->a, backward ? n : 0, job->target_length, backward, v->planes);
    uint32_t *query = pack(&p->b, backward ? m : 0, job->query_length, backward, v->planes);
    emulated_long_arguments a = {.query = query, .target = target, .job = *job};
    a.job.scoring = scoring_of(o);
    a.job.steps = steps;
    const rhomb_long_local_cell found = sweep(v, &a, &shape, mode, &scoring, best, end);
    free(target);
    free(query);
    return found;
}

/* What the kernel makes of a pair, forward and backward. */
static rhomb_pair_extent extent_of(const emulated_long *v, const pair *p, const oracle_penalties *o,
                                   const rhomb_mode_options *mode, int32_t steps)
{
    const rhomb_scoring scoring = public_of(o);
    rhomb__error error = {RHOMB_OK, NULL, ""};
    rhomb_long_local_job job;
    rhomb_long_local_cell last;
    int32_t best;
    assert_int_equal(
        rhomb__long_forward(&error, mode, &scoring, p->a.length, p->b.length, &job, &best),
        RHOMB_OK);
    rhomb_long_local_cell end =
        sweep_pair(v, p, p->a.length, p->b.length, false, o, steps, mode, &job, best, &last);
    if (last.column > 0 && last.score + mode->end_bonus > end.score)
        end = last;
    rhomb_pair_extent e = {
        .score = end.score - job.credit, .target_end = end.column, .query_end = end.row};
    if (mode->mode == RHOMB_MODE_EXTEND || end.column + end.row == 0)
        return e;
    rhomb__long_backward(mode, &scoring, &e, &job, &best);
    const rhomb_long_local_cell begin =
        sweep_pair(v, p, end.column, end.row, true, o, steps, mode, &job, best, &last);
    e.target_begin = begin.score == best ? end.column - begin.column : -1;
    e.query_begin = begin.score == best ? end.row - begin.row : -1;
    return e;
}

static void check_pair(const emulated_long *v, const pair *p, const oracle_penalties *o,
                       const rhomb_mode_options *mode, int32_t steps)
{
    const oracle_mode how = {mode->mode, mode->free_ends, mode->z_drop, mode->end_bonus};
    const rhomb_free_ends *f = &mode->free_ends;
    const rhomb_pair_extent e =
        oracle_mode_extent(p->a.at, p->a.length, p->b.at, p->b.length, o, &how, NULL);
    const rhomb_pair_extent is = extent_of(v, p, o, mode, steps);
    if (is.score != e.score || is.target_end != e.target_end || is.query_end != e.query_end ||
        is.target_begin != e.target_begin || is.query_begin != e.query_begin)
        fail_msg("seed %llu: mode %d, z-drop %lld, free ends %lld,%lld,%lld,%lld, bonus %lld, "
                 "group %d, rows "
                 "%d, lanes %d, pieces %d, %d steps, match:%lld,%lld,%lld,%lld,%lld,%lld: %.*s x "
                 "%.*s: %lld (%lld, %lld) to (%lld, %lld), not %lld, (%lld, %lld) to (%lld, %lld)",
                 (unsigned long long)rng_seed(), (int)mode->mode, (long long)mode->z_drop,
                 (long long)f->query_begin, (long long)f->query_end, (long long)f->target_begin,
                 (long long)f->target_end, (long long)mode->end_bonus, (int)v->group_size,
                 (int)v->item_rows, (int)v->lanes, (int)v->pieces, (int)steps, (long long)o->match,
                 (long long)o->mismatch, (long long)o->open[0], (long long)o->extend[0],
                 (long long)o->open[1], (long long)o->extend[1], (int)p->a.length, p->a.at,
                 (int)p->b.length, p->b.at, (long long)is.score, (long long)is.target_begin,
                 (long long)is.query_begin, (long long)is.target_end, (long long)is.query_end,
                 (long long)e.score, (long long)e.target_begin, (long long)e.query_begin,
                 (long long)e.target_end, (long long)e.query_end);
}

/* Limits and bonuses: none, some, and beyond all lengths. */
static rhomb_mode_options draw_mode(const emulated_long *v, rng *r)
{
    static const int64_t LIMITS[] = {0, 0, 1, 3, 20, 1000};
    rhomb_mode_options mode = RHOMB_MODE_OPTIONS_INIT;
    int64_t *const fields[] = {&mode.free_ends.query_begin, &mode.free_ends.query_end,
                               &mode.free_ends.target_begin, &mode.free_ends.target_end};
    mode.mode = v->mode == DROPS ? RHOMB_MODE_EXTEND : (rhomb_mode)v->mode;
    if (v->mode == DROPS)
        mode.z_drop = rng_below(r, 4) > 0 ? rng_below(r, 25) : 100000;
    for (size_t i = 0; i < COUNT(fields); i++)
        *fields[i] = LIMITS[rng_below(r, COUNT(LIMITS))];
    mode.end_bonus = LIMITS[rng_below(r, COUNT(LIMITS))];
    return mode;
}

static oracle_penalties draw_penalties(const emulated_long *v, rng *r)
{
    const bool scores = v->mode != RHOMB_MODE_ENDS_FREE || rng_below(r, 3) > 0;
    return (oracle_penalties){.match = scores ? rng_below(r, 4) + 1 : 0,
                              .mismatch =
                                  rng_below(r, 4) > 0 ? rng_below(r, 6) + (scores ? 0 : 1) : 40,
                              .pieces = v->pieces,
                              .open = {rng_below(r, 6), 6 + rng_below(r, 10)},
                              .extend = {1 + rng_below(r, 3), rng_below(r, 2)}};
}

static void check_drawn(const emulated_long *v, const pair *p, const oracle_penalties *o,
                        int32_t steps, rng *r)
{
    const rhomb_mode_options mode = draw_mode(v, r);
    check_pair(v, p, o, &mode, steps);
}

static int32_t draw_steps(const emulated_long *v, rng *r)
{
    const int64_t most = v->lanes > 1 ? 100 : RHOMB_LONG_LOCAL_STEPS;
    return (int32_t)(rng_below(r, 3) == 0 ? 1 + rng_below(r, most) : 1 + rng_below(r, 5));
}

static void test_random(void **state)
{
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (size_t v = 0; v < COUNT(VARIANTS); v++)
        for (int64_t i = 0; i < amount(120); i++) {
            rng r = rng_for("emulated long local", (int64_t)v * 1000 + i);
            const oracle_penalties o = draw_penalties(VARIANTS[v], &r);
            affine_family family = (affine_family)(i % AFFINE_FAMILY_COUNT);
            if (family == AFFINE_STRIPS || family == AFFINE_CODES || family == AFFINE_EMPTY)
                family = AFFINE_ENDS; /* long, other letters, or nothing to sweep */
            do
                affine_pair_make(family, rng_below(&r, i % 9 == 0 ? 250 : 70) + 1, &r, &p);
            while (p.a.length == 0 || p.b.length == 0);
            check_drawn(VARIANTS[v], &p, &o, draw_steps(VARIANTS[v], &r), &r);
        }
    pair_release(&p);
}

/* All pairs of up to three letters of two. */
static void test_exhaustive(void **state)
{
    for (size_t v = 0; v < COUNT(VARIANTS); v++)
        for (int which = 0; which < 16 * 16; which++) {
            if (!amount_takes(which + (int)v))
                continue;
            rng r = rng_for("emulated long local exhaustive", which);
            const oracle_penalties o = draw_penalties(VARIANTS[v], &r);
            pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
            letters *sides[] = {&p.a, &p.b};
            for (int side = 0; side < 2; side++) {
                const int bits = which >> 4 * side & 15;
                const int length = bits < 2 ? 1 : bits < 6 ? 2 : bits < 14 ? 3 : 4;
                for (int k = 0; k < length; k++)
                    letters_append(sides[side], bits >> k & 1 ? "C" : "A", 1);
            }
            check_drawn(VARIANTS[v], &p, &o, draw_steps(VARIANTS[v], &r), &r);
            pair_release(&p);
        }
}

/* Lengths one less than strips and launches have, as many, and one more. */
static void test_edges(void **state)
{
    for (size_t v = 0; v < COUNT(VARIANTS); v++)
        for (int64_t i = 0; i < 27; i++) {
            if (!amount_takes(i))
                continue;
            const rhomb__long_shape shape = shape_of(VARIANTS[v], 3 + (int32_t)(i / 9));
            rng r = rng_for("emulated long local edges", (int64_t)v * 100 + i);
            const oracle_penalties o = draw_penalties(VARIANTS[v], &r);
            pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
            letters_random(&p.a, "AC", 2 * shape.steps * shape.columns + i % 3 - 1, &r);
            letters_random(&p.b, "AC", 2 * shape.items * shape.item_rows + i / 3 % 3 - 1, &r);
            check_drawn(VARIANTS[v], &p, &o, shape.steps, &r);
            pair_release(&p);
        }
}

/*
 * After a common beginning both sequences have the same two pieces, in the other order: so there
 * are two ends with the same score on an antidiagonal, in other items or strips.
 */
static void test_ties(void **state)
{
    for (size_t v = 0; v < COUNT(VARIANTS); v++)
        for (int64_t i = 0; i < amount(40); i++) {
            rng r = rng_for("emulated long local ties", (int64_t)v * 100 + i);
            const oracle_penalties o = {.match = 2,
                                        .mismatch = 3,
                                        .pieces = VARIANTS[v]->pieces,
                                        .open = {1, 2},
                                        .extend = {i % 2, 0}};
            pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
            letters pieces[2] = {{NULL, 0, 0}, {NULL, 0, 0}};
            const int64_t length = rng_between(&r, 1, 90);
            letters_random(&p.a, "ACGT", rng_between(&r, 1, 60), &r);
            letters_append(&p.b, p.a.at, p.a.length);
            for (int piece = 0; piece < 2; piece++) {
                letters_random(&pieces[piece], "ACGT", length, &r);
                letters_append(&p.a, pieces[piece].at, length);
            }
            for (int piece = 1; piece >= 0; piece--) {
                letters_append(&p.b, pieces[piece].at, length);
                free(pieces[piece].at);
            }
            check_drawn(VARIANTS[v], &p, &o, draw_steps(VARIANTS[v], &r), &r);
            pair_release(&p);
        }
}

int main(int argc, char **argv)
{
    amount_from(argc, argv, 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_exhaustive),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_ties),
    };
    return cmocka_run_group_tests_name("emulated long local", tests, NULL, NULL);
}
