/* SPDX-License-Identifier: MIT */
/*
 * The wavefront's part of a plan (engine_plan.h): its tiles, the width of its offsets, and its
 * memory.
 *
 * Why 32 bits suffice up to RHOMB__MAX_LENGTH_32. Let L = max(m, n), and let a tile have W <= 8192
 * diagonals and T <= 256 scores. Diagonals lie in [-m, n] plus a tile on either side. Stored
 * offsets are clamped to the matrix and are at least their floor, so they lie in [-(W + 2 T), L];
 * before clamping they may pass an end by a run probe ("no offset", -2^30, is below all of them).
 * Scores r are at most L plus two launches; i = j - k stays within a tile of the matrix. All of
 * that is below L + 2^14. A group that follows a run looks at most 1024 items of 16 words ahead,
 * 2^19. An index k - origin is below the width of the window plus two tiles: with pruning at most
 * bound + 1 <= L + 1, without it up to n + m + 1, so then n + m decides. The furthest offset of a
 * diagonal, m + k where that is less than n, is m + min(k, n - m). Other sums of two lengths (K +
 * bound) are 64-bit in the kernel.
 */
#include "src/planner/models.h"

#include "cl/abi.h"
#include "src/base/int64.h"
#include "src/planner/profiles.h"

rhomb__tiling rhomb__plan_tiling(const rhomb__plan *plan, int64_t target_length,
                                 int64_t query_length)
{
    const rhomb__wavefront_plan *own = &plan->wavefront;
    const rhomb__tiling tiling = {
        own->tile_shape,  (int64_t)own->group_size * own->diagonals_per_item,
        own->tile_scores, query_length,
        target_length,    own->pruning};
    return tiling;
}

/* The diagonals that matter in any wavefront. */
static rhomb__window widest_window(const rhomb__tiling *tiling, const rhomb__plan *plan)
{
    /* Two directions advance together, and so pass an odd bound by one. */
    return rhomb__window_from(tiling, 0, plan->upper_bound + plan->directions - 1);
}

rhomb__plan rhomb__plan_wide(const rhomb__plan *plan)
{
    rhomb__plan wide = *plan;
    rhomb__wavefront_plan *own = &wide.wavefront;
    if (own->wide_group_size > 0) {
        own->group_size = own->wide_group_size;
        own->diagonals_per_item = own->wide_diagonals_per_item;
        own->tile_scores = own->wide_tile_scores;
    }
    own->wide_group_size = 0;
    return wide;
}

/*
 * A group of one item has its diagonals in memory, larger groups in registers: see wavefront.clh.
 * Groups exchange four offsets per item through local memory, and keep a list of runs there.
 */
static rhomb_status check_one_tile(rhomb__error *error, const rhomb__plan *plan,
                                   const rhomb_device_info *device)
{
    const rhomb__wavefront_plan *own = &plan->wavefront;
    const int64_t group = own->group_size;
    const int64_t items = own->diagonals_per_item;
    const int64_t columns = own->tile_scores;
    const int64_t offset_bytes = own->offset_bits / 8;
    if (own->tile_shape != RHOMB_TILE_TRAPEZOID && own->tile_shape != RHOMB_TILE_DIAMOND)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "tile shape %d does not exist",
                           (int)own->tile_shape);
    const rhomb__local_need need = {4 * offset_bytes,
                                    (4 * 2 + 3 * RHOMB_MOST_RUNS + 16) * offset_bytes};
    const rhomb_status status = rhomb__check_group(error, device, group, need);
    if (status != RHOMB_OK)
        return status;
    if (own->tile_shape == RHOMB_TILE_DIAMOND && plan->directions != 1)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "diamonds have one direction, not %d",
                           (int)plan->directions);
    if (group == 1 ? items < 64 || items > RHOMB_MAX_TILE_DIAGONALS : items < 1 || items > 8)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "%lld diagonals per item: 1 to 8 are allowed, 64 to %d in groups of one",
                           (long long)items, RHOMB_MAX_TILE_DIAGONALS);
    if (columns < 1 || columns > RHOMB_MAX_TILE_SCORES || group * items <= 2 * columns)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "%lld columns do not fit a tile of %lld diagonals: 1 to %d, and less "
                           "than half the diagonals, are allowed",
                           (long long)columns, (long long)(group * items), RHOMB_MAX_TILE_SCORES);
    if (own->launches_per_read < 1 || own->launches_per_read > 10000)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "%d launches per read: 1 to 10000 are allowed",
                           (int)own->launches_per_read);
    return RHOMB_OK;
}

