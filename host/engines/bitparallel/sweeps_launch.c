/* SPDX-License-Identifier: MIT */
/*
 * The launches of sweeps, see sweeps.h: which strips each has, how long they take by the device's
 * rates, and the pace of the host.
 */
#include "host/engines/bitparallel/sweeps.h"

#include "host/device/cl_error.h"
#include "host/device/context.h"
#include "host/device/queue.h"
#include "src/base/int64.h"
#include "src/planner/rates.h"
#include "src/strips/sliced.h"

/* The part of that list that runs in a way's next launch. */
static void find_listed(const rhomb__sweeps *s, int64_t launch, rhomb__sweep_way *way,
                        int64_t *first, int64_t *end)
{
    const rhomb__sweep *sweep = &s->shares[0].sweep;
    rhomb__sweep_active(sweep, s->records, launch, &way->first_active, &way->end_active);
    *first = way->first_listed +
             way->directions * rhomb__strips_owned(&sweep->chunks, s->owner, way->first_active);
    *end = way->first_listed +
           way->directions * rhomb__strips_owned(&sweep->chunks, s->owner, way->end_active);
}

/* Set once for all launches: all arguments but the list's beginning and the launch's index. */
enum { FIRST_LISTED = 7, LAUNCH, STEPS };

static double cells_of_group(const rhomb__sweep *sweep)
{
    return (double)sweep->strip_rows * (double)sweep->shape.steps * RHOMB__BLOCK_COLUMNS;
}

/* What a launch of so many groups takes by the device's rate, with few planes. */
static double seconds_of(const rhomb__sweeps *s, int64_t groups)
{
    const rhomb__sweep *sweep = &s->shares[0].sweep;
    const rhomb__strip_shape *shape = &sweep->shape;
    const double rate = s->stream->device->rates.values.sweep_cells_per_second;
    return (double)groups * cells_of_group(sweep) /
           rhomb__sweep_rate(rate, shape->sliced ? &shape->costs : NULL, 2, (int32_t)shape->words);
}

/*
 * What a launch takes by the device's rates, however few groups it has: a band has fewer strips at
 * both ends than in its middle.
 */
static double seconds_of_launch(const rhomb__sweeps *s, int64_t groups)
{
    const double block = s->stream->device->rates.values.sweep_block_seconds;
    const double least = (double)s->shares[0].sweep.shape.steps * block;
    const double busy = seconds_of(s, groups);
    return groups == 0 ? 0 : busy > least ? busy : least;
}

/* The same of all launches of the set. */
static double seconds_of_all(const rhomb__sweeps *s)
{
    rhomb__sweep_way ways[2] = {s->ways[0], s->ways[1]};
    int64_t first = 0, end = 0;
    double seconds = 0;
    for (int64_t i = 0; i < s->all_launches; i++) {
        for (int32_t w = 0; w < s->way_count; w++) {
            if (s->count == 1)
                find_listed(s, i, &ways[w], &first, &end);
            seconds += seconds_of_launch(s, s->count == 1 ? end - first : s->counts[i]);
        }
    }
    return seconds;
}

/* The groups that a launch may have. */
static int64_t most_groups_of(const rhomb__sweeps *s)
{
    const double groups = RHOMB__LAUNCH_SECONDS / seconds_of(s, 1);
    const int64_t least = rhomb__max(s->stream->device->info.compute_units, 1);
    return groups < 0x1p40 ? rhomb__max((int64_t)groups, least) : INT64_C(1) << 40;
}

void rhomb__sweeps_pace_anew(rhomb__sweeps *s)
{
    for (int32_t i = 0; i < s->way_count; i++) {
        rhomb__pace_end(&s->ways[i].pace);
        s->ways[i].pace = rhomb__pace_begin(s->launches_per_second);
    }
}

