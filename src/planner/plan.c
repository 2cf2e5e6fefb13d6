/* SPDX-License-Identifier: MIT */
/*
 * The planner, see plan.h.
 *
 * Why 32 bits suffice up to RHOMB__MAX_LENGTH_32. Let L = max(m, n), and let a tile have W <= 8192
 * diagonals and T <= 256 columns. Diagonals lie in [-m, n] plus a tile on either side. Stored
 * offsets are clamped to the matrix and are at least their floor, so they lie in [-(W + 2 T), L];
 * before clamping they may pass an end by a run probe ("no offset", -2^30, is below all of them).
 * Columns r are at most L plus two bands; i = j - k stays within a tile of the matrix. All of that
 * is below L + 2^14. A group that follows a run looks at most 1024 items of 16 words ahead, 2^19.
 * An index k - origin is below the width of the window plus two tiles: with pruning at most bound +
 * 1 <= L + 1, without it up to n + m + 1, so then n + m decides. The furthest offset of a diagonal,
 * m + k where that is less than n, is m + min(k, n - m). Other sums of two lengths (K + bound) are
 * 64-bit in the kernel.
 */
#include "src/planner/plan.h"

#include "cl/abi.h"
#include "src/base/alphabet.h"
#include "src/base/int64.h"
#include "src/planner/profiles.h"

#include <string.h>

/* The status record and the table of codes; the memory of a context, its device and programs. */
#define SMALL_DEVICE_BYTES (INT64_C(1) << 10)
#define HOST_BYTES         (INT64_C(1) << 20)

/*
 * Bit-parallel. For fewer than SHORT_ROWS rows items have half of the tuning row's words, and
 * launches a quarter of its blocks. Two directions keep many units busy; but one direction narrows
 * its band twice as much, and has enough strips in flight for FEW_UNITS cores. If nothing is known
 * about the distance, the first band has a 32nd of the longer length on either side.
 *
 * A step takes the same time for any number of strips in flight. With two directions each goes
 * through half of the strips, and some more with the width of the band.
 */
#define SHORT_ROWS       (INT64_C(1) << 21)
#define FEW_UNITS        8
#define FIRST_BAND_SHARE 32
#define STRIPS_OF_TWO    0.6
#define CHEAP_SHARE      6

/*
 * The first band of a sweep that takes over has room for a distance a BAND_SPARE-th above the
 * estimate, and for everything that is cheap, because a band that is too narrow costs a second
 * sweep. Bacteria have needed up to a fifth; a quarter of a chromosome, as of human and chimpanzee,
 * 29 %.
 */
#define BAND_SPARE 3

/*
 * No room is needed above the distance of random sequences. With four bases in equal parts that is
 * 0.52 of their length, and with other compositions less. So the shorter sequence counts with
 * RANDOM_SHARE, and the excess of the longer one in full. An estimate above that has a
 * RANDOM_SPARE-th to spare.
 */
#define RANDOM_SHARE 0.55
#define RANDOM_SPARE 32

rhomb__tiling rhomb__plan_tiling(const rhomb_plan *plan, int64_t target_length,
                                 int64_t query_length)
{
    const rhomb__tiling tiling = {
        plan->tile_shape,   (int64_t)plan->group_size * plan->diagonals_per_item,
        plan->tile_columns, query_length,
        target_length,      plan->pruning};
    return tiling;
}

/* The diagonals that matter in any column. */
static rhomb__window widest_window(const rhomb__tiling *tiling, const rhomb_plan *plan)
{
    /* Two directions advance together, and so pass an odd bound by one. */
    return rhomb__window_from(tiling, 0, plan->upper_bound + plan->directions - 1);
}

rhomb_plan rhomb__plan_wide(const rhomb_plan *plan)
{
    rhomb_plan wide = *plan;
    if (plan->wide_group_size > 0) {
        wide.group_size = plan->wide_group_size;
        wide.diagonals_per_item = plan->wide_diagonals_per_item;
        wide.tile_columns = plan->wide_tile_columns;
    }
    wide.wide_group_size = 0;
    return wide;
}

bool rhomb__plan_may_widen(const rhomb_plan *plan)
{
    const rhomb__tiling tiling = rhomb__plan_tiling(plan, plan->target_length, plan->query_length);
    const rhomb__window most = widest_window(&tiling, plan);
    return plan->wide_group_size > 0 &&
           plan->directions * (most.high - most.low + 1) >= plan->wide_diagonals;
}

