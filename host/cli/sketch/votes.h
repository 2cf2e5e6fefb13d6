/* SPDX-License-Identifier: MIT */
/*
 * Which of some sequences another one shares most with, and on which strand: each of its minimizers
 * votes for all sequences that have it. Unlike anchors (relation.h) these need not be unique, so
 * that alleles of a gene, and many reads of it, are told apart.
 */
#ifndef RHOMB_CLI_VOTES_H
#define RHOMB_CLI_VOTES_H

#include "host/cli/sketch/minimizers.h"

/* The sequences to vote for. All zeros is nothing. Used by one thread at a time. */
typedef struct cli_votes {
    cli_minimizer_shape shape;
    cli_key_value *entries; /* by hash; the value is twice a sequence's number, and its strand */
    size_t count, room;
    size_t sequences;
    int64_t *tally;  /* of each sequence and strand; zeros in between */
    size_t *touched; /* of these, those that are not */
} cli_votes;

/* What a sequence votes for. */
typedef struct cli_vote {
    bool is_any;
    size_t sequence; /* the first one of those with most votes */
    bool reverse;    /* on the other strand */
} cli_vote;

/* Begins with a shape that suits sequences of so many bases together. */
cli_votes cli_votes_begin(int64_t bases);

/* Adds the next sequence; after all of them, cli_votes_end(). False without memory. */
bool cli_votes_add(cli_votes *votes, const char *bases, int64_t length);
bool cli_votes_end(cli_votes *votes);

/* False without memory. */
bool cli_votes_of(cli_votes *votes, const char *bases, int64_t length, cli_vote *vote);

void cli_votes_release(cli_votes *votes);

#endif
