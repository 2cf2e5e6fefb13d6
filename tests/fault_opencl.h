/* SPDX-License-Identifier: MIT */
/*
 * OpenCL that fails on demand. fault_opencl.c defines every OpenCL function that the library calls
 * and hands the calls on to the real ones, except where a plan says otherwise. A program that
 * contains it is not linked with OpenCL, so a call of a function that is missing here does not
 * link.
 *
 * It also watches: which handles are alive, whether each release is of one that is, and whether
 * memory of the host may still be in use by a transfer.
 */
#ifndef RHOMB_FAULT_OPENCL_H
#define RHOMB_FAULT_OPENCL_H

#include "host/device/cl_error.h"

/* The most numbers of a device that differ. */
#define FAULT_NUMBERS 12

/* What goes wrong, and when. All zero: nothing does. */
typedef struct fault_plan {
    int64_t call;         /* the number of the call that fails, from 1 on; 0: none */
    bool lasting;         /* all calls after it fail as well, as when a device is lost */
    const char *function; /* counts and fails calls of this one only; NULL: of all */
    bool slow;            /* calls of that function that do not fail take some milliseconds */
    cl_int code;          /* what it returns; CL_SUCCESS: what fits the function */
    bool by_command;      /* clGetEventInfo works, and says that the command has failed */
    bool no_platforms;    /* the loader works, and has nothing */

    /*
     * What a device's numbers are instead, with `asked` 0 after the last: also of questions that
     * the real device does not know. Launches and buffers that exceed them are misuse.
     */
    struct {
        cl_device_info asked;
        cl_ulong answer;
    } numbers[FAULT_NUMBERS];
    const char *profile, *vendor, *name; /* of the device; NULL: its own */

    /* Kernels whose name contains the text allow no larger groups; NULL: none of them says so. */
    const char *limited;
    size_t group_limit;

    bool quick;                 /* programs are compiled without optimizing, see quick_build.h */
    const char *taken_option;   /* builds with this option go without it; NULL: none */
    const char *refused_option; /* builds with this option fail; NULL: none */

    /* Changes what clEnqueueReadBuffer has brought. */
    void (*tamper)(void *data, size_t bytes);
} fault_plan;

/* What came of it. */
typedef struct fault_outcome {
    const char *function; /* that failed first; NULL: none did */
    cl_int code;          /* that it returned */
    int64_t calls;        /* that the plan counted */
    bool is_excused;      /* it failed while fault_excuse() was on */
} fault_outcome;

/* The plan counts from now on. */
void fault_begin(const fault_plan *plan);

/* Nothing fails any more. */
fault_outcome fault_end(void);

/* Whether a call that fails from now on need not be noticed. */
void fault_excuse(bool excuses);

/* Contexts, queues, programs, kernels, buffers and events that are alive. */
int64_t fault_live_handles(void);

/* Takes none to be alive, whatever a test has left. */
void fault_forget_handles(void);

/* Builds so far with the option that a plan takes. */
int64_t fault_taken_options(void);

/* Launches so far of kernels that a plan has limited. */
int64_t fault_limited_launches(void);

/*
 * Fails the test when a handle was released that was not alive, memory of the host is in use, or a
 * launch or a buffer was larger than the device or a kernel allows.
 */
void fault_check_use(void);

#endif
