/* SPDX-License-Identifier: MIT */
/*
 * The tuning table. For each kind of device it has the fastest tile and the rates: the *profile*
 * that choices use. Rows change speed, never distances; the tests run every row.
 */
#ifndef RHOMB_SRC_PROFILES_H
#define RHOMB_SRC_PROFILES_H

#include "rhomb/tuning.h"

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
    int32_t sweep_group_size; /* bit-parallel: items, words and blocks for long sequences */
    int32_t sweep_lanes;      /* 16: groups of one item with vectors instead */
    int32_t words_per_item;
    int32_t blocks_per_launch;
    double narrow_strips; /* in flight on a compute unit: with fewer, a known band has strips of
                             short sequences; 0: it never has */
    double sweep_cells_per_second; /* of the matrix, on a saturated device, 2 planes */
    double sweep_block_seconds;    /* a block of 16 columns while few strips are in flight */
    /* Times that no rate gives; see profiles.c. */
    double path_share, sweep_path_share;       /* of a path, as a multiple of its distance's time */
    double start_seconds, sweep_start_seconds; /* of a call, however short the pair */
    double bases_per_second;                   /* sent to the device and packed there */

    /* Batches: groups share out the pairs of a job, whose columns they hold for paths. */
    int32_t batch_group_size;   /* 1: a work-item for each pair, which compares unpacked bases */
    int32_t batch_item_rows;    /* of a work-item of a group, in registers; with costs and modes */
    int32_t batch_alone_group;  /* for the path of a single pair, up to the device's largest */
    int32_t batch_unit_items;   /* work-items in flight on a compute unit */
    bool batch_ptx;             /* has PTX's add and max of two numbers of 16 bits */
    int32_t batch_thread_jobs;  /* jobs for each host thread, */
    int32_t batch_more_jobs;    /* and so many more, */
    int32_t batch_most_jobs;    /* at most */
    int64_t batch_job_bases;    /* bases of a job */
    int64_t batch_most_columns; /* bytes of a job for columns, where memory allows */

    /* Subproblems of an alignment. */
    int32_t split_widest_group; /* the most work-items that split one together */
    int32_t ranges_group_size;  /* work-items that find the path of a base case */
    int32_t ranges_unit_items;  /* in flight on a compute unit, where memory allows */

    /* Local alignments of long pairs; a group of 1: 16 lanes. Steps: 0: as the pair's lengths say.
     */
    int32_t local_group_size;
    int32_t local_item_rows;
    int32_t
        local_group_rows; /* where a group has more than one item; extensions have up to twice */
    int32_t local_steps;
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

/*
 * Cells that a wavefront of the device computes in so many seconds, by its rates for estimates:
 * callers limit the time of a launch by it, or until they look at the device.
 */
int64_t rhomb__cells_in(const rhomb_rates *rates, double seconds);

/* All rows, for tests. */
const rhomb__tuning_row *rhomb__tuning_rows(size_t *count);

#endif
