/* SPDX-License-Identifier: MIT */
/*
 * Rhomb, many short pairs: reads against candidates, amplicons, barcodes. Distances and CIGARs of
 * millions of pairs, each as exact as rhomb_distance(), as fast as the sequences reach the device.
 *
 *     static int take(int64_t first, const rhomb_pair_result *const *results, size_t count,
 *                     void *user)
 *     {
 *         for (size_t i = 0; i < count; i++)
 *             printf("%" PRId64 "\t%" PRId64 "\n", first + (int64_t)i, results[i]->distance);
 *         return 0;
 *     }
 *
 *     rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
 *     options.results = take;
 *     rhomb_status status = rhomb_batch_create(ctx, &options, &batch);
 *     while (status == RHOMB_OK && (count = read_more(&pairs)) > 0)
 *         status = rhomb_batch_add(batch, pairs, count);
 *     if (status == RHOMB_OK)
 *         status = rhomb_batch_finish(batch);
 *     rhomb_batch_destroy(batch);
 *
 * Everything said in rhomb.h about guarantees, growing structures, threads and units holds here.
 */
#ifndef RHOMB_BATCH_H
#define RHOMB_BATCH_H

#include <rhomb/cigar.h>
#include <rhomb/rhomb.h>
#include <rhomb/scoring.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A pair of sequences of any lengths; the pointer to an empty one may be NULL. Does not grow. */
typedef struct rhomb_pair {
    const char *target;
    int64_t target_length;
    const char *query;
    int64_t query_length;
} rhomb_pair;

/*
 * Which alignments of a pair a batch looks for.
 *
 * GLOBAL: both sequences from end to end.
 *
 * ENDS_FREE: an alignment may leave out bases at no cost, up to a limit at each end of each
 * sequence (rhomb_free_ends), as in WFA2; at either end, bases of one of the two. It begins at the
 * beginning of one sequence, at most the other's limit of bases away from that one's beginning, and
 * ends likewise. The one with the highest score, or the least penalty.
 *
 * EXTEND: from both beginnings to wherever the score is highest, as minimap2's ksw2 extends a seed
 * (ksw_extz2, ksw_extd2). As there, cells (i, j) count that are i >= 1 bases into the query and j
 * >= 1 into the target: none where all bases so far are one gap, whatever its score. Antidiagonals
 * i + j are looked at from the beginning on, each by its cell with the highest score H. That is the
 * best so far if H is more than the best before, at first 0 with nothing aligned. Else, where the
 * cell is not before the best one in either sequence, and b bases further from it in one of them
 * than in the other, if the best score less H is more than z_drop + b * e, the extension stops
 * there; e is the least that each base of a long gap costs. If it does not stop, and the best cell
 * at the end of the query has a score that together with end_bonus is more than the best one's,
 * that is the result, and reached_end is set; the bonus is not in its score. So an end that is
 * reached by inserting all of the query is none: of AAA and CCC, with match 1, mismatch 19, gaps 39
 * + 3 k and any bonus above 57, the score is -57, not -48; and with an empty sequence nothing is
 * aligned. Of equal cells on an antidiagonal the one with the least target position counts, and of
 * equal ends of the query likewise. ksw2 differs where several cells of an antidiagonal have its
 * highest score, of which it takes any, and has another e if a second piece is never the cheaper.
 *
 * LOCAL: any part of one sequence against any part of the other, whose score is highest
 * (Smith-Waterman); empty if no score is above 0. Of equal ends the first one in the target, then
 * in the query; of the beginnings of alignments with that end, the last one in the target, then in
 * the query.
 *
 * EXTEND and LOCAL need a match score. Pairs that a job has no room for, of more than some million
 * bases, are taken by the whole device, one at a time (rhomb_distance(), and as rhomb_align_mode()
 * does).
 */
typedef enum rhomb_mode {
    RHOMB_MODE_GLOBAL,
    RHOMB_MODE_ENDS_FREE,
    RHOMB_MODE_EXTEND,
    RHOMB_MODE_LOCAL
} rhomb_mode;

/*
 * The most bases that cost nothing at each end, for ENDS_FREE; what is beyond a length is cut. Does
 * not grow.
 */
