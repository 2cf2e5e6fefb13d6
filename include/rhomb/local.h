/* SPDX-License-Identifier: MIT */
/*
 * Rhomb: the exact alignment of one long pair that need not go from end to end: local (any part of
 * one sequence against any part of the other, whose score is highest), with free ends, or an
 * extension from the beginnings. Many short pairs are for rhomb/batch.h, whose modes mean the same.
 *
 *     rhomb_options options = RHOMB_OPTIONS_INIT;
 *     rhomb_scoring scoring;
 *     rhomb_alignment *alignment = NULL;
 *     rhomb_status status = rhomb_scoring_parse(ctx, "match:2,4,4,2", &scoring);
 *     options.scoring = &scoring;
 *     if (status == RHOMB_OK)
 *         status = rhomb_align_mode(ctx, target, n, query, m, NULL, &options, &alignment);
 *     if (status == RHOMB_OK)
 *         printf("%" PRId64 "\n", rhomb_alignment_local(alignment)->extent->score);
 *     rhomb_alignment_destroy(alignment);
 */
#ifndef RHOMB_LOCAL_H
#define RHOMB_LOCAL_H

#include <rhomb/align.h>
#include <rhomb/batch.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What such an alignment is, and the work until it was known; made by the library. */
typedef struct rhomb_local_report {
    /* Valid as long as this. An empty local alignment or extension has the score 0, and is at 0. */
    const rhomb_pair_extent *extent;
    int64_t cells;        /* of the sweep for the end, and of the one for the beginning */
    int64_t cells_pruned; /* of these, left out: of no use, or after an extension stopped */
    int64_t launches;
    int64_t device_bytes;    /* peak device memory of both sweeps */
    double seconds_transfer; /* sequences to the device, and packing there */
    double seconds_build;    /* programs */
    double seconds_end;      /* the sweep that finds score and end, */
    double seconds_begin;    /* and the one that finds the beginning */
    int64_t begin_cells;     /* of the second sweep, and of these left out; in the sums above */
    int64_t begin_cells_pruned;
} rhomb_local_report;

/* How a pair is aligned, see rhomb_mode; fields of other modes are not looked at. */
typedef struct rhomb_mode_options {
    size_t struct_size;
    rhomb_mode mode;           /* not GLOBAL, which is rhomb_align() */
    rhomb_free_ends free_ends; /* ENDS_FREE */
    int64_t z_drop;            /* EXTEND: from 0 on; RHOMB_NO_LIMIT: never stop, as with a matrix */
    int64_t end_bonus;         /* EXTEND: at least 0; with a matrix 0 */
} rhomb_mode_options;

#define RHOMB_MODE_OPTIONS_INIT                                                       \
    {                                                                                 \
        sizeof(rhomb_mode_options), RHOMB_MODE_LOCAL, {0, 0, 0, 0}, RHOMB_NO_LIMIT, 0 \
    }

/*
 * Aligns the parts of target and query that the mode finds best; `mode` NULL: LOCAL. What that is,
 * and which of several such alignments counts, is the same as for a batch (rhomb_mode,
 * rhomb_pair_extent). Its path is that of rhomb_align() for the two parts; where the options name
 * no engine, by the one that a batch's long pairs have: the wavefront where no more than one base
 * in 20 of the longer part is an edit, else the sweep. The report (rhomb_alignment_report()) is of
 * the parts alone, without the work of a distance, as that is known by then.
 *
 * `options` as of rhomb_align(); max_distance must be RHOMB_NO_LIMIT, and LOCAL and EXTEND need a
 * scoring with a match score. A guide is not looked at.
 *
 * Returns the same as rhomb_align(). RHOMB_ERR_ARGUMENT also where a value of the scoring exceeds
 * 2^28, a length 2^31 - 2^20, or scores might need more than 31 bits: the match score times the
 * shorter length must not exceed 2^31 - 2. In other modes that number counts twice, and what the
 * penalty of a plain alignment is at most (without what is free, of mismatches and a gap), or
 * end_bonus, is added; with a z-drop it counts once, and two gaps as long as the sequences are
 * added. On failure *out is NULL.
 *
 * Cost: that of n * m cells, less what is pruned; for the beginning some of them again; then of the
 * path. Of extensions only the part of the matrix counts that a score above 0 can reach, less
 * end_bonus. With a z-drop nothing is pruned, as the highest cell of each antidiagonal has to be
 * known; rows run ahead, and the sweep stops some tenths of a second after all have come to where
 * the extension does. Device memory: some 8 bytes for each base of the target, 10 of the query on a
 * GPU and 9 on a CPU, with two pieces of a gap's cost half as much again; with a z-drop 8 more for
 * each base of both, and some 20 of the query; and the packed sequences.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_align_mode(rhomb_context *ctx, const char *target,
                                                         int64_t target_length, const char *query,
                                                         int64_t query_length,
                                                         const rhomb_mode_options *mode,
                                                         const rhomb_options *options,
                                                         rhomb_alignment **out);

/* What the sweep for score and end of an alignment would be. */
typedef struct rhomb_mode_plan {
    size_t struct_size;
    int64_t columns;      /* of the target that alignments can reach, ... */
    int64_t rows;         /* ... and of the query */
    int64_t strips;       /* of rows; a work-group, or the lanes of a vector, take one at a time */
    int64_t launches;     /* unless they take so long that they are divided */
    int64_t device_bytes; /* of both sweeps */
    int64_t device_bytes_limit; /* of the device */
    double seconds;             /* a guess: of all cells, nothing pruned */
    int32_t planes;             /* bits of a symbol */
    int32_t group_size;
    int32_t item_rows; /* of a work-item, or of a lane */
    int32_t lanes;     /* of a vector; 1: work-items */
    int32_t steps;     /* of a launch: a column of each lane, or four of each item */
} rhomb_mode_plan;

#define RHOMB_MODE_PLAN_INIT                                        \
    {                                                               \
        sizeof(rhomb_mode_plan), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 \
    }

/*
 * Plans rhomb_align_mode(); looks at the sequences, but compares nothing. plan->struct_size must be
 * set. Returns the same; on failure all else of *plan is 0, but for a size that cannot be. The
 * beginning and the path come on top: what they take depends on what is found. An extension with a
 * z-drop may take less, by where it stops.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_plan_mode(rhomb_context *ctx, const char *target,
                                                        int64_t target_length, const char *query,
                                                        int64_t query_length,
                                                        const rhomb_mode_options *mode,
                                                        const rhomb_options *options,
                                                        rhomb_mode_plan *plan);

/* The report of an alignment by rhomb_align_mode(); NULL for others. Valid as long as the
 * alignment. */
RHOMB_API const rhomb_local_report *rhomb_alignment_local(const rhomb_alignment *alignment);

#ifdef __cplusplus
}
#endif

#endif
