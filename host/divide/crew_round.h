/* SPDX-License-Identifier: MIT */
/*
 * What the files of a crew (crew.h) share: the round that runs, as jobs of its members.
 */
#ifndef RHOMB_HOST_CREW_ROUND_H
#define RHOMB_HOST_CREW_ROUND_H

#include "host/divide/crew.h"
#include "host/divide/crew_turns.h"

#include <stdatomic.h>

/* Jobs that a checkpoint may have; a character there begins the names of each one's sections. */
#define RHOMB__CREW_PREFIXES "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
enum { RHOMB__CREW_JOBS = sizeof RHOMB__CREW_PREFIXES - 1 };

/* Subproblems of a round that a member splits in one call. */
typedef struct rhomb__crew_job {
    int64_t *places; /* in the round */
    rhomb_subproblem *subproblems;
    rhomb__breakpoint *breakpoints;
    int64_t count;
    rhomb__saved *saved; /* what an earlier run has left of it; NULL: it is new */
    bool has_begun;
} rhomb__crew_job;

/* A device, and its jobs of a round, one after the other. */
typedef struct rhomb__crew_member {
    rhomb__crew *crew;
    rhomb_context *ctx;
    int32_t index;
    int32_t device;              /* of those that the aligner's context has */
    rhomb__buffer target, query; /* the packed pair, where it is not the first device */
    rhomb__crew_job *jobs[RHOMB__CREW_JOBS + 1];
    int32_t job_count;
    const rhomb__crew_job *running;
    double seconds; /* of its jobs, by its rates */
    rhomb_status status;
} rhomb__crew_member;

struct rhomb__crew {
    rhomb__aligner *aligner;
    rhomb__crew_member members[RHOMB_MOST_DEVICES];
    int32_t count;
    atomic_bool stopped; /* by a failure, or by the caller */
    rhomb__turns turns;  /* their lock is for what members change of all below */
    bool has_turns;
    int64_t beside;     /* members that have a thread of their own, and ... */
    int64_t done;       /* ... members but the first that are done */
    rhomb__crew_fn *fn; /* that runs for all members */
    void *user;
    /* The round. */
    const rhomb__crew_round *round;
    rhomb__breakpoint *breakpoints; /* the caller's */
    bool *is_known;                 /* of these */
    int64_t known_cells;
    rhomb__crew_job jobs[RHOMB__CREW_JOBS + RHOMB_MOST_DEVICES]; /* saved ones first */
    int32_t saved_count; /* of these; after them a new one for each member */
};

/* Makes the jobs' arrays; RHOMB_ERR_MEMORY is recorded for the aligner. (crew_deal.c) */
rhomb_status rhomb__crew_make_job(rhomb__crew *crew, int64_t most, rhomb__crew_job *job);

/*
 * Gives the saved jobs to members, and makes and gives new ones of all other subproblems that are
 * not known. (crew_deal.c)
 */
rhomb_status rhomb__crew_deal(rhomb__crew *crew);

/* Forgets all jobs. (crew_deal.c) */
void rhomb__crew_drop_jobs(rhomb__crew *crew);

/*
 * Takes over what a checkpoint has of the round: what is known, and its saved jobs. RHOMB_ERR_INPUT
 * for one of another round. (crew_saved.c)
 */
rhomb_status rhomb__crew_restore(rhomb__crew *crew, const rhomb__saved *saved);

/* Begins a file with the round, but for the running jobs; `user` is the crew. (crew_saved.c) */
rhomb__saver *rhomb__crew_begin_saving(void *user);

/* Who keeps the splits of a member. (crew_saved.c) */
rhomb__split_keeper rhomb__crew_keeper(rhomb__crew_member *member, const rhomb__crew_job *job);

#endif
