/* SPDX-License-Identifier: MIT */
/*
 * Kernel families that were compiled for the host, one object of these types for each set of
 * parameters. emu_pack.c, emu_wavefront.c and emu_bitparallel.c are compiled once a set; CMake's
 * rhomb_add_emulated_kernel() does that and lists the objects in emulated_variants.h.
 */
#ifndef RHOMB_EMULATED_H
#define RHOMB_EMULATED_H

#include "cl/abi.h"

#include <stdbool.h>

/* The kernels of cl/pack.cl. */
typedef enum emulated_packing { PACK_WINDOWS, PACK_ROWS, PACK_COLUMNS } emulated_packing;

typedef struct emulated_pack_arguments {
    const unsigned char *letters;
    const unsigned char *codes;
    void *packed;
    int64_t piece_begin;
    int64_t length;
    int64_t origin;
    int64_t step;
    int64_t part_unit;
    int64_t first_unit;
    int64_t units;
    int32_t planes;
} emulated_pack_arguments;

typedef struct emulated_pack {
    int32_t symbol_bits;
    /* Launches as many groups as the units need. */
    void (*launch)(emulated_packing packing, const emulated_pack_arguments *arguments);
} emulated_pack;

/* rhomb_wavefront_band() of cl/wavefront.cl. Columns hold offsets of the variant's width. */
typedef struct emulated_band_arguments {
    const uint32_t *query;
    const uint32_t *target;
    void *column_a;
    void *column_b;
    rhomb_wavefront_status *status;
    int64_t m;
    int64_t n;
    int32_t prune;
    int32_t front;
    int64_t origin;
    int64_t first_diagonal;
    int64_t tile_pitch;
    int64_t r0;
} emulated_band_arguments;

typedef struct emulated_wavefront {
    int32_t symbol_bits;
    int32_t offset_bits;
    int32_t group_size;
    int32_t item_diagonals;
    int32_t tile_columns;
    int32_t tile_shape; /* RHOMB_SHAPE_... */
    void (*launch)(const emulated_band_arguments *arguments, int64_t groups);

    /* The functions of cl/extend.clh; `packed` points to the window of symbol 0. */
    uint32_t (*window)(const uint32_t *packed, int64_t at);
    uint64_t (*wide_window)(const uint32_t *packed, int64_t at);
    int64_t (*probe)(const uint32_t *query, const uint32_t *target, int64_t i, int64_t j,
                     bool *full); /* equal symbols */
    int64_t (*run)(const uint32_t *query, const uint32_t *target, int64_t k, int64_t j, int64_t m,
                   int64_t n);
} emulated_wavefront;

/* rhomb_bitparallel_sweep() of cl/bitparallel.cl, or of cl/bitparallel_lanes.cl. */
typedef struct emulated_sweep_arguments {
    const uint32_t *rows;
    const uint16_t *columns;
    void *down; /* pairs of words */
    uint32_t *across;
    uint32_t *carry;
    rhomb_strip *strips;
    int64_t first_strip;
    int64_t launch;
    int32_t steps;
} emulated_sweep_arguments;

typedef struct emulated_bitparallel {
    int32_t planes;
    int32_t group_size;
    int32_t item_words;
    int32_t lanes; /* 1, or 16: then groups have one item */
    void (*launch)(const emulated_sweep_arguments *arguments, int64_t groups);

    /* rhomb_block_step() of cl/bitparallel.clh, in one lane; either pair is plus, minus. */
    void (*block_step)(int lane, uint32_t equal, uint32_t down[2], uint32_t across[2]);
} emulated_bitparallel;

#endif
