/* SPDX-License-Identifier: MIT */
/*
 * The classes, see device_class.h.
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

#define GIB(n) (INT64_C(n) << 30)
#define KIB(n) (INT64_C(n) << 10)

static const rhomb__device_class CLASSES[] = {
    {.name = "NVIDIA GPU",
     .vendor_part = "NVIDIA",
     .kind = RHOMB_DEVICE_GPU,
     .unit_lanes = 64,
     .example = {.name = "NVIDIA H200",
                 .vendor = "NVIDIA Corporation",
                 .memory_bytes = GIB(140),
                 .max_buffer_bytes = GIB(35),
                 .local_memory_bytes = KIB(48),
                 .max_group_size = 1024,
                 .compute_units = 132,
                 .clock_mhz = 1980,
                 .lanes = 32}},
    {.name = "AMD Instinct, MI200 and MI300",
     .vendor_part = "Advanced Micro Devices",
     .kind = RHOMB_DEVICE_GPU,
     .least_lanes = 64,
     .unit_lanes = 64,
     .example = {.name = "gfx90a",
                 .vendor = "Advanced Micro Devices, Inc.",
                 .memory_bytes = GIB(64),
                 .max_buffer_bytes = GIB(54),
                 .local_memory_bytes = KIB(64),
                 .max_group_size = 256,
                 .compute_units = 104,
                 .clock_mhz = 1700,
                 .lanes = 64}},
    {.name = "AMD Radeon, RX 5000 to 7000",
     .vendor_part = "Advanced Micro Devices",
     .kind = RHOMB_DEVICE_GPU,
     .unit_lanes = 128,
     .example = {.name = "gfx1100",
                 .vendor = "Advanced Micro Devices, Inc.",
                 .memory_bytes = GIB(24),
                 .max_buffer_bytes = GIB(20),
                 .local_memory_bytes = KIB(64),
                 .max_group_size = 256,
                 .compute_units = 48,
                 .clock_mhz = 2300,
                 .lanes = 32}},
    {.name = "Intel Data Center GPU Max",
     .vendor_part = "Intel",
     .name_part = "GPU Max",
     .kind = RHOMB_DEVICE_GPU,
     .unit_lanes = 16,
     .example = {.name = "Intel(R) Data Center GPU Max 1550",
                 .vendor = "Intel(R) Corporation",
                 .memory_bytes = GIB(64),
                 .max_buffer_bytes = GIB(4),
                 .local_memory_bytes = KIB(128),
                 .max_group_size = 1024,
                 .compute_units = 512,
                 .clock_mhz = 1600,
                 .lanes = 64}},
    {.name = "Intel Xe, integrated",
     .vendor_part = "Intel",
     .kind = RHOMB_DEVICE_GPU,
     .integrated = true,
     .unit_lanes = 8,
     .example = {.name = "Intel(R) Iris(R) Xe Graphics",
                 .vendor = "Intel(R) Corporation",
                 .memory_bytes = GIB(12),
                 .max_buffer_bytes = GIB(4),
                 .local_memory_bytes = KIB(64),
                 .max_group_size = 512,
                 .compute_units = 96,
                 .clock_mhz = 1300,
                 .unified_memory = true,
                 .lanes = 64}},
    {.name = "Intel Arc",
     .vendor_part = "Intel",
     .kind = RHOMB_DEVICE_GPU,
     .unit_lanes = 8,
     .example = {.name = "Intel(R) Arc(TM) A770 Graphics",
                 .vendor = "Intel(R) Corporation",
                 .memory_bytes = GIB(15),
                 .max_buffer_bytes = GIB(4),
                 .local_memory_bytes = KIB(64),
                 .max_group_size = 1024,
                 .compute_units = 512,
                 .clock_mhz = 2400,
                 .lanes = 64}},
    {.name = "Adreno",
     .vendor_part = "QUALCOMM",
     .kind = RHOMB_DEVICE_GPU,
     .unit_lanes = 128,
     .example = {.name = "QUALCOMM Adreno(TM)",
                 .vendor = "QUALCOMM",
                 .memory_bytes = GIB(4),
                 .max_buffer_bytes = GIB(1),
                 .local_memory_bytes = KIB(32),
                 .max_group_size = 1024,
                 .compute_units = 6,
                 .clock_mhz = 680,
                 .unified_memory = true,
                 .lanes = 128}},
    {.name = "Mali",
     .vendor_part = "ARM",
     .kind = RHOMB_DEVICE_GPU,
     .unit_lanes = 32,
     .example = {.name = "Mali-G52",
                 .vendor = "ARM",
                 .memory_bytes = GIB(2),
                 .max_buffer_bytes = GIB(1) / 2,
                 .local_memory_bytes = KIB(16),
                 .max_group_size = 384,
                 .compute_units = 2,
                 .clock_mhz = 850,
                 .unified_memory = true,
                 .lanes = 8}},
    {.name = "GPU",
     .kind = RHOMB_DEVICE_GPU,
     .unit_lanes = 64,
     .example = {.name = "a GPU",
                 .vendor = "a vendor",
                 .memory_bytes = GIB(1),
                 .max_buffer_bytes = GIB(1) / 4,
                 .local_memory_bytes = KIB(16),
                 .max_group_size = 64,
                 .compute_units = 1,
                 .clock_mhz = 500}},
    {.name = "CPU",
     .kind = RHOMB_DEVICE_CPU,
     .unit_lanes = 16,
     .example = {.kind = RHOMB_DEVICE_CPU,
                 .name = "a CPU",
                 .vendor = "GenuineIntel",
                 .memory_bytes = GIB(8),
                 .max_buffer_bytes = GIB(2),
                 .local_memory_bytes = KIB(32),
                 .max_group_size = 4096,
                 .compute_units = 8,
                 .clock_mhz = 3000,
                 .unified_memory = true,
                 .lanes = 8}},
    {.name = "device",
     .kind = RHOMB_DEVICE_OTHER,
     .unit_lanes = 16,
     .example = {.kind = RHOMB_DEVICE_OTHER,
                 .name = "a device",
                 .vendor = "a vendor",
                 .memory_bytes = GIB(1),
                 .max_buffer_bytes = GIB(1) / 4,
                 .local_memory_bytes = KIB(32),
                 .max_group_size = 128,
                 .compute_units = 4,
                 .clock_mhz = 200}},
};

#define CLASS_COUNT (sizeof CLASSES / sizeof CLASSES[0])

const rhomb__device_class *rhomb__device_classes(size_t *count)
{
    *count = CLASS_COUNT;
    return CLASSES;
}

static bool has(const char *text, const char *part)
{
    return part == NULL || (text != NULL && strstr(text, part) != NULL);
}

static bool fits(const rhomb__device_class *c, const rhomb_device_info *device)
{
    return c->kind == device->kind && device->lanes >= c->least_lanes &&
           (!c->integrated || device->unified_memory) && has(device->vendor, c->vendor_part) &&
           has(device->name, c->name_part);
}

const rhomb__device_class *rhomb__device_class_of(const rhomb_device_info *device)
{
    for (size_t i = 0; i + 1 < CLASS_COUNT; i++)
        if (fits(&CLASSES[i], device))
            return &CLASSES[i];
    return &CLASSES[CLASS_COUNT - 1];
}

double rhomb__device_speed(const rhomb_device_info *device)
{
    const double megahertz = device->clock_mhz > 0 ? device->clock_mhz : UNKNOWN_MEGAHERTZ;
    return LANE_CELLS * rhomb__device_class_of(device)->unit_lanes * device->compute_units * 1e6 *
           megahertz;
}
