/* SPDX-License-Identifier: MIT */
/*
 * A job of a batch: some pairs, and the memory and the stream to solve them with. So jobs run side
 * by side on their own threads. A job never logs, as the caller's function belongs to the caller's
 * thread.
 */
#ifndef RHOMB_HOST_BATCH_JOB_H
#define RHOMB_HOST_BATCH_JOB_H

#include "cl/abi.h"
#include "host/batch/batch_set.h"
#include "host/device/buffer.h"
#include "host/device/context.h"
#include "host/device/program.h"
#include "host/device/queue.h"
#include "src/batch/batch_scored_shape.h"
#include "src/batch/mode_bins.h"
#include "src/scoring/costs.h"

/*
 * What the commands of a job cost on the device, by the device's own clock. Only for a profile, as
 * a queue that keeps times is not free on every driver. Each command leaves an event, which is
 * read when all of them have ended.
 */
typedef enum rhomb__batch_stage {
    RHOMB__BATCH_SEND,
    RHOMB__BATCH_PACK,
    RHOMB__BATCH_SOLVE,
    RHOMB__BATCH_FETCH,
    RHOMB__BATCH_STAGES
} rhomb__batch_stage;

enum {
    RHOMB__BATCH_ROUNDS = 2,
    /*
     * Counts and lists to the device, packing, levels and bins; counts, answers and CIGARs from
     * there.
     */
    RHOMB__BATCH_ROUND_COMMANDS = 4 + RHOMB_BATCH_LISTS + RHOMB_BATCH_LISTS,
    /* Codes to the device, bases with places, the other CIGARs from there. */
    RHOMB__BATCH_MOST_COMMANDS = 3 + RHOMB__BATCH_ROUNDS * RHOMB__BATCH_ROUND_COMMANDS
};

/* All zeros but for `asked` holds nothing. */
typedef struct rhomb__batch_times {
    bool asked;
    int32_t count;
    struct {
        cl_event event; /* NULL where the command was not enqueued */
        rhomb__batch_stage stage;
    } commands[RHOMB__BATCH_MOST_COMMANDS];
    double seconds[RHOMB__BATCH_STAGES];
} rhomb__batch_times;

/*
 * Where the next command's event belongs, as the last argument of a function that enqueues; NULL
 * without a profile.
 */
cl_event *rhomb__batch_times_next(rhomb__batch_times *times, rhomb__batch_stage stage);

/* The same for an event that the caller has used; sets it to NULL where it is kept. */
void rhomb__batch_times_keep(rhomb__batch_times *times, rhomb__batch_stage stage, cl_event *event);

/* Adds up the times of the commands, all of which have ended, and releases them. */
rhomb_status rhomb__batch_times_add(rhomb__device_stream *stream, rhomb__batch_times *times);

/* Releases the commands. */
void rhomb__batch_times_drop(rhomb__batch_times *times);

/* How the bases are packed, and which kernels compare them. */
typedef enum rhomb__batch_bases {
    RHOMB__BATCH_ACGT, /* of all symbols, where there are no planes */
    RHOMB__BATCH_ALL,
    RHOMB__BATCH_KINDS
} rhomb__batch_bases;

/*
 * The most programs of a method, for each kind of bases; the first ones pack. With a scoring, end
 * to end: those for paths, with wavefronts in local memory or without, and with them for the higher
 * levels. In other modes: one for scores, these two, and one for scores of 16 bits. In any mode:
 * the one for matrices in bit planes. In other modes, for A, C, G and T: the one of wider groups.
 */
#define RHOMB__BATCH_PROGRAMS 6

typedef struct rhomb__batch_method rhomb__batch_method;

/* What all jobs of a batch share, unchanged while they run. */
typedef struct rhomb__batch_setup {
    rhomb_context *ctx;
    int32_t devices; /* that share the host's threads; 0: those that ctx has open */
    const rhomb__batch_method *method;
    rhomb_batch_options options;
    rhomb_batch_tuning tuning;
    rhomb__batch_shape shape;
    const rhomb__batch_set *set; /* of whose sequences pairs are; NULL: pairs bring their bases */
    bool wide;                   /* of a set: wide groups */
    cl_mem packed;               /* shape.of_set: the set on the device */
    rhomb__costs costs;          /* of options.scoring */
    rhomb_scoring scoring;
    rhomb__program *programs[RHOMB__BATCH_PROGRAMS][RHOMB__BATCH_KINDS]; /* NULL: not needed */
    uint16_t codes[256]; /* for all symbols: a symbol's code, or more than 255 */
    bool whole;          /* end to end by a matrix: kernels have free ends, none of which is */
    rhomb_matrix_scores tables[RHOMB__BATCH_KINDS]; /* of a matrix */
} rhomb__batch_setup;

