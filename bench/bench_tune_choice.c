/* SPDX-License-Identifier: MIT */
/*
 * What follows from the measurements of the suite `tune`: the best tiles, whether a wavefront has
 * two of them, and where the second one takes over.
 *
 * A small tile has little work in a column, and narrow pyramids wait for columns; a large one
 * computes less twice and hides its waits behind each other, but leaves a narrow pyramid to few
 * work-groups. Up to column c the two take S(c) and L(c) seconds. The lead of the small one, L(c) -
 * S(c), grows while its rate is the higher one, and is largest where the other's rate passes it.
 * Larger pairs that change tiles at c take less by the lead than with the large tile alone, so that
 * is the place. The lead changes little about its largest: an error of the place costs no more than
 * one of the clock.
 */
#include "bench_tune.h"

int bench_best(const bench_score *scores, int count)
{
    double highest = 0;
    int best = 0;
    for (int i = 0; i < count; i++)
        highest = scores[i].rate > highest ? scores[i].rate : highest;
    for (int i = 0; i < count; i++) {
        const bool same = scores[i].rate >= highest * BENCH_SAME_RATE;
        if (same && (scores[best].rate < highest * BENCH_SAME_RATE ||
                     scores[i].seconds < scores[best].seconds))
            best = i;
    }
    return best;
}

void bench_tuned_choose(bench_tuned *tuned, const bench_tile *tiles, int count)
{
    bench_score narrow[BENCH_MOST_TILES], wide[BENCH_MOST_TILES];
    for (int i = 0; i < count; i++) {
        const bench_score in_narrow = {1 / tiles[i].wavefront_seconds, tiles[i].medium_seconds};
        const bench_score in_wide = {tiles[i].cells_per_second, tiles[i].wavefront_seconds};
        narrow[i] = in_narrow;
        wide[i] = in_wide;
    }
    tuned->narrow = tiles[bench_best(narrow, count)];
    tuned->wide = tiles[bench_best(wide, count)];
}

bool bench_tuned_wants_two(const bench_tuned *tuned)
{
    const bench_tile *narrow = &tuned->narrow, *wide = &tuned->wide;
    return wide->plan.tile_shape == RHOMB_TILE_TRAPEZOID &&
           narrow->wavefront_seconds < wide->wavefront_seconds * BENCH_SAME_RATE &&
           narrow->cells_per_second < wide->cells_per_second * BENCH_SAME_RATE;
}

/* To two digits: no run says more. */
static int64_t rounded(int64_t value)
{
    int64_t unit = 1;
    while (value / unit >= 100)
        unit *= 10;
    return (value + unit / 2) / unit * unit;
}

int64_t bench_switch_diagonals(const bench_step *steps, int count)
{
    double most = 0;
    int best = -1;
    for (int i = 0; i < count; i++) {
        const double lead = steps[i].wide_seconds - steps[i].narrow_seconds;
        if (lead > most) {
            most = lead;
            best = i;
        }
    }
    if (best < 0)
        return 0;
    /* Column r has 2 r + 1 diagonals, and two directions come to half of the columns each. */
    return best == count - 1 ? INT64_MAX : rounded(2 * steps[best].columns);
}
