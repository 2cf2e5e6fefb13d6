/* SPDX-License-Identifier: MIT */
/*
 * The sweep's part of a plan (engine_plan.h): its strips, its first band, and its memory.
 */
#include "src/planner/models.h"

#include "cl/abi.h"
#include "src/base/int64.h"
#include "src/planner/profiles.h"
#include "src/strips/sliced.h"

/*
 * Bit-parallel. For short queries, and in narrow bands, items have half of the tuning row's words,
 * and launches a quarter of its blocks. Two directions keep many units busy; but one direction
 * narrows its band twice as much, and has enough strips in flight for a few cores. If nothing is
 * known about the distance, the first band has a 32nd of the longer length on either side. With
 * other costs a path comes first, in a band with a 512th of the length on either side, as no
 * wavefront has looked at the pair.
 *
 * A limit on the distance is a bound as well, and whoever gives one expects a distance below it. So
 * the first band is for the limit where that has at most LIMIT_SHARE times as many diagonals as a
 * blind guess: that much is lost if the distance is far smaller, and a whole sweep is saved if not.
 *
 * A step takes the same time for any number of strips in flight. With two directions each goes
 * through half of the strips, and some more with the width of the band.
 */
#define FIRST_BAND_SHARE 32
#define LIMIT_SHARE      2
#define PROBE_SHARE      512
#define PROBE_LEAST      256
#define STRIPS_OF_TWO    0.6
#define MANY_PLANES      12
#define MOST_IN_LAUNCH   (INT64_C(1) << 29)
#define CHEAP_SHARE      6
#define LOCAL_OVERHEAD   16 /* bytes of a group's local memory besides */

/*
 * Where the time of a narrow band is that of its columns, a wide one takes little longer, and
 * proves its path if that costs no more than it has room for. So a sample of the first bases, a
 * SAMPLE_SHARE-th of them and at least SAMPLE_LEAST, says how wide the first band is; its cells
 * may take WIDE_SHARE times as long as its columns.
 */
#define SAMPLE_SHARE 64
#define SAMPLE_LEAST 4096
#define WIDE_SHARE   1.5

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

/*
 * The blocks by which the last item lags the first. Myers' step: a block an item, and vectors'
 * lanes are skewed by a column. Bit-sliced: an item's last row ends a block two blocks a word after
 * its first one, and the next item begins with it then (cl/bitsliced/bitsliced.clh).
 */
static int64_t lag_of(const rhomb__sweep_plan *own)
{
    if (own->sliced)
        return (int64_t)own->group_size * own->lanes * (2 * own->words_per_item + 1) - 1;
    return own->lanes > 1 ? 1 : own->group_size - 1;
}

rhomb__sweep rhomb__plan_sweep(const rhomb__plan *plan)
{
    const rhomb__sweep_plan *own = &plan->sweep;
    const rhomb__strip_shape shape = {
        .items = (int64_t)own->group_size * own->lanes,
        .words = own->words_per_item,
        .lag = lag_of(own),
        .steps = own->blocks_per_launch,
        .sliced = own->sliced,
        .costs = plan->costs,
    };
    return rhomb__sweep_make(plan->target_length, plan->query_length, &shape, plan->directions);
}

/* Steps per column: its block's share, and the strips' delays. */
static double steps_per_column(const rhomb__plan *plan)
{
    const rhomb__sweep sweep = rhomb__plan_sweep(plan);
    const double per_strip = (double)(sweep.shape.lag + sweep.shape.steps);
    return 1.0 / (RHOMB__BLOCK_COLUMNS * plan->directions) +
           (plan->directions == 2 ? STRIPS_OF_TWO : 1) * per_strip / (double)sweep.strip_rows;
}

/* The number of diagonals that the device sweeps in the time of the columns. */
static double free_diagonals(const rhomb__plan *plan)
{
    const rhomb__speed *speed = &plan->speed[RHOMB__ROW_SWEEP];
    return speed->cells_per_second * speed->column_seconds;
}

/* In a CHEAP_SHARE-th of that time. */
static int64_t cheap_diagonals(const rhomb__plan *plan)
{
    return (int64_t)(free_diagonals(plan) / CHEAP_SHARE);
}

