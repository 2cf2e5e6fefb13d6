/* SPDX-License-Identifier: MIT */
/*
 * Sweeps on several devices, see sweep_devices.h.
 */
#include "host/engines/bitparallel/sweep_devices.h"

#include "host/device/context.h"
#include "host/device/open.h"
#include "host/engines/bitparallel/remote_sweep.h"
#include "src/base/clock.h"
#include "src/base/int64.h"
#include "src/strips/strips.h"
#include "src/strips/strips_many.h"

#include <stdlib.h>

/*
 * The error of a member, or of its second way, becomes the caller's where the first device has none
 * of its own; but not that of a rank that was stopped by another one.
 */
static rhomb_status adopt(rhomb__sweep_devices *devices, rhomb_status status)
{
    const rhomb_status first = devices->ctx->stream.error.status;
    if (first != RHOMB_OK && first != RHOMB_ERR_CANCELLED)
        return status;
    for (int32_t i = 0; i < devices->count && status != RHOMB_OK; i++) {
        const rhomb__error *const errors[] = {&devices->members[i].stream->error,
                                              &devices->members[i].ways[1].own.error};
        for (int k = 0; k < 2; k++) {
            const rhomb_status own = errors[k]->status;
            if (own != RHOMB_OK && own != RHOMB_ERR_CANCELLED && (i > 0 || k > 0))
                return rhomb__pass_error(devices->ctx, i, own, rhomb__error_text(errors[k]));
        }
    }
    return status;
}

/* Whether other ranks run the sweep. */
static bool has_ranks(const rhomb__sweep_devices *devices)
{
    return devices->running > 1 && devices->members[1].rank != NULL;
}

static rhomb_status open_member(rhomb__sweep_devices *devices, int32_t index, rhomb_context *ctx,
                                const rhomb__programs *programs)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__plan *plan = devices->problem->plan;
    rhomb__sweeps *member = &devices->members[index];
    member->stream = &ctx->stream;
    member->owner = index;
    devices->count = index + 1;
    if (ctx->remote != NULL) {
        member->rank = ctx;
        member->group_size = plan->sweep.group_size;
        return rhomb__remote_sweep_open(ctx, devices->problem->partners[index - 1].slot);
    }
    RHOMB_TRY(rhomb__sweeps_use_plan(member, programs->solve, plan));
    if (devices->problem->partner_count > 0)
        RHOMB_TRY(rhomb__borders_program(ctx, &devices->borders[index]));
out:
    return status;
}

rhomb_status rhomb__sweep_devices_open(rhomb__sweep_devices *devices, rhomb_context *ctx,
                                       const rhomb__programs *programs,
                                       const rhomb__problem *problem)
{
    rhomb_status status = RHOMB_OK;
    devices->ctx = ctx;
    devices->problem = problem;
    RHOMB_TRY(open_member(devices, 0, ctx, programs));
    for (int32_t i = 0; i < problem->partner_count; i++)
        RHOMB_TRY(
            open_member(devices, i + 1, problem->partners[i].ctx, &problem->partners[i].programs));
out:
    return adopt(devices, status);
}

rhomb__strip_chunks rhomb__sweep_devices_chunks(const rhomb_context *ctx, const rhomb__plan *plan,
                                                const rhomb_options *options,
                                                const rhomb__sweep *sweep, int64_t bound)
{
    const rhomb__strip_chunks alone = {.owners = 1};
    const int64_t given = options->tuning->chunk_strips;
    const int64_t in_flight = rhomb__sweep_in_flight(sweep, bound);
    const int32_t owners = 1 + ctx->other_count;
    const double first = ctx->stream.device->rates.values.sweep_cells_per_second;
    double speeds[RHOMB_MOST_DEVICES] = {rhomb__plan_speed(plan)->cells_per_second};
    for (int32_t i = 1; i < owners; i++) {
        const rhomb__device *other = ctx->others[i - 1]->stream.device;
        speeds[i] = speeds[0] * other->rates.values.sweep_cells_per_second / first;
    }
    rhomb__strip_chunks chunks = rhomb__chunks_for(sweep, speeds, owners, in_flight);
    for (int32_t i = 0; i < owners && given > 0; i++)
        chunks.strips[i] = given;
    const bool pays = given > 0 || rhomb__sharing_pays(sweep, in_flight, speeds, &chunks,
                                                       plan->sweep.step_seconds);
    return owners > 1 && pays ? chunks : alone;
}

