/* SPDX-License-Identifier: MIT */
/*
 * The shape of a run, and how fast a device is, for those who look into that: benchmarks, tests and
 * new devices. Callers who only want distances and alignments need nothing of this.
 */
#ifndef RHOMB_TUNING_H
#define RHOMB_TUNING_H

#include <rhomb/rhomb.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------- rates */

/*
 * How fast a device is, as the plans see it. There are two uses of rates, and neither changes a
 * distance.
 *
 * Estimates of time, and what changes time alone, go by the first of
 *   - rhomb_tuning.rates, where the caller gives them;
 *   - a measurement on this device, stored in the cache folder (rhomb_context_calibrate());
 *   - the tuning table, which has measured rates for a few devices and guesses for all others.
 *
 * What RHOMB_ENGINE_AUTO decides goes by the device's *profile*: its row of the tuning table, or
 * rhomb_tuning.rates, and the memory that it has. Nothing that is measured, stored or busy counts
 * there, so that the same version, input, options and profile give the same engine, and the same
 * alignment, each time. To have choices follow a measurement, give its rates as rhomb_tuning.rates.
 */
typedef struct rhomb_rates {
    size_t struct_size;
    double cells_per_second;       /* wavefront: of a wide pyramid, which keeps the device busy */
    double column_seconds;         /* wavefront: the least time of a column, however narrow */
    double sweep_cells_per_second; /* bit-parallel: of the matrix, when the device is busy */
    double sweep_block_seconds;    /* bit-parallel: the least time of a block of 16 columns */
    double letters_per_second;     /* to the device, and packed there */
} rhomb_rates;

#define RHOMB_RATES_INIT                   \
    {                                      \
        sizeof(rhomb_rates), 0, 0, 0, 0, 0 \
    }

/*
 * Measures the rates of the open device ("auto" when none is) by short runs of both engines on
 * generated pairs with known distances: about half a second of a GPU's time and up to two of a
 * processor's, besides building the kernels. Estimates go by them in this context while the device
 * is open, and in later ones, for which they are stored. What is stored is found again by the same
 * version of the library, on a device of the same name, driver and number of compute units; a file
 * that is damaged counts as absent, and a folder that cannot be written is no error.
 *
 * `rates` may be NULL; else its struct_size says how much of it is filled.
 * Returns RHOMB_OK, RHOMB_ERR_DEVICE_WRONG_RESULT, or what rhomb_distance() does for the same
 * cause; on failure *rates is left as it was, and plans go on with the rates that they had.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_context_calibrate(rhomb_context *ctx,
                                                                rhomb_rates *rates);

/*
 * The file that the open device's rates were read from or stored in. NULL without a device, without
 * a measurement, or where it could not be stored. The context's until it opens a device or
 * measures.
 */
RHOMB_API const char *rhomb_context_rates_file(const rhomb_context *ctx);

/* ------------------------------------------------------------------ tuning */

/*
 * Tuning, for benchmarks, tests and new devices. It changes time and memory, never a distance; with
 * RHOMB_ENGINE_AUTO it may change which engine ends a run, and so which of several equal alignments
 * comes out. 0 takes the value that the device's tuning row has.
 */
struct rhomb_tuning {
    size_t struct_size;
    rhomb_tile_shape tile_shape;
    int32_t group_size;         /* work-items of a work-group: 1, or a power of two up to 1024;
                                   of both engines */
    int32_t diagonals_per_item; /* diagonals that one work-item holds: 1 to 8; 64 to 8192 when
                                   group_size is 1 */
    int32_t tile_columns;       /* columns a band advances: 1 to 256, and the tile is wider than
                                   twice as much */
    int32_t bands_per_read;     /* bands enqueued for each read of the status: 1 to 10000 */
    int32_t offset_bits;        /* 32 or 64; 32 is refused where it could overflow */
    bool no_pruning;            /* compute all diagonals |k| <= r, not only those that can matter */
    int32_t words_per_item;     /* words of 32 rows that an item or lane of a sweep holds: 1 to 8 */
    int32_t blocks_per_launch;  /* blocks of 16 columns that a launch sweeps: 1 to 4096 */
    int32_t directions;         /* 1, or 2 that meet in the middle; diamonds have 1 */
    int64_t first_beside;       /* diagonals on either side of those between the ends, in a
                                   sweep's first band */
    const rhomb_rates *rates;   /* those that are not 0 replace the device's; NULL: none does */
    int32_t lanes;              /* of a sweep's vectors, each like an item: 1, or 16 when
                                   group_size is 1 */
    int64_t beam_diagonals;     /* at most, of a beam that runs in any case; -1: none runs */
    /* The tile that takes over where both directions have so many diagonals: all four, or none. */
    int32_t wide_group_size, wide_diagonals_per_item, wide_tile_columns;
    int64_t wide_diagonals;
};

#define RHOMB_TUNING_INIT                                                                          \
    {                                                                                              \
        sizeof(rhomb_tuning), RHOMB_TILE_AUTO, 0, 0, 0, 0, 0, false, 0, 0, 0, 0, NULL, 0, 0, 0, 0, \
            0, 0                                                                                   \
    }

#ifdef __cplusplus
}
#endif

#endif
