/* SPDX-License-Identifier: MIT */
/*
 * The planner: turns lengths, bases, device and options into an engine, a tile, offset widths and
 * their memory. Pure: no device is touched.
 */
#ifndef RHOMB_SRC_ENGINE_PLAN_H
#define RHOMB_SRC_ENGINE_PLAN_H

#include "rhomb/plan.h"
#include "src/base/error.h"
#include "src/checkpoint/state.h"
#include "src/planner/eta.h"
#include "src/planner/rates.h"
#include "src/planner/tiling.h"
#include "src/scoring/costs.h"
#include "src/strips/strips.h"

/*
 * The rows of the tables of engines, the planner's (models.h) and the one that runs them
 * (host/engines/engine.h). An engine that callers ask for may have one row for unit costs and one
 * for others.
 */
typedef enum rhomb__engine_row {
    RHOMB__ROW_WAVEFRONT,
    RHOMB__ROW_AFFINE, /* the wavefront for other than unit costs */
    RHOMB__ROW_SWEEP,
    RHOMB__ENGINE_ROWS
} rhomb__engine_row;

/* The speed of an engine for a pair, by some rates. */
typedef struct rhomb__speed {
    double cells_per_second;
    double column_seconds; /* the minimum time of a wavefront, or of a column of a narrow band */
    int32_t directions;
    double path_share;    /* the time of the path, as a multiple of the distance's time */
    double start_seconds; /* the fixed time of a call, however short the pair */
} rhomb__speed;

/* A wavefront's part of a plan; fields that have a name in rhomb_tuning are as there. */
typedef struct rhomb__wavefront_plan {
    rhomb_tile_shape tile_shape;
    int32_t group_size, diagonals_per_item, tile_scores;
    int32_t wide_group_size, wide_diagonals_per_item, wide_tile_scores; /* 0: one tile for all */
    int64_t wide_diagonals;
    int32_t launches_per_read;
    int32_t offset_bits; /* 32 or 64 */
    bool tiles_local;    /* other than unit costs: tiles fit in local memory */
    bool pruning;
} rhomb__wavefront_plan;

/* A sweep's part of a plan; the same. */
typedef struct rhomb__sweep_plan {
    bool sliced; /* the bit-sliced step, else Myers' */
    int32_t group_size, lanes, words_per_item, blocks_per_launch;
    int64_t first_half_width;
    bool
        is_estimated; /* first_half_width goes by an estimate of the distance, not by the lengths */
    int64_t probe_half_width; /* of a narrow band whose path gives a first bound; 0: none */
    int64_t probe_most;       /* of that band where a sample promises a path in it; ... */
    int64_t sample_bases;     /* ... of the sequences' first bases; 0: no sample */
    double step_seconds;      /* of a step, however few strips are in flight */
    bool has_few_strips;      /* in flight in the band that is expected, so they have fewer rows */
} rhomb__sweep_plan;

/*
 * What a call will do: what all engines have in common, and the part of the engine that it names.
 * A plan does not change while its engine runs. rhomb__plan_publish() makes a caller's view of it.
 */
typedef struct rhomb__plan {
    rhomb__engine_row row; /* of the engine */
    bool is_trivial;       /* nothing to compute: no engine runs */
    const char *reason;    /* one sentence: why this engine, or none */
    int32_t planes;        /* bit planes per symbol, 2 to 8, or of masks: cl/abi.h */
    int32_t directions;    /* 1, or 2 that meet in the middle */
    const char *tuning_row;
    bool groups_given; /* the caller says how large groups are: no others will do */
    int64_t target_length, query_length;
    rhomb__costs costs;               /* what mismatches and gaps cost */
    int64_t lower_bound, upper_bound; /* costs; callers see penalties */
    rhomb__promise promise;           /* a guide's; a cost of 0: not known */
    int32_t sharing;                  /* devices that share sweeps; 0: one */
    double shared_speed;              /* their speed, as a multiple of the first one's */
    int64_t share_bytes;              /* of device_bytes_max, for what they pass on */
    int32_t path_devices;             /* that may split a path's subproblems; 0: one */
    double guide_seconds;             /* to follow it before a sweep, for estimates; 0: no guide */
    int64_t host_bytes;
    int64_t sequence_bytes;
    int64_t device_bytes_min, device_bytes_max, device_bytes_limit;
    int64_t buffer_bytes_min, buffer_bytes_limit;
    bool may_switch;                          /* AUTO: another engine may take over */
    double setup_seconds;                     /* transfer and packing */
    rhomb__speed speed[RHOMB__ENGINE_ROWS];   /* for estimates: of the engines that may run */
    rhomb__speed profile[RHOMB__ENGINE_ROWS]; /* for choices: by the device's profile */
    const char *rates_source;
    union {
        rhomb__wavefront_plan wavefront;
        rhomb__sweep_plan sweep;
    };
} rhomb__plan;

