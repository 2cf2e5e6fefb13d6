/* SPDX-License-Identifier: MIT */
/*
 * Kernel families that were compiled for the host, one object of these types for each set of
 * parameters. emu_wavefront.c, emu_wavefront_diamond.c, emu_bitparallel.c, emu_bitsliced.c,
 * emu_batch.c, emu_affine_path.c, emu_affine_wavefront.c, emu_split.c and emu_split_wide.c are
 * compiled once a set; CMake's rhomb_add_emulated_kernel() does that and lists the objects in
 * emulated_variants.h. The packing kernels have no parameters.
 */
#ifndef RHOMB_EMULATED_H
#define RHOMB_EMULATED_H

#include "cl/abi.h"

#include <stdbool.h>

/* The kernels of cl/common/pack.cl. */
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

/* Launches as many groups as the units need. */
void emulated_pack_launch(emulated_packing packing, const emulated_pack_arguments *arguments);

/* Rows, or columns, of ranges of a packed pair. */
typedef struct emulated_range_arguments {
    const uint32_t *target;
    const uint32_t *query;
    const rhomb_pack_range *ranges;
    void *packed;
    int64_t first_range;
    int64_t count;
    int64_t units;
    int32_t planes;
} emulated_range_arguments;

/* The same, with PACK_ROWS or PACK_COLUMNS. */
void emulated_pack_ranges(emulated_packing packing, const emulated_range_arguments *arguments);

/* rhomb_gather_borders() or rhomb_scatter_borders() of cl/common/borders.cl. */
typedef struct emulated_border_arguments {
    rhomb_strip *strips;
    uint32_t *across;
    const uint32_t *listed;
    int64_t first;
    int64_t launch;
    int32_t steps;
    int32_t lag;
    int32_t block_words;
    uint32_t *packets;
} emulated_border_arguments;

void emulated_borders(bool gathers, const emulated_border_arguments *arguments, int64_t groups,
                      int64_t group_size);

/*
 * rhomb_wavefront_advance() and rhomb_wavefront_meet() of cl/wavefront/wavefront.cl, or the first
 * of them as cl/wavefront/wavefront_diamond.cl has it. Columns hold offsets of the variant's width.
 */
typedef struct emulated_launch_arguments {
    const uint32_t *query;
    const uint32_t *target;
    void *wavefront_a; /* the one that is looked at, where the directions may meet */
    void *wavefront_b;
    rhomb_wavefront_status *status;
    rhomb_launch launch;
} emulated_launch_arguments;

typedef struct emulated_wavefront {
    int32_t planes;
    int32_t offset_bits;
    int32_t group_size;
    int32_t item_diagonals;
    int32_t tile_scores;
    void (*launch)(const emulated_launch_arguments *arguments, int64_t groups);
    void (*meet)(const emulated_launch_arguments *arguments,
                 int64_t groups); /* NULL for diamonds */

    /* The functions of cl/common/extend.clh; `packed` points to the word of symbol 0. */
    void (*window)(const uint32_t *packed, int64_t at, uint32_t *window);
    uint32_t (*differ)(const uint32_t *query, const uint32_t *target, int64_t i, int64_t j);
    uint32_t (*cut)(int64_t i, int64_t j, int64_t m, int64_t n);
    int64_t (*run)(const uint32_t *query, const uint32_t *target, int64_t k, int64_t j, int64_t m,
                   int64_t n, int64_t steps, bool *open);
    int64_t (*furthest)(int64_t m, int64_t n, int64_t k);

    /*
     * run_known() and run_alone() of cl/common/runs.clh, in one direction of a whole pair with the
     * lengths and directions of a launch. Mirrored, rows are the target's.
     */
    int64_t (*known)(const emulated_launch_arguments *arguments, int direction, bool mirrored,
                     int64_t row, int64_t column);
    int64_t (*alone)(const emulated_launch_arguments *arguments, int direction, bool mirrored,
                     int64_t row, int64_t column);
} emulated_wavefront;

/*
 * A sweep: rhomb_bitparallel_sweep() of cl/bitparallel/bitparallel.cl or
 * cl/bitparallel/bitparallel_lanes.cl, or rhomb_bitsliced_sweep() of cl/bitsliced/bitsliced.cl or
 * cl/bitsliced/bitsliced_lanes.cl. All have the same arguments.
 */