/* Beside the ends' diagonals in the first band, if nothing is known but a limit. */
static int64_t blind_half_width(const rhomb__plan_input *input, const rhomb__plan *plan,
                                int64_t longer)
{
    const int64_t end = input->target_length - input->query_length;
    const int64_t apart = end < 0 ? -end : end;
    const int64_t blind =
        rhomb__max(rhomb__max(longer / FIRST_BAND_SHARE, cheap_diagonals(plan)), 1);
    if (input->options->max_distance == RHOMB_NO_LIMIT)
        return blind;
    const int64_t limited = rhomb__costs_half_width(&plan->costs, end, plan->upper_bound);
    const bool is_near = 2 * limited + apart <= LIMIT_SHARE * (2 * blind + apart);
    return is_near ? rhomb__max(blind, limited) : blind;
}

/* What paths in the first band cost at most. */
static int64_t band_bound(const rhomb__plan *plan)
{
    const int64_t end = plan->target_length - plan->query_length;
    return rhomb__costs_bound(&plan->costs, end, plan->sweep.first_half_width);
}

/* The plan's probe and sample. */
static void plan_probe(rhomb__plan *plan, int64_t longer)
{
    rhomb__sweep_plan *own = &plan->sweep;
    const int64_t probe = rhomb__max(longer / PROBE_SHARE, PROBE_LEAST);
    const double widest = WIDE_SHARE * free_diagonals(plan);
    if (probe >= own->first_half_width)
        return;
    own->probe_half_width = probe;
    own->probe_most = widest < (double)longer ? (int64_t)(widest / 2) : longer;
    if (own->probe_most > 2 * probe && longer >= SAMPLE_LEAST * SAMPLE_SHARE / 4)
        own->sample_bases = rhomb__max(longer / SAMPLE_SHARE, SAMPLE_LEAST);
}

/*
 * The shape for the bit-sliced step. An item's words share what passes from item to item, but wait
 * for each other. Where planes are many, a second word gains a CPU 5 %, and takes a second longer
 * to compile; in groups there have to be enough strips. Strips of short queries begin so late that
 * their launches are only half as long as others. Within a launch kernels count a row's costs in 32
 * bits.
 */
static void tune_sliced(const rhomb__plan_input *input, rhomb__plan *plan)
{
    const rhomb__tuning_row *row = rhomb__tuning_find(input->device);
    const rhomb_tuning *given = input->options->tuning;
    const int64_t first_base = plan->costs.open[0] + plan->costs.extend[0];
    rhomb__sweep_plan *own = &plan->sweep;
    const int32_t planes = rhomb__sliced_state_words(&plan->costs) / 2;
    const bool one_word =
        planes > MANY_PLANES || (own->lanes == 1 && input->query_length < row->sliced_rows);
    if (own->lanes == 1 && input->query_length < row->short_rows)
        own->blocks_per_launch =
            rhomb__given_or(given->blocks_per_launch, own->blocks_per_launch * 2);
    own->words_per_item = rhomb__given_or(given->words_per_item, one_word ? 1 : row->sliced_words);
    const int64_t most = MOST_IN_LAUNCH / (2 * RHOMB__BLOCK_COLUMNS * first_base);
    own->blocks_per_launch =
        (int32_t)rhomb__max(rhomb__min(own->blocks_per_launch, most), INT64_C(1));
}

/*
 * The time of a step however few strips are in flight. The rate for it is that of Myers' step; the
 * bit-sliced step takes as long as a device with one group in each unit needs for its operations.
 */
static double step_seconds(const rhomb__plan_input *input, const rhomb__plan *plan)
{
    const rhomb__sweep_plan *own = &plan->sweep;
    const double block_seconds = input->rates->values.sweep_block_seconds;
    const double cells = 32.0 * own->group_size * own->lanes * own->words_per_item *
                         RHOMB__BLOCK_COLUMNS * input->device->compute_units;
    const double busy = cells / plan->speed[RHOMB__ROW_SWEEP].cells_per_second;
    return own->sliced && busy > block_seconds ? busy : block_seconds;
}

/*
 * Items exchange a border's block through local memory, in two places in turns; a group has a place
 * more than it has items.
 */