rhomb__sweep rhomb__plan_sweep(const rhomb_plan *plan)
{
    const rhomb__strip_shape shape = {
        .items = (int64_t)plan->group_size * plan->lanes,
        .words = plan->words_per_item,
        .lag = plan->lanes > 1 ? 1 : plan->group_size - 1,
        .steps = plan->blocks_per_launch,
    };
    return rhomb__sweep_make(plan->target_length, plan->query_length, &shape, plan->directions);
}

/* The row's value, unless the caller gave one. */
static int32_t choose(int32_t given, int32_t row)
{
    return given != 0 ? given : row;
}

/*
 * Groups exchange four values per item through local memory (in a sweep two values of four bytes),
 * and keep a list of runs there.
 */
static rhomb_status check_group(rhomb__error *error, const rhomb_plan *plan,
                                const rhomb_device_info *device)
{
    const int64_t group = plan->group_size;
    const int64_t local_bytes =
        group > 1 ? (4 * (group + 2) + 3 * RHOMB_MOST_RUNS + 16) * (plan->offset_bits / 8) : 0;
    if (group < 1 || group > 1024 || (group & (group - 1)) != 0)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "group size %lld is not a power of two from 1 to 1024",
                           (long long)group);
    if (group > device->max_group_size)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "group size %lld is more than the %lld that %s allows", (long long)group,
                           (long long)device->max_group_size, device->name);
    if (local_bytes > device->local_memory_bytes)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "groups of %lld take %lld bytes of local memory, and %s has %lld",
                           (long long)group, (long long)local_bytes, device->name,
                           (long long)device->local_memory_bytes);
    return RHOMB_OK;
}

/*
 * A group of one item has its diagonals in memory, larger groups in registers: see wavefront.clh.
 */
static rhomb_status check_one_tile(rhomb__error *error, const rhomb_plan *plan,
                                   const rhomb_device_info *device)
{
    const int64_t group = plan->group_size;
    const int64_t items = plan->diagonals_per_item;
    const int64_t columns = plan->tile_columns;
    if (plan->tile_shape != RHOMB_TILE_TRAPEZOID && plan->tile_shape != RHOMB_TILE_DIAMOND)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "tile shape %d does not exist",
                           (int)plan->tile_shape);
    const rhomb_status status = check_group(error, plan, device);
    if (status != RHOMB_OK)
        return status;
    if (plan->tile_shape == RHOMB_TILE_DIAMOND && plan->directions != 1)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "diamonds have one direction, not %d",
                           (int)plan->directions);
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

static rhomb_status check_tile(rhomb__error *error, const rhomb_plan *plan,
                               const rhomb_device_info *device)
{
    const rhomb_plan wide = rhomb__plan_wide(plan);
    const rhomb_status status = check_one_tile(error, plan, device);
    if (status != RHOMB_OK || plan->wide_group_size == 0)
        return status;
    if (plan->tile_shape == RHOMB_TILE_DIAMOND || plan->wide_diagonals < 1)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "a second tile needs trapezoids, and the diagonals from which it is "
                           "used: %lld",
                           (long long)plan->wide_diagonals);
    return check_one_tile(error, &wide, device);
}

/* The number of bits for `symbols` different codes, at least 2. */
static int32_t bits_of(int32_t symbols)
{
    int32_t bits = 2;
    while (INT32_C(1) << bits < symbols)
        bits++;
    return bits;
}

double rhomb__plan_steps_per_column(const rhomb_plan *plan)
{
    const rhomb__sweep sweep = rhomb__plan_sweep(plan);
    const double per_strip = (double)(sweep.shape.lag + sweep.shape.steps);
    return 1.0 / (RHOMB__BLOCK_COLUMNS * plan->directions) +
           (plan->directions == 2 ? STRIPS_OF_TWO : 1) * per_strip / (double)sweep.strip_rows;
}

