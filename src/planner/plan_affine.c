/* SPDX-License-Identifier: MIT */
/*
 * The affine wavefront's part of a plan (engine_plan.h): its tiles and its memory.
 */
#include "src/planner/models.h"

#include "cl/abi.h"
#include "src/base/int64.h"
#include "src/planner/profiles.h"

/*
 * Tiles. A launch advances by as many scores as an eighth of the tile lasts for on either side, and
 * at least by what the costs look back. In groups, a tile is halved until it fits in local memory.
 */
#define LEAST_DIAGONALS 256
#define MARGIN_SHARE    8
#define MOST_SCORES     1024

/*
 * Groups for each compute unit, where their tiles are in global memory, as far as that takes no
 * more than MOST_TILE_BYTES; a group for each unit at least.
 */
#define UNIT_GROUPS     8
#define MOST_TILE_BYTES (INT64_C(64) << 20)

rhomb__affine_shape rhomb__plan_affine_shape(const rhomb__plan *plan)
{
    const rhomb__wavefront_plan *own = &plan->wavefront;
    const rhomb__affine_shape shape = {.costs = plan->costs,
                                       .diagonals =
                                           (int64_t)own->group_size * own->diagonals_per_item,
                                       .scores = own->tile_scores};
    return shape;
}

/*
 * Local memory of a group besides its tile: the runs that it follows together, and what its items
 * pass to each other, twice.
 */
static rhomb__local_need shared_need(const rhomb__plan *plan)
{
    const int64_t offset_bytes = plan->wavefront.offset_bits / 8;
    const int64_t passed = 4 * plan->costs.pieces * offset_bytes;
    return (rhomb__local_need){passed, RHOMB_MOST_RUNS * (offset_bytes + 4) + 96 + passed};
}

/* Where the directions meet, a group keeps a point for each item instead, and no tile. */
static const rhomb__local_need POINTS_NEED = {sizeof(rhomb_affine_point), 0};

/* Bytes of memory of a tile of so many diagonals. */
static int64_t tile_bytes(const rhomb__plan *plan, int64_t diagonals)
{
    const bool in_groups = plan->wavefront.group_size > 1;
    return rhomb__affine_rows(&plan->costs, in_groups) * (diagonals + 2) *
           (plan->wavefront.offset_bits / 8);
}

int64_t rhomb__plan_affine_tile_bytes(const rhomb__plan *plan)
{
    return tile_bytes(plan, rhomb__plan_affine_shape(plan).diagonals);
}

int64_t rhomb__plan_affine_groups(const rhomb__plan *plan, int32_t compute_units)
{
    const int64_t units = rhomb__max(compute_units, 1);
    const int64_t fitting = rhomb__groups_fitting(UNIT_GROUPS * units, MOST_TILE_BYTES,
                                                  rhomb__plan_affine_tile_bytes(plan));
    return plan->wavefront.tiles_local ? 0 : rhomb__max(fitting, units);
}

static bool fits_local(const rhomb_device_info *device, const rhomb__plan *plan, int64_t diagonals)
{
    return tile_bytes(plan, diagonals) +
               rhomb__local_bytes(shared_need(plan), plan->wavefront.group_size) <=
           rhomb__min(rhomb__tuning_find(device)->affine_local_bytes, device->local_memory_bytes);
}

/* The diagonals of a tile for groups of this size. */
static int64_t tile_for(const rhomb_device_info *device, const rhomb__plan *plan, int32_t group)
{
    int64_t tile = rhomb__group_tuning_of(rhomb__tuning_find(device), group)->affine_tile;
    const int64_t least = RHOMB_AFFINE_MARGIN(rhomb__affine_lookback(&plan->costs) + 2,
                                              rhomb__costs_least_extend(&plan->costs), 0);
    while (tile < 8 * least)
        tile *= 2;
    for (int64_t smaller = tile; group > 1 && smaller >= LEAST_DIAGONALS; smaller /= 2) {
        if (fits_local(device, plan, smaller))
            return smaller < 4 * least ? tile : smaller;
    }
    return tile;
}