typedef struct emulated_sweep_arguments {
    const uint32_t *rows;
    const uint16_t *columns;
    void *down; /* words, in pairs for Myers' step */
    uint32_t *across;
    uint32_t *carry;
    rhomb_strip *strips;
    const uint32_t *listed;
    int64_t first_listed;
    int64_t launch;
    int32_t steps;
} emulated_sweep_arguments;

typedef struct emulated_sweep {
    int32_t planes;
    int32_t group_size;
    int32_t item_words;
    int32_t lanes; /* 1, or 16: then groups have one item */
    void (*launch)(const emulated_sweep_arguments *arguments, int64_t groups);
} emulated_sweep;

typedef struct emulated_bitparallel {
    emulated_sweep sweep;

    /*
     * rhomb_block_step() of cl/bitparallel/bitparallel.clh, in one lane; either pair is plus,
     * minus.
     */
    void (*block_step)(int lane, uint32_t equal, uint32_t down[2], uint32_t across[2]);
} emulated_bitparallel;

typedef struct emulated_bitsliced {
    emulated_sweep sweep;
    int32_t mismatch;
    int32_t open[2];
    int32_t extend[2]; /* extend[1] is 0 where gaps have one piece */
} emulated_bitsliced;

/* The kernels of cl/batch/batch.cl: bases to what is compared, and a level of pairs. */
typedef struct emulated_batch_arguments {
    const void *letters;
    const uint16_t *codes;
    void *packed;
    uint8_t *flags;
    rhomb_batch_counts *counts;
    uint32_t words;
    int32_t dna;
    const rhomb_batch_pair *pairs;
    uint32_t *lists;
    rhomb_batch_answer *answers;
    uint32_t *cigars;
    int32_t *columns;
    int32_t *state;
    uint32_t list_pitch;
    int32_t level;
    int32_t levels;
    int32_t limit;
    int32_t max_distance;
    int32_t all;
} emulated_batch_arguments;

typedef struct emulated_batch {
    int32_t planes; /* 0: bases are compared as they are */
    int32_t group_size;
    int32_t path;
    void (*pack)(const emulated_batch_arguments *arguments);
    void (*solve)(const emulated_batch_arguments *arguments, int64_t groups);
} emulated_batch;

/* The kernel of cl/local/long_local.cl, and what it is told in each launch. */
typedef struct emulated_long_arguments {
    const uint32_t *query;
    const uint32_t *target;
    void *border;
    int32_t *state;
    rhomb_long_local_cell *cells;
    rhomb_long_local_status *status;
    void *tops; /* score and row of each antidiagonal */
    rhomb_long_local_job job;
    int32_t first;
    int32_t step;
    int32_t turn;
} emulated_long_arguments;

typedef struct emulated_long {
    int32_t planes;
    int32_t group_size;
    int32_t item_rows;
    int32_t lanes;
    int32_t pieces;
    int32_t mode; /* rhomb_mode; 4: an extension with a z-drop */
    void (*launch)(const emulated_long_arguments *arguments, int64_t groups);
} emulated_long;

/* The kernels of cl/batch/batch_local.cl and cl/batch/batch_extend.cl: scores of packed pairs. */
typedef struct emulated_batch_mode_arguments {
    const uint32_t *bases;
    const uint8_t *flags;
    const rhomb_batch_pair *pairs;
    const uint32_t *lists;
    rhomb_batch_scored *answers;
    int32_t *memory;
    rhomb_batch_counts *counts;
    uint32_t list_pitch;
    rhomb_batch_local_job local;
    rhomb_batch_extend_job extend;
    bool diagonal; /* batch_extend: by antidiagonals, not by items with rows of their own */
} emulated_batch_mode_arguments;

typedef struct emulated_batch_mode {
    int32_t planes;
    int32_t group_size;
    int32_t item_rows;
    int32_t lanes;
    int32_t bits;
    int32_t pieces;
    int32_t edges; /* of batch_local: 1: free ends */
    void (*solve)(const emulated_batch_mode_arguments *arguments, int64_t groups);
} emulated_batch_mode;

