/* SPDX-License-Identifier: MIT */
/*
 * Splitting large problems by sweeps, see sweep_many.h. A portion of them, the longest first, is
 * packed into shares of the same buffers (src/strips_many.h); then one launch after the other takes
 * all sweeps on. The distances are known, so each has the band of its own, and none is repeated.
 *
 * Sweeps of a portion that are done are those of short problems, at the end, so that launches leave
 * out their strips. In between lie strips that have ended or not yet begun: their groups return at
 * once.
 */
#include "sweep_many.h"

#include "../src/clock.h"
#include "../src/int64.h"
#include "../src/order.h"
#include "../src/plan.h"
#include "../src/strips_many.h"
#include "context.h"
#include "pace.h"
#include "queue.h"

#include <stdlib.h>

/* Below that a target cannot be split well: the middle is at a block's edge. */
#define LEAST_TARGET (4 * RHOMB__BLOCK_COLUMNS)

typedef struct sweeping {
    rhomb_context *ctx;
    const rhomb__sweep_source *source;
    const rhomb_plan *plan;
    const rhomb_split_pair *pairs;
    rhomb__meeting *meetings; /* the caller's */
    rhomb__place *order;
    rhomb__sweep_share *shares; /* in this order */
    rhomb__programs programs;
    cl_kernel kernel;
    /* The portion. */
    int64_t first; /* in the order */
    int64_t count;
    rhomb__sweep_totals totals;
    int64_t launches;
    rhomb__buffer columns;
    rhomb__buffer rows;
    rhomb__buffer down; /* this and what follows as in engine_bitparallel.c */
    rhomb__buffer across;
    rhomb__buffer carry;
    rhomb__buffer on_device;
    rhomb_strip *records;
    rhomb_strip *answers; /* the records as the device has left them */
    uint32_t *middle;     /* the vertical differences in the middle columns */
    double portion_work;
    /* Of the call. */
    double work_done;
    double all_work;
    double launches_per_second;
    rhomb__split_work *work;
} sweeping;

bool rhomb__sweep_swaps(int64_t target_length)
{
    return target_length < LEAST_TARGET;
}

/* What is swept of a problem. */
typedef struct sides {
    const char *target;
    const char *query;
    int64_t target_length;
    int64_t query_length;
    bool swapped;
} sides;

static sides sides_of(const sweeping *s, const rhomb_split_pair *pair)
{
    const char *target = s->source->target + pair->target_at;
    const char *query = s->source->query + pair->query_at;
    const sides straight = {target, query, pair->target_length, pair->query_length, false};
    const sides swapped = {query, target, pair->query_length, pair->target_length, true};
    return rhomb__sweep_swaps(pair->target_length) ? swapped : straight;
}

static const rhomb_split_pair *pair_at(const sweeping *s, int64_t at)
{
    return &s->pairs[s->order[at].index];
}

/* The plan of a single problem: that of all, with its lengths. */
static rhomb_plan plan_of(const sweeping *s, const sides *swept)
{
    rhomb_plan plan = *s->plan;
    plan.target_length = swept->target_length;
    plan.query_length = swept->query_length;
    return plan;
}

static double work_of(const rhomb_split_pair *pair)
{
    return (double)rhomb__max(pair->target_length, pair->query_length) * (double)pair->distance;
}

/* Whether a problem can be, and has two directions. */
static rhomb_status check_pair(const sweeping *s, const rhomb_split_pair *pair)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__split_source lengths = {.target_length = s->source->target_length,
                                         .query_length = s->source->query_length};
    RHOMB_TRY(rhomb__split_check_pair(s->ctx, &lengths, pair, RHOMB__MAX_LENGTH));
    const sides swept = sides_of(s, pair);
    if (s->plan->directions != 2 || swept.target_length <= RHOMB__BLOCK_COLUMNS ||
        swept.query_length == 0)
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

static int64_t row_bytes(const sweeping *s, const rhomb__sweep_totals *all)
{
    return all->items * s->shares[0].sweep.shape.words * 4 * s->plan->planes;
}

static int64_t column_bytes(const sweeping *s, const rhomb__sweep_totals *all)
{
    return all->blocks * 2 * s->plan->planes;
}

static int64_t device_bytes(const sweeping *s, const rhomb__sweep_totals *all)
{
    return row_bytes(s, all) + column_bytes(s, all) + all->blocks * 4 +
           all->strips * (strip_words(s) * 8 + s->shares[0].sweep.shape.items * 4) +
           all->records * (int64_t)sizeof(rhomb_strip);
}

