/* SPDX-License-Identifier: MIT */
/*
 * The rates of a device, see rates.h.
 */
#include "src/planner/rates.h"

#include "src/planner/profiles.h"

rhomb__rates rhomb__rates_of_row(const rhomb_device_info *device)
{
    const rhomb__tuning_row *row = rhomb__tuning_find(device);
    const rhomb__rate_values values = {row->cells_per_second, row->wavefront_seconds,
                                       row->sweep_cells_per_second, row->sweep_block_seconds,
                                       row->bases_per_second};
    rhomb__rates rates = {values, values, row->rates_source};
    if (row->compute_units > 0 && device->compute_units > 0) {
        const double units = (double)device->compute_units / row->compute_units;
        rates.values.cells_per_second *= units;
        rates.values.sweep_cells_per_second *= units;
    }
    return rates;
}

int64_t rhomb__cells_in(const rhomb__rate_values *rates, double seconds)
{
    const double cells = rates->cells_per_second * seconds;
    return cells < 0x1p60 ? (int64_t)cells + 1 : INT64_C(1) << 60;
}
