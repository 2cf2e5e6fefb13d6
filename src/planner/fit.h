/* SPDX-License-Identifier: MIT */
/*
 * What fits in a device. The words are the same for every engine, batch and subproblem: a group of
 * so many work-items *needs* local memory; of the groups that keep a device *busy* as many fit as
 * `room` bytes have place for `each` of them; and what goes into one buffer is at most an
 * *allocation*. Pure.
 */
#ifndef RHOMB_SRC_FIT_H
#define RHOMB_SRC_FIT_H

#include "rhomb/rhomb.h"
#include "src/base/error.h"
#include "src/base/int64.h"

/* Local memory of a group: for each of its work-items, and besides. A group of one needs none. */
typedef struct rhomb__local_need {
    int64_t item_bytes, group_bytes;
} rhomb__local_need;

static inline int64_t rhomb__local_bytes(rhomb__local_need need, int64_t items)
{
    return items > 1 ? items * need.item_bytes + need.group_bytes : 0;
}

static inline bool rhomb__fits_local(const rhomb_device_info *device, rhomb__local_need need,
                                     int64_t items)
{
    return rhomb__local_bytes(need, items) <= device->local_memory_bytes;
}

/* A group halved until the device has what it needs, or two items; a size that is given stays. */
int32_t rhomb__group_fitting(const rhomb_device_info *device, rhomb__local_need need, int32_t items,
                             bool given);

/* A group halved until it has at most so many work-items, or two. */
int32_t rhomb__group_halved(int32_t items, int64_t most_items);

/* RHOMB_ERR_ARGUMENT unless the device can run groups of that size, with what they need. */
rhomb_status rhomb__check_group(rhomb__error *error, const rhomb_device_info *device, int64_t items,
                                rhomb__local_need need);

/* The groups that keep a device busy whose compute units have so many work-items in flight. */
static inline int64_t rhomb__groups_busy(const rhomb_device_info *device, int64_t unit_items,
                                         int64_t items)
{
    return rhomb__max(device->compute_units, 1) * rhomb__max(unit_items / items, 1);
}

/* Of the groups that are wanted, those for which there is room, and at least one. */
static inline int64_t rhomb__groups_fitting(int64_t wanted, int64_t room, int64_t each)
{
    return rhomb__max(each > 0 ? rhomb__min(wanted, room / each) : wanted, 1);
}

/* The most bytes of one buffer. */
static inline int64_t rhomb__allocation_most(const rhomb_device_info *device)
{
    return rhomb__min(device->memory_bytes, device->max_buffer_bytes);
}

#endif
