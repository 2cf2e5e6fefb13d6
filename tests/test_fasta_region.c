/* SPDX-License-Identifier: MIT */
/*
 * Regions of FASTA files with and without an index, and failing allocations. The program is linked
 * with malloc, calloc and realloc wrapped, so that every allocation of the library's own code can
 * be made to fail in turn.
 */
#include "fasta_fixture.h"
#include "support/test.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <htslib/bgzf.h>
#include <htslib/faidx.h>
#include <htslib/hts_log.h>

/* Allocations until the one that fails; negative: none does. */
static long allocations_left = -1;

static bool allocation_fails(void)
{
    return allocations_left >= 0 && allocations_left-- == 0;
}

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);

void *__wrap_malloc(size_t bytes)
{
    return allocation_fails() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return allocation_fails() ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *memory, size_t bytes)
{
    return allocation_fails() ? NULL : __real_realloc(memory, bytes);
}

static const char *const REGION_FILE = ">a first\nACGTacgtNN\nAC\n>HLA-A*1:2 y\nGGCC\n>b\nTTTTGT\n"
                                       ">b:1-5\nCACA\n>e\n>d\nA\n>d\nC\n";

static void accepts_regions(void **state)
{
    write_text(REGION_FILE);
    expect_region("a", "ACGTacgtNNAC");
    expect_region("{a}", "ACGTacgtNNAC");
    expect_region("a:3-5", "GTa");
    expect_region("a:1-1", "A");
    expect_region("a:9-11", "NNA");
    expect_region("a:11", "AC");
    expect_region("a:11-", "AC");
    expect_region("a:-2", "AC");
    expect_region("a:12-12", "C");
    expect_region("a:1,0-1,2", "NAC");
    expect_region("{a}:2-3", "CG");
    expect_region("HLA-A*1:2", "GGCC");
    expect_region("HLA-A*1:2:2-3", "GC");
    expect_region("{HLA-A*1:2}:4", "C");
    expect_region("b:2-5", "TTTG");
    expect_region("{b}:1-5", "TTTTG");
    expect_region("{b:1-5}", "CACA");
    expect_region("{b:1-5}:2-3", "AC");
    expect_region("e", "");
}

/* A region knows which record it is of, whoever has read it. */
static void knows_the_record(void **state)
{
    static const char *const text = ">a first\nACGTacgtNN\nAC\n>b:1-5\nCACA\n";
    for (int form = 0; form < 3; form++) {
        write_packed(form == 1 ? "wg" : "wu", text, strlen(text));
        if (form == 2)
            assert_int_equal(fai_build(file_path), 0);
        expect_record("a", "a", 12, 0);
        expect_record("{a}", "a", 12, 0);
        expect_record("a:3-5", "a", 12, 2);
        expect_record("a:1,1", "a", 12, 10);
        expect_record("a:-2", "a", 12, 0);
        expect_record("b:1-5", "b:1-5", 4, 0);
        expect_record("{b:1-5}:2-3", "b:1-5", 4, 1);
    }
    write_text(">only one\nACGT\n");
    expect_record(NULL, "only", 4, 0);
}

static void rejects_regions(void **state)
{
    write_text(REGION_FILE);
    expect_failure(file_path, "a:12-13", "out of range: the record has 12 bases");
    expect_failure(file_path, "a:13", "out of range");
    expect_failure(file_path, "a:5-4", "with BEG at most END");
    expect_failure(file_path, "a:0", "positions count from 1");
    expect_failure(file_path, "a:0-4", "positions count from 1");
    expect_failure(file_path, "a:4-0", "positions count from 1");
    expect_failure(file_path, "a:--4", "with BEG at most END");
    expect_failure(file_path, "a:-", "BEG-END, in digits");
    expect_failure(file_path, "a:,,", "a comma must be between two digits");
    expect_failure(file_path, "{a}:,", "a comma must be between two digits");
    expect_failure(file_path, "a:,-,", "a comma must be between two digits");
    expect_failure(file_path, "a:1,,2-3", "a comma must be between two digits");
    expect_failure(file_path, "a:1,-3", "a comma must be between two digits");
    expect_failure(file_path, "a:1-3,", "a comma must be between two digits");
    expect_failure(file_path, "{a}:0-3", "positions count from 1");
    expect_failure(file_path, "{a}:3-0", "positions count from 1");
    expect_failure(file_path, "a:1-2-3", "with BEG at most END");
    expect_failure(file_path, "a:x", "BEG-END, in digits");
    expect_failure(file_path, "a:1e1-12", "BEG-END, in digits");
    expect_failure(file_path, "a:1-99999999999999999999", "too many digits");
    expect_failure(file_path, "b:1-5", "{NAME}");
    expect_failure(file_path, "{a:1-5", "has no '}'");
    expect_failure(file_path, "d", "2 records have the name 'd'");
    expect_failure(file_path, "d:1-1", "2 records have the name 'd'");
    expect_failure(file_path, "A", "no record for 'A'");
    expect_failure(file_path, "z:1-5", "no record for 'z:1-5'");
    expect_failure(file_path, "z", "\n  a  12\n  HLA-A*1:2  4\n  b  6\n");
    expect_failure(file_path, "", "no record for ''");
}

