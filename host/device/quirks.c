/* SPDX-License-Identifier: MIT */
/* The table of what drivers need, see quirks.h. */
#include "host/device/quirks.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A driver's releases, by the major version that follows its name; and what they need. */
static const struct {
    const char *name;
    int first, last;
    rhomb__quirks needs;
} ROWS[] = {
    {"PoCL ", 4, 5, {true, true, true, true, true, true, ""}},
    {"PoCL ", 0, 3, {false, true, true, true, true, true, ""}},
    {"PoCL ", 6, INT_MAX, {false, false, false, true, true, false, ""}},
    {"pocl ", 0, INT_MAX, {false, true, true, true, true, true, ""}}, /* up to 1.8 */
    {"rusticl",
     INT_MIN,
     INT_MAX,
     {false, false, false, false, false, false, " -Dstatic= -Dinline="}},
};

rhomb__quirks rhomb__quirks_of(const rhomb_device_info *info)
{
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        const char *at = strstr(info->platform, ROWS[i].name);
        const int version = at != NULL ? atoi(at + strlen(ROWS[i].name)) : 0;
        if (at != NULL && version >= ROWS[i].first && version <= ROWS[i].last)
            return ROWS[i].needs;
    }
    return (rhomb__quirks){.build_options = ""};
}
