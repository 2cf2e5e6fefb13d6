/* SPDX-License-Identifier: MIT */
/*
 * Subjects of the tests of faults: small calls of the library, a row each. What comes of a call is
 * a number that is the same each time: whether it is right is for other tests.
 */
#ifndef RHOMB_FAULT_SUBJECTS_H
#define RHOMB_FAULT_SUBJECTS_H

#include "rhomb/scoring.h"
#include "rhomb/tuning.h"
#include "support/test.h"

/* What solves a pair: tiles that are small beside it, or sweeps of a band that gets wider. */
typedef enum fault_work {
    FAULT_TRAPEZOIDS,
    FAULT_DIAMONDS,
    FAULT_SWEEPS,
    FAULT_SLICED,      /* bit-sliced sweeps, for gap-affine costs */
    FAULT_AFFINE,      /* and the wavefront for them, whose offsets move to a larger place */
    FAULT_LONG_SWEEPS, /* of a longer pair: the engine looks at the device on the way */
    FAULT_PINNED,      /* sequences that go over a bus from pinned memory */
    FAULT_FEW_CALLS    /* of the beginnings, whose distance is small */
} fault_work;

/* Which pair is solved, and how. */
typedef struct fault_job {
    const char *target;
    int64_t target_length;
    const char *query;
    int64_t query_length;
    rhomb_scoring scoring; /* all 0: unit costs */
    rhomb_tuning tuning;
    rhomb_options options;
} fault_job;

/* A call's status and detail, kept beyond the context. */
typedef struct fault_result {
    rhomb_status status;
    int64_t sum; /* -2 where the call failed */
    char detail[8192];
} fault_result;

typedef struct fault_subject fault_subject;

struct fault_subject {
    const char *name;
    /* Fails the test when a result is wrong that was said to be right. */
    void (*run)(rhomb_context *ctx, const fault_subject *subject, fault_result *result);
    int way;             /* one of the subject's own */
    const char *devices; /* a selector; NULL: the first */
    int32_t ranks;       /* each with a device; 0: none */
    bool cached;         /* programs are kept in the tests' cache */
    bool free_tuning;    /* the library chooses groups and tiles */
    bool equal;          /* of a distance: both sequences are as long */
    bool strict;         /* in an open context, all failures but those of releases are noticed */
    bool dear;           /* it takes long: fewer of its calls fail */
    bool tangled; /* several threads or buffers: another failure than the first may be reported */
};

/* Up to one without a name. */
extern const fault_subject FAULT_SUBJECTS[];

/* The subject of that name. */
fault_subject fault_subject_named(const char *name);

void fault_make_job(fault_job *job, fault_work work);

/* Random bases, and the numbers they are made from, the same in every run. */
uint32_t fault_random(uint32_t *state);
void fault_random_letters(char *letters, int64_t length);

/* Keeps the context's detail, which there is if and only if the call failed. */
void fault_keep_detail(const rhomb_context *ctx, fault_result *result);

/* rhomb_distance() of a job; checks that a failed call has left no result. */
void fault_solve(rhomb_context *ctx, const fault_job *job, fault_result *result);

/*
 * Creates a context that keeps no programs, or keeps them in the tests' own cache. NULL when that
 * fails.
 */
rhomb_context *fault_create_context(bool cached, rhomb_status *status);

/* Whether the context that was created last has sent a message of level 1 with the text. */
bool fault_logged(const char *text);

/* Empties the cache. */
void fault_clear_cache(void);

/* Subjects of other files. */
void fault_run_align(rhomb_context *ctx, const fault_subject *s, fault_result *result);
void fault_run_batch(rhomb_context *ctx, const fault_subject *s, fault_result *result);
void fault_run_matrix(rhomb_context *ctx, const fault_subject *s, fault_result *result);
void fault_run_split(rhomb_context *ctx, const fault_subject *s, fault_result *result);

/* Ways of an alignment: an engine, and with gap-affine costs, and with a checkpoint, more. */
enum { FAULT_SCORED = 8, FAULT_SAVED = 16 };

/* How a batch works: a few pairs of all sorts, in several jobs. */
typedef enum fault_batch_work {
    FAULT_BATCH_PATHS,     /* one job after the other */
    FAULT_BATCH_WORKERS,   /* several side by side, with a profile */
    FAULT_BATCH_DISTANCES, /* no paths; some pairs are for the engines of long pairs */
    FAULT_BATCH_SCORED,    /* with a scoring, end to end */
    FAULT_BATCH_PLANES,    /* the same, by matrices in bit planes */
    FAULT_BATCH_LOCAL,     /* and local alignments */
    FAULT_BATCH_ARRAY,     /* one call for all, the same to the device */
    FAULT_BATCH_BORROWED,  /* as workers; the batch borrows the pairs */
    FAULT_BATCH_WORKS
} fault_batch_work;

/* How ranges of the known pair are split, in several portions. */
typedef enum fault_split_way {
    FAULT_SPLIT_GROUPS, /* each by a group, host/splits/split.c */
    FAULT_SPLIT_WIDE,   /* launches of all of them, host/splits/split_wide.c */
    FAULT_SPLIT_AFFINE, /* the same with affine costs, host/splits/split_affine.c */
    FAULT_SPLIT_SWEEPS, /* by sweeps side by side, host/splits/sweep_many.c */
    FAULT_SPLIT_SLICED, /* the same with gap-affine costs and gaps at borders */
    FAULT_SPLIT_PATHS   /* paths of base cases with such costs, host/splits/ranges_kind.c */
} fault_split_way;

#endif
