/* SPDX-License-Identifier: MIT */
/*
 * The planner: from lengths, letters, device and options to an engine, a tile, offset widths and
 * the memory that they take. Pure: no device is touched.
 */
#ifndef RHOMB_SRC_PLAN_H
#define RHOMB_SRC_PLAN_H

#include "error.h"
#include "tiling.h"

/* What the planner needs to know. */
typedef struct rhomb__plan_input {
    int64_t target_length;
    int64_t query_length;
    int32_t symbols; /* different letters of the pair, after folding */
    bool equal;      /* the sequences are equal: no engine is needed */
    const rhomb_device_info *device;
    const rhomb_options *options; /* complete: as rhomb__options_complete() returned it */
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

/* RHOMB_ERR_ARGUMENT unless a caller's structure has a size that the library knows. */
rhomb_status rhomb__check_size(rhomb__error *error, const char *name, size_t size, size_t known);

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
 * Whether a run of `plan` that has taken `seconds` so far should hand over, when its columns up to
 * `column` have come as far as antidiagonal `reach` = i + j of n + m. Writes the distance that it
 * expects: `beam_bound`, or, where that is 0 or far from it, as if the rest took as many edits a
 * letter.
 */
bool rhomb__plan_should_switch(const rhomb_plan *plan, double seconds, int64_t column,
                               int64_t reach, int64_t beam_bound, int64_t *estimate);

/* Where a beam ends without having reached the end. */
typedef struct rhomb__beam_budget {
    int64_t column; /* a bound this large would be of no use */
    int64_t cells;  /* more would cost more than they could save */
} rhomb__beam_budget;

/* Whether such a run should ask a beam for a bound first, and what the beam may take. */
bool rhomb__plan_should_beam(const rhomb_plan *plan, double seconds, int64_t column, int64_t reach,
                             rhomb__beam_budget *budget);

/* For rhomb__plan_make(), once tile and rates are known: the beam, if there is to be one. */
void rhomb__plan_choose_beam(const rhomb__plan_input *input, rhomb_plan *plan);

/* The geometry that a plan means. */
rhomb__tiling rhomb__plan_tiling(const rhomb_plan *plan, int64_t target_length,
                                 int64_t query_length);

/* Bytes of a packed sequence on the device, padding included. */
int64_t rhomb__packed_bytes(int64_t length, int32_t symbol_bits);

/*
 * Letters that travel to the device at a time: a 32nd of a sequence, so that the staging buffer
 * stays below what the columns take later; not under 64 Ki (a launch for less is wasted), nor over
 * 16 Mi (a millisecond of bus time and more, beyond which pieces gain nothing).
 */
int64_t rhomb__piece_letters(int64_t length);

/* The longest sequence of all: three columns of m + n diagonals are counted in bytes. */
#define RHOMB__MAX_LENGTH (INT64_C(1) << 56)

/* The longest sequence whose offsets and diagonals fit in 32 bits, padding and columns included. */
#define RHOMB__MAX_LENGTH_32 (INT32_MAX - (1 << 17))

#endif
