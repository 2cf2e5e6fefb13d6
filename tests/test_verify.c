/* SPDX-License-Identifier: MIT */
/*
 * Verifying PAF: records that are right in every notation, whoever wrote them, and for each thing
 * that can be wrong with one that rhomb_verify() finds it and says where.
 */
#include "support/rng.h"
#include "support/test.h"
#include "tests/reference/random_bases.h"
#include "verify_fixture.h"
#include "verify_model.h"

#define TQ "q\t9\t0\t9\t+\tt\t10\t0\t10\t"
#define UR "r\t9\t0\t9\t-\tu\t8\t0\t8\t"

#define A1 "a\t3\t0\t3\t+\taa\t4\t0\t4\t3\t4\t60\t"

static void write_fixed(void)
{
    write_file(TARGETS, ">t one\nACGTACGTAC\n>u\nNNACGTRY\n>e\n>x\nA\n>x\nC\n>aa\nGAAC\n>uu\nUU\n");
    write_file(QUERIES, ">q\nACGTTCGAC\n>r\nrygtacgnn\n>long\nGGACGTTCGACGG\n>e\n>a\nGAC\n>"
                        "uu\nuu\n>b\\s\nUU\n>\nuu\n");
}

static void accepts_what_is_right(void **state)
{
    static const char *const ROWS[] = {
        TQ "8\t10\t60\tcg:Z:4=1X2=1D2=\tNM:i:2\tde:f:0.2\tAS:i:-99\tnn:i:0\n",
        TQ "8\t10\t60\tNM:i:2\tcg:Z:7M1D2M\tde:f:0.2000\n",
        TQ "8\t10\t60\tcs:Z::4*at:2-t:2\n",
        TQ "8\t10\t60\tcs:Z:=ACGT*at=CG-t=AC\n",
        TQ "6\t11\t60\tcs:Z::4*AT+c*cG-Gt:2\n",
        /* Both notations. */
        TQ "8\t10\t60\tcg:Z:4=1X2=1D2=\tcs:Z::4*at:2-t:2\tNM:i:2\n",
        TQ "8\t10\t60\tcs:Z::4*at:2-t:2\tNM:i:2\tcg:Z:7M1D2M\tcg:Z:1=\tcs:Z::1\tde:f:0.2\n",
        A1 "cg:Z:1=1D2=\tcs:Z::1-a:2\n",
        /* Bases of cs as minimap2 has them, and as they are. */
        "uu\t2\t0\t2\t+\tuu\t2\t0\t2\t2\t2\t60\tcs:Z:=TT\n",
        "uu\t2\t0\t2\t+\tuu\t2\t0\t2\t2\t2\t60\tcs:Z:=Uu\n",
        UR "3\t6\t60\tNM:i:7\tnn:i:4\tcs:Z:=NN-a=CGT+ac=NN\n",
        UR "7\t10\t60\tcs:Z:=NN-a=CGT+ac=RY\n",
        /* Block lengths: all columns, or the longer one of the ranges. */
        TQ "6\t11\t60\tcg:Z:4=1X1I1X2D2=\tNM:i:5\n",
        TQ "6\t10\t60\tcg:Z:4=1X1I1X2D2=\tNM:i:5\n",
        /* A gap of two bases counts as two, or as one. */
        "q\t9\t3\t9\t+\tt\t10\t1\t10\t5\t9\t0\tcg:Z:2D1=1X2=1D2=\tNM:i:4\tde:f:0.4444\n",
        "q\t9\t3\t9\t+\tt\t10\t1\t10\t5\t9\t0\tcg:Z:2D1=1X2=1D2=\tNM:i:4\tde:f:0.375\n",
        /* A reverse strand with other bases, as they are and as minimap2 counts them. */
        UR "7\t10\t60\tcg:Z:2=1D3=2I2=\tNM:i:3\n",
        UR "3\t6\t60\tNM:i:7\tnn:i:4\tde:f:0.6667\tcg:Z:2M1D3M2I2M\n",
        UR "3\t6\t60\tNM:i:7\tnn:i:4\tde:f:0.6667\tcg:Z:2=1D3=2I2=\n",
        /* Nothing in them. */
        "e\t0\t0\t0\t+\te\t0\t0\t0\t0\t0\t60\tcg:Z:\tNM:i:0\tde:f:0\n",
        "e\t0\t0\t0\t+\te\t0\t0\t0\t0\t0\t60\tcg:Z:\tcs:Z:\n",
        "e\t0\t0\t0\t+\te\t0\t0\t0\t0\t0\t60\tNM:i:0\tde:f:0\n",
        "q\t9\t4\t4\t+\tt\t10\t3\t3\t0\t0\t60\n",
        "e\t0\t0\t0\t+\tt\t10\t0\t10\t0\t10\t60\tcg:Z:10D\tNM:i:10\tde:f:1\n",
        "q\t9\t0\t9\t-\te\t0\t0\t0\t0\t9\t60\tcg:Z:9I\n",
        /* Regions for names. */
        "long:3-11\t9\t0\t9\t+\tt\t10\t0\t10\t8\t10\t60\tcg:Z:4=1X2=1D2=\n",
        /* Names with escapes. */
        "b\\\\s\t2\t0\t2\t+\tuu\t2\t0\t2\t2\t2\t60\tcg:Z:2=\n",
        ".\t2\t0\t2\t+\tuu\t2\t0\t2\t2\t2\t60\tcg:Z:2=\n",
        "{long}:3\t11\t0\t9\t+\tt:1-10\t10\t0\t10\t8\t10\t60\tcg:Z:4=1X2=1D2=\n",
        "q\t9\t0\t0\t*\t*\t0\t0\t0\t0\t0\t0\n",
    };
    write_fixed();
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        if (verify(ROWS[i]) != RHOMB_OK)
            fail_msg("%s: %s", ROWS[i], rhomb_context_error(ctx));
        if (report.errors != 0)
            fail_msg("%s: %s", ROWS[i], first_text);
        assert_int_equal(report.rows, 1);
    }
    assert_int_equal(verify(""), RHOMB_OK);
    assert_int_equal(report.rows, 0);
    assert_int_equal(report.errors, 1);
    assert_string_equal(first_text, "the file has no records");
    assert_int_equal(verify(TQ "8\t10\t60\tcg:Z:7M1D2M\n" UR "7\t10\t60\tcg:Z:2=1D3=2I2=\n"),
                     RHOMB_OK);
    assert_int_equal(report.rows, 2);
    assert_int_equal(report.target_bases, 18);
    assert_int_equal(report.query_bases, 18);
    assert_int_equal(report.edits, 5);
}

