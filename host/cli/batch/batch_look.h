/* SPDX-License-Identifier: MIT */
/*
 * A look at some pairs of a batch: a word if they are on opposite strands, or look unrelated, as
 * they do if the two files are in different orders.
 */
#ifndef RHOMB_CLI_BATCH_LOOK_H
#define RHOMB_CLI_BATCH_LOOK_H

#include "rhomb/pairs.h"

/* What was seen so far. All zeros at first, but for the first four. */
typedef struct cli_batch_look {
    bool by_order;     /* records of two files are pairs by their numbers */
    bool is_matched;   /* --match has found them */
    bool is_oriented;  /* --strand auto has chosen the strands of queries */
    bool is_global;    /* they are compared from end to end */
    int64_t pairs;     /* that are long enough */
    int64_t bases;     /* of those looked at, .. */
    int64_t looked;    /* .. and their number, .. */
    int64_t unrelated; /* .. and how many of them are so */
    int64_t reversed;
    int64_t within; /* of which one lies within the other */
} cli_batch_look;

/*
 * Looks at some pairs of a chunk: the first sixteen of 1,000 bases and more, then fewer and fewer,
 * which takes a few tenths of a second in all. Warns of the first one of each kind, and of
 * the first ten if they are matched.
 */
void cli_batch_look_at(cli_batch_look *look, const rhomb_pair_chunk *chunk);

/* Says how many there were, if there were several. */
void cli_batch_look_end(const cli_batch_look *look);

/* Notes if the first pairs of a chunk that has proteins look like nucleotides. */
void cli_batch_note_nucleotides(const rhomb_pair_chunk *chunk);

#endif
