/* SPDX-License-Identifier: MIT */
/*
 * What the suites `batch` and `batch_grid` share: sets of many short pairs, the other programs that
 * solve them, and a row of the CSV file. A set is solved by the library's batch, and by each peer
 * with one pair on a thread at a time.
 */
#ifndef RHOMB_BENCH_BENCH_BATCH_H
#define RHOMB_BENCH_BENCH_BATCH_H

#include "bench.h"
#include "rhomb/batch.h"

/* Pairs in memory, in upper case. */
typedef struct bench_set {
    char name[64];
    int64_t length; /* of a target; 0: read from a file, where they differ */
    double rate;    /* share of edits; 0: read from a file */
    int64_t bases;
    size_t count;
    rhomb_pair *pairs;
    char *memory; /* with the bases */
} bench_set;

/* Some of a set's pairs: 0, step, 2 * step ... */
typedef struct bench_sample {
    size_t step;
    size_t count;
} bench_sample;

/* What the whole command took on a file of such pairs; all 0: not measured. */
typedef struct bench_batch_whole {
    int64_t pairs;           /* of the file */
    double seconds;          /* from the start of a process to its end, median */
    double start_seconds;    /* the same with a file of one pair */
    double pairs_per_second; /* of the others, between the two */
    double read_per_second;  /* pairs, from the same file, looking at none */
    double ratio;            /* to what it should be at least */
} bench_batch_whole;

typedef enum bench_peer { BENCH_EDLIB, BENCH_WFA2, BENCH_PEERS } bench_peer;

/* A row: what a program did with a set. */
typedef struct bench_batch_row {
    const char *suite;
    const bench_set *set;
    const char *program; /* "rhomb", or a peer */
    bool cigar;
    int threads;          /* a batch's workers, or a peer's threads */
    size_t pairs;         /* that a run solved */
    double mean_distance; /* of the set */
    char verified_by[64];
    int runs;
    double first_seconds; /* of the run before the timed ones */
    bench_times seconds;
    double cpu_seconds;         /* of all threads of the process, median */
    rhomb_batch_report report;  /* of all runs, its seconds the mean of the timed ones */
    double ratios[BENCH_PEERS]; /* pairs a second of a core, over the peer's; 0: none */
    bench_batch_whole whole;
    const char *scoring; /* NULL: unit costs */
    double cells;        /* of the matrices of these pairs; 0: not counted */
} bench_batch_row;

/* Makes the pairs of a source, or reads them from `path`, and uses them over and over. */
bool bench_set_make(bench *b, const bench_source *source, bench_set *set);
bool bench_set_read(bench *b, const bench_source *source, const char *path, bench_set *set);

/* Writes a set `copies` times to a file of '>' queries and '<' targets. */
bool bench_set_write(bench *b, const bench_set *set, int copies, const char *path);

void bench_set_release(bench_set *set);

extern const char *const bench_peer_names[BENCH_PEERS];

/* A peer's aligners, one for each thread, kept over all runs as a batch is; NULL on failure. */
typedef struct bench_workers bench_workers;
bench_workers *bench_workers_create(bench *b, bench_peer peer, bool cigar, int threads);

/* Whether the peer was there when the program was built. */
bool bench_has_peer(bench_peer peer);

/*
 * Solves a sample with all of the threads. False when a distance is not the one in `distances`,
 * which has all of the set, or the peer fails.
 */
bool bench_workers_solve(bench *b, bench_workers *workers, const bench_set *set,
                         bench_sample sample, const int64_t *distances);

/* NULL is allowed. */
void bench_workers_destroy(bench_workers *workers);

/* Measures `rhomb batch --cigar` on a file of the set, for which the batch took `solve_seconds`. */
bool bench_batch_run_whole(bench *b, const bench_set *set, double solve_seconds,
                           bench_batch_whole *whole);

/* Writes a row; the CSV file must have been opened for batches. */
void bench_csv_batch_row(bench *b, const bench_batch_row *row);

#endif
