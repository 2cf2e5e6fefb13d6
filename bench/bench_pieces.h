/* SPDX-License-Identifier: MIT */
/*
 * Pairs whose differences are not spread evenly: stretches that both sequences share, with pieces
 * between them that they do not. A recipe says what pieces; the same one gives the same letters on
 * every machine.
 */
#ifndef RHOMB_BENCH_BENCH_PIECES_H
#define RHOMB_BENCH_BENCH_PIECES_H

#include "bench.h"

typedef enum bench_piece_kind {
    BENCH_DELETED,   /* letters that the query lacks */
    BENCH_INSERTED,  /* letters that the target lacks */
    BENCH_UNRELATED, /* as many letters in both, and nothing in common */
    BENCH_INVERTED,  /* the query has the reverse complement */
    BENCH_DIVERGED,  /* the query has a copy with many edits */
    BENCH_GAP        /* a run of N, of which the query may have a shorter one */
} bench_piece_kind;

/*
 * Pieces of a kind. With one octave, `count` pieces of `shortest` to `longest` letters; with more,
 * `count` pieces of above longest / 2 to `longest`, and twice as many in each octave below, so that
 * each octave has as many letters as the next (a power law), `shortest` unused.
 */
typedef struct bench_piece_class {
    bench_piece_kind kind;
    int count;
    int octaves;
    int64_t shortest;
    int64_t longest;
} bench_piece_class;

/* Rates are for each letter of what both share. */
typedef struct bench_recipe {
    uint64_t seed;
    int64_t length;                   /* of the target */
    double substitution_rate;         /* that a letter is another one */
    double short_rate;                /* that a short insertion begins; and a deletion */
    int short_more;                   /* chances that a short one goes on, for one that it ends */
    int query_gap_share;              /* a run of N has one letter of so many left in the query */
    const bench_piece_class *classes; /* up to one without pieces */
} bench_recipe;

/* Of the suite `similar`: what differs by a thousandth, with 200 long insertions and deletions. */
extern const bench_recipe bench_recipe_indels;

/* Makes a pair; `scale` multiplies the lengths of everything. */
bool bench_pair_assemble(bench *b, const char *name, const bench_recipe *recipe, double scale,
                         bench_pair *pair);

#endif
