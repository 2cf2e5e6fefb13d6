/* SPDX-License-Identifier: MIT */
/*
 * The bit-parallel engine (cl/bitparallel.cl): sweeps a band of the edit distance matrix, strip by
 * strip of rows, and widens the band until it proves itself.
 *
 * A sweep of any band gives the cost of a real path, an upper bound U of the distance; and it is
 * the distance when a path of cost U cannot leave the band. So the first band may be a guess: what
 * it yields says how wide a band is enough. Where the first bound asks for much more, because it is
 * poor (a long insertion takes the path out of a narrow band), the band grows by a factor instead.
 *
 * Within a sweep nothing is read: strips hand each other their last row through device memory,
 * launches are ordered by the queue, and the score comes from a few sums at the end. The host
 * waits for a marker now and then, so that it can tell the caller how far it is.
 */
#include "engine.h"

#include "../cl/params.def"
#include "../src/int64.h"
#include "../src/strips.h"
#include "clock.h"
#include "context.h"
#include "queue.h"

#include <stdlib.h>

/* Work between two looks at the device, by the rate measured so far. */
#define LOOK_SECONDS 0.1
/* A band that asks for more than this many times its width is not believed, and grows by GROWTH. */
#define BELIEVED 16
#define GROWTH   4

typedef struct sweeper {
    rhomb_context *ctx;
    const rhomb__problem *problem;
    rhomb__solution *solution;
    rhomb__sweep sweep;
    cl_kernel kernel;
    rhomb__buffer down;   /* vertical differences: two words for each word of rows */
    rhomb__buffer across; /* horizontal differences: one word for each block */
    rhomb__buffer carry;  /* between launches: one word for each item */
    rhomb__buffer on_device;
    rhomb_strip *strips;
    rhomb_strip *answers; /* the strips as the device has left them */
    uint32_t *middle;     /* the vertical differences in the middle column */
    int64_t launches;     /* of the sweep under way */
    int64_t bound;        /* on the distance, by all that is known so far */
    double launches_per_second;
} sweeper;

static rhomb__sweep sweep_of(const rhomb_plan *plan)
{
    return rhomb__sweep_make(plan->target_length, plan->query_length, plan->group_size,
                             plan->words_per_item, plan->blocks_per_launch, plan->directions);
}

/* Blocks of the forward sweep's columns, then those of the backward sweep, reversed. */
static rhomb__packing pack_target(const rhomb_plan *plan)
{
    const rhomb__sweep sweep = sweep_of(plan);
    const rhomb__packing packing = {
        .kernel = "rhomb_pack_columns",
        .unit_bytes = 2 * plan->planes,
        .unit_symbols = RHOMB__BLOCK_COLUMNS,
        .looks_at = RHOMB__BLOCK_COLUMNS,
        .planes = plan->planes,
        .parts = {{sweep.blocks[0], 0, 1}, {sweep.blocks[1], sweep.columns - 1, -1}}};
    return packing;
}

/* The rows of all strips, then, if there is a backward sweep, the same reversed. */
static rhomb__packing pack_query(const rhomb_plan *plan)
{
    const rhomb__sweep sweep = sweep_of(plan);
    const int64_t words = sweep.strips * sweep.strip_rows / RHOMB__WORD_ROWS;
    const rhomb__packing packing = {
        .kernel = "rhomb_pack_rows",
        .unit_bytes = 4 * plan->planes,
        .unit_symbols = RHOMB__WORD_ROWS,
        .looks_at = RHOMB__WORD_ROWS,
        .planes = plan->planes,
        .parts = {{words, 0, 1}, {sweep.blocks[1] > 0 ? words : 0, sweep.rows - 1, -1}}};
    return packing;
}

static rhomb_status bitparallel_program(rhomb_context *ctx, const rhomb_plan *plan,
                                        rhomb__program **out)
{
    const int32_t PLANES = plan->planes;
    const int32_t GROUP_SIZE = plan->group_size;
    const int32_t ITEM_WORDS = plan->words_per_item;
    const rhomb__parameter parameters[] = {RHOMB_BITPARALLEL_PARAMS(RHOMB__PARAMETER)};
    return rhomb__program_with(ctx, &rhomb__source_bitparallel, parameters,
                               sizeof parameters / sizeof parameters[0], out);
}

