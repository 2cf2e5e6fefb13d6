/* SPDX-License-Identifier: MIT */
/*
 * Devices: what OpenCL offers, which device a selector means, and how to open it.
 *
 * Three layers that can be tested separately: device.c asks OpenCL and fills the list;
 * device_select.c decides from the list alone; open.c opens the device that was chosen.
 */
#ifndef RHOMB_HOST_DEVICE_H
#define RHOMB_HOST_DEVICE_H

#include "host/device/context.h"

/*
 * Fills ctx->devices, with choice and notes, unless that is done. Without any platform the list is
 * empty and the status RHOMB_OK. A platform whose driver answers with errors is skipped, and such a
 * device is listed as not usable, so neither keeps others from being used.
 */
rhomb_status rhomb__device_list_load(rhomb_context *ctx);
void rhomb__device_list_release(rhomb__device_list *list);

/*
 * What a usable device has at least: work-items of a group, since the kernels that pack have so
 * many, and local memory. OpenCL 1.2 asks for 32 KiB of those with a full profile, and 1.0 for 16.
 */
#define RHOMB__LEAST_GROUP       64
#define RHOMB__LEAST_LOCAL_BYTES (16 << 10)

/* Releases the queue, and with its last user the driver's context. NULL is allowed. */
void rhomb__device_close(rhomb__device *device);

/* Returned as an index where no device fits. */
#define RHOMB__DEVICE_NONE SIZE_MAX

/* The most bytes that a note takes. */
#define RHOMB__DEVICE_NOTE_SIZE 160

/*
 * The first usable device before `index` that is the same card, seen through another platform: it
 * has the same UUID or, where one of the two has no UUID, the same PCI address.
 */
size_t rhomb__device_same_as(const rhomb_device_info *infos, size_t count, size_t index);

/*
 * What "auto" means: the best usable GPU, else accelerator, else CPU, else other device. Within a
 * kind: a device with its own memory comes first, then the faster one, by the estimate for its
 * class (device_class.h); then memory, then the order of the list. The second listing of a card is
 * not a candidate.
 */
size_t rhomb__device_best(const rhomb_device_info *infos, size_t count);

/* Says in words why "auto" takes or does not take the usable device at `index`; `best` as above. */
void rhomb__device_note(const rhomb_device_info *infos, size_t count, size_t best, size_t index,
                        char note[RHOMB__DEVICE_NOTE_SIZE]);

/* The device that a selector means, usable or not; see rhomb_context_open() in rhomb.h. */
size_t rhomb__device_match(const rhomb_device_info *infos, size_t count, const char *selector);

/*
 * The index in ctx->devices that a selector means; obeys RHOMB_REQUIRE_GPU. When nothing usable
 * matches, returns RHOMB_ERR_NO_DEVICE with a list of the devices, or with hints when there are
 * none.
 */
rhomb_status rhomb__device_find(rhomb_context *ctx, const char *selector, uint32_t flags,
                                size_t *index);

/* Devices of ctx->devices, by their indices, in the order in which they were named. */
typedef struct rhomb__device_set {
    size_t indices[RHOMB_MOST_DEVICES];
    size_t count;
} rhomb__device_set;

/*
 * The devices that a selector means, at least one: "all" are those of the kind that "auto" opens,
 * and with memory like its, each card once; "0,1" is a list of selectors. RHOMB_ERR_ARGUMENT for
 * one that is named twice.
 */
rhomb_status rhomb__device_find_all(rhomb_context *ctx, const char *selector, uint32_t flags,
                                    rhomb__device_set *set);

/* Records RHOMB_ERR_NO_DEVICE with hints on what to install or check, and returns it. */
rhomb_status rhomb__device_fail_none(rhomb_context *ctx);

#endif
