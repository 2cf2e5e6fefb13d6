/* SPDX-License-Identifier: MIT */
/*
 * An engine: how a pair is packed for it, how its programs are built, and how a run of it goes. A
 * run is opened for a problem, advanced step by step until it is done, asked for what it has found,
 * and closed. Commands may still run on the device between two steps, but a caller need not know of
 * them and may stop after any step.
 *
 * What a checkpoint has of a run, between two calls of advance(), are the fields and buffers that
 * the engine names, so that the same follows. Sequences are packed and programs built anew. Plan
 * and problem are the caller's; the shape in the plan decides what buffers contain, on every
 * device.
 *
 * A new engine is a folder here, a folder in cl/, one row in engine.c and one in the planner
 * (src/planner/models.h). Nobody else knows engines by name.
 */
#ifndef RHOMB_HOST_ENGINE_H
#define RHOMB_HOST_ENGINE_H

#include "host/checkpoint/checkpoint.h"
#include "host/upload/send.h"
#include "src/planner/engine_plan.h"
#include "src/planner/tiling.h"

/*
 * A point of a path that costs the distance: the bases before it, and what they cost. It may lie
 * within a gap, whose opening then belongs to neither side (see rhomb_subproblem).
 */
typedef struct rhomb__breakpoint {
    int64_t target;
    int64_t query;
    int64_t cost;
    int32_t gap; /* RHOMB_GAP_*; unit costs: none */
} rhomb__breakpoint;

/* The programs that a plan may need. They belong to the device. */
typedef struct rhomb__programs {
    rhomb__program *pack;
    rhomb__program *solve;
} rhomb__programs;

/*
 * Another device that takes part, with its programs and the pair packed on it. Where it is another
 * rank's (ctx->remote), the rank has both, and `slot` says which pair is meant (task.h).
 */
typedef struct rhomb__partner {
    rhomb_context *ctx;
    int32_t slot;
    rhomb__programs programs;
    rhomb__buffer target;
    rhomb__buffer query;
} rhomb__partner;

typedef struct rhomb__problem {
    const rhomb__plan *plan;
    const rhomb_options *options;
    int64_t query_length;  /* m */
    int64_t target_length; /* n */
    const rhomb__buffer *query;
    const rhomb__buffer *target;
    int64_t upper_bound;            /* on the distance, proved so far; at first the longer length */
    double began;                   /* when the first engine began, for progress */
    bool wants_breakpoint;          /* needs two directions; rhomb/align.h defines the point */
    const rhomb__partner *partners; /* other devices, where the engine shares the work */
    int32_t partner_count;
    rhomb__checkpoint *checkpoint; /* of the call; NULL: none */
} rhomb__problem;

/* What an engine found out, and the work that it took. */
typedef struct rhomb__solution {
    int64_t distance; /* -1: more than plan->upper_bound, or see `estimate` */
    int64_t cells;
    int64_t batches; /* as in rhomb_report */
    int64_t launches;
    int64_t reads;
    int64_t diagonals_in_use;
    int64_t working_bytes; /* peak, of wavefronts or of a sweep: rhomb_report.column_bytes */
    rhomb__savings saved;
    /* When another engine should take over: the distance is more than `proved`, at most `bound`. */
    int64_t proved;
    int64_t bound;
    int64_t estimate; /* of the distance, when another engine should take over; else 0 */
    rhomb__breakpoint breakpoint; /* valid if wanted and the distance is not -1 */
    int32_t share_count;          /* as in rhomb_report */
    rhomb_device_share shares[RHOMB_MOST_DEVICES];
} rhomb__solution;