/*
 * Times that no rate gives, by the kind of device.
 *
 * The path's time, relative to that of the distance. An H200 takes 0.7 to 1.6 times as long again
 * where the distance takes 10 ms or more (bench/results/align.csv). With PoCL the path took 1.2 to
 * 3 times as long by the wavefront for pairs of 100 kb to 1 Mb. By the sweep it took 1.2 to 2 times
 * as long at more than one edit in 20 bases, and 2.6 to 5.8 times below that, where most
 * subproblems are left to the wavefront (align_pocl.csv has some of each).
 *
 * The time of a call for even the shortest pair: buffers, the first launches, reading results. With
 * PoCL 1.4 ms by the wavefront, whose bands are enqueued ahead, on an H200 0.9 ms; by the sweep 0.3
 * ms on both (pairs of 100 to 10,000 bases; start.csv for 16.5 k).
 */
static void tune_times(const rhomb_device_info *device, bool by_sweep, rhomb_plan *plan)
{
    const bool is_cpu = device->kind == RHOMB_DEVICE_CPU;
    plan->path_share = !is_cpu ? 1 : by_sweep ? 3 : 2;
    plan->start_seconds = by_sweep ? 0.3e-3 : is_cpu ? 1.4e-3 : 0.9e-3;
}

/* The number of diagonals that the device sweeps in a CHEAP_SHARE-th of the time of the columns. */
static int64_t cheap_diagonals(const rhomb_plan *plan)
{
    return (int64_t)(plan->cells_per_second * plan->column_seconds / CHEAP_SHARE);
}

/*
 * The sweep's shape. Short queries have few strips, so strips of fewer rows keep more groups busy,
 * and shorter launches let them begin earlier. Long queries profit from more rows per item, which
 * share the column's part of the work. Vectors always have the same shape.
 */
static void tune_sweep(const rhomb__plan_input *input, rhomb_plan *plan)
{
    const rhomb_tuning *given = input->options->tuning;
    const rhomb__tuning_row *row = rhomb__tuning_find(input->device);
    const bool is_short = row->sweep_lanes == 1 && input->query_length < SHORT_ROWS;
    const int32_t word_share = is_short ? 2 : 1, launch_share = is_short ? 4 : 1;
    int32_t group = row->sweep_group_size;
    while (given->group_size == 0 && group > input->device->max_group_size && group > 1)
        group /= 2;
    plan->tuning_row = row->name;
    plan->group_size = choose(given->group_size, group);
    plan->lanes = choose(given->lanes, plan->group_size == 1 ? row->sweep_lanes : 1);
    plan->words_per_item =
        choose(given->words_per_item, (row->words_per_item + word_share - 1) / word_share);
    plan->blocks_per_launch =
        choose(given->blocks_per_launch, row->blocks_per_launch / launch_share);
    plan->directions =
        choose(given->directions,
               row->sweep_lanes > 1 && input->device->compute_units <= FEW_UNITS ? 1 : 2);
    /* A word of 32 rows takes about 15 operations per column, and one for each plane. */
    plan->cells_per_second =
        input->rates->values.sweep_cells_per_second * (15 + 2) / (15 + plan->planes);
    plan->column_seconds =
        input->rates->values.sweep_block_seconds * rhomb__plan_steps_per_column(plan);
    tune_times(input->device, true, plan);
    const int64_t longer = rhomb__max(input->target_length, input->query_length);
    const int64_t blind = rhomb__max(longer / FIRST_BAND_SHARE, cheap_diagonals(plan));
    plan->first_beside =
        rhomb__min(given->first_beside > 0 ? given->first_beside : rhomb__max(blind, 1),
                   rhomb__max(longer, 1));
}

/* The tile of a wide pyramid: the caller's, or the row's if the caller gave no tile at all. */
static void tune_wide_tile(const rhomb__plan_input *input, const rhomb__tuning_row *row,
                           rhomb_plan *plan)
{
    const rhomb_tuning *given = input->options->tuning;
    const bool own = given->tile_shape != RHOMB_TILE_AUTO || given->group_size != 0 ||
                     given->diagonals_per_item != 0 || given->tile_columns != 0;
    const bool fits = row->wide_group_size > 0 && plan->group_size == row->group_size &&
                      row->wide_group_size <= input->device->max_group_size;
    if (given->wide_group_size != 0) {
        plan->wide_group_size = given->wide_group_size;
        plan->wide_diagonals_per_item = given->wide_diagonals_per_item;
        plan->wide_tile_columns = given->wide_tile_columns;
        plan->wide_diagonals = given->wide_diagonals;
    } else if (fits && !own) {
        plan->wide_group_size = row->wide_group_size;
        plan->wide_diagonals_per_item = row->wide_diagonals_per_item;
        plan->wide_tile_columns = row->wide_tile_columns;
        plan->wide_diagonals = row->wide_diagonals;
    }
}

