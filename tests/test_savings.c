/* SPDX-License-Identifier: MIT */
/*
 * The cells that bounds save, against tiles that are counted here diagonal by diagonal. (That a
 * run's cells and savings make up all cells of a run without pruning, test_bounds.c sees.)
 */
#include "src/planner/savings.h"
#include "support/rng.h"
#include "support/test.h"

/* Cells of the trapezoids that cover the diagonals which a bound leaves in a launch. */
static int64_t count_cells(const rhomb__stretch *s, int64_t start, int64_t bound)
{
    const rhomb__tiling *t = &s->tiling;
    const int64_t end = t->target_length - t->query_length, stored = t->diagonals - 2 * t->scores;
    const bool prunes = t->pruning && bound != RHOMB__NO_BOUND;
    int64_t diagonals = 0, tiles = 0;
    for (int64_t k = -t->query_length; k <= t->target_length; k++)
        diagonals +=
            llabs(k) <= start + t->scores && (!prunes || llabs(k - end) <= bound - (start + 1));
    while (tiles * stored < diagonals)
        tiles++;
    return s->directions * tiles * stored * t->scores;
}

static rhomb__stretch draw(rng *r)
{
    const int64_t columns = rng_between(r, 1, 9);
    const rhomb__tiling tiling = {.shape = RHOMB_TILE_TRAPEZOID,
                                  .diagonals = 2 * columns + rng_between(r, 1, 20),
                                  .scores = columns,
                                  .query_length = rng_between(r, 1, 120),
                                  .target_length = rng_between(r, 1, 120),
                                  .pruning = rng_chance(r, 0.9)};
    const int64_t most = tiling.query_length + tiling.target_length;
    const rhomb__stretch stretch = {.tiling = tiling,
                                    .directions = rng_between(r, 1, 2),
                                    .start = columns * rng_below(r, 5) - 1,
                                    .limit = rng_chance(r, 0.5) ? rng_between(r, 1, most)
                                                                : RHOMB__NO_BOUND};
    return stretch;
}

static void test_sums(void **state)
{
    int64_t limited = 0;
    for (int64_t i = 0; i < 3000; i++) {
        rng r = rng_for("savings", i);
        const rhomb__stretch s = draw(&r);
        const int64_t end = s.start + rng_below(&r, 60);
        const rhomb__savings before = {rng_below(&r, 100), rng_below(&r, 100)};
        rhomb__savings expected = before, got = before;
        int64_t left = 0;
        for (int64_t start = s.start; start < end; start += s.tiling.scores) {
            const int64_t all = count_cells(&s, start, RHOMB__NO_BOUND);
            const int64_t within = count_cells(&s, start, s.limit);
            expected.limit += all - within;
            left += within;
        }
        const int64_t cells = rng_between(&r, 0, left);
        expected.diagonal += left - cells;
        rhomb__savings_add(&got, &s, end, cells);
        assert_true(got.limit == expected.limit);
        assert_true(got.diagonal == expected.diagonal);
        limited += got.limit > before.limit;
    }
    assert_true(limited > 300);
}

/* A batch after the end, and one whose last diamond stood out of the wavefronts that count. */
static void test_nothing(void **state)
{
    rng r = rng_for("savings", 0);
    const rhomb__stretch s = draw(&r);
    rhomb__savings got = {0, 0};
    rhomb__savings_add(&got, &s, s.start, 0);
    rhomb__savings_add(&got, &s, s.start - 10, 40);
    assert_true(got.limit == 0 && got.diagonal == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_nothing),
    };
    return cmocka_run_group_tests_name("savings", tests, NULL, NULL);
}
