/* SPDX-License-Identifier: MIT */
/*
 * What host and kernels share: integer types, constants, and the one record that a kernel writes
 * and the host reads. Fixed-width members only, explicit padding, a multiple of 8 bytes, no
 * pointers.
 */
#ifndef RHOMB_ABI_H
#define RHOMB_ABI_H

#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)
typedef int rhomb_i32;
typedef long rhomb_i64;
typedef uint rhomb_u32;
#else
#    include <stdint.h>
typedef int32_t rhomb_i32;
typedef int64_t rhomb_i64;
typedef uint32_t rhomb_u32;
#endif

/*
 * Symbols of padding before and after a packed sequence. A tile may hold diagonals outside the
 * matrix and look at symbols there; none is further away than the widest tile and its band.
 */
#define RHOMB_PAD_SYMBOLS 16384

/* The widest tile, in diagonals, and the most columns of a band: 8192 + 2 * 256 < PAD_SYMBOLS. */
#define RHOMB_MAX_TILE_DIAGONALS 8192
#define RHOMB_MAX_TILE_COLUMNS   256

/* Values of RHOMB_TILE_SHAPE. */
#define RHOMB_SHAPE_TRAPEZOID 1
#define RHOMB_SHAPE_DIAMOND   2

/* Symbols from one packed word to the next; a word holds twice as many, see cl/extend.clh. */
#define RHOMB_STRIDE_OF(symbol_bits) (16 / (symbol_bits))

/* `distance` while the end has not been reached. */
#define RHOMB_UNSOLVED (-1)

/* What the end diagonal K has to say after a band; offsets and distances as in rhomb.h. */
typedef struct rhomb_front {
    rhomb_i64 distance; /* RHOMB_UNSOLVED, or the first column r with f_r[K] >= n */
    rhomb_i64 bound;    /* the distance is at most this */
    rhomb_i64 reach;    /* f_r[K] ... */
    rhomb_i64 column;   /* ... and its r */
} rhomb_front;

/*
 * The status record. Bands alternate between the two fronts, so that a group never reads what
 * another group of its launch writes. `tiles` counts the tiles that were computed (not pruned),
 * modulo 2^32.
 */
typedef struct rhomb_wavefront_status {
    rhomb_front front[2];
    rhomb_u32 tiles;
    rhomb_u32 padding;
} rhomb_wavefront_status;

/* A strip's last row has no block yet that a path may leave it by. */
#define RHOMB_NO_BLOCK ((rhomb_i64)0x7fffffffffffffff)

/*
 * How far a strip of the bit-parallel engine has come along its last row, for the strip below
 * (src/strips.h). Scores are values of the edit distance matrix.
 */
typedef struct rhomb_strip_front {
    rhomb_i64 begin;       /* first block by which a path within the bound may leave, or NO_BLOCK */
    rhomb_i64 begin_score; /* at that block's left edge */
    rhomb_i64 room;  /* twice the diagonals beyond the end diagonal that such a path can reach */
    rhomb_i64 end;   /* blocks up to here have been swept ... */
    rhomb_i64 score; /* ... and this is the score there */
} rhomb_strip_front;

/*
 * A strip: its time table, and the two fronts between which launches alternate, so that a group
 * never reads what another group of its launch writes.
 */
typedef struct rhomb_strip {
    rhomb_strip_front front[2];
    rhomb_i64 first_block; /* blocks [first_block, end_block) are all that a launch may ask for */
    rhomb_i64 end_block;
    rhomb_i64 below_first_block; /* of the strip below */
    rhomb_i64 first_step;        /* in which the first item does the first block */
    rhomb_i64 last_launch;       /* with steps of this strip; -1: it has none */
    rhomb_i64 above_last_launch; /* of the strip above */
    rhomb_i64 first_item;        /* whose rows its first work-item has */
    rhomb_i64 corner;            /* the column in which the end diagonal crosses the last row */
    rhomb_i64 slack;             /* the bound on the distance, less corner */
} rhomb_strip;

#endif
