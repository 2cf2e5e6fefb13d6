/* SPDX-License-Identifier: MIT */
/*
 * Splits subproblems with affine costs, see split_affine.h. A portion of them, the costliest first,
 * has a place each in the buffers of the driver of affine wavefronts. One launch after the other
 * advances all of them to where the first stage meets; then each further stage takes one launch.
 * Nothing is read before the points at the end.
 */
#include "host/splits/split_affine.h"

#include "host/device/context.h"
#include "host/device/queue.h"
#include "host/engines/affine/affine_waves.h"
#include "src/base/int64.h"
#include "src/base/order.h"
#include "src/planner/launch_time.h"
#include "src/planner/profiles.h"

#include <assert.h>
#include <stdlib.h>

typedef struct affine_run {
    rhomb_context *ctx;
    const rhomb__split_source *source;
    const rhomb__costs *costs;
    const rhomb_subproblem *pairs;
    rhomb__breakpoint *found; /* the caller's */
    rhomb__place *order;
    rhomb__affine_waves waves;
    /* The portion. */
    int64_t first; /* in the order */
    int64_t count;
    rhomb_affine_problem *problems;
    rhomb_affine_point *points;
    /* Of the call. */
    double since_look;
    double work_done, all_work; /* of portions that are done, and of all */
    int64_t portion_cells;      /* computed before the portion */
} affine_run;

bool rhomb__split_affine_can(const rhomb__costs *costs, int64_t cost)
{
    return cost > 2 * rhomb__affine_lookback(costs);
}

static double work_of(const affine_run *b, const rhomb_subproblem *range)
{
    return rhomb__affine_cells(b->costs, (double)range->pair.distance);
}

static rhomb_status check_pair(const affine_run *b, const rhomb_subproblem *range)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(rhomb__split_check(b->ctx, b->source, b->costs, range));
    if (!rhomb__split_affine_can(b->costs, range->pair.distance))
        status = rhomb__fail(&b->ctx->stream.error, RHOMB_ERR_INTERNAL,
                             "no subproblem to split: a cost of %lld is too little",
                             (long long)range->pair.distance);
out:
    return status;
}

static rhomb_status make_order(affine_run *b, int64_t count)
{
    rhomb_status status = RHOMB_OK;
    b->order = malloc((size_t)count * sizeof *b->order);
    if (b->order == NULL)
        return rhomb__fail_memory(&b->ctx->stream.error, (size_t)count * sizeof *b->order,
                                  "the order of subproblems");
    for (int64_t i = 0; i < count; i++) {
        RHOMB_TRY(check_pair(b, &b->pairs[i]));
        b->order[i] = (rhomb__place){b->pairs[i].pair.distance, i};
        b->all_work += work_of(b, &b->pairs[i]);
    }
    rhomb__order_sort(b->order, count);
out:
    return status;
}

static const rhomb_subproblem *range_at(const affine_run *b, int64_t i)
{
    return &b->pairs[b->order[b->first + i].index];
}

/* Both scores of a stage. */
static void until_of(const affine_run *b, int64_t i, int stage, int64_t until[2])
{
    rhomb__affine_until(b->costs, range_at(b, i)->pair.distance, stage, until);
}

/* The place of a subproblem: up to the scores of the last stage, and whatever `at` is. */
static int64_t place(const affine_run *b, int64_t i, int64_t at, rhomb_affine_problem *problem)
{
    int64_t until[2];
    until_of(b, i, rhomb__affine_stages(b->costs) - 1, until);
    return rhomb__affine_lay_out(b->costs, range_at(b, i), rhomb__max(until[0], until[1]),
                                 range_at(b, i)->pair.distance, at, problem);
}

/* Takes as many subproblems as fit, and makes their places. */
static rhomb_status plan_portion(affine_run *b, int64_t count, int64_t *offsets)
{
    const int64_t bytes = 2 * b->waves.offset_bytes;
    const int64_t most = rhomb__max(b->source->tuning.portion_bytes, 1) / bytes;
    rhomb_affine_problem one;
    *offsets = 0;
    for (b->count = 0; b->first + b->count < count; b->count++) {
        const int64_t more = place(b, b->count, *offsets, &one);
        if (b->count > 0 && *offsets + more > most)
            break;
        *offsets += more;
    }
    free(b->problems);
    free(b->points);
    b->problems = malloc((size_t)b->count * sizeof *b->problems);
    b->points = malloc((size_t)b->count * sizeof *b->points);
    if (b->problems == NULL || b->points == NULL)
        return rhomb__fail_memory(&b->ctx->stream.error,
                                  (size_t)b->count * (sizeof *b->problems + sizeof *b->points),
                                  "the subproblems of an alignment");
    for (int64_t i = 0, at = 0; i < b->count; i++)
        at += place(b, i, at, &b->problems[i]);
    return RHOMB_OK;
}