static void finds_what_is_wrong(void **state)
{
    static const struct {
        const char *row;
        unsigned kinds;
        const char *text;
    } ROWS[] = {
        {TQ "8\t10\t60\tcg:Z:5=1X1=1D2=\n", KIND(EQUAL) | KIND(UNEQUAL),
         "operation 1 (5=): bases differ at target position 5 (A), query position 5 (T)"},
        {TQ "8\t10\t60\tcg:Z:7=1D2=\n", KIND(EQUAL) | KIND(MATCHES),
         "operation 1 (7=): bases differ at target position 5 (A), query position 5 (T)"},
        {TQ "7\t10\t60\tcg:Z:4=2X1=1D2=\n", KIND(UNEQUAL),
         "operation 2 (2X): bases match at target position 6 (C), query position 6 (C)"},
        {TQ "8\t10\t60\tcg:Z:4=1X1=1D3=\n", KIND(EQUAL),
         "operation 5 (3=): bases differ at target position 8 (T), query position 7 (G)"},
        {TQ "9\t10\t60\tcg:Z:1D9=\n", KIND(EQUAL),
         "operation 2 (9=): bases differ at target position 2 (C), query position 1 (A), and 6 "
         "more of the 9"},
        {TQ "8\t10\t60\tcg:Z:4=1X2=1I2=\n", KIND(BEYOND),
         "operation 5 (2=), at target position 8, query position 9, runs past the record's range "
         "of the query, which has 1 bases left"},
        {TQ "8\t10\t60\tcg:Z:4=1X2=4D2=\n", KIND(BEYOND),
         "operation 4 (4D), at target position 8, query position 8, runs past the record's range "
         "of the target, which has 3 bases left"},
        {TQ "6\t10\t60\tcg:Z:4=1X2=1D\n", KIND(ENDS),
         "the path covers 8 bases of the target and 7 of the query, but the record's ranges have "
         "10 and 9"},
        {TQ "7\t10\t60\tcg:Z:4=1X2=1D2=\n", KIND(MATCHES),
         "column 10 (matches) is 7, but the path has 8"},
        {TQ "8\t9\t60\tcg:Z:4=1X2=1D2=\n", KIND(BLOCK),
         "column 11 (block length) is 9, but the path has 10"},
        {TQ "8\t10\t60\tcg:Z:4=1X2=1D2=\tNM:i:1\n", KIND(EDITS),
         "tag NM:i is 1, but the path has 2"},
        {TQ "8\t10\t60\tcg:Z:4=1X2=1D2=\tde:f:0.21\n", KIND(DIVERGENCE),
         "tag de:f is 0.21, but the path has 0.2 by base and 0.2 counting each gap once"},
        {UR "3\t6\t60\tNM:i:7\tnn:i:3\tcg:Z:2M1D3M2I2M\n", KIND(AMBIGUOUS),
         "tag nn:i is 3, but the path has 4"},
        {UR "6\t10\t60\tcg:Z:2=1D1X2=2I2=\n", KIND(UNEQUAL),
         "operation 3 (1X): bases match at target position 4 (C), query position 7 (g, reverse "
         "strand)"},
        {"q\t9\t0\t9\t+\tt\t11\t0\t10\t8\t10\t60\tcg:Z:4=1X2=1D2=\n", KIND(LENGTH),
         "column 7 (target length) is 11, but the sequence has 10 bases"},
        {"q\t8\t0\t8\t+\tt\t10\t0\t10\t8\t10\t60\tcg:Z:4=1X2=1D2=\n", KIND(LENGTH),
         "column 2 (query length) is 8, but the sequence has 9 bases"},
        {TQ "8\t10\t60\tcs:Z::4*ac:2-t:2\n", KIND(BASES),
         "operation 2 (1X): cs has c for query position 5 (T)"},
        {TQ "8\t10\t60\tcs:Z::4*gt:2-n:2\n", KIND(BASES),
         "operation 2 (1X): cs has g for target position 5 (A)"},
        {TQ "6\t11\t60\tcs:Z::4*at+g*cg-gt:2\n", KIND(BASES),
         "operation 3 (1I): cs has g for query position 6 (C)"},
        {TQ "6\t11\t60\tcs:Z::4*at+c*cg-cc:2\n", KIND(BASES),
         "operation 5 (2D): cs has c for target position 7 (G), and 1 more of the operation's "
         "bases"},
        {TQ "8\t10\t60\tcs:Z:=ACGA*at=CG-t=AC\n", KIND(BASES),
         "operation 1 (4=): cs has A for target position 4 (T)"},
        {UR "7\t10\t60\tcs:Z::2-a:3+at:2\n", KIND(BASES),
         "operation 4 (2I): cs has t for query position 3 (g, reverse strand)"},
        /* Bases after an operation that is wrong do not come before it. */
        {TQ "8\t10\t60\tcs:Z::5*ac:1-t:2\n", KIND(EQUAL) | KIND(UNEQUAL) | KIND(BASES),
         "operation 1 (5=): bases differ at target position 5 (A), query position 5 (T)"},
        /* Both notations. */
        {TQ "8\t10\t60\tcg:Z:4=1X2=1D2=\tcs:Z::4*ac:2-t:2\n", KIND(BASES),
         "tag cs:Z: operation 2 (1X): cs has c for query position 5 (T)"},
        {TQ "8\t10\t60\tcs:Z::4*at:2-t:2\tcg:Z:5=1X1=1D2=\n", KIND(EQUAL) | KIND(UNEQUAL),
         "tag cg:Z: operation 1 (5=): bases differ at target position 5 (A), query position 5 (T)"},
        {TQ "8\t10\t60\tcg:Z:4=1X2=1D2=\tcs:Z::4*at:2-t:1\tNM:i:3\n", KIND(ENDS) | KIND(EDITS),
         "tag cs:Z: the path covers 9 bases of the target and 8 of the query, but the record's "
         "ranges have 10 and 9"},
        {TQ "8\t10\t60\tcg:Z:4=1X2=1D2=\tcs:Z::4*at:2-tac:2\tNM:i:3\n", KIND(BEYOND),
         "tag cs:Z: operation 5 (2=), at target position 11, query position 8, runs past the "
         "record's range of the target, which has 0 bases left"},
        {A1 "cg:Z:1=1D2=\tcs:Z::2-a:1\n", KIND(PATHS),
         "tags cg:Z and cs:Z describe different paths"},
        {A1 "cs:Z::2-a:1\tcg:Z:1M1D2M\tNM:i:2\n", KIND(PATHS) | KIND(EDITS),
         "tags cg:Z and cs:Z describe different paths"},
        {TQ "8\t10\t60\n", KIND(NO_PATH),
         "has neither tag cg:Z nor cs:Z: there is no alignment to verify (minimap2 -c --eqx writes "
         "cg)"},
    };
    write_fixed();
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        assert_int_equal(verify(ROWS[i].row), RHOMB_OK);
        if (strcmp(first_text, ROWS[i].text) != 0 || found != ROWS[i].kinds)
            fail_msg("%s: kinds %x: %s", ROWS[i].row, found, first_text);
    }
}

