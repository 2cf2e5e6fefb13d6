/* SPDX-License-Identifier: MIT */
/*
 * The bit-sliced step as the host knows it, see sliced.h.
 */
#include "src/strips/sliced.h"

#include "src/base/int64.h"

bool rhomb__sliced_can(const rhomb__costs *costs)
{
    return costs->open[0] + costs->extend[0] <= RHOMB_SLICED_MOST &&
           (costs->pieces == 1 || costs->open[1] <= RHOMB_SLICED_MOST);
}

rhomb__slices rhomb__sliced_planes(const rhomb__costs *costs)
{
    const rhomb__slices planes = {RHOMB_SLICED_BITS(2 * (costs->open[0] + costs->extend[0])),
                                  {RHOMB_SLICED_BITS(costs->open[0]),
                                   costs->pieces == 2 ? RHOMB_SLICED_BITS(costs->open[1]) : 0}};
    return planes;
}

static int32_t border_planes(const rhomb__costs *costs)
{
    const rhomb__slices planes = rhomb__sliced_planes(costs);
    return planes.u + planes.saves[0] + planes.saves[1];
}

int32_t rhomb__sliced_border_words(const rhomb__costs *costs)
{
    return (border_planes(costs) + 1) / 2;
}

int32_t rhomb__sliced_state_words(const rhomb__costs *costs)
{
    return 2 * border_planes(costs);
}

/*
 * Shifts of v and x and of the symbols, the match; sums and differences; the comparisons with a
 * mismatch and with each other. The second piece's numbers are wider by two. What an item hands to
 * the next is packed, shifted and unpacked once for all of its words.
 */
double rhomb__sliced_operations(const rhomb__costs *costs, int32_t symbol_planes, int32_t words)
{
    const rhomb__slices planes = rhomb__sliced_planes(costs);
    const double u = planes.u, x = planes.saves[0], x2 = planes.saves[1];
    const double top = 2.0 * (double)(costs->open[0] + costs->extend[0]);
    const bool few =
        costs->pieces == 1 && costs->mismatch <= 2 && (int64_t)top == 1 << (planes.u - 1);
    double operations = 2 * symbol_planes + u + x + (few ? 4 : 4 * u);
    operations += 4 * (u + x) + 2 * u + 2 * (x > 0 ? u + x : 0);
    if (costs->pieces == 2)
        operations += x2 + 2 * (3 * ((u > x2 ? u : x2) + 2) + 2 * u) + 2 * (3 * (x2 + 2) + x2);
    return operations + 3.0 * border_planes(costs) / words;
}

/* Of Myers' step a word of 32 rows takes about 15 operations per column, and one a plane. */
double rhomb__sweep_rate(double rate, const rhomb__costs *sliced, int32_t symbol_planes,
                         int32_t words)
{
    return rate * (15 + 2) /
           (sliced != NULL ? rhomb__sliced_operations(sliced, symbol_planes, words)
                           : 15 + symbol_planes);
}

rhomb__sliced_rows rhomb__sliced_rows_of(const rhomb__costs *costs, const uint32_t *state)
{
    const rhomb__sliced_rows rows = {costs, rhomb__sliced_planes(costs), state};
    return rows;
}

/* The number in `count` planes from `first` on, in a row. */
static int64_t number_at(const rhomb__sliced_rows *rows, int64_t row, int32_t first, int32_t count)
{
    const uint32_t *words = rows->state + row / 32 * rhomb__sliced_state_words(rows->costs) + first;
    int64_t number = 0;
    for (int32_t k = 0; k < count; k++)
        number |= (int64_t)(words[k] >> row % 32 & 1) << k;
    return number;
}

int64_t rhomb__sliced_growth(const rhomb__sliced_rows *rows, int64_t from, int64_t count)
{
    const int32_t pitch = rhomb__sliced_state_words(rows->costs);
    int64_t sum = count * (rows->costs->open[0] + rows->costs->extend[0]);
    for (int64_t row = from; row < from + count;) {
        const int64_t bit = row % 32, here = rhomb__min(32 - bit, from + count - row);
        const uint32_t *words = rows->state + row / 32 * pitch;
        const uint32_t mask = (here == 32 ? UINT32_MAX : (UINT32_C(1) << here) - 1) << bit;
        for (int32_t k = 0; k < rows->planes.u; k++)
            sum -= rhomb__count_bits(words[k] & mask) << k;
        row += here;
    }
    return sum;
}

int64_t rhomb__sliced_saves(const rhomb__sliced_rows *rows, int64_t row, int piece)
{
    const int32_t first = rows->planes.u + (piece == 1 ? rows->planes.saves[0] : 0);
    return number_at(rows, row, first, rows->planes.saves[piece]);
}

int64_t rhomb__sliced_run_on(const rhomb__costs *costs, const int32_t saves[2], int64_t bases)
{
    int64_t least = INT64_MAX;
    if (bases == 0)
        return 0;
    for (int piece = 0; piece < costs->pieces; piece++)
        least = rhomb__min(least, costs->open[piece] - saves[piece] + costs->extend[piece] * bases);
    return least;
}

void rhomb__sliced_run_saves(const rhomb__costs *costs, const int32_t saves[2], int64_t bases,
                             int32_t after[2])
{
    const int64_t cost = rhomb__sliced_run_on(costs, saves, bases);
    for (int piece = 0; piece < 2; piece++) {
        const int64_t left = cost + saves[piece] - costs->extend[piece] * bases;
        after[piece] = piece < costs->pieces ? (int32_t)rhomb__max(left, 0) : 0;
    }
}
