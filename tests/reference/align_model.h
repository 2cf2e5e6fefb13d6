/* SPDX-License-Identifier: MIT */
/*
 * The path that rhomb_align() has to find, by the rule of include/rhomb/align.h and without
 * anything of what finds it: a plain wavefront says where a part is split, a full matrix where a
 * sweep splits it, and the rule of include/rhomb/batch.h what becomes of the leaves. For small
 * pairs: a sweep takes time by the product of both lengths.
 */
#ifndef RHOMB_REFERENCE_ALIGN_MODEL_H
#define RHOMB_REFERENCE_ALIGN_MODEL_H

#include "path.h"

/*
 * Of host/divide/align_rounds.c: parts of a sweep with more edits than that, and than one in so
 * many bases, are swept as well.
 */
#define ALIGN_SWEEP_LEAST  256
#define ALIGN_SWEEP_SPARSE 20

/* All zero at first. */
typedef struct align_model {
    rhomb_cigar_op *ops;
    int64_t count;
    int64_t room;
    int64_t base_cases;
    int64_t splits;      /* after that of the whole pair by its engine */
    int64_t sweeps;      /* of parts */
    int64_t least_swept; /* the least distance of these; 0: there are none */
    int64_t most_left;   /* the largest of parts that were split otherwise */
    int64_t sparse; /* parts that a sweep leaves to the wavefront though they have enough edits */
    int64_t dense;  /* parts of such ones that are swept again */
    int64_t depth;  /* of such ones around the part that is looked at */
    path leaf;
} align_model;

/* The path of a pair with this distance; `sweeps`: the bit-parallel engine solved it. */
void align_model_find(align_model *model, const rhomb_pair *texts, int64_t distance, bool sweeps);

void align_model_release(align_model *model);

#endif
