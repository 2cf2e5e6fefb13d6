/* SPDX-License-Identifier: MIT */
/*
 * Scorings: what users write and every error in it, the costs of each preset, and against brute
 * force what follows from costs: pieces, gaps, bounds on costs and diagonals, scores.
 */
#include "src/base/int64.h"
#include "src/scoring/costs.h"
#include "src/strips/strips.h"
#include "support/rng.h"
#include "support/test.h"

/* Largest gaps here. */
enum { LONGEST = 200 };

static rhomb_scoring parsed(const char *text)
{
    rhomb__error error = {RHOMB_OK, NULL, ""};
    rhomb_scoring scoring;
    if (rhomb__scoring_parse(&error, text, &scoring) != RHOMB_OK)
        fail_msg("%s: %s", text, rhomb__error_text(&error));
    return scoring;
}

static rhomb__costs costs_of(const rhomb_scoring *scoring)
{
    rhomb__error error = {RHOMB_OK, NULL, ""};
    rhomb__costs costs;
    if (rhomb__costs_of(&error, scoring, &costs) != RHOMB_OK)
        fail_msg("%s", rhomb__error_text(&error));
    return costs;
}

static rhomb__costs costs_for(const char *text)
{
    const rhomb_scoring scoring = parsed(text);
    return costs_of(&scoring);
}

static void test_forms(void **state)
{
    static const struct {
        const char *text;
        rhomb_scoring scoring;
    } forms[] = {
        {"edit", RHOMB_SCORING_EDIT},
        {"wfa", {0, 4, 6, 2, -1, -1, NULL}},
        {"asm5", {1, 19, 39, 3, 81, 1, NULL}},
        {"asm10", {1, 9, 16, 2, 41, 1, NULL}},
        {"asm20", {1, 4, 6, 2, 26, 1, NULL}},
        {"map-ont", {2, 4, 4, 2, 24, 1, NULL}},
        {"affine:4,6,2", {0, 4, 6, 2, -1, -1, NULL}},
        {"affine:1,0,1", {0, 1, 0, 1, -1, -1, NULL}},
        {"affine:007,00,1", {0, 7, 0, 1, -1, -1, NULL}},
        {"affine:1099511627776,1099511627776,1099511627776",
         {0, INT64_C(1) << 40, INT64_C(1) << 40, INT64_C(1) << 40, -1, -1, NULL}},
        {"affine2p:5,8,2,24,1", {0, 5, 8, 2, 24, 1, NULL}},
        {"match:2,4,4,2", {2, 4, 4, 2, -1, -1, NULL}},
        {"match:2,4,4,2,24,1", {2, 4, 4, 2, 24, 1, NULL}},
        {"match:1,0,0,0", {1, 0, 0, 0, -1, -1, NULL}},
        {"match:0,4,6,2", {0, 4, 6, 2, -1, -1, NULL}},
        {"match:2,4,4,2,24,0", {2, 4, 4, 2, 24, 0, NULL}},
    };
    for (size_t i = 0; i < COUNT(forms); i++) {
        const rhomb_scoring scoring = parsed(forms[i].text), *expected = &forms[i].scoring;
        if (memcmp(&scoring, expected, sizeof scoring) != 0)
            fail_msg("%s", forms[i].text);
    }
}

