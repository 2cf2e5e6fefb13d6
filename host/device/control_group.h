/* SPDX-License-Identifier: MIT */
/*
 * The memory that control groups leave this process: containers and batch systems (Docker, Slurm)
 * end a process that takes more, whatever the machine has. Linux, versions 1 and 2.
 */
#ifndef RHOMB_HOST_CONTROL_GROUP_H
#define RHOMB_HOST_CONTROL_GROUP_H

#include <stdint.h>

/*
 * Bytes that can still be taken: the limit less what is in use, without files that can be dropped,
 * of the process's group and of those above it, whichever is least. INT64_MAX where there is no
 * limit, or no control group. `root` comes before /proc and /sys, for tests; "" otherwise.
 */
int64_t rhomb__control_group_available(const char *root);

#endif