typedef struct rhomb_free_ends {
    int64_t query_begin;
    int64_t query_end;
    int64_t target_begin;
    int64_t target_end;
} rhomb_free_ends;

/*
 * What of a pair is aligned: bases [begin, end) of both, counted from 0. Of the ends of ENDS_FREE
 * with the best score the first one in the target, then in the query; of the beginnings for that
 * end, the last one in the target, then in the query. Made by the library.
 */
typedef struct rhomb_pair_extent {
    int64_t score;        /* by the scoring; less the penalty, where it has no match score */
    int64_t target_begin; /* -1: not asked for, see ends_only */
    int64_t target_end;
    int64_t query_begin; /* likewise */
    int64_t query_end;
    bool reached_end; /* EXTEND: the end of the query, because of end_bonus or as the best cell */
} rhomb_pair_extent;

/*
 * The result of a pair. The CIGAR is an optimal path, and always the same one, whatever the device,
 * the threads and the other pairs. Traced back from the end, each edit comes from the furthest
 * reaching of the three points with one edit less; ties prefer a substitution, then a deletion (D),
 * then an insertion (I). Above 4,000 edits it is the path of rhomb_align() (align.h): by the
 * wavefront, or by the sweep if there is more than one edit per 20 bases of the longer sequence.
 * CIGARs are not compared with the sequences again; to check them, follow them (rhomb/cigar.h), or
 * write PAF and use rhomb/verify.h. Made by the library.
 *
 * With a scoring other than unit costs the CIGAR has the least penalty, each run of I or D being
 * one gap, and is again always the same one. Let c be the penalty divided by what the penalties of
 * mismatches and gaps have in common, and e the least of their extensions. While 3 c^2 <= 2 e n m,
 * it is found by wavefronts: traced back from the end, of equally furthest points of a cost a
 * mismatch comes first, then a deletion, then an insertion, the first piece of a gap's cost before
 * the second, and a longer gap before a new one. Else it is found in the whole matrix, by the same
 * order with matches first. Where either takes more than 64 MiB, it is the path of rhomb_align(),
 * by the engine that the above says.
 */
typedef struct rhomb_pair_result {
    /*
     * RHOMB_OK, or why this pair has no result: RHOMB_ERR_ALPHABET, RHOMB_ERR_ARGUMENT (an invalid
     * pointer or length; for a CIGAR, lengths must be below 2^28), RHOMB_ERR_DEVICE_MEMORY (a long
     * pair, or its path). Other pairs are not affected.
     */
    rhomb_status status;
    /*
     * The penalty, where the least one is looked for: GLOBAL, and ENDS_FREE without a match score.
     * 0 where the highest score is, see extent. -1: proved to exceed max_distance, or see status.
     */
    int64_t distance;
    const rhomb_cigar_op *cigar;     /* NULL if not requested, or if there is none */
    int64_t cigar_count;             /* also 0 if both sequences are empty */
    const char *detail;              /* NULL if status is RHOMB_OK; else a sentence */
    const rhomb_pair_extent *extent; /* NULL with unit costs end to end, or without a result */
} rhomb_pair_result;

/*
 * Called in order with the results of the pairs first .. first + count - 1, counted from 0 over the
 * life of the batch: results[i] is that of pair first + i. On the thread that called the library.
 * Results, CIGARs and details are valid only during the call; what rhomb_batch_add() borrowed for
 * these pairs is no longer in use. A return value other than 0 stops the batch with
 * RHOMB_ERR_CANCELLED. The function must not call the library with the same context.
 */
typedef int (*rhomb_batch_fn)(int64_t first, const rhomb_pair_result *const *results, size_t count,
                              void *user);

/*
 * Tuning, for benchmarks, tests and new devices. It changes time and memory, never a result. 0: the
 * value that suits the device.
 */
