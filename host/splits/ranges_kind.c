/* SPDX-License-Identifier: MIT */
/*
 * Paths of ranges of a packed pair, see ranges.h: by the kernels of short pairs for unit costs, by
 * cl/affine/affine_path.cl for others. A portion is one launch, whose groups take ranges from a
 * counter, and one read: the known distances tell the space that all paths take.
 */
#include "host/splits/ranges_kind.h"
#include "cl/params.def"
#include "host/device/cl_error.h"
#include "host/device/context.h"
#include "host/device/group_limit.h"
#include "host/device/queue.h"
#include "src/base/int64.h"
#include "src/batch/batch_shape.h"
#include "src/planner/affine_paths.h"
#include "src/planner/profiles.h"

#include <stdlib.h>

/* A portion gives each group several ranges, so that few groups wait for the last one. */
#define GROUP_TURNS   2
#define LEAST_PORTION 64
#define WORK_BYTES    (INT64_C(32) << 20)
/* Local memory of a group besides its columns. */
#define LOCAL_OVERHEAD 64

_Static_assert(sizeof(rhomb_batch_answer) == 16, "cl/abi.h has a record with gaps");

/* Of a subproblem: no distance of a base case is near that. */
#define MOST_DISTANCE (INT64_C(1) << 30)

/* For kinds: enqueues the kernel with these arguments, for as many groups as there is memory for.
 */
static rhomb_status launch_groups(rhomb__ranges *r, const rhomb__argument *arguments, size_t count)
{
    rhomb_status status = RHOMB_OK;
    const int64_t groups = rhomb__min(r->work_bytes / r->portion.group_bytes, r->portion.count);
    RHOMB_TRY(rhomb__queue_arguments(&r->ctx->stream, r->solve, arguments, count));
    RHOMB_TRY(
        rhomb__queue_launch_event(&r->ctx->stream, r->solve, groups, r->group_size, &r->done));
out:
    return status;
}

_Static_assert(sizeof(rhomb_batch_pair) == 24, "cl/abi.h has a record with gaps");

static int64_t bytes_of_columns(int64_t distance)
{
    return (int64_t)sizeof(rhomb_i32) * RHOMB_BATCH_COLUMNS(distance);
}

/* Bytes of local memory of a group for ranges of unit costs that are not solved in place. */
static int64_t state_bytes_of(int64_t distance)
{
    return 2 * (int64_t)sizeof(rhomb_i32) * RHOMB_BATCH_CELLS(distance);
}

static void need_edit(const rhomb_subproblem *subproblem, rhomb__ranges_needs *needs)
{
    const int64_t distance = subproblem->pair.distance;
    needs->distance = rhomb__max(needs->distance, distance);
    needs->group_bytes = rhomb__max(needs->group_bytes, bytes_of_columns(distance));
    needs->operations = rhomb__max(needs->operations, 2 * distance + 1);
}

static bool edit_is_possible(const rhomb__ranges *r, const rhomb_subproblem *subproblem)
{
    const int64_t n = subproblem->pair.target_length, m = subproblem->pair.query_length;
    const int64_t longer = rhomb__max(n, m);
    (void)r;
    return subproblem->begin_gap == RHOMB_GAP_NONE && subproblem->end_gap == RHOMB_GAP_NONE &&
           longer <= RHOMB__BATCH_MOST_BASES && subproblem->pair.distance <= longer &&
           subproblem->pair.distance >= longer - rhomb__min(n, m);
}

static void edit_describe(const rhomb__ranges *r, const rhomb_subproblem *subproblem, int64_t first,
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

static rhomb_status edit_build(const rhomb__ranges *r, rhomb__program **out)
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
static rhomb_status edit_launch(rhomb__ranges *r)
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
        {(size_t)state_bytes_of(r->in_place ? 0 : r->portion.distance), NULL},
        RHOMB__ARGUMENT(pitch),
        RHOMB__ARGUMENT(level),
        RHOMB__ARGUMENT(levels),
        RHOMB__ARGUMENT(limit),
        RHOMB__ARGUMENT(limit),
        RHOMB__ARGUMENT(all)};
    return launch_groups(r, RHOMB__LIST(arguments));
}

const rhomb__ranges_kind rhomb__ranges_edit = {.is_possible = edit_is_possible,
                                               .describe = edit_describe,
                                               .build = edit_build,
                                               .launch = edit_launch,
                                               .kernel = "rhomb_batch_solve",
                                               .record_bytes = sizeof(rhomb_batch_pair)};