static rhomb_status check_tiles(rhomb__error *error, const rhomb__plan *plan,
                                const rhomb_device_info *device)
{
    const rhomb__wavefront_plan *own = &plan->wavefront;
    const rhomb__plan wide = rhomb__plan_wide(plan);
    const rhomb_status status = check_one_tile(error, plan, device);
    if (status != RHOMB_OK || own->wide_group_size == 0)
        return status;
    if (own->tile_shape == RHOMB_TILE_DIAMOND || own->wide_diagonals < 1)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "a second tile needs trapezoids, and the diagonals from which it is "
                           "used: %lld",
                           (long long)own->wide_diagonals);
    return check_one_tile(error, &wide, device);
}

/* Whether all offsets of a pair fit into 32 bits. */
static bool is_narrow(const rhomb__plan_input *input, bool pruning)
{
    const int64_t longer = rhomb__max(input->target_length, input->query_length);
    return (pruning ? longer : input->target_length + input->query_length) <= RHOMB__MAX_LENGTH_32;
}

static rhomb_status check(rhomb__error *error, const rhomb__plan_input *input,
                          const rhomb__plan *plan)
{
    const int32_t bits = plan->wavefront.offset_bits;
    if (bits != 32 && bits != 64)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "offsets have 32 or 64 bits, not %d",
                           (int)bits);
    if (bits == 32 && !is_narrow(input, plan->wavefront.pruning))
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "32-bit offsets overflow on sequences of %lld symbols",
                           (long long)rhomb__max(input->target_length, input->query_length));
    return check_tiles(error, plan, input->device);
}

/* The tile of a wide pyramid: the caller's, or the row's if the caller gave no tile at all. */
static void tune_wide_tile(const rhomb__plan_input *input, const rhomb__tuning_row *row,
                           rhomb__wavefront_plan *own)
{
    const rhomb_tuning *given = input->options->tuning;
    const bool own_tile = given->tile_shape != RHOMB_TILE_AUTO || given->group_size != 0 ||
                          given->diagonals_per_item != 0 || given->tile_scores != 0;
    const bool fits = row->wide_group_size > 0 && own->group_size == row->group_size &&
                      row->wide_group_size <= input->device->max_group_size;
    if (given->wide_group_size != 0) {
        own->wide_group_size = given->wide_group_size;
        own->wide_diagonals_per_item = given->wide_diagonals_per_item;
        own->wide_tile_scores = given->wide_tile_scores;
        own->wide_diagonals = given->wide_diagonals;
    } else if (fits && !own_tile) {
        own->wide_group_size = row->wide_group_size;
        own->wide_diagonals_per_item = row->wide_diagonals_per_item;
        own->wide_tile_scores = row->wide_tile_scores;
        own->wide_diagonals = row->wide_diagonals;
    }
}

