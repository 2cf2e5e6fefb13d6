/* SPDX-License-Identifier: MIT */
/*
 * Costs from a scoring, and what follows from them, see costs.h. Values of a scoring are at most
 * 2^40, so that everything here stays below 2^63 before lengths come in; rhomb__costs_fit() says
 * whether it does afterwards.
 */
#include "src/scoring/costs.h"

#include <string.h>

#include "cl/abi.h"
#include "src/base/int64.h"
#include "src/scoring/score_matrix.h"

#define MOST_VALUE (INT64_C(1) << 40)
#define MOST_COST  (INT64_C(1) << 60) /* and penalty, exclusive */

/* Far above any cost, and with room for another one. */
#define TOO_MUCH (INT64_C(1) << 62)

rhomb__costs rhomb__costs_edit(void)
{
    const rhomb__costs costs = {
        .mismatch = 1, .pieces = 1, .extend = {1, 0}, .unit = 1, .doubled = 1};
    return costs;
}

bool rhomb__costs_are_edit(const rhomb__costs *costs)
{
    return costs->matrix == NULL && costs->pieces == 1 && costs->mismatch == 1 &&
           costs->open[0] == 0 && costs->extend[0] == 1;
}

static bool has_second(const rhomb_scoring *scoring)
{
    return scoring->gap_open_2 != -1 || scoring->gap_extend_2 != -1;
}

/* Each value by itself. */
static rhomb_status check_values(rhomb__error *error, const rhomb_scoring *scoring)
{
    const struct {
        int64_t value;
        const char *what;
    } values[] = {
        {scoring->match, "the match score"},
        {scoring->mismatch, "the mismatch"},
        {scoring->gap_open, "the gap opening"},
        {scoring->gap_extend, "the gap extension"},
        {scoring->gap_open_2, "the second gap opening"},
        {scoring->gap_extend_2, "the second gap extension"},
    };
    const size_t count = has_second(scoring) ? 6 : 4;
    if (has_second(scoring) && (scoring->gap_open_2 == -1 || scoring->gap_extend_2 == -1))
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "scoring: a second piece of gaps needs both its opening and its "
                           "extension; without one both are -1");
    for (size_t i = 0; i < count; i++) {
        if (values[i].value < 0)
            return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "scoring: %s is negative, %lld",
                               values[i].what, (long long)values[i].value);
        if (values[i].value > MOST_VALUE)
            return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "scoring: %s is more than 2^40",
                               values[i].what);
    }
    return RHOMB_OK;
}

/* A matrix that can be, and what rhomb_scoring_set_matrix() has made of it. */
static rhomb_status check_matrix(rhomb__error *error, const rhomb_scoring *scoring)
{
    rhomb_scoring set = *scoring;
    const rhomb_status status = rhomb__matrix_check(error, scoring->matrix);
    if (status != RHOMB_OK)
        return status;
    rhomb_scoring_set_matrix(&set, scoring->matrix);
    if (set.match != scoring->match || set.mismatch != scoring->mismatch)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "scoring: with the matrix %s, match has to be %lld and mismatch %lld, "
                           "as rhomb_scoring_set_matrix() sets them",
                           scoring->matrix->name, (long long)set.match, (long long)set.mismatch);
    return RHOMB_OK;
}

/* Whether mismatches and gaps cost anything. With a match score they always do. */
static rhomb_status check_scoring(rhomb__error *error, const rhomb_scoring *scoring)
{
    rhomb_status status = check_values(error, scoring);
    if (status == RHOMB_OK && scoring->matrix != NULL)
        status = check_matrix(error, scoring);
    if (status != RHOMB_OK)
        return status;
    if (has_second(scoring) && scoring->gap_open_2 == 0 && scoring->gap_extend_2 == 0)
        return rhomb__fail(
            error, RHOMB_ERR_ARGUMENT,
            "scoring: the second piece of gaps has no opening and no extension, so that "
            "gaps cost nothing");
    if (scoring->match > 0)
        return RHOMB_OK;
    if (scoring->mismatch == 0 && scoring->matrix == NULL)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "scoring: a mismatch has to cost something without a match score");
    if (scoring->gap_extend == 0 || scoring->gap_extend_2 == 0)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "scoring: a gap extension of 0, so that a base of a gap costs nothing, "
                           "needs a match score");
    return RHOMB_OK;
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static void swap_pieces(rhomb__costs *costs)
{
    const int64_t open = costs->open[0], extend = costs->extend[0];
    costs->open[0] = costs->open[1];
    costs->extend[0] = costs->extend[1];
    costs->open[1] = open;
    costs->extend[1] = extend;
}

