/* SPDX-License-Identifier: MIT */
/*
 * Verifying whole alignments: records that are a chain from end to end, with and without gaps, and
 * for each thing that can be wrong with one that rhomb_verify() finds it and says where.
 */
#include "support/test.h"
#include "verify_fixture.h"

/* A record of t and q, both of which are AT ten times, and so is the reverse strand. */
typedef struct part {
    char strand; /* NUL: no more records */
    int64_t target_begin, target_end;
    int64_t query_begin, query_end;
} part;

/* The tag ro of the records that follow, 0 for none: of the first one, and of the others. */
static int64_t rotations[2];

enum { MOST_PARTS = 5 };

/* Matches, and then what one side has more. The other name is another query's. */
static size_t print_part(char *out, size_t room, const part *p, const char *query, int64_t rotated)
{
    const int64_t targets = p->target_end - p->target_begin;
    const int64_t queries = p->query_end - p->query_begin;
    const int64_t equal = targets < queries ? targets : queries;
    const int64_t longer = targets < queries ? queries : targets;
    char rotation[32] = "";
    if (rotated > 0)
        snprintf(rotation, sizeof rotation, "\tro:i:%" PRId64, rotated);
    return (size_t)snprintf(out, room,
                            "%s\t20\t%" PRId64 "\t%" PRId64 "\t%c\tt\t20\t%" PRId64 "\t%" PRId64
                            "\t%" PRId64 "\t%" PRId64 "\t255%s\tcg:Z:%" PRId64 "=%" PRId64 "%c\n",
                            query, p->query_begin, p->query_end, p->strand, p->target_begin,
                            p->target_end, equal, longer, rotation, equal, longer - equal,
                            targets < queries ? 'I' : 'D');
}

static void verify_parts(const part *parts, const char *const queries[2])
{
    char text[2048];
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < MOST_PARTS && parts[i].strand != '\0'; i++)
        used += print_part(text + used, sizeof text - used, &parts[i], queries[i % 2],
                           rotations[i > 0]);
    assert_int_equal(verify(text), RHOMB_OK);
}

#define ATS "ATATATATATATATATATAT\n"

static void write_parts(void)
{
    write_file(TARGETS, ">t\n" ATS ">e\n");
    write_file(QUERIES, ">q\n" ATS ">p\n" ATS ">e\n");
}

static void knows_whole_alignments(void **state)
{
    static const struct {
        part parts[MOST_PARTS];
        int64_t least_gap;
        int64_t edits, gaps, target_bases, query_bases, least, most;
    } CASES[] = {
        {{{'+', 0, 20, 0, 20}}, .edits = 0},
        {{{'-', 0, 20, 0, 20}}, .edits = 0},
        {{{'+', 0, 10, 0, 8}, {'+', 10, 12, 8, 12}, {'+', 12, 20, 12, 20}}, .edits = 4},
        {{{'-', 0, 10, 12, 20}, {'-', 10, 12, 8, 12}, {'-', 12, 20, 0, 8}}, .edits = 4},
        /* Gaps of either sequence, and of both, and at the ends. */
        {{{'+', 0, 8, 0, 8}, {'+', 12, 20, 8, 20}}, 4, 4, 1, 4, 0, 4, 4},
        {{{'-', 0, 8, 12, 20}, {'-', 8, 20, 0, 8}}, 4, 4, 1, 0, 4, 4, 4},
        {{{'+', 0, 8, 0, 8}, {'+', 12, 20, 10, 20}}, 4, 2, 1, 4, 2, 2, 4},
        {{{'+', 4, 8, 0, 4}, {'+', 8, 18, 4, 14}}, 4, 0, 2, 6, 6, 8, 10},
        {{{'-', 4, 8, 16, 20}, {'-', 8, 18, 6, 16}}, 4, 0, 2, 6, 6, 8, 10},
    };
    static const char *const QUERIES_OF_ONE[] = {"q", "q"};
    write_parts();
    options.whole = true;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        options.least_gap = CASES[i].least_gap;
        verify_parts(CASES[i].parts, QUERIES_OF_ONE);
        if (found != 0)
            fail_msg("case %zu: %s", i, first_text);
        assert_int_equal(report.pairs, 1);
        assert_int_equal(report.edits, CASES[i].edits);
        assert_int_equal(report.gaps, CASES[i].gaps);
        assert_int_equal(report.gap_target_bases, CASES[i].target_bases);
        assert_int_equal(report.gap_query_bases, CASES[i].query_bases);
        assert_int_equal(report.gap_edits_least, CASES[i].least);
        assert_int_equal(report.gap_edits_most, CASES[i].most);
    }
    assert_int_equal(verify("e\t0\t0\t0\t+\te\t0\t0\t0\t0\t0\t60\n"), RHOMB_OK);
    assert_int_equal(found, 0);
}

