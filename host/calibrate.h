/* SPDX-License-Identifier: MIT */
/*
 * The rates of the open device: reading what was measured before, measuring, and storing that in
 * the cache's folder (cache.h; rates.h has the text).
 */
#ifndef RHOMB_HOST_CALIBRATE_H
#define RHOMB_HOST_CALIBRATE_H

#include "device.h"

/* Sets the open device's rates: the stored ones, else those of its tuning row. */
void rhomb__calibrate_load(rhomb_context *ctx);

/*
 * Measures the open device's rates and stores them. Between two runs `poll` is asked, where it is
 * not NULL, and its failure ends the call. On any failure the rates are as before.
 */
rhomb_status rhomb__calibrate(rhomb_context *ctx, rhomb_status (*poll)(void *user), void *user);

#endif
