/* SPDX-License-Identifier: MIT */
/*
 * Ranges with unit costs, see ranges_kind.h: the kernels of short pairs.
 */
#include "cl/params.def"
#include "host/device/context.h"
#include "host/splits/ranges_kind.h"
#include "src/base/int64.h"
#include "src/batch/batch_shape.h"

_Static_assert(sizeof(rhomb_batch_pair) == 24, "cl/abi.h has a record with gaps");

static int64_t bytes_of_columns(int64_t distance)
{
    return (int64_t)sizeof(rhomb_i32) * RHOMB_BATCH_COLUMNS(distance);
}

int64_t rhomb__ranges_state_bytes(int64_t distance)
{
    return 2 * (int64_t)sizeof(rhomb_i32) * RHOMB_BATCH_CELLS(distance);
}

void rhomb__ranges_need_edit(const rhomb_subproblem *subproblem, rhomb__ranges_needs *needs)
{
    const int64_t distance = subproblem->pair.distance;
    needs->distance = rhomb__max(needs->distance, distance);
    needs->group_bytes = rhomb__max(needs->group_bytes, bytes_of_columns(distance));
    needs->operations = rhomb__max(needs->operations, 2 * distance + 1);
}

static bool is_possible(const rhomb__ranges *r, const rhomb_subproblem *subproblem)
{
    const int64_t n = subproblem->pair.target_length, m = subproblem->pair.query_length;
    const int64_t longer = rhomb__max(n, m);
    (void)r;
    return subproblem->begin_gap == RHOMB_GAP_NONE && subproblem->end_gap == RHOMB_GAP_NONE &&
           longer <= RHOMB__BATCH_MOST_BASES && subproblem->pair.distance <= longer &&
           subproblem->pair.distance >= longer - rhomb__min(n, m);
}

static void describe(const rhomb__ranges *r, const rhomb_subproblem *subproblem, int64_t first,
                     void *record)
{
    const rhomb_split_pair *pair = &subproblem->pair;
    const rhomb_batch_pair at = {pair->query_at + RHOMB_PAD_SYMBOLS,
                                 pair->target_at + RHOMB_PAD_SYMBOLS, (rhomb_i32)pair->query_length,
                                 (rhomb_i32)pair->target_length};
    (void)r;
    (void)first; /* the kernel takes room for operations as it comes */
    *(rhomb_batch_pair *)record = at;
}

static rhomb_status build(const rhomb__ranges *r, rhomb__program **out)
{
    const int32_t PLANES = r->source.planes, OFFSET_BITS = 32, PATH = 1;
    const int32_t GROUP_SIZE = r->group_size, IN_PLACE = r->in_place;
    const rhomb__parameter parameters[] = {RHOMB_BATCH_PARAMS(RHOMB__PARAMETER)};
    return rhomb__program_with(r->ctx, &rhomb__source_batch, RHOMB__LIST(parameters), out);
}

/*
 * rhomb_batch_solve(queries, targets, query_flags, target_flags, pairs, lists, answers, cigars,
 *                   all_columns, counts, state, list_pitch, level, levels, limit, max_distance,
 *                   all)
 *
 * All ranges are in the only level, so nothing is listed. The count of bases without a code is 0,
 * so no flags are read: other buffers take their places.
 */
static rhomb_status launch(rhomb__ranges *r)
{
    const rhomb_i32 limit = (rhomb_i32)r->portion.distance, level = 0, levels = 1, all = 1;
    const rhomb_u32 pitch = (rhomb_u32)r->portion.count;
    const cl_mem none = r->records.handle;
    const rhomb__argument arguments[] = {
        RHOMB__ARGUMENT(r->source.query->handle),
        RHOMB__ARGUMENT(r->source.target->handle),
        RHOMB__ARGUMENT(none),
        RHOMB__ARGUMENT(none),
        RHOMB__ARGUMENT(r->records.handle),
        RHOMB__ARGUMENT(none),
        RHOMB__ARGUMENT(r->answers.handle),
        RHOMB__ARGUMENT(r->cigars.handle),
        RHOMB__ARGUMENT(r->work.handle),
        RHOMB__ARGUMENT(r->counts.handle),
        {(size_t)rhomb__ranges_state_bytes(r->in_place ? 0 : r->portion.distance), NULL},
        RHOMB__ARGUMENT(pitch),
        RHOMB__ARGUMENT(level),
        RHOMB__ARGUMENT(levels),
        RHOMB__ARGUMENT(limit),
        RHOMB__ARGUMENT(limit),
        RHOMB__ARGUMENT(all)};
    return rhomb__ranges_launch(r, RHOMB__LIST(arguments));
}

const rhomb__ranges_kind rhomb__ranges_edit = {.is_possible = is_possible,
                                               .describe = describe,
                                               .build = build,
                                               .launch = launch,
                                               .kernel = "rhomb_batch_solve",
                                               .record_bytes = sizeof(rhomb_batch_pair)};
