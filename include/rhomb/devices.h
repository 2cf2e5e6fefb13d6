/* SPDX-License-Identifier: MIT */
/*
 * OpenCL devices: which there are, which of them a context has open, what they have done, and
 * whether they compute correctly. rhomb.h includes this header.
 */
#ifndef RHOMB_DEVICES_H
#define RHOMB_DEVICES_H

#include <rhomb/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The most devices that a context opens. */
#define RHOMB_MOST_DEVICES 16

typedef enum rhomb_device_kind {
    RHOMB_DEVICE_GPU,
    RHOMB_DEVICE_ACCELERATOR,
    RHOMB_DEVICE_CPU,
    RHOMB_DEVICE_OTHER
} rhomb_device_kind;

/* A device; made by the library. */
typedef struct rhomb_device_info {
    int32_t index; /* 0-based, over all platforms in the loader's order */
    rhomb_device_kind kind;
    const char *name;
    const char *vendor;
    const char *platform; /* name and version, as the driver prints them */
    const char *driver_version;
    const char *opencl_version; /* CL_DEVICE_VERSION */
    const char *pci;            /* "0000:3b:00.0", or NULL where the driver does not say */
    const char *uuid;           /* 32 hexadecimal digits with dashes, or NULL */
    int64_t memory_bytes;       /* of an open device that shares the host's: what is available */
    int64_t max_buffer_bytes;   /* CL_DEVICE_MAX_MEM_ALLOC_SIZE */
    int64_t local_memory_bytes;
    int64_t max_group_size; /* of an open device: no more than kernels were found to allow */
    int32_t compute_units;
    int32_t clock_mhz;
    bool usable;         /* false: `note` says what is missing */
    bool chosen;         /* "auto" would open it */
    const char *note;    /* why it is chosen, not chosen, or not usable; never NULL */
    bool unified_memory; /* shares the host's memory: an integrated GPU, or a CPU */
    int32_t lanes;       /* work-items that run in lockstep, or 0 where the driver does not say */
} rhomb_device_info;

/*
 * Lists the OpenCL devices: (*list)[0] to (*list)[*count - 1]. A machine without any OpenCL
 * platform is not an error: *count is 0, and rhomb_context_error() says what to install. Returns
 * RHOMB_OK, RHOMB_ERR_MEMORY or RHOMB_ERR_DEVICE. The list belongs to the context.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_context_devices(rhomb_context *ctx,
                                                              const rhomb_device_info *const **list,
                                                              size_t *count);

/* rhomb_context_open(): fail if the device is not a GPU. */
#define RHOMB_REQUIRE_GPU 1u

/*
 * Chooses and opens a device, or several, and closes what was open before. `selector`:
 *   NULL, "" or "auto"   the best GPU, else an accelerator, else a CPU; its note says why
 *   "gpu", "cpu", "2"    the best one of that kind (or "accelerator"); the device of that index
 *   "0000:3b:00.0"       the device at that PCI address (the domain may be left out)
 *   "GPU-…" or 32 hexadecimal digits, dashes allowed: the device of that UUID
 *   "H200", "pocl"       the first device whose name, vendor or platform contains it, in any case
 *   "H200#1"             the second such device
 *   "0,1"                several of these, separated by commas: at most RHOMB_MOST_DEVICES
 *   "all"                all devices like the one that "auto" opens (GPUs with memory of their
 *                        own, integrated ones, CPUs ...), each card once
 * With several devices each call uses those that make it faster; the first one does what one device
 * does alone. Results do not depend on it.
 * Nothing runs on the device yet. Its first use builds the kernels (or loads them from the cache)
 * and checks known answers.
 * Returns RHOMB_OK, RHOMB_ERR_NO_DEVICE (none found or none matches: the detail lists the devices),
 * RHOMB_ERR_DEVICE, RHOMB_ERR_MEMORY or RHOMB_ERR_ARGUMENT.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_context_open(rhomb_context *ctx, const char *selector,
                                                           uint32_t flags);

/*
 * Opens a device in another context as well, and closes what `ctx` had open: for several calls on
 * one device at the same time, each on a thread of its own. `index` is the device's number among
 * those that `first` has open, see rhomb_context_device_at(). The two contexts share what the
 * driver has for a device: its context, and the programs, each of which is built and tested once,
 * by whichever needs it first.
 *
 * Returns RHOMB_OK; RHOMB_ERR_ARGUMENT if `first` has no such device open, or it is another rank's;
 * RHOMB_ERR_DEVICE or RHOMB_ERR_MEMORY. On failure `ctx` has open what it had before.
 *
 * The contexts may be closed and destroyed in any order; what they share goes with the last of
 * them. Logs, host threads and the cache's folder are those that `ctx` was created with.
 *
 * Cost: opening takes some microseconds. Memory is counted by each context alone, so both together
 * may ask for more than the device has.
 *
 * Threads: nobody else may use `first` during this call. After it the contexts are independent:
 * each is for one thread at a time, at the same time as the other, and kernels of both may run at
 * the same time; with contexts that were opened apart, some drivers let them take turns. Where a
 * driver's queues must not run the same kernels (PoCL before 6.0), they share a queue as well, and
 * kernels take turns.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_context_open_shared(rhomb_context *ctx,
                                                                  const rhomb_context *first,
                                                                  int32_t index);

/*
 * The open device, the first one of several, or NULL. Belongs to the context; valid until another
 * device is opened.
 */
RHOMB_API const rhomb_device_info *rhomb_context_device(const rhomb_context *ctx);

/* The number of open devices, and device `index` of them, from 0 on, or NULL; as above. */
RHOMB_API int32_t rhomb_context_device_count(const rhomb_context *ctx);
RHOMB_API const rhomb_device_info *rhomb_context_device_at(const rhomb_context *ctx, int32_t index);

/* What a device has done for batches and matrices. Made by the library, and may grow. */
typedef struct rhomb_device_work {
    int64_t pairs;  /* that were solved on it */
    int64_t jobs;   /* of batches and matrices, and pairs that were solved alone */
    double seconds; /* in which it had such work */
} rhomb_device_work;

/* The share of open device `index` since it was opened, or NULL; as above. */
RHOMB_API const rhomb_device_work *rhomb_context_work(const rhomb_context *ctx, int32_t index);

/*
 * Builds the kernels for the open device ("auto" if none is open) and checks them on small pairs
 * with known distances. rhomb_distance() does this itself on first use.
 * Returns RHOMB_OK, RHOMB_ERR_DEVICE_WRONG_RESULT, RHOMB_ERR_BUILD or what opening returns.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_context_self_test(rhomb_context *ctx);

#ifdef __cplusplus
}
#endif

#endif