/* The scores [from, to] of a direction of subproblem i; none where they end before they begin. */
static rhomb__affine_stretch stretch_of(const affine_run *b, int64_t i, int direction, int64_t from,
                                        int64_t to, int32_t turn)
{
    int64_t held[2];
    until_of(b, i, rhomb__affine_stages(b->costs) - 1, held);
    assert(to <= rhomb__max(held[0], held[1])); /* place() has the diagonals of no later score */
    if (to < from)
        return rhomb__affine_no_stretch();
    const rhomb_affine_tile like = {.start = from,
                                    .steps = (rhomb_i32)(to - from + 1),
                                    .problem = (rhomb_u32)i,
                                    .direction = direction,
                                    .turn = turn};
    return (rhomb__affine_stretch){like,
                                   rhomb__affine_window(b->costs, range_at(b, i), direction, from,
                                                        to, range_at(b, i)->pair.distance)};
}

/* The work that is done, and of the portion as much as its cells so far, which are about that. */
static double work_so_far(const affine_run *b)
{
    double portion = 0;
    for (int64_t i = 0; i < b->count; i++)
        portion += work_of(b, range_at(b, i));
    const double cells = (double)(b->waves.cells - b->portion_cells);
    return b->work_done + (cells < portion ? cells : portion);
}

/* Waits, and tells the caller how far the call is. */
static rhomb_status look(affine_run *b)
{
    rhomb_status status = RHOMB_OK;
    b->since_look = 0;
    if (b->source->portion_done == NULL)
        return RHOMB_OK;
    RHOMB_TRY(rhomb__queue_finish(&b->ctx->stream));
    RHOMB_TRY(b->source->portion_done(b->ctx, (int64_t)work_so_far(b), (int64_t)b->all_work,
                                      b->source->user));
out:
    return status;
}

/* Runs what is listed. */
static rhomb_status run_listed(affine_run *b)
{
    rhomb_status status = RHOMB_OK;
    const double most =
        (double)rhomb__cells_in(&b->ctx->stream.device->rates.values, RHOMB__LOOK_SECONDS);
    RHOMB_TRY(rhomb__affine_list_send(&b->waves));
    for (int64_t i = 0; i < b->waves.list.launches; i++) {
        RHOMB_TRY(rhomb__affine_launch(&b->waves, i, 0));
        b->since_look += RHOMB__AFFINE_CELL_WORK * (double)rhomb__affine_launch_cells(&b->waves, i);
        if (b->since_look > most)
            RHOMB_TRY(look(b));
    }
    rhomb__affine_list_clear(&b->waves);
out:
    return status;
}

/* The launches up to where the first stage meets. */
static rhomb_status run_to_first_stage(affine_run *b)
{
    rhomb_status status = RHOMB_OK;
    const int64_t scores = b->waves.shape.scores;
    bool more = true;
    rhomb__affine_list_clear(&b->waves);
    for (int64_t launch = 0; more; launch++) {
        more = false;
        /* The costliest come first, and so do those that take the most launches. */
        for (int64_t i = 0; i < b->count; i++) {
            int64_t until[2];
            until_of(b, i, 0, until);
            if (until[0] < launch * scores && until[1] < launch * scores)
                break;
            rhomb__affine_stretch stretches[2];
            for (int direction = 0; direction < 2; direction++) {
                const int64_t last = rhomb__min(until[direction], launch * scores + scores - 1);
                stretches[direction] =
                    stretch_of(b, i, direction, launch * scores, last, (int32_t)(launch & 1));
            }
            RHOMB_TRY(rhomb__affine_list_add(&b->waves, stretches));
            more = true;
        }
        RHOMB_TRY(rhomb__affine_list_end(&b->waves));
        if (!more || b->waves.list.count >= RHOMB__AFFINE_LISTED_TILES)
            RHOMB_TRY(run_listed(b));
    }
out:
    return status;
}

/* The buffer that a direction is in where the first stage meets. */
static int32_t first_turn(const affine_run *b, int64_t until)
{
    return (int32_t)((until / b->waves.shape.scores + 1) & 1);
}

