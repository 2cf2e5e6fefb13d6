/* SPDX-License-Identifier: MIT */
/*
 * A pair within a call: its bases are checked, an engine is planned, the sequences are sent while
 * programs are built and checked, and the engine solves the pair or hands over to another.
 * A distance is one task, and an alignment is one for the whole pair. The large subproblems
 * of an alignment, whose distances are known, are only planned as tasks.
 */
#ifndef RHOMB_HOST_TASK_H
#define RHOMB_HOST_TASK_H

#include "host/checkpoint/checkpoint.h"
#include "host/engines/engine.h"
#include "rhomb/guide.h"
#include "src/base/alphabet.h"
#include "src/planner/eta.h"

typedef struct rhomb__task rhomb__task;

/* How far the solve has come. */
typedef enum rhomb__stage {
    RHOMB__STAGE_FIRST,  /* the first engine */
    RHOMB__STAGE_SECOND, /* the one that has taken over */
    RHOMB__STAGE_SOLVED
} rhomb__stage;

/* A pair as the caller gave it, and what the check of its bases found. */
struct rhomb__task {
    const char *target;
    int64_t target_length;
    const char *query;
    int64_t query_length;
    bool wants_breakpoint; /* needs two directions */
    bool keeps_packed;     /* after a wavefront: in the next two, which the caller frees */
    rhomb__buffer packed_target;
    rhomb__buffer packed_query;
    rhomb_options options;
    rhomb_tuning tuning;
    rhomb_scoring scoring;
    rhomb_guide guide;
    rhomb_progress_fn told; /* the caller's progress function: told penalties instead of costs */
    void *told_user;
    rhomb__rise rise; /* what it was told of the solve */
    bool is_solved;   /* what is told now is of subproblems */
    /* Called before a sweep of a pair that has a guide; NULL: the guide is not followed. */
    rhomb_status (*follow)(rhomb_context *ctx, rhomb__task *task, rhomb_report *report);
    rhomb__codes codes;
    rhomb_base_counts target_bases;
    rhomb_base_counts query_bases;
    bool equal;
    rhomb__plan plan;        /* of the engine that runs, or will */
    rhomb__plan_view *shown; /* where the report points for it; the caller's */
    /* State of the solve, as far as an engine that handed over has come. */
    int64_t upper_bound; /* on the cost, proved; at first from the lengths */
    int64_t followed;    /* the cost along the guide, if it has been followed; else 0 */
    double began;        /* 0 before the solve begins */
    rhomb__stage stage;
    rhomb__solution before;        /* of the engine that handed over; once solved, of all */
    rhomb__checkpoint *checkpoint; /* NULL: none */
    double earlier;                /* seconds that earlier runs have solved */
    rhomb_report *report;          /* the call's, for checkpoints */
};

/*
 * Everything up to the plan: completes the options (NULL: the defaults), opens a device if none is
 * open, checks the bases, and fills task->plan, report->plan and the times so far.
 */
rhomb_status rhomb__task_plan(rhomb_context *ctx, rhomb__task *task, const rhomb_options *options,
                              rhomb_report *report);

/*
 * After rhomb__task_plan(), opens the checkpoint of a call of some name, if its options have one
 * and anything will run. Takes over what an earlier run has left, except the engine's part. The
 * caller closes task->checkpoint. (task_saved.c)
 */
rhomb_status rhomb__task_open_checkpoint(rhomb_context *ctx, rhomb__task *task, const char *call,
                                         rhomb_report *report);

/* What the planner needs to know of a task. */
rhomb__plan_input rhomb__task_plan_input(const rhomb_context *ctx, const rhomb__task *task);

/*
 * A plan that may hand over needs memory for either engine, one at a time. If the other engine does
 * not fit, the first one keeps the pair.
 */
rhomb_status rhomb__task_plan_for_other(rhomb_context *ctx, const rhomb__plan_input *input,
                                        rhomb__plan *plan);

/* There is a path of this cost: unless a better one is known, the first sweep has a band for it. */
void rhomb__task_know(rhomb_context *ctx, rhomb__task *task, int64_t cost);

/*
 * Solves what was planned and fills the report except for the total time. solution->breakpoint is
 * valid if it was wanted, an engine has solved, and the distance is not -1.
 */
rhomb_status rhomb__task_solve(rhomb_context *ctx, rhomb__task *task, rhomb_report *report,
                               rhomb__solution *solution);

/* The shares of devices as callers get them. */
typedef struct rhomb__shares {
    rhomb_device_share each[RHOMB_MOST_DEVICES];
    const rhomb_device_share *pointers[RHOMB_MOST_DEVICES];
} rhomb__shares;

/* Keeps the shares that a solution has, and points a report to them. */
void rhomb__shares_publish(const rhomb__solution *solution, rhomb__shares *shares,
                           rhomb_report *report);

/* Fills what a solution says of a planned task: the distance, what follows from it, the work. */
void rhomb__task_fill_report(const rhomb__task *task, const rhomb__solution *solution,
                             rhomb_report *report);

/*
 * Plans a subproblem of another task: a non-empty range of each of its sequences, whose distance
 * is known, as a cost. The engine is one that sweeps, or one that does not. Does not check the
 * bases again, and fills subproblem->plan.
 */
rhomb_status rhomb__task_plan_subproblem(rhomb_context *ctx, const rhomb__task *whole,
                                         rhomb__task *subproblem, int64_t distance, bool sweeps);

/*
 * Sends the pair to a device while the engine's programs are built and checked. On failure the
 * caller releases the buffers that exist. Only on the caller's thread, `tells`, it may be told of
 * the progress.
 */
rhomb_status rhomb__task_send_and_build(rhomb_context *ctx, const rhomb__engine *engine,
                                        const rhomb__task *task, bool tells, rhomb_report *report,
                                        rhomb__programs *programs, rhomb__buffer *target,
                                        rhomb__buffer *query);

/* Packs the pair on a device as subproblems and sweeps of modes have it: windows, both directions.
 */
rhomb_status rhomb__task_pack(rhomb_context *ctx, const rhomb__task *task, rhomb__buffer *target,
                              rhomb__buffer *query);

/* Pairs that another rank may have at the same time: the call's, and that of a self-test. */
typedef enum rhomb__pair_slot {
    RHOMB__PAIR_CALL,
    RHOMB__PAIR_TEST,
    RHOMB__PAIR_SLOTS
} rhomb__pair_slot;

/*
 * Sends a pair to another rank, unless it has it for this call, and what its plan and options say.
 * `for_engine`: there programs are built and checked, and the pair is packed, as the plan's engine
 * needs them. Errors are recorded in `other`. The second gives back what that takes on the rank's
 * device. (remote_pair.c)
 */
rhomb_status rhomb__remote_pair_send(rhomb_context *other, rhomb__pair_slot slot,
                                     const rhomb__task *task, bool for_engine);
void rhomb__remote_pair_release(rhomb_context *other, rhomb__pair_slot slot);

/*
 * Checks the guide; where it expects a distance for which the sweep is faster, no wavefront looks
 * first. The memory for following it is free again before the sweep.
 */
rhomb_status rhomb__task_plan_by_guide(rhomb_context *ctx, rhomb__task *task);

/* Follows the guide before the planned engine runs, where that pays; another one may be planned. */
rhomb_status rhomb__task_follow_guide(rhomb_context *ctx, rhomb__task *task, rhomb_report *report);

/*
 * Whether the context's devices share the sweeps of the task's plan as it is now: sets what plans
 * have about it. They do not where one has no room for the pair; the log says so.
 */
void rhomb__task_plan_sharing(rhomb_context *ctx, rhomb__task *task);

#endif