/* A kernel that the job launches, whose arguments have been set. */
typedef struct rhomb__batch_launch {
    cl_kernel kernel; /* NULL until it is needed */
    rhomb_i32 all;    /* edits: its argument */
} rhomb__batch_launch;

/* Pairs in the caller's memory. */
typedef struct rhomb__batch_run {
    const rhomb_pair *pairs;
    size_t count;
} rhomb__batch_run;

/* Sums over pairs of a job. */
typedef struct rhomb__batch_sums {
    int64_t bases;     /* of both sequences */
    int64_t distances; /* of the `found` pairs that have one */
    int64_t found;
    int64_t scores;
    int64_t exceeding; /* pairs beyond the limit */
    int64_t failed;    /* pairs without a result */
} rhomb__batch_sums;

/* The most runs of pairs that a job borrows. */
#define RHOMB__BATCH_RUNS 64

/* The most kernels of a method, for each kind of bases: of levels, and of bins for scores and for
 * paths. */
#define RHOMB__BATCH_LAUNCHES (RHOMB_BATCH_MOST_LEVELS + 2 * RHOMB__BATCH_BINS)

typedef struct rhomb__batch_job {
    const rhomb__batch_setup *setup;
    rhomb__device_stream stream;

    /* Device memory, made at first use and kept. */
    rhomb__buffer parts[RHOMB__BATCH_PARTS];
    cl_kernel pack[RHOMB__BATCH_KINDS];
    rhomb__batch_launch launches[RHOMB__BATCH_KINDS][RHOMB__BATCH_LAUNCHES]; /* the method's */

    /* The host's copy of what the device receives and returns, in the same layout. */
    rhomb__pinned room;
    char *bases; /* NULL where the device works in the host's memory: they are filled there */
    rhomb_batch_counts *returned;
    char *answers;          /* after returned, of the size that the method's have */
    rhomb_cigar_op *cigars; /* after the answers, or in `more` */
    rhomb__pinned more;     /* where there is no room for them */
    int64_t returned_bytes; /* that it has room for, from returned on */
    bool pageable;          /* it could not be pinned, ... */
    char *why_pageable;     /* ... and the driver's reason; may be NULL */
    int64_t cigars_here;    /* operations that have come from the device, from the first on */
    int64_t last_operations, last_bases; /* of the job before */

    /* The pairs, filled by the batch. */
    int64_t first;
    int64_t count;
    int32_t first_level; /* of the kernels; levels below it would find few pairs' distances */
    int64_t long_bases;  /* of pairs that are not for the kernels, about */
    int64_t longest;     /* sequence of those that are */
    int64_t bases_used;  /* of the job's, by sequences in whole words */
    int64_t enough;      /* of these: no more pairs are added then; 0: while there is room */
    int64_t operations;
    rhomb__batch_run borrowed[RHOMB__BATCH_RUNS]; /* the pairs after those that were copied */
    int32_t borrowed_runs;
    int64_t owned_pairs; /* that were copied */
    rhomb_pair *pairs;
    rhomb_batch_pair *places; /* shape.of_set: of the pairs in the set, else NULL */
    rhomb_pair_result *results;
    rhomb_pair_extent *extents;          /* with a scoring, else NULL */
    const rhomb_pair_result **delivered; /* pointers to them, for the caller */

    /* Room for this number of pairs. */
    uint32_t *list;
    uint32_t *longs;             /* pairs for the engines for long pairs */
    rhomb__batch_binned *binned; /* by their bins, and as many to sort them; NULL where the method
                                    has none */
    uint32_t *sorted;            /* the same pairs, for the device */
    int64_t bin_begin[RHOMB__BATCH_BINS + 1];
    int64_t long_count;
    void **owned; /* details of failed pairs, and CIGARs of pairs that were solved alone */
    int64_t owned_count;
    int64_t other_count;
    int64_t array_bytes; /* of all arrays here */
    bool lacks_arrays;   /* there was no memory for one of them */
    int64_t alone_bytes; /* the most device memory of a pair that was not for the kernels */

    rhomb__batch_sums sums; /* over the pairs, but for those in `longs` */

    double seconds_open, seconds_fill, seconds_device, seconds_results;
    rhomb__batch_times times;
} rhomb__batch_job;