/* The most memory of a group; places in it have 31 bits. */
#define MOST_GROUP_BYTES (INT64_C(1) << 30)

_Static_assert(sizeof(rhomb_affine_path) == 64, "cl/abi.h has a record with gaps");

static void need_affine(const rhomb__costs *costs, const rhomb_subproblem *subproblem,
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
static bool affine_is_possible(const rhomb__ranges *r, const rhomb_subproblem *subproblem)
{
    const int64_t n = subproblem->pair.target_length, m = subproblem->pair.query_length;
    const int64_t most = rhomb__costs_most(&r->costs, n, m);
    return rhomb__split_has_gap(&r->costs, subproblem->begin_gap) &&
           rhomb__split_has_gap(&r->costs, subproblem->end_gap) && rhomb__min(n, m) > 0 &&
           !rhomb__affine_path_is_long(subproblem) && subproblem->pair.distance <= most;
}

static void affine_describe(const rhomb__ranges *r, const rhomb_subproblem *subproblem,
                            int64_t first, void *record)
{
    const rhomb__affine_path_size size = rhomb__affine_path_size_of(&r->costs, subproblem);
    *(rhomb_affine_path *)record = rhomb__affine_path_describe(&size, subproblem, first);
}

static rhomb_status affine_build(const rhomb__ranges *r, rhomb__program **out)
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
static rhomb_status affine_launch(rhomb__ranges *r)
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
    return launch_groups(r, RHOMB__LIST(arguments));
}

const rhomb__ranges_kind rhomb__ranges_affine = {.is_possible = affine_is_possible,
                                                 .describe = affine_describe,
                                                 .build = affine_build,
                                                 .launch = affine_launch,
                                                 .kernel = "rhomb_affine_path_solve",
                                                 .record_bytes = sizeof(rhomb_affine_path)};

void rhomb__ranges_need(const rhomb__costs *costs, const rhomb_subproblem *subproblem,
                        rhomb__ranges_needs *needs)
{
    if (rhomb__costs_are_edit(costs))
        need_edit(subproblem, needs);
    else
        need_affine(costs, subproblem, needs);
    needs->count++;
}

/* The kind of groups, and their number. */
static rhomb_status choose_groups(rhomb__ranges *r)
{
    const rhomb_device_info *device = &r->ctx->stream.device->info;
    const rhomb__split_tuning *tuning = &r->source.tuning;
    const rhomb__tuning_row *row = rhomb__tuning_find(device);
    const int64_t count = r->needs.count;
    int64_t group_size = tuning->group_size;
    if (group_size < 0 || group_size > rhomb__min(256, device->max_group_size))
        return rhomb__fail(&r->ctx->stream.error, RHOMB_ERR_ARGUMENT,
                           "a group of %lld items cannot find paths on %s", (long long)group_size,
                           device->name);
    if (group_size == 0)
        group_size = rhomb__group_on(device, row->ranges_group_size);
    r->group_size = (int32_t)group_size;
    r->in_place = group_size == 1 || tuning->in_place != 0 ||
                  state_bytes_of(r->needs.distance) + LOCAL_OVERHEAD > device->local_memory_bytes;
    const int64_t busy =
        rhomb__max(device->compute_units, 1) * rhomb__max(row->ranges_unit_items / group_size, 1);
    const int64_t bytes = tuning->portion_bytes > 0 ? tuning->portion_bytes : WORK_BYTES;
    const int64_t groups =
        rhomb__max(rhomb__min(rhomb__min(busy, bytes / r->needs.group_bytes), count), 1);
    r->work_bytes = groups * r->needs.group_bytes;
    /* All portions have about as much to do. */
    const int64_t most = rhomb__max(GROUP_TURNS * groups, LEAST_PORTION);
    r->room = rhomb__ceil_div(count, rhomb__ceil_div(count, most));
    return RHOMB_OK;
}

