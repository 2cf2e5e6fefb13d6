/* SPDX-License-Identifier: MIT */
/*
 * Reading pairs: what rhomb_pairs_next() accepts, what is a fault and with which words, and that
 * neither the size of a chunk nor the number of threads changes what is read.
 */
#include "fasta_fixture.h"
#include "pairs_fixture.h"
#include "support/rng.h"
#include "support/test.h"

#include <unistd.h>

static void expect(const char *text, const char *result)
{
    write_text(text);
    for (size_t bytes = 1; bytes < 100; bytes += bytes)
        for (int32_t readers = 1; readers < 8; readers += 3)
            assert_string_equal(read_all(NULL, bytes, readers), result);
    assert_string_equal(read_all(NULL, 0, 2), result);
}

static void accepts_pairs(void **state)
{
    expect("", "");
    expect("\n\r\n", "");
    expect("\n\n\n\n \n\n>A\n<C\n", "7 A-C\n");
    expect(">ACGT\n<ACGA\n>CC\n<C\n", "1 ACGT-ACGA\n3 CC-C\n");
    expect(">ACGT\n<ACGA", "1 ACGT-ACGA\n");
    expect(">ACGT\r\n<ACGA\r\n>C\r\n<C\r\n", "1 ACGT-ACGA\n3 C-C\n");
    expect(">\n<\n>A\n<\n>\n<C\n", "1 -\n3 A-\n5 -C\n");
    expect("\n\n>A\n\n<C\n\n>G\n<T\n\n", "3 A-C\n7 G-T\n");
    expect(">A \t\n<C \r\n \n>G\n<T\n", "1 A-C\n4 G-T\n");
    expect(">acgtnN*@<>\n<>\n", "1 acgtnN*@<>->\n");
}

#define NO_TARGET "a '>' line without a '<' line after it\n"
#define NO_QUERY  "a '<' line without a '>' line before it\n"
#define STRAY     "a line that begins neither with '>' nor with '<'\n"
#define CUT       "a '>' line without a '<' line after it (FASTA and FASTQ need two files)\n"

static void finds_faults(void **state)
{
    expect(">A\n", "!in: line 1: " NO_TARGET);
    expect(">A\n<C\n>G\n", "1 A-C\n!in: line 3: " NO_TARGET);
    expect(">A\n>C\n<G\n", "!in: line 1: " NO_TARGET "2 C-G\n");
    expect("<A\n>C\n<G\n", "!in: line 1: " NO_QUERY "2 C-G\n");
    expect(">A\n<C\n<G\n>A\n<A\n", "1 A-C\n!in: line 3: " NO_QUERY "4 A-A\n");
    expect(">A\n<C\nx\ny\n>A\n<A\n", "1 A-C\n!in: line 3: " STRAY "5 A-A\n");
    expect(">A\nx\ny\n<C\n>A\n<A\n", "!in: line 2: " CUT "5 A-A\n");
    expect(">a\nACGT\n>b\nACGT\n", "!in: line 2: " CUT "!in: line 4: " CUT);
    expect(">A\nx\ny\n\nz\n<C\n<C\nx\ny\n",
           "!in: line 2: " CUT "!in: line 7: " NO_QUERY "!in: line 8: " STRAY);
    expect(">A\n<C\n >G\n<T\n>A\n<A\n", "1 A-C\n!in: line 3: " STRAY "5 A-A\n");
    expect(">A\n<C\nx\n\ny\n<T\n<T\n", "1 A-C\n!in: line 3: " STRAY "!in: line 7: " NO_QUERY);
    expect(">A C\n<C\n>A\n<A\n", "!in: line 1: byte 0x20 within a sequence\n3 A-A\n");
    expect(">A\n<C\x7f\n>A\n<A\n", "!in: line 2: byte 0x7f within a sequence\n3 A-A\n");
    expect(">A\r\n<C\x7f\r\n>A\n<A\n", "!in: line 2: byte 0x7f within a sequence\n3 A-A\n");
}

static void takes_names(void **state)
{
    expect(">ACGT\tq\n<ACGA\tt\n", "q t 1 ACGT-ACGA\n");
    expect(">A\tq 1\n<C\n>G\n<T\n>A\n<C\tt\tx\r\n", "q * 1 A-C\n3 G-T\n* t 5 A-C\n");
    expect(">A\t\n<C \t \n>\tq\n<\t \tt", "1 A-C\nq t 3 -\n");
    expect(">A\t>q\n<C\t<t\xe9\x01\x7f\n", ">q <t\xe9 1 A-C\n");
    expect(">A\tq\n>C\tr\n<G\ts\n", "!in: line 1: " NO_TARGET "r s 2 C-G\n");
    expect(">A q\n<C\tt\n>A\n<A\tb\n", "!in: line 1: byte 0x20 within a sequence\n* b 3 A-A\n");
}