/*
 * Of a wavefront's cells with unit costs as many are computed in the same time; fewer where a group
 * has offsets in rows of memory, and fewer with two pieces.
 */
static double cell_share(const rhomb__tuning_row *row, const rhomb__plan *plan)
{
    const int32_t group_size = plan->wavefront.group_size;
    const bool has_rows = group_size > 1 && rhomb__affine_rows(&plan->costs, true) > 0;
    return rhomb__group_tuning_of(row, group_size)->affine_share *
           (has_rows ? row->affine_rows_share : 1) *
           (plan->costs.pieces == 2 ? row->affine_pieces_share : 1);
}

static void tune(const rhomb__plan_input *input, rhomb__plan *plan)
{
    const rhomb_tuning *given = input->options->tuning;
    const rhomb__tuning_row *row = rhomb__tuning_find(input->device);
    const int64_t longer = rhomb__max(input->target_length, input->query_length);
    const int64_t look = rhomb__affine_lookback(&plan->costs);
    const int64_t extend = rhomb__costs_least_extend(&plan->costs);
    rhomb__wavefront_plan *own = &plan->wavefront;
    *own = (rhomb__wavefront_plan){.pruning = true};
    own->tile_shape = RHOMB_TILE_TRAPEZOID;
    own->offset_bits =
        rhomb__given_or(given->offset_bits, longer <= RHOMB__MAX_LENGTH_32 ? 32 : 64);
    own->group_size = rhomb__group_for(input, row->group_size);
    const bool is_given = given->group_size != 0;
    own->group_size = rhomb__group_fitting(
        input->device, shared_need(plan),
        rhomb__group_fitting(input->device, POINTS_NEED, own->group_size, is_given), is_given);
    own->diagonals_per_item = rhomb__given_or(
        given->diagonals_per_item,
        (int32_t)rhomb__max(
            tile_for(input->device, plan, own->group_size) / rhomb__max(own->group_size, 1), 1));
    const int64_t tile = (int64_t)own->group_size * own->diagonals_per_item;
    const int64_t scores =
        rhomb__max(rhomb__min(tile / MARGIN_SHARE * extend, MOST_SCORES), look + 2);
    own->tile_scores = rhomb__given_or(given->tile_scores, (int32_t)scores);
    own->tiles_local = own->group_size > 1 && fits_local(input->device, plan, tile);
    own->launches_per_read = rhomb__given_or(given->launches_per_read, row->launches_per_read);
    plan->tuning_row = row->name;
    plan->directions = rhomb__given_or(given->directions, 2);
    plan->speed[RHOMB__ROW_AFFINE] =
        (rhomb__speed){input->rates->values.cells_per_second * cell_share(row, plan),
                       input->rates->values.column_seconds *
                           rhomb__group_tuning_of(row, own->group_size)->affine_column_times,
                       plan->directions, row->path_share, row->start_seconds};
}

static rhomb_status check(rhomb__error *error, const rhomb__plan_input *input,
                          const rhomb__plan *plan)
{
    const rhomb__wavefront_plan *own = &plan->wavefront;
    const int64_t look = rhomb__affine_lookback(&plan->costs);
    const rhomb__affine_shape shape = rhomb__plan_affine_shape(plan);
    const int64_t longer = rhomb__max(input->target_length, input->query_length);
    if (!rhomb__affine_can(&plan->costs))
        return rhomb__refuse_costs(error, &plan->costs,
                                   "a mismatch or the first base of a gap costs", look,
                                   RHOMB_AFFINE_MOST_LOOKBACK, "wavefront");
    if (plan->directions != 2 || input->options->tuning->tile_shape == RHOMB_TILE_DIAMOND)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "by this scoring the wavefront has two directions, and trapezoids");
    if (own->offset_bits != 64 && (own->offset_bits != 32 || longer > RHOMB__MAX_LENGTH_32))
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "%d-bit offsets do not fit sequences of %lld symbols",
                           (int)own->offset_bits, (long long)longer);
    if (own->tile_scores < look + 2 || own->tile_scores > 16 * RHOMB_AFFINE_MOST_LOOKBACK ||
        shape.diagonals <= 2 * rhomb__affine_margin(&shape) ||
        shape.diagonals > RHOMB_MAX_TILE_DIAGONALS)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "%d scores do not fit a tile of %lld diagonals: by this scoring %lld or "
                           "more are needed, and at most %d diagonals allowed",
                           (int)own->tile_scores, (long long)shape.diagonals, (long long)look + 2,
                           RHOMB_MAX_TILE_DIAGONALS);
    if (own->launches_per_read < 1 || own->launches_per_read > 10000)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "%d launches per read: 1 to 10000 are allowed",
                           (int)own->launches_per_read);
    rhomb__local_need need = shared_need(plan);
    need.group_bytes += own->tiles_local ? tile_bytes(plan, shape.diagonals) : 0;
    const rhomb_status status =
        rhomb__check_group(error, input->device, own->group_size, POINTS_NEED);
    return status == RHOMB_OK ? rhomb__check_group(error, input->device, own->group_size, need)
                              : status;
}

