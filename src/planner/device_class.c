/* SPDX-License-Identifier: MIT */
/*
 * Classes of devices: how many integers a compute unit of theirs adds at a time, see
 * device_class.h.
 *
 * Where the numbers come from. NVIDIA's and the CPU's: measured, see profiles.c. An H200 computes
 * 33e12 cells a second with 132 units of 64 lanes for integers at 1.98 GHz, and PoCL on two cores
 * with AVX-512 0.22e12: two cells for each lane and clock in both. All others are estimated from
 * what vendors publish, and what drivers are known to answer: AMD's count pairs of units as one
 * from RDNA on, Intel's count vector engines.
 */
#include "src/planner/device_class.h"

#include <string.h>

/* Cells of the bit-parallel engine for each lane and clock. */
#define LANE_CELLS 2.0

/* Of a device that does not say: Intel's driver for CPUs says 0 of AMD's. */
#define UNKNOWN_MEGAHERTZ 1000

typedef struct device_class {
    rhomb_device_kind kind;
    const char *vendor_part; /* of the vendor's name; NULL: any vendor */
    const char *name_part;   /* of the device's name; NULL: any */
    int32_t least_lanes;     /* work-items in lockstep, 0: any */
    int32_t unit_lanes;      /* integers of 32 bits that a compute unit adds at a time */
} device_class;

/* The first that fits a device is its class; the last one fits every device. */
static const device_class CLASSES[] = {
    /* NVIDIA GPU */
    {.kind = RHOMB_DEVICE_GPU, .vendor_part = "NVIDIA", .unit_lanes = 64},
    /* AMD Instinct, MI200 and MI300 */
    {.kind = RHOMB_DEVICE_GPU,
     .vendor_part = "Advanced Micro Devices",
     .least_lanes = 64,
     .unit_lanes = 64},
    /* AMD Radeon, RX 5000 to 7000 */
    {.kind = RHOMB_DEVICE_GPU, .vendor_part = "Advanced Micro Devices", .unit_lanes = 128},
    /* Intel Data Center GPU Max */
    {.kind = RHOMB_DEVICE_GPU, .vendor_part = "Intel", .name_part = "GPU Max", .unit_lanes = 16},
    /* Intel Arc, and Xe */
    {.kind = RHOMB_DEVICE_GPU, .vendor_part = "Intel", .unit_lanes = 8},
    /* Adreno */
    {.kind = RHOMB_DEVICE_GPU, .vendor_part = "QUALCOMM", .unit_lanes = 128},
    /* Mali */
    {.kind = RHOMB_DEVICE_GPU, .vendor_part = "ARM", .unit_lanes = 32},
    /* GPU */
    {.kind = RHOMB_DEVICE_GPU, .unit_lanes = 64},
    /* CPU */
    {.kind = RHOMB_DEVICE_CPU, .unit_lanes = 16},
    /* device */
    {.kind = RHOMB_DEVICE_OTHER, .unit_lanes = 16},
};

#define CLASS_COUNT (sizeof CLASSES / sizeof CLASSES[0])

static bool has(const char *text, const char *part)
{
    return part == NULL || (text != NULL && strstr(text, part) != NULL);
}

static bool fits(const device_class *c, const rhomb_device_info *device)
{
    return c->kind == device->kind && device->lanes >= c->least_lanes &&
           has(device->vendor, c->vendor_part) && has(device->name, c->name_part);
}

static const device_class *class_of(const rhomb_device_info *device)
{
    for (size_t i = 0; i + 1 < CLASS_COUNT; i++)
        if (fits(&CLASSES[i], device))
            return &CLASSES[i];
    return &CLASSES[CLASS_COUNT - 1];
}

double rhomb__device_speed(const rhomb_device_info *device)
{
    const double megahertz = device->clock_mhz > 0 ? device->clock_mhz : UNKNOWN_MEGAHERTZ;
    return LANE_CELLS * class_of(device)->unit_lanes * device->compute_units * 1e6 * megahertz;
}
