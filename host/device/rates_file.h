/* SPDX-License-Identifier: MIT */
/*
 * The open device's rates, for estimates: measured before, read from and stored in the cache's
 * folder (cache.h; src/planner/rates.h describes the text).
 */
#ifndef RHOMB_HOST_RATES_FILE_H
#define RHOMB_HOST_RATES_FILE_H

#include "rhomb/tuning.h"

/* Sets the open device's rates: the stored ones, else those of its tuning row. */
void rhomb__rates_load(rhomb_context *ctx);

/* Fills in what the stored rates, if there are any, say about a device that is not open. */
void rhomb__rates_tell(rhomb_context *ctx, rhomb_device_info *info);

/* Makes the open device use the measured rates, and stores them. */
void rhomb__rates_store(rhomb_context *ctx, const rhomb_rates *measured);

#endif
