/* SPDX-License-Identifier: MIT */
/*
 * Substitution matrices: those that are built in by values of the published tables, NCBI's format
 * in all that it may have, every error in it with its line, and what a scoring with a matrix is.
 */
#include "src/base/int64.h"
#include "src/scoring/costs.h"
#include "src/scoring/score_matrix.h"
#include "support/test.h"

static int score(const rhomb_score_matrix *m, char a, char b)
{
    const int32_t i = rhomb_score_matrix_symbol(m, a), j = rhomb_score_matrix_symbol(m, b);
    assert_true(i >= 0 && j >= 0);
    assert_int_equal(m->scores[i][j], m->scores[j][i]);
    return m->scores[i][j];
}

/* Of each table its sum, and values that others have not. */
static void test_built_in(void **state)
{
    static const struct {
        const char *name;
        int count, sum, lowest, highest;
        struct {
            char a, b;
            int score;
        } values[5];
    } tables[] = {
        {"BLOSUM45",
         24,
         -689,
         -5,
         15,
         {{'W', 'W', 15}, {'C', 'C', 12}, {'H', 'H', 10}, {'*', '*', 1}, {'Y', 'W', 3}}},
        {"BLOSUM62",
         24,
         -726,
         -4,
         11,
         {{'W', 'W', 11}, {'W', 'R', -3}, {'E', 'Z', 4}, {'A', '*', -4}, {'L', 'I', 2}}},
        {"BLOSUM80",
         24,
         -1572,
         -8,
         16,
         {{'W', 'W', 16}, {'A', 'A', 7}, {'H', 'H', 12}, {'D', 'E', 2}, {'X', '*', -8}}},
        {"BLOSUM90",
         24,
         -1233,
         -6,
         11,
         {{'W', 'W', 11}, {'P', 'P', 8}, {'V', 'V', 5}, {'*', 'X', -6}, {'D', 'D', 7}}},
        {"PAM30",
         24,
         -3678,
         -17,
         13,
         {{'W', 'W', 13}, {'M', 'M', 11}, {'W', 'E', -17}, {'*', '*', 1}, {'F', 'Y', 2}}},
        {"PAM70",
         24,
         -2140,
         -11,
         13,
         {{'W', 'W', 13}, {'A', 'A', 5}, {'A', 'G', 0}, {'C', 'W', -11}, {'Y', 'F', 4}}},
        {"PAM250",
         24,
         -932,
         -8,
         17,
         {{'W', 'W', 17}, {'W', 'R', 2}, {'F', 'Y', 7}, {'C', 'C', 12}, {'A', '*', -8}}},
        {"nuc.4.4",
         15,
         -395,
         -4,
         5,
         {{'A', 'U', -4}, {'a', 'W', 1}, {'H', 'S', -3}, {'N', 'N', -1}, {'U', 'T', 5}}},
        {"HOXD70",
         5,
         -1594,
         -125,
         100,
         {{'A', 'C', -114}, {'C', 'G', -125}, {'N', 'N', -100}, {'g', 'u', -114}, {'T', 'C', -31}}},
        {"asm5",
         15,
         -433,
         -19,
         1,
         {{'A', 'A', 1}, {'a', 'C', -19}, {'N', 'N', -1}, {'A', 'R', -1}, {'u', 'T', 1}}},
        {"ASM10",
         15,
         -313,
         -9,
         1,
         {{'G', 'G', 1}, {'g', 'T', -9}, {'N', 'A', -1}, {'V', 'N', -1}, {'C', 'Y', -1}}},
        {"asm20",
         15,
         -253,
         -4,
         1,
         {{'T', 'T', 1}, {'A', 'T', -4}, {'c', 'n', -1}, {'Y', 'Y', -1}, {'C', 'C', 1}}},
        {"map-ont",
         15,
         -249,
         -4,
         2,
         {{'A', 'A', 2}, {'C', 'T', -4}, {'N', 'T', -1}, {'B', 'D', -1}, {'G', 'G', 2}}}};
    for (size_t t = 0; t < COUNT(tables); t++) {
        const rhomb_score_matrix *m = rhomb__matrix_built_in(tables[t].name);
        rhomb__error error = {RHOMB_OK, NULL, ""};
        int sum = 0;
        int32_t lowest, highest;
        assert_non_null(m);
        assert_int_equal(rhomb__matrix_check(&error, m), RHOMB_OK);
        rhomb__matrix_range(m, &lowest, &highest);
        for (int i = 0; i < m->count; i++)
            for (int j = 0; j < m->count; j++)
                sum += m->scores[i][j];
        if (sum != tables[t].sum || m->count != tables[t].count || lowest != tables[t].lowest ||
            highest != tables[t].highest)
            fail_msg("%s: %d symbols, sum %d, %d to %d", m->name, m->count, sum, lowest, highest);
        for (size_t v = 0; v < COUNT(tables[t].values); v++)
            assert_int_equal(score(m, tables[t].values[v].a, tables[t].values[v].b),
                             tables[t].values[v].score);
    }
    assert_null(rhomb__matrix_built_in("BLOSUM"));
}

