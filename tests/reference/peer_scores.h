/* SPDX-License-Identifier: MIT */
/*
 * Penalties by other programs: WFA2-lib (Marco-Sola and others 2021, 2023), one way and from both
 * ends at once (BiWFA), without its heuristics; parasail (Daily 2016); and ksw2, of minimap2 (Li
 * 2018). Each is optional. All compare A, C, G and T.
 */
#ifndef RHOMB_REFERENCE_PEER_SCORES_H
#define RHOMB_REFERENCE_PEER_SCORES_H

#include <stdbool.h>

#include "tests/reference/gotoh.h"

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

#endif
