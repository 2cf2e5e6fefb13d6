/* SPDX-License-Identifier: MIT */
/*
 * Which member of a crew has which jobs of a round, see crew_round.h.
 */
#include "host/divide/crew_round.h"

#include "host/device/context.h"
#include "src/base/int64.h"

#include <stdlib.h>

rhomb_status rhomb__crew_make_job(rhomb__crew *crew, int64_t most, rhomb__crew_job *job)
{
    const size_t room = (size_t)rhomb__max(most, 1);
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
    for (int32_t i = 0; i < RHOMB__CREW_JOBS + RHOMB_MOST_DEVICES; i++) {
        rhomb__crew_job *job = &crew->jobs[i];
        rhomb__saved_close(job->saved);
        free(job->places);
        free(job->subproblems);
        free(job->breakpoints);
        *job = (rhomb__crew_job){.count = 0};
    }
    for (int32_t i = 0; i < crew->count; i++)
        crew->members[i].job_count = 0;
    crew->saved_count = 0;
}

/* What is dealt: a saved job, or a subproblem at a place; and what it takes on the first device. */
typedef struct piece {
    double seconds;
    int64_t place;
    rhomb__crew_job *job; /* NULL: a subproblem */
} piece;

static int by_seconds(const void *x, const void *y)
{
    const piece *a = x, *b = y;
    if ((a->job == NULL) != (b->job == NULL)) /* they go on first */
        return a->job != NULL ? -1 : 1;
    if (a->seconds != b->seconds)
        return a->seconds > b->seconds ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

static double seconds_on(const rhomb__crew_member *m, const piece *p)
{
    const rhomb__crew_round *round = m->crew->round;
    const rhomb_rates *rates = &m->ctx->stream.device->rates.values;
    double seconds = p->job == NULL ? round->seconds(rates, &round->subproblems[p->place]) : 0;
    for (int64_t i = 0; p->job != NULL && i < p->job->count; i++)
        seconds += round->seconds(rates, &p->job->subproblems[i]);
    return seconds;
}

/* The member that would be done with a piece first gets it. */
static void deal_piece(rhomb__crew *crew, const piece *p)
{
    rhomb__crew_member *best = &crew->members[0];
    double least = best->seconds + p->seconds;
    for (int32_t d = 1; d < crew->count; d++) {
        rhomb__crew_member *m = &crew->members[d];
        const double then = m->seconds + seconds_on(m, p);
        if (then < least) {
            least = then;
            best = m;
        }
    }
    best->seconds = least;
    if (p->job != NULL) {
        best->jobs[best->job_count++] = p->job;
        return;
    }
    rhomb__crew_job *job = &crew->jobs[crew->saved_count + best->index];
    job->places[job->count] = p->place;
    job->subproblems[job->count++] = crew->round->subproblems[p->place];
}

/* The saved jobs, and all other subproblems that are not known. */
static int64_t list_pieces(rhomb__crew *crew, piece *pieces)
{
    int64_t count = 0;
    for (int32_t i = 0; i < crew->saved_count; i++) {
        rhomb__crew_job *job = &crew->jobs[i];
        pieces[count++] = (piece){0, i, job};
        for (int64_t k = 0; k < job->count; k++)
            crew->is_known[job->places[k]] = true; /* for this list */
    }
    for (int64_t i = 0; i < crew->round->count; i++)
        if (!crew->is_known[i])
            pieces[count++] = (piece){0, i, NULL};
    for (int32_t i = 0; i < crew->saved_count; i++) {
        for (int64_t k = 0; k < crew->jobs[i].count; k++)
            crew->is_known[crew->jobs[i].places[k]] = false;
    }
    for (int64_t i = 0; i < count; i++)
        pieces[i].seconds = seconds_on(&crew->members[0], &pieces[i]);
    if (crew->count > 1) /* one device does all of them, in any order */
        qsort(pieces, (size_t)count, sizeof *pieces, by_seconds);
    return count;
}

rhomb_status rhomb__crew_deal(rhomb__crew *crew)
{
    rhomb_status status = RHOMB_OK;
    const size_t most = (size_t)(crew->round->count + crew->saved_count) + 1;
    piece *pieces = malloc(most * sizeof *pieces);
    if (pieces == NULL) {
        status = rhomb__fail_memory(&crew->aligner->ctx->stream.error, most * sizeof *pieces,
                                    "the subproblems of devices");
        goto out;
    }
    const int64_t count = list_pieces(crew, pieces);
    for (int32_t d = 0; d < crew->count; d++) {
        RHOMB_TRY(rhomb__crew_make_job(crew, count, &crew->jobs[crew->saved_count + d]));
        crew->members[d].seconds = 0;
    }
    for (int64_t i = 0; i < count; i++)
        deal_piece(crew, &pieces[i]);
    for (int32_t d = 0; d < crew->count; d++) {
        rhomb__crew_member *m = &crew->members[d];
        rhomb__crew_job *job = &crew->jobs[crew->saved_count + d];
        if (job->count > 0)
            m->jobs[m->job_count++] = job;
    }
out:
    free(pieces);
    return status;
}
