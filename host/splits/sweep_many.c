/* SPDX-License-Identifier: MIT */
/*
 * Splits large subproblems by sweeps, side by side, where a path crosses the middle column: see
 * splitter.h. The engine would find the same breakpoint for the subproblem alone. A portion has
 * shares of the same buffers (src/strips/strips_many.h). Two launches make their rows and columns
 * from the packed pair; then the driver of sweeps runs them side by side. The distances are known,
 * so each sweep has its own band, and none is repeated.
 */

#include "host/device/context.h"
#include "host/device/queue.h"
#include "host/engines/bitparallel/sweeps.h"
#include "host/splits/splitter.h"
#include "host/upload/send.h"
#include "src/base/clock.h"
#include "src/base/int64.h"
#include "src/planner/engine_plan.h"
#include "src/planner/profiles.h"
#include "src/strips/strips_many.h"

#include <stdlib.h>

#define PACK_GROUP 64 /* of cl/common/pack.cl */

typedef struct sweeping {
    rhomb__splitter base;
    rhomb__sweeps sweeps;
    rhomb__program *pack; /* the program of the next two */
    cl_kernel pack_rows;
    cl_kernel pack_columns;
    rhomb__sweep_share *shares; /* of the call, in its order */
    rhomb_pack_range *ranges;   /* two of rows for each subproblem, then two of columns */
} sweeping;

/* Symbols of a copy of a packed sequence, with its padding. */
static int64_t copy_symbols(const rhomb__splitter *s, int64_t length)
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

static sides sides_of(const rhomb__splitter *s, const rhomb_split_pair *pair)
{
    const int64_t n = s->source.target_length, m = s->source.query_length;
    const rhomb__share_side target = {false, n, copy_symbols(s, n), pair->target_at,
                                      pair->target_length};
    const rhomb__share_side query = {true, m, copy_symbols(s, m), pair->query_at,
                                     pair->query_length};
    const sides straight = {target, query, false}, swapped = {query, target, true};
    return rhomb__sweep_swaps(&s->plan.costs, pair->target_length) ? swapped : straight;
}

static double work_of(const rhomb__splitter *s, const rhomb_split_pair *pair)
{
    (void)s;
    return (double)rhomb__max(pair->target_length, pair->query_length) * (double)pair->distance;
}

static int64_t size_of(const rhomb_split_pair *pair)
{
    return pair->target_length + pair->query_length;
}

