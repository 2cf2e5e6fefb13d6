/* SPDX-License-Identifier: MIT */
/*
 * Matrices in bit planes, see batch_sliced.h.
 */
#include "src/batch/batch_sliced.h"

#include <string.h>

#include "src/base/int64.h"
#include "src/planner/fit.h"
#include "src/planner/tiling.h"
#include "src/strips/sliced.h"

#define BLOCK 16

/* Two words are for costs with few planes, without marks: others have no registers left. */
#define MOST_OPERATIONS 150

/*
 * Jobs that the device computes at a time, whatever the number of workers: while it does, the
 * others are filled, sent and fetched.
 */
#define JOBS_AT_A_TIME 6

/*
 * Paths of known costs stay within a ninth of the length to either side, at errors of a tenth and
 * match:2,4,4,2. Where they do not, teams are smaller than they should be, else larger.
 */
#define REACH_SHARE 9

/* Where not even one group has room for the longest pairs. */
#define FEW_GROUPS 8

int32_t rhomb__batch_sliced_words(const rhomb__costs *costs, int32_t group_size, bool path)
{
    return group_size > 1 && !path && rhomb__sliced_operations(costs, 2, 2) <= MOST_OPERATIONS ? 2
                                                                                               : 1;
}

int32_t rhomb__batch_sliced_wave_cells(const rhomb__costs *costs, const rhomb__tuning_row *row,
                                       int32_t group_size)
{
    const rhomb__group_tuning *tuning = rhomb__group_tuning_of(row, group_size);
    return costs->pieces > 1 ? tuning->matrix_cells_pieces : tuning->matrix_cells;
}

bool rhomb__batch_is_cheap(const rhomb__costs *costs, int64_t n, int64_t m, int64_t cost,
                           int32_t wave_cells)
{
    return rhomb__affine_can(costs) &&
           cost * cost <= 2 * rhomb__costs_least_extend(costs) * n * m / wave_cells;
}

/* Steps of a group whose pairs have so many bases. */
static int64_t steps_of(const rhomb__batch_shape *s, int64_t longest, int64_t items)
{
    const int64_t words = s->sliced_words, blocks = rhomb__ceil_div(longest, BLOCK);
    const int64_t strips = rhomb__ceil_div(longest, RHOMB_BATCH_SLICED_ROWS(words));
    return RHOMB_BATCH_SLICED_STEPS(words, blocks, strips, items, 0);
}

/* The same in a band of so many columns to either side. */
static int64_t near_steps(const rhomb__batch_shape *s, int64_t longest, int64_t items, int64_t away)
{
    const int64_t words = s->sliced_words, rows = RHOMB_BATCH_SLICED_ROWS(words);
    const int64_t width = rhomb__ceil_div(rows + 2 * away, BLOCK) + 1;
    const int64_t strips = rhomb__ceil_div(longest, rows);
    return RHOMB_BATCH_SLICED_STEPS(words, width, strips, items, rows / BLOCK);
}

/*
 * Of one sweep: in a band, if the pairs' costs are known, or bounds of them by a narrow band, as
 * the kernel decides it.
 */
static int64_t likely_steps(const rhomb__batch_shape *s, bool path, bool known, int64_t longest,
                            int64_t items)
{
    const int64_t whole = steps_of(s, longest, items);
    const int64_t narrow = near_steps(s, longest, items, RHOMB_BATCH_SLICED_NARROW(longest));
    const int64_t near = rhomb__min(near_steps(s, longest, items, longest / REACH_SHARE), whole);
    const bool bounded = path && narrow <= whole / RHOMB_BATCH_SLICED_NARROW_SHARE;
    return known ? near : bounded ? near + narrow : whole;
}

/* The words of a guess, of 16 bases, and the most of them. */
#define WORD       16 /* a power of two */
#define WORD_STEP  64
#define MOST_WORDS 128

/* 8 bases, in upper case. */
static uint64_t folded(const char *bases)
{
    uint64_t eight;
    memcpy(&eight, bases, sizeof eight);
    return eight & UINT64_C(0xdfdfdfdfdfdfdfdf);
}

/* Whether a word is in the target, at most `away` bases from its place there. */
static bool is_near(const rhomb_pair *pair, const char *word, int64_t place, int64_t away)
{
    const uint64_t first = folded(word), second = folded(word + 8);
    const int64_t last = rhomb__min(place + away, pair->target_length - WORD);
    for (int64_t at = rhomb__max(place - away, 0); at <= last; at++)
        if (folded(pair->target + at) == first && folded(pair->target + at + 8) == second)
            return true;
    return false;
}

/* The errors of 1,000 bases that leave so many of the words whole. */
static int64_t errors_of(int64_t words, int64_t whole)
{
    int64_t errors = 0;
    for (; errors < 1000; errors++) {
        double left = 1 - (double)errors / 1000;
        for (int i = 1; i < WORD; i *= 2)
            left *= left;
        if (left * (double)words <= (double)whole)
            break;
    }
    return errors;
}

