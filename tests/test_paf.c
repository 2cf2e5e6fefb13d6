/* SPDX-License-Identifier: MIT */
/*
 * Reading PAF: what rhomb_paf_next() and rhomb_paf_ops() make of lines, wherever the reader's
 * window and the caller's array end, and with which words other lines are refused.
 */
#include "fasta_fixture.h"
#include "src/formats/paf_reader.h"
#include "support/test.h"

#include <htslib/hts_log.h>

/* Bytes of the stream's window, or a multiple. */
#define WINDOW ((size_t)64 * 1024)

#define ROW "q\t9\t1\t8\t+\tt\t20\t2\t12\t6\t10\t60"

/* All that a file has, as text: a line for each record, then a line for how it ended. */
static rhomb__bytes transcript;

static void note(const char *format, ...) RHOMB__PRINTF(1, 2);

static void note(const char *format, ...)
{
    char line[1024];
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    assert_true(length >= 0);
    assert_int_equal(rhomb__bytes_append(&error, &transcript, line, strlen(line)), RHOMB_OK);
}

static void note_row(const rhomb_paf_record *row)
{
    static const char *const PATHS[] = {"none", "cg", "cs"};
    note("%" PRId64 "/%" PRId64 " %.40s %" PRId64 " %" PRId64 "-%" PRId64, row->index, row->line,
         row->query_name, row->query_length, row->query_begin, row->query_end);
    note(" %c %.40s %" PRId64 " %" PRId64 "-%" PRId64, row->reverse ? '-' : '+', row->target_name,
         row->target_length, row->target_begin, row->target_end);
    note(" %" PRId64 " %" PRId64 " %" PRId64 " %s", row->matches, row->block_length, row->mapq,
         PATHS[row->path]);
}

static void note_tags(const rhomb_paf_tags *tags)
{
    assert_true(tags->complete);
    if (tags->has_edits)
        note(" NM %" PRId64, tags->edits);
    if (tags->has_score)
        note(" AS %" PRId64, tags->score);
    if (tags->has_ambiguous)
        note(" nn %" PRId64, tags->ambiguous);
    if (tags->has_divergence)
        note(" de %.9g+-%.9g", tags->divergence, tags->divergence_by);
    if (tags->type != 0)
        note(" tp %c", tags->type);
    if (tags->scoring != NULL)
        note(" sc %s", tags->scoring);
    if (tags->has_rotation)
        note(" ro %" PRId64, tags->rotation);
}

/* Reads the rest of a record, `room` operations at a time. */
static rhomb_status note_path(rhomb_paf *paf, size_t room)
{
    rhomb_path_op *ops = calloc(room, sizeof *ops); /* of this size, so that sanitizers watch it */
    rhomb_status status = RHOMB_OK;
    size_t count = 0;
    unsigned before = 16;
    assert_non_null(ops);
    note(" ");
    do {
        status = rhomb_paf_ops(paf, ops, room, &count);
        assert_true(count <= room);
        for (size_t i = 0; i < count; i++) {
            assert_int_not_equal(RHOMB_CIGAR_CODE(ops[i]), before);
            before = (unsigned)RHOMB_CIGAR_CODE(ops[i]);
            note("%" PRIu64 "%c", RHOMB_CIGAR_LENGTH(ops[i]), RHOMB_CIGAR_LETTER(ops[i]));
        }
    } while (status == RHOMB_OK && count > 0);
    if (status == RHOMB_OK)
        note_tags(rhomb_paf_get_tags(paf));
    free(ops);
    return status;
}

static bool takes_tables; /* of ranges */

