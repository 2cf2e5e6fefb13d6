/* SPDX-License-Identifier: MIT */
/*
 * Splits large subproblems by sweeps, see sweep_many.h. A portion of them, the longest first, has
 * shares of the same buffers (src/planner/strips_many.h). Two launches make their rows and columns
 * from the packed pair; then one launch after the other advances all sweeps. The distances are
 * known, so each sweep has its own band, and none is repeated.
 *
 * Each launch has a list of the strips that run in it. Groups that return at once would be dealt
 * out to the units of a device like others, and leave it unevenly busy.
 *
 * Rounds of an alignment are short, a few milliseconds, and what is not arithmetic counts. So
 * buffers and kernels stay from one call to the next, and a launch sets only what changes.
 */
#include "host/divide/sweep_many.h"

#include "host/device/cl_error.h"
#include "host/device/context.h"
#include "host/device/pace.h"
#include "host/device/queue.h"
#include "host/divide/sweeper.h"
#include "src/base/clock.h"
#include "src/base/int64.h"
#include "src/base/order.h"
#include "src/base/parallel.h"
#include "src/planner/plan.h"
#include "src/planner/strips_many.h"

#include <stdlib.h>

#define PACK_GROUP 64 /* of cl/common/pack.cl */

/* Rows of middle columns that are worth a thread: 0.2 ms. */
#define THREAD_ROWS (INT64_C(1) << 18)

/* Strips that are listed for launches at a time: 4 MiB. */
#define LISTED_STRIPS (INT64_C(1) << 20)

typedef struct sweeping {
    rhomb__sweeper *sweeper;
    rhomb_context *ctx;
    const rhomb__sweep_source *source;
    const rhomb_plan *plan;
    const rhomb_split_pair *pairs;
    rhomb__meeting *meetings; /* the caller's */
    rhomb__place *order;
    rhomb__sweep_share *shares; /* in this order */
    /* The portion. */
    int64_t first; /* in the order */
    int64_t count;
    rhomb__sweep_totals totals;
    int64_t launches;
    rhomb_strip *records;
    rhomb_strip *answers;     /* the records as the device left them */
    rhomb_pack_range *ranges; /* two of rows for each subproblem, then two of columns */
    uint32_t *down;           /* the final vertical differences */
    rhomb__sweep_meeting *found;
    /* The launches [listed_from, listed_to), whose strips are listed on the device. */
    uint32_t *listed;
    int64_t *counts; /* of running strips, of each launch */
    int64_t *ends;   /* of each of those launches in the list */
    int64_t listed_room;
    int64_t listed_from;
    int64_t listed_to;
    double portion_work;
    /* Of the call. */
    double work_done;
    double all_work;
} sweeping;

/* Symbols of a copy of a packed sequence, with its padding. */
static int64_t copy_symbols(const sweeping *s, int64_t length)
{
    const int64_t unit_bytes = s->plan->planes * (int64_t)sizeof(rhomb_u32);
    return rhomb__packed_bytes(length, s->plan->planes) / unit_bytes * RHOMB_WORD_SYMBOLS;
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
    return rhomb__sweep_swaps(pair->target_length) ? swapped : straight;
}

static const rhomb_split_pair *pair_at(const sweeping *s, int64_t at)
{
    return &s->pairs[s->order[at].index];
}

/* The plan of a single subproblem: that of all, with its lengths. */
static rhomb_plan plan_of(const sweeping *s, const sides *swept)
{
    rhomb_plan plan = *s->plan;
    plan.target_length = swept->columns.length;
    plan.query_length = swept->rows.length;
    return plan;
}

static double work_of(const rhomb_split_pair *pair)
{
    return (double)rhomb__max(pair->target_length, pair->query_length) * (double)pair->distance;
}

/* Whether a subproblem is possible, and has two directions. */
static rhomb_status check_pair(const sweeping *s, const rhomb_split_pair *pair)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__split_source lengths = {.target_length = s->source->target_length,
                                         .query_length = s->source->query_length};
    RHOMB_TRY(rhomb__split_check_pair(s->ctx, &lengths, pair, RHOMB__MAX_LENGTH));
    const sides swept = sides_of(s, pair);
    if (s->plan->directions != 2 || swept.columns.length <= RHOMB__BLOCK_COLUMNS ||
        swept.rows.length == 0)
        status = rhomb__fail(&s->ctx->error, RHOMB_ERR_INTERNAL,
                             "a problem of %lld and %lld letters cannot be swept in two directions",
                             (long long)pair->target_length, (long long)pair->query_length);
