/* SPDX-License-Identifier: MIT */
/*
 * Splits subproblems with other than unit costs by wavefronts from both ends, see splitter.h. The
 * engine would find the same breakpoint for the subproblem alone (src/planner/tiling.h). A
 * portion has a place each in the buffers of the driver of affine wavefronts. One launch after the
 * other advances all of them to where the first stage meets; then each further stage takes one
 * launch. Nothing is read before the points at the end.
 */
#include "host/device/context.h"
#include "host/engines/affine/affine_waves.h"
#include "host/splits/splitter.h"
#include "src/base/int64.h"
#include "src/planner/profiles.h"
#include "src/planner/rates.h"

#include <assert.h>
#include <stdlib.h>

typedef struct affine {
    rhomb__splitter base;
    rhomb__affine_waves waves; /* of the call */
    /* The portion. */
    rhomb_affine_problem *problems;
    rhomb_affine_point *points;
} affine;

bool rhomb__split_affine_can(const rhomb__costs *costs, int64_t cost)
{
    return cost > 2 * rhomb__affine_lookback(costs);
}

static double work_of(const rhomb__splitter *s, const rhomb_split_pair *pair)
{
    return rhomb__affine_cells(&s->plan.costs, (double)pair->distance);
}

static rhomb_status check_subproblem(const rhomb__splitter *s, const rhomb_subproblem *subproblem)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(rhomb__split_check(s->ctx, &s->source, &s->plan.costs, subproblem));
    if (!rhomb__split_affine_can(&s->plan.costs, subproblem->pair.distance))
        status = rhomb__fail(&s->ctx->stream.error, RHOMB_ERR_INTERNAL,
                             "no subproblem to split: a cost of %lld is too little",
                             (long long)subproblem->pair.distance);
out:
    return status;
}

/* Subproblem i of the portion. */
static const rhomb_subproblem *range_at(const affine *b, int64_t i)
{
    return &b->base.subproblems[b->base.order[b->base.first + i].index];
}

/* Both scores of a stage. */
static void until_of(const affine *b, int64_t i, int stage, int64_t until[2])
{
    rhomb__affine_until(&b->base.plan.costs, range_at(b, i)->pair.distance, stage, until);
}

/* The place of a subproblem: up to the scores of the last stage, and whatever `at` is. */
static int64_t place(const affine *b, int64_t i, int64_t at, rhomb_affine_problem *problem)
{
    int64_t until[2];
    until_of(b, i, rhomb__affine_stages(&b->base.plan.costs) - 1, until);
    return rhomb__affine_lay_out(&b->base.plan.costs, range_at(b, i),
                                 rhomb__max(until[0], until[1]), range_at(b, i)->pair.distance, at,
                                 problem);
}

static int64_t bytes_of(const rhomb__splitter *s, int64_t i)
{
    const affine *b = (const affine *)s;
    rhomb_affine_problem one;
    return 2 * b->waves.offset_bytes * place(b, i, 0, &one);
}

/* Makes the places of the portion's subproblems; *offsets is the number of offsets of all. */
static rhomb_status describe(affine *b, int64_t *offsets)
{
    const size_t count = (size_t)b->base.portion;
    b->problems = malloc(count * sizeof *b->problems);
    b->points = malloc(count * sizeof *b->points);
    if (b->problems == NULL || b->points == NULL)
        return rhomb__fail_memory(&b->base.ctx->stream.error,
                                  count * (sizeof *b->problems + sizeof *b->points),
                                  "the subproblems of an alignment");
    *offsets = 0;
    for (int64_t i = 0; i < b->base.portion; i++)
        *offsets += place(b, i, *offsets, &b->problems[i]);
    return RHOMB_OK;
}

/* The scores [from, to] of a direction of subproblem i; none where they end before they begin. */
static rhomb__affine_stretch stretch_of(const affine *b, int64_t i, int direction, int64_t from,
                                        int64_t to, int32_t turn)
{
    int64_t held[2];
    until_of(b, i, rhomb__affine_stages(&b->base.plan.costs) - 1, held);
    assert(to <= rhomb__max(held[0], held[1])); /* place() has the diagonals of no later score */
    if (to < from)
        return rhomb__affine_no_stretch();
    const rhomb_affine_tile like = {.start = from,
                                    .steps = (rhomb_i32)(to - from + 1),
                                    .problem = (rhomb_u32)i,
                                    .direction = direction,
                                    .turn = turn};
    return (rhomb__affine_stretch){like, rhomb__affine_window(&b->base.plan.costs, range_at(b, i),
                                                              direction, from, to,
                                                              range_at(b, i)->pair.distance)};
}

