/* SPDX-License-Identifier: MIT */
/*
 * The rates of a device: which ones there are and their ranges, the text in which they are stored,
 * and their source when nothing was measured. Pure: host/engines/calibrate.c measures.
 *
 * The text has a line with a version, then one for each rate, in a fixed order:
 *
 *     rhomb rates 1
 *     cells_per_second 570000000000
 *     column_femtoseconds 1500000000
 *     ...
 *
 * The numbers are integers, times in femtoseconds (10^-15 s), because the decimal point of printf()
 * and strtod() depends on the locale of the program that uses the library.
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

/* Moves each rate into the range of real devices; NaN becomes the low end. */
void rhomb__rates_bound(rhomb_rates *rates);

/* Room for the text of any rates, with its NUL. */
#define RHOMB__RATES_TEXT_SIZE 256

/* Writes the text of rates that are within their ranges, and returns its length. */
size_t rhomb__rates_print(const rhomb_rates *rates, char text[RHOMB__RATES_TEXT_SIZE]);

/*
 * True if the block of `size` bytes is such a text and nothing else; otherwise *rates is unchanged.
 */
bool rhomb__rates_parse(const char *text, size_t size, rhomb_rates *rates);

#endif
