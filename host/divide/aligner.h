/* SPDX-License-Identifier: MIT */
/*
 * An alignment while it is computed. The *parts* of the pair lie behind each other, each with a
 * distance that is known; they are split until they are small enough, round by round:
 *
 *     align.c         the whole pair
 *     align_rounds.c  the rounds, by the next three
 *     sweep_many.c    the large parts of a round that are swept, in the same launches
 *     split_bands.c   the large parts of a round that are left to wavefronts, in the same launches
 *     split.c         all parts of a round that one work-group can split, in one launch
 *     align_leaves.c  what is not split any more: runs, single edits, and the next one
 *     ranges.c        the paths of leaves, by the batch kernels, where the packed pair lies
 */
#ifndef RHOMB_HOST_ALIGNER_H
#define RHOMB_HOST_ALIGNER_H

#include "cl/abi.h"
#include "host/engines/task.h"
#include "rhomb/align.h"
#include "rhomb/batch.h"
#include "src/paths/path_ops.h"
#include "src/planner/eta.h"

/* A range of either sequence, at least one of them not empty. */
typedef rhomb_split_pair rhomb__part;

typedef struct rhomb__aligner {
    rhomb_context *ctx;
    rhomb__task whole;
    rhomb_options asked; /* the caller's, before the aligner watches the progress */
    rhomb_engine engine; /* that solved the whole pair */
    rhomb__part *parts;  /* in their order */
    int64_t count;
    rhomb__path path;
    /* The pair as the wavefront has it, forwards and reversed, once rhomb__align_pack() was called.
     */
    rhomb__buffer packed_target;
    rhomb__buffer packed_query;
    rhomb_align_report *report;
    double began;
    rhomb__eta eta;
    double phase_began; /* of the solve under way, in work */
    double phase_work;
    double done; /* work, of the path; the distance and the path take all_work each */
    double all_work;
    double shown; /* to the caller, of both */
} rhomb__aligner;

/* Lets the caller see what a solve of the path says, in terms of the whole call, and cancel. */
rhomb_status rhomb__align_tell(rhomb__aligner *aligner, const rhomb_progress *progress);

/*
 * Whether so few letters are edits that the wavefront splits the part, also where a sweep solved
 * the whole pair.
 */
bool rhomb__part_is_sparse(const rhomb__part *part);

/* Has the whole pair packed on the device, unless it is. */
rhomb_status rhomb__align_pack(rhomb__aligner *aligner);

/* The two parts that a part is split into. RHOMB_ERR_DEVICE_WRONG_RESULT where they cannot be. */
rhomb_status rhomb__part_divide(rhomb__aligner *aligner, const rhomb__part *part,
                                const rhomb__meeting *meeting, rhomb__part *halves);

/* Splits the parts, round by round, until all are leaves. */
rhomb_status rhomb__align_rounds(rhomb__aligner *aligner);

/*
 * Whether a part is not split: a run, a single edit, or small enough for the batch kernels. By its
 * lengths and distance alone, as everything that decides about the path.
 */
bool rhomb__part_is_leaf(const rhomb__part *part);

/* Puts the path together from parts that are all leaves. */
rhomb_status rhomb__align_leaves(rhomb__aligner *aligner);

/* What a split or a leaf takes, in about the same units as the distance. */
double rhomb__part_work(const rhomb__aligner *aligner, const rhomb__part *part);

/* Counts work of the path that is done and lets the caller see it, and cancel. */
rhomb_status rhomb__align_advance(rhomb__aligner *aligner, double work);

/*
 * The path of a pair whose distance is known, above 0, as rhomb_align() has it when the wavefront
 * has solved the pair; or the sweep, where more than one letter in 20 of the longer sequence is an
 * edit. The caller releases *path. For batches: so their paths are the same on every device, which
 * those of `auto` are not.
 */
rhomb_status rhomb__align_known(rhomb_context *ctx, const rhomb_pair *pair, int64_t distance,
                                const rhomb_options *options, rhomb__path *path,
                                int64_t *device_bytes);

#endif
