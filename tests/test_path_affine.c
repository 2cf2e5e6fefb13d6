/* SPDX-License-Identifier: MIT */
/*
 * Paths by any costs (src/paths): what they cost, added up column by column; known gaps in order,
 * those of both kinds that touch or pass each other as well; random paths of least cost, and
 * others, come out as a plain model of the rule has them and cost the same, or are refused where
 * the model's costs less; long ones on any number of threads.
 */
#include "src/paths/path_ops.h"
#include "support/cost_sets.h"
#include "support/pair.h"
#include "support/path_fits.h"
#include "support/rng.h"
#include "support/test.h"
#include "tests/reference/path.h"

static const char CODES[] = "XID=";

static uint32_t code_of(char letter)
{
    static const uint32_t OF[] = {RHOMB_CIGAR_X, RHOMB_CIGAR_I, RHOMB_CIGAR_D, RHOMB_CIGAR_EQ};
    return OF[strchr(CODES, letter) - CODES];
}

static void append(rhomb__path *way, char letter, int64_t length)
{
    rhomb__error error = {RHOMB_OK, NULL, ""};
    assert_int_equal(rhomb__path_append(&error, way, code_of(letter), length), RHOMB_OK);
}

static rhomb__path path_of(const char *cigar)
{
    rhomb_path_op ops[64];
    rhomb__path way = {0};
    const int64_t count = path_read(cigar, ops);
    for (int64_t i = 0; i < count; i++)
        append(&way, RHOMB_CIGAR_LETTER(ops[i]), (int64_t)RHOMB_CIGAR_LENGTH(ops[i]));
    return way;
}

/* What a gap of that many bases costs, by each piece. */
static int64_t gap_cost(const rhomb__costs *costs, int64_t bases)
{
    int64_t least = INT64_MAX;
    for (int p = 0; p < costs->pieces; p++)
        if (costs->open[p] + bases * costs->extend[p] < least)
            least = costs->open[p] + bases * costs->extend[p];
    return least;
}

/* What a path costs: each column continues a gap, ends it, or begins one. */
static int64_t cost_of(const rhomb__costs *costs, const rhomb__path *way)
{
    int64_t cost = 0, run = 0;
    char before = '\0';
    for (int64_t i = 0; i < way->count; i++) {
        const char letter = RHOMB_CIGAR_LETTER(way->ops[i]);
        for (uint64_t k = 0; k < RHOMB_CIGAR_LENGTH(way->ops[i]); k++) {
            const bool goes_on = letter == before && strchr("ID", letter) != NULL;
            if (!goes_on && run > 0)
                cost += gap_cost(costs, run);
            run = strchr("ID", letter) == NULL ? 0 : goes_on ? run + 1 : 1;
            cost += letter == 'X' ? costs->mismatch : 0;
            before = letter;
        }
    }
    return run > 0 ? cost + gap_cost(costs, run) : cost;
}

static rhomb__path_pair whole_of(const rhomb_pair *texts, const rhomb__codes *codes,
                                 const rhomb__costs *costs)
{
    return (rhomb__path_pair){
        texts->target, texts->target_length, texts->query, texts->query_length, codes, costs};
}

static bool tidy(rhomb__path *way, const rhomb_pair *texts, const rhomb__costs *costs,
                 int32_t threads)
{
    const rhomb__codes codes = codes_of_bytes();
    const rhomb__path_pair both = whole_of(texts, &codes, costs);
    rhomb__error error = {RHOMB_OK, NULL, ""};
    bool fits = false;
    const int64_t cost = cost_of(costs, way);
    assert_int_equal(rhomb__path_tidy(&error, way, &both, cost, threads, &fits), RHOMB_OK);
    return fits;
}

static bool check(const rhomb__path *way, const rhomb_pair *texts, const rhomb__costs *costs,
                  int64_t cost)
{
    const rhomb__codes codes = codes_of_bytes();
    const rhomb__path_pair both = whole_of(texts, &codes, costs);
    return path_fits(way, &both, cost, 2);
}

static bool is_same(const rhomb__path *way, const rhomb__path *other)
{
    return way->count == other->count &&
           (way->count == 0 ||
            memcmp(way->ops, other->ops, (size_t)way->count * sizeof *way->ops) == 0);
}

static rhomb_pair pair_of(const char *target, const char *query)
{
    return (rhomb_pair){target, (int64_t)strlen(target), query, (int64_t)strlen(query)};
}

