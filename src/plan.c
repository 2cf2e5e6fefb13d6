/* SPDX-License-Identifier: MIT */
/*
 * The planner, see plan.h.
 *
 * Why 32 bits suffice up to RHOMB__MAX_LENGTH_32. With L = max(m, n) and a tile of at most 8192
 * diagonals and 256 columns: stored offsets lie in [-L - 8192, L] after clamping, and at most a run
 * probe more before it; columns r are at most L plus two bands; diagonals lie in [-m, n] plus a
 * tile on either side; i = j - k stays within a tile of the matrix, because offsets are clamped to
 * it. Everything is below L + 2^14 in magnitude. Sums of two lengths (m + n, K + bound) are 64-bit.
 */
#include "plan.h"

#include "../cl/abi.h"
#include "int64.h"
#include "tuning.h"

#include <string.h>

/* The status record and the table of codes; host memory besides the sequences. */
#define SMALL_DEVICE_BYTES (INT64_C(1) << 10)
#define HOST_BYTES         (INT64_C(1) << 20)

rhomb_status rhomb__options_complete(rhomb__error *error, const rhomb_options *given,
                                     rhomb_options *options, rhomb_tuning *tuning)
{
    const rhomb_options defaults = RHOMB_OPTIONS_INIT;
    const rhomb_tuning no_tuning = RHOMB_TUNING_INIT;
    *options = defaults;
    *tuning = no_tuning;
    if (given != NULL) {
        if (given->struct_size < sizeof given->struct_size)
            return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                               "rhomb_options was not initialised with RHOMB_OPTIONS_INIT");
        const size_t size = given->struct_size;
        memcpy(options, given, size < sizeof *options ? size : sizeof *options);
    }
    if (options->tuning != NULL) {
        const size_t size = options->tuning->struct_size;
        if (size < sizeof size)
            return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                               "rhomb_tuning was not initialised with RHOMB_TUNING_INIT");
        memcpy(tuning, options->tuning, size < sizeof *tuning ? size : sizeof *tuning);
    }
    options->struct_size = sizeof *options;
    options->tuning = tuning;
    if (options->max_distance < RHOMB_NO_LIMIT)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "max_distance %lld is negative",
                           (long long)options->max_distance);
    if (options->alphabet != RHOMB_ALPHABET_DNA && options->alphabet != RHOMB_ALPHABET_BYTES)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "alphabet %d does not exist",
                           (int)options->alphabet);
    if (options->engine != RHOMB_ENGINE_AUTO && options->engine != RHOMB_ENGINE_WAVEFRONT)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "engine %d does not exist",
                           (int)options->engine);
    return RHOMB_OK;
}

int64_t rhomb__packed_bytes(int64_t length, int32_t symbol_bits)
{
    const int64_t symbols = length + 2 * RHOMB_PAD_SYMBOLS;
    const int64_t stride = RHOMB_STRIDE_OF(symbol_bits);
    return (symbols + stride - 1) / stride * (int64_t)sizeof(rhomb_u32);
}

int64_t rhomb__piece_letters(int64_t length)
{
    return rhomb__min(rhomb__max(length / 32, INT64_C(1) << 16), INT64_C(1) << 24);
}

rhomb__tiling rhomb__plan_tiling(const rhomb_plan *plan, int64_t target_length,
                                 int64_t query_length)
{
    const rhomb__tiling tiling = {
        plan->tile_shape,   (int64_t)plan->group_size * plan->diagonals_per_item,
        plan->tile_columns, query_length,
        target_length,      plan->pruning};
    return tiling;
}

/* The row's value unless the caller gave one. */
static int32_t choose(int32_t given, int32_t row)
{
    return given != 0 ? given : row;
}