static rhomb__local_need local_need(const rhomb__plan *plan)
{
    const rhomb__strip_shape shape = {.costs = plan->costs, .sliced = plan->sweep.sliced};
    const int64_t item_bytes = 2 * 4 * rhomb__shape_border_words(&shape);
    return (rhomb__local_need){item_bytes, item_bytes + LOCAL_OVERHEAD};
}

/*
 * The rows and steps of strips. Short queries have few strips, and narrow bands few in flight: so
 * strips of fewer rows keep more groups busy, and shorter launches let them begin earlier. Long
 * queries profit from more rows per item, which share the column's part of the work. Vectors always
 * have the same shape.
 */
static void take_strips(const rhomb_tuning *given, const rhomb__tuning_row *row, bool is_small,
                        rhomb__sweep_plan *own)
{
    const int32_t word_share = is_small ? 2 : 1, launch_share = is_small ? 4 : 1;
    own->words_per_item =
        rhomb__given_or(given->words_per_item, (row->words_per_item + word_share - 1) / word_share);
    own->blocks_per_launch =
        rhomb__given_or(given->blocks_per_launch, row->blocks_per_launch / launch_share);
}

/* The sweep's shape where nothing is known of its band, its speed, and its band. */
static void tune(const rhomb__plan_input *input, rhomb__plan *plan)
{
    const rhomb_tuning *given = input->options->tuning;
    const rhomb__tuning_row *row = rhomb__tuning_find(input->device);
    const bool is_short = row->sweep_group_size > 1 && input->query_length < row->short_rows;
    const bool few_units = row->few_units > 0 && input->device->compute_units <= row->few_units;
    rhomb__sweep_plan *own = &plan->sweep;
    rhomb__speed *speed = &plan->speed[RHOMB__ROW_SWEEP];
    *own = (rhomb__sweep_plan){.group_size = rhomb__group_for(input, row->sweep_group_size)};
    own->lanes = rhomb__lanes_of_group(own->group_size);
    take_strips(given, row, is_short, own);
    own->sliced = !rhomb__costs_are_edit(&plan->costs);
    own->group_size = rhomb__group_fitting(input->device, local_need(plan), own->group_size,
                                           given->group_size != 0);
    if (own->sliced)
        tune_sliced(input, plan);
    plan->tuning_row = row->name;
    plan->directions = rhomb__given_or(given->directions, few_units ? 1 : 2);
    speed->cells_per_second = rhomb__sweep_rate(
        input->rates->values.sweep_cells_per_second, own->sliced ? &plan->costs : NULL,
        RHOMB_PLANE_COUNT(plan->planes), own->words_per_item);
    own->step_seconds = step_seconds(input, plan);
    speed->directions = plan->directions;
    speed->column_seconds = own->step_seconds * steps_per_column(plan);
    speed->path_share = row->sweep_path_share;
    speed->start_seconds = row->sweep_start_seconds;
    const int64_t longer = rhomb__max(input->target_length, input->query_length);
    own->first_half_width =
        rhomb__min(given->first_half_width > 0 ? given->first_half_width
                                               : blind_half_width(input, plan, longer),
                   rhomb__max(longer, 1));
    if (!rhomb__costs_are_edit(&plan->costs) && given->first_half_width == 0)
        plan_probe(plan, longer);
    if (input->options->max_distance != RHOMB_NO_LIMIT && band_bound(plan) >= plan->upper_bound)
        rhomb__plan_fit_strips(input, plan, plan->upper_bound);
}