static void test_known_gaps(void **state)
{
    static const struct {
        const char *target, *query, *before, *after;
    } CASES[] = {
        /* the deletion first */
        {"CAAG", "CTTTG", "1=3I2D1=", "1=2D3I1="},
        {"CAAG", "CTTTG", "1=2D3I1=", "1=2D3I1="},
        /* past each other, to either side's own place */
        {"GAAAAC", "GATTAC", "2=2I2D2=", "1=2D1=2I2="},
        {"GATTAC", "GAAAAC", "2=2D2I2=", "1=2I1=2D2="},
        {"GAAAAC", "GATAC", "2=1I1=2D1=", "1=2D1=1I2="},
        {"CAAAAG", "CTAG", "1=1I1=3D1=", "1=3D1I2="},
        {"TAAAACTG", "TAACCCACG", "3=3I1=1D1=1D1=", "1=1D2=3I2=1D1="},
        /* not past a mismatch */
        {"GACAAC", "GATTTAC", "2=1X2I1D2=", "2=1X1D2I2="},
    };
    const rhomb__costs costs = {.mismatch = 4, .pieces = 1, .open = {6, 0}, .extend = {2, 0}};
    for (size_t i = 0; i < COUNT(CASES); i++) {
        const rhomb_pair texts = pair_of(CASES[i].target, CASES[i].query);
        rhomb__path way = path_of(CASES[i].before), expected = path_of(CASES[i].after);
        if (!tidy(&way, &texts, &costs, 1) || !is_same(&way, &expected))
            fail_msg("%s and %s: %s is not %s", CASES[i].target, CASES[i].query, CASES[i].before,
                     CASES[i].after);
        rhomb__path_release(&way);
        rhomb__path_release(&expected);
    }
}

/* Each cost by hand: openings count for each gap, and the less of two pieces. */
static void test_known_costs(void **state)
{
    const rhomb_pair texts = pair_of("ACGTACTTGAAA", "ACCTACGGGGTTCAT");
    const rhomb__costs one = {.mismatch = 4, .pieces = 1, .open = {6, 0}, .extend = {2, 0}};
    const rhomb__costs two = {.mismatch = 4, .pieces = 2, .open = {6, 9}, .extend = {2, 1}};
    rhomb__costs replaced = {.mismatch = 16, .pieces = 1, .open = {6, 0}, .extend = {2, 0}};
    rhomb__path way = path_of("2=1X3=4I2=2D1X1=1I");
    const int64_t cost = 4 + 14 + 10 + 4 + 8;
    assert_true(check(&way, &texts, &one, cost));
    assert_false(check(&way, &texts, &one, cost - 1));
    assert_false(check(&way, &texts, &one, cost + 6));
    assert_true(check(&way, &texts, &two, cost - 1));
    assert_true(check(&way, &texts, &replaced, cost + 24));
    replaced.replaced = true;
    assert_false(check(&way, &texts, &replaced, cost + 24));
    assert_false(tidy(&way, &texts, &replaced, 1));
    rhomb__path_release(&way);
    rhomb__path empty = {0};
    assert_true(check(&empty, &(rhomb_pair){"", 0, "", 0}, &one, 0));
    assert_false(check(&empty, &(rhomb_pair){"", 0, "", 0}, &one, 1));
}

/* Two gaps that could be one are no path of least cost, but where opening one costs nothing. */
static void test_cheaper(void **state)
{
    const rhomb_pair texts = pair_of("GAAAAT", "GAAAAAAT");
    rhomb__costs costs = {.mismatch = 4, .pieces = 1, .open = {1, 0}, .extend = {2, 0}};
    rhomb__path way = path_of("2=1I2=1I2=");
    assert_false(tidy(&way, &texts, &costs, 1));
    rhomb__path_release(&way);
    way = path_of("2=1I2=1I2=");
    costs.open[0] = 0;
    assert_true(tidy(&way, &texts, &costs, 1));
    assert_int_equal(way.count, 3);
    rhomb__path_release(&way);
    /* The second piece is the less from two bases on. */
    costs = (rhomb__costs){.mismatch = 4, .pieces = 2, .open = {0, 1}, .extend = {2, 1}};
    way = path_of("2=1I2=1I2=");
    assert_false(tidy(&way, &texts, &costs, 1));
    rhomb__path_release(&way);
}