static void test_bad_texts(void **state)
{
    static const struct {
        const char *text;
        const char *detail;
    } bad[] = {
        {"", "scoring '' is not edit, wfa, asm5, asm10, asm20, map-ont, affine:X,O,E, "
             "affine2p:X,O1,E1,O2,E2, match:A,B,O,E[,O2,E2] or matrix:NAME,O,E[,O2,E2]"},
        {"asm", "scoring 'asm' is not edit, wfa"},
        {"Edit", "scoring 'Edit' is not edit, wfa"},
        {"edit ", "scoring 'edit ' is not edit"},
        {"edits", "scoring 'edits' is not edit"},
        {"4,6,2", "scoring '4,6,2' is not edit"},
        {":4,6,2", "scoring ':4,6,2' is not edit"},
        {"linear:4,6,2", "scoring 'linear:4,6,2' is not edit"},
        {"edit:1", "scoring 'edit:1': edit takes no values"},
        {"asm5:", "scoring 'asm5:': asm5 takes no values"},
        {"affine", "scoring 'affine' needs values: affine:X,O,E"},
        {"affine:", "scoring 'affine:' needs values: affine:X,O,E"},
        {"affine:4", "scoring 'affine:4' has 1 value, and needs X,O,E"},
        {"affine:4,6", "scoring 'affine:4,6' has 2 values, and needs X,O,E"},
        {"affine:4,6,2,1", "scoring 'affine:4,6,2,1' has 4 values, and needs X,O,E"},
        {"affine:4,6,2,1,1,1,1,1",
         "scoring 'affine:4,6,2,1,1,1,1,1' has 8 values, and needs X,O,E"},
        {"affine2p:5,8,2", "scoring 'affine2p:5,8,2' has 3 values, and needs X,O1,E1,O2,E2"},
        {"affine2p:5,8,2,24", "scoring 'affine2p:5,8,2,24' has 4 values"},
        {"match:2,4,4", "scoring 'match:2,4,4' has 3 values, and needs A,B,O,E[,O2,E2]"},
        {"match:2,4,4,2,24",
         "scoring 'match:2,4,4,2,24' has only half of a second piece: A,B,O,E[,O2,E2]"},
        {"match:2,4,4,2,24,1,1", "scoring 'match:2,4,4,2,24,1,1' has 7 values"},
        {"affine:4,x,2", "scoring: 'x' is not a whole number"},
        {"affine:4,,2", "scoring: '' is not a whole number"},
        {"affine:4,6,", "scoring: '' is not a whole number"},
        {"affine:4,6, 2", "scoring: ' 2' is not a whole number"},
        {"affine:4,6,+2", "scoring: '+2' is not a whole number"},
        {"affine:4,6,-", "scoring: '-' is not a whole number"},
        {"affine:4,6,0.5", "scoring: '0.5' is not a whole number"},
        {"affine:4,6,2K", "scoring: '2K' is not a whole number"},
        {"affine:4:6:2", "scoring: '4:6:2' is not a whole number"},
        {"affine:-4,6,2", "scoring: '-4' is negative"},
        {"affine:4,-6,2", "scoring: '-6' is negative"},
        {"match:2,4,4,2,-1,-1", "scoring: '-1' is negative"},
        {"affine:0,6,2", "scoring: a mismatch has to cost something without a match score"},
        {"match:0,0,6,2", "scoring: a mismatch has to cost something without a match score"},
        {"affine:4,6,0", "scoring: a gap extension of 0, so that a base of a gap costs nothing, "
                         "needs a match score"},
        {"affine2p:4,6,2,24,0", "scoring: a gap extension of 0"},
        {"affine2p:4,6,0,24,1", "scoring: a gap extension of 0"},
        {"match:2,4,4,2,0,0", "scoring: the second piece of gaps has no opening and no extension"},
        {"affine:1099511627777,0,1", "scoring: the mismatch is more than 2^40"},
        {"affine:1,1099511627777,1", "scoring: the gap opening is more than 2^40"},
        {"affine:1,1,99999999999999999999999999", "scoring: the gap extension is more than 2^40"},
        {"match:1099511627777,1,1,1", "scoring: the match score is more than 2^40"},
        {"affine2p:1,1,1,1099511627777,1", "scoring: the second gap opening is more than 2^40"},
        {"affine2p:1,1,1,1,1099511627777", "scoring: the second gap extension is more than 2^40"},
    };
    const rhomb_scoring before = {7, 7, 7, 7, 7, 7, NULL};
    for (size_t i = 0; i < COUNT(bad); i++) {
        rhomb__error error = {RHOMB_OK, NULL, ""};
        rhomb_scoring scoring = before;
        if (rhomb__scoring_parse(&error, bad[i].text, &scoring) != RHOMB_ERR_ARGUMENT)
            fail_msg("'%s' is taken", bad[i].text);
        if (strncmp(rhomb__error_text(&error), bad[i].detail, strlen(bad[i].detail)) != 0)
            fail_msg("'%s': no \"%s\" in \"%s\"", bad[i].text, bad[i].detail,
                     rhomb__error_text(&error));
        assert_memory_equal(&scoring, &before, sizeof before);
    }
}

