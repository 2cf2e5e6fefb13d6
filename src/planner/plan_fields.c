/* SPDX-License-Identifier: MIT */
/*
 * The fields of an engine's part of a plan, each listed once (models.h): what callers see of it,
 * what a checkpoint has of it, which tuning makes the same part again, and whether a tuning asks
 * for an engine follow from these tables. What they lack is the device's own: how long a step
 * takes, and whether a tile fits in its local memory.
 */
#include "src/planner/models.h"

#include <string.h>

/* Where another structure has a field of the same name, which is as large. */
#define AS_LARGE(structure, part, name)                                                            \
    (offsetof(structure, name) +                                                                   \
     0 * sizeof(char[sizeof(((structure *)NULL)->name) == sizeof(((rhomb__plan *)NULL)->part.name) \
                         ? 1                                                                       \
                         : -1]))

/* A field that the plan alone has; that callers see as well; and that a tuning can ask for, too. */
#define KEPT(part, name) RHOMB__FIELD(rhomb__plan, part.name)
#define SHOWN(part, name) \
    RHOMB__FIELD_OF(rhomb__plan, part.name, AS_LARGE(rhomb_plan, part, name), RHOMB__NOWHERE)
#define ASKED(part, name)                                                     \
    RHOMB__FIELD_OF(rhomb__plan, part.name, AS_LARGE(rhomb_plan, part, name), \
                    AS_LARGE(rhomb_tuning, part, name))

const rhomb__field rhomb__wavefront_fields[] = {
    {.type = RHOMB__FIELD_CHOICE,
     .least = RHOMB_TILE_TRAPEZOID,
     .most = RHOMB_TILE_DIAMOND,
     RHOMB__IN(rhomb__plan, wavefront.tile_shape, AS_LARGE(rhomb_plan, wavefront, tile_shape),
               AS_LARGE(rhomb_tuning, wavefront, tile_shape))},
    ASKED(wavefront, group_size),
    ASKED(wavefront, diagonals_per_item),
    ASKED(wavefront, tile_scores),
    ASKED(wavefront, wide_group_size),
    ASKED(wavefront, wide_diagonals_per_item),
    ASKED(wavefront, wide_tile_scores),
    ASKED(wavefront, wide_diagonals),
    ASKED(wavefront, launches_per_read),
    ASKED(wavefront, offset_bits),
    SHOWN(wavefront, pruning),
    RHOMB__FIELDS_END,
};

/* A tuning that has first_half_width has no probe, so that one is shown and not asked for. */
const rhomb__field rhomb__sweep_fields[] = {
    KEPT(sweep, sliced),
    ASKED(sweep, group_size),
    SHOWN(sweep, lanes),
    ASKED(sweep, words_per_item),
    ASKED(sweep, blocks_per_launch),
    SHOWN(sweep, first_half_width),
    KEPT(sweep, is_estimated),
    SHOWN(sweep, probe_half_width),
    KEPT(sweep, probe_most),
    KEPT(sweep, sample_bases),
    RHOMB__FIELDS_END,
};

bool rhomb__model_is_tuned(const rhomb__model *model, const rhomb_tuning *given)
{
    static const char none[sizeof(int64_t)];
    for (const rhomb__field *f = model->fields; f->type != RHOMB__FIELD_END; f++)
        if (f->at[RHOMB__OF_TUNING] != RHOMB__NOWHERE &&
            f->at[RHOMB__OF_TUNING] != offsetof(rhomb_tuning, group_size) &&
            memcmp((const char *)given + f->at[RHOMB__OF_TUNING], none, f->bytes) != 0)
            return true;
    return !model->sweeps && given->no_pruning;
}

/*
 * A plan in a checkpoint (engine_plan.h): the choices that it has made, which are made again on
 * whatever device the run goes on. Its times, its memory and what tiles have in local memory are
 * that device's. What all plans have; that of the engine follows.
 */
static const rhomb__field FIELDS[] = {
    RHOMB__CHOICE(rhomb__plan, row, 0, RHOMB__ENGINE_ROWS - 1),
    RHOMB__FIELD(rhomb__plan, directions),
    RHOMB__FIELD(rhomb__plan, lower_bound),
    RHOMB__FIELD(rhomb__plan, upper_bound),
    RHOMB__FIELD(rhomb__plan, may_switch),
    RHOMB__FIELD(rhomb__plan, guide_seconds),
    RHOMB__FIELDS_END,
};

#define SECTION        "plan"
#define ENGINE_SECTION "shape"

void rhomb__plan_save(const rhomb__plan *plan, rhomb__saver *saver)
{
    rhomb__state_save(saver, SECTION, FIELDS, plan);
    rhomb__state_save(saver, ENGINE_SECTION, rhomb__model_of(plan)->fields, plan);
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
    rhomb__plan found = {.is_trivial = false};
    rhomb_tuning tuning = *input->options->tuning;
    rhomb_options options = *input->options;
    rhomb__plan_input forced = *input;
    RHOMB_TRY(rhomb__state_restore(error, saved, SECTION, FIELDS, &found));
    const rhomb__field *fields = rhomb__model_of(&found)->fields;
    RHOMB_TRY(rhomb__state_restore(error, saved, ENGINE_SECTION, fields, &found));
    tuning.directions = found.directions;
    rhomb__state_copy(fields, &found, RHOMB__OF_PLAN, &tuning, RHOMB__OF_TUNING);
    options.tuning = &tuning;
    options.engine = found.may_switch ? RHOMB_ENGINE_AUTO : rhomb__model_of(&found)->engine;
    forced.options = &options;
    status = rhomb__plan_make(&cause, &forced, plan);
    if (status == RHOMB_OK && found.may_switch)
        status = take_speeds(&cause, input, plan);
    if (status != RHOMB_OK)
        RHOMB_TRY(rhomb__fail(error, status, "%s cannot go on with the resume file's plan: %s",
                              input->device->name, rhomb__error_text(&cause)));
    if (plan->row != found.row || plan->is_trivial || (found.may_switch && !plan->may_switch))
        RHOMB_TRY(rhomb__saved_damaged(error, saved, "its plan is of another pair"));
    rhomb__state_copy(FIELDS, &found, RHOMB__OF_PLAN, plan, RHOMB__OF_PLAN);
    rhomb__state_copy(fields, &found, RHOMB__OF_PLAN, plan, RHOMB__OF_PLAN);
    plan->reason = "a checkpoint says so";
out:
    rhomb__error_clear(&cause);
    return status;
}
