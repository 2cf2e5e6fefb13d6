/* SPDX-License-Identifier: MIT */
/*
 * The suites `guided` and `guided_score`: pairs like strains and species, for which a sketch makes
 * a guide (rhomb/guide.h), as the program does. Each should take one sweep, in hardly more time
 * than a sweep that was told the distance: with a first band for just that, and no guide. Both take
 * turns. The guide's own time counts, the sketch's does not: the program sketches while the device
 * is being opened. On a CPU, which others may use as well, CPU seconds are compared, and those of
 * the guide are as large a share of them as its time is of all work.
 *
 * The pairs are numbered, from short to long. What differs between them is spread evenly over the
 * numbers: how far apart they are, and which differences that is.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_guided.h"
#include "bench_scores.h"
#include "tests/reference/edlib_distance.h"

#define KILO INT64_C(1000)

enum { PAIRS = 40, MOST_THREADS = 16 };

/* Lengths of targets, and how far apart pairs are, as a share of them. */
#define SHORTEST   5e6
#define LONGEST    60e6
#define NEAREST    0.05
#define FURTHEST   0.25
#define GOLDEN     0.6180339887498949 /* its multiples' fractions are spread evenly */
#define LONG_INDEL (50 * KILO)
#define REPLACED   (100 * KILO)

/* What random bases cost. */
#define RANDOM 0.52

/*
 * What is promised: of transfer and sweep, over the one that was told; and of the guide, as a share
 * of all or, where that is more, in seconds.
 */
#define PROMISED_RATIO   1.15
#define PROMISED_SHARE   0.05
#define PROMISED_SECONDS 0.03

/* edlib's time for 64 cells, about. */
#define EDLIB_WORD_SECONDS 1e-8

/* How the distance of a kind of pair is made up: shares of it. */
typedef struct make_up {
    const char *name;
    double edits; /* substitutions, insertions and deletions of a few bases */
    double deleted, inserted;
    double replaced;
    double inverted;
} make_up;

static const make_up KINDS[] = {{"strains", 0.15, 0.25, 0.25, 0.25, 0.1},
                                {"species", 0.7, 0.1, 0.05, 0.1, 0.05},
                                {"rearranged", 0.3, 0.1, 0.1, 0.1, 0.4},
                                {"grown", 0.3, 0.05, 0.55, 0.1, 0}};

enum { KIND_COUNT = sizeof KINDS / sizeof KINDS[0], CLASSES = 4 };

/* Pieces of a kind that cost so many edits in all, `cost` a base. */
static random_piece_class pieces_of(random_piece_kind kind, double edits, double cost,
                                    int64_t longest)
{
    const double mean = ((double)longest + KILO) / 2 * cost;
    const random_piece_class pieces = {kind, (int)lrint(edits / mean), 1, KILO, longest};
    return pieces;
}

/* Classes end with the first one without pieces, so these come last. */
static void drop_empty(random_piece_class *classes)
{
    int kept = 0;
    for (int i = 0; i < CLASSES; i++)
        if (classes[i].count > 0)
            classes[kept++] = classes[i];
    classes[kept].count = 0;
}

bool bench_guided_pair(int index, bench_source *source)
{
    static random_recipe recipe;
    static random_piece_class classes[CLASSES + 1];
    static char name[64];
    if (index >= PAIRS)
        return false;
    const make_up *kind = &KINDS[index % KIND_COUNT];
    const double at = (double)index / (PAIRS - 1), spread = fmod((index + 1) * GOLDEN, 1);
    const double length = SHORTEST * pow(LONGEST / SHORTEST, at);
    const double apart = NEAREST + (FURTHEST - NEAREST) * spread, edits = apart * length;
    classes[0] = pieces_of(PIECE_DELETED, kind->deleted * edits, 1, LONG_INDEL);
    classes[1] = pieces_of(PIECE_INSERTED, kind->inserted * edits, 1, LONG_INDEL);
    classes[2] = pieces_of(PIECE_UNRELATED, kind->replaced * edits, RANDOM, REPLACED);
    classes[3] = pieces_of(PIECE_INVERTED, kind->inverted * edits, RANDOM, REPLACED);
    drop_empty(classes);
    recipe = (random_recipe){.seed = UINT64_C(20251100) + (uint64_t)index,
                             .length = (int64_t)length,
                             .substitution_rate = 0.6 * kind->edits * apart,
                             .short_rate = 0.1 * kind->edits * apart, /* two bases in the mean */
                             .short_more = 1,
                             .query_gap_share = 1,
                             .classes = classes};
    snprintf(name, sizeof name, "%02d %.1f M %.0f %% %s", index + 1, length / 1e6, 100 * apart,
             kind->name);
    *source = (bench_source){
        .name = name, .length = (int64_t)length, .rate = apart, .recipe = &recipe, .scale = 1};
    return true;
}

