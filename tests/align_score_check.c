/* SPDX-License-Identifier: MIT */
/*
 * See align_score_check.h.
 */
#include "align_score_check.h"

#include "support/require.h"
#include "support/test.h"
#include "tests/reference/path_judge.h"

static int64_t penalty_of(const align_score_question *q)
{
    const oracle_penalties *p = &q->set->penalties;
    return p->match == 0 ? q->least
                         : oracle_penalty_of_score(p, q->p->a.length, q->p->b.length, -q->least);
}

static bool is_within_limit(const align_score_question *q)
{
    return q->max_distance == RHOMB_NO_LIMIT || penalty_of(q) <= q->max_distance;
}

static const char *judge_whole(const align_score_question *q, const rhomb_report *r)
{
    const bool known = is_within_limit(q);
    REQUIRE(r->distance == (known ? penalty_of(q) : -1));
    REQUIRE(r->exceeds_max_distance == !known);
    REQUIRE(r->has_score == (known && q->set->scoring.match > 0));
    REQUIRE(!r->has_score || r->score == -q->least);
    return NULL;
}

static const char *judge_report(const align_score_question *q, const rhomb_align_report *r,
                                const align_score_asker *asker)
{
    const bool none = !is_within_limit(q) || (q->p->a.length == 0 && q->p->b.length == 0);
    const bool trivial = strcmp(r->engine, "trivial") == 0;
    int64_t bases_of[16] = {0}, score = 0;
    for (int64_t i = 0; i < asker->count; i++) {
        bases_of[RHOMB_CIGAR_CODE(asker->ops[i])] += (int64_t)RHOMB_CIGAR_LENGTH(asker->ops[i]);
        score += rhomb_scoring_op_score(&q->set->scoring, asker->ops[i]);
    }
    REQUIRE(r->operations == asker->count && (asker->count == 0) == none);
    REQUIRE(r->matches == bases_of[RHOMB_CIGAR_EQ] && r->mismatches == bases_of[RHOMB_CIGAR_X]);
    REQUIRE(r->inserted == bases_of[RHOMB_CIGAR_I] && r->deleted == bases_of[RHOMB_CIGAR_D]);
    REQUIRE(none || score == -q->least);
    REQUIRE((r->base_cases == 0) == none);
    REQUIRE(none || r->base_cases == r->splits + 1 || r->base_cases == r->splits + 2);
    REQUIRE(q->engine != RHOMB_ENGINE_WAVEFRONT || trivial || strcmp(r->engine, "wavefront") == 0);
    REQUIRE(q->engine != RHOMB_ENGINE_BITPARALLEL || trivial ||
            strcmp(r->engine, "bitparallel") == 0);
    REQUIRE(r->device_bytes >= r->whole->device_bytes);
    return judge_whole(q, r->whole);
}

static const char *judge(align_score_asker *asker, const align_score_question *q,
                         const rhomb_alignment *alignment)
{
    const rhomb_pair texts = {q->p->a.at, q->p->a.length, q->p->b.at, q->p->b.length};
    const char *complaint = judge_report(q, rhomb_alignment_report(alignment), asker);
    if (complaint != NULL || asker->count == 0)
        return complaint;
    return path_judge_scored(asker->ops, asker->count, &texts, &q->set->penalties, q->least, false);
}

