/* SPDX-License-Identifier: MIT */
/*
 * The bit-parallel engine (cl/bitparallel/bitparallel.cl, cl/bitparallel/bitparallel_lanes.cl):
 * sweeps a band of the edit distance matrix, one strip of rows after the other, for a bound on the
 * distance, and raises the bound until the sweep proves its own result.
 *
 * A sweep for the bound U ends with the cost of a path, if it reaches the end. A cost of at most U
 * is the distance; otherwise the distance is more than U and at most that cost
 * (src/planner/strips.h). So the first bound may be a guess: the cost says which bound is enough,
 * and a sweep that ends early says how large the distance may be.
 *
 * The host reads nothing during a sweep: strips pass their last row on through device memory, the
 * queue orders the launches, and at the end the cost comes from the strips' fronts and the middle
 * column. The host waits for a marker now and then, to report progress to the caller.
 */
#include "host/engines/engine.h"

#include "cl/params.def"
#include "host/device/cl_error.h"
#include "host/device/context.h"
#include "host/device/pace.h"
#include "host/device/queue.h"
#include "src/base/clock.h"
#include "src/base/int64.h"
#include "src/planner/plan.h"
#include "src/planner/strips.h"

#include <stdio.h>
#include <stdlib.h>

/*
 * A cost of more than BELIEVED times the bound is not trusted: a long insertion takes the path out
 * of a narrow band.
 */
#define BELIEVED 4
/*
 * The next bound is at most GROWTH times the last one: a sweep of one direction that ends early
 * costs little, and a long indel that stops it promises far too much. It is larger by at least a
 * GROWTH_LEAST-th. An estimate gets a SPARE-th more, as one that is too low costs another sweep.
 */
#define GROWTH_ONE   2
#define GROWTH_TWO   8
#define GROWTH_LEAST 4
#define SPARE        8

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
    rhomb__buffer listed; /* all strips in their order */
    rhomb_strip *records;
    uint32_t *middle;   /* the vertical differences in the middle column */
    int64_t launches;   /* of the running sweep */
    int64_t band_cells; /* of its whole band */
    int64_t bound;      /* on the distance, from all that is known so far */
    double launches_per_second;
} sweeper;

/* Blocks of the forward sweep's columns, then those of the backward sweep, reversed. */
static rhomb__packing pack_target(const rhomb_plan *plan)
{
    const rhomb__sweep sweep = rhomb__plan_sweep(plan);
    const rhomb__packing packing = {
        .kernel = "rhomb_pack_columns",
        .unit_bytes = 2 * plan->planes,
        .unit_symbols = RHOMB__BLOCK_COLUMNS,
        .looks_at = RHOMB__BLOCK_COLUMNS,
        .planes = plan->planes,
        .parts = {{sweep.blocks[0], 0, 1}, {sweep.blocks[1], sweep.columns - 1, -1}}};
    return packing;
}

/* The rows of all strips, then, for the backward sweep, if any, the same reversed. */
static rhomb__packing pack_query(const rhomb_plan *plan)
{
    const rhomb__sweep sweep = rhomb__plan_sweep(plan);
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
    const int32_t LANES = plan->lanes;
    const rhomb__parameter parameters[] = {RHOMB_BITPARALLEL_PARAMS(RHOMB__PARAMETER)};
    const rhomb__kernel_source *source =
        plan->lanes > 1 ? &rhomb__source_bitparallel_lanes : &rhomb__source_bitparallel;
    return rhomb__program_with(ctx, source, parameters, sizeof parameters / sizeof parameters[0],
                               out);
}

