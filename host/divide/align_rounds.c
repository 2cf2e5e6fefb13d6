/* SPDX-License-Identifier: MIT */
/*
 * The rounds of an alignment: each splits all subproblems that are not base cases, until all are.
 *
 * Work. Halves of the distance take a quarter of the cells each, so a round takes half as much as
 * the round before, and all after the first take about as much as the first. That holds for the
 * sweep, too: half the columns have half the band.
 *
 * Memory of the device: the packed pair, and while subproblems are swept SPLIT_BYTES and what the
 * distance took, less the packed pair; for the rounds after those, and then for base cases, at most
 * SPLIT_BYTES. With other than unit costs tiles in global memory come on top of that, and a
 * subproblem that needs more by itself gets it.
 */
#include "host/divide/aligner.h"

#include "host/device/context.h"
#include "host/device/program.h"
#include "host/divide/device_group.h"
#include "host/splits/splitter.h"
#include "src/base/int64.h"
#include "src/base/parallel.h"
#include "src/paths/narrow_split.h"
#include "src/planner/engine_plan.h"
#include "src/strips/strips_many.h"

#include <stdlib.h>

/*
 * Device memory for the columns of a round's subproblems, at a time. The swept ones, which together
 * take what the whole pair took, have what the packed pair leaves of that.
 */
#define SPLIT_BYTES (INT64_C(48) << 20)

/*
 * Subproblems of more edits than this are split by many groups each, in launches of all, and others
 * by one group each. About here both take equally long, in single measurements on an H200. The
 * groups' kernel itself allows RHOMB_SPLIT_LIMIT (cl/abi.h).
 */
#define TOGETHER_MOST 2048

/*
 * Where a sweep solved the whole pair, the wavefront takes subproblems with at most one edit in
 * SPARSE bases, and those with up to SWEEP_LEAST edits. Both are constants, so that the path is the
 * same on every device. For SWEEP_LEAST an H200 is as quick with any value from 256 to 4,096; a
 * CPU, which has no use for thousands of wavefronts at a time, takes the less time the lower it is.
 *
 * With other than unit costs it takes those that cost at most one in SPARSE_COSTS bases, and what
 * can neither be swept nor is narrow; small ones are base cases. On a CPU, with 0.2 Mbp at 94 to 99
 * %, a path takes twice as long with 3 where it makes a difference, and as long or longer with 48.
 */
#define SPARSE       20
#define SWEEP_LEAST  256
#define SPARSE_COSTS 12

bool rhomb__subproblem_is_sparse(const rhomb__costs *costs, const rhomb__subproblem *subproblem)
{
    const int64_t share = rhomb__costs_are_edit(costs) ? SPARSE : SPARSE_COSTS;
    return subproblem->pair.distance <=
           rhomb__max(subproblem->pair.target_length, subproblem->pair.query_length) / share;
}

/* What splits a subproblem. */
typedef enum splitter {
    BY_SWEEPS,
    BY_WAVES,  /* of many groups */
    BY_GROUPS, /* many small ones, each by one group or, with other than unit costs, by the host */
} splitter;

static splitter splitter_of(const rhomb__aligner *a, const rhomb__subproblem *subproblem)
{
    const rhomb__costs *costs = &a->whole.plan.costs;
    const bool is_edit = rhomb__costs_are_edit(costs);
    const bool sweeps =
        a->sweeps && (!is_edit || subproblem->pair.distance > SWEEP_LEAST) &&
        (!rhomb__subproblem_is_sparse(costs, subproblem) || !rhomb__affine_can(costs)) &&
        rhomb__sweep_can(costs, subproblem);
    if (sweeps)
        return BY_SWEEPS;
    const bool together =
        is_edit ? subproblem->pair.distance <= TOGETHER_MOST : rhomb__narrow_can(&subproblem->pair);
    return together ? BY_GROUPS : BY_WAVES;
}

rhomb__path_pair rhomb__align_path_pair(const rhomb__aligner *a)
{
    const rhomb__task *whole = &a->whole;
    return (rhomb__path_pair){whole->target,       whole->target_length, whole->query,
                              whole->query_length, &whole->codes,        &whole->plan.costs};
}

