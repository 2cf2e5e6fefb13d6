/* SPDX-License-Identifier: MIT */
/*
 * The suite `score`: gap-affine penalties of long pairs, each pair with each of its scorings. BiWFA
 * (Marco-Sola and others 2023; WFA2-lib, score only, heuristics off) takes turns with the library
 * where it is expected to come to an end within --limit-seconds; what is compared are CPU seconds,
 * PoCL's threads and the library's counted together. ksw2 (Li 2018, minimap2's) computes the whole
 * matrix, whose size says how long it takes: it gets the beginning of the pair, and what is
 * compared are cells a CPU second, of those that a sweep computes.
 *
 * A penalty is verified by BiWFA, or by ksw2 where it has the whole pair; and else by the sweep
 * with target and query exchanged, in one direction: other strips, and nothing meets.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "bench.h"
#include "bench_scores.h"
#include "tests/reference/peers.h"

/* ksw2 gets no more bases of either sequence: some seconds. */
#define KSW2_BASES 100000

/* Bases of the piece by which programs are built before runs are timed. */
#define WARM_BASES 2000

/*
 * BiWFA's CPU seconds are about this times the square of the penalty, in one piece and in two:
 * 4e-10 and 2.8e-9 were measured for 100 kbp at 1 %, 7e-10 in one piece for 1 Mbp at 3 and 6 %.
 */
static const double BIWFA_SECONDS[] = {7e-10, 4e-9};

/* A pair with a scoring. */
typedef struct contest {
    bench_case ours, biwfa;
    rhomb_scoring scoring;
    oracle_penalties penalties; /* in the scoring's own form; ... */
    oracle_penalties alone;     /* ... and without match score, for BiWFA */
    char name[128];
} contest;

static bool run_biwfa(bench *b, bench_case *c, double seconds[BENCH_CLOCKS])
{
    const contest *t = c->user;
    const bench_pair *pair = c->pair;
    const double began = bench_now(), cpu_began = bench_cpu_now();
    c->report.distance = oracle_peer_penalty(ORACLE_BIWFA, pair->target, pair->target_length,
                                             pair->query, pair->query_length, &t->alone);
    seconds[BENCH_WALL] = seconds[BENCH_SOLVE] = seconds[BENCH_WORK] = bench_now() - began;
    seconds[BENCH_CPU] = bench_cpu_now() - cpu_began;
    if (c->report.distance == ORACLE_NOTHING)
        return bench_fail(b, "%s: BiWFA gives no score", t->name);
    return c->distance == BENCH_UNKNOWN || bench_same_distance(b, c, c->report.distance, "BiWFA");
}

double bench_biwfa_seconds(const oracle_penalties *p, double penalty)
{
    return oracle_has_peer(ORACLE_BIWFA) && oracle_peer_takes(ORACLE_BIWFA, p)
               ? BIWFA_SECONDS[p->pieces - 1] * penalty * penalty
               : INFINITY;
}

/* Whether BiWFA is there, and quick enough, by the penalty that is expected. */
static bool is_quick(const bench *b, const contest *t, const bench_source *source)
{
    const oracle_penalties *p = &t->alone;
    const double edits = source->rate * (double)t->ours.pair->target_length;
    const double penalty = edits * ((double)p->mismatch + 2 * (double)oracle_gap(p, 1)) / 3;
    return bench_biwfa_seconds(p, penalty) <= b->limit_seconds;
}

static int64_t at_most(int64_t length)
{
    return length < KSW2_BASES ? length : KSW2_BASES;
}

/* ksw2's rate; it has to agree where it has the whole pair. */
static bool measure_ksw2(bench *b, contest *t)
{
    const bench_pair *pair = t->ours.pair;
    const int64_t n = at_most(pair->target_length), m = at_most(pair->query_length);
    bench_scored *scored = &t->ours.scored;
    if (!oracle_has_peer(ORACLE_KSW2) || !oracle_peer_takes(ORACLE_KSW2, &t->penalties))
        return true;
    const double cpu_began = bench_cpu_now();
    const int64_t least =
        oracle_peer_penalty(ORACLE_KSW2, pair->target, n, pair->query, m, &t->penalties);
    const double seconds = bench_cpu_now() - cpu_began;
    if (least == ORACLE_NOTHING)
        return bench_fail(b, "%s: ksw2 gives no score", t->name);
    scored->ksw2_rate = seconds > 0 ? (double)n * (double)m / seconds : 0;
    if (scored->ksw2_rate > 0)
        scored->ksw2_ratio = bench_cells_per_cpu_second(&t->ours) / scored->ksw2_rate;
    if (n < pair->target_length || m < pair->query_length)
        return true;
    if (t->biwfa.runs == 0)
        t->ours.verified_by = "ksw2";
    return bench_same_distance(
        b, &t->ours,
        t->penalties.match == 0 ? least : oracle_penalty_of_score(&t->penalties, n, m, -least),
        "ksw2");
}

