/* SPDX-License-Identifier: MIT */
/*
 * See align_check.h.
 */
#include "align_check.h"

#include "src/base/int64.h"
#include "support/require.h"
#include "support/test.h"
#include "tests/reference/edlib_distance.h"
#include "tests/reference/keep_plan.h"
#include "tests/reference/random_bases.h"

/* Of the host: what a part takes while it is replaced, and what a path begins with. */
#define PART_BYTES       80
#define FIRST_PATH_BYTES 4096

/* Of the device: what an alignment may take besides half as much again as the distance. */
#define DEVICE_BYTES_MORE (INT64_C(64) << 20)

typedef struct progress_history {
    rhomb_progress last;
    const char *complaint;
} progress_history;

static const char *judge_progress(const rhomb_progress *now, const rhomb_progress *before)
{
    REQUIRE(now->lower_bound >= before->lower_bound && now->upper_bound <= before->upper_bound);
    REQUIRE(now->lower_bound <= now->upper_bound);
    REQUIRE(now->fraction >= before->fraction && now->fraction <= 1);
    REQUIRE(now->seconds >= before->seconds);
    /* Half is the distance, which a wavefront expects to come closer only in its second look. */
    REQUIRE(now->eta_seconds >= 0 || now->fraction <= 0.5);
    REQUIRE(now->eta_seconds >= 0 || before->eta_seconds < 0);
    return NULL;
}

static int note_progress(const rhomb_progress *progress, void *user)
{
    progress_history *h = user;
    if (h->complaint == NULL)
        h->complaint = judge_progress(progress, &h->last);
    h->last = *progress;
    return 0;
}

int64_t align_penalty(const align_question *q)
{
    return q->set == NULL ? q->distance
                          : score_set_penalty(q->set, q->p->a.length, q->p->b.length, q->distance);
}

static bool is_within_limit(const align_question *q)
{
    return q->max_distance == RHOMB_NO_LIMIT || align_penalty(q) <= q->max_distance;
}

static const char *judge_counts(const align_question *q, const rhomb_align_report *r,
                                const align_asker *asker)
{
    static const rhomb_scoring EDIT = {0, 1, 0, 1, -1, -1, NULL};
    const rhomb_scoring *scoring = q->set != NULL ? &q->set->scoring : &EDIT;
    int64_t letters_of[16] = {0}, score = 0;
    for (int64_t i = 0; i < asker->count; i++) {
        letters_of[RHOMB_CIGAR_CODE(asker->ops[i])] += (int64_t)RHOMB_CIGAR_LENGTH(asker->ops[i]);
        score += rhomb_scoring_op_score(scoring, asker->ops[i]);
    }
    REQUIRE(r->operations == asker->count);
    REQUIRE(r->matches == letters_of[RHOMB_CIGAR_EQ]);
    REQUIRE(r->mismatches == letters_of[RHOMB_CIGAR_X]);
    REQUIRE(r->inserted == letters_of[RHOMB_CIGAR_I]);
    REQUIRE(r->deleted == letters_of[RHOMB_CIGAR_D]);
    REQUIRE(asker->count == 0 || score == -q->distance);
    return NULL;
}

static const char *judge_whole(const align_question *q, const rhomb_report *r)
{
    const bool known = is_within_limit(q), scored = q->set != NULL && q->set->scoring.match > 0;
    REQUIRE(r->distance == (known ? align_penalty(q) : -1));
    REQUIRE(r->exceeds_max_distance == !known);
    REQUIRE(r->has_score == (known && scored));
    REQUIRE(!r->has_score || r->score == -q->distance);
    return NULL;
}

/* Memory is bounded by the distance with unit costs. */
static const char *judge_memory(const align_question *q, const rhomb_align_report *r)
{
    REQUIRE(r->device_bytes <= r->whole->device_bytes * 3 / 2 + DEVICE_BYTES_MORE);
    REQUIRE(r->host_bytes >= r->operations * (int64_t)sizeof(rhomb_path_op));
    REQUIRE(r->host_bytes <= 24 * q->distance + PART_BYTES * r->base_cases + FIRST_PATH_BYTES);
    return NULL;
}

static const char *judge_report(const align_question *q, const rhomb_align_report *r)
{
    const bool none = !is_within_limit(q) || (q->p->a.length == 0 && q->p->b.length == 0);
    const bool trivial = strcmp(r->engine, "trivial") == 0;
    REQUIRE(q->engine != RHOMB_ENGINE_WAVEFRONT || trivial || strcmp(r->engine, "wavefront") == 0);
    REQUIRE(q->engine != RHOMB_ENGINE_BITPARALLEL || trivial ||
            strcmp(r->engine, "bitparallel") == 0);
    REQUIRE((r->operations == 0) == none);
    REQUIRE((r->base_cases == 0) == none);
    REQUIRE(none || r->base_cases == r->splits + 1 || r->base_cases == r->splits + 2);
    REQUIRE(r->device_bytes >= r->whole->device_bytes);
    REQUIRE(r->seconds_split >= 0 && r->seconds_base_cases >= 0 && r->seconds_build >= 0);
    REQUIRE(r->seconds_total >= r->seconds_split + r->seconds_base_cases + r->seconds_build);
    REQUIRE(r->seconds_total >= r->whole->seconds_total);
    return q->set == NULL && !none ? judge_memory(q, r) : NULL;
}

