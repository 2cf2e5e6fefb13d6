/* SPDX-License-Identifier: MIT */
/*
 * Paths of ranges of a packed pair, see ranges.h. A portion is one launch, whose groups take ranges
 * from a counter, and one read: the known distances tell the space that all paths take.
 */
#include "host/divide/ranges.h"

#include <stdlib.h>

#include "cl/params.def"
#include "host/device/cl_error.h"
#include "host/device/context.h"
#include "host/device/queue.h"
#include "host/engines/engine.h"
#include "host/engines/known_pair.h"
#include "src/base/int64.h"
#include "src/planner/batch_shape.h"
#include "src/planner/profiles.h"

/* A portion gives each group several ranges, so that few groups wait for the last one. */
#define GROUP_TURNS   2
#define LEAST_PORTION 64
#define COLUMN_BYTES  (INT64_C(32) << 20)
/* Local memory of a group besides its columns. */
#define LOCAL_OVERHEAD 64

_Static_assert(sizeof(rhomb_batch_pair) == 24, "cl/abi.h has a record with gaps");
_Static_assert(sizeof(rhomb_batch_answer) == 16, "cl/abi.h has a record with gaps");

struct rhomb__ranges {
    rhomb_context *ctx;
    rhomb__split_source source;
    int64_t most_distance;
    int32_t group_size;
    int32_t in_place;
    int64_t room;         /* ranges of a portion */
    int64_t column_bytes; /* of all its groups together */
    cl_kernel solve;
    rhomb__buffer places;
    rhomb__buffer answers;
    rhomb__buffer counts;
    rhomb__buffer cigars;
    rhomb__buffer columns;

    /* Of the running portion. */
    int64_t count;
    int64_t operations;
    cl_event done; /* not NULL while it runs */
    int64_t *distances;
    rhomb_batch_pair *at;
    rhomb_batch_counts fresh;

    /* Of the one that was waited for. */
    rhomb_batch_answer *answered;
    rhomb_cigar_op *ops;
    rhomb__cigar *paths;
};

static int64_t bytes_of_columns(int64_t distance)
{
    return (int64_t)sizeof(rhomb_i32) * RHOMB_BATCH_COLUMNS(distance);
}

static int64_t bytes_of_state(int64_t distance)
{
    return 2 * (int64_t)sizeof(rhomb_i32) * RHOMB_BATCH_CELLS(distance);
}

static int64_t operations_of(int64_t distance)
{
    return 2 * distance + 1;
}

/* ----------------------------------------------------------------- opening */

/* The kind of groups, and their number. */
static rhomb_status choose_groups(rhomb__ranges *r, int64_t count)
{
    const rhomb_device_info *device = &r->ctx->stream.device->info;
    const rhomb__split_tuning *tuning = &r->source.tuning;
    const rhomb__tuning_row *row = rhomb__tuning_find(device);
    int64_t group_size = tuning->group_size;
    if (group_size < 0 || group_size > rhomb__min(256, device->max_group_size))
        return rhomb__fail(&r->ctx->stream.error, RHOMB_ERR_ARGUMENT,
                           "a group of %lld items cannot find paths on %s", (long long)group_size,
                           device->name);
    for (int64_t wider = 1; tuning->group_size == 0 && wider <= device->max_group_size &&
                            wider <= row->ranges_group_size;
         wider *= 2)
        group_size = wider;
    r->group_size = (int32_t)group_size;
    r->in_place = group_size == 1 || tuning->in_place != 0 ||
                  bytes_of_state(r->most_distance) + LOCAL_OVERHEAD > device->local_memory_bytes;
    const int64_t busy =
        rhomb__max(device->compute_units, 1) * rhomb__max(row->ranges_unit_items / group_size, 1);
    const int64_t bytes = tuning->portion_bytes > 0 ? tuning->portion_bytes : COLUMN_BYTES;
    const int64_t groups = rhomb__max(
        rhomb__min(rhomb__min(busy, bytes / bytes_of_columns(r->most_distance)), count), 1);
    r->column_bytes = groups * bytes_of_columns(r->most_distance);
    /* All portions have about as much to do. */
    const int64_t most = rhomb__max(GROUP_TURNS * groups, LEAST_PORTION);
    r->room = rhomb__ceil_div(count, rhomb__ceil_div(count, most));
    return RHOMB_OK;
}

