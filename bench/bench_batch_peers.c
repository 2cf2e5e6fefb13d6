/* SPDX-License-Identifier: MIT */
/*
 * Programs to be compared with on many short pairs: edlib (Šošić and Šikić 2017) and WFA2-lib
 * (Marco-Sola and others 2021), as distributions have them. Each thread takes every so many pairs
 * of a sample and has what a thread of a careful caller would have: one aligner for all its pairs,
 * which is there before the clock starts.
 * WFA2's heuristics, which are on by default and make it inexact, are off.
 */
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

#include "bench_batch.h"

#ifdef RHOMB_BENCH_EDLIB
#    include <edlib.h>
#endif
#ifdef RHOMB_BENCH_WFA2
#    include <wavefront/wavefront_align.h>
#endif

/* ------------------------------------------------------------------- edlib */

#ifdef RHOMB_BENCH_EDLIB
static void *edlib_begin(bool cigar)
{
    EdlibAlignConfig *config = malloc(sizeof *config);
    if (config != NULL)
        *config = edlibNewAlignConfig(-1, EDLIB_MODE_NW,
                                      cigar ? EDLIB_TASK_PATH : EDLIB_TASK_DISTANCE, NULL, 0);
    return config;
}

static int64_t edlib_solve(void *state, const rhomb_pair *pair)
{
    const EdlibAlignConfig *config = state;
    const EdlibAlignResult result = edlibAlign(pair->query, (int)pair->query_length, pair->target,
                                               (int)pair->target_length, *config);
    const int64_t distance = result.status == EDLIB_STATUS_OK ? result.editDistance : -1;
    edlibFreeAlignResult(result);
    return distance;
}
#endif

/* -------------------------------------------------------------------- WFA2 */

#ifdef RHOMB_BENCH_WFA2
static void *wfa2_begin(bool cigar)
{
    wavefront_aligner_attr_t attributes = wavefront_aligner_attr_default;
    attributes.distance_metric = edit;
    attributes.alignment_scope = cigar ? compute_alignment : compute_score;
    attributes.memory_mode = wavefront_memory_high; /* the quickest one */
    attributes.heuristic.strategy = wf_heuristic_none;
    return wavefront_aligner_new(&attributes);
}

static int64_t wfa2_solve(void *state, const rhomb_pair *pair)
{
    wavefront_aligner_t *aligner = state;
    wavefront_align(aligner, pair->target, (int)pair->target_length, pair->query,
                    (int)pair->query_length);
    /* The number of edits, without a sign in some versions. */
    return abs(aligner->cigar->score);
}

static void wfa2_end(void *state)
{
    wavefront_aligner_delete(state);
}
#endif

/* --------------------------------------------------------------- both alike */

/* A peer: what a thread begins with and ends with, and one pair; -1 where it gives no distance. */
static const struct {
    const char *name;
    void *(*begin)(bool cigar);
    int64_t (*solve)(void *state, const rhomb_pair *pair);
    void (*end)(void *state);
} PEERS[BENCH_PEERS] = {
#ifdef RHOMB_BENCH_EDLIB
    [BENCH_EDLIB] = {"edlib", edlib_begin, edlib_solve, free},
#else
    [BENCH_EDLIB] = {"edlib", NULL, NULL, NULL},
#endif
#ifdef RHOMB_BENCH_WFA2
    [BENCH_WFA2] = {"wfa2", wfa2_begin, wfa2_solve, wfa2_end},
#else
    [BENCH_WFA2] = {"wfa2", NULL, NULL, NULL},
#endif
};

const char *bench_peer_name(bench_peer peer)
{
    return PEERS[peer].name;
}

bool bench_has_peer(bench_peer peer)
{
    return PEERS[peer].solve != NULL;
}

/* What a thread does, and what came out. */
typedef struct crew_part {
    pthread_t thread;
    bench_peer peer;
    void *state;
    const bench_set *set;
    bench_sample sample;
    size_t first; /* of the sample, and then each `stride` further */
    size_t stride;
    const int64_t *distances;
    bool wrong;
    size_t wrong_pair;
    int64_t wrong_distance;
} crew_part;

struct bench_crew {
    bench_peer peer;
    int threads;
    crew_part parts[];
};

bench_crew *bench_crew_create(bench *b, bench_peer peer, bool cigar, int threads)
{
    bench_crew *crew = calloc(1, sizeof *crew + (size_t)threads * sizeof crew->parts[0]);
    bool good = crew != NULL;
    if (good)
        crew->peer = peer;
    for (int t = 0; t < threads && good; t++) {
        crew->parts[t].state = PEERS[peer].begin(cigar);
        good = crew->parts[t].state != NULL;
        crew->threads += good ? 1 : 0;
    }
    if (good)
        return crew;
    bench_crew_destroy(crew);
    bench_fail(b, "%s: out of memory", PEERS[peer].name);
    return NULL;
}

void bench_crew_destroy(bench_crew *crew)
{
    for (int t = 0; crew != NULL && t < crew->threads; t++)
        PEERS[crew->peer].end(crew->parts[t].state);
    free(crew);
}

static void *solve_part(void *user)
{
    crew_part *part = user;
    for (size_t i = part->first; i < part->sample.count && !part->wrong; i += part->stride) {
        const size_t number = i * part->sample.step;
        const int64_t distance = PEERS[part->peer].solve(part->state, &part->set->pairs[number]);
        part->wrong = distance != part->distances[number];
        part->wrong_pair = number;
        part->wrong_distance = distance;
    }
    return NULL;
}

bool bench_crew_solve(bench *b, bench_crew *crew, const bench_set *set, bench_sample sample,
                      const int64_t *distances)
{
    const char *name = PEERS[crew->peer].name;
    int started = 0;
    bool good = true;
    for (int t = 0; t < crew->threads && good; t++) {
        crew_part *part = &crew->parts[t];
        *part = (crew_part){.peer = crew->peer,
                            .state = part->state,
                            .set = set,
                            .sample = sample,
                            .first = (size_t)t,
                            .stride = (size_t)crew->threads,
                            .distances = distances};
        good = pthread_create(&part->thread, NULL, solve_part, part) == 0;
        started += good ? 1 : 0;
    }
    if (!good)
        bench_fail(b, "%s: no thread %d", name, started);
    for (int t = 0; t < started; t++) {
        const crew_part *part = &crew->parts[t];
        pthread_join(part->thread, NULL);
        if (part->wrong)
            good = bench_fail(b, "%s, pair %zu: distance %" PRId64 " instead of %s's %" PRId64,
                              set->name, part->wrong_pair, distances[part->wrong_pair], name,
                              part->wrong_distance);
    }
    return good;
}
