/* SPDX-License-Identifier: MIT */
/*
 * Reading of FASTA and FASTQ: every kind of file that rhomb_sequence_read() accepts or rejects,
 * with the status and the words of the detail that a user needs; and the reader of all records:
 * what it gives of plain, compressed and odd files, and how it fails.
 */
#include "fasta_fixture.h"
#include "rhomb/all_records.h"
#include "support/test.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <htslib/bgzf.h>
#include <htslib/faidx.h>
#include <htslib/hts_log.h>

static void expect_text(const char *text, const char *letters)
{
    write_text(text);
    expect_region(NULL, letters);
}

static void expect_bad_bytes(const char *data, size_t bytes, const char *words)
{
    write_bytes(file_path, data, bytes);
    expect_failure(file_path, NULL, words);
}

static void expect_bad_text(const char *text, const char *words)
{
    expect_bad_bytes(text, strlen(text), words);
}

#define EXPECT_BAD_BYTES(literal, words) expect_bad_bytes(literal, sizeof literal - 1, words)

static void accepts_fasta(void **state)
{
    expect_text(">a text of no interest\nACGT\n", "ACGT");
    expect_text(">a\nACGT", "ACGT");
    expect_text(">a\nACgtnN\nRYk\n", "ACgtnNRYk");
    expect_text(">a\r\nAC\r\n\r\nGT\r\n\r\n", "ACGT");
    expect_text("\r\n\n>a\nAC\n\n\nGT\n\n", "ACGT");
    expect_text(">a\nAC \t\nGT \r\n", "ACGT");
    expect_text(">a\nMK*W-l.~!\n", "MK*W-l.~!");
    expect_text(">a\nw\xc3\xb6rld\xff\n", "w\xc3\xb6rld\xff");
    expect_text(">a\n@AC\n+GT\n", "@AC+GT");
    expect_text(">a gi|1\001gi|2 \xc3\xa9\tx\nAC\n", "AC");
}

static void accepts_empty_sequences(void **state)
{
    expect_text(">a\n", "");
    expect_text(">a", "");
    expect_text(">a\n\n\r\n", "");
    expect_text(">", "");
    expect_text("@a\n\n+\n\n", "");
    expect_text("@a\n+\n", "");
    write_text(">a\n>b\nAC\n>c\n");
    expect_region("a", "");
    expect_region("b", "AC");
    expect_region("c", "");
    expect_region("c:", "");
    expect_failure(file_path, "c:1-1", "out of range: the record has 0 bases");
}

static void accepts_fastq(void **state)
{
    expect_text("@r\nACGT\n+\nIIII\n", "ACGT");
    expect_text("@r\nACGT\n+r\nIIII", "ACGT");
    expect_text("@r x\r\nAC\r\nGT\r\n+\r\n@I\r\n+I\r\n\r\n", "ACGT");
    expect_text("@r\nACGT\n+\nI\n@II\n", "ACGT");
    write_text("@r1\nACGT\n+\n@@@@\n@r2\nGG\nT\n+\n>+\n@\n\n@r3\n\n+\n\n");
    expect_region("r1", "ACGT");
    expect_region("r2", "GGT");
    expect_region("r2:2-3", "GT");
    expect_region("r3", "");
}