/* Takes as many problems as fit, from s->first of `count` on. */
static void plan_portion(sweeping *s, int64_t count)
{
    int64_t bytes = 0;
    s->portion_work = 0;
    for (s->count = 0; s->first + s->count < count; s->count++) {
        const int64_t at = s->first + s->count;
        rhomb__sweep_share alone = s->shares[at];
        rhomb__sweep_totals one = rhomb__shares_lay_out(&alone, 1);
        bytes += device_bytes(s, &one);
        if (s->count > 0 && bytes > s->source->portion_bytes)
            break;
        s->portion_work += work_of(pair_at(s, at));
    }
    s->totals = rhomb__shares_lay_out(&s->shares[s->first], s->count);
}

static rhomb_status describe(sweeping *s)
{
    const size_t bytes = (size_t)s->totals.records * sizeof(rhomb_strip);
    s->records = malloc(bytes);
    s->answers = malloc(bytes);
    if (s->records == NULL || s->answers == NULL)
        return rhomb__fail_memory(&s->ctx->error, 2 * bytes, "the strips of sweeps");
    s->launches = 0;
    for (int64_t i = s->first; i < s->first + s->count; i++) {
        rhomb__share_band(&s->shares[i], pair_at(s, i)->distance, s->records);
        s->launches = rhomb__max(s->launches, s->shares[i].launches);
    }
    return RHOMB_OK;
}

static rhomb_status create_buffers(sweeping *s)
{
    rhomb_status status = RHOMB_OK;
    rhomb_context *ctx = s->ctx;
    const rhomb__sweep_totals *all = &s->totals;
    const int64_t items = s->shares[0].sweep.shape.items;
    RHOMB_TRY(rhomb__buffer_create(ctx, column_bytes(s, all), "the packed targets", &s->columns));
    RHOMB_TRY(rhomb__buffer_create(ctx, row_bytes(s, all), "the packed queries", &s->rows));
    RHOMB_TRY(rhomb__buffer_create(ctx, all->strips * strip_words(s) * 8,
                                   "the vertical differences", &s->down));
    RHOMB_TRY(rhomb__buffer_create(ctx, all->blocks * 4, "the horizontal differences", &s->across));
    RHOMB_TRY(rhomb__buffer_create(ctx, all->strips * items * 4, "what items hand on", &s->carry));
    RHOMB_TRY(rhomb__buffer_create(ctx, all->records * (int64_t)sizeof(rhomb_strip), "the strips",
                                   &s->on_device));
    s->work->device_bytes = rhomb__max(s->work->device_bytes, device_bytes(s, all));
out:
    return status;
}

/* Has the letters of a problem packed into its share. */
static rhomb_status send_problem(sweeping *s, int64_t at, rhomb__sending *sending)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__sweep_share *share = &s->shares[at];
    const sides swept = sides_of(s, pair_at(s, at));
    const rhomb_plan plan = plan_of(s, &swept);
    const rhomb__packing columns = rhomb__engine_bitparallel.pack_target(&plan);
    const rhomb__packing rows = rhomb__engine_bitparallel.pack_query(&plan);
    const rhomb__letters target = {swept.target, swept.target_length, s->source->codes,
                                   "the packed targets"};
    const rhomb__letters query = {swept.query, swept.query_length, s->source->codes,
                                  "the packed queries"};
    RHOMB_TRY(rhomb__send_sequence_at(s->ctx, s->programs.pack, &columns, &target,
                                      share->first_block, sending, &s->columns));
    RHOMB_TRY(rhomb__send_sequence_at(s->ctx, s->programs.pack, &rows, &query,
                                      share->first_item * share->sweep.shape.words, sending,
                                      &s->rows));
out:
    return status;
}

/* Sends all that the portion's sweeps need. */
static rhomb_status send_portion(sweeping *s)
{
    rhomb_status status = RHOMB_OK, finished = RHOMB_OK;
    rhomb__sending sending = {.count = 0};
    int64_t longest = 0;
    for (int64_t i = s->first; i < s->first + s->count; i++) {
        const rhomb_split_pair *pair = pair_at(s, i);
        longest = rhomb__max(longest, rhomb__max(pair->target_length, pair->query_length));
    }
    RHOMB_TRY(rhomb__send_begin(s->ctx, s->source->codes, longest, &sending));
    for (int64_t i = s->first; i < s->first + s->count; i++)
        RHOMB_TRY(send_problem(s, i, &sending));
    RHOMB_CL(s->ctx, clEnqueueWriteBuffer(s->ctx->device->queue, s->on_device.handle, CL_FALSE, 0,
                                          (size_t)s->totals.records * sizeof(rhomb_strip),
                                          s->records, 0, NULL, NULL));
out:
    finished = rhomb__send_finish(s->ctx, &sending);
    return status != RHOMB_OK ? status : finished;
}

