/* SPDX-License-Identifier: MIT */
/*
 * See peers.h.
 */
#include "peers.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const char *const oracle_peer_names[ORACLE_PEERS] = {"wfa2", "biwfa", "parasail", "ksw2"};

/* Their headers need some of the above and do not include them. */
#ifdef RHOMB_REFERENCE_WFA2
#    include <wavefront/wavefront_align.h>

/* Without heuristics, for scores alone, end to end. */
static wavefront_aligner_attr_t wfa2_attributes(const oracle_penalties *p)
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

static int at_most(int64_t a, int64_t b)
{
    return (int)(a < b ? a : b);
}

/* Penalties alone. */
static rhomb_pair_extent wfa2_mode(const rhomb_pair *pair, const oracle_penalties *p,
                                   const oracle_mode *mode)
{
    const rhomb_free_ends *f = &mode->free_ends;
    const int64_t n = pair->target_length, m = pair->query_length;
    wavefront_aligner_attr_t attributes = wfa2_attributes(p);
    if (mode->mode == RHOMB_MODE_ENDS_FREE) {
        attributes.alignment_form.span = alignment_endsfree;
        attributes.alignment_form.pattern_begin_free = at_most(f->query_begin, m);
        attributes.alignment_form.pattern_end_free = at_most(f->query_end, m);
        attributes.alignment_form.text_begin_free = at_most(f->target_begin, n);
        attributes.alignment_form.text_end_free = at_most(f->target_end, n);
    }
    wavefront_aligner_t *aligner = wavefront_aligner_new(&attributes);
    wavefront_align(aligner, pair->query, (int)m, pair->target, (int)n);
    const rhomb_pair_extent extent = {.score = aligner->cigar->score};
    wavefront_aligner_delete(aligner);
    return extent;
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
#    define wfa2_mode(...)      ((rhomb_pair_extent){0})
#endif

#ifdef RHOMB_REFERENCE_PARASAIL
#    include <ctype.h>
#    include <parasail.h>
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

/* Its names are in lower case. */
static const parasail_matrix_t *parasail_built_in(const char *name)
{
    char lower[32] = "";
    for (size_t i = 0; i + 1 < sizeof lower && name[i] != '\0'; i++)
        lower[i] = (char)tolower((unsigned char)name[i]);
    return parasail_matrix_lookup(lower);
}

static rhomb_pair_extent parasail_mode(const rhomb_pair *pair, const oracle_penalties *p)
{
    static _Thread_local parasail_matrix_t *matrix; /* of the scoring that came last */
    static _Thread_local int64_t match, mismatch;
    if (matrix == NULL || match != p->match || mismatch != p->mismatch) {
        if (matrix != NULL)
            parasail_matrix_free(matrix);
        matrix = parasail_matrix_create("ACGT", (int)p->match, -(int)p->mismatch);
        match = p->match;
        mismatch = p->mismatch;
    }
    /* With a matrix, 16 bits at once: what rates are compared with. */
    parasail_result_t *result =
        (p->matrix != NULL ? parasail_sw_striped_16 : parasail_sw_striped_sat)(
            pair->query, (int)pair->query_length, pair->target, (int)pair->target_length,
            (int)(p->open[0] + p->extend[0]), (int)p->extend[0],
            p->matrix != NULL ? parasail_built_in(p->matrix->name) : matrix);
    const rhomb_pair_extent extent = {.score = parasail_result_get_score(result),
                                      .target_end = parasail_result_get_end_ref(result) + 1,
                                      .query_end = parasail_result_get_end_query(result) + 1};
    parasail_result_free(result);
    return extent;
}
#else
#    define HAS_PARASAIL       false
#    define parasail(...)      ORACLE_NOTHING
#    define parasail_mode(...) ((rhomb_pair_extent){0})
#endif

#ifdef RHOMB_REFERENCE_KSW2
#    include <ksw2.h>

enum { KSW2_CODES = 5 }; /* and one that matches nothing */

/* The caller frees them. */
static uint8_t *ksw2_codes(const char *bases, int64_t length)
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
static ksw_extz_t ksw2_align(const char *target, int64_t n, const char *query, int64_t m,
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
#    define HAS_KSW2 true

/* The whole matrix, without bands or a drop that ends it. */
static int64_t ksw2(const char *a, int64_t n, const char *b, int64_t m, const oracle_penalties *p)
{
    const ksw_extz_t end = ksw2_align(a, n, b, m, p, -1, 0, 0);
    return end.score != KSW_NEG_INF ? -(int64_t)end.score : ORACLE_NOTHING;
}

static rhomb_pair_extent ksw2_mode(const rhomb_pair *pair, const oracle_penalties *p,
                                   const oracle_mode *mode)
{
    const ksw_extz_t end =
        ksw2_align(pair->target, pair->target_length, pair->query, pair->query_length, p,
                   mode->z_drop, mode->end_bonus, KSW_EZ_EXTZ_ONLY);
    rhomb_pair_extent extent = {
        .score = end.max, .target_end = end.max_t + 1, .query_end = end.max_q + 1};
    /* Without a path it leaves this to the caller. */
    if (!end.zdropped && end.mqe != KSW_NEG_INF && end.mqe + mode->end_bonus > (int64_t)end.max)
        extent = (rhomb_pair_extent){
            .score = end.mqe, .target_end = end.mqe_t + 1, .query_end = pair->query_length};
    return extent;
}
#else
#    define HAS_KSW2       false
#    define ksw2(...)      ORACLE_NOTHING
#    define ksw2_mode(...) ((rhomb_pair_extent){0})
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

static oracle_peer peer_of(rhomb_mode mode)
{
    return mode == RHOMB_MODE_LOCAL    ? ORACLE_PARASAIL
           : mode == RHOMB_MODE_EXTEND ? ORACLE_KSW2
                                       : ORACLE_WFA2;
}

const char *oracle_mode_peer(rhomb_mode mode)
{
    return oracle_has_peer(peer_of(mode)) ? oracle_peer_names[peer_of(mode)] : "";
}

bool oracle_mode_peer_takes(rhomb_mode mode, const oracle_penalties *p)
{
    return oracle_peer_takes(peer_of(mode), p);
}

rhomb_pair_extent oracle_mode_by_peer(const rhomb_pair *pair, const oracle_penalties *p,
                                      const oracle_mode *mode)
{
    (void)pair, (void)p; /* where there are no peers */
    switch (mode->mode) {
    case RHOMB_MODE_LOCAL:
        return parasail_mode(pair, p);
    case RHOMB_MODE_EXTEND:
        return ksw2_mode(pair, p, mode);
    default:
        return wfa2_mode(pair, p, mode);
    }
}