/* `room` 0: paths are left alone. */
static const char *read_all(size_t room)
{
    rhomb_paf *paf = NULL;
    const rhomb_paf_record *row = NULL;
    transcript.length = 0;
    note("%s", "");
    rhomb__error_clear(&error);
    rhomb_status status = rhomb__paf_open(&error, file_path, &paf);
    if (takes_tables)
        rhomb_paf_take_tables(paf);
    while (status == RHOMB_OK) {
        status = rhomb_paf_next(paf, &row);
        if (status != RHOMB_OK || row == NULL)
            break;
        note_row(row);
        if (room > 0)
            status = note_path(paf, room);
        note("\n");
    }
    if (status == RHOMB_OK) {
        assert_int_equal(rhomb_paf_next(paf, &row), RHOMB_OK);
        assert_null(row);
    } else {
        /* Every later call fails in the same way. */
        rhomb_path_op op;
        size_t count = 1;
        char detail[1024];
        snprintf(detail, sizeof detail, "%s", rhomb__error_text(&error));
        assert_int_equal(rhomb_paf_next(paf, &row), status);
        assert_null(row);
        assert_string_equal(rhomb__error_text(&error), detail);
        assert_int_equal(rhomb_paf_ops(paf, &op, 1, &count), status);
        assert_int_equal(count, 0);
        assert_string_equal(rhomb__error_text(&error), detail);
        assert_memory_equal(detail, file_path, strlen(file_path));
        note("%s: %s\n", rhomb_status_name(status), detail + strlen(file_path) + 2);
    }
    rhomb_paf_destroy(paf);
    return transcript.data;
}

static void expect_text(const char *text, const char *wanted)
{
    write_text(text);
    assert_string_equal(read_all(100), wanted);
}

static void reads_rows(void **state)
{
    expect_text("", "");
    expect_text("\n\r\n\n", "");
    expect_text(ROW "\n", "0/1 q 9 1-8 + t 20 2-12 6 10 60 none \n");
    expect_text("\n" ROW "\tcg:Z:6=1X3D\r\n\n" ROW "\r\n",
                "0/2 q 9 1-8 + t 20 2-12 6 10 60 cg 6=1X3D\n"
                "1/4 q 9 1-8 + t 20 2-12 6 10 60 none \n");
    /* Tags on either side of the path, unknown ones, and comments that are none. */
    expect_text(ROW "\ttp:A:P\tNM:i:4\tcm:i:3\tcg:Z:6=1X3D\tde:f:0.40\tAS:i:-7\tnn:i:0\n",
                "0/1 q 9 1-8 + t 20 2-12 6 10 60 cg 6=1X3D NM 4 AS -7 nn 0 de 0.4+-0.005 tp P\n");
    expect_text(ROW "\tsc:Z:affine:4,6,2\tcg:Z:6=\tsc:Z:x y\n" ROW "\tsc:i:3\tAS:i:1\n",
                "0/1 q 9 1-8 + t 20 2-12 6 10 60 cg 6= sc x y\n"
                "1/2 q 9 1-8 + t 20 2-12 6 10 60 none  AS 1\n");
    expect_text(ROW "\tro:i:7\tcg:Z:6=\n" ROW "\tro:Z:3\n",
                "0/1 q 9 1-8 + t 20 2-12 6 10 60 cg 6= ro 7\n"
                "1/2 q 9 1-8 + t 20 2-12 6 10 60 none \n");
    expect_text(ROW "\t\tx\tcg:i:3\tNM\tNM:\tNM:Z:a\tas:i:3\tcg:Z:1=\t\n",
                "0/1 q 9 1-8 + t 20 2-12 6 10 60 cg 1=\n");
    expect_text(ROW "\tde:f:0\n" ROW "\tde:f:1e-05\n" ROW "\tde:f:-.25E+1\n",
                "0/1 q 9 1-8 + t 20 2-12 6 10 60 none  de 0+-0\n"
                "1/2 q 9 1-8 + t 20 2-12 6 10 60 none  de 1e-05+-5e-06\n"
                "2/3 q 9 1-8 + t 20 2-12 6 10 60 none  de -2.5+-0.05\n");
    /* No alignment, nothing at all, and the largest numbers. */
    expect_text("q\t9\t0\t0\t*\t*\t0\t0\t0\t0\t0\t0\trl:i:3\n",
                "0/1 q 9 0-0 + * 0 0-0 0 0 0 none \n");
    expect_text("\t0\t0\t0\t-\t\t0\t0\t0\t0\t0\t0\tcg:Z:\n", "0/1  0 0-0 -  0 0-0 0 0 0 cg \n");
    expect_text("q\t1000000000000000000\t0\t1000000000000000000\t+\tt\t3\t0\t3\t0\t0\t255\tcg:Z:"
                "1000000000000000000I3D\n",
                "0/1 q 1000000000000000000 0-1000000000000000000 + t 3 0-3 0 0 255 cg "
                "1000000000000000000I3D\n");
}