/* The tile from the device's tuning row, overridden by the caller's values. */
static void tune(const rhomb__plan_input *input, rhomb__plan *plan)
{
    const rhomb_tuning *given = input->options->tuning;
    const rhomb__tuning_row *row = rhomb__tuning_find(input->device);
    rhomb__wavefront_plan *own = &plan->wavefront;
    *own = (rhomb__wavefront_plan){.pruning = !given->no_pruning};
    own->tile_shape = given->tile_shape != RHOMB_TILE_AUTO ? given->tile_shape : row->tile_shape;
    own->group_size = rhomb__group_for(input, row->group_size);
    const bool same_kind_of_group = (own->group_size == 1) == (row->group_size == 1);
    const int32_t other_kind = rhomb__group_tuning_of(row, own->group_size)->wavefront_diagonals;
    own->diagonals_per_item = rhomb__given_or(
        given->diagonals_per_item, same_kind_of_group ? row->diagonals_per_item : other_kind);
    const int32_t tile = own->group_size * own->diagonals_per_item;
    const int32_t widest = (int32_t)rhomb__max((tile - 1) / 2, 1);
    own->tile_scores =
        rhomb__given_or(given->tile_scores, row->tile_scores < widest ? row->tile_scores : widest);
    tune_wide_tile(input, row, own);
    own->launches_per_read = rhomb__given_or(given->launches_per_read, row->launches_per_read);
    own->offset_bits =
        rhomb__given_or(given->offset_bits, is_narrow(input, own->pruning) ? 32 : 64);
    plan->tuning_row = row->name;
    plan->directions =
        rhomb__given_or(given->directions, own->tile_shape == RHOMB_TILE_DIAMOND ? 1 : 2);
    plan->speed[RHOMB__ROW_WAVEFRONT] =
        (rhomb__speed){input->rates->values.cells_per_second, input->rates->values.column_seconds,
                       plan->directions, row->path_share, row->start_seconds};
}

/* Bytes of some wavefronts that hold a window, and the tiles that extend beyond it. */
static int64_t wavefront_bytes(const rhomb__plan *plan, rhomb__window window, int columns)
{
    const rhomb__wavefront_plan *own = &plan->wavefront;
    const int64_t tile = rhomb__max((int64_t)own->group_size * own->diagonals_per_item,
                                    own->wide_group_size > 0 ? (int64_t)own->wide_group_size *
                                                                   own->wide_diagonals_per_item
                                                             : 0);
    const int64_t diagonals = rhomb__max(window.high - window.low + 1, 0) + 2 * tile;
    return columns * plan->directions * diagonals * (own->offset_bits / 8);
}

static void estimate_memory(const rhomb__plan_input *input, rhomb__plan *plan)
{
    const rhomb__wavefront_plan *own = &plan->wavefront;
    const rhomb__tiling tiling =
        rhomb__plan_tiling(plan, input->target_length, input->query_length);
    const rhomb__window first = {0, 0};
    const rhomb__window most = widest_window(&tiling, plan);
    const int64_t longer = rhomb__max(input->target_length, input->query_length);
    plan->sequence_bytes =
        rhomb__windows_bytes(input->target_length, plan->planes, plan->directions) +
        rhomb__windows_bytes(input->query_length, plan->planes, plan->directions);
    plan->buffer_bytes_min = rhomb__windows_bytes(longer, plan->planes, plan->directions);
    /* Diamonds need both wavefronts while these grow, one after the other. */
    const int columns = own->tile_shape == RHOMB_TILE_DIAMOND ? 3 : 2;
    plan->device_bytes_min = wavefront_bytes(plan, first, 2);
    plan->device_bytes_max = wavefront_bytes(plan, most, columns);
}

/* The tile is narrower then, and there is no second one. */
static void shrink(rhomb__plan *plan, int64_t most_items)
{
    rhomb__wavefront_plan *own = &plan->wavefront;
    if (own->group_size <= most_items && own->wide_group_size <= most_items)
        return;
    own->group_size = rhomb__group_halved(own->group_size, most_items);
    const int32_t tile = own->group_size * own->diagonals_per_item;
    own->tile_scores = (int32_t)rhomb__max(rhomb__min(own->tile_scores, (tile - 1) / 2), 1);
    own->wide_group_size = 0;
}

const rhomb__model rhomb__model_wavefront = {
    .engine = RHOMB_ENGINE_WAVEFRONT,
    .unit_costs = true,
    .name = "wavefront",
    .reason = "its work grows with the distance, not with the lengths",
    .reason_open = RHOMB__WAVEFRONT_BEGINS,
    .fields = rhomb__wavefront_fields,
    .tune = tune,
    .check = check,
    .seconds = rhomb__wave_seconds,
    .estimate_memory = estimate_memory,
    .shrink = shrink,
};
