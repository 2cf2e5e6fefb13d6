/* SPDX-License-Identifier: MIT */
/*
 * The tuning table. For each kind of device it has all that was tuned: the shapes of tiles, strips,
 * groups and jobs, and the rates: the *profile* that choices use. Rows change speed, never
 * distances; the tests run every row. Not here: limits of kernels and types, and what decides which
 * of several optimal paths is found, as that has to be the same on every device.
 */
#ifndef RHOMB_SRC_PROFILES_H
#define RHOMB_SRC_PROFILES_H

#include "rhomb/tuning.h"

/* OpenCL C's widest vectors: the lanes of a group of one item that has any. */
#define RHOMB__VECTOR_LANES 16

/* The lanes of each item of a sweep, a sliced batch or a long local alignment. */
static inline int32_t rhomb__lanes_of_group(int32_t group_size)
{
    return group_size == 1 ? RHOMB__VECTOR_LANES : 1;
}

/*
 * What goes by whether a group has one item, with its tile in a cache, or several, which share
 * local memory. A row has both, as a caller's tuning may ask for either kind on any device.
 */
typedef struct rhomb__group_tuning {
    int32_t wavefront_diagonals; /* of an item, where the row's own groups are of the other kind */
    int32_t affine_tile;         /* diagonals of a tile with other than unit costs */
    double affine_share;         /* its cells in the time of a wavefront's with unit costs */
    double affine_column_times;  /* the minimum time of a wavefront, by that with unit costs */
    /* Cells of a batch's matrix in bit planes in the time of one of a wavefront; with two pieces.
     */
    int32_t matrix_cells, matrix_cells_pieces;
} rhomb__group_tuning;

/* Groups that split subproblems up to a distance and a length; 0: any that kernels take. */
typedef struct rhomb__split_row {
    int32_t group_size;
    int64_t most_distance;
    int64_t most_bases;
} rhomb__split_row;

#define RHOMB__SPLIT_KINDS 3