bool bench_sketch_make(bench *b, const bench_pair *pair, const rhomb_scoring *scoring,
                       bench_sketch *sketch)
{
    const cli_two two = {pair->target, pair->target_length, pair->query, pair->query_length};
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const cli_relation_options options = {.threads = cores < 1              ? 1
                                                     : cores > MOST_THREADS ? MOST_THREADS
                                                                            : (int)cores,
                                          .guides = true};
    const rhomb_guide none = RHOMB_GUIDE_INIT;
    *sketch = (bench_sketch){.guide = none};
    const double began = bench_now();
    if (!cli_has_minimizers)
        return bench_fail(b, "built without minimap2's library, which guides need");
    if (!cli_relate(&two, &options, &sketch->relation))
        return bench_fail(b, "%s: no memory for a sketch", pair->name);
    sketch->is_guide =
        cli_guide_make(&sketch->relation, scoring, pair->target_length, pair->query_length, false,
                       0, &sketch->guide, &sketch->points);
    sketch->seconds = bench_now() - began;
    return true;
}

void bench_sketch_release(bench_sketch *sketch)
{
    cli_relation_release(&sketch->relation);
    free(sketch->points);
}

/* The pair, the sketch of it, and both ways to solve it. */
typedef struct guided {
    bench_sketch sketch;
    rhomb_scoring scoring;
    oracle_penalties penalties;
    double estimate_seconds;
} guided;

/* What the plan says before anything runs; negative on failure. */
static double expected_seconds(bench *b, bench_case *c)
{
    const rhomb_options options = bench_case_options(c);
    const bench_pair *pair = c->pair;
    rhomb_plan *plan = NULL;
    if (rhomb_plan_distance(b->ctx, pair->target, pair->target_length, pair->query,
                            pair->query_length, &options, &plan) != RHOMB_OK) {
        bench_fail(b, "%s: %s", pair->name, rhomb_context_error(b->ctx));
        return -1;
    }
    const double seconds = rhomb_plan_seconds(plan, plan->expected_distance);
    rhomb_plan_destroy(plan);
    return seconds;
}

/* Diagonals beside those of the ends on which a path of this penalty may be, and one more. */
static int64_t beside_for(const guided *g, const bench_pair *pair, int64_t penalty)
{
    const int64_t apart = llabs(pair->target_length - pair->query_length);
    int64_t low = 0, high = penalty;
    while (low < high) {
        const int64_t middle = high - (high - low) / 2;
        const int64_t gaps =
            oracle_gap(&g->penalties, middle) + oracle_gap(&g->penalties, middle + apart);
        if (gaps <= penalty)
            low = middle;
        else
            high = middle - 1;
    }
    return low + 1;
}

/* By edlib where it is quick; else by a sweep of other strips and, on CPUs, both directions. */
static bool verify(bench *b, const guided *g, bench_case *c)
{
    const bench_pair *pair = c->pair;
    const double words = (double)pair->target_length * (double)c->distance / 64;
    if (c->scoring == NULL && oracle_has_edlib() &&
        words * EDLIB_WORD_SECONDS <= (b->limit_seconds < 10 ? b->limit_seconds : 10)) {
        c->verified_by = "edlib";
        return bench_same_distance(
            b, c, oracle_edlib(pair->query, pair->query_length, pair->target, pair->target_length),
            c->verified_by);
    }
    bench_pair exchanged = *pair;
    bench_case other = *c;
    exchanged.target = pair->query;
    exchanged.target_length = pair->query_length;
    exchanged.query = pair->target;
    exchanged.query_length = pair->target_length;
    other.pair = &exchanged;
    other.guide = NULL;
    other.engine = RHOMB_ENGINE_BITPARALLEL;
    other.tuning.directions = 2;
    other.tuning.first_half_width = beside_for(g, pair, c->distance);
    other.runs = other.calls = 0;
    other.limit_seconds = 0;
    c->verified_by = "target and query exchanged, in two directions";
    return bench_run_once(b, &other);
}