static rhomb_status check(rhomb__error *error, const rhomb__plan_input *input,
                          const rhomb__plan *plan)
{
    const rhomb__sweep_plan *own = &plan->sweep;
    const int64_t first_base = plan->costs.open[0] + plan->costs.extend[0];
    if (own->sliced && first_base > RHOMB_SLICED_MOST)
        return rhomb__refuse_costs(error, &plan->costs, "the first base of a gap costs", first_base,
                                   RHOMB_SLICED_MOST, "sweep");
    if (own->sliced && !rhomb__sliced_can(&plan->costs))
        return rhomb__refuse_costs(error, &plan->costs, "the second piece of gaps opens with",
                                   plan->costs.open[1], RHOMB_SLICED_MOST, "sweep");
    const rhomb__sweep sweep = rhomb__plan_sweep(plan);
    if (own->sliced && sweep.strip_rows * plan->costs.extend[0] > MOST_IN_LAUNCH)
        return rhomb__fail(
            error, RHOMB_ERR_ARGUMENT,
            "strips of %lld rows cost more than %lld by this scoring: choose smaller "
            "groups or fewer words",
            (long long)sweep.strip_rows, (long long)MOST_IN_LAUNCH);
    return rhomb__check_group(error, input->device, own->group_size, local_need(plan));
}

/*
 * Planes of both sequences, those of the query for each direction; what a strip keeps of its rows,
 * and a border's words for each block and each item.
 */
static void estimate_memory(const rhomb__plan_input *input, rhomb__plan *plan)
{
    (void)input;
    const rhomb__sweep sweep = rhomb__plan_sweep(plan);
    const int64_t words = 2 * sweep.strips * sweep.strip_rows / RHOMB__WORD_ROWS;
    const int64_t blocks = sweep.columns / RHOMB__BLOCK_COLUMNS;
    const int64_t planes = RHOMB_PLANE_COUNT(plan->planes);
    const int64_t row_bytes = (sweep.blocks[1] > 0 ? 4 : 2) * words * planes;
    const int64_t column_bytes = 2 * blocks * planes;
    plan->sequence_bytes = row_bytes + column_bytes;
    const int64_t down_bytes = 4 * words * rhomb__shape_down_words(&sweep.shape);
    const int64_t border_bytes = 4 * rhomb__shape_border_words(&sweep.shape);
    const int64_t borders = rhomb__max(blocks, 2 * sweep.strips * sweep.shape.items);
    plan->buffer_bytes_min = rhomb__max(rhomb__max(row_bytes, column_bytes),
                                        rhomb__max(down_bytes, border_bytes * borders));
    const int64_t record_bytes = rhomb__sweep_records(&sweep) * (int64_t)sizeof(rhomb_strip);
    /* The records twice, as they were sent and as they came back, and a list of the strips. */
    const int64_t list_bytes = 2 * sweep.strips * (int64_t)sizeof(uint32_t);
    plan->host_bytes = rhomb__max(plan->host_bytes, RHOMB__LEAST_HOST_BYTES + down_bytes +
                                                        2 * record_bytes + list_bytes);
    plan->device_bytes_min = down_bytes + border_bytes * blocks +
                             2 * sweep.strips * (border_bytes * sweep.shape.items + 4) +
                             record_bytes;
    plan->device_bytes_max = plan->device_bytes_min;
}

/* The same plan with other strips: more of them leave more borders. */
static void reshape(rhomb__plan *plan, const rhomb__sweep_plan *own)
{
    rhomb__plan before = *plan, after = *plan;
    after.sweep = *own;
    estimate_memory(NULL, &before);
    estimate_memory(NULL, &after);
    const int64_t more = rhomb__max(after.device_bytes_min + after.sequence_bytes -
                                        before.device_bytes_min - before.sequence_bytes,
                                    0);
    after.device_bytes_min = plan->device_bytes_min + more;
    after.device_bytes_max = plan->device_bytes_max + more;
    *plan = after;
}

static void shrink(rhomb__plan *plan, int64_t most_items)
{
    rhomb__sweep_plan own = plan->sweep;
    own.group_size = rhomb__group_halved(own.group_size, most_items);
    own.lanes = rhomb__lanes_of_group(own.group_size);
    reshape(plan, &own);
}

double rhomb__plan_strips_per_unit(const rhomb__plan *plan, int64_t bound, int32_t units)
{
    const rhomb__sweep sweep = rhomb__plan_sweep(plan);
    const rhomb__sweep_extent extent =
        rhomb__sweep_measure(&sweep, rhomb__max(bound, plan->lower_bound));
    const double steps = (double)extent.launches * (double)sweep.shape.steps;
    return steps > 0 ? (double)extent.strip_blocks / steps / rhomb__max(units, 1) : 0;
}

