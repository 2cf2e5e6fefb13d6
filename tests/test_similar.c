/* SPDX-License-Identifier: MIT */
/*
 * Similar segments (rhomb/similar.h) of random paths, forward and backward, against their
 * definition, which looks at all pairs of points; and what is said of some paths by name.
 */
#include "rhomb/similar.h"

#include "support/rng.h"
#include "support/test.h"

enum { MOST = 120, CASES = 40000 };

typedef struct walk {
    rhomb_path_op ops[MOST];
    int count;
} walk;

static rhomb_path_op op_of(unsigned code, int64_t length)
{
    return (rhomb_path_op)length << 4 | code;
}

/* Whether each operation is similar. */
static void follow(const walk *w, double least, bool *out)
{
    rhomb_similar s = rhomb_similar_begin(least);
    int known = 0;
    for (int i = 0; i <= w->count; i++) {
        const rhomb_similar_part part =
            i < w->count ? rhomb_similar_add(&s, w->ops[i]) : rhomb_similar_end(&s);
        const int end = i < w->count ? i + 1 : i;
        for (; part != RHOMB_SIMILAR_OPEN && known < end; known++)
            out[known] = part == RHOMB_SIMILAR_YES;
    }
    assert_int_equal(known, w->count);
}

static int64_t gain_of(const rhomb_similar *s, rhomb_path_op op)
{
    const int64_t length = (int64_t)RHOMB_CIGAR_LENGTH(op);
    int64_t doublings = 1;
    if (RHOMB_CIGAR_CODE(op) == RHOMB_CIGAR_EQ)
        return s->match * length;
    if (RHOMB_CIGAR_CODE(op) == RHOMB_CIGAR_X)
        return -s->mismatch * length;
    while (length >= INT64_C(1) << doublings)
        doublings++;
    return -s->mismatch * doublings;
}

/* Whether the score falls by more than X between two of the points from `begin` to `end`. */
static bool falls(const int64_t *score, int begin, int end, int64_t turn)
{
    int64_t high = score[begin];
    bool found = false;
    for (int i = begin; i <= end; i++) {
        high = score[i] > high ? score[i] : high;
        found = found || high - score[i] > turn;
    }
    return found;
}

/* Marks the segments that begin at a point. */
static void mark_from(const int64_t *score, int count, int begin, int64_t turn, bool *out)
{
    int64_t high = score[begin];
    for (int end = begin; end <= count && score[end] >= score[begin]; end++) {
        high = score[end] > high ? score[end] : high;
        if (high - score[end] > turn)
            return;
        for (int i = begin; score[end] == high && high - score[begin] >= turn && i < end; i++)
            out[i] = true;
    }
}

/* Whether all points lie less than X / 2 below `from` (sign 1) or above it (-1). */
static bool is_near(const int64_t *score, int begin, int end, int64_t from, int sign, int64_t turn)
{
    bool near = !falls(score, begin, end, turn);
    for (int i = begin; i <= end; i++)
        near = near && 2 * sign * (from - score[i]) <= turn;
    return near;
}

static void define(const walk *w, double least, bool *out)
{
    const rhomb_similar s = rhomb_similar_begin(least);
    int64_t score[MOST + 1] = {0};
    int first = 0, last = w->count;
    for (int i = 0; i < w->count; i++) {
        score[i + 1] = score[i] + gain_of(&s, w->ops[i]);
        out[i] = false;
    }
    for (int i = 0; i <= w->count; i++)
        mark_from(score, w->count, i, s.turn, out);
    while (first < w->count && !out[first])
        first++;
    while (last > 0 && !out[last - 1])
        last--;
    const bool begins = is_near(score, 0, first, 0, 1, s.turn);
    const bool ends = is_near(score, last, w->count, score[w->count], -1, s.turn);
    if (last == 0) {
        for (int i = 0; i < w->count; i++)
            out[i] = begins && is_near(score, 0, w->count, score[w->count], -1, s.turn) &&
                     score[w->count] >= 0;
        return;
    }
    for (int i = 0; i < first; i++)
        out[i] = begins;
    for (int i = last; i < w->count; i++)
        out[i] = ends;
}

/* Runs of matches between differences, with stretches that are more or less alike. */
static walk draw(rng *r)
{
    static const unsigned CODES[] = {RHOMB_CIGAR_X, RHOMB_CIGAR_X, RHOMB_CIGAR_I, RHOMB_CIGAR_D};
    walk w = {.count = (int)rng_below(r, MOST + 1)};
    int64_t matches = 1;
    bool other = rng_chance(r, 0.5);
    for (int i = 0; i < w.count; i++, other = !other) {
        if (rng_chance(r, 0.1))
            matches = INT64_C(1) << rng_below(r, 9);
        w.ops[i] =
            other ? op_of(CODES[rng_below(r, 4)], rng_between(r, 1, rng_chance(r, 0.1) ? 5000 : 3))
                  : op_of(RHOMB_CIGAR_EQ, rng_between(r, 1, matches));
    }
    return w;
}

