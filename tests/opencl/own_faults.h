/* SPDX-License-Identifier: MIT */
/*
 * What fails in our OpenCL, and what its devices are, as a test asks for. One plan holds at a time,
 * for all threads.
 */
#ifndef RHOMB_OPENCL_FAULTS_H
#define RHOMB_OPENCL_FAULTS_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most numbers of a device that differ. */
#define FAULT_NUMBERS 12

/* All zero: nothing fails, and devices are their own. */
typedef struct fault_plan {
    int64_t call;         /* the number of the call that fails, from 1 on; 0: none */
    bool lasting;         /* all calls after it fail as well, as when a device is lost */
    const char *function; /* counts and fails calls of this one only; NULL: of all */
    bool slow;            /* calls of that function that do not fail take some milliseconds */
    cl_int code;          /* that it returns; CL_SUCCESS: what fits the function */
    bool by_command;      /* clGetEventInfo works, and says that the command has failed */
    bool no_platforms;    /* there is nothing to list */

    /* Of all devices, with `asked` 0 after the last: also answers that they do not have. */
    struct {
        cl_device_info asked;
        cl_ulong answer;
    } numbers[FAULT_NUMBERS];
    const char *profile, *vendor, *name; /* NULL: their own */

    /* Kernels whose name contains the text allow no larger groups; NULL: none of them says so. */
    const char *limited;
    size_t group_limit;

    const char *taken_option;   /* of compilers, which have no such one; NULL: none */
    const char *refused_option; /* builds with this text in their options fail; NULL: none */

    /* Changes what clEnqueueReadBuffer has brought. */
    void (*tamper)(void *data, size_t bytes);
} fault_plan;

/* What came of it. */
typedef struct fault_outcome {
    const char *function; /* that failed first; NULL: none did */
    cl_int code;          /* that it returned */
    int64_t calls;        /* that the plan counted */
    int64_t launches;     /* of kernels that it limits */
    int64_t builds;       /* with the option that it has compilers take */
    bool is_excused;      /* it failed while fault_excuse() was on */
} fault_outcome;

/* The plan counts from now on; frees objects that no longer live. */
void fault_begin(const fault_plan *plan);

/* Nothing fails any more. */
fault_outcome fault_end(void);

/* Whether a call that fails from now on need not be noticed. */
void fault_excuse(bool excuses);

/* Counts a call of libc like one of OpenCL; whether it fails. */
bool fault_fails(const char *function);

/* Handles that are alive. */
int64_t fault_live_handles(void);

/* Whether a command has yet to read or write memory of the host. */
bool fault_borrows(void);

#endif
