/* SPDX-License-Identifier: MIT */
/*
 * The planner's table of engines, by rhomb__engine_row. A row has all that the planner knows about
 * an engine: what it can compute, what fields its part of a plan has, how that is made, checked and
 * made smaller, and what memory and time it takes.
 *
 * Where the choice is the planner's, the first row that can begins; its engine finds out about the
 * distance as it goes. By what is expected then, all rows that may take over are asked for their
 * seconds, and the least of them counts (plan_seconds.c). For short pairs another row begins, if it
 * takes less for any distance than the first one takes to start.
 */
#ifndef RHOMB_SRC_MODELS_H
#define RHOMB_SRC_MODELS_H

#include "src/planner/engine_plan.h"
#include "src/planner/fit.h"
#include "src/planner/seconds.h"

/* A field of an engine's part of a plan (plan_fields.c), and where it is. */
typedef enum rhomb__field_type {
    RHOMB__FIELD_END, /* after the last one */
    RHOMB__FIELD_INT32,
    RHOMB__FIELD_INT64,
    RHOMB__FIELD_BOOL,
    RHOMB__FIELD_SHAPE /* rhomb_tile_shape */
} rhomb__field_type;

typedef struct rhomb__plan_field {
    rhomb__field_type type;
    size_t bytes;
    size_t own;    /* in rhomb__plan, */
    size_t view;   /* in rhomb_plan or nowhere, and ... */
    size_t tuning; /* ... in rhomb_tuning or nowhere: the value makes this field again */
} rhomb__plan_field;

extern const rhomb__plan_field rhomb__wavefront_fields[], rhomb__sweep_fields[];

typedef struct rhomb__model {
    rhomb_engine engine;          /* that callers ask for */
    bool unit_costs, other_costs; /* that it computes, */
    int64_t most_lookback;        /* if they look back no more scores than this; 0: any, */
    bool needs_two_directions;    /* and this, where the choice is the planner's */
    bool sweeps; /* of rhomb__plan_sweeps(): it can take over from one that does not */
    const char *name;
    const char *reason;      /* one sentence: when the caller should choose this engine */
    const char *reason_open; /* the same: why the planner begins with it */
    const rhomb__plan_field *fields;
    /* Fills the engine's part by the device's tuning row and the caller's values, and its speed. */
    void (*tune)(const rhomb__plan_input *input, rhomb__plan *plan);
    /* Refuses values that fit neither each other, nor the device, nor the lengths. */
    rhomb_status (*check)(rhomb__error *error, const rhomb__plan_input *input,
                          const rhomb__plan *plan);
    /*
     * The time for a cost at some speed of the row's. `plan` is the row's own or, if the engine can
     * take over, may be that of the one before: then only what they have in common counts.
     */
    double (*seconds)(const rhomb__plan *plan, const rhomb__speed *speed, int64_t cost,
                      rhomb__known known);
    /* Adds the engine's memory to the plan's. */
    void (*estimate_memory)(const rhomb__plan_input *input, rhomb__plan *plan);
    /* Of rhomb__plan_shrink(). */
    void (*shrink)(rhomb__plan *plan, int64_t most_items);
} rhomb__model;

/* A row, and that of a plan. */
const rhomb__model *rhomb__model_at(rhomb__engine_row row);
const rhomb__model *rhomb__model_of(const rhomb__plan *plan);

extern const rhomb__model rhomb__model_wavefront;
extern const rhomb__model rhomb__model_affine;
extern const rhomb__model rhomb__model_sweep;

#define RHOMB__WAVEFRONT_BEGINS \
    "fast for similar pairs; the bit-parallel engine takes over for others"

/*
 * What follows from the fields of a plan's engine: its part of a caller's view, what a checkpoint
 * has of it, the tuning that gives a plan the same shape, and what such a plan takes over besides.
 */
void rhomb__plan_show(const rhomb__plan *plan, rhomb_plan *view);
void rhomb__plan_list(rhomb__plan *plan, rhomb__fields *fields);
void rhomb__plan_force(const rhomb__plan *plan, rhomb_tuning *tuning);
void rhomb__plan_take(const rhomb__plan *from, rhomb__plan *plan);

/* Whether the caller gave a value that this engine alone has. */
bool rhomb__model_is_tuned(const rhomb__model *model, const rhomb_tuning *given);

/* The status record and the table of codes; the memory of a context, its device and programs. */
#define RHOMB__SMALL_DEVICE_BYTES (INT64_C(1) << 10)
#define RHOMB__LEAST_HOST_BYTES   (INT64_C(1) << 20)

/* The row's value, unless the caller gave one. */
static inline int32_t rhomb__given_or(int32_t given, int32_t row)
{
    return given != 0 ? given : row;
}

/* The largest group of the device up to the row's, unless the caller gave one. */
int32_t rhomb__group_for(const rhomb__plan_input *input, int32_t row_group);

/* RHOMB_ERR_ARGUMENT: what costs `value`, which is more than `most`, for an engine. */
rhomb_status rhomb__refuse_costs(rhomb__error *error, const rhomb__costs *costs, const char *what,
                                 int64_t value, int most, const char *engine);

#endif