/* Joins a member of this process with the devices beside it. */
static rhomb_status join_member(rhomb__sweep_devices *devices, int32_t index, int64_t job)
{
    const int32_t before = (index + devices->running - 1) % devices->running;
    const int32_t next = (index + 1) % devices->running;
    rhomb__sweeps_joint joint = {.job = job, .program = devices->borders[index]};
    if (devices->members[before].rank != NULL)
        joint.last = &devices->members[before].rank->remote->link;
    else
        joint.before = &devices->members[before];
    if (devices->members[next].rank != NULL)
        joint.next = &devices->members[next].rank->remote->link;
    return rhomb__sweeps_join(&devices->members[index], &joint);
}

/* Prepares a member that is another rank's, which also needs room for its records. */
static rhomb_status prepare_remote(rhomb__sweep_devices *devices, int32_t index,
                                   rhomb__sweep_share *share, int64_t job)
{
    rhomb__sweeps *member = &devices->members[index];
    const int64_t bytes = rhomb__sweep_records(&share->sweep) * (int64_t)sizeof *member->answers;
    member->shares = share;
    member->count = 1;
    member->totals = devices->members[0].totals;
    free(member->host);
    member->host = malloc((size_t)bytes);
    member->answers = (rhomb_strip *)(void *)member->host;
    if (member->host == NULL)
        return rhomb__fail_memory(&devices->ctx->stream.error, (size_t)bytes,
                                  "the strips of sweeps");
    return rhomb__remote_sweep_prepare(member, job);
}

rhomb_status rhomb__sweep_devices_prepare(rhomb__sweep_devices *devices, rhomb__sweep_share *share)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__problem *problem = devices->problem;
    share->sweep.chunks = (rhomb__strip_chunks){.owners = 1};
    if (devices->count > 1)
        share->sweep.chunks = rhomb__sweep_devices_chunks(
            devices->ctx, problem->plan, problem->options, &share->sweep, share->bound);
    devices->running = share->sweep.chunks.owners;
    bool one_way = false;
    for (int32_t i = 0; i < devices->running; i++)
        one_way = one_way || !rhomb__sweeps_can_overlap(&devices->members[i], share);
    const int64_t job = has_ranks(devices) ? ++devices->members[1].rank->remote->jobs : 0;
    for (int32_t i = 0; i < devices->running; i++) {
        devices->members[i].one_way = one_way;
        if (devices->members[i].rank != NULL)
            RHOMB_TRY(prepare_remote(devices, i, share, job));
        else
            RHOMB_TRY(rhomb__sweeps_prepare(&devices->members[i], share, 1, NULL));
    }
    for (int32_t i = 0; i < devices->running && devices->running > 1; i++) {
        if (devices->members[i].rank == NULL)
            RHOMB_TRY(join_member(devices, i, job));
    }
out:
    return adopt(devices, status);
}

/*
 * Ends the sweep on the ranks that run it, after the last launch or before it: they have ended,
 * too, on return. The first failure counts.
 */
static rhomb_status end_ranks(rhomb__sweep_devices *devices, bool is_done)
{
    rhomb_status status = RHOMB_OK;
    if (!has_ranks(devices))
        return RHOMB_OK;
    for (int32_t i = 1; i < devices->running && !is_done; i++)
        (void)rhomb__remote_sweep_stop(&devices->members[i]); /* one that is lost has no reply */
    for (int32_t i = 1; i < devices->running; i++) {
        const rhomb_status waited = rhomb__remote_sweep_wait(&devices->members[i]);
        if (status == RHOMB_OK || status == RHOMB_ERR_CANCELLED)
            status = waited != RHOMB_OK ? waited : status;
    }
    const rhomb_status ended = rhomb__remote_sweeps_end(devices->members, devices->running);
    return status == RHOMB_OK ? ended : status;
}

/*
 * A sweep that has failed here: the ranks end it, too. Where one of them was the cause, its error
 * is that of the call.
 */
