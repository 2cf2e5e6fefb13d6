/* SPDX-License-Identifier: MIT */
/*
 * A path's gaps in order (src/paths/path_tidy.c): known ones; bases that repeat for long do not
 * take for ever; what is no path of the pair is found, and so is that there is no memory. Random
 * paths, and long ones, are for test_path_affine.
 */
#include "rhomb/batch.h"
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

/* Bases are compared as they are, but for x, which equals A. */
static rhomb__codes codes_with_x(void)
{
    rhomb__codes codes = codes_of_bytes();
    codes.code['x'] = 'A';
    return codes;
}

static int64_t cost_of(const rhomb__path *way)
{
    return way->mismatches + way->inserted + way->deleted;
}

static void tidy_by(rhomb__path *way, const rhomb_pair *texts, int32_t threads)
{
    const rhomb__codes codes = codes_with_x();
    const rhomb__costs costs = rhomb__costs_edit();
    const rhomb__path_pair both = {
        texts->target, texts->target_length, texts->query, texts->query_length, &codes, &costs};
    rhomb__error error = {RHOMB_OK, NULL, ""};
    bool fits = false;
    const int64_t cost = cost_of(way);
    assert_int_equal(rhomb__path_tidy(&error, way, &both, cost, threads, &fits), RHOMB_OK);
    assert_true(fits);
    assert_true(path_fits(way, &both, cost, 1));
}

static void tidy(rhomb__path *way, const rhomb_pair *texts)
{
    tidy_by(way, texts, 1);
}

static void append(rhomb__path *way, uint32_t code, int64_t length)
{
    rhomb__error error = {RHOMB_OK, NULL, ""};
    assert_int_equal(rhomb__path_append(&error, way, code, length), RHOMB_OK);
}

/* A path from its CIGAR. */
static rhomb__path path_of(const char *cigar)
{
    rhomb_path_op ops[64];
    rhomb__path way = {0};
    const int64_t count = path_read(cigar, ops);
    for (int64_t i = 0; i < count; i++)
        append(&way, RHOMB_CIGAR_CODE(ops[i]), (int64_t)RHOMB_CIGAR_LENGTH(ops[i]));
    return way;
}

static void check_known(const char *target, const char *query, const char *before,
                        const char *after)
{
    const rhomb_pair texts = {target, (int64_t)strlen(target), query, (int64_t)strlen(query)};
    rhomb__path way = path_of(before), expected = path_of(after);
    tidy(&way, &texts);
    bool same = way.count == expected.count;
    for (int64_t i = 0; i < way.count && same; i++)
        same = way.ops[i] == expected.ops[i];
    if (!same)
        fail_msg("%s and %s: %s is not %s", target, query, before, after);
    rhomb__path_release(&way);
    rhomb__path_release(&expected);
}

static void test_known(void **state)
{
    check_known("", "", "", "");
    check_known("ACGT", "ACGT", "4=", "4=");
    check_known("ACGT", "", "4D", "4D");
    check_known("AC", "AGGC", "1=2I1=", "1=2I1=");
    /* to the left, past bases that repeat, up to a beginning or a mismatch */
    check_known("GAAAT", "GAAAAT", "4=1I1=", "1=1I4=");
    check_known("GAAAAT", "GAAAT", "4=1D1=", "1=1D4=");
    check_known("AAA", "AAAA", "3=1I", "1I3=");
    check_known("GACACT", "GACACACT", "5=2I1=", "1=2I5=");
    check_known("GCAAT", "GTAAAT", "1=1X2=1I1=", "1=1X1I3=");
    check_known("AAxT", "AAxAT", "3=1I1=", "1I4=");
    /* a run of matches comes to lie before a mismatch, or an end */
    check_known("GAAC", "GAAAT", "3=1I1X", "1=1I2=1X");
    check_known("GAA", "GAAA", "3=1I", "1=1I2=");
    /* two become one where they can be moved to each other: the second, the first, or both */
    check_known("TCA", "TGGCGGCA", "1=2I1=3I1=", "1=5I2=");
    check_known("TGGCGGCA", "TCA", "1=2D1=3D1=", "1=5D2=");
    check_known("TCAGG", "TCTTATTAGG", "2=2I1=3I2=", "2=5I3=");
    check_known("TCGG", "TCTTCAGG", "1=3I1=1I2=", "2=4I2=");
    check_known("TCAG", "TCGCAGAG", "1=2I2=2I1=", "2=4I2=");
    /* not past a mismatch, nor into a gap of the other kind */
    check_known("TCGA", "TGGAGGCGA", "1=2I1X3I2=", "1=2I1X3I2=");
}

