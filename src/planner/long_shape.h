/* SPDX-License-Identifier: MIT */
/*
 * The shape of a sweep for the best alignment of one long pair (cl/local/long_local.cl): strips of
 * rows, each some steps later than the one above, and which of them run in a launch. Pure integer
 * functions. Rows are the query's, columns the target's.
 */
#ifndef RHOMB_SRC_LONG_SHAPE_H
#define RHOMB_SRC_LONG_SHAPE_H

#include "rhomb/scoring.h"
#include "rhomb/tuning.h"
#include "src/base/error.h"

/* The largest score that numbers of 32 bits allow, from the floor on, and value of a scoring. */
#define RHOMB__LONG_MOST_SCORE  ((INT64_C(1) << 31) - 2)
#define RHOMB__LONG_MOST_ADDEND (INT64_C(1) << 28)

/* The longest sequence, with room for what lies beyond its end. */
#define RHOMB__LONG_MOST_BASES ((INT64_C(1) << 31) - (INT64_C(1) << 20))

typedef struct rhomb__long_shape {
    int32_t group_size;
    int32_t item_rows; /* of an item or a lane */
    int32_t lanes;     /* 16: groups of one item with vectors */
    int32_t pieces;    /* of a gap's cost */
    int32_t steps;     /* of a launch */
    int32_t columns;   /* of a step */
    int32_t items;     /* of a strip: work-items or lanes */
    bool drops;        /* for a z-drop: strips go on beyond the last column */
} rhomb__long_shape;

/* The shape for a device and a pair. RHOMB_ERR_ARGUMENT for a tuning that cannot be. */
rhomb_status rhomb__long_shape_make(rhomb__error *error, const rhomb_device_info *device,
                                    const rhomb_tuning *tuning, const rhomb_scoring *scoring,
                                    int64_t target_length, bool drops, rhomb__long_shape *shape);

int64_t rhomb__long_strips(const rhomb__long_shape *shape, int64_t query_length);

/* Launches for so many rows and columns, neither of them 0. */
int64_t rhomb__long_launches(const rhomb__long_shape *shape, int64_t target_length,
                             int64_t query_length);

/* The strips [*first, *end) that run in a launch, and the step at which the first one is. */
void rhomb__long_running(const rhomb__long_shape *shape, int64_t target_length,
                         int64_t query_length, int64_t launch, int64_t *first, int64_t *end,
                         int64_t *step);

/*
 * The last antidiagonal (row + column, from 1 on) on which all strips have all cells, after so many
 * launches: of the shape for a z-drop.
 */
int64_t rhomb__long_complete(const rhomb__long_shape *shape, int64_t target_length,
                             int64_t query_length, int64_t launches);

/* The steps by which a strip is later than the one above. */
int64_t rhomb__long_lag(const rhomb__long_shape *shape);

/* The bytes of the border, and of what all strips keep. */
int64_t rhomb__long_border_bytes(const rhomb__long_shape *shape, int64_t target_length);
int64_t rhomb__long_state_bytes(const rhomb__long_shape *shape, int64_t query_length);

/* The trace of a strip, see cl/local/local_trace.clh. */
int64_t rhomb__long_trace_bytes(const rhomb__long_shape *shape, int64_t target_length);

/* Bytes for traces and kept borders: what they take as a rule, at most, and in one buffer. */
typedef struct rhomb__long_room {
    int64_t usual, most, buffer;
} rhomb__long_room;

/*
 * The strips of a chunk of a path, and the *bytes of their trace and of the borders after all
 * chunks: the most strips that take no more than is usual, else those that take least. That is some
 * n * sqrt(32 * m) bytes, or n * sqrt(48 * m) with two pieces, whatever the shape. 0: that is more
 * than there is.
 */
int64_t rhomb__long_chunk_strips(const rhomb__long_shape *shape, int64_t target_length,
                                 int64_t query_length, const rhomb__long_room *room,
                                 int64_t *bytes);

#endif
