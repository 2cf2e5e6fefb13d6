/* SPDX-License-Identifier: MIT */
/*
 * See score_check.h.
 */
#include "score_check.h"

#include "require.h"
#include "test.h"
#include "tests/reference/keep_plan.h"

#include <stdlib.h>
#include <unistd.h>

score_set score_set_of(const rhomb_scoring *scoring)
{
    score_set set = {.scoring = *scoring, .penalties = oracle_penalties_of(scoring)};
    const bool scores = scoring->match > 0, two = set.penalties.pieces == 2;
    size_t used = (size_t)snprintf(set.text, sizeof set.text, "%s:",
                                   scores ? "match"
                                   : two  ? "affine2p"
                                          : "affine");
    const int64_t values[] = {scoring->match,      scoring->mismatch,   scoring->gap_open,
                              scoring->gap_extend, scoring->gap_open_2, scoring->gap_extend_2};
    for (int i = scores ? 0 : 1; i < (two ? 6 : 4); i++)
        used += (size_t)snprintf(set.text + used, sizeof set.text - used, "%s%lld",
                                 set.text[used - 1] == ':' ? "" : ",", (long long)values[i]);
    return set;
}

static int64_t divisor(int64_t a, int64_t b)
{
    return b == 0 ? a : divisor(b, a % b);
}

int score_set_planes(const score_set *set)
{
    const oracle_penalties p = oracle_without_match(&set->penalties);
    int64_t unit = p.mismatch, step = INT64_MAX;
    int planes = 1;
    for (int piece = 0; piece < p.pieces; piece++) {
        unit = divisor(divisor(unit, p.open[piece]), p.extend[piece]);
        if (p.open[piece] + p.extend[piece] < step)
            step = p.open[piece] + p.extend[piece];
    }
    while ((INT64_C(1) << planes) < 2 * step / unit + 1)
        planes++;
    return planes;
}

static bool is_within_limit(const score_question *q)
{
    return q->max_distance == RHOMB_NO_LIMIT || score_penalty(q) <= q->max_distance;
}

int64_t score_penalty(const score_question *q)
{
    const oracle_penalties *p = &q->set->penalties;
    if (p->match == 0)
        return q->least;
    return oracle_penalty_of_score(p, q->target->length, q->query->length, -q->least);
}

/* What is wrong with an answer, as the text of the condition that does not hold. */
static const char *judge(const score_question *q, const rhomb_report *report, const history *h)
{
    const bool known = is_within_limit(q);
    REQUIRE(report->distance == (known ? score_penalty(q) : -1));
    REQUIRE(report->exceeds_max_distance == !known);
    REQUIRE(report->max_distance == q->max_distance);
    REQUIRE(report->target_length == q->target->length);
    REQUIRE(report->query_length == q->query->length);
    REQUIRE(report->has_score == (known && q->set->scoring.match > 0));
    REQUIRE(!report->has_score || report->score == -q->least);
    REQUIRE(report->plan->lower_bound <= score_penalty(q));
    REQUIRE(!known || report->plan->upper_bound >= score_penalty(q));
    REQUIRE(report->device_bytes <= report->plan->device_bytes_max);
    if (h->complaint != NULL || h->calls == 0)
        return h->complaint;
    REQUIRE(h->last.lower_bound <= score_penalty(q));
    REQUIRE(!known || h->last.upper_bound >= score_penalty(q));
    return NULL;
}

static const char *engine_name(rhomb_engine engine)
{
    return engine == RHOMB_ENGINE_AUTO        ? "auto"
           : engine == RHOMB_ENGINE_WAVEFRONT ? "wavefront"
                                              : "bitparallel";
}

static void fail_score(const session *s, const score_question *q, const char *complaint)
{
    const variant *v = q->variant;
    char files[2][512];
    failed_write(q->family, q->index, q->target, q->query, files);
    fprintf(stderr, "wrong: %s\n", complaint);
    fprintf(stderr, "  seed:     RHOMB_TEST_SEED=%llu, family %s, case %lld%s%s\n",
            (unsigned long long)rng_seed(), q->family, (long long)q->index,
            q->relation != NULL ? ", " : "", q->relation != NULL ? q->relation : "");
    fprintf(stderr, "  lengths:  target %lld, query %lld\n", (long long)q->target->length,
            (long long)q->query->length);
    fprintf(stderr, "  device:   %s\n", rhomb_context_device(s->ctx)->name);
    fprintf(stderr, "  expected: penalty %lld, limit %lld, planes of costs %d\n",
            (long long)score_penalty(q), (long long)q->max_distance, score_set_planes(q->set));
    fprintf(stderr, "  again:    rhomb distance --score %s --engine %s --alphabet %s", q->set->text,
            engine_name(q->engine), q->alphabet == RHOMB_ALPHABET_DNA ? "dna" : "bytes");
    if (v != NULL && variant_is_sweep(v))
        fprintf(stderr, " --tune group=%d,words=%d,blocks=%d,directions=%d", (int)v->group,
                (int)v->words, (int)v->blocks, (int)v->directions);
    else if (v != NULL)
        fprintf(stderr, " --tune group=%d,items=%d,scores=%d,launches=%d", (int)v->group,
                (int)v->items, (int)v->columns, (int)v->launches);
    if (q->max_distance != RHOMB_NO_LIMIT)
        fprintf(stderr, " --max-distance %lld", (long long)q->max_distance);
    fprintf(stderr, " %s %s\n", files[0], files[1]);
    fail_msg("%s, case %lld: %s", q->family, (long long)q->index, complaint);
}

