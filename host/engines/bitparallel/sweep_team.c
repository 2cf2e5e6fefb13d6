/* SPDX-License-Identifier: MIT */
/*
 * Sweeps on several devices, see sweep_team.h.
 */
#include "host/engines/bitparallel/sweep_team.h"

#include "host/device/context.h"
#include "host/device/each.h"
#include "host/engines/bitparallel/remote_sweep.h"
#include "src/base/clock.h"
#include "src/base/int64.h"
#include "src/strips/strips_chunks.h"
#include "src/strips/strips_model.h"

#include <stdlib.h>

/*
 * The error of a member, or of its second way, becomes the caller's where the first device has none
 * of its own; but not that of a rank that was stopped by another one.
 */
static rhomb_status adopt(rhomb__sweep_team *team, rhomb_status status)
{
    const rhomb_status first = team->ctx->stream.error.status;
    if (first != RHOMB_OK && first != RHOMB_ERR_CANCELLED)
        return status;
    for (int32_t i = 0; i < team->count && status != RHOMB_OK; i++) {
        const rhomb__error *const errors[] = {&team->members[i].stream->error,
                                              &team->members[i].ways[1].own.error};
        for (int k = 0; k < 2; k++) {
            const rhomb_status own = errors[k]->status;
            if (own != RHOMB_OK && own != RHOMB_ERR_CANCELLED && (i > 0 || k > 0))
                return rhomb__pass_error(team->ctx, i, own, rhomb__error_text(errors[k]));
        }
    }
    return status;
}

/* Whether other ranks run the sweep. */
static bool has_ranks(const rhomb__sweep_team *team)
{
    return team->running > 1 && team->members[1].rank != NULL;
}

static rhomb_status open_member(rhomb__sweep_team *team, int32_t index, rhomb_context *ctx,
                                const rhomb__programs *programs)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__plan *plan = team->problem->plan;
    rhomb__sweeps *member = &team->members[index];
    member->stream = &ctx->stream;
    member->owner = index;
    team->count = index + 1;
    if (ctx->remote != NULL) {
        member->rank = ctx;
        member->group_size = plan->sweep.group_size;
        return rhomb__remote_sweep_open(ctx, team->problem->partners[index - 1].slot);
    }
    RHOMB_TRY(rhomb__sweeps_use_plan(member, programs->solve, plan));
    if (team->problem->partner_count > 0)
        RHOMB_TRY(rhomb__borders_program(ctx, &team->borders[index]));
out:
    return status;
}

rhomb_status rhomb__team_open(rhomb__sweep_team *team, rhomb_context *ctx,
                              const rhomb__programs *programs, const rhomb__problem *problem)
{
    rhomb_status status = RHOMB_OK;
    team->ctx = ctx;
    team->problem = problem;
    RHOMB_TRY(open_member(team, 0, ctx, programs));
    for (int32_t i = 0; i < problem->partner_count; i++)
        RHOMB_TRY(
            open_member(team, i + 1, problem->partners[i].ctx, &problem->partners[i].programs));
out:
    return adopt(team, status);
}

rhomb__strip_chunks rhomb__team_chunks(const rhomb_context *ctx, const rhomb__plan *plan,
                                       const rhomb_options *options, const rhomb__sweep *sweep,
                                       int64_t bound)
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
static rhomb_status join_member(rhomb__sweep_team *team, int32_t index, int64_t job)
{
    const int32_t before = (index + team->running - 1) % team->running;
    const int32_t next = (index + 1) % team->running;
    rhomb__sweeps_joint joint = {.job = job, .program = team->borders[index]};
    if (team->members[before].rank != NULL)
        joint.last = &team->members[before].rank->remote->link;
    else
        joint.before = &team->members[before];
    if (team->members[next].rank != NULL)
        joint.next = &team->members[next].rank->remote->link;
    return rhomb__sweeps_join(&team->members[index], &joint);
}

/* Prepares a member that is another rank's, which also needs room for its records. */
static rhomb_status prepare_remote(rhomb__sweep_team *team, int32_t index,
                                   rhomb__sweep_share *share, int64_t job)
{
    rhomb__sweeps *member = &team->members[index];
    const int64_t bytes = rhomb__sweep_records(&share->sweep) * (int64_t)sizeof *member->answers;
    member->shares = share;
    member->count = 1;
    member->totals = team->members[0].totals;
    free(member->host);
    member->host = malloc((size_t)bytes);
    member->answers = (rhomb_strip *)(void *)member->host;
    if (member->host == NULL)
        return rhomb__fail_memory(&team->ctx->stream.error, (size_t)bytes, "the strips of sweeps");
    return rhomb__remote_sweep_prepare(member, job);
}