/* The cost that a guide promises, within the limit; 0: not known. */
static inline int64_t rhomb__plan_expected(const rhomb__plan *plan)
{
    const double cost = plan->promise.cost > 0 ? plan->promise.cost : 0;
    return rhomb__min((int64_t)cost, plan->upper_bound);
}

/* The speed of the plan's engine, for estimates and by the profile. */
const rhomb__speed *rhomb__plan_speed(const rhomb__plan *plan);
const rhomb__speed *rhomb__plan_profile(const rhomb__plan *plan);

/* The engine that callers ask for to get a row; RHOMB_ENGINE_AUTO: it is not for these costs. */
rhomb_engine rhomb__row_engine(rhomb__engine_row row, const rhomb__costs *costs);

/*
 * The engine that callers would ask for to get one that sweeps, or one that does not, for these
 * costs: for those who know which of them they need.
 */
rhomb_engine rhomb__engine_that(bool sweeps, const rhomb__costs *costs);

/* The name of the engine of a plan, "trivial" where none runs. */
const char *rhomb__plan_engine_name(const rhomb__plan *plan);

/*
 * Whether the plan's engine computes a band of the matrix from the first column to the last. Its
 * work then grows with length times distance, else with the distance's square, and a bound, which
 * a guide may give, says how wide the band is.
 */
bool rhomb__plan_sweeps(const rhomb__plan *plan);

/*
 * Takes out of a plan what only long pairs need, for a pair of a few bases whose distance is less
 * than `half_width`: it runs the same kernels.
 */
void rhomb__plan_simplify(rhomb__plan *plan, int64_t half_width);

/*
 * A plan as callers get it: they see the first part, and each rhomb_plan of theirs is one of these.
 *
 */
typedef struct rhomb__plan_view {
    rhomb_plan view;
    rhomb__plan plan;
} rhomb__plan_view;

/* Fills what callers see of a plan. */
void rhomb__plan_publish(const rhomb__plan *plan, rhomb__plan_view *out);

/* The time for a cost by the plan's model, see rhomb_plan_seconds(); or of its path alone. */
double rhomb__plan_seconds(const rhomb__plan *plan, int64_t cost);
double rhomb__plan_path_seconds(const rhomb__plan *plan, int64_t cost);

/* Other devices are worth it where the first one needs more time for the splits of a path. */
#define RHOMB__PATH_ALONE_SECONDS 0.1

/* The time to follow a guide, for plan->guide_seconds. */
double rhomb__plan_guide_seconds(const rhomb__plan *plan);

/* What the planner needs to know. */
typedef struct rhomb__plan_input {
    int64_t target_length;
    int64_t query_length;
    int32_t symbols; /* distinct symbols of the pair, after folding, or RHOMB__MASKS */
    bool equal;      /* the sequences match as they are: no engine is needed */
    const rhomb_device_info *device;
    const rhomb_options *options; /* complete, as rhomb__options_complete() returns them */
    const rhomb__rates *rates;
    int32_t threads; /* of the host, that check the bases */
} rhomb__plan_input;

/*
 * Fills *plan. RHOMB_ERR_ARGUMENT for tuning values that are out of range or fit neither each other
 * nor the device, for 32-bit offsets that could overflow, for an engine that does not exist or does
 * not have the scoring, and for costs that do not fit.
 */
rhomb_status rhomb__plan_make(rhomb__error *error, const rhomb__plan_input *input,
                              rhomb__plan *plan);

/*
 * RHOMB_ERR_DEVICE_MEMORY if even the plan's least memory exceeds the device's, or the largest
 * buffer of it the device's largest one.
 */
rhomb_status rhomb__plan_check_memory(rhomb__error *error, const rhomb__plan *plan,
                                      const rhomb_device_info *device);

