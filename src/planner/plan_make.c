/* SPDX-License-Identifier: MIT */
/*
 * The planner, see engine_plan.h: what all engines have in common, the choice between them, and the
 * view of a plan that callers get.
 */
#include "src/planner/models.h"

#include "cl/abi.h"
#include "src/base/alphabet.h"
#include "src/base/int64.h"
#include "src/base/known_runs.h"
#include "src/planner/engine_plan.h"
#include "src/planner/profiles.h"
#include "src/scoring/score_matrix.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const rhomb__model *const MODELS[RHOMB__ENGINE_ROWS] = {
    [RHOMB__ROW_WAVEFRONT] = &rhomb__model_wavefront,
    [RHOMB__ROW_AFFINE] = &rhomb__model_affine,
    [RHOMB__ROW_SWEEP] = &rhomb__model_sweep,
};

static bool is_for(const rhomb__model *model, const rhomb__costs *costs)
{
    return rhomb__costs_are_edit(costs) ? model->unit_costs : model->other_costs;
}

/* The row of an engine for these costs; every engine has a row for any costs. */
static rhomb__engine_row row_of(rhomb_engine engine, const rhomb__costs *costs)
{
    int row = 0;
    while (row < RHOMB__ENGINE_ROWS - 1 &&
           (MODELS[row]->engine != engine || !is_for(MODELS[row], costs)))
        row++;
    assert(MODELS[row]->engine == engine);
    return (rhomb__engine_row)row;
}

/* Whether a row can compute what is asked for; the last one can, or its check says what is wrong.
 */
static bool is_able(int row, const rhomb__plan_input *input, const rhomb__costs *costs)
{
    const rhomb__model *model = MODELS[row];
    return is_for(model, costs) &&
           (model->most_lookback == 0 || rhomb__affine_lookback(costs) <= model->most_lookback) &&
           (!model->needs_two_directions || input->options->tuning->directions != 1);
}

/* The first row that can compute what is asked for; the last one takes what is left. */
static rhomb__engine_row first_that_can(const rhomb__plan_input *input, const rhomb__costs *costs)
{
    int row = 0;
    while (row < RHOMB__ENGINE_ROWS - 1 && !is_able(row, input, costs))
        row++;
    return (rhomb__engine_row)row;
}

rhomb_engine rhomb__row_engine(rhomb__engine_row row, const rhomb__costs *costs)
{
    return is_for(MODELS[row], costs) ? MODELS[row]->engine : RHOMB_ENGINE_AUTO;
}

rhomb_engine rhomb__engine_that(bool sweeps, const rhomb__costs *costs)
{
    int row = 0;
    while (row < RHOMB__ENGINE_ROWS - 1 &&
           (MODELS[row]->sweeps != sweeps || !is_for(MODELS[row], costs)))
        row++;
    assert(MODELS[row]->sweeps == sweeps);
    return MODELS[row]->engine;
}

const rhomb__model *rhomb__model_at(rhomb__engine_row row)
{
    return MODELS[row];
}

const rhomb__model *rhomb__model_of(const rhomb__plan *plan)
{
    return MODELS[plan->row];
}

const rhomb__speed *rhomb__plan_speed(const rhomb__plan *plan)
{
    return &plan->speed[plan->row];
}

const rhomb__speed *rhomb__plan_profile(const rhomb__plan *plan)
{
    return &plan->profile[plan->row];
}

/* Whether a row may take over from the plan's; its limits are checked when it does. */
static bool may_take_over(const rhomb__plan *plan, int row)
{
    return row != (int)plan->row && MODELS[row]->sweeps && is_for(MODELS[row], &plan->costs);
}

rhomb__successor rhomb__plan_successor(const rhomb__plan *plan, int64_t cost, rhomb__known known)
{
    rhomb__successor least = {plan->row, (double)INFINITY};
    for (int row = 0; row < RHOMB__ENGINE_ROWS; row++) {
        const rhomb__successor other = {
            (rhomb__engine_row)row,
            may_take_over(plan, row) ? MODELS[row]->seconds(plan, &plan->profile[row], cost, known)
                                     : (double)INFINITY};
        least = other.seconds < least.seconds ? other : least;
    }
    return least;
}

bool rhomb__plan_sweeps(const rhomb__plan *plan)
{
    return rhomb__model_of(plan)->sweeps;
}

void rhomb__plan_simplify(rhomb__plan *plan, int64_t half_width)
{
    if (rhomb__plan_sweeps(plan)) {
        plan->sweep.first_half_width = rhomb__min(plan->sweep.first_half_width, half_width);
        plan->sweep.probe_half_width = 0;
    } else {
        plan->wavefront.wide_group_size = 0;
    }
}

