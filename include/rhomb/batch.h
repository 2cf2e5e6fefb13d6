/* SPDX-License-Identifier: MIT */
/*
 * Rhomb, many short pairs: reads against candidates, amplicons, barcodes. Distances and CIGARs of
 * millions of pairs, each as exact as rhomb_distance(), at the rate at which letters come to the
 * device.
 *
 *     static int take(int64_t first, const rhomb_pair_result *results, size_t count, void *user)
 *     {
 *         for (size_t i = 0; i < count; i++)
 *             printf("%" PRId64 "\t%" PRId64 "\n", first + (int64_t)i, results[i].distance);
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

#ifdef __cplusplus
extern "C" {
#endif

/* A pair of sequences, of any lengths; the letters of an empty one may be NULL. */
typedef struct rhomb_pair {
    const char *target;
    int64_t target_length;
    const char *query;
    int64_t query_length;
} rhomb_pair;

/*
 * What came out of a pair. The path behind a CIGAR is one of the shortest, and always the same one,
 * whatever the device, the threads and the other pairs: from the end backwards, each edit comes
 * from the furthest reaching of the three points with one edit less, where several reach as far,
 * a substitution before a deletion (D) before an insertion (I). Beyond 4,000 edits it is the one of
 * rhomb_align() (align.h): by the wavefront, or by the sweep where more than one in 20 letters of
 * the longer sequence is an edit.
 */
typedef struct rhomb_pair_result {
    /*
     * RHOMB_OK, or why this pair alone has no result: RHOMB_ERR_ALPHABET, RHOMB_ERR_ARGUMENT (a
     * pointer, or a length, which for a CIGAR is below 2^28), RHOMB_ERR_DEVICE_MEMORY (a long pair,
     * or its path). The others go on.
     */
    rhomb_status status;
    int64_t distance;            /* -1: it was proved to exceed max_distance, or status says why */
    const rhomb_cigar_op *cigar; /* NULL where none was asked for, or there is none */
    int64_t cigar_count;         /* 0 also where both sequences are empty */
    const char *detail;          /* NULL where status is RHOMB_OK; else a sentence */
} rhomb_pair_result;

/*
 * Called with the results of the pairs first .. first + count - 1, counted from 0 over the life of
 * the batch, in their order, by the thread that called the library. Results, CIGARs and details are
 * valid during the call; what rhomb_batch_add() borrowed for these pairs is free from then on.
 * Returning anything but 0 stops the batch with RHOMB_ERR_CANCELLED. Calls of the library with the
 * same context are not allowed inside.
 */
typedef int (*rhomb_batch_fn)(int64_t first, const rhomb_pair_result *results, size_t count,
                              void *user);

/*
 * Tuning, for benchmarks, tests and new devices. It changes time and memory, never a result. 0
 * takes what suits the device.
 */
typedef struct rhomb_batch_tuning {
    size_t struct_size;
    int32_t group_size;   /* work-items that share a pair: 1, or a power of two up to 256 */
    int32_t first_limit;  /* the largest distance that the first kernel looks for: 1 to 2,000 */
    int32_t last_limit;   /* pairs beyond it go to the engines for long pairs: 1 to 2,000 */
    int32_t workers;      /* threads, each with a job under way: 1 to 64 */
    int64_t job_letters;  /* letters of a job: 4,096 to 2^30; sequences of half as many go to the
                             engines for long pairs */
    int32_t long_letters; /* pairs with a sequence longer than this go to those engines at once */
    int64_t column_bytes; /* device memory of a job for what paths need: 2^20 to 2^32 */
} rhomb_batch_tuning;

#define RHOMB_BATCH_TUNING_INIT                         \
    {                                                   \
        sizeof(rhomb_batch_tuning), 0, 0, 0, 0, 0, 0, 0 \
    }

typedef struct rhomb_batch_options {
    size_t struct_size;
    int64_t max_distance; /* as in rhomb_options; larger distances come out as -1 */
    rhomb_alphabet alphabet;
    bool cigar;
    bool profile; /* the device tells what each stage takes there, see the report; it may cost time
                   */
    /*
     * rhomb_batch_add() borrows `pairs` for as long as it does their letters, and need not wait
     * until they are copied: for callers that add many small arrays.
     */
    bool borrow_pairs;
    rhomb_batch_fn results; /* not NULL */
    void *user;
    const rhomb_batch_tuning *tuning; /* NULL: all as suits the device */
} rhomb_batch_options;

#define RHOMB_BATCH_OPTIONS_INIT                                                              \
    {                                                                                         \
        sizeof(rhomb_batch_options), RHOMB_NO_LIMIT, RHOMB_ALPHABET_DNA, false, false, false, \
            NULL, NULL, NULL                                                                  \
    }

/*
 * What a batch has done so far. Stages of different jobs run at the same time, each job's one after
 * the other; the times are sums over the jobs, so that they may exceed seconds_total.
 */