/*
 * Puts the piece that is the less for one base first. The other one is the less for some longer gap
 * if its extension is less, and else for none.
 */
static void order_pieces(rhomb__costs *costs)
{
    const int64_t first = costs->open[0] + costs->extend[0];
    const int64_t second = costs->open[1] + costs->extend[1];
    if (costs->pieces == 1)
        return;
    if (second < first || (second == first && costs->extend[1] < costs->extend[0]))
        swap_pieces(costs);
    if (costs->extend[1] >= costs->extend[0]) {
        costs->pieces = 1;
        costs->open[1] = costs->extend[1] = 0;
    }
}

/* Divides all costs by what they have in common. */
static void reduce(rhomb__costs *costs)
{
    int64_t unit = costs->mismatch;
    for (int i = 0; i < costs->pieces; i++)
        unit = common_divisor(common_divisor(unit, costs->open[i]), costs->extend[i]);
    costs->mismatch /= unit;
    for (int i = 0; i < costs->pieces; i++) {
        costs->open[i] /= unit;
        costs->extend[i] /= unit;
    }
    costs->unit = unit;
}

rhomb_status rhomb__costs_of(rhomb__error *error, const rhomb_scoring *scoring, rhomb__costs *costs)
{
    const rhomb_status status = check_scoring(error, scoring);
    if (status != RHOMB_OK)
        return status;
    const int64_t doubled = scoring->match % 2 != 0 ? 2 : 1;
    const int64_t half = doubled * scoring->match / 2; /* of a match, for each base of a gap */
    *costs = (rhomb__costs){.mismatch = doubled * (scoring->match + scoring->mismatch),
                            .pieces = has_second(scoring) ? 2 : 1,
                            .open = {doubled * scoring->gap_open, 0},
                            .extend = {doubled * scoring->gap_extend + half, 0},
                            .match = scoring->match,
                            .doubled = doubled,
                            .unit = 1,
                            .matrix = scoring->matrix};
    if (costs->pieces == 2) {
        costs->open[1] = doubled * scoring->gap_open_2;
        costs->extend[1] = doubled * scoring->gap_extend_2 + half;
    }
    order_pieces(costs);
    const int64_t two_gaps = 2 * rhomb__costs_gap(costs, 1);
    costs->replaced = costs->mismatch > two_gaps;
    costs->mismatch = rhomb__min(costs->mismatch, two_gaps);
    if (costs->matrix == NULL)
        reduce(costs);
    return RHOMB_OK;
}

rhomb_status rhomb__costs_refuse_matrix(rhomb__error *error, const rhomb_scoring *scoring,
                                        const char *what)
{
    if (scoring == NULL || scoring->matrix == NULL)
        return RHOMB_OK;
    return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "%s has no substitution matrix", what);
}

/* The product or TOO_MUCH; a >= 0, b > 0. */
static int64_t times(int64_t a, int64_t b)
{
    return a > TOO_MUCH / b ? TOO_MUCH : a * b;
}

/* The sum or TOO_MUCH, of what is at most TOO_MUCH. */
static int64_t plus(int64_t a, int64_t b)
{
    return a > TOO_MUCH - b ? TOO_MUCH : a + b;
}

int64_t rhomb__costs_score(const rhomb__costs *costs, int64_t n, int64_t m, int64_t penalty)
{
    const int64_t half = costs->doubled * costs->match / 2;
    return (half * (n + m) - penalty) / costs->doubled;
}

int64_t rhomb__costs_of_opening(const rhomb__costs *costs, int32_t gap)
{
    return gap == RHOMB_GAP_NONE ? 0 : costs->open[RHOMB_GAP_PIECE(gap)];
}

int64_t rhomb__costs_least_extend(const rhomb__costs *costs)
{
    return costs->extend[costs->pieces - 1];
}

/*
 * Mismatches alone and a gap for the rest, or no base opposite another. What a path between the two
 * costs is a concave function of its mismatches, so one of the ends is the least.
 */
int64_t rhomb__costs_most(const rhomb__costs *costs, int64_t n, int64_t m)
{
    const int64_t shorter = rhomb__min(n, m), longer = rhomb__max(n, m);
    const int64_t opposite = shorter * costs->mismatch + rhomb__costs_gap(costs, longer - shorter);
    return rhomb__min(opposite, rhomb__costs_gap(costs, n) + rhomb__costs_gap(costs, m));
}

