/* SPDX-License-Identifier: MIT */
/*
 * How fast devices are, to choose one of several. A driver's compute unit is what its vendor likes
 * to call so: from 8 lanes to 128.
 *
 * Nothing here decides about a plan, nor estimates its time: that is the profiles' (profiles.h).
 */
#ifndef RHOMB_SRC_DEVICE_CLASS_H
#define RHOMB_SRC_DEVICE_CLASS_H

#include "rhomb/rhomb.h"

/*
 * Cells that the bit-parallel engine computes in a second on the device, once it is busy, by class,
 * compute units and clock. 0 where the driver does not say how many units there are.
 */
double rhomb__device_speed(const rhomb_device_info *device);

#endif