/* One of the paths of least cost, or, one time in `detours`, with a step that is none of theirs. */
static rhomb__path random_path(const rhomb_pair *t, const rhomb__costs *costs, int64_t detours,
                               rng *r)
{
    const int64_t n = t->target_length, m = t->query_length;
    const plain_pair backward = {t->target, n, t->query, m, true};
    const oracle_penalties penalties = costs_penalties(costs);
    int64_t *matrix = oracle_gotoh_costs(&backward, &penalties);
    const int64_t *to_end = matrix + m * (n + 1) + n;
    rhomb__path way = {0};
    for (int64_t j = 0, i = 0; j < n || i < m;) {
        const bool any = detours > 0 && rng_below(r, detours) == 0;
        const char step = CODES[rng_below(r, 3)];
        const bool diagonal = step == 'X', equal = j < n && i < m && t->target[j] == t->query[i];
        const int64_t left_target = step == 'I' ? 1 : n - j, left_query = step == 'D' ? 1 : m - i;
        const int64_t most = left_target < left_query ? left_target : left_query;
        if (most == 0 || (diagonal && !equal && costs->replaced))
            continue;
        const int64_t k = diagonal ? 1 : rng_between(r, 1, step == 'I' ? m - i : n - j);
        const int64_t to_j = j + (step == 'I' ? 0 : k), to_i = i + (step == 'D' ? 0 : k);
        const int64_t pays = !diagonal ? gap_cost(costs, k) : equal ? 0 : costs->mismatch;
        if (!any && to_end[-to_i * (n + 1) - to_j] + pays != to_end[-i * (n + 1) - j])
            continue;
        append(&way, diagonal && equal ? '=' : step, k);
        j = to_j;
        i = to_i;
    }
    free(matrix);
    return way;
}

/* The model's path, from what a path is before. */
static rhomb__path model_of(const rhomb__path *way, const rhomb_pair *texts)
{
    rhomb_cigar_op *ops = malloc((size_t)(2 * way->count + 1) * sizeof *ops);
    rhomb__path model = {0};
    assert_non_null(ops);
    for (int64_t i = 0; i < way->count; i++)
        ops[i] = (rhomb_cigar_op)way->ops[i];
    const int64_t count = path_in_order(ops, way->count, texts);
    for (int64_t i = 0; i < count; i++)
        append(&model, RHOMB_CIGAR_LETTER(ops[i]), RHOMB_CIGAR_LENGTH(ops[i]));
    free(ops);
    return model;
}

/* Gaps that touch one of the other kind. */
static int64_t touching(const rhomb__path *way)
{
    int64_t count = 0;
    for (int64_t i = 1; i < way->count; i++)
        count += strchr("ID", RHOMB_CIGAR_LETTER(way->ops[i - 1])) != NULL &&
                 strchr("ID", RHOMB_CIGAR_LETTER(way->ops[i])) != NULL;
    return count;
}

/* Counts what was seen, so that the test is known to try it. */
typedef struct seen {
    int64_t touching, moved, refused;
} seen;

static void check_random(const rhomb_pair *texts, const rhomb__costs *costs, int64_t detours,
                         rng *r, seen *saw)
{
    rhomb__path way = random_path(texts, costs, detours, r);
    rhomb__path model = model_of(&way, texts);
    const int64_t cost = cost_of(costs, &way);
    const bool keeps_cost = cost_of(costs, &model) == cost;
    assert_true(keeps_cost || detours > 0);
    assert_true(check(&way, texts, costs, cost));
    assert_false(check(&way, texts, costs, cost + 1));
    assert_false(check(&way, texts, costs, cost - 1));
    saw->touching += touching(&way);
    saw->moved += !is_same(&way, &model);
    saw->refused += !keeps_cost;
    assert_int_equal(tidy(&way, texts, costs, 1), keeps_cost);
    if (keeps_cost) {
        assert_true(is_same(&way, &model));
        assert_true(check(&way, texts, costs, cost));
        assert_true(detours > 0 || (tidy(&way, texts, costs, 1) && is_same(&way, &model)));
    }
    rhomb__path_release(&way);
    rhomb__path_release(&model);
}

