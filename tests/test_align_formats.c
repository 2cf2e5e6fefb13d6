/* SPDX-License-Identifier: MIT */
/*
 * The formats of an alignment: what they print of one path, byte for byte; what SAM refuses; and
 * that lines of any length go through little memory, plain and compressed.
 */
#include <errno.h>
#include <htslib/bgzf.h>
#include <unistd.h>

#include "host/cli/writers/align_formats.h"
#include "rhomb/rhomb.h"
#include "support/test.h"

#define OP(length, code) ((rhomb_path_op)(length) << 4 | RHOMB_CIGAR_##code)

/* Every kind of operation, at the beginning, at the end, and next to each other. */
static const rhomb_path_op OPS[] = {OP(1, I), OP(2, EQ), OP(2, X), OP(3, D),
                                    OP(2, I), OP(3, EQ), OP(1, D)};
static const cli_path PATH = {.target_name = "tar\tget",
                              .query_name = "q",
                              .target = "ACgtAAACCCT",
                              .query = "GAcCCTTcCC",
                              .target_length = 11,
                              .query_length = 10,
                              .ops = OPS,
                              .count = 7};

static const cli_path_cuts NONE = {0};

typedef void (*write_fn)(cli_sink *sink, const cli_path *path);

/* What a writer prints, for free(). */
static char *printed(write_fn write, const cli_path *path)
{
    char *text;
    size_t length;
    cli_sink sink;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    cli_sink_open(&sink, stream, 0);
    write(&sink, path);
    assert_int_equal(cli_sink_close(&sink), 0);
    fclose(stream);
    return text;
}

static void expect(write_fn write, const cli_path *path, const char *expected)
{
    char *text = printed(write, path);
    assert_string_equal(text, expected);
    free(text);
}

static void write_paf(cli_sink *sink, const cli_path *path)
{
    cli_write_paf(sink, path, &NONE, true);
}

static void write_sam(cli_sink *sink, const cli_path *path)
{
    cli_write_sam(sink, path, &NONE, true);
}

static void write_split(cli_sink *sink, const cli_path *path)
{
    const cli_path_cuts cuts = {.split = 2};
    cli_write_paf(sink, path, &cuts, false);
}

static void write_chunks(cli_sink *sink, const cli_path *path)
{
    const cli_path_cuts cuts = {.chunk = 4};
    cli_write_paf(sink, path, &cuts, false);
}

static void test_paf(void **state)
{
    expect(write_paf, &PATH,
           "q\t10\t0\t10\t+\ttar\\tget\t11\t0\t11\t5\t14\t255\tNM:i:9\tAS:i:-9\ttp:A:P\tde:f:0."
           "545455\t"
           "cg:Z:1I2=2X3D2I3=1D\tcs:Z:+g:2*gc*tc-aaa+tt:3-t\n");
    expect(
        write_split, &PATH,
        "q\t10\t0\t3\t+\ttar\\tget\t11\t0\t2\t2\t3\t255\tNM:i:1\tAS:i:-1\ttp:A:P\tde:f:0.333333\t"
        "cg:Z:1I2=\n"
        "q\t10\t7\t10\t+\ttar\\tget\t11\t7\t11\t3\t4\t255\tNM:i:1\tAS:i:-1\ttp:A:P\tde:f:0.25\t"
        "cg:Z:3=1D\n");
    expect(
        write_chunks, &PATH,
        "q\t10\t0\t5\t+\ttar\\tget\t11\t0\t4\t2\t5\t255\tNM:i:3\tAS:i:-3\ttp:A:P\tde:f:0.6\t"
        "cg:Z:1I2=2X\n"
        "q\t10\t5\t8\t+\ttar\\tget\t11\t4\t8\t1\t6\t255\tNM:i:5\tAS:i:-5\ttp:A:P\tde:f:0.666667\t"
        "cg:Z:3D2I1=\n"
        "q\t10\t8\t10\t+\ttar\\tget\t11\t8\t11\t2\t3\t255\tNM:i:1\tAS:i:-1\ttp:A:P\tde:f:0.333333\t"
        "cg:Z:2=1D\n");
}

