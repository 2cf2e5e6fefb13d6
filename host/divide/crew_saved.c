/* SPDX-License-Identifier: MIT */
/*
 * A round that runs, in a checkpoint (crew.h): after what the aligner has of the path, the places
 * and breakpoints of what is known, and for each job that has begun its places and what the split
 * has saved, in sections whose names begin with the job's character.
 */
#include "host/divide/crew_round.h"

#include "host/device/context.h"

#include <stdlib.h>
#include <string.h>

#define ROUND "round"
#define KNOWN "known"
#define LIST  "list"

/* A place, and the breakpoint there as four numbers. */
enum { NUMBERS = 5 };

/* What a checkpoint has of a round in numbers. */
typedef struct extent {
    int32_t means;
    int64_t count;
    int64_t known;
    int64_t cells;
} extent;

static void list_fields(extent *e, rhomb__fields *fields)
{
    rhomb__field_int32(fields, &e->means);
    rhomb__field_int64(fields, &e->count);
    rhomb__field_int64(fields, &e->known);
    rhomb__field_int64(fields, &e->cells);
}

int32_t rhomb__crew_saved_means(const rhomb__saved *saved)
{
    rhomb__error unused = {RHOMB_OK, NULL, ""};
    rhomb__fields fields;
    extent e = {.means = RHOMB__NOT_SAVED};
    int64_t bytes = 0;
    if (rhomb__saved_section(saved, ROUND, &bytes) == NULL)
        return RHOMB__NOT_SAVED;
    if (rhomb__fields_restore(&fields, &unused, saved, ROUND) == RHOMB_OK)
        list_fields(&e, &fields);
    rhomb__error_clear(&unused);
    return e.means;
}

static int64_t count_known(const rhomb__crew *crew)
{
    int64_t known = 0;
    for (int64_t i = 0; i < crew->round->count; i++)
        known += crew->is_known[i];
    return known;
}

static void save_known(const rhomb__crew *crew, int64_t known, rhomb__saver *saver)
{
    rhomb__saver_begin(saver, KNOWN, known * NUMBERS * (int64_t)sizeof(int64_t));
    for (int64_t i = 0; i < crew->round->count; i++) {
        int64_t numbers[NUMBERS] = {i};
        if (!crew->is_known[i])
            continue;
        rhomb__breakpoint_exchange(&crew->breakpoints[i], numbers + 1, true);
        rhomb__saver_add(saver, numbers, sizeof numbers);
    }
}

/* The saved jobs that nobody has begun; those that run get the prefixes after theirs. */
static int32_t count_waiting(const rhomb__crew *crew)
{
    int32_t waiting = 0;
    for (int32_t i = 0; i < crew->saved_count; i++)
        waiting += !crew->jobs[i].has_begun;
    return waiting;
}

/* Nobody changes what runs: all members have come. */
static int32_t count_running(const rhomb__crew *crew, int32_t members)
{
    int32_t running = 0;
    for (int32_t i = 0; i < members; i++)
        running += crew->members[i].running != NULL;
    return running;
}

rhomb__saver *rhomb__crew_begin_saving(void *user)
{
    rhomb__crew *crew = user;
    /* Where there are more jobs than prefixes, the file before stays. */
    rhomb__saver *saver = count_waiting(crew) + count_running(crew, crew->count) <= RHOMB__CREW_JOBS
                              ? rhomb__align_begin_saving(crew->aligner)
                              : NULL;
    rhomb__fields fields = {.is_saving = true};
    extent e = {crew->round->means, crew->round->count, count_known(crew), crew->known_cells};
    int32_t prefix = 0;
    if (saver == NULL)
        return NULL;
    list_fields(&e, &fields);
    rhomb__fields_save(&fields, saver, ROUND);
    save_known(crew, e.known, saver);
    for (int32_t i = 0; i < crew->saved_count; i++) {
        if (crew->jobs[i].has_begun)
            continue;
        rhomb__saver_prefix(saver, RHOMB__CREW_PREFIXES[prefix++]);
        rhomb__saved_copy(crew->jobs[i].saved, saver);
    }
    return saver;
}

/* Of a rhomb__split_keeper; `user` is the member. */
static rhomb__saver *begin(void *user)
{
    rhomb__crew_member *m = user;
    rhomb__crew *crew = m->crew;
    const rhomb__crew_job *job = m->running;
    rhomb__saver *saver = rhomb__turns_begin(&crew->turns, m->index);
    const int32_t prefix = count_waiting(crew) + count_running(crew, m->index);
    if (saver == NULL)
        return NULL;
    rhomb__saver_prefix(saver, RHOMB__CREW_PREFIXES[prefix]);
    rhomb__saver_section(saver, LIST, job->places, (size_t)job->count * sizeof *job->places);
    return saver;
}