static rhomb_status hold_memory(rhomb__ranges *r)
{
    rhomb_status status = RHOMB_OK;
    const int64_t operations = r->room * operations_of(r->most_distance);
    const size_t room = (size_t)r->room;
    const struct {
        rhomb__buffer *buffer;
        int64_t bytes;
    } buffers[] = {{&r->columns, r->column_bytes},
                   {&r->places, r->room * (int64_t)sizeof *r->at},
                   {&r->answers, r->room * (int64_t)sizeof *r->answered},
                   {&r->counts, (int64_t)sizeof r->fresh},
                   {&r->cigars, operations * (int64_t)sizeof *r->ops}};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        RHOMB_TRY(rhomb__buffer_create(&r->ctx->stream, buffers[i].bytes, "the paths of base cases",
                                       buffers[i].buffer));
    r->distances = malloc(room * sizeof *r->distances);
    r->at = malloc(room * sizeof *r->at);
    r->answered = malloc(room * sizeof *r->answered);
    r->ops = malloc((size_t)operations * sizeof *r->ops);
    r->paths = malloc(room * sizeof *r->paths);
    if (r->distances == NULL || r->at == NULL || r->answered == NULL || r->ops == NULL ||
        r->paths == NULL)
        status = rhomb__fail_memory(&r->ctx->stream.error, (size_t)operations * sizeof *r->ops,
                                    "the paths of base cases");
out:
    return status;
}

static rhomb_status self_test(const rhomb__ranges *r, rhomb__program *program);

static rhomb_status make_kernel(rhomb__ranges *r)
{
    rhomb_status status = RHOMB_OK;
    const int32_t PLANES = r->source.planes, OFFSET_BITS = 32, PATH = 1;
    const int32_t GROUP_SIZE = r->group_size, IN_PLACE = r->in_place;
    const rhomb__parameter parameters[] = {RHOMB_BATCH_PARAMS(RHOMB__PARAMETER)};
    rhomb__program *program = NULL;
    cl_int code = CL_SUCCESS;
    RHOMB_TRY(rhomb__program_with(r->ctx, &rhomb__source_batch, parameters,
                                  sizeof parameters / sizeof parameters[0], &program));
    if (!r->source.tuning.is_self_test)
        RHOMB_TRY(self_test(r, program));
    RHOMB_CL_OUT(&r->ctx->stream, code,
                 r->solve = clCreateKernel(program->handle, "rhomb_batch_solve", &code));
out:
    return status;
}

rhomb_status rhomb__ranges_open(rhomb_context *ctx, const rhomb__split_source *source,
                                int64_t most_distance, int64_t count, rhomb__ranges **out)
{
    rhomb_status status = RHOMB_OK;
    rhomb__ranges *r = NULL;
    *out = NULL;
    if (most_distance < 1 || most_distance > RHOMB__BATCH_MOST_LIMIT || count < 1)
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_INTERNAL,
                           "no paths of %lld base cases with distances up to %lld",
                           (long long)count, (long long)most_distance);
    r = calloc(1, sizeof *r);
    if (r == NULL)
        return rhomb__fail_memory(&ctx->stream.error, sizeof *r, "the paths of base cases");
    r->ctx = ctx;
    r->source = *source;
    r->most_distance = most_distance;
    RHOMB_TRY(choose_groups(r, count));
    RHOMB_TRY(make_kernel(r));
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
    if (r->solve != NULL)
        clReleaseKernel(r->solve);
    rhomb__buffer_release(&r->ctx->stream, &r->columns);
    rhomb__buffer_release(&r->ctx->stream, &r->cigars);
    rhomb__buffer_release(&r->ctx->stream, &r->counts);
    rhomb__buffer_release(&r->ctx->stream, &r->answers);
    rhomb__buffer_release(&r->ctx->stream, &r->places);
    free(r->paths);
    free(r->ops);
    free(r->answered);
    free(r->at);
    free(r->distances);
    free(r);
}

int64_t rhomb__ranges_room(const rhomb__ranges *ranges)
{
    return ranges->room;
}

/* ---------------------------------------------------------------- portions */

/* Where the ranges of a portion are, in symbols of the packed pair. */
static rhomb_status place(rhomb__ranges *r, const rhomb_split_pair *pairs, int64_t *most)
{
    rhomb_status status = RHOMB_OK;
    *most = 1;
    for (int64_t i = 0; i < r->count; i++) {
        const rhomb_split_pair *pair = &pairs[i];
        RHOMB_TRY(rhomb__split_check_pair(r->ctx, &r->source, pair, r->most_distance));
        if (rhomb__max(pair->target_length, pair->query_length) > RHOMB__BATCH_MOST_BASES) {
            status = rhomb__fail(&r->ctx->stream.error, RHOMB_ERR_INTERNAL,
                                 "a base case of %lld and %lld bases is too long for its path",
                                 (long long)pair->target_length, (long long)pair->query_length);
            goto out;
        }
        const rhomb_batch_pair at = {pair->query_at + RHOMB_PAD_SYMBOLS,
                                     pair->target_at + RHOMB_PAD_SYMBOLS,
                                     (rhomb_i32)pair->query_length, (rhomb_i32)pair->target_length};
        r->at[i] = at;
        r->distances[i] = pair->distance;
        r->operations += operations_of(pair->distance);
        *most = rhomb__max(*most, pair->distance);
    }
out:
    return status;
}

