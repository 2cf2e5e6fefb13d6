/* SPDX-License-Identifier: MIT */
/*
 * Splits large subproblems by sweeps, see sweep_many.h. A portion of them, the longest first, has
 * shares of the same buffers (src/strips/strips_many.h). Two launches make their rows and columns
 * from the packed pair; then the driver of sweeps runs them side by side. The distances are known,
 * so each sweep has its own band, and none is repeated.
 */
#include "host/splits/sweep_many.h"

#include "host/device/cl_error.h"
#include "host/device/context.h"
#include "host/device/queue.h"
#include "host/engines/bitparallel/sweeps.h"
#include "host/upload/pack.h"
#include "src/base/clock.h"
#include "src/base/int64.h"
#include "src/base/order.h"
#include "src/planner/engine_plan.h"
#include "src/planner/profiles.h"
#include "src/strips/strips_shape.h"

#include <stdlib.h>

#define PACK_GROUP 64 /* of cl/common/pack.cl */

struct rhomb__sweeper {
    rhomb_context *ctx;
    rhomb__sweep_source source;
    rhomb__sweeps sweeps;
    rhomb__program *pack; /* the program of the next two */
    cl_kernel pack_rows;
    cl_kernel pack_columns;
    int64_t problems, portions; /* done so far */
};

typedef struct sweeping {
    rhomb__sweeper *sweeper;
    rhomb_context *ctx;
    const rhomb__sweep_source *source;
    rhomb__plan plan; /* shrinks where its groups are too large for the kernel */
    const rhomb_subproblem *subproblems;
    rhomb__breakpoint *breakpoints; /* the caller's, or ... */
    int64_t *costs;                 /* ... the caller's, of paths of any cost in these bands */
    rhomb__place *order;
    rhomb__sweep_share *shares; /* in this order */
    /* The portion. */
    int64_t first; /* in the order */
    int64_t count;
    rhomb_pack_range *ranges; /* two of rows for each subproblem, then two of columns */
    double portion_work;
    /* Of the call. */
    double work_done;
    double all_work;
} sweeping;

/* Symbols of a copy of a packed sequence, with its padding. */
static int64_t copy_symbols(const sweeping *s, int64_t length)
{
    const int64_t unit_bytes = rhomb__unit_bytes(s->plan.planes);
    return rhomb__packed_bytes(length, s->plan.planes) / unit_bytes * RHOMB_WORD_SYMBOLS;
}

/* What is swept of a subproblem. */
typedef struct sides {
    rhomb__share_side columns;
    rhomb__share_side rows;
    bool swapped;
} sides;

static sides sides_of(const sweeping *s, const rhomb_split_pair *pair)
{
    const int64_t n = s->source->target_length, m = s->source->query_length;
    const rhomb__share_side target = {false, n, copy_symbols(s, n), pair->target_at,
                                      pair->target_length};
    const rhomb__share_side query = {true, m, copy_symbols(s, m), pair->query_at,
                                     pair->query_length};
    const sides straight = {target, query, false}, swapped = {query, target, true};
    return rhomb__sweep_swaps(&s->plan.costs, pair->target_length) ? swapped : straight;
}

static const rhomb_split_pair *pair_at(const sweeping *s, int64_t at)
{
    return &s->subproblems[s->order[at].index].pair;
}

static double work_of(const rhomb_split_pair *pair)
{
    return (double)rhomb__max(pair->target_length, pair->query_length) * (double)pair->distance;
}

/* Whether a subproblem is possible, can be swept, and has two directions. */
static rhomb_status check_subproblem(const sweeping *s, const rhomb_subproblem *subproblem)
{
    rhomb_status status = RHOMB_OK;
    const rhomb_split_pair *pair = &subproblem->pair;
    const rhomb__split_source lengths = {.target_length = s->source->target_length,
                                         .query_length = s->source->query_length};
    RHOMB_TRY(rhomb__split_check(s->ctx, &lengths, &s->plan.costs, subproblem));
    const sides swept = sides_of(s, pair);
    if (s->plan.directions != 2 || swept.columns.length <= RHOMB__BLOCK_COLUMNS ||
        swept.rows.length == 0 || !rhomb__sweep_can(&s->plan.costs, subproblem))
        status = rhomb__fail(&s->ctx->stream.error, RHOMB_ERR_INTERNAL,
                             "a subproblem of %lld and %lld bases with the gaps %d and %d cannot "
                             "be swept in two directions",
                             (long long)pair->target_length, (long long)pair->query_length,
                             (int)subproblem->begin_gap, (int)subproblem->end_gap);
out:
    return status;
}