rhomb_status rhomb__subproblem_divide(rhomb__aligner *a, const rhomb__subproblem *subproblem,
                                      const rhomb__breakpoint *breakpoint,
                                      rhomb__subproblem *halves)
{
    const rhomb_split_pair *whole = &subproblem->pair;
    const rhomb__subproblem first = {.pair = {whole->target_at, breakpoint->target, whole->query_at,
                                              breakpoint->query, breakpoint->cost},
                                     .begin_gap = subproblem->begin_gap,
                                     .end_gap = breakpoint->gap};
    const rhomb__subproblem second = {
        .pair = {whole->target_at + breakpoint->target, whole->target_length - breakpoint->target,
                 whole->query_at + breakpoint->query, whole->query_length - breakpoint->query,
                 whole->distance - breakpoint->cost -
                     rhomb__costs_of_opening(&a->whole.plan.costs, breakpoint->gap)},
        .begin_gap = breakpoint->gap,
        .end_gap = subproblem->end_gap};
    halves[0] = first;
    halves[1] = second;
    for (int i = 0; i < 2; i++) {
        const int64_t n = halves[i].pair.target_length, m = halves[i].pair.query_length;
        if (n < 0 || m < 0 || !rhomb__subproblem_is_possible(&a->whole.plan.costs, &halves[i]) ||
            n + m == whole->target_length + whole->query_length)
            return rhomb__fail(&a->ctx->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                               "%s: a subproblem of %lld and %lld bases with distance %lld cannot "
                               "be split at %lld and %lld after %lld edits",
                               a->ctx->stream.device->info.name, (long long)whole->target_length,
                               (long long)whole->query_length, (long long)whole->distance,
                               (long long)breakpoint->target, (long long)breakpoint->query,
                               (long long)breakpoint->cost);
    }
    return RHOMB_OK;
}

/* Logs what a round took, for profiling. */
static void log_round(const rhomb__aligner *a, const char *what, int64_t count, double began)
{
    int64_t most = 0;
    for (int64_t i = 0; i < a->count; i++)
        most = rhomb__max(most, a->subproblems[i].pair.distance);
    rhomb__log(&a->ctx->stream, 2,
               "align: %lld subproblems split %s in %.2f ms, distances up to %lld are left",
               (long long)count, what, 1e3 * (rhomb__work_clock(a->ctx) - began), (long long)most);
}

/* A round's subproblems of a kind, and their breakpoints. */
typedef struct kind {
    rhomb_subproblem *subproblems;
    rhomb__breakpoint *breakpoints;
    int64_t *places; /* in a->subproblems, ascending */
    int64_t count;
    double work;
} kind;

/* Lists the subproblems of a round for a splitter. */
static rhomb_status list_kind(const rhomb__aligner *a, splitter wanted, kind *k)
{
    const size_t most = (size_t)rhomb__max(a->count, 1);
    k->subproblems = malloc(most * sizeof *k->subproblems);
    k->breakpoints = malloc(most * sizeof *k->breakpoints);
    k->places = malloc(most * sizeof *k->places);
    if (k->subproblems == NULL || k->breakpoints == NULL || k->places == NULL)
        return rhomb__fail_memory(&a->ctx->stream.error,
                                  most * (sizeof *k->subproblems + sizeof *k->breakpoints),
                                  "the subproblems of an alignment");
    for (int64_t i = 0; i < a->count; i++) {
        if (rhomb__subproblem_is_base_case(a, &a->subproblems[i]) ||
            splitter_of(a, &a->subproblems[i]) != wanted)
            continue;
        k->places[k->count] = i;
        k->subproblems[k->count++] = a->subproblems[i];
        k->work += rhomb__subproblem_work(a, &a->subproblems[i]);
    }
    return RHOMB_OK;
}

static void release_kind(kind *k)
{
    free(k->subproblems);
    free(k->breakpoints);
    free(k->places);
}

