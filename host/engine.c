/* SPDX-License-Identifier: MIT */
/*
 * The table of engines, and getting an engine's programs ready.
 */
#include "engine.h"

#include "context.h"
#include "pack.h"

#include <string.h>

static const rhomb__engine *const ENGINES[] = {&rhomb__engine_wavefront};

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
    RHOMB_TRY(rhomb__pack_program(ctx, plan->symbol_bits, pack));
    RHOMB_TRY(engine->program(ctx, plan, program));
    RHOMB_TRY(rhomb__self_test_engine(ctx, engine, *program, *pack, plan));
out:
    return status;
}