static void release_portion(sweeping *s)
{
    rhomb__buffer_release(s->ctx, &s->columns);
    rhomb__buffer_release(s->ctx, &s->rows);
    rhomb__buffer_release(s->ctx, &s->down);
    rhomb__buffer_release(s->ctx, &s->across);
    rhomb__buffer_release(s->ctx, &s->carry);
    rhomb__buffer_release(s->ctx, &s->on_device);
    free(s->records);
    free(s->answers);
    free(s->middle);
    s->records = s->answers = NULL;
    s->middle = NULL;
}

/* ----------------------------------------------------------------- launches */

/* Launches one step of the strips [first, end) of all. */
static rhomb_status launch(sweeping *s, int64_t index, int64_t first, int64_t end)
{
    rhomb_status status = RHOMB_OK;
    const int32_t steps = (int32_t)s->shares[0].sweep.shape.steps;
    /* rhomb_bitparallel_sweep(rows, columns, down, across, carry, strips, first_strip, launch,
     *                         steps) */
    const rhomb__argument arguments[] = {RHOMB__ARGUMENT(s->rows.handle),
                                         RHOMB__ARGUMENT(s->columns.handle),
                                         RHOMB__ARGUMENT(s->down.handle),
                                         RHOMB__ARGUMENT(s->across.handle),
                                         RHOMB__ARGUMENT(s->carry.handle),
                                         RHOMB__ARGUMENT(s->on_device.handle),
                                         RHOMB__ARGUMENT(first),
                                         RHOMB__ARGUMENT(index),
                                         RHOMB__ARGUMENT(steps)};
    RHOMB_TRY(rhomb__queue_arguments(s->ctx, s->kernel, arguments,
                                     sizeof arguments / sizeof arguments[0]));
    RHOMB_TRY(rhomb__queue_launch(s->ctx, s->kernel, end - first, s->plan->group_size));
    s->work->launches++;
out:
    return status;
}

/* Lets the caller see how far the call is, and stop. */
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
    rhomb__pace pace = rhomb__pace_begin(s->launches_per_second);
    int64_t first = 0, end = 0, behind = 0;
    for (int64_t index = 0; index < s->launches; index++) {
        rhomb__shares_active(&s->shares[s->first], s->count, s->records, index, &first, &end);
        if (first < end)
            RHOMB_TRY(launch(s, index, first, end));
        RHOMB_TRY(rhomb__pace_launched(s->ctx, &pace, &behind));
        if (behind >= 0)
            RHOMB_TRY(advance(s, index + 1 - behind));
    }
    RHOMB_TRY(rhomb__queue_finish(s->ctx));
    s->launches_per_second = pace.launches_per_second;
out:
    rhomb__pace_end(&pace);
    return status;
}

/* ----------------------------------------------------------------- meetings */

/*
 * Takes what a problem's strips came to out of the device's answers. All else in a record is as it
 * was sent, and garbage is noticed while it is still in its place.
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
    s->work->cells += rhomb__sweep_cells(&share->sweep, records);
    return RHOMB_OK;
}

/* Words of the middle column that a problem's cost needs; reads them where `to` is not NULL. */
static rhomb_status read_middle(const sweeping *s, int64_t at, uint32_t *to, int64_t *words)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__sweep_share *share = &s->shares[at];
    const int64_t pair_words = 2 * strip_words(s) * 2;
    int64_t first = 0, end = 0;
    rhomb__sweep_middle(&share->sweep, s->records + share->first_record, &first, &end);
    *words = (end - first) * pair_words;
    if (to == NULL || *words == 0)
        return RHOMB_OK;
    const int64_t from = share->first_record * pair_words / 2 + first * pair_words;
    RHOMB_CL(s->ctx, clEnqueueReadBuffer(s->ctx->device->queue, s->down.handle, CL_FALSE,
                                         (size_t)from * sizeof *to, (size_t)*words * sizeof *to, to,
                                         0, NULL, NULL));
out:
    return status;
}

/* Those of all problems, one behind the other. */
static rhomb_status read_middles(sweeping *s)
{
    rhomb_status status = RHOMB_OK;
    int64_t all = 0, words = 0;
    for (int64_t i = s->first; i < s->first + s->count; i++) {
        RHOMB_TRY(read_middle(s, i, NULL, &words));
        all += words;
    }
    s->middle = malloc((size_t)(all + 1) * sizeof *s->middle);
    if (s->middle == NULL)
        return rhomb__fail_memory(&s->ctx->error, (size_t)(all + 1) * sizeof *s->middle,
                                  "the middle columns of sweeps");
    all = 0;
    for (int64_t i = s->first; i < s->first + s->count; i++) {
        RHOMB_TRY(read_middle(s, i, s->middle + all, &words));
        all += words;
    }
    RHOMB_TRY(rhomb__queue_finish(s->ctx));
out:
    return status;
}