out:
    return status;
}

static rhomb_status make_order(sweeping *s, int64_t count)
{
    rhomb_status status = RHOMB_OK;
    s->order = malloc((size_t)count * sizeof *s->order);
    s->shares = calloc((size_t)count, sizeof *s->shares);
    if (s->order == NULL || s->shares == NULL)
        return rhomb__fail_memory(&s->ctx->error,
                                  (size_t)count * (sizeof *s->order + sizeof *s->shares),
                                  "an order of problems");
    for (int64_t i = 0; i < count; i++) {
        const rhomb_split_pair *pair = &s->pairs[i];
        RHOMB_TRY(check_pair(s, pair));
        const rhomb__place here = {pair->target_length + pair->query_length, i};
        s->order[i] = here;
        s->all_work += work_of(pair);
    }
    rhomb__order_sort(s->order, count);
    for (int64_t i = 0; i < count; i++) {
        const sides swept = sides_of(s, pair_at(s, i));
        const rhomb_plan plan = plan_of(s, &swept);
        s->shares[i].sweep = rhomb__plan_sweep(&plan);
    }
out:
    return status;
}

/* ----------------------------------------------------------------- portions */

static int64_t strip_words(const sweeping *s)
{
    return s->shares[0].sweep.strip_rows / RHOMB__WORD_ROWS;
}

static int64_t row_words(const sweeping *s, const rhomb__sweep_totals *all)
{
    return all->items * s->shares[0].sweep.shape.words;
}

/* Strips that are listed at a time: at least those of one launch, else a quarter of a portion. */
static int64_t listed_room(const sweeping *s, const rhomb__sweep_totals *all)
{
    const int64_t quarter = s->source->portion_bytes / 4 / (int64_t)sizeof(uint32_t);
    return rhomb__max(all->strips, rhomb__min(LISTED_STRIPS, quarter));
}

/* The bytes that the buffers of a portion of `count` subproblems need. */
static void count_bytes(const sweeping *s, const rhomb__sweep_totals *all, int64_t count,
                        int64_t bytes[RHOMB__SWEEP_BUFFERS])
{
    bytes[RHOMB__SWEEP_ROWS] = row_words(s, all) * 4 * s->plan->planes;
    bytes[RHOMB__SWEEP_COLUMNS] = all->blocks * 2 * s->plan->planes;
    bytes[RHOMB__SWEEP_DOWN] = all->strips * strip_words(s) * 8;
    bytes[RHOMB__SWEEP_ACROSS] = all->blocks * 4;
    bytes[RHOMB__SWEEP_CARRY] = all->strips * s->shares[0].sweep.shape.items * 4;
    bytes[RHOMB__SWEEP_STRIPS] = all->records * (int64_t)sizeof(rhomb_strip);
    bytes[RHOMB__SWEEP_RANGES] = 4 * count * (int64_t)sizeof(rhomb_pack_range);
    bytes[RHOMB__SWEEP_LISTED] = listed_room(s, all) * (int64_t)sizeof(uint32_t);
}

static int64_t device_bytes(const sweeping *s, const rhomb__sweep_totals *all, int64_t count)
{
    int64_t bytes[RHOMB__SWEEP_BUFFERS], sum = 0;
    count_bytes(s, all, count, bytes);
    bytes[RHOMB__SWEEP_LISTED] = all->strips * (int64_t)sizeof(uint32_t); /* and the rest once */
    for (int i = 0; i < RHOMB__SWEEP_BUFFERS; i++)
        sum += bytes[i];
    return sum;
}

/* Takes as many subproblems as fit, from s->first of `count` on. */
static void plan_portion(sweeping *s, int64_t count)
{
    const rhomb__sweep_totals none = {0, 0, 0, 0};
    int64_t bytes = listed_room(s, &none) * (int64_t)sizeof(uint32_t);
    s->portion_work = 0;
    for (s->count = 0; s->first + s->count < count; s->count++) {
        const int64_t at = s->first + s->count;
        rhomb__sweep_share alone = s->shares[at];
        rhomb__sweep_totals one = rhomb__shares_lay_out(&alone, 1);
        bytes += device_bytes(s, &one, 1);
        if (s->count > 0 && bytes > s->source->portion_bytes)
            break;
        s->portion_work += work_of(pair_at(s, at));
    }
    s->totals = rhomb__shares_lay_out(&s->shares[s->first], s->count);
}

