/* SPDX-License-Identifier: MIT */
/*
 * The known-answer test of a batch: ranges of the known pair, which a job solves by any method and
 * in any mode. Plain dynamic programming gives their scores, and a path must have its pair's score.
 */
#ifndef RHOMB_HOST_BATCH_KNOWN_H
#define RHOMB_HOST_BATCH_KNOWN_H

#include "host/batch/batch_job.h"
#include "host/engines/known_pair.h"

/* The ranges, of which all but the first are for edits, too: then there are as many with codes. */
enum {
    RHOMB__BATCH_RANGES = 5,
    RHOMB__BATCH_EDIT_RANGES = RHOMB__BATCH_RANGES - 1,
    RHOMB__BATCH_KNOWN = RHOMB__BATCH_RANGES + RHOMB__BATCH_EDIT_RANGES
};

/* Known pairs, and a set of those for edits without codes. It stays where it is. */
typedef struct rhomb__batch_known {
    rhomb__known_pair plain, coded;
    rhomb_pair pairs[RHOMB__BATCH_KNOWN];
    rhomb_matrix_sequence sequences[2 * RHOMB__BATCH_EDIT_RANGES];
    rhomb__batch_set set;
} rhomb__batch_known;

void rhomb__batch_known_make(rhomb__batch_known *known);

/* Makes its bases symbols of a matrix: of proteins from the first to the last, so that all bits of
 * codes are tested. Of pairs without codes. */
void rhomb__batch_known_translate(rhomb__batch_known *known, const rhomb_score_matrix *matrix);

/*
 * Packs known->set on the devices, in as many planes as the setup's own set has. The caller
 * releases it.
 */
rhomb_status rhomb__batch_known_pack(const rhomb__batch_setup *setup, rhomb__batch_known *known);

/*
 * Solves the pairs for edits, those of the setup's set if it has one, or all without codes, by a
 * job of the setup, which gets room for them, and checks the answers. RHOMB_ERR_DEVICE_WRONG_RESULT
 * for a wrong one.
 */
rhomb_status rhomb__batch_known_check(rhomb__batch_setup *setup, const rhomb__batch_known *known,
                                      bool edits);

#endif