static rhomb_status parse(const char *text, rhomb__error *error, rhomb_score_matrix *out)
{
    rhomb__error_clear(error);
    return rhomb__matrix_parse(error, "m", text, strlen(text), out);
}

/* Comments, blanks, CRLF, no last line end, lower case, rows in another order, U, letters that
 * sequences cannot have. */
static void test_forms(void **state)
{
    static const struct {
        const char *text;
        rhomb_alphabet alphabet;
        const char *symbols;
        int first, second; /* of the first symbol with itself, and with the second one */
    } forms[] = {{"# c\n\n  A C\nA 1 -2\nC -2 3", RHOMB_ALPHABET_DNA, "AC", 1, -2},
                 {"  c   a\r\n#\r\nC +5 0  \r\nA\t0 4\r\n", RHOMB_ALPHABET_DNA, "AC", 4, 0},
                 {"T A U\nU 7 1 7\nA 1 2 1\nT 7 1 7\n", RHOMB_ALPHABET_DNA, "AT", 2, 1},
                 {"A U\nA 1 -127\nU -127 127\n", RHOMB_ALPHABET_DNA, "AT", 1, -127},
                 {"* U R J\n* 1 2 3 4\nU 2 5 6 7\nR 3 6 8 9\nJ 4 7 9 0\n", RHOMB_ALPHABET_PROTEIN,
                  "R*", 8, 3}};
    rhomb__error error = {RHOMB_OK, NULL, ""};
    for (size_t f = 0; f < COUNT(forms); f++) {
        rhomb_score_matrix m;
        if (parse(forms[f].text, &error, &m) != RHOMB_OK)
            fail_msg("%s: %s", forms[f].text, rhomb__error_text(&error));
        assert_string_equal(m.symbols, forms[f].symbols);
        assert_int_equal(m.count, strlen(forms[f].symbols));
        assert_int_equal(m.alphabet, forms[f].alphabet);
        assert_int_equal(m.scores[0][0], forms[f].first);
        assert_int_equal(m.scores[0][1], forms[f].second);
        assert_int_equal(rhomb__matrix_check(&error, &m), RHOMB_OK);
    }
}