/* Structures that no text gives. */
static void test_bad_structures(void **state)
{
    static const struct {
        rhomb_scoring scoring;
        const char *detail;
    } bad[] = {
        {{-1, 4, 6, 2, -1, -1, NULL}, "scoring: the match score is negative, -1"},
        {{0, -1, 6, 2, -1, -1, NULL}, "scoring: the mismatch is negative, -1"},
        {{0, 4, -1, 2, -1, -1, NULL}, "scoring: the gap opening is negative, -1"},
        {{2, 4, 6, -1, -1, -1, NULL}, "scoring: the gap extension is negative, -1"},
        {{0, 4, 6, 2, 24, -1, NULL}, "scoring: a second piece of gaps needs both"},
        {{0, 4, 6, 2, -1, 1, NULL}, "scoring: a second piece of gaps needs both"},
        {{2, 4, 6, 2, -2, 1, NULL}, "scoring: the second gap opening is negative, -2"},
        {{2, 4, 6, 2, 24, -2, NULL}, "scoring: the second gap extension is negative, -2"},
        {{0, 4, 6, 2, 0, 0, NULL},
         "scoring: the second piece of gaps has no opening and no extension"},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        rhomb__error error = {RHOMB_OK, NULL, ""};
        rhomb__costs costs;
        assert_true(rhomb__costs_of(&error, &bad[i].scoring, &costs) == RHOMB_ERR_ARGUMENT);
        if (strncmp(rhomb__error_text(&error), bad[i].detail, strlen(bad[i].detail)) != 0)
            fail_msg("no \"%s\" in \"%s\"", bad[i].detail, rhomb__error_text(&error));
    }
}

