/* SPDX-License-Identifier: MIT */
/*
 * A plan in a checkpoint (engine_plan.h): the choices that it has made, which are made again on
 * whatever device the run goes on. Its times, its memory and what tiles have in local memory are
 * that device's.
 */
#include "src/planner/engine_plan.h"

#include <string.h>

static void list_wavefront(rhomb__wavefront_plan *own, rhomb__fields *fields)
{
    int32_t shape = (int32_t)own->tile_shape;
    rhomb__field_int32(fields, &shape);
    own->tile_shape = shape == RHOMB_TILE_DIAMOND ? RHOMB_TILE_DIAMOND : RHOMB_TILE_TRAPEZOID;
    rhomb__field_int32(fields, &own->group_size);
    rhomb__field_int32(fields, &own->diagonals_per_item);
    rhomb__field_int32(fields, &own->tile_scores);
    rhomb__field_int32(fields, &own->wide_group_size);
    rhomb__field_int32(fields, &own->wide_diagonals_per_item);
    rhomb__field_int32(fields, &own->wide_tile_scores);
    rhomb__field_int64(fields, &own->wide_diagonals);
    rhomb__field_int32(fields, &own->launches_per_read);
    rhomb__field_int32(fields, &own->offset_bits);
    rhomb__field_bool(fields, &own->affine);
    rhomb__field_bool(fields, &own->pruning);
    rhomb__field_bool(fields, &own->beam_forced);
    rhomb__field_int64(fields, &own->beam_diagonals);
    rhomb__field_int64(fields, &own->beam_least);
}

static void list_sweep(rhomb__sweep_plan *own, rhomb__fields *fields)
{
    rhomb__field_bool(fields, &own->sliced);
    rhomb__field_int32(fields, &own->group_size);
    rhomb__field_int32(fields, &own->lanes);
    rhomb__field_int32(fields, &own->words_per_item);
    rhomb__field_int32(fields, &own->blocks_per_launch);
    rhomb__field_int64(fields, &own->first_beside);
    rhomb__field_bool(fields, &own->is_estimated);
    rhomb__field_int64(fields, &own->probe_beside);
    rhomb__field_int64(fields, &own->probe_most);
    rhomb__field_int64(fields, &own->sample_bases);
}

static void list_fields(rhomb__plan *plan, rhomb__fields *fields)
{
    int32_t engine = (int32_t)plan->engine;
    rhomb__field_int32(fields, &engine);
    plan->engine =
        engine == RHOMB_ENGINE_BITPARALLEL ? RHOMB_ENGINE_BITPARALLEL : RHOMB_ENGINE_WAVEFRONT;
    rhomb__field_int32(fields, &plan->directions);
    rhomb__field_int64(fields, &plan->lower_bound);
    rhomb__field_int64(fields, &plan->upper_bound);
    rhomb__field_bool(fields, &plan->may_switch);
    rhomb__field_double(fields, &plan->guide_seconds);
    if (plan->engine == RHOMB_ENGINE_BITPARALLEL)
        list_sweep(&plan->sweep, fields);
    else
        list_wavefront(&plan->wavefront, fields);
}

#define SECTION "plan"

void rhomb__plan_save(const rhomb__plan *plan, rhomb__saver *saver)
{
    rhomb__plan listed = *plan;
    rhomb__fields fields = {.is_saving = true};
    list_fields(&listed, &fields);
    rhomb__fields_save(&fields, saver, SECTION);
}

/* The tuning that gives a plan the shape of another. */
static void force_shape(const rhomb__plan *plan, rhomb_tuning *tuning)
{
    tuning->directions = plan->directions;
    if (plan->engine == RHOMB_ENGINE_BITPARALLEL) {
        const rhomb__sweep_plan *own = &plan->sweep;
        tuning->group_size = own->group_size;
        tuning->lanes = own->lanes;
        tuning->words_per_item = own->words_per_item;
        tuning->blocks_per_launch = own->blocks_per_launch;
        tuning->step = own->sliced ? RHOMB_STEP_BITSLICED : RHOMB_STEP_MYERS;
        return;
    }
    const rhomb__wavefront_plan *own = &plan->wavefront;
    tuning->tile_shape = own->tile_shape;
    tuning->group_size = own->group_size;
    tuning->diagonals_per_item = own->diagonals_per_item;
    tuning->tile_scores = own->tile_scores;
    tuning->launches_per_read = own->launches_per_read;
    tuning->offset_bits = own->offset_bits;
    tuning->wide_group_size = own->wide_group_size;
    tuning->wide_diagonals_per_item = own->wide_diagonals_per_item;
    tuning->wide_tile_scores = own->wide_tile_scores;
    tuning->wide_diagonals = own->wide_diagonals;
}

/* What a plan of this shape has besides. */
static void take_choices(const rhomb__plan *from, rhomb__plan *plan)
{
    plan->lower_bound = from->lower_bound;
    plan->upper_bound = from->upper_bound;
    plan->may_switch = from->may_switch;
    plan->guide_seconds = from->guide_seconds;
    plan->reason = "a checkpoint says so";
    if (plan->engine == RHOMB_ENGINE_BITPARALLEL) {
        plan->sweep = from->sweep;
        return;
    }
    const bool tiles_local = plan->wavefront.tiles_local;
    plan->wavefront = from->wavefront;
    plan->wavefront.tiles_local = tiles_local;
}

/*
 * Engines are weighed as without a checkpoint: the shape of the one that has begun is not the
 * other one's.
 */
static rhomb_status take_speeds(rhomb__error *error, const rhomb__plan_input *input,
                                rhomb__plan *plan)
{
    rhomb__plan fresh;
    const rhomb_status status = rhomb__plan_make(error, input, &fresh);
    if (status != RHOMB_OK)
        return status;
    memcpy(plan->profile, fresh.profile, sizeof plan->profile);
    memcpy(plan->speed, fresh.speed, sizeof plan->speed);
    return RHOMB_OK;
}

rhomb_status rhomb__plan_restore(rhomb__error *error, const rhomb__plan_input *input,
                                 const rhomb__saved *saved, rhomb__plan *plan)
{
    rhomb_status status = RHOMB_OK;
    rhomb__error cause = {RHOMB_OK, NULL, ""};
    rhomb__fields fields;
    rhomb__plan found = {.engine = RHOMB_ENGINE_AUTO};
    rhomb_tuning tuning = *input->options->tuning;
    rhomb_options options = *input->options;
    rhomb__plan_input forced = *input;
    RHOMB_TRY(rhomb__fields_restore(&fields, error, saved, SECTION));
    list_fields(&found, &fields);
    RHOMB_TRY(rhomb__fields_end(&fields, error, saved));
    force_shape(&found, &tuning);
    options.tuning = &tuning;
    options.engine = found.may_switch ? RHOMB_ENGINE_AUTO : found.engine;
    forced.options = &options;
    status = rhomb__plan_make(&cause, &forced, plan);
    if (status == RHOMB_OK && found.may_switch)
        status = take_speeds(&cause, input, plan);
    if (status != RHOMB_OK) {
        status = rhomb__fail(error, status, "%s cannot go on with the checkpoint's plan: %s",
                             input->device->name, rhomb__error_text(&cause));
        goto out;
    }
    if (plan->engine != found.engine || plan->is_trivial) {
        status = rhomb__saved_damaged(error, saved, "its plan is of another pair");
        goto out;
    }
    take_choices(&found, plan);
out:
    rhomb__error_clear(&cause);
    return status;
}