static void rejects_other_files(void **state)
{
    expect("ACGT\n>A\n<C\n",
           "in: line 1: not a file of pairs: a pair begins with '>', not with 'A'\n");
    expect("\n\n\n\n\n\n\nx\n",
           "in: line 8: not a file of pairs: a pair begins with '>', not with 'x'\n");
    expect("\n@r\nA\n",
           "in: line 2: not a file of pairs: a pair begins with '>', not with '@' (FASTA "
           "and FASTQ need two files)\n");
    expect("\xff", "in: line 1: not a file of pairs: a pair begins with '>', not with 0xff\n");
    write_text("BAM\1");
    assert_string_equal(read_all(NULL, 0, 1), "in: is not a file of pairs: it is a BAM file\n");
    unlink(file_path);
    assert_string_equal(read_all(NULL, 0, 1), "in: cannot be opened: No such file or directory\n");
}

/* A NUL is a byte like any other that is not a base, also where lines are long. */
static void finds_odd_bytes(void **state)
{
    enum { LENGTH = 100000 };
    static char text[2 * LENGTH];
    for (int place = 1; place < LENGTH; place += 9973) {
        memset(text, 'A', sizeof text);
        memcpy(text + LENGTH - 1, "\n<", 2);
        text[0] = '>';
        text[2 * LENGTH - 1] = '\n';
        text[place] = '\0';
        write_bytes(file_path, text, sizeof text);
        assert_string_equal(read_all(NULL, 0, 1), "!in: line 1: byte 0x00 within a sequence\n");
    }
}

/* Each byte at each place, among as many bases as make a difference to how they are judged. */
static void judges_every_byte(void **state)
{
    static const size_t lengths[] = {1, 7, 8, 9, 63, 64, 65, 127, 128, 150};
    char text[150];
    memset(text, '~', sizeof text);
    for (size_t i = 0; i < COUNT(lengths); i++)
        for (size_t place = 0; place < lengths[i]; place++)
            for (int byte = 0; byte < 256; byte++) {
                const bool letter = byte >= '!' && byte != 0x7f;
                text[place] = (char)(unsigned char)byte;
                if (rhomb__is_bases(text, lengths[i]) != letter ||
                    rhomb__base_run(text, lengths[i]) != (letter ? lengths[i] : place))
                    fail_msg("byte 0x%02x at %zu of %zu", (unsigned)byte, place, lengths[i]);
                text[place] = "!~\x80\xff"[place % 4];
            }
    assert_true(rhomb__is_bases(text, 0));
}

/* The most that a text, of which a reader has two, may hold; and what was seen. */
static size_t most_text, faults;
static int64_t last_line;

static void check_text(const rhomb_pairs *pairs, const rhomb_pair_chunk *chunk)
{
    assert_true(((const rhomb__chunk *)(const void *)chunk)->text.capacity <= most_text);
    assert_true(pairs->carried.capacity <= most_text);
    faults += chunk->fault_count;
    if (chunk->count > 0)
        last_line = rhomb_pair_chunk_line(chunk, chunk->count - 1);
}

/* However long there is no pair in the text, a chunk is no larger, and the fault is one. */
static void bounds_memory(void **state)
{
    enum { BYTES = 4096, LINES = 20000 };
    static const char *const stuffings[] = {"x\n", "\n", " \r\n", "<A\n", ">A\n", "ACGT\n"};
    for (size_t i = 0; i < COUNT(stuffings); i++) {
        int64_t count = 0;
        FILE *file = fopen(file_path, "wb");
        assert_non_null(file);
        fputs(">A\n<C\n", file);
        for (int line = 0; line < LINES; line++)
            fputs(stuffings[i], file);
        fputs(">G\n<T\n", file);
        assert_int_equal(fclose(file), 0);
        most_text = 2 * BYTES;
        faults = 0;
        assert_int_equal(read_bounded(NULL, BYTES, 1, 0, check_text, &count), RHOMB_OK);
        const bool each = stuffings[i][0] == '<' || stuffings[i][0] == '>';
        const bool blank = stuffings[i][strspn(stuffings[i], " \r\n")] == '\0';
        assert_int_equal(faults, each ? LINES : blank ? 0 : 1);
        assert_int_equal(count, faults + 2);
        assert_int_equal(last_line, LINES + 3);
    }
}