/* Each form of a scoring, and a gap that a chunk cuts. */
static void test_scored(void **state)
{
    static const struct {
        rhomb_scoring scoring;
        const char *tags;
    } CASES[] = {
        {RHOMB_SCORING_EDIT, "AS:i:-9\ttp:A:P"},
        {{0, 2, 0, 2, -1, -1, NULL}, "AS:i:-18\tsc:Z:affine:2,0,2\ttp:A:P"},
        {{0, 4, 6, 2, -1, -1, NULL}, "AS:i:-46\tsc:Z:affine:4,6,2\ttp:A:P"},
        {{0, 4, 6, 2, 9, 1, NULL}, "AS:i:-46\tsc:Z:affine2p:4,6,2,9,1\ttp:A:P"},
        {{2, 4, 4, 2, 4, 1, NULL}, "AS:i:-21\tsc:Z:match:2,4,4,2,4,1\ttp:A:P"},
        {{20, 0, 1, 0, -1, -1, NULL}, "AS:i:96\tsc:Z:match:20,0,1,0\ttp:A:P"},
    };
    static const rhomb_path_op CUT_OPS[] = {OP(2, EQ), OP(5, D), OP(2, EQ)};
    static const rhomb_scoring WFA = {0, 4, 6, 2, -1, -1, NULL};
    const cli_path cut = {.target_name = "t",
                          .query_name = "q",
                          .target = "ACGGGGGTT",
                          .query = "ACTT",
                          .target_length = 9,
                          .query_length = 4,
                          .ops = CUT_OPS,
                          .count = 3,
                          .scoring = &WFA};
    for (size_t i = 0; i < COUNT(CASES); i++) {
        cli_path path = PATH;
        path.scoring = &CASES[i].scoring;
        char *text = printed(write_paf, &path);
        if (strstr(text, CASES[i].tags) == NULL)
            fail_msg("%s is not in %s", CASES[i].tags, text);
        free(text);
        text = printed(write_sam, &path);
        assert_memory_equal(strstr(text, "AS:i:"), CASES[i].tags, strlen(CASES[i].tags) - 7);
        free(text);
    }
    expect(write_chunks, &cut,
           "q\t4\t0\t2\t+\tt\t9\t0\t4\t2\t4\t255\tNM:i:2\tAS:i:-10\tsc:Z:affine:4,6,2\ttp:A:P\t"
           "de:f:0.333333\tcg:Z:2=2D\n"
           "q\t4\t2\t3\t+\tt\t9\t4\t8\t1\t4\t255\tNM:i:3\tAS:i:-12\tsc:Z:affine:4,6,2\ttp:A:P\t"
           "de:f:0.5\tcg:Z:3D1=\n"
           "q\t4\t3\t4\t+\tt\t9\t8\t9\t1\t1\t255\tNM:i:0\tAS:i:0\tsc:Z:affine:4,6,2\ttp:A:P\t"
           "de:f:0\tcg:Z:1=\n");
}

static void write_head(cli_sink *sink, const cli_path *path)
{
    char command[] = "align", file[] = "a\tb", *arguments[] = {command, file, NULL};
    const cli_target targets[] = {{path->target_name, cli_path_target_record(path), "0123"},
                                  {"second", 5, NULL}};
    const cli_head head = {
        .targets = targets, .target_count = 2, .is_sorted = true, .argc = 2, .argv = arguments};
    cli_write_sam_head(sink, &head, "coordinate");
}

static void test_sam(void **state)
{
    cli_path path = PATH;
    path.target_name = "t";
    expect(write_head, &path,
           "@HD\tVN:1.6\tSO:coordinate\n@SQ\tSN:t\tLN:11\tM5:0123\n@SQ\tSN:second\tLN:5\n"
           "@PG\tID:rhomb\tPN:rhomb\tVN:" RHOMB_VERSION "\tCL:rhomb align a b\n");
    expect(write_sam, &path,
           "q\t0\tt\t1\t255\t1I2=2X3D2I3=1D\t*\t0\t0\tGAcCCTTcCC\t*\tNM:i:9\tAS:i:-9\t"
           "de:f:0.545455\n");
}