static void test_costs(void **state)
{
    /* mismatch, pieces, openings, extensions, unit, match, doubled, replaced */
    static const struct {
        const char *text;
        rhomb__costs costs;
    } known[] = {
        {"edit", {1, 1, {0, 0}, {1, 0}, 1, 0, 1, false, NULL}},
        {"wfa", {2, 1, {3, 0}, {1, 0}, 2, 0, 1, false, NULL}},
        {"asm5", {40, 2, {78, 162}, {7, 3}, 1, 1, 2, false, NULL}},
        {"asm10", {20, 2, {32, 82}, {5, 3}, 1, 1, 2, false, NULL}},
        {"asm20", {10, 2, {12, 52}, {5, 3}, 1, 1, 2, false, NULL}},
        {"map-ont", {6, 2, {4, 24}, {3, 2}, 1, 2, 1, false, NULL}},
        {"affine2p:5,8,2,24,1", {5, 2, {8, 24}, {2, 1}, 1, 0, 1, false, NULL}},
        {"affine2p:5,24,1,8,2", {5, 2, {8, 24}, {2, 1}, 1, 0, 1, false, NULL}},
        {"affine:2,0,2", {1, 1, {0, 0}, {1, 0}, 2, 0, 1, false, NULL}},
        {"affine:6,0,3", {2, 1, {0, 0}, {1, 0}, 3, 0, 1, false, NULL}},
        {"affine:9,0,3", {2, 1, {0, 0}, {1, 0}, 3, 0, 1, true, NULL}},
        {"affine:100,6,2", {8, 1, {3, 0}, {1, 0}, 2, 0, 1, true, NULL}},
        {"affine:17,6,2", {8, 1, {3, 0}, {1, 0}, 2, 0, 1, true, NULL}},
        {"affine:15,6,2", {15, 1, {6, 0}, {2, 0}, 1, 0, 1, false, NULL}},
        {"match:2,0,0,1", {1, 1, {0, 0}, {1, 0}, 2, 2, 1, false, NULL}},
        {"match:2,4,4,2", {6, 1, {4, 0}, {3, 0}, 1, 2, 1, false, NULL}},
        {"match:1,4,6,2", {10, 1, {12, 0}, {5, 0}, 1, 1, 2, false, NULL}},
        {"match:1,0,0,0", {2, 1, {0, 0}, {1, 0}, 1, 1, 2, false, NULL}},
        {"affine2p:4,6,2,6,2", {2, 1, {3, 0}, {1, 0}, 2, 0, 1, false, NULL}},
        {"affine2p:4,6,2,6,3", {2, 1, {3, 0}, {1, 0}, 2, 0, 1, false, NULL}},
        {"affine2p:4,6,3,6,2", {2, 1, {3, 0}, {1, 0}, 2, 0, 1, false, NULL}},
        {"affine2p:4,7,1,6,2", {4, 1, {7, 0}, {1, 0}, 1, 0, 1, false, NULL}},
        {"affine2p:4,8,1,6,2", {4, 2, {6, 8}, {2, 1}, 1, 0, 1, false, NULL}},
        {"affine2p:4,6,2,7,5", {2, 1, {3, 0}, {1, 0}, 2, 0, 1, false, NULL}},
        {"affine2p:4,0,2,99999,1", {4, 2, {0, 99999}, {2, 1}, 1, 0, 1, false, NULL}},
    };
    for (size_t i = 0; i < COUNT(known); i++) {
        const rhomb__costs costs = costs_for(known[i].text), *expected = &known[i].costs;
        if (costs.mismatch != expected->mismatch || costs.pieces != expected->pieces ||
            memcmp(costs.open, expected->open, sizeof costs.open) != 0 ||
            memcmp(costs.extend, expected->extend, sizeof costs.extend) != 0 ||
            costs.unit != expected->unit || costs.match != expected->match ||
            costs.doubled != expected->doubled || costs.replaced != expected->replaced)
            fail_msg("%s: mismatch %d, %d pieces, openings %d and %d, extensions %d and %d, unit "
                     "%d, match %d, doubled %d, %sreplaced",
                     known[i].text, (int)costs.mismatch, (int)costs.pieces, (int)costs.open[0],
                     (int)costs.open[1], (int)costs.extend[0], (int)costs.extend[1],
                     (int)costs.unit, (int)costs.match, (int)costs.doubled,
                     costs.replaced ? "" : "not ");
        const bool is_edit = costs.mismatch == 1 && costs.pieces == 1 && costs.open[0] == 0;
        assert_int_equal(rhomb__costs_are_edit(&costs), is_edit);
    }
    const rhomb__costs edit = rhomb__costs_edit(), read = costs_for("edit");
    assert_memory_equal(edit.extend, read.extend, sizeof edit.extend);
    assert_true(rhomb__costs_are_edit(&edit) && edit.unit == read.unit);
    assert_true(edit.pieces == 1 && edit.doubled == 1 && edit.match == 0);
    /* The last base of a long gap. */
    const rhomb__costs ont = costs_for("map-ont"), wfa = costs_for("wfa");
    assert_true(rhomb__costs_least_extend(&ont) == 2);
    assert_true(rhomb__costs_least_extend(&wfa) == 1);
}

/* The penalty of a gap as its definition has it. */
static int64_t gap_penalty(const rhomb_scoring *scoring, int64_t bases)
{
    const int64_t doubled = scoring->match % 2 != 0 ? 2 : 1;
    int64_t penalty = scoring->gap_open + bases * scoring->gap_extend;
    if (scoring->gap_open_2 >= 0)
        penalty = rhomb__min(penalty, scoring->gap_open_2 + bases * scoring->gap_extend_2);
    return bases == 0 ? 0 : doubled * penalty + doubled * scoring->match * bases / 2;
}