/* AS by the option, by a record's own tag, or not at all. */
static void checks_scores(void **state)
{
    static const rhomb_scoring WFA = {0, 4, 6, 2, -1, -1, NULL},
                               MAP_ONT = {2, 4, 4, 2, 24, 1, NULL};
    static const rhomb_scoring LARGE = {INT64_C(1) << 40, 1, 1, 1, -1, -1, NULL};
    static const struct {
        const rhomb_scoring *scoring;
        const char *row;
        const char *text; /* NULL: right */
    } ROWS[] = {
        {NULL, TQ "8\t10\t60\tcg:Z:4=1X2=1D2=\tAS:i:7\n", NULL},
        {&WFA, TQ "8\t10\t60\tcg:Z:4=1X2=1D2=\tAS:i:-12\n", NULL},
        {&WFA, TQ "8\t10\t60\tAS:i:-12\tcg:Z:7M1D2M\n", NULL},
        {&WFA, TQ "8\t10\t60\tAS:i:-12\tcs:Z::4*at:2-t:2\tcg:Z:7M1D2M\n", NULL},
        {&WFA, TQ "8\t10\t60\tcg:Z:4=1X2=1D2=\n", NULL},
        {&WFA, TQ "8\t10\t60\tcg:Z:4=1X2=1D2=\tAS:i:-11\n",
         "tag AS:i is -11, but the path scores -12"},
        {&MAP_ONT, TQ "8\t10\t60\tcg:Z:4=1X2=1D2=\tAS:i:6\n", NULL},
        {&MAP_ONT, TQ "8\t10\t60\tcg:Z:4=1X2=1D2=\tAS:i:-6\n",
         "tag AS:i is -6, but the path scores 6"},
        /* Of the record; the option goes before it, and so does a tag before the path. */
        {NULL, TQ "8\t10\t60\tAS:i:-12\tsc:Z:wfa\tcg:Z:4=1X2=1D2=\n", NULL},
        {NULL, TQ "8\t10\t60\tsc:Z:match:2,4,4,2\tcg:Z:4=1X2=1D2=\tAS:i:6\n", NULL},
        {NULL, TQ "8\t10\t60\tAS:i:-2\tsc:Z:wfa\tcg:Z:4=1X2=1D2=\n",
         "tag AS:i is -2, but the path scores -12"},
        {&MAP_ONT, TQ "8\t10\t60\tsc:Z:wfa\tAS:i:6\tcg:Z:4=1X2=1D2=\n", NULL},
        {&MAP_ONT, TQ "8\t10\t60\tsc:Z:w\tAS:i:6\tcg:Z:4=1X2=1D2=\n", NULL},
        {NULL, TQ "8\t10\t60\tAS:i:-2\tcg:Z:4=1X2=1D2=\tsc:Z:wfa\n", NULL},
        {NULL, TQ "8\t10\t60\tsc:Z:affine:4\tcg:Z:4=1X2=1D2=\n",
         "tag sc:Z: scoring 'affine:4' has 1 value, and needs X,O,E"},
        {NULL, TQ "8\t10\t60\tsc:Z:hello\tAS:i:6\tcg:Z:4=1X2=1D2=\n", NULL},
        /* The second piece of a longer gap, on either strand. */
        {NULL, TQ "6\t11\t60\tsc:Z:affine2p:4,6,2,7,1\tcg:Z:4=1X1I1X2D2=\tAS:i:-25\n", NULL},
        {NULL, UR "7\t10\t60\tsc:Z:affine2p:4,6,3,8,1\tcg:Z:2=1D3=2I2=\tAS:i:-19\n", NULL},
        /* minimap2's N, and what it calls an inversion. */
        {&MAP_ONT, UR "3\t6\t60\tAS:i:-12\tnn:i:4\tcg:Z:2M1D3M2I2M\n", NULL},
        {&MAP_ONT, UR "3\t6\t60\tAS:i:-23\tnn:i:5\tcg:Z:1M1D1I1D3M2I2M\n", NULL},
        {&MAP_ONT, UR "3\t6\t60\tAS:i:0\tnn:i:4\tcg:Z:2=1D3=2I2=\n",
         "tag AS:i is 0, but the path scores -12"},
        {&MAP_ONT, UR "7\t10\t60\tAS:i:0\tcg:Z:2=1D3=2I2=\n", NULL},
        {&MAP_ONT, TQ "8\t10\t60\tcg:Z:4=1X2=1D2=\tAS:i:0\ttp:A:I\n", NULL},
        {&LARGE, TQ "8\t10\t60\tcg:Z:4=1X2=1D2=\tAS:i:8796093022205\n", NULL},
    };
    write_fixed();
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        options.scoring = ROWS[i].scoring;
        assert_int_equal(verify(ROWS[i].row), RHOMB_OK);
        const char *expected = ROWS[i].text != NULL ? ROWS[i].text : "";
        if (strcmp(first_text, expected) != 0 || found != (*expected != '\0' ? KIND(SCORE) : 0))
            fail_msg("%s: kinds %x: %s", ROWS[i].row, found, first_text);
    }
    const rhomb_scoring wrong = {0, 0, 6, 2, -1, -1, NULL};
    options.scoring = &wrong;
    expect_failure(RHOMB_ERR_ARGUMENT, "", "scoring: a mismatch has to cost something");
}