static int64_t gaps_of(const rhomb__path *way)
{
    int64_t gaps = 0;
    for (int64_t i = 0; i < way->count; i++)
        gaps += RHOMB_CIGAR_CODE(way->ops[i]) == RHOMB_CIGAR_I ||
                RHOMB_CIGAR_CODE(way->ops[i]) == RHOMB_CIGAR_D;
    return gaps;
}

/* The model's path, from what a path is before. */
static rhomb_cigar_op *model_of(const rhomb__path *way, const rhomb_pair *texts, int64_t *count)
{
    rhomb_cigar_op *ops = malloc((size_t)(way->count + gaps_of(way) + 1) * sizeof *ops);
    assert_non_null(ops);
    for (int64_t i = 0; i < way->count; i++)
        ops[i] = (rhomb_cigar_op)way->ops[i];
    *count = path_in_order(ops, way->count, texts);
    return ops;
}

static bool is_same(const rhomb__path *way, const rhomb_cigar_op *ops, int64_t count)
{
    bool same = way->count == count;
    for (int64_t i = 0; i < count && same; i++)
        same = way->ops[i] == ops[i];
    return same;
}

/* A gap in pieces is one again, however long what repeats around it. */
static void test_long_repeats(void **state)
{
    static const char *const UNITS[] = {"A", "AC", "ACGGT",
                                        "GATTACAGATTTCAGATTAGACCAGATAGGACCATTTAGACCCATAGA"};
    enum { LENGTH = 200000 };
    for (size_t u = 0; u < COUNT(UNITS); u++) {
        const int64_t unit = (int64_t)strlen(UNITS[u]);
        letters target = {NULL, 0, 0}, query = {NULL, 0, 0};
        rhomb__path way = {0};
        letters_repeat(&target, UNITS[u], LENGTH);
        letters_repeat(&query, UNITS[u], LENGTH + 20 * unit);
        target.at[LENGTH / 2] = query.at[LENGTH / 2] = 'T'; /* that no gap passes */
        target.at[0] = query.at[0] = 'N';
        append(&way, RHOMB_CIGAR_EQ, LENGTH / 2 + 1000);
        for (int piece = 0; piece < 10; piece++) {
            append(&way, RHOMB_CIGAR_I, 2 * unit);
            append(&way, RHOMB_CIGAR_EQ, 100 * unit);
        }
        append(&way, RHOMB_CIGAR_EQ, LENGTH - LENGTH / 2 - 1000 - 1000 * unit);
        const rhomb_pair texts = {target.at, target.length, query.at, query.length};
        tidy(&way, &texts);
        assert_int_equal(way.count, 3);
        assert_int_equal(way.ops[1] >> 4, 20 * unit);
        assert_true((int64_t)(way.ops[0] >> 4) <= LENGTH / 2 + 1);
        rhomb__path_release(&way);
        free(target.at);
        free(query.at);
    }
}

/*
 * Two gaps that nothing joins, with many after them that find it out again, base by base: the
 * path stays sound, and ends.
 */
static void test_many_in_vain(void **state)
{
    enum { LENGTH = 8000000, PIECES = 100000 };
    letters target = {NULL, 0, 0}, query = {NULL, 0, 0};
    rhomb__path way = {0};
    letters_repeat(&target, "A", LENGTH);
    letters_repeat(&query, "A", LENGTH + PIECES + 1);
    target.at[1] = query.at[2] = 'C';
    append(&way, RHOMB_CIGAR_I, 1);
    append(&way, RHOMB_CIGAR_EQ, LENGTH - 2 * PIECES);
    for (int piece = 0; piece < PIECES; piece++) {
        append(&way, RHOMB_CIGAR_I, 1);
        append(&way, RHOMB_CIGAR_EQ, 2);
    }
    const rhomb_pair texts = {target.at, target.length, query.at, query.length};
    tidy(&way, &texts);
    assert_true(way.count < 4 * PIECES);
    rhomb__path_release(&way);
    free(target.at);
    free(query.at);
}

