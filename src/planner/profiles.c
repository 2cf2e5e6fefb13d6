/* SPDX-License-Identifier: MIT */
/*
 * The tuning table, see profiles.h. Rows are tried from the top; `bench/` measures them and
 * bench/NOTES.md keeps what lost. The comment above each row says when, with what and how it was
 * measured.
 *
 * What the values do. Wider tiles waste less on margins and exchange less, but leave a narrow
 * pyramid to few work-groups. More columns per launch mean fewer launches and wider margins. More
 * diagonals per item save exchanges and let loads overlap, but cost registers. A second tile that
 * takes over early slows columns with too few of its groups for all compute units. One that takes
 * over late leaves wide pyramids to the first tile's margins. 500,000 diagonals are some 4 of
 * its groups for each unit of an H200; its rows of bench/NOTES.md show both losses. 100 launches
 * per read keep a device busy without queueing seconds of work (Castells-Rufas 2023, figure 7).
 *
 * Batches. A GPU needs thousands of groups in each launch, and a bus needs pieces of megabytes. A
 * GPU gets two jobs per thread, so that one's bases are copied while another waits for the device.
 * A CPU device does both itself, so one more job than threads is enough.
 *
 * Base cases. A column of a range of d edits has up to d + 1 diagonals: narrower groups than 128
 * would go over it several times and wait for bases each time. A CPU's groups have one item.
 *
 * Times that no rate gives. The path's time, relative to that of the distance: an H200 takes 0.7 to
 * 1.6 times as long again where the distance takes 10 ms or more (bench/results/align.csv). With
 * PoCL the path took 1.2 to 3 times as long by the wavefront for pairs of 100 kb to 1 Mb. By the
 * sweep it took 1.2 to 2 times as long at more than one edit in 20 bases, and 2.6 to 5.8 times
 * below that, where most subproblems are left to the wavefront (align_pocl.csv has some of each).
 * The shares of a CPU are less than most of these, as what a distance is said to take is rather
 * more than it takes: with 1 and 1.5 `align --dry-run` says 4.9 s for 6.8 (CP000051 x AE002160), 17
 * for 17.6 (yeast) and 41 for 31 (BA000035 x BX927147); with 2 and 3 it said 7.9, 27 and 66. The
 * time of a call for even the shortest pair is buffers, the first launches, reading results: with
 * PoCL 1.4 ms by the wavefront, whose launches are enqueued ahead, on an H200 0.9 ms; by the sweep
 * 0.3 ms on both (pairs of 100 to 10,000 bases; start.csv for 16.5 k).
 */
#include "src/planner/profiles.h"

#include <string.h>

#include "src/base/int64.h"

/* What all GPUs have alike, as far as known: measured on an H200. */
#define GPU_TIMES \
    .path_share = 1, .sweep_path_share = 1, .start_seconds = 0.9e-3, .sweep_start_seconds = 0.3e-3

/*
 * Local alignments of long pairs, not measured yet: groups of a warp, as a barrier costs such a
 * group the least, with the rows and the steps of cl/local/long_local.cl.
 */
#define GPU_LOCAL                                                                             \
    .local_group_size = 32, .local_item_rows = 16, .local_group_rows = 16, .local_steps = 64, \
    .batch_item_rows = 16

/* An H100, one long pair: 1 x 1 Mbp local 1.53e12 cells/s for 1.40e12, extension 0.77 for 0.67. */
#define GPU_LOCAL_WIDE                                                                         \
    .local_group_size = 128, .local_item_rows = 16, .local_group_rows = 16, .local_steps = 64, \
    .batch_item_rows = 16

/*
 * Strips of fewer rows in narrow bands. H100, 3 to 19 Mbp, strips of 128 x 4 in flight on a unit
 * and the seconds by these and by 128 x 2, 32 blocks: 0.63 0.310 and 0.290, 0.95 0.667 and 0.634,
 * 1.1 0.282 and 0.262, 2.07 1.817 and 1.807. With more in flight strips of fewer rows lose.
 */
#define GPU_NARROW .narrow_strips = 2