static rhomb_status hold_memory(rhomb__ranges *r)
{
    rhomb_status status = RHOMB_OK;
    const int64_t operations = r->room * r->needs.operations;
    const size_t room = (size_t)r->room;
    const struct {
        rhomb__buffer *buffer;
        int64_t bytes;
    } buffers[] = {{&r->work, r->work_bytes},
                   {&r->records, r->room * (int64_t)r->kind->record_bytes},
                   {&r->answers, r->room * (int64_t)sizeof *r->answered},
                   {&r->counts, (int64_t)sizeof r->fresh},
                   {&r->cigars, operations * (int64_t)sizeof *r->ops}};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        RHOMB_TRY(rhomb__buffer_create(&r->ctx->stream, buffers[i].bytes, "the paths of base cases",
                                       buffers[i].buffer));
    r->expected = malloc(room * sizeof *r->expected);
    r->described = malloc(room * r->kind->record_bytes);
    r->answered = malloc(room * sizeof *r->answered);
    r->ops = malloc((size_t)operations * sizeof *r->ops);
    r->paths = malloc(room * sizeof *r->paths);
    if (r->expected == NULL || r->described == NULL || r->answered == NULL || r->ops == NULL ||
        r->paths == NULL)
        status = rhomb__fail_memory(&r->ctx->stream.error, (size_t)operations * sizeof *r->ops,
                                    "the paths of base cases");
out:
    return status;
}

static rhomb_status make_kernel(rhomb__ranges *r)
{
    rhomb_status status = RHOMB_OK;
    rhomb__program *program = NULL;
    RHOMB_TRY(r->kind->build(r, &program));
    if (!r->source.tuning.is_self_test)
        RHOMB_TRY(rhomb__ranges_self_test(r, program));
    RHOMB_TRY(rhomb__kernel_make(&r->ctx->stream, program, r->kind->kernel, &r->solve));
out:
    return status;
}

rhomb_status rhomb__ranges_open(rhomb_context *ctx, const rhomb__split_source *source,
                                const rhomb__costs *costs, const rhomb__ranges_needs *needs,
                                rhomb__ranges **out)
{
    rhomb_status status = RHOMB_OK;
    rhomb__ranges *r = NULL;
    *out = NULL;
    if (needs->distance < 1 || needs->count < 1 ||
        (rhomb__costs_are_edit(costs) && needs->distance > RHOMB__BATCH_MOST_LIMIT))
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_INTERNAL,
                           "no paths of %lld base cases with distances up to %lld",
                           (long long)needs->count, (long long)needs->distance);
    r = calloc(1, sizeof *r);
    if (r == NULL)
        return rhomb__fail_memory(&ctx->stream.error, sizeof *r, "the paths of base cases");
    r->ctx = ctx;
    r->source = *source;
    r->costs = *costs;
    r->needs = *needs;
    r->kind = rhomb__costs_are_edit(costs) ? &rhomb__ranges_edit : &rhomb__ranges_affine;
    do {
        status = choose_groups(r);
        if (status == RHOMB_OK)
            status = make_kernel(r);
    } while (status != RHOMB_OK && rhomb__group_limit_lowered(ctx, source->tuning.group_size != 0));
    if (status != RHOMB_OK)
        goto out;
    RHOMB_TRY(hold_memory(r));
    *out = r;
    r = NULL;
out:
    rhomb__ranges_close(r);
    return status;
}

void rhomb__ranges_close(rhomb__ranges *r)
{
    if (r == NULL)
        return;
    if (r->done != NULL) {
        clFinish(r->ctx->stream.queue); /* the device still uses what is released here */
        clReleaseEvent(r->done);
    }
    rhomb__kernel_release(&r->solve);
    rhomb__buffer_release(&r->ctx->stream, &r->work);
    rhomb__buffer_release(&r->ctx->stream, &r->cigars);
    rhomb__buffer_release(&r->ctx->stream, &r->counts);
    rhomb__buffer_release(&r->ctx->stream, &r->answers);
    rhomb__buffer_release(&r->ctx->stream, &r->records);
    free(r->paths);
    free(r->ops);
    free(r->answered);
    free(r->described);
    free(r->expected);
    free(r);
}

int64_t rhomb__ranges_room(const rhomb__ranges *ranges)
{
    return ranges->room;
}