/* Where several devices are open, each split of a path is one's. */
static const char *judge_shares(const align_question *q, const rhomb_align_report *r,
                                align_asker *asker)
{
    const int64_t devices = rhomb_context_device_count(asker->session.ctx);
    int64_t splits = 0;
    for (int64_t i = 0; i < r->share_count; i++) {
        REQUIRE(r->share_splits[i] >= 0);
        splits += r->share_splits[i];
        asker->dealt[i] += r->share_splits[i];
    }
    REQUIRE(r->share_count == (devices > 1 && r->splits > 0 ? devices : 0));
    REQUIRE(r->share_count == 0 || splits == r->splits);
    return NULL;
}

/* Where the operations differ from those that the rule gives. */
static const char *judge_rule(const align_question *q, const rhomb_align_report *r,
                              const rhomb_pair *texts, align_asker *asker)
{
    const bool sweeps = strcmp(r->engine, "bitparallel") == 0;
    if (q->set != NULL || q->judged_only || r->operations == 0)
        return NULL;
    align_model_find(&asker->model, texts, q->distance, sweeps);
    for (int64_t i = 0; i < asker->count && i < asker->model.count; i++)
        if (asker->ops[i] != asker->model.ops[i]) {
            fprintf(stderr, "operation %lld is %lld%c, not %lld%c\n", (long long)i,
                    (long long)RHOMB_CIGAR_LENGTH(asker->ops[i]), RHOMB_CIGAR_LETTER(asker->ops[i]),
                    (long long)RHOMB_CIGAR_LENGTH(asker->model.ops[i]),
                    RHOMB_CIGAR_LETTER(asker->model.ops[i]));
            return "another path than the rule's";
        }
    REQUIRE(r->operations == asker->model.count);
    REQUIRE(r->base_cases == asker->model.base_cases);
    REQUIRE(r->splits == asker->model.splits);
    return NULL;
}

/* Keeps the path. */
static const char *take_path(align_asker *asker, const rhomb_alignment *alignment)
{
    const rhomb_path_op *given = rhomb_alignment_path(alignment, &asker->count);
    REQUIRE((given == NULL) == (asker->count == 0));
    if (asker->count > asker->room) {
        asker->room = 2 * asker->count;
        asker->ops = realloc(asker->ops, (size_t)asker->room * sizeof *asker->ops);
        if (asker->ops == NULL)
            abort();
    }
    if (asker->count > 0)
        memcpy(asker->ops, given, (size_t)asker->count * sizeof *given);
    return NULL;
}

/* A text as it is compared. */
static void fold(const align_question *q, const letters *from, letters *to)
{
    to->length = 0;
    letters_append(to, from->at, from->length);
    for (int64_t i = 0; i < to->length && q->alphabet != RHOMB_ALPHABET_BYTES; i++)
        to->at[i] = folded_base(to->at[i]);
}

static const char *judge(align_asker *asker, const align_question *q,
                         const rhomb_alignment *alignment)
{
    static const oracle_penalties EDIT = {.mismatch = 1, .pieces = 1, .extend = {1}};
    const rhomb_align_report *r = rhomb_alignment_report(alignment);
    fold(q, &q->p->a, &asker->compared[0]);
    fold(q, &q->p->b, &asker->compared[1]);
    const rhomb_pair texts = {asker->compared[0].at, q->p->a.length, asker->compared[1].at,
                              q->p->b.length};
    const oracle_penalties *penalties = q->set != NULL ? &q->set->penalties : &EDIT;
    const char *complaint = take_path(asker, alignment);
    if (complaint == NULL)
        complaint = judge_whole(q, r->whole);
    if (complaint == NULL)
        complaint = judge_report(q, r);
    if (complaint == NULL && asker->count > 0)
        complaint =
            path_judge_scored(asker->ops, asker->count, &texts, penalties, q->distance, false);
    if (complaint == NULL)
        complaint = judge_counts(q, r, asker);
    if (complaint == NULL)
        complaint = judge_shares(q, r, asker);
    if (complaint == NULL)
        complaint = judge_rule(q, r, &texts, asker);
    return complaint;
}

