/* SPDX-License-Identifier: MIT */
/*
 * A pyramid of the emulated wavefront kernels: the status record, two columns of all diagonals that
 * any tile can touch, and launches over them as host/engines/wavefront/pyramid.c makes them. Each
 * launch sees memory of just its size: packed sequences, and of the columns the diagonals that
 * src/planner/tiling.h says it touches, with some room between the directions where nothing may be
 * read or written.
 */
#ifndef RHOMB_EMU_PYRAMID_H
#define RHOMB_EMU_PYRAMID_H

#include "emulated.h"
#include "src/planner/tiling.h"
#include "tests/wavefront_model.h"

typedef struct emu_pyramid {
    const emulated_wavefront *variant;
    const model_pair *pair;
    rhomb__tiling tiling;
    int32_t directions;
    int32_t far_shift;
    int32_t meets_later;
    int64_t tiles_per_launch;
    rhomb_wavefront_status status;
    int64_t low; /* the columns hold the diagonals from low to high */
    int64_t high;
    int64_t *columns[2][2]; /* [source or not][direction] */
    int64_t start;          /* the column that the next launch starts from */
    int source;
    int32_t front;
    int32_t turn;
    uint32_t *query; /* packed */
    uint32_t *target;
} emu_pyramid;

/*
 * Begins before column 0; `bound` is the fronts'. What else can be chosen, can be set afterwards.
 *
 */
void emu_pyramid_open(emu_pyramid *e, const emulated_wavefront *variant, const model_pair *pair,
                      int32_t directions, bool pruning, int64_t bound);
void emu_pyramid_close(emu_pyramid *e);

/* The status record before anything is computed. */
rhomb_wavefront_status emu_pyramid_initial(const emu_pyramid *e, int64_t bound);

/* What "no offset" is for the variant. */
int64_t emu_pyramid_nothing(const emu_pyramid *e);

/* Enqueues a launch: each direction takes so many columns of it. Nothing alternates yet. */
void emu_pyramid_launch(emu_pyramid *e, const rhomb__launch *launch, int32_t forward,
                        int32_t backward);

/*
 * Launches the look at the columns with `which`, which hold the diagonals of `held` and no others,
 * at those of `at` and what else a group has.
 */
void emu_pyramid_meet(emu_pyramid *e, int which, rhomb__window held, int64_t start, int32_t forward,
                      int32_t backward, rhomb__window at);

/* After a launch of `columns`: columns, fronts and turns alternate. */
void emu_pyramid_advance(emu_pyramid *e, const rhomb__launch *launch, int64_t columns);

#endif
