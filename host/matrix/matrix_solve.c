/* SPDX-License-Identifier: MIT */
/*
 * Distances of pairs of a pool, see matrix_pool.h. A launch is one level's kernel for pairs of this
 * level alone, whose groups take them from a counter; pairs beyond its limit come back, and the
 * caller gathers them for the next level.
 */
#include "cl/params.def"
#include "host/device/cl_error.h"
#include "host/device/context.h"
#include "host/device/group_limit.h"
#include "host/device/queue.h"
#include "host/matrix/matrix_pool.h"
#include "src/base/int64.h"
#include "src/batch/batch_shape.h"
#include "src/planner/profiles.h"

#include <stdlib.h>

/* Arguments that differ between launches of a level. */
enum { SOLVE_MAX_DISTANCE = 15 };

rhomb_status rhomb__pool_solver_create(rhomb__pool *pool, const rhomb__matrix_shape *shape,
                                       rhomb__pool_solver *out)
{
    rhomb_status status = RHOMB_OK;
    rhomb__device_stream *stream = &pool->ctx->stream;
    const int64_t pairs = shape->launch_pairs;
    *out = (rhomb__pool_solver){.pool = pool, .shape = *shape};
    RHOMB_TRY(rhomb__buffer_create(stream, pairs * (int64_t)sizeof *out->described,
                                   "pairs of a matrix", &out->pairs));
    RHOMB_TRY(rhomb__buffer_create(stream, pairs * (int64_t)sizeof *out->answered,
                                   "distances of a matrix", &out->answers));
    RHOMB_TRY(rhomb__buffer_create(stream, (int64_t)sizeof(rhomb_batch_counts),
                                   "counts of a matrix", &out->counts));
    out->described = malloc((size_t)pairs * sizeof *out->described);
    out->answered = malloc((size_t)pairs * sizeof *out->answered);
    if (out->described == NULL || out->answered == NULL)
        status = rhomb__fail_memory(&stream->error, (size_t)pairs * sizeof *out->described,
                                    "pairs of a matrix");
out:
    if (status != RHOMB_OK)
        rhomb__pool_solver_release(out);
    return status;
}

void rhomb__pool_solver_release(rhomb__pool_solver *solver)
{
    if (solver->pool == NULL)
        return;
    rhomb__device_stream *stream = &solver->pool->ctx->stream;
    for (int i = 0; i < RHOMB_BATCH_MOST_LEVELS; i++)
        if (solver->kernels[i] != NULL)
            clReleaseKernel(solver->kernels[i]);
    rhomb__buffer_release(stream, &solver->counts);
    rhomb__buffer_release(stream, &solver->answers);
    rhomb__buffer_release(stream, &solver->pairs);
    free(solver->answered);
    free(solver->described);
    *solver = (rhomb__pool_solver){.pool = NULL};
}

static rhomb_status build(const rhomb__pool_solver *solver, int32_t level, rhomb__program **out)
{
    const int32_t PLANES = solver->pool->planes, OFFSET_BITS = 32, PATH = 0, IN_PLACE = 0;
    const int32_t GROUP_SIZE = solver->shape.levels[level].group_size;
    const rhomb__parameter parameters[] = {RHOMB_BATCH_PARAMS(RHOMB__PARAMETER)};
    return rhomb__program_with(solver->pool->ctx, &rhomb__source_batch, parameters,
                               sizeof parameters / sizeof parameters[0], out);
}

/*
 * rhomb_batch_solve(queries, targets, query_flags, target_flags, pairs, lists, answers, cigars,
 *                   all_columns, counts, state, list_pitch, level, levels, limit, max_distance,
 *                   all)
 *
 * All pairs are in the only level, so nothing is listed; every base has a code, so no flags are
 * read; and there are no paths: other buffers take the places of what is for these.
 */
static rhomb_status set_arguments(rhomb__pool_solver *solver, cl_kernel kernel, int32_t limit)
{
    const rhomb_i32 level = 0, levels = 1, all = 1, max_distance = RHOMB_NO_LIMIT;
    const rhomb_u32 pitch = 0;
    const size_t state = 2 * (size_t)RHOMB_BATCH_CELLS(limit) * sizeof(rhomb_i32);
    const cl_mem packed = solver->pool->packed.handle, none = solver->pairs.handle;
    const rhomb__argument arguments[] = {RHOMB__ARGUMENT(packed),
                                         RHOMB__ARGUMENT(packed),
                                         RHOMB__ARGUMENT(none),
                                         RHOMB__ARGUMENT(none),
                                         RHOMB__ARGUMENT(solver->pairs.handle),
                                         RHOMB__ARGUMENT(none),
                                         RHOMB__ARGUMENT(solver->answers.handle),
                                         RHOMB__ARGUMENT(none),
                                         RHOMB__ARGUMENT(none),
                                         RHOMB__ARGUMENT(solver->counts.handle),
                                         {state, NULL},
                                         RHOMB__ARGUMENT(pitch),
                                         RHOMB__ARGUMENT(level),
                                         RHOMB__ARGUMENT(levels),
                                         RHOMB__ARGUMENT(limit),
                                         RHOMB__ARGUMENT(max_distance),
                                         RHOMB__ARGUMENT(all)};
    return rhomb__queue_arguments(&solver->pool->ctx->stream, kernel, arguments,
                                  sizeof arguments / sizeof arguments[0]);
}

