/* SPDX-License-Identifier: MIT */
/*
 * The table of engines, and getting an engine's programs ready.
 */
#include "engine.h"

#include "context.h"

#include <string.h>

static const rhomb__engine *const ENGINES[] = {&rhomb__engine_wavefront,
                                               &rhomb__engine_bitparallel};

const rhomb__engine *rhomb__engine_find(const char *name)
{
    for (size_t i = 0; i < sizeof ENGINES / sizeof ENGINES[0]; i++) {
        if (strcmp(ENGINES[i]->name, name) == 0)
            return ENGINES[i];
    }
    return NULL;
}

rhomb_status rhomb__engine_programs(rhomb_context *ctx, const rhomb__engine *engine,
                                    const rhomb_plan *plan, rhomb__program **program,
                                    rhomb__program **pack)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(rhomb__pack_program(ctx, pack));
    RHOMB_TRY(engine->program(ctx, plan, program));
    RHOMB_TRY(rhomb__self_test_engine(ctx, engine, *program, *pack, plan));
out:
    return status;
}

rhomb_status rhomb__engine_pack(rhomb_context *ctx, const rhomb__engine *engine,
                                const rhomb__program *pack, const rhomb_plan *plan,
                                const rhomb__letters *target, const rhomb__letters *query,
                                rhomb__buffer *packed_target, rhomb__buffer *packed_query)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__packing of_target = engine->pack_target(plan);
    const rhomb__packing of_query = engine->pack_query(plan);
    RHOMB_TRY(rhomb__pack_sequence(ctx, pack, &of_target, target, packed_target));
    RHOMB_TRY(rhomb__pack_sequence(ctx, pack, &of_query, query, packed_query));
out:
    if (status != RHOMB_OK)
        rhomb__buffer_release(ctx, packed_target);
    return status;
}