static void reads_names(void **state)
{
    static const struct {
        const char *text;
        const char *name;
    } cases[] = {
        {">chr1 of something\nAC\n", "chr1"},
        {">chr1\tx\nAC\n", "chr1"},
        {">chr1\r\nAC\n", "chr1"},
        {"> chr1 x\nAC\n", "chr1"},
        {">\nAC\n", ""},
        {"@q/1 x\nA\n+\nI\n", "q/1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rhomb_sequence *sequence = NULL;
        write_text(cases[i].text);
        assert_int_equal(rhomb__fasta_read(&error, file_path, NULL, 1, 0, &sequence), RHOMB_OK);
        assert_string_equal(rhomb_sequence_name(sequence), cases[i].name);
        rhomb_sequence_destroy(sequence);
    }
}

static void digests_upper_case(void **state)
{
    static const struct {
        const char *letters;
        const char *md5; /* of printf LETTERS | tr a-z A-Z | md5sum */
    } cases[] = {{"ACGT", "f1f8f4bf413b16ad135722aa4591043e"},
                 {"acGt", "f1f8f4bf413b16ad135722aa4591043e"},
                 {"", "d41d8cd98f00b204e9800998ecf8427e"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rhomb_sequence *sequence = NULL;
        char text[32];
        snprintf(text, sizeof text, ">a\n%s\n", cases[i].letters);
        write_text(text);
        assert_int_equal(rhomb__fasta_read(&error, file_path, NULL, 1, 0, &sequence), RHOMB_OK);
        assert_string_equal(rhomb_sequence_md5(sequence), cases[i].md5);
        assert_string_equal(rhomb_sequence_md5(sequence), cases[i].md5); /* kept */
        rhomb_sequence_destroy(sequence);
    }
    rhomb_sequence_destroy(NULL);
}

/* Records that end at, before and after the edges of the stream's window and of bgzip blocks. */
static void reads_across_window_edges(void **state)
{
    static const char *const modes[] = {"wu", "w1", "wg1"};
    const size_t window = 64 * 1024;
    for (size_t edge = 0; edge < 12; edge++) {
        const size_t length = window - 8 + edge;
        for (int shape = 0; shape < 3; shape++) {
            char *plain = NULL;
            char *text = make_fasta(length,
                                    shape == 0   ? length
                                    : shape == 1 ? 60
                                                 : 7,
                                    shape == 2 ? "\r\n" : "\n", &plain);
            write_packed(modes[edge % 3], text, strlen(text));
            expect_bytes(file_path, NULL, plain, length);
            free(text);
            free(plain);
        }
    }
}

/* Overwrites bytes of the input file. */
static void damage(off_t at)
{
    FILE *file = fopen(file_path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, (long)at, SEEK_SET), 0);
    for (int k = 0; k < 64; k++)
        putc(0xff, file);
    assert_int_equal(fclose(file), 0);
}

/* A large bgzip file, whole, by its index, with its end cut off, and damaged. */
static void check_large_bgzip(const char *text, const char *plain, size_t length)
{
    write_packed("w1", text, strlen(text));
    assert_true(file_size(file_path) > 4 * 1024 * 1024 + 65536);
    expect_bytes(file_path, NULL, plain, length);
    expect_bytes(file_path, "s:11999998", plain + 11999997, 3);

    assert_int_equal(fai_build(file_path), 0);
    expect_bytes(file_path, "s", plain, length);
    expect_bytes(file_path, "s:11999998", plain + 11999997, 3);
    expect_bytes(file_path, "s:5,000,000-5,100,000", plain + 4999999, 100001);

    unlink(fai_path_text);
    unlink(gzi_path_text);
    const off_t size = file_size(file_path);
    for (off_t cut = 1; cut < 200000; cut = cut * 3 + 1) {
        if (size - cut < 4 * 1024 * 1024)
            break;
        assert_int_equal(truncate(file_path, size - cut), 0);
        expect_failure(file_path, NULL, "is truncated");
    }
    damage(file_size(file_path) / 2);
    expect_failure(file_path, NULL, "damaged");
}

/* More compressed data than the size from which several threads decompress. */
static void reads_large_bgzip(void **state)
{
    static const int32_t THREADS[] = {1, 2, 8};
    char *plain = NULL;
    const size_t length = 12000000;
    char *text = make_fasta(length, 60, "\n", &plain);
    for (size_t t = 0; t < sizeof THREADS / sizeof *THREADS; t++) {
        threads = THREADS[t];
        check_large_bgzip(text, plain, length);
        remove_files(NULL);
    }
    threads = 1;
    free(text);
    free(plain);
}

/*
 * Lines that the quick way does not take, among those that it does: the bases are those of a
 * parser of one byte at a time, in a file of many windows.
 */
static void reads_odd_lines(void **state)
{
    static const char *const ENDS[] = {"\n", "\r\n", " \n", "\t \r\n", "\n\n", "\r\r\n"};
    enum { LINES = 6000, WIDEST = 200 };
    static char text[LINES * (WIDEST + 4) + 64], plain[LINES * WIDEST + 1];
    uint32_t random = 1;
    /* How many lines in 4096 have an odd end or another width: none, few, all. */
    static const uint32_t RARE[] = {0, 1, 50, 4096};
    for (size_t k = 0; k < 4 * sizeof RARE / sizeof *RARE; k++) {
        const uint32_t rare = RARE[k / 4];
        size_t at = (size_t)snprintf(text, sizeof text, ">s\n"), length = 0;
        for (int line = 0; line < LINES; line++) {
            random = random * 1664525 + 1013904223;
            const bool odd = (random >> 20) < rare;
            const size_t width = odd ? random >> 8 & 127 : 60;
            for (size_t i = 0; i < width; i++)
                text[at++] = plain[length++] = "ACGTacgtN*"[(random >> 5 ^ i * i) % 10];
            const char *end = ENDS[odd ? (random >> 3) % 6 : k % 2];
            at += (size_t)snprintf(text + at, sizeof text - at, "%s", end);
        }
        write_packed("wu", text, at);
        expect_bytes(file_path, NULL, plain, length);
        /* The same as the second of two records, the first of which is only counted. */
        snprintf(text + at, sizeof text - at, ">t\nACGT\n>u\n");
        write_packed("wu", text, strlen(text));
        expect_region("t", "ACGT");
        expect_bytes(file_path, "s", plain, length);
        text[at] = '\0';
    }
}

static void rejects_truncated(void **state)
{
    char *plain = NULL;
    char *text = make_fasta(200000, 60, "\n", &plain);
    write_packed("w", text, strlen(text));
    const off_t bgzip_size = file_size(file_path);
    assert_int_equal(truncate(file_path, bgzip_size - 28), 0);
    expect_failure(file_path, NULL, "the block that ends a bgzip file is missing");
    for (off_t cut = 29; cut < bgzip_size - 20; cut += 997) {
        assert_int_equal(truncate(file_path, bgzip_size - cut), 0);
        expect_failure(file_path, NULL, "is truncated");
    }
    write_packed("wg", text, strlen(text));
    const off_t gzip_size = file_size(file_path);
    for (off_t cut = 1; cut < gzip_size - 20; cut += 997) {
        assert_int_equal(truncate(file_path, gzip_size - cut), 0);
        expect_failure(file_path, NULL, "is truncated");
    }
    assert_int_equal(truncate(file_path, 12), 0);
    expect_failure(file_path, NULL, "truncated gzip data");
    free(text);
    free(plain);
}

static void rejects_damaged(void **state)
{
    char *plain = NULL;
    char *text = make_fasta(200000, 60, "\n", &plain);
    for (int i = 0; i < 2; i++) {
        write_packed(i == 0 ? "w" : "wg", text, strlen(text));
        damage(30000);
        expect_failure(file_path, NULL, "is damaged");
    }
    /* Of several members, one other than the first. */
    write_packed("wg", ">a\nAC\n", 6);
    FILE *file = fopen(file_path, "ab");
    assert_non_null(file);
    fputs("\x1f\x8b\x09....", file);
    assert_int_equal(fclose(file), 0);
    expect_failure(file_path, NULL, "is damaged");
    free(text);
    free(plain);
}

static void rejects_what_cannot_be_opened(void **state)
{
    char path[160];
    expect_failure(file_path, NULL, "No such file or directory");
    expect_failure(folder, NULL, "Is a directory");
    write_text(">a\nAC\n");
    snprintf(path, sizeof path, "%s/inside", file_path);
    expect_failure(path, NULL, "Not a directory");
    /* htslib's own functions would take this for a file with these contents. */
    expect_failure("data:,>a%0AAC", NULL, "No such file or directory");
    if (geteuid() != 0) {
        assert_int_equal(chmod(file_path, 0), 0);
        expect_failure(file_path, NULL, "Permission denied");
    }
    rhomb_sequence *sequence = NULL;
    rhomb__error_clear(&error);
    assert_int_equal(rhomb__fasta_read(&error, NULL, NULL, 1, 0, &sequence), RHOMB_ERR_ARGUMENT);
}

static void rejects_other_files(void **state)
{
    expect_bad_text("", "is empty");
    expect_bad_text("\n \r\n\t\n", "no record");
    write_packed("w", "", 0);
    expect_failure(file_path, NULL, "is empty");
    write_packed("wg", "", 0);
    expect_failure(file_path, NULL, "is empty");
    expect_bad_text("ACGT\n", "line 1: not a FASTA or FASTQ file");
    expect_bad_text("\n\nACGT\n", "line 3: not a FASTA or FASTQ file");
    EXPECT_BAD_BYTES("\x01\x02\x03", "not with byte 0x01");
    EXPECT_BAD_BYTES("BAM\1\0\0\0\0", "BAM");
    write_packed("w", "BAM\1\0\0\0\0", 8);
    expect_failure(file_path, NULL, "BAM");
    EXPECT_BAD_BYTES("\177ELF\2\1\1\0", "a program");
    EXPECT_BAD_BYTES("BZh91AY", "bzip2");
    EXPECT_BAD_BYTES("\xef\xbb\xbf>a\nAC\n", "byte order mark");
    expect_bad_text("##fileformat=VCFv4.2\n", "VCF");
    expect_bad_text("@HD\tVN:1.6\n@SQ\tSN:a\tLN:4\nr\t0\ta\t1\n", "SAM");
    expect_bad_text("@SQ\tSN:a\tLN:4\nr\t0\ta\t1\n", "a SAM file; 'samtools fasta'");
}

static void rejects_bad_lines(void **state)
{
    EXPECT_BAD_BYTES(">a\nAC\nG\0T\n", "line 3: byte 0x00 in record 'a'");
    EXPECT_BAD_BYTES(">a\nAC\n\0", "line 3: byte 0x00");
    EXPECT_BAD_BYTES(">a\nACGTACGTACGT\x7f\n", "line 2: byte 0x7f");
    EXPECT_BAD_BYTES(">a\nACGTACGT\x7fGTACGT\xff\n", "line 2: byte 0x7f");
    EXPECT_BAD_BYTES(">a\nAC\x1b\n", "line 2: byte 0x1b");
    EXPECT_BAD_BYTES(">a\0b\nAC\n", "line 1: byte 0x00 in a record's name");
    EXPECT_BAD_BYTES(">a b\0c\nAC\n", "line 1: a NUL byte");
    expect_bad_text(">a\nAC GT\n", "line 2: whitespace in the sequence of record 'a'");
    expect_bad_text(">a\n AC\n", "line 2: whitespace in the sequence");
    expect_bad_text(">a\nAC\rGT\n", "line 2: whitespace in the sequence");
    expect_bad_text(">a x\rACGT\rACGT\r", "a carriage return within a line");
    expect_bad_text(">\rACGT\r", "a carriage return within a line");
}

static void rejects_bad_fastq(void **state)
{
    expect_bad_text("@r\nACGT\n+\nIII\n", "line 4: FASTQ record 'r' has 4 bases, but 3 qualities");
    expect_bad_text("@r\nACGT\n+\nIIIII\n", "has 4 bases, but 5 qualities");
    expect_bad_text("@r\nACGT\n+\nIIII\nI\n", "more qualities than its 4 bases");
    expect_bad_text("@r\nACGT\n+\nIII\n@s\nA\n+\nI\n",
                    "line 4: FASTQ record 'r' has 4 bases, but 3 qualities, or 5 with line 5");
    expect_bad_text("@r\nAC\nGT\n+\nI\nI\n\n@r2\nA\n+\nI\n",
                    "line 5: FASTQ record 'r' has 4 bases, but 2 qualities, or 5 with line 8");
    expect_bad_text("@r\nACGT\n+\n", "has 4 bases, but 0 qualities");
    expect_bad_text("@r\nACGT\n+", "has 4 bases, but 0 qualities");
    expect_bad_text("@r\nACGT\n", "has no line with '+'");
    expect_bad_text("@r\nACGT\n@s\nA\n+\nI\n", "has no line with '+'");
    expect_bad_text("@r", "has no line with '+'");
    expect_bad_text("@r\nA\n+\nI\n>s\nA\n", "does not begin with '@'");
    EXPECT_BAD_BYTES("@r\nACGT\n+\nI\0II\n", "line 4: byte 0x00 in record 'r'");
}

/* Runs with standard input replaced by a pipe that holds `text`. */
static void with_stdin(const char *text, const char *region, const char *letters, const char *words)
{
    int ends[2];
    const int saved = dup(STDIN_FILENO);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], text, strlen(text)), strlen(text));
    close(ends[1]);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    close(ends[0]);
    if (letters != NULL)
        expect_bytes("-", region, letters, strlen(letters));
    else
        expect_failure("-", region, words);
    assert_true(fcntl(STDIN_FILENO, F_GETFD) >= 0); /* the caller's is left open */
    if (saved >= 0) {
        dup2(saved, STDIN_FILENO);
        close(saved);
    }
}

