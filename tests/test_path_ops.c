/* SPDX-License-Identifier: MIT */
/*
 * A path that is put together (src/paths/path_ops.c): random operations come out as they went in,
 * with neighbours of a code in one; bases are counted by code; without memory nothing changes.
 */
#include "src/paths/path_ops.h"
#include "support/path_fits.h"
#include "support/rng.h"
#include "support/test.h"

static const uint32_t CODES[] = {RHOMB_CIGAR_EQ, RHOMB_CIGAR_X, RHOMB_CIGAR_I, RHOMB_CIGAR_D};
enum { CODE_COUNT = COUNT(CODES) };

void *__real_realloc(void *block, size_t bytes);
void *__wrap_realloc(void *block, size_t bytes);

static bool no_memory;

void *__wrap_realloc(void *block, size_t bytes)
{
    return no_memory ? NULL : __real_realloc(block, bytes);
}

static void check_path(const rhomb__path *path, const rhomb_path_op *ops, int64_t count)
{
    assert_int_equal(path->count, count);
    assert_true(path->room >= count);
    for (int64_t i = 0; i < count; i++)
        assert_int_equal(path->ops[i], ops[i]);
}

static void release(rhomb__path *path)
{
    static const rhomb__path NOTHING;
    rhomb__path_release(path);
    assert_memory_equal(path, &NOTHING, sizeof NOTHING);
}

/* Appended one by one, or some at a time as short pairs have them. */
static void test_append(void **state)
{
    enum { CASES = 40, MOST = 2000 };
    static rhomb_path_op expected[MOST];
    for (int64_t index = 0; index < CASES; index++) {
        rng r = rng_for("path ops", index);
        rhomb__error error = {RHOMB_OK, NULL, ""};
        rhomb__path path = {0};
        int64_t letters[16] = {0}, count = 0;
        const int64_t appended = index == 0 ? 0 : rng_below(&r, MOST);
        for (int64_t i = 0; i < appended; i++) {
            const uint32_t code = CODES[rng_below(&r, CODE_COUNT)];
            const bool is_short = rng_chance(&r, 0.5);
            const int64_t length =
                rng_chance(&r, 0.1) ? 0 : rng_between(&r, 1, is_short ? 300 : INT64_C(1) << 40);
            const rhomb_cigar_op op = (rhomb_cigar_op)length << 4 | code;
            const rhomb__cigar cigar = {&op, length > 0};
            assert_int_equal(is_short ? rhomb__path_append_cigars(&error, &path, &cigar, 1, 1)
                                      : rhomb__path_append(&error, &path, code, length),
                             RHOMB_OK);
            letters[code] += length;
            if (length > 0 && count > 0 && RHOMB_CIGAR_CODE(expected[count - 1]) == code)
                expected[count - 1] += (rhomb_path_op)length << 4;
            else if (length > 0)
                expected[count++] = (rhomb_path_op)length << 4 | code;
        }
        check_path(&path, expected, count);
        rhomb__path_trim(&path);
        check_path(&path, expected, count);
        assert_true(path.room == count);
        assert_int_equal(path.matches, letters[RHOMB_CIGAR_EQ]);
        assert_int_equal(path.mismatches, letters[RHOMB_CIGAR_X]);
        assert_int_equal(path.inserted, letters[RHOMB_CIGAR_I]);
        assert_int_equal(path.deleted, letters[RHOMB_CIGAR_D]);
        release(&path);
    }
}