static void finds_what_is_missing(void **state)
{
    static const struct {
        part parts[MOST_PARTS];
        struct {
            int64_t least_gap;
            unsigned kinds;
            int64_t line, target, query;
        } at;
        const char *text;
    } CASES[] = {
        /* Records dropped in the middle, at the beginning, at the end, and all of them. */
        {{{'+', 0, 8, 0, 8}, {'+', 12, 20, 12, 20}},
         {0, KIND(MISSING), 2, 8, 8},
         "no record has target positions 9 to 12 and query positions 9 to 12, which come before "
         "this record"},
        {{{'+', 10, 20, 8, 20}},
         {0, KIND(MISSING), 1, 0, 0},
         "no record has target positions 1 to 10 and query positions 1 to 8, which come before "
         "this record"},
        {{{'+', 0, 8, 0, 8}, {'+', 8, 12, 8, 20}},
         {0, KIND(MISSING), 2, 12, -1},
         "no record has target positions 13 to 20, which come after this record, the pair's last"},
        {{{'-', 0, 8, 12, 20}, {'-', 8, 20, 2, 12}},
         {0, KIND(MISSING), 2, -1, 0},
         "no record has query positions 1 to 2, which come after this record, the pair's last"},
        {{{'-', 0, 8, 12, 20}, {'-', 8, 20, 0, 10}},
         {0, KIND(MISSING), 2, -1, 10},
         "no record has query positions 11 to 12, which come before this record"},
        {{{'\0', 0, 0, 0, 0}}, {0, KIND(MISSING), 0, -1, -1}, "the file has no records"},
        /* A gap that is too short for one. */
        {{{'+', 0, 8, 0, 8}, {'+', 12, 20, 10, 20}},
         {5, KIND(MISSING), 2, 8, 8},
         "no record has target positions 9 to 12 and query positions 9 to 10, which come before "
         "this record"},
        /* Records twice, over each other, in another order, and on both strands. */
        {{{'+', 0, 20, 0, 20}, {'+', 0, 20, 0, 20}},
         {1, KIND(ORDER), 2, 0, 0},
         "begins after 0 bases of the target and 0 of the query, but the records up to line 1 have "
         "come to 20 and 20"},
        {{{'-', 0, 8, 12, 20}, {'-', 8, 20, 0, 14}},
         {0, KIND(ORDER), 2, 8, 0},
         "begins after 8 bases of the target and 6 of the query's other strand, but the records up "
         "to line 1 have come to 8 and 8"},
        {{{'+', 0, 8, 0, 8}, {'+', 6, 20, 8, 20}},
         {0, KIND(ORDER), 2, 6, 8},
         "begins after 6 bases of the target and 8 of the query, but the records up to line 1 have "
         "come to 8 and 8"},
        {{{'+', 12, 20, 12, 20}, {'+', 0, 12, 0, 12}},
         {1, KIND(ORDER), 2, 0, 0},
         "begins after 0 bases of the target and 0 of the query, but the records up to line 1 have "
         "come to 20 and 20"},
        {{{'+', 0, 10, 0, 10}, {'-', 10, 20, 0, 10}},
         {0, KIND(ORDER) | KIND(MISSING), 2, 10, 0},
         "is on another strand than line 1"},
    };
    static const char *const QUERIES_OF_ONE[] = {"q", "q"};
    write_parts();
    options.whole = true;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        options.least_gap = CASES[i].at.least_gap;
        verify_parts(CASES[i].parts, QUERIES_OF_ONE);
        if (strcmp(first_text, CASES[i].text) != 0 || found != CASES[i].at.kinds ||
            first_line != CASES[i].at.line)
            fail_msg("case %zu: kinds %x, line %" PRId64 ": %s", i, found, first_line, first_text);
        assert_int_equal(first.target_position, CASES[i].at.target);
        assert_int_equal(first.query_position, CASES[i].at.query);
    }
    /* A record that is there once more, of two sequences without bases, and one without a target.
     */
    const char *rows = "e\t0\t0\t0\t+\te\t0\t0\t0\t0\t0\t60\ne\t0\t0\t0\t+\te\t0\t0\t0\t0\t0\t60\n";
    assert_int_equal(verify(rows), RHOMB_OK);
    assert_int_equal(found, KIND(ORDER));
    assert_int_equal(verify("q\t20\t0\t0\t*\t*\t0\t0\t0\t0\t0\t0\n"), RHOMB_OK);
    assert_int_equal(found, KIND(MISSING));
    options.least_gap = -1;
    expect_failure(RHOMB_ERR_ARGUMENT, "", "least_gap");
}