/* M in CIGARs, and MD: what follows each other, at either end, and nothing at all. */
static void test_older(void **state)
{
    cli_path path = PATH;
    char *text;
    path.target_name = "t";
    path.cigar_m = path.md = true;
    expect(write_sam, &path,
           "q\t0\tt\t1\t255\t1I4M3D2I3M1D\t*\t0\t0\tGAcCCTTcCC\t*\tNM:i:9\tAS:i:-9\t"
           "de:f:0.545455\tMD:Z:2G0T0^AAA3^T0\n");
    text = printed(write_chunks, &path);
    assert_non_null(strstr(text, "cg:Z:1I4M\n"));
    assert_non_null(strstr(text, "cg:Z:3D2I1M\n"));
    free(text);
    const cli_path empty = {
        .target_name = "t", .query_name = "q", .target = "", .query = "", .md = true};
    text = printed(write_sam, &empty);
    assert_non_null(strstr(text, "\tMD:Z:0\n"));
    free(text);
}

static void write_differences(cli_sink *sink, const cli_path *path)
{
    cli_write_differences_head(sink, false);
    cli_write_differences(sink, path, false);
}

static void list_differences(cli_sink *sink, const cli_path *path)
{
    cli_write_differences(sink, path, false);
}

static void write_strands(cli_sink *sink, const cli_path *path)
{
    cli_write_differences_head(sink, true);
    cli_write_differences(sink, path, true);
}

static void test_differences(void **state)
{
    expect(write_differences, &PATH,
           "#target\tposition\treference\talternative\ttype\tquery_position\n"
           "tar\\tget\t0\t.\tG\tI\t1\n"
           "tar\\tget\t3\tgt\tCC\tX\t4\n"
           "tar\\tget\t5\tAAA\t.\tD\t5\n"
           "tar\\tget\t7\t.\tTT\tI\t6\n"
           "tar\\tget\t11\tT\t.\tD\t10\n");
    expect(cli_write_operations, &PATH,
           "[\n[1,\"I\"],\n[2,\"=\"],\n[2,\"X\"],\n[3,\"D\"],\n[2,\"I\"],\n[3,\"=\"],\n[1,\"D\"]]");
    const cli_path empty = {.target_name = "t", .query_name = "q", .target = "", .query = ""};
    expect(cli_write_operations, &empty, "[]");
    expect(list_differences, &empty, "");
    expect(write_paf, &empty,
           "q\t0\t0\t0\t+\tt\t0\t0\t0\t0\t0\t255\tNM:i:0\tAS:i:0\ttp:A:P\tde:f:0\n");
}