/* The tile from the device's tuning row, overridden by the caller's values. */
static void tune_tile(const rhomb__plan_input *input, rhomb_plan *plan)
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
    tune_wide_tile(input, row, plan);
    plan->directions = choose(given->directions, plan->tile_shape == RHOMB_TILE_DIAMOND ? 1 : 2);
    plan->bands_per_read = choose(given->bands_per_read, row->bands_per_read);
    plan->pruning = !given->no_pruning;
    plan->cells_per_second = input->rates->values.cells_per_second;
    plan->column_seconds = input->rates->values.column_seconds;
    tune_times(input->device, false, plan);
}

static rhomb_status choose_offsets(rhomb__error *error, const rhomb__plan_input *input,
                                   rhomb_plan *plan)
{
    const int32_t given = input->options->tuning->offset_bits;
    const int64_t longer = rhomb__max(input->target_length, input->query_length);
    const int64_t widest = plan->pruning ? longer : input->target_length + input->query_length;
    const bool narrow = widest <= RHOMB__MAX_LENGTH_32;
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

/* Bytes of some columns that hold a window, and the tiles that extend beyond it. */
static int64_t column_bytes(const rhomb_plan *plan, rhomb__window window, int columns)
{
    const rhomb_plan wide = rhomb__plan_wide(plan);
    const int64_t tile = rhomb__max((int64_t)plan->group_size * plan->diagonals_per_item,
                                    (int64_t)wide.group_size * wide.diagonals_per_item);
    const int64_t diagonals = rhomb__max(window.high - window.low + 1, 0) + 2 * tile;
    return columns * plan->directions * diagonals * (plan->offset_bits / 8);
}

static void estimate_tile_memory(const rhomb__plan_input *input, rhomb_plan *plan)
{
    const rhomb__tiling tiling =
        rhomb__plan_tiling(plan, input->target_length, input->query_length);
    const rhomb__window first = {0, 0};
    const rhomb__window most = widest_window(&tiling, plan);
    const int64_t longer = rhomb__max(input->target_length, input->query_length);
    plan->sequence_bytes =
        plan->directions * (rhomb__packed_bytes(input->target_length, plan->planes) +
                            rhomb__packed_bytes(input->query_length, plan->planes));
    plan->buffer_bytes_min = plan->directions * rhomb__packed_bytes(longer, plan->planes);
    /* Diamonds need both columns while these grow, one after the other. */
    const int columns = plan->tile_shape == RHOMB_TILE_DIAMOND ? 3 : 2;
    plan->device_bytes_min = column_bytes(plan, first, 2);
    plan->device_bytes_max = column_bytes(plan, most, columns);
    if (plan->beam_diagonals > 0) {
        const int64_t room = RHOMB__BEAM_ROOM * plan->beam_diagonals;
        const rhomb__window beam = rhomb__window_around(&tiling, 0, room);
        plan->device_bytes_max += column_bytes(plan, beam, columns) + SMALL_DEVICE_BYTES;
    }
}

/*
 * Planes of both sequences, those of the query for each direction; two words for a word of rows,
 * and one for each block and each item.
 */
static void estimate_sweep_memory(const rhomb__plan_input *input, rhomb_plan *plan)
{
    (void)input;
    const rhomb__sweep sweep = rhomb__plan_sweep(plan);
    const int64_t words = 2 * sweep.strips * sweep.strip_rows / RHOMB__WORD_ROWS;
    const int64_t blocks = sweep.columns / RHOMB__BLOCK_COLUMNS;
    const int64_t row_bytes = (sweep.blocks[1] > 0 ? 4 : 2) * words * plan->planes;
    const int64_t column_bytes_all = 2 * blocks * plan->planes;
    plan->sequence_bytes = row_bytes + column_bytes_all;
    plan->buffer_bytes_min = rhomb__max(rhomb__max(row_bytes, column_bytes_all), 8 * words);
    const int64_t record_bytes = rhomb__sweep_records(&sweep) * (int64_t)sizeof(rhomb_strip);
    plan->host_bytes = rhomb__max(plan->host_bytes, HOST_BYTES + 8 * words + record_bytes);
    plan->device_bytes_min =
        8 * words + 4 * blocks + 8 * sweep.strips * (sweep.shape.items + 1) + record_bytes;
    plan->device_bytes_max = plan->device_bytes_min;
}

static rhomb_status check_sweep(rhomb__error *error, const rhomb_plan *plan,
                                const rhomb_device_info *device)
{
    if (plan->lanes != 1 && (plan->lanes != 16 || plan->group_size != 1))
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "%d lanes in groups of %d: 1, and 16 in groups of one, are allowed",
                           (int)plan->lanes, (int)plan->group_size);
    return check_group(error, plan, device);
}