static void reads_standard_input(void **state)
{
    with_stdin(">a\nACGT\n", NULL, "ACGT", NULL);
    with_stdin(">a\nACGT\n>b\nGGCC\n", "b:2-3", "GC", NULL);
    with_stdin(">a\nACGT\n>b\nGGCC\n", NULL, NULL, "has 2 records");
    with_stdin("", NULL, NULL, "is empty");
}

/* Nothing may be printed, not even about data that htslib itself complains of, by its log level. */
static void prints_nothing(void **state)
{
    char output[128];
    snprintf(output, sizeof output, "%s/stderr", folder);
    write_packed("w", ">a\nACGT\n", 8);
    assert_int_equal(truncate(file_path, file_size(file_path) - 28), 0);
    const int saved = dup(STDERR_FILENO);
    const int fd = open(output, O_CREAT | O_WRONLY | O_TRUNC, 0600);
    assert_int_equal(dup2(fd, STDERR_FILENO), STDERR_FILENO);
    expect_failure(file_path, NULL, "is truncated");
    expect_failure(file_path, "a:5-4-3", "is truncated");
    dup2(saved, STDERR_FILENO);
    close(saved);
    close(fd);
    const off_t printed = file_size(output);
    unlink(output);
    assert_int_equal(printed, 0);
    assert_int_equal(hts_get_log_level(), HTS_LOG_OFF);
}