/* Takes all subproblems from the first stage's scores to those of a stage, and meets there. */
static rhomb_status run_stage(affine_run *b, int stage)
{
    rhomb_status status = RHOMB_OK;
    for (int64_t i = 0; i < b->count; i++) {
        int64_t first[2], until[2];
        rhomb__affine_stretch stretches[2];
        until_of(b, i, 0, first);
        until_of(b, i, stage, until);
        for (int direction = 0; direction < 2; direction++) {
            const int32_t turn = first_turn(b, first[direction]);
            const bool goes_on = until[direction] > first[direction];
            stretches[direction] =
                stretch_of(b, i, direction, first[direction] + 1, until[direction], turn);
            b->problems[i].until[direction] = until[direction];
            b->problems[i].turn[direction] = goes_on ? 1 - turn : turn;
        }
        RHOMB_TRY(rhomb__affine_list_add(&b->waves, stretches));
    }
    RHOMB_TRY(rhomb__affine_list_end(&b->waves));
    RHOMB_TRY(run_listed(b));
    RHOMB_TRY(rhomb__affine_waves_update(&b->waves, b->problems));
    RHOMB_TRY(rhomb__affine_meet_in(&b->waves, rhomb__affine_stage_piece(b->costs, stage)));
out:
    return status;
}

static rhomb_status take_points(affine_run *b)
{
    for (int64_t i = 0; i < b->count; i++) {
        const rhomb_split_pair *pair = &range_at(b, i)->pair;
        if (b->points[i].key == RHOMB_AFFINE_APART)
            return rhomb__fail(&b->ctx->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                               "%s: the directions of a subproblem of %lld and %lld bases do not "
                               "meet at its cost of %lld",
                               b->ctx->stream.device->info.name, (long long)pair->target_length,
                               (long long)pair->query_length, (long long)pair->distance);
        const rhomb__affine_breakpoint found = rhomb__affine_breakpoint_of(
            b->costs, &b->points[i], b->problems[i].origin[0], pair->distance);
        b->found[b->order[b->first + i].index] =
            (rhomb__breakpoint){found.target, found.query, found.cost, found.gap};
    }
    return RHOMB_OK;
}

static rhomb_status run_portion(affine_run *b, int64_t offsets)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(rhomb__affine_waves_begin(&b->waves, b->problems, b->count, offsets));
    b->portion_cells = b->waves.cells;
    RHOMB_TRY(run_to_first_stage(b));
    RHOMB_TRY(rhomb__affine_meet_begin(&b->waves));
    for (int stage = 0; stage < rhomb__affine_stages(b->costs); stage++)
        RHOMB_TRY(run_stage(b, stage));
    RHOMB_TRY(rhomb__affine_meet_end(&b->waves, b->points));
    RHOMB_TRY(take_points(b));
    for (int64_t i = 0; i < b->count; i++)
        b->work_done += work_of(b, range_at(b, i));
out:
    return status;
}

rhomb_status rhomb__split_affine_solve(rhomb_context *ctx, const rhomb__split_source *source,
                                       const rhomb__plan *plan, const rhomb_subproblem *pairs,
                                       int64_t count, rhomb__breakpoint *breakpoints,
                                       rhomb__split_work *work)
{
    rhomb_status status = RHOMB_OK;
    rhomb__programs programs = {NULL, NULL, NULL};
    rhomb__plan own = *plan; /* may shrink */
    int64_t offsets = 0;
    affine_run b = {
        .ctx = ctx, .source = source, .costs = &plan->costs, .pairs = pairs, .found = breakpoints};
    if (count <= 0)
        return RHOMB_OK;
    RHOMB_TRY(make_order(&b, count));
    RHOMB_TRY(rhomb__engine_programs(ctx, rhomb__engine_of(&own), &own, &programs));
    RHOMB_TRY(rhomb__affine_waves_open(&b.waves, &ctx->stream, programs.solve, &own, source->query,
                                       source->target, source->query_length,
                                       source->target_length));
    for (; b.first < count; b.first += b.count) {
        RHOMB_TRY(plan_portion(&b, count, &offsets));
        RHOMB_TRY(run_portion(&b, offsets));
        work->portions++;
        work->problems += b.count;
    }
out:
    work->cells += b.waves.cells;
    work->launches += b.waves.launches;
    rhomb__affine_waves_release(&b.waves);
    free(b.problems);
    free(b.points);
    free(b.order);
    return status;
}
