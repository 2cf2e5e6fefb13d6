/* SPDX-License-Identifier: MIT */
/*
 * Ranges with gap-affine costs, see ranges_kind.h: cl/affine/affine_path.cl.
 */
#include "cl/params.def"
#include "host/device/context.h"
#include "host/splits/ranges_kind.h"
#include "src/base/int64.h"
#include "src/planner/affine_paths.h"

/* The most memory of a group; places in it have 31 bits. */
#define MOST_GROUP_BYTES (INT64_C(1) << 30)

_Static_assert(sizeof(rhomb_affine_path) == 64, "cl/abi.h has a record with gaps");

void rhomb__ranges_need_affine(const rhomb__costs *costs, const rhomb_subproblem *subproblem,
                               rhomb__ranges_needs *needs)
{
    const rhomb__affine_path_size size = rhomb__affine_path_size_of(costs, subproblem);
    needs->distance = rhomb__max(needs->distance, subproblem->pair.distance);
    needs->group_bytes = rhomb__max(needs->group_bytes, (int64_t)sizeof(rhomb_i32) * size.cells);
    needs->operations = rhomb__max(needs->operations, size.operations);
}

/*
 * A border within a gap may spare its opening. What gaps of no best path cost is looked at by the
 * kernel.
 */
static bool is_possible(const rhomb__ranges *r, const rhomb_subproblem *subproblem)
{
    const int64_t n = subproblem->pair.target_length, m = subproblem->pair.query_length;
    const int64_t most = rhomb__costs_most(&r->costs, n, m);
    return rhomb__split_has_gap(&r->costs, subproblem->begin_gap) &&
           rhomb__split_has_gap(&r->costs, subproblem->end_gap) && rhomb__min(n, m) > 0 &&
           !rhomb__affine_path_is_long(subproblem) && subproblem->pair.distance <= most;
}

static void describe(const rhomb__ranges *r, const rhomb_subproblem *subproblem, int64_t first,
                     void *record)
{
    const rhomb__affine_path_size size = rhomb__affine_path_size_of(&r->costs, subproblem);
    *(rhomb_affine_path *)record = rhomb__affine_path_describe(&size, subproblem, first);
}

static rhomb_status build(const rhomb__ranges *r, rhomb__program **out)
{
    const rhomb__costs *costs = &r->costs;
    const int32_t PLANES = r->source.planes, OFFSET_BITS = 32, GROUP_SIZE = r->group_size;
    const int32_t MISMATCH = costs->replaced ? 0 : (int32_t)costs->mismatch;
    const int32_t OPEN = (int32_t)costs->open[0], EXTEND = (int32_t)costs->extend[0];
    const int32_t OPEN_2 = (int32_t)costs->open[1], EXTEND_2 = (int32_t)costs->extend[1];
    const rhomb__parameter parameters[] = {RHOMB_AFFINE_PATH_PARAMS(RHOMB__PARAMETER)};
    if (r->needs.group_bytes > MOST_GROUP_BYTES)
        return rhomb__fail(&r->ctx->stream.error, RHOMB_ERR_INTERNAL,
                           "a base case with cost %lld is too large for its path",
                           (long long)r->needs.distance);
    return rhomb__program_with(r->ctx, &rhomb__source_affine_path, RHOMB__LIST(parameters), out);
}

/*
 * rhomb_affine_path_solve(queries, targets, jobs, answers, operations, memory, taken, whole, count,
 *                         group_cells)
 *
 * The first of the counts, 0 in each portion, is the counter that groups take ranges from.
 */
static rhomb_status launch(rhomb__ranges *r)
{
    const rhomb_u32 count = (rhomb_u32)r->portion.count;
    const rhomb_i64 group_cells = r->portion.group_bytes / (int64_t)sizeof(rhomb_i32);
    const rhomb_split_whole whole = rhomb__split_whole_of(&r->source);
    const rhomb__argument arguments[] = {RHOMB__ARGUMENT(r->source.query->handle),
                                         RHOMB__ARGUMENT(r->source.target->handle),
                                         RHOMB__ARGUMENT(r->records.handle),
                                         RHOMB__ARGUMENT(r->answers.handle),
                                         RHOMB__ARGUMENT(r->cigars.handle),
                                         RHOMB__ARGUMENT(r->work.handle),
                                         RHOMB__ARGUMENT(r->counts.handle),
                                         RHOMB__ARGUMENT(whole),
                                         RHOMB__ARGUMENT(count),
                                         RHOMB__ARGUMENT(group_cells)};
    return rhomb__ranges_launch(r, RHOMB__LIST(arguments));
}

const rhomb__ranges_kind rhomb__ranges_affine = {.is_possible = is_possible,
                                                 .describe = describe,
                                                 .build = build,
                                                 .launch = launch,
                                                 .kernel = "rhomb_affine_path_solve",
                                                 .record_bytes = sizeof(rhomb_affine_path)};
