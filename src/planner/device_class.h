/* SPDX-License-Identifier: MIT */
/*
 * How fast devices are, before any was measured. A driver's compute unit is what its vendor likes
 * to call so: from 8 lanes to 128.
 *
 * Nothing here decides about a plan: that is the tuning table's (profiles.h).
 */
#ifndef RHOMB_SRC_DEVICE_CLASS_H
#define RHOMB_SRC_DEVICE_CLASS_H

#include "rhomb/rhomb.h"

/*
 * Cells that the bit-parallel engine computes in a second on the device, once it is busy, by class,
 * compute units and clock. 0 where the driver does not say these.
 */
double rhomb__device_speed(const rhomb_device_info *device);

#endif
