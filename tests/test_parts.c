/* SPDX-License-Identifier: MIT */
/*
 * Parts of what is to be done: of the pairs of a reader, and of a matrix. Together they have every
 * pair once, whatever the sizes of chunks and the number of threads.
 */
#include "fasta_fixture.h"
#include "pairs_fixture.h"
#include "rhomb/matrix.h"
#include "support/rng.h"
#include "support/test.h"

enum { PAIRS = 137, BAD = 5 /* every so many pairs of a file of pairs are malformed */ };

/* What is known of the pairs, by their numbers in the input. */
static struct {
    int64_t seen[PAIRS];
    int64_t lines[PAIRS];
    int64_t kept; /* in all chunks of a part */
} found;

static void take_chunk(const rhomb_pair_chunk *chunk, const rhomb_pairs_options *options, bool text)
{
    size_t fault = 0;
    assert_int_equal(chunk->first, found.kept);
    for (size_t i = 0; i < chunk->count; i++) {
        const int64_t number = found.kept++ * options->parts + options->part;
        char name[32], word[32];
        assert_in_range(number, 0, PAIRS - 1);
        found.seen[number]++;
        found.lines[number] = rhomb_pair_chunk_line(chunk, i);
        snprintf(word, sizeof word, "line %lld:", (long long)(2 * number + 1));
        if (text && number % BAD == 2) {
            assert_true(fault < chunk->fault_count);
            assert_int_equal(chunk->faults[fault].index, i);
            assert_contains(chunk->faults[fault++].detail, word);
            continue;
        }
        snprintf(name, sizeof name, "name%lld", (long long)number);
        assert_string_equal(chunk->names[i].query, name);
        assert_int_equal(chunk->pairs[i].query_length, number % 9);
        assert_int_equal(chunk->pairs[i].target_length, 3);
        assert_int_equal(found.lines[number], text ? 2 * number + 1 : 0);
    }
    assert_int_equal(fault, chunk->fault_count);
}

static void read_part(const char *queries, const rhomb_pairs_options *options, size_t bytes,
                      int32_t readers)
{
    rhomb_pairs *pairs = NULL;
    rhomb_pair_chunk *chunk = NULL;
    found.kept = 0;
    rhomb__error_clear(&error);
    assert_int_equal(rhomb__pairs_open(&error, file_path, queries, options, readers, bytes, &pairs),
                     RHOMB_OK);
    do {
        assert_int_equal(rhomb_pairs_next(pairs, &chunk), RHOMB_OK);
        take_chunk(chunk, options, queries == NULL);
    } while (chunk->count > 0);
    assert_int_equal(rhomb_pairs_get_report(pairs)->pairs, PAIRS);
    rhomb_pair_chunk_destroy(chunk);
    rhomb_pairs_destroy(pairs);
}

static void expect_parts(const char *queries)
{
    static const int64_t parts[] = {1, 2, 3, 7, PAIRS - 1, PAIRS, PAIRS + 1, 1000000};
    static const size_t sizes[] = {1, 60, 500, 0};
    for (size_t k = 0; k < COUNT(parts); k++)
        for (size_t size = 0; size < COUNT(sizes); size++) {
            rhomb_pairs_options options = RHOMB_PAIRS_OPTIONS_INIT;
            options.parts = parts[k];
            memset(&found, 0, sizeof found);
            for (; options.part < parts[k] && options.part < PAIRS + 2; options.part++)
                read_part(queries, &options, sizes[size], size % 2 == 0 ? 1 : 4);
            for (int i = 0; i < PAIRS; i++)
                assert_int_equal(found.seen[i], 1);
        }
}

static void parts_of_pairs(void **state)
{
    static char text[64 * PAIRS];
    size_t length = 0;
    for (int i = 0; i < PAIRS; i++) {
        char *at = text + length;
        length += i % BAD == 2
                      ? (size_t)sprintf(at, "<ACG\n\n")
                      : (size_t)sprintf(at, ">%.*s\tname%d\n<ACG\n", i % 9, "ACGTACGTA", i);
    }
    write_text(text);
    expect_parts(NULL);
}

static void parts_of_records(void **state)
{
    static char targets[64 * PAIRS], queries[64 * PAIRS];
    size_t target = 0, query = 0;
    for (int i = 0; i < PAIRS; i++) {
        target += (size_t)sprintf(targets + target, ">target%d\nACG\n", i);
        query += (size_t)sprintf(queries + query, ">name%d\n%.*s\n", i, i % 9, "ACGTACGTA");
    }
    write_text(targets);
    write_bytes(queries_path, queries, query);
    expect_parts(queries_path);
}

static void no_parts(void **state)
{
    static const int64_t bad[][2] = {{1, 1}, {5, 3}, {-1, 3}, {1, 0}, {0, -1}};
    write_text("");
    for (size_t i = 0; i < COUNT(bad); i++) {
        rhomb_pairs_options options = RHOMB_PAIRS_OPTIONS_INIT;
        rhomb_pairs *pairs = NULL;
        options.part = bad[i][0];
        options.parts = bad[i][1];
        rhomb__error_clear(&error);
        assert_int_equal(rhomb__pairs_open(&error, file_path, NULL, &options, 1, 0, &pairs),
                         RHOMB_ERR_ARGUMENT);
        assert_null(pairs);
    }
}

/* Parts of a matrix follow each other, and none has more than its share and a pair. */
static void parts_of_a_matrix(void **state)
{
    enum { MOST = 60 };
    rhomb_matrix_sequence list[MOST];
    for (int64_t index = 0; index < 200; index++) {
        rng r = rng_for("parts of a matrix", index);
        const int64_t count = rng_below(&r, MOST + 1), parts = rng_between(&r, 1, 40);
        int64_t next = 0, first, end;
        double all = 0, most = 0, longest = 0;
        for (int64_t i = 0; i < count; i++) {
            list[i] =
                (rhomb_matrix_sequence){NULL, rng_below(&r, index % 3 == 0 ? 3 : 100000), NULL};
            for (int64_t j = 0; j < i; j++) {
                const double work = (double)list[i].length + (double)list[j].length + 1;
                all += work;
                longest = work > longest ? work : longest;
            }
        }
        for (int64_t part = 0; part < parts; part++) {
            double own = 0;
            assert_int_equal(rhomb_matrix_part(list, count, part, parts, &first, &end), RHOMB_OK);
            assert_int_equal(first, next);
            assert_true(end >= first);
            next = end;
            for (int64_t i = 1; i < count; i++)
                for (int64_t j = 0; j < i; j++)
                    if (rhomb_matrix_pair(i, j) >= first && rhomb_matrix_pair(i, j) < end)
                        own += (double)list[i].length + (double)list[j].length + 1;
            most = own > most ? own : most;
        }
        assert_int_equal(next, count > 0 ? rhomb_matrix_pair(count, 0) : 0);
        assert_true(most <= all / (double)parts + longest + 1e-6 * all);
    }
    int64_t first, end;
    assert_int_equal(rhomb_matrix_part(list, 3, 2, 2, &first, &end), RHOMB_ERR_ARGUMENT);
    assert_int_equal(rhomb_matrix_part(list, 3, -1, 2, &first, &end), RHOMB_ERR_ARGUMENT);
    assert_int_equal(rhomb_matrix_part(list, 3, 0, 1, NULL, &end), RHOMB_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PAIRS_TEST(parts_of_pairs),
        PAIRS_TEST(parts_of_records),
        PAIRS_TEST(no_parts),
        cmocka_unit_test(parts_of_a_matrix),
    };
    return cmocka_run_group_tests(tests, pairs_set_up, pairs_tear_down);
}