static void lists_records(void **state)
{
    char text[1024] = "";
    write_text(">a\nAC\n>b x\nACG\n");
    expect_failure(file_path, NULL, "has 2 records");
    assert_contains(rhomb__error_text(&error), "\n  a  2\n  b  3");
    for (int i = 1; i <= 25; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), ">r%d\nA\n", i);
    write_text(text);
    expect_failure(file_path, NULL, "has 25 records");
    assert_contains(rhomb__error_text(&error), "\n  r20  1\n  ... and 5 more");
    assert_null(strstr(rhomb__error_text(&error), "r21"));
}

/*
 * The last record of these files is damaged, so that only an index can lead to the others: whether
 * it was used shows in the status.
 */
static void uses_an_index(void **state)
{
    static const char text[] = ">a x\nACGT\nACGG\nAC\n>b:1\r\nTTT\r\nCC\r\n>c\nGG\n";
    static const char fai[] = "a\t10\t5\t4\t5\nb:1\t5\t24\t3\t5\nc\t2\t36\t2\t3\n";
    for (int packed = 0; packed < 2; packed++) {
        write_packed(packed ? "w" : "wu", text, sizeof text); /* with the NUL */
        if (packed) /* no block but the first, which a .gzi leaves out */
            write_bytes(gzi_path_text, "\0\0\0\0\0\0\0", 8);
        expect_failure(file_path, "a", "byte 0x00");
        write_bytes(fai_path_text, fai, sizeof fai - 1);
        expect_region("a", "ACGTACGGAC");
        expect_region("a:4-5", "TA");
        expect_region("a:8-9", "GA");
        expect_region("b:1", "TTTCC");
        expect_region("b:1:3-4", "TC");
        expect_record("b:1:3-4", "b:1", 5, 2);
        expect_failure(file_path, NULL, "byte 0x00");
        expect_failure(file_path, "c", "byte 0x00"); /* does not end where the index says */
        set_time(fai_path_text, 1);
        set_time(file_path, 1);
        if (packed)
            set_time(gzi_path_text, 1);
        expect_region("a", "ACGTACGGAC");
        if (packed) {
            set_time(gzi_path_text, 0);
            expect_failure(file_path, "a", "byte 0x00");
            set_time(gzi_path_text, 1);
        }
        set_time(fai_path_text, 0);
        expect_failure(file_path, "a", "byte 0x00");
        assert_int_equal(unlink(fai_path_text), 0);
    }
}

/* An index that does not fit its file is read past, and gives no other bases. */
static void ignores_a_broken_index(void **state)
{
    static const char text[] = ">a\nACGTT\nACGGT\nAC\n>b\nTT\n";
    static const char *const broken[] = {
        "",
        "a\n",
        "a 12 3 5 6\n",
        "a\t12\t3\t5\n",
        "a\t-12\t3\t5\t6\n",
        "a\t12\t3\t0\t0\n",
        "a\t12\t3\t0\t1\n",
        "a\t0\t3\t0\t0\n",
        "a\t12\t3\t5\t4\n",
        "a\t99999999999999999999\t3\t5\t6\n",
        "a\t9223372036854775807\t3\t1\t6\n",
        "a\t12\t9223372036854775807\t5\t6\n",
        "a\t12\t4\t5\t6\n", /* wrong place */
        "a\t2\t21\t2\t3\n", /* another record */
        "a\t12\t3\t4\t5\n", /* wrong lines */
        "a\t11\t3\t5\t6\n", /* too short */
        "a\t13\t3\t5\t6\n", /* too long */
        "a\t12\t3\t5\t6\na\t12\t3\t5\t6\n",
    };
    for (int packed = 0; packed < 2; packed++) {
        write_packed(packed ? "w" : "wu", text, sizeof text - 1);
        if (packed)
            write_bytes(gzi_path_text, "\0\0\0\0\0\0\0", 8);
        for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
            write_bytes(fai_path_text, broken[i], strlen(broken[i]));
            expect_region("a", "ACGTTACGGTAC");
            expect_region("a:5-8", "TACG");
        }
    }
    write_text(">a\nACG\n>b\nTTT\n>d\nG\n>d\nC\n");
    static const char confused[] = "a\t3\t10\t3\t4\nd\t1\t17\t1\t2\nd\t1\t22\t1\t2\n";
    write_bytes(fai_path_text, confused, sizeof confused - 1);
    expect_region("a", "ACG"); /* and not the record that is there */
    expect_failure(file_path, "d", "2 records have the name 'd'");
    write_packed("w", text, sizeof text - 1);
    static const char broken_gzi[][25] = {
        "\377\377\377\377\377\377\377\377",
        "\1\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0", /* no block starts there */
        "\0\0\0",
    };
    static const size_t broken_gzi_bytes[] = {8, 24, 3};
    write_bytes(fai_path_text, "a\t12\t3\t5\t6\n", 11);
    for (int i = 0; i < 3; i++) {
        write_bytes(gzi_path_text, broken_gzi[i], broken_gzi_bytes[i]);
        expect_region("a:5-8", "TACG");
    }
}