static rhomb_status make_order(sweeping *s, int64_t count)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__strip_shape shape = rhomb__plan_sweep(&s->plan).shape;
    s->order = malloc((size_t)count * sizeof *s->order);
    s->shares = calloc((size_t)count, sizeof *s->shares);
    if (s->order == NULL || s->shares == NULL)
        return rhomb__fail_memory(&s->ctx->stream.error,
                                  (size_t)count * (sizeof *s->order + sizeof *s->shares),
                                  "the order of subproblems");
    for (int64_t i = 0; i < count; i++) {
        const rhomb_split_pair *pair = &s->subproblems[i].pair;
        RHOMB_TRY(check_subproblem(s, &s->subproblems[i]));
        const rhomb__place here = {pair->target_length + pair->query_length, i};
        s->order[i] = here;
        s->all_work += work_of(pair);
    }
    rhomb__order_sort(s->order, count);
    for (int64_t i = 0; i < count; i++) {
        s->shares[i].sweep = rhomb__sweep_of(&s->subproblems[s->order[i].index], &shape);
        s->shares[i].bound = pair_at(s, i)->distance;
        if (s->costs != NULL)
            s->shares[i].sweep.follow = rhomb__costs_most(
                &s->plan.costs, pair_at(s, i)->target_length, pair_at(s, i)->query_length);
    }
out:
    return status;
}

static int64_t row_words(const sweeping *s, const rhomb__sweep_totals *all)
{
    return all->items * s->shares[0].sweep.shape.words;
}

/* The bytes of the buffers that only subproblems of a pair need. */
static void count_own_bytes(const sweeping *s, const rhomb__sweep_totals *all, int64_t count,
                            int64_t bytes[RHOMB__SWEEP_DOWN])
{
    bytes[RHOMB__SWEEP_ROWS] = row_words(s, all) * 4 * s->plan.planes;
    bytes[RHOMB__SWEEP_COLUMNS] = all->blocks * 2 * s->plan.planes;
    bytes[RHOMB__SWEEP_RANGES] = 4 * count * (int64_t)sizeof(rhomb_pack_range);
}

static int64_t device_bytes(const sweeping *s, const rhomb__sweep_totals *all)
{
    int64_t bytes[RHOMB__SWEEP_BUFFERS], sum = 0;
    rhomb__sweeps_bytes(&s->shares[0].sweep, all, bytes);
    count_own_bytes(s, all, 1, bytes);
    for (int i = 0; i < RHOMB__SWEEP_BUFFERS; i++)
        sum += bytes[i];
    return sum;
}

/* Takes as many subproblems as fit, from s->first of `count` on. */
static void plan_portion(sweeping *s, int64_t count)
{
    int64_t bytes = rhomb__sweeps_list_bytes(s->source->portion_bytes);
    s->portion_work = 0;
    for (s->count = 0; s->first + s->count < count; s->count++) {
        const int64_t at = s->first + s->count;
        rhomb__sweep_share alone = s->shares[at];
        const rhomb__sweep_totals one = rhomb__shares_lay_out(&alone, 1);
        bytes += device_bytes(s, &one);
        if (s->count > 0 && bytes > s->source->portion_bytes)
            break;
        s->portion_work += work_of(pair_at(s, at));
    }
}

/* Says where in the pair the rows and columns of all subproblems come from. */
static rhomb_status send_ranges(sweeping *s)
{
    rhomb_status status = RHOMB_OK;
    const size_t bytes = 4 * (size_t)s->count * sizeof *s->ranges;
    free(s->ranges);
    s->ranges = malloc(bytes);
    if (s->ranges == NULL)
        return rhomb__fail_memory(&s->ctx->stream.error, bytes, "the ranges of a pair");
    for (int64_t i = 0; i < s->count; i++) {
        const sides swept = sides_of(s, pair_at(s, s->first + i));
        rhomb__share_ranges(&s->shares[s->first + i], &swept.columns, &swept.rows,
                            &s->ranges[2 * i], &s->ranges[2 * (s->count + i)]);
    }
    RHOMB_CL(&s->ctx->stream,
             clEnqueueWriteBuffer(s->ctx->stream.queue,
                                  s->sweeper->sweeps.buffers[RHOMB__SWEEP_RANGES].handle, CL_FALSE,
                                  0, bytes, s->ranges, 0, NULL, NULL));
out:
    return status;
}