/* A pair that needs more than a bounded reader may hold is an error, and the ones before it are
 * not. */
static void stops_at_bound(void **state)
{
    enum { CHUNK = 256, MOST = 1000 };
    for (int long_bases = 400; long_bases <= 600; long_bases += 50) {
        int64_t count = 0;
        FILE *file = fopen(file_path, "wb");
        assert_non_null(file);
        for (int i = 0; i < 20; i++)
            fprintf(file, ">ACGT\n<ACG\n");
        fprintf(file, ">%0*d\n<%0*d\n>A\n<A\n", long_bases, 0, long_bases, 0);
        assert_int_equal(fclose(file), 0);
        most_text = MOST;
        const bool fits = 2 * long_bases + 4 < MOST;
        assert_int_equal(read_bounded(NULL, CHUNK, 1, (size_t)2 * MOST, check_text, &count),
                         fits ? RHOMB_OK : RHOMB_ERR_MEMORY);
        assert_int_equal(count, fits ? 22 : 20);
    }
}

static void is_the_same_in_any_pieces(void **state)
{
    static const char *const modes[] = {"wu", "w", "wg"};
    for (int64_t i = 0; i < 12; i++) {
        rng r = rng_for("pairs", i);
        size_t length = 0;
        char *text = random_text(&r, i < 9 ? 20000 : 1200000, 200, &length);
        text[0] = '>';
        write_packed(modes[i % 3], text, length);
        free(text);
        char *expected = strdup(read_all(NULL, (size_t)64 << 20, 1));
        assert_non_null(expected);
        assert_string_equal(read_all(NULL, 0, 1), expected);
        assert_string_equal(read_all(NULL, 0, 7), expected);
        assert_string_equal(read_all(NULL, (size_t)rng_between(&r, 1, 5000), 2), expected);
        assert_string_equal(read_all(NULL, (size_t)1 << 20, 64), expected);
        free(expected);
    }
}

/* What follows the first member of a gzip file, and what is said of it. */
static void notices_damaged_gzip(void **state)
{
    static const char cut[] = "in: is truncated: the compressed data ends in the middle\n";
    static const char damaged[] = "in: is damaged: its data cannot be decompressed\n";
    static const struct {
        const char *end;
        size_t bytes;
        const char *words;
    } cases[] = {
        {"", 0, "1 AC-AG\n"}, {"\0\0\0", 3, damaged},           {"\0\0x", 3, damaged},
        {"more", 4, damaged}, {"\x1f\x8b\x09....", 7, damaged}, {"\x1f\x8b\x08", 3, cut},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_packed("wg", ">AC\n<AG\n", 8);
        FILE *file = fopen(file_path, "ab");
        assert_non_null(file);
        fwrite(cases[i].end, 1, cases[i].bytes, file);
        assert_int_equal(fclose(file), 0);
        assert_string_equal(read_all(NULL, 0, 1), cases[i].words);
    }
    /* The checksum stands before the length, in the last eight bytes. */
    write_packed("wg", ">AC\n<AG\n", 8);
    FILE *file = fopen(file_path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, -8, SEEK_END), 0);
    fputs("sum?", file);
    assert_int_equal(fclose(file), 0);
    assert_string_equal(read_all(NULL, 0, 1), damaged);
}

/* A gzip or bgzip file that is cut off has pairs before that place, then an error. */
static void keeps_what_comes_before_a_cut(void **state)
{
    for (int i = 0; i < 2; i++) {
        rng r = rng_for("cut", 0);
        size_t length = 0;
        char *text = random_text(&r, 1000000, 200, &length);
        text[0] = '>';
        write_packed(i == 0 ? "w" : "wg", text, length);
        free(text);
        char *expected = strdup(read_all(NULL, 0, 1));
        assert_non_null(expected);
        assert_int_equal(truncate(file_path, file_size(file_path) / 2), 0);
        const char *cut = read_all(NULL, 0, 1), *last = strstr(cut, "in: is truncated");
        assert_non_null(last);
        const size_t rows = (size_t)(last - cut);
        assert_true(rows > strlen(expected) / 3 && cut[rows - 1] == '\n');
        assert_memory_equal(cut, expected, rows);
        free(expected);
    }
}

TEST_MAIN_OF(PAIRS_TEST, pairs_set_up, pairs_tear_down, accepts_pairs, finds_faults, takes_names,
             rejects_other_files, finds_odd_bytes, judges_every_byte, bounds_memory, stops_at_bound,
             is_the_same_in_any_pieces, keeps_what_comes_before_a_cut, notices_damaged_gzip)