/* Whether a subproblem is possible, can be swept, and has two directions. */
static rhomb_status check_subproblem(const rhomb__splitter *s, const rhomb_subproblem *subproblem)
{
    rhomb_status status = RHOMB_OK;
    const rhomb_split_pair *pair = &subproblem->pair;
    RHOMB_TRY(rhomb__split_check(s->ctx, &s->source, &s->plan.costs, subproblem));
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

/* Makes the shares, and gets the kernel of the program that sweeps by the plan. */
static rhomb_status begin(rhomb__splitter *s)
{
    rhomb_status status = RHOMB_OK;
    sweeping *w = (sweeping *)s;
    rhomb__programs programs = {NULL, NULL};
    const rhomb__costs *costs = &s->plan.costs;
    const rhomb__strip_shape shape = rhomb__plan_sweep(&s->plan).shape;
    w->shares = calloc((size_t)s->count, sizeof *w->shares);
    if (w->shares == NULL)
        return rhomb__fail_memory(&s->ctx->stream.error, (size_t)s->count * sizeof *w->shares,
                                  "the order of subproblems");
    for (int64_t i = 0; i < s->count; i++) {
        const rhomb_subproblem *subproblem = &s->subproblems[s->order[i].index];
        const rhomb_split_pair *pair = &subproblem->pair;
        w->shares[i].sweep = rhomb__sweep_of(subproblem, &shape);
        w->shares[i].bound = pair->distance;
        if (s->source.follows)
            w->shares[i].sweep.follow =
                rhomb__costs_most(costs, pair->target_length, pair->query_length);
    }
    RHOMB_TRY(rhomb__engine_programs(s->ctx, rhomb__engine_of(&s->plan), &s->plan, &programs));
    RHOMB_TRY(rhomb__sweeps_use_plan(&w->sweeps, programs.solve, &s->plan));
out:
    return status;
}

static void end(rhomb__splitter *s)
{
    sweeping *w = (sweeping *)s;
    free(w->shares);
    w->shares = NULL;
}

static int64_t row_words(const sweeping *w, const rhomb__sweep_totals *all)
{
    return all->items * w->shares[0].sweep.shape.words;
}

/* The bytes of the buffers that only subproblems of a pair need. */
static void count_own_bytes(const sweeping *w, const rhomb__sweep_totals *all, int64_t count,
                            int64_t bytes[RHOMB__SWEEP_DOWN])
{
    bytes[RHOMB__SWEEP_ROWS] = row_words(w, all) * 4 * RHOMB_PLANE_COUNT(w->base.plan.planes);
    bytes[RHOMB__SWEEP_COLUMNS] = all->blocks * 2 * RHOMB_PLANE_COUNT(w->base.plan.planes);
    bytes[RHOMB__SWEEP_RANGES] = 4 * count * (int64_t)sizeof(rhomb_pack_range);
}

static int64_t device_bytes(const sweeping *w, const rhomb__sweep_totals *all)
{
    int64_t bytes[RHOMB__SWEEP_BUFFERS], sum = 0;
    rhomb__sweeps_bytes(&w->shares[0].sweep, all, bytes);
    count_own_bytes(w, all, 1, bytes);
    for (int i = 0; i < RHOMB__SWEEP_BUFFERS; i++)
        sum += bytes[i];
    return sum;
}

static int64_t bytes_of(const rhomb__splitter *s, int64_t i)
{
    const sweeping *w = (const sweeping *)s;
    rhomb__sweep_share alone = w->shares[s->first + i];
    const rhomb__sweep_totals one = rhomb__shares_lay_out(&alone, 1);
    return device_bytes(w, &one);
}

/* Says where in the pair the rows and columns of all subproblems come from. */
static rhomb_status send_ranges(sweeping *w)
{
    const size_t bytes = 4 * (size_t)w->base.portion * sizeof *w->ranges;
    w->ranges = malloc(bytes);
    if (w->ranges == NULL)
        return rhomb__fail_memory(&w->base.ctx->stream.error, bytes, "the ranges of a pair");
    for (int64_t i = 0; i < w->base.portion; i++) {
        const sides swept = sides_of(&w->base, rhomb__splitter_pair(&w->base, i));
        rhomb__share_ranges(&w->shares[w->base.first + i], &swept.columns, &swept.rows,
                            &w->ranges[2 * i], &w->ranges[2 * (w->base.portion + i)]);
    }
    return rhomb__buffer_send(&w->base.ctx->stream, &w->sweeps.buffers[RHOMB__SWEEP_RANGES], bytes,
                              w->ranges);
}

/* Makes the units of all rows, or of all columns, from the packed pair. */
static rhomb_status pack_ranges(sweeping *w, cl_kernel kernel, const rhomb__buffer *out,
                                int64_t first_range, int64_t units)
{
    const int64_t count = 2 * w->base.portion;
    /* rhomb_pack_row_ranges(target, query, ranges, rows, first_range, count, units, planes), and
     * rhomb_pack_column_ranges() */
    const rhomb__argument arguments[] = {
        RHOMB__ARGUMENT(w->base.source.target->handle),
        RHOMB__ARGUMENT(w->base.source.query->handle),
        RHOMB__ARGUMENT(w->sweeps.buffers[RHOMB__SWEEP_RANGES].handle),
        RHOMB__ARGUMENT(out->handle),
        RHOMB__ARGUMENT(first_range),
        RHOMB__ARGUMENT(count),
        RHOMB__ARGUMENT(units),
        RHOMB__ARGUMENT(w->base.plan.planes)};
    return rhomb__queue_run(&w->base.ctx->stream, kernel, RHOMB__LIST(arguments),
                            rhomb__ceil_div(units, PACK_GROUP), PACK_GROUP);
}

/*
 * Makes the portion's rows and columns. Some drivers compile at first launches: those are waited
 * for, and count as time to build.
 */
static rhomb_status pack_portion(sweeping *w)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__buffer *buffers = w->sweeps.buffers;
    const bool is_first = !atomic_load(&w->pack->packs_ranges);
    if (is_first)
        rhomb__build_begin(w->base.ctx);
    RHOMB_TRY(pack_ranges(w, w->pack_rows, &buffers[RHOMB__SWEEP_ROWS], 0,
                          row_words(w, &w->sweeps.totals)));
    RHOMB_TRY(pack_ranges(w, w->pack_columns, &buffers[RHOMB__SWEEP_COLUMNS], 2 * w->base.portion,
                          w->sweeps.totals.blocks));
    if (is_first)
        RHOMB_TRY(rhomb__queue_finish(&w->base.ctx->stream));
    atomic_store(&w->pack->packs_ranges, true);
out:
    if (is_first)
        rhomb__build_end(w->base.ctx);
    return status;
}