/* A gap costs no more than two that are as long together. */
int64_t rhomb__costs_least(const rhomb__costs *costs, int64_t n, int64_t m)
{
    return rhomb__costs_gap(costs, rhomb__max(n, m) - rhomb__min(n, m));
}

/*
 * No path has more mismatches than the shorter sequence has bases, or gaps of more bases than both
 * have. The score is covered: half a match is part of what each base of a gap costs.
 */
bool rhomb__costs_fit(const rhomb__costs *costs, int64_t n, int64_t m)
{
    int64_t all = times(rhomb__min(n, m), costs->mismatch);
    for (int i = 0; i < costs->pieces; i++) {
        all = plus(all, times(n, costs->extend[i]));
        all = plus(all, times(m, costs->extend[i]));
        all = plus(all, 2 * costs->open[i]);
    }
    return times(all, costs->unit) < MOST_COST;
}

/* A value within the limits of every scoring. */
static int64_t within(int64_t value)
{
    return rhomb__max(0, rhomb__min(value, MOST_VALUE));
}

/* What a gap of that many bases takes from a score, or TOO_MUCH. */
static int64_t gap_of(const rhomb_scoring *s, int64_t bases)
{
    const int64_t first = plus(within(s->gap_open), times(within(s->gap_extend), bases));
    if (!has_second(s))
        return first;
    return rhomb__min(first, plus(within(s->gap_open_2), times(within(s->gap_extend_2), bases)));
}

int64_t rhomb_scoring_op_score(const rhomb_scoring *scoring, rhomb_path_op op)
{
    static const rhomb_scoring EDIT = RHOMB_SCORING_EDIT;
    const int64_t length = (int64_t)RHOMB_CIGAR_LENGTH(op);
    const rhomb_scoring *s = scoring != NULL ? scoring : &EDIT;
    if (length == 0)
        return 0;
    switch (RHOMB_CIGAR_CODE(op)) {
    case RHOMB_CIGAR_EQ:
        return s->matrix != NULL ? 0 : times(within(s->match), length);
    case RHOMB_CIGAR_X:
        return s->matrix != NULL ? 0 : -times(within(s->mismatch), length);
    case RHOMB_CIGAR_I:
    case RHOMB_CIGAR_D:
        return -gap_of(s, length);
    default:
        return 0;
    }
}

int64_t rhomb_scoring_bases_score(const rhomb_scoring *scoring, rhomb_path_op op,
                                  const char *target, const char *query)
{
    const int64_t length = (int64_t)RHOMB_CIGAR_LENGTH(op);
    const int code = RHOMB_CIGAR_CODE(op);
    int64_t sum = 0;
    if (scoring == NULL || scoring->matrix == NULL || target == NULL || query == NULL ||
        (code != RHOMB_CIGAR_EQ && code != RHOMB_CIGAR_X && code != RHOMB_CIGAR_M))
        return rhomb_scoring_op_score(scoring, op);
    for (int64_t i = 0; i < length; i++)
        sum += rhomb__matrix_score(scoring->matrix, target[i], query[i]);
    return sum;
}

int64_t rhomb__scoring_most(const rhomb_scoring *s)
{
    const int64_t gap = rhomb__max(s->gap_open + s->gap_extend,
                                   has_second(s) ? s->gap_open_2 + s->gap_extend_2 : 0);
    return rhomb__max(rhomb__max(s->match, s->mismatch), gap);
}

/* No path has more gaps than bases. */
bool rhomb__scoring_fits(const rhomb_scoring *scoring, int64_t bases)
{
    const int64_t edit = rhomb__max(scoring->mismatch, scoring->gap_open + scoring->gap_extend);
    return bases == 0 || rhomb__max(scoring->match, edit) < MOST_COST / bases;
}

/*
 * Such a path has a gap of b bases and one of b + |end_diagonal|, of one piece each. Each choice of
 * pieces allows some b, and the least cost allows the most of these.
 */
int64_t rhomb__costs_half_width(const rhomb__costs *costs, int64_t end_diagonal, int64_t bound)
{
    const int64_t end = end_diagonal < 0 ? -end_diagonal : end_diagonal;
    int64_t half_width = 0;
    if (rhomb__costs_gap(costs, end) > bound)
        return -1;
    for (int out = 0; out < costs->pieces; out++) {
        for (int back = 0; back < costs->pieces; back++) {
            const int64_t fixed = costs->open[out] + costs->open[back] + end * costs->extend[back];
            const int64_t each = costs->extend[out] + costs->extend[back];
            half_width = rhomb__max(half_width, rhomb__floor_div(bound - fixed, each));
        }
    }
    return half_width;
}