/* Records whose AS nobody can check are counted; it is checked by unit costs as far as they fit. */
static void counts_unchecked_scores(void **state)
{
    static const char rows[] =
        TQ "8\t10\t60\tcg:Z:4=1X2=1D2=\tAS:i:7\n" TQ "8\t10\t60\tcg:Z:4=1X2=1D2=\tAS:i:-2\n" TQ
           "8\t10\t60\tcg:Z:4=1X2=1D2=\n" TQ "8\t10\t60\tsc:Z:wfa\tcg:Z:4=1X2=1D2=\tAS:i:-12\n" TQ
           "8\t10\t60\tsc:Z:hello\tcg:Z:4=1X2=1D2=\tAS:i:-12\n";
    static const rhomb_scoring WFA = {0, 4, 6, 2, -1, -1, NULL};
    write_fixed();
    assert_int_equal(verify(rows), RHOMB_OK);
    assert_int_equal(report.rows, 5);
    assert_int_equal(report.errors, 0);
    assert_int_equal(report.unscored, 2);
    options.scoring = &WFA;
    assert_int_equal(verify(rows), RHOMB_OK);
    assert_int_equal(report.errors, 2);
    assert_int_equal(report.unscored, 0);
}

/* A scoring whose scores may be too large says so. */
static void refuses_large_scores(void **state)
{
    static char text[2 << 20];
    const rhomb_scoring large = {INT64_C(1) << 40, 1, 1, 1, -1, -1, NULL};
    options.scoring = &large;
    snprintf(text, sizeof text, ">t\n%0*d\n", (1 << 20) - 1, 0);
    memset(text + 3, 'A', (1 << 20) - 1);
    write_file(TARGETS, text);
    text[1] = 'q';
    write_file(QUERIES, text);
    assert_int_equal(verify("q\t1048575\t0\t1048575\t+\tt\t1048575\t0\t1048575\t1048575\t1048575"
                            "\t255\tAS:i:0\tcg:Z:1048575=\n"),
                     RHOMB_OK);
    assert_string_equal(first_text, "the scores of 2097150 bases may exceed 2^60 by this scoring");
}