static rhomb_status break_off(rhomb__sweep_devices *devices, rhomb_status status)
{
    const rhomb_status ended = end_ranks(devices, false);
    return status == RHOMB_ERR_CANCELLED && ended != RHOMB_OK ? ended : status;
}

rhomb_status rhomb__sweep_devices_begin(rhomb__sweep_devices *devices)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__problem *problem = devices->problem;
    for (int32_t i = 0; i < devices->running; i++) {
        const rhomb__partner *partner = i > 0 ? &problem->partners[i - 1] : NULL;
        if (devices->members[i].rank == NULL)
            RHOMB_TRY(rhomb__sweeps_begin(&devices->members[i],
                                          partner != NULL ? &partner->query : problem->query,
                                          partner != NULL ? &partner->target : problem->target));
    }
    for (int32_t i = 1; i < devices->running && has_ranks(devices); i++)
        RHOMB_TRY(rhomb__remote_sweep_run(&devices->members[i]));
    devices->earlier = 0;
    devices->began = rhomb__now();
out:
    return adopt(devices, status == RHOMB_OK ? RHOMB_OK : break_off(devices, status));
}

rhomb_status rhomb__sweep_devices_advance(rhomb__sweep_devices *devices, double *fraction)
{
    rhomb_status status = RHOMB_OK;
    rhomb__sweeps *first = &devices->members[0];
    if (devices->running == 1)
        return adopt(devices, rhomb__sweeps_advance(first, fraction));
    bool waited = false;
    while (!waited && first->next_launch < first->all_launches) {
        for (int32_t i = 0; i < devices->running; i++) {
            int64_t behind = -1;
            if (devices->members[i].rank != NULL)
                continue;
            RHOMB_TRY(rhomb__sweeps_step(&devices->members[i], &behind));
            waited = waited || behind >= 0;
        }
    }
    for (int32_t i = 0; i < devices->running && !waited; i++) {
        if (devices->members[i].rank == NULL)
            RHOMB_TRY(rhomb__sweeps_wait(&devices->members[i]));
    }
    *fraction = waited ? rhomb__sweeps_fraction(first) : 1;
out:
    return adopt(devices, status == RHOMB_OK ? RHOMB_OK : break_off(devices, status));
}

/* Counts a member's part of a sweep that is done. */
static void count_part(rhomb__sweep_devices *devices, int32_t index, int64_t cells)
{
    devices->cells[index] += cells;
    devices->counted[index] += (double)cells * (1 - devices->earlier);
    devices->seconds[index] += rhomb__now() - devices->began;
}

rhomb_status rhomb__sweep_devices_finish(rhomb__sweep_devices *devices)
{
    rhomb_status status = RHOMB_OK;
    rhomb__sweeps *first = &devices->members[0];
    if (devices->running == 1) {
        const int64_t before = first->cells;
        RHOMB_TRY(rhomb__sweeps_finish(first));
        count_part(devices, 0, first->cells - before);
        return RHOMB_OK;
    }
    devices->has_shared = true;
    RHOMB_TRY(end_ranks(devices, true));
    for (int32_t i = 0; i < devices->running; i++)
        RHOMB_TRY(rhomb__sweeps_read_records(&devices->members[i]));
    RHOMB_TRY(rhomb__sweeps_take_records(first, devices->members));
    for (int32_t i = 0; i < devices->running; i++)
        count_part(devices, i, rhomb__sweep_cells_of(&first->shares[0].sweep, first->records, i));
    for (int32_t i = 0; i < devices->running; i++)
        RHOMB_TRY(rhomb__sweeps_read_middle(&devices->members[i], first));
    rhomb__sweeps_find(first);
out:
    return adopt(devices, status);
}

/* Whether the running sweep has more than counts in a checkpoint. */
static bool is_kept(rhomb__sweep_devices *devices)
{
    const rhomb__sweeps *first = &devices->members[0];
    const bool is_kept =
        devices->kept.next_launch != 0 && !rhomb__chunks_are_shared(&first->shares[0].sweep.chunks);
    rhomb__sweeps_bytes(&first->shares[0].sweep, &first->totals, devices->kept_bytes);
    for (int i = 0; i < RHOMB__SWEEP_BUFFERS && !is_kept; i++)
        devices->kept_bytes[i] = -1;
    return is_kept;
}