/* Describes a range of the portion for the kernel, after those before it. */
static rhomb_status describe(rhomb__ranges *r, const rhomb_subproblem *subproblem)
{
    const rhomb_split_pair *pair = &subproblem->pair;
    const bool is_possible = rhomb__split_is_within(&r->source, pair) && pair->distance >= 1 &&
                             pair->distance <= MOST_DISTANCE && r->kind->is_possible(r, subproblem);
    rhomb__ranges_needs own = {0};
    if (is_possible)
        rhomb__ranges_need(&r->costs, subproblem, &own);
    if (!is_possible || own.distance > r->needs.distance ||
        own.group_bytes > r->needs.group_bytes || own.operations > r->needs.operations)
        return rhomb__fail(
            &r->ctx->stream.error, RHOMB_ERR_INTERNAL,
            "no base case: distance %lld, %lld bases from %lld on and %lld from %lld on",
            (long long)pair->distance, (long long)pair->target_length, (long long)pair->target_at,
            (long long)pair->query_length, (long long)pair->query_at);
    char *record = (char *)r->described + (size_t)r->portion.count * r->kind->record_bytes;
    r->kind->describe(r, subproblem, r->operations, record);
    r->expected[r->portion.count++] = (rhomb__ranges_expected){pair->distance, own.operations};
    r->operations += own.operations;
    r->portion.distance = rhomb__max(r->portion.distance, own.distance);
    r->portion.group_bytes = rhomb__max(r->portion.group_bytes, own.group_bytes);
    return RHOMB_OK;
}

rhomb_status rhomb__ranges_start(rhomb__ranges *r, const rhomb_subproblem *subproblems,
                                 int64_t count)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *ctx = r->ctx;
    cl_command_queue queue = ctx->stream.queue;
    if (r->done != NULL || count < 1 || count > r->room)
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_INTERNAL, "no portion of %lld base cases",
                           (long long)count);
    r->fresh = (rhomb_batch_counts){.listed = {(rhomb_u32)count}};
    r->portion = (rhomb__ranges_needs){0};
    r->operations = 0;
    for (int64_t i = 0; i < count; i++)
        RHOMB_TRY(describe(r, &subproblems[i]));
    RHOMB_TRY(rhomb__buffer_send(&ctx->stream, &r->counts, sizeof r->fresh, &r->fresh));
    RHOMB_TRY(
        rhomb__buffer_send(&ctx->stream, &r->records, count * r->kind->record_bytes, r->described));
    RHOMB_TRY(r->kind->launch(r));
    RHOMB_CL(&ctx->stream, clFlush(queue));
out:
    if (status != RHOMB_OK)
        clFinish(queue); /* running commands use this memory */
    return status;
}

/* Brings the kernel's results to the host. */
static rhomb_status read_portion(rhomb__ranges *r)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *ctx = r->ctx;
    cl_command_queue queue = ctx->stream.queue;
    RHOMB_TRY(rhomb__queue_wait(&ctx->stream, r->done));
    RHOMB_CL(&ctx->stream, clEnqueueReadBuffer(queue, r->answers.handle, CL_FALSE, 0,
                                               (size_t)r->portion.count * sizeof *r->answered,
                                               r->answered, 0, NULL, NULL));
    RHOMB_TRY(
        rhomb__buffer_fetch(&ctx->stream, &r->cigars, r->operations * sizeof *r->ops, r->ops));
out:
    if (status != RHOMB_OK)
        clFinish(queue); /* running commands use this memory */
    return status;
}

rhomb_status rhomb__ranges_finish(rhomb__ranges *r, const rhomb__cigar **paths)
{
    rhomb_status status = RHOMB_OK;
    *paths = r->paths;
    if (r->done == NULL)
        return rhomb__fail(&r->ctx->stream.error, RHOMB_ERR_INTERNAL, "no portion is running");
    RHOMB_TRY(read_portion(r));
    for (int64_t i = 0; i < r->portion.count; i++) {
        const rhomb_batch_answer *answer = &r->answered[i];
        const rhomb__ranges_expected *expected = &r->expected[i];
        const int64_t at = answer->cigar_at, count = answer->cigar_count;
        if (answer->distance != expected->distance || at + count > r->operations || count < 1 ||
            count > expected->operations)
            RHOMB_TRY(rhomb__fail(&r->ctx->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                                  "%s: a base case with distance %lld came out with %ld and %lld "
                                  "operations from %lld on",
                                  r->ctx->stream.device->info.name, (long long)expected->distance,
                                  (long)answer->distance, (long long)count, (long long)at));
        const rhomb__cigar path = {r->ops + at, count};
        r->paths[i] = path;
    }
out:
    clReleaseEvent(r->done);
    r->done = NULL;
    return status;
}