/* Runs what is listed. */
static rhomb_status run_listed(affine *b)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(rhomb__affine_list_send(&b->waves));
    for (int64_t i = 0; i < b->waves.list.launches; i++) {
        RHOMB_TRY(rhomb__affine_launch(&b->waves, i, 0));
        RHOMB_TRY(rhomb__splitter_look(&b->base, (double)rhomb__affine_launch_cells(&b->waves, i)));
    }
    rhomb__affine_list_clear(&b->waves);
out:
    return status;
}

/* The launches up to where the first stage meets. */
static rhomb_status run_to_first_stage(affine *b)
{
    rhomb_status status = RHOMB_OK;
    const int64_t scores = b->waves.shape.scores;
    bool more = true;
    rhomb__affine_list_clear(&b->waves);
    for (int64_t launch = 0; more; launch++) {
        more = false;
        /* The costliest come first, and so do those that take the most launches. */
        for (int64_t i = 0; i < b->base.portion; i++) {
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
static int32_t first_turn(const affine *b, int64_t until)
{
    return (int32_t)((until / b->waves.shape.scores + 1) & 1);
}

/* Takes all subproblems from the first stage's scores to those of a stage, and meets there. */
static rhomb_status run_stage(affine *b, int stage)
{
    rhomb_status status = RHOMB_OK;
    for (int64_t i = 0; i < b->base.portion; i++) {
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
    RHOMB_TRY(
        rhomb__affine_meet_in(&b->waves, rhomb__affine_stage_part(&b->base.plan.costs, stage)));
out:
    return status;
}

static rhomb_status run(rhomb__splitter *s)
{
    rhomb_status status = RHOMB_OK;
    affine *b = (affine *)s;
    int64_t offsets = 0;
    RHOMB_TRY(describe(b, &offsets));
    RHOMB_TRY(rhomb__affine_waves_begin(&b->waves, b->problems, s->portion, offsets));
    RHOMB_TRY(run_to_first_stage(b));
    RHOMB_TRY(rhomb__affine_meet_begin(&b->waves));
    for (int stage = 0; stage < rhomb__affine_stages(&s->plan.costs); stage++)
        RHOMB_TRY(run_stage(b, stage));
    RHOMB_TRY(rhomb__affine_meet_end(&b->waves, b->points));
out:
    return status;
}

static rhomb_status take(const rhomb__splitter *s, int64_t i, rhomb__breakpoint *breakpoint)
{
    const affine *b = (const affine *)s;
    const rhomb_split_pair *pair = rhomb__splitter_pair(s, i);
    if (b->points[i].key == RHOMB_AFFINE_APART)
        return rhomb__fail(&s->ctx->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                           "%s: the directions of a subproblem of %lld and %lld bases do not "
                           "meet at its cost of %lld",
                           s->ctx->stream.device->info.name, (long long)pair->target_length,
                           (long long)pair->query_length, (long long)pair->distance);
    const rhomb__affine_breakpoint found = rhomb__affine_breakpoint_of(
        &s->plan.costs, &b->points[i], b->problems[i].origin[0], pair->distance);
    *breakpoint = (rhomb__breakpoint){found.target, found.query, found.cost, found.gap};
    return RHOMB_OK;
}

static void drop(rhomb__splitter *s)
{
    affine *b = (affine *)s;
    free(b->problems);
    free(b->points);
    b->problems = NULL;
    b->points = NULL;
}

static rhomb_status begin(rhomb__splitter *s)
{
    rhomb_status status = RHOMB_OK;
    affine *b = (affine *)s;
    rhomb__programs programs = {NULL, NULL};
    const rhomb__rate_values *rates = &s->ctx->stream.device->rates.values;
    s->look_work = (double)rhomb__cells_in(rates, RHOMB__LOOK_SECONDS) / RHOMB__AFFINE_CELL_WORK;
    RHOMB_TRY(rhomb__engine_programs(s->ctx, rhomb__engine_of(&s->plan), &s->plan, &programs));
    RHOMB_TRY(rhomb__affine_waves_open(&b->waves, &s->ctx->stream, programs.solve, &s->plan,
                                       s->source.query, s->source.target, s->source.query_length,
                                       s->source.target_length));
out:
    return status;
}

static void end(rhomb__splitter *s)
{
    affine *b = (affine *)s;
    s->work.cells += b->waves.cells;
    s->work.launches += b->waves.launches;
    rhomb__affine_waves_release(&b->waves);
    b->waves = (rhomb__affine_waves){.stream = NULL};
}

const rhomb__split_way rhomb__split_affine = {.splitter_bytes = sizeof(affine),
                                              .check = check_subproblem,
                                              .work = work_of,
                                              .begin = begin,
                                              .bytes = bytes_of,
                                              .run = run,
                                              .take = take,
                                              .drop = drop,
                                              .end = end};
