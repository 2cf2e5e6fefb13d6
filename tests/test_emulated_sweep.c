/* SPDX-License-Identifier: MIT */
/*
 * The kernels of the bit-parallel engine as host code (emu/), so that the sanitizers see every
 * access: the step of 32 rows against a plain column, bit planes against the symbols' codes, and
 * sweeps for bounds of all kinds against the distance and, strip by strip, against a plain dynamic
 * program that narrows its band as they have to.
 */
#include "emulated_variants.h"
#include "host/engines/engine.h"
#include "plain_sweep.h"
#include "src/base/int64.h"
#include "support/amount.h"
#include "support/oracle.h"
#include "support/test.h"
#include "sweep_rig.h"

#define DECLARE_BITPARALLEL(name) extern const emulated_bitparallel name;
EMULATED_BITPARALLEL_MAP(DECLARE_BITPARALLEL)

#define ADDRESS(name) &name,
static const emulated_bitparallel *const SWEEPS[] = {EMULATED_BITPARALLEL_MAP(ADDRESS)};

/* Cells of the largest matrix for the plain program. */
enum { MOST_CELLS = 5000000 };

/* A difference of -1, 0 or 1 as bit `bit` of two words, plus and minus. */
static void put_difference(uint32_t words[2], int bit, int64_t difference)
{
    words[0] |= (uint32_t)(difference == 1) << bit;
    words[1] |= (uint32_t)(difference == -1) << bit;
}

/* A column of 32 rows with any differences on its left and above, cell by cell. */
static void test_block_step(void **state)
{
    for (int64_t number = 0; number < 20000; number++) {
        rng r = rng_for("block_step", number);
        const uint32_t equal = (uint32_t)rng_below(&r, INT64_C(1) << 32);
        uint32_t down[2] = {0, 0}, expected[2] = {0, 0};
        /* Of the words of the block above only the top bit counts. */
        uint32_t across[2] = {(uint32_t)rng_below(&r, INT64_C(1) << 31),
                              (uint32_t)rng_below(&r, INT64_C(1) << 31)};
        int64_t above = rng_between(&r, -1, 1);
        put_difference(across, 31, above);
        for (int row = 0; row < 32; row++) {
            const int64_t left = rng_between(&r, -1, 1);
            const int64_t differs = !(equal >> row & 1);
            const int64_t cell = rhomb__min(differs, rhomb__min(left, above) + 1);
            put_difference(down, row, left);
            put_difference(expected, row, cell - above);
            above = cell - left;
        }
        const emulated_bitparallel *v = SWEEPS[(size_t)number % COUNT(SWEEPS)];
        v->block_step((int)rng_below(&r, v->sweep.lanes), equal, down, across);
        assert_true(down[0] == expected[0] && down[1] == expected[1]);
        assert_true(across[0] >> 31 == (above == 1) && across[1] >> 31 == (above == -1));
    }
}

/* Bit `plane` of the code of symbol `at`, which may be in the padding. */
static unsigned plane_of(const sweep_problem *p, const letters *these, int64_t at, int plane)
{
    return at >= 0 && at < these->length ? p->codes[(unsigned char)these->at[at]] >> plane & 1u : 0;
}

/* The parts of a direction: where they begin, and which symbol each bit is of. */
static void check_planes(const sweep_problem *p, int64_t most_bases)
{
    const int planes = p->kernel->planes;
    const rhomb__sweep *w = &p->sweep;
    const rhomb__pair_packing packing = rhomb__engine_bitparallel.packing(&p->plan);
    uint16_t *columns = sweep_pack(p, &packing.target, &p->letters.a, most_bases);
    uint32_t *rows = sweep_pack(p, &packing.query, &p->letters.b, most_bases);
    for (int64_t i = 0; i < w->columns * planes; i++) {
        const int64_t plane = i % planes, column = i / planes;
        const int64_t block = column / RHOMB__BLOCK_COLUMNS, bit = column % RHOMB__BLOCK_COLUMNS;
        const int64_t at = block < w->blocks[0]
                               ? column
                               : w->columns - 1 - (column - w->blocks[0] * RHOMB__BLOCK_COLUMNS);
        assert_true((columns[block * planes + plane] >> (15 - bit) & 1u) ==
                    plane_of(p, &p->letters.a, at, (int)plane));
    }
    const int64_t padded = w->strips * w->strip_rows;
    for (int64_t i = 0; i < (w->blocks[1] > 0 ? 2 : 1) * padded * planes; i++) {
        const int64_t plane = i % planes, row = i / planes;
        const int64_t word = row / RHOMB__WORD_ROWS, bit = row % RHOMB__WORD_ROWS;
        const int64_t at = row < padded ? row : w->rows - 1 - (row - padded);
        assert_true((rows[word * planes + plane] >> bit & 1u) ==
                    plane_of(p, &p->letters.b, at, (int)plane));
    }
    free(columns);
    free(rows);
}