int32_t rhomb__group_for(const rhomb__plan_input *input, int32_t row_group)
{
    return rhomb__given_or(input->options->tuning->group_size,
                           rhomb__group_on(input->device, row_group));
}

rhomb_status rhomb__refuse_costs(rhomb__error *error, const rhomb__costs *costs, const char *what,
                                 int64_t value, int most, const char *engine)
{
    char divided[64] = "";
    if (costs->unit != 1)
        snprintf(divided, sizeof divided, ", divided by the common divisor %lld",
                 (long long)costs->unit);
    return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                       "scoring: %s %lld%s: %d is the most that the %s can compute", what,
                       (long long)value, divided, most, engine);
}

/* The costs of the scoring that was asked for. */
static rhomb_status take_costs(rhomb__error *error, const rhomb__plan_input *input,
                               rhomb__plan *plan)
{
    const rhomb_status status = rhomb__costs_of(error, input->options->scoring, &plan->costs);
    if (status != RHOMB_OK ||
        rhomb__costs_fit(&plan->costs, input->target_length, input->query_length))
        return status;
    return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                       "by this scoring, penalties of %lld and %lld bases may exceed 2^60",
                       (long long)input->target_length, (long long)input->query_length);
}

/*
 * What any plan says about the pair itself, once it has the costs. Without a gap, paths between
 * different sequences have a mismatch at least.
 */
static void describe(const rhomb__plan_input *input, rhomb__plan *plan)
{
    const int64_t n = input->target_length, m = input->query_length;
    const int64_t limit = input->options->max_distance;
    const int64_t longer = rhomb__max(n, m);
    plan->target_length = input->target_length;
    plan->query_length = input->query_length;
    plan->planes = rhomb__planes_of(input->symbols);
    plan->lower_bound = rhomb__costs_least(&plan->costs, n, m);
    if (plan->lower_bound == 0 && !input->equal)
        plan->lower_bound = plan->costs.mismatch;
    plan->upper_bound = rhomb__costs_most(&plan->costs, n, m);
    if (limit != RHOMB_NO_LIMIT)
        plan->upper_bound = rhomb__min(plan->upper_bound, limit / plan->costs.unit);
    plan->device_bytes_limit = input->device->memory_bytes;
    plan->buffer_bytes_limit = input->device->max_buffer_bytes;
    plan->host_bytes = RHOMB__LEAST_HOST_BYTES + rhomb__histogram_bytes(longer, input->threads);
    plan->setup_seconds = (double)(input->target_length + input->query_length) /
                          input->rates->values.bases_per_second;
    plan->rates_source = input->rates->source;
}

/* Whether the pair needs no engine, and why. */
static bool is_trivial(const rhomb__plan_input *input, rhomb__plan *plan)
{
    if (input->equal)
        plan->reason = input->symbols == RHOMB__MASKS ? "the sequences match as they are"
                                                      : "the sequences are identical";
    else if (plan->lower_bound > plan->upper_bound)
        plan->reason = "a first look at the sequences shows that the distance exceeds the limit";
    else if (rhomb__min(input->target_length, input->query_length) == 0)
        plan->reason = "one sequence is empty";
    return plan->reason != NULL;
}

/* A row's speed for the pair of a plan, by some rates. */
static rhomb__speed speed_of(int row, const rhomb__plan_input *input, const rhomb__plan *plan)
{
    rhomb__plan tuned = *plan;
    MODELS[row]->tune(input, &tuned);
    return tuned.speed[row];
}

/*
 * The basis for choices: the engines' speeds for a pair on the device's profile, which is
 * the device with the compute units and the rates of its tuning row.
 */
static void describe_profile(const rhomb__plan_input *input, rhomb__plan *plan)
{
    rhomb_device_info device = *input->device;
    rhomb__rates rates = *input->rates;
    rhomb__plan_input profile = *input;
    rates.values = rates.profile;
    device.compute_units = rhomb__profile_units(input->device);
    profile.device = &device;
    profile.rates = &rates;
    for (int row = 0; row < RHOMB__ENGINE_ROWS; row++) {
        if (is_for(MODELS[row], &plan->costs))
            plan->profile[row] = speed_of(row, &profile, plan);
    }
}

/*
 * The row that begins where the choice is the planner's: the first that can or, for short pairs,
 * one that takes less for any distance than the first one takes to start, by the profile. Whoever
 * gives values of the first one's own gets it.
 */
