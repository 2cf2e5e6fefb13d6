/* SPDX-License-Identifier: MIT */
/*
 * Several paths in the files of a run: records of two targets, one of which has two, come out in
 * every format as they do alone, with indexes that find them; and the order of records of VCF where
 * a target has several queries, and which count as overlapping.
 */
#include <errno.h>
#include <htslib/sam.h>
#include <htslib/tbx.h>
#include <unistd.h>
#include <zlib.h>

#include "drawn_path.h"
#include "host/cli/align/align_files.h"
#include "host/cli/writers/vcf_rows.h"
#include "vcf_model.h"

enum { PATHS = 3 };

static const cli_target TARGETS[] = {{"one", 500, NULL}, {"two", 400, NULL}};

/* Which target has a path, and where it begins. */
static const struct {
    int target;
    int64_t before;
} PLACES[PATHS] = {{0, 0}, {0, 300}, {1, 100}};

static char folder[] = "/tmp/test_align_files.XXXXXX";
static drawn_path drawn[PATHS];

static void draw_paths(void)
{
    static const char *const CIGARS[PATHS] = {"20=1X30=2I9=", "5=30D40=1X", "2I50=10D5I3="};
    static const char *const QUERIES[PATHS] = {"q1", "q2", "q3"};
    for (int i = 0; i < PATHS; i++) {
        rng r = rng_for("align files", i);
        cli_path *path = &drawn[i].path;
        drawn_clear(&drawn[i]);
        drawn_extend_by(&drawn[i], &r, CIGARS[i]);
        const cli_target *target = &TARGETS[PLACES[i].target];
        path->target_name = target->name;
        path->query_name = QUERIES[i];
        path->target_before = PLACES[i].before;
        path->target_after = target->length - PLACES[i].before - path->target_length;
    }
}

static char *file_of(const char *name, char *out, size_t size)
{
    snprintf(out, size, "%s/%s", folder, name);
    return out;
}

/* Writes all paths to a file, and their intervals. */
static void write_files(cli_align_format format, const char *name)
{
    char output[128], callable[128];
    const cli_align_arguments args = {.pair = {.output = file_of(name, output, sizeof output)},
                                      .format = format,
                                      .compress = strstr(name, ".gz") != NULL,
                                      .callable = file_of("x.bed", callable, sizeof callable)};
    const cli_head head = {.targets = TARGETS,
                           .target_count = COUNT(TARGETS),
                           .sample = "s",
                           .has_path = true,
                           .is_sorted = true};
    cli_align_files files;
    assert_int_equal(cli_align_files_open(&files, &args), CLI_OK);
    assert_int_equal(cli_align_files_prepare(&files, &head), CLI_OK);
    assert_int_equal(cli_align_files_begin(&files, &head), CLI_OK);
    for (int i = 0; i < PATHS; i++) {
        assert_int_equal(cli_align_files_check(&files, &drawn[i].path), CLI_OK);
        assert_int_equal(cli_align_files_add(&files, &drawn[i].path), CLI_OK);
    }
    assert_int_equal(access(output, F_OK), -1);
    assert_int_equal(cli_align_files_commit(&files), CLI_OK);
    cli_align_files_close(&files);
}

/* The text of a file, for free(). */
static char *text_of(const char *name)
{
    char path[128];
    char *text = calloc(1, 1 << 16);
    gzFile file = gzopen(file_of(name, path, sizeof path), "r");
    assert_true(text != NULL && file != NULL);
    assert_true(gzread(file, text, (1 << 16) - 1) >= 0);
    gzclose(file);
    unlink(path);
    return text;
}

/* The number of lines that begin with a text. */
static int lines_with(const char *text, const char *begin)
{
    int lines = 0;
    for (const char *at = text; *at != '\0'; at = strchr(at, '\n') + 1)
        lines += strncmp(at, begin, strlen(begin)) == 0;
    return lines;
}

