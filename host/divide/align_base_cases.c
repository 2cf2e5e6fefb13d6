/* SPDX-License-Identifier: MIT */
/*
 * The base cases of an alignment: subproblems that are not split further. Runs, gaps and, with unit
 * costs, single edits need no device; with other costs, what is too long for it is left to the host
 * as well. The others go to it in portions, in order, so that the path grows from its beginning to
 * its end.
 */
#include "host/divide/aligner.h"

#include "host/device/context.h"
#include "host/device/program.h"
#include "host/splits/ranges.h"
#include "src/base/clock.h"
#include "src/base/int64.h"
#include "src/paths/long_path.h"
#include "src/planner/affine_paths.h"

#include <stdlib.h>
#include <string.h>

/* The largest base case with unit costs. One more split costs less than base cases of 256 edits. */
#define LEAF_DISTANCE 128
#define LEAF_BASES    32768

/*
 * Device memory for columns, as much as a round of splits has. Base cases of 128 edits take 71 KiB
 * each, so some 700 are in flight.
 */
#define LEAF_COLUMN_BYTES (INT64_C(48) << 20)

/*
 * The same for traces of gap-affine costs, of 256 KiB each, for GPUs: a CPU's cores take one
 * at a time. No more than a quarter of what is left.
 */
#define AFFINE_TRACE_BYTES (INT64_C(56) << 20)

/* Whether a subproblem is a run, a gap, or with unit costs a single edit. */
static bool is_plain(const rhomb__aligner *a, const rhomb__subproblem *subproblem)
{
    const int64_t plain = rhomb__costs_are_edit(&a->whole.plan.costs) ? 1 : 0;
    return subproblem->pair.distance <= plain || subproblem->pair.target_length == 0 ||
           subproblem->pair.query_length == 0;
}

/* Whether a base case needs the kernels. */
static bool is_batched(const rhomb__aligner *a, const rhomb__subproblem *subproblem)
{
    return !is_plain(a, subproblem) && !rhomb__affine_path_is_long(subproblem);
}

bool rhomb__subproblem_is_base_case(const rhomb__aligner *a, const rhomb__subproblem *subproblem)
{
    const rhomb_split_pair *pair = &subproblem->pair;
    if (is_plain(a, subproblem))
        return true;
    if (!rhomb__costs_are_edit(&a->whole.plan.costs))
        return rhomb__affine_path_is_base_case(&a->whole.plan.costs, subproblem);
    return pair->distance <= LEAF_DISTANCE && pair->target_length <= LEAF_BASES &&
           pair->query_length <= LEAF_BASES;
}

/* What a subproblem costs that consists of nothing but bases of one sequence. */
static int64_t gap_cost(const rhomb__costs *costs, const rhomb__subproblem *subproblem)
{
    const bool inserted = subproblem->pair.query_length > 0;
    const int64_t bases = subproblem->pair.query_length + subproblem->pair.target_length;
    const int32_t borders[] = {subproblem->begin_gap, subproblem->end_gap};
    int64_t cost = rhomb__costs_gap(costs, bases);
    for (int i = 0; i < 2; i++) {
        if (borders[i] == RHOMB_GAP_NONE || RHOMB_GAP_IS_I(borders[i]) != inserted)
            continue;
        const int64_t goes_on = bases * costs->extend[RHOMB_GAP_PIECE(borders[i])];
        const bool through = borders[0] == borders[1];
        cost =
            rhomb__min(cost, goes_on - (through ? rhomb__costs_of_opening(costs, borders[i]) : 0));
    }
    return cost;
}

/* A run, one side alone, or a single edit, which comes as late as it can. */
static rhomb_status append_plain(rhomb__aligner *a, const rhomb__subproblem *subproblem)
{
    rhomb_status status = RHOMB_OK;
    rhomb__error *error = &a->ctx->stream.error;
    const int64_t n = subproblem->pair.target_length, m = subproblem->pair.query_length,
                  most = rhomb__min(n, m);
    const int64_t run =
        rhomb__codes_run(&a->whole.codes, a->whole.target + subproblem->pair.target_at,
                         a->whole.query + subproblem->pair.query_at, most);
    const int64_t deleted = rhomb__max(n - m, 0), inserted = rhomb__max(m - n, 0);
    const int64_t replaced = n == m ? subproblem->pair.distance : 0;
    const int64_t rest = most - run - replaced;
    const int64_t cost =
        most > 0 ? deleted + inserted + replaced : gap_cost(&a->whole.plan.costs, subproblem);
    if (rest < 0 || cost != subproblem->pair.distance)
        return rhomb__fail(error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                           "%s: a subproblem of %lld and %lld bases cannot have distance %lld",
                           a->ctx->stream.device->info.name, (long long)n, (long long)m,
                           (long long)subproblem->pair.distance);
    RHOMB_TRY(rhomb__path_append(error, &a->path, RHOMB_CIGAR_EQ, run));
    RHOMB_TRY(rhomb__path_append(error, &a->path, RHOMB_CIGAR_X, replaced));
    RHOMB_TRY(rhomb__path_append(error, &a->path, RHOMB_CIGAR_D, deleted));
    RHOMB_TRY(rhomb__path_append(error, &a->path, RHOMB_CIGAR_I, inserted));
    RHOMB_TRY(rhomb__path_append(error, &a->path, RHOMB_CIGAR_EQ, rest));
out:
    return status;
}