static rhomb__engine_row row_to_begin(const rhomb__plan_input *input, const rhomb__plan *plan)
{
    rhomb__engine_row best = first_that_can(input, &plan->costs);
    double least = plan->profile[best].start_seconds;
    if (plan->is_trivial || rhomb__model_is_tuned(MODELS[best], input->options->tuning))
        return best;
    for (int row = (int)best + 1; row < RHOMB__ENGINE_ROWS; row++) {
        const rhomb__speed *speed = &plan->profile[row];
        if (!is_able(row, input, &plan->costs))
            continue;
        const double most =
            speed->start_seconds +
            MODELS[row]->seconds(plan, speed, plan->upper_bound, RHOMB__KNOWN_GUESS);
        best = most < least ? (rhomb__engine_row)row : best;
        least = most < least ? most : least;
    }
    return best;
}

/* What the engine and the buffers that sequences are sent through take. */
static void estimate_memory(const rhomb__plan_input *input, rhomb__plan *plan)
{
    const int64_t longer = rhomb__max(input->target_length, input->query_length);
    const int64_t staging = rhomb__chunk_bases(longer);
    const int64_t pinned = rhomb__pinned_bytes(input->device, longer);
    rhomb__model_of(plan)->estimate_memory(input, plan);
    const int64_t fixed = plan->sequence_bytes + RHOMB__SMALL_DEVICE_BYTES;
    plan->host_bytes = rhomb__max(plan->host_bytes, RHOMB__LEAST_HOST_BYTES + pinned);
    plan->device_bytes_min = fixed + rhomb__max(staging, plan->device_bytes_min);
    plan->device_bytes_max = fixed + rhomb__max(staging, plan->device_bytes_max);
}

/* The rows that may take over, and their speeds for estimates. */
static void plan_successors(const rhomb__plan_input *input, rhomb__plan *plan)
{
    for (int row = 0; row < RHOMB__ENGINE_ROWS; row++) {
        if (may_take_over(plan, row)) {
            plan->may_switch = true;
            plan->speed[row] = speed_of(row, input, plan);
        }
    }
}

rhomb_status rhomb__plan_make(rhomb__error *error, const rhomb__plan_input *input,
                              rhomb__plan *plan)
{
    rhomb_status status = RHOMB_OK;
    const bool is_open = input->options->engine == RHOMB_ENGINE_AUTO;
    memset(plan, 0, sizeof *plan);
    RHOMB_TRY(take_costs(error, input, plan));
    describe(input, plan);
    plan->groups_given =
        input->options->tuning->group_size != 0 || input->options->tuning->wide_group_size != 0;
    plan->is_trivial = is_trivial(input, plan);
    describe_profile(input, plan);
    plan->row = is_open ? row_to_begin(input, plan) : row_of(input->options->engine, &plan->costs);
    const rhomb__model *model = rhomb__model_of(plan);
    model->tune(input, plan);
    RHOMB_TRY(model->check(error, input, plan));
    if (plan->is_trivial)
        goto out;
    plan->reason = is_open ? model->reason_open : model->reason;
    if (is_open)
        plan_successors(input, plan);
    estimate_memory(input, plan);
out:
    return status;
}

void rhomb__plan_shrink(rhomb__plan *plan, int64_t most_items)
{
    rhomb__model_of(plan)->shrink(plan, most_items);
}

rhomb_status rhomb__plan_other(rhomb__error *error, const rhomb__plan_input *input,
                               const rhomb__plan *plan, int64_t estimate, int64_t bound,
                               rhomb__plan *other)
{
    const rhomb__successor next = rhomb__plan_successor(plan, estimate, RHOMB__KNOWN_GUESS);
    const rhomb__model *model = MODELS[next.row];
    rhomb_options options = *input->options;
    if (!plan->may_switch || next.row == plan->row)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "no engine can take over");
    options.engine = model->engine;
    rhomb__plan_input forced = *input;
    forced.options = &options;
    const rhomb_status status = rhomb__plan_make(error, &forced, other);
    if (status != RHOMB_OK)
        return status;
    other->reason = "the wavefront expected a distance for which this engine is faster";
    rhomb__plan_take_estimate(&forced, other, estimate, bound);
    return RHOMB_OK;
}

const char *rhomb__plan_engine_name(const rhomb__plan *plan)
{
    return plan->is_trivial ? "trivial" : rhomb__model_of(plan)->name;
}

/* Of an edit, where mismatches, insertions and deletions of one base are as frequent. */
static double mean_edit_cost(const rhomb__costs *costs)
{
    return ((double)costs->mismatch + 2 * (double)rhomb__costs_gap(costs, 1)) / 3;
}