/* Replaces the subproblems of a kind by their halves. */
static rhomb_status replace_subproblems(rhomb__aligner *a, const kind *k)
{
    rhomb_status status = RHOMB_OK;
    const int64_t count = a->count + k->count;
    int64_t at = 0, next = 0;
    rhomb__subproblem *subproblems = malloc((size_t)count * sizeof *subproblems);
    if (subproblems == NULL)
        return rhomb__fail_memory(&a->ctx->stream.error, (size_t)count * sizeof *subproblems,
                                  "the subproblems of an alignment");
    for (int64_t i = 0; i < a->count; i++) {
        if (next == k->count || k->places[next] != i) {
            subproblems[at++] = a->subproblems[i];
            continue;
        }
        RHOMB_TRY(rhomb__subproblem_divide(a, &a->subproblems[i], &k->breakpoints[next++],
                                           &subproblems[at]));
        at += 2;
    }
    const int64_t both = (a->count + count) * (int64_t)sizeof *subproblems;
    a->report->host_bytes = rhomb__max(a->report->host_bytes, both);
    free(a->subproblems);
    a->subproblems = subproblems;
    a->count = count;
    subproblems = NULL;
out:
    free(subproblems);
    return status;
}

/* Replaces the subproblems of a kind by their halves, and tells the caller, who may stop. */
static rhomb_status take_breakpoints(rhomb__aligner *a, const kind *k)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(replace_subproblems(a, k));
    a->report->splits += k->count;
    RHOMB_TRY(rhomb__align_advance(a, k->work));
    if (rhomb__checkpoint_is_due(a->whole.checkpoint))
        rhomb__align_save(a);
out:
    return status;
}

rhomb_status rhomb__align_plan_strips(const rhomb__aligner *a, rhomb_context *ctx,
                                      const rhomb__subproblem *subproblems, int64_t count,
                                      rhomb__plan *plan)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__task *whole = &a->whole;
    const rhomb__subproblem *longest = &subproblems[0];
    for (int64_t i = 1; i < count; i++) {
        if (subproblems[i].pair.query_length > longest->pair.query_length)
            longest = &subproblems[i];
    }
    rhomb__task task = {.target = whole->target + longest->pair.target_at,
                        .target_length = longest->pair.target_length,
                        .query = whole->query + longest->pair.query_at,
                        .query_length = longest->pair.query_length};
    /* Alone, it would pay for the gaps at its borders as well. */
    const int64_t distance = longest->pair.distance +
                             rhomb__costs_of_opening(&whole->plan.costs, longest->begin_gap) +
                             rhomb__costs_of_opening(&whole->plan.costs, longest->end_gap);
    RHOMB_TRY(rhomb__task_plan_subproblem(ctx, whole, &task, distance, true));
    *plan = task.plan;
    rhomb__sweeps_choose_strips(ctx, &whole->tuning, subproblems, count, plan);
out:
    return status;
}

/* The bytes that a portion of sweeps may take beside the packed pair. */
static int64_t sweep_bytes(const rhomb__aligner *a)
{
    const int64_t packed = a->packed_target.bytes + a->packed_query.bytes;
    return rhomb__max(a->distance->device_bytes - packed, 0) + SPLIT_BYTES;
}

/* What threads share that split narrow subproblems on the host. */
typedef struct narrow_work {
    const rhomb__path_pair *pair;
    const kind *k;
    rhomb__narrow_point *points;
} narrow_work;

/* A rhomb__parallel_task. */
static void split_one_narrow(int64_t index, void *user)
{
    const narrow_work *work = user;
    work->points[index] = rhomb__narrow_split(work->pair, &work->k->subproblems[index]);
}

/* The breakpoints of narrow subproblems, with other than unit costs. */
static rhomb_status split_narrow(rhomb__aligner *a, kind *k)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__path_pair pair = rhomb__align_path_pair(a);
    narrow_work work = {&pair, k, malloc((size_t)k->count * sizeof *work.points)};
    if (work.points == NULL)
        return rhomb__fail_memory(&a->ctx->stream.error, (size_t)k->count * sizeof *work.points,
                                  "the subproblems of an alignment");
    rhomb__parallel_run(a->ctx->stream.threads, k->count, split_one_narrow, &work);
    for (int64_t i = 0; i < k->count; i++) {
        const rhomb__narrow_point *point = &work.points[i];
        const int64_t distance = k->subproblems[i].pair.distance;
        k->breakpoints[i] =
            (rhomb__breakpoint){point->target, point->query, point->forward_cost, point->gap};
        if (point->cost != distance)
            RHOMB_TRY(rhomb__fail(&a->ctx->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                                  "%s: a subproblem with distance %lld came out with %lld",
                                  a->ctx->stream.device->info.name, (long long)distance,
                                  (long long)point->cost));
    }