/* Fills the records and the ranges of all subproblems. */
static rhomb_status describe(sweeping *s)
{
    rhomb_status status = RHOMB_OK;
    const int64_t record_bytes = s->totals.records * (int64_t)sizeof(rhomb_strip);
    const int64_t range_bytes = 4 * s->count * (int64_t)sizeof(rhomb_pack_range);
    const int64_t found_bytes = s->count * (int64_t)sizeof *s->found;
    const int64_t down_bytes = s->totals.strips * strip_words(s) * 8;
    RHOMB_TRY(
        rhomb__sweeper_hold(s->sweeper, 2 * record_bytes + range_bytes + found_bytes + down_bytes));
    char *at = s->sweeper->host; /* the structures consist of 64-bit numbers, or begin with one */
    s->records = (rhomb_strip *)(void *)at;
    s->answers = (rhomb_strip *)(void *)(at += record_bytes);
    s->ranges = (rhomb_pack_range *)(void *)(at += record_bytes);
    s->found = (rhomb__sweep_meeting *)(void *)(at += range_bytes);
    s->down = (uint32_t *)(void *)(at + found_bytes);
    s->launches = 0;
    for (int64_t i = 0; i < s->count; i++) {
        rhomb__sweep_share *share = &s->shares[s->first + i];
        const rhomb_split_pair *pair = pair_at(s, s->first + i);
        const sides swept = sides_of(s, pair);
        rhomb__share_band(share, pair->distance, s->records);
        rhomb__share_ranges(share, &swept.columns, &swept.rows, &s->ranges[2 * i],
                            &s->ranges[2 * (s->count + i)]);
        s->launches = rhomb__max(s->launches, share->launches);
    }
out:
    return status;
}

/* Counts the strips of each launch, and makes room on the host to list them. */
static rhomb_status count_strips(sweeping *s)
{
    const size_t launches = (size_t)s->launches + 1;
    const int64_t room = listed_room(s, &s->totals);
    int64_t all = 1;
    s->counts = malloc(launches * sizeof *s->counts);
    s->ends = malloc(launches * sizeof *s->ends);
    if (s->counts == NULL || s->ends == NULL)
        return rhomb__fail_memory(&s->ctx->error, 2 * launches * sizeof *s->counts,
                                  "the launches of sweeps");
    rhomb__shares_count(s->records, s->totals.strips, s->shares[0].sweep.shape.steps, s->launches,
                        s->counts);
    for (int64_t l = 0; l < s->launches && all < room; l++)
        all += s->counts[l];
    s->listed_room = rhomb__min(all, room);
    s->listed = malloc((size_t)s->listed_room * sizeof *s->listed);
    if (s->listed == NULL)
        return rhomb__fail_memory(&s->ctx->error, (size_t)s->listed_room * sizeof *s->listed,
                                  "the strips of launches");
    s->listed_to = 0;
    return RHOMB_OK;
}

static void release_strips(sweeping *s)
{
    free(s->counts);
    free(s->ends);
    free(s->listed);
    s->counts = s->ends = NULL;
    s->listed = NULL;
}

static rhomb_status reserve(const sweeping *s)
{
    int64_t bytes[RHOMB__SWEEP_BUFFERS];
    count_bytes(s, &s->totals, s->count, bytes);
    bytes[RHOMB__SWEEP_LISTED] = s->listed_room * (int64_t)sizeof *s->listed;
    return rhomb__sweeper_reserve(s->sweeper, bytes);
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
        RHOMB__ARGUMENT(s->sweeper->buffers[RHOMB__SWEEP_RANGES].handle),
        RHOMB__ARGUMENT(out->handle),
        RHOMB__ARGUMENT(first_range),
        RHOMB__ARGUMENT(count),
        RHOMB__ARGUMENT(units),
        RHOMB__ARGUMENT(s->plan->planes)};
    RHOMB_TRY(
        rhomb__queue_arguments(s->ctx, kernel, arguments, sizeof arguments / sizeof arguments[0]));
    RHOMB_TRY(rhomb__queue_launch(s->ctx, kernel, rhomb__ceil_div(units, PACK_GROUP), PACK_GROUP));