/* Of those with memory of their own. */
#define GPU_JOBS                                                                \
    .batch_alone_group = 256, .batch_unit_items = 1024, .batch_thread_jobs = 2, \
    .batch_most_jobs = 24, .batch_job_bases = INT64_C(8) << 20,                 \
    .batch_most_columns = INT64_C(256) << 20, .split_widest_group = 1024,       \
    .ranges_group_size = 128, .ranges_unit_items = 2048

static const rhomb__tuning_row ROWS[] = {
    /*
     * 2026-11-20, driver 580.159.04. Wavefront: `rhomb_bench pairs` and `similar` with --tune, see
     * bench/NOTES.md; the rate is that of the wide tile. Sweep: `rhomb_bench matrix` with --tune;
     * see tune() in plan_sweep.c for queries below 2 Mbp.
     */
    {
        .name = "NVIDIA H200",
        .device_part = "H200",
        .kind = RHOMB_DEVICE_GPU,
        .tile_shape = RHOMB_TILE_TRAPEZOID,
        .group_size = 256,
        .diagonals_per_item = 2,
        .tile_scores = 64,
        .wide_group_size = 128,
        .wide_diagonals_per_item = 8,
        .wide_tile_scores = 64,
        .wide_diagonals = 500000,
        .launches_per_read = 100,
        .cells_per_second = 0.79e12,
        .wavefront_seconds = 0.85e-6,
        .sweep_group_size = 128,
        .sweep_lanes = 1,
        .words_per_item = 4,
        .blocks_per_launch = 128,
        GPU_NARROW,
        .sweep_cells_per_second = 33e12,
        .sweep_block_seconds = 0.9e-6,
        GPU_TIMES,
        .bases_per_second = 2e9,
        .batch_group_size = 32,
        GPU_JOBS,
        .batch_ptx = true,
        GPU_LOCAL_WIDE,
        .local_cells_per_second = 1.5e12,
        .rates_source = "the tuning table: measured on an H200",
    },
    /*
     * 2026-11-23, driver 580.159.04, H100 80GB HBM3: the H200's shapes. `rhomb_bench pairs` with
     * and without --tune wide=400000,wide-group=128,wide-items=8,wide-scores=64: BA000035 x
     * BX927147 takes 1.48 seconds by this second tile and 1.67 by that of any GPU. Pairs and
     * `matrix` take 1 to 6 % longer than on an H200, and the rates are less by that.
     */
    {
        .name = "NVIDIA H100",
        .device_part = "H100",
        .kind = RHOMB_DEVICE_GPU,
        .tile_shape = RHOMB_TILE_TRAPEZOID,
        .group_size = 256,
        .diagonals_per_item = 2,
        .tile_scores = 64,
        .wide_group_size = 128,
        .wide_diagonals_per_item = 8,
        .wide_tile_scores = 64,
        .wide_diagonals = 400000,
        .launches_per_read = 100,
        .cells_per_second = 0.75e12,
        .wavefront_seconds = 0.95e-6,
        .sweep_group_size = 128,
        .sweep_lanes = 1,
        .words_per_item = 4,
        .blocks_per_launch = 128,
        GPU_NARROW,
        .sweep_cells_per_second = 32e12,
        .sweep_block_seconds = 0.95e-6,
        GPU_TIMES,
        .bases_per_second = 1.6e9,
        .batch_group_size = 32,
        GPU_JOBS,
        .batch_ptx = true,
        GPU_LOCAL_WIDE,
        .local_cells_per_second = 1.5e12,
        .rates_source = "the tuning table: measured on an H100",
    },
    /*
     * Not measured: a GPU in a processor, which has some hundred lanes and shares its memory. It
     * has one small tile, as its groups share little local memory, shorter launches for the
     * display's sake, and half of the batch jobs, columns and work-items in flight of other GPUs,
     * or less.
     */
    {
        .name = "integrated GPU",
        .kind = RHOMB_DEVICE_GPU,
        .integrated = true,
        .tile_shape = RHOMB_TILE_TRAPEZOID,
        .group_size = 64,
        .diagonals_per_item = 4,
        .tile_scores = 32,
        .launches_per_read = 50,
        .cells_per_second = 0.01e12,
        .wavefront_seconds = 5e-6,
        .sweep_group_size = 64,
        .sweep_lanes = 1,
        .words_per_item = 4,
        .blocks_per_launch = 64,
        .sweep_cells_per_second = 0.4e12,
        .sweep_block_seconds = 4e-6,
        GPU_TIMES,
        .bases_per_second = 1e9,
        .batch_group_size = 32,
        .batch_alone_group = 256,
        .batch_unit_items = 512,
        .batch_thread_jobs = 2,
        .batch_most_jobs = 8,
        .batch_job_bases = INT64_C(8) << 20,
        .batch_most_columns = INT64_C(64) << 20,
        .split_widest_group = 1024,
        .ranges_group_size = 128,
        .ranges_unit_items = 512,
        GPU_LOCAL,
        .local_cells_per_second = 0.02e12,
        .rates_source = "the tuning table: estimated for an integrated GPU",
    },
    /*
     * Not measured: as any GPU, with longer minimum times of a column and a block; in batches a
     * pair has all 64 lanes.
     */
    {
        .name = "GPU of 64 lanes",
        .kind = RHOMB_DEVICE_GPU,
        .least_lanes = 64,
        .tile_shape = RHOMB_TILE_TRAPEZOID,
        .group_size = 256,
        .diagonals_per_item = 2,
        .tile_scores = 64,
        .wide_group_size = 256,
        .wide_diagonals_per_item = 4,
        .wide_tile_scores = 64,
        .wide_diagonals = 200000,
        .launches_per_read = 100,
        .cells_per_second = 0.1e12,
        .wavefront_seconds = 3e-6,
        .sweep_group_size = 128,
        .sweep_lanes = 1,
        .words_per_item = 4,
        .blocks_per_launch = 128,
        .sweep_cells_per_second = 5e12,
        .sweep_block_seconds = 3e-6,
        GPU_TIMES,
        .bases_per_second = 1e9,
        .batch_group_size = 64,
        GPU_JOBS,
        GPU_LOCAL,
        .local_cells_per_second = 0.2e12,
        .rates_source = "the tuning table: estimated for a GPU of 64 lanes",
    },
    /*
     * Not measured: the H200's first tile, and rates of a GPU with a sixth of its speed. The second
     * tile suits any GPU. Its groups are as large as the first one's, so where the device allows
     * only fewer items the plan has smaller groups and no second tile. It has 4 diagonals per item:
     * 8 take 112 to 120 registers, which some GPUs only have in memory. On an H200 BA000035 x
     * BX927147 takes 1.79 seconds by this tile, 2.64 by the first one, 1.48 with 8 diagonals. It
     * takes over with 4 of its groups for each of 28 compute units.
     */
    {
        .name = "any GPU",
        .kind = RHOMB_DEVICE_GPU,
        .tile_shape = RHOMB_TILE_TRAPEZOID,
        .group_size = 256,
        .diagonals_per_item = 2,
        .tile_scores = 64,
        .wide_group_size = 256,
        .wide_diagonals_per_item = 4,
        .wide_tile_scores = 64,
        .wide_diagonals = 100000,
        .launches_per_read = 100,
        .cells_per_second = 0.1e12,
        .wavefront_seconds = 2e-6,
        .sweep_group_size = 128,
        .sweep_lanes = 1,
        .words_per_item = 4,
        .blocks_per_launch = 128,
        .sweep_cells_per_second = 5e12,
        .sweep_block_seconds = 2e-6,
        GPU_TIMES,
        .bases_per_second = 1e9,
        .batch_group_size = 32,
        GPU_JOBS,
        GPU_LOCAL,
        .local_cells_per_second = 0.2e12,
        .rates_source = "the tuning table: estimated for any GPU",
    },
    /*
     * 2026-11-23, PoCL 3.1, two cores of a Xeon with AVX-512: 0.93e9 to 0.96e9 cells a second on 1
     * Mbp at 3 %, with one thread and with two, since PoCL hands out groups by 32 and narrow
     * pyramids have no more; 1.19e9 on random sequences of 300 k x 300 k. With 1.8e9, pairs of 300
     * k at 3 % stayed with the wavefront for 1.6 times the sweep's time (bench/NOTES.md). Sweep:
     * 100 k x 100 k, 110e9 per core.
     */
    {
        .name = "any CPU",
        .kind = RHOMB_DEVICE_CPU,
        .tile_shape = RHOMB_TILE_TRAPEZOID,
        .group_size = 1,
        .diagonals_per_item = 512,
        .tile_scores = 32,
        .launches_per_read = 100,
        .cells_per_second = 0.9e9,
        .wavefront_seconds = 3e-6,
        .sweep_group_size = 1,
        .sweep_lanes = 16,
        .words_per_item = 4,
        .blocks_per_launch = 128,
        .sweep_cells_per_second = 2.2e11,
        .sweep_block_seconds = 0.3e-6,
        .path_share = 1,
        .sweep_path_share = 1,
        .start_seconds = 1.4e-3,
        .sweep_start_seconds = 0.3e-3,
        .bases_per_second = 2e8,
        .batch_group_size = 1,
        .batch_alone_group = 1,
        .batch_unit_items = 4,
        .batch_thread_jobs = 1,
        .batch_more_jobs = 1,
        .batch_most_jobs = 4,
        .batch_job_bases = INT64_C(4) << 20,
        .batch_most_columns = INT64_C(64) << 20,
        .split_widest_group = 1,
        .ranges_group_size = 1,
        .ranges_unit_items = 4,
        .compute_units = 2,
        .local_group_size = 1,
        .local_item_rows = 8,
        /* Of groups, which only tests ask for: compilers take long over 16. */
        .local_group_rows = 4,
        .batch_item_rows = 4,
        .local_cells_per_second = 2e9,
        .rates_source = "the tuning table: estimated for any CPU",
    },
    /*
     * Not measured: a cautious shape for accelerators and devices of unknown kind. It has one tile,
     * as it is unknown how much work fills such a device.
     */
    {
        .name = "any device",
        .kind = RHOMB_DEVICE_OTHER,
        .tile_shape = RHOMB_TILE_TRAPEZOID,
        .group_size = 64,
        .diagonals_per_item = 4,
        .tile_scores = 32,
        .launches_per_read = 100,
        .cells_per_second = 1e9,
        .wavefront_seconds = 1e-5,
        .sweep_group_size = 64,
        .sweep_lanes = 1,
        .words_per_item = 4,
        .blocks_per_launch = 128,
        .sweep_cells_per_second = 1e10,
        .sweep_block_seconds = 1e-5,
        GPU_TIMES,
        .bases_per_second = 1e8,
        .batch_group_size = 32,
        GPU_JOBS,
        GPU_LOCAL,
        .local_cells_per_second = 1e9,
        .rates_source = "the tuning table: estimated for any device",
    },
};