/* Launches one step of the strips [first, end). */
static rhomb_status launch(sweeper *s, int64_t index, int64_t first, int64_t end)
{
    rhomb_status status = RHOMB_OK;
    const int32_t steps = (int32_t)s->sweep.shape.steps;
    /* rhomb_bitparallel_sweep(rows, columns, down, across, carry, strips, listed, first_listed,
     *                         launch, steps) */
    const rhomb__argument arguments[] = {
        RHOMB__ARGUMENT(s->problem->query->handle),
        RHOMB__ARGUMENT(s->problem->target->handle),
        RHOMB__ARGUMENT(s->down.handle),
        RHOMB__ARGUMENT(s->across.handle),
        RHOMB__ARGUMENT(s->carry.handle),
        RHOMB__ARGUMENT(s->on_device.handle),
        RHOMB__ARGUMENT(s->listed.handle),
        RHOMB__ARGUMENT(first),
        RHOMB__ARGUMENT(index),
        RHOMB__ARGUMENT(steps),
    };
    RHOMB_TRY(rhomb__queue_arguments(s->ctx, s->kernel, arguments,
                                     sizeof arguments / sizeof arguments[0]));
    RHOMB_TRY(rhomb__queue_launch(s->ctx, s->kernel, end - first, s->problem->plan->group_size));
    s->solution->launches++;
out:
    return status;
}

/* Tells the caller how far the sweep is; it proves its result only at its end. */
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
        s->launches_per_second * (double)s->band_cells / (double)rhomb__max(s->launches, 1);
    if (options->progress(&progress, options->progress_user) != 0)
        return rhomb__fail(&s->ctx->error, RHOMB_ERR_CANCELLED, "stopped at %.0f %% of a sweep",
                           100 * progress.fraction);
    return RHOMB_OK;
}

/* Enqueues all launches of a sweep. */
static rhomb_status run_launches(sweeper *s)
{
    rhomb_status status = RHOMB_OK;
    rhomb__pace pace = rhomb__pace_begin(s->launches_per_second);
    int64_t first = 0, end = 0, behind = 0;
    for (int64_t index = 0; index < s->launches; index++) {
        rhomb__sweep_active(&s->sweep, s->records, index, &first, &end);
        if (first < end)
            RHOMB_TRY(launch(s, index, 2 * first, 2 * end));
        RHOMB_TRY(rhomb__pace_launched(s->ctx, &pace, &behind));
        s->launches_per_second = pace.launches_per_second;
        if (behind >= 0)
            RHOMB_TRY(report_progress(s, index + 1 - behind));
    }
    RHOMB_TRY(rhomb__queue_finish(s->ctx));
out:
    rhomb__pace_end(&pace);
    return status;
}

/* Checks the record that the kernel left for a strip. */
static rhomb_status check_record(const sweeper *s, const rhomb_strip *strip)
{
    const rhomb_strip_front *front = rhomb__strip_result(strip);
    if (rhomb__strip_is_sound(&s->sweep, strip))
        return RHOMB_OK;
    return rhomb__fail(&s->ctx->error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                       "%s: a strip of blocks %lld to %lld ended at %lld with score %lld",
                       s->ctx->device->info.name, (long long)strip->first_block,
                       (long long)strip->end_block, (long long)front->end, (long long)front->score);
}

/* Reads the records, and of the middle column what the cost needs. */
static rhomb_status read_cost(sweeper *s, int64_t *cost)
{
    rhomb_status status = RHOMB_OK;
    const cl_command_queue queue = s->ctx->device->queue;
    const int64_t records = rhomb__sweep_records(&s->sweep);
    const int64_t pair_bytes = 2 * s->sweep.strip_rows / RHOMB__WORD_ROWS * 8;
    int64_t first = 0, end = 0;
    RHOMB_CL(s->ctx,
             clEnqueueReadBuffer(queue, s->on_device.handle, CL_TRUE, 0,
                                 (size_t)records * sizeof(rhomb_strip), s->records, 0, NULL, NULL));
    s->solution->reads++;
    for (int64_t i = 2; i < records; i++)
        RHOMB_TRY(check_record(s, &s->records[i]));
    s->solution->cells += rhomb__sweep_cells(&s->sweep, s->records);
    rhomb__sweep_middle(&s->sweep, s->records, &first, &end);
    if (first < end)
        RHOMB_CL(s->ctx, clEnqueueReadBuffer(
                             queue, s->down.handle, CL_TRUE, (size_t)(first * pair_bytes),
                             (size_t)((end - first) * pair_bytes), s->middle, 0, NULL, NULL));
    const rhomb__sweep_meeting best = rhomb__sweep_cost(&s->sweep, s->records, s->middle, first);
    const rhomb__meeting meeting = {.target = s->sweep.blocks[0] * RHOMB__BLOCK_COLUMNS,
                                    .query = best.row,
                                    .cost = best.forward_cost};
    s->solution->meeting = meeting;
    *cost = best.cost;
out:
    return status;
}

