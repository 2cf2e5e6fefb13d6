/* SPDX-License-Identifier: MIT */
/*
 * Programs to be compared with on many short pairs: edlib (Šošić and Šikić 2017) and WFA2-lib
 * (Marco-Sola and others 2021), as distributions have them. Each thread takes every so many pairs
 * of a sample and has what a thread of a careful caller would have: one aligner for all its pairs,
 * which is there before the clock starts. WFA2's heuristics, which are on by default and make it
 * inexact, are off.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>

#include "bench_batch.h"
#include "tests/reference/edlib_distance.h"

#ifdef RHOMB_BENCH_WFA2
#    include <wavefront/wavefront_align.h>
#endif

const char *const bench_peer_names[BENCH_PEERS] = {"edlib", "wfa2"};

/* What a thread does, and what came out. */
typedef struct worker {
    pthread_t thread;
    const bench_workers *workers;
    void *wfa2; /* its aligner */
    const bench_set *set;
    bench_sample sample;
    size_t first; /* of the sample, and then each further by the number of threads */
    const int64_t *distances;
    bool wrong;
    size_t wrong_pair;
    int64_t wrong_distance;
} worker;

struct bench_workers {
    bench_peer peer;
    bool cigar;
    int threads;
    worker workers[];
};

#ifdef RHOMB_BENCH_WFA2
bool bench_has_peer(bench_peer peer)
{
    return peer == BENCH_WFA2 || oracle_has_edlib();
}

static void *wfa2_begin(bool cigar)
{
    wavefront_aligner_attr_t attributes = wavefront_aligner_attr_default;
    attributes.distance_metric = edit;
    attributes.alignment_scope = cigar ? compute_alignment : compute_score;
    attributes.memory_mode = wavefront_memory_high; /* the quickest one */
    attributes.heuristic.strategy = wf_heuristic_none;
    return wavefront_aligner_new(&attributes);
}

static int64_t wfa2_solve(void *wfa2, const rhomb_pair *pair)
{
    wavefront_aligner_t *aligner = wfa2;
    wavefront_align(aligner, pair->target, (int)pair->target_length, pair->query,
                    (int)pair->query_length);
    /* The number of edits, without a sign in some versions. */
    return abs(aligner->cigar->score);
}

static void wfa2_end(void *wfa2)
{
    if (wfa2 != NULL)
        wavefront_aligner_delete(wfa2);
}
#else
bool bench_has_peer(bench_peer peer)
{
    return peer == BENCH_EDLIB && oracle_has_edlib();
}

static void *wfa2_begin(bool cigar)
{
    (void)cigar;
    return NULL;
}

static int64_t wfa2_solve(void *wfa2, const rhomb_pair *pair)
{
    (void)wfa2, (void)pair;
    return -1;
}

static void wfa2_end(void *wfa2)
{
    (void)wfa2;
}
#endif

bench_workers *bench_workers_create(bench *b, bench_peer peer, bool cigar, int threads)
{
    bench_workers *workers =
        calloc(1, sizeof *workers + (size_t)threads * sizeof workers->workers[0]);
    bool good = workers != NULL;
    for (int t = 0; t < threads && good; t++) {
        workers->workers[t].wfa2 = peer == BENCH_WFA2 ? wfa2_begin(cigar) : NULL;
        good = peer != BENCH_WFA2 || workers->workers[t].wfa2 != NULL;
        workers->threads = t + 1;
    }
    if (good) {
        workers->peer = peer;
        workers->cigar = cigar;
        return workers;
    }
    bench_workers_destroy(workers);
    bench_fail(b, "%s: out of memory", bench_peer_names[peer]);
    return NULL;
}

void bench_workers_destroy(bench_workers *workers)
{
    for (int t = 0; workers != NULL && t < workers->threads; t++)
        wfa2_end(workers->workers[t].wfa2);
    free(workers);
}

static void *solve_share(void *user)
{
    worker *w = user;
    const size_t stride = (size_t)w->workers->threads;
    int64_t (*const edlib)(const char *, int64_t, const char *, int64_t) =
        w->workers->cigar ? oracle_edlib_path : oracle_edlib;
    for (size_t i = w->first; i < w->sample.count && !w->wrong; i += stride) {
        const size_t number = i * w->sample.step;
        const rhomb_pair *pair = &w->set->pairs[number];
        const int64_t distance =
            w->workers->peer == BENCH_WFA2
                ? wfa2_solve(w->wfa2, pair)
                : edlib(pair->query, pair->query_length, pair->target, pair->target_length);
        w->wrong = distance != w->distances[number];
        w->wrong_pair = number;
        w->wrong_distance = distance;
    }
    return NULL;
}

bool bench_workers_solve(bench *b, bench_workers *workers, const bench_set *set,
                         bench_sample sample, const int64_t *distances)
{
    const char *name = bench_peer_names[workers->peer];
    int started = 0;
    bool good = true;
    while (started < workers->threads && good) {
        worker *w = &workers->workers[started];
        *w = (worker){.workers = workers,
                      .wfa2 = w->wfa2,
                      .set = set,
                      .sample = sample,
                      .first = (size_t)started,
                      .distances = distances};
        good = pthread_create(&w->thread, NULL, solve_share, w) == 0 ||
               bench_fail(b, "%s: no thread %d", name, started);
        started += good;
    }
    for (int t = 0; t < started; t++) {
        const worker *w = &workers->workers[t];
        pthread_join(w->thread, NULL);
        if (w->wrong)
            good = bench_fail(b, "%s, pair %zu: distance %" PRId64 " instead of %s's %" PRId64,
                              set->name, w->wrong_pair, distances[w->wrong_pair], name,
                              w->wrong_distance);
    }
    return good;
}
