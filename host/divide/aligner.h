/* SPDX-License-Identifier: MIT */
/*
 * An alignment while it is computed. The *subproblems* of the pair follow one another, each with a
 * known distance. They are split until they are small enough, round by round:
 *
 *     align_whole.c   the whole pair, and what a checkpoint has of all this
 *     align_rounds.c  the rounds, by the next three
 *     device_group.h          deals those of a round to the context's devices
 *     splitter.h      splits those of a device, in portions: by sweeps, by wavefronts of many
 * groups or of one align_base_cases.c  base cases: runs, gaps, single edits, and the next one
 *     ranges.h        the paths of other base cases, from the packed pair
 */
#ifndef RHOMB_HOST_ALIGNER_H
#define RHOMB_HOST_ALIGNER_H

#include "cl/abi.h"
#include "host/engines/task.h"
#include "host/splits/split_pair.h"
#include "rhomb/align.h"
#include "rhomb/batch.h"
#include "rhomb/local.h"
#include "src/paths/path_ops.h"
#include "src/planner/eta.h"

/* A subproblem: a range of each sequence, at least one of them not empty. */
typedef rhomb_subproblem rhomb__subproblem;

typedef struct rhomb__aligner {
    rhomb_context *ctx;
    rhomb__task whole;
    rhomb_options asked;            /* the caller's, before the aligner watches the progress */
    bool sweeps;                    /* a sweep solved the whole pair */
    rhomb__subproblem *subproblems; /* in the order of the sequences */
    int64_t count;
    rhomb__path path;
    /*
     * The pair packed for the wavefront, forward and reversed, once rhomb__align_pack() was
     * called.
     */
    rhomb__buffer packed_target;
    rhomb__buffer packed_query;
    rhomb_align_report *report;
    rhomb_report *distance; /* its report of the distance */
    int64_t *share_splits;  /* where the report points, for RHOMB_MOST_DEVICES */
    int64_t cost;           /* the same distance as engines count it */
    double began;
    rhomb__eta eta;
    double seconds[2];  /* of a checkpoint: what the distance has taken, and the path so far */
    double phase_began; /* of the running solve, in work */
    double phase_work;
    double done; /* work, of the path; the distance and the path take all_work each */
    double all_work;
    double shown; /* to the caller, of both */
} rhomb__aligner;

/*
 * Reports the progress of a solve within the path as progress of the whole call; the caller may
 * cancel.
 */
rhomb_status rhomb__align_tell(rhomb__aligner *aligner, const rhomb_progress *progress);

/*
 * Whether edits are so rare that the wavefront splits the subproblem, even where a sweep solved the
 * whole pair.
 */
bool rhomb__subproblem_is_sparse(const rhomb__costs *costs, const rhomb__subproblem *subproblem);

/*
 * The path in a checkpoint, once the distance is known (align_whole.c). What is saved are the
 * subproblems as the rounds have left them; without a checkpoint nothing happens. Restoring gives
 * RHOMB_ERR_INPUT for subproblems that are none of the pair.
 */
void rhomb__align_save(rhomb__aligner *aligner);

/* Packs the whole pair on the device, unless it is packed. */
rhomb_status rhomb__align_pack(rhomb__aligner *aligner);

/*
 * The strips for subproblems that the context's device sweeps together: those that the longest
 * would have alone.
 */
rhomb_status rhomb__align_plan_strips(const rhomb__aligner *aligner, rhomb_context *ctx,
                                      const rhomb__subproblem *subproblems, int64_t count,
                                      rhomb__plan *plan);

/* The whole pair, for what is done on the host; as long as the aligner. */
rhomb__path_pair rhomb__align_path_pair(const rhomb__aligner *aligner);

/* The two halves of a subproblem. RHOMB_ERR_DEVICE_WRONG_RESULT where it cannot be split there. */
rhomb_status rhomb__subproblem_divide(rhomb__aligner *aligner, const rhomb__subproblem *subproblem,
                                      const rhomb__breakpoint *breakpoint,
                                      rhomb__subproblem *halves);

/* Splits the subproblems, round by round, until all are base cases. */
rhomb_status rhomb__align_rounds(rhomb__aligner *aligner);

/*
 * Whether a subproblem is a base case: a run, a gap, with unit costs a single edit, small enough
 * for the kernels of ranges.h, or with other costs too cheap to be split. Only its lengths and
 * distance and the costs decide, as in all decisions that affect the path.
 */
bool rhomb__subproblem_is_base_case(const rhomb__aligner *aligner,
                                    const rhomb__subproblem *subproblem);

/* Puts the path together from subproblems that are all base cases. */
rhomb_status rhomb__align_base_cases(rhomb__aligner *aligner);

/* The work of a split or a base case, in about the same units as the distance. */
double rhomb__subproblem_work(const rhomb__aligner *aligner, const rhomb__subproblem *subproblem);

/* Counts finished work of the path and reports it to the caller, who may cancel. */
rhomb_status rhomb__align_advance(rhomb__aligner *aligner, double work);

/*
 * The path of a pair whose distance is known and above 0: the same path as rhomb_align() gives when
 * the wavefront has solved the pair, or when the sweep has, where more than one base in 20 of the
 * longer sequence is an edit. The caller releases *path. For batches: so their paths are the same
 * on every device, which those of `auto` are not.
 */
rhomb_status rhomb__align_known(rhomb_context *ctx, const rhomb_pair *pair, int64_t distance,
                                const rhomb_options *options, rhomb__path *path,
                                int64_t *device_bytes);

/*
 * A task's `follow`, for a pair that has a guide and is to be swept: sweeps pieces of it side by
 * side in narrow bands. If that gives the cost of a path, the plan has a band for it afterwards.
 * Fills report->guide_bound and seconds_guide.
 */
rhomb_status rhomb__guide_follow(rhomb_context *ctx, rhomb__task *task, rhomb_report *report);

#endif
