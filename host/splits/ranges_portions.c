/* SPDX-License-Identifier: MIT */
/*
 * Paths of ranges of a packed pair, see ranges.h. A portion is one launch, whose groups take ranges
 * from a counter, and one read: the known distances tell the space that all paths take.
 */
#include "host/device/cl_error.h"
#include "host/device/context.h"
#include "host/device/group_limit.h"
#include "host/device/queue.h"
#include "host/splits/ranges_kind.h"
#include "src/base/int64.h"
#include "src/batch/batch_shape.h"
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

void rhomb__ranges_need(const rhomb__costs *costs, const rhomb_subproblem *subproblem,
                        rhomb__ranges_needs *needs)
{
    if (rhomb__costs_are_edit(costs))
        rhomb__ranges_need_edit(subproblem, needs);
    else
        rhomb__ranges_need_affine(costs, subproblem, needs);
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
    r->in_place =
        group_size == 1 || tuning->in_place != 0 ||
        rhomb__ranges_state_bytes(r->needs.distance) + LOCAL_OVERHEAD > device->local_memory_bytes;
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

rhomb_status rhomb__ranges_launch(rhomb__ranges *r, const rhomb__argument *arguments, size_t count)
{
    rhomb_status status = RHOMB_OK;
    const int64_t groups = rhomb__min(r->work_bytes / r->portion.group_bytes, r->portion.count);
    RHOMB_TRY(rhomb__queue_arguments(&r->ctx->stream, r->solve, arguments, count));
    RHOMB_TRY(
        rhomb__queue_launch_event(&r->ctx->stream, r->solve, groups, r->group_size, &r->done));
out:
    return status;
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
