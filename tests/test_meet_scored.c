/* SPDX-License-Identifier: MIT */
/*
 * Where the two directions of a wavefront meet: at each of the last scores of a batch of launches
 * that the affine engine still searches (host/engines/affine/engine_affine.c), against Gotoh's
 * matrix, with limits at the penalty and beside it, the breakpoint that an alignment takes, runs
 * that were stopped before the batch, and sweeps that take over after it. Unit costs, whose
 * wavefront looks back one score, are for test_meet.
 *
 *     test_meet_scored CASE [PERCENT]    one case; PERCENT of its pairs, 100 unless told
 *     test_meet_scored                   all cases
 *
 * Exits with 77 where there is no device.
 */
#include "align_check.h"
#include "support/amount.h"
#include "support/cost_sets.h"
#include "support/run.h"
#include "support/test.h"

#include "src/base/int64.h"
#include "src/planner/tiling.h"

static align_asker asker;

/* Asks the engine; every pair by one relation, or by all of them. */
static void ask(const pair *p, question *q, const variant *v, int64_t index, bool all)
{
    static const relation RELATIONS[] = {RELATION_LIMIT_EXACT, RELATION_LIMIT_BELOW,
                                         RELATION_LIMIT_ABOVE, RELATION_SWAPPED,
                                         RELATION_REVERSED,    RELATION_RESUMED};
    q->engine = RHOMB_ENGINE_WAVEFRONT;
    q->variant = v;
    question_ask(&asker.session, q, NULL);
    for (size_t i = 0; i < COUNT(RELATIONS); i++) {
        if (all || (int64_t)i == index % (int64_t)COUNT(RELATIONS))
            question_ask_related(&asker.session, q, RELATIONS[i]);
    }
    if (!all && index % 16 != 0)
        return;
    align_question way = {.p = p,
                          .set = q->set,
                          .engine = RHOMB_ENGINE_WAVEFRONT,
                          .max_distance = RHOMB_NO_LIMIT,
                          .distance = q->distance,
                          .family = q->family,
                          .index = index,
                          .tuning = RHOMB_TUNING_INIT};
    way.tuning.group_size = v->group;
    way.tuning.diagonals_per_item = v->items;
    way.tuning.tile_scores = v->columns;
    way.tuning.launches_per_read = v->launches;
    align_ask(&asker, &way, NULL);
}

/* So many mismatches, in blocks that cost less than gaps instead. */
static void append_mismatches(pair *p, const rhomb__costs *costs, int64_t count, rng *r)
{
    enum { BLOCK = 40, KEPT = 14 };
    const bool in_blocks =
        !rhomb__costs_are_edit(costs) && costs->mismatch <= 2 * rhomb__costs_least_extend(costs);
    const int64_t most = in_blocks ? BLOCK : 1;
    while (count > 0) {
        const int64_t block = rhomb__min(count, rng_between(r, 1, most));
        letters_random(&p->a, "AC", block, r);
        letters_random(&p->b, "GT", block, r);
        const int64_t at = p->a.length;
        letters_random(&p->a, "ACGT", KEPT, r);
        letters_append(&p->b, p->a.at + at, KEPT);
        count -= block;
    }
}

/*
 * A pair of about that cost: mismatches, and a gap with some of them before it and some after it.
 * Gaps are of a length for which mismatches make up the rest of the cost, if one is near.
 */
static void make_pair(const rhomb__costs *costs, int64_t cost, rng *r, pair *p)
{
    enum { MOST_MISMATCHES = 1500 };
    const int64_t least =
        rhomb__max(cost - MOST_MISMATCHES * costs->mismatch, rng_below(r, cost + 1));
    int64_t gap = 0;
    while (rhomb__costs_gap(costs, gap + 1) <= cost && rhomb__costs_gap(costs, gap) < least)
        gap++;
    for (int64_t less = 0; less < rhomb__min(gap, 2 * costs->mismatch); less++) {
        if ((cost - rhomb__costs_gap(costs, gap - less)) % costs->mismatch == 0) {
            gap -= less;
            break;
        }
    }
    const int64_t mismatches = (cost - rhomb__costs_gap(costs, gap)) / costs->mismatch;
    const int64_t before = rng_below(r, mismatches + 1);
    p->a.length = p->b.length = 0;
    append_mismatches(p, costs, before, r);
    letters_random(rng_chance(r, 0.5) ? &p->a : &p->b, "ACGT", gap, r);
    append_mismatches(p, costs, mismatches - before, r);
}