static void fails_where_it_cannot_say(void **state)
{
    write_fixed();
    expect_failure(RHOMB_ERR_INPUT, TQ "8\t10\t60\tcg:Z:4=1X", "paf: line 1: the file ends in");
    expect_failure(RHOMB_ERR_INPUT, TQ "8\t10\t60\tcg:Z:4=1X2=1D2=", "it is truncated");
    expect_failure(RHOMB_ERR_INPUT, "z\t9\t0\t9\t+\tt\t10\t0\t10\t8\t10\t60\n", "paf: line 1: ");
    expect_failure(RHOMB_ERR_INPUT, "z\t9\t0\t9\t+\tt\t10\t0\t10\t8\t10\t60\n",
                   "queries: has no record 'z'");
    expect_failure(
        RHOMB_ERR_INPUT, "t\t10\t0\t9\t+\tq\t9\t0\t9\t8\t10\t60\n",
        "targets: has no record 'q'; the other file has it: are target and query swapped");
    expect_failure(RHOMB_ERR_INPUT, "q\t9\t0\t9\t+\tx\t1\t0\t1\t8\t10\t60\n",
                   "targets: several records have the name 'x'");
    expect_failure(RHOMB_ERR_INPUT, "c\\\\s\t9\t0\t9\t+\tt\t10\t0\t10\t8\t10\t60\n",
                   "queries: has no record 'c\\\\s'");
    expect_failure(RHOMB_ERR_INPUT, "q\t9\t0\t9\t*\tt\t10\t0\t10\t8\t10\t60\tcg:Z:9=\n",
                   "paf: line 1: tag cg:Z: a record whose strand is * has no path");
    expect_failure(RHOMB_ERR_INPUT, "q\t9\t0\t9\t+\tt:9-11\t3\t0\t1\t8\t10\t60\n", "out of range");
    options.alphabet = RHOMB_ALPHABET_BYTES;
    expect_failure(RHOMB_ERR_ARGUMENT, UR "7\t10\t60\tcg:Z:2=1D3=2I2=\n", "only DNA has a reverse");
    options.alphabet = RHOMB_ALPHABET_DNA;
    options.struct_size++;
    expect_failure(RHOMB_ERR_ARGUMENT, "", "struct_size");
    options.struct_size--;
    options.alphabet = (rhomb_alphabet)7;
    expect_failure(RHOMB_ERR_ARGUMENT, "", "alphabet");
    options.alphabet = RHOMB_ALPHABET_DNA;
}

