/* SPDX-License-Identifier: MIT */
/*
 * Rows of a batch against what printf() makes of the same pair: numbers of all sizes, similarities,
 * operations of all lengths, names that need escapes.
 */
#include "host/cli/base/rows.h"
#include "host/cli/base/text_buffer.h"
#include "support/rng.h"
#include "support/test.h"

enum { OPS = 50, TEXT_BYTES = 4096, CIGAR_BYTES = TEXT_BYTES / 2 };

/* A length or a number of any size: as many of one digit as of 18. */
static int64_t random_number(rng *r, int digits_most)
{
    int64_t most = 1;
    for (int64_t digits = rng_between(r, 1, digits_most); digits > 0; digits--)
        most *= 10;
    return rng_chance(r, 0.1) ? most - rng_below(r, 2) : rng_below(r, most);
}

/* One row, by the code that is tested. */
static void format(cli_row_format format, const cli_row *row, char text[TEXT_BYTES])
{
    const cli_row_style style = {.format = format, .cigar = true, .max_distance = -1};
    cli_buffer out = {0};
    cli_rows_append(&out, &style, row);
    assert_false(out.failed);
    assert_true(out.length < TEXT_BYTES);
    memcpy(text, out.data, out.length);
    text[out.length] = '\0';
    cli_buffer_release(&out);
}

static void write_cigar(const rhomb_pair_result *result, char text[CIGAR_BYTES])
{
    size_t length = 0;
    text[0] = '\0';
    for (int64_t i = 0; i < result->cigar_count; i++)
        length += (size_t)snprintf(text + length, CIGAR_BYTES - length, "%" PRIu32 "%c",
                                   RHOMB_CIGAR_LENGTH(result->cigar[i]),
                                   RHOMB_CIGAR_LETTER(result->cigar[i]));
    if (length == 0)
        snprintf(text, CIGAR_BYTES, "*");
}

/*
 * Six decimals or as many as the length has digits, by long division with whole numbers, rounded to
 * even: which printf() does with the exact value, too, but not with one that was rounded before.
 */
static void write_similarity(int64_t distance, int64_t longer, char text[32])
{
    const int decimals = cli_similarity_decimals(longer);
    const uint64_t length = longer > 0 ? (uint64_t)longer : 1;
    uint64_t rest = length - (uint64_t)distance, value = rest / length;
    rest %= length;
    for (int i = 0; i < decimals; i++) {
        value = 10 * value + 10 * rest / length;
        rest = 10 * rest % length;
    }
    value += 2 * rest > length || (2 * rest == length && value % 2 == 1);
    uint64_t unit = 1;
    for (int i = 0; i < decimals; i++)
        unit *= 10;
    if (decimals == 6)
        snprintf(text, 32, "%" PRIu64 ".%06" PRIu64, value / unit, value % unit);
    else
        snprintf(text, 32, "%" PRIu64 ".%07" PRIu64, value / unit, value % unit);
}

static void expect(const char *text, const char *expected, const cli_row *row)
{
    if (strcmp(text, expected) != 0)
        fail_msg("pair %" PRId64 ", distance %" PRId64 " of %" PRId64 " and %" PRId64
                 ": '%s' instead of '%s'",
                 row->number, row->result->distance, row->pair->target_length,
                 row->pair->query_length, text, expected);
}

static void compare(const cli_row *row)
{
    static char text[TEXT_BYTES], expected[TEXT_BYTES], cigar[CIGAR_BYTES];
    char similarity[32];
    const int64_t target = row->pair->target_length, query = row->pair->query_length;
    const int64_t distance = row->result->distance;
    write_cigar(row->result, cigar);
    write_similarity(distance, target > query ? target : query, similarity);
    snprintf(expected, sizeof expected,
             "%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%s\t%s\n",
             row->number, target, row->number, query, distance, similarity, cigar);
    format(CLI_ROWS_TSV, row, text);
    expect(text, expected, row);
    if (row->result->cigar_count == 0)
        cigar[0] = '\0';
    snprintf(expected, sizeof expected,
             "{\"target\":\"%" PRId64 "\",\"target_length\":%" PRId64 ",\"query\":\"%" PRId64
             "\",\"query_length\":%" PRId64 ",\"distance\":%" PRId64
             ",\"similarity\":%s,\"exceeds_max_distance\":false,\"cigar\":\"%s\"}\n",
             row->number, target, row->number, query, distance, similarity, cigar);
    format(CLI_ROWS_JSON, row, text);
    expect(text, expected, row);
}

