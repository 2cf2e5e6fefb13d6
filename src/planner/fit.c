/* SPDX-License-Identifier: MIT */
/* What fits in a device, see fit.h. */
#include "src/planner/fit.h"

int32_t rhomb__group_fitting(const rhomb_device_info *device, rhomb__local_need need, int32_t items,
                             bool given)
{
    while (!given && items > 2 && !rhomb__fits_local(device, need, items))
        items /= 2;
    return items;
}

int32_t rhomb__group_halved(int32_t items, int64_t most_items)
{
    while (items > most_items && items > 2)
        items /= 2;
    return items;
}

rhomb_status rhomb__check_group(rhomb__error *error, const rhomb_device_info *device, int64_t items,
                                rhomb__local_need need)
{
    if (items < 1 || items > 1024 || (items & (items - 1)) != 0)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "group size %lld is not a power of two from 1 to 1024",
                           (long long)items);
    if (items > device->max_group_size)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "group size %lld is more than the %lld that %s allows", (long long)items,
                           (long long)device->max_group_size, device->name);
    if (!rhomb__fits_local(device, need, items))
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "groups of %lld take %lld bytes of local memory, and %s has %lld",
                           (long long)items, (long long)rhomb__local_bytes(need, items),
                           device->name, (long long)device->local_memory_bytes);
    return RHOMB_OK;
}
