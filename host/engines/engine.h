/* SPDX-License-Identifier: MIT */
/*
 * An engine: a name, how to get its program, and how to solve a pair that is packed on the device.
 * A new engine is one host file that defines one of these, one kernel file, and one row in the
 * planner.
 */
#ifndef RHOMB_HOST_ENGINE_H
#define RHOMB_HOST_ENGINE_H

#include "host/upload/send.h"
#include "src/planner/savings.h"

/* A point of a path that costs the distance: the bases before it, and the edits up to it. */
typedef struct rhomb__meeting {
    int64_t target;
    int64_t query;
    int64_t cost;
} rhomb__meeting;

typedef struct rhomb__problem {
    const rhomb_plan *plan;
    const rhomb_options *options;
    int64_t query_length;  /* m */
    int64_t target_length; /* n */
    const rhomb__buffer *query;
    const rhomb__buffer *target;
    int64_t upper_bound; /* on the distance, proved so far; at first the longer length */
    double began;        /* when the first engine began, for progress */
    /*
     * Wavefront: the column to start from, rounded down to a band, as if no base had been looked at
     * before. Not 0 only where the time matters and the result does not: see calibrate.c.
     */
    int64_t first_column;
    bool wants_meeting; /* needs two directions; rhomb/align.h defines the point */
} rhomb__problem;

/* What an engine found out, and the work that it took. */
typedef struct rhomb__solution {
    int64_t distance; /* -1: more than plan->upper_bound, or see `estimate` */
    int64_t cells;
    int64_t bands;
    int64_t launches;
    int64_t reads;
    int64_t diagonals_in_use;
    int64_t column_bytes;
    int64_t beam_bound; /* on the distance, from a beam; 0: none */
    int64_t beam_cells;
    rhomb__savings saved;
    /* When another engine should take over: the distance is more than `proved`, at most `bound`. */
    int64_t proved;
    int64_t bound;
    int64_t estimate;       /* of the distance, when another engine should take over; else 0 */
    rhomb__meeting meeting; /* valid if wanted and the distance is not -1 */
} rhomb__solution;

typedef struct rhomb__engine {
    const char *name;
    /* How the plan wants each sequence packed. */
    rhomb__packing (*pack_target)(const rhomb_plan *plan);
    rhomb__packing (*pack_query)(const rhomb_plan *plan);
    /* The program for a plan; *out belongs to the device. */
    rhomb_status (*program)(rhomb_context *ctx, const rhomb_plan *plan, rhomb__program **out);
    rhomb_status (*solve)(rhomb_context *ctx, const rhomb__program *program,
                          const rhomb__problem *problem, rhomb__solution *solution);
} rhomb__engine;

extern const rhomb__engine rhomb__engine_wavefront;
extern const rhomb__engine rhomb__engine_bitparallel;

/* The engine of that name, or NULL: then no device is needed. */
const rhomb__engine *rhomb__engine_find(const char *name);

/* The programs that a plan may need. They belong to the device. */
typedef struct rhomb__programs {
    rhomb__program *pack;
    rhomb__program *solve;
    rhomb__program *widen; /* tile of a wide pyramid; NULL where it cannot become so wide */
} rhomb__programs;

/* Builds the engine's programs, except the one that packs. */
rhomb_status rhomb__engine_build(rhomb_context *ctx, const rhomb__engine *engine,
                                 const rhomb_plan *plan, rhomb__programs *programs);

/* Checks all of them against known answers; see rhomb__self_test_engine(). */
rhomb_status rhomb__engine_check(rhomb_context *ctx, const rhomb__engine *engine,
                                 const rhomb_plan *plan, const rhomb__programs *programs);

/* Builds and checks all of them. */
rhomb_status rhomb__engine_programs(rhomb_context *ctx, const rhomb__engine *engine,
                                    const rhomb_plan *plan, rhomb__programs *programs);

/*
 * Sends both sequences of a pair to the device, which packs them as the engine wants; see send.h.
 * The caller must call rhomb__send_finish() in any case, then uses the buffers and releases them.
 */
rhomb_status rhomb__engine_send(rhomb_context *ctx, const rhomb__engine *engine,
                                const rhomb__program *pack, const rhomb_plan *plan,
                                const rhomb__letters *target, const rhomb__letters *query,
                                rhomb__buffer *packed_target, rhomb__buffer *packed_query,
                                rhomb__sending *sending);

/* Both steps in one: the pair is packed on return. On failure both buffers are empty. */
rhomb_status rhomb__engine_pack(rhomb_context *ctx, const rhomb__engine *engine,
                                const rhomb__program *pack, const rhomb_plan *plan,
                                const rhomb__letters *target, const rhomb__letters *query,
                                rhomb__buffer *packed_target, rhomb__buffer *packed_query);

/*
 * Solves one small pair with a known distance, unless this program was tested before on this
 * device. RHOMB_ERR_DEVICE_WRONG_RESULT when the distance is wrong.
 */
rhomb_status rhomb__self_test_engine(rhomb_context *ctx, const rhomb__engine *engine,
                                     rhomb__program *program, rhomb__program *pack,
                                     const rhomb_plan *plan);

#endif
