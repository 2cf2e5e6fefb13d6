/* SPDX-License-Identifier: MIT */
/*
 * A plain dynamic program in the place of the bit-parallel engine's kernels, for any costs: it
 * fills in just the vertices that the strips of a sweep_model.h sweep, and keeps them all. Where
 * costs are not unit costs it is Gotoh's (1982), with a state for each piece and kind of gap, and
 * begins within the sweep's gaps.
 */
#ifndef RHOMB_TESTS_PLAIN_SWEEP_H
#define RHOMB_TESTS_PLAIN_SWEEP_H

#include "support/pair.h"
#include "sweep_model.h"

/* Costs of paths to a vertex that end with a gap: vertical or horizontal, of each piece. */
typedef struct plain_gaps {
    int32_t down[2];
    int32_t right[2];
} plain_gaps;

/* At the vertex in which a direction begins, which may be within a gap (RHOMB_GAP_*). */
plain_gaps plain_first_gaps(int32_t gap);

typedef struct plain_sweep {
    const pair *p; /* a: the target, b: the query */
    const rhomb__sweep *sweep;
    unsigned char *columns[2]; /* the bases of either direction's columns, ... */
    unsigned char *rows[2];    /* ... and rows, those below the last one too */
    int32_t *value[2];         /* costs of either direction, row by row */
    plain_gaps *gaps[2];       /* the same; NULL with Myers' step, which has none */
    sweep_model model;
} plain_sweep;

/* Whether the model has room for a sweep. */
bool plain_sweep_fits(const rhomb__sweep *sweep);

/*
 * Makes room for a sweep. Padding and the rows below the last one are 0. All that is pointed to has
 * to stay. Aborts without memory.
 */
void plain_sweep_start(plain_sweep *s, const pair *p, const rhomb__sweep *sweep);
void plain_sweep_end(plain_sweep *s);

/* Sweeps; the model and the records (room for rhomb__sweep_records()) have the results. */
void plain_sweep_run(plain_sweep *s, int64_t bound, rhomb_strip *records);

/* A vertex that was swept; rows and columns are the direction's. */
int64_t plain_sweep_at(const plain_sweep *s, int64_t direction, int64_t row, int64_t column);

/* What it saves there to go on with a gap of a piece, instead of opening one. */
int64_t plain_sweep_saves_down(const plain_sweep *s, int64_t direction, int64_t row, int64_t column,
                               int piece);
int64_t plain_sweep_saves_right(const plain_sweep *s, int64_t direction, int64_t row,
                                int64_t column, int piece);

#endif