void rhomb__plan_publish(const rhomb__plan *plan, rhomb__plan_view *out)
{
    const rhomb__speed *own = rhomb__plan_speed(plan);
    const bool is_edit = rhomb__costs_are_edit(&plan->costs);
    const int64_t promised_by_guide = rhomb__plan_expected(plan);
    out->plan = *plan;
    out->view = (rhomb_plan){
        .engine = rhomb__plan_engine_name(plan),
        .reason = plan->reason,
        .planes = RHOMB_PLANE_COUNT(plan->planes),
        .offset_bits = 32, /* a sweep's: of columns and rows within a strip */
        .step = !rhomb__plan_sweeps(plan) ? NULL
                : plan->sweep.sliced      ? "bit-sliced"
                                          : "myers",
        .directions = plan->directions,
        .tuning_row = plan->tuning_row,
        .target_length = plan->target_length,
        .query_length = plan->query_length,
        .lower_bound = plan->lower_bound * plan->costs.unit,
        .upper_bound = plan->upper_bound * plan->costs.unit,
        .host_bytes = plan->host_bytes,
        .sequence_bytes = plan->sequence_bytes,
        .device_bytes_min = plan->device_bytes_min,
        .device_bytes_max = plan->device_bytes_max,
        .device_bytes_limit = plan->device_bytes_limit,
        .buffer_bytes_min = plan->buffer_bytes_min,
        .buffer_bytes_limit = plan->buffer_bytes_limit,
        .cells_per_second = own->cells_per_second,
        .column_seconds = own->column_seconds,
        .may_switch = plan->may_switch,
        .setup_seconds = plan->setup_seconds,
        .devices = rhomb__max(plan->sharing, 1),
        .path_devices = rhomb__max(plan->path_devices, 1),
        .rates_source = plan->rates_source,
        .path_share = own->path_share,
        .start_seconds = own->start_seconds,
        .edit_penalty = is_edit ? plan->costs.unit : 0,
        .is_trivial = plan->is_trivial,
        .expected_distance = promised_by_guide > 0 ? promised_by_guide * plan->costs.unit : -1,
        .mean_edit_penalty = mean_edit_cost(&plan->costs) * (double)plan->costs.unit};
    rhomb__state_copy(rhomb__model_of(plan)->fields, plan, RHOMB__OF_PLAN, &out->view,
                      RHOMB__OF_VIEW);
}

int64_t rhomb__unit_bytes(int32_t planes)
{
    return RHOMB_UNIT_WORDS(planes) * (int64_t)sizeof(rhomb_u32);
}

int64_t rhomb__packed_bytes(int64_t length, int32_t planes)
{
    const int64_t symbols = length + 2 * RHOMB_PAD_SYMBOLS;
    return rhomb__ceil_div(symbols, RHOMB_WORD_SYMBOLS) * rhomb__unit_bytes(planes);
}

int64_t rhomb__run_table_bytes(int64_t length)
{
    return rhomb__run_chunks(length) * (int64_t)sizeof(rhomb_u32);
}

int64_t rhomb__windows_bytes(int64_t length, int32_t planes, int32_t directions)
{
    return directions * (rhomb__packed_bytes(length, planes) + rhomb__run_table_bytes(length));
}

int64_t rhomb__chunk_bases(int64_t length)
{
    return rhomb__min(rhomb__max(length / 32, INT64_C(1) << 16), INT64_C(1) << 24);
}

bool rhomb__bases_in_place(const rhomb_device_info *device, int64_t length)
{
    return rhomb__tuning_find(device)->reads_in_place && length > 0 &&
           length <= device->max_buffer_bytes;
}

int64_t rhomb__pinned_bytes(const rhomb_device_info *device, int64_t longest)
{
    const bool pays = longest >= rhomb__tuning_find(device)->pinned_least_bases &&
                      !rhomb__bases_in_place(device, longest);
    return pays ? 2 * rhomb__chunk_bases(longest) : 0;
}

rhomb_status rhomb__plan_check_memory(rhomb__error *error, const rhomb__plan *plan,
                                      const rhomb_device_info *device)
{
    if (plan->device_bytes_min > plan->device_bytes_limit)
        return rhomb__fail(error, RHOMB_ERR_DEVICE_MEMORY,
                           "%s has %lld bytes of memory; the packed sequences and the first "
                           "columns need %lld",
                           device->name, (long long)plan->device_bytes_limit,
                           (long long)plan->device_bytes_min);
    if (plan->buffer_bytes_min > plan->buffer_bytes_limit)
        return rhomb__fail(error, RHOMB_ERR_DEVICE_MEMORY,
                           "a buffer of %s has at most %lld bytes; the largest that the pair needs "
                           "has %lld",
                           device->name, (long long)plan->buffer_bytes_limit,
                           (long long)plan->buffer_bytes_min);
    return RHOMB_OK;
}