static void reads_paths(void **state)
{
    static const struct {
        const char *tag, *ops;
    } PATHS[] = {
        {"cg:Z:5M1I2D3M", "cg 5M1I2D3M"},
        {"cg:Z:2=3=1X0I1X4D0=5D007=", "cg 5=2X9D7="},
        {"cg:Z:0=", "cg "},
        {"cs:Z::6*ac*gt-acg:2+t", "cs 6=2X3D2=1I"},
        {"cs:Z:=ACgt=A:3*an", "cs 8=1X"},
        {"cs:Z::1:2+a+c-g-t*ac", "cs 3=2I2D1X"},
        {"cs:Z:", "cs "},
        /* The first of two is the path. */
        {"cg:Z:3=\tcs:Z::4", "cg 3="},
        {"cs:Z::4\tcg:Z:3N", "cs 4="},
        {"cg:Z:3=\tcg:Z:4=", "cg 3="},
    };
    for (size_t i = 0; i < sizeof PATHS / sizeof *PATHS; i++) {
        char text[256];
        char wanted[256];
        snprintf(text, sizeof text, ROW "\t%s\n" ROW "\n", PATHS[i].tag);
        snprintf(wanted, sizeof wanted,
                 "0/1 q 9 1-8 + t 20 2-12 6 10 60 %s\n1/2 q 9 1-8 + t 20 2-12 6 10 60 none \n",
                 PATHS[i].ops);
        write_text(text);
        for (size_t room = 1; room < 10; room++)
            assert_string_equal(read_all(room), wanted);
    }
}

