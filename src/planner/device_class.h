/* SPDX-License-Identifier: MIT */
/*
 * Classes of devices: how many work-items a compute unit of theirs works on at a time, so that
 * devices of different vendors can be compared before any was measured; and an example of each,
 * which tests plan for. A driver's compute unit is what its vendor likes to call so: from 8 lanes
 * to 128.
 *
 * Nothing here decides about a plan: that is the tuning table's (profiles.h).
 */
#ifndef RHOMB_SRC_DEVICE_CLASS_H
#define RHOMB_SRC_DEVICE_CLASS_H

#include "rhomb/rhomb.h"

typedef struct rhomb__device_class {
    const char *name;
    const char *vendor_part; /* of the vendor's name; NULL: any vendor */
    const char *name_part;   /* of the device's name; NULL: any */
    rhomb_device_kind kind;
    int32_t least_lanes; /* work-items in lockstep, 0: any */
    bool integrated;     /* only those that share the host's memory */
    int32_t unit_lanes;  /* integers of 32 bits that a compute unit adds at a time */
    rhomb_device_info example;
} rhomb__device_class;

/* The first class that fits a device; the last one fits every device. */
const rhomb__device_class *rhomb__device_class_of(const rhomb_device_info *device);

/*
 * Cells that the bit-parallel engine computes in a second on the device, once it is busy, by class,
 * compute units and clock. 0 where the driver does not say these.
 */
double rhomb__device_speed(const rhomb_device_info *device);

/* All classes, for tests. */
const rhomb__device_class *rhomb__device_classes(size_t *count);

#endif
