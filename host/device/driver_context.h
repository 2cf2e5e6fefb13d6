/* SPDX-License-Identifier: MIT */
/*
 * A device's context of OpenCL, and what was built and tested in it. A rhomb_context that opens a
 * device makes one; those that are opened beside it (rhomb_context_open_shared()) use the same,
 * each on a thread of its own. Queues, kernels and buffers are not in it: each has its own.
 *
 * A program is built once, and one known-answer test of it is enough. Whoever needs a program first
 * builds it, and others that need it wait. One that cannot be built is forgotten, and each of them
 * tries for itself, so that each has the error in its own record; so it is with a test that fails.
 * One context tests at a time, as a test may need others first. Whoever builds waits for nothing,
 * and whoever tests waits for builds alone, so nobody waits for ever.
 *
 * Threads: all functions may be called by several at the same time.
 */
#ifndef RHOMB_HOST_DRIVER_CONTEXT_H
#define RHOMB_HOST_DRIVER_CONTEXT_H

#include "host/device/context.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct rhomb__kernel_source rhomb__kernel_source; /* program.h */

/* Known-answer tests of a program; see rhomb__test_begin() in program.h. */
typedef enum rhomb__test {
    RHOMB__TEST_USUAL,
    RHOMB__TEST_RANGES, /* of kernels for ranges, which packs nothing by the program */
    RHOMB__TEST_SHARED, /* its sweep on several devices was that of this one alone */
    RHOMB__TESTS
} rhomb__test;

typedef enum rhomb__test_state {
    RHOMB__TEST_TO_DO,
    RHOMB__TEST_RUNS,
    RHOMB__TEST_PASSED
} rhomb__test_state;

struct rhomb__program {
    rhomb__program *next;
    const rhomb__kernel_source *source;
    char *options; /* as requested */
    cl_program handle;
    bool fits;                /* no kernel allows less than it requires, see group_limit.h */
    atomic_bool packs_ranges; /* its kernels for ranges have been launched before */
    /* With the mutex of the driver's context. */
    bool is_built;
    rhomb__test_state tests[RHOMB__TESTS];
};

struct rhomb__driver_context {
    cl_context handle;
    cl_command_queue queue; /* of all, where there may be no other; else NULL */
    pthread_mutex_t mutex;
    pthread_cond_t changed; /* a program was built or not, or a test has ended */
    /* With the mutex. */
    int32_t users;
    rhomb__program *programs;    /* also those that are being built */
    const rhomb_context *tester; /* the one context whose tests run, or NULL ... */
    int32_t tests;               /* ... and how many, one within the other */
};

/*
 * Makes the context of a device, which has none yet: device->driver. On failure it has none; the
 * error is recorded in `stream`.
 */
rhomb_status rhomb__driver_context_create(rhomb__device_stream *stream, rhomb__device *device);

/* One more uses it; each use ends with a release, and all that is in it goes with the last one. */
rhomb__driver_context *rhomb__driver_context_share(rhomb__driver_context *driver);
/* NULL is allowed. */
void rhomb__driver_context_release(rhomb__driver_context *driver);

/* What became of a request for a program. */
typedef enum rhomb__claim {
    RHOMB__CLAIM_BUILT, /* it is there */
    RHOMB__CLAIM_BUSY,  /* another context builds it */
    RHOMB__CLAIM_OWN,   /* the caller builds it, and then calls rhomb__program_settle() */
    RHOMB__CLAIM_NO_MEMORY
} rhomb__claim;

/*
 * Asks for the program of a source with these options. `waits`: until the other context has ended,
 * in place of RHOMB__CLAIM_BUSY. *program is NULL where there is none.
 */
rhomb__claim rhomb__program_claim(rhomb__driver_context *driver, const rhomb__kernel_source *source,
                                  const char *options, bool waits, rhomb__program **program);

/* Ends a claim of one's own: the program is there for all, or it is released and forgotten. */
void rhomb__program_settle(rhomb__driver_context *driver, rhomb__program *program, bool is_built);

/* Whether a test of these programs has passed; does not wait for one that runs. */
bool rhomb__test_has_passed(rhomb_context *ctx, rhomb__test test, rhomb__program *const *programs,
                            size_t count);

/* rhomb__test_begin() and rhomb__test_end(), but for the time, which others count. */
bool rhomb__test_claim(rhomb_context *ctx, rhomb__test test, rhomb__program *const *programs,
                       size_t count);
void rhomb__test_settle(rhomb_context *ctx, rhomb__test test, rhomb__program *const *programs,
                        size_t count, bool has_passed);

#endif