rhomb_status rhomb__team_prepare(rhomb__sweep_team *team, rhomb__sweep_share *share)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__problem *problem = team->problem;
    share->sweep.chunks = (rhomb__strip_chunks){.owners = 1};
    if (team->count > 1)
        share->sweep.chunks = rhomb__team_chunks(team->ctx, problem->plan, problem->options,
                                                 &share->sweep, share->bound);
    team->running = share->sweep.chunks.owners;
    bool one_way = false;
    for (int32_t i = 0; i < team->running; i++)
        one_way = one_way || !rhomb__sweeps_can_overlap(&team->members[i], share);
    const int64_t job = has_ranks(team) ? ++team->members[1].rank->remote->jobs : 0;
    for (int32_t i = 0; i < team->running; i++) {
        team->members[i].one_way = one_way;
        if (team->members[i].rank != NULL)
            RHOMB_TRY(prepare_remote(team, i, share, job));
        else
            RHOMB_TRY(rhomb__sweeps_prepare(&team->members[i], share, 1, NULL));
    }
    for (int32_t i = 0; i < team->running && team->running > 1; i++) {
        if (team->members[i].rank == NULL)
            RHOMB_TRY(join_member(team, i, job));
    }
out:
    return adopt(team, status);
}

/*
 * Ends the sweep on the ranks that run it, after the last launch or before it: they have ended,
 * too, on return. The first failure counts.
 */
static rhomb_status end_ranks(rhomb__sweep_team *team, bool is_done)
{
    rhomb_status status = RHOMB_OK;
    if (!has_ranks(team))
        return RHOMB_OK;
    for (int32_t i = 1; i < team->running && !is_done; i++)
        (void)rhomb__remote_sweep_stop(&team->members[i]); /* one that is lost has no reply */
    for (int32_t i = 1; i < team->running; i++) {
        const rhomb_status waited = rhomb__remote_sweep_wait(&team->members[i]);
        if (status == RHOMB_OK || status == RHOMB_ERR_CANCELLED)
            status = waited != RHOMB_OK ? waited : status;
    }
    const rhomb_status ended = rhomb__remote_sweeps_end(team->members, team->running);
    return status == RHOMB_OK ? ended : status;
}

/*
 * A sweep that has failed here: the ranks end it, too. Where one of them was the cause, its error
 * is that of the call.
 */
static rhomb_status break_off(rhomb__sweep_team *team, rhomb_status status)
{
    const rhomb_status ended = end_ranks(team, false);
    return status == RHOMB_ERR_CANCELLED && ended != RHOMB_OK ? ended : status;
}

rhomb_status rhomb__team_begin(rhomb__sweep_team *team)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__problem *problem = team->problem;
    for (int32_t i = 0; i < team->running; i++) {
        const rhomb__partner *partner = i > 0 ? &problem->partners[i - 1] : NULL;
        if (team->members[i].rank == NULL)
            RHOMB_TRY(rhomb__sweeps_begin(&team->members[i],
                                          partner != NULL ? &partner->query : problem->query,
                                          partner != NULL ? &partner->target : problem->target));
    }
    for (int32_t i = 1; i < team->running && has_ranks(team); i++)
        RHOMB_TRY(rhomb__remote_sweep_run(&team->members[i]));
    team->earlier = 0;
    team->began = rhomb__now();
out:
    return adopt(team, status == RHOMB_OK ? RHOMB_OK : break_off(team, status));
}

rhomb_status rhomb__team_advance(rhomb__sweep_team *team, double *fraction)
{
    rhomb_status status = RHOMB_OK;
    rhomb__sweeps *first = &team->members[0];
    if (team->running == 1)
        return adopt(team, rhomb__sweeps_advance(first, fraction));
    bool waited = false;
    while (!waited && first->next_launch < first->all_launches) {
        for (int32_t i = 0; i < team->running; i++) {
            int64_t behind = -1;
            if (team->members[i].rank != NULL)
                continue;
            RHOMB_TRY(rhomb__sweeps_step(&team->members[i], &behind));
            waited = waited || behind >= 0;
        }
    }
    for (int32_t i = 0; i < team->running && !waited; i++) {
        if (team->members[i].rank == NULL)
            RHOMB_TRY(rhomb__sweeps_wait(&team->members[i]));
    }
    *fraction = waited ? rhomb__sweeps_fraction(first) : 1;
out:
    return adopt(team, status == RHOMB_OK ? RHOMB_OK : break_off(team, status));
}

/* Counts a member's part of a sweep that is done. */
static void count_part(rhomb__sweep_team *team, int32_t index, int64_t cells)
{
    team->cells[index] += cells;
    team->counted[index] += (double)cells * (1 - team->earlier);
    team->seconds[index] += rhomb__now() - team->began;
}

