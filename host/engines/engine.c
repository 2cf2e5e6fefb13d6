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

void rhomb__solution_fields(rhomb__solution *s, rhomb__fields *fields)
{
    int64_t *const numbers[] = {&s->distance,
                                &s->cells,
                                &s->batches,
                                &s->launches,
                                &s->reads,
                                &s->diagonals_in_use,
                                &s->working_bytes,
                                &s->saved.limit,
                                &s->saved.diagonal,
                                &s->proved,
                                &s->bound,
                                &s->estimate,
                                &s->breakpoint.target,
                                &s->breakpoint.query,
                                &s->breakpoint.cost};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        rhomb__field_int64(fields, numbers[i]);
    rhomb__field_int32(fields, &s->breakpoint.gap);
}

/* Writes a checkpoint between two steps, if it is time for one; the caller may wish to stop. */
static rhomb_status keep(const rhomb__engine *engine, void *run, rhomb__checkpoint *checkpoint)
{
    if (!rhomb__checkpoint_is_due(checkpoint))
        return RHOMB_OK;
    rhomb__saver *saver = rhomb__checkpoint_begin(checkpoint);
    const rhomb_status saved = saver != NULL ? engine->save(run, saver) : RHOMB_OK;
    return rhomb__checkpoint_settle(checkpoint, saver, saved);
}

/* Opens a run, as a checkpoint has it if it has one. */
static rhomb_status open_run(rhomb_context *ctx, const rhomb__engine *engine,
                             const rhomb__programs *programs, const rhomb__problem *problem,
                             void **run)
{
    int64_t bytes = 0;
    const rhomb__saved *saved = rhomb__checkpoint_found(problem->checkpoint);
    if (saved == NULL || rhomb__saved_section(saved, RHOMB__ENGINE_SECTION, &bytes) == NULL)
        return engine->open(ctx, programs, problem, run);
    return engine->restore(ctx, programs, problem, saved, run);
}

rhomb_status rhomb__engine_solve(rhomb_context *ctx, const rhomb__engine *engine,
                                 const rhomb__programs *programs, const rhomb__problem *problem,
                                 rhomb__solution *solution)
{
    rhomb_status status = RHOMB_OK;
    void *run = NULL;
    bool done = false;
    *solution = (rhomb__solution){.distance = -1};
    RHOMB_TRY(open_run(ctx, engine, programs, problem, &run));
    rhomb__checkpoint_drop(problem->checkpoint);
    while (!done) {
        rhomb__checkpoint_step(problem->checkpoint, true);
        RHOMB_TRY(engine->advance(run, &done));
        if (!done)
            RHOMB_TRY(keep(engine, run, problem->checkpoint));
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