/*
 * How the pairs of a batch are solved. What a job holds, its ring, its threads, its transfers and
 * the packing of bases are the same for all methods.
 */
struct rhomb__batch_method {
    /* Fills setup->shape for setup->tuning, with that many threads. */
    rhomb_status (*shape)(rhomb__batch_setup *setup, int32_t threads);
    int32_t programs; /* that it may need */
    /* Builds one for bases of so many planes; *out stays NULL where it is not needed. */
    rhomb_status (*build)(const rhomb__batch_setup *setup, int32_t which, int32_t planes,
                          rhomb__program **out);
    /* Solves known pairs, and compares. Programs that have passed are not tested again. */
    rhomb_status (*self_test)(const rhomb__batch_setup *setup);
    /*
     * Says in `counts` which pairs the kernels are to take: all of the job, or those of
     * job->list where `listed` is not 0.
     */
    void (*count)(rhomb__batch_job *job, int64_t listed, rhomb_batch_counts *counts);
    /* Enqueues the lists of pairs and the kernels; bases and counts have been enqueued. */
    rhomb_status (*enqueue)(rhomb__batch_job *job, rhomb__batch_bases kind, int64_t listed);
    /*
     * Translates the kernels' answer for a pair into its result, or adds it to job->longs. The
     * operations that are used end at `cigar_used`.
     */
    rhomb_status (*take)(rhomb__batch_job *job, int64_t index, int64_t cigar_used);
    /*
     * Whether the same kernels find the path of a pair of that distance with one group and more
     * memory, and then the shape for it.
     */
    rhomb_status (*alone)(const rhomb__batch_setup *setup, const rhomb_pair *pair, int64_t distance,
                          bool *fits, rhomb__batch_shape *shape);
};

/* Edit distances: wavefronts of unit costs (cl/batch/batch.cl). */
extern const rhomb__batch_method rhomb__batch_edit;

/* Any other costs (cl/batch/batch_affine.cl, cl/batch/batch_sliced.cl). */
extern const rhomb__batch_method rhomb__batch_scored;

/*
 * Completes the options, opens the device and makes the shape. A second function builds the
 * programs and checks them against known answers, so that it can be timed on its own.
 */
rhomb_status rhomb__batch_setup_make(rhomb_context *ctx, const rhomb_batch_options *options,
                                     rhomb__batch_setup *setup);
rhomb_status rhomb__batch_setup_build(rhomb__batch_setup *setup);

/* Makes the shape again, for what is known about the device now. */
rhomb_status rhomb__batch_setup_shape(rhomb__batch_setup *setup);

/* A job without pairs. Nothing is created on the device yet. */
rhomb_status rhomb__batch_job_create(const rhomb__batch_setup *setup, rhomb__batch_job **out);
void rhomb__batch_job_destroy(rhomb__batch_job *job);

/* Empties a job whose results have been delivered, for pairs from number `first` on. */
void rhomb__batch_job_reset(rhomb__batch_job *job, int64_t first);

/* What a job has taken of the host's memory; not while it runs. */
int64_t rhomb__batch_job_host_bytes(const rhomb__batch_job *job);

/* Pairs for a job: in the caller's memory, or of the setup's set. */
typedef struct rhomb__batch_input {
    const rhomb_pair *pairs;
    const rhomb__batch_cell *cells; /* NULL: the others */
    size_t count;
} rhomb__batch_input;

/*
 * Adds pairs of an input from number `from` on while there is room, and returns their count. They
 * stay where they are until rhomb__batch_job_own() copies them, which any one thread may do; those
 * of a set need no copy.
 */
size_t rhomb__batch_job_add(rhomb__batch_job *job, const rhomb__batch_input *input, size_t from);
void rhomb__batch_job_own(rhomb__batch_job *job);

/*
 * Makes what a job needs on the device, unless it is there: for callers that do not want several
 * threads to do so at the same time. Else rhomb__batch_job_run() does it.
 */