/*
 * rhomb_batch_solve(queries, targets, query_flags, target_flags, pairs, lists, answers, cigars,
 *                   all_columns, counts, state, list_pitch, level, levels, limit, max_distance,
 *                   all)
 *
 * All ranges are in the only level, so nothing is listed. The count of bases without a code is 0,
 * so no flags are read: other buffers take their places.
 */
static rhomb_status launch(rhomb__ranges *r, int64_t most)
{
    rhomb_status status = RHOMB_OK;
    const rhomb_i32 limit = (rhomb_i32)most, level = 0, levels = 1, all = 1;
    const rhomb_u32 pitch = (rhomb_u32)r->count;
    const cl_mem none = r->places.handle;
    const rhomb__argument arguments[] = {RHOMB__ARGUMENT(r->source.query->handle),
                                         RHOMB__ARGUMENT(r->source.target->handle),
                                         RHOMB__ARGUMENT(none),
                                         RHOMB__ARGUMENT(none),
                                         RHOMB__ARGUMENT(r->places.handle),
                                         RHOMB__ARGUMENT(none),
                                         RHOMB__ARGUMENT(r->answers.handle),
                                         RHOMB__ARGUMENT(r->cigars.handle),
                                         RHOMB__ARGUMENT(r->columns.handle),
                                         RHOMB__ARGUMENT(r->counts.handle),
                                         {(size_t)bytes_of_state(r->in_place ? 0 : most), NULL},
                                         RHOMB__ARGUMENT(pitch),
                                         RHOMB__ARGUMENT(level),
                                         RHOMB__ARGUMENT(levels),
                                         RHOMB__ARGUMENT(limit),
                                         RHOMB__ARGUMENT(limit),
                                         RHOMB__ARGUMENT(all)};
    const int64_t groups = rhomb__min(r->column_bytes / bytes_of_columns(most), r->count);
    RHOMB_TRY(rhomb__queue_arguments(&r->ctx->stream, r->solve, arguments,
                                     sizeof arguments / sizeof arguments[0]));
    RHOMB_TRY(
        rhomb__queue_launch_event(&r->ctx->stream, r->solve, groups, r->group_size, &r->done));
out:
    return status;
}

rhomb_status rhomb__ranges_start(rhomb__ranges *r, const rhomb_split_pair *pairs, int64_t count)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *ctx = r->ctx;
    cl_command_queue queue = ctx->stream.queue;
    int64_t most = 0;
    if (r->done != NULL || count < 1 || count > r->room)
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_INTERNAL, "no portion of %lld base cases",
                           (long long)count);
    const rhomb_batch_counts fresh = {.listed = {(rhomb_u32)count}};
    r->fresh = fresh;
    r->count = count;
    r->operations = 0;
    RHOMB_TRY(place(r, pairs, &most));
    RHOMB_CL(&ctx->stream, clEnqueueWriteBuffer(queue, r->counts.handle, CL_FALSE, 0,
                                                sizeof r->fresh, &r->fresh, 0, NULL, NULL));
    RHOMB_CL(&ctx->stream,
             clEnqueueWriteBuffer(queue, r->places.handle, CL_FALSE, 0,
                                  (size_t)count * sizeof *r->at, r->at, 0, NULL, NULL));
    RHOMB_TRY(launch(r, most));
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
    cl_event read = NULL;
    RHOMB_TRY(rhomb__queue_wait(&ctx->stream, r->done));
    RHOMB_CL(&ctx->stream, clEnqueueReadBuffer(queue, r->answers.handle, CL_FALSE, 0,
                                               (size_t)r->count * sizeof *r->answered, r->answered,
                                               0, NULL, NULL));
    RHOMB_CL(&ctx->stream,
             clEnqueueReadBuffer(queue, r->cigars.handle, CL_FALSE, 0,
                                 (size_t)r->operations * sizeof *r->ops, r->ops, 0, NULL, &read));
    RHOMB_CL(&ctx->stream, clFlush(queue));
    RHOMB_TRY(rhomb__queue_wait(&ctx->stream, read));
out:
    if (status != RHOMB_OK)
        clFinish(queue); /* running commands use this memory */
    if (read != NULL)
        clReleaseEvent(read);
    return status;
}

