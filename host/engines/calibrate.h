/* SPDX-License-Identifier: MIT */
/*
 * The rates of the open device, for estimates: reading what was measured before. Measuring and
 * storing them in the cache's folder is rhomb_context_calibrate() (cache.h; rates.h has the text).
 */
#ifndef RHOMB_HOST_CALIBRATE_H
#define RHOMB_HOST_CALIBRATE_H

#include "host/device/device.h"

/* Sets the open device's rates: the stored ones, else those of its tuning row. */
void rhomb__calibrate_load(rhomb_context *ctx);

#endif
