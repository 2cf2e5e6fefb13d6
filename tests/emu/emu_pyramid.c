/* SPDX-License-Identifier: MIT */
/*
 * See emu_pyramid.h.
 */
#include "emu_pyramid.h"

#include "emu_packed.h"
#include "src/base/int64.h"
#include "support/guard.h"
#include "support/test.h"

/* Elements between a launch's forward and backward columns, and what they are: far too much. */
enum { GAP = 5, GAP_OFFSET = 0x3fffffff };

static bool is_diamond(const emu_pyramid *e)
{
    return e->variant->meet == NULL;
}

int64_t emu_pyramid_nothing(const emu_pyramid *e)
{
    return e->variant->offset_bits == 32 ? -INT64_C(0x40000000) : -INT64_C(0x4000000000000000);
}

rhomb_wavefront_status emu_pyramid_initial(const emu_pyramid *e, int64_t bound)
{
    const rhomb_front front = {RHOMB_UNSOLVED, bound, rhomb__min(e->pair->n - e->pair->m, 0), 0};
    const rhomb_wavefront_status initial = {.front = {{front, front}, {front, front}},
                                            .complete = {e->start, e->start}};
    return initial;
}

void emu_pyramid_open(emu_pyramid *e, const emulated_wavefront *variant, const model_pair *pair,
                      int32_t directions, bool pruning, int64_t bound)
{
    memset(e, 0, sizeof *e);
    e->variant = variant;
    e->pair = pair;
    e->directions = directions;
    e->tiles_per_launch = INT64_MAX;
    const rhomb__tiling tiling = {is_diamond(e) ? RHOMB_TILE_DIAMOND : RHOMB_TILE_TRAPEZOID,
                                  (int64_t)variant->group_size * variant->item_diagonals,
                                  variant->tile_scores,
                                  pair->m,
                                  pair->n,
                                  pruning};
    e->tiling = tiling;
    e->start = rhomb__first_start(&tiling);
    e->low = -pair->m - 3 * tiling.diagonals;
    e->high = pair->n + 3 * tiling.diagonals;
    e->status = emu_pyramid_initial(e, bound);
    for (int i = 0; i < 4; i++) {
        int64_t *column = filled_memory(8 * (e->high - e->low + 1), 1);
        for (int64_t k = e->low; k <= e->high; k++)
            column[k - e->low] = emu_pyramid_nothing(e);
        e->columns[i / 2][i % 2] = column;
    }
    e->query = emulated_pack_codes(pair->query[0], pair->m, e->variant->planes, e->directions);
    e->target = emulated_pack_codes(pair->target[0], pair->n, e->variant->planes, e->directions);
}

void emu_pyramid_close(emu_pyramid *e)
{
    for (int i = 0; i < 4; i++)
        free(e->columns[i / 2][i % 2]);
    free(e->query);
    free(e->target);
}

static int64_t size_of(rhomb__window part)
{
    return part.high - part.low + 1;
}

static int64_t get(const emu_pyramid *e, const void *column, int64_t at)
{
    return e->variant->offset_bits == 64 ? ((const int64_t *)column)[at]
                                         : ((const int32_t *)column)[at];
}

static void put(const emu_pyramid *e, void *column, int64_t at, int64_t offset)
{
    if (e->variant->offset_bits == 64)
        ((int64_t *)column)[at] = offset;
    else
        ((int32_t *)column)[at] = (int32_t)offset;
}

/*
 * A part of a column in the variant's width, all directions with a gap in between, in memory of
 * just its size.
 */
static void *cut_column(const emu_pyramid *e, int which, rhomb__window part, int64_t gap)
{
    const int64_t size = size_of(part), all = (e->directions - 1) * (size + gap) + size;
    assert_true(part.low >= e->low && part.high <= e->high);
    void *cut = filled_memory(all * e->variant->offset_bits / 8, 1);
    for (int64_t i = 0; i < all; i++)
        put(e, cut, i, GAP_OFFSET);
    for (int direction = 0; direction < e->directions; direction++)
        for (int64_t i = 0; i < size; i++)
            put(e, cut, direction * (size + gap) + i,
                e->columns[which][direction][part.low - e->low + i]);
    return cut;
}

