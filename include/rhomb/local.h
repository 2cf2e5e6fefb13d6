/* SPDX-License-Identifier: MIT */
/*
 * Rhomb: the exact local alignment of one long pair: any part of one sequence against any part of
 * the other, whose score is highest (Smith-Waterman with affine gaps). Many short pairs are for
 * rhomb/batch.h, whose RHOMB_MODE_LOCAL means the same.
 *
 *     rhomb_options options = RHOMB_OPTIONS_INIT;
 *     rhomb_scoring scoring;
 *     rhomb_alignment *alignment = NULL;
 *     rhomb_status status = rhomb_scoring_parse(ctx, "match:2,4,4,2", &scoring);
 *     options.scoring = &scoring;
 *     if (status == RHOMB_OK)
 *         status = rhomb_align_local(ctx, target, n, query, m, &options, &alignment);
 *     if (status == RHOMB_OK)
 *         printf("%" PRId64 "\n", rhomb_alignment_local(alignment)->extent.score);
 *     rhomb_alignment_destroy(alignment);
 */
#ifndef RHOMB_LOCAL_H
#define RHOMB_LOCAL_H

#include <rhomb/align.h>
#include <rhomb/batch.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a local alignment is, and the work until it was known; made by the library. */
typedef struct rhomb_local_report {
    rhomb_pair_extent extent; /* an empty alignment has the score 0, and begins and ends at 0 */
    int64_t cells;            /* of the matrix, and of the second sweep, for the beginning */
    int64_t cells_pruned;     /* of these, left out: no alignment through them could be the best */
    int64_t launches;
    int64_t device_bytes;    /* peak device memory of both sweeps */
    double seconds_transfer; /* sequences to the device, and packing there */
    double seconds_build;    /* programs */
    double seconds_end;      /* the sweep that finds score and end, */
    double seconds_begin;    /* and the one that finds the beginning */
    int64_t begin_cells;     /* of the second sweep, and of these left out; in the sums above */
    int64_t begin_cells_pruned;
} rhomb_local_report;

/*
 * Aligns the parts of target and query that have the highest score. Which of several such
 * alignments counts: of equal ends the first one in the target, then in the query; of the
 * beginnings of alignments with that end, the last one in the target, then in the query. Its path
 * is that of rhomb_align() for the two parts, and the report (rhomb_alignment_report()) is of these
 * alone.
 *
 * `options` as of rhomb_align(); the scoring must have a match score, and max_distance must be
 * RHOMB_NO_LIMIT. A guide is not looked at.
 *
 * Time: that of n * m cells, less what is pruned; then of the part that is aligned, twice. Device
 * memory: some 8 bytes for each base of the target, 10 of the query on a GPU and 9 on a CPU, with
 * two pieces of a gap's cost half as much again; and the packed sequences.
 *
 * Returns the same as rhomb_align(). RHOMB_ERR_ARGUMENT also where the match score times the
 * shorter length exceeds 2^30 - 2, where a value of the scoring does 2^28, or a length 2^31 - 2^20.
 * On failure *out is NULL.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_align_local(rhomb_context *ctx, const char *target,
                                                          int64_t target_length, const char *query,
                                                          int64_t query_length,
                                                          const rhomb_options *options,
                                                          rhomb_alignment **out);

/* The report of a local alignment; NULL for others. Valid as long as the alignment. */
RHOMB_API const rhomb_local_report *rhomb_alignment_local(const rhomb_alignment *alignment);

#ifdef __cplusplus
}
#endif

#endif
