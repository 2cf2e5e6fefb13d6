/* SPDX-License-Identifier: MIT */
/*
 * The tester of all faults: whatever fails in our OpenCL (opencl/own_faults.h), or which allocation
 * of the library, a call returns the right status and names the culprit, nothing stays behind, and
 * the next one comes to the same as before.
 */
#ifndef RHOMB_FAULT_TESTER_H
#define RHOMB_FAULT_TESTER_H

#include "fault_subjects.h"
#include "opencl/own_faults.h"

/* What the tests' cache has of the programs before each run of a cached subject. */
typedef enum fault_cache {
    FAULT_CACHE_KEPT,
    FAULT_CACHE_EMPTY,
    FAULT_CACHE_NOTED /* that they were used once: they are stored at the next use */
} fault_cache;

/* What fails, one call after the other. */
typedef struct fault {
    const char *name;
    fault_plan plan;
    bool
        first_use; /* a context is made for each: opening, building and self-tests are part of it */
    bool is_allocation;  /* allocations and threads fail, while the plan holds */
    rhomb_status status; /* without a failure */
    fault_cache cache;
} fault;

/*
 * Fails calls of a subject until there is none that fails: in a warm context, whose runs come to
 * `sum`, or of first uses.
 */
void fault_fail(const fault_subject *s, const fault *f, rhomb_context *ctx, int64_t sum);

/* Whether each call fails (RHOMB_TEST_EACH_FAULT), else about every sixth. */
bool fault_is_slow(void);

/* The fault and the call of a test that has failed, else "". */
const char *fault_where(void);

/*
 * Lists the devices in a new context, opens, runs there, and destroys the context.
 */
void fault_first_use(const fault_subject *s, fault_result *result);

/* The same with the distance of a job; nothing stays behind. */
fault_outcome fault_first_solve(const fault_job *job, const fault_plan *plan, fault_result *result);

/* A context with an open device and all that a run leaves there; what the run came to. */
rhomb_context *fault_warm_context(const fault_subject *s, int64_t *sum);

/* Fails the test unless the detail has the text. */
void fault_expect_detail(const fault_result *result, const char *text);

/* After a run: nothing borrows memory, no handles but these are left. */
void fault_check_left(int64_t handles);

/* Counts from now on; the allocation of that number fails, 0: none. Whether one has. */
void fault_allocation_at(int64_t number);
bool fault_allocation_failed(void);

/* Blocks that are alive. */
int64_t fault_live_blocks(void);

#endif