/* A group of one has its diagonals in memory, larger ones in registers: see wavefront.clh. */
static rhomb_status check_tile(rhomb__error *error, const rhomb_plan *plan,
                               const rhomb_device_info *device)
{
    const int64_t group = plan->group_size;
    const int64_t items = plan->diagonals_per_item;
    const int64_t columns = plan->tile_columns;
    if (plan->tile_shape != RHOMB_TILE_TRAPEZOID && plan->tile_shape != RHOMB_TILE_DIAMOND)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "tile shape %d does not exist",
                           (int)plan->tile_shape);
    if (group < 1 || group > 1024 || (group & (group - 1)) != 0)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "group size %lld is not a power of two from 1 to 1024",
                           (long long)group);
    if (group > device->max_group_size)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "group size %lld is more than the %lld that %s allows", (long long)group,
                           (long long)device->max_group_size, device->name);
    if (group == 1 ? items < 64 || items > RHOMB_MAX_TILE_DIAGONALS : items < 1 || items > 8)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "%lld diagonals an item: 1 to 8 are allowed, 64 to %d in groups of one",
                           (long long)items, RHOMB_MAX_TILE_DIAGONALS);
    if (columns < 1 || columns > RHOMB_MAX_TILE_COLUMNS || group * items <= 2 * columns)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "%lld columns do not fit a tile of %lld diagonals: 1 to %d, and less "
                           "than half the diagonals, are allowed",
                           (long long)columns, (long long)(group * items), RHOMB_MAX_TILE_COLUMNS);
    if (plan->bands_per_read < 1 || plan->bands_per_read > 10000)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "%d bands a read: 1 to 10000 are allowed",
                           (int)plan->bands_per_read);
    return RHOMB_OK;
}

/* Tile and rates from the device's tuning row, with the caller's values over them. */
static void apply_tuning(const rhomb__plan_input *input, rhomb_plan *plan)
{
    const rhomb_tuning *given = input->options->tuning;
    const rhomb__tuning_row *row = rhomb__tuning_find(input->device);
    int32_t group = row->group_size;
    while (given->group_size == 0 && group > input->device->max_group_size && group > 1)
        group /= 2;
    plan->tuning_row = row->name;
    plan->tile_shape = given->tile_shape != RHOMB_TILE_AUTO ? given->tile_shape : row->tile_shape;
    plan->group_size = choose(given->group_size, group);
    const bool same_kind_of_group = (plan->group_size == 1) == (row->group_size == 1);
    plan->diagonals_per_item =
        choose(given->diagonals_per_item, same_kind_of_group      ? row->diagonals_per_item
                                          : plan->group_size == 1 ? 1024
                                                                  : 4);
    const int32_t tile = plan->group_size * plan->diagonals_per_item;
    const int32_t widest = (int32_t)rhomb__max((tile - 1) / 2, 1);
    plan->tile_columns =
        choose(given->tile_columns, row->tile_columns < widest ? row->tile_columns : widest);
    plan->bands_per_read = choose(given->bands_per_read, row->bands_per_read);
    plan->pruning = !given->no_pruning;
    plan->cells_per_second = row->cells_per_second;
    plan->column_seconds = row->column_seconds;
    plan->setup_seconds =
        (double)(input->target_length + input->query_length) / row->letters_per_second;
}

static rhomb_status choose_offsets(rhomb__error *error, const rhomb__plan_input *input,
                                   rhomb_plan *plan)
{
    const int32_t given = input->options->tuning->offset_bits;
    const int64_t longer = rhomb__max(input->target_length, input->query_length);
    const bool narrow = longer <= RHOMB__MAX_LENGTH_32;
    if (given != 0 && given != 32 && given != 64)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "offsets have 32 or 64 bits, not %d",
                           (int)given);
    if (given == 32 && !narrow)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "32-bit offsets overflow on sequences of %lld symbols",
                           (long long)longer);
    plan->offset_bits = given != 0 ? given : narrow ? 32 : 64;
    return RHOMB_OK;
}

/* Bytes of some columns that hold a window, and the tiles that stick out of it. */
static int64_t column_bytes(const rhomb_plan *plan, rhomb__window window, int columns)
{
    const int64_t tile = (int64_t)plan->group_size * plan->diagonals_per_item;
    const int64_t diagonals = rhomb__max(window.high - window.low + 1, 0) + 2 * tile;
    return columns * diagonals * (plan->offset_bits / 8);
}