static rhomb_context *ctx;

/* All records as text, "name=bases;", and then the failure, if any. */
static const char *read_all(const char *path)
{
    static char text[4096];
    rhomb_records *records = NULL;
    const rhomb_record *record = NULL;
    size_t used = 0;
    text[0] = '\0';
    rhomb_status status = rhomb_records_open(ctx, path, &records);
    while (status == RHOMB_OK) {
        status = rhomb_records_next(records, &record);
        if (status != RHOMB_OK || record == NULL)
            break;
        assert_int_equal(record->length, strlen(record->bases));
        used += (size_t)snprintf(text + used, sizeof text - used, "%s=%s;", record->name,
                                 record->bases);
    }
    if (status != RHOMB_OK)
        snprintf(text + used, sizeof text - used, "%s: %s", rhomb_status_name(status),
                 rhomb_context_error(ctx));
    /* There is nothing more, however often one asks. */
    if (records != NULL) {
        assert_int_equal(rhomb_records_next(records, &record), RHOMB_OK);
        assert_null(record);
    }
    rhomb_records_destroy(records);
    return text;
}

static void gives_records(void **state)
{
    write_text(">a b\nAC\ngt\n>empty\n>c\r\nN\r\n>a\nT\n");
    assert_string_equal(read_all(file_path), "a=ACgt;empty=;c=N;a=T;");
    write_packed("w", "@r\nACGT\n+\nIIII\n", 15);
    assert_string_equal(read_all(file_path), "r=ACGT;");
}