/* Lines that are wrong, after a right one, and what is said. */
static const struct {
    const char *line, *words;
} LINES[] = {
    {"q\n", "line 2: not a PAF record: it has 1 column, not 12"},
    {"q\t9\t1\t8\t+\tt\t20\t2\t12\t6\t10\n", "line 2: not a PAF record: it has 11 columns"},
    {"q\t9\t1\t8\n+\tt\t20\t2\t12\t6\t10\t60\n", "line 2: not a PAF record: it has 4 columns"},
    {"q\tx\t1\t8\t+\tt\t20\t2\t12\t6\t10\t60\n",
     "line 2: column 2 (query length): 'x' is not a number below 2^60"},
    {"q\t9\t-1\t8\t+\tt\t20\t2\t12\t6\t10\t60\n", "line 2: column 3 (query start): '-1' is"},
    {"q\t9\t1\t\t+\tt\t20\t2\t12\t6\t10\t60\n", "line 2: column 4 (query end): '' is no"},
    {"q\t9\t1\t8\t.\tt\t20\t2\t12\t6\t10\t60\n", "line 2: column 5 (strand): '.' is not"},
    {"q\t9\t1\t8\t+\tt\t1e3\t2\t12\t6\t10\t60\n", "line 2: column 7 (target length): '1e3'"},
    {"q\t9\t1\t8\t+\tt\t20\t2.\t12\t6\t10\t60\n", "line 2: column 8 (target start): '2.' is"},
    {"q\t9\t1\t8\t+\tt\t20\t2\t 12\t6\t10\t60\n", "line 2: column 9 (target end): ' 12' is"},
    {"q\t9\t1\t8\t+\tt\t20\t2\t12\t9223372036854775808\t10\t60\n", "column 10 (matches): '92"},
    {"q\t9\t1\t8\t+\tt\t20\t2\t12\t6\t18446744073709551617\t60\n", "column 11 (block length)"},
    {"q\t9\t1\t8\t+\tt\t20\t2\t12\t6\t10\t*\n", "line 2: column 12 (mapping quality): '*'"},
    {"q\t9\t8\t7\t+\tt\t20\t2\t12\t6\t10\t60\n", "8 to 7 is not within a sequence of 9"},
    {"q\t9\t1\t10\t+\tt\t20\t2\t12\t6\t10\t60\n", "1 to 10 is not within a sequence of 9"},
    {"q\t9\t1\t8\t+\tt\t20\t13\t12\t6\t10\t60\n", "13 to 12 is not within a sequence of 20"},
    {"q\t9\t1\t8\t+\tt\t20\t2\t21\t6\t10\t60\n", "2 to 21 is not within a sequence of 20"},
    {"q\x01\t9\t1\t8\t+\tt\t20\t2\t12\t6\t10\t60\n", "byte 0x01 in column 1 (query name)"},
    {"q\r\t9\t1\t8\t+\tt\t20\t2\t12\t6\t10\t60\n", "it has 1 column, not 12"},
    {ROW "\tcg:Z:3=\r\tNM:i:3\n", "line 2: a carriage return within a line"},
    {ROW "\tNM:i:\n", "line 2: tag NM:i: '' is not an integer"},
    {ROW "\tNM:i:1.5\n", "line 2: tag NM:i: '1.5' is not an integer"},
    {ROW "\tcg:Z:3=\tNM:i:3x\n", "line 2: tag NM:i: '3x' is not an integer"},
    {ROW "\tAS:i:--3\n", "line 2: tag AS:i: '--3' is not an integer"},
    {ROW "\tnn:i:99999999999999999999\n", "line 2: tag nn:i: '99999999999999999999' is no"},
    {ROW "\tde:f:0,5\n", "line 2: tag de:f: '0,5' is not a number"},
    {ROW "\tde:f:nan\n", "line 2: tag de:f: 'nan' is not a number"},
    {ROW "\tde:f:.\n", "line 2: tag de:f: '.' is not a number"},
    {ROW "\tde:f:1e999\n", "line 2: tag de:f: '1e999' is not a number"},
    {ROW "\tde:f:1e\n", "line 2: tag de:f: '1e' is not a number"},
    {ROW "\ttp:A:PP\n", "line 2: tag tp:A: 'PP' is not one character"},
    {ROW "\tNM:i:00000000000000000000000000000000000000000000000000000000000000001\n",
     "line 2: tag NM:i has more than 64 bytes"},
    {ROW "\tcg:Z:3\n", "line 2: tag cg:Z, after 0 operations: it ends in the middle"},
    {ROW "\tcg:Z:2=3\n", "line 2: tag cg:Z, after 1 operations: it ends in the middle"},
    {ROW "\tcg:Z:=\n", "after 0 operations: an operation without a length"},
    {ROW "\tcg:Z:3==\n", "after 1 operations: an operation without a length"},
    {ROW "\tcg:Z:3=2N\n", "after 1 operations: N, S, H and P cannot occur"},
    {ROW "\tcg:Z:3S2=\n", "after 0 operations: N, S, H and P cannot occur"},
    {ROW "\tcg:Z:*\n", "after 0 operations: unexpected '*'"},
    {ROW "\tcg:Z:-3=\n", "after 0 operations: unexpected '-'"},
    {ROW "\tcg:Z:3= 2=\n", "after 1 operations: unexpected byte 0x20"},
    {ROW "\tcg:Z:1152921504606846976=\n", "after 0 operations: an operation is too long"},
    {ROW "\tcg:Z:1152921504606846975=1=\n", "after 2 operations: an operation is too long"},
    {ROW "\tcg:Z:99999999999999999999999999=\n", "an operation is too long"},
    {ROW "\tcs:Z::4~gt20ag:5\n", "tag cs:Z, after 0 operations: introns cannot occur"},
    {ROW "\tcs:Z::4*a:5\n", "tag cs:Z, after 1 operations: '*' must be followed by two bases"},
    {ROW "\tcs:Z::4*acg:5\n", "after 1 operations: '*' must be followed by two bases"},
    {ROW "\tcs:Z::4+\n", "after 1 operations: an operator with nothing after it"},
    {ROW "\tcs:Z::\n", "after 0 operations: an operator with nothing after it"},
    {ROW "\tcs:Z::a\n", "after 0 operations: unexpected 'a'"},
    {ROW "\tcs:Z:+a3\n", "after 0 operations: unexpected '3'"},
    {ROW "\tcs:Z:acg\n", "after 0 operations: unexpected 'a'"},
};

/* The first operation of each path of the next record; `other` 0: there is no second one. */
static void expect_paths(rhomb_paf *paf, uint64_t one, uint64_t other)
{
    const rhomb_paf_record *row = NULL;
    rhomb_path_op ops[4];
    size_t count = 0;
    assert_int_equal(rhomb_paf_next(paf, &row), RHOMB_OK);
    assert_non_null(row);
    assert_false(rhomb_paf_second_path(paf));
    assert_int_equal(rhomb_paf_ops(paf, ops, 4, &count), RHOMB_OK);
    assert_true(count > 0 && ops[0] == one);
    assert_int_equal(rhomb_paf_ops(paf, ops, 4, &count), RHOMB_OK);
    assert_int_equal(count, 0);
    assert_int_equal(rhomb_paf_get_tags(paf)->has_edits, other == 0);
    assert_int_equal(rhomb_paf_second_path(paf), other != 0);
    if (other == 0)
        return;
    assert_int_equal(rhomb_paf_ops(paf, ops, 1, &count), RHOMB_OK);
    assert_true(count == 1 && ops[0] == other);
}

