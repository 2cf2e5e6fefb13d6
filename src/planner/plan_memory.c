/* SPDX-License-Identifier: MIT */
/*
 * Memory of a plan (engine_plan.h): that of packed sequences and of the buffers that they are sent
 * through, and whether a device has what a plan needs.
 */
#include "src/planner/engine_plan.h"

#include "cl/abi.h"
#include "src/base/int64.h"
#include "src/base/known_runs.h"
#include "src/planner/profiles.h"

int64_t rhomb__unit_bytes(int32_t planes)
{
    return RHOMB_UNIT_WORDS(planes) * (int64_t)sizeof(rhomb_u32);
}

int64_t rhomb__packed_bytes(int64_t length, int32_t planes)
{
    const int64_t symbols = length + 2 * RHOMB_PAD_SYMBOLS;
    return rhomb__ceil_div(symbols, RHOMB_WORD_SYMBOLS) * rhomb__unit_bytes(planes);
}

int64_t rhomb__run_table_bytes(int64_t length)
{
    return rhomb__run_chunks(length) * (int64_t)sizeof(rhomb_u32);
}

int64_t rhomb__windows_bytes(int64_t length, int32_t planes, int32_t directions)
{
    return directions * (rhomb__packed_bytes(length, planes) + rhomb__run_table_bytes(length));
}

int64_t rhomb__chunk_bases(int64_t length)
{
    return rhomb__min(rhomb__max(length / 32, INT64_C(1) << 16), INT64_C(1) << 24);
}

bool rhomb__bases_in_place(const rhomb_device_info *device, int64_t length)
{
    return rhomb__tuning_find(device)->reads_in_place && length > 0 &&
           length <= device->max_buffer_bytes;
}

int64_t rhomb__pinned_bytes(const rhomb_device_info *device, int64_t longest)
{
    const bool pays = longest >= rhomb__tuning_find(device)->pinned_least_bases &&
                      !rhomb__bases_in_place(device, longest);
    return pays ? 2 * rhomb__chunk_bases(longest) : 0;
}

rhomb_status rhomb__plan_check_memory(rhomb__error *error, const rhomb__plan *plan,
                                      const rhomb_device_info *device)
{
    if (plan->device_bytes_min > plan->device_bytes_limit)
        return rhomb__fail(error, RHOMB_ERR_DEVICE_MEMORY,
                           "%s has %lld bytes of memory; the packed sequences and the first "
                           "columns need %lld",
                           device->name, (long long)plan->device_bytes_limit,
                           (long long)plan->device_bytes_min);
    if (plan->buffer_bytes_min > plan->buffer_bytes_limit)
        return rhomb__fail(error, RHOMB_ERR_DEVICE_MEMORY,
                           "a buffer of %s has at most %lld bytes; the largest that the pair needs "
                           "has %lld",
                           device->name, (long long)plan->buffer_bytes_limit,
                           (long long)plan->buffer_bytes_min);
    return RHOMB_OK;
}
