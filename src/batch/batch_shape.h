/* SPDX-License-Identifier: MIT */
/*
 * The shape of a batch: the number of jobs in flight, the size of a job, the kernels that its pairs
 * pass through, and the device memory of a job. Pure; see host/batch/batch.c.
 */
#ifndef RHOMB_SRC_BATCH_SHAPE_H
#define RHOMB_SRC_BATCH_SHAPE_H

#include "cl/abi.h"
#include "rhomb/batch.h"
#include "src/base/error.h"

/* The largest limit of a kernel: two columns of it fit in 32 KiB. */
#define RHOMB__BATCH_MOST_LIMIT 2000
/* The largest distance of a pair alone; its columns take 64 MB. */
#define RHOMB__BATCH_MOST_ALONE 4000
/*
 * The kernels take no longer sequence, whatever the tuning says, because of the lengths in a CIGAR.
 */
#define RHOMB__BATCH_MOST_BASES ((INT64_C(1) << 28) - 1)

/* The device memory of a job; each part is a buffer of its own, unless it has no bytes. */
typedef enum rhomb__batch_part {
    /*
     * Each sequence starts at a multiple of 32; without planes it is folded in place. Then the
     * places of the pairs.
     */
    RHOMB__BATCH_SENT,
    RHOMB__BATCH_PACKED, /* two planes */
    RHOMB__BATCH_OTHER,  /* all planes that pairs with IUPAC codes need */
    RHOMB__BATCH_FLAGS,
    RHOMB__BATCH_LISTS,    /* of pairs, one for each level */
    RHOMB__BATCH_RETURNED, /* counts, answers, operations of CIGARs */
    RHOMB__BATCH_CODES,
    RHOMB__BATCH_COLUMNS, /* of each group, for the path or a matrix */
    RHOMB__BATCH_PARTS
} rhomb__batch_part;

/*
 * Bins of the pairs of a mode, see mode_bins.h: those of 16 bits, as many of 32, and the one of
 * wider groups.
 */
#define RHOMB__BATCH_SHORT_BINS 4
#define RHOMB__BATCH_WIDE_BIN   (2 * RHOMB__BATCH_SHORT_BINS)
#define RHOMB__BATCH_BINS       (RHOMB__BATCH_WIDE_BIN + 1)

typedef struct rhomb__batch_shape {
    int32_t group_size;
    bool in_place; /* columns are computed where they are kept, not in local memory */
    int32_t workers;
    int32_t levels;
    int32_t limits[RHOMB_BATCH_MOST_LEVELS];
    int64_t groups[RHOMB_BATCH_MOST_LEVELS];      /* of each level's launch */
    int64_t group_bytes[RHOMB_BATCH_MOST_LEVELS]; /* of each of them, 0 without paths */
    int64_t unit;                                 /* the distance that is 1 for a limit */
    int64_t most_edits;                           /* of a pair that the kernels solve */
    int32_t lists;     /* of pairs, besides those of levels: the bins of a mode */
    int32_t item_rows; /* of a mode: rows of a work-item, or of a lane */
    bool one_bin;
    int32_t lanes;     /* 1, or 16 */
    bool short_scores; /* scores that cannot exceed 16 bits have them, and ... */
    bool ptx;          /* ... are computed by NVIDIA's instructions for them */
    bool drops;  /* extensions that may stop early, or end at the query's end for a bonus: cells are
                    looked at by antidiagonals (cl/batch/batch_extend.cl), and not swept like
                    those of other modes (cl/batch/batch_local.cl) */
    bool traces; /* paths by a trace (cl/local/local_trace.clh), as with a matrix */
    int32_t mode_wide;   /* items of a group in the bin of wider ones, all for one pair; 0: none */
    int64_t mode_groups; /* of a launch for a mode, and ... */
    int64_t mode_bytes;  /* ... their memory together */
    int64_t bin_bases[RHOMB__BATCH_BINS]; /* sequences for which a bin has room in any case */
    int32_t wide_group; /* with a scoring: items of a group without wavefronts in local memory */
    int64_t ring_bytes[RHOMB_BATCH_MOST_LEVELS]; /* of such memory, for a group of a level; or 0 */
    int32_t sliced_level;  /* the first that computes matrices in bit planes; -1: none */
    int32_t sliced_words;  /* of 32 rows, of its work-items or lanes */
    int32_t sliced_lanes;  /* of a work-item, each of which has a pair: 1, or 16 on a CPU */
    int32_t wave_cells;    /* of a matrix, for one of a wavefront, in the levels before it */
    int64_t sliced_groups; /* of its launches, and ... */
    int64_t sliced_bytes;  /* ... their memory together */
    int32_t planes;        /* 2; or bytes are compared as they are, see below */
    int32_t other_planes;  /* for pairs with IUPAC codes, see cl/abi.h */
    int64_t long_bases;    /* longer sequences are not for the kernels */
    int64_t job_bases;     /* in whole words */
    int64_t least_bases;   /* that a job has, if there are so many pairs, on a slow device too */
    bool first_whole;      /* jobs have job_bases even before the device's pace is known */
    bool of_set; /* bases are packed before, and a job has none; job_bases tells its work */
    int64_t job_pairs;
    int64_t job_operations; /* of CIGARs, at most */
    int64_t answer_bytes;   /* of a pair's answer */
    int64_t bytes[RHOMB__BATCH_PARTS];
    int64_t device_bytes; /* of a job, in total */
    int64_t buffer_bytes; /* the largest part of it */
} rhomb__batch_shape;

