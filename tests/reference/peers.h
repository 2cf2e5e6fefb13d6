/* SPDX-License-Identifier: MIT */
/*
 * Penalties and alignments by other programs: WFA2-lib (Marco-Sola and others 2021, 2023), one way
 * and from both ends at once (BiWFA), without its heuristics, with free ends too; parasail (Daily
 * 2016), whose striped kernel aligns locally; and ksw2, of minimap2 (Li 2018), which extends. Each
 * is optional. All compare A, C, G and T.
 */
#ifndef RHOMB_REFERENCE_PEERS_H
#define RHOMB_REFERENCE_PEERS_H

#include "tests/reference/gotoh_modes.h"

typedef enum oracle_peer {
    ORACLE_WFA2,
    ORACLE_BIWFA,
    ORACLE_PARASAIL,
    ORACLE_KSW2,
    ORACLE_PEERS
} oracle_peer;

extern const char *const oracle_peer_names[ORACLE_PEERS];

/* Whether the peer was there when this was built, and whether it has such penalties. */
bool oracle_has_peer(oracle_peer peer);
bool oracle_peer_takes(oracle_peer peer, const oracle_penalties *p);

/* As oracle_gotoh(), by a peer that takes such penalties; ORACLE_NOTHING where it fails. */
#define ORACLE_NOTHING INT64_MIN
int64_t oracle_peer_penalty(oracle_peer peer, const char *a, int64_t n, const char *b, int64_t m,
                            const oracle_penalties *p);

/*
 * The cost of BiWFA's path, each gap of it priced as a whole; ORACLE_NOTHING where it fails, and
 * where oracle_peer_penalty() would.
 */
int64_t oracle_biwfa_path(const char *a, int64_t n, const char *b, int64_t m,
                          const oracle_penalties *p);

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
