/* SPDX-License-Identifier: MIT */
/*
 * See pocl.h.
 */
#include "host/device/pocl.h"

#include <stdlib.h>
#include <string.h>

int rhomb__pocl_version(const rhomb_device_info *info)
{
    const char *pocl = strstr(info->platform, "PoCL ");
    if (pocl == NULL)
        pocl = strstr(info->platform, "pocl ");
    return pocl != NULL ? atoi(pocl + strlen("PoCL ")) : 0;
}
