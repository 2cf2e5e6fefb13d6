/* SPDX-License-Identifier: MIT */
/*
 * Random paths, the sequences that they go through, and PAF records of them in every notation, for
 * test_verify.
 */
#ifndef RHOMB_TESTS_VERIFY_MODEL_H
#define RHOMB_TESTS_VERIFY_MODEL_H

#include "rhomb/cigar.h"
#include "support/rng.h"

#include <stdbool.h>
#include <stdint.h>

enum { MOST_OPS = 40, MOST_LETTERS = 20000, MOST_FLANK = 8 };

/* A path, the sequences that it goes through, and what a record has to say of it. */
typedef struct made {
    rhomb_path_op ops[MOST_OPS];
    int count;
    char target[MOST_LETTERS + 1]; /* whole, on the forward strand */
    char query[MOST_LETTERS + 1];
    int64_t target_length, target_begin, target_end;
    int64_t query_length, query_begin, query_end;
    bool reverse;
    int64_t matches, block, edits;
    int64_t first_equal; /* of the target, where a = begins; -1: none */
    char notation;       /* '=' 'M' ':' (cs) 'l' (cs, long) 'b' (cg and cs) */
    /* What cs names, in the path's direction. */
    char target_bases[MOST_LETTERS + 1];
    char query_bases[MOST_LETTERS + 1];
} made;

/* What a record says beside the sequences; a mistake is planted here. */
typedef struct said {
    made m;
    int64_t target_length, query_length;
    double divergence;
    const char *scoring; /* of AS; NULL: not said */
    int64_t score;
} said;

/* A path of a few operations and its sequences, on either strand, with bases around it. */
void make_row(made *m, rng *r);

/* The line, valid until the next call. */
const char *print_row(const said *s);

#endif