static int64_t mismatch_penalty(const rhomb_scoring *scoring)
{
    const int64_t doubled = scoring->match % 2 != 0 ? 2 : 1;
    return rhomb__min(doubled * (scoring->match + scoring->mismatch), 2 * gap_penalty(scoring, 1));
}

static int64_t divisor(int64_t a, int64_t b)
{
    return b == 0 ? a : divisor(b, a % b);
}

/* The properties of costs, for gaps up to LONGEST. */
static void check_costs(const rhomb_scoring *scoring)
{
    const rhomb__costs costs = costs_of(scoring);
    bool is_least[2] = {false, false};
    int64_t common = costs.mismatch;
    for (int64_t k = 0; k <= LONGEST; k++) {
        assert_true(rhomb__costs_gap(&costs, k) * costs.unit == gap_penalty(scoring, k));
        const int64_t first = costs.open[0] + k * costs.extend[0];
        const int64_t second = costs.open[1] + k * costs.extend[1];
        is_least[0] = is_least[0] || (k > 0 && (costs.pieces == 1 || first < second));
        is_least[1] = is_least[1] || (costs.pieces == 2 && k > 0 && second < first);
    }
    assert_true(costs.mismatch * costs.unit == mismatch_penalty(scoring));
    assert_true(is_least[0] && is_least[1] == (costs.pieces == 2));
    if (costs.pieces == 2)
        assert_true(costs.extend[0] > costs.extend[1] &&
                    costs.open[0] + costs.extend[0] < costs.open[1] + costs.extend[1]);
    for (int i = 0; i < costs.pieces; i++) {
        assert_true(costs.extend[i] > 0);
        common = divisor(divisor(common, costs.open[i]), costs.extend[i]);
    }
    assert_true(common == 1);
}

static void test_pieces(void **state)
{
    enum { OPENINGS = 9, EXTENSIONS = 6 };
    for (int64_t i = 0; i < OPENINGS * EXTENSIONS; i++) {
        for (int64_t j = 0; j < OPENINGS * EXTENSIONS; j++) {
            rhomb_scoring s = {.mismatch = 1 + (i + j) % 7,
                               .gap_open = 2 * (i % OPENINGS),
                               .gap_extend = 1 + i / OPENINGS,
                               .gap_open_2 = 3 * (j % OPENINGS),
                               .gap_extend_2 = 1 + j / OPENINGS};
            check_costs(&s);
            s.match = 1 + (i + 2 * j) % 4;
            check_costs(&s);
            s.gap_open_2 = s.gap_extend_2 = -1;
            check_costs(&s);
            s.match = 0;
            check_costs(&s);
        }
    }
}

/* Scorings of all kinds, with small values. */
static rhomb__costs random_costs(rng *r)
{
    rhomb_scoring s = {rng_chance(r, 0.5) ? rng_between(r, 0, 4) : 0,
                       rng_between(r, 1, 12),
                       rng_between(r, 0, 20),
                       rng_between(r, 1, 6),
                       -1,
                       -1,
                       NULL};
    if (rng_chance(r, 0.6)) {
        s.gap_open_2 = rng_between(r, 0, 90);
        s.gap_extend_2 = rng_between(r, 1, 4);
    }
    return costs_of(&s);
}

static void test_beside(void **state)
{
    enum { SCORINGS = 300, DIAGONALS = 40, MOST_HALF_WIDTH = 30 };
    for (int64_t i = 0; i < SCORINGS; i++) {
        rng r = rng_for("scoring_beside", i);
        const rhomb__costs c = i == 0 ? rhomb__costs_edit() : random_costs(&r);
        const int64_t end = rng_between(&r, -DIAGONALS, DIAGONALS), length = llabs(end);
        int64_t beside = -1;
        const int64_t most =
            rhomb__costs_gap(&c, MOST_HALF_WIDTH) + rhomb__costs_gap(&c, MOST_HALF_WIDTH + length);
        for (int64_t bound = -3; bound < most; bound++) {
            while (rhomb__costs_gap(&c, beside + 1) + rhomb__costs_gap(&c, beside + 1 + length) <=
                   bound)
                beside++;
            assert_true(rhomb__costs_half_width(&c, end, bound) == beside);
            assert_true(beside < 0 || rhomb__costs_bound(&c, end, beside) >= bound);
            assert_true(beside < 1 || rhomb__costs_bound(&c, end, beside - 1) < bound);
        }
    }
    const rhomb__costs edit = rhomb__costs_edit(), wfmash = costs_for("affine2p:5,8,2,24,1");
    const int64_t large = INT64_C(1) << 58;
    assert_true(rhomb__costs_half_width(&edit, -5, large + 5) == large / 2);
    assert_true(rhomb__costs_bound(&edit, 7, large) == 2 * large + 8);
    assert_true(rhomb__costs_half_width(&wfmash, 0, large) == (large - 48) / 2);
}

