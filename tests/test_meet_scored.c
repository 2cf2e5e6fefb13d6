/* SPDX-License-Identifier: MIT */
/*
 * Where the two directions of an affine wavefront meet: at each of the last scores of a batch of
 * launches that its engine still searches (host/engines/affine/engine_affine.c), against Gotoh's
 * matrix, with limits at the penalty and beside it, and the breakpoint that an alignment takes.
 *
 *     test_meet_scored CASE [PERCENT]    one case; PERCENT of its pairs, 100 unless told
 *     test_meet_scored                   all cases
 *
 * Exits with 77 where there is no device.
 */
#include "align_score_check.h"
#include "support/amount.h"
#include "support/cost_sets.h"
#include "support/run.h"
#include "support/test.h"

#include "src/base/int64.h"
#include "src/planner/affine_tiling.h"

static align_score_asker asker;

/* Scorings that look back 2 to 1,018 scores, whose extensions are as dear as that, or cheap. */
static const rhomb_scoring SCORINGS[] = {
    {0, 4, 6, 2, -1, -1},     {0, 1, 1, 1, -1, -1},      {0, 1, 0, 5, -1, -1},
    {0, 1, 0, 7, -1, -1},     {0, 1, 0, 10, -1, -1},     {0, 1, 0, 100, -1, -1},
    {0, 1, 0, 500, -1, -1},   {0, 1, 0, 1000, -1, -1},   {0, 1000, 0, 999, -1, -1},
    {1000, 1, 1, 1, -1, -1},  {0, 1, 120, 1, -1, -1},    {0, 1, 500, 500, -1, -1},
    {0, 150, 200, 1, -1, -1}, {0, 1000, 1, 500, -1, -1}, {0, 3, 1, 2, 3, 1},
    {0, 5, 8, 2, 24, 1},      {1, 19, 39, 3, 81, 1},     {1, 4, 6, 2, 26, 1},
    {2, 4, 4, 2, -1, -1},     {2, 4, 4, 2, 24, 1},       {0, 12, 5, 3, 8, 2},
    {0, 7, 300, 100, 350, 3}, {0, 1, 0, 1000, 900, 20},  {0, 700, 0, 1000, 17, 990},
    {0, 31, 29, 37, -1, -1},  {0, 2, 0, 3, -1, -1},      {0, 2, 63, 1, -1, -1},
    {0, 997, 0, 991, -1, -1}, {0, 13, 800, 7, 900, 5},   {5, 4, 100, 50, 130, 2},
};

/* Asks the engine; every pair by one relation, or by all of them. */
static void ask(const pair *p, const score_set *set, const variant *v, int64_t index, bool all)
{
    static const score_relation RELATIONS[] = {SCORE_LIMIT_EXACT, SCORE_LIMIT_BELOW,
                                               SCORE_LIMIT_ABOVE, SCORE_SWAPPED, SCORE_REVERSED};
    score_question q = score_question_of(p, set, "meet_scored", index);
    q.engine = RHOMB_ENGINE_WAVEFRONT;
    q.variant = v;
    score_ask(&asker.session, &q, NULL);
    for (size_t i = 0; i < COUNT(RELATIONS); i++) {
        if (all || (int64_t)i == index % (int64_t)COUNT(RELATIONS))
            score_ask_related(&asker.session, &q, RELATIONS[i]);
    }
    if (!all && index % 16 != 0)
        return;
    align_score_question path = {.p = p,
                                 .set = set,
                                 .engine = RHOMB_ENGINE_WAVEFRONT,
                                 .max_distance = RHOMB_NO_LIMIT,
                                 .least = q.least,
                                 .family = q.family,
                                 .index = index,
                                 .tuning = RHOMB_TUNING_INIT};
    path.tuning.group_size = v->group;
    path.tuning.diagonals_per_item = v->items;
    path.tuning.tile_scores = v->columns;
    path.tuning.launches_per_read = v->launches;
    align_score_ask(&asker, &path);
}

/* So many mismatches, in blocks that cost less than gaps instead. */
static void append_mismatches(pair *p, const rhomb__costs *costs, int64_t count, rng *r)
{
    enum { BLOCK = 40, KEPT = 14 };
    const int64_t most = costs->mismatch <= 2 * rhomb__costs_least_extend(costs) ? BLOCK : 1;
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

/* A pair whose directions meet about `back` scores before the end of a batch. */
static void ask_near(const batch_set *s, int which, int64_t back, int64_t index, bool all)
{
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    rng r = rng_for(s->set.text, index);
    variant v = s->tile;
    v.launches = (int32_t)(1 + index % MOST_LAUNCHES);
    const int64_t score = batch_end(s, v.launches, which) - back;
    if (score > 0) {
        make_pair(&s->costs, 2 * score - rng_below(&r, 2), &r, &p);
        ask(&p, &s->set, &v, index, all);
    }
    pair_release(&p);
}

/* From a score after the end of a batch to what the search looks back to before it. */
static void test_ends(void **state)
{
    enum { FEW = 2, BACKS = 8 };
    int64_t index = 0, asked = 0;
    for (size_t i = 0; i < COUNT(SCORINGS); i++) {
        batch_set s;
        if (!amount_takes_case((int64_t)i))
            continue;
        assert_true(batch_set_of(&SCORINGS[i], &s));
        printf("%s\n", s.set.text);
        const int64_t every = rhomb__max((s.look + 3) / amount_of_each(BACKS), 1);
        for (int which = 0; which < ENDS; which++) {
            for (int64_t back = -1; back <= s.look + 1; back++, index++) {
                if (back > FEW && index % every != 0)
                    continue;
                ask_near(&s, which, back, index, every == 1);
                asked++;
            }
        }
    }
    printf("ends: %lld pairs\n", (long long)asked);
}

/*
 * Costs up to 1,000, as often of each magnitude: a search takes the square of what they look back.
 */
static rhomb_scoring draw_scoring(rng *r)
{
    static const int64_t MOST[] = {12, 30, 100, 300, 1000};
    const int64_t most = MOST[rng_below(r, COUNT(MOST))];
    rhomb_scoring s = {0, rng_between(r, 1, most), 0, rng_between(r, 1 + most / 50, most), -1, -1};
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
    int64_t asked = 0;
    for (int64_t i = 0; i < sets; i++) {
        rng r = rng_for("random costs of batches", i);
        const rhomb_scoring scoring = draw_scoring(&r);
        batch_set s;
        if (!batch_set_of(&scoring, &s))
            continue;
        printf("%s\n", s.set.text);
        for (int64_t k = 0; k < pairs; k++, asked++)
            ask_near(&s, (int)(k % ENDS), rng_between(&r, -2, s.look + 2), k, false);
    }
    printf("random: %lld pairs, %lld sets of costs\n", (long long)asked, (long long)sets);
    assert_true(asked > 0);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest TESTS[] = {cmocka_unit_test(test_ends),
                                              cmocka_unit_test(test_random)};
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    amount_from(argc, argv, 2);
    if (!align_score_open(&asker))
        return 77;
    const int failures = cmocka_run_group_tests(TESTS, NULL, NULL);
    align_score_close(&asker);
    return failures != 0;
}
