/* SPDX-License-Identifier: MIT */
/*
 * Rhomb: the exact alignment of two long sequences, in memory linear in their distance.
 *
 *     rhomb_alignment *alignment = NULL;
 *     int64_t count = 0;
 *     rhomb_status status = rhomb_align(ctx, target, n, query, m, NULL, &alignment);
 *     if (status == RHOMB_OK) {
 *         const rhomb_path_op *path = rhomb_alignment_path(alignment, &count);
 *         for (int64_t i = 0; i < count; i++)
 *             printf("%" PRIu64 "%c", RHOMB_CIGAR_LENGTH(path[i]), RHOMB_CIGAR_LETTER(path[i]));
 *     }
 *     rhomb_alignment_destroy(alignment);
 *
 * Everything said in rhomb.h about guarantees, growing structures, threads and units holds here.
 *
 * Which path. Its cost is exactly the distance. Of the paths with that cost it is always the same
 * one for the same engine, whatever the device, its tuning, the threads and the options:
 *
 * - A problem of distance d is split where half of it is paid. The wavefront: at the furthest point
 *   that ceil(d / 2) edits reach from the beginnings, on the lowest diagonal j - i on which
 *   floor(d / 2) edits from the ends come to meet it. The bit-parallel sweep: in the middle column
 *   of blocks of 16 letters, at the first row where the two costs sum up to d; target and query
 *   change roles where the target has less than 64 letters. Both parts are then split in the
 *   same way.
 * - Parts that are small enough come out as those of a batch do (rhomb_pair_result).
 * - Then gaps are put in order. Where two insertions, or two deletions, have nothing but a run of
 *   equal letters between them, and can be moved to each other past letters that stay equal, they
 *   become one, as far to the left as that goes; from the beginning to the end, and each as often
 *   as it finds one before it. At last every gap is moved to the left as far as letters stay equal,
 *   as variants are written. The cost stays what it is. With unit costs a gap is no dearer in
 *   pieces: where edits are near a long gap, pieces of it that save one of them are what costs
 *   least, and stay.
 *
 * Which parts are small enough, and which parts of a sweep are left to the wavefront, depends on
 * their lengths and distances alone. So the same version, options, input and device profile (see
 * rhomb/tuning.h) give the same path each time, whatever the clock, the load, the cache and
 * the number of threads. The report names the engine that solved the whole problem: asking for that
 * engine repeats the path on any other device.
 */
#ifndef RHOMB_ALIGN_H
#define RHOMB_ALIGN_H

#include <rhomb/cigar.h>
#include <rhomb/rhomb.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rhomb_align_report {
    rhomb_report whole;    /* of the distance: plan, work and times of the first solve */
    const char *engine;    /* "wavefront", "bitparallel" or "trivial"; see above */
    int64_t operations;    /* of the path */
    int64_t matches;       /* letters that are equal along it */
    int64_t mismatches;    /* letters of its X */
    int64_t inserted;      /* letters of its I */
    int64_t deleted;       /* letters of its D */
    int64_t splits;        /* problems that were split after the first */
    int64_t leaves;        /* problems that came out whole */
    int64_t cells;         /* of all splits after the first */
    int64_t device_bytes;  /* the most device memory in all */
    int64_t host_bytes;    /* of the host for problems and path; not what rounds and jobs need */
    double seconds_split;  /* splitting, after the first */
    double seconds_leaves; /* on paths of leaves, checking the whole one, and its gaps */
    double seconds_total;  /* of the call */
    double seconds_build;  /* programs for the path, as in `whole` for the distance; in no other */
} rhomb_align_report;

typedef struct rhomb_alignment rhomb_alignment;

/*
 * Aligns target and query on the open device ("auto" when none is), and computes their distance on
 * the way. `options` are those of rhomb_distance(); progress goes over distance and path. Two
 * directions are needed: a tuning that asks for one, or for diamonds, is refused.
 *
 * Where the distance takes 10 ms or more, the path takes 0.7 to 1.6 times as long again on an H200;
 * for 1 Mb pairs of 94 to 99 % on a processor, through PoCL, 1.3 to 4.5 times. Memory: of the
 * device as rhomb_distance(), and up to 64 MiB and half of the packed sequences more; of the host,
 * some MiB and, where parts are swept, up to 0.7 bytes a letter for a while, and for each edit at
 * most 28 bytes, of which the path keeps 16: two operations. Where edits are thousands of letters
 * apart each may be a part of its own for a while, and take some 200 bytes.
 *
 * Returns as rhomb_distance() does. RHOMB_OK also where the distance was proved to exceed
 * max_distance: there is no path then. On failure *out is NULL.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_align(rhomb_context *ctx, const char *target,
                                                    int64_t target_length, const char *query,
                                                    int64_t query_length,
                                                    const rhomb_options *options,
                                                    rhomb_alignment **out);

/* What rhomb_plan_seconds() is for the distance, for the path behind it. */
RHOMB_API double rhomb_plan_path_seconds(const rhomb_plan *plan, int64_t distance);

/*
 * The operations of the path, from the beginnings of both sequences to their ends, *count of them.
 * They live as long as the alignment. NULL and 0 where there is none: two empty sequences, or a
 * distance beyond max_distance.
 */
RHOMB_API const rhomb_path_op *rhomb_alignment_path(const rhomb_alignment *alignment,
                                                    int64_t *count);

/* Never NULL, lives as long as the alignment. */
RHOMB_API const rhomb_align_report *rhomb_alignment_report(const rhomb_alignment *alignment);

/* Releases an alignment. NULL is allowed. */
RHOMB_API void rhomb_alignment_destroy(rhomb_alignment *alignment);

#ifdef __cplusplus
}
#endif

#endif
