/* SPDX-License-Identifier: MIT */
/*
 * Devices: what OpenCL offers, which one a selector means, and an open device with its OpenCL
 * context, its in-order queue and the programs that were built for it.
 */
#ifndef RHOMB_HOST_DEVICE_H
#define RHOMB_HOST_DEVICE_H

#include "cl_error.h"

typedef struct rhomb__program rhomb__program; /* program.h */

/* All devices of all platforms, in the loader's order. The strings of `infos` are owned. */
typedef struct rhomb__device_list {
    bool loaded;
    size_t count;
    rhomb_device_info *infos;
    cl_device_id *ids;
    cl_platform_id *platforms;
} rhomb__device_list;

typedef struct rhomb__device {
    rhomb_device_info info; /* strings borrowed from the list */
    cl_platform_id platform;
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;   /* in order: the only barrier between bands */
    rhomb__program *programs; /* built so far, a list */
    int64_t bytes_in_use;     /* device memory that buffers take, see buffer.h */
    int64_t bytes_peak;
} rhomb__device;

/* Fills ctx->devices unless that is done. No platform at all gives an empty list and RHOMB_OK. */
rhomb_status rhomb__device_list_load(rhomb_context *ctx);
void rhomb__device_list_release(rhomb__device_list *list);

/*
 * The index in ctx->devices that a selector means (see rhomb_context_open() in rhomb.h).
 * RHOMB_ERR_NO_DEVICE with the list of what there is, when nothing matches.
 */
rhomb_status rhomb__device_find(rhomb_context *ctx, const char *selector, uint32_t flags,
                                size_t *index);

/* Opens the device at `index` of the list. On failure *out is NULL. */
rhomb_status rhomb__device_open(rhomb_context *ctx, size_t index, rhomb__device **out);
/* Releases queue, programs and context. NULL is allowed. */
void rhomb__device_close(rhomb__device *device);

/* What to install or check when no device is found; a constant text of several lines. */
const char *rhomb__device_hints(void);

#endif
