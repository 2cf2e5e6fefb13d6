/* SPDX-License-Identifier: MIT */
/*
 * Rhomb, distance matrices: the exact distances of all pairs of many sequences, such as the genomes
 * of an outbreak. Each sequence is sent to the device and packed once; pairs are then ranges of
 * that one pool, whatever their number.
 *
 *     static int take(int64_t row, int64_t column, const int64_t *distances, size_t count,
 *                     void *user)
 *     {
 *         for (size_t i = 0; i < count; i++)
 *             ((double *)user)[row * N + column + (int64_t)i] = (double)distances[i];
 *         return 0;
 *     }
 *
 *     rhomb_matrix_options options = RHOMB_MATRIX_OPTIONS_INIT;
 *     options.results = take;
 *     options.user = matrix;
 *     status = rhomb_matrix_compute(ctx, sequences, N, &options, NULL);
 *
 * Everything said in rhomb.h about guarantees, growing structures, threads and units holds here.
 */
#ifndef RHOMB_MATRIX_H
#define RHOMB_MATRIX_H

#include <rhomb/guide.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A sequence; the pointer to an empty one may be NULL. Does not grow. */
typedef struct rhomb_matrix_sequence {
    const char *bases;
    int64_t length;
    const char *name; /* for messages; may be NULL */
} rhomb_matrix_sequence;

/*
 * Called with the distances of sequence `row` to the sequences column .. column + count - 1, all
 * before it, 0 <= column < row: the lower triangle, without the diagonal, or of two sets what
 * options.columns says. Rows come in order, each from column 0 on, in one piece or in several. -1
 * is a distance that was proved to exceed max_distance. `distances` are valid during the call,
 * which is on the thread that called the library. A return value other than 0 ends the computation
 * with RHOMB_ERR_CANCELLED. The function must not call the library with the same context.
 */
typedef int (*rhomb_matrix_fn)(int64_t row, int64_t column, const int64_t *distances, size_t count,
                               void *user);

/* Proved, except `fraction` and `eta_seconds`, which weigh pairs by their lengths. */
typedef struct rhomb_matrix_progress {
    int64_t pairs; /* up to end_pair, and those that are done; those before first_pair are, too */
    int64_t done;
    double fraction;    /* of the work of this call, 0 to 1; never falls */
    double seconds;     /* since the call began */
    double eta_seconds; /* negative while unknown */
    bool building;      /* a kernel is about to be compiled, which may take a minute */
} rhomb_matrix_progress;

/* As rhomb_progress_fn. */
typedef int (*rhomb_matrix_progress_fn)(const rhomb_matrix_progress *progress, void *user);

/* For benchmarks, tests and new devices: changes time and memory, never a result. 0: as it suits.
 */
typedef struct rhomb_matrix_tuning {
    size_t struct_size;
    int32_t group_size;  /* work-items that share a pair: 1, or a power of two up to 256 */
    int32_t first_limit; /* the largest distance that the first kernel finds: 1 to 2,000 */
    int32_t last_limit;  /* pairs above it go to the engines for long pairs: 1 to 2,000 */
    int64_t job_pairs;   /* the most pairs of a job: 1 to 2^24 */
    int64_t pool_bytes;  /* the most device memory for packed sequences: 1 or more */
} rhomb_matrix_tuning;

#define RHOMB_MATRIX_TUNING_INIT                   \
    {                                              \
        sizeof(rhomb_matrix_tuning), 0, 0, 0, 0, 0 \
    }

/*
 * Called before a pair is solved by rhomb_distance(), if both sequences have RHOMB_GUIDE_LEAST
 * bases: a guide (rhomb/guide.h) with sequence `row` as the target and `column` as the query.
 * *guide is RHOMB_GUIDE_INIT at first; its points are borrowed until the next call with the same
 * `device`, from 0 on, or the end of the computation. The call is on the thread that drives that
 * device. The function must not call the library with the same context. Returns whether there is a
 * guide.
 */
typedef bool (*rhomb_matrix_guide_fn)(int64_t row, int64_t column, int32_t device,
                                      rhomb_guide *guide, void *user);

typedef struct rhomb_matrix_options {
    size_t struct_size;
    int64_t max_distance; /* as in rhomb_options */
    rhomb_alphabet alphabet;
    const rhomb_scoring *scoring; /* NULL: unit costs; else distances are penalties */
    int64_t first_pair;           /* pairs before it are left out; see rhomb_matrix_pair() */
    rhomb_matrix_fn results;      /* not NULL */
    void *user;
    rhomb_matrix_progress_fn progress;
    void *progress_user;
    const rhomb_matrix_tuning *tuning;
    int64_t end_pair; /* pairs from it on are left out; 0: none are. See rhomb_matrix_part() */
    rhomb_matrix_guide_fn guide; /* may be NULL */
    void *guide_user;
    /*
     * 0: all pairs. Else there are two sets, of which the first `columns` sequences are one: each
     * of the others is a row of `columns` pairs, which has none before `columns`. Pairs are
     * numbered (row - columns) * columns + column then, and rhomb_matrix_part() does not know them.
     */
    int64_t columns;
} rhomb_matrix_options;