static void test_errors(void **state)
{
    static const struct {
        const char *text, *error;
    } wrong[] = {
        {"", "matrix m: expected a line with the letters of its columns, not the end of the text"},
        {"# only\n", "matrix m: expected a line with the letters"},
        {">seq\nACGT\n", "matrix m, line 1: expected one letter or * for each column, not '>seq'"},
        {"A 1\n", "matrix m, line 1: expected one letter or * for each column, not '1'"},
        {"\nA C a\n", "matrix m, line 2: expected each letter once, not 'a'"},
        {"A C\nA 1 2\n", "matrix m: expected a row of the letter 'C', not the end of the text"},
        {"A C\nA 1 2\nA 1 2\n", "matrix m, line 3: expected one row for each letter, not 'A'"},
        {"A C\n#\nG 1 2\n",
         "line 3: expected a row that begins with the letter of a column, not 'G'"},
        {"A C\n1 2\n", "line 2: expected a row that begins with the letter of a column, not '1'"},
        {"A C\nA 1\n",
         "line 2: expected 2 whole numbers from -127 to 127, not the end of the line"},
        {"A C\nA 1 2 3\n", "line 2: expected the end of the line, not '3'"},
        {"A C\nA 1 2.5\n", "line 2: expected 2 whole numbers from -127 to 127, not '2.5'"},
        {"A C\nA 1 -\n", "line 2: expected 2 whole numbers from -127 to 127, not '-'"},
        {"A C\nA 1 128\n", "line 2: expected 2 whole numbers from -127 to 127, not '128'"},
        {"A C\nA 1 99999999999999999999\n", "expected 2 whole numbers from -127 to 127"},
        {"A C\nA 1 2\nC 3 4\n", "matrix m, line 3: expected a symmetric matrix: C with A scores 3, "
                                "and A with C 2 (line 2)"},
        {"T U\nT 1 1\nU 1 2\n", "matrix m, line 3: expected the scores of T, as U is T"},
        {"J O\nJ 1 1\nO 1 2\n", "matrix m: expected letters of proteins or nucleotides, not JO"}};
    rhomb__error error = {RHOMB_OK, NULL, ""};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        rhomb_score_matrix m;
        assert_int_equal(parse(wrong[i].text, &error, &m), RHOMB_ERR_INPUT);
        if (strstr(rhomb__error_text(&error), wrong[i].error) == NULL)
            fail_msg("%s: not '%s'", rhomb__error_text(&error), wrong[i].error);
    }
    rhomb__error_clear(&error);
}

static rhomb_scoring parsed(const char *text)
{
    rhomb__error error = {RHOMB_OK, NULL, ""};
    rhomb_scoring scoring;
    if (rhomb__scoring_parse(&error, text, &scoring) != RHOMB_OK)
        fail_msg("%s: %s", text, rhomb__error_text(&error));
    return scoring;
}

/* What is written, and what it costs. */
static void test_scorings(void **state)
{
    static const struct {
        const char *text, *error;
    } wrong[] = {{"matrix:", "needs values: matrix:NAME,O,E[,O2,E2]"},
                 {"matrix:BLOSUM62", "needs NAME,O,E[,O2,E2]"},
                 {"matrix:,11,1", "needs NAME,O,E"},
                 {"matrix:BLOSUM62,11", "has 1 value, and needs O,E[,O2,E2]"},
                 {"matrix:BLOSUM62,11,1,2", "only half of a second piece"},
                 {"matrix:BLOSUM62,11,1,2,3,4", "has 5 values, and needs O,E"},
                 {"matrix:BLOSUM62,11,x", "'x' is not a whole number"},
                 {"matrix:BLOSUM62,-11,1", "'-11' is negative"},
                 {"matrix:blosum,11,1", "matrix 'blosum' is not BLOSUM45, BLOSUM62,"}};
    rhomb__error error = {RHOMB_OK, NULL, ""};
    rhomb_scoring s = parsed("matrix:blosum62,11,1");
    rhomb__costs costs;
    assert_string_equal(s.matrix->name, "BLOSUM62");
    assert_true(s.match == 11 && s.mismatch == 4 && s.gap_open == 11 && s.gap_extend == 1);
    assert_true(s.gap_open_2 == -1 && s.gap_extend_2 == -1);
    assert_int_equal(rhomb__costs_of(&error, &s, &costs), RHOMB_OK);
    assert_false(rhomb__costs_are_edit(&costs));
    /* 11 is odd: twice 11 less the score of two symbols, and a gap's base costs half a match. */
    assert_true(costs.doubled == 2 && costs.unit == 1 && costs.extend[0] == 2 + 11);
    assert_int_equal(rhomb__costs_penalty(&costs, 3, 4, 5), 11 * 7 - 2 * 5);
    assert_int_equal(rhomb__costs_score(&costs, 3, 4, 11 * 7 - 2 * 5), 5);
    s = parsed("matrix:PAM30,9,3,20,1");
    assert_true(s.gap_open == 9 && s.gap_extend == 3 && s.gap_open_2 == 20 && s.gap_extend_2 == 1);
    s.match = 14;
    assert_int_equal(rhomb__costs_of(&error, &s, &costs), RHOMB_ERR_ARGUMENT);
    assert_non_null(strstr(rhomb__error_text(&error), "match has to be 13 and mismatch 17"));
    for (size_t i = 0; i < COUNT(wrong); i++) {
        rhomb__error_clear(&error);
        assert_int_equal(rhomb__scoring_parse(&error, wrong[i].text, &s), RHOMB_ERR_ARGUMENT);
        if (strstr(rhomb__error_text(&error), wrong[i].error) == NULL)
            fail_msg("%s: not '%s'", rhomb__error_text(&error), wrong[i].error);
    }
    rhomb__error_clear(&error);
}

