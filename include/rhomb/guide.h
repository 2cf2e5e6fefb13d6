/* SPDX-License-Identifier: MIT */
/*
 * Guides: where a path is believed to lead, for pairs that the bit-parallel sweep computes. Callers
 * who only want distances and alignments need nothing from this header.
 */
#ifndef RHOMB_GUIDE_H
#define RHOMB_GUIDE_H

#include <rhomb/rhomb.h>

#ifdef __cplusplus
extern "C" {
#endif

/* No guide is followed where the shorter sequence has fewer bases. */
#define RHOMB_GUIDE_LEAST (INT64_C(1) << 17)

/*
 * Base `target` of the target and base `query` of the query are believed to belong together.
 * Does not grow.
 */
typedef struct rhomb_guide_point {
    int64_t target;
    int64_t query;
} rhomb_guide_point;

/*
 * A sweep's work is the length times a bound on the distance, so a good bound is worth a look. With
 * a guide, the pair is cut at some of its points and the pieces are swept side by side in narrow
 * bands: the sum of their costs is that of a real path, and a bound. It costs a hundredth of a
 * sweep or less, and one sweep in the band for it proves the distance. Long insertions, deletions
 * and replaced pieces, which mislead a guess from the first bases, do no harm. (Nor do wrong
 * points: they make the bound larger, and never a distance wrong.)
 *
 * What it is worth depends on the distance, so it is used only before a sweep, and where both
 * sequences have RHOMB_GUIDE_LEAST bases. With RHOMB_ENGINE_AUTO, `divergence` decides at once,
 * before anything runs, whether that is the engine. Otherwise, or where it is not known, a
 * wavefront begins as without a guide, which is followed if a sweep takes over. So a guide may
 * change which engine solves a pair, and which of several optimal alignments is returned.
 */
struct rhomb_guide {
    size_t struct_size;
    /*
     * Both positions grow from point to point; RHOMB_ERR_ARGUMENT if they do not, or are outside of
     * the sequences. One in a thousand bases is plenty.
     */
    const rhomb_guide_point *points;
    int64_t count;
    /* Edits per base where the sequences belong together, about; below 0: not known. */
    double divergence;
};

#define RHOMB_GUIDE_INIT                   \
    {                                      \
        sizeof(rhomb_guide), NULL, 0, -1.0 \
    }

#ifdef __cplusplus
}
#endif

#endif
