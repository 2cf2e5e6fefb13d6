/* SPDX-License-Identifier: MIT */
/*
 * What drivers.cmake puts in place of what the library knows of PoCL before 6.0 (context.h), in a
 * program for which those versions have as many queues as any: releases.sh sees it abort there.
 */
#include "host/device/context.h"

rhomb__quirks __real_rhomb__quirks_of(const rhomb_device_info *info);
rhomb__quirks __wrap_rhomb__quirks_of(const rhomb_device_info *info);

rhomb__quirks __wrap_rhomb__quirks_of(const rhomb_device_info *info)
{
    rhomb__quirks quirks = __real_rhomb__quirks_of(info);
    quirks.one_queue = quirks.shares_queue = quirks.shares_kernels = false;
    return quirks;
}