/* Appends a piece of both sequences and of the path, so many times. */
static void repeat(rhomb__path *way, const rhomb_pair *texts, letters *target, letters *query,
                   const char *cigar, int64_t times)
{
    rhomb__path piece = path_of(cigar);
    for (int64_t i = 0; i < times; i++) {
        letters_append(target, texts->target, texts->target_length);
        letters_append(query, texts->query, texts->query_length);
        for (int64_t k = 0; k < piece.count; k++)
            append(way, (uint32_t)RHOMB_CIGAR_CODE(piece.ops[k]),
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
    static const char *const MORE_CIGAR = "3=1I1X", *const FEWER_CIGAR = "1=2I1=3I2=1X";
    for (int kind = 0; kind < 6; kind++) {
        letters target = {NULL, 0, 0}, query = {NULL, 0, 0};
        rhomb__path way = {0};
        for (int half = 0; half < 2; half++) {
            const bool more = kind / 2 == 0 || kind / 2 == 1 + half;
            repeat(&way, more ? &MORE : &FEWER, &target, &query, more ? MORE_CIGAR : FEWER_CIGAR,
                   TIMES);
        }
        rhomb__path_trim(&way);
        const rhomb_pair texts = {target.at, target.length, query.at, query.length};
        const int64_t before = way.count;
        int64_t count = 0;
        rhomb_cigar_op *expected = model_of(&way, &texts, &count);
        tidy_by(&way, &texts, 1 + 3 * (kind % 2));
        assert_true(is_same(&way, expected, count));
        assert_true(kind / 2 != 0 || count == before + 2 * TIMES);
        free(expected);
        rhomb__path_release(&way);
        free(target.at);
        free(query.at);
    }
}

/* Paths that cost something else, end early, or have mismatches that they call matches. */
static void test_no_path(void **state)
{
    enum { TIMES = 5000 };
    static const rhomb_pair UNIT = {"GAAC", 4, "GAAAT", 5};
    const rhomb__codes codes = codes_with_x();
    const rhomb__costs costs = rhomb__costs_edit();
    for (int kind = 0; kind < 5; kind++) {
        letters target = {NULL, 0, 0}, query = {NULL, 0, 0};
        rhomb__path way = {0};
        rhomb__error error = {RHOMB_OK, NULL, ""};
        bool fits = kind != 0;
        repeat(&way, &UNIT, &target, &query, "3=1I1X", TIMES);
        const int64_t cost = cost_of(&way) + (kind == 1);
        target.at[4 * (TIMES / 2)] = kind == 2 ? 'T' : 'G';
        query.at[5 * TIMES - 1] = kind == 3 ? 'C' : 'T'; /* as the target's, where they differ */
        const rhomb__path_pair both = {
            target.at, target.length - (kind == 4), query.at, query.length, &codes, &costs};
        assert_int_equal(rhomb__path_tidy(&error, &way, &both, cost, 4, &fits), RHOMB_OK);
        assert_int_equal(fits, kind == 0);
        rhomb__path_release(&way);
        free(target.at);
        free(query.at);
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
    const rhomb__costs costs = rhomb__costs_edit();
    rhomb_status status = RHOMB_OK;
    for (int unit = 0; unit < 3; unit++) {
        int64_t most = -1;
        do {
            letters target = {NULL, 0, 0}, query = {NULL, 0, 0};
            rhomb__path way = {0};
            rhomb__error error = {RHOMB_OK, NULL, ""};
            bool fits = false;
            repeat(&way, &UNITS[unit], &target, &query, CIGARS[unit], TIMES);
            rhomb__path_trim(&way);
            const rhomb_pair texts = {target.at, target.length, query.at, query.length};
            int64_t count = 0;
            rhomb_cigar_op *expected = model_of(&way, &texts, &count);
            const rhomb__path_pair both = {target.at,    target.length, query.at,
                                           query.length, &codes,        &costs};
            allocations = ++most;
            are_counted = true;
            status = rhomb__path_tidy(&error, &way, &both, cost_of(&way), 1, &fits);
            are_counted = false;
            assert_true(status == RHOMB_OK ? fits : status == RHOMB_ERR_MEMORY);
            assert_true(status != RHOMB_OK || is_same(&way, expected, count));
            rhomb__path_release(&way);
            free(expected);
            free(target.at);
            free(query.at);
        } while (status != RHOMB_OK);
        assert_in_range(most, LEAST[unit], MOST[unit]);
    }
}

TEST_MAIN(test_known, test_long_repeats, test_many_in_vain, test_more_operations, test_no_path,
          test_no_memory)