/* What is too long for the kernels. */
static rhomb_status append_long(rhomb__aligner *a, const rhomb__subproblem *subproblem)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__path_pair pair = rhomb__align_path_pair(a);
    bool found = false;
    RHOMB_TRY(rhomb__long_path(&a->ctx->stream.error, &pair, subproblem, &a->path, &found));
    if (!found)
        RHOMB_TRY(rhomb__fail(
            &a->ctx->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
            "%s: a subproblem of %lld and %lld bases does not have distance %lld",
            a->ctx->stream.device->info.name, (long long)subproblem->pair.target_length,
            (long long)subproblem->pair.query_length, (long long)subproblem->pair.distance));
    RHOMB_TRY(rhomb__align_advance(a, rhomb__subproblem_work(a, subproblem)));
out:
    return status;
}

/* The path while it grows: which subproblems are in it, and which the device has. */
typedef struct growing {
    rhomb__aligner *aligner;
    int64_t next;              /* the next subproblem */
    int64_t listed;            /* subproblems that were checked for the device */
    rhomb__ranges_needs needs; /* of those that need the device */
    rhomb__ranges *ranges;
    rhomb__subproblem *portion;
    int64_t under_way;   /* subproblems of it */
    double seconds_open; /* for profiling, as what follows */
    double seconds_started;
    double seconds_waited;
    double seconds_appended;
} growing;

/* Appends the subproblems that need no device, up to the next one that does. */
static rhomb_status append_up_to_batched(growing *g)
{
    rhomb_status status = RHOMB_OK;
    rhomb__aligner *a = g->aligner;
    for (; g->next < a->count && !is_batched(a, &a->subproblems[g->next]); g->next++) {
        const rhomb__subproblem *next = &a->subproblems[g->next];
        RHOMB_TRY(is_plain(a, next) ? append_plain(a, next) : append_long(a, next));
    }
out:
    return status;
}

/* Counts the subproblems from the next one on that need the device, up to `most`. */
static int64_t count_batched(const growing *g, int64_t most)
{
    const rhomb__aligner *a = g->aligner;
    int64_t count = 0;
    while (count < most && g->next + count < a->count &&
           is_batched(a, &a->subproblems[g->next + count]))
        count++;
    return count;
}

/* Appends the paths of a portion, and what lies between them. */
static rhomb_status append_paths(growing *g, const rhomb__cigar *paths, int64_t count)
{
    rhomb_status status = RHOMB_OK;
    rhomb__aligner *a = g->aligner;
    const double began = rhomb__now();
    double work = 0;
    for (int64_t at = 0, run; at < count; at += run) {
        RHOMB_TRY(append_up_to_batched(g));
        run = count_batched(g, count - at);
        RHOMB_TRY(rhomb__path_append_cigars(&a->ctx->stream.error, &a->path, paths + at, run,
                                            a->ctx->stream.threads));
        for (int64_t i = 0; i < run; i++) {
            const double distance = (double)a->subproblems[g->next++].pair.distance;
            work += 2 * distance * distance;
        }
    }
    g->seconds_appended += rhomb__now() - began;
    RHOMB_TRY(rhomb__align_advance(a, work));
out:
    return status;
}

/* Device memory for what groups work in. */
static int64_t work_bytes(const rhomb__aligner *a)
{
    const rhomb__device_stream *stream = &a->ctx->stream;
    if (rhomb__costs_are_edit(&a->whole.plan.costs))
        return LEAF_COLUMN_BYTES;
    return rhomb__min(AFFINE_TRACE_BYTES,
                      (stream->device->info.memory_bytes - stream->bytes_in_use) / 4);
}

/* Packs the pair, unless it is packed, and makes programs and memory for its base cases. */
static rhomb_status open_ranges(growing *g)
{
    rhomb_status status = RHOMB_OK;
    rhomb__aligner *a = g->aligner;
    const double began = rhomb__work_clock(a->ctx);
    RHOMB_TRY(rhomb__align_pack(a));
    const rhomb__split_source source = {.target = &a->packed_target,
                                        .query = &a->packed_query,
                                        .target_length = a->whole.target_length,
                                        .query_length = a->whole.query_length,
                                        .planes = a->whole.plan.planes,
                                        .tuning = {.portion_bytes = work_bytes(a)}};
    RHOMB_TRY(rhomb__ranges_open(a->ctx, &source, &a->whole.plan.costs, &g->needs, &g->ranges));
    const size_t room = (size_t)rhomb__ranges_room(g->ranges);
    g->portion = malloc(room * sizeof *g->portion);
    if (g->portion == NULL)
        status = rhomb__fail_memory(&a->ctx->stream.error, room * sizeof *g->portion,
                                    "the base cases of an alignment");
    g->seconds_open = rhomb__work_clock(a->ctx) - began;
out:
    return status;
}