#define WIDEST_WAVE 64

#define ROW_COUNT (sizeof ROWS / sizeof ROWS[0])

int32_t rhomb__group_on(const rhomb_device_info *device, int64_t wanted)
{
    const int64_t wave = wanted > 1 ? rhomb__min(device->lanes, WIDEST_WAVE) : 1;
    const int64_t most = rhomb__max(device->max_group_size, 1);
    return (int32_t)rhomb__power_of_two_within(rhomb__min(rhomb__max(wanted, wave), most));
}

int32_t rhomb__profile_units(const rhomb_device_info *device)
{
    const int32_t units = rhomb__tuning_find(device)->compute_units;
    return units > 0 ? units : device->compute_units;
}

const rhomb__tuning_row *rhomb__tuning_rows(size_t *count)
{
    *count = ROW_COUNT;
    return ROWS;
}

int64_t rhomb__cells_in(const rhomb_rates *rates, double seconds)
{
    const double cells = rates->cells_per_second * seconds;
    return cells < 0x1p60 ? (int64_t)cells + 1 : INT64_C(1) << 60;
}

static bool fits(const rhomb__tuning_row *row, const rhomb_device_info *device)
{
    return row->kind == device->kind && (!row->integrated || device->unified_memory) &&
           device->lanes >= row->least_lanes &&
           (row->device_part == NULL || strstr(device->name, row->device_part) != NULL);
}

const rhomb__tuning_row *rhomb__tuning_find(const rhomb_device_info *device)
{
    for (size_t i = 0; i + 1 < ROW_COUNT; i++) {
        if (fits(&ROWS[i], device))
            return &ROWS[i];
    }
    return &ROWS[ROW_COUNT - 1];
}