/* The kernel of cl/batch/batch_sliced.cl: costs and paths of packed pairs. */
typedef struct emulated_batch_sliced_arguments {
    const uint32_t *bases;
    const uint8_t *flags;
    const rhomb_batch_pair *pairs;
    uint32_t *lists;
    rhomb_batch_scored *answers;
    uint32_t *cigars;
    uint32_t *memory;
    rhomb_batch_counts *counts;
    uint32_t list_pitch;
    rhomb_batch_affine_job job;
    int32_t all;
} emulated_batch_sliced_arguments;

typedef struct emulated_batch_sliced {
    int32_t planes;
    int32_t group_size;
    int32_t item_words;
    int32_t lanes;
    int32_t path;
    int32_t replaced;
    int32_t costs[5]; /* mismatch, openings and extensions as in cl/params.def */
    void (*solve)(const emulated_batch_sliced_arguments *arguments, int64_t groups);
} emulated_batch_sliced;

/* The kernel of cl/affine/affine_path.cl: the paths of some subproblems. */
typedef struct emulated_affine_path_arguments {
    const uint32_t *query;
    const uint32_t *target;
    const rhomb_affine_path *jobs;
    rhomb_batch_answer *answers;
    uint32_t *operations;
    int32_t *memory;
    uint32_t *taken;
    rhomb_split_whole whole;
    uint32_t count;
    int64_t group_cells;
} emulated_affine_path_arguments;

typedef struct emulated_affine_path {
    int32_t planes;
    int32_t group_size;
    int32_t costs[5]; /* mismatch, openings and extensions as in cl/params.def */
    void (*solve)(const emulated_affine_path_arguments *arguments, int64_t groups);
} emulated_affine_path;

/* Two kernels of cl/affine/affine_wavefront.cl: tiles of a launch, and a look. */
typedef struct emulated_affine_arguments {
    const uint32_t *query;
    const uint32_t *target;
    const rhomb_affine_problem *problems;
    const rhomb_affine_tile *tiles;
    void *offsets[2]; /* of the variant's width */
    void *memory;     /* of a tile for each group, where it is not local */
    const rhomb_affine_status *status;
    rhomb_split_whole whole;
    int64_t tile_count;
} emulated_affine_arguments;

typedef struct emulated_affine_look {
    const rhomb_affine_problem *problems;
    const void *offsets;
    rhomb_affine_status *status;
    int64_t score;
    int32_t number;
    int32_t far_shift;
} emulated_affine_look;

typedef struct emulated_affine_wavefront {
    int32_t planes;
    int32_t offset_bits;
    int32_t group_size;
    int32_t item_diagonals;
    int32_t tile_scores;
    int32_t tile_local;
    int32_t costs[5]; /* mismatch, openings and extensions as in cl/params.def */
    void (*advance)(const emulated_affine_arguments *arguments, int64_t groups);
    void (*look)(const emulated_affine_look *arguments, int64_t groups);
} emulated_affine_wavefront;

/* The kernels of cl/divide/split.cl: columns of some problems, and where they meet. */
typedef struct emulated_split_arguments {
    const uint32_t *query;
    const uint32_t *target;
    const rhomb_split_job *jobs;
    void *columns; /* of offsets of the variant's width, as is the next one */
    void *state;
    rhomb_split_point *points;
    int64_t query_backward;
    int64_t target_backward;
    int64_t query_length;
    int64_t target_length;
    int64_t first_job;
} emulated_split_arguments;

typedef struct emulated_split {
    int32_t planes;
    int32_t offset_bits;
    int32_t group_size;
    int32_t in_place;
    void (*solve)(const emulated_split_arguments *arguments, int64_t jobs);
} emulated_split;

/*
 * The kernels of cl/divide/split_wide.cl: a launch of some problems' columns, and where they meet.
 *
 */
typedef struct emulated_split_wide_arguments {
    const uint32_t *query;
    const uint32_t *target;
    const rhomb_split_wide *problems;
    const rhomb_split_tile *tiles;
    void *columns[2]; /* of offsets of the variant's width */
    rhomb_split_point *points;
    rhomb_split_whole whole;
    int64_t start;
    int64_t turn; /* the number of the launch */
} emulated_split_wide_arguments;

typedef struct emulated_split_wide {
    int32_t planes;
    int32_t offset_bits;
    int32_t group_size;
    int32_t item_diagonals;
    int32_t tile_scores;
    void (*launch)(const emulated_split_wide_arguments *arguments, int64_t groups);
    void (*meet)(const emulated_split_wide_arguments *arguments, int64_t problems);
} emulated_split_wide;

#endif
