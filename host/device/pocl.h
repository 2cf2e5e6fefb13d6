/* SPDX-License-Identifier: MIT */
/*
 * Whether a device is one of PoCL's, of which several things have to be known.
 */
#ifndef RHOMB_HOST_POCL_H
#define RHOMB_HOST_POCL_H

#include "rhomb/rhomb.h"

/* PoCL's major version, or 0: 1.8 says "pocl 1.8", later ones "PoCL 3.1". */
int rhomb__pocl_version(const rhomb_device_info *info);

#endif
