/* SPDX-License-Identifier: MIT */
/*
 * The rates of a device, see rates.h. One table lists the rates; everything else iterates over it.
 */
#include "src/planner/rates.h"

#include <string.h>

#include "src/planner/profiles.h"

typedef struct rate {
    const char *name; /* in errors, */
    double scale;     /* where its value is multiplied by this */
    size_t at;        /* in rhomb_rates */
    double least;
    double most;
} rate;

/*
 * From a device a thousand times slower than one CPU core to one a thousand times faster than a GPU
 * of today.
 */
static const rate RATES[] = {
    {"cells_per_second", 1, offsetof(rhomb_rates, cells_per_second), 1e5, 1e15},
    {"column_femtoseconds", 1e15, offsetof(rhomb_rates, column_seconds), 1e-9, 0.1},
    {"sweep_cells_per_second", 1, offsetof(rhomb_rates, sweep_cells_per_second), 1e6, 1e17},
    {"sweep_block_femtoseconds", 1e15, offsetof(rhomb_rates, sweep_block_seconds), 1e-9, 0.1},
    {"bases_per_second", 1, offsetof(rhomb_rates, bases_per_second), 1e5, 1e13},
};

#define RATE_COUNT (sizeof RATES / sizeof RATES[0])

static double get(const rhomb_rates *rates, const rate *which)
{
    double value;
    memcpy(&value, (const char *)rates + which->at, sizeof value);
    return value;
}

static void set(rhomb_rates *rates, const rate *which, double value)
{
    memcpy((char *)rates + which->at, &value, sizeof value);
}

/* Also false for NaN. */
static bool is_possible(const rate *which, double value)
{
    return value >= which->least && value <= which->most;
}

rhomb__rates rhomb__rates_of_profile(const rhomb_device_info *device)
{
    const rhomb__tuning_row *row = rhomb__tuning_find(device);
    const rhomb__rates rates = {.values = {.struct_size = sizeof rates.values,
                                           .cells_per_second = row->cells_per_second,
                                           .column_seconds = row->wavefront_seconds,
                                           .sweep_cells_per_second = row->sweep_cells_per_second,
                                           .sweep_block_seconds = row->sweep_block_seconds,
                                           .bases_per_second = row->bases_per_second},
                                .source = row->rates_source};
    return rates;
}

rhomb__rates rhomb__rates_of_row(const rhomb_device_info *device)
{
    const rhomb__tuning_row *row = rhomb__tuning_find(device);
    rhomb__rates rates = rhomb__rates_of_profile(device);
    if (row->compute_units > 0 && device->compute_units > 0) {
        const double units = (double)device->compute_units / row->compute_units;
        rates.values.cells_per_second *= units;
        rates.values.sweep_cells_per_second *= units;
    }
    return rates;
}

rhomb_status rhomb__rates_override(rhomb__error *error, const rhomb_rates *given,
                                   rhomb__rates *rates)
{
    rhomb_rates whole = RHOMB_RATES_INIT;
    if (given == NULL)
        return RHOMB_OK;
    const rhomb_status status =
        rhomb__check_size(error, "rhomb_rates", given->struct_size, sizeof whole);
    if (status != RHOMB_OK)
        return status;
    memcpy(&whole, given, given->struct_size);
    for (size_t i = 0; i < RATE_COUNT; i++) {
        const double value = get(&whole, &RATES[i]);
        if (value == 0)
            continue;
        if (!is_possible(&RATES[i], value))
            return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "a rate of %g %s: %g to %g is possible",
                               value * RATES[i].scale, RATES[i].name,
                               RATES[i].least * RATES[i].scale, RATES[i].most * RATES[i].scale);
        set(&rates->values, &RATES[i], value);
        rates->source = "given";
    }
    return RHOMB_OK;
}
