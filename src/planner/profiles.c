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

#include "src/base/int64.h"
#include "src/planner/rates.h"

#include <string.h>

/*
 * What was measured with groups of one item, by PoCL on two cores with AVX-512, and with larger
 * ones, on an H200. An affine wavefront: an H200 does 0.18 to 0.22e12 cells a second with 4,6,2 and
 * 2,4,4,2, 0.11e12 with asm20's first piece, in rows, and 0.07e12 with 5,8,2,24,1, in rows and two
 * pieces, of 0.79e12. These are cells of tiles, of which a third are in margins; the plan counts
 * those of wavefronts. In groups of one, PoCL on two cores does 1.0 to 1.3e9 with 4,6,2 and 0.67 to
 * 0.9e9 with two pieces, of 0.8 to 1.2e9. A score of a launch that leaves the device idle takes
 * longer in groups, too: on an H200 1.15 us, of 0.85, for 1 Mbp at 99 and 97 % (align_score.csv). A
 * tile should fit in local memory several times, so that units have other groups to run while one
 * waits; groups of one have wider tiles, in the cache.
 *
 * A batch's matrix in bit planes at 4,6,2: 40 of its cells take as long as one of a wavefront on an
 * H100. On a CPU with AVX-512, whose wavefronts gain little by vectors, 400 do without marks and
 * 150 with them. 200 serve both: a pair that wavefronts do not find has cost what they took as well
 * as the matrix. With two pieces both are dearer: on an H200 wavefronts more than planes, so 53 to
 * 140 cells without marks (map-ont, asm20, 1 to 10 kb) and 23 to 45 with them, on a CPU the other
 * way round, 119 and 86 (map-ont, 10 kb).
 */
#define KINDS_OF_GROUPS                                                 \
    .alone = {.wavefront_diagonals = 1024,                              \
              .affine_tile = 2048,                                      \
              .affine_share = 0.8,                                      \
              .affine_column_times = 1,                                 \
              .matrix_cells = 200,                                      \
              .matrix_cells_pieces = 110},                              \
    .grouped = {.wavefront_diagonals = 4,                               \
                .affine_tile = 1024,                                    \
                .affine_share = 0.21,                                   \
                .affine_column_times = 1.35,                            \
                .matrix_cells = 40,                                     \
                .matrix_cells_pieces = 50},                             \
    .affine_local_bytes = INT64_C(48) << 10, .affine_rows_share = 0.55, \
    .affine_pieces_share = 0.65

/*
 * Strips. Short queries have few of them: with fewer rows they keep more groups busy, and shorter
 * launches let them begin earlier. A second word for the bit-sliced step gains a CPU 20 % where
 * planes are few. It gains a GPU 12 % that has enough strips, which fewer than sliced_rows are not
 * (H200: 3.15 M rows take 2 % longer, 10 M 5 % less).
 *
 * Subproblems with few rows have strips of fewer, too: else most of each would be empty. That needs
 * another program, so there is only one such shape. The times of sweeps side by side are from an
 * H200 (bench/NOTES.md), one sweep at a time (work-items x words, steps). Milliseconds, modelled
 * and measured:
 *
 *     167 k x 167 k    128 x 2, 32: 8.4 and 8.6    128 x 1, 32: 8.4 and 9.2
 *     1.05 Mbp         128 x 2, 32: 63 and 65      128 x 4, 32: 68 and 69
 *     3.2 Mbp          128 x 2, 32: 349 and 345    128 x 4, 64: 356 and 340
 *
 * By the same model other words and items gain half a millisecond over all rounds of an alignment
 * of 3.2 Mbp, and a tenth of that at 1 Mbp, but need another program to be compiled. So these stay
 * as planned.
 */
#define STRIPS                                                                          \
    .short_rows = INT64_C(1) << 21, .sliced_words = 2, .sliced_rows = INT64_C(1) << 23, \
    .split_short_rows = 4096, .split_short_items = 32, .split_short_words = 1,          \
    .sweep_launch_seconds = 5.6e-6, .sweep_hand_over_seconds = 0.28e-6, .sweep_full_items = 128

/*
 * Batches. The first limit is that of most reads; each next one has four times the edits, or with
 * costs, where a level is dearer, half as many and twice: a pair that fails at one of them has then
 * cost a quarter of what it costs in the next. Groups need up to 64 MB for columns each, and a GPU
 * many of them. Wavefronts of up to 128 edits have some hundred diagonals; above it, a matrix has
 * wider groups.
 */