static rhomb_status take(const rhomb__splitter *s, int64_t i, rhomb__breakpoint *breakpoint)
{
    const sweeping *w = (const sweeping *)s;
    const rhomb__sweep_breakpoint *best = &w->sweeps.found[i];
    const rhomb_split_pair *pair = rhomb__splitter_pair(s, i);
    const int64_t column = w->shares[s->first + i].sweep.blocks[0] * RHOMB__BLOCK_COLUMNS;
    const bool swapped = sides_of(s, pair).swapped;
    if (s->source.follows) {
        *breakpoint = (rhomb__breakpoint){.cost = best->cost};
        return RHOMB_OK;
    }
    if (best->cost != pair->distance)
        return rhomb__fail(&s->ctx->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                           "%s: a subproblem with distance %lld came out with %lld",
                           s->ctx->stream.device->info.name, (long long)pair->distance,
                           best->cost < INT64_MAX ? (long long)best->cost : -1LL);
    *breakpoint = (rhomb__breakpoint){.target = swapped ? best->row : column,
                                      .query = swapped ? column : best->row,
                                      .cost = best->forward_cost,
                                      .gap = best->gap};
    return RHOMB_OK;
}

/* Runs the launches of a portion. */
static rhomb_status run_launches(sweeping *w)
{
    rhomb_status status = RHOMB_OK;
    double fraction = 0;
    for (;;) {
        RHOMB_TRY(rhomb__sweeps_advance(&w->sweeps, &fraction));
        if (fraction >= 1)
            break;
        RHOMB_TRY(rhomb__splitter_advance(&w->base, fraction * w->base.portion_work));
    }
out:
    return status;
}

static rhomb_status run(rhomb__splitter *s)
{
    rhomb_status status = RHOMB_OK;
    sweeping *w = (sweeping *)s;
    rhomb__sweeps *sweeps = &w->sweeps;
    rhomb__sweep_share *shares = &w->shares[s->first];
    int64_t own[RHOMB__SWEEP_DOWN];
    const double began = rhomb__now();
    const rhomb__sweep_totals all = rhomb__shares_lay_out(shares, s->portion);
    count_own_bytes(w, &all, s->portion, own);
    RHOMB_TRY(rhomb__sweeps_prepare(sweeps, shares, s->portion, own));
    RHOMB_TRY(send_ranges(w));
    RHOMB_TRY(pack_portion(w));
    const double sent = rhomb__now();
    RHOMB_TRY(rhomb__sweeps_begin(sweeps, &sweeps->buffers[RHOMB__SWEEP_ROWS],
                                  &sweeps->buffers[RHOMB__SWEEP_COLUMNS]));
    RHOMB_TRY(run_launches(w));
    const double swept = rhomb__now();
    RHOMB_TRY(rhomb__sweeps_finish(sweeps));
    rhomb__log(
        &s->ctx->stream, 2,
        "sweeps: %lld at a time, ready in %.2f ms, %lld launches in %.2f ms, read in %.2f ms",
        (long long)s->portion, 1e3 * (sent - began), (long long)sweeps->all_launches,
        1e3 * (swept - sent), 1e3 * (rhomb__now() - swept));
    s->work.cells = sweeps->cells;
    s->work.launches = sweeps->launches;
out:
    return status;
}

static void drop(rhomb__splitter *s)
{
    sweeping *w = (sweeping *)s;
    rhomb__sweeps_stop(&w->sweeps);
    free(w->ranges);
    w->ranges = NULL;
}

void rhomb__sweeps_choose_strips(rhomb_context *ctx, const rhomb_tuning *given,
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

static rhomb_status open_sweeps(rhomb__splitter *s)
{
    rhomb_status status = RHOMB_OK;
    sweeping *w = (sweeping *)s;
    w->sweeps.stream = &s->ctx->stream;
    w->sweeps.most_bytes = s->source.tuning.portion_bytes;
    s->most_bytes -= rhomb__sweeps_list_bytes(s->most_bytes);
    RHOMB_TRY(rhomb__pack_program(s->ctx, &w->pack));
    RHOMB_TRY(rhomb__kernel_make(&s->ctx->stream, w->pack, "rhomb_pack_row_ranges", &w->pack_rows));
    RHOMB_TRY(
        rhomb__kernel_make(&s->ctx->stream, w->pack, "rhomb_pack_column_ranges", &w->pack_columns));
out:
    return status;
}

static void close_sweeps(rhomb__splitter *s)
{
    sweeping *w = (sweeping *)s;
    rhomb__sweeps_release(&w->sweeps);
    rhomb__kernel_release(&w->pack_rows);
    rhomb__kernel_release(&w->pack_columns);
}

const rhomb__split_way rhomb__split_sweeps = {.splitter_bytes = sizeof(sweeping),
                                              .open = open_sweeps,
                                              .check = check_subproblem,
                                              .size = size_of,
                                              .work = work_of,
                                              .begin = begin,
                                              .bytes = bytes_of,
                                              .run = run,
                                              .take = take,
                                              .drop = drop,
                                              .end = end,
                                              .close = close_sweeps};