/* Case matters where bytes are compared, as does U beside T, and nowhere else. */
static void folds_letters_of_dna_alone(void **state)
{
    const char *row = "q\t4\t0\t4\t+\tt\t4\t0\t4\t4\t4\t60\tcg:Z:4=\n";
    static const char *const TEXTS[][2] = {{">t\nACNn\n", ">q\nAcNN\n"},
                                           {">t\nAUCC\n", ">q\nATCC\n"}};
    for (size_t i = 0; i < COUNT(TEXTS); i++) {
        write_file(TARGETS, TEXTS[i][0]);
        write_file(QUERIES, TEXTS[i][1]);
        assert_int_equal(verify(row), RHOMB_OK);
        assert_int_equal(found, 0);
        options.alphabet = RHOMB_ALPHABET_BYTES;
        assert_int_equal(verify(row), RHOMB_OK);
        options.alphabet = RHOMB_ALPHABET_DNA;
        assert_int_equal(found, KIND(EQUAL));
        assert_int_equal(first.target_position, 1);
        assert_int_equal(first.operation, 1);
    }
}

static int stop_at_once(const rhomb_verify_error *error, void *user)
{
    assert_int_equal(error->kind, RHOMB_VERIFY_EDITS);
    ++*(int *)user;
    return 1;
}