/* Makes the units of all rows, or of all columns, from the packed pair. */
static rhomb_status pack_ranges(sweeping *s, cl_kernel kernel, const rhomb__buffer *out,
                                int64_t first_range, int64_t units)
{
    rhomb_status status = RHOMB_OK;
    const int64_t count = 2 * s->count;
    /* rhomb_pack_row_ranges(target, query, ranges, rows, first_range, count, units, planes), and
     * rhomb_pack_column_ranges() */
    const rhomb__argument arguments[] = {
        RHOMB__ARGUMENT(s->source->target->handle),
        RHOMB__ARGUMENT(s->source->query->handle),
        RHOMB__ARGUMENT(s->sweeper->sweeps.buffers[RHOMB__SWEEP_RANGES].handle),
        RHOMB__ARGUMENT(out->handle),
        RHOMB__ARGUMENT(first_range),
        RHOMB__ARGUMENT(count),
        RHOMB__ARGUMENT(units),
        RHOMB__ARGUMENT(s->plan.planes)};
    RHOMB_TRY(rhomb__queue_arguments(&s->ctx->stream, kernel, arguments,
                                     sizeof arguments / sizeof arguments[0]));
    RHOMB_TRY(rhomb__queue_launch(&s->ctx->stream, kernel, rhomb__ceil_div(units, PACK_GROUP),
                                  PACK_GROUP));
out:
    return status;
}

/*
 * Makes the portion's rows and columns. Some drivers compile at first launches: those are waited
 * for, and count as time to build.
 */
static rhomb_status pack_portion(sweeping *s)
{
    rhomb_status status = RHOMB_OK;
    rhomb__sweeper *sweeper = s->sweeper;
    const rhomb__buffer *buffers = sweeper->sweeps.buffers;
    const bool is_first = !atomic_load(&sweeper->pack->packs_ranges);
    if (is_first)
        rhomb__build_begin(s->ctx);
    RHOMB_TRY(pack_ranges(s, sweeper->pack_rows, &buffers[RHOMB__SWEEP_ROWS], 0,
                          row_words(s, &sweeper->sweeps.totals)));
    RHOMB_TRY(pack_ranges(s, sweeper->pack_columns, &buffers[RHOMB__SWEEP_COLUMNS], 2 * s->count,
                          sweeper->sweeps.totals.blocks));
    if (is_first)
        RHOMB_TRY(rhomb__queue_finish(&s->ctx->stream));
    atomic_store(&sweeper->pack->packs_ranges, true);
out:
    if (is_first)
        rhomb__build_end(s->ctx);
    return status;
}

/* The breakpoint of a subproblem, or its cost. */
static rhomb_status take_result(sweeping *s, int64_t at)
{
    const rhomb__sweep_share *share = &s->shares[at];
    const rhomb__sweep_breakpoint *best = &s->sweeper->sweeps.found[at - s->first];
    const rhomb_split_pair *pair = pair_at(s, at);
    if (s->costs != NULL) {
        s->costs[s->order[at].index] = best->cost;
        return RHOMB_OK;
    }
    rhomb__breakpoint *out = &s->breakpoints[s->order[at].index];
    if (best->cost != pair->distance)
        return rhomb__fail(&s->ctx->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                           "%s: a subproblem with distance %lld came out with %lld",
                           s->ctx->stream.device->info.name, (long long)pair->distance,
                           best->cost < INT64_MAX ? (long long)best->cost : -1LL);
    const int64_t column = share->sweep.blocks[0] * RHOMB__BLOCK_COLUMNS;
    const bool swapped = sides_of(s, pair).swapped;
    out->target = swapped ? best->row : column;
    out->query = swapped ? column : best->row;
    out->cost = best->forward_cost;
    out->gap = best->gap;
    return RHOMB_OK;
}

/* Reports the progress of the call to the caller, who may stop it. */
static rhomb_status advance(const sweeping *s, double fraction)
{
    if (s->source->advance == NULL)
        return RHOMB_OK;
    return s->source->advance(s->ctx, (s->work_done + fraction * s->portion_work) / s->all_work,
                              s->source->user);
}