rhomb_status rhomb__team_finish(rhomb__sweep_team *team)
{
    rhomb_status status = RHOMB_OK;
    rhomb__sweeps *first = &team->members[0];
    if (team->running == 1) {
        const int64_t before = first->cells;
        RHOMB_TRY(rhomb__sweeps_finish(first));
        count_part(team, 0, first->cells - before);
        return RHOMB_OK;
    }
    team->has_shared = true;
    RHOMB_TRY(end_ranks(team, true));
    for (int32_t i = 0; i < team->running; i++)
        RHOMB_TRY(rhomb__sweeps_read_records(&team->members[i]));
    RHOMB_TRY(rhomb__sweeps_take_records(first, team->members));
    for (int32_t i = 0; i < team->running; i++)
        count_part(team, i, rhomb__sweep_cells_of(&first->shares[0].sweep, first->records, i));
    for (int32_t i = 0; i < team->running; i++)
        RHOMB_TRY(rhomb__sweeps_read_middle(&team->members[i], first));
    rhomb__sweeps_find(first);
out:
    return adopt(team, status);
}

/* Whether the running sweep has more than counts in a checkpoint. */
static bool is_kept(rhomb__sweep_team *team)
{
    const rhomb__sweeps *first = &team->members[0];
    const bool is_kept =
        team->kept.next_launch != 0 && !rhomb__chunks_are_shared(&first->shares[0].sweep.chunks);
    rhomb__sweeps_bytes(&first->shares[0].sweep, &first->totals, team->kept_bytes);
    for (int i = 0; i < RHOMB__SWEEP_BUFFERS && !is_kept; i++)
        team->kept_bytes[i] = -1;
    return is_kept;
}

rhomb_status rhomb__team_pause(rhomb__sweep_team *team)
{
    rhomb_status status = RHOMB_OK;
    rhomb__sweeps *first = &team->members[0];
    rhomb__kept_sweep *kept = &team->kept;
    team->paused = rhomb__now();
    kept->next_launch = first->next_launch;
    if (is_kept(team))
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
    for (int32_t i = 0; i < team->count; i++)
        kept->launches += team->members[i].launches;
out:
    return adopt(team, status);
}

rhomb_status rhomb__team_take_up(rhomb__sweep_team *team, const rhomb__saved *saved)
{
    rhomb__sweeps *first = &team->members[0];
    const rhomb__kept_sweep *kept = &team->kept;
    first->cells = kept->cells;
    first->launches = kept->launches;
    first->reads = kept->reads;
    if (!is_kept(team)) {
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
    team->earlier = kept->fraction;
    return RHOMB_OK;
}

void rhomb__team_go_on(rhomb__sweep_team *team)
{
    if (team->kept.next_launch > 0)
        rhomb__sweeps_pace_anew(&team->members[0]);
    team->began += team->paused > 0 ? rhomb__now() - team->paused : 0;
    team->paused = 0;
}

void rhomb__team_release(rhomb__sweep_team *team)
{
    (void)break_off(team, RHOMB_OK);
    for (int32_t i = 0; i < team->count; i++) {
        if (team->members[i].rank != NULL)
            rhomb__remote_sweep_close(team->members[i].rank);
    }
    for (int32_t i = 0; i < team->count; i++) /* none uses what another one owns after this */
        rhomb__sweeps_stop(&team->members[i]);
    for (int32_t i = 0; i < team->count; i++)
        rhomb__sweeps_release(&team->members[i]);
    team->count = 0;
}

void rhomb__team_report(const rhomb__sweep_team *team, rhomb__solution *solution)
{
    solution->cells = team->members[0].cells;
    solution->reads = team->members[0].reads;
    solution->launches = 0;
    solution->share_count = team->has_shared ? team->count : 0;
    for (int32_t i = 0; i < team->count; i++) {
        const rhomb__sweeps *member = &team->members[i];
        rhomb_device_share *share = &solution->shares[i];
        solution->launches += member->launches;
        *share = (rhomb_device_share){.cells = team->cells[i]};
        for (int w = 0; w < 2; w++) {
            const rhomb__border_work *work = &member->ways[w].borders.work;
            share->bytes_sent += work->bytes_sent;
            share->seconds_waited += work->seconds_waited;
            share->seconds_idle += work->seconds_idle;
        }
        const double queues = team->members[0].way_count > 1 ? 2 : 1; /* the same on all */
        const double busy = team->seconds[i] - share->seconds_idle / queues;
        share->cells_per_second = busy > 0 ? team->counted[i] / busy : 0;
    }
}
