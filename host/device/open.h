/* SPDX-License-Identifier: MIT */
/*
 * The devices that a context has open (context.h): opening them, work on all of them at the same
 * time, and errors that say on which one.
 */
#ifndef RHOMB_HOST_OPEN_H
#define RHOMB_HOST_OPEN_H

#include "host/device/context.h"

/*
 * Opens what `selector` means (see rhomb_context_open()), and only then closes the previous
 * devices.
 */
rhomb_status rhomb__open(rhomb_context *ctx, const char *selector, uint32_t flags);

/* The same for one device, see rhomb_context_open_share(). */
rhomb_status rhomb__open_share(rhomb_context *ctx, const char *selector, uint32_t flags,
                               int32_t share);

/* The same for one that another context has open, see rhomb_context_open_shared(). */
rhomb_status rhomb__open_shared(rhomb_context *ctx, const rhomb__device *first);

/* Closes all devices but the first one; ranks are told that they are not needed any more. */
void rhomb__close_others(rhomb_context *ctx);

/* Opens "auto" unless a device is open. */
rhomb_status rhomb__context_need_device(rhomb_context *ctx);

/* The number of devices that are open; 0 without one. */
int32_t rhomb__device_count(const rhomb_context *ctx);

/* RHOMB_ERR_ARGUMENT where a context has devices of other ranks, which `what` has no use for. */
rhomb_status rhomb__refuse_ranks(rhomb_context *ctx, const char *what);

/*
 * Passes a failure on device `index` to the record of `ctx`, with the device's name where several
 * are open and it is one of a device or of memory. Returns `status`. Whatever was recorded in `ctx`
 * before is replaced.
 */
rhomb_status rhomb__pass_error(rhomb_context *ctx, int32_t index, rhomb_status status,
                               const char *detail);

/*
 * What to do on a device, with its own context; all take from a common store of work until nothing
 * is left, or until one of them fails. What one function does another need not do.
 */
typedef rhomb_status (*rhomb__device_fn)(rhomb_context *device, int32_t index, void *user);

/*
 * Calls the function once for each open device, at the same time: for the first one on the calling
 * thread, which alone may call functions of the library's caller, as the other contexts do not log
 * meanwhile; if the system has no threads, for the others afterwards. Meanwhile `ctx` is as if the
 * first device were the only one. Returns the first failure in the order of the devices.
 */
rhomb_status rhomb__each_device(rhomb_context *ctx, rhomb__device_fn work, void *user);

/* Adds to what a device has done, see rhomb_context_work(). */
void rhomb__work_add(rhomb_context *device, int64_t pairs, int64_t jobs, double seconds);

#endif