/* Starts the next portion, if there is one. */
static rhomb_status start_portion(growing *g)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__aligner *a = g->aligner;
    const double began = rhomb__now();
    const int64_t room = rhomb__ranges_room(g->ranges);
    int64_t count = 0;
    for (; g->listed < a->count && count < room; g->listed++)
        if (is_batched(a, &a->subproblems[g->listed]))
            g->portion[count++] = a->subproblems[g->listed];
    g->under_way = count;
    if (count > 0)
        RHOMB_TRY(rhomb__ranges_start(g->ranges, g->portion, count));
    g->seconds_started += rhomb__now() - began;
out:
    return status;
}

/*
 * The base cases that need the device: paths of a portion are appended while it solves the next
 * one.
 */
static rhomb_status solve_batched(growing *g)
{
    rhomb_status status = RHOMB_OK;
    rhomb__aligner *a = g->aligner;
    const rhomb__cigar *paths = NULL;
    a->ctx->stream.bytes_peak = a->ctx->stream.bytes_in_use;
    RHOMB_TRY(open_ranges(g));
    RHOMB_TRY(start_portion(g));
    while (g->under_way > 0) {
        const int64_t count = g->under_way;
        const double began = rhomb__now();
        RHOMB_TRY(rhomb__ranges_finish(g->ranges, &paths));
        g->seconds_waited += rhomb__now() - began;
        RHOMB_TRY(start_portion(g));
        RHOMB_TRY(append_paths(g, paths, count));
    }
    a->report->device_bytes = rhomb__max(a->report->device_bytes, a->ctx->stream.bytes_peak);
out:
    rhomb__ranges_close(g->ranges);
    free(g->portion);
    return status;
}

/*
 * Compares the bases along the path, which only the device has done so far: whatever it did, the
 * result is an alignment that costs the distance. Then puts its gaps in order.
 */
static rhomb_status finish_path(rhomb__aligner *a)
{
    rhomb_status status = RHOMB_OK;
    const int64_t distance = a->cost;
    const rhomb__path_pair pair = rhomb__align_path_pair(a);
    const double began = rhomb__now();
    const int64_t operations = a->path.count;
    bool fits = false;
    RHOMB_TRY(rhomb__path_tidy(&a->ctx->stream.error, &a->path, &pair, distance,
                               a->ctx->stream.threads, &fits));
    if (!fits)
        RHOMB_TRY(rhomb__fail(&a->ctx->stream.error, RHOMB_ERR_DEVICE_WRONG_RESULT,
                              "%s: the result is not a path of cost %lld",
                              a->ctx->stream.device->info.name, (long long)distance));
    rhomb__log(&a->ctx->stream, 2, "align: %lld operations are %lld with gaps in order, in %.2f ms",
               (long long)operations, (long long)a->path.count, 1e3 * (rhomb__now() - began));
out:
    return status;
}

rhomb_status rhomb__align_base_cases(rhomb__aligner *aligner)
{
    rhomb_status status = RHOMB_OK;
    growing g = {.aligner = aligner};
    const double began = rhomb__work_clock(aligner->ctx);
    for (int64_t i = 0; i < aligner->count; i++) {
        if (is_batched(aligner, &aligner->subproblems[i]))
            rhomb__ranges_need(&aligner->whole.plan.costs, &aligner->subproblems[i], &g.needs);
    }
    if (g.needs.count > 0)
        RHOMB_TRY(solve_batched(&g));
    RHOMB_TRY(append_up_to_batched(&g));
    const double solved = rhomb__now();
    RHOMB_TRY(finish_path(aligner));
    aligner->report->host_bytes = rhomb__max(
        aligner->report->host_bytes, aligner->count * (int64_t)sizeof *aligner->subproblems +
                                         aligner->path.room * (int64_t)sizeof *aligner->path.ops);
    rhomb__path_trim(&aligner->path);
    aligner->report->base_cases = aligner->count;
    aligner->report->seconds_base_cases = rhomb__work_clock(aligner->ctx) - began;
    rhomb__log(&aligner->ctx->stream, 2,
               "align: %lld base cases in %.2f ms, %lld of them on the device: %.2f ms to open it, "
               "%.2f starting, %.2f waiting, %.2f appending, %.2f checking and gaps",
               (long long)aligner->count, 1e3 * aligner->report->seconds_base_cases,
               (long long)g.needs.count, 1e3 * g.seconds_open, 1e3 * g.seconds_started,
               1e3 * g.seconds_waited, 1e3 * g.seconds_appended, 1e3 * (rhomb__now() - solved));
out:
    return status;
}
