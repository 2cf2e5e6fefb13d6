/* SPDX-License-Identifier: MIT */
/*
 * The suite `progress`: whether the time to the end that a call tells can be believed. Distances
 * and alignments of real pairs run as the program runs them, with a guide where a sketch gives one,
 * and each moment that the callback sees is kept. Once the call has ended it is known what was left
 * at each of them. From a fifth of the work on, what was told should be within a factor of two of
 * that; a second more or less counts as right, as it is shown in seconds.
 *
 * Kernels are built by a first run. Each run's distance is verified; paths are by the suites of
 * alignments.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench_guided.h"
#include "rhomb/align.h"
#include "tests/reference/keep_plan.h"

enum { MOST_MOMENTS = 1 << 16 };

#define FROM         0.2
#define SPARE        1.0
#define PROMISED_ETA 2.0

/* Shorter calls show nothing: they are over before a terminal has a line. */
#define LEAST_SECONDS 1.0

typedef struct moment {
    double at; /* bench_now() */
    double fraction, eta;
} moment;

typedef struct watched {
    bool is_path;
    bench_sketch sketch;
    rhomb_scoring scoring;
    moment *moments;
    int count;
    double ended;
} watched;

static int note(const rhomb_progress *now, void *user)
{
    watched *w = user;
    if (!now->building && w->count < MOST_MOMENTS)
        w->moments[w->count++] = (moment){bench_now(), now->fraction, now->eta_seconds};
    return 0;
}

/*
 * Compares what was told with what was left. In later runs of a case the extremes of all are kept.
 */
static void judge(bench_case *c, const watched *w)
{
    bench_foretold *f = &c->foretold;
    double before = 0;
    for (int i = 0; i < w->count; i++) {
        const moment *now = &w->moments[i];
        const double left = w->ended - now->at;
        f->falls += now->fraction < before;
        before = now->fraction;
        if (now->fraction < FROM)
            continue;
        f->moments++;
        if (now->eta < 0) {
            f->silent++;
            continue;
        }
        if (fabs(now->eta - left) <= SPARE)
            continue;
        const double ratio = now->eta / left;
        f->least = f->least > 0 && f->least < ratio ? f->least : ratio;
        f->most = f->most > ratio ? f->most : ratio;
    }
    const bool near = (f->least == 0 || f->least >= 1 / PROMISED_ETA) && f->most <= PROMISED_ETA;
    c->within = near && f->silent == 0 && f->falls == 0 ? "yes" : "no";
}

static bool run_watched(bench *b, bench_case *c, double seconds[BENCH_CLOCKS])
{
    const bench_pair *pair = c->pair;
    watched *w = c->user;
    rhomb_options options = bench_case_options(c);
    rhomb_alignment *alignment = NULL;
    rhomb_status status;
    if (options.progress == NULL) {
        options.progress = note;
        options.progress_user = w;
    }
    w->count = 0;
    const double began = bench_now();
    if (w->is_path)
        status = rhomb_align(b->ctx, pair->target, pair->target_length, pair->query,
                             pair->query_length, &options, &alignment);
    else
        status = bench_call(b, pair, &options, &c->report);
    w->ended = bench_now();
    if (!bench_case_succeeded(b, c, status))
        return false;
    if (w->is_path) {
        c->report = *rhomb_alignment_report(alignment)->whole;
        c->report.plan = keep_plan(c->report.plan);
    }
    seconds[BENCH_SOLVE] = c->report.seconds_solve;
    seconds[BENCH_TOTAL] = seconds[BENCH_WALL] = w->ended - began;
    rhomb_alignment_destroy(alignment);
    if (c->distance == BENCH_UNKNOWN)
        c->distance = c->report.distance;
    if (c->report.distance != c->distance)
        return bench_fail(b, "%s: distance %" PRId64 ", but %" PRId64 " is right (%s)",
                          bench_case_name(c), c->report.distance, c->distance, c->verified_by);
    if (c->calls > 0)
        judge(c, w);
    return true;
}

static bool measure_by(bench *b, const bench_suite *suite, const bench_source *source,
                       const bench_pair *pair, const char *text, watched *w)
{
    char name[96];
    bench_case c = bench_case_of(b, suite, pair);
    snprintf(name, sizeof name, "%s, %s, %s", pair->name, w->is_path ? "align" : "distance", text);
    c.name = name;
    c.run = run_watched;
    c.user = w;
    c.limit_seconds = b->limit_seconds;
    c.guide = w->sketch.is_guide ? &w->sketch.guide : NULL;
    c.verified_by = "the first run";
    if (strcmp(text, "edit") != 0) {
        c.scoring = &w->scoring;
        c.scored.text = text;
    } else if (source->files[0] != NULL) {
        c.distance = source->distance;
        c.verified_by = BENCH_BY_TABLE;
    }
    if (!bench_take_turns(b, &c, 1))
        return false;
    if (c.left_out || c.runs == 0 || c.times[BENCH_WALL].median < LEAST_SECONDS)
        return true;
    bench_row(b, &c);
    printf("%-34s told %.2f to %.2f of what was left; %d of %d moments without; fell %d times\n",
           "", c.foretold.least, c.foretold.most, c.foretold.silent, c.foretold.moments,
           c.foretold.falls);
    b->tally.pairs++;
    b->tally.missed += strcmp(c.within, "no") == 0;
    return true;
}

static bool measure_progress(bench *b, const bench_suite *suite, const bench_source *source,
                             const bench_pair *pair)
{
    static const char *const SCORINGS[] = {"edit", "wfa"};
    watched w = {.moments = malloc(MOST_MOMENTS * sizeof *w.moments)};
    bool good = w.moments != NULL;
    for (int i = 0; i < 2 && good; i++) {
        good = rhomb_scoring_parse(b->ctx, SCORINGS[i], &w.scoring) == RHOMB_OK &&
               bench_sketch_make(b, pair, &w.scoring, &w.sketch);
        for (int path = 0; path < 2 && good; path++) {
            w.is_path = path == 1;
            good = measure_by(b, suite, source, pair, SCORINGS[i], &w);
        }
        bench_sketch_release(&w.sketch);
    }
    free(w.moments);
    return good;
}

static void end_progress(const bench *b)
{
    printf("\n%d calls; %d told a time that is more than a factor of two away\n", b->tally.pairs,
           b->tally.missed);
}

const bench_method bench_progress = {
    .measure = measure_progress, .heading = bench_heading, .end = end_progress};
