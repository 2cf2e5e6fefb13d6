/* SPDX-License-Identifier: MIT */
/*
 * The table of engines, and getting an engine's programs ready.
 */
#include "host/engines/engine.h"

#include "host/device/context.h"
#include "src/base/int64.h"
#include "src/planner/plan.h"

static const rhomb__engine *const ENGINES[RHOMB__ENGINES] = {
    [RHOMB_ENGINE_WAVEFRONT] = &rhomb__engine_wavefront,
    [RHOMB_ENGINE_BITPARALLEL] = &rhomb__engine_bitparallel,
};

const rhomb__engine *rhomb__engine_of(const rhomb__plan *plan)
{
    return plan->is_trivial ? NULL : ENGINES[plan->engine];
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
    RHOMB_TRY(rhomb__pack_program(ctx, &programs->pack));
    RHOMB_TRY(rhomb__engine_build(ctx, engine, plan, programs));
    RHOMB_TRY(rhomb__engine_check(ctx, engine, plan, programs));
out:
    return status;
}

rhomb_status rhomb__engine_send(rhomb_context *ctx, const rhomb__engine *engine,
                                const rhomb__program *pack, const rhomb__plan *plan,
                                const rhomb__letters *target, const rhomb__letters *query,
                                rhomb__buffer *packed_target, rhomb__buffer *packed_query,
                                rhomb__sending *sending)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__packing of_target = engine->pack_target(plan);
    const rhomb__packing of_query = engine->pack_query(plan);
    RHOMB_TRY(
        rhomb__send_begin(ctx, target->codes, rhomb__max(target->length, query->length), sending));
    RHOMB_TRY(rhomb__send_sequence(ctx, pack, &of_target, target, sending, packed_target));
    RHOMB_TRY(rhomb__send_sequence(ctx, pack, &of_query, query, sending, packed_query));
out:
    return status;
}

rhomb_status rhomb__engine_pack(rhomb_context *ctx, const rhomb__engine *engine,
                                const rhomb__program *pack, const rhomb__plan *plan,
                                const rhomb__letters *target, const rhomb__letters *query,
                                rhomb__buffer *packed_target, rhomb__buffer *packed_query)
{
    rhomb__sending sending = {.next_half = 0};
    const rhomb_status sent = rhomb__engine_send(ctx, engine, pack, plan, target, query,
                                                 packed_target, packed_query, &sending);
    const rhomb_status finished = rhomb__send_finish(ctx, &sending);
    const rhomb_status status = sent != RHOMB_OK ? sent : finished;
    if (status != RHOMB_OK) {
        rhomb__buffer_release(ctx, packed_query);
        rhomb__buffer_release(ctx, packed_target);
    }
    return status;
}