static rhomb_status end(void *user, rhomb_status saved)
{
    rhomb__crew_member *m = user;
    return rhomb__turns_end(&m->crew->turns, m->index, &m->ctx->stream.error, saved);
}

static bool is_due(void *user)
{
    const rhomb__crew_member *m = user;
    return rhomb__turns_are_due(&m->crew->turns);
}

rhomb__split_keeper rhomb__crew_keeper(rhomb__crew_member *m, const rhomb__crew_job *job)
{
    if (m->crew->turns.checkpoint == NULL || m->crew->round->means == RHOMB__NOT_SAVED)
        return (rhomb__split_keeper){.user = NULL};
    return (rhomb__split_keeper){begin, end, is_due, m, job->saved};
}

/* Takes places and breakpoints over, of which each place comes once. */
static rhomb_status take_known(rhomb__crew *crew, const rhomb__saved *saved, const extent *e)
{
    rhomb_status status = RHOMB_OK;
    rhomb__error *error = &crew->aligner->ctx->stream.error;
    const void *known = NULL;
    RHOMB_TRY(rhomb__saved_need(error, saved, KNOWN, e->known * NUMBERS * (int64_t)sizeof(int64_t),
                                &known));
    for (int64_t i = 0; i < e->known; i++) {
        int64_t numbers[NUMBERS];
        memcpy(numbers, (const int64_t *)known + NUMBERS * i, sizeof numbers);
        const int64_t place = numbers[0];
        if (place < 0 || place >= e->count || crew->is_known[place]) {
            status = rhomb__saved_damaged(error, saved, "its breakpoints are of another round");
            goto out;
        }
        rhomb__breakpoint_exchange(&crew->breakpoints[place], numbers + 1, false);
        crew->is_known[place] = true;
    }
    crew->known_cells = e->cells;
out:
    return status;
}

/* Takes a job over, if there is one of this prefix. */
static rhomb_status take_job(rhomb__crew *crew, const rhomb__saved *saved, char prefix,
                             bool *is_listed)
{
    rhomb_status status = RHOMB_OK;
    rhomb__error *error = &crew->aligner->ctx->stream.error;
    rhomb__crew_job *job = &crew->jobs[crew->saved_count];
    int64_t bytes = 0;
    RHOMB_TRY(rhomb__saved_part(error, saved, prefix, &job->saved));
    const int64_t *places = rhomb__saved_section(job->saved, LIST, &bytes);
    if (places == NULL) {
        rhomb__saved_close(job->saved);
        job->saved = NULL;
        return RHOMB_OK;
    }
    crew->saved_count++;
    const int64_t count = bytes / (int64_t)sizeof *places;
    if (count < 1 || count > crew->round->count) {
        status = rhomb__saved_damaged(error, saved, "its jobs are of another round");
        goto out;
    }
    RHOMB_TRY(rhomb__crew_make_job(crew, count, job));
    for (; job->count < count; job->count++) {
        const int64_t place = places[job->count];
        if (place < 0 || place >= crew->round->count || crew->is_known[place] || is_listed[place]) {
            status = rhomb__saved_damaged(error, saved, "its jobs are of another round");
            goto out;
        }
        is_listed[place] = true;
        job->places[job->count] = place;
        job->subproblems[job->count] = crew->round->subproblems[place];
    }
out:
    return status;
}

rhomb_status rhomb__crew_restore(rhomb__crew *crew, const rhomb__saved *saved)
{
    rhomb_status status = RHOMB_OK;
    rhomb__error *error = &crew->aligner->ctx->stream.error;
    const size_t room = (size_t)crew->round->count + 1;
    rhomb__fields fields;
    extent e = {.means = RHOMB__NOT_SAVED};
    bool *is_listed = calloc(room, sizeof *is_listed);
    if (is_listed == NULL)
        return rhomb__fail_memory(error, room, "the subproblems of devices");
    RHOMB_TRY(rhomb__fields_restore(&fields, error, saved, ROUND));
    list_fields(&e, &fields);
    RHOMB_TRY(rhomb__fields_end(&fields, error, saved));
    if (e.count != crew->round->count || e.known < 0 || e.known > e.count) {
        status = rhomb__saved_damaged(error, saved, "its round is another one");
        goto out;
    }
    RHOMB_TRY(take_known(crew, saved, &e));
    for (const char *prefix = RHOMB__CREW_PREFIXES; *prefix != '\0'; prefix++)
        RHOMB_TRY(take_job(crew, saved, *prefix, is_listed));
out:
    free(is_listed);
    return status;
}