out:
    free(work.points);
    return status;
}

/* How a log calls what a splitter has done. */
static const char *what_of(const rhomb__aligner *a, splitter by)
{
    return by == BY_SWEEPS                               ? "by sweeps"
           : by == BY_WAVES                              ? "side by side"
           : rhomb__costs_are_edit(&a->whole.plan.costs) ? "by groups"
                                                         : "on the host";
}

/* Splits the subproblems of a round that are a splitter's; *more says that there were some. */
static rhomb_status split_kind(rhomb__aligner *a, rhomb__group_splits *splits, splitter by,
                               bool *more)
{
    rhomb_status status = RHOMB_OK;
    kind k = {.count = 0};
    const double began = rhomb__work_clock(a->ctx);
    int64_t cells = 0;
    RHOMB_TRY(list_kind(a, by, &k));
    if (k.count == 0)
        goto out;
    *more = true;
    a->phase_began = a->all_work + a->done;
    a->phase_work = k.work;
    if (by == BY_GROUPS && !rhomb__costs_are_edit(&a->whole.plan.costs))
        RHOMB_TRY(split_narrow(a, &k));
    else
        RHOMB_TRY(rhomb__group_splits_solve(splits, by != BY_GROUPS, k.subproblems, k.count,
                                            k.breakpoints, &cells));
    a->report->cells += cells;
    RHOMB_TRY(take_breakpoints(a, &k));
    log_round(a, what_of(a, by), k.count, began);
out:
    release_kind(&k);
    return status;
}

/* All rounds of the subproblems that are swept, or of the others. */
static rhomb_status split_all(rhomb__aligner *a, rhomb__device_group *group, bool by_waves)
{
    rhomb_status status = RHOMB_OK;
    rhomb__group_splits *splits = NULL;
    bool more = false;
    for (int64_t i = 0; i < a->count && !more; i++)
        more = !rhomb__subproblem_is_base_case(a, &a->subproblems[i]) &&
               (by_waves || splitter_of(a, &a->subproblems[i]) == BY_SWEEPS);
    if (!more)
        return RHOMB_OK;
    RHOMB_TRY(rhomb__group_splits_open(a, group, by_waves, by_waves ? SPLIT_BYTES : sweep_bytes(a),
                                       &splits));
    while (more) {
        more = false;
        RHOMB_TRY(split_kind(a, splits, by_waves ? BY_WAVES : BY_SWEEPS, &more));
        if (by_waves)
            RHOMB_TRY(split_kind(a, splits, BY_GROUPS, &more));
    }
out:
    rhomb__group_splits_close(splits);
    return status;
}

/* Whether all subproblems are base cases. */
static bool is_split(const rhomb__aligner *a)
{
    int64_t base_cases = 0;
    while (base_cases < a->count && rhomb__subproblem_is_base_case(a, &a->subproblems[base_cases]))
        base_cases++;
    return base_cases == a->count;
}

/*
 * A subproblem that a sweep leaves to the wavefront may have all its edits in one place. Then
 * one of its halves is for a sweep again.
 */
rhomb_status rhomb__align_rounds(rhomb__aligner *aligner)
{
    rhomb_status status = RHOMB_OK;
    rhomb__device_stream *stream = &aligner->ctx->stream;
    rhomb__device_group *group = NULL;
    if (is_split(aligner))
        return RHOMB_OK;
    stream->bytes_peak = stream->bytes_in_use;
    RHOMB_TRY(rhomb__device_group_open(aligner, &group));
    while (!is_split(aligner)) {
        const int64_t before = aligner->count;
        RHOMB_TRY(split_all(aligner, group, false));
        RHOMB_TRY(split_all(aligner, group, true));
        if (aligner->count == before)
            RHOMB_TRY(rhomb__fail(&stream->error, RHOMB_ERR_INTERNAL,
                                  "subproblems of an alignment are left that nothing splits"));
    }
    aligner->report->device_bytes = rhomb__max(aligner->report->device_bytes, stream->bytes_peak);
out:
    rhomb__device_group_close(group);
    return status;
}