static void test_random(void **state)
{
    enum { PAIRS = 12000, MOST = 30, LONG_PAIRS = 60, LONG = 1200 };
    static const pair_model MODELS[] = {PAIR_UNIFORM, PAIR_LONG_INDEL, PAIR_LONG_INDELS,
                                        PAIR_TANDEM,  PAIR_RUNS,       PAIR_UNEQUAL};
    seen saw = {0};
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (int64_t index = 0; index < PAIRS + LONG_PAIRS; index++) {
        rng r = rng_for("path affine", index);
        const bool is_long = index >= PAIRS;
        const pair_recipe recipe = {.alphabet = index % 2 == 0 ? "ACGT" : "AC",
                                    .model = MODELS[rng_below(&r, 6)],
                                    .length = is_long ? LONG : rng_below(&r, MOST),
                                    .error_rate = rng_chance(&r, 0.5) ? 0.05 : 0.4,
                                    .longest_indel = is_long ? LONG / 2 : MOST / 2,
                                    .spacing = 6};
        const bool edit = is_long || index % 3 == 0;
        rhomb__costs costs =
            edit ? rhomb__costs_edit() : random_costs(&r, rng_chance(&r, 0.5) ? 3 : 12);
        if (!edit && rng_chance(&r, 0.4)) {
            costs.mismatch = 2 * (costs.open[0] + costs.extend[0]);
            costs.replaced = rng_chance(&r, 0.5);
        }
        pair_make(&recipe, &r, &p);
        const rhomb_pair texts = {p.a.at, p.a.length, p.b.at, p.b.length};
        check_random(&texts, &costs, index % 5 == 0 ? 6 : 0, &r, &saw);
    }
    pair_release(&p);
    assert_true(saw.touching > 500 && saw.moved > 500 && saw.refused > 50);
}

/*
 * Long paths, dense with gaps of both kinds that lie as they come, in few bases so that they
 * meet; with and without mismatches between what is put in order by itself. Threads change nothing.
 */
static void test_long(void **state)
{
    enum { LENGTH = 400000 };
    for (int64_t index = 0; index < 6; index++) {
        rng r = rng_for("path affine, long", index);
        const rhomb__costs dear = {.mismatch = 4, .pieces = 1, .extend = {2, 0}};
        const rhomb__costs costs = index < 3 ? dear : rhomb__costs_edit();
        letters target = {NULL, 0, 0}, query = {NULL, 0, 0};
        rhomb__path ways[2] = {{0}, {0}};
        letters_random(&target, index % 3 == 0 ? "ACGT" : "AC", LENGTH, &r);
        for (int64_t j = 0; j < LENGTH;) {
            const int64_t kind = rng_below(&r, 10);
            const char step = kind == 0 && index % 3 != 1 ? 'X'
                              : kind < 3                  ? 'D'
                              : kind < 5                  ? 'I'
                                                          : '=';
            const char *letter = target.at[j] == 'A' ? "C" : "A";
            append(&ways[0], step, 1);
            append(&ways[1], step, 1);
            if (step != 'D')
                letters_append(&query, step == '=' ? &target.at[j] : letter, 1);
            j += step != 'I';
        }
        const rhomb_pair texts = {target.at, target.length, query.at, query.length};
        rhomb__path model = model_of(&ways[0], &texts);
        for (int32_t both = 0; both < 2; both++) {
            assert_true(tidy(&ways[both], &texts, &costs, 1 + 3 * both));
            assert_true(is_same(&ways[both], &model));
            rhomb__path_release(&ways[both]);
        }
        rhomb__path_release(&model);
        free(target.at);
        free(query.at);
    }
}

/* Gaps that each pass all those of the other kind before them: the path stays sound, and ends. */
static void test_many_pass(void **state)
{
    enum { TIMES = 200000 };
    const rhomb__costs costs = {.mismatch = 4, .pieces = 1, .extend = {2, 0}, .replaced = true};
    letters target = {NULL, 0, 0}, query = {NULL, 0, 0};
    rhomb__path way = {0};
    letters_repeat(&target, "AAAC", 4 * TIMES);
    letters_repeat(&query, "A", 4 * TIMES);
    for (int64_t i = 0; i < TIMES; i++) {
        append(&way, '=', 3);
        append(&way, 'D', 1);
        append(&way, 'I', 1);
    }
    const rhomb_pair texts = {target.at, target.length, query.at, query.length};
    const int64_t cost = cost_of(&costs, &way);
    assert_true(tidy(&way, &texts, &costs, 1));
    assert_true(check(&way, &texts, &costs, cost));
    rhomb__path_release(&way);
    free(target.at);
    free(query.at);
}

TEST_MAIN(test_known_gaps, test_known_costs, test_cheaper, test_random, test_long, test_many_pass)