static void put_column(emu_pyramid *e, int which, rhomb__window part, void *cut)
{
    const int64_t size = size_of(part);
    for (int direction = 0; direction < e->directions; direction++)
        for (int64_t i = 0; i < size; i++)
            e->columns[which][direction][part.low - e->low + i] =
                get(e, cut, direction * (size + GAP) + i);
    for (int64_t i = size; e->directions == 2 && i < size + GAP; i++)
        if (get(e, cut, i) != GAP_OFFSET)
            fail_msg("a launch writes between the columns of the directions");
    free(cut);
}

static rhomb_launch describe(const emu_pyramid *e, rhomb__window part, int64_t gap, int64_t start,
                             int32_t forward, int32_t backward)
{
    const int32_t planes = e->variant->planes;
    const rhomb__packing query = rhomb__packing_windows(e->pair->m, planes, e->directions);
    const rhomb__packing target = rhomb__packing_windows(e->pair->n, planes, e->directions);
    const rhomb_launch launch = {.query_length = e->pair->m,
                                 .target_length = e->pair->n,
                                 .query_backward = query.parts[0].units * RHOMB_UNIT_WORDS(planes),
                                 .target_backward =
                                     target.parts[0].units * RHOMB_UNIT_WORDS(planes),
                                 .origin = part.low,
                                 .wavefront_backward = size_of(part) + gap,
                                 .tile_pitch = rhomb__tile_pitch(&e->tiling),
                                 .start = start,
                                 .scores = {forward, backward},
                                 .directions = e->directions,
                                 .prune = e->tiling.pruning,
                                 .front = e->front,
                                 .turn = e->turn,
                                 .meets_later = e->meets_later,
                                 .far_shift = e->far_shift};
    return launch;
}

void emu_pyramid_launch(emu_pyramid *e, const rhomb__launch *launch, int32_t forward,
                        int32_t backward)
{
    for (int64_t tile = 0; tile < launch->tiles; tile += e->tiles_per_launch) {
        rhomb__launch some = *launch;
        some.first_diagonal += tile * launch->pitch;
        some.tiles = rhomb__min(launch->tiles - tile, e->tiles_per_launch);
        /* A trapezoid does not look at what lies beside it. */
        rhomb__window part = rhomb__launch_reach(&e->tiling, &some);
        part.low += !is_diamond(e);
        part.high -= !is_diamond(e);
        emulated_launch_arguments arguments = {
            e->query,
            e->target,
            cut_column(e, e->source, part, GAP),
            cut_column(e, 1 - e->source, part, GAP),
            &e->status,
            describe(e, part, GAP, launch->start, forward, backward)};
        rhomb_launch *described = &arguments.launch;
        described->first_diagonal = some.first_diagonal;
        described->tiles = some.tiles;
        described->leads = tile == 0;
        e->variant->launch(&arguments, e->directions * some.tiles);
        put_column(e, e->source, part, arguments.wavefront_a);
        put_column(e, 1 - e->source, part, arguments.wavefront_b);
    }
}

void emu_pyramid_meet(emu_pyramid *e, int which, rhomb__window held, int64_t start, int32_t forward,
                      int32_t backward, rhomb__window at)
{
    const int64_t a_group = (int64_t)e->variant->item_diagonals * e->variant->group_size;
    emulated_launch_arguments arguments = {
        e->query, e->target,  cut_column(e, which, held, 0),
        NULL,     &e->status, describe(e, held, 0, start, forward, backward)};
    arguments.launch.first_diagonal = at.low;
    e->variant->meet(&arguments, rhomb__ceil_div(size_of(at), a_group));
    free(arguments.wavefront_a);
}

void emu_pyramid_advance(emu_pyramid *e, const rhomb__launch *launch, int64_t columns)
{
    if (!is_diamond(e))
        e->source = 1 - e->source;
    if (launch->stores_end)
        e->front = 1 - e->front;
    e->turn = 1 - e->turn;
    e->start += columns;
}
