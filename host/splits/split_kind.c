/* SPDX-License-Identifier: MIT */
/* Groups that split subproblems, see split_kind.h: the kinds, and their programs. */
#include "host/splits/split_kind.h"

#include "cl/params.def"
#include "host/device/context.h"
#include "host/device/group_limit.h"
#include "host/device/program.h"
#include "src/base/int64.h"
#include "src/planner/engine_plan.h"
#include "src/planner/profiles.h"

/* For wavefronts that do not fit into local memory. */
#define WIDEST_GROUP 1024

/* Local memory of a group besides its wavefronts: the runs that it follows together. */
static int64_t local_overhead(const rhomb__split_source *source)
{
    return RHOMB_MOST_RUNS * (source->offset_bits / 8 + 4) + 96;
}

int64_t rhomb__split_state_bytes(const rhomb__split_source *source, const rhomb_split_pair *pair)
{
    const int64_t half = (pair->distance + 1) / 2;
    return 2 * RHOMB_SPLIT_CELLS(half, pair->query_length, pair->target_length) *
           (source->offset_bits / 8);
}

bool rhomb__split_kind_fits(const rhomb__split_kind *kind, const rhomb__split_source *source,
                            const rhomb_device_info *device, const rhomb_split_pair *pair)
{
    const int64_t given = source->tuning.local_bytes;
    const int64_t room =
        given > 0 ? rhomb__min(given, device->local_memory_bytes) : device->local_memory_bytes;
    return pair->distance <= kind->most_distance &&
           rhomb__max(pair->target_length, pair->query_length) <= kind->most_bases &&
           (kind->in_place ||
            rhomb__split_state_bytes(source, pair) + local_overhead(source) <= room);
}

rhomb_status rhomb__split_kinds_choose(rhomb_context *ctx, const rhomb__split_source *source,
                                       rhomb__split_kind kinds[RHOMB__SPLIT_MOST_KINDS],
                                       int32_t *count)
{
    const rhomb_device_info *device = &ctx->stream.device->info;
    const int64_t given = source->tuning.group_size;
    const rhomb__tuning_row *row = rhomb__tuning_find(device);
    const int64_t last = given > 0 ? given : rhomb__group_on(device, row->split_widest_group);
    const int32_t most = last == 1 || source->tuning.in_place ? 0
                         : given > 0                          ? 1
                                                              : RHOMB__SPLIT_KINDS;
    *count = 0;
    if (given < 0 || given > WIDEST_GROUP || given > device->max_group_size)
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_ARGUMENT,
                           "a group of %lld items cannot split subproblems on %s", (long long)given,
                           device->name);
    for (; *count < most; (*count)++) {
        const rhomb__split_row any = {(int32_t)given, 0, 0};
        const rhomb__split_row *of = given > 0 ? &any : &row->split_kinds[*count];
        kinds[*count] = (rhomb__split_kind){
            .group_size = given > 0 ? of->group_size : rhomb__group_on(device, of->group_size),
            .most_distance = of->most_distance > 0 ? of->most_distance : RHOMB_SPLIT_LIMIT,
            .most_bases = of->most_bases > 0 ? of->most_bases : RHOMB__MAX_LENGTH};
    }
    const rhomb__split_kind rest = {.group_size = (int32_t)last,
                                    .in_place = 1,
                                    .most_distance = RHOMB_SPLIT_LIMIT,
                                    .most_bases = RHOMB__MAX_LENGTH};
    kinds[(*count)++] = rest;
    return RHOMB_OK;
}

static rhomb_status build(rhomb_context *ctx, const rhomb__split_source *source,
                          rhomb__split_kind *kind)
{
    const int32_t PLANES = source->planes;
    const int32_t OFFSET_BITS = source->offset_bits;
    const int32_t GROUP_SIZE = kind->group_size == 1 ? 1 : 0;
    const int32_t IN_PLACE = kind->in_place;
    const rhomb__parameter parameters[] = {RHOMB_SPLIT_PARAMS(RHOMB__PARAMETER)};
    return rhomb__program_with(ctx, &rhomb__source_split, RHOMB__LIST(parameters), &kind->program);
}

/* Makes a kernel, and the kind's groups as small as it asks for. */
static rhomb_status make_kernel(rhomb_context *ctx, rhomb__split_kind *kind, const char *name,
                                bool given, cl_kernel *kernel)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(rhomb__kernel_make(&ctx->stream, kind->program, name, kernel));
    RHOMB_TRY(
        rhomb__group_limit_fit(ctx, rhomb__source_split.file, *kernel, given, &kind->group_size));
out:
    return status;
}

rhomb_status rhomb__split_kind_ready(rhomb_context *ctx, const rhomb__split_source *source,
                                     rhomb__split_kind *kind)
{
    rhomb_status status = RHOMB_OK;
    const bool given = source->tuning.group_size != 0;
    if (kind->meet != NULL)
        return RHOMB_OK;
    RHOMB_TRY(build(ctx, source, kind));
    RHOMB_TRY(make_kernel(ctx, kind, "rhomb_split_columns", given, &kind->columns));
    RHOMB_TRY(make_kernel(ctx, kind, "rhomb_split_meet", given, &kind->meet));
out:
    if (status != RHOMB_OK)
        rhomb__split_kind_release(kind);
    return status;
}

void rhomb__split_kind_release(rhomb__split_kind *kind)
{
    rhomb__kernel_release(&kind->columns);
    rhomb__kernel_release(&kind->meet);
}