rhomb_status rhomb__sweep_devices_pause(rhomb__sweep_devices *devices)
{
    rhomb_status status = RHOMB_OK;
    rhomb__sweeps *first = &devices->members[0];
    rhomb__kept_sweep *kept = &devices->kept;
    devices->paused = rhomb__now();
    kept->next_launch = first->next_launch;
    if (is_kept(devices))
        RHOMB_TRY(rhomb__sweeps_wait(first));
    else
        kept->next_launch = 0;
    kept->all_launches = kept->next_launch > 0 ? first->all_launches : 0;
    kept->fraction = kept->next_launch > 0 && first->all_seconds > 0
                         ? first->enqueued_seconds / first->all_seconds
                         : 0;
    kept->cells = first->cells;
    kept->reads = first->reads;
    kept->launches = 0;
    for (int32_t i = 0; i < devices->count; i++)
        kept->launches += devices->members[i].launches;
out:
    return adopt(devices, status);
}

rhomb_status rhomb__sweep_devices_take_up(rhomb__sweep_devices *devices, const rhomb__saved *saved)
{
    rhomb__sweeps *first = &devices->members[0];
    const rhomb__kept_sweep *kept = &devices->kept;
    first->cells = kept->cells;
    first->launches = kept->launches;
    first->reads = kept->reads;
    if (!is_kept(devices)) {
        rhomb__log(first->stream, 1,
                   "goes on with the sweep for the bound %lld, from its beginning",
                   (long long)first->shares[0].bound);
        return RHOMB_OK;
    }
    if (kept->all_launches != first->all_launches || kept->next_launch < 0 ||
        kept->next_launch > first->all_launches)
        return rhomb__saved_damaged(&first->stream->error, saved,
                                    "its launches are those of another sweep");
    first->next_launch = kept->next_launch;
    first->enqueued_seconds = kept->fraction * first->all_seconds;
    devices->earlier = kept->fraction;
    return RHOMB_OK;
}

void rhomb__sweep_devices_go_on(rhomb__sweep_devices *devices)
{
    if (devices->kept.next_launch > 0)
        rhomb__sweeps_pace_anew(&devices->members[0]);
    devices->began += devices->paused > 0 ? rhomb__now() - devices->paused : 0;
    devices->paused = 0;
}

void rhomb__sweep_devices_release(rhomb__sweep_devices *devices)
{
    (void)break_off(devices, RHOMB_OK);
    for (int32_t i = 0; i < devices->count; i++) {
        if (devices->members[i].rank != NULL)
            rhomb__remote_sweep_close(devices->members[i].rank);
    }
    for (int32_t i = 0; i < devices->count; i++) /* none uses what another one owns after this */
        rhomb__sweeps_stop(&devices->members[i]);
    for (int32_t i = 0; i < devices->count; i++)
        rhomb__sweeps_release(&devices->members[i]);
    devices->count = 0;
}

void rhomb__sweep_devices_report(const rhomb__sweep_devices *devices, rhomb__solution *solution)
{
    solution->cells = devices->members[0].cells;
    solution->reads = devices->members[0].reads;
    solution->launches = 0;
    solution->share_count = devices->has_shared ? devices->count : 0;
    for (int32_t i = 0; i < devices->count; i++) {
        const rhomb__sweeps *member = &devices->members[i];
        rhomb_device_share *share = &solution->shares[i];
        solution->launches += member->launches;
        *share = (rhomb_device_share){.cells = devices->cells[i]};
        for (int w = 0; w < 2; w++) {
            const rhomb__border_work *work = &member->ways[w].borders.work;
            share->bytes_sent += work->bytes_sent;
            share->seconds_waited += work->seconds_waited;
            share->seconds_idle += work->seconds_idle;
        }
        const double queues = devices->members[0].way_count > 1 ? 2 : 1; /* the same on all */
        const double busy = devices->seconds[i] - share->seconds_idle / queues;
        share->cells_per_second = busy > 0 ? devices->counted[i] / busy : 0;
    }
}