#define RHOMB_MATRIX_OPTIONS_INIT                                                              \
    {                                                                                          \
        sizeof(rhomb_matrix_options), RHOMB_NO_LIMIT, RHOMB_ALPHABET_DNA, NULL, 0, NULL, NULL, \
            NULL, NULL, NULL, 0, NULL, NULL, 0                                                 \
    }

/* What a call has done. */
typedef struct rhomb_matrix_report {
    size_t struct_size;
    int64_t pairs; /* delivered */
    int64_t exceeding;
    int64_t pooled;         /* sequences that were packed for all pairs */
    int64_t long_pairs;     /* that went to the engines for long pairs, one by one */
    int64_t jobs;           /* with unit costs, of either kind: near pairs and others */
    int64_t device_bytes;   /* peak device memory, of all devices */
    double seconds_build;   /* programs, on the first device; in no other time */
    double seconds_pack;    /* counting, sending and packing sequences */
    double seconds_solve;   /* jobs of batches, with their transfers */
    double seconds_long;    /* in the engines for long pairs */
    double seconds_deliver; /* in the caller's function */
    double seconds_total;
    int64_t guided; /* of long_pairs, those that had a guide */
} rhomb_matrix_report;

#define RHOMB_MATRIX_REPORT_INIT                                           \
    {                                                                      \
        sizeof(rhomb_matrix_report), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 \
    }

/* The number of a pair in the order of the results: row * (row - 1) / 2 + column, from 0 on. */
RHOMB_API int64_t rhomb_matrix_pair(int64_t row, int64_t column);

/*
 * The pairs *first .. *end - 1 of part `part` of `parts`, from 0 on: parts follow each other, and
 * together have all pairs. They are balanced by the bases of their pairs, as `fraction` of progress
 * is. The same sequences have the same parts everywhere.
 * Returns RHOMB_OK, or RHOMB_ERR_ARGUMENT unless 0 <= part < parts.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_matrix_part(const rhomb_matrix_sequence *sequences,
                                                          int64_t count, int64_t part,
                                                          int64_t parts, int64_t *first,
                                                          int64_t *end);

/*
 * A digest of all that the results depend on: names, lengths and bases of the sequences, and the
 * options max_distance, alphabet and scoring. For callers that keep results to go on from them: 32
 * hexadecimal digits and a NUL. `options` may be NULL. Returns RHOMB_OK, RHOMB_ERR_ARGUMENT or
 * RHOMB_ERR_MEMORY.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_matrix_digest(rhomb_context *ctx,
                                                            const rhomb_matrix_sequence *sequences,
                                                            int64_t count,
                                                            const rhomb_matrix_options *options,
                                                            char out[33]);

/*
 * Computes the distances of all pairs of `count` sequences on the open devices ("auto" if none is
 * open), each of which takes pairs when it is free, and delivers them in order. `report` may be
 * NULL; else its struct_size must be set.
 *
 * Returns RHOMB_OK; RHOMB_ERR_ARGUMENT; RHOMB_ERR_ALPHABET (the detail names the sequence);
 * RHOMB_ERR_CANCELLED; or what rhomb_distance() returns. After a failure the results delivered so
 * far are right, and `first_pair` can continue after them.
 *
 * The sequences are borrowed for the call.
 *
 * Cost: with unit costs, pairs of a distance up to 2,000 (less where the device has little local
 * memory) are solved many at a time: sequences take (bases * q) / 8 bytes of the device's memory,
 * where q is 2, 4 or 8 and up to 2^q different symbols may be in all of them, up to half of that
 * memory, the shortest first. Time for a pair of length n and distance d: about n / 128 + d * d
 * steps. Other scorings take pairs of up to 100,000 bases through a batch (rhomb/batch.h). All
 * others are solved by rhomb_distance(), one by one. Host memory: about 8 MiB for each device, and
 * what a batch takes.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_matrix_compute(rhomb_context *ctx,
                                                             const rhomb_matrix_sequence *sequences,
                                                             int64_t count,
                                                             const rhomb_matrix_options *options,
                                                             rhomb_matrix_report *report);

#ifdef __cplusplus
}
#endif

#endif