static void fail_question(const align_asker *asker, const align_question *q, const char *complaint)
{
    static const char *const ENGINES[] = {"auto", "wavefront", "bitparallel"};
    const rhomb_tuning *t = &q->tuning;
    const pair *p = q->p;
    char files[2][512];
    failed_write(q->family, q->index, &p->a, &p->b, files);
    fprintf(stderr, "wrong: %s\n", complaint);
    fprintf(stderr,
            "  case %s %lld, seed %llu, %lld by %lld letters, distance %lld, limit %lld\n"
            "  tuning: group %d, items %d, scores %d, bits %d, words %d, blocks %d, beside %lld\n",
            q->family, (long long)q->index, (unsigned long long)rng_seed(), (long long)p->a.length,
            (long long)p->b.length, (long long)align_penalty(q), (long long)q->max_distance,
            (int)t->group_size, (int)t->diagonals_per_item, (int)t->tile_scores,
            (int)t->offset_bits, (int)t->words_per_item, (int)t->blocks_per_launch,
            (long long)t->first_half_width);
    fprintf(stderr, "  again: rhomb align --score %s --engine %s --alphabet %s %s %s\n",
            q->set != NULL ? q->set->text : "edit", ENGINES[q->engine],
            q->alphabet == RHOMB_ALPHABET_DNA     ? "dna"
            : q->alphabet == RHOMB_ALPHABET_IUPAC ? "iupac"
                                                  : "bytes",
            files[0], files[1]);
    fail_msg("%s, case %lld after %lld others: %s", q->family, (long long)q->index,
             (long long)asker->asked, complaint);
}

align_question align_question_of(const pair *p, rhomb_alphabet alphabet, rhomb_engine engine,
                                 const char *family, int64_t index)
{
    match_iupac(alphabet == RHOMB_ALPHABET_IUPAC);
    const align_question q = {
        .p = p,
        .alphabet = alphabet,
        .engine = engine,
        .tuning = RHOMB_TUNING_INIT,
        .max_distance = RHOMB_NO_LIMIT,
        .distance = oracle_distance(p->a.at, p->a.length, p->b.at, p->b.length,
                                    alphabet != RHOMB_ALPHABET_BYTES),
        .family = family,
        .index = index,
    };
    return q;
}

align_question align_question_scored(const pair *p, const score_set *set, const char *family,
                                     int64_t index)
{
    return (align_question){
        .p = p,
        .set = set,
        .tuning = RHOMB_TUNING_INIT,
        .max_distance = RHOMB_NO_LIMIT,
        .distance = oracle_gotoh(p->a.at, p->a.length, p->b.at, p->b.length, &set->penalties),
        .family = family,
        .index = index,
    };
}

void align_ask(align_asker *asker, const align_question *q, rhomb_align_report *report)
{
    progress_history h = {
        .last = {.lower_bound = INT64_MIN, .upper_bound = INT64_MAX, .eta_seconds = -1}};
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_alignment *alignment = NULL;
    const pair *p = q->p;
    session *s = &asker->session;
    options.engine = q->engine;
    options.alphabet = q->alphabet;
    options.max_distance = q->max_distance;
    options.scoring = q->set != NULL ? &q->set->scoring : NULL;
    rhomb_tuning tuning = q->tuning;
    tuning.chunk_strips = session_chunk(s, q->index);
    options.tuning = &tuning;
    options.progress = note_progress;
    options.progress_user = &h;
    const rhomb_status status = rhomb_align(
        s->ctx, guard_place(&s->guards[0], p->a.at, p->a.length), p->a.length,
        guard_place(&s->guards[1], p->b.at, p->b.length), p->b.length, &options, &alignment);
    if (status != RHOMB_OK)
        fail_question(asker, q, rhomb_context_error(s->ctx));
    const char *complaint = h.complaint != NULL ? h.complaint : judge(asker, q, alignment);
    if (complaint != NULL)
        fail_question(asker, q, complaint);
    const rhomb_align_report *got = rhomb_alignment_report(alignment);
    asker->asked++;
    const bool swept = strcmp(got->engine, "bitparallel") == 0;
    asker->swept += swept;
    asker->split[swept] += got->splits > 0;
    if (report != NULL) {
        *report = *got;
        report->whole = keep_report(got->whole);
    }
    rhomb_alignment_destroy(alignment);
}

void align_ask_same(align_asker *asker, const align_question *q)
{
    const int64_t count = asker->count;
    const size_t bytes = (size_t)count * sizeof *asker->ops;
    rhomb_path_op *before = malloc(bytes + 1);
    if (before == NULL)
        abort();
    if (count > 0)
        memcpy(before, asker->ops, bytes);
    align_ask(asker, q, NULL);
    const bool same = asker->count == count && memcmp(before, asker->ops, bytes) == 0;
    free(before);
    if (!same)
        fail_question(asker, q, "another path than before");
}

void align_asker_expect_all(const align_asker *asker)
{
    const int32_t devices = rhomb_context_device_count(asker->session.ctx);
    if (getenv("RHOMB_TEST_RANKS") != NULL) /* which are for sweeps, and those may be too few */
        return;
    for (int32_t i = 0; i < devices && devices > 1; i++)
        if (asker->dealt[i] == 0)
            fail_msg("device %d of %d has split nothing", (int)i, (int)devices);
}

bool align_asker_open(align_asker *asker)
{
    const align_asker none = {.asked = 0};
    *asker = none;
    return session_open(&asker->session);
}

void align_asker_close(align_asker *asker)
{
    session_close(&asker->session);
    align_model_release(&asker->model);
    free(asker->compared[0].at);
    free(asker->compared[1].at);
    free(asker->ops);
}