/* Sweeps for paths of cost at most `bound`. */
static rhomb_status sweep_band(sweeper *s, int64_t bound, int64_t *cost)
{
    rhomb_status status = RHOMB_OK;
    const size_t bytes = (size_t)rhomb__sweep_records(&s->sweep) * sizeof(rhomb_strip);
    s->launches = rhomb__sweep_band(&s->sweep, bound, s->records);
    s->band_cells = rhomb__sweep_band_cells(&s->sweep, s->records);
    s->solution->bands++;
    RHOMB_TRY(report_progress(s, 0));
    RHOMB_CL(s->ctx, clEnqueueWriteBuffer(s->ctx->device->queue, s->on_device.handle, CL_TRUE, 0,
                                          bytes, s->records, 0, NULL, NULL));
    const int64_t cells_before = s->solution->cells;
    const double began = rhomb__now();
    RHOMB_TRY(run_launches(s));
    const double swept = rhomb__now();
    RHOMB_TRY(read_cost(s, cost));
    char path[48] = "no path came out";
    if (*cost < INT64_MAX)
        snprintf(path, sizeof path, "a path of cost %lld", (long long)*cost);
    rhomb__log(s->ctx, 2,
               "bit-parallel: %lld launches for the bound %lld in %.2f ms, %.0f %% of its band; "
               "%s, read in %.2f ms",
               (long long)s->launches, (long long)bound, 1e3 * (swept - began),
               100 * (double)(s->solution->cells - cells_before) / (double)s->band_cells, path,
               1e3 * (rhomb__now() - swept));
out:
    return status;
}

/*
 * The bound for the next sweep, after the distance has turned out to be more than `bound`. Without
 * a cost, paths within the bound ended after some of the columns; at the same number of edits per
 * column the estimate goes on to the last one.
 */
static int64_t next_bound(const sweeper *s, int64_t bound, int64_t cost)
{
    const int64_t most = rhomb__min(s->bound, s->problem->plan->upper_bound);
    double next = (double)cost;
    if (cost > BELIEVED * bound) {
        const int64_t columns = rhomb__max(rhomb__sweep_reach(&s->sweep, s->records), 1);
        next = (double)bound * (double)s->sweep.columns / (double)columns;
        const double growth = s->problem->plan->directions == 1 ? GROWTH_ONE : GROWTH_TWO;
        next = next > growth * (double)bound ? growth * (double)bound : next;
        next += next / SPARE;
    }
    const double least = (double)bound + (double)bound / GROWTH_LEAST + 1;
    next = next < least ? least : next;
    return next < (double)most ? (int64_t)next : most;
}

/*
 * Raises the bound until a sweep ends with a cost within it, or until the bound reaches the
 * caller's limit. s->bound is the cost of a path, so a sweep for it has to find one.
 */