/* Runs the launches of a portion. */
static rhomb_status run_launches(sweeping *s)
{
    rhomb_status status = RHOMB_OK;
    double fraction = 0;
    for (;;) {
        RHOMB_TRY(rhomb__sweeps_advance(&s->sweeper->sweeps, &fraction));
        if (fraction >= 1)
            break;
        RHOMB_TRY(advance(s, fraction));
    }
out:
    return status;
}

static rhomb_status run_portion(sweeping *s)
{
    rhomb_status status = RHOMB_OK;
    rhomb__sweeps *sweeps = &s->sweeper->sweeps;
    int64_t own[RHOMB__SWEEP_DOWN];
    const double began = rhomb__now();
    const rhomb__sweep_totals all = rhomb__shares_lay_out(&s->shares[s->first], s->count);
    count_own_bytes(s, &all, s->count, own);
    RHOMB_TRY(rhomb__sweeps_prepare(sweeps, &s->shares[s->first], s->count, own));
    RHOMB_TRY(send_ranges(s));
    RHOMB_TRY(pack_portion(s));
    const double sent = rhomb__now();
    RHOMB_TRY(rhomb__sweeps_begin(sweeps, &sweeps->buffers[RHOMB__SWEEP_ROWS],
                                  &sweeps->buffers[RHOMB__SWEEP_COLUMNS]));
    RHOMB_TRY(run_launches(s));
    const double swept = rhomb__now();
    RHOMB_TRY(rhomb__sweeps_finish(sweeps));
    for (int64_t i = s->first; i < s->first + s->count; i++)
        RHOMB_TRY(take_result(s, i));
    rhomb__log(
        &s->ctx->stream, 2,
        "sweeps: %lld at a time, ready in %.2f ms, %lld launches in %.2f ms, read in %.2f ms",
        (long long)s->count, 1e3 * (sent - began), (long long)sweeps->all_launches,
        1e3 * (swept - sent), 1e3 * (rhomb__now() - swept));
    s->sweeper->problems += s->count;
    s->sweeper->portions++;
    s->work_done += s->portion_work;
    s->portion_work = 0;
    RHOMB_TRY(advance(s, 0));
out:
    rhomb__sweeps_stop(sweeps);
    return status;
}

/* Gets the kernel of the program that sweeps by `plan`; builds the program if there is none. */
static rhomb_status take_program(rhomb__sweeper *sweeper, rhomb__plan *plan)
{
    rhomb_status status = RHOMB_OK;
    rhomb__programs programs = {NULL, NULL, NULL};
    RHOMB_TRY(rhomb__engine_programs(sweeper->ctx, rhomb__engine_of(plan), plan, &programs));
    RHOMB_TRY(rhomb__sweeps_use(&sweeper->sweeps, programs.solve,
                                plan->sweep.sliced ? RHOMB__SWEEP_SLICED : RHOMB__SWEEP_MYERS,
                                plan->sweep.group_size));
out:
    return status;
}

/* Sweeps all, in portions. */
static rhomb_status sweep_all(sweeping *s, int64_t count)
{
    rhomb_status status = RHOMB_OK;
    if (count <= 0)
        return RHOMB_OK;
    RHOMB_TRY(make_order(s, count));
    RHOMB_TRY(take_program(s->sweeper, &s->plan));
    for (; s->first < count; s->first += s->count) {
        plan_portion(s, count);
        RHOMB_TRY(run_portion(s));
    }
out:
    free(s->ranges);
    free(s->shares);
    free(s->order);
    return status;
}

static sweeping sweeping_of(rhomb__sweeper *sweeper, const rhomb__plan *plan,
                            const rhomb_subproblem *subproblems)
{
    const sweeping s = {.sweeper = sweeper,
                        .ctx = sweeper->ctx,
                        .source = &sweeper->source,
                        .plan = *plan,
                        .subproblems = subproblems};
    return s;
}

rhomb_status rhomb__sweeper_solve(rhomb__sweeper *sweeper, const rhomb__plan *plan,
                                  const rhomb_subproblem *subproblems, int64_t count,
                                  rhomb__breakpoint *breakpoints)
{
    sweeping s = sweeping_of(sweeper, plan, subproblems);
    s.breakpoints = breakpoints;
    return sweep_all(&s, count);
}