/* Matrices of a caller. */
static void test_callers(void **state)
{
    rhomb__error error = {RHOMB_OK, NULL, ""};
    rhomb_score_matrix good = {.name = "own",
                               .alphabet = RHOMB_ALPHABET_DNA,
                               .count = 2,
                               .symbols = "AC",
                               .scores = {{-1, -3}, {-3, -2}}};
    rhomb_scoring s = RHOMB_SCORING_EDIT;
    rhomb__costs costs;
    rhomb_scoring_set_matrix(&s, &good);
    assert_true(s.match == 0 && s.mismatch == 3);
    assert_int_equal(rhomb__costs_of(&error, &s, &costs), RHOMB_OK);
    for (int wrong = 0; wrong < 8; wrong++) {
        rhomb_score_matrix m = good;
        m.count = wrong == 0 ? 0 : wrong == 1 ? RHOMB_MATRIX_SYMBOLS + 1 : wrong == 2 ? 3 : 2;
        m.alphabet = wrong == 3 ? RHOMB_ALPHABET_BYTES : RHOMB_ALPHABET_DNA;
        m.name = wrong == 4 ? NULL : "own";
        m.symbols[1] = wrong == 5 ? 'c' : wrong == 6 ? 'A' : 'C';
        m.scores[0][1] = wrong == 7 ? 0 : -3;
        rhomb__error_clear(&error);
        if (rhomb__matrix_check(&error, &m) != RHOMB_ERR_ARGUMENT)
            fail_msg("wrong %d", wrong);
    }
    rhomb__error_clear(&error);
}

#define OP(length, code) ((rhomb_path_op)(length) << 4 | (code))

static void test_bases(void **state)
{
    const rhomb_scoring s = parsed("matrix:BLOSUM62,11,1"), dna = parsed("match:2,4,4,2");
    assert_int_equal(rhomb_scoring_bases_score(&s, OP(3, RHOMB_CIGAR_X), "WLA", "RIw"), -3 + 2 - 3);
    assert_int_equal(rhomb_scoring_bases_score(&s, OP(2, RHOMB_CIGAR_EQ), "WL", "Wl"), 11 + 4);
    assert_int_equal(rhomb_scoring_bases_score(&s, OP(2, RHOMB_CIGAR_M), "WU", "WU"), 11 - 4);
    assert_int_equal(rhomb_scoring_bases_score(&s, OP(5, RHOMB_CIGAR_I), NULL, "AAAAA"), -16);
    assert_int_equal(rhomb_scoring_bases_score(&dna, OP(5, RHOMB_CIGAR_X), NULL, NULL), -20);
    assert_int_equal(rhomb_scoring_op_score(&s, OP(5, RHOMB_CIGAR_EQ)), 0);
    assert_int_equal(rhomb_scoring_op_score(&s, OP(5, RHOMB_CIGAR_D)), -16);
}

