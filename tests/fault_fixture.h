/* SPDX-License-Identifier: MIT */
/*
 * What the fault injection tests share: a pair that takes several launches, reads and sizes of the
 * columns, contexts without a program cache or with the tests' own, and a quick way to ask for the
 * distance.
 */
#ifndef RHOMB_FAULT_FIXTURE_H
#define RHOMB_FAULT_FIXTURE_H

#include "rhomb/scoring.h"
#include "rhomb/tuning.h"
#include "support/test.h"
#include "tests/reference/recurrences.h"

/*
 * What solves a pair: tiles that are small beside it, or sweeps of a band that gets wider.
 */
typedef enum fault_work {
    FAULT_TRAPEZOIDS,
    FAULT_DIAMONDS,
    FAULT_SWEEPS,
    FAULT_SLICED,      /* bit-sliced sweeps, for gap-affine costs */
    FAULT_AFFINE,      /* and the wavefront for them, whose offsets move to a larger place */
    FAULT_LONG_SWEEPS, /* of a longer pair: the engine looks at the device on the way */
    FAULT_FEW_CALLS    /* tiles so large that solving takes few calls */
} fault_work;

/* Which pair is solved, and how. */
typedef struct fault_job {
    const char *target;
    int64_t target_length;
    const char *query;
    int64_t query_length;
    int64_t distance;      /* by textbook dynamic programming */
    rhomb_scoring scoring; /* all 0: unit costs */
    rhomb_tuning tuning;
    rhomb_options options;
} fault_job;

/* A call's status and detail, kept beyond the context. */
typedef struct fault_result {
    rhomb_status status;
    int64_t distance; /* -2 where the call failed */
    char detail[8192];
} fault_result;

void fault_make_job(fault_job *job, fault_work work);

/* The penalty of a job's pair by its scoring. */
int64_t fault_penalty(const fault_job *job);

/* Random bases, and the numbers they are made from, the same in every run. */
uint32_t fault_random(uint32_t *state);
void fault_random_letters(char *letters, int64_t length);

/* Creates a context that keeps no programs. NULL when that fails. */
rhomb_context *fault_create_context(rhomb_status *status);

/*
 * One that keeps them in the tests' own cache. To store a program PoCL compiles each of its kernels
 * a second time, for groups of any size: for subjects that are about that.
 */
rhomb_context *fault_create_cached(rhomb_status *status);

/* Keeps the context's detail, which there is if and only if the call failed. */
void fault_keep_detail(const rhomb_context *ctx, fault_result *result);

/* rhomb_distance() of a job; checks that a failed call has left no result. */
void fault_solve(rhomb_context *ctx, const fault_job *job, fault_result *result);

/*
 * Whether the context that was created last has sent a message of level 1 that contains the text.
 *
 */
bool fault_logged(const char *text);

/* Set-up of a test: one that failed may have left a plan and handles. */
int fault_start_afresh(void **state);

/* Group set-up and tear-down: the folder of the cache. */
int fault_set_up(void **state);
int fault_tear_down(void **state);

/* Empties the cache, but leaves notes that were taken. */
void fault_clear_cache(void);

/* Moves the cache's files aside; and puts copies of them back into the emptied cache. */
void fault_take_notes(void);
void fault_put_notes_back(void);

/* Whether "auto" opens a device; says why not. */
bool fault_has_device(void);

/*
 * For fault_plan: a distance that could be, but is a few edits too large. Where the wavefront
 * computes its last launch again (one of each direction's fronts is as before column 0), the
 * directions do not meet.
 */
void fault_hide_meeting(void *data, size_t bytes);

/* Fails the test unless the detail contains the text. */
void fault_expect_detail(const fault_result *result, const char *text);

#endif
