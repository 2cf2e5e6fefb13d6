/* SPDX-License-Identifier: MIT */
/*
 * Tuning parameters, for benchmarks, tests and new devices. Callers who only want distances and
 * alignments need nothing from this header.
 */
#ifndef RHOMB_TUNING_H
#define RHOMB_TUNING_H

#include <rhomb/rhomb.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The shape of a tile. A trapezoid advances its diagonals by a few scores and computes a margin on
 * either side twice; a diamond computes every cell once, but at any score two launches are
 * incomplete.
 */
typedef enum rhomb_tile_shape {
    RHOMB_TILE_AUTO,
    RHOMB_TILE_TRAPEZOID,
    RHOMB_TILE_DIAMOND
} rhomb_tile_shape;

/*
 * Tuning, for benchmarks, tests and new devices. It changes time and memory, never a distance. With
 * RHOMB_ENGINE_AUTO it may change which engine finishes a run, and so which of several optimal
 * alignments is returned. 0: the value of the device's tuning row.
 *
 * Ranges of a wavefront's tile are those of unit costs. With others it looks back as many scores as
 * a mismatch costs, or the first base of a gap if that is more, divided by what all costs have in
 * common: tile_scores are two more than that at least, and up to 16384. A tile has up to 8192
 * diagonals in all, however many each item has; and more than twice what tile_scores are when
 * divided by the least extension and rounded up.
 */
struct rhomb_tuning {
    size_t struct_size;
    rhomb_tile_shape tile_shape;
    int32_t group_size; /* work-items per group, both engines: 1, or a power of two up to 1024;
                           a sweep's groups of 1 have vectors of 16 lanes, each like an item */
    int32_t diagonals_per_item; /* diagonals per work-item: 1 to 8; 64 to 8192 if group_size is 1 */
    int32_t tile_scores; /* scores a launch advances by: 1 to 256, below half the tile's width */
    int32_t launches_per_read; /* launches enqueued per read of the status: 1 to 10000 */
    int32_t offset_bits;       /* 32 or 64; 32 is an error where it could overflow */
    bool no_pruning;           /* compute all diagonals |k| <= r, not only those that can matter */
    int32_t words_per_item;    /* words of 32 rows per item or lane of a sweep: 1 to 8 */
    int32_t blocks_per_launch; /* blocks of 16 columns per launch of a sweep: 1 to 4096 */
    int32_t directions;        /* 1, or 2 that meet in the middle; diamonds have 1 */
    int64_t first_half_width;  /* diagonals on either side of those between the ends, in a
                              sweep's first band */
    /*
     * Sweeps on several devices: neighbouring strips that each has in turn. All sweeps are shared
     * then, however narrow, and so is all else that can be, however short.
     */
    int64_t chunk_strips;
    /* rhomb_align_mode(): items of a group, or 1 for vectors of 16 lanes, powers of two up to 256;
     */
    int32_t local_group_size;
    int32_t local_item_rows; /* rows of an item or a lane: 1 to 32; */
    int32_t local_steps;     /* of a launch: 1 to 64; up to 65536 where local_group_size is 1 */
    /* The tile to use once both directions have wide_diagonals diagonals: set all four, or none. */
    int32_t wide_group_size, wide_diagonals_per_item, wide_tile_scores;
    int64_t wide_diagonals;
};

#define RHOMB_TUNING_INIT                                                                          \
    {                                                                                              \
        sizeof(rhomb_tuning), RHOMB_TILE_AUTO, 0, 0, 0, 0, 0, false, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
            0, 0                                                                                   \
    }

#ifdef __cplusplus
}
#endif

#endif
