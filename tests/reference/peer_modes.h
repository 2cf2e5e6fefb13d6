/* SPDX-License-Identifier: MIT */
/*
 * Alignments that are not end to end by other programs: free ends by WFA2-lib, extension by ksw2 of
 * minimap2, local alignment by parasail's striped kernel. Each is optional. All compare A, C, G
 * and T.
 */
#ifndef RHOMB_REFERENCE_PEER_MODES_H
#define RHOMB_REFERENCE_PEER_MODES_H

#include "tests/reference/gotoh_modes.h"

/* The peer of a mode, and of affine gaps end to end; "" where this was built without it. */
const char *oracle_mode_peer(rhomb_mode mode);

/* Whether the peer has such a scoring. */
bool oracle_mode_peer_takes(rhomb_mode mode, const oracle_penalties *p);

/*
 * The score, and for EXTEND and LOCAL the end of the alignment by the peer of the mode. Its ends
 * may be others of the same score, where there are any.
 */
rhomb_pair_extent oracle_mode_by_peer(const rhomb_pair *pair, const oracle_penalties *p,
                                      const oracle_mode *mode);

#endif