static void stops_when_told(void **state)
{
    int calls = 0;
    write_fixed();
    options.error = stop_at_once;
    options.error_user = &calls;
    const char *rows = TQ "8\t10\t60\tcg:Z:7M1D2M\tNM:i:3\n" TQ "9\t10\t60\tcg:Z:1=\n";
    assert_int_equal(verify(rows), RHOMB_OK);
    assert_int_equal(calls, 1);
    assert_int_equal(report.errors, 1);
    assert_int_equal(report.rows, 1);
    options.error = NULL;
    assert_int_equal(verify(rows), RHOMB_OK);
    assert_int_equal(report.errors, 3);
    assert_int_equal(report.rows, 2);
}

static rhomb_status verify_made(const said *s)
{
    static char text[MOST_LETTERS + 16];
    snprintf(text, sizeof text, ">t\n%s\n", s->m.target);
    write_file(TARGETS, text);
    snprintf(text, sizeof text, ">q\n%s\n", s->m.query);
    write_file(QUERIES, text);
    return verify(print_row(s));
}

/* Has cs name another base. Of a pair of bases that are equal it names the target's. */
static unsigned plant_letter(made *m, rng *r)
{
    const int which = (int)rng_below(r, m->count);
    const rhomb_path_op op = m->ops[which];
    const char letter = RHOMB_CIGAR_LETTER(op);
    int64_t target = 0;
    int64_t query = 0;
    if (strchr("=M", m->notation) != NULL || (letter == '=' && m->notation != 'l'))
        return 0;
    for (int i = 0; i < which; i++) {
        const char before = RHOMB_CIGAR_LETTER(m->ops[i]);
        target += before != 'I' ? (int64_t)RHOMB_CIGAR_LENGTH(m->ops[i]) : 0;
        query += before != 'D' ? (int64_t)RHOMB_CIGAR_LENGTH(m->ops[i]) : 0;
    }
    const int64_t ahead = rng_below(r, (int64_t)RHOMB_CIGAR_LENGTH(op));
    const bool in_query = letter == 'I' || (letter == 'X' && rng_chance(r, 0.5));
    char *at = in_query ? &m->query_bases[query + ahead] : &m->target_bases[target + ahead];
    *at = complement_base(*at);
    return KIND(BASES);
}