/* A query on the other strand, and one that begins elsewhere on a circle. */
static void test_strands(void **state)
{
    cli_path path = PATH;
    path.target_name = "t";
    path.reverse = true;
    path.query_before = 20;
    path.query_after = 3;
    expect(write_strands, &path,
           "#target\tposition\treference\talternative\ttype\tquery_position\tstrand\n"
           "t\t0\t.\tG\tI\t30\t-\n"
           "t\t3\tgt\tCC\tX\t27\t-\n"
           "t\t5\tAAA\t.\tD\t26\t-\n"
           "t\t7\t.\tTT\tI\t25\t-\n"
           "t\t11\tT\t.\tD\t21\t-\n");
    expect(write_paf, &path,
           "q\t33\t20\t30\t-\tt\t11\t0\t11\t5\t14\t255\tNM:i:9\tAS:i:-9\ttp:A:P\tde:f:0.545455\tcg:"
           "Z:1I2=2X3D2I3=1D\tcs:Z:+g:2*gc*tc-aaa+tt:3-t\n");
    expect(write_sam, &path,
           "q\t16\tt\t1\t255\t3H1I2=2X3D2I3=1D20H\t*\t0\t0\tGAcCCTTcCC\t*\tNM:i:9\tAS:i:-9\tde:f:0."
           "545455\n");
    path.rotation = 4;
    expect(write_strands, &path,
           "#target\tposition\treference\talternative\ttype\tquery_position\tstrand\n"
           "t\t0\t.\tG\tI\t26\t-\n"
           "t\t3\tgt\tCC\tX\t23\t-\n"
           "t\t5\tAAA\t.\tD\t22\t-\n"
           "t\t7\t.\tT\tI\t21\t-\n"
           "t\t7\t.\tT\tI\t30\t-\n"
           "t\t11\tT\t.\tD\t27\t-\n");
    expect(write_paf, &path,
           "q\t33\t20\t26\t-\tt\t11\t0\t7\t2\t9\t255\tNM:i:7\tAS:i:-7\tro:i:4\ttp:A:P\tde:f:0."
           "714286\tcg:Z:"
           "1I2=2X3D1I\tcs:Z:+g:2*gc*tc-aaa+t\n"
           "q\t33\t26\t30\t-\tt\t11\t7\t11\t3\t5\t255\tNM:i:2\tAS:i:-2\tro:i:4\ttp:A:P\tde:f:0."
           "4\tcg:Z:1I3="
           "1D\tcs:Z:+t:3-t\n");
    expect(write_sam, &path,
           "q\t16\tt\t1\t255\t7H1I2=2X3D1I20H\t*\t0\t0\tGAcCCT\t*\tNM:i:7\tAS:i:-7\tro:i:4\tde:f:0."
           "714286\tSA:Z:t,8,-,3S4M26S,255,2;\n"
           "q\t2064\tt\t8\t255\t3H1I3=1D26H\t*\t0\t0\tTcCC\t*\tNM:i:2\tAS:i:-2\tro:i:4\tde:f:0.4\t"
           "SA:Z:t,1,-,7S6M1D20S,255,7;\n");
    path.reverse = false;
    expect(write_strands, &path,
           "#target\tposition\treference\talternative\ttype\tquery_position\tstrand\n"
           "t\t0\t.\tG\tI\t25\t+\n"
           "t\t3\tgt\tCC\tX\t28\t+\n"
           "t\t5\tAAA\t.\tD\t29\t+\n"
           "t\t7\t.\tT\tI\t30\t+\n"
           "t\t7\t.\tT\tI\t21\t+\n"
           "t\t11\tT\t.\tD\t24\t+\n");
    expect(write_paf, &path,
           "q\t33\t24\t30\t+\tt\t11\t0\t7\t2\t9\t255\tNM:i:7\tAS:i:-7\tro:i:4\ttp:A:P\tde:f:0."
           "714286\tcg:Z:"
           "1I2=2X3D1I\tcs:Z:+g:2*gc*tc-aaa+t\n"
           "q\t33\t20\t24\t+\tt\t11\t7\t11\t3\t5\t255\tNM:i:2\tAS:i:-2\tro:i:4\ttp:A:P\tde:f:0."
           "4\tcg:Z:1I3="
           "1D\tcs:Z:+t:3-t\n");
    expect(write_sam, &path,
           "q\t0\tt\t1\t255\t24H1I2=2X3D1I3H\t*\t0\t0\tGAcCCT\t*\tNM:i:7\tAS:i:-7\tro:i:4\tde:f:0."
           "714286\tSA:Z:t,8,+,20S4M9S,255,2;\n"
           "q\t2048\tt\t8\t255\t20H1I3=1D9H\t*\t0\t0\tTcCC\t*\tNM:i:2\tAS:i:-2\tro:i:4\tde:f:0.4\t"
           "SA:Z:t,1,+,24S6M1D3S,255,7;\n");
}

/* The longest record has all bases that were read, and their qualities, on its strand. */
static void test_sides(void **state)
{
    static const rhomb_path_op SPLIT[] = {OP(2, EQ), OP(5, D), OP(4, EQ)};
    static const cli_path_cuts LONG = {.split = 2};
    const cli_side side = {.name = "q",
                           .bases = "TTAACCGTGG",
                           .qualities = "0123456789",
                           .length = 10,
                           .before = 5,
                           .after = 1};
    cli_path path = {.target_name = "t",
                     .query_name = "q",
                     .target = "CAGGGGGCGGT",
                     .query = "CACGGT",
                     .target_length = 11,
                     .query_length = 6,
                     .query_before = 5 + 2,
                     .query_after = 2 + 1,
                     .side = &side,
                     .reverse = true,
                     .ops = SPLIT,
                     .count = 3};
    cli_sink sink;
    char *text = printed(write_sam, &path);
    assert_string_equal(text, "q\t16\tt\t1\t255\t1H2S2=5D4=2S5H\t*\t0\t0\tCCACGGTTAA\t9876543210\t"
                              "NM:i:5\tAS:i:-5\tde:f:0.142857\n");
    free(text);
    cli_sink_open_text(&sink);
    cli_write_sam(&sink, &path, &LONG, true);
    cli_append_bytes(&sink.text, "", 1);
    assert_string_equal(sink.text.data,
                        "q\t2064\tt\t1\t255\t3H2=11H\t*\t0\t0\tAC\t76\tNM:i:0\tAS:i:0\tde:f:0\t"
                        "SA:Z:t,8,-,5S4M7S,255,0;\n"
                        "q\t16\tt\t8\t255\t1H4S4=2S5H\t*\t0\t0\tCCACGGTTAA\t9876543210\tNM:i:0\t"
                        "AS:i:0\tde:f:0\tSA:Z:t,1,-,3S2M11S,255,0;\n");
    cli_sink_release(&sink);
}

