/* SPDX-License-Identifier: MIT */
/*
 * Rhomb: stretches of matches that a cheapest end-to-end path has for certain, so that the rest of
 * a pair is many small pairs: the cheapest paths of these, with the stretches between them, are a
 * cheapest path of the pair. Where two genomes are much alike, this takes time in proportion to
 * their length, for any costs.
 *
 * *Proof.* Let P be a path, and x one of its matches. A path Q without x has a part between two
 * places of P, one before x and one after it, that shares no match with P. Of the query's words of
 * k bases, side by side, those count that are nowhere in the target, or just once, where P matches
 * them: each of them costs that part of Q at least e, an edit's share of the words that it breaks.
 * If P costs no more between any two such places than e for each of the words between them, then
 * P's part is no dearer than Q's, and in its place gives a path as cheap as Q, with x. It takes
 * away no match that P and Q share, so one path has all such x. What P costs between its long
 * matches is bounded from above; a better P proves more, but each P is right.
 *
 * The words that stand alone are A*'s seeds in Groot Koerkamp and Ivanov, Exact global alignment
 * using A* with chaining seed heuristic and match pruning, Bioinformatics 40 (2024), btae032;
 * there they guide a search, here they cut the pair.
 */
#ifndef RHOMB_ANCHORS_H
#define RHOMB_ANCHORS_H

#include <rhomb/batch.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The bases target .. target + length - 1 match query .. query + length - 1. Does not grow. */
typedef struct rhomb_anchor {
    int64_t target, query, length; /* length > 0 */
} rhomb_anchor;

/*
 * Finds anchors of a pair of DNA, in the order of both sequences; between sequences with
 * edits every few words, beside long gaps and in repeats there may be none. Matches are of A, C, G
 * and T (U) in either case; other bases only prove less. `scoring` is that of the alignment, NULL
 * for edits; a substitution matrix has no anchors.
 *
 * Returns RHOMB_OK; RHOMB_ERR_ARGUMENT for a scoring that cannot be, a NULL or a negative length;
 * RHOMB_ERR_MEMORY. *anchors is the caller's, for rhomb_anchors_destroy(); NULL where there are
 * none. Cost: 10 ns for each base of the target, and 3 bytes of memory for each of the query,
 * about. Threads: any; uses up to `threads`, 0 for one per core.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_anchors_find(const rhomb_pair *pair,
                                                           const rhomb_scoring *scoring,
                                                           int32_t threads, rhomb_anchor **anchors,
                                                           size_t *count);

/* Releases anchors; NULL is none. */
RHOMB_API void rhomb_anchors_destroy(rhomb_anchor *anchors);

#ifdef __cplusplus
}
#endif

#endif
