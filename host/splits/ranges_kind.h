/* SPDX-License-Identifier: MIT */
/*
 * The two kinds of kernels that find paths of ranges, those for unit costs and those for others
 * (ranges_kind.c); split_known.c has their known-answer test.
 */
#ifndef RHOMB_HOST_RANGES_KIND_H
#define RHOMB_HOST_RANGES_KIND_H

#include "host/device/program.h"
#include "host/device/queue.h"
#include "host/splits/ranges.h"

/* What the answer for a range of the running portion has to be. */
typedef struct rhomb__ranges_expected {
    int64_t distance;
    int64_t operations; /* at most */
} rhomb__ranges_expected;

typedef struct rhomb__ranges_kind {
    /* Whether the borders of a range and its distance are possible; it lies within the pair. */
    bool (*is_possible)(const rhomb__ranges *ranges, const rhomb_subproblem *subproblem);
    /* Writes the record for the kernel; `first` of its operations. */
    void (*describe)(const rhomb__ranges *ranges, const rhomb_subproblem *subproblem, int64_t first,
                     void *record);
    /* Builds the program. */
    rhomb_status (*build)(const rhomb__ranges *ranges, rhomb__program **out);
    /* Enqueues a launch for the portion, of which no range needs more than ranges->portion. */
    rhomb_status (*launch)(rhomb__ranges *ranges);
    const char *kernel;
    size_t record_bytes;
} rhomb__ranges_kind;

extern const rhomb__ranges_kind rhomb__ranges_edit;
extern const rhomb__ranges_kind rhomb__ranges_affine;

struct rhomb__ranges {
    rhomb_context *ctx;
    rhomb__split_source source;
    rhomb__costs costs;
    const rhomb__ranges_kind *kind;
    rhomb__ranges_needs needs;
    int32_t group_size;
    int32_t in_place;   /* unit costs: no columns in local memory */
    int64_t room;       /* ranges of a portion */
    int64_t work_bytes; /* of all its groups together */
    cl_kernel solve;
    rhomb__buffer records;
    rhomb__buffer answers;
    rhomb__buffer counts;
    rhomb__buffer cigars;
    rhomb__buffer work;

    /* Of the running portion. */
    rhomb__ranges_needs portion;
    int64_t operations;
    cl_event done; /* not NULL while it runs */
    rhomb__ranges_expected *expected;
    void *described;
    rhomb_batch_counts fresh;

    /* Of the one that was waited for. */
    rhomb_batch_answer *answered;
    rhomb_cigar_op *ops;
    rhomb__cigar *paths;
};

/*
 * The known-answer test: solves known ranges with the same kernel, unless the program has passed
 * before. RHOMB_ERR_DEVICE_WRONG_RESULT where what comes out is no path of the known cost.
 */
rhomb_status rhomb__ranges_self_test(const rhomb__ranges *ranges, rhomb__program *program);

#endif
