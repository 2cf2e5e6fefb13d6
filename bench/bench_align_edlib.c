/* SPDX-License-Identifier: MIT */
/*
 * The suite `align_edlib`: alignments against edlib's, which has the path by Hirschberg's method as
 * well, in turns in one process. edlib has one thread, so that what is compared are processor
 * seconds, PoCL's threads and the library's counted together.
 */
#include "bench_align.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

#ifdef RHOMB_BENCH_EDLIB
#    include <edlib.h>
#endif

#define LENGTH INT64_C(1000000)

/* 1 - distance / longer length, and the share of edits that gives it, found by trying. */
static const struct {
    int similarity_percent;
    double rate;
} RATES[] = {{94, 0.061}, {95, 0.0505}, {96, 0.0404}, {97, 0.0302}, {98, 0.0201}, {99, 0.01}};

enum { RATE_COUNT = sizeof RATES / sizeof RATES[0] };

/* A bench_align_peer. */
static bool align_by_edlib(bench *b, const bench_pair *pair, int64_t distance)
{
    int64_t theirs = -1;
#ifdef RHOMB_BENCH_EDLIB
    if (pair->target_length <= INT_MAX && pair->query_length <= INT_MAX) {
        const EdlibAlignConfig config =
            edlibNewAlignConfig(-1, EDLIB_MODE_NW, EDLIB_TASK_PATH, NULL, 0);
        const EdlibAlignResult result = edlibAlign(pair->query, (int)pair->query_length,
                                                   pair->target, (int)pair->target_length, config);
        if (result.status == EDLIB_STATUS_OK && result.alignment != NULL)
            theirs = result.editDistance;
        edlibFreeAlignResult(result);
    }
#else
    (void)pair;
#endif
    return theirs == distance || bench_fail(b, "%s: distance %" PRId64 ", but %" PRId64 " by edlib",
                                            pair->name, distance, theirs);
}

bool bench_suite_align_edlib(bench *b)
{
    double least = 0;
    if (!bench_has_edlib())
        return bench_fail(b, "built without edlib, which the suite 'align_edlib' compares with");
    if (!bench_open(b))
        return false;
    bench_align_heading(b, "align_edlib");
    for (int i = 0; i < RATE_COUNT; i++) {
        bench_pair pair;
        bench_align_row row;
        char name[64];
        snprintf(name, sizeof name, "1 M %d %%", RATES[i].similarity_percent);
        if (!bench_wants(b, name) || bench_scaled(b, LENGTH) > b->max_length)
            continue;
        if (!bench_pair_generate(b, name, LENGTH, RATES[i].rate, &pair))
            return false;
        const bench_align_case c = {.suite = "align_edlib",
                                    .pair = &pair,
                                    .distance = bench_edlib_distance(&pair, NULL),
                                    .verified_by = "edlib",
                                    .peer = align_by_edlib};
        const bool good = bench_align_measure(b, &c, &row);
        bench_pair_release(&pair);
        if (!good)
            return false;
        if (row.runs > 0 && (least == 0 || row.core_ratio < least))
            least = row.core_ratio;
    }
    if (least > 0)
        printf("\nedlib takes at least %.2f times as much of a processor\n", least);
    return true;
}