/* Plants mistake number `mistake`; which kinds must be found, one of them at least. 0: none can. */
static unsigned plant(said *s, rng *r, int mistake)
{
    made *m = &s->m;
    rhomb_path_op *op = &m->ops[rng_below(r, m->count)];
    const unsigned code = (unsigned)RHOMB_CIGAR_CODE(*op);
    const int64_t step = rng_chance(r, 0.5) ? 1 : -1;
    char *letter = &m->target[m->first_equal >= 0 ? m->first_equal : 0];
    switch (mistake) {
    case 0:
        if (m->first_equal < 0)
            return 0;
        *letter = complement_base(*letter);
        return m->notation == 'M'   ? KIND(MATCHES)
               : m->notation == 'l' ? KIND(EQUAL) | KIND(BASES)
                                    : KIND(EQUAL);
    case 1: /* of I and D */
        if (code == RHOMB_CIGAR_I || code == RHOMB_CIGAR_D)
            *op = (*op ^ code) | (code ^ RHOMB_CIGAR_I ^ RHOMB_CIGAR_D);
        return code == RHOMB_CIGAR_I || code == RHOMB_CIGAR_D ? KIND(BEYOND) | KIND(ENDS) : 0;
    case 2:
        *op += 16;
        return KIND(BEYOND) | KIND(ENDS);
    case 3:
        *op -= 16;
        return RHOMB_CIGAR_LENGTH(*op) == 0 && m->notation != '=' ? 0 : KIND(BEYOND) | KIND(ENDS);
    case 4:
        m->target_end -= m->target_end > m->target_begin;
        return m->target_end < s->target_length && code != RHOMB_CIGAR_I ? KIND(BEYOND) | KIND(ENDS)
                                                                         : 0;
    case 5:
        m->query_begin -= m->query_begin > 0 ? 1 : -1;
        return m->query_begin > m->query_end ? 0 : KIND(BEYOND) | KIND(ENDS);
    case 6:
        m->matches += m->matches > 0 ? step : 1;
        return KIND(MATCHES);
    case 7:
        m->block++;
        return KIND(BLOCK);
    case 8:
        m->edits += m->edits > 0 ? step : 1;
        return KIND(EDITS);
    case 9:
        s->divergence += 0.5;
        return KIND(DIVERGENCE);
    case 10:
        s->target_length++;
        return KIND(LENGTH);
    case 11:
        s->query_length++;
        return KIND(LENGTH);
    case 12:
        return plant_letter(m, r);
    case 13:
        s->score += step;
        return s->scoring != NULL ? KIND(SCORE) : 0;
    default:
        m->reverse = !m->reverse;
        return m->matches > 40 ? KIND(EQUAL) | KIND(MATCHES) : 0;
    }
}

enum { MISTAKES = 15 };

/* By affine2p:5,8,2,24,1. */
static int64_t score_of(const made *m)
{
    int64_t score = 0;
    for (int i = 0; i < m->count; i++) {
        const int64_t length = (int64_t)RHOMB_CIGAR_LENGTH(m->ops[i]);
        const char letter = RHOMB_CIGAR_LETTER(m->ops[i]);
        if (letter == 'X')
            score -= 5 * length;
        else if (letter != '=')
            score -= length > 16 ? 24 + length : 8 + 2 * length;
    }
    return score;
}

static double divergence_of(const made *m)
{
    return (double)m->edits / (double)m->block;
}

static void finds_each_planted_mistake(void **state)
{
    static said right;
    static said wrong;
    int planted[MISTAKES] = {0};
    for (int64_t i = 0; i < 1500; i++) {
        rng r = rng_for("verify", i);
        make_row(&right.m, &r);
        right.target_length = right.m.target_length;
        right.query_length = right.m.query_length;
        right.divergence = divergence_of(&right.m);
        right.scoring = rng_chance(&r, 0.8) ? "affine2p:5,8,2,24,1" : NULL;
        right.score = right.scoring != NULL ? score_of(&right.m) : 7;
        if (verify_made(&right) != RHOMB_OK || found != 0)
            fail_msg("pair %" PRId64 ": %s%s: %s", i, first_text, rhomb_context_error(ctx),
                     print_row(&right));
        assert_int_equal(report.edits, right.m.edits);
        wrong = right;
        const int mistake = (int)(i % MISTAKES);
        const unsigned kinds = plant(&wrong, &r, mistake);
        if (kinds == 0)
            continue;
        planted[mistake]++;
        if (verify_made(&wrong) != RHOMB_OK || (found & kinds) == 0)
            fail_msg("pair %" PRId64 ", mistake %d: %s%s: %s", i, mistake, first_text,
                     rhomb_context_error(ctx), print_row(&wrong));
        if (mistake >= 6 && mistake < 14)
            assert_int_equal(found, kinds);
        if (mistake == 0 && (kinds & KIND(EQUAL)) != 0) {
            assert_int_equal(found, kinds);
            assert_int_equal(first.target_position, right.m.first_equal);
        }
    }
    for (int i = 0; i < MISTAKES; i++)
        assert_true(planted[i] > 20);
}

TEST_MAIN_OF(VERIFY_TEST, set_up, tear_down, accepts_what_is_right, finds_what_is_wrong,
             checks_scores, counts_unchecked_scores, refuses_large_scores,
             fails_where_it_cannot_say, folds_letters_of_dna_alone, stops_when_told,
             finds_each_planted_mistake)
