/* SPDX-License-Identifier: MIT */
/*
 * Whether the records of a PAF file make up whole alignments: the part of rhomb_verify() that
 * compares records with each other, and not with the sequences.
 *
 * The records (rows below) of a pair of sequences must be a chain from the beginning of both to the
 * end of both, with the query's bases counted along the aligned strand:
 *
 *      target  0 .----row----.         .--row--.-----row-----. its length
 *      query   0 '----row----'- hole  -'--row--'-----row-----' its length
 *
 * Records of different pairs may come in any order, and for each pair its last record is kept.
 */
#ifndef RHOMB_SRC_WHOLE_H
#define RHOMB_SRC_WHOLE_H

#include "src/formats/score.h"
#include "src/io/stream.h"

/* All zeros is one without records. */
typedef struct rhomb__whole {
    rhomb__error *error;
    rhomb__score *score; /* takes the errors */
    rhomb_verify_report *report;
    int64_t least_gap; /* as in rhomb_verify_options */
    rhomb__bytes pairs;
    rhomb__bytes names; /* of all pairs, each with its NUL */
    size_t *slots;      /* a hash table of index + 1; 0 is free */
    size_t slot_count;
} rhomb__whole;

/*
 * The next record of two sequences of these lengths. `rotation` is that of the query's strand: the
 * chain begins after so many of its bases, and goes on from its end to its beginning.
 */
rhomb_status rhomb__whole_add(rhomb__whole *whole, const rhomb_paf_record *row,
                              int64_t target_length, int64_t query_length, int64_t rotation);

/* There are no more records. */
void rhomb__whole_end(rhomb__whole *whole);

void rhomb__whole_release(rhomb__whole *whole);

#endif