out:
    return status;
}

static rhomb_status write_records(const sweeping *s, int buffer, const void *from, size_t bytes)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_CL(s->ctx, clEnqueueWriteBuffer(s->ctx->device->queue, s->sweeper->buffers[buffer].handle,
                                          CL_FALSE, 0, bytes, from, 0, NULL, NULL));
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
    const rhomb__buffer *buffers = sweeper->buffers;
    const bool is_first = !sweeper->pack->packs_ranges;
    if (is_first)
        rhomb__build_begin(s->ctx);
    RHOMB_TRY(pack_ranges(s, sweeper->pack_rows, &buffers[RHOMB__SWEEP_ROWS], 0,
                          row_words(s, &s->totals)));
    RHOMB_TRY(pack_ranges(s, sweeper->pack_columns, &buffers[RHOMB__SWEEP_COLUMNS], 2 * s->count,
                          s->totals.blocks));
    if (is_first)
        RHOMB_TRY(rhomb__queue_finish(s->ctx));
    sweeper->pack->packs_ranges = true;
out:
    if (is_first)
        rhomb__build_end(s->ctx);
    return status;
}

/* Sends all that the portion's sweeps need to the device, or makes it there. */
static rhomb_status send_portion(sweeping *s)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(
        write_records(s, RHOMB__SWEEP_RANGES, s->ranges, 4 * (size_t)s->count * sizeof *s->ranges));
    RHOMB_TRY(write_records(s, RHOMB__SWEEP_STRIPS, s->records,
                            (size_t)s->totals.records * sizeof *s->records));
    RHOMB_TRY(pack_portion(s));
out:
    return status;
}

/* ----------------------------------------------------------------- launches */

/* Set once for all launches: all arguments but the list's beginning and the launch's index. */
enum { FIRST_LISTED = 7, LAUNCH, STEPS };

static rhomb_status set_arguments(sweeping *s)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__sweeper *sweeper = s->sweeper;
    const rhomb__buffer *buffers = sweeper->buffers;
    const int32_t steps = (int32_t)s->shares[0].sweep.shape.steps;
    /* rhomb_bitparallel_sweep(rows, columns, down, across, carry, strips, listed, first_listed,
     *                         launch, steps) */
    const rhomb__argument arguments[] = {RHOMB__ARGUMENT(buffers[RHOMB__SWEEP_ROWS].handle),
                                         RHOMB__ARGUMENT(buffers[RHOMB__SWEEP_COLUMNS].handle),
                                         RHOMB__ARGUMENT(buffers[RHOMB__SWEEP_DOWN].handle),
                                         RHOMB__ARGUMENT(buffers[RHOMB__SWEEP_ACROSS].handle),
                                         RHOMB__ARGUMENT(buffers[RHOMB__SWEEP_CARRY].handle),
                                         RHOMB__ARGUMENT(buffers[RHOMB__SWEEP_STRIPS].handle),
                                         RHOMB__ARGUMENT(buffers[RHOMB__SWEEP_LISTED].handle)};
    RHOMB_TRY(rhomb__queue_arguments(s->ctx, sweeper->sweep, arguments, FIRST_LISTED));
    RHOMB_CL(s->ctx, clSetKernelArg(sweeper->sweep, STEPS, sizeof steps, &steps));
out:
    return status;
}

/* Lists the strips of the launches from `index` on, as many as there is room for. */
static rhomb_status list_strips(sweeping *s, int64_t index)
{
    rhomb_status status = RHOMB_OK;
    const int64_t steps = s->shares[0].sweep.shape.steps;
    int64_t strips = s->counts[index];
    s->listed_from = index;
    s->listed_to = index + 1;
    while (s->listed_to < s->launches && strips + s->counts[s->listed_to] <= s->listed_room)
        strips += s->counts[s->listed_to++];
    rhomb__shares_list(s->records, s->totals.strips, steps, s->listed_from, s->listed_to, s->counts,
                       s->ends, s->listed);
    /* After the launches before, which may still read the old list. */
    if (strips > 0)
        RHOMB_CL(s->ctx, clEnqueueWriteBuffer(s->ctx->device->queue,
                                              s->sweeper->buffers[RHOMB__SWEEP_LISTED].handle,
                                              CL_TRUE, 0, (size_t)strips * sizeof *s->listed,
                                              s->listed, 0, NULL, NULL));
out:
    return status;
}