/* Both paths where they are asked for; what is left of the second one is passed over. */
static void reads_second_paths(void **state)
{
    const uint64_t cg = 7 << 4 | RHOMB_CIGAR_M, cs = 6 << 4 | RHOMB_CIGAR_EQ;
    rhomb_paf *paf = NULL;
    write_text(ROW "\tcg:Z:7M3D\tcs:Z::6*ac-acc\tNM:i:4\n" ROW "\tcs:Z::6*ac-acc\tcg:Z:7M3D\n" ROW
                   "\tcg:Z:7M3D\tNM:i:4\n" ROW "\tcg:Z:7M3D\tcs:Z::6*ac-acc\tNM:i:4\n");
    for (int both = 0; both < 2; both++) {
        const rhomb_paf_record *row = NULL;
        assert_int_equal(rhomb__paf_open(&error, file_path, &paf), RHOMB_OK);
        if (both) {
            rhomb_paf_read_both(paf);
            expect_paths(paf, cg, cs);
            expect_paths(paf, cs, cg);
        } else {
            assert_int_equal(rhomb_paf_next(paf, &row), RHOMB_OK);
            assert_int_equal(rhomb_paf_next(paf, &row), RHOMB_OK);
        }
        expect_paths(paf, cg, 0);
        expect_paths(paf, cg, both ? cs : 0);
        assert_int_equal(rhomb_paf_next(paf, &row), RHOMB_OK);
        assert_null(row);
        rhomb_paf_destroy(paf);
    }
    assert_false(rhomb_paf_second_path(NULL));
    rhomb_paf_read_both(NULL);
}

static void rejects_lines(void **state)
{
    for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++) {
        char text[512];
        snprintf(text, sizeof text, ROW "\n%s", LINES[i].line);
        write_text(text);
        const char *found = read_all(1);
        if (strstr(found, "\nRHOMB_ERR_INPUT: ") == NULL || strstr(found, LINES[i].words) == NULL)
            fail_msg("no '%s' in: %s", LINES[i].words, found);
    }
    /* A NUL where nothing is read, and a name of a megabyte. */
    write_packed("wu", ROW "\txx:Z:\0\n", sizeof ROW "\txx:Z:\0\n" - 1);
    assert_non_null(strstr(read_all(1), "a NUL byte: not a text file"));
    char *name = calloc(1 << 20, 1);
    assert_non_null(name);
    memset(name, 'q', (1 << 20) - 1);
    write_text(name);
    assert_non_null(strstr(read_all(1), "column 1 (query name) has more than 65536 bytes"));
    free(name);
}