/* A set of costs, and the shortest launches that they allow. */
typedef struct batch_set {
    score_set set;
    rhomb__costs costs;
    int64_t look;
    variant tile;
} batch_set;

enum { ENDS = 3, MOST_LAUNCHES = 8, FIRST_BATCH = 4 };

/* False where the affine wavefront cannot have them. */
static bool batch_set_of(const rhomb_scoring *scoring, batch_set *s)
{
    enum { OWN_DIAGONALS = 24 };
    rhomb__error error = {0};
    *s = (batch_set){.set = score_set_of(scoring)};
    assert_int_equal(rhomb__costs_of(&error, scoring, &s->costs), RHOMB_OK);
    s->look = rhomb__affine_lookback(&s->costs);
    rhomb__affine_shape shape = {s->costs, 0, s->look + 2};
    s->tile.group = 1;
    s->tile.columns = (int32_t)shape.scores;
    s->tile.items = (int32_t)(2 * rhomb__affine_margin(&shape) + OWN_DIAGONALS);
    return rhomb__affine_can(&s->costs) && !rhomb__costs_are_edit(&s->costs);
}

/* The last score of a batch: of the first one, or where offsets are held for no more. */
static int64_t batch_end(const batch_set *s, int32_t launches, int which)
{
    const int64_t scores = s->tile.columns;
    int64_t held = RHOMB__AFFINE_FIRST_SCORES;
    if (which == 0)
        return scores * rhomb__min(launches, FIRST_BATCH) - 1;
    while (held < scores - 1 + s->look)
        held *= 2;
    return which * held / scores * scores - 1;
}

/* What was asked, and how many of these cost what they were meant to. */
typedef struct tally {
    int64_t asked;
    int64_t met;
} tally;

/* A pair that costs 2 * score or one less, unless it takes many tries. */
static question draw_question(const batch_set *s, int64_t score, int64_t index, pair *p,
                              bool *is_meant)
{
    enum { TRIES = 12 };
    rng r = rng_for(s->set.text, index);
    question q;
    *is_meant = false;
    for (int i = 0; i < TRIES && !*is_meant; i++) {
        make_pair(&s->costs, 2 * score - rng_below(&r, 2), &r, p);
        q = question_scored(p, &s->set, "meet_scored", index);
        const int64_t cost = s->costs.doubled * question_penalty(&q) / s->costs.unit;
        *is_meant = (cost + 1) / 2 == score;
    }
    return q;
}

/* A pair of twice the cost of a score that comes `back` scores before the end of a batch. */
static void ask_near(const batch_set *s, int which, int64_t back, int64_t index, bool all, tally *t)
{
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    variant v = s->tile;
    bool is_meant;
    v.launches = (int32_t)(1 + index % MOST_LAUNCHES);
    const int64_t score = batch_end(s, v.launches, which) - back;
    if (score > 0) {
        question q = draw_question(s, score, index, &p, &is_meant);
        ask(&p, &q, &v, index, all);
        t->asked++;
        t->met += is_meant;
    }
    pair_release(&p);
}

/* From a score after the end of a batch to what the search looks back to before it. */
static void test_ends(void **state)
{
    enum { FEW = 2, BACKS = 8 };
    int64_t index = 0;
    tally all = {0, 0};
    for (size_t i = 0; scoring_at(i) != NULL; i++) {
        batch_set s;
        tally t = {0, 0};
        if (!amount_takes_case((int64_t)i))
            continue;
        assert_true(batch_set_of(scoring_at(i), &s));
        const int64_t every = rhomb__max((s.look + 3) / amount_of_each(BACKS), 1);
        for (int which = 0; which < ENDS; which++) {
            for (int64_t back = -1; back <= s.look + 1; back++, index++) {
                if (back <= FEW || index % every == 0)
                    ask_near(&s, which, back, index, every == 1, &t);
            }
        }
        printf("%s: %lld pairs, %lld of the cost meant\n", s.set.text, (long long)t.asked,
               (long long)t.met);
        all.asked += t.asked;
        all.met += t.met;
    }
    assert_true(all.met > all.asked / 2);
}