static void test_planes(void **state)
{
    sweep_problem p = {0};
    for (int64_t number = 0; number < 200; number++) {
        rng r = rng_for("planes", number);
        if (!sweep_random_pair(&p, &SWEEPS[(size_t)number % COUNT(SWEEPS)]->sweep, &r))
            continue;
        sweep_complete_randomly(&p, NULL, &r);
        check_planes(&p, rng_chance(&r, 0.5) ? INT64_MAX : rng_between(&r, 32, 100));
    }
    pair_release(&p.letters);
}

/* A problem's sweeps. */
typedef struct sweeper {
    const sweep_problem *p;
    int64_t distance;
    sweep_rig rig;
} sweeper;

static void start(sweeper *s, const sweep_problem *p)
{
    const letters *a = &p->letters.a, *b = &p->letters.b;
    s->p = p;
    s->distance = oracle_distance(a->at, a->length, b->at, b->length, false);
    sweep_rig_start(&s->rig, p, 1);
}

static void fail_sweep(const sweeper *s, int64_t bound, const char *what, int64_t found,
                       int64_t expected)
{
    const sweep_problem *p = s->p;
    fail_msg("%s is %lld, not %lld; bound %lld, distance %lld, %lld steps a launch, %d directions, "
             "PLANES=%d GROUP_SIZE=%d ITEM_WORDS=%d LANES=%d\ntarget, %lld: %.*s\nquery, %lld: "
             "%.*s",
             what, (long long)found, (long long)expected, (long long)bound, (long long)s->distance,
             (long long)p->sweep.shape.steps, (int)p->plan.directions, (int)p->kernel->planes,
             (int)p->kernel->group_size, (int)p->kernel->item_words, (int)p->kernel->lanes,
             (long long)p->letters.a.length, (int)p->letters.a.length, p->letters.a.at,
             (long long)p->letters.b.length, (int)p->letters.b.length, p->letters.b.at);
}

/* How far each strip came, and what it says to the one below. */
static void check_fronts(const sweeper *s, int64_t bound)
{
    rhomb_strip plain_records[2 + MODEL_MOST_STRIPS];
    plain_sweep plain;
    plain_sweep_start(&plain, &s->p->letters, s->p->codes, &s->p->sweep);
    plain_sweep_run(&plain, bound, plain_records);
    assert_null(plain.model.wrong);
    for (int64_t i = 2; i < rhomb__sweep_records(&s->p->sweep); i++) {
        const rhomb_strip_front *found = rhomb__strip_result(&sweep_rig_records(&s->rig, 0)[i]);
        const rhomb_strip_front *expected = rhomb__strip_result(&plain_records[i]);
        if (found->begin != expected->begin)
            fail_sweep(s, bound, "where a strip begins", found->begin, expected->begin);
        if (found->end != expected->end)
            fail_sweep(s, bound, "where a strip ends", found->end, expected->end);
        if (found->score != expected->score)
            fail_sweep(s, bound, "the score of a strip", found->score, expected->score);
        if (found->begin == RHOMB_NO_BLOCK)
            continue;
        if (found->begin_score != expected->begin_score)
            fail_sweep(s, bound, "a first score", found->begin_score, expected->begin_score);
        if (found->room != expected->room)
            fail_sweep(s, bound, "the room of a strip", found->room, expected->room);
    }
    plain_sweep_end(&plain);
}

/* What src/strips/strips.h promises of a sweep. */
static void check_bound(sweeper *s, int64_t bound)
{
    const rhomb__sweep *w = &s->p->sweep;
    rhomb__sweep_breakpoint found;
    sweep_rig_run(&s->rig, &bound, &found);
    const int64_t cost = found.cost;
    if (s->distance <= bound ? cost != s->distance : cost <= bound)
        fail_sweep(s, bound, "the cost", cost, s->distance);
    if (cost < s->distance)
        fail_sweep(s, bound, "the cost", cost, s->distance);
    if (plain_sweep_fits(w) && w->rows * w->columns < MOST_CELLS)
        check_fronts(s, bound);
}

/* Bounds from too low to the whole matrix, in any order. */
static void check_problem(const sweep_problem *p, rng *r)
{
    const int64_t least = llabs(p->letters.a.length - p->letters.b.length);
    const int64_t most = p->letters.a.length + p->letters.b.length;
    sweeper s;
    start(&s, p);
    const int64_t d = s.distance;
    const int64_t bounds[] = {
        d - 1, most, least, d, d - 8, d + 1, rng_between(r, 0, d), rng_between(r, d, most)};
    const size_t turn = (size_t)rng_below(r, COUNT(bounds));
    for (size_t i = 0; i < COUNT(bounds); i++)
        check_bound(&s, rhomb__max(bounds[(i + turn) % COUNT(bounds)], least));
    sweep_rig_end(&s.rig);
}