/* The least and the most that a best path can cost, of all numbers of mismatches. */
static void test_most_and_least(void **state)
{
    enum { SCORINGS = 3000, BASES = 60 };
    for (int64_t i = 0; i < SCORINGS; i++) {
        rng r = rng_for("scoring_most", i);
        const rhomb__costs c = i == 0 ? rhomb__costs_edit() : random_costs(&r);
        const int64_t n = rng_between(&r, 0, BASES), m = rng_between(&r, 0, BASES);
        int64_t most = INT64_MAX;
        for (int64_t mismatches = 0; mismatches <= rhomb__min(n, m); mismatches++)
            most = rhomb__min(most, mismatches * c.mismatch + rhomb__costs_gap(&c, n - mismatches) +
                                        rhomb__costs_gap(&c, m - mismatches));
        assert_true(rhomb__costs_most(&c, n, m) == most);
        assert_true(rhomb__costs_least(&c, n, m) == rhomb__costs_gap(&c, llabs(n - m)));
        assert_true(rhomb__costs_fit(&c, n, m));
        if (i == 0)
            assert_true(most == rhomb__max(n, m) && rhomb__costs_least(&c, n, m) == llabs(n - m));
    }
}

static void test_fit(void **state)
{
    const int64_t longest = INT64_C(1) << 56, many = INT64_C(1) << 40;
    const rhomb__costs edit = rhomb__costs_edit(), wfa = costs_for("wfa");
    const rhomb__costs asm5 = costs_for("asm5");
    const rhomb__costs scaled = costs_for("affine:1099511627776,0,1099511627776");
    const rhomb__costs large = costs_for("affine2p:1099511627776,1099511627776,1099511627775,"
                                         "1099511627776,1099511627774");
    assert_true(rhomb__costs_fit(&edit, longest, longest));
    assert_true(rhomb__costs_fit(&edit, longest, 0));
    assert_true(rhomb__costs_fit(&asm5, longest / 64, longest / 64));
    assert_true(rhomb__costs_fit(&wfa, longest, longest));
    assert_false(rhomb__costs_fit(&asm5, longest, longest));
    assert_false(rhomb__costs_fit(&edit, INT64_MAX, INT64_MAX));
    assert_true(rhomb__costs_are_edit(&scaled) && scaled.unit == many);
    assert_true(rhomb__costs_fit(&scaled, 300000, 300000));
    assert_false(rhomb__costs_fit(&scaled, many, 1));
    assert_false(rhomb__costs_fit(&scaled, 1, longest));
    assert_true(rhomb__costs_fit(&large, 100000, 100000) && large.pieces == 1);
    assert_false(rhomb__costs_fit(&large, many, many));
    assert_false(rhomb__costs_fit(&large, longest, longest));
}