/*
 * The basis for RHOMB_ENGINE_AUTO: a pair's plan on the device's profile, which is the device with
 * the compute units and the rates of its tuning row, or with the caller's rates.
 */
static rhomb_status describe_profile(rhomb__error *error, const rhomb__plan_input *input,
                                     rhomb_plan *plan)
{
    rhomb_device_info device = *input->device;
    rhomb__rates rates = rhomb__rates_of_profile(input->device);
    rhomb__plan_input profile = *input;
    rhomb_plan sweep = *plan;
    const rhomb_status status = rhomb__rates_override(error, input->options->tuning->rates, &rates);
    if (status != RHOMB_OK)
        return status;
    device.compute_units = rhomb__profile_units(input->device);
    profile.device = &device;
    profile.rates = &rates;
    tune_sweep(&profile, &sweep);
    plan->profile = (rhomb_speeds){rates.values.cells_per_second, rates.values.column_seconds,
                                   sweep.cells_per_second, sweep.column_seconds, sweep.directions};
    plan->profile_source = rates.source;
    return RHOMB_OK;
}

/* The planner's rows: an engine is one of these. */
typedef struct engine_row {
    rhomb_engine engine;
    const char *name;
    const char *reason;
    void (*tune)(const rhomb__plan_input *input, rhomb_plan *plan);
    rhomb_status (*check)(rhomb__error *error, const rhomb_plan *plan,
                          const rhomb_device_info *device);
    void (*estimate_memory)(const rhomb__plan_input *input, rhomb_plan *plan);
} engine_row;

static const engine_row ENGINES[] = {
    {RHOMB_ENGINE_WAVEFRONT, "wavefront", "its work grows with the distance, not with the lengths",
     tune_tile, check_tile, estimate_tile_memory},
    {RHOMB_ENGINE_BITPARALLEL, "bitparallel",
     "its work grows with the distance times the length, at many more cells a second", tune_sweep,
     check_sweep, estimate_sweep_memory},
};

static const engine_row *choose_engine(const rhomb__plan_input *input)
{
    return input->options->engine == RHOMB_ENGINE_BITPARALLEL ? &ENGINES[1] : &ENGINES[0];
}

/* What any plan says about the pair itself. */
static void describe(const rhomb__plan_input *input, rhomb_plan *plan)
{
    const int64_t difference = input->target_length - input->query_length;
    const int64_t limit = input->options->max_distance;
    const int64_t longer = rhomb__max(input->target_length, input->query_length);
    plan->target_length = input->target_length;
    plan->query_length = input->query_length;
    plan->planes = bits_of(input->symbols);
    plan->lower_bound = difference < 0 ? -difference : difference;
    if (plan->lower_bound == 0 && !input->equal)
        plan->lower_bound = 1;
    plan->upper_bound = limit == RHOMB_NO_LIMIT ? longer : rhomb__min(longer, limit);
    plan->device_bytes_limit = input->device->memory_bytes;
    plan->buffer_bytes_limit = input->device->max_buffer_bytes;
    plan->host_bytes = HOST_BYTES + rhomb__histogram_bytes(longer, input->threads);
    plan->setup_seconds = (double)(input->target_length + input->query_length) /
                          input->rates->values.letters_per_second;
    plan->rates_source = input->rates->source;
}

/* Whether the pair needs no engine, and why. */
static bool is_trivial(const rhomb__plan_input *input, rhomb_plan *plan)
{
    if (input->equal)
        plan->reason = "the sequences are equal";
    else if (plan->lower_bound > plan->upper_bound)
        plan->reason = "a look at the sequences shows that they differ by more than the limit";
    else if (rhomb__min(input->target_length, input->query_length) == 0)
        plan->reason = "one sequence is empty";
    return plan->reason != NULL;
}