/* The list of tiles of a batch of launches, and what it may have grown by. */
static int64_t list_bytes(const rhomb__plan *plan, int64_t diagonals)
{
    const rhomb__affine_shape shape = rhomb__plan_affine_shape(plan);
    const int64_t launch = 2 * rhomb__affine_tiles(&shape, (rhomb__window){1, diagonals});
    const int64_t tiles =
        rhomb__min(plan->wavefront.launches_per_read * launch, RHOMB__AFFINE_LISTED_TILES + launch);
    return 3 * tiles / 2 * (int64_t)sizeof(rhomb_affine_tile);
}

static void estimate_memory(const rhomb__plan_input *input, rhomb__plan *plan)
{
    const rhomb_subproblem all = {.pair = {0, input->target_length, 0, input->query_length, 0}};
    const int64_t longer = rhomb__max(input->target_length, input->query_length);
    const int64_t bound = plan->upper_bound;
    const int64_t offset_bytes = plan->wavefront.offset_bits / 8;
    const int64_t bytes = rhomb__affine_slots(&plan->costs) * 2 * 2 * offset_bytes;
    const int64_t tiles = rhomb__plan_affine_tile_bytes(plan) *
                          rhomb__plan_affine_groups(plan, input->device->compute_units);
    const rhomb__window window = rhomb__affine_window(&plan->costs, &all, 0, 0, bound, bound);
    const int64_t widest = rhomb__max(window.high - window.low + 1, 1);
    plan->sequence_bytes = rhomb__windows_bytes(input->target_length, plan->planes, 2) +
                           rhomb__windows_bytes(input->query_length, plan->planes, 2);
    plan->buffer_bytes_min = rhomb__windows_bytes(longer, plan->planes, 2);
    plan->device_bytes_min = bytes + tiles + RHOMB__SMALL_DEVICE_BYTES;
    /* While offsets move to a larger place, one of the buffers is there besides both new ones. */
    plan->device_bytes_max = bytes * widest + bytes * widest / 2 + tiles +
                             list_bytes(plan, widest) + RHOMB__SMALL_DEVICE_BYTES;
}

/* The tile stays: items have more of its diagonals. */
static void shrink(rhomb__plan *plan, int64_t most_items)
{
    rhomb__wavefront_plan *own = &plan->wavefront;
    const int32_t group = rhomb__group_halved(own->group_size, most_items);
    own->diagonals_per_item *= own->group_size / group;
    own->group_size = group;
}

const rhomb__model rhomb__model_affine = {
    .engine = RHOMB_ENGINE_WAVEFRONT,
    .other_costs = true,
    .most_lookback = RHOMB_AFFINE_MOST_LOOKBACK,
    .needs_two_directions = true,
    .name = "wavefront",
    .reason = "its work grows with the penalty, not with the lengths",
    .reason_open = RHOMB__WAVEFRONT_BEGINS,
    .fields = rhomb__wavefront_fields,
    .tune = tune,
    .check = check,
    .seconds = rhomb__wave_seconds,
    .estimate_memory = estimate_memory,
    .shrink = shrink,
};