/* Where a problem is split, from the words of its middle column. */
static rhomb_status find_meeting(sweeping *s, int64_t at, const uint32_t *middle)
{
    const rhomb__sweep_share *share = &s->shares[at];
    const rhomb_split_pair *pair = pair_at(s, at);
    const rhomb_strip *records = s->records + share->first_record;
    rhomb__meeting *out = &s->meetings[s->order[at].index];
    int64_t first = 0, end = 0;
    rhomb__sweep_middle(&share->sweep, records, &first, &end);
    const rhomb__sweep_meeting best = rhomb__sweep_cost(&share->sweep, records, middle, first);
    if (best.cost != pair->distance)
        return rhomb__fail(&s->ctx->error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                           "%s: a part of the pair with the distance %lld came out with %lld",
                           s->ctx->device->info.name, (long long)pair->distance,
                           best.cost < INT64_MAX ? (long long)best.cost : -1LL);
    const int64_t column = share->sweep.blocks[0] * RHOMB__BLOCK_COLUMNS;
    const bool swapped = sides_of(s, pair).swapped;
    out->target = swapped ? best.row : column;
    out->query = swapped ? column : best.row;
    out->cost = best.forward_cost;
    return RHOMB_OK;
}

static rhomb_status find_meetings(sweeping *s)
{
    rhomb_status status = RHOMB_OK;
    int64_t at = 0, words = 0;
    RHOMB_CL(s->ctx, clEnqueueReadBuffer(s->ctx->device->queue, s->on_device.handle, CL_TRUE, 0,
                                         (size_t)s->totals.records * sizeof(rhomb_strip),
                                         s->answers, 0, NULL, NULL));
    for (int64_t i = s->first; i < s->first + s->count; i++)
        RHOMB_TRY(take_records(s, i));
    RHOMB_TRY(read_middles(s));
    for (int64_t i = s->first; i < s->first + s->count; i++) {
        RHOMB_TRY(read_middle(s, i, NULL, &words));
        RHOMB_TRY(find_meeting(s, i, s->middle + at));
        at += words;
    }
out:
    return status;
}

/* ------------------------------------------------------------------ the call */

static rhomb_status run_portion(sweeping *s)
{
    rhomb_status status = RHOMB_OK;
    const double began = rhomb__now();
    RHOMB_TRY(describe(s));
    RHOMB_TRY(create_buffers(s));
    RHOMB_TRY(send_portion(s));
    const double sent = rhomb__now();
    RHOMB_TRY(run_launches(s));
    const double swept = rhomb__now();
    RHOMB_TRY(find_meetings(s));
    rhomb__log(s->ctx, 2,
               "sweeps: %lld side by side, sent in %.2f ms, %lld launches in %.2f ms, read in "
               "%.2f ms",
               (long long)s->count, 1e3 * (sent - began), (long long)s->launches,
               1e3 * (swept - sent), 1e3 * (rhomb__now() - swept));
    s->work->problems += s->count;
    s->work->portions++;
    s->work_done += s->portion_work;
    s->portion_work = 0;
    RHOMB_TRY(advance(s, 0));
out:
    if (status != RHOMB_OK) /* commands may be under way that use the portion's memory */
        clFinish(s->ctx->device->queue);
    release_portion(s);
    return status;
}

rhomb_status rhomb__sweep_many(rhomb_context *ctx, const rhomb__sweep_source *source,
                               const rhomb_plan *plan, const rhomb_split_pair *pairs, int64_t count,
                               rhomb__meeting *meetings, rhomb__split_work *work)
{
    rhomb_status status = RHOMB_OK;
    cl_int code = CL_SUCCESS;
    sweeping s = {.ctx = ctx,
                  .source = source,
                  .plan = plan,
                  .pairs = pairs,
                  .meetings = meetings,
                  .work = work};
    if (count <= 0)
        return RHOMB_OK;
    RHOMB_TRY(make_order(&s, count));
    RHOMB_TRY(rhomb__engine_programs(ctx, &rhomb__engine_bitparallel, plan, &s.programs));
    RHOMB_CL_OUT(ctx, code,
                 s.kernel =
                     clCreateKernel(s.programs.solve->handle, "rhomb_bitparallel_sweep", &code));
    for (; s.first < count; s.first += s.count) {
        plan_portion(&s, count);
        RHOMB_TRY(run_portion(&s));
    }
out:
    if (s.kernel != NULL)
        clReleaseKernel(s.kernel);
    free(s.shares);
    free(s.order);
    return status;
}