rhomb_status rhomb__sweeper_follow(rhomb__sweeper *sweeper, const rhomb__plan *plan,
                                   const rhomb_subproblem *pieces, int64_t count, int64_t *costs)
{
    sweeping s = sweeping_of(sweeper, plan, pieces);
    s.costs = costs;
    return sweep_all(&s, count);
}

void rhomb__sweeper_choose_strips(rhomb_context *ctx, const rhomb_tuning *given,
                                  const rhomb_subproblem *subproblems, int64_t count,
                                  rhomb__plan *plan)
{
    const rhomb__tuning_row *row = rhomb__tuning_find(&ctx->stream.device->info);
    const rhomb__sweep_rates rates = {
        ctx->stream.device->info.compute_units, rhomb__plan_speed(plan)->cells_per_second,
        row->sweep_launch_seconds, row->sweep_hand_over_seconds, row->sweep_full_items};
    const rhomb__sweep_list list = {subproblems, count};
    if (plan->sweep.lanes > 1)
        return;
    if (given->group_size == 0 && given->words_per_item == 0 &&
        rhomb__sweeps_mean_rows(&list, &plan->costs) <= row->split_short_rows) {
        const int32_t narrow = rhomb__group_on(&ctx->stream.device->info, row->split_short_items);
        plan->sweep.group_size = (int32_t)rhomb__min(narrow, plan->sweep.group_size);
        plan->sweep.words_per_item = row->split_short_words;
    }
    rhomb__strip_shape shape = rhomb__plan_sweep(plan).shape;
    if (given->blocks_per_launch != 0)
        return;
    const double seconds = rhomb__sweeps_choose_steps(&rates, &list, &shape);
    plan->sweep.blocks_per_launch = (int32_t)shape.steps;
    rhomb__log(&ctx->stream, 2,
               "sweeps: %lld subproblems in strips of %lld rows, %lld steps per launch: %.2f ms by "
               "the model",
               (long long)count, (long long)(shape.items * shape.words * RHOMB__WORD_ROWS),
               (long long)shape.steps, 1e3 * seconds);
}

rhomb_status rhomb__sweeper_open(rhomb_context *ctx, const rhomb__sweep_source *source,
                                 rhomb__sweeper **out)
{
    rhomb_status status = RHOMB_OK;
    cl_int code = CL_SUCCESS;
    rhomb__sweeper *sweeper = calloc(1, sizeof *sweeper);
    *out = NULL;
    if (sweeper == NULL)
        return rhomb__fail_memory(&ctx->stream.error, sizeof *sweeper, "a sweeper");
    sweeper->ctx = ctx;
    sweeper->source = *source;
    sweeper->sweeps.stream = &ctx->stream;
    sweeper->sweeps.most_bytes = source->portion_bytes;
    RHOMB_TRY(rhomb__pack_program(ctx, &sweeper->pack));
    const cl_program pack = sweeper->pack->handle;
    RHOMB_CL_OUT(&ctx->stream, code,
                 sweeper->pack_rows = clCreateKernel(pack, "rhomb_pack_row_ranges", &code));
    RHOMB_CL_OUT(&ctx->stream, code,
                 sweeper->pack_columns = clCreateKernel(pack, "rhomb_pack_column_ranges", &code));
    *out = sweeper;
    sweeper = NULL;
out:
    rhomb__sweeper_close(sweeper);
    return status;
}

rhomb__split_work rhomb__sweeper_work(const rhomb__sweeper *sweeper)
{
    const rhomb__sweeps *sweeps = &sweeper->sweeps;
    return (rhomb__split_work){.problems = sweeper->problems,
                               .cells = sweeps->cells,
                               .portions = sweeper->portions,
                               .launches = sweeps->launches,
                               .device_bytes = sweeps->device_bytes};
}

void rhomb__sweeper_close(rhomb__sweeper *sweeper)
{
    if (sweeper == NULL)
        return;
    rhomb__sweeps_release(&sweeper->sweeps);
    const cl_kernel kernels[] = {sweeper->pack_rows, sweeper->pack_columns};
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        if (kernels[i] != NULL)
            clReleaseKernel(kernels[i]);
    }
    free(sweeper);
}
