/* SPDX-License-Identifier: MIT */
/*
 * Pairs of sequences that are put together from pieces, as those of genomes are: stretches that
 * both share, with pieces between them that they do not. A recipe says what pieces; the same one
 * gives the same bases on every machine.
 */
#ifndef RHOMB_BENCH_RANDOM_PIECES_H
#define RHOMB_BENCH_RANDOM_PIECES_H

#include <stdbool.h>
#include <stdint.h>

typedef enum random_piece_kind {
    PIECE_DELETED,   /* bases that the query lacks */
    PIECE_INSERTED,  /* bases that the target lacks */
    PIECE_UNRELATED, /* as many random bases in both */
    PIECE_INVERTED,  /* the query has the reverse complement */
    PIECE_DIVERGED,  /* the query has a copy with many edits */
    PIECE_GAP        /* a run of N, of which the query may have a shorter one */
} random_piece_kind;

/*
 * Pieces of a kind. With one octave, `count` pieces of `shortest` to `longest` bases; with more,
 * `count` pieces of above longest / 2 to `longest`, and twice as many in each octave below, so that
 * each octave has as many bases as the next (a power law), `shortest` unused.
 */
typedef struct random_piece_class {
    random_piece_kind kind;
    int count;
    int octaves;
    int64_t shortest;
    int64_t longest;
} random_piece_class;

/* Rates are for each base of what both share. */
typedef struct random_recipe {
    uint64_t seed;
    int64_t length;                    /* of the target */
    double substitution_rate;          /* that a base is another one */
    double short_rate;                 /* that a short insertion begins; and a deletion */
    int short_more;                    /* chances that a short one goes on, for one that it ends */
    int query_gap_share;               /* a run of N has one base of so many left in the query */
    const random_piece_class *classes; /* up to one without pieces */
} random_recipe;

/*
 * Makes a pair: target_length bases of the target, and up to query_room of the query, which returns
 * their number; -1 where the pieces leave no room, or without memory. `scale` multiplies the
 * lengths of the pieces. Half as much again as the target, and 1000, is ample room.
 */
int64_t random_pieces(const random_recipe *recipe, double scale, char *target,
                      int64_t target_length, char *query, int64_t query_room);

#endif