static void fail_question(const align_score_asker *asker, const align_score_question *q,
                          const char *complaint)
{
    static const char *const ENGINES[] = {"auto", "wavefront", "bitparallel"};
    const rhomb_tuning *t = &q->tuning;
    char files[2][512];
    failed_write(q->family, q->index, &q->p->a, &q->p->b, files);
    fprintf(stderr, "wrong: %s\n  seed %llu, family %s, case %lld, %lld by %lld bases\n", complaint,
            (unsigned long long)rng_seed(), q->family, (long long)q->index,
            (long long)q->p->a.length, (long long)q->p->b.length);
    fprintf(stderr, "  penalty %lld, limit %lld\n", (long long)penalty_of(q),
            (long long)q->max_distance);
    fprintf(stderr,
            "  tuning: group %d, items %d, scores %d, offsets %d, words %d, blocks %d, "
            "beside %lld\n",
            (int)t->group_size, (int)t->diagonals_per_item, (int)t->tile_scores,
            (int)t->offset_bits, (int)t->words_per_item, (int)t->blocks_per_launch,
            (long long)t->first_beside);
    fprintf(stderr, "  again: rhomb align --score %s --engine %s %s %s\n", q->set->text,
            ENGINES[q->engine], files[0], files[1]);
    fail_msg("%s, case %lld after %lld others: %s", q->family, (long long)q->index,
             (long long)asker->asked, complaint);
}

align_score_question align_score_question_of(const pair *p, const score_set *set,
                                             const char *family, int64_t index)
{
    const align_score_question q = {
        .p = p,
        .set = set,
        .tuning = RHOMB_TUNING_INIT,
        .max_distance = RHOMB_NO_LIMIT,
        .least = oracle_gotoh(p->a.at, p->a.length, p->b.at, p->b.length, &set->penalties),
        .family = family,
        .index = index,
    };
    return q;
}

/* Keeps the path. */
static void take_path(align_score_asker *asker, const rhomb_alignment *alignment)
{
    const rhomb_path_op *ops = rhomb_alignment_path(alignment, &asker->count);
    if (asker->count > asker->room) {
        asker->room = 2 * asker->count;
        asker->ops = realloc(asker->ops, (size_t)asker->room * sizeof *asker->ops);
        if (asker->ops == NULL)
            abort();
    }
    if (asker->count > 0)
        memcpy(asker->ops, ops, (size_t)asker->count * sizeof *ops);
}

void align_score_ask(align_score_asker *asker, const align_score_question *q)
{
    history h = HISTORY_INIT;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_alignment *alignment = NULL;
    const pair *p = q->p;
    session *s = &asker->session;
    options.engine = q->engine;
    options.alphabet = q->alphabet;
    options.max_distance = q->max_distance;
    options.scoring = &q->set->scoring;
    rhomb_tuning tuning = q->tuning;
    tuning.chunk_strips = session_chunk(s, q->index);
    options.tuning = &tuning;
    options.progress = history_note;
    options.progress_user = &h;
    asker->count = 0;
    const rhomb_status status = rhomb_align(
        s->ctx, guard_place(&s->guards[0], p->a.at, p->a.length), p->a.length,
        guard_place(&s->guards[1], p->b.at, p->b.length), p->b.length, &options, &alignment);
    if (status != RHOMB_OK)
        fail_question(asker, q, rhomb_context_error(s->ctx));
    take_path(asker, alignment);
    const char *complaint = h.complaint != NULL ? h.complaint : judge(asker, q, alignment);
    if (complaint != NULL)
        fail_question(asker, q, complaint);
    asker->report = *rhomb_alignment_report(alignment);
    asker->report.whole = NULL;
    asker->asked++;
    asker->split[strcmp(asker->report.engine, "bitparallel") == 0] += asker->report.splits > 0;
    rhomb_alignment_destroy(alignment);
}

void align_score_ask_same(align_score_asker *asker, const align_score_question *q)
{
    const int64_t count = asker->count;
    const size_t bytes = (size_t)count * sizeof *asker->ops;
    rhomb_path_op *before = malloc(bytes + 1);
    if (before == NULL)
        abort();
    if (count > 0)
        memcpy(before, asker->ops, bytes);
    align_score_ask(asker, q);
    const bool same = asker->count == count && memcmp(before, asker->ops, bytes) == 0;
    free(before);
    if (!same)
        fail_question(asker, q, "another path than before");
}

bool align_score_open(align_score_asker *asker)
{
    const align_score_asker none = {.asked = 0};
    *asker = none;
    return session_open(&asker->session);
}

void align_score_close(align_score_asker *asker)
{
    session_close(&asker->session);
    free(asker->ops);
}