#define LEVELS                                                                                   \
    .batch_first_limit = 32, .batch_limit_growth = 4, .batch_first_edits = 16,                   \
    .batch_edits_growth = 2, .batch_long_bases = INT64_C(1) << 20,                               \
    .batch_least_columns = INT64_C(64) << 20, .batch_column_share = 16, .batch_memory_share = 4, \
    .batch_lane_rows = 8, .batch_wide_times = 4, .matrix_narrow_limit = 128,                     \
    .matrix_job_pairs = INT64_C(1) << 14

/*
 * A local sweep with lanes, on a CPU: fewer than 64 steps take less time than a launch does; more
 * than 2,048 gain nothing.
 */
#define LANE_STEPS .local_least_steps = 64, .local_most_steps = 2048, .local_unit_strips = 4

/* For shorter sequences pinned memory costs more than the bus gains by it. */
#define PINNED .pinned_least_bases = INT64_C(1) << 20

/* What all rows have alike, as far as known. */
#define ALL_ROWS KINDS_OF_GROUPS, STRIPS, LEVELS, LANE_STEPS, PINNED

/*
 * Groups that split subproblems. A wavefront has at most as many diagonals as the distance, half of
 * it on average. Narrower groups would pass over wide wavefronts many times; wider ones wait at
 * their barriers for nothing, and fewer of them fit onto a compute unit. A run of 18 M matches, as
 * of N in two assemblies, takes 32 items 6 ms. H200.
 */
#define GPU_SPLITS              \
    .split_widest_group = 1024, \
    .split_kinds = {{32, 64, INT64_C(1) << 20}, {128, 512, INT64_C(1) << 22}, {512, 0, 0}}

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

/* The first tile of a GPU with memory of its own, the tile that takes over, and its strips. */
#define GPU_TILE                                                                    \
    .tile_shape = RHOMB_TILE_TRAPEZOID, .group_size = 256, .diagonals_per_item = 2, \
    .tile_scores = 64, .wide_tile_scores = 64, .launches_per_read = 100
#define GPU_SWEEP .sweep_group_size = 128, .words_per_item = 4, .blocks_per_launch = 128

/* Of those with memory of their own. */
#define GPU_JOBS                                                                \
    .batch_alone_group = 256, .batch_unit_items = 1024, .batch_thread_jobs = 2, \
    .batch_most_jobs = 24, .batch_job_bases = INT64_C(8) << 20,                 \
    .batch_most_columns = INT64_C(256) << 20, .ranges_group_size = 128, .ranges_unit_items = 2048

/* What an H200 and an H100 have alike: all but the width of a wide pyramid, and rates. */
#define LARGE_GPU                                                                             \
    .kind = RHOMB_DEVICE_GPU, GPU_TILE, .wide_group_size = 128, .wide_diagonals_per_item = 8, \
    GPU_SWEEP, GPU_NARROW, GPU_TIMES, .batch_group_size = 32, GPU_JOBS, .batch_ptx = true,    \
    GPU_LOCAL_WIDE, .local_cells_per_second = 1.5e12, ALL_ROWS, GPU_SPLITS

/* The same of GPUs that were not measured: all but the lanes, and what latency there is. */
#define OTHER_GPU                                                                             \
    .kind = RHOMB_DEVICE_GPU, GPU_TILE, .wide_group_size = 256, .wide_diagonals_per_item = 4, \
    .cells_per_second = 0.1e12, GPU_SWEEP, .sweep_cells_per_second = 5e12, GPU_TIMES,         \
    .bases_per_second = 1e9, GPU_JOBS, GPU_LOCAL, .local_cells_per_second = 0.2e12, ALL_ROWS, \
    GPU_SPLITS

/* The source of rates where no row names the device. */
#define ROUGH(whose) "rough rates of " whose ", as the tuning table does not list this device"