/*
 * Costs up to 1,000, as often of each magnitude: a search takes the square of what they look back.
 */
static rhomb_scoring draw_scoring(rng *r)
{
    static const int64_t MOST[] = {12, 30, 100, 300, 1000};
    const int64_t most = MOST[rng_below(r, COUNT(MOST))];
    rhomb_scoring s = {0,   rng_between(r, 1, most), 0, rng_between(r, 1 + most / 50, most), -1, -1,
                       NULL};
    s.gap_open = rng_chance(r, 0.3) ? 0 : rng_below(r, most + 1 - s.gap_extend);
    if (rng_chance(r, 0.3))
        s.mismatch = 1 + s.mismatch % 9;
    if (rng_chance(r, 0.3) && s.gap_extend > 1 + most / 50) {
        s.gap_extend_2 = rng_between(r, 1 + most / 100, s.gap_extend - 1);
        s.gap_open_2 = rng_between(r, s.gap_open, most - s.gap_extend_2);
    }
    return s;
}

static void test_random(void **state)
{
    enum { SETS = 8, PAIRS = 40, MOST_PAIRS = 500 };
    const int64_t sets = amount(SETS), pairs = rhomb__min(amount_of_each(PAIRS), MOST_PAIRS);
    tally t = {0, 0};
    for (int64_t i = 0; i < sets; i++) {
        rng r = rng_for("random costs of batches", i);
        const rhomb_scoring scoring = draw_scoring(&r);
        batch_set s;
        if (!batch_set_of(&scoring, &s))
            continue;
        printf("%s\n", s.set.text);
        for (int64_t k = 0; k < pairs; k++)
            ask_near(&s, (int)(k % ENDS), rng_between(&r, -2, s.look + 2), k, false, &t);
    }
    printf("random: %lld pairs, %lld sets of costs, %lld of the cost meant\n", (long long)t.asked,
           (long long)sets, (long long)t.met);
    assert_true(t.met > t.asked / 2);
}

/*
 * A sweep takes over at the end of a batch, after which the directions would have met at a score
 * that costs have passed: what is ruled out by then is less than what both have paid.
 */
static void test_taken_over(void **state)
{
    enum { EACH = 6 };
    int64_t index = 0, taken = 0;
    for (size_t i = 0; scoring_at(i) != NULL; i++) {
        batch_set s;
        if (!amount_takes_case((int64_t)i))
            continue;
        assert_true(batch_set_of(scoring_at(i), &s));
        const int64_t every = rhomb__max(s.look / amount_of_each(EACH), 1);
        for (int64_t past = 1; past > -s.look / 2; past -= every, index++) {
            pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
            variant v = s.tile;
            bool is_meant;
            rhomb_report report;
            v.launches = (int32_t)(1 + index % MOST_LAUNCHES);
            const int64_t score = batch_end(&s, v.launches, 2) + past;
            question q = draw_question(&s, score, index, &p, &is_meant);
            q.variant = &v;
            question_ask(&asker.session, &q, &report);
            taken += is_meant && strcmp(report.plan->engine, "bitparallel") == 0;
            pair_release(&p);
        }
    }
    printf("%lld pairs, %lld of the cost meant taken over\n", (long long)index, (long long)taken);
    /* A GPU's wavefront ends before a look is due. */
    if (rhomb_context_device(asker.session.ctx)->kind == RHOMB_DEVICE_CPU)
        assert_true(taken > index / 8);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest TESTS[] = {
        TEST_LIST(cmocka_unit_test, test_ends, test_random, test_taken_over)};
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    amount_from(argc, argv, 2);
    if (!align_asker_open(&asker))
        return 77;
    const int failures = cmocka_run_group_tests(TESTS, NULL, NULL);
    align_asker_close(&asker);
    return failures != 0;
}