/* Circles that were cut elsewhere: right ones, then such as lack something, or are another's. */
static void follows_rotations(void **state)
{
    static const struct {
        part parts[MOST_PARTS];
        int64_t rotations[2];
        int64_t least_gap;
        unsigned kinds;
        const char *text;
    } CASES[] = {
        {{{'+', 0, 8, 12, 20}, {'+', 8, 20, 0, 12}}, {12, 12}, 0, 0, ""},
        {{{'-', 0, 8, 0, 8}, {'-', 8, 20, 8, 20}}, {12, 12}, 0, 0, ""},
        {{{'+', 0, 6, 12, 20}, {'+', 6, 18, 0, 12}, {'+', 18, 20, 12, 12}}, {12, 12}, 0, 0, ""},
        {{{'+', 0, 6, 12, 18}, {'+', 8, 18, 2, 12}}, {12, 12}, 2, 0, ""},
        {{{'+', 0, 8, 12, 20}, {'+', 8, 20, 2, 12}},
         {12, 12},
         0,
         KIND(MISSING),
         "no record has query positions 1 to 2, which come before this record"},
        {{{'-', 0, 8, 0, 8}, {'-', 8, 18, 10, 20}},
         {12, 12},
         0,
         KIND(MISSING),
         "no record has target positions 19 to 20 and query positions 9 to 10, which come after "
         "this record, the pair's last"},
        {{{'+', 0, 8, 12, 20}, {'+', 8, 20, 0, 12}},
         {12, 14},
         0,
         KIND(ORDER) | KIND(MISSING),
         "is rotated otherwise (ro) than line 1"},
    };
    static const char *const QUERIES_OF_ONE[] = {"q", "q"};
    write_parts();
    options.whole = true;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        options.least_gap = CASES[i].least_gap;
        memcpy(rotations, CASES[i].rotations, sizeof rotations);
        verify_parts(CASES[i].parts, QUERIES_OF_ONE);
        if (found != CASES[i].kinds || (found != 0 && strcmp(first_text, CASES[i].text) != 0))
            fail_msg("case %zu: kinds %x: %s", i, found, first_text);
    }
    memset(rotations, 0, sizeof rotations);
}

/* Records of two pairs, one of each in turn: what one has does not help the other. */
static void keeps_pairs_apart(void **state)
{
    static const char *const TWO[] = {"q", "p"};
    static const part PARTS[MOST_PARTS] = {
        {'+', 0, 8, 0, 8}, {'-', 0, 8, 12, 20}, {'+', 8, 20, 8, 20}, {'-', 8, 20, 0, 12}};
    part parts[MOST_PARTS];
    write_parts();
    options.whole = true;
    verify_parts(PARTS, TWO);
    assert_int_equal(found, 0);
    assert_int_equal(report.pairs, 2);
    memcpy(parts, PARTS, sizeof parts);
    parts[3].strand = '\0';
    verify_parts(parts, TWO);
    assert_int_equal(found, KIND(MISSING));
    assert_int_equal(first_line, 2);
}

/* As many pairs as need the table to grow, several times; then one of them has its record twice. */
static void holds_many_pairs(void **state)
{
    enum { PAIRS = 1000 };
    static char rows[PAIRS * 64], letters[PAIRS * 16];
    size_t used = 0, taken = 0;
    for (int i = 0; i < PAIRS; i++) {
        taken += (size_t)snprintf(letters + taken, sizeof letters - taken, ">%d\nAC\n", i);
        used +=
            (size_t)snprintf(rows + used, sizeof rows - used,
                             "%d\t2\t0\t2\t+\t%d\t2\t0\t2\t2\t2\t9\tcg:Z:2=\n", i, PAIRS - 1 - i);
    }
    write_file(TARGETS, letters);
    write_file(QUERIES, letters);
    options.whole = true;
    assert_int_equal(verify(rows), RHOMB_OK);
    assert_int_equal(found, 0);
    assert_int_equal(report.pairs, PAIRS);
    snprintf(rows + used, sizeof rows - used, "%s",
             "7\t2\t0\t2\t+\t992\t2\t0\t2\t2\t2\t9\tcg:Z:2=\n");
    assert_int_equal(verify(rows), RHOMB_OK);
    assert_int_equal(found, KIND(ORDER));
    assert_int_equal(first_line, PAIRS + 1);
}

TEST_MAIN_OF(VERIFY_TEST, set_up, tear_down, knows_whole_alignments, finds_what_is_missing,
             follows_rotations, keeps_pairs_apart, holds_many_pairs)