/* The identity of what is similar, gaps counted once. */
static void check_identity(const walk *w, double least, const bool *similar)
{
    int64_t matches = 0, events = 0;
    for (int i = 0; i <= w->count; i++) {
        if (i == w->count || !similar[i]) {
            assert_true((double)matches + 1e-6 >= least * (double)(matches + events));
            matches = events = 0;
        } else if (RHOMB_CIGAR_CODE(w->ops[i]) == RHOMB_CIGAR_EQ) {
            matches += (int64_t)RHOMB_CIGAR_LENGTH(w->ops[i]);
        } else {
            events += RHOMB_CIGAR_CODE(w->ops[i]) == RHOMB_CIGAR_X
                          ? (int64_t)RHOMB_CIGAR_LENGTH(w->ops[i])
                          : 1;
        }
    }
}

static void test_like_the_definition(void **state)
{
    static const double LEAST[] = {0.5, 0.7, 0.8, 0.8, 0.9, 0.99, 0.9999, 0.0001};
    int64_t turns = 0;
    for (int64_t i = 0; i < CASES; i++) {
        rng r = rng_for("similar", i);
        const double least = LEAST[rng_below(&r, (int64_t)COUNT(LEAST))];
        const walk w = draw(&r);
        walk back = {.count = w.count};
        bool wanted[MOST], got[MOST], backward[MOST];
        for (int k = 0; k < w.count; k++)
            back.ops[k] = w.ops[w.count - 1 - k];
        define(&w, least, wanted);
        follow(&w, least, got);
        follow(&back, least, backward);
        for (int k = 0; k < w.count; k++) {
            turns += k > 0 && wanted[k] != wanted[k - 1];
            if (got[k] != wanted[k] || backward[w.count - 1 - k] != wanted[k])
                fail_msg("case %" PRId64 ", least identity %g, operation %d of %d: wanted %d, got "
                         "%d, backwards %d",
                         i, least, k, w.count, wanted[k], got[k], backward[w.count - 1 - k]);
        }
        check_identity(&w, least, got);
    }
    print_message("%" PRId64 " turns\n", turns);
    assert_true(turns > CASES / 4);
}

/* Paths of at most four operations, and which of them are similar, at 80 %. */
static void test_by_name(void **state)
{
    enum { EQ = RHOMB_CIGAR_EQ, X = RHOMB_CIGAR_X, I = RHOMB_CIGAR_I, D = RHOMB_CIGAR_D };
    static const struct {
        int64_t ops[8]; /* code, length */
        const char *similar;
    } CASES_BY_NAME[] = {
        {{0}, ""},
        {{EQ, 4}, "1"},
        {{X, 1}, "0"},
        {{EQ, 4, X, 1, EQ, 4}, "111"},
        {{EQ, 1, X, 1, EQ, 1}, "000"},
        /* A SNP near an end, and tails of random sequence. */
        {{EQ, 1, X, 1, EQ, 500}, "111"},
        {{X, 12, EQ, 500, X, 12}, "111"},
        {{X, 13, EQ, 500, X, 13}, "010"},
        /* Differences between similar sequence: a fall of 20 is one, more is not. */
        {{EQ, 500, X, 25, EQ, 500}, "111"},
        {{EQ, 500, X, 26, EQ, 500}, "101"},
        {{EQ, 500, X, 26, EQ, 99}, "100"},
        /* Gaps alone, in one piece, of any length. */
        {{EQ, 500, D, 1000000, EQ, 500}, "111"},
        {{EQ, 500, I, 1000000, D, 1000000, EQ, 500}, "1001"},
        {{D, INT64_C(1) << 59, EQ, INT64_C(1) << 59}, "01"},
    };
    for (size_t i = 0; i < COUNT(CASES_BY_NAME); i++) {
        walk w = {.count = (int)strlen(CASES_BY_NAME[i].similar)};
        bool got[MOST];
        for (int k = 0; k < w.count; k++)
            w.ops[k] =
                op_of((unsigned)CASES_BY_NAME[i].ops[2 * k], CASES_BY_NAME[i].ops[2 * k + 1]);
        follow(&w, 0, got);
        for (int k = 0; k < w.count; k++) {
            if (got[k] != (CASES_BY_NAME[i].similar[k] == '1'))
                fail_msg("path %zu, operation %d is %ssimilar", i, k, got[k] ? "" : "not ");
        }
    }
}

TEST_MAIN(test_like_the_definition, test_by_name)