typedef struct rhomb__tuning_row {
    const char *name;        /* in reports */
    const char *device_part; /* part of the device's name, or NULL for every device of the kind */
    rhomb_device_kind kind;
    bool integrated;     /* only for a device that shares the host's memory */
    int32_t least_lanes; /* only for a device with that many work-items in lockstep; 0: any */
    rhomb_tile_shape tile_shape;
    int32_t group_size;
    int32_t diagonals_per_item;
    int32_t tile_scores;
    int32_t wide_group_size; /* the tile that takes over when the pyramid is wide; 0: none */
    int32_t wide_diagonals_per_item;
    int32_t wide_tile_scores;
    int64_t wide_diagonals; /* of both directions: the least width of a wide pyramid */
    int32_t launches_per_read;
    double cells_per_second;  /* of a saturated device, 2 bits per symbol */
    double wavefront_seconds; /* one wavefront while the pyramid is narrow: pure latency */
    int32_t sweep_group_size; /* bit-parallel: items, words and blocks for long sequences; groups
                                 of one have vectors */
    int32_t words_per_item;
    int32_t blocks_per_launch;
    int64_t short_rows;   /* queries below have half of the words, a quarter of the blocks */
    int32_t few_units;    /* up to so many compute units sweep in one direction; 0: all in two */
    int32_t sliced_words; /* of an item with the bit-sliced step; 1 in groups where ... */
    int64_t sliced_rows;  /* ... queries are shorter than this */
    double narrow_strips; /* in flight on a compute unit: with fewer, a known band has strips of
                             short sequences; 0: it never has */
    double sweep_cells_per_second;      /* of the matrix, on a saturated device, 2 planes */
    double sweep_block_seconds;         /* a block of 16 columns while few strips are in flight */
    rhomb__group_tuning alone, grouped; /* groups of one item, and of several */
    int64_t affine_local_bytes;         /* local memory that a group's affine tile may take */
    double affine_rows_share;           /* of cells, where offsets are in rows of memory */
    double affine_pieces_share;         /* of cells, with two pieces */
    /* Times that no rate gives; see profiles.c. */
    double path_share, sweep_path_share;       /* of a path, as a multiple of its distance's time */
    double start_seconds, sweep_start_seconds; /* of a call, however short the pair */
    double bases_per_second;                   /* sent to the device and packed there */
    int64_t pinned_least_bases; /* of sequences that are worth pinned memory on their way */
    bool reads_in_place;        /* the host's memory, without a copy */

    /* Batches: groups share out the pairs of a job, whose columns they hold for paths. */
    int32_t batch_group_size;  /* 1: a work-item for each pair, which compares unpacked bases */
    int32_t batch_item_rows;   /* of a work-item of a group, in registers; with costs and modes */
    int32_t batch_lane_rows;   /* of a lane of vectors; the same */
    int32_t batch_wide_times;  /* items of a group in the bin of wide ones, of others' */
    int32_t batch_alone_group; /* for the path of a single pair, up to the device's largest */
    int32_t batch_unit_items;  /* work-items in flight on a compute unit */
    bool batch_ptx;            /* has PTX's add and max of two numbers of 16 bits */
    int32_t batch_thread_jobs; /* jobs for each host thread, */
    int32_t batch_more_jobs;   /* and so many more, */
    int32_t batch_most_jobs;   /* at most */
    int64_t batch_job_bases;   /* bases of a job */
    bool batch_first_whole;    /* the first job has all bases that there is room for */
    int64_t batch_least_columns, batch_most_columns; /* bytes of a job for columns, within which */
    int32_t batch_column_share; /* all jobs together have this part of the memory: 1 of so many */
    int32_t batch_memory_share; /* the same, of all that a batch may take */
    int64_t batch_long_bases;   /* longer sequences are left to the engines for one pair */
    int32_t batch_first_limit, batch_limit_growth; /* of levels: edits, and times the one before */
    int32_t batch_first_edits, batch_edits_growth; /* the same with costs */
    int32_t matrix_narrow_limit; /* edits up to which a matrix has groups of batch_group_size */
    int64_t matrix_job_pairs;    /* of a matrix, the most */

    /* Subproblems of an alignment. */
    int32_t split_widest_group; /* the most work-items that split one together */
    rhomb__split_row split_kinds[RHOMB__SPLIT_KINDS]; /* with wavefronts in local memory */
    int64_t split_short_rows; /* on average: sweeps of so few have strips of the next two */
    int32_t split_short_items, split_short_words;
    double sweep_launch_seconds;    /* of sweeps side by side; and ... */
    double sweep_hand_over_seconds; /* ... of a block that is handed over there, ... */
    int32_t sweep_full_items;       /* ... and work-items that fill a compute unit */
    int32_t ranges_group_size;      /* work-items that find the path of a base case */
    int32_t ranges_unit_items;      /* in flight on a compute unit, where memory allows */

    /* Local alignments of long pairs; a group of 1: 16 lanes. */
    int32_t local_group_size;
    int32_t local_item_rows;
    int32_t local_group_rows; /* of an item of a larger group; extensions have up to twice */
    int32_t local_steps;      /* of such a group's launch; 0: all that kernels have */
    /* Steps of a launch with lanes: so that about so many strips run for each compute unit. */
    int32_t local_least_steps, local_most_steps, local_unit_strips;
    double local_cells_per_second; /* on a saturated device, nothing pruned */

    int32_t compute_units;    /* that the cell rates are for; 0: those of the device */
    const char *rates_source; /* in words, for reports */
} rhomb__tuning_row;

/* The first row that fits the device; the last row fits every device. */
const rhomb__tuning_row *rhomb__tuning_find(const rhomb_device_info *device);

/*
 * Work-items of a group on the device where its row, or whoever else asks, has `wanted`: a power of
 * two that the device allows. Groups of more than one fill a wave, the work-items that run in
 * lockstep: those that are not there take as long. No larger wave than of 64 counts, as the
 * work-items of a group for a short pair have nothing to do then.
 */
int32_t rhomb__group_on(const rhomb_device_info *device, int64_t wanted);

/*
 * Compute units of the device's profile: the row's or, if the row is for any number, the device's.
 */
int32_t rhomb__profile_units(const rhomb_device_info *device);

/* What a row has for groups of so many items. */
static inline const rhomb__group_tuning *rhomb__group_tuning_of(const rhomb__tuning_row *row,
                                                                int32_t group_size)
{
    return group_size > 1 ? &row->grouped : &row->alone;
}

/* All rows, for tests. */
const rhomb__tuning_row *rhomb__tuning_rows(size_t *count);

#endif
