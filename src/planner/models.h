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

/*
 * The planner's times: what the rows answer, and how a row is weighed against those that may take
 * over. One model, two sets of speeds. Estimates use the best known speeds, measured ones if there
 * are any. Decisions use the profile's, which never change, and its time for the wavefronts so far
 * instead of a clock. So the same input makes the same choices each time.
 */

/* What is known of a cost when its time is asked for. */
typedef enum rhomb__known {
    RHOMB__KNOWN_GUESS, /* that it is expected: the engine has to find it out */
    RHOMB__KNOWN_BOUND, /* that no path costs more, from the beginning */
    RHOMB__KNOWN_PATH,  /* the same; and if the plan has a guide, what that promises */
    RHOMB__KNOWN_NONE   /* nothing: a whole run of the row's own plan, with all that comes before */
} rhomb__known;

/* The time of a wavefront, with any costs, at a speed that belongs to its row. */
double rhomb__wave_seconds(const rhomb__plan *plan, const rhomb__speed *speed, int64_t cost,
                           rhomb__known known);

/* The same of a sweep; `plan` may also be one from which it takes over. */
double rhomb__sweep_seconds(const rhomb__plan *plan, const rhomb__speed *speed, int64_t cost,
                            rhomb__known known);

/* The time to sweep the pieces along a guide, by the profile or for estimates. */
double rhomb__follow_seconds(const rhomb__plan *plan, bool by_profile);

/* What a sweep takes in the strips of its plan, as a share of its time by the model. */
double rhomb__strips_model(const rhomb__plan *sweep);

/* Of the rows that may take over from a plan's the one that takes the least, by the profile. */
typedef struct rhomb__successor {
    rhomb__engine_row row;
    double seconds; /* infinite: there is none */
} rhomb__successor;

rhomb__successor rhomb__plan_successor(const rhomb__plan *plan, int64_t cost, rhomb__known known);

/* Structures that have fields of an engine's part of a plan (plan_fields.c). */
enum { RHOMB__OF_PLAN, RHOMB__OF_VIEW, RHOMB__OF_TUNING };

extern const rhomb__field rhomb__wavefront_fields[], rhomb__sweep_fields[];

typedef struct rhomb__model {
    rhomb_engine engine;          /* that callers ask for */
    bool unit_costs, other_costs; /* that it computes, */
    int64_t most_lookback;        /* if they look back no more scores than this; 0: any, */
    bool needs_two_directions;    /* and this, where the choice is the planner's */
    bool sweeps; /* of rhomb__plan_sweeps(): it can take over from one that does not */
    const char *name;
    const char *reason;      /* one sentence: when the caller should choose this engine */
    const char *reason_open; /* the same: why the planner begins with it */
    /* Of its part of a plan: also in rhomb_plan, and in rhomb_tuning, whose value gives it again.
     */
    const rhomb__field *fields;
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
