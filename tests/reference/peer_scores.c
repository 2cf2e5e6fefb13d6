/* SPDX-License-Identifier: MIT */
/*
 * See peer_scores.h.
 */
#include "peer_scores.h"

#include "peers.h"

const char *const oracle_peer_names[ORACLE_PEERS] = {"wfa2", "biwfa", "parasail", "ksw2"};

#ifdef RHOMB_REFERENCE_WFA2
static wavefront_aligner_t *wfa2_open(const oracle_penalties *p, wavefront_memory_t memory,
                                      alignment_scope_t scope)
{
    wavefront_aligner_attr_t attributes = wfa2_attributes(p);
    attributes.alignment_scope = scope;
    attributes.memory_mode = memory;
    return wavefront_aligner_new(&attributes);
}

static int64_t wfa2(const char *a, int64_t n, const char *b, int64_t m, const oracle_penalties *p,
                    wavefront_memory_t memory)
{
    wavefront_aligner_t *aligner = wfa2_open(p, memory, compute_score);
    const int status = wavefront_align(aligner, a, (int)n, b, (int)m);
    const int score = aligner->cigar->score;
    wavefront_aligner_delete(aligner);
    return status == 0 && score != INT_MIN ? -(int64_t)score : ORACLE_NOTHING;
}

static int64_t price(const cigar_t *cigar, const oracle_penalties *p)
{
    int64_t cost = 0;
    for (int from = cigar->begin_offset, to; from < cigar->end_offset; from = to) {
        const char code = cigar->operations[from];
        for (to = from + 1; to < cigar->end_offset && cigar->operations[to] == code;)
            to++;
        cost += code == 'X'   ? (to - from) * p->mismatch
                : code == 'M' ? 0
                              : oracle_gap(p, to - from);
    }
    return cost;
}

static int64_t biwfa_path(const char *a, int64_t n, const char *b, int64_t m,
                          const oracle_penalties *p)
{
    wavefront_aligner_t *aligner = wfa2_open(p, wavefront_memory_ultralow, compute_alignment);
    const int status = wavefront_align(aligner, a, (int)n, b, (int)m);
    const int64_t cost = status == 0 ? price(aligner->cigar, p) : ORACLE_NOTHING;
    wavefront_aligner_delete(aligner);
    return cost;
}
#    define HAS_WFA2            true
#    define WFA2_ONE_WAY(...)   wfa2(__VA_ARGS__, wavefront_memory_high)
#    define WFA2_BOTH_WAYS(...) wfa2(__VA_ARGS__, wavefront_memory_ultralow)
#    define BIWFA_PATH(...)     biwfa_path(__VA_ARGS__)
#else
#    define HAS_WFA2            false
#    define WFA2_ONE_WAY(...)   ORACLE_NOTHING
#    define WFA2_BOTH_WAYS(...) ORACLE_NOTHING
#    define BIWFA_PATH(...)     ORACLE_NOTHING
#endif

#ifdef RHOMB_REFERENCE_PARASAIL
#    define HAS_PARASAIL true
/*
 * Its gaps of k bases cost open + (k - 1) * extend. Its striped matrix is wrong where one gap
 * follows another: 33 instead of 30 for GTGAAGGATGGGCCCTCGGAC and GTGACACCTGAATGGGTTGGATTT with
 * mismatches of 7 and 2 a base of a gap.
 */
static int64_t parasail(const char *a, int64_t n, const char *b, int64_t m,
                        const oracle_penalties *p)
{
    parasail_matrix_t *matrix = parasail_matrix_create("ACGT", (int)p->match, -(int)p->mismatch);
    parasail_result_t *result =
        matrix != NULL ? parasail_nw_scan_32(a, (int)n, b, (int)m, (int)(p->open[0] + p->extend[0]),
                                             (int)p->extend[0], matrix)
                       : NULL;
    const bool good = result != NULL && !parasail_result_is_saturated(result);
    const int64_t penalty = good ? -(int64_t)parasail_result_get_score(result) : ORACLE_NOTHING;
    if (result != NULL)
        parasail_result_free(result);
    parasail_matrix_free(matrix);
    return penalty;
}
#else
#    define HAS_PARASAIL  false
#    define parasail(...) ORACLE_NOTHING
#endif

#ifdef RHOMB_REFERENCE_KSW2
#    define HAS_KSW2 true
/* The whole matrix, without bands or a drop that ends it. */
static int64_t ksw2(const char *a, int64_t n, const char *b, int64_t m, const oracle_penalties *p)
{
    const ksw_extz_t end = ksw2_align(a, n, b, m, p, -1, 0, 0);
    return end.score != KSW_NEG_INF ? -(int64_t)end.score : ORACLE_NOTHING;
}
#else
#    define HAS_KSW2  false
#    define ksw2(...) ORACLE_NOTHING
#endif

bool oracle_has_peer(oracle_peer peer)
{
    static const bool HAS[ORACLE_PEERS] = {HAS_WFA2, HAS_WFA2, HAS_PARASAIL, HAS_KSW2};
    return HAS[peer];
}

bool oracle_peer_takes(oracle_peer peer, const oracle_penalties *p)
{
    const int64_t last = p->pieces - 1;
    const int64_t steps = p->open[0] + p->extend[0] + p->open[last] + p->extend[last];
    if (peer == ORACLE_PARASAIL)
        return p->pieces == 1;
    if (peer == ORACLE_KSW2) /* its cells' differences are bytes; mismatches have to pay */
        return steps <= 127 && p->mismatch <= 2 * (p->open[0] + p->extend[0]);
    return p->match == 0 && p->mismatch > 0 && p->extend[last] > 0;
}

int64_t oracle_peer_penalty(oracle_peer peer, const char *a, int64_t n, const char *b, int64_t m,
                            const oracle_penalties *p)
{
    (void)a, (void)b; /* where there are no peers */
    if (n > INT_MAX || m > INT_MAX || !oracle_peer_takes(peer, p))
        return ORACLE_NOTHING;
    switch (peer) {
    case ORACLE_WFA2:
        return WFA2_ONE_WAY(a, n, b, m, p);
    case ORACLE_BIWFA:
        return WFA2_BOTH_WAYS(a, n, b, m, p);
    case ORACLE_PARASAIL:
        return parasail(a, n, b, m, p);
    default:
        return ksw2(a, n, b, m, p);
    }
}

int64_t oracle_biwfa_path(const char *a, int64_t n, const char *b, int64_t m,
                          const oracle_penalties *p)
{
    (void)a, (void)b; /* without WFA2 */
    if (n > INT_MAX || m > INT_MAX || !oracle_peer_takes(ORACLE_BIWFA, p))
        return ORACLE_NOTHING;
    return BIWFA_PATH(a, n, b, m, p);
}