/* rhomb__plan_make() for an input that already has the rates that count. */
static rhomb_status make_plan(rhomb__error *error, const rhomb__plan_input *input, rhomb_plan *plan)
{
    rhomb_status status = RHOMB_OK;
    describe(input, plan);
    const engine_row *row = choose_engine(input);
    row->tune(input, plan);
    plan->offset_bits = 32;
    if (row->engine == RHOMB_ENGINE_WAVEFRONT)
        RHOMB_TRY(choose_offsets(error, input, plan));
    RHOMB_TRY(row->check(error, plan, input->device));
    if (is_trivial(input, plan)) {
        plan->engine = "trivial";
        goto out;
    }
    plan->engine = row->name;
    plan->reason = row->reason;
    RHOMB_TRY(describe_profile(error, input, plan));
    if (input->options->engine == RHOMB_ENGINE_AUTO) {
        plan->reason = "it is quick where the pair is similar; the bit-parallel engine takes over "
                       "when it is not";
        plan->may_switch = true;
        rhomb_plan sweep = *plan;
        tune_sweep(input, &sweep);
        plan->other_cells_per_second = sweep.cells_per_second;
        plan->other_column_seconds = sweep.column_seconds;
        plan->other_directions = sweep.directions;
        plan->other_path_share = sweep.path_share;
        plan->other_start_seconds = sweep.start_seconds;
    }
    if (row->engine == RHOMB_ENGINE_WAVEFRONT)
        rhomb__plan_choose_beam(input, plan);
    row->estimate_memory(input, plan);
    const int64_t fixed = plan->sequence_bytes + SMALL_DEVICE_BYTES;
    const int64_t longer = rhomb__max(input->target_length, input->query_length);
    const int64_t staging = rhomb__piece_letters(longer);
    const int64_t pinned = rhomb__pinned_bytes(input->device, longer);
    plan->host_bytes = rhomb__max(plan->host_bytes, HOST_BYTES + pinned);
    plan->device_bytes_min = fixed + rhomb__max(staging, plan->device_bytes_min);
    plan->device_bytes_max = fixed + rhomb__max(staging, plan->device_bytes_max);
out:
    return status;
}

rhomb_status rhomb__plan_make(rhomb__error *error, const rhomb__plan_input *input, rhomb_plan *plan)
{
    rhomb__rates rates = *input->rates;
    rhomb__plan_input complete = *input;
    memset(plan, 0, sizeof *plan);
    const rhomb_status status = rhomb__rates_override(error, input->options->tuning->rates, &rates);
    if (status != RHOMB_OK)
        return status;
    complete.rates = &rates;
    return make_plan(error, &complete, plan);
}

/* The distance that the first band of a sweep has room for when `estimate` is expected. */
static int64_t roomy(const rhomb__plan_input *input, int64_t estimate, int64_t bound)
{
    const int64_t longer = rhomb__max(input->target_length, input->query_length);
    const int64_t shorter = rhomb__min(input->target_length, input->query_length);
    const int64_t random = longer - shorter + (int64_t)(RANDOM_SHARE * (double)shorter);
    const int64_t most = rhomb__max(random, estimate + estimate / RANDOM_SPARE);
    return rhomb__min(rhomb__min(estimate + estimate / BAND_SPARE, most), bound);
}

rhomb_status rhomb__plan_other(rhomb__error *error, const rhomb__plan_input *input,
                               const rhomb_plan *plan, int64_t estimate, int64_t bound,
                               rhomb_plan *other)
{
    if (!plan->may_switch)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "no engine can take over");
    rhomb_options options = *input->options;
    options.engine = RHOMB_ENGINE_BITPARALLEL;
    rhomb__plan_input forced = *input;
    forced.options = &options;
    const rhomb_status status = rhomb__plan_make(error, &forced, other);
    if (status != RHOMB_OK)
        return status;
    other->reason = "a wavefront came to expect a distance for which this engine is quicker";
    const int64_t end = input->target_length - input->query_length;
    const int64_t wide = roomy(input, estimate, bound);
    if (options.tuning->first_beside == 0)
        other->first_beside =
            rhomb__max(rhomb__max(rhomb__sweep_beside(end, wide), cheap_diagonals(other) / 2), 1);
    return RHOMB_OK;
}