typedef struct rhomb__engine {
    /* Sequences are packed as subproblems of an alignment need them; see host/splits. */
    bool packs_for_splits;
    /* How the plan wants the pair packed. */
    rhomb__pair_packing (*packing)(const rhomb__plan *plan);
    /* The program for a plan; *out belongs to the device. */
    rhomb_status (*program)(rhomb_context *ctx, const rhomb__plan *plan, rhomb__program **out);
    /*
     * The bytes that a run takes besides on each device where the others of the context should take
     * part; 0: they should not. NULL: they never do.
     */
    int64_t (*share_bytes)(const rhomb_context *ctx, const rhomb__plan *plan,
                           const rhomb_options *options);
    /*
     * A run. All that it is given is borrowed until it is closed, as it is where open() has failed,
     * too. An open run takes as much memory as the plan says. begin(), which may be NULL, starts a
     * run that does not go on from a checkpoint. advance() works for some tenths of a second at
     * most; *done says that the solution is complete. report() tells what is known so far. close()
     * allows NULL, and waits for what is running.
     */
    rhomb_status (*open)(rhomb_context *ctx, const rhomb__programs *programs,
                         const rhomb__problem *problem, void **run);
    rhomb_status (*begin)(void *run);
    rhomb_status (*advance)(void *run, bool *done);
    void (*report)(const void *run, rhomb__solution *solution);
    /*
     * The state of a run between two steps: fields, and buffers. pause(), which may be NULL, brings
     * the fields up to date before they are saved. take_up() makes the buffers for the fields that
     * were restored in a run that is open; RHOMB_ERR_INPUT for a state that cannot be. go_on(),
     * which may be NULL, comes when the buffers have been saved or restored.
     */
    const rhomb__field *fields;
    const rhomb__kept_buffer *buffers;
    rhomb_status (*pause)(void *run);
    rhomb_status (*take_up)(void *run, const rhomb__saved *saved);
    rhomb_status (*go_on)(void *run);
    void (*close)(void *run);
} rhomb__engine;

extern const rhomb__engine rhomb__engine_wavefront;
extern const rhomb__engine rhomb__engine_affine;
extern const rhomb__engine rhomb__engine_bitparallel;

/* The engine of a plan, or NULL: then no device is needed. */
const rhomb__engine *rhomb__engine_of(const rhomb__plan *plan);

/* What a run has found out, as a checkpoint has it. */
extern const rhomb__field rhomb__solution_fields[];

/*
 * Runs an engine from beginning to end, or from where a checkpoint has it. RHOMB_ERR_CANCELLED
 * after a checkpoint that the caller's wish to stop has led to.
 */
rhomb_status rhomb__engine_solve(rhomb_context *ctx, const rhomb__engine *engine,
                                 const rhomb__programs *programs, const rhomb__problem *problem,
                                 rhomb__solution *solution);

/* *lacks is whether the program for a plan is neither in memory nor in the cache. */
rhomb_status rhomb__engine_lacks_program(rhomb_context *ctx, const rhomb__plan *plan, bool *lacks);

/* Builds both programs, and checks them. Shrinks a plan whose groups are too large for the kernels.
 */
rhomb_status rhomb__engine_programs(rhomb_context *ctx, const rhomb__engine *engine,
                                    rhomb__plan *plan, rhomb__programs *programs);

/*
 * Shrinks a plan to the groups that the device is known to allow by now, unless the caller of the
 * library gave their size (host/device/group_limit.h).
 */
void rhomb__engine_fit(const rhomb_context *ctx, rhomb__plan *plan);

/*
 * Solves one small pair with a known distance, unless this program was tested before on this
 * device. RHOMB_ERR_DEVICE_WRONG_RESULT when the distance is wrong.
 */
rhomb_status rhomb__self_test_engine(rhomb_context *ctx, const rhomb__engine *engine,
                                     rhomb__program *program, rhomb__program *pack,
                                     const rhomb__plan *plan);

/*
 * Sweeps a pair of some strips on the first device alone and on all, a strip each in turn, unless
 * that was done before. RHOMB_ERR_DEVICE_WRONG_RESULT where the results differ. Of the partners,
 * contexts and programs are used.
 */
rhomb_status rhomb__self_test_shared(rhomb_context *ctx, const rhomb__engine *engine,
                                     const rhomb__programs *programs,
                                     const rhomb__partner *partners, int32_t count,
                                     const rhomb__plan *plan);

#endif
