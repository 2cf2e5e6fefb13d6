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
 * rhomb_options.scoring says what mismatches and gaps cost. The report's distance is then the least
 * penalty, and the path has it; with a match score, has_score is set and score is the highest.
 * rhomb_scoring_op_score() scores operations, and so parts of a path.
 *
 * Everything said in rhomb.h about guarantees, growing structures, threads and units holds here.
 *
 * Which path. Its cost is exactly the distance. Of all paths with that cost, the same engine always
 * gives the same one, whatever the device, its tuning, the threads and the options:
 *
 * - A subproblem of distance d is split at a breakpoint halfway along its cost. Wavefront: the
 *   furthest point that ceil(d / 2) edits reach from the beginnings, on the lowest diagonal j - i
 *   on which floor(d / 2) edits from the ends meet it. Bit-parallel sweep: in the middle column of
 *   blocks of 16 bases, the first row where the two costs sum to d; target and query swap roles if
 *   the target has fewer than 64 bases. Both halves are then split in the same way.
 * - With other than unit costs a breakpoint may lie within a gap, which the halves share. Sweep:
 *   in the middle column the first row with the least sum, there outside of gaps before the first
 *   and the second piece of a deletion; nothing swaps roles. Wavefront: of the points of best paths
 *   at which half of the cost is paid, the one on the lowest diagonal, there outside of gaps before
 *   deletions and insertions (each with its first piece before the second), there the costliest.
 *   Paid is half of the cost at a point that has paid at most h, while the next one has paid more:
 *   h is (d + c - 1) / 2, rounded down, where c is what the first base of the gap costs or, outside
 *   of gaps, the most that a mismatch or a first base does, all without their common divisor.
 *   What is not swept and has fewer than 64 bases of one sequence is split in the middle of the
 *   longer one, by the same rule as a sweep's.
 * - Subproblems that are small enough are base cases, solved like the pairs of a batch
 *   (rhomb_pair_result). With other than unit costs so are those that cost too little to be split,
 *   however long; of equal moves to the furthest offset of a diagonal a mismatch comes first, then
 *   a deletion, then an insertion, the first piece before the second, and a longer gap before a new
 *   one.
 * - Then gaps are merged and left-aligned. Two insertions, or two deletions, that have no mismatch
 *   between them become one if they can be shifted together past matches that stay matches; it is
 *   placed as far left as possible. This goes from the beginning to the end, and a gap merges as
 *   often as it finds one before it. Finally every gap is left-aligned as variants are: shifted
 *   left as far as matches stay matches. Insertions and deletions do not stop each other, and where
 *   they touch, the deletion comes first; with unit costs they never do. The cost does not change:
 *   where opening a gap costs something, there is nothing to merge. With unit costs a gap costs no
 *   more in pieces: where edits are near a long gap, pieces of it that save an edit are the
 *   cheapest path, and stay.
 *
 * Which subproblems are base cases, and which subproblems of a sweep are left to the wavefront,
 * depends only on their lengths, distances and gaps, and on the scoring. So the same version,
 * options, input and device profile (see rhomb/tuning.h) give the same path each time, whatever the
 * clock, the load, the cache and the number of threads. The report names the engine that solved the
 * whole pair: asking for that engine repeats the path on any other device.
 */
#ifndef RHOMB_ALIGN_H
#define RHOMB_ALIGN_H

#include <rhomb/cigar.h>
#include <rhomb/rhomb.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The report of an alignment; made by the library. */
typedef struct rhomb_align_report {
    const rhomb_report *whole; /* the distance and score: plan, work, times of the first solve */
    const char *engine;        /* "wavefront", "bitparallel" or "trivial"; see above */
    int64_t operations;        /* of the path */
    int64_t matches;           /* matching bases */
    int64_t mismatches;        /* bases of its X */
    int64_t inserted;          /* bases of its I */
    int64_t deleted;           /* bases of its D */
    int64_t splits;            /* subproblems that were split after the first */
    int64_t base_cases;        /* base cases */
    int64_t cells;             /* of all splits after the first */
    int64_t device_bytes;      /* peak device memory in all */
    int64_t host_bytes; /* host memory for subproblems and path, without that of rounds and jobs */
    double seconds_split;      /* splitting, after the first */
    double seconds_base_cases; /* paths of base cases, checking the whole path, and its gaps */
    double seconds_total;      /* of the call */
    double seconds_build; /* programs for the path, in no other time; `whole` has the distance's */
    /*
     * Of those splits, how many rhomb_context_device_at(ctx, i) did in this run. None where the
     * path is too short for several devices; some of other than unit costs are the host's.
     */
    int64_t share_count;
    const int64_t *share_splits; /* share_count, as long as the alignment; not in a copy */
} rhomb_align_report;

typedef struct rhomb_alignment rhomb_alignment;

/*
 * Aligns target and query on the open device ("auto" if none is open), and computes their distance
 * on the way. `options` are those of rhomb_distance(); progress covers distance and path. Two
 * directions are needed: a tuning that asks for one, or for diamonds, is an error.
 *
 * Returns the same as rhomb_distance(). RHOMB_OK even if the distance was proved to exceed
 * max_distance: there is no path then. On failure *out is NULL. The caller owns the alignment.
 *
 * Cost: where the distance takes 10 ms or more, the path adds 0.7 to 1.6 times that on an H200; for
 * 1 Mb pairs of 94 to 99 % identity on a CPU, through PoCL, 1.3 to 4.5 times. Device memory: that
 * of rhomb_distance(), plus up to 64 MiB and half of the packed sequences, with other than unit
 * costs up to 128 MiB, and more where one subproblem alone needs it. Host memory: a few MiB; up to
 * 0.7 bytes per base for a while, where subproblems are swept; and at most 28 bytes per edit, of
 * which the path keeps 16: two operations. Where edits are thousands of bases apart, each may be a
 * subproblem of its own for a while, and take some 200 bytes.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_align(rhomb_context *ctx, const char *target,
                                                    int64_t target_length, const char *query,
                                                    int64_t query_length,
                                                    const rhomb_options *options,
                                                    rhomb_alignment **out);

/*
 * The *count operations of the path, from the beginnings of both sequences to their ends. Valid as
 * long as the alignment. NULL and 0 if there is none: two empty sequences, or a distance above
 * max_distance.
 */
RHOMB_API const rhomb_path_op *rhomb_alignment_path(const rhomb_alignment *alignment,
                                                    int64_t *count);

/* What the call did, and the distance. Never NULL; valid as long as the alignment. */
RHOMB_API const rhomb_align_report *rhomb_alignment_report(const rhomb_alignment *alignment);

/* Releases an alignment. NULL is allowed. */
RHOMB_API void rhomb_alignment_destroy(rhomb_alignment *alignment);

#ifdef __cplusplus
}
#endif

#endif