static void write_pairwise(cli_sink *sink, const cli_path *path)
{
    cli_write_pairwise(sink, path, &NONE);
}

static void write_afa(cli_sink *sink, const cli_path *path)
{
    cli_write_afa(sink, path, &NONE);
}

/* Lines of 60 columns, from operations that the ends of lines cut; positions on both strands. */
static void test_columns(void **state)
{
    static const rhomb_path_op LONG[] = {OP(2, EQ), OP(61, I), OP(1, X), OP(3, D), OP(2, EQ)};
    char query[67];
    memset(query, 'T', sizeof query);
    memcpy(query, "AC", 2);
    memcpy(query + 63, "AGG", 4);
    cli_path path = {.target_name = "a name of a target",
                     .query_name = "q",
                     .target = "ACTAAAGG",
                     .query = query,
                     .target_length = 8,
                     .target_before = 999999,
                     .query_length = 66,
                     .query_before = 4,
                     .reverse = true,
                     .ops = LONG,
                     .count = 5};
    expect(write_pairwise, &path,
           "#=======================================\n# Aligned_sequences: 2\n"
           "# 1: a name of a target\n# 2: q\n# Matrix: edit\n# Length: 69\n"
           "# Identity: 4/69 (5.8%)\n# Gaps:     64/69 (92.8%)\n# Score: -65\n"
           "#=======================================\n\n"
           "a name of a t 1000000 AC----------------------------------------------------------"
           " 1000001\n                      ||                                               "
           "           \n"
           "q                  70 ACTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTT"
           "      11\n\n"
           "a name of a t 1000002 ---TAAAGG 1000007\n                         .   ||\n"
           "q                  10 TTTA---GG       5\n\n");
    expect(write_afa, &path,
           ">a name of a target 1000000-1000007/1000007\n"
           "AC----------------------------------------------------------\n---TAAAGG\n"
           ">q 70-5/70\n"
           "ACTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTT\nTTTA---GG\n");
    /* Readers expect bases from the 22nd character on: names make room for long positions. */
    path.target_before = 1234567890;
    char *text = printed(write_pairwise, &path);
    assert_non_null(strstr(text, "\na name of  1234567891 AC-"));
    assert_non_null(strstr(text, "\n                      ||   "));
    assert_non_null(strstr(text, "\nq                  70 ACT"));
    free(text);
}

/* Parts of records have the records' names, lengths and positions. */
static void test_parts(void **state)
{
    cli_path path = PATH;
    path.target_name = "t";
    path.target_before = 1000;
    path.target_after = 100;
    path.query_before = 20;
    path.query_after = 3;
    expect(write_paf, &path,
           "q\t33\t20\t30\t+\tt\t1111\t1000\t1011\t5\t14\t255\tNM:i:9\tAS:i:-9\t"
           "tp:A:P\tde:f:0.545455\tcg:Z:1I2=2X3D2I3=1D\tcs:Z:+g:2*gc*tc-aaa+tt:3-t\n");
    expect(write_split, &path,
           "q\t33\t20\t23\t+\tt\t1111\t1000\t1002\t2\t3\t255\tNM:i:1\tAS:i:-1\ttp:A:P\tde:f:0."
           "333333\tcg:Z:1I2=\n"
           "q\t33\t27\t30\t+\tt\t1111\t1007\t1011\t3\t4\t255\tNM:i:1\tAS:i:-1\ttp:A:P\tde:f:0.25\t"
           "cg:Z:3=1D\n");
    expect(list_differences, &path,
           "t\t1000\t.\tG\tI\t21\n"
           "t\t1003\tgt\tCC\tX\t24\n"
           "t\t1005\tAAA\t.\tD\t25\n"
           "t\t1007\t.\tTT\tI\t26\n"
           "t\t1011\tT\t.\tD\t30\n");
    expect(write_sam, &path,
           "q\t0\tt\t1001\t255\t20H1I2=2X3D2I3=1D3H\t*\t0\t0\tGAcCCTTcCC\t*\tNM:i:9\tAS:i:-9\t"
           "de:f:0.545455\n");
}

