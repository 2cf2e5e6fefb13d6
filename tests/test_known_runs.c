/* SPDX-License-Identifier: MIT */
/*
 * The tables of runs of one symbol (src/base/known_runs.h) against a loop over all symbols, from
 * both ends, by any number of threads.
 */
#include "cl/abi.h"
#include "src/base/known_runs.h"
#include "support/pair.h"
#include "support/test.h"

/* In upper and lower case, and N. */
static rhomb__codes codes_of(void)
{
    static const char SYMBOLS[] = "ACGTN";
    rhomb__codes codes = {.symbols = 5};
    for (int i = 0; SYMBOLS[i] != '\0'; i++)
        codes.code[(unsigned char)SYMBOLS[i]] = codes.code[SYMBOLS[i] + 32] = (uint8_t)i;
    return codes;
}

/* The symbol at `at` from one of the ends. */
static int code_at(const rhomb__codes *codes, const letters *s, bool reversed, int64_t at)
{
    return codes->code[(unsigned char)s->at[reversed ? s->length - 1 - at : at]];
}

/* Whole chunks of one symbol from `chunk` on. */
static int64_t chunks_ahead(const rhomb__codes *codes, const letters *s, bool reversed,
                            int64_t chunk)
{
    const int64_t begin = chunk * RHOMB_RUN_CHUNK;
    int64_t end = begin;
    while (end < s->length &&
           code_at(codes, s, reversed, end) == code_at(codes, s, reversed, begin))
        end++;
    return (end - begin) / RHOMB_RUN_CHUNK;
}

static int64_t check(const letters *s, const char *what)
{
    const rhomb__codes codes = codes_of();
    const int64_t chunks = rhomb__run_chunks(s->length);
    uint32_t *tables[2], *alone = malloc((size_t)chunks * sizeof *alone);
    int64_t known = 0;
    for (int i = 0; i < 2; i++)
        tables[i] = malloc((size_t)chunks * sizeof **tables);
    assert_true(alone != NULL && tables[0] != NULL && tables[1] != NULL);
    assert_int_equal(chunks, s->length / 4096 + 1);
    for (int32_t threads = 1; threads <= 5; threads++) {
        memset(tables[0], 0xff, (size_t)chunks * sizeof **tables);
        memset(tables[1], 0xff, (size_t)chunks * sizeof **tables);
        assert_true(
            rhomb__known_runs_find(&codes, s->at, s->length, threads, tables[0], tables[1]));
        for (int i = 0; i < 2; i++) {
            for (int64_t c = 0; c < chunks; c++) {
                const int64_t expected = chunks_ahead(&codes, s, i == 1, c);
                if (tables[i][c] != expected)
                    fail_msg("%s, length %lld, %d threads, direction %d: chunk %lld has %u instead "
                             "of %lld",
                             what, (long long)s->length, (int)threads, i, (long long)c,
                             tables[i][c], (long long)expected);
                known += expected > 0;
            }
        }
    }
    assert_true(rhomb__known_runs_find(&codes, s->at, s->length, 1, alone, NULL));
    assert_memory_equal(alone, tables[0], (size_t)chunks * sizeof *alone);
    free(alone);
    free(tables[0]);
    free(tables[1]);
    return known;
}

static void put_run(letters *s, int64_t at, int64_t length, char symbol)
{
    for (int64_t i = at; i < at + length && i < s->length; i++)
        s->at[i] = symbol;
}

/* One run that begins and ends at and near edges of chunks and their halves. */
static void test_edges(void **state)
{
    static const int64_t LENGTHS[] = {1,    2047, 2048, 2049, 4095, 4096,  4097, 6143,
                                      6144, 6145, 8191, 8192, 8193, 12288, 20481};
    rng r = rng_for("edges of runs", 0);
    int64_t known = 0;
    for (int64_t at = 0; at <= 3; at++) {
        for (int64_t beside = -2; beside <= 2; beside++) {
            for (size_t i = 0; i < COUNT(LENGTHS); i++) {
                letters s = {NULL, 0, 0};
                letters_random(&s, "ACGT", 31000 + rng_below(&r, 4097), &r);
                const int64_t begin = at * 2048 + beside;
                put_run(&s, begin < 0 ? 0 : begin, LENGTHS[i], 'N');
                known += check(&s, "a run");
                put_run(&s, s.length - LENGTHS[i] - (begin < 0 ? 0 : begin), LENGTHS[i], 'A');
                known += check(&s, "two runs");
                free(s.at);
            }
        }
    }
    assert_true(known > 1000);
}

/* Runs next to each other, in upper and lower case, and at both ends. */
static void test_adjacent(void **state)
{
    for (int64_t index = 0; index < 60; index++) {
        rng r = rng_for("adjacent runs", index);
        letters s = {NULL, 0, 0};
        while (s.length < 60000) {
            static const char *const UNITS[] = {"A", "C", "N", "n", "Nn", "aA", "T"};
            const char *unit = UNITS[rng_below(&r, (int64_t)COUNT(UNITS))];
            const int64_t length =
                rng_chance(&r, 0.5) ? 2048 * rng_between(&r, 1, 6) : rng_between(&r, 1, 13000);
            letters_repeat(&s, unit, length);
            if (rng_chance(&r, 0.3))
                letters_random(&s, "ACGT", rng_between(&r, 1, 5000), &r);
        }
        check(&s, "adjacent runs");
        free(s.at);
    }
}

/* One symbol alone, and nothing. */
static void test_whole(void **state)
{
    for (int64_t length = 0; length < 12400; length += length < 5 ? 1 : 1023) {
        letters s = {NULL, 0, 0};
        letters_append(&s, "", 0);
        letters_repeat(&s, "N", length);
        check(&s, "one symbol");
        free(s.at);
    }
}

/* As many halves as several tasks have, with a run across the tasks' border. */
static void test_tasks(void **state)
{
    letters s = {NULL, 0, 0};
    rng r = rng_for("runs of several tasks", 0);
    letters_random(&s, "ACGT", (INT64_C(1) << 24) * 2 + 77, &r);
    put_run(&s, (INT64_C(1) << 24) - 30000, 60001, 'N');
    put_run(&s, (INT64_C(1) << 25) - 4096, 5000, 'g');
    assert_true(check(&s, "several tasks") > 0);
    free(s.at);
}

TEST_MAIN(test_edges, test_adjacent, test_whole, test_tasks)