/* SAM: clips on both strands, what says how many matches there are (-1: nothing), and no path. */
static void reads_sam(void **state)
{
    (void)state;
    static const char HEAD[] = "@HD\tVN:1.6\n@SQ\tSN:t1\tLN:2000\n@SQ\tSN:t2\tLN:500\n";
    static const struct {
        const char *record, *wanted;
    } CASES[] = {
        {"q\t0\tt1\t101\t60\t5H10S20=1X3I9=2D4=7S\t*\t0\t0\t*\t*\tNM:i:6\tAS:i:-6\n",
         "0/4 q 59 15-52 + t1 2000 100-136 33 37 60 cg 20=1X3I9=2D4= NM 6 AS -6 tp P\n"},
        {"q\t16\tt2\t1\t0\t5H10S20=7S\t*\t0\t0\t*\t*\n",
         "0/4 q 42 7-27 - t2 500 0-20 20 20 0 cg 20= tp P\n"},
        {"q\t272\tt2\t1\t255\t20M\t*\t0\t0\t*\t*\tNM:i:3\tde:f:0.125\tsc:Z:affine:4,6,2\tzz:i:1\n",
         "0/4 q 20 0-20 - t2 500 0-20 17 20 255 cg 20M NM 3 de 0.125+-0.0005 tp S sc "
         "affine:4,6,2\n"},
        {"q\t2048\tt2\t481\t1\t5S20M5S\t*\t0\t0\t*\t*\tNM:i:3\tnn:i:1\ttp:A:I\tbl:i:2\n",
         "0/4 q 30 5-25 + t2 500 480-500 -1 20 1 cg 20M NM 3 nn 1 tp I\n"},
        {"q\t0\tt2\t1\t1\t20M\t*\t0\t0\t*\t*\nr\t4\t*\t0\t0\t*\t*\t0\t0\tACGT\t*\n",
         "0/4 q 20 0-20 + t2 500 0-20 -1 20 1 cg 20M tp P\n1/5 r 4 0-0 + * 0 0-0 0 0 0 none \n"},
        {"", ""},
        {"q\t0\tt2\t1\t1\t10M5N10M\t*\t0\t0\t*\t*\n",
         "RHOMB_ERR_INPUT: line 4: tag cg:Z, after 1 operations"},
        {"q\t0\tt2\t1\tx\n",
         "RHOMB_ERR_INPUT: after 0 records: is truncated or damaged, or not SAM"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char text[1024];
        snprintf(text, sizeof text, "%s%s", HEAD, CASES[i].record);
        write_text(text);
        const char *got = read_all(3), *failure = strstr(got, "RHOMB_ERR");
        if (failure != NULL)
            assert_memory_equal(failure, CASES[i].wanted, strlen(CASES[i].wanted));
        else
            assert_string_equal(got, CASES[i].wanted);
    }
    write_text("q\t0\tt2\t1\t1\t20M\t*\t0\t0\tACGTACGTACGTACGTACGT\t*\n");
    assert_non_null(strstr(read_all(3), "has no SAM header with the targets: 'samtools view -h'"));
}

/* A table of ranges, which only who asks for it gets: comments, and columns that are wrong. */
static void reads_tables(void **state)
{
    (void)state;
    static const char *const CASES[][2] = {
        {"#t\tb\te\tq\tb\te\ts\n\nt\t1\t5\tq\t7\t7\t-\n#\tx\nt\t0\t0\tq\t7\t9\t+\tmore\n",
         "0/3 q -1 7-7 - t -1 1-5 -1 -1 0 none \n1/5 q -1 7-9 + t -1 0-0 -1 -1 0 none \n"},
        {"t\t1\t5\tq\t7\t7\n",
         "RHOMB_ERR_INPUT: line 1: not a pair of ranges: it has 6 columns, not 7\n"},
        {"t\t5\t1\tq\t7\t7\t+\n",
         "RHOMB_ERR_INPUT: line 1: columns 2 and 3 (target): the range begins at 5, "
         "after its end at 1\n"},
        {"t\t1\t5\tq\t8\t7\t+\n",
         "RHOMB_ERR_INPUT: line 1: columns 5 and 6 (query): the range begins at 8, "
         "after its end at 7\n"},
        {"t\t1\t5\tq\t7\t7\t*\n",
         "RHOMB_ERR_INPUT: line 1: column 7 (strand): '*' is not + or -\n"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        write_text(CASES[i][0]);
        takes_tables = true;
        assert_string_equal(read_all(1), CASES[i][1]);
        takes_tables = false;
        assert_non_null(strstr(read_all(1), i == 1 ? "RHOMB_ERR_INPUT: line 1: "
                                                   : "it is a table of ranges; 'rhomb align"));
    }
}

static void rejects_other_files(void **state)
{
    write_text(">a\nACGT\n");
    assert_non_null(
        strstr(read_all(1), "is not a PAF file: it is a FASTA or FASTQ file; 'rhomb align"));
    static const char *const OTHERS[][2] = {
        {"##maf version=1\n\na score=0\n", "a MAF file;"},
        {"chain 1 t 1 + 0 1 q 1 + 0 1 1\n1\n", "a chain file;"},
        {"{\n\t\"schema\": 1}\n", "a JSON file;"},
        {"#target\tposition\n", "a TSV file of differences"},
        {"#type\ttarget\n", "a TSV file of rearrangements;"},
        {"\x43\x27\x41\x1a\x01", "a 2bit file;"},
        {"/t.fa /q.fa\nNUCMER\n>t q 4 4\n", "a delta file of MUMmer;"},
    };
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++) {
        write_text(OTHERS[i][0]);
        assert_non_null(strstr(read_all(1), "is not a PAF file: it is "));
        assert_non_null(strstr(read_all(1), OTHERS[i][1]));
    }
    write_text("{a}\t4\t0\t4\t+\tt\t4\t0\t4\t4\t4\t255\n"); /* a name */
    assert_null(strstr(read_all(1), "JSON"));
    write_text("BZh91AY");
    assert_non_null(strstr(read_all(1), "is not a PAF file: it is compressed with bzip2"));
    rhomb_paf *paf = (rhomb_paf *)&error;
    rhomb__error_clear(&error);
    assert_int_equal(rhomb__paf_open(&error, "/nonexistent/x", &paf), RHOMB_ERR_INPUT);
    assert_null(paf);
    assert_non_null(strstr(rhomb__error_text(&error), "cannot be opened"));
    rhomb_paf_destroy(NULL);
}

/* Records with something of every kind, 128 bytes and more. */
static const char EVERYTHING[] =
    "query_1\t900\t100\t800\t-\ttarget:1\t2000\t200\t1200\t600\t1000\t60\ttp:A:P\tNM:i:123\t"
    "xx:Z:other\tcg:Z:100=23X0I4I4I56D789M\tde:f:0.0123\tAS:i:-12\r\n"
    "q2\t9\t1\t8\t+\tt\t20\t2\t12\t6\t10\t60\tnn:i:0\tcs:Z::100*ac*gt+acgt-tt=ACGT:20\tNM:i:77\n";

static char *read_everything(size_t room)
{
    char *text = strdup(read_all(room));
    assert_non_null(text);
    return text;
}

/* A record that ends where the first window has `rest` bytes left, and then EVERYTHING. */
static void write_behind(size_t rest, size_t bytes)
{
    static char text[2 * WINDOW];
    const size_t begin = WINDOW - rest;
    memset(text, 'x', begin);
    memcpy(text, ROW "\tzz:Z:", strlen(ROW "\tzz:Z:"));
    text[begin - 1] = '\n';
    memcpy(text + begin, EVERYTHING, bytes);
    write_bytes(file_path, text, begin + bytes);
}

static void is_the_same_wherever_the_window_ends(void **state)
{
    const size_t length = strlen(EVERYTHING);
    write_behind(0, length);
    char *wanted = read_everything(100);
    assert_non_null(strstr(wanted, " cg 100=23X8I56D789M NM 123 AS -12 de 0.0123+-5e-05 tp P\n"));
    assert_non_null(strstr(wanted, " cs 100=2X4I2D24= NM 77 nn 0\n"));
    for (size_t rest = 1; rest <= length; rest++) {
        write_behind(rest, length);
        assert_string_equal(read_all(1 + rest % 3), wanted);
    }
    free(wanted);
    /* Paths that nobody has read do not matter for what follows. */
    write_behind(length / 2, length);
    assert_non_null(strstr(read_all(0), "\n2/3 q2 9 1-8 + t 20 2-12 6 10 60 cs\n"));
}

/* Wherever a file is cut but between two lines, it is said: plain, and within compressed data. */
static void notices_cuts(void **state)
{
    const size_t length = strlen(EVERYTHING);
    const size_t line = (size_t)(strchr(EVERYTHING, '\n') + 1 - EVERYTHING);
    for (size_t bytes = 1; bytes <= length; bytes++) {
        write_packed("wu", EVERYTHING, bytes);
        for (size_t room = 0; room < 2; room++) {
            const char *found = read_all(room);
            const bool cut = strstr(found, "it is truncated") != NULL;
            if (cut != (bytes != line && bytes != length))
                fail_msg("%zu of %zu bytes: %s", bytes, length, found);
        }
    }
    write_packed("w", EVERYTHING, length);
    const size_t packed = (size_t)file_size(file_path);
    char *data = malloc(packed);
    FILE *file = fopen(file_path, "rb");
    assert_non_null(data);
    assert_non_null(file);
    assert_int_equal(fread(data, 1, packed, file), packed);
    fclose(file);
    for (size_t bytes = 1; bytes < packed; bytes++) {
        write_bytes(file_path, data, bytes);
        assert_non_null(strstr(read_all(1), "RHOMB_ERR_INPUT"));
    }
    free(data);
}

static int tear_down(void **state)
{
    rhomb__bytes_release(&transcript);
    return remove_folder(state);
}

TEST_MAIN_OF(FASTA_TEST, make_folder, tear_down, reads_rows, reads_paths, reads_second_paths,
             rejects_lines, reads_sam, reads_tables, rejects_other_files,
             is_the_same_wherever_the_window_ends, notices_cuts)