/* CIGARs at once: the first operation of each may grow the last one of the path. */
static void test_append_cigars(void **state)
{
    enum { CASES = 12, CIGARS = 9000, MOST_OPS = 12 };
    static rhomb_cigar_op ops[CIGARS][MOST_OPS];
    static rhomb__cigar cigars[CIGARS];
    for (int64_t index = 0; index < CASES; index++) {
        rng r = rng_for("path ops, cigars", index);
        rhomb__error error = {RHOMB_OK, NULL, ""};
        rhomb__path path = {0}, expected = {0};
        /* Of few codes and operations, so that CIGARs vanish in each other. */
        const int64_t codes = 2 + index % 3, most = index % 2 == 0 ? MOST_OPS : 1;
        const int64_t count = index < 4 ? index : CIGARS - rng_below(&r, 100);
        if (index % 3 > 0)
            assert_int_equal(rhomb__path_append(&error, &path, CODES[0], 7), RHOMB_OK);
        if (index % 3 > 0)
            assert_int_equal(rhomb__path_append(&error, &expected, CODES[0], 7), RHOMB_OK);
        for (int64_t i = 0; i < count; i++) {
            int64_t code = rng_below(&r, codes);
            cigars[i].ops = ops[i];
            cigars[i].count = rng_chance(&r, 0.02) ? 0 : rng_between(&r, 1, most);
            for (int64_t c = 0; c < cigars[i].count; c++) {
                const int64_t length = rng_between(&r, 1, (1 << 28) - 1);
                ops[i][c] = (rhomb_cigar_op)length << 4 | CODES[code];
                assert_int_equal(rhomb__path_append(&error, &expected, CODES[code], length),
                                 RHOMB_OK);
                code = (code + rng_between(&r, 1, codes - 1)) % codes;
            }
        }
        assert_int_equal(
            rhomb__path_append_cigars(&error, &path, cigars, count, 1 + (int32_t)(index % 4)),
            RHOMB_OK);
        check_path(&path, expected.ops, expected.count);
        assert_int_equal(path.matches, expected.matches);
        assert_int_equal(path.mismatches, expected.mismatches);
        assert_int_equal(path.inserted, expected.inserted);
        assert_int_equal(path.deleted, expected.deleted);
        release(&expected);
        release(&path);
    }
}

/* What is there stays as it is. */
static void test_no_memory(void **state)
{
    rhomb_path_op expected[4096] = {0};
    rhomb__error error = {RHOMB_OK, NULL, ""};
    rhomb__path path = {0};
    rhomb_status status = RHOMB_OK;
    int64_t count = 0;
    const rhomb_cigar_op op = 1 << 4 | RHOMB_CIGAR_X;
    const rhomb__cigar cigar = {&op, 1};
    no_memory = true;
    assert_int_equal(rhomb__path_append_cigars(&error, &path, &cigar, 1, 1), RHOMB_ERR_MEMORY);
    rhomb__error_clear(&error);
    assert_int_equal(rhomb__path_append(&error, &path, RHOMB_CIGAR_X, 1), RHOMB_ERR_MEMORY);
    assert_non_null(strstr(rhomb__error_text(&error), "the operations of a path"));
    check_path(&path, expected, 0);
    no_memory = false;
    assert_int_equal(rhomb__path_append(&error, &path, CODES[0], 1), RHOMB_OK);
    expected[count++] = 1 << 4 | CODES[0];
    no_memory = true;
    while (status == RHOMB_OK && count < 4096) {
        const uint32_t code = CODES[count % CODE_COUNT];
        expected[count] = (rhomb_path_op)count << 4 | code;
        status = rhomb__path_append(&error, &path, code, count);
        count += status == RHOMB_OK;
    }
    assert_int_equal(status, RHOMB_ERR_MEMORY);
    check_path(&path, expected, count);
    rhomb__path_trim(&path); /* that may fail in silence */
    check_path(&path, expected, count);
    no_memory = false;
    release(&path);
    rhomb__error_clear(&error);
}

/* Whether the operations are a path of that cost from ACGTTACG... to ACTTTAcGG..., repeated. */
static bool fits(const rhomb_path_op *ops, int64_t count, int64_t times, int64_t cost,
                 int32_t threads)
{
    static const char TARGET[] = "ACGTTACG", QUERY[] = "ACTTTAcGG";
    static char target[8 * 6000], query[9 * 6000];
    rhomb__codes codes = {{0}, 4};
    rhomb__error error = {RHOMB_OK, NULL, ""};
    rhomb__path path = {0};
    for (int i = 0; i < 4; i++)
        codes.code[(unsigned char)"ACGT"[i]] = codes.code[(unsigned char)"acgt"[i]] = (uint8_t)i;
    for (int64_t i = 0; i < times; i++) {
        memcpy(target + 8 * i, TARGET, 8);
        memcpy(query + 9 * i, QUERY, 9);
        for (int64_t c = 0; c < count; c++)
            assert_int_equal(rhomb__path_append(&error, &path, RHOMB_CIGAR_CODE(ops[c]),
                                                (int64_t)RHOMB_CIGAR_LENGTH(ops[c])),
                             RHOMB_OK);
    }
    const rhomb__costs costs = rhomb__costs_edit();
    const rhomb__path_pair pair = {target, 8 * times, query, 9 * times, &codes, &costs};
    const bool good = path_fits(&path, &pair, cost, threads);
    rhomb__path_release(&path);
    return good;
}

