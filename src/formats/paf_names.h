/* SPDX-License-Identifier: MIT */
/*
 * The sequences that records of PAF name: as they are, or as `rhomb` writes names. See
 * rhomb_verify().
 */
#ifndef RHOMB_SRC_PAF_NAMES_H
#define RHOMB_SRC_PAF_NAMES_H

#include "rhomb/paf.h"
#include "src/io/sequence_set.h"
#include "src/io/stream.h"

typedef struct rhomb__paf_names {
    rhomb_paf *paf;
    const rhomb_sequence_set *targets;
    const rhomb_sequence_set *queries;
    rhomb__bytes plain; /* a name that was escaped */
} rhomb__paf_names;

/*
 * Finds both sequences of a record. A failure, in the reader's error record, names the record, and
 * the other file if that has the name.
 */
rhomb_status rhomb__paf_names_find(rhomb__paf_names *names, const rhomb_paf_record *row,
                                   rhomb__sequence_part *target, rhomb__sequence_part *query);

void rhomb__paf_names_release(rhomb__paf_names *names);

#endif
