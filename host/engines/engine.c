/* SPDX-License-Identifier: MIT */
/*
 * The table of engines, and getting an engine's programs ready.
 */
#include "host/engines/engine.h"

#include "host/device/context.h"
#include "host/device/group_limit.h"
#include "src/base/int64.h"
#include "src/planner/engine_plan.h"

static const rhomb__engine *const ENGINES[RHOMB__ENGINE_ROWS] = {
    [RHOMB__ROW_WAVEFRONT] = &rhomb__engine_wavefront,
    [RHOMB__ROW_AFFINE] = &rhomb__engine_affine,
    [RHOMB__ROW_SWEEP] = &rhomb__engine_bitparallel,
};

const rhomb__engine *rhomb__engine_of(const rhomb__plan *plan)
{
    return plan->is_trivial ? NULL : ENGINES[plan->row];
}

const rhomb__field rhomb__solution_fields[] = {
    RHOMB__FIELD(rhomb__solution, distance),
    RHOMB__FIELD(rhomb__solution, cells),
    RHOMB__FIELD(rhomb__solution, batches),
    RHOMB__FIELD(rhomb__solution, launches),
    RHOMB__FIELD(rhomb__solution, reads),
    RHOMB__FIELD(rhomb__solution, diagonals_in_use),
    RHOMB__FIELD(rhomb__solution, working_bytes),
    RHOMB__FIELD(rhomb__solution, saved),
    RHOMB__FIELD(rhomb__solution, proved),
    RHOMB__FIELD(rhomb__solution, bound),
    RHOMB__FIELD(rhomb__solution, estimate),
    RHOMB__FIELD(rhomb__solution, breakpoint.target),
    RHOMB__FIELD(rhomb__solution, breakpoint.query),
    RHOMB__FIELD(rhomb__solution, breakpoint.cost),
    RHOMB__FIELD(rhomb__solution, breakpoint.gap),
    RHOMB__FIELDS_END,
};

/* What an engine's fields are called in a checkpoint. */
#define SECTION "engine"

/* Something that an engine may have to do. */
static rhomb_status perform(rhomb_status (*action)(void *run), void *run)
{
    return action != NULL ? action(run) : RHOMB_OK;
}

static rhomb_status save(rhomb_context *ctx, const rhomb__engine *engine, void *run,
                         rhomb__saver *saver)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(perform(engine->pause, run));
    rhomb__state_save(saver, SECTION, engine->fields, run);
    RHOMB_TRY(rhomb__buffers_save(&ctx->stream, saver, engine->buffers, run));
    RHOMB_TRY(perform(engine->go_on, run));
out:
    return status;
}

/* Writes a checkpoint between two steps, if it is time for one; the caller may wish to stop. */
static rhomb_status keep(rhomb_context *ctx, const rhomb__engine *engine, void *run,
                         rhomb__checkpoint *checkpoint)
{
    if (!rhomb__checkpoint_is_due(checkpoint))
        return RHOMB_OK;
    rhomb__saver *saver = rhomb__checkpoint_begin(checkpoint);
    const rhomb_status saved = saver != NULL ? save(ctx, engine, run, saver) : RHOMB_OK;
    return rhomb__checkpoint_settle(checkpoint, saver, saved);
}

/* A run that was opened begins, or goes on as a checkpoint has it if it has one. */
static rhomb_status begin(rhomb_context *ctx, const rhomb__engine *engine,
                          rhomb__checkpoint *checkpoint, void *run)
{
    rhomb_status status = RHOMB_OK;
    rhomb__error *error = &ctx->stream.error;
    int64_t bytes = 0;
    const rhomb__saved *saved = rhomb__checkpoint_found(checkpoint);
    if (saved == NULL || rhomb__saved_section(saved, SECTION, &bytes) == NULL)
        return perform(engine->begin, run);
    RHOMB_TRY(rhomb__state_restore(error, saved, SECTION, engine->fields, run));
    RHOMB_TRY(engine->take_up(run, saved));
    RHOMB_TRY(rhomb__buffers_restore(&ctx->stream, saved, engine->buffers, run));
    RHOMB_TRY(perform(engine->go_on, run));
out:
    return status;
}

rhomb_status rhomb__engine_solve(rhomb_context *ctx, const rhomb__engine *engine,
                                 const rhomb__programs *programs, const rhomb__problem *problem,
                                 rhomb__solution *solution)
{
    rhomb_status status = RHOMB_OK;
    void *run = NULL;
    bool done = false;
    *solution = (rhomb__solution){.distance = -1};
    RHOMB_TRY(engine->open(ctx, programs, problem, &run));
    RHOMB_TRY(begin(ctx, engine, problem->checkpoint, run));
    rhomb__checkpoint_drop(problem->checkpoint);
    while (!done) {
        rhomb__checkpoint_step(problem->checkpoint, true);
        RHOMB_TRY(engine->advance(run, &done));
        if (!done)
            RHOMB_TRY(keep(ctx, engine, run, problem->checkpoint));
    }
    engine->report(run, solution);
out:
    rhomb__checkpoint_step(problem->checkpoint, false);
    engine->close(run);
    return status;
}

void rhomb__engine_fit(const rhomb_context *ctx, rhomb__plan *plan)
{
    if (!plan->groups_given && !plan->is_trivial)
        rhomb__plan_shrink(plan, ctx->stream.device->info.max_group_size);
}

rhomb_status rhomb__engine_lacks_program(rhomb_context *ctx, const rhomb__plan *plan, bool *lacks)
{
    const rhomb__engine *engine = rhomb__engine_of(plan);
    rhomb__plan fitted = *plan;
    rhomb__program *none = NULL;
    *lacks = false;
    if (engine == NULL || plan->is_trivial)
        return RHOMB_OK;
    rhomb__engine_fit(ctx, &fitted);
    ctx->lacks_program = lacks;
    const rhomb_status status = engine->program(ctx, &fitted, &none);
    ctx->lacks_program = NULL;
    return status;
}

rhomb_status rhomb__engine_programs(rhomb_context *ctx, const rhomb__engine *engine,
                                    rhomb__plan *plan, rhomb__programs *programs)
{
    rhomb_status status = RHOMB_OK;
    if (engine == NULL)
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_INTERNAL, "no engine for a plan: %s",
                           plan->reason);
    RHOMB_TRY(rhomb__pack_program(ctx, &programs->pack));
    do {
        rhomb__engine_fit(ctx, plan);
        status = engine->program(ctx, plan, &programs->solve);
    } while (status != RHOMB_OK && rhomb__group_limit_lowered(ctx, plan->groups_given));
    if (status == RHOMB_OK)
        status = rhomb__self_test_engine(ctx, engine, programs->solve, programs->pack, plan);
out:
    return status;
}
