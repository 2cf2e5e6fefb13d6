/* SPDX-License-Identifier: MIT */
/*
 * BAM and CRAM of random paths, read back by htslib: the records are those of SAM. Files that
 * cannot be written, and text that is not SAM.
 */
#include <ctype.h>
#include <errno.h>
#include <htslib/faidx.h>
#include <htslib/sam.h>
#include <unistd.h>

#include "drawn_path.h"
#include "host/cli/writers/align_formats.h"

static char folder[] = "/tmp/test_bam.XXXXXX";

/* Names in the folder: the last one asked for each. */
static const char *name_of(const char *name)
{
    static char names[3][64];
    static int last;
    last = (last + 1) % 3;
    snprintf(names[last], sizeof names[last], "%s/%s", folder, name);
    return names[last];
}

/* A path that SAM can hold. */
static void draw(int64_t index, drawn_path *d)
{
    char why[320];
    int64_t tries = 0;
    do {
        rng r = rng_for("bam", 1000 * index + tries++);
        drawn_make(d, &r);
    } while (cli_sam_lacks_sequences(&d->path, why, sizeof why));
    d->path.cigar_m = index % 2 == 0;
}

/* The text of SAM, for free(). */
static char *sam_of(const cli_path *path, bool md, size_t *length)
{
    const cli_target target = {path->target_name, cli_path_target_record(path), NULL};
    cli_sink sink;
    cli_sink_open_text(&sink);
    cli_write_sam_head(&sink, &(cli_head){.targets = &target, .target_count = 1, .is_sorted = true},
                       "coordinate");
    cli_path with_md = *path;
    with_md.md = md;
    cli_write_sam(&sink, &with_md, &(cli_path_cuts){0}, true);
    assert_false(sink.text.failed);
    char *text = malloc(sink.text.length + 1);
    assert_non_null(text);
    memcpy(text, sink.text.data, sink.text.length);
    text[sink.text.length] = '\0';
    *length = sink.text.length;
    assert_int_equal(cli_sink_close(&sink), 0);
    return text;
}

static int write_file(const char *name, const char *reference, int threads, char *text,
                      size_t length)
{
    int code, closing;
    FILE *stream = fopen(name, "w");
    assert_non_null(stream);
    cli_bam *bam = cli_bam_open(stream, reference, threads, &code);
    assert_int_equal(bam == NULL, code != 0);
    /* The head, and then what there is. */
    const size_t head = (size_t)(strstr(text, "\nquery\t") + 1 - text);
    if (bam != NULL)
        code = cli_bam_add(bam, text, head);
    if (code == 0)
        code = cli_bam_add(bam, text + head, length - head);
    closing = cli_bam_close(bam);
    fclose(stream);
    return code != 0 ? code : closing;
}

/* The only record of a file, as a line. */
static char *record_of(const char *name, const char *reference)
{
    kstring_t line = {0, 0, NULL};
    htsFile *file = hts_open(name, "r");
    assert_non_null(file);
    if (reference != NULL)
        assert_int_equal(hts_set_opt(file, CRAM_OPT_REFERENCE, reference), 0);
    sam_hdr_t *head = sam_hdr_read(file);
    bam1_t *record = bam_init1();
    assert_true(head != NULL && record != NULL);
    assert_true(sam_read1(file, head, record) >= 0);
    assert_true(sam_format1(head, record, &line) >= 0);
    assert_int_equal(sam_read1(file, head, record), -1);
    bam_destroy1(record);
    sam_hdr_destroy(head);
    assert_int_equal(hts_close(file), 0);
    return line.s;
}

/* The record of SAM, as BAM has it: bases in upper case. */
static char *expected_of(const char *text)
{
    const char *record = strstr(text, "\nquery\t") + 1;
    char *line = strdup(record);
    assert_non_null(line);
    line[strlen(line) - 1] = '\0';
    char *bases = line;
    for (int i = 0; i < 9; i++)
        bases = strchr(bases, '\t') + 1;
    for (; *bases != '\t'; bases++)
        *bases = (char)toupper(*bases);
    return line;
}

static void test_bam_records(void **state)
{
    for (int64_t i = 0; i < 500; i++) {
        drawn_path d;
        size_t length;
        draw(i, &d);
        char *text = sam_of(&d.path, i % 3 == 0, &length), *expected = expected_of(text);
        assert_int_equal(write_file(name_of("x.bam"), NULL, i % 25 == 24 ? 2 : 0, text, length), 0);
        char *found = record_of(name_of("x.bam"), NULL);
        assert_string_equal(found, expected);
        free(found);
        free(expected);
        free(text);
    }
    unlink(name_of("x.bam"));
}

/* Writes the target, with an index, and another folder's leftovers away. */
static void write_target(const drawn_path *d)
{
    FILE *file = fopen(name_of("t.fa"), "w");
    assert_non_null(file);
    fprintf(file, ">target\n%s\n", d->target);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(fai_build(name_of("t.fa")), 0);
}

/* The tab-separated column of a line, its first one being 0. */
static void compare_column(const char *a, const char *b, int column)
{
    for (int i = 0; i < column; i++) {
        a = strchr(a, '\t') + 1;
        b = strchr(b, '\t') + 1;
    }
    assert_int_equal(strcspn(a, "\t"), strcspn(b, "\t"));
    assert_memory_equal(a, b, strcspn(a, "\t"));
}

/* CRAM has M in place of = and X, and its tags in another order. */
static void test_cram_records(void **state)
{
    for (int64_t i = 0; i < 200; i++) {
        drawn_path d;
        size_t length;
        draw(i, &d);
        d.target[d.path.target_length] = '\0';
        d.path.cigar_m = true;
        write_target(&d);
        char *text = sam_of(&d.path, false, &length), *expected = expected_of(text);
        assert_int_equal(
            write_file(name_of("x.cram"), name_of("t.fa"), i % 25 == 24 ? 2 : 0, text, length), 0);
        char *found = record_of(name_of("x.cram"), name_of("t.fa"));
        for (int column = 0; column < 11; column++)
            compare_column(found, expected, column);
        free(found);
        free(expected);
        free(text);
    }
    unlink(name_of("x.cram"));
    unlink(name_of("t.fa.fai"));
    unlink(name_of("t.fa"));
}

static void test_failures(void **state)
{
    char why[320];
    drawn_path d;
    size_t length;
    draw(1, &d);
    hts_set_log_level(HTS_LOG_OFF);
    for (int threads = 0; threads <= 2 && access("/dev/full", W_OK) == 0; threads++) {
        char *text = sam_of(&d.path, true, &length);
        assert_int_equal(write_file("/dev/full", NULL, threads, text, length), ENOSPC);
        free(text);
    }
    char *text = sam_of(&d.path, true, &length);
    assert_int_not_equal(write_file(name_of("x.cram"), name_of("none.fa"), 0, text, length), 0);
    text[length - 3] = '\t';
    strstr(text, "\tAS:i:")[4] = 'q';
    assert_int_not_equal(write_file(name_of("x.bam"), NULL, 0, text, length), 0);
    free(text);
    assert_true(cli_cram_lacks_reference("no/such.fa", why, sizeof why));
    assert_string_equal(why, "the target needs an index: 'samtools faidx no/such.fa' makes it");
    unlink(name_of("x.cram"));
    unlink(name_of("x.bam"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_LIST(cmocka_unit_test, test_bam_records, test_cram_records, test_failures)};
    if (mkdtemp(folder) == NULL)
        return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
