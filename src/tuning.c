/* SPDX-License-Identifier: MIT */
/*
 * The tuning table, see tuning.h. Rows are tried from the top; `bench/` measures them and
 * bench/NOTES.md keeps what lost. Above each row: when, with what and how it was measured.
 *
 * What the values do. Wider tiles waste less on margins and exchange less, but leave a narrow
 * pyramid to few work-groups. More columns a band mean fewer launches and wider margins. More
 * diagonals an item save exchanges and hide loads behind each other, and cost registers. 100 bands
 * a read keep a device busy without queueing seconds of work (Castells-Rufas 2023, figure 7).
 */
#include "tuning.h"

#include <string.h>

static const rhomb__tuning_row ROWS[] = {
    /*
     * 2026-11-20, driver 580.159.04. Wavefront: `rhomb_bench ladder`, where 256 x 4 with 32 and
     * with 64 columns lead, and `pairs` for the rate. Sweep: `rhomb distance --engine bitparallel
     * --tune`, bench/results/h200_bitparallel.csv: 128 x 4 words x 128 blocks for 10 Mbp and more;
     * see tune_sweep() in plan.c for shorter queries.
     */
    {"NVIDIA H200", "H200", RHOMB_DEVICE_GPU, RHOMB_TILE_TRAPEZOID, 256, 4, 32, 100, 0.57e12,
     1.5e-6, 128, 4, 128, 30e12, 1e-6, 2e9, 0, false, "the tuning table: measured on an H200"},
    /* Not measured: the H200's shape, and rates of a GPU with a sixth of its speed. */
    {"any GPU", NULL, RHOMB_DEVICE_GPU, RHOMB_TILE_TRAPEZOID, 256, 4, 32, 100, 0.1e12, 2e-6, 128, 4,
     128, 5e12, 2e-6, 1e9, 0, true, "the tuning table: guessed for any GPU"},
    /*
     * 2026-11-20, PoCL 3.1, two cores of a Xeon with AVX-512: `rhomb distance` on the Caulobacter
     * pair of bench/README.md, 0.9 to 1.3 s. Sweep: 9 to 11e9 cells a second with the GPU's shape.
     */
    {"any CPU", NULL, RHOMB_DEVICE_CPU, RHOMB_TILE_TRAPEZOID, 1, 2048, 64, 100, 0.6e9, 2e-6, 16, 4,
     128, 1e10, 1e-5, 2e8, 2, true, "the tuning table: guessed for any CPU"},
    /* Not measured: a cautious shape for accelerators and devices that say no kind. */
    {"any device", NULL, RHOMB_DEVICE_OTHER, RHOMB_TILE_TRAPEZOID, 64, 4, 32, 100, 1e9, 1e-5, 64, 4,
     128, 1e10, 1e-5, 1e8, 0, true, "the tuning table: guessed for any device"},
};

#define ROW_COUNT (sizeof ROWS / sizeof ROWS[0])

const rhomb__tuning_row *rhomb__tuning_rows(size_t *count)
{
    *count = ROW_COUNT;
    return ROWS;
}

const rhomb__tuning_row *rhomb__tuning_find(const rhomb_device_info *device)
{
    for (size_t i = 0; i + 1 < ROW_COUNT; i++) {
        if (ROWS[i].kind == device->kind &&
            (ROWS[i].device_part == NULL || strstr(device->name, ROWS[i].device_part) != NULL))
            return &ROWS[i];
    }
    return &ROWS[ROW_COUNT - 1];
}