static bool verify_exchanged(bench *b, contest *t)
{
    const bench_pair *pair = t->ours.pair;
    bench_pair exchanged = *pair;
    bench_case other = t->ours;
    exchanged.target = pair->query;
    exchanged.target_length = pair->query_length;
    exchanged.query = pair->target;
    exchanged.query_length = pair->target_length;
    other.pair = &exchanged;
    other.engine = RHOMB_ENGINE_BITPARALLEL;
    other.tuning.directions = 1;
    other.limit_seconds = 0;
    other.runs = other.calls = 0;
    t->ours.verified_by = "target and query exchanged, in one direction";
    return bench_run_once(b, &other);
}

/* Builds the programs by a short piece of the pair, so that no timed run does. */
static bool warm_up(bench *b, const contest *t)
{
    bench_pair piece = *t->ours.pair;
    bench_case other = t->ours;
    if (piece.target_length > WARM_BASES)
        piece.target_length = WARM_BASES;
    if (piece.query_length > WARM_BASES)
        piece.query_length = WARM_BASES;
    other.pair = &piece;
    other.distance = BENCH_UNKNOWN;
    other.limit_seconds = 0;
    other.runs = other.calls = 0;
    return bench_run_once(b, &other);
}

static bool contest_open(bench *b, const bench_suite *suite, const bench_source *source,
                         const bench_pair *pair, const char *text, contest *t)
{
    if (rhomb_scoring_parse(b->ctx, text, &t->scoring) != RHOMB_OK)
        return bench_fail(b, "%s: %s", text, rhomb_context_error(b->ctx));
    t->penalties = oracle_penalties_of(&t->scoring);
    t->alone = oracle_without_match(&t->penalties);
    snprintf(t->name, sizeof t->name, "%s %s", pair->name, text);
    t->ours = bench_case_of(b, suite, pair);
    t->ours.name = t->name;
    t->ours.scoring = &t->scoring;
    t->ours.scored.text = text;
    t->ours.once_when_long = true;
    t->biwfa = t->ours;
    t->ours.limit_seconds = b->limit_seconds;
    t->biwfa.run = run_biwfa;
    t->biwfa.user = t;
    t->biwfa.done = !is_quick(b, t, source);
    return true;
}

static bool measure_scoring(bench *b, const bench_suite *suite, const bench_source *source,
                            const bench_pair *pair, const char *text)
{
    contest t;
    if (!contest_open(b, suite, source, pair, text, &t))
        return false;
    if (!bench_wants(b, t.name))
        return true;
    if (!warm_up(b, &t))
        return false;
    bench_case both[2] = {t.ours, t.biwfa};
    if (!bench_take_turns(b, both, t.biwfa.done ? 1 : 2) || both[0].runs == 0)
        return false;
    t.ours = both[0];
    t.biwfa = both[1];
    if (t.biwfa.runs > 0) {
        bench_scored *scored = &t.ours.scored;
        t.ours.verified_by = "BiWFA";
        scored->biwfa_cpu_seconds = t.biwfa.times[BENCH_CPU].median;
        if (t.ours.times[BENCH_CPU].median > 0)
            scored->biwfa_ratio = scored->biwfa_cpu_seconds / t.ours.times[BENCH_CPU].median;
    }
    const bool whole = pair->target_length <= KSW2_BASES && pair->query_length <= KSW2_BASES &&
                       oracle_has_peer(ORACLE_KSW2) && oracle_peer_takes(ORACLE_KSW2, &t.penalties);
    if (!measure_ksw2(b, &t) || (t.biwfa.runs == 0 && !whole && !verify_exchanged(b, &t)))
        return false;
    bench_row(b, &t.ours);
    printf("%-34s %.3g cells a CPU second; CPU seconds of BiWFA over ours %.2f, rate over ksw2's "
           "%.2f\n",
           "", bench_cells_per_cpu_second(&t.ours), t.ours.scored.biwfa_ratio,
           t.ours.scored.ksw2_ratio);
    return true;
}

static bool measure_score(bench *b, const bench_suite *suite, const bench_source *source,
                          const bench_pair *pair)
{
    bool good = true;
    for (const char *const *text = source->scorings; *text != NULL; text++)
        good = measure_scoring(b, suite, source, pair, *text) && good;
    return good;
}

const bench_method bench_scores = {.measure = measure_score, .heading = bench_heading};