rhomb_status rhomb__batch_job_open(rhomb__batch_job *job);

/* Operations for which there is room after the answers. */
int64_t rhomb__batch_job_room_behind(const rhomb__batch_job *job);

/*
 * Room of the host for `count` operations. If it is not after the answers, it holds none of them
 * yet.
 */
rhomb_status rhomb__batch_job_hold_cigars(rhomb__batch_job *job, int64_t count);

/* Enqueues the packing of a job's bases. */
rhomb_status rhomb__batch_enqueue_pack(rhomb__batch_job *job, rhomb__batch_bases kind);

/* The packed or plain bases that a round compares. */
cl_mem rhomb__batch_compared(const rhomb__batch_job *job, rhomb__batch_bases kind);

/* A kernel of a program, with its arguments. */
rhomb_status rhomb__batch_create_kernel(rhomb__batch_job *job, const rhomb__program *program,
                                        const char *name, const rhomb__argument *arguments,
                                        size_t count, cl_kernel *out);
/* Enqueues a list of pairs for a level or a bin; it stays as it is until the round has ended. */
rhomb_status rhomb__batch_enqueue_list(rhomb__batch_job *job, int32_t level, const uint32_t *list,
                                       int64_t count);

/* The first program for paths. */
static inline int32_t rhomb__batch_path_program(const rhomb__batch_setup *setup)
{
    return setup->options.mode == RHOMB_MODE_GLOBAL ? 0 : 1;
}

#define RHOMB__BATCH_SHORT_PROGRAM  3
#define RHOMB__BATCH_SLICED_PROGRAM 4
#define RHOMB__BATCH_WIDE_PROGRAM   5

/* Enqueue their levels, see rhomb__batch_method. */
rhomb_status rhomb__batch_edit_enqueue(rhomb__batch_job *job, rhomb__batch_bases kind,
                                       int64_t listed);
rhomb_status rhomb__batch_scored_enqueue(rhomb__batch_job *job, rhomb__batch_bases kind,
                                         int64_t listed);

/* The same for modes other than end to end: bins of pairs for scores, then levels for paths. */
void rhomb__batch_bins_count(rhomb__batch_job *job, int64_t listed, rhomb_batch_counts *counts);
rhomb_status rhomb__batch_bins_enqueue(rhomb__batch_job *job, rhomb__batch_bases kind);

/* Releases details of failed pairs, and CIGARs of pairs that were solved alone. */
void rhomb__batch_job_forget_owned(rhomb__batch_job *job);

/*
 * Solves the pairs: fills `results`, but for those listed in `longs`. Any thread, one at a time.
 * The detail of a failure is in the job's own context.
 */
rhomb_status rhomb__batch_job_run(rhomb__batch_job *job);

/* Says that pair `index` has no result; takes `detail`, which may be NULL. */
rhomb_status rhomb__batch_job_fail_pair(rhomb__batch_job *job, int64_t index, rhomb_status why,
                                        char *detail);

/*
 * The first operation that the kernels may write, counted as they count: the counts and answers
 * come before.
 */
int64_t rhomb__batch_job_first_operation(const rhomb__batch_job *job);

/* Runs a job of these pairs, made by the caller, and reports its failure in the context. */
rhomb_status rhomb__batch_job_run_input(rhomb__batch_job *job, const rhomb__batch_input *input);

/* Reports for a pair that the kernels refused which symbol is not in the alphabet. */
rhomb_status rhomb__batch_job_fail_bases(rhomb__batch_job *job, int64_t index);

/*
 * Solves a pair of job->longs end to end and fills its result. Runs on the thread of the batch's
 * context, which it uses. The result says so where the device lacks the memory, or a CIGAR cannot
 * hold the pair's lengths.
 */
rhomb_status rhomb__batch_job_solve_long(rhomb__batch_job *job, int64_t index);

/* With a scoring: says of a result that both sequences are aligned end to end at that penalty. */
void rhomb__batch_job_set_whole(rhomb__batch_job *job, int64_t index, int64_t penalty);

/* Of other modes: says what of the pair is aligned; begins are left out if nobody asked for them.
 */
void rhomb__batch_job_set_part(rhomb__batch_job *job, int64_t index,
                               const rhomb_pair_extent *extent);

#endif