#define OP(length, code) ((rhomb_path_op)(length) << 4 | RHOMB_CIGAR_##code)

/* A path that tells the truth passes, on any number of threads; one that does not, does not. */
static void test_check(void **state)
{
    const rhomb_path_op good[] = {OP(2, EQ), OP(1, X), OP(5, EQ), OP(1, I)};
    for (int32_t threads = 1; threads <= 4; threads += 3)
        for (int64_t times = 1; times <= 6000; times += 1999)
            assert_true(fits(good, 4, times, 2 * times, threads));
    const rhomb_path_op bad[][4] = {
        {OP(3, EQ), OP(1, X), OP(4, EQ), OP(1, I)}, /* matches that are mismatches */
        {OP(1, EQ), OP(2, X), OP(5, EQ), OP(1, I)}, /* mismatches that are matches */
        {OP(2, EQ), OP(1, X), OP(5, EQ), OP(1, D)}, /* ends elsewhere */
        {OP(2, EQ), OP(1, X), OP(5, EQ), OP(2, I)}, /* beyond the query */
        {OP(2, EQ), OP(1, X), OP(4, EQ), OP(1, I)}, /* before both ends */
        {OP(2, EQ), OP(1, I), OP(5, EQ), OP(1, X)}, /* another place */
    };
    for (size_t i = 0; i < COUNT(bad); i++)
        for (int64_t times = 1; times <= 6000; times += 1999)
            assert_false(fits(bad[i], 4, times, 2 * times, 4));
    assert_false(fits(bad[1], 4, 10, 30, 4)); /* even at the cost that it has */
    assert_false(fits(good, 4, 10, 19, 1));
    assert_true(fits(good, 0, 0, 0, 1));
}

/* Operations that are none, as no path is put together, are refused though they end at the ends. */
static void test_check_garbage(void **state)
{
    enum { COUNT = 10000, KINDS = 6 };
    static const rhomb_path_op GOOD[4] = {OP(2, I), OP(2, D), OP(2, I), OP(2, D)};
    static const rhomb_path_op GARBAGE[KINDS][4] = {
        {OP(2, I), OP(0, D), OP(2, I), OP(4, D)},   /* nothing */
        {OP(2, I), OP(2, I), OP(2, D), OP(2, D)},   /* the same twice */
        {1 << 4 | 3, OP(1, D), OP(3, I), OP(2, D)}, /* a code that none has */
        {OP(2, D), OP(2, I), OP(2, D), OP(2, I)},   /* the same as the one before */
        {OP(2, I), OP(INT64_MAX >> 4, D), OP(2, I), OP(2, D)},
        {OP(2, I), OP(2, D), OP(UINT64_MAX >> 4, I), OP(2, D)}};
    static char letters[COUNT];
    static rhomb_path_op ops[COUNT];
    const rhomb__codes codes = {{0}, 1};
    const rhomb__costs costs = rhomb__costs_edit();
    const rhomb__path_pair pair = {letters, COUNT, letters, COUNT, &codes, &costs};
    const rhomb__path path = {.ops = ops, .count = COUNT, .inserted = COUNT, .deleted = COUNT};
    for (int64_t i = 0; i < COUNT; i++)
        ops[i] = GOOD[i % 4];
    assert_true(path_fits(&path, &pair, 2 * COUNT, 2));
    for (int64_t at = 2; at + 4 <= COUNT; at += 2) {
        const int kind = (int)(at / 2 % KINDS);
        memcpy(ops + at, GARBAGE[kind], sizeof GARBAGE[kind]);
        if (path_fits(&path, &pair, 2 * COUNT, 1))
            fail_msg("garbage of kind %d passes at %lld", kind, (long long)at);
        memcpy(ops + at, GOOD, sizeof GOOD);
    }
}

TEST_MAIN(test_append, test_append_cigars, test_no_memory, test_check, test_check_garbage)