/* The records of VCF in a region, by the index; as many as are expected. */
static void check_region(htsFile *file, const tbx_t *index, const char *region, int expected)
{
    kstring_t line = {0, 0, NULL};
    hts_itr_t *places = tbx_itr_querys((tbx_t *)(uintptr_t)index, region);
    int lines = 0;
    assert_non_null(places);
    while (tbx_itr_next(file, (tbx_t *)(uintptr_t)index, places, &line) >= 0)
        lines++;
    assert_int_equal(lines, expected);
    free(line.s);
    tbx_itr_destroy(places);
}

static void test_vcf(void **state)
{
    char path[128];
    write_files(CLI_ALIGN_VCF, "x.vcf.gz");
    htsFile *file = hts_open(file_of("x.vcf.gz", path, sizeof path), "r");
    tbx_t *index = tbx_index_load(path);
    assert_true(file != NULL && index != NULL);
    check_region(file, index, "one", 4);
    check_region(file, index, "one:300-500", 2);
    check_region(file, index, "two", 2);
    tbx_destroy(index);
    hts_close(file);
    char *text = text_of("x.vcf.gz");
    assert_non_null(strstr(text, "##contig=<ID=one,length=500>\n##contig=<ID=two,length=400>\n"));
    const vcf_model_pair two = {"two",
                                drawn[2].target,
                                drawn[2].path.target_length,
                                drawn[2].query,
                                drawn[2].path.query_length,
                                100};
    const char *complaint = vcf_model_judge(strstr(text, "\ntwo\t") + 1, &two);
    if (complaint != NULL)
        fail_msg("%s", complaint);
    free(text);
    unlink(file_of("x.vcf.gz.tbi", path, sizeof path));
    text = text_of("x.bed");
    assert_int_equal(lines_with(text, "one\t") >= 3, true);
    assert_int_equal(lines_with(text, "two\t") >= 2, true);
    free(text);
}

static void test_bam(void **state)
{
    char path[128];
    write_files(CLI_ALIGN_BAM, "x.bam");
    samFile *file = sam_open(file_of("x.bam", path, sizeof path), "r");
    sam_hdr_t *head = sam_hdr_read(file);
    hts_idx_t *index = sam_index_load(file, path);
    bam1_t *record = bam_init1();
    assert_true(head != NULL && index != NULL && record != NULL);
    assert_int_equal(sam_hdr_nref(head), 2);
    hts_itr_t *places = sam_itr_querys(index, head, "one:310-320");
    assert_non_null(places);
    assert_true(sam_itr_next(file, places, record) >= 0);
    assert_string_equal(bam_get_qname(record), "q2");
    assert_int_equal(record->core.pos, 300);
    assert_int_equal(sam_itr_next(file, places, record), -1);
    sam_itr_destroy(places);
    hts_idx_destroy(index);
    sam_hdr_destroy(head);
    bam_destroy1(record);
    sam_close(file);
    unlink(path);
    unlink(file_of("x.bam.bai", path, sizeof path));
}

/* Formats of text, whose lines of one path are as without the others. */
static void test_texts(void **state)
{
    static const struct {
        cli_align_format format;
        const char *begin;
        int lines;
    } CASES[] = {
        {CLI_ALIGN_PAF, "q", 3},        {CLI_ALIGN_SAM, "@SQ", 2},      {CLI_ALIGN_SAM, "q", 3},
        {CLI_ALIGN_VCF, "one", 4},      {CLI_ALIGN_CHAIN, "chain ", 3}, {CLI_ALIGN_MAF, "##", 1},
        {CLI_ALIGN_MAF, "a score=", 3}, {CLI_ALIGN_TSV, "one", 4},
    };
    for (size_t i = 0; i < COUNT(CASES); i++) {
        write_files(CASES[i].format, "x.txt");
        char *text = text_of("x.txt");
        assert_int_equal(lines_with(text, CASES[i].begin), CASES[i].lines);
        if (CASES[i].format == CLI_ALIGN_CHAIN)
            assert_non_null(strstr(text, " 3\n")); /* the number of the last one */
        free(text);
    }
}

