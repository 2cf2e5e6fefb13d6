/* SPDX-License-Identifier: MIT */
/*
 * An alignment while it is computed. The *parts* of the pair lie behind each other, each with a
 * distance that is known; they are split until they are small enough, round by round:
 *
 *     align.c         the whole pair; the rounds
 *     sweep_many.c    the large parts of a round that are swept, in the same launches
 *     split_bands.c   the large parts of a round that are left to wavefronts, in the same launches
 *     split.c         all parts of a round that one work-group can split, in one launch
 *     align_leaves.c  what is not split any more: runs, single edits, and the batch kernels
 */
#ifndef RHOMB_HOST_ALIGNER_H
#define RHOMB_HOST_ALIGNER_H

#include "../cl/abi.h"
#include "../src/path_ops.h"
#include "rhomb/align.h"
#include "task.h"

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
    rhomb_align_report *report;
    double began;
    double phase_began; /* of the solve under way, in work */
    double phase_work;
    double done; /* work, of the path; the distance and the path take all_work each */
    double all_work;
    double shown; /* to the caller, of both */
} rhomb__aligner;

/*
 * Whether a part is not split: a run, a single edit, or small enough for the batch kernels. By its
 * lengths and distance alone, as everything that decides about the path.
 */
bool rhomb__part_is_leaf(const rhomb__part *part);

/* The engine that splits a part; RHOMB_ENGINE_AUTO: the kernels for many parts. */
rhomb_engine rhomb__part_engine(const rhomb__aligner *aligner, const rhomb__part *part);

/* Puts the path together from parts that are all leaves. */
rhomb_status rhomb__align_leaves(rhomb__aligner *aligner);

/* What a split or a leaf takes, in about the same units as the distance. */
double rhomb__part_work(const rhomb__aligner *aligner, const rhomb__part *part);

/* Counts work of the path that is done and lets the caller see it, and cancel. */
rhomb_status rhomb__align_advance(rhomb__aligner *aligner, double work);

#endif