/* RHOMB_ERR_ARGUMENT unless these values, which every kind of options has, are legal. */
rhomb_status rhomb__check_asked(rhomb__error *error, int64_t max_distance, rhomb_alphabet alphabet);

/*
 * The caller's options, brought to their present size; NULL gives the defaults. options->scoring is
 * never NULL afterwards; it is still the caller's own, for the time of the call.
 */
rhomb_status rhomb__options_complete(rhomb__error *error, const rhomb_options *given,
                                     rhomb_options *options, rhomb_tuning *tuning);

/*
 * The plan of the engine that may take over from `plan`, for an estimated distance of at most
 * `bound`: its first band is made for the estimate, with room to spare up to the bound.
 * RHOMB_ERR_ARGUMENT if there is none.
 */
rhomb_status rhomb__plan_other(rhomb__error *error, const rhomb__plan_input *input,
                               const rhomb__plan *plan, int64_t estimate, int64_t bound,
                               rhomb__plan *other);

/*
 * A plan in a checkpoint, and the same plan for the device of `input`: its choices, so that the
 * buffers of a run fit. RHOMB_ERR_ARGUMENT where that device cannot run it; RHOMB_ERR_INPUT.
 */
void rhomb__plan_save(const rhomb__plan *plan, rhomb__saver *saver);
rhomb_status rhomb__plan_restore(rhomb__error *error, const rhomb__plan_input *input,
                                 const rhomb__saved *saved, rhomb__plan *plan);

/*
 * Halves the plan's groups until they have at most so many work-items, because a kernel allows no
 * more; not below two. What else the plan says stays as far as it can, and all of it stays where
 * they have no more.
 */
void rhomb__plan_shrink(rhomb__plan *plan, int64_t most_items);

/* The first sweep of a plan has a band for this bound, unless the caller's tuning says which. */
void rhomb__plan_take_bound(const rhomb__plan_input *input, rhomb__plan *plan, int64_t bound);

/*
 * Or one for a distance of at most `bound` that is expected to be `estimate`, after a probe where
 * that pays.
 */
void rhomb__plan_take_estimate(const rhomb__plan_input *input, rhomb__plan *plan, int64_t estimate,
                               int64_t bound);

/*
 * The strips of the sweep of `plan` that are in flight on each of so many compute units, on average
 * over the launches of a band for `bound`, as it is before it narrows.
 */
double rhomb__plan_strips_per_unit(const rhomb__plan *plan, int64_t bound, int32_t units);

/*
 * Gives a sweep of Myers' step the strips for a band that is known before it begins: by a guide, a
 * limit, or another engine. Where fewer strips of the tuning row's shape would be in flight on each
 * compute unit than its narrow_strips, they are those of short queries, else the row's. Shapes that
 * the caller gave even in part, subproblems, whose bands are given, and vectors stay as they are.
 *
 * All devices that share a sweep have this plan, so also the shape; units are the first one's. The
 * estimated seconds stay those of the row's shape, of which the other takes 0.93 to 1. It is also
 * that of a guide's pieces and of an alignment's subproblems, so its program is mostly there; else
 * it is one more to build and test, 0.4 s on an H100, but for programs in a cache. So there is no
 * third shape, which would gain at most as much in one of four pairs (bench/NOTES.md).
 */
void rhomb__plan_fit_strips(const rhomb__plan_input *input, rhomb__plan *plan, int64_t bound);

/*
 * What a running wavefront knows about its progress. It decides without a clock: the time taken is
 * what the device's profile gives for its wavefronts.
 */
typedef struct rhomb__look {
    double seconds; /* by rhomb__plan_profile_seconds() */
    int64_t column; /* wavefronts up to this one have reached ... */
    int64_t reach;  /* ... antidiagonal i + j of n + m */
    double pace;    /* the least score / reach of any look; 0 if there was no other */
} rhomb__look;

/*
 * Whether a run of `plan` should hand over. Writes the distance that it expects: that with as many
 * edits per base in the rest. If an earlier look promised much less, the run may be in a long
 * indel, which can end at once: it gets some more time to show that.
 */
bool rhomb__plan_should_switch(const rhomb__plan *plan, const rhomb__look *look, int64_t *estimate);