rhomb_status rhomb__ranges_finish(rhomb__ranges *r, const rhomb__cigar **paths)
{
    rhomb_status status = RHOMB_OK;
    *paths = r->paths;
    if (r->done == NULL)
        return rhomb__fail(&r->ctx->stream.error, RHOMB_ERR_INTERNAL, "no portion is running");
    RHOMB_TRY(read_portion(r));
    for (int64_t i = 0; i < r->count; i++) {
        const rhomb_batch_answer *answer = &r->answered[i];
        const int64_t at = answer->cigar_at, count = answer->cigar_count;
        if (answer->distance != r->distances[i] || at + count > r->operations ||
            count > operations_of(r->distances[i])) {
            status = rhomb__fail(&r->ctx->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                                 "%s: a base case with distance %lld came out with %ld and %lld "
                                 "operations from %lld on",
                                 r->ctx->stream.device->info.name, (long long)r->distances[i],
                                 (long)answer->distance, (long long)count, (long long)at);
            goto out;
        }
        const rhomb__cigar path = {r->ops + at, count};
        r->paths[i] = path;
    }
out:
    clReleaseEvent(r->done);
    r->done = NULL;
    return status;
}

/* --------------------------------------------------------------- self-test */

/* Ranges of the known pair, with their distances by textbook dynamic programming. */
static const rhomb_split_pair KNOWN[] = {
    {30, 1100, 30, 1070, 55}, {401, 800, 400, 778, 53}, {0, 430, 0, 429, 1}};

enum { KNOWN_RANGES = sizeof KNOWN / sizeof KNOWN[0], KNOWN_DISTANCE = 55 };

/* Whether a path leads through a known range and costs what it should. */
static rhomb_status check_known(rhomb_context *ctx, const rhomb__program *program,
                                const rhomb__path_pair *whole, const rhomb_split_pair *known,
                                const rhomb__cigar *found)
{
    rhomb_status status = RHOMB_OK;
    rhomb__path path = {0};
    bool fits = false;
    const rhomb__path_pair pair = {whole->target + known->target_at,
                                   known->target_length,
                                   whole->query + known->query_at,
                                   known->query_length,
                                   whole->codes,
                                   whole->costs};
    RHOMB_TRY(rhomb__path_append_cigars(&ctx->stream.error, &path, found, 1, 1));
    RHOMB_TRY(rhomb__path_check(&ctx->stream.error, &path, &pair, known->distance, 1, &fits));
    if (!fits)
        status = rhomb__fail(&ctx->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                             "%s: the self-test of the kernels for base cases gave no path that "
                             "costs %lld (%s); the driver (%s) or the device cannot be trusted",
                             ctx->stream.device->info.name, (long long)known->distance,
                             program->options, ctx->stream.device->info.driver_version);
out:
    rhomb__path_release(&path);
    return status;
}

/* Solves the known ranges with the same kernel, unless it has passed before. */
static rhomb_status self_test(const rhomb__ranges *r, rhomb__program *program)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *ctx = r->ctx;
    rhomb__buffer target = {NULL, 0}, query = {NULL, 0};
    rhomb__program *pack = NULL;
    rhomb__ranges *ranges = NULL;
    const rhomb__cigar *paths = NULL;
    if (program->trusted_ranges)
        return RHOMB_OK;
    rhomb__build_begin(ctx);
    rhomb__known_pair p;
    rhomb__known_pair_make(&p);
    const rhomb__codes codes = rhomb__known_pair_codes(r->source.planes);
    const rhomb__bases in_target = {p.target, p.target_length, &codes, "the self-test"};
    const rhomb__bases in_query = {p.query, p.query_length, &codes, "the self-test"};
    const rhomb__costs costs = rhomb__costs_edit();
    const rhomb__path_pair whole = {p.target,       p.target_length, p.query,
                                    p.query_length, &codes,          &costs};
    const rhomb__pair_packing packing =
        rhomb__pair_packing_windows(p.target_length, p.query_length, r->source.planes, 1);
    const rhomb__split_source known = {
        .target = &target,
        .query = &query,
        .target_length = p.target_length,
        .query_length = p.query_length,
        .planes = r->source.planes,
        .tuning = {.group_size = r->group_size, .in_place = r->in_place, .is_self_test = true}};
    RHOMB_TRY(rhomb__pack_program(ctx, &pack));
    RHOMB_TRY(
        rhomb__pack_pair(&ctx->stream, pack, &packing, &in_target, &in_query, &target, &query));
    RHOMB_TRY(rhomb__ranges_open(ctx, &known, KNOWN_DISTANCE, KNOWN_RANGES, &ranges));
    RHOMB_TRY(rhomb__ranges_start(ranges, KNOWN, KNOWN_RANGES));
    RHOMB_TRY(rhomb__ranges_finish(ranges, &paths));
    for (int i = 0; i < KNOWN_RANGES; i++)
        RHOMB_TRY(check_known(ctx, program, &whole, &KNOWN[i], &paths[i]));
    program->trusted_ranges = true;
    rhomb__log(&ctx->stream, 2, "self-test passed: base cases %s", program->options);
out:
    rhomb__ranges_close(ranges);
    rhomb__buffer_release(&ctx->stream, &query);
    rhomb__buffer_release(&ctx->stream, &target);
    rhomb__build_end(ctx);
    return status;
}