/*
 * Checks for values that are illegal for every engine and device; 0 leaves the choice to the
 * planner.
 */
static rhomb_status check_tuning(rhomb__error *error, const rhomb_tuning *tuning)
{
    const struct {
        int64_t value;
        int64_t most;
        const char *what;
    } ranges[] = {
        {tuning->group_size, 1024, "items per group"},
        {tuning->wide_group_size, 1024, "items per group of the second tile"},
        {tuning->diagonals_per_item, RHOMB_MAX_TILE_DIAGONALS, "diagonals per item"},
        {tuning->wide_diagonals_per_item, RHOMB_MAX_TILE_DIAGONALS,
         "diagonals per item of the second tile"},
        {tuning->tile_scores, 16 * RHOMB_AFFINE_MOST_LOOKBACK, "scores per launch"},
        {tuning->wide_tile_scores, 16 * RHOMB_AFFINE_MOST_LOOKBACK,
         "scores per launch of the second tile"},
        {tuning->launches_per_read, 10000, "launches per read"},
        {tuning->offset_bits, 64, "bits per offset"},
        {tuning->words_per_item, 8, "words per item"},
        {tuning->blocks_per_launch, 4096, "blocks per launch"},
        {tuning->directions, 2, "directions"},
        {tuning->chunk_strips, 1 << 20, "strips of a chunk"},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (ranges[i].value < 0 || ranges[i].value > ranges[i].most)
            return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "%lld %s: 1 %s %lld are allowed",
                               (long long)ranges[i].value, ranges[i].what,
                               ranges[i].most == 2 ? "or" : "to", (long long)ranges[i].most);
    }
    const int wide = (tuning->wide_group_size != 0) + (tuning->wide_diagonals_per_item != 0) +
                     (tuning->wide_tile_scores != 0) + (tuning->wide_diagonals != 0);
    if (wide != 0 && wide != 4)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "a second tile needs its group, items and scores, and the diagonals "
                           "from which it is used");
    if (tuning->first_half_width < 0)
        return rhomb__fail(
            error, RHOMB_ERR_ARGUMENT,
            "%lld diagonals beside those of the ends: 0 leaves the choice to the planner",
            (long long)tuning->first_half_width);
    return RHOMB_OK;
}

rhomb_status rhomb__check_asked(rhomb__error *error, int64_t max_distance, rhomb_alphabet alphabet)
{
    if (max_distance < RHOMB_NO_LIMIT)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "max_distance %lld is negative",
                           (long long)max_distance);
    if (!rhomb__alphabet_exists(alphabet))
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "alphabet %d does not exist", (int)alphabet);
    return RHOMB_OK;
}

rhomb_status rhomb__options_complete(rhomb__error *error, const rhomb_options *given,
                                     rhomb_options *options, rhomb_tuning *tuning)
{
    static const rhomb_scoring EDIT = RHOMB_SCORING_EDIT;
    rhomb_status status = RHOMB_OK;
    rhomb__costs costs;
    const rhomb_options defaults = RHOMB_OPTIONS_INIT;
    const rhomb_tuning no_tuning = RHOMB_TUNING_INIT;
    *options = defaults;
    *tuning = no_tuning;
    RHOMB_TRY(rhomb__take_given(error, "rhomb_options", given, options, sizeof *options));
    RHOMB_TRY(rhomb__take_given(error, "rhomb_tuning", options->tuning, tuning, sizeof *tuning));
    options->struct_size = sizeof *options;
    options->tuning = tuning;
    if (options->scoring == NULL)
        options->scoring = &EDIT;
    RHOMB_TRY(rhomb__costs_of(error, options->scoring, &costs));
    RHOMB_TRY(rhomb__matrix_check_asked(error, options->scoring, options->alphabet,
                                        options->max_distance));
    status = rhomb__check_asked(error, options->max_distance, options->alphabet);
    if (options->engine < RHOMB_ENGINE_AUTO || options->engine > RHOMB_ENGINE_BITPARALLEL)
        status = rhomb__fail(error, RHOMB_ERR_ARGUMENT, "engine %d does not exist",
                             (int)options->engine);
    if (!(options->checkpoint_seconds >= 0))
        status = rhomb__fail(error, RHOMB_ERR_ARGUMENT, "checkpoint_seconds %g is negative",
                             options->checkpoint_seconds);
    if (status == RHOMB_OK)
        status = check_tuning(error, tuning);
out:
    return status;
}
