/* SPDX-License-Identifier: MIT */
/*
 * The rates of a device: which ones there are, their ranges and their source. Pure.
 */
#ifndef RHOMB_SRC_RATES_H
#define RHOMB_SRC_RATES_H

#include "rhomb/tuning.h"
#include "src/base/error.h"

typedef struct rhomb__rates {
    rhomb_rates values;
    const char *source; /* in words, for reports: a constant string */
} rhomb__rates;

/*
 * The rates of the device's *profile*, its tuning row unchanged: what decides between engines. They
 * are the same in every run, whatever share of a CPU is free.
 */
rhomb__rates rhomb__rates_of_profile(const rhomb_device_info *device);

/*
 * The same for estimates of time. If the row holds for a number of compute units, a device with
 * more is faster in proportion, once it is busy.
 */
rhomb__rates rhomb__rates_of_row(const rhomb_device_info *device);

/*
 * Replaces those of *rates for which `given` is not 0; NULL changes nothing. RHOMB_ERR_ARGUMENT for
 * a structure of unknown size and for rates that no device has.
 */
rhomb_status rhomb__rates_override(rhomb__error *error, const rhomb_rates *given,
                                   rhomb__rates *rates);

#endif