static void estimate_memory(const rhomb__plan_input *input, rhomb_plan *plan)
{
    const rhomb__tiling tiling =
        rhomb__plan_tiling(plan, input->target_length, input->query_length);
    const rhomb__window first = {0, 0};
    const rhomb__window most = rhomb__window_from(&tiling, 0, plan->upper_bound);
    plan->host_bytes = HOST_BYTES;
    plan->sequence_bytes = rhomb__packed_bytes(input->target_length, plan->symbol_bits) +
                           rhomb__packed_bytes(input->query_length, plan->symbol_bits);
    const int64_t fixed = plan->sequence_bytes + SMALL_DEVICE_BYTES;
    const int64_t longer = rhomb__max(input->target_length, input->query_length);
    const int64_t staging = rhomb__piece_letters(longer);
    plan->device_bytes_min = fixed + rhomb__max(staging, column_bytes(plan, first, 2));
    /* Both columns of diamonds are needed while they grow, one after the other. */
    const int columns = plan->tile_shape == RHOMB_TILE_DIAMOND ? 3 : 2;
    plan->device_bytes_max = fixed + rhomb__max(staging, column_bytes(plan, most, columns));
    plan->device_bytes_limit = input->device->memory_bytes;
}

rhomb_status rhomb__plan_make(rhomb__error *error, const rhomb__plan_input *input, rhomb_plan *plan)
{
    memset(plan, 0, sizeof *plan);
    const int64_t difference = input->target_length - input->query_length;
    const int64_t limit = input->options->max_distance;
    const int64_t longer = rhomb__max(input->target_length, input->query_length);
    plan->symbol_bits = input->symbol_bits;
    plan->lower_bound = difference < 0 ? -difference : difference;
    if (plan->lower_bound == 0 && !input->equal)
        plan->lower_bound = 1;
    plan->upper_bound = limit == RHOMB_NO_LIMIT ? longer : rhomb__min(longer, limit);
    apply_tuning(input, plan);
    rhomb_status status = choose_offsets(error, input, plan);
    if (status == RHOMB_OK)
        status = check_tile(error, plan, input->device);
    if (status != RHOMB_OK)
        return status;
    plan->engine = "wavefront";
    plan->reason = "its work grows with the distance, not with the lengths";
    if (input->equal || rhomb__min(input->target_length, input->query_length) == 0 ||
        plan->lower_bound > plan->upper_bound) {
        plan->engine = "trivial";
        plan->reason = input->equal ? "the sequences are equal"
                       : plan->lower_bound > plan->upper_bound
                           ? "a look at the sequences shows that they differ by more than the limit"
                           : "one sequence is empty";
        plan->device_bytes_limit = input->device->memory_bytes;
        return RHOMB_OK;
    }
    estimate_memory(input, plan);
    return RHOMB_OK;
}

rhomb_status rhomb__plan_check_memory(rhomb__error *error, const rhomb_plan *plan,
                                      const rhomb_device_info *device)
{
    if (plan->device_bytes_min > plan->device_bytes_limit)
        return rhomb__fail(error, RHOMB_ERR_DEVICE_MEMORY,
                           "%s has %lld bytes of memory; the packed sequences and the first "
                           "columns need %lld",
                           device->name, (long long)plan->device_bytes_limit,
                           (long long)plan->device_bytes_min);
    /* A symbol takes symbol_bits / 4 bytes, and lower_bound is how many more the longer one has. */
    const int64_t longer = (plan->sequence_bytes + plan->lower_bound * plan->symbol_bits / 4) / 2;
    if (plan->device_bytes_min > 0 && longer > device->max_buffer_bytes)
        return rhomb__fail(error, RHOMB_ERR_DEVICE_MEMORY,
                           "a buffer of %s has at most %lld bytes; the longer sequence, packed, "
                           "needs %lld",
                           device->name, (long long)device->max_buffer_bytes, (long long)longer);
    return RHOMB_OK;
}

/*
 * About d * d cells (with pruning measured between 0.68 and 1 of that; 0.75 is taken) at the
 * saturated rate, and the latency of d columns.
 */
double rhomb_plan_seconds(const rhomb_plan *plan, int64_t distance)
{
    const double d = (double)rhomb__max(distance, plan->lower_bound);
    const double cells = d * d * (plan->pruning ? 0.75 : 1.0);
    return plan->setup_seconds + d * plan->column_seconds + cells / plan->cells_per_second;
}