/* Launches one step of the strips [first, end). */
static rhomb_status launch(sweeper *s, int64_t index, int64_t first, int64_t end)
{
    rhomb_status status = RHOMB_OK;
    const int32_t steps = (int32_t)s->sweep.steps;
    /* rhomb_bitparallel_sweep(rows, columns, down, across, carry, strips, first_strip, launch,
     * steps) */
    const rhomb__argument arguments[] = {
        RHOMB__ARGUMENT(s->problem->query->handle),
        RHOMB__ARGUMENT(s->problem->target->handle),
        RHOMB__ARGUMENT(s->down.handle),
        RHOMB__ARGUMENT(s->across.handle),
        RHOMB__ARGUMENT(s->carry.handle),
        RHOMB__ARGUMENT(s->on_device.handle),
        RHOMB__ARGUMENT(first),
        RHOMB__ARGUMENT(index),
        RHOMB__ARGUMENT(steps),
    };
    RHOMB_TRY(rhomb__queue_arguments(s->ctx, s->kernel, arguments,
                                     sizeof arguments / sizeof arguments[0]));
    RHOMB_TRY(rhomb__queue_launch(s->ctx, s->kernel, end - first, s->sweep.items));
    s->solution->launches++;
out:
    return status;
}

/* Tells the caller how far the sweep is; what it proves comes only at its end. */
static rhomb_status report_progress(const sweeper *s, int64_t done)
{
    const rhomb_options *options = s->problem->options;
    if (options->progress == NULL)
        return RHOMB_OK;
    rhomb_progress progress = {0};
    progress.lower_bound = s->problem->plan->lower_bound;
    progress.upper_bound = rhomb__min(s->bound, s->problem->plan->upper_bound);
    progress.fraction = (double)done / (double)s->launches;
    progress.seconds = rhomb__now() - s->problem->began;
    progress.eta_seconds =
        s->launches_per_second > 0 ? (double)(s->launches - done) / s->launches_per_second : -1;
    progress.cells_per_second =
        s->launches_per_second * (double)(s->solution->cells / rhomb__max(s->launches, 1));
    if (options->progress(&progress, options->progress_user) != 0)
        return rhomb__fail(&s->ctx->error, RHOMB_ERR_CANCELLED, "stopped at %.0f %% of a sweep",
                           100 * progress.fraction);
    return RHOMB_OK;
}

/* Waits for a marker, learns the rate from it, and reports. `launches` lie between it and the last.
 */
static rhomb_status look(sweeper *s, cl_event *marker, int64_t launches, int64_t done, double *last)
{
    rhomb_status status = RHOMB_OK;
    if (*marker == NULL)
        return RHOMB_OK;
    RHOMB_TRY(rhomb__queue_wait(s->ctx, *marker));
    const double now = rhomb__now();
    if (now > *last)
        s->launches_per_second = (double)launches / (now - *last);
    *last = now;
    RHOMB_TRY(report_progress(s, done));
out:
    clReleaseEvent(*marker);
    *marker = NULL;
    return status;
}

/* Enqueues all launches of a sweep, two stretches between markers ahead of the device. */
static rhomb_status run_launches(sweeper *s)
{
    rhomb_status status = RHOMB_OK;
    cl_event markers[2] = {NULL, NULL};
    int64_t stretch = 64, first = 0, end = 0, since = 0, turn = 0;
    double last = rhomb__now();
    for (int64_t index = 0; index < s->launches; index++) {
        rhomb__sweep_active(&s->sweep, s->strips, index, &first, &end);
        if (first < end)
            RHOMB_TRY(launch(s, index, 2 * first, 2 * end));
        if (++since < stretch)
            continue;
        RHOMB_CL(s->ctx,
                 clEnqueueMarkerWithWaitList(s->ctx->device->queue, 0, NULL, &markers[turn % 2]));
        RHOMB_CL(s->ctx, clFlush(s->ctx->device->queue));
        turn++;
        RHOMB_TRY(look(s, &markers[turn % 2], since, index + 1 - since, &last));
        since = 0;
        stretch = rhomb__max(
            rhomb__min((int64_t)(s->launches_per_second * LOOK_SECONDS), 2 * stretch), 1);
    }
    RHOMB_TRY(rhomb__queue_finish(s->ctx));
out:
    for (int i = 0; i < 2; i++) {
        if (markers[i] != NULL)
            clReleaseEvent(markers[i]);
    }
    return status;
}