static const rhomb__tuning_row ROWS[] = {
    /*
     * 2026-11-20, driver 580.159.04. Wavefront: `rhomb_bench pairs` and `similar` with --tune, see
     * bench/NOTES.md; the rate is that of the wide tile. Sweep: `rhomb_bench matrix` with --tune;
     * see tune() in plan_sweep.c for queries below 2 Mbp.
     */
    {
        .name = "NVIDIA H200",
        .device_part = "H200",
        LARGE_GPU,
        .wide_diagonals = 500000,
        .cells_per_second = 0.79e12,
        .wavefront_seconds = 0.85e-6,
        .sweep_cells_per_second = 33e12,
        .sweep_block_seconds = 0.9e-6,
        .bases_per_second = 2e9,
        .rates_source = "the tuning table: measured on an H200",
    },
    /*
     * 2026-11-23, driver 580.159.04, H100 80GB HBM3: the H200's shapes. `rhomb_bench pairs` with
     * and without --tune wide=400000:128:8:64: BA000035 x
     * BX927147 takes 1.48 seconds by this second tile and 1.67 by that of any GPU. Pairs and
     * `matrix` take 1 to 6 % longer than on an H200, and the rates are less by that.
     */
    {
        .name = "NVIDIA H100",
        .device_part = "H100",
        LARGE_GPU,
        .wide_diagonals = 400000,
        .cells_per_second = 0.75e12,
        .wavefront_seconds = 0.95e-6,
        .sweep_cells_per_second = 32e12,
        .sweep_block_seconds = 0.95e-6,
        .bases_per_second = 1.6e9,
        .rates_source = "the tuning table: measured on an H100",
    },
    /*
     * Not measured: a GPU in a processor, which has some hundred lanes and shares its memory. It
     * has one small tile, as its groups share little local memory, shorter launches for the
     * display's sake, and half of the batch jobs, columns and work-items in flight of other GPUs,
     * or less. Groups of 64 with 4 diagonals per item have the same tile, but Intel's Xe has too
     * few registers for them (bench/NOTES.md).
     */
    {
        .name = "integrated GPU",
        .kind = RHOMB_DEVICE_GPU,
        .integrated = true,
        .tile_shape = RHOMB_TILE_TRAPEZOID,
        .group_size = 128,
        .diagonals_per_item = 2,
        .tile_scores = 32,
        .launches_per_read = 50,
        .cells_per_second = 0.01e12,
        .wavefront_seconds = 5e-6,
        .sweep_group_size = 64,
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
        .ranges_group_size = 128,
        .ranges_unit_items = 512,
        GPU_LOCAL,
        .local_cells_per_second = 0.02e12,
        ALL_ROWS,
        GPU_SPLITS,
        .rates_source = ROUGH("an integrated GPU"),
    },
    /*
     * Not measured: as any GPU, with longer minimum times of a column and a block; in batches a
     * pair has all 64 lanes.
     */
    {
        .name = "GPU of 64 lanes",
        .least_lanes = 64,
        OTHER_GPU,
        .wide_diagonals = 200000,
        .wavefront_seconds = 3e-6,
        .sweep_block_seconds = 3e-6,
        .batch_group_size = 64,
        .rates_source = ROUGH("a GPU of 64 lanes"),
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
        OTHER_GPU,
        .wide_diagonals = 100000,
        .wavefront_seconds = 2e-6,
        .sweep_block_seconds = 2e-6,
        .batch_group_size = 32,
        .rates_source = ROUGH("any GPU"),
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
        .split_widest_group = 1, /* see cl/divide/split.cl */
        .ranges_group_size = 1,
        .ranges_unit_items = 4,
        .compute_units = 2,
        .local_group_size = 1,
        .local_item_rows = 8,
        /* Of groups, which only tests ask for: compilers take long over 16. */
        .local_group_rows = 4,
        .batch_item_rows = 4,
        .local_cells_per_second = 2e9,
        ALL_ROWS,
        .few_units = 8,
        .reads_in_place = true,
        .batch_first_whole = true, /* no driver ends a CPU's launches */
        .rates_source = ROUGH("any CPU"),
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
        ALL_ROWS,
        GPU_SPLITS,
        .rates_source = ROUGH("any device"),
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

rhomb__rates rhomb__rates_of_row(const rhomb_device_info *device)
{
    const rhomb__tuning_row *row = rhomb__tuning_find(device);
    const rhomb__rate_values values = {row->cells_per_second, row->wavefront_seconds,
                                       row->sweep_cells_per_second, row->sweep_block_seconds,
                                       row->bases_per_second};
    rhomb__rates rates = {values, values, row->rates_source};
    if (row->compute_units > 0 && device->compute_units > 0) {
        const double units = (double)device->compute_units / row->compute_units;
        rates.values.cells_per_second *= units;
        rates.values.sweep_cells_per_second *= units;
    }
    return rates;
}

int64_t rhomb__cells_in(const rhomb__rate_values *rates, double seconds)
{
    const double cells = rates->cells_per_second * seconds;
    return cells < 0x1p60 ? (int64_t)cells + 1 : INT64_C(1) << 60;
}
