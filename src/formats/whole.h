/* SPDX-License-Identifier: MIT */
/*
 * Whether the rows of a PAF file are whole alignments: the part of rhomb_verify() that looks at
 * rows beside each other, and not at what is in them.
 *
 * The rows of a pair of sequences have to be a chain from the beginning of both to the end of both,
 * with the query's letters counted along the strand that is aligned:
 *
 *      target  0 .----row----.         .--row--.-----row-----. its length
 *      query   0 '----row----'- hole  -'--row--'-----row-----' its length
 *
 * Rows of different pairs may come in any order, and for each pair its last row is kept.
 */
#ifndef RHOMB_SRC_WHOLE_H
#define RHOMB_SRC_WHOLE_H

#include "src/formats/score.h"
#include "src/io/stream.h"

/* All zeros is one to which no row has been added. */
typedef struct rhomb__whole {
    rhomb__error *error;
    rhomb__score *score; /* takes the offences */
    rhomb_verify_report *report;
    int64_t least_gap; /* as in rhomb_verify_options */
    rhomb__bytes pairs;
    rhomb__bytes names; /* of all pairs, each with its NUL */
    size_t *slots;      /* a hash table of index + 1; 0 is free */
    size_t slot_count;
} rhomb__whole;

/* The next row of two sequences of these lengths. */
rhomb_status rhomb__whole_add(rhomb__whole *whole, const rhomb_paf_row *row, int64_t target_length,
                              int64_t query_length);

/* The next row, of a query that is not aligned. */
void rhomb__whole_add_unaligned(rhomb__whole *whole, const rhomb_paf_row *row);

/* There are no more rows. */
void rhomb__whole_end(rhomb__whole *whole);

void rhomb__whole_release(rhomb__whole *whole);

#endif
