/* SPDX-License-Identifier: MIT */
/*
 * What drivers.cmake puts in place of what the library knows of PoCL before 6.0 (device.h), in a
 * program for which those versions have as many queues as any: releases.sh sees it abort there.
 */
#include "host/device/device.h"

bool __wrap_rhomb__device_has_one_queue(const rhomb_device_info *info);
bool __wrap_rhomb__device_shares_queue(const rhomb_device_info *info);
bool __wrap_rhomb__device_shares_kernels(const rhomb_device_info *info);

bool __wrap_rhomb__device_has_one_queue(const rhomb_device_info *info)
{
    (void)info;
    return false;
}

bool __wrap_rhomb__device_shares_queue(const rhomb_device_info *info)
{
    (void)info;
    return false;
}

bool __wrap_rhomb__device_shares_kernels(const rhomb_device_info *info)
{
    (void)info;
    return false;
}