/* Launches one step of the strips that run in it. */
static rhomb_status launch(sweeping *s, int64_t index)
{
    rhomb_status status = RHOMB_OK;
    const cl_kernel kernel = s->sweeper->sweep;
    if (index >= s->listed_to)
        RHOMB_TRY(list_strips(s, index));
    const int64_t first = s->ends[index - s->listed_from] - s->counts[index];
    if (s->counts[index] == 0)
        return RHOMB_OK;
    RHOMB_CL(s->ctx, clSetKernelArg(kernel, FIRST_LISTED, sizeof first, &first));
    RHOMB_CL(s->ctx, clSetKernelArg(kernel, LAUNCH, sizeof index, &index));
    RHOMB_TRY(rhomb__queue_launch(s->ctx, kernel, s->counts[index], s->plan->group_size));
    s->sweeper->work.launches++;
out:
    return status;
}

/* Reports the progress of the call to the caller, who may stop it. */
static rhomb_status advance(const sweeping *s, int64_t done)
{
    const double share = (double)done / (double)rhomb__max(s->launches, 1);
    if (s->source->advance == NULL)
        return RHOMB_OK;
    return s->source->advance(s->ctx, (s->work_done + share * s->portion_work) / s->all_work,
                              s->source->user);
}

static rhomb_status run_launches(sweeping *s)
{
    rhomb_status status = RHOMB_OK;
    rhomb__pace pace = rhomb__pace_begin(s->sweeper->launches_per_second);
    int64_t behind = 0;
    RHOMB_TRY(set_arguments(s));
    for (int64_t index = 0; index < s->launches; index++) {
        RHOMB_TRY(launch(s, index));
        RHOMB_TRY(rhomb__pace_launched(s->ctx, &pace, &behind));
        if (behind >= 0)
            RHOMB_TRY(advance(s, index + 1 - behind));
    }
    RHOMB_TRY(rhomb__queue_finish(s->ctx));
    s->sweeper->launches_per_second = pace.launches_per_second;
out:
    rhomb__pace_end(&pace);
    return status;
}

/* ----------------------------------------------------------------- meetings */

/*
 * Takes the results of a subproblem's strips from the device's answers. All else in a record is as
 * it was sent, and garbage is noticed while it is still in its place.
 */
static rhomb_status take_records(sweeping *s, int64_t at)
{
    const rhomb__sweep_share *share = &s->shares[at];
    rhomb_strip *records = s->records + share->first_record;
    const rhomb_strip *answers = s->answers + share->first_record;
    for (int64_t i = 2; i < rhomb__sweep_records(&share->sweep); i++) {
        rhomb_strip *strip = &records[i];
        strip->front[strip->last_launch & 1] = answers[i].front[strip->last_launch & 1];
        const rhomb_strip_front *front = rhomb__strip_result(strip);
        if (!rhomb__strip_is_sound(&share->sweep, strip))
            return rhomb__fail(&s->ctx->error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                               "%s: a strip of blocks %lld to %lld ended at %lld with score %lld",
                               s->ctx->device->info.name, (long long)strip->first_block,
                               (long long)strip->end_block, (long long)front->end,
                               (long long)front->score);
    }
    rhomb__share_take_out(share, s->records);
    s->sweeper->work.cells += rhomb__sweep_cells(&share->sweep, records);
    return RHOMB_OK;
}

/* Where a path of a subproblem crosses the middle column; a rhomb__parallel_task. */
static void look_at_middle(int64_t index, void *user)
{
    sweeping *s = user;
    const rhomb__sweep_share *share = &s->shares[s->first + index];
    const rhomb_strip *records = s->records + share->first_record;
    int64_t first = 0, end = 0;
    rhomb__sweep_middle(&share->sweep, records, &first, &end);
    const uint32_t *down = s->down + (share->first_record + 2 * first) * strip_words(s) * 2;
    s->found[index] = rhomb__sweep_cost(&share->sweep, records, down, first);
}

