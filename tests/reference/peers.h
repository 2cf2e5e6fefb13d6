/* SPDX-License-Identifier: MIT */
/*
 * Other programs as peer_scores.c and peer_modes.c call them.
 */
#ifndef RHOMB_REFERENCE_PEERS_H
#define RHOMB_REFERENCE_PEERS_H

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gotoh.h"

/* Their headers need some of the above and do not include them. */
#ifdef RHOMB_REFERENCE_WFA2
#    include <wavefront/wavefront_align.h>

/* Without heuristics, for scores alone, end to end. */
static inline wavefront_aligner_attr_t wfa2_attributes(const oracle_penalties *p)
{
    wavefront_aligner_attr_t attributes = wavefront_aligner_attr_default;
    attributes.distance_metric = p->pieces == 2 ? gap_affine_2p : gap_affine;
    attributes.affine_penalties.match = 0;
    attributes.affine_penalties.mismatch = (int)p->mismatch;
    attributes.affine_penalties.gap_opening = (int)p->open[0];
    attributes.affine_penalties.gap_extension = (int)p->extend[0];
    attributes.affine2p_penalties.match = 0;
    attributes.affine2p_penalties.mismatch = (int)p->mismatch;
    attributes.affine2p_penalties.gap_opening1 = (int)p->open[0];
    attributes.affine2p_penalties.gap_extension1 = (int)p->extend[0];
    attributes.affine2p_penalties.gap_opening2 = (int)p->open[1];
    attributes.affine2p_penalties.gap_extension2 = (int)p->extend[1];
    attributes.alignment_scope = compute_score;
    attributes.heuristic.strategy = wf_heuristic_none;
    return attributes;
}
#endif
#ifdef RHOMB_REFERENCE_PARASAIL
#    include <parasail.h>
#endif
#ifdef RHOMB_REFERENCE_KSW2
#    include <ksw2.h>

enum { KSW2_CODES = 5 }; /* and one that matches nothing */

/* The caller frees them. */
static inline uint8_t *ksw2_codes(const char *bases, int64_t length)
{
    uint8_t *codes = malloc((size_t)length + 1);
    if (codes == NULL)
        abort();
    for (int64_t i = 0; i < length; i++) {
        const char *at = strchr("ACGT", bases[i]);
        codes[i] = (uint8_t)(at != NULL && bases[i] != '\0' ? at - "ACGT" : KSW2_CODES - 1);
    }
    return codes;
}

/*
 * An alignment without bands, of all of both sequences or, by the flags, an extension; the drop is
 * none below 0.
 */
static inline ksw_extz_t ksw2_align(const char *target, int64_t n, const char *query, int64_t m,
                                    const oracle_penalties *p, int64_t z_drop, int64_t end_bonus,
                                    int flags)
{
    int8_t scores[KSW2_CODES * KSW2_CODES];
    uint8_t *x = ksw2_codes(target, n), *y = ksw2_codes(query, m);
    ksw_extz_t end;
    memset(&end, 0, sizeof end);
    for (int i = 0; i < KSW2_CODES * KSW2_CODES; i++)
        scores[i] =
            (int8_t)(i % (KSW2_CODES + 1) == 0 && i < KSW2_CODES * KSW2_CODES - 1 ? p->match
                                                                                  : -p->mismatch);
    if (p->pieces == 2)
        ksw_extd2_sse(NULL, (int)m, y, (int)n, x, KSW2_CODES, scores, (int8_t)p->open[0],
                      (int8_t)p->extend[0], (int8_t)p->open[1], (int8_t)p->extend[1], -1,
                      (int)z_drop, (int)end_bonus, flags | KSW_EZ_SCORE_ONLY, &end);
    else
        ksw_extz2_sse(NULL, (int)m, y, (int)n, x, KSW2_CODES, scores, (int8_t)p->open[0],
                      (int8_t)p->extend[0], -1, (int)z_drop, (int)end_bonus,
                      flags | KSW_EZ_SCORE_ONLY, &end);
    free(end.cigar);
    free(x);
    free(y);
    return end;
}
#endif

#endif