/* What goes wrong on the way leaves nothing. */
static void test_left(void **state)
{
    char output[128], index[128];
    const cli_align_arguments args = {
        .pair = {.output = file_of("x.vcf.gz", output, sizeof output)},
        .format = CLI_ALIGN_VCF,
        .compress = true};
    const cli_head head = {.targets = TARGETS, .target_count = 2, .sample = "s", .is_sorted = true};
    cli_path wrong = drawn[0].path;
    cli_align_files files;
    cli_set_verbosity(-1);
    for (int step = 0; step < 4; step++) {
        assert_int_equal(cli_align_files_open(&files, &args), CLI_OK);
        if (step > 0)
            assert_int_equal(cli_align_files_prepare(&files, &head), CLI_OK);
        if (step > 1)
            assert_int_equal(cli_align_files_begin(&files, &head), CLI_OK);
        /* Another query than that of the path. */
        wrong.query = drawn[1].query;
        if (step > 2)
            assert_int_equal(cli_align_files_add(&files, &wrong), CLI_FAILED);
        cli_align_files_close(&files);
        assert_int_equal(access(output, F_OK), -1);
        assert_int_equal(access(file_of("x.vcf.gz.tbi", index, sizeof index), F_OK), -1);
    }
}

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

/* The program's own check of a line of two haplotypes, against the lines of either. */
static void test_phased(void **state)
{
    static const char *const OWN[] = {"t\t9\t.\tA\tG\t.\tPASS\tQNAME=a\tGT\t1\n",
                                      "t\t9\t.\tA\tGC\t.\tdissimilar\tQNAME=b\tGT\t1\n"};
    static const struct {
        const char *line;
        bool has[2], right;
    } CASES[] = {
        {"t\t9\t.\tA\tG,GC\t.\tdissimilar\tQNAME=a\tGT\t1|2\n", {true, true}, true},
        {"t\t9\t.\tA\tG\t.\tPASS\tQNAME=a\tGT\t1|0\n", {true, false}, true},
        {"t\t9\t.\tA\tGC\t.\tdissimilar\tQNAME=a\tGT\t.|1\n", {false, true}, true},
        {"t\t9\t.\tA\tG,GC\t.\tdissimilar\tQNAME=a\tGT\t1|1\n", {true, true}, false},
        {"t\t9\t.\tA\tG,GC\t.\tPASS\tQNAME=a\tGT\t1|2\n", {true, true}, false},
        {"t\t9\t.\tA\tG\t.\tPASS\tQNAME=a\tGT\t0|1\n", {true, false}, false},
        {"t\t8\t.\tA\tG\t.\tPASS\tQNAME=a\tGT\t1|0\n", {true, false}, false},
        {"t\t9\t.\tC\tG\t.\tPASS\tQNAME=a\tGT\t1|0\n", {true, false}, false},
        {"u\t9\t.\tA\tG\t.\tPASS\tQNAME=a\tGT\t1|0\n", {true, false}, false},
    };
    for (size_t i = 0; i < COUNT(CASES); i++) {
        const char *own[2] = {CASES[i].has[0] ? OWN[0] : NULL, CASES[i].has[1] ? OWN[1] : NULL};
        assert_int_equal(cli_vcf_check_phased(CASES[i].line, own), CASES[i].right);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_LIST(cmocka_unit_test, test_vcf, test_bam, test_texts,
                                                 test_left, test_order, test_phased)};
    char bed[128];
    if (mkdtemp(folder) == NULL)
        return 1;
    draw_paths();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(file_of("x.bed", bed, sizeof bed));
    return rmdir(folder) == 0 ? failed : 1; /* nothing may be left */
}
