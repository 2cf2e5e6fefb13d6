/* SPDX-License-Identifier: MIT */
/*
 * The rates of a device, see rates.h. One table lists the rates; everything else iterates over it.
 */
#include "src/planner/rates.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "src/planner/profiles.h"

#define FIRST_LINE "rhomb rates 1\n"

/* In the text a rate is an integer: its value times `scale`. */
typedef struct rate {
    const char *name; /* in the text and in errors */
    const char *old;  /* in texts of earlier versions; NULL: the same */
    size_t at;        /* in rhomb_rates */
    double scale;
    double least;
    double most;
} rate;

/*
 * From a device a thousand times slower than one CPU core to one a thousand times faster than a GPU
 * of today. The least values leave four digits in the text.
 */
static const rate RATES[] = {
    {"cells_per_second", NULL, offsetof(rhomb_rates, cells_per_second), 1, 1e5, 1e15},
    {"column_femtoseconds", NULL, offsetof(rhomb_rates, column_seconds), 1e15, 1e-9, 0.1},
    {"sweep_cells_per_second", NULL, offsetof(rhomb_rates, sweep_cells_per_second), 1, 1e6, 1e17},
    {"sweep_block_femtoseconds", NULL, offsetof(rhomb_rates, sweep_block_seconds), 1e15, 1e-9, 0.1},
    {"bases_per_second", "letters_per_second", offsetof(rhomb_rates, bases_per_second), 1, 1e5,
     1e13},
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

void rhomb__rates_bound(rhomb_rates *rates)
{
    for (size_t i = 0; i < RATE_COUNT; i++) {
        const double value = get(rates, &RATES[i]);
        if (!is_possible(&RATES[i], value))
            set(rates, &RATES[i], value > RATES[i].most ? RATES[i].most : RATES[i].least);
    }
}

size_t rhomb__rates_print(const rhomb_rates *rates, char text[RHOMB__RATES_TEXT_SIZE])
{
    size_t used = (size_t)snprintf(text, RHOMB__RATES_TEXT_SIZE, "%s", FIRST_LINE);
    for (size_t i = 0; i < RATE_COUNT; i++)
        used += (size_t)snprintf(text + used, RHOMB__RATES_TEXT_SIZE - used, "%s %" PRId64 "\n",
                                 RATES[i].name,
                                 (int64_t)(get(rates, &RATES[i]) * RATES[i].scale + 0.5));
    return used;
}

/* Removes `expected` from the front of [*at, end). */
static bool take(const char **at, const char *end, const char *expected)
{
    const size_t length = strlen(expected);
    if ((size_t)(end - *at) < length || memcmp(*at, expected, length) != 0)
        return false;
    *at += length;
    return true;
}

/* Either of a rate's names. */
static bool take_name(const char **at, const char *end, const rate *which)
{
    return take(at, end, which->name) || (which->old != NULL && take(at, end, which->old));
}

/* Reads an integer without sign and leading zeros, of at most 18 digits, which an int64_t holds. */
static bool take_number(const char **at, const char *end, int64_t *number)
{
    const char *from = *at;
    *number = 0;
    for (; *at < end && **at >= '0' && **at <= '9' && *at - from < 18; (*at)++)
        *number = 10 * *number + (**at - '0');
    return *at > from && from[0] != '0';
}

bool rhomb__rates_parse(const char *text, size_t size, rhomb_rates *rates)
{
    const char *at = text, *end = text + size;
    rhomb_rates read = RHOMB_RATES_INIT;
    if (!take(&at, end, FIRST_LINE))
        return false;
    for (size_t i = 0; i < RATE_COUNT; i++) {
        int64_t number = 0;
        if (!take_name(&at, end, &RATES[i]) || !take(&at, end, " ") ||
            !take_number(&at, end, &number) || !take(&at, end, "\n"))
            return false;
        const double value = (double)number / RATES[i].scale;
        if (!is_possible(&RATES[i], value))
            return false;
        set(&read, &RATES[i], value);
    }
    if (at != end)
        return false;
    *rates = read;
    return true;
}
