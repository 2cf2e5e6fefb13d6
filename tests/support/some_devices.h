/* SPDX-License-Identifier: MIT */
/*
 * Devices that are not there, for tests of plans.
 */
#ifndef RHOMB_TESTS_SOME_DEVICES_H
#define RHOMB_TESTS_SOME_DEVICES_H

#include "rhomb/rhomb.h"

static const rhomb_device_info GPU = {.kind = RHOMB_DEVICE_GPU,
                                      .name = "a GPU",
                                      .memory_bytes = INT64_C(1) << 33,
                                      .max_buffer_bytes = INT64_C(1) << 31,
                                      .max_group_size = 1024,
                                      .local_memory_bytes = 49152};
static const rhomb_device_info LARGE_GPU = {.kind = RHOMB_DEVICE_GPU,
                                            .name = "a GPU",
                                            .compute_units = 100,
                                            .memory_bytes = INT64_C(1) << 36,
                                            .max_buffer_bytes = INT64_C(1) << 34,
                                            .max_group_size = 1024,
                                            .local_memory_bytes = 49152};
static const rhomb_device_info A_CPU = {.kind = RHOMB_DEVICE_CPU,
                                        .name = "a CPU",
                                        .memory_bytes = INT64_C(1) << 36,
                                        .max_buffer_bytes = INT64_C(1) << 34,
                                        .local_memory_bytes = 1 << 16,
                                        .max_group_size = 4096,
                                        .compute_units = 2};

#endif
