/* SPDX-License-Identifier: MIT */
/*
 * A path's gaps in order, by any costs (src/paths/path_tidy.c): what paths cost, added up gap by
 * gap; known gaps, those of both kinds that touch or pass each other as well; random paths of
 * least cost, and others, come out as a plain model of the rule has them and cost the same, or are
 * refused where the model's costs less; long ones on any number of threads, where bases repeat for
 * long, and where operations become more; what is no path of the pair is found, and so is that
 * there is no memory.
 */
#include "src/paths/path_ops.h"
#include "support/cost_sets.h"
#include "support/pair.h"
#include "support/path_fits.h"
#include "support/rng.h"
#include "support/test.h"
#include "tests/reference/path.h"

void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__real_realloc(void *block, size_t bytes);
void *__wrap_realloc(void *block, size_t bytes);

/* The next allocations that succeed, while they are counted. */
static int64_t allocations;
static bool are_counted;

static bool has_memory(void)
{
    return !are_counted || allocations-- > 0;
}

void *__wrap_malloc(size_t bytes)
{
    return has_memory() ? __real_malloc(bytes) : NULL;
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return has_memory() ? __real_calloc(count, bytes) : NULL;
}

void *__wrap_realloc(void *block, size_t bytes)
{
    return has_memory() ? __real_realloc(block, bytes) : NULL;
}

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

/* In the form of the judges, with room for an operation more for each gap. */
static rhomb_cigar_op *ops_of(const rhomb__path *way)
{
    rhomb_cigar_op *ops = malloc((size_t)(2 * way->count + 1) * sizeof *ops);
    assert_non_null(ops);
    for (int64_t i = 0; i < way->count; i++)
        ops[i] = (rhomb_cigar_op)way->ops[i];
    return ops;
}

/* What a path costs, added up gap by gap. */
static int64_t cost_of(const rhomb__costs *costs, const rhomb__path *way)
{
    const oracle_penalties penalties = costs_penalties(costs);
    const oracle_borders none = {RHOMB_GAP_NONE, RHOMB_GAP_NONE};
    rhomb_cigar_op *ops = ops_of(way);
    const int64_t cost = oracle_path_penalty(ops, way->count, &penalties, none);
    free(ops);
    return cost;
}

