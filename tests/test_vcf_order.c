/* SPDX-License-Identifier: MIT */
/*
 * The order of records of VCF where a target has several queries, and which records count as
 * overlapping.
 */
#include "host/cli/writers/vcf_rows.h"
#include "support/test.h"

/* Records of two queries on a target: their order, and which count as overlapping. */
static void test_order(void **state)
{
    static const struct {
        int position;      /* of the second record; the first one has 10 and 11 */
        const char *query; /* its own; the first one's is "a" */
        int64_t overlapping;
    } CASES[] = {{9, "b", 0}, {10, "b", 1}, {11, "b", 1}, {12, "b", 0}, {11, "a", 0}};
    for (size_t i = 0; i < COUNT(CASES); i++) {
        char first[64], second[64], expected[130], printed[130] = "";
        snprintf(first, sizeof first, "t\t10\t.\tAC\tG\t60\tPASS\tQNAME=a;QSTART=1\tGT\t1\n");
        snprintf(second, sizeof second, "t\t%d\t.\tA\tG\t60\tPASS\tQNAME=%s;QSTART=1\tGT\t1\n",
                 CASES[i].position, CASES[i].query);
        const bool swaps = CASES[i].position < 10;
        snprintf(expected, sizeof expected, "%s%s", swaps ? second : first, swaps ? first : second);
        cli_buffer records = {0};
        cli_append_text(&records, first);
        cli_append_text(&records, second);
        FILE *stream = fmemopen(printed, sizeof printed, "w");
        assert_non_null(stream);
        cli_sink sink;
        cli_sink_open(&sink, stream, 0);
        int64_t overlapping = 0;
        assert_true(cli_vcf_order(&records, &sink, &overlapping));
        assert_int_equal(cli_sink_close(&sink), 0);
        fclose(stream);
        assert_string_equal(printed, expected);
        assert_int_equal(overlapping, CASES[i].overlapping);
        cli_buffer_release(&records);
    }
}

TEST_MAIN(test_order)
