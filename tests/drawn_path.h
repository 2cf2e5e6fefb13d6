/* SPDX-License-Identifier: MIT */
/*
 * Random paths with the sequences that they lead through, for tests of what is written of a path.
 */
#ifndef RHOMB_TESTS_DRAWN_PATH_H
#define RHOMB_TESTS_DRAWN_PATH_H

#include "host/cli/writers/path_rows.h"
#include "support/rng.h"
#include "support/test.h"

enum { DRAWN_OPS = 160, DRAWN_RUN = 80, DRAWN_LETTERS = DRAWN_OPS * DRAWN_RUN };

/* A path and what it is made of, which it points to. */
typedef struct drawn_path {
    char target[DRAWN_LETTERS + 1];
    char query[DRAWN_LETTERS + 1];
    rhomb_path_op ops[DRAWN_OPS];
    cli_path path;
    rhomb_scoring scoring;
    int64_t edits;
} drawn_path;

/* Makes it the path of two empty sequences, called target and query. */
void drawn_clear(drawn_path *d);

/* Appends an operation with random bases; bases that match may differ in case. */
void drawn_extend(drawn_path *d, rng *r, unsigned code, int64_t length);

/* Appends operations as they are written. */
void drawn_extend_by(drawn_path *d, rng *r, const char *cigar);

/*
 * Makes a random path: codes at random, and stretches where the path gains and where it is a gap in
 * pieces. Half of the paths have a scoring of their own. No path is the best of its sequences.
 */
void drawn_make(drawn_path *d, rng *r);

/* The same path from right to left. */
void drawn_backwards(drawn_path *d, const drawn_path *of);

#endif