/* Bases are compared as they are, but for x, which equals A. */
static rhomb__codes codes_with_x(void)
{
    rhomb__codes codes = codes_of_bytes();
    codes.code['x'] = 'A';
    return codes;
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
    const rhomb__codes codes = codes_with_x();
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
    const rhomb__codes codes = codes_with_x();
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

typedef struct known {
    const char *target, *query, *before, *after;
} known;

static void check_known(const known *cases, size_t count, const rhomb__costs *costs)
{
    for (size_t i = 0; i < count; i++) {
        const known *k = &cases[i];
        const rhomb_pair texts = pair_of(k->target, k->query);
        rhomb__path way = path_of(k->before), expected = path_of(k->after);
        if (!tidy(&way, &texts, costs, 1) || !is_same(&way, &expected) ||
            !check(&way, &texts, costs, cost_of(costs, &way)))
            fail_msg("%s and %s: %s is not %s", k->target, k->query, k->before, k->after);
        rhomb__path_release(&way);
        rhomb__path_release(&expected);
    }
}

static void test_known_gaps(void **state)
{
    static const known EDIT[] = {
        {"", "", "", ""},
        {"ACGT", "ACGT", "4=", "4="},
        {"ACGT", "", "4D", "4D"},
        {"AC", "AGGC", "1=2I1=", "1=2I1="},
        /* to the left, past bases that repeat, up to a beginning or a mismatch */
        {"GAAAT", "GAAAAT", "4=1I1=", "1=1I4="},
        {"GAAAAT", "GAAAT", "4=1D1=", "1=1D4="},
        {"AAA", "AAAA", "3=1I", "1I3="},
        {"GACACT", "GACACACT", "5=2I1=", "1=2I5="},
        {"GCAAT", "GTAAAT", "1=1X2=1I1=", "1=1X1I3="},
        {"AAxT", "AAxAT", "3=1I1=", "1I4="},
        /* a run of matches comes to lie before a mismatch, or an end */
        {"GAAC", "GAAAT", "3=1I1X", "1=1I2=1X"},
        {"GAA", "GAAA", "3=1I", "1=1I2="},
        /* two become one where they can be moved to each other: the second, the first, or both */
        {"TCA", "TGGCGGCA", "1=2I1=3I1=", "1=5I2="},
        {"TGGCGGCA", "TCA", "1=2D1=3D1=", "1=5D2="},
        {"TCAGG", "TCTTATTAGG", "2=2I1=3I2=", "2=5I3="},
        {"TCGG", "TCTTCAGG", "1=3I1=1I2=", "2=4I2="},
        {"TCAG", "TCGCAGAG", "1=2I2=2I1=", "2=4I2="},
        /* not past a mismatch, nor into a gap of the other kind */
        {"TCGA", "TGGAGGCGA", "1=2I1X3I2=", "1=2I1X3I2="},
    };
    static const known AFFINE[] = {
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
    const rhomb__costs edit = rhomb__costs_edit();
    const rhomb__costs costs = {.mismatch = 4, .pieces = 1, .open = {6, 0}, .extend = {2, 0}};
    check_known(EDIT, COUNT(EDIT), &edit);
    check_known(AFFINE, COUNT(AFFINE), &costs);
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
        const int64_t pays = !diagonal ? oracle_gap(&penalties, k) : equal ? 0 : costs->mismatch;
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
    rhomb_cigar_op *ops = ops_of(way);
    rhomb__path model = {0};
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

/* Two sequences that are made with their path. */
typedef struct made {
    letters target, query;
    rhomb__path way;
} made;

static rhomb_pair texts_of(const made *m)
{
    return (rhomb_pair){m->target.at, m->target.length, m->query.at, m->query.length};
}

static void release(made *m)
{
    rhomb__path_release(&m->way);
    free(m->target.at);
    free(m->query.at);
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
        made m = {.way = {0}};
        rhomb__path again = {0};
        letters_random(&m.target, index % 3 == 0 ? "ACGT" : "AC", LENGTH, &r);
        for (int64_t j = 0; j < LENGTH;) {
            const int64_t kind = rng_below(&r, 10);
            const char step = kind == 0 && index % 3 != 1 ? 'X'
                              : kind < 3                  ? 'D'
                              : kind < 5                  ? 'I'
                                                          : '=';
            const char *letter = m.target.at[j] == 'A' ? "C" : "A";
            append(&m.way, step, 1);
            append(&again, step, 1);
            if (step != 'D')
                letters_append(&m.query, step == '=' ? &m.target.at[j] : letter, 1);
            j += step != 'I';
        }
        const rhomb_pair texts = texts_of(&m);
        rhomb__path model = model_of(&m.way, &texts);
        assert_true(tidy(&m.way, &texts, &costs, 1) && is_same(&m.way, &model));
        assert_true(tidy(&again, &texts, &costs, 4) && is_same(&again, &model));
        rhomb__path_release(&again);
        rhomb__path_release(&model);
        release(&m);
    }
}

/* Gaps that each pass all those of the other kind before them: the path stays sound, and ends. */
static void test_many_pass(void **state)
{
    enum { TIMES = 200000 };
    const rhomb__costs costs = {.mismatch = 4, .pieces = 1, .extend = {2, 0}, .replaced = true};
    made m = {.way = {0}};
    letters_repeat(&m.target, "AAAC", 4 * TIMES);
    letters_repeat(&m.query, "A", 4 * TIMES);
    for (int64_t i = 0; i < TIMES; i++) {
        append(&m.way, '=', 3);
        append(&m.way, 'D', 1);
        append(&m.way, 'I', 1);
    }
    const rhomb_pair texts = texts_of(&m);
    const int64_t cost = cost_of(&costs, &m.way);
    assert_true(tidy(&m.way, &texts, &costs, 1));
    assert_true(check(&m.way, &texts, &costs, cost));
    release(&m);
}

/* A gap in pieces is one again, however long what repeats around it. */
static void test_long_repeats(void **state)
{
    static const char *const UNITS[] = {"A", "AC", "ACGGT",
                                        "GATTACAGATTTCAGATTAGACCAGATAGGACCATTTAGACCCATAGA"};
    enum { LENGTH = 200000 };
    const rhomb__costs edit = rhomb__costs_edit();
    for (size_t u = 0; u < COUNT(UNITS); u++) {
        const int64_t unit = (int64_t)strlen(UNITS[u]);
        made m = {.way = {0}};
        letters_repeat(&m.target, UNITS[u], LENGTH);
        letters_repeat(&m.query, UNITS[u], LENGTH + 20 * unit);
        m.target.at[LENGTH / 2] = m.query.at[LENGTH / 2] = 'T'; /* that no gap passes */
        m.target.at[0] = m.query.at[0] = 'N';
        append(&m.way, '=', LENGTH / 2 + 1000);
        for (int piece = 0; piece < 10; piece++) {
            append(&m.way, 'I', 2 * unit);
            append(&m.way, '=', 100 * unit);
        }
        append(&m.way, '=', LENGTH - LENGTH / 2 - 1000 - 1000 * unit);
        const rhomb_pair texts = texts_of(&m);
        assert_true(tidy(&m.way, &texts, &edit, 1));
        assert_true(check(&m.way, &texts, &edit, cost_of(&edit, &m.way)));
        assert_int_equal(m.way.count, 3);
        assert_int_equal(m.way.ops[1] >> 4, 20 * unit);
        assert_true((int64_t)(m.way.ops[0] >> 4) <= LENGTH / 2 + 1);
        release(&m);
    }
}

/*
 * Two gaps that nothing joins, with many after them that find it out again, base by base: the
 * path stays sound, and ends.
 */
static void test_many_in_vain(void **state)
{
    enum { LENGTH = 8000000, PIECES = 100000 };
    const rhomb__costs edit = rhomb__costs_edit();
    made m = {.way = {0}};
    letters_repeat(&m.target, "A", LENGTH);
    letters_repeat(&m.query, "A", LENGTH + PIECES + 1);
    m.target.at[1] = m.query.at[2] = 'C';
    append(&m.way, 'I', 1);
    append(&m.way, '=', LENGTH - 2 * PIECES);
    for (int piece = 0; piece < PIECES; piece++) {
        append(&m.way, 'I', 1);
        append(&m.way, '=', 2);
    }
    const rhomb_pair texts = texts_of(&m);
    assert_true(tidy(&m.way, &texts, &edit, 1));
    assert_true(check(&m.way, &texts, &edit, PIECES + 1));
    assert_true(m.way.count < 4 * PIECES);
    release(&m);
}

/* Appends a piece of both sequences and of the path, so many times. */
static void repeat(made *m, const rhomb_pair *texts, const char *cigar, int64_t times)
{
    rhomb__path piece = path_of(cigar);
    for (int64_t i = 0; i < times; i++) {
        letters_append(&m->target, texts->target, texts->target_length);
        letters_append(&m->query, texts->query, texts->query_length);
        for (int64_t k = 0; k < piece.count; k++)
            append(&m->way, RHOMB_CIGAR_LETTER(piece.ops[k]),
                   (int64_t)RHOMB_CIGAR_LENGTH(piece.ops[k]));
    }
    rhomb__path_release(&piece);
}

/*
 * A path that comes to have more operations all along, or in one half, where the other has fewer
 * then: they lie where others did that are still to be moved.
 */
static void test_more_operations(void **state)
{
    enum { TIMES = 30000 };
    static const rhomb_pair MORE = {"GAAC", 4, "GAAAT", 5};
    static const rhomb_pair FEWER = {"TCAGG", 5, "TGGCGGCAGT", 10};
    const rhomb__costs edit = rhomb__costs_edit();
    for (int kind = 0; kind < 6; kind++) {
        made m = {.way = {0}};
        for (int half = 0; half < 2; half++) {
            const bool more = kind / 2 == 0 || kind / 2 == 1 + half;
            repeat(&m, more ? &MORE : &FEWER, more ? "3=1I1X" : "1=2I1=3I2=1X", TIMES);
        }
        rhomb__path_trim(&m.way);
        const rhomb_pair texts = texts_of(&m);
        const int64_t before = m.way.count;
        rhomb__path model = model_of(&m.way, &texts);
        assert_true(tidy(&m.way, &texts, &edit, 1 + 3 * (kind % 2)));
        assert_true(is_same(&m.way, &model));
        assert_true(kind / 2 != 0 || model.count == before + 2 * TIMES);
        rhomb__path_release(&model);
        release(&m);
    }
}

/* Paths that cost something else, end early, or have mismatches that they call matches. */
static void test_no_path(void **state)
{
    enum { TIMES = 5000 };
    static const rhomb_pair UNIT = {"GAAC", 4, "GAAAT", 5};
    const rhomb__codes codes = codes_with_x();
    const rhomb__costs edit = rhomb__costs_edit();
    for (int kind = 0; kind < 5; kind++) {
        made m = {.way = {0}};
        rhomb__error error = {RHOMB_OK, NULL, ""};
        bool fits = kind != 0;
        repeat(&m, &UNIT, "3=1I1X", TIMES);
        const int64_t cost = cost_of(&edit, &m.way) + (kind == 1);
        m.target.at[4 * (TIMES / 2)] = kind == 2 ? 'T' : 'G';
        m.query.at[5 * TIMES - 1] = kind == 3 ? 'C' : 'T'; /* as the target's, where they differ */
        rhomb_pair texts = texts_of(&m);
        texts.target_length -= kind == 4;
        const rhomb__path_pair both = whole_of(&texts, &codes, &edit);
        assert_int_equal(rhomb__path_tidy(&error, &m.way, &both, cost, 4, &fits), RHOMB_OK);
        assert_int_equal(fits, kind == 0);
        release(&m);
    }
}

/*
 * Each allocation fails once, also those of a stretch that has no unequal run for long; which needs
 * no more where it has no gap of one kind beside one of the other.
 */
static void test_no_memory(void **state)
{
    enum { TIMES = 20000 };
    static const rhomb_pair UNITS[] = {
        {"GAAC", 4, "GAAAT", 5}, {"GAAC", 4, "GAAA", 4}, {"GAAAC", 5, "GAAAAC", 6}};
    static const char *const CIGARS[] = {"3=1I1X", "3=1I1D", "4=1I1="};
    static const int64_t LEAST[] = {4, 6, 3}, MOST[] = {1000, 6, 3};
    const rhomb__codes codes = codes_with_x();
    const rhomb__costs edit = rhomb__costs_edit();
    rhomb_status status = RHOMB_OK;
    for (int unit = 0; unit < 3; unit++) {
        int64_t most = -1;
        do {
            made m = {.way = {0}};
            rhomb__error error = {RHOMB_OK, NULL, ""};
            bool fits = false;
            repeat(&m, &UNITS[unit], CIGARS[unit], TIMES);
            rhomb__path_trim(&m.way);
            const rhomb_pair texts = texts_of(&m);
            const int64_t cost = cost_of(&edit, &m.way);
            rhomb__path model = model_of(&m.way, &texts);
            const rhomb__path_pair both = whole_of(&texts, &codes, &edit);
            allocations = ++most;
            are_counted = true;
            status = rhomb__path_tidy(&error, &m.way, &both, cost, 1, &fits);
            are_counted = false;
            assert_true(status == RHOMB_OK ? fits : status == RHOMB_ERR_MEMORY);
            assert_true(status != RHOMB_OK || is_same(&m.way, &model));
            rhomb__path_release(&model);
            release(&m);
        } while (status != RHOMB_OK);
        assert_in_range(most, LEAST[unit], MOST[unit]);
    }
}

TEST_MAIN(test_long_repeats, test_many_in_vain, test_more_operations, test_no_path, test_no_memory,
          test_known_gaps, test_known_costs, test_cheaper, test_random, test_long, test_many_pass)