int64_t rhomb__batch_guess(const rhomb__costs *costs, const rhomb_pair *pair)
{
    const int64_t n = pair->target_length, m = pair->query_length, longest = rhomb__max(n, m);
    const int64_t away = RHOMB_BATCH_SLICED_NARROW(longest);
    const int64_t step = rhomb__max(m / MOST_WORDS, WORD_STEP);
    const int64_t edit = rhomb__min(costs->mismatch, rhomb__costs_gap(costs, 1));
    int64_t words = 0, near = 0;
    for (int64_t at = 0; at + WORD <= m; at += step, words++)
        near += is_near(pair, pair->query + at, at * n / m, away);
    return errors_of(words, near) * (longest * edit * costs->unit) / 1000;
}

int64_t rhomb__batch_sliced_cells(const rhomb__batch_shape *s, const rhomb__costs *costs, bool path,
                                  bool whole, int64_t longest, int64_t items)
{
    const int64_t words = s->sliced_words, marks = 4 * costs->pieces;
    const int64_t strips = rhomb__ceil_div(longest, RHOMB_BATCH_SLICED_ROWS(words));
    const int64_t chunk =
        whole ? strips : rhomb__min(strips, (int64_t)RHOMB_BATCH_SLICED_CHUNK(items));
    const int64_t blocks = rhomb__ceil_div(longest, BLOCK);
    const int64_t lanes = (int64_t)s->group_size * s->sliced_lanes;
    const int64_t border = blocks * rhomb__sliced_border_words(costs) * (lanes / items);
    const int64_t steps = RHOMB_BATCH_SLICED_STEPS(words, blocks, chunk, items, 0);
    const int64_t borders = path ? rhomb__ceil_div(strips, rhomb__max(chunk, 1)) : 1;
    return RHOMB_BATCH_SLICED_BORDER(border) * rhomb__max(borders, 1) +
           (path ? steps * BLOCK * words * lanes * marks : 0);
}

/* Sequences of twice the mean length are usual, and short ones. */
#define USUAL_TIMES 2
#define USUAL_BASES 256

int64_t rhomb__batch_usual_bases(int64_t bases, int64_t pairs)
{
    return rhomb__max(USUAL_TIMES * (bases / rhomb__max(2 * pairs, 1)), USUAL_BASES);
}

/*
 * Of the numbers of items that can share a pair the one with which all take the least time, with
 * all marks or, in less memory and so with more groups, in chunks. Other jobs run beside this one,
 * so it has a share of the device: work-items beyond that wait, and those for which there are no
 * pairs or no memory are missing. And pairs take turns where a group has several.
 */
rhomb__batch_teams rhomb__batch_teams_of(const rhomb__batch_shape *s, const rhomb__costs *costs,
                                         bool path, bool known, int64_t longest, int64_t count)
{
    const int64_t room = s->bytes[RHOMB__BATCH_COLUMNS] / (int64_t)sizeof(rhomb_u32);
    const int64_t jobs = rhomb__min(s->workers, JOBS_AT_A_TIME);
    const int64_t share = rhomb__max(s->sliced_groups * s->group_size / jobs, s->group_size);
    const int64_t here = rhomb__max(rhomb__min(longest, RHOMB_BATCH_SLICED_BASES), 1);
    const int64_t most = rhomb__min(s->sliced_groups, rhomb__ceil_div(count, s->sliced_lanes));
    const int64_t few = rhomb__max(rhomb__min(most, FEW_GROUPS), 1);
    rhomb__batch_teams best = {s->group_size, few, room / few / 16 * 16, false};
    int64_t least = INT64_MAX;
    for (int32_t way = 0; way < (path ? 2 : 1); way++) {
        for (int32_t items = s->group_size; items >= 1; items /= 2) {
            const bool whole = way == 0;
            const int64_t steps = likely_steps(s, path, known, here, items) * (whole ? 1 : 2);
            const int64_t cells = rhomb__batch_sliced_cells(s, costs, path, whole, here, items);
            if (cells > room)
                continue;
            const int64_t teams = (int64_t)s->group_size * s->sliced_lanes / items;
            const int64_t wanted = rhomb__ceil_div(count, teams);
            const int64_t groups =
                rhomb__groups_fitting(rhomb__min(s->sliced_groups, wanted), room, cells);
            const int64_t busy = rhomb__min(groups * s->group_size, share);
            const int64_t time = rhomb__max(steps * rhomb__ceil_div(wanted, groups),
                                            rhomb__ceil_div(steps * items * count, busy));
            if (time >= least)
                continue;
            least = time;
            best = (rhomb__batch_teams){items, groups, room / groups / 16 * 16, longest <= here};
        }
    }
    return best;
}
