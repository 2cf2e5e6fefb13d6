/* SPDX-License-Identifier: MIT */
/*
 * The table of engines, and getting an engine's programs ready.
 */
#include "host/engines/engine.h"

#include "host/device/context.h"
#include "src/base/int64.h"
#include "src/planner/engine_plan.h"

static const rhomb__engine *const ENGINES[RHOMB__ENGINES] = {
    [RHOMB_ENGINE_WAVEFRONT] = &rhomb__engine_wavefront,
    [RHOMB_ENGINE_BITPARALLEL] = &rhomb__engine_bitparallel,
};

const rhomb__engine *rhomb__engine_of(const rhomb__plan *plan)
{
    const bool affine = plan->engine == RHOMB_ENGINE_WAVEFRONT && plan->wavefront.affine;
    return plan->is_trivial ? NULL : affine ? &rhomb__engine_affine : ENGINES[plan->engine];
}

rhomb_status rhomb__engine_build(rhomb_context *ctx, const rhomb__engine *engine,
                                 const rhomb__plan *plan, rhomb__programs *programs)
{
    rhomb_status status = RHOMB_OK;
    rhomb__plan wide;
    programs->widen = NULL;
    RHOMB_TRY(engine->program(ctx, plan, &programs->solve));
    if (engine->widens(plan, &wide))
        RHOMB_TRY(engine->program(ctx, &wide, &programs->widen));
out:
    return status;
}

rhomb_status rhomb__engine_check(rhomb_context *ctx, const rhomb__engine *engine,
                                 const rhomb__plan *plan, const rhomb__programs *programs)
{
    rhomb_status status = RHOMB_OK;
    rhomb__plan wide;
    RHOMB_TRY(rhomb__self_test_engine(ctx, engine, programs->solve, programs->pack, plan));
    if (programs->widen != NULL && engine->widens(plan, &wide))
        RHOMB_TRY(rhomb__self_test_engine(ctx, engine, programs->widen, programs->pack, &wide));
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
    while (!done)
        RHOMB_TRY(engine->advance(run, &done));
    engine->report(run, solution);
out:
    engine->close(run);
    return status;
}

rhomb_status rhomb__engine_programs(rhomb_context *ctx, const rhomb__engine *engine,
                                    const rhomb__plan *plan, rhomb__programs *programs)
{
    rhomb_status status = RHOMB_OK;
    if (engine == NULL)
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_INTERNAL, "no engine for a plan: %s",
                           plan->reason);
    RHOMB_TRY(rhomb__pack_program(ctx, &programs->pack));
    RHOMB_TRY(rhomb__engine_build(ctx, engine, plan, programs));
    RHOMB_TRY(rhomb__engine_check(ctx, engine, plan, programs));
out:
    return status;
}
