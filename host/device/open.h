/* SPDX-License-Identifier: MIT */
/*
 * Opening a context's device: finding it, and loading what earlier runs measured.
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

/* The same for one that another context has open, see rhomb_context_open_beside(). */
rhomb_status rhomb__open_beside(rhomb_context *ctx, const rhomb__device *first);

/* Closes all devices but the first one; ranks are told that they are not needed any more. */
void rhomb__close_others(rhomb_context *ctx);

/* Opens "auto" unless a device is open. */
rhomb_status rhomb__context_need_device(rhomb_context *ctx);

#endif
