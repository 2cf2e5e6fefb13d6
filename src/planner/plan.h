/* SPDX-License-Identifier: MIT */
/*
 * The planner: from lengths, letters, device and options to an engine, a tile, offset widths and
 * the memory that they take. Pure: no device is touched.
 */
#ifndef RHOMB_SRC_PLAN_H
#define RHOMB_SRC_PLAN_H

#include "src/base/error.h"
#include "src/planner/rates.h"
#include "src/planner/strips.h"
#include "src/planner/tiling.h"

/* What the planner needs to know. */
typedef struct rhomb__plan_input {
    int64_t target_length;
    int64_t query_length;
    int32_t symbols; /* different letters of the pair, after folding */
    bool equal;      /* the sequences are equal: no engine is needed */
    const rhomb_device_info *device;
    const rhomb_options *options; /* complete: as rhomb__options_complete() returned it */
    const rhomb__rates *rates;    /* for estimates; the options' own rates come before them */
    int32_t threads;              /* of the host, that look at letters */
} rhomb__plan_input;

/*
 * Fills *plan. RHOMB_ERR_ARGUMENT for tuning values that are out of range or do not fit together or
 * the device, for 32-bit offsets where they could overflow, for an engine that does not exist.
 */
rhomb_status rhomb__plan_make(rhomb__error *error, const rhomb__plan_input *input,
                              rhomb_plan *plan);

/*
 * RHOMB_ERR_DEVICE_MEMORY when even the plan's least memory is more than the device has, or the
 * longer sequence more than the device's largest buffer.
 */
rhomb_status rhomb__plan_check_memory(rhomb__error *error, const rhomb_plan *plan,
                                      const rhomb_device_info *device);

/* RHOMB_ERR_ARGUMENT unless these, which every kind of options has, are legal. */
rhomb_status rhomb__check_asked(rhomb__error *error, int64_t max_distance, rhomb_alphabet alphabet);

/* The caller's options at their present size; NULL gives the defaults. */
rhomb_status rhomb__options_complete(rhomb__error *error, const rhomb_options *given,
                                     rhomb_options *options, rhomb_tuning *tuning);

/*
 * The plan of the engine that may take over from `plan`, for a distance that is estimated and at
 * most `bound`: its first band is made for that, with room to spare up to the bound.
 * RHOMB_ERR_ARGUMENT where there is none.
 */
rhomb_status rhomb__plan_other(rhomb__error *error, const rhomb__plan_input *input,
                               const rhomb_plan *plan, int64_t estimate, int64_t bound,
                               rhomb_plan *other);

/*
 * What a wavefront under way knows of how far it has come. It decides without a clock: the time
 * that it has taken is what the device's profile says of its columns.
 */
typedef struct rhomb__look {
    double seconds;     /* of rhomb__plan_profile_seconds() */
    int64_t column;     /* columns up to here have come as far as ... */
    int64_t reach;      /* ... antidiagonal i + j of n + m */
    double pace;        /* the least column / reach of any look; 0 where there was no other */
    int64_t beam_bound; /* on the distance, from a beam; 0 where none gave one */
} rhomb__look;

/*
 * Whether a run of `plan` should hand over. Writes the distance that it expects: the beam's bound,
 * or, where there is none or it is far off, as if the rest took as many edits a letter. Where an
 * earlier look promised much less, the run may be in a long indel, which ends at once: it gets some
 * more time to show that.
 */
bool rhomb__plan_should_switch(const rhomb_plan *plan, const rhomb__look *look, int64_t *estimate);

/* What a wavefront takes up to a column, or a sum of two directions' columns, by the profile. */
double rhomb__plan_profile_seconds(const rhomb_plan *plan, int64_t column);

/* Where a beam ends without having reached the end. */
typedef struct rhomb__beam_budget {
    int64_t column; /* a bound this large would be of no use */
    int64_t cells;  /* more would cost more than they could save */
} rhomb__beam_budget;

/* Whether such a run should ask a beam for a bound first, and what the beam may take. */
bool rhomb__plan_should_beam(const rhomb_plan *plan, const rhomb__look *look,
                             rhomb__beam_budget *budget);

/* For rhomb__plan_make(), once tile and rates are known: the beam, if there is to be one. */
void rhomb__plan_choose_beam(const rhomb__plan_input *input, rhomb_plan *plan);

/* The plan of a pyramid that has become wide; the same as `plan` where it keeps its tile. */
rhomb_plan rhomb__plan_wide(const rhomb_plan *plan);

/* Whether a pyramid of this plan has a second tile, and room to become wide enough for it. */
bool rhomb__plan_may_widen(const rhomb_plan *plan);

/* The geometry that a plan means. */
rhomb__tiling rhomb__plan_tiling(const rhomb_plan *plan, int64_t target_length,
                                 int64_t query_length);

rhomb__sweep rhomb__plan_sweep(const rhomb_plan *plan);

/* Steps that the plan of a sweep takes for a column: its block's share, and the strips' delays. */
double rhomb__plan_steps_per_column(const rhomb_plan *plan);

/* Bytes of a packed sequence on the device in one direction, padding included. */
int64_t rhomb__packed_bytes(int64_t length, int32_t planes);

/*
 * Letters that travel to the device at a time: a 32nd of a sequence, so that the staging buffer
 * stays below what the columns take later; not under 64 Ki (a launch for less is wasted), nor over
 * 16 Mi (a millisecond of bus time and more, beyond which pieces gain nothing).
 */
int64_t rhomb__piece_letters(int64_t length);

/* Whether the device can read a sequence where it is: its memory is the host's, and has room. */
bool rhomb__letters_in_place(const rhomb_device_info *device, int64_t length);

/*
 * Host memory that is pinned for sequences to go through, the longest of `longest` letters: two
 * pieces; 0 where they stay in place, or are too short for the bus to gain what pinning costs.
 */
int64_t rhomb__pinned_bytes(const rhomb_device_info *device, int64_t longest);

/* The longest sequence of all: three columns of m + n diagonals are counted in bytes. */
#define RHOMB__MAX_LENGTH (INT64_C(1) << 56)

/* The longest sequence whose offsets and diagonals fit in 32 bits, padding and columns included. */
#define RHOMB__MAX_LENGTH_32 (INT32_MAX - (1 << 20))

#endif