static void set_tuning(const variant *v, rhomb_tuning *tuning)
{
    if (v == NULL)
        return;
    tuning->group_size = v->group;
    tuning->launches_per_read = v->launches;
    if (!variant_is_sweep(v)) {
        tuning->diagonals_per_item = v->items;
        tuning->tile_scores = v->columns;
        tuning->offset_bits = v->offset_bits;
        return;
    }
    tuning->words_per_item = v->words;
    tuning->blocks_per_launch = v->blocks;
    tuning->directions = v->directions;
    tuning->first_beside = v->beside;
}

/*
 * Asks. `h` says where to stop; false if the run ended there, and else the answer is right, or the
 * cmocka test that is running fails.
 */
static bool ask(session *s, const score_question *q, history *h, rhomb_report *report)
{
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_result *result = NULL;
    set_tuning(q->variant, &tuning);
    tuning.chunk_strips = session_chunk(s, q->index);
    options.engine = q->engine;
    options.alphabet = q->alphabet;
    options.max_distance = q->max_distance;
    options.scoring = &q->set->scoring;
    options.tuning = &tuning;
    options.progress = history_note;
    options.progress_user = h;
    options.checkpoint = q->checkpoint;
    const rhomb_status status = rhomb_distance(
        s->ctx, guard_place(&s->guards[0], q->target->at, q->target->length), q->target->length,
        guard_place(&s->guards[1], q->query->at, q->query->length), q->query->length, &options,
        &result);
    if (status == RHOMB_ERR_CANCELLED && h->stop_at > 0)
        return false;
    if (status != RHOMB_OK)
        fail_score(s, q, rhomb_context_error(s->ctx));
    rhomb_report got = *rhomb_result_report(result);
    got.plan = keep_plan(got.plan);
    rhomb_result_destroy(result);
    const char *complaint = judge(q, &got, h);
    if (complaint != NULL) {
        fprintf(stderr, "got penalty %lld, score %lld\n", (long long)got.distance,
                (long long)got.score);
        fail_score(s, q, complaint);
    }
    if (report != NULL)
        *report = got;
    return true;
}

void score_ask(session *s, const score_question *q, rhomb_report *report)
{
    history h = HISTORY_INIT;
    ask(s, q, &h, report);
}

score_question score_question_of(const pair *p, const score_set *set, const char *family,
                                 int64_t index)
{
    const score_question q = {
        .target = &p->a,
        .query = &p->b,
        .set = set,
        .max_distance = RHOMB_NO_LIMIT,
        .least = oracle_gotoh(p->a.at, p->a.length, p->b.at, p->b.length, &set->penalties),
        .family = family,
        .index = index,
    };
    return q;
}

static void ask_reversed(session *s, score_question *q)
{
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    letters_append(&p.a, q->target->at, q->target->length);
    letters_append(&p.b, q->query->at, q->query->length);
    letters_reverse(&p.a);
    letters_reverse(&p.b);
    q->target = &p.a;
    q->query = &p.b;
    score_ask(s, q, NULL);
    pair_release(&p);
}

static void ask_resumed(session *s, score_question *q)
{
    char file[] = "/tmp/rhomb-score-XXXXXX";
    history whole = HISTORY_INIT, part = HISTORY_INIT;
    ask(s, q, &whole, NULL);
    if (whole.calls == 0)
        return;
    const int fd = mkstemp(file);
    assert_true(fd >= 0 && close(fd) == 0 && unlink(file) == 0);
    q->checkpoint = file;
    part.stop_at = whole.calls;
    if (ask(s, q, &part, NULL))
        fail_score(s, q, "was not stopped");
    score_ask(s, q, NULL);
    unlink(file);
}

void score_ask_related(session *s, const score_question *from, score_relation which)
{
    static const char *const TEXTS[] = {"swapped",
                                        "both backwards",
                                        "with itself",
                                        "limit: penalty - 1",
                                        "limit: penalty",
                                        "limit: penalty + 1",
                                        "limit: half of the penalty",
                                        "limit: 0",
                                        "stopped and gone on with"};
    const int64_t penalty = score_penalty(from);
    score_question q = *from;
    q.relation = TEXTS[which];
    switch (which) {
    case SCORE_SWAPPED:
        q.target = from->query;
        q.query = from->target;
        break;
    case SCORE_REVERSED:
        ask_reversed(s, &q);
        return;
    case SCORE_SELF:
        q.query = q.target;
        q.least = -from->set->penalties.match * q.target->length;
        break;
    case SCORE_LIMIT_HALF:
        q.max_distance = penalty / 2;
        break;
    case SCORE_LIMIT_ZERO:
        q.max_distance = 0;
        break;
    case SCORE_RESUMED:
        ask_resumed(s, &q);
        return;
    default:
        q.max_distance = penalty + (int64_t)which - SCORE_LIMIT_EXACT;
        break;
    }
    if (which != SCORE_LIMIT_BELOW || penalty > 0)
        score_ask(s, &q, NULL);
}
