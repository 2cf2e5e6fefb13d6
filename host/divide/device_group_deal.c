/* SPDX-License-Identifier: MIT */
/*
 * Which member of a device group has which subproblems of a round, see device_group.h.
 */
#include "host/divide/device_group.h"

#include "host/device/context.h"
#include "src/base/int64.h"

#include <stdlib.h>

static rhomb_status make_job(rhomb__device_group *group, rhomb__device_group_job *job)
{
    const size_t room = (size_t)rhomb__max(group->round->count, 1);
    job->places = malloc(room * sizeof *job->places);
    job->subproblems = malloc(room * sizeof *job->subproblems);
    job->breakpoints = malloc(room * sizeof *job->breakpoints);
    if (job->places != NULL && job->subproblems != NULL && job->breakpoints != NULL)
        return RHOMB_OK;
    return rhomb__fail_memory(&group->aligner->ctx->stream.error,
                              room * (sizeof *job->subproblems + sizeof *job->breakpoints),
                              "the subproblems of devices");
}

void rhomb__device_group_drop_jobs(rhomb__device_group *group)
{
    for (int32_t i = 0; i < group->count; i++) {
        rhomb__device_group_job *job = &group->members[i].job;
        free(job->places);
        free(job->subproblems);
        free(job->breakpoints);
        *job = (rhomb__device_group_job){.count = 0};
    }
}

/* What is dealt: a subproblem at a place, and what it takes on the first device. */
typedef struct part {
    double seconds;
    int64_t place;
} part;

static int by_seconds(const void *x, const void *y)
{
    const part *a = x, *b = y;
    if (a->seconds != b->seconds)
        return a->seconds > b->seconds ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

static double seconds_on(const rhomb__device_group_member *m, int64_t place)
{
    const rhomb__device_group_round *round = m->group->round;
    return round->seconds(&m->ctx->stream.device->rates.values, &round->subproblems[place]);
}

/* The member that would be done with a part first gets it. */
static void deal_part(rhomb__device_group *group, const part *p)
{
    rhomb__device_group_member *best = &group->members[0];
    double least = best->seconds + p->seconds;
    for (int32_t d = 1; d < group->count; d++) {
        rhomb__device_group_member *m = &group->members[d];
        const double then = m->seconds + seconds_on(m, p->place);
        if (then < least) {
            least = then;
            best = m;
        }
    }
    best->seconds = least;
    best->job.places[best->job.count] = p->place;
    best->job.subproblems[best->job.count++] = group->round->subproblems[p->place];
}

rhomb_status rhomb__device_group_deal(rhomb__device_group *group)
{
    rhomb_status status = RHOMB_OK;
    const int64_t count = group->round->count;
    const size_t bytes = ((size_t)count + 1) * sizeof(part);
    part *parts = malloc(bytes);
    if (parts == NULL)
        RHOMB_TRY(rhomb__fail_memory(&group->aligner->ctx->stream.error, bytes,
                                     "the subproblems of devices"));
    for (int64_t i = 0; i < count; i++)
        parts[i] = (part){seconds_on(&group->members[0], i), i};
    if (group->count > 1) /* one device does all of them, in any order */
        qsort(parts, (size_t)count, sizeof *parts, by_seconds);
    for (int32_t d = 0; d < group->count; d++) {
        RHOMB_TRY(make_job(group, &group->members[d].job));
        group->members[d].seconds = 0;
    }
    for (int64_t i = 0; i < count; i++)
        deal_part(group, &parts[i]);
out:
    free(parts);
    return status;
}