/* A * matches - B * mismatches - gaps of an alignment against the score of its penalty. */
static void test_score(void **state)
{
    enum { ALIGNMENTS = 5000 };
    for (int64_t i = 0; i < ALIGNMENTS; i++) {
        rng r = rng_for("scoring_score", i);
        const rhomb_scoring s = {rng_between(&r, 1, 5),
                                 rng_between(&r, 0, 9),
                                 rng_between(&r, 0, 9),
                                 rng_between(&r, 0, 3),
                                 -1,
                                 -1,
                                 NULL};
        const rhomb__costs c = costs_of(&s);
        const int64_t doubled = s.match % 2 != 0 ? 2 : 1;
        const int64_t matches = rng_between(&r, 0, 99), mismatches = rng_between(&r, 0, 20);
        int64_t n = matches + mismatches, m = n,
                score = s.match * matches - s.mismatch * mismatches;
        int64_t penalty = mismatches * doubled * (s.match + s.mismatch);
        for (int64_t gap = rng_between(&r, 0, 4); gap > 0; gap--) {
            const int64_t bases = rng_between(&r, 1, 30);
            *(rng_chance(&r, 0.5) ? &n : &m) += bases;
            score -= s.gap_open + bases * s.gap_extend;
            penalty += gap_penalty(&s, bases);
        }
        assert_true(rhomb__costs_score(&c, n, m, penalty) == score);
    }
    const rhomb__costs asm5 = costs_for("asm5");
    assert_true(rhomb__costs_score(&asm5, 10, 10, 40) == 9 - 19);
    assert_true(rhomb__costs_score(&asm5, 10, 0, 78 + 70) == -39 - 30);
    assert_true(rhomb__costs_score(&asm5, INT64_C(1) << 50, INT64_C(1) << 50, 0) == INT64_C(1)
                                                                                        << 50);
}

/* Operation by operation, and the whole path's, which the penalty gives as well. */
static void test_op_score(void **state)
{
#define OP(length, code) ((rhomb_path_op)(length) << 4 | RHOMB_CIGAR_##code)
    const rhomb_scoring asm5 = parsed("asm5"), wfa = parsed("wfa"), edit = parsed("edit");
    const rhomb_path_op path[] = {OP(100, EQ), OP(2, X), OP(30, I), OP(7, EQ), OP(5, D), OP(1, EQ)};
    const int64_t scores[] = {100, -38, -111, 7, -54, 1}; /* 30 bases: 81 + 30, 5: 39 + 15 */
    const rhomb__costs costs = costs_of(&asm5);
    const int64_t penalty = 2 * 2 * 20 + 2 * 54 + 5 + 2 * 111 + 30;
    int64_t score = 0;
    for (size_t i = 0; i < COUNT(path); i++) {
        assert_int_equal(rhomb_scoring_op_score(&asm5, path[i]), scores[i]);
        score += scores[i];
    }
    assert_int_equal(rhomb__costs_score(&costs, 115, 140, penalty), score);
    assert_int_equal(rhomb_scoring_op_score(&wfa, OP(9, EQ)), 0);
    assert_int_equal(rhomb_scoring_op_score(&wfa, OP(9, X)), -36);
    assert_int_equal(rhomb_scoring_op_score(&wfa, OP(9, D)), -24);
    assert_int_equal(rhomb_scoring_op_score(&edit, OP(9, I)), -9);
    assert_int_equal(rhomb_scoring_op_score(&edit, OP(9, M)), 0);
    assert_int_equal(rhomb_scoring_op_score(&wfa, OP(0, I)), 0);
    const rhomb_scoring large = {INT64_C(1) << 40, 1, 1, INT64_C(1) << 40, -1, -1, NULL};
    assert_int_equal(rhomb_scoring_op_score(&large, OP(1 << 20, EQ)), INT64_C(1) << 60);
    assert_int_equal(rhomb_scoring_op_score(&large, OP(INT64_C(1) << 59, EQ)), INT64_C(1) << 62);
    assert_int_equal(rhomb_scoring_op_score(&large, OP(INT64_C(1) << 59, D)), -(INT64_C(1) << 62));
    assert_true(rhomb__scoring_fits(&large, (1 << 20) - 2));
    assert_false(rhomb__scoring_fits(&large, 1 << 20));
    assert_true(rhomb__scoring_fits(&large, 0));
}

TEST_MAIN(test_forms, test_bad_texts, test_bad_structures, test_costs, test_pieces, test_beside,
          test_most_and_least, test_fit, test_score, test_op_score)