/* The sentence that a path is refused with; "" where it is not. */
static const char *why_not(const cli_path *path)
{
    static char why[320];
    why[0] = '\0';
    if (!cli_sam_lacks_sequences(path, why, sizeof why))
        (void)cli_sam_lacks_path(path, why, sizeof why);
    return why;
}

static void test_sam_limits(void **state)
{
    char name[300] = "";
    cli_path path = PATH;
    assert_string_equal(why_not(&path),
                        "the name of the target must not contain byte 0x09: 'tar\tget'");
    path.target_name = "chr1:1-2,000";
    assert_string_equal(why_not(&path),
                        "the name of the target must not contain ',': 'chr1:1-2,000'");
    path.target_name = "chr1:1-2000";
    assert_string_equal(why_not(&path), "");
    path.query_name = "a@b";
    assert_string_equal(why_not(&path), "the name of the query must not contain '@': 'a@b'");
    memset(name, 'n', 255);
    path.query_name = name;
    assert_string_equal(why_not(&path),
                        "the name of the query has 255 characters: 1 to 254 are allowed");
    name[254] = '\0';
    assert_string_equal(why_not(&path), "");
    path.query = "GAcCC-TcCC";
    assert_string_equal(why_not(&path), "character 6 of the query is '-': A to Z are allowed");
    path.query = PATH.query;
    path.target_length = INT64_C(1) << 31;
    assert_string_equal(why_not(&path),
                        "the target has 2147483648 bases: 1 to 2147483647 are allowed");
    path.target_length = 0;
    assert_string_equal(why_not(&path), "the target has 0 bases: 1 to 2147483647 are allowed");
    path.target_length = PATH.target_length;
    path.target_after = INT64_C(1) << 31;
    assert_string_equal(why_not(&path),
                        "the target has 2147483659 bases: 1 to 2147483647 are allowed");
    path.target_after = 0;
    path.query_after = (INT64_C(1) << 28) - 1;
    assert_string_equal(why_not(&path), "");
    path.query_before = INT64_C(1) << 28;
    assert_string_equal(why_not(&path), "the query's record has 268435456 bases before the "
                                        "region: up to 268435455 are allowed");
    path.query_before = 0;
    path.query_after++;
    assert_string_equal(why_not(&path), "the query's record has 268435456 bases after the "
                                        "region: up to 268435455 are allowed");
}

/* Of paths alone, whose bases are not looked at. */
static void test_bam_limits(void **state)
{
    char why[320];
    rhomb_path_op ops[] = {OP(1, X), OP((INT64_C(1) << 28) - 1, D)};
    cli_path path = {.query_name = "q", .ops = ops, .count = 2};
    assert_false(cli_sam_lacks_path(&path, why, sizeof why));
    ops[1] = OP(INT64_C(1) << 28, D);
    assert_true(cli_sam_lacks_path(&path, why, sizeof why));
    assert_string_equal(why, "operation 2 is 268435456D: up to 268435455 bases are allowed");
    /* As M, mismatches and matches beside each other are one operation. */
    ops[0] = OP(1, X);
    ops[1] = OP((INT64_C(1) << 28) - 1, EQ);
    assert_false(cli_sam_lacks_path(&path, why, sizeof why));
    path.cigar_m = true;
    assert_true(cli_sam_lacks_path(&path, why, sizeof why));
    assert_string_equal(why, "operation 1 is 268435456M: up to 268435455 bases are allowed");
    path.count = 1;
    path.query_length = INT64_C(1431654000);
    path.md = true;
    assert_false(cli_sam_lacks_path(&path, why, sizeof why));
    ops[0] = OP(2000, X);
    assert_true(cli_sam_lacks_path(&path, why, sizeof why));
    path.md = false;
    assert_false(cli_sam_lacks_path(&path, why, sizeof why));
    path.query_length = INT64_C(1431655000);
    assert_false(cli_sam_lacks_path(&path, why, sizeof why));
    path.query_length = INT64_C(1431656000);
    assert_true(cli_sam_lacks_path(&path, why, sizeof why));
    assert_non_null(strstr(why, "the record would have 2147484"));
}