typedef struct rhomb_batch_tuning {
    size_t struct_size;
    int32_t group_size;  /* work-items that share a pair: 1, or a power of two up to 256 */
    int32_t first_limit; /* the largest distance that the first kernel finds: 1 to 2,000 */
    int32_t last_limit;  /* pairs above it go to bit planes, or to the engines for long pairs: 1 to
                              2,000 */
    int32_t workers;     /* threads of a device, each running one job: 1 to 64 */
    int64_t job_bases;   /* bases of a job: 4,096 to 2^30; sequences of half as many go to the
                              engines for long pairs */
    int32_t long_bases;  /* pairs with a sequence longer than this go to those engines at once */
    /*
     * Of modes other than GLOBAL: all pairs take as many work-items as a group has instead of as
     * many as suit their lengths.
     */
    bool one_bin;
    /* Of LOCAL and ENDS_FREE: 16: where they suffice, on GPUs two pairs at once; 32: never 16. */
    int32_t score_bits;
    /*
     * With a scoring, end to end or for CIGARs: 1: all matrices in bit planes, without wavefronts
     * before; 2: never; 0: where they take less time.
     */
    int32_t bit_planes;
    /* Device memory of a job for its paths, matrices in bit planes included: 2^20 to 2^32. */
    int64_t column_bytes;
} rhomb_batch_tuning;

#define RHOMB_BATCH_TUNING_INIT                                      \
    {                                                                \
        sizeof(rhomb_batch_tuning), 0, 0, 0, 0, 0, 0, false, 0, 0, 0 \
    }

typedef struct rhomb_batch_options {
    size_t struct_size;
    int64_t max_distance; /* as in rhomb_options; larger distances are reported as -1 */
    rhomb_alphabet alphabet;
    bool cigar;
    bool profile; /* report the device time of each stage; this may cost time */
    /*
     * rhomb_batch_add() borrows `pairs` for as long as their sequences, and need not wait until
     * they are copied: for callers that add many small arrays.
     */
    bool borrow_pairs;
    rhomb_batch_fn results; /* not NULL */
    void *user;
    const rhomb_batch_tuning *tuning; /* NULL: all values that suit the device */
    const rhomb_scoring *scoring;     /* NULL: unit costs. Read when the batch is created */
    rhomb_mode mode;
    /*
     * ENDS_FREE and LOCAL without CIGARs: do not look for where alignments begin, which takes as
     * long as their scores.
     */
    bool ends_only;
    rhomb_free_ends free_ends; /* ENDS_FREE */
    int64_t z_drop;            /* EXTEND: from 0 on; RHOMB_NO_LIMIT: never stop, as with a matrix */
    int64_t end_bonus;         /* EXTEND: at least 0; with a matrix 0 */
} rhomb_batch_options;

#define RHOMB_BATCH_OPTIONS_INIT                                                              \
    {                                                                                         \
        sizeof(rhomb_batch_options), RHOMB_NO_LIMIT, RHOMB_ALPHABET_DNA, false, false, false, \
            NULL, NULL, NULL, NULL, RHOMB_MODE_GLOBAL, false, {0, 0, 0, 0}, RHOMB_NO_LIMIT, 0 \
    }

/*
 * The work of a batch so far. Stages of different jobs run at the same time, those of one job one
 * after the other. The times are sums over the jobs, so they may exceed seconds_total.
 */
typedef struct rhomb_batch_report {
    int64_t pairs;     /* delivered */
    int64_t bases;     /* bases of both sequences */
    int64_t failed;    /* pairs whose status is not RHOMB_OK */
    int64_t exceeding; /* pairs whose distance exceeds max_distance */
    int64_t distances; /* the sum of the distances found */

    /*
     * Pairs that were computed again because of N, IUPAC codes or other bytes. 0 where bases are
     * compared unpacked, as on CPUs.
     */
    int64_t other_bases;
    int64_t long_pairs; /* pairs that went to the engines for long pairs */
    int64_t jobs;
    int64_t device_bytes;   /* peak device memory, of all devices, including that of long pairs */
    int64_t host_bytes;     /* peak host memory for jobs */
    int32_t workers;        /* the most jobs that ran at the same time */
    double seconds_build;   /* programs */
    double seconds_fill;    /* copying sequences to where the device can fetch them */
    double seconds_device;  /* transfers and kernels, from a job's first to its last command */
    double seconds_results; /* turning the device's output into results */
    double seconds_deliver; /* in the caller's function */
    double seconds_long;    /* in the engines for long pairs */
    double seconds_total;   /* from the first pair added to the last one delivered */

    /*
     * With `profile` (else 0): the stages of seconds_device in which the device was busy, by its
     * own clock. The rest is waiting for other jobs' commands. CIGARs are built on the device,
     * within seconds_solve.
     */
    double seconds_send;  /* sequences and their positions to the device's memory */
    double seconds_pack;  /* kernels that pack bases */
    double seconds_solve; /* kernels that find distances and paths */
    double seconds_fetch; /* distances and CIGARs to the host's memory */

    double seconds_open; /* creating queues and memory for each worker's first job */
    int64_t scores;      /* with a scoring: the sum of the scores */
} rhomb_batch_report;