/*
 * Takes over the sums that a sweep has added up, and nothing else of what the device answers. A sum
 * moves by at most one a column.
 */
static rhomb_status take_sums(sweeper *s)
{
    for (int64_t i = 0; i < 2 * s->sweep.strips; i++) {
        const rhomb_strip *answer = &s->answers[i];
        rhomb_strip *strip = &s->strips[i];
        const int64_t most = (strip->end_block - strip->first_block) * RHOMB__BLOCK_COLUMNS;
        if (answer->top_sum < -most || answer->top_sum > most || answer->bottom_sum < -most ||
            answer->bottom_sum > most)
            return rhomb__fail(&s->ctx->error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                               "%s: the differences of %lld columns add up to %lld and %lld",
                               s->ctx->device->info.name, (long long)most,
                               (long long)answer->top_sum, (long long)answer->bottom_sum);
        strip->top_sum = answer->top_sum;
        strip->bottom_sum = answer->bottom_sum;
    }
    return RHOMB_OK;
}

/* Sweeps the band that reaches `beside` diagonals beyond those between 0 and the end diagonal. */
static rhomb_status sweep_band(sweeper *s, int64_t beside, int64_t *cost)
{
    rhomb_status status = RHOMB_OK;
    const cl_command_queue queue = s->ctx->device->queue;
    const size_t bytes = (size_t)(2 * s->sweep.strips) * sizeof(rhomb_strip);
    s->launches = rhomb__sweep_band(&s->sweep, beside, s->strips);
    s->solution->cells += rhomb__sweep_cells(&s->sweep, s->strips);
    s->solution->bands++;
    rhomb__log(s->ctx, 2, "bit-parallel: a band of %lld diagonals on either side, %lld launches",
               (long long)beside, (long long)s->launches);
    RHOMB_CL(s->ctx, clEnqueueWriteBuffer(queue, s->on_device.handle, CL_TRUE, 0, bytes, s->strips,
                                          0, NULL, NULL));
    RHOMB_TRY(run_launches(s));
    RHOMB_CL(s->ctx, clEnqueueReadBuffer(queue, s->on_device.handle, CL_TRUE, 0, bytes, s->answers,
                                         0, NULL, NULL));
    RHOMB_CL(s->ctx, clEnqueueReadBuffer(queue, s->down.handle, CL_TRUE, 0, (size_t)s->down.bytes,
                                         s->middle, 0, NULL, NULL));
    s->solution->reads++;
    RHOMB_TRY(take_sums(s));
    *cost = rhomb__sweep_cost(&s->sweep, s->strips, s->middle);
out:
    return status;
}

/*
 * A wider band never costs more than a narrower one, so the last cost is the least bound of all, or
 * beyond the caller's limit, which no other one was within.
 */
static rhomb_status judge(const sweeper *s, int64_t cost)
{
    const rhomb_plan *plan = s->problem->plan;
    if (cost <= plan->upper_bound ? cost >= plan->lower_bound && cost == s->bound
                                  : s->bound > plan->upper_bound)
        return RHOMB_OK;
    return rhomb__fail(&s->ctx->error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                       "%s: the last sweep ended with cost %lld, outside [%lld, %lld]",
                       s->ctx->device->info.name, (long long)cost, (long long)plan->lower_bound,
                       (long long)s->bound);
}

/*
 * Widens the band until a path of the cost that it gave cannot leave it, or until all paths within
 * the caller's limit are in it.
 */