/* A path of many operations, and one of them long: 5 MB of bases, 2 MB of CIGAR. */
enum { LONG_OPS = 1000001, LONG_RUN = 4000000 };

static cli_path long_path(void)
{
    rhomb_path_op *ops = malloc(LONG_OPS * sizeof *ops);
    char *letters = malloc(LONG_OPS + LONG_RUN + 1);
    assert_true(ops != NULL && letters != NULL);
    for (int64_t i = 0; i < LONG_OPS; i++)
        ops[i] = i % 2 == 0 ? OP(1, EQ) : OP(1, X);
    ops[LONG_OPS - 1] = OP(LONG_RUN, D);
    for (int64_t i = 0; i < LONG_OPS + LONG_RUN; i++)
        letters[i] = "ACGT"[(i * i / 7) % 4];
    return (cli_path){.target_name = "t",
                      .query_name = "q",
                      .target = letters,
                      .query = letters,
                      .target_length = LONG_OPS - 1 + LONG_RUN,
                      .query_length = LONG_OPS - 1,
                      .ops = ops,
                      .count = LONG_OPS,
                      .md = true};
}

/* Writes a path to a stream; the most memory that its text took. */
static size_t write_to(FILE *stream, const cli_path *path, int threads, int *code)
{
    cli_sink sink;
    cli_sink_open(&sink, stream, threads);
    write_paf(&sink, path);
    write_differences(&sink, path);
    cli_write_sam(&sink, path, &NONE, true);
    const size_t most = sink.text.capacity;
    *code = cli_sink_close(&sink);
    return most;
}

static void test_streaming(void **state)
{
    const cli_path path = long_path();
    int code;
    FILE *plain = tmpfile(), *compressed = tmpfile();
    assert_true(plain != NULL && compressed != NULL);
    assert_true(write_to(plain, &path, 0, &code) <= 4 * CLI_SINK_PIECE);
    assert_int_equal(code, 0);
    assert_true(write_to(compressed, &path, 3, &code) <= 128 * CLI_SINK_PIECE);
    assert_int_equal(code, 0);
    assert_int_equal(fflush(compressed), 0);
    rewind(compressed);
    rewind(plain);
    BGZF *reader = bgzf_dopen(dup(fileno(compressed)), "r");
    assert_non_null(reader);
    assert_int_equal(bgzf_check_EOF(reader), 1);
    static char expected[1 << 16], got[1 << 16];
    size_t length;
    while ((length = fread(expected, 1, sizeof expected, plain)) > 0) {
        assert_int_equal(bgzf_read(reader, got, length), length);
        assert_memory_equal(got, expected, length);
    }
    assert_int_equal(bgzf_read(reader, got, 1), 0);
    assert_int_equal(bgzf_close(reader), 0);
    fclose(plain);
    fclose(compressed);
    free((void *)(uintptr_t)path.ops);
    free((void *)(uintptr_t)path.target);
}

/* A failed write ends the writing, with its reason. */
static void test_full(void **state)
{
    const cli_path path = long_path();
    for (int threads = 0; threads <= 2; threads++) {
        int code;
        FILE *full = fopen("/dev/full", "w");
        if (full == NULL)
            break;
        write_to(full, &path, threads, &code);
        assert_int_equal(code, ENOSPC);
        fclose(full);
    }
    free((void *)(uintptr_t)path.ops);
    free((void *)(uintptr_t)path.target);
}

TEST_MAIN(test_paf, test_scored, test_sam, test_older, test_differences, test_sides, test_columns,
          test_parts, test_sam_limits, test_bam_limits, test_streaming, test_full, test_strands)