rhomb_status rhomb__sweeps_begin(rhomb__sweeps *s, const rhomb__buffer *rows,
                                 const rhomb__buffer *columns)
{
    rhomb_status status = RHOMB_OK;
    const int32_t steps = (int32_t)s->shares[0].sweep.shape.steps;
    /* rhomb_bitparallel_sweep(rows, columns, down, across, carry, strips, listed, first_listed,
     *                         launch, steps) */
    const rhomb__argument arguments[] = {RHOMB__ARGUMENT(rows->handle),
                                         RHOMB__ARGUMENT(columns->handle),
                                         RHOMB__ARGUMENT(s->buffers[RHOMB__SWEEP_DOWN].handle),
                                         RHOMB__ARGUMENT(s->buffers[RHOMB__SWEEP_ACROSS].handle),
                                         RHOMB__ARGUMENT(s->buffers[RHOMB__SWEEP_CARRY].handle),
                                         RHOMB__ARGUMENT(s->buffers[RHOMB__SWEEP_STRIPS].handle),
                                         RHOMB__ARGUMENT(s->buffers[RHOMB__SWEEP_LISTED].handle)};
    RHOMB_TRY(rhomb__queue_arguments(s->stream, s->kernel, arguments, FIRST_LISTED));
    RHOMB_CL(s->stream, clSetKernelArg(s->kernel, STEPS, sizeof steps, &steps));
    s->most_groups = most_groups_of(s);
    s->all_seconds = seconds_of_all(s);
    s->enqueued_seconds = 0;
    s->fraction = 0;
    rhomb__sweeps_pace_anew(s);
    if (s->way_count > 1) /* the other queue needs what this one writes */
        RHOMB_TRY(rhomb__queue_finish(s->stream));
out:
    return status;
}

/* Lists the strips of the launches from `index` on, as many as there is room for. */
static rhomb_status list_strips(rhomb__sweeps *s, int64_t index)
{
    rhomb_status status = RHOMB_OK;
    const int64_t steps = s->shares[0].sweep.shape.steps;
    int64_t strips = s->counts[index];
    s->listed_from = index;
    s->listed_to = index + 1;
    while (s->listed_to < s->all_launches && strips + s->counts[s->listed_to] <= s->listed_room)
        strips += s->counts[s->listed_to++];
    rhomb__shares_list(s->records, s->totals.strips, steps, s->listed_from, s->listed_to, s->counts,
                       s->ends, s->listed);
    /* After the launches before, which may still read the old list. */
    if (strips > 0)
        RHOMB_TRY(rhomb__buffer_write(s->stream, &s->buffers[RHOMB__SWEEP_LISTED],
                                      strips * sizeof *s->listed, s->listed));
out:
    return status;
}

/*
 * Launches some groups of one step, and looks at the device now and then. Where it turns out to be
 * slower than its rates say, launches get fewer groups.
 */
static rhomb_status launch_groups(rhomb__sweeps *s, rhomb__sweep_way *way, int64_t groups,
                                  int64_t *behind)
{
    rhomb_status status = RHOMB_OK;
    int64_t waited = -1;
    RHOMB_TRY(rhomb__queue_launch(way->stream, s->kernel, groups, s->group_size));
    s->launches++;
    RHOMB_TRY(rhomb__pace_launched(way->stream, &way->pace, seconds_of(s, groups), &waited));
    if (waited < 0)
        return RHOMB_OK;
    *behind = waited;
    s->launches_per_second = way->pace.launches_per_second;
    if (s->launches_per_second > 0 && s->launches_per_second * RHOMB__LAUNCH_SECONDS < 1)
        s->most_groups =
            rhomb__max(s->most_groups / 2, rhomb__max(s->stream->device->info.compute_units, 1));
out:
    return status;
}

/* Launches one step of the strips [first, end) of the list. */
static rhomb_status launch_listed(rhomb__sweeps *s, rhomb__sweep_way *way, int64_t index,
                                  int64_t first, int64_t end, int64_t *behind)
{
    rhomb_status status = RHOMB_OK;
    if (first >= end)
        return RHOMB_OK;
    RHOMB_CL(way->stream, clSetKernelArg(s->kernel, LAUNCH, sizeof index, &index));
    while (first < end) {
        const int64_t groups = rhomb__min(end - first, s->most_groups);
        RHOMB_CL(way->stream, clSetKernelArg(s->kernel, FIRST_LISTED, sizeof first, &first));
        RHOMB_TRY(launch_groups(s, way, groups, behind));
        first += groups;
    }
out:
    return status;
}

/* The part of the list on the device that a way's launch has. */
static rhomb_status find_strips(rhomb__sweeps *s, rhomb__sweep_way *way, int64_t index,
                                int64_t *first, int64_t *end)
{
    rhomb_status status = RHOMB_OK;
    if (s->count == 1) {
        find_listed(s, index, way, first, end);
        return RHOMB_OK;
    }
    if (index >= s->listed_to)
        RHOMB_TRY(list_strips(s, index));
    *end = s->ends[index - s->listed_from];
    *first = *end - s->counts[index];
out:
    return status;
}