void rhomb__plan_fit_strips(const rhomb__plan_input *input, rhomb__plan *plan, int64_t bound)
{
    const rhomb_tuning *given = input->options->tuning;
    const rhomb__tuning_row *row = rhomb__tuning_find(input->device);
    rhomb__sweep_plan own = plan->sweep;
    if (row->narrow_strips == 0 || plan->is_trivial || own.lanes > 1 || own.sliced ||
        plan->query_length < row->short_rows || given->first_half_width > 0 ||
        given->group_size != 0 || given->words_per_item != 0 || given->blocks_per_launch != 0)
        return;
    rhomb__plan wide = *plan;
    take_strips(given, row, false, &wide.sweep);
    const bool is_narrow =
        rhomb__plan_strips_per_unit(&wide, bound, rhomb__profile_units(input->device)) <
        row->narrow_strips;
    take_strips(given, row, is_narrow, &own);
    own.has_few_strips = is_narrow;
    reshape(plan, &own);
}

const rhomb__model rhomb__model_sweep = {
    .engine = RHOMB_ENGINE_BITPARALLEL,
    .unit_costs = true,
    .other_costs = true,
    .sweeps = true,
    .name = "bitparallel",
    .reason = "its work grows with the distance times the length, at many more cells per second",
    .reason_open = "the pair is too short, or its costs are too large, for the wavefront",
    .fields = rhomb__sweep_fields,
    .tune = tune,
    .check = check,
    .seconds = rhomb__sweep_seconds,
    .estimate_memory = estimate_memory,
    .shrink = shrink,
};

/* No less than the distance of random sequences of these lengths; with other costs not known. */
static int64_t random_distance(const rhomb__plan *plan, int64_t otherwise)
{
    const int64_t longer = rhomb__max(plan->target_length, plan->query_length);
    const int64_t shorter = rhomb__min(plan->target_length, plan->query_length);
    return rhomb__costs_are_edit(&plan->costs)
               ? longer - shorter + (int64_t)(RANDOM_SHARE * (double)shorter)
               : otherwise;
}

/* The distance that the first band of a sweep has room for when `estimate` is expected. */
static int64_t roomy(const rhomb__plan *plan, int64_t estimate, int64_t bound)
{
    const int64_t most =
        rhomb__max(random_distance(plan, bound), estimate + estimate / RANDOM_SPARE);
    return rhomb__min(rhomb__min(estimate + estimate / BAND_SPARE, most), bound);
}

/* Diagonals on either side of those between the ends. */
static int64_t first_half_width_for(const rhomb__plan *plan, int64_t estimate, int64_t bound)
{
    const int64_t end = plan->target_length - plan->query_length;
    const int64_t half_width =
        rhomb__costs_half_width(&plan->costs, end, roomy(plan, estimate, bound));
    return rhomb__max(rhomb__max(half_width, cheap_diagonals(plan) / 2), 1);
}

/* The first band for such a distance, and strips that fit it. */
static void take_first_band(const rhomb__plan_input *input, rhomb__plan *plan, int64_t estimate,
                            int64_t bound)
{
    plan->sweep.first_half_width = first_half_width_for(plan, estimate, bound);
    plan->sweep.is_estimated = true;
    plan->sweep.sample_bases = 0;
    rhomb__plan_fit_strips(input, plan,
                           rhomb__min(rhomb__min(band_bound(plan), bound), plan->upper_bound));
}

void rhomb__plan_take_estimate(const rhomb__plan_input *input, rhomb__plan *plan, int64_t estimate,
                               int64_t bound)
{
    if (input->options->tuning->first_half_width > 0)
        return;
    take_first_band(input, plan, estimate, bound);
    if (!rhomb__plan_probe_pays(plan, estimate))
        plan->sweep.probe_half_width = 0;
}

void rhomb__plan_take_bound(const rhomb__plan_input *input, rhomb__plan *plan, int64_t bound)
{
    if (input->options->tuning->first_half_width > 0)
        return;
    /* A path that costs more than random ones has lost its way. */
    take_first_band(input, plan, rhomb__min(bound, random_distance(plan, bound)), bound);
    plan->sweep.probe_half_width = 0;
}
