/* SPDX-License-Identifier: MIT */
/*
 * See peer_modes.h.
 */
#include "peer_modes.h"

#include "peers.h"

#ifdef RHOMB_REFERENCE_WFA2
#    define WFA2_NAME "wfa2"
static int at_most(int64_t a, int64_t b)
{
    return (int)(a < b ? a : b);
}

/* Penalties alone. */
static rhomb_pair_extent wfa2(const rhomb_pair *pair, const oracle_penalties *p,
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
#else
#    define WFA2_NAME ""
static rhomb_pair_extent wfa2(const rhomb_pair *pair, const oracle_penalties *p,
                              const oracle_mode *mode)
{
    (void)pair, (void)p, (void)mode;
    return (rhomb_pair_extent){0};
}
#endif

#ifdef RHOMB_REFERENCE_KSW2
#    define KSW2_NAME "ksw2"
static rhomb_pair_extent ksw2(const rhomb_pair *pair, const oracle_penalties *p,
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
#    define KSW2_NAME ""
static rhomb_pair_extent ksw2(const rhomb_pair *pair, const oracle_penalties *p,
                              const oracle_mode *mode)
{
    (void)pair, (void)p, (void)mode;
    return (rhomb_pair_extent){0};
}
#endif

#ifdef RHOMB_REFERENCE_PARASAIL
#    define PARASAIL_NAME "parasail"
static rhomb_pair_extent parasail(const rhomb_pair *pair, const oracle_penalties *p)
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
    parasail_result_t *result = parasail_sw_striped_sat(
        pair->query, (int)pair->query_length, pair->target, (int)pair->target_length,
        (int)(p->open[0] + p->extend[0]), (int)p->extend[0], matrix);
    const rhomb_pair_extent extent = {.score = parasail_result_get_score(result),
                                      .target_end = parasail_result_get_end_ref(result) + 1,
                                      .query_end = parasail_result_get_end_query(result) + 1};
    parasail_result_free(result);
    return extent;
}
#else
#    define PARASAIL_NAME ""
static rhomb_pair_extent parasail(const rhomb_pair *pair, const oracle_penalties *p)
{
    (void)pair, (void)p;
    return (rhomb_pair_extent){0};
}
#endif

const char *oracle_mode_peer(rhomb_mode mode)
{
    return mode == RHOMB_MODE_LOCAL    ? PARASAIL_NAME
           : mode == RHOMB_MODE_EXTEND ? KSW2_NAME
                                       : WFA2_NAME;
}

bool oracle_mode_peer_takes(rhomb_mode mode, const oracle_penalties *p)
{
    const int64_t last = p->pieces - 1;
    const int64_t steps = p->open[0] + p->extend[0] + p->open[last] + p->extend[last];
    if (mode == RHOMB_MODE_LOCAL)
        return p->pieces == 1;
    if (mode == RHOMB_MODE_EXTEND)
        return steps <= 127 && p->mismatch <= 2 * (p->open[0] + p->extend[0]);
    return p->match == 0 && p->mismatch > 0 && p->extend[last] > 0;
}

rhomb_pair_extent oracle_mode_by_peer(const rhomb_pair *pair, const oracle_penalties *p,
                                      const oracle_mode *mode)
{
    switch (mode->mode) {
    case RHOMB_MODE_LOCAL:
        return parasail(pair, p);
    case RHOMB_MODE_EXTEND:
        return ksw2(pair, p, mode);
    default:
        return wfa2(pair, p, mode);
    }
}