static rhomb_status widen(sweeper *s)
{
    rhomb_status status = RHOMB_OK;
    const rhomb_plan *plan = s->problem->plan;
    const int64_t end = s->problem->target_length - s->problem->query_length;
    const int64_t limit = rhomb__sweep_beside(end, plan->upper_bound);
    int64_t beside = rhomb__min(plan->first_beside, limit);
    for (;;) {
        int64_t cost = 0;
        RHOMB_TRY(sweep_band(s, beside, &cost));
        s->bound = rhomb__min(s->bound, cost);
        const int64_t needed = rhomb__min(rhomb__sweep_beside(end, s->bound), limit);
        if (needed <= beside) {
            s->solution->distance = cost <= plan->upper_bound ? cost : -1;
            RHOMB_TRY(judge(s, cost));
            break;
        }
        beside =
            needed <= BELIEVED * rhomb__max(beside, 1) ? needed : GROWTH * rhomb__max(beside, 1);
    }
out:
    return status;
}

static rhomb_status prepare(sweeper *s, const rhomb__program *program)
{
    rhomb_status status = RHOMB_OK;
    cl_int code = CL_SUCCESS;
    const int64_t strips = 2 * s->sweep.strips;
    const int64_t items = strips * s->sweep.items;
    const int64_t words = strips * s->sweep.strip_rows / RHOMB__WORD_ROWS;
    const int64_t blocks = s->sweep.columns / RHOMB__BLOCK_COLUMNS;
    const size_t strip_bytes = (size_t)strips * sizeof(rhomb_strip);
    s->strips = malloc(strip_bytes);
    s->answers = malloc(strip_bytes);
    s->middle = malloc((size_t)words * 2 * sizeof(uint32_t));
    if (s->strips == NULL || s->answers == NULL || s->middle == NULL)
        return rhomb__fail_memory(&s->ctx->error, 2 * strip_bytes + (size_t)words * 8,
                                  "the strips of a sweep and its middle column");
    RHOMB_CL_OUT(s->ctx, code,
                 s->kernel = clCreateKernel(program->handle, "rhomb_bitparallel_sweep", &code));
    RHOMB_TRY(rhomb__buffer_create(s->ctx, words * 8, "the vertical differences", &s->down));
    RHOMB_TRY(rhomb__buffer_create(s->ctx, blocks * 4, "the horizontal differences", &s->across));
    RHOMB_TRY(rhomb__buffer_create(s->ctx, items * 4, "what items hand on", &s->carry));
    RHOMB_TRY(rhomb__buffer_create(s->ctx, (int64_t)strip_bytes, "the strips", &s->on_device));
    s->solution->column_bytes =
        s->down.bytes + s->across.bytes + s->carry.bytes + s->on_device.bytes;
out:
    return status;
}

static rhomb_status bitparallel_solve(rhomb_context *ctx, const rhomb__program *program,
                                      const rhomb__problem *problem, rhomb__solution *solution)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__solution unsolved = {.distance = -1};
    *solution = unsolved;
    sweeper s = {.ctx = ctx, .problem = problem, .solution = solution};
    s.sweep = sweep_of(problem->plan);
    s.bound = problem->upper_bound;
    RHOMB_TRY(prepare(&s, program));
    RHOMB_TRY(widen(&s));
out:
    /* Launches that were enqueued before a failure still use the buffers. */
    if (status != RHOMB_OK)
        (void)!rhomb__queue_finish(ctx);
    rhomb__buffer_release(ctx, &s.down);
    rhomb__buffer_release(ctx, &s.across);
    rhomb__buffer_release(ctx, &s.carry);
    rhomb__buffer_release(ctx, &s.on_device);
    if (s.kernel != NULL)
        clReleaseKernel(s.kernel);
    free(s.middle);
    free(s.answers);
    free(s.strips);
    return status;
}

const rhomb__engine rhomb__engine_bitparallel = {"bitparallel", pack_target, pack_query,
                                                 bitparallel_program, bitparallel_solve};