/*
 * A file that ends before its index does is not taken for a whole one; a record of it that is whole
 * and where the index says may be read.
 */
static void refuses_less_than_its_index_has(void **state)
{
    static const char *const indexes[] = {"a\t12\t1111111111111111\t5\t6\n", "a\t12\t20\t5\t6\n",
                                          "a\t12\t3\t5\t6\nb\t2\t21\t2\t3",
                                          "b\t2\t4000\t2\t3\t4004\n\n"};
    char fai[8192];
    write_text(">a\nACGTT\nACGGT\nAC\n>b\nT");
    for (size_t i = 0; i < sizeof indexes / sizeof *indexes; i++) {
        write_bytes(fai_path_text, indexes[i], strlen(indexes[i]));
        expect_failure(file_path, "b", "does not fit its index");
        expect_failure(file_path, NULL, "the file is truncated or the index");
        set_time(fai_path_text, 1);
        expect_region("a", "ACGTTACGGTAC");
    }
    /* Only the last line counts, and not one that is too long to be read from the end. */
    for (int i = 0; i < 3; i++) {
        memset(fai, 'x', 5000);
        strcpy(fai + 5000, i == 1 ? "\nb\t2\t4000\t2\t3\n" : "\t2\t4000\t2\t3\n");
        if (i == 2)
            strcat(fai, "a\t12\t3\t5\t6\n");
        write_bytes(fai_path_text, fai, strlen(fai));
        if (i == 1)
            expect_failure(file_path, "a", "does not fit its index");
        else
            expect_region("a", "ACGTTACGGTAC");
    }
}

/* Every allocation fails in turn: the status says so until nothing is left that can fail. */
static void survives_allocation_failures(void **state)
{
    static const char *const regions[] = {NULL, "a:3-5", "{z}"};
    enum { GZIP, PLAIN, INDEXED, FORMS };
    for (int form = GZIP; form < FORMS; form++) {
        for (int i = form == INDEXED; i < 2 + (form != INDEXED); i++) {
            const char *text = i == 0 ? ">a\nACGTACGTAC\n" : ">a\nACGTACGTAC\n>b\nACGT\n";
            write_packed(form == GZIP ? "wg" : "wu", text, strlen(text));
            if (form == INDEXED)
                assert_int_equal(fai_build(file_path), 0);
            long failing = 0;
            bool finished = false;
            for (; !finished && failing < 100; failing++) {
                rhomb_sequence *sequence = NULL;
                rhomb__error_clear(&error);
                allocations_left = failing;
                const rhomb_status status =
                    rhomb__fasta_read(&error, file_path, regions[i], 1, 0, &sequence);
                finished = allocations_left >= 0;
                allocations_left = -1;
                if (i == 2)
                    assert_true(status == RHOMB_ERR_MEMORY || status == RHOMB_ERR_INPUT);
                else
                    assert_true(status == RHOMB_ERR_MEMORY || status == RHOMB_OK);
                assert_true((sequence != NULL) == (status == RHOMB_OK));
                if (status == RHOMB_OK) {
                    assert_string_equal(rhomb_sequence_bases(sequence),
                                        i == 0 ? "ACGTACGTAC" : "GTA");
                    assert_string_equal(rhomb_sequence_record(sequence), "a");
                    assert_int_equal(strlen(rhomb_sequence_md5(sequence)), 32);
                }
                if (failing == 0)
                    assert_int_equal(status, RHOMB_ERR_MEMORY);
                rhomb_sequence_destroy(sequence);
            }
            assert_true(finished);
            assert_true(failing > 5);
        }
    }
}

TEST_MAIN_OF(FASTA_TEST, make_folder, remove_folder, accepts_regions, knows_the_record,
             rejects_regions, lists_records, uses_an_index, ignores_a_broken_index,
             refuses_less_than_its_index_has, survives_allocation_failures)