static rhomb_status step_way(rhomb__sweeps *s, rhomb__sweep_way *way, int64_t index,
                             int64_t *behind)
{
    rhomb_status status = RHOMB_OK;
    const bool is_shared = s->count == 1 && rhomb__chunks_are_shared(&s->shares[0].sweep.chunks);
    int64_t first = 0, end = 0;
    if (is_shared)
        RHOMB_TRY(rhomb__borders_take(&way->borders, way->before, index));
    RHOMB_TRY(find_strips(s, way, index, &first, &end));
    s->enqueued_seconds += seconds_of_launch(s, end - first);
    RHOMB_TRY(launch_listed(s, way, index, first, end, behind));
    if (*behind >= 0)
        s->behind_seconds = (double)(*behind * s->way_count) *
                            seconds_of_launch(s, rhomb__min(end - first, s->most_groups));
    if (is_shared)
        RHOMB_TRY(rhomb__borders_give(&way->borders, index));
    if (is_shared || s->way_count > 1) /* others wait for it, or should run beside it */
        RHOMB_CL(way->stream, clFlush(way->stream->queue));
out:
    return status;
}

/* What has failed in the second way's queue becomes the device's. */
static rhomb_status take_error(rhomb__sweeps *s, rhomb_status status)
{
    const rhomb__error *error = &s->ways[1].own.error;
    if (status != RHOMB_OK && error->status != RHOMB_OK)
        rhomb__fail(&s->stream->error, status, "%s", rhomb__error_text(error));
    return status;
}

rhomb_status rhomb__sweeps_step(rhomb__sweeps *s, int64_t *behind)
{
    rhomb_status status = RHOMB_OK;
    const int64_t index = s->next_launch++;
    for (int32_t i = 0; i < s->way_count; i++) {
        int64_t waited = -1;
        RHOMB_TRY(step_way(s, &s->ways[i], index, &waited));
        *behind = waited >= 0 ? waited : *behind;
    }
out:
    return take_error(s, status);
}

rhomb_status rhomb__sweeps_would_wait(rhomb__sweeps *s, bool *waits)
{
    rhomb_status status = RHOMB_OK;
    *waits = false;
    for (int32_t i = 0; i < s->way_count; i++) {
        bool way_waits = false;
        RHOMB_TRY(rhomb__borders_would_wait(&s->ways[i].borders, s->next_launch, &way_waits));
        *waits = *waits || way_waits;
    }
out:
    return take_error(s, status);
}

rhomb_status rhomb__sweeps_wait(rhomb__sweeps *s)
{
    rhomb_status status = RHOMB_OK;
    for (int32_t i = 0; i < s->way_count; i++)
        RHOMB_TRY(rhomb__queue_finish(s->ways[i].stream));
out:
    return take_error(s, status);
}

rhomb_status rhomb__sweeps_tell_end(rhomb__sweeps *s)
{
    rhomb_status status = RHOMB_OK;
    for (int32_t i = 0; i < s->way_count; i++) {
        const rhomb_status told = rhomb__borders_tell_end(&s->ways[i].borders);
        status = status == RHOMB_OK ? told : status;
    }
    return take_error(s, status);
}

rhomb_status rhomb__sweeps_take_rest(rhomb__sweeps *s)
{
    rhomb_status status = RHOMB_OK;
    for (int32_t i = 0; i < s->way_count; i++) {
        const rhomb_status taken = rhomb__borders_take_rest(&s->ways[i].borders);
        status = status == RHOMB_OK ? taken : status;
    }
    return take_error(s, status);
}

/* The fraction while the last launches run. */
#define ALMOST 0.999

double rhomb__sweeps_fraction(rhomb__sweeps *s)
{
    const double done = s->enqueued_seconds - s->behind_seconds;
    const double fraction = done > 0 && done < s->all_seconds ? done / s->all_seconds : done > 0;
    if (fraction > s->fraction)
        s->fraction = fraction < ALMOST ? fraction : ALMOST;
    return s->fraction;
}

rhomb_status rhomb__sweeps_advance(rhomb__sweeps *s, double *fraction)
{
    rhomb_status status = RHOMB_OK;
    int64_t behind = -1;
    while (behind < 0 && s->next_launch < s->all_launches)
        RHOMB_TRY(rhomb__sweeps_step(s, &behind));
    if (behind < 0)
        RHOMB_TRY(rhomb__sweeps_wait(s));
    *fraction = behind < 0 ? 1 : rhomb__sweeps_fraction(s);
out:
    return status;
}
