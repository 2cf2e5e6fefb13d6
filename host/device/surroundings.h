/* SPDX-License-Identifier: MIT */
/*
 * What a driver needs of the machine besides its device: PoCL ends the process, or hides its
 * device, where its files cannot be written or nothing links them.
 */
#ifndef RHOMB_HOST_SURROUNDINGS_H
#define RHOMB_HOST_SURROUNDINGS_H

#include <stddef.h>

#include "rhomb/rhomb.h"

#define RHOMB__SURROUNDINGS_SIZE 4608 /* a path, and some words */

/*
 * What the driver of such a platform, which is all that is read of `info`, lacks: text[0] is NUL if
 * it lacks nothing, or needs nothing. The first is to be asked before its devices are listed, the
 * second also if they cannot be.
 */
void rhomb__lacks_to_list(const rhomb_device_info *info, char text[RHOMB__SURROUNDINGS_SIZE]);
void rhomb__lacks_to_build(const rhomb_device_info *info, char text[RHOMB__SURROUNDINGS_SIZE]);

#endif
