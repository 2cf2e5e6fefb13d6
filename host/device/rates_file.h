/* SPDX-License-Identifier: MIT */
/*
 * The open device's rates, for estimates: what was measured before, read from the cache's folder
 * and stored there (cache.h; src/planner/rates.h has the text).
 */
#ifndef RHOMB_HOST_RATES_FILE_H
#define RHOMB_HOST_RATES_FILE_H

#include "rhomb/tuning.h"

/* Sets the open device's rates: the stored ones, else those of its tuning row. */
void rhomb__rates_load(rhomb_context *ctx);

/* Has the open device go by rates that were measured, and stores them. */
void rhomb__rates_store(rhomb_context *ctx, const rhomb_rates *measured);

#endif
