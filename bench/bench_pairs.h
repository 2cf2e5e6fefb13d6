/* SPDX-License-Identifier: MIT */
/*
 * The pairs that suites measure, as data: files, or what a generator with a fixed seed makes of a
 * few numbers, the same on every machine.
 */
#ifndef RHOMB_BENCH_BENCH_PAIRS_H
#define RHOMB_BENCH_BENCH_PAIRS_H

#include "bench/random_pieces.h"
#include "rhomb/rhomb.h"

typedef struct bench bench;

/* Two sequences in memory. */
typedef struct bench_pair {
    char name[64];
    const char *target;
    int64_t target_length;
    const char *query;
    int64_t query_length;
    double read_seconds; /* from files; 0 for generated pairs */
    /* The owners of the bases: of files, or of a generated pair. */
    rhomb_sequence *sequences[2];
    char *memory[2];
} bench_pair;

/* Where a pair comes from, or a set of many short ones. Lengths and counts are without --scale. */
typedef struct bench_source {
    const char *name;     /* of the case, for --only */
    const char *also;     /* another name for it; NULL: none */
    const char *files[2]; /* target and query, without .fa.gz; NULL: generated */
    int64_t distance;     /* that is known, of files */
    int64_t length;       /* of a generated target */
    int64_t query_length; /* of an unrelated query; 0: a copy of the target, with edits */
    double rate;          /* the share of edits; or what is expected of another pair's distance */
    const random_recipe *recipe; /* puts the pair together from pieces; NULL: edits spread evenly */
    double scale;                /* of the recipe */
    int64_t count;               /* pairs of a set; 0: one pair */
    const char *const *scorings; /* up to NULL, of which all but the suite score have one */
    bool fold;                   /* files to upper case, for programs that tell the cases apart */
    bool on_request;             /* by --only alone: it takes minutes */
    bool for_gpus;               /* too long for other devices */
    bool always;                 /* no option leaves it out */
} bench_source;

/* A length or a rate by its name. */
typedef struct bench_axis {
    const char *name;
    double value;
} bench_axis;

/* Edits from this rate on stand for an unrelated query, which has this share as its distance. */
#define BENCH_UNRELATED_RATE     0.75
#define BENCH_UNRELATED_DISTANCE 0.52

/*
 * Sources one by one, or each length with each rate; both up to one without a name. Or sources that
 * are made from their index, valid until the next is made; false after the last one.
 */
typedef struct bench_list {
    const bench_source *sources;
    bool (*nth)(int index, bench_source *source);
    const bench_axis *lengths;
    const bench_axis *rates;
    int64_t set_bases; /* of the targets of a set, whose number follows; 0: pairs */
    bool optional;     /* left out without --data */
} bench_list;

/* The pairs of the suites of guides, for bench_list. */
bool bench_guided_pair(int index, bench_source *source);

/* A length, or a number of pairs, with --scale, 64 at least. */
int64_t bench_scaled(const bench *b, int64_t length);

/* Reads or makes the pair of a source. */
bool bench_pair_make(bench *b, const bench_source *source, bench_pair *pair);

/*
 * Writes a pair to the files that --write asks for, PREFIX.target.fa and PREFIX.query.fa, and says
 * so. A second pair would replace the first one: that is an error.
 */
bool bench_pair_write(bench *b, const bench_pair *pair);

/*
 * Writes a sequence to a FASTA file; like an assembly's it has a run of N in front, and half of its
 * bases are in lower case.
 */
bool bench_fasta_write(bench *b, const char *path, const char *title, const char *bases,
                       int64_t length, bool like_an_assembly);

/* The pair with one N put before both: the same distance, but packed with 4 bits a symbol. */
bench_pair bench_pair_with_n(const bench_pair *pair);

void bench_pair_release(bench_pair *pair);

#endif