static void test_random(void **state)
{
    static rhomb_cigar_op ops[OPS];
    rng r = rng_for("batch rows", 0);
    for (int i = 0; i < 30000; i++) {
        static const uint32_t codes[] = {RHOMB_CIGAR_EQ, RHOMB_CIGAR_X, RHOMB_CIGAR_I,
                                         RHOMB_CIGAR_D};
        /* Beyond seven digits a similarity is printf()'s own. */
        rhomb_pair pair = {"", random_number(&r, 7), "", random_number(&r, 7)};
        pair.target_length -= pair.target_length == 10000000;
        pair.query_length -= pair.query_length == 10000000;
        const int64_t longer =
            pair.target_length > pair.query_length ? pair.target_length : pair.query_length;
        rhomb_pair_result result = {.distance = rng_chance(&r, 0.1) ? 0 : rng_below(&r, longer + 1),
                                    .cigar = ops,
                                    .cigar_count =
                                        rng_chance(&r, 0.1) ? 0 : rng_between(&r, 1, OPS)};
        for (int c = 0; c < OPS; c++)
            ops[c] = (rhomb_cigar_op)(random_number(&r, rng_chance(&r, 0.2) ? 8 : 4) << 4) |
                     codes[rng_below(&r, 4)];
        compare(&(cli_row){.number = random_number(&r, 18), .pair = &pair, .result = &result});
    }
}

/* Each length of an operation that has a text of its own, and every similarity of some lengths. */
static void test_all(void **state)
{
    static const int64_t LENGTHS[] = {1, 2, 3, 64, 128, 150, 640, 1000, 4096, 78125};
    for (uint32_t length = 0; length < 1100; length++) {
        const rhomb_cigar_op op = length << 4 | RHOMB_CIGAR_D;
        const rhomb_pair pair = {"", 150, "", 150};
        const rhomb_pair_result result = {.distance = 2, .cigar = &op, .cigar_count = 1};
        compare(&(cli_row){.number = length, .pair = &pair, .result = &result});
    }
    for (size_t i = 0; i < COUNT(LENGTHS); i++)
        for (int64_t d = 0; d <= LENGTHS[i] && d < 5000; d++) {
            const rhomb_pair pair = {"", LENGTHS[i], "", 0};
            const rhomb_pair_result result = {.distance = d};
            compare(&(cli_row){.number = d, .pair = &pair, .result = &result});
        }
}

static void test_names(void **state)
{
    static char text[TEXT_BYTES];
    const rhomb_pair pair = {"A", 1, "A", 1};
    const rhomb_pair_result result = {.distance = 0};
    const rhomb_pair_names names = {"a\tb\\\n\r", ""};
    const rhomb_pair_names bytes = {"\x01\x02\x1f\"\\\xff\xc3\xa9", "\xff\xff\xff\xff"};
    format(CLI_ROWS_TSV, &(cli_row){.pair = &pair, .names = &names, .result = &result}, text);
    assert_string_equal(text, "a\\tb\\\\\\n\\r\t1\t.\t1\t0\t1.000000\t*\n");
    format(CLI_ROWS_JSON, &(cli_row){.pair = &pair, .names = &bytes, .result = &result}, text);
    assert_string_equal(text, "{\"target\":\"\\u0001\\u0002\\u001f\\\"\\\\\xef\xbf\xbd\xc3\xa9\","
                              "\"target_length\":1,\"query\":\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
                              "\xef\xbf\xbd\",\"query_length\":1,\"distance\":0,\"similarity\":"
                              "1.000000,\"exceeds_max_distance\":false,\"cigar\":\"\"}\n");
}

TEST_MAIN(test_random, test_all, test_names)