typedef struct rhomb_batch_report {
    int64_t pairs;     /* delivered */
    int64_t letters;   /* of both sequences */
    int64_t failed;    /* pairs with another status than RHOMB_OK */
    int64_t exceeding; /* pairs beyond max_distance */
    int64_t distances; /* the sum of those found */

    /*
     * Pairs that were done again, for letters other than A, C, G and T. There are none where
     * letters are compared as they are, as on processors.
     */
    int64_t other_letters;
    int64_t long_pairs; /* that the engines for long pairs did */
    int64_t jobs;
    int64_t device_bytes;   /* the most device memory in all, that of long pairs included */
    int64_t host_bytes;     /* the most memory of the host for jobs */
    int32_t workers;        /* jobs that were under way side by side at most */
    double seconds_build;   /* programs */
    double seconds_fill;    /* letters to where the device can fetch them */
    double seconds_device;  /* transfers and kernels, from a job's first to its last */
    double seconds_results; /* from what the device says to results */
    double seconds_deliver; /* in the caller's function */
    double seconds_long;    /* in the engines for long pairs */
    double seconds_total;   /* since the first pair was added, until the last one was delivered */

    /*
     * With a profile, and 0 without: what of seconds_device the device was busy with, by its own
     * clock. The rest is waiting for other jobs' commands. CIGARs are built on the device, within
     * seconds_solve.
     */
    double seconds_send;  /* letters, and where they are, to the device's memory */
    double seconds_pack;  /* kernels that pack letters */
    double seconds_solve; /* kernels that find distances and paths */
    double seconds_fetch; /* distances and CIGARs to the host's memory */

    double seconds_open; /* queues and memory that a worker needs for its first job */
} rhomb_batch_report;

typedef struct rhomb_batch rhomb_batch;

/*
 * Creates a batch on the open device ("auto" when none is) and builds its kernels. The context must
 * outlive it and keep its device open. Batches of one context take turns: one is finished before
 * another one is added to.
 * Returns RHOMB_OK, RHOMB_ERR_ARGUMENT, or a device, build or memory error. On failure *out is
 * NULL.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_batch_create(rhomb_context *ctx,
                                                           const rhomb_batch_options *options,
                                                           rhomb_batch **out);

/*
 * Adds pairs, and delivers results of earlier ones as they are ready. `pairs` is copied, unless the
 * options say borrow_pairs; the letters are borrowed until the results of their pairs have been
 * delivered. Waits while more is under way than the batch has room for: a caller that adds for ever
 * needs constant memory. Pairs are solved by the job, of some millions of letters (see
 * rhomb_batch_tuning): who needs the results of those added so far calls rhomb_batch_finish().
 *
 * A pair that cannot be solved says so in its result. Returns RHOMB_OK; RHOMB_ERR_CANCELLED; or a
 * device or memory error, after which the batch can only be destroyed: no result comes after it,
 * and nothing is borrowed any more.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_batch_add(rhomb_batch *batch, const rhomb_pair *pairs,
                                                        size_t count);

/* Delivers all that is left; then more may be added. Returns as rhomb_batch_add(). */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_batch_finish(rhomb_batch *batch);

/* Never NULL, lives as long as the batch. */
RHOMB_API const rhomb_batch_report *rhomb_batch_get_report(const rhomb_batch *batch);

/* Releases a batch; what is under way is waited for and dropped. NULL is allowed. */
RHOMB_API void rhomb_batch_destroy(rhomb_batch *batch);

/*
 * The distances of `count` pairs at once, without CIGARs: distances[i] is that of pairs[i], -1
 * where it exceeds max_distance or statuses[i] is not RHOMB_OK. `statuses` may be NULL: then the
 * first pair that fails makes the call fail, with its number and detail. The fields results, user
 * and cigar of `options`, which may be NULL, are not looked at.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_batch_distances(rhomb_context *ctx,
                                                              const rhomb_pair *pairs, size_t count,
                                                              const rhomb_batch_options *options,
                                                              int64_t *distances,
                                                              rhomb_status *statuses);

/*
 * The results of `count` pairs at once, with their CIGARs: (*results)[i] is that of pairs[i]. They
 * are the caller's, with all that they point to, until rhomb_batch_results_destroy(). A pair that
 * fails says so in its result. Takes the host's memory for all results, CIGARs and details; where
 * that is too much, see rhomb_batch_create(). The fields results, user and cigar of `options`,
 * which may be NULL, are not looked at.
 *
 * Returns RHOMB_OK, or as rhomb_batch_create() and rhomb_batch_add(), or RHOMB_ERR_MEMORY. On
 * failure *results is NULL.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_batch_align(rhomb_context *ctx,
                                                          const rhomb_pair *pairs, size_t count,
                                                          const rhomb_batch_options *options,
                                                          rhomb_pair_result **results);

/* Releases what rhomb_batch_align() has made. NULL is allowed. */
RHOMB_API void rhomb_batch_results_destroy(rhomb_pair_result *results);

#ifdef __cplusplus
}
#endif

#endif
