/* SPDX-License-Identifier: MIT */
/*
 * Which member of a crew has which subproblems of a round, see crew_round.h.
 */
#include "host/divide/crew_round.h"

#include "host/device/context.h"
#include "src/base/int64.h"

#include <stdlib.h>

static rhomb_status make_job(rhomb__crew *crew, rhomb__crew_job *job)
{
    const size_t room = (size_t)rhomb__max(crew->round->count, 1);
    job->places = malloc(room * sizeof *job->places);
    job->subproblems = malloc(room * sizeof *job->subproblems);
    job->breakpoints = malloc(room * sizeof *job->breakpoints);
    if (job->places != NULL && job->subproblems != NULL && job->breakpoints != NULL)
        return RHOMB_OK;
    return rhomb__fail_memory(&crew->aligner->ctx->stream.error,
                              room * (sizeof *job->subproblems + sizeof *job->breakpoints),
                              "the subproblems of devices");
}

void rhomb__crew_drop_jobs(rhomb__crew *crew)
{
    for (int32_t i = 0; i < crew->count; i++) {
        rhomb__crew_job *job = &crew->members[i].job;
        free(job->places);
        free(job->subproblems);
        free(job->breakpoints);
        *job = (rhomb__crew_job){.count = 0};
    }
}

/* What is dealt: a subproblem at a place, and what it takes on the first device. */
typedef struct piece {
    double seconds;
    int64_t place;
} piece;

static int by_seconds(const void *x, const void *y)
{
    const piece *a = x, *b = y;
    if (a->seconds != b->seconds)
        return a->seconds > b->seconds ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

static double seconds_on(const rhomb__crew_member *m, int64_t place)
{
    const rhomb__crew_round *round = m->crew->round;
    return round->seconds(&m->ctx->stream.device->rates.values, &round->subproblems[place]);
}

/* The member that would be done with a piece first gets it. */
static void deal_piece(rhomb__crew *crew, const piece *p)
{
    rhomb__crew_member *best = &crew->members[0];
    double least = best->seconds + p->seconds;
    for (int32_t d = 1; d < crew->count; d++) {
        rhomb__crew_member *m = &crew->members[d];
        const double then = m->seconds + seconds_on(m, p->place);
        if (then < least) {
            least = then;
            best = m;
        }
    }
    best->seconds = least;
    best->job.places[best->job.count] = p->place;
    best->job.subproblems[best->job.count++] = crew->round->subproblems[p->place];
}

rhomb_status rhomb__crew_deal(rhomb__crew *crew)
{
    rhomb_status status = RHOMB_OK;
    const int64_t count = crew->round->count;
    const size_t bytes = ((size_t)count + 1) * sizeof(piece);
    piece *pieces = malloc(bytes);
    if (pieces == NULL)
        RHOMB_TRY(rhomb__fail_memory(&crew->aligner->ctx->stream.error, bytes,
                                     "the subproblems of devices"));
    for (int64_t i = 0; i < count; i++)
        pieces[i] = (piece){seconds_on(&crew->members[0], i), i};
    if (crew->count > 1) /* one device does all of them, in any order */
        qsort(pieces, (size_t)count, sizeof *pieces, by_seconds);
    for (int32_t d = 0; d < crew->count; d++) {
        RHOMB_TRY(make_job(crew, &crew->members[d].job));
        crew->members[d].seconds = 0;
    }
    for (int64_t i = 0; i < count; i++)
        deal_piece(crew, &pieces[i]);
out:
    free(pieces);
    return status;
}