/* The kernel of a level, with its arguments. */
static rhomb_status make_kernel(rhomb__pool_solver *solver, int32_t level)
{
    rhomb_status status = RHOMB_OK;
    rhomb__device_stream *stream = &solver->pool->ctx->stream;
    rhomb__matrix_level *l = &solver->shape.levels[level];
    rhomb__program *program = NULL;
    cl_int code = CL_SUCCESS;
    if (solver->kernels[level] != NULL)
        return RHOMB_OK;
    do {
        if (!l->given)
            l->group_size = rhomb__group_on(&stream->device->info, l->group_size);
        status = build(solver, level, &program);
    } while (status != RHOMB_OK && rhomb__group_limit_lowered(solver->pool->ctx, l->given));
    if (status != RHOMB_OK)
        return status;
    RHOMB_TRY(rhomb__pool_self_test(solver, level, program));
    RHOMB_CL_OUT(stream, code,
                 solver->kernels[level] =
                     clCreateKernel(program->handle, "rhomb_batch_solve", &code));
    status = set_arguments(solver, solver->kernels[level], solver->shape.levels[level].limit);
out:
    return status;
}

/* Whether an answer is one that can be. */
static bool is_possible(const rhomb__matrix_level *level, const rhomb_batch_pair *pair,
                        int32_t answer)
{
    return (answer >= 0 && answer <= level->limit &&
            answer <= rhomb__max(pair->query_length, pair->target_length)) ||
           answer == RHOMB_BATCH_EXCEEDS || answer == RHOMB_BATCH_BEYOND;
}

rhomb_status rhomb__pool_solve(rhomb__pool_solver *solver, int32_t level, int64_t count,
                               int64_t max_distance)
{
    rhomb_status status = RHOMB_OK;
    rhomb__device_stream *stream = &solver->pool->ctx->stream;
    const rhomb__matrix_level *l = &solver->shape.levels[level];
    const rhomb_batch_counts fresh = {.listed = {(rhomb_u32)count}};
    const rhomb_i32 most = (rhomb_i32)rhomb__min(max_distance, RHOMB__BATCH_MOST_BASES);
    cl_event read = NULL;
    RHOMB_TRY(make_kernel(solver, level));
    RHOMB_CL(stream,
             clSetKernelArg(solver->kernels[level], SOLVE_MAX_DISTANCE, sizeof most, &most));
    RHOMB_CL(stream, clEnqueueWriteBuffer(stream->queue, solver->counts.handle, CL_FALSE, 0,
                                          sizeof fresh, &fresh, 0, NULL, NULL));
    RHOMB_CL(stream, clEnqueueWriteBuffer(stream->queue, solver->pairs.handle, CL_FALSE, 0,
                                          (size_t)count * sizeof *solver->described,
                                          solver->described, 0, NULL, NULL));
    RHOMB_TRY(rhomb__queue_launch(stream, solver->kernels[level], rhomb__min(l->groups, count),
                                  l->group_size));
    RHOMB_CL(stream, clEnqueueReadBuffer(stream->queue, solver->answers.handle, CL_FALSE, 0,
                                         (size_t)count * sizeof *solver->answered, solver->answered,
                                         0, NULL, &read));
    RHOMB_CL(stream, clFlush(stream->queue));
    RHOMB_TRY(rhomb__queue_wait(stream, read));
    solver->launches++;
    for (int64_t i = 0; i < count; i++)
        if (!is_possible(l, &solver->described[i], solver->answered[i].distance)) {
            status = rhomb__fail(&stream->error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                                 "%s: distance %ld of sequences of %ld and %ld bases",
                                 stream->device->info.name, (long)solver->answered[i].distance,
                                 (long)solver->described[i].target_length,
                                 (long)solver->described[i].query_length);
            goto out;
        }
out:
    if (status != RHOMB_OK)
        clFinish(stream->queue); /* running commands use this memory */
    if (read != NULL)
        clReleaseEvent(read);
    return status;
}