/* The matrices of minimap2's presets, with the presets. */
static void test_minimap2(void **state)
{
    static const char *const NAMES[] = {"asm5", "asm10", "asm20", "map-ont"};
    for (size_t i = 0; i < COUNT(NAMES); i++) {
        const rhomb_scoring preset = parsed(NAMES[i]);
        char text[64];
        snprintf(text, sizeof text, "matrix:%s,6,2", NAMES[i]);
        const rhomb_scoring s = parsed(text);
        assert_true(rhomb__matrix_is_minimap2(s.matrix));
        assert_true(s.match == preset.match && s.mismatch == preset.mismatch);
        assert_int_equal(rhomb_scoring_bases_score(&s, OP(4, RHOMB_CIGAR_X), "NaRc", "CNgn"), -4);
        assert_int_equal(rhomb_scoring_bases_score(&s, OP(3, RHOMB_CIGAR_EQ), "NYu", "NYT"),
                         preset.match - 2);
    }
    assert_false(rhomb__matrix_is_minimap2(rhomb__matrix_built_in("NUC.4.4")));
    assert_false(rhomb__matrix_is_minimap2(NULL));
}

/* Bases that the alphabet or the matrix has not. */
static void test_alphabet(void **state)
{
    static const struct {
        rhomb_alphabet alphabet;
        const char *matrix, *bases, *error; /* NULL: there is none */
    } texts[] = {
        {RHOMB_ALPHABET_PROTEIN, "BLOSUM62", "ARNDCQEGHILKMFPSTWYVBZX*arndcqeghilkmfpstwyvbzx",
         NULL},
        {RHOMB_ALPHABET_PROTEIN, "BLOSUM62", "AXJ",
         "t: character 'J' (byte 0x4a) at position 3 is "
         "not an amino acid, B, Z, X or *"},
        {RHOMB_ALPHABET_PROTEIN, NULL, "O", "not an amino acid"},
        {RHOMB_ALPHABET_PROTEIN, NULL, "AAu", "(byte 0x75) at position 3 is not an amino acid"},
        {RHOMB_ALPHABET_DNA, "HOXD70", "acgtuN", NULL},
        {RHOMB_ALPHABET_DNA, "HOXD70", "acgtRN",
         "t: 'R' at position 5 has no scores in the matrix HOXD70, which has those of ACGTN"},
        {RHOMB_ALPHABET_DNA, "NUC.4.4", "acgtRYKMSWBDHVN", NULL},
        {RHOMB_ALPHABET_DNA, NULL, "ACGTE", "the alphabet \"protein\" is for proteins"},
        {RHOMB_ALPHABET_DNA, NULL, "ACGTJ", "the alphabet \"bytes\" accepts any byte"}};
    for (size_t i = 0; i < COUNT(texts); i++) {
        const int64_t length = (int64_t)strlen(texts[i].bases);
        const rhomb_score_matrix *m =
            texts[i].matrix != NULL ? rhomb__matrix_built_in(texts[i].matrix) : NULL;
        rhomb__error error = {RHOMB_OK, NULL, ""};
        rhomb__histogram histogram;
        rhomb__histogram_count(texts[i].bases, length, 1, &histogram);
        const rhomb_status status = rhomb__matrix_check_bases(&error, texts[i].alphabet, m, "t",
                                                              texts[i].bases, length, &histogram);
        assert_int_equal(status, texts[i].error == NULL ? RHOMB_OK : RHOMB_ERR_ALPHABET);
        if (texts[i].error != NULL && strstr(rhomb__error_text(&error), texts[i].error) == NULL)
            fail_msg("%s: not '%s'", rhomb__error_text(&error), texts[i].error);
        rhomb__error_clear(&error);
    }
}

TEST_MAIN(test_built_in, test_forms, test_errors, test_scorings, test_callers, test_bases,
          test_minimap2, test_alphabet)