/* As md5sum has them; of a record that was read, and of no other. */
static void digests(void **state)
{
    static const char *const DIGESTS[] = {NULL, "f1f8f4bf413b16ad135722aa4591043e",
                                          "d41d8cd98f00b204e9800998ecf8427e", NULL};
    rhomb_records *records = NULL;
    const rhomb_record *record = NULL;
    char md5[33] = "";
    write_text(">a\nAC\ngt\n>empty\n");
    assert_int_equal(rhomb_records_open(ctx, file_path, &records), RHOMB_OK);
    for (size_t i = 0; i < COUNT(DIGESTS); i++) {
        const bool is_read = DIGESTS[i] != NULL;
        if (i > 0)
            assert_int_equal(rhomb_records_next(records, &record), RHOMB_OK);
        assert_int_equal(rhomb_records_md5(records, md5), is_read ? RHOMB_OK : RHOMB_ERR_ARGUMENT);
        if (is_read)
            assert_string_equal(md5, DIGESTS[i]);
    }
    rhomb_records_destroy(records);
}

static void fails(void **state)
{
    write_text("");
    assert_contains(read_all(file_path), "RHOMB_ERR_INPUT: ");
    assert_contains(read_all(file_path), "is empty");
    write_text("ACGT\n");
    assert_contains(read_all(file_path), "not a FASTA or FASTQ file");
    write_text(">a\nAC\n@r\nACGT\n");
    assert_contains(read_all(file_path), "a=AC@rACGT;");
    assert_contains(read_all("/none/such"), "RHOMB_ERR_INPUT: ");
}

int main(void)
{
    const rhomb_context_options options = {
        .struct_size = sizeof options, .threads = 2, .cache_dir = "off"};
    const struct CMUnitTest tests[] = {
        TEST_LIST(FASTA_TEST, accepts_fasta, accepts_empty_sequences, accepts_fastq, reads_names,
                  digests_upper_case, reads_across_window_edges, reads_large_bgzip, reads_odd_lines,
                  rejects_truncated, rejects_damaged, rejects_what_cannot_be_opened,
                  rejects_other_files, rejects_bad_lines, rejects_bad_fastq, reads_standard_input,
                  prints_nothing, gives_records, digests, fails)};
    if (rhomb_context_create(&ctx, &options) != RHOMB_OK)
        return 1;
    const int failed = cmocka_run_group_tests(tests, make_folder, remove_folder);
    rhomb_context_destroy(ctx);
    return failed;
}