typedef struct rhomb_batch rhomb_batch;

/*
 * Creates a batch on the open device ("auto" if none is open) and builds its kernels. Where several
 * are open, each has programs, memory and threads of its own, a job goes to one that is idle or
 * will be so first, and pairs for the engines of long pairs are solved side by side; what one
 * device lacks the memory for, another one tries. Results do not depend on it. rhomb_context_work()
 * says what each has done.
 *
 * Returns RHOMB_OK, RHOMB_ERR_ARGUMENT, or a device, build or memory error. On failure *out is
 * NULL. The context must outlive the batch and keep its devices open. Batches of one context take
 * turns: finish one before adding to another.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_batch_create(rhomb_context *ctx,
                                                           const rhomb_batch_options *options,
                                                           rhomb_batch **out);

/*
 * Adds pairs, and delivers results of earlier pairs as they are ready. Pairs are solved in jobs of
 * some millions of bases (see rhomb_batch_tuning); call rhomb_batch_finish() to get the results of
 * all pairs added so far. The result of a pair that cannot be solved has the error.
 *
 * Returns RHOMB_OK; RHOMB_ERR_CANCELLED; or a device or memory error, after which the batch can
 * only be destroyed: it delivers no more results, and borrows nothing any more.
 *
 * `pairs` is copied, unless the options set borrow_pairs; the sequences are borrowed until the
 * results of their pairs have been delivered.
 *
 * Cost: the call waits while the batch has no room for more, so that a caller may add pairs forever
 * in constant memory.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_batch_add(rhomb_batch *batch, const rhomb_pair *pairs,
                                                        size_t count);

/* Delivers all remaining results; then more pairs may be added. Returns as rhomb_batch_add(). */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_batch_finish(rhomb_batch *batch);

/* What the batch did so far. Never NULL; valid as long as the batch. */
RHOMB_API const rhomb_batch_report *rhomb_batch_get_report(const rhomb_batch *batch);

/* Releases a batch; running jobs are waited for and their results dropped. NULL is allowed. */
RHOMB_API void rhomb_batch_destroy(rhomb_batch *batch);

/*
 * The distances of `count` pairs at once, without CIGARs: distances[i] is that of pairs[i], or -1
 * if it exceeds max_distance or statuses[i] is not RHOMB_OK. `statuses` may be NULL: then the first
 * pair that fails makes the call fail, with its number and detail. `options` may be NULL; its
 * fields results, user and cigar are ignored.
 *
 * Returns the same as rhomb_batch_create() and rhomb_batch_add(), or, without `statuses`, the error
 * of the first pair that fails.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_batch_distances(rhomb_context *ctx,
                                                              const rhomb_pair *pairs, size_t count,
                                                              const rhomb_batch_options *options,
                                                              int64_t *distances,
                                                              rhomb_status *statuses);

/*
 * The results of `count` pairs at once, with their CIGARs: *(*results)[i] is that of pairs[i]. The
 * result of a pair that fails has the error. `options` may be NULL; its fields results, user and
 * cigar are ignored.
 *
 * Returns the same as rhomb_batch_create() and rhomb_batch_add(), or RHOMB_ERR_MEMORY. On failure
 * *results is NULL. The caller owns the results, with everything they point to, and releases them
 * with rhomb_batch_results_destroy().
 *
 * Cost: all results, CIGARs and details are in host memory at once; if that is too much, use
 * rhomb_batch_create().
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_batch_align(rhomb_context *ctx,
                                                          const rhomb_pair *pairs, size_t count,
                                                          const rhomb_batch_options *options,
                                                          const rhomb_pair_result *const **results);

/* Releases the results of rhomb_batch_align(). NULL is allowed. */
RHOMB_API void rhomb_batch_results_destroy(const rhomb_pair_result *const *results);

#ifdef __cplusplus
}
#endif

#endif