/* Fewer of the pairs that take longer. */
static int64_t pairs_of(const emulated_sweep *v)
{
    return amount(rhomb__max(400 * 64 / rhomb__max(sweep_strip_rows(v), 64), 24));
}

static void test_sweeps(void **state)
{
    sweep_problem p = {0};
    for (size_t v = 0; v < COUNT(SWEEPS); v++) {
        for (int64_t number = 0; number < pairs_of(&SWEEPS[v]->sweep); number++) {
            rng r = rng_for("sweeps", (int64_t)v * 1000 + number);
            if (!sweep_random_pair(&p, &SWEEPS[v]->sweep, &r))
                continue;
            sweep_complete_randomly(&p, NULL, &r);
            check_problem(&p, &r);
        }
    }
    pair_release(&p.letters);
}

/* All pairs of lengths around the edges of blocks and words, with one edit or none. */
static void test_edges(void **state)
{
    static const int64_t LENGTHS[] = {1, 2, 15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 64, 65, 70};
    sweep_problem p = {0};
    for (size_t i = 0; i < COUNT(LENGTHS) * COUNT(LENGTHS); i++) {
        rng r = rng_for("edges", (int64_t)i);
        p.kernel = &SWEEPS[i % COUNT(SWEEPS)]->sweep;
        p.letters.a.length = p.letters.b.length = 0;
        letters_random(&p.letters.a, sweep_alphabet(p.kernel->planes), SWEEP_SHORT, &r);
        letters_append(&p.letters.b, p.letters.a.at, SWEEP_SHORT);
        p.letters.b.at[rng_below(&r, SWEEP_SHORT)] = 'N';
        p.letters.a.length = LENGTHS[i % COUNT(LENGTHS)];
        p.letters.b.length = LENGTHS[i / COUNT(LENGTHS)];
        sweep_complete_randomly(&p, NULL, &r);
        check_problem(&p, &r);
    }
    pair_release(&p.letters);
}

/* Strips that begin later, or end launches sooner, than their band does. */
static void count_narrowed(const sweeper *s, int64_t *later, int64_t *sooner)
{
    for (int64_t i = 2; i < rhomb__sweep_records(&s->p->sweep); i++) {
        const rhomb_strip *strip = &sweep_rig_records(&s->rig, 0)[i];
        const int64_t begin = rhomb__strip_result(strip - 2)->begin;
        const int64_t end = rhomb__strip_result(strip)->end;
        if (begin >= end)
            continue;
        *later += begin - strip->first_block > s->p->sweep.shape.steps;
        *sooner += strip->end_block - end > s->p->sweep.shape.steps;
    }
}

/* Bases that have little in common use up the bound, strip by strip, so the band gets narrow. */
static void test_narrowing(void **state)
{
    sweep_problem p = {0};
    int64_t later[2] = {0, 0}, sooner[2] = {0, 0}; /* of groups, of vectors */
    for (size_t v = 0; v < COUNT(SWEEPS); v++) {
        const bool vectors = SWEEPS[v]->sweep.lanes > 1;
        const int64_t length =
            rhomb__max(4 * sweep_strip_rows(&SWEEPS[v]->sweep), SWEEP_LONGEST / 3);
        p.kernel = &SWEEPS[v]->sweep;
        for (int64_t number = 0; length * length < MOST_CELLS && number < 8; number++) {
            rng r = rng_for("narrowing", (int64_t)v * 100 + number);
            p.letters.a.length = p.letters.b.length = 0;
            letters_random(&p.letters.a, sweep_alphabet(p.kernel->planes), length, &r);
            letters_mutate(&p.letters.b, &p.letters.a, 0.6, sweep_alphabet(p.kernel->planes), &r);
            sweep_complete_randomly(&p, NULL, &r);
            sweeper s;
            start(&s, &p);
            for (int64_t spare = -1; spare <= length / 8; spare += 1 + length / 8) {
                check_bound(&s, s.distance + spare);
                count_narrowed(&s, &later[vectors], &sooner[vectors]);
            }
            sweep_rig_end(&s.rig);
        }
    }
    for (int vectors = 0; vectors < 2; vectors++)
        assert_true(later[vectors] > 4 && sooner[vectors] > 4);
    pair_release(&p.letters);
}

int main(int argc, char **argv)
{
    amount_from(argc, argv, 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_block_step), cmocka_unit_test(test_planes),
        cmocka_unit_test(test_edges),      cmocka_unit_test(test_sweeps),
        cmocka_unit_test(test_narrowing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