int64_t rhomb__costs_bound(const rhomb__costs *costs, int64_t end_diagonal, int64_t half_width)
{
    const int64_t end = end_diagonal < 0 ? -end_diagonal : end_diagonal;
    return rhomb__costs_gap(costs, half_width + 1) + rhomb__costs_gap(costs, half_width + 1 + end) -
           1;
}

rhomb_batch_scoring rhomb__batch_scoring_of(const rhomb_scoring *s)
{
    const bool second = s->gap_open_2 >= 0;
    return (rhomb_batch_scoring){.match = (rhomb_i32)s->match,
                                 .mismatch = (rhomb_i32)s->mismatch,
                                 .open = (rhomb_i32)(s->gap_open + s->gap_extend),
                                 .extend = (rhomb_i32)s->gap_extend,
                                 .open_2 =
                                     second ? (rhomb_i32)(s->gap_open_2 + s->gap_extend_2) : 0,
                                 .extend_2 = second ? (rhomb_i32)s->gap_extend_2 : 0};
}

void rhomb__matrix_table(const rhomb_score_matrix *matrix, const uint8_t codes[256],
                         rhomb_matrix_scores *out)
{
    memset(out, 0xff, sizeof *out);
    for (int32_t a = 0; matrix != NULL && a < matrix->count; a++) {
        for (int32_t b = 0; b < matrix->count; b++) {
            const uint32_t row = codes[(unsigned char)matrix->symbols[a]];
            const uint32_t column = codes[(unsigned char)matrix->symbols[b]];
            const uint32_t shift = 8 * (column % 4), score = (uint8_t)matrix->scores[a][b];
            if (row >= RHOMB_MATRIX_CODES || column >= RHOMB_MATRIX_CODES)
                continue;
            rhomb_u32 *word = &out->words[row * RHOMB_MATRIX_WORDS + column / 4];
            *word = (*word & ~(0xffu << shift)) | score << shift;
        }
    }
}

/* Long enough to be within some 3 % of the cost of long sequences. */
#define RANDOM_BASES 256

/* Costs of no path. */
#define NONE (INT64_C(1) << 60)

/* A column of the matrix: the least costs, and those in a deletion of each piece. */
typedef struct column {
    int64_t least[RANDOM_BASES + 1];
    int64_t deleted[2][RANDOM_BASES + 1];
} column;

/* Gotoh's recurrences, for a base of the target: column c becomes the next one. */
static void next_column(const rhomb__costs *costs, const char *query, char base, int64_t first,
                        column *c)
{
    int64_t inserted[2] = {NONE, NONE}, before = c->least[0];
    c->least[0] = first;
    for (int i = 1; i <= RANDOM_BASES; i++) {
        int64_t least = before + (query[i - 1] == base ? 0 : costs->mismatch);
        for (int p = 0; p < costs->pieces; p++) {
            const int64_t begin = costs->open[p], more = costs->extend[p];
            c->deleted[p][i] = rhomb__min(c->deleted[p][i], c->least[i] + begin) + more;
            inserted[p] = rhomb__min(inserted[p], c->least[i - 1] + begin) + more;
            least = rhomb__min(least, rhomb__min(c->deleted[p][i], inserted[p]));
        }
        before = c->least[i];
        c->least[i] = least;
    }
}

/* Marsaglia's xorshift: the same bases each time. */
static void fill_randomly(char *bases, int count, uint64_t *state)
{
    for (int i = 0; i < count; i++) {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        bases[i] = (char)(*state >> 62);
    }
}

double rhomb__costs_random(const rhomb__costs *costs)
{
    char query[RANDOM_BASES], target[RANDOM_BASES];
    uint64_t state = UINT64_C(88172645463325252);
    column c;
    fill_randomly(query, RANDOM_BASES, &state);
    fill_randomly(target, RANDOM_BASES, &state);
    for (int i = 0; i <= RANDOM_BASES; i++) {
        c.least[i] = rhomb__costs_gap(costs, i);
        c.deleted[0][i] = c.deleted[1][i] = NONE;
    }
    for (int j = 0; j < RANDOM_BASES; j++)
        next_column(costs, query, target[j], rhomb__costs_gap(costs, j + 1), &c);
    return (double)c.least[RANDOM_BASES] / RANDOM_BASES;
}