/*
 * Whether a narrow band's path, from which the band for a proof follows, takes less time than the
 * spare of a first band for a distance that is only expected, or little of that band's, as what is
 * expected may be far from right. By the profile.
 */
bool rhomb__plan_probe_pays(const rhomb__plan *plan, int64_t estimate);

/* Whether another engine should take over at once if the distance is expected to be about this. */
bool rhomb__plan_prefers_other(const rhomb__plan *plan, int64_t distance);

/*
 * Whether to follow the guide before a wavefront: it may promise less than there is, so that the
 * sweep would win, and to follow it takes little. By the profile.
 */
bool rhomb__plan_doubts_guide(const rhomb__plan *plan);

/*
 * Whether the sweep, by its own plan, is faster than the plan's wavefront now that a path along the
 * guide has this cost. Both engines' times are known better than by an expected distance, so
 * without a margin.
 */
bool rhomb__plan_guided_wins(const rhomb__plan *plan, const rhomb__plan *sweep, int64_t bound);

/* The growth of a wavefront's work, see eta.h, by the rates for estimates. */
double rhomb__plan_full_cost(const rhomb__plan *plan);

/* The time of a wavefront up to a score, or a sum of two directions' scores, by the profile. */
double rhomb__plan_profile_seconds(const rhomb__plan *plan, int64_t column);

/*
 * Launches of a batch, up to `most`, that starts at score `start` when both directions of a
 * wavefront have come to `reach` antidiagonals at score `complete`, as read last: half of those
 * that are left until they may meet, if it goes on as it did, and at least some. So few launches
 * are enqueued after the end.
 */
int64_t rhomb__plan_batch_launches(const rhomb__plan *plan, int64_t most, int64_t start,
                                   int64_t complete, int64_t reach);

/* The plan of a pyramid that has become wide; the same as `plan` if it keeps its tile. */
rhomb__plan rhomb__plan_wide(const rhomb__plan *plan);

/* The geometry of a plan. */
rhomb__tiling rhomb__plan_tiling(const rhomb__plan *plan, int64_t target_length,
                                 int64_t query_length);

rhomb__sweep rhomb__plan_sweep(const rhomb__plan *plan);

rhomb__affine_shape rhomb__plan_affine_shape(const rhomb__plan *plan);

/* Bytes of an affine wavefront's tile, and how many are in global memory: one a group. */
int64_t rhomb__plan_affine_tile_bytes(const rhomb__plan *plan);
int64_t rhomb__plan_affine_groups(const rhomb__plan *plan, int32_t compute_units);

/* Bytes of a packed word of all planes (RHOMB_UNIT_WORDS). */
int64_t rhomb__unit_bytes(int32_t planes);

/* Bytes of a packed sequence on the device in one direction, padding included. */
int64_t rhomb__packed_bytes(int64_t length, int32_t planes);

/* Bytes of its table of runs in one direction (RHOMB_RUN_CHUNK). */
int64_t rhomb__run_table_bytes(int64_t length);

/* Bytes of a sequence as wavefronts need it: packed in so many directions, and their tables. */
int64_t rhomb__windows_bytes(int64_t length, int32_t planes, int32_t directions);

/*
 * Bases that are sent to the device at a time: a 32nd of a sequence, so that the staging buffer
 * stays smaller than the later wavefronts. At least 64 Ki (a launch for less is wasted), at most 16
 * Mi (a millisecond of bus time and more; larger pieces gain nothing).
 */
int64_t rhomb__chunk_bases(int64_t length);

/* Whether the device can read a sequence in place: its memory is the host's, and has room. */
bool rhomb__bases_in_place(const rhomb_device_info *device, int64_t length);

/*
 * Host memory to pin for sending sequences, the longest of `longest` bases: two pieces. 0 if they
 * stay in place, or are too short for the bus to gain what pinning costs.
 */
int64_t rhomb__pinned_bytes(const rhomb_device_info *device, int64_t longest);

/* The longest sequence of all: three wavefronts of m + n diagonals are counted in bytes. */
#define RHOMB__MAX_LENGTH (INT64_C(1) << 56)

/* The longest sequence whose offsets and diagonals fit in 32 bits, with padding and wavefronts. */
#define RHOMB__MAX_LENGTH_32 (INT32_MAX - (1 << 20))

#endif