static void judge(bench *b, const guided *g, bench_case both[2])
{
    bench_case *ours = &both[0];
    const rhomb_report *r = &ours->report;
    const bool on_cpu = rhomb_context_device(b->ctx)->kind == RHOMB_DEVICE_CPU;
    const bench_clock clock = on_cpu ? BENCH_CPU : BENCH_WORK;
    const double work = ours->times[BENCH_WORK].median;
    const double spent = ours->times[clock].median, told = both[1].times[clock].median;
    const bool cheap =
        r->seconds_guide <= PROMISED_SECONDS || r->seconds_guide <= PROMISED_SHARE * work;
    ours->ratio = told > 0 ? spent / told : 0;
    const double share = work > 0 ? r->seconds_guide / work : 0;
    const bool quick = (1 - share) * spent <= PROMISED_RATIO * told;
    /* A wavefront that stays the faster engine takes no sweep at all. */
    const bool one = r->batches == 1 || strcmp(r->plan->engine, "wavefront") == 0;
    ours->within = one && cheap && quick ? "yes" : "no";
    ours->guided = (bench_guided){.sketch_seconds = g->sketch.seconds,
                                  .guide_share = share,
                                  .told_seconds = both[1].times[BENCH_WORK].median,
                                  .told_cpu_seconds = both[1].times[BENCH_CPU].median,
                                  .estimate_seconds = g->estimate_seconds,
                                  .estimate_ratio = work > 0 ? g->estimate_seconds / work : 0};
    b->tally.pairs++;
    b->tally.missed += strcmp(ours->within, "no") == 0;
    if (ours->ratio > b->tally.worst) {
        b->tally.worst = ours->ratio;
        memcpy(b->tally.worst_pair, ours->pair->name, sizeof b->tally.worst_pair);
    }
    bench_row(b, ours);
    printf("%-34s %" PRId64
           " sweeps or batches; bound %.4f of the distance, guide %.1f ms (%.1f %%), sketch "
           "%.1f ms; expected %.3g s, %.2f of it\n",
           "", r->batches, (double)r->guide_bound / (double)r->distance, 1e3 * r->seconds_guide,
           100 * ours->guided.guide_share, 1e3 * g->sketch.seconds, g->estimate_seconds,
           ours->guided.estimate_ratio);
}

/* The guided run comes first: its distance is what the other one is told. */
static bool take_turns(bench *b, guided *g, bench_case both[2])
{
    if (!bench_run_once(b, &both[0]) || both[0].calls == 0)
        return false;
    both[1].distance = both[0].distance = both[0].report.distance;
    both[1].tuning.first_half_width = beside_for(g, both[0].pair, both[0].distance);
    if (strcmp(both[0].report.plan->engine, "bitparallel") == 0) { /* in strips of the same shape */
        both[1].tuning.group_size = both[0].report.plan->group_size;
        both[1].tuning.words_per_item = both[0].report.plan->words_per_item;
        both[1].tuning.blocks_per_launch = both[0].report.plan->blocks_per_launch;
    }
    return bench_take_turns(b, both, 2) && both[0].runs > 0 && both[1].runs > 0 &&
           verify(b, g, &both[0]);
}

static bool measure_with(bench *b, const bench_suite *suite, const bench_pair *pair,
                         const char *text, guided *g)
{
    bench_case both[2];
    if (rhomb_scoring_parse(b->ctx, text, &g->scoring) != RHOMB_OK)
        return bench_fail(b, "%s: %s", text, rhomb_context_error(b->ctx));
    g->penalties = oracle_penalties_of(&g->scoring);
    if (!bench_sketch_make(b, pair, &g->scoring, &g->sketch))
        return false;
    if (!g->sketch.is_guide)
        return bench_fail(b, "%s: the sketch gives no guide", pair->name);
    for (int i = 0; i < 2; i++) {
        both[i] = bench_case_of(b, suite, pair);
        both[i].once_when_long = true;
        both[i].scoring = strcmp(text, "edit") != 0 ? &g->scoring : NULL;
        both[i].scored.text = both[i].scoring != NULL ? text : NULL;
    }
    both[0].guide = &g->sketch.guide;
    both[1].engine = RHOMB_ENGINE_BITPARALLEL;
    g->estimate_seconds = expected_seconds(b, &both[0]);
    if (g->estimate_seconds > b->limit_seconds) {
        printf("%-34s left out: %.3g s expected\n", pair->name, g->estimate_seconds);
        return true;
    }
    if (g->estimate_seconds < 0 || !take_turns(b, g, both))
        return false;
    judge(b, g, both);
    return true;
}

static bool measure_by(bench *b, const bench_suite *suite, const bench_pair *pair, const char *text)
{
    guided g = {.estimate_seconds = 0};
    const bool good = measure_with(b, suite, pair, text, &g);
    bench_sketch_release(&g.sketch);
    return good;
}

static bool measure_guided(bench *b, const bench_suite *suite, const bench_source *source,
                           const bench_pair *pair)
{
    (void)source;
    return measure_by(b, suite, pair, "edit");
}

static bool measure_guided_score(bench *b, const bench_suite *suite, const bench_source *source,
                                 const bench_pair *pair)
{
    (void)source;
    return measure_by(b, suite, pair, "wfa");
}

static void end_guided(const bench *b)
{
    printf("\n%d pairs: at most %.3f times a sweep that was told the distance (%s); missed by %d\n",
           b->tally.pairs, b->tally.worst, b->tally.worst_pair, b->tally.missed);
}

const bench_method bench_guided_edit = {
    .measure = measure_guided, .heading = bench_heading, .end = end_guided};
const bench_method bench_guided_scores = {
    .measure = measure_guided_score, .heading = bench_heading, .end = end_guided};