static rhomb_status raise_bound(sweeper *s)
{
    rhomb_status status = RHOMB_OK;
    const rhomb_plan *plan = s->problem->plan;
    const int64_t end = s->problem->target_length - s->problem->query_length;
    int64_t bound = rhomb__min(rhomb__min(rhomb__sweep_bound(end, plan->first_beside), s->bound),
                               plan->upper_bound);
    for (;;) {
        int64_t cost = INT64_MAX;
        RHOMB_TRY(sweep_band(s, bound, &cost));
        if (cost <= bound ? cost < plan->lower_bound : bound >= s->bound) {
            status = rhomb__fail(&s->ctx->error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                                 "%s: a sweep for the bound %lld ended with cost %lld, outside "
                                 "[%lld, %lld]",
                                 s->ctx->device->info.name, (long long)bound, (long long)cost,
                                 (long long)plan->lower_bound, (long long)s->bound);
            goto out;
        }
        s->bound = rhomb__min(s->bound, cost);
        if (cost <= bound || bound >= plan->upper_bound) {
            s->solution->distance = cost <= bound ? cost : -1;
            break;
        }
        bound = next_bound(s, bound, cost);
    }
out:
    return status;
}

static rhomb_status prepare(sweeper *s, const rhomb__program *program)
{
    rhomb_status status = RHOMB_OK;
    cl_int code = CL_SUCCESS;
    const int64_t strips = 2 * s->sweep.strips;
    const int64_t items = strips * s->sweep.shape.items;
    const int64_t words = strips * s->sweep.strip_rows / RHOMB__WORD_ROWS;
    const int64_t blocks = s->sweep.columns / RHOMB__BLOCK_COLUMNS;
    const size_t record_bytes = (size_t)rhomb__sweep_records(&s->sweep) * sizeof(rhomb_strip);
    s->records = malloc(record_bytes);
    s->middle = malloc((size_t)words * 2 * sizeof(uint32_t));
    if (s->records == NULL || s->middle == NULL)
        return rhomb__fail_memory(&s->ctx->error, record_bytes + (size_t)words * 8,
                                  "the strips of a sweep and its middle column");
    RHOMB_CL_OUT(s->ctx, code,
                 s->kernel = clCreateKernel(program->handle, "rhomb_bitparallel_sweep", &code));
    RHOMB_TRY(rhomb__buffer_create(s->ctx, words * 8, "the vertical differences", &s->down));
    RHOMB_TRY(rhomb__buffer_create(s->ctx, blocks * 4, "the horizontal differences", &s->across));
    RHOMB_TRY(rhomb__buffer_create(s->ctx, items * 4, "what items hand on", &s->carry));
    RHOMB_TRY(rhomb__buffer_create(s->ctx, (int64_t)record_bytes, "the strips", &s->on_device));
    RHOMB_TRY(
        rhomb__buffer_create(s->ctx, strips * (int64_t)sizeof(uint32_t), "their list", &s->listed));
    for (int64_t i = 0; i < strips; i++)
        s->middle[i] = (uint32_t)i;
    RHOMB_CL(s->ctx,
             clEnqueueWriteBuffer(s->ctx->device->queue, s->listed.handle, CL_TRUE, 0,
                                  (size_t)strips * sizeof *s->middle, s->middle, 0, NULL, NULL));
    s->solution->column_bytes =
        s->down.bytes + s->across.bytes + s->carry.bytes + s->on_device.bytes + s->listed.bytes;
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
    s.sweep = rhomb__plan_sweep(problem->plan);
    s.bound = problem->upper_bound;
    RHOMB_TRY(prepare(&s, program));
    RHOMB_TRY(raise_bound(&s));
out:
    /* Launches that were enqueued before a failure still use the buffers. */
    if (status != RHOMB_OK)
        (void)!rhomb__queue_finish(ctx);
    rhomb__buffer_release(ctx, &s.down);
    rhomb__buffer_release(ctx, &s.across);
    rhomb__buffer_release(ctx, &s.carry);
    rhomb__buffer_release(ctx, &s.on_device);
    rhomb__buffer_release(ctx, &s.listed);
    if (s.kernel != NULL)
        clReleaseKernel(s.kernel);
    free(s.middle);
    free(s.records);
    return status;
}

const rhomb__engine rhomb__engine_bitparallel = {"bitparallel", pack_target, pack_query,
                                                 bitparallel_program, bitparallel_solve};