/* The breakpoint of a subproblem. */
static rhomb_status take_meeting(sweeping *s, int64_t at)
{
    const rhomb__sweep_share *share = &s->shares[at];
    const rhomb__sweep_meeting *best = &s->found[at - s->first];
    const rhomb_split_pair *pair = pair_at(s, at);
    rhomb__meeting *out = &s->meetings[s->order[at].index];
    if (best->cost != pair->distance)
        return rhomb__fail(&s->ctx->error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                           "%s: a part of the pair with the distance %lld came out with %lld",
                           s->ctx->device->info.name, (long long)pair->distance,
                           best->cost < INT64_MAX ? (long long)best->cost : -1LL);
    const int64_t column = share->sweep.blocks[0] * RHOMB__BLOCK_COLUMNS;
    const bool swapped = sides_of(s, pair).swapped;
    out->target = swapped ? best->row : column;
    out->query = swapped ? column : best->row;
    out->cost = best->forward_cost;
    return RHOMB_OK;
}

static rhomb_status find_meetings(sweeping *s)
{
    rhomb_status status = RHOMB_OK;
    const cl_command_queue queue = s->ctx->device->queue;
    const rhomb__buffer *buffers = s->sweeper->buffers;
    RHOMB_CL(s->ctx, clEnqueueReadBuffer(queue, buffers[RHOMB__SWEEP_DOWN].handle, CL_FALSE, 0,
                                         (size_t)(s->totals.strips * strip_words(s) * 8), s->down,
                                         0, NULL, NULL));
    RHOMB_CL(s->ctx, clEnqueueReadBuffer(queue, buffers[RHOMB__SWEEP_STRIPS].handle, CL_TRUE, 0,
                                         (size_t)s->totals.records * sizeof(rhomb_strip),
                                         s->answers, 0, NULL, NULL));
    for (int64_t i = s->first; i < s->first + s->count; i++)
        RHOMB_TRY(take_records(s, i));
    const int64_t rows = s->totals.strips * s->shares[0].sweep.strip_rows;
    rhomb__parallel_run((int32_t)rhomb__min(s->ctx->threads, rows / THREAD_ROWS + 1), s->count,
                        look_at_middle, s);
    for (int64_t i = s->first; i < s->first + s->count; i++)
        RHOMB_TRY(take_meeting(s, i));
out:
    return status;
}

/* ------------------------------------------------------------------ the call */

static rhomb_status run_portion(sweeping *s)
{
    rhomb_status status = RHOMB_OK;
    const double began = rhomb__now();
    RHOMB_TRY(describe(s));
    RHOMB_TRY(count_strips(s));
    RHOMB_TRY(reserve(s));
    RHOMB_TRY(send_portion(s));
    const double sent = rhomb__now();
    RHOMB_TRY(run_launches(s));
    const double swept = rhomb__now();
    RHOMB_TRY(find_meetings(s));
    rhomb__log(s->ctx, 2,
               "sweeps: %lld side by side, ready in %.2f ms, %lld launches in %.2f ms, read in "
               "%.2f ms",
               (long long)s->count, 1e3 * (sent - began), (long long)s->launches,
               1e3 * (swept - sent), 1e3 * (rhomb__now() - swept));
    s->sweeper->work.problems += s->count;
    s->sweeper->work.portions++;
    s->work_done += s->portion_work;
    s->portion_work = 0;
    RHOMB_TRY(advance(s, 0));
out:
    if (status != RHOMB_OK) /* running commands may use the portion's memory */
        clFinish(s->ctx->device->queue);
    release_strips(s);
    return status;
}

rhomb_status rhomb__sweeper_solve(rhomb__sweeper *sweeper, const rhomb_plan *plan,
                                  const rhomb_split_pair *pairs, int64_t count,
                                  rhomb__meeting *meetings)
{
    rhomb_status status = RHOMB_OK;
    sweeping s = {.sweeper = sweeper,
                  .ctx = sweeper->ctx,
                  .source = &sweeper->source,
                  .plan = plan,
                  .pairs = pairs,
                  .meetings = meetings};
    if (count <= 0)
        return RHOMB_OK;
    RHOMB_TRY(make_order(&s, count));
    RHOMB_TRY(rhomb__sweeper_take_program(sweeper, plan));
    for (; s.first < count; s.first += s.count) {
        plan_portion(&s, count);
        RHOMB_TRY(run_portion(&s));
    }
out:
    free(s.shares);
    free(s.order);
    return status;
}