/*
 * Completes the caller's options and tuning, and makes the shape for a device. RHOMB_ERR_ARGUMENT
 * if a value is out of range, RHOMB_ERR_DEVICE_MEMORY if not even one small job fits. `threads` as
 * in rhomb_context_options, at least 1.
 */
rhomb_status rhomb__batch_shape_make(rhomb__error *error, const rhomb_device_info *device,
                                     int32_t threads, const rhomb_batch_options *options,
                                     const rhomb_batch_tuning *tuning, rhomb__batch_shape *shape);

/*
 * The steps of making a shape that methods share: one that has no levels yet; the groups of each
 * level, as many as keep the device busy and have room for group_bytes in all; and the rest, if
 * all else is there. A device's groups need up to 64 MB each, and a GPU needs many of them:
 * rhomb__batch_column_bytes() says what a job has for them.
 */
rhomb_status rhomb__batch_shape_begin(rhomb__error *error, const rhomb_device_info *device,
                                      int32_t threads, const rhomb_batch_tuning *tuning,
                                      rhomb__batch_shape *shape);
int64_t rhomb__batch_column_bytes(const rhomb_device_info *device, const rhomb_batch_tuning *tuning,
                                  const rhomb__batch_shape *shape);
void rhomb__batch_shape_groups(const rhomb_device_info *device, int64_t column_bytes,
                               rhomb__batch_shape *shape);
rhomb_status rhomb__batch_shape_finish(rhomb__error *error, const rhomb_device_info *device,
                                       const rhomb_batch_options *options,
                                       const rhomb_batch_tuning *tuning, rhomb__batch_shape *shape);

/* Whether kernels compare bytes, folded or as masks, of pairs with any codes. */
static inline bool rhomb__batch_has_bytes(const rhomb__batch_shape *s)
{
    return RHOMB_PLANE_COUNT(s->planes) == 0;
}

/* Planes for all symbols of an alphabet. */
int32_t rhomb__batch_all_planes(rhomb_alphabet alphabet);

/*
 * Makes a shape for edits one for pairs of a set, which is packed in so many planes: `pairs` is the
 * most of a job, `pair_bases` what they have on average, in whole words, and `longest` the longest
 * sequence.
 */
void rhomb__batch_shape_of_set(int32_t planes, int64_t pairs, int64_t pair_bases, int64_t longest,
                               rhomb__batch_shape *shape);

/* Makes the job of a shape whose levels have the same memory one for just these pairs. */
void rhomb__batch_shape_for(const rhomb_pair *pairs, int64_t count, rhomb__batch_shape *shape);

/*
 * The shape of a job for one pair whose distance is known and whose path needs more room than the
 * kernels' limits leave: one group, columns in place. RHOMB_ERR_DEVICE_MEMORY if the device has no
 * room for that.
 */
rhomb_status rhomb__batch_shape_alone(rhomb__error *error, const rhomb_device_info *device,
                                      const rhomb__batch_shape *shape, const rhomb_pair *pair,
                                      int64_t distance, rhomb__batch_shape *alone);

/* Copies the caller's values over the defaults; RHOMB_ERR_ARGUMENT for impossible ones. */
rhomb_status rhomb__batch_options_complete(rhomb__error *error, const rhomb_batch_options *given,
                                           rhomb_batch_options *options,
                                           rhomb_batch_tuning *tuning);

/* Bases that a sequence takes in a job: whole words, and at least one. */
static inline int64_t rhomb__batch_room(int64_t length)
{
    const int64_t mask = RHOMB_WORD_SYMBOLS - 1;
    return length > 0 ? (length + mask) & ~mask : RHOMB_WORD_SYMBOLS;
}

/* Where the places begin after that many bases, in places. */
static inline int64_t rhomb__batch_places_at(int64_t bases)
{
    const int64_t each = (int64_t)sizeof(rhomb_batch_pair);
    return (bases + each - 1) / each;
}

/* Bytes of the results of a job, with room for that many pairs and operations. */
static inline int64_t rhomb__batch_returned_bytes(const rhomb__batch_shape *shape, int64_t pairs,
                                                  int64_t operations)
{
    return (int64_t)sizeof(rhomb_batch_counts) + pairs * shape->answer_bytes +
           operations * (int64_t)sizeof(rhomb_cigar_op);
}

/* Operations that the CIGAR of a pair may need while the kernels write it. */
static inline int64_t rhomb__batch_operations(const rhomb__batch_shape *shape,
                                              const rhomb_pair *pair)
{
    const int64_t last = shape->most_edits;
    const int64_t longer =
        pair->target_length > pair->query_length ? pair->target_length : pair->query_length;
    return 2 * (longer < last ? longer : last) + 1;
}

#endif
