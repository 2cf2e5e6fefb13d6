/* SPDX-License-Identifier: MIT */
/*
 * A plan in a checkpoint (engine_plan.h): the choices that it has made, which are made again on
 * whatever device the run goes on. Its times, its memory and what tiles have in local memory are
 * that device's.
 */
#include "src/planner/models.h"

#include <string.h>

/* All but the row, which says what the rest is. */
static void list_fields(rhomb__plan *plan, rhomb__fields *fields)
{
    rhomb__field_int32(fields, &plan->directions);
    rhomb__field_int64(fields, &plan->lower_bound);
    rhomb__field_int64(fields, &plan->upper_bound);
    rhomb__field_bool(fields, &plan->may_switch);
    rhomb__field_double(fields, &plan->guide_seconds);
    rhomb__plan_list(plan, fields);
}

#define SECTION "plan"

void rhomb__plan_save(const rhomb__plan *plan, rhomb__saver *saver)
{
    rhomb__plan listed = *plan;
    int32_t row = (int32_t)plan->row;
    rhomb__fields fields = {.is_saving = true};
    rhomb__field_int32(&fields, &row);
    list_fields(&listed, &fields);
    rhomb__fields_save(&fields, saver, SECTION);
}

/* The plan of a section. */
static rhomb_status find_plan(rhomb__error *error, const rhomb__saved *saved, rhomb__plan *plan)
{
    rhomb_status status = RHOMB_OK;
    rhomb__fields fields;
    int32_t row = 0;
    RHOMB_TRY(rhomb__fields_restore(&fields, error, saved, SECTION));
    rhomb__field_int32(&fields, &row);
    if (row < 0 || row >= RHOMB__ENGINE_ROWS)
        return rhomb__saved_damaged(error, saved, "its plan has an engine that does not exist");
    *plan = (rhomb__plan){.row = (rhomb__engine_row)row};
    list_fields(plan, &fields);
    RHOMB_TRY(rhomb__fields_end(&fields, error, saved));
out:
    return status;
}

/* What a plan of the same shape has besides. */
static void take_choices(const rhomb__plan *from, rhomb__plan *plan)
{
    plan->lower_bound = from->lower_bound;
    plan->upper_bound = from->upper_bound;
    plan->may_switch = from->may_switch;
    plan->guide_seconds = from->guide_seconds;
    plan->reason = "a checkpoint says so";
    rhomb__plan_take(from, plan);
}

/*
 * Engines are weighed as without a checkpoint: the shape of the one that has begun, a wavefront, is
 * not the other one's. Its tiles say that it begins.
 */
static rhomb_status take_speeds(rhomb__error *error, const rhomb__plan_input *input,
                                rhomb__plan *plan)
{
    rhomb__plan fresh;
    rhomb_tuning tuning = *input->options->tuning;
    rhomb_options options = *input->options;
    rhomb__plan_input same = *input;
    tuning.tile_shape = plan->wavefront.tile_shape;
    options.tuning = &tuning;
    same.options = &options;
    const rhomb_status status = rhomb__plan_make(error, &same, &fresh);
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
    rhomb__plan found;
    rhomb_tuning tuning = *input->options->tuning;
    rhomb_options options = *input->options;
    rhomb__plan_input forced = *input;
    RHOMB_TRY(find_plan(error, saved, &found));
    tuning.directions = found.directions;
    rhomb__plan_force(&found, &tuning);
    options.tuning = &tuning;
    options.engine = found.may_switch ? RHOMB_ENGINE_AUTO : rhomb__model_of(&found)->engine;
    forced.options = &options;
    status = rhomb__plan_make(&cause, &forced, plan);
    if (status == RHOMB_OK && found.may_switch)
        status = take_speeds(&cause, input, plan);
    if (status != RHOMB_OK) {
        status = rhomb__fail(error, status, "%s cannot go on with the resume file's plan: %s",
                             input->device->name, rhomb__error_text(&cause));
        goto out;
    }
    if (plan->row != found.row || plan->is_trivial || (found.may_switch && !plan->may_switch)) {
        status = rhomb__saved_damaged(error, saved, "its plan is of another pair");
        goto out;
    }
    take_choices(&found, plan);
out:
    rhomb__error_clear(&cause);
    return status;
}
