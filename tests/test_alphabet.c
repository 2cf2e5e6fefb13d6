/* SPDX-License-Identifier: MIT */
/*
 * Bases: counting, judging and coding, against a count of one base at a time.
 */
#include "src/base/alphabet.h"
#include "support/rng.h"
#include "support/test.h"
#include "tests/reference/random_bases.h"

static bool calloc_fails;

void *__real_calloc(size_t count, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);

void *__wrap_calloc(size_t count, size_t bytes)
{
    return calloc_fails ? NULL : __real_calloc(count, bytes);
}

static const char UPPER[] = "ACGTUNRYSWKMBDHV";

static rhomb__histogram count(const char *letters, int64_t length)
{
    rhomb__histogram histogram;
    memset(&histogram, 0x55, sizeof histogram);
    rhomb__histogram_count(letters, length, 1, &histogram);
    return histogram;
}

static rhomb__histogram count_text(const char *text)
{
    return count(text, (int64_t)strlen(text));
}

/*
 * Lengths around the step of the counting loop; those with tables of pairs, of more than one piece,
 * and with ends that fill no word; on several threads, and without memory for the tables.
 */
static void test_histogram(void **state)
{
    enum { SHORT = 1024 };
    static const int64_t LENGTHS[] = {262143, 262144, 262151, 16777216, 16777223, 50331655};
    static const int32_t THREADS[] = {1, 2, 8, 1000};
    char *letters = malloc((size_t)LENGTHS[5]);
    assert_non_null(letters);
    rng r = rng_for("histogram_long", 0);
    rhomb__histogram expected = {{0}};
    int64_t length = 0;
    for (size_t i = 0; i < SHORT + COUNT(LENGTHS); i++) {
        for (; length < (i < SHORT ? (int64_t)i : LENGTHS[i - SHORT]); length++) {
            /* Every byte, mostly A, a run of N. */
            const int64_t kind = length / 100000 % 3;
            const int64_t byte = rng_below(&r, kind == 1 ? 70 : 256);
            letters[length] = (char)(unsigned char)(kind == 2 ? 'N' : byte < 65 ? byte : 'A');
            if (length < SHORT)
                letters[length] = (char)(unsigned char)byte;
            expected.count[(unsigned char)letters[length]]++;
        }
        for (size_t t = 0; t < (i < SHORT ? 1 : COUNT(THREADS)); t++) {
            rhomb__histogram got;
            memset(&got, 0x55, sizeof got);
            calloc_fails = t == 3;
            rhomb__histogram_count(length > 0 ? letters : NULL, length, THREADS[t], &got);
            calloc_fails = false;
            assert_memory_equal(&got, &expected, sizeof got);
        }
    }
    free(letters);
}

static void test_classify(void **state)
{
    const rhomb__histogram h = count_text("AAAACCCGGTaacgNNnRYSWKMBDHVUryu-*");
    const rhomb_base_counts dna = rhomb__histogram_classify(&h, RHOMB_ALPHABET_DNA);
    assert_int_equal(dna.acgt, 16);
    assert_int_equal(dna.n, 3);
    assert_int_equal(dna.iupac, 12);
    assert_int_equal(dna.other, 2);
    assert_int_equal(dna.folded, 8);
    assert_int_equal(dna.uracils, 2);
    const rhomb_base_counts bytes = rhomb__histogram_classify(&h, RHOMB_ALPHABET_BYTES);
    assert_int_equal(bytes.acgt, 10);
    assert_int_equal(bytes.n, 2);
    assert_int_equal(bytes.iupac, 10);
    assert_int_equal(bytes.other, 11);
    assert_int_equal(bytes.folded, 0);
    assert_int_equal(bytes.uracils, 0);
}

/* Which bytes are symbols: in DNA 16 in both cases, else all. */
static void test_check(void **state)
{
    for (int b = 0; b < 256; b++) {
        rhomb__error error = {RHOMB_OK, NULL, ""};
        const char letter = (char)(unsigned char)b;
        const rhomb__histogram h = count(&letter, 1);
        const int upper = b >= 'a' && b <= 'z' ? b - 32 : b;
        const bool known = b != 0 && strchr(UPPER, upper) != NULL;
        assert_int_equal(
            rhomb__histogram_check(&error, RHOMB_ALPHABET_BYTES, "target", &letter, 1, &h),
            RHOMB_OK);
        assert_int_equal(
            rhomb__histogram_check(&error, RHOMB_ALPHABET_DNA, "target", &letter, 1, &h),
            known ? RHOMB_OK : RHOMB_ERR_ALPHABET);
    }
}

/* The first stranger, its 1-based place, and how many there are. */
static void test_check_detail(void **state)
{
    static const struct {
        const char *what, *letters;
        int64_t length;
        const char *details[3];
    } CASES[] = {
        {"query",
         "XACGTXX",
         7,
         {"query: character 'X' (byte 0x58)", "at position 1 ", "(3 such characters in all)"}},
        {"target",
         "ACGTacg*",
         8,
         {"target: character '*' (byte 0x2a)", "at position 8 ", "(1 such character in all)"}},
        {"target", "AC\0GT", 5, {"character '' (byte 0x00)", "at position 3 ", "\"bytes\""}},
        {"target", "A\xff\xff", 3, {"character '' (byte 0xff)", "at position 2 ", "(2 such"}},
    };
    for (size_t i = 0; i < COUNT(CASES); i++) {
        rhomb__error error = {RHOMB_OK, NULL, ""};
        const char *letters = CASES[i].letters;
        const int64_t length = CASES[i].length;
        const rhomb__histogram h = count(letters, length);
        assert_int_equal(
            rhomb__histogram_check(&error, RHOMB_ALPHABET_DNA, CASES[i].what, letters, length, &h),
            RHOMB_ERR_ALPHABET);
        for (int k = 0; k < 3; k++)
            assert_contains(rhomb__error_text(&error), CASES[i].details[k]);
    }
}

/* Codes number the symbols that are there, so that different ones differ and no number is left out.
 */
static void check_codes(rhomb_alphabet alphabet, const char *target, const char *query,
                        int32_t symbols)
{
    const rhomb__histogram t = count_text(target), q = count_text(query);
    const rhomb__codes codes = rhomb__codes_assign(alphabet, &t, &q);
    bool present[256] = {false}, taken[256] = {false};
    int32_t found = 0;
    assert_int_equal(codes.symbols, symbols);
    for (int b = 0; b < 256; b++) {
        const char base = alphabet == RHOMB_ALPHABET_DNA ? folded_base((char)b) : (char)b;
        assert_int_equal(codes.code[b], codes.code[(unsigned char)base]);
        present[(unsigned char)base] |= t.count[b] + q.count[b] > 0;
    }
    for (int b = 0; b < 256; b++) {
        assert_true(!present[b] || (codes.code[b] < symbols && !taken[codes.code[b]]));
        taken[codes.code[b]] |= present[b];
        found += present[b];
    }
    assert_int_equal(found, symbols);
}

static void test_codes(void **state)
{
    const rhomb_alphabet dna = RHOMB_ALPHABET_DNA, bytes = RHOMB_ALPHABET_BYTES;
    check_codes(dna, "", "", 0);
    check_codes(dna, "A", "", 1);
    check_codes(dna, "ACGT", "acgt", 4);
    check_codes(dna, "ACG", "N", 4);
    check_codes(dna, "ACGT", "N", 5);
    check_codes(dna, "acgtn", "R", 6);
    check_codes(dna, "ACGT", "uU", 4);
    check_codes(dna, "ACGu", "", 4);
    check_codes(dna, UPPER, "acgtnryswkmbdhvu", 15);
    check_codes(bytes, "ACGT", "TGCA", 4);
    check_codes(bytes, "ACGT", "a", 5);
    check_codes(bytes, "ACGT", "U", 5);
    check_codes(bytes, "0123456789abcdef", "", 16);
    check_codes(bytes, "0123456789abcdef", "g", 17);
    check_codes(bytes, UPPER, "acgt", 20);
}

/* All 256 bytes have a code each, and NUL is one of them. */
static void test_codes_of_all_bytes(void **state)
{
    char all[256];
    bool taken[256] = {false};
    for (int b = 0; b < 256; b++)
        all[b] = (char)(unsigned char)b;
    const rhomb__histogram t = count(all, 200), q = count(all + 200, 56);
    const rhomb__codes codes = rhomb__codes_assign(RHOMB_ALPHABET_BYTES, &t, &q);
    assert_int_equal(codes.symbols, 256);
    for (int b = 0; b < 256; b++) {
        assert_false(taken[codes.code[b]]);
        taken[codes.code[b]] = true;
    }
}

/* Sequences shorter and longer than what is compared at once, which differ in case or a base. */
static void test_equal(void **state)
{
    enum { LENGTH = 20000 };
    static char a[LENGTH], b[LENGTH];
    const rhomb__histogram h = count_text("acgtuACGTUN");
    const rhomb__codes dna = rhomb__codes_assign(RHOMB_ALPHABET_DNA, &h, &h);
    const rhomb__codes bytes = rhomb__codes_assign(RHOMB_ALPHABET_BYTES, &h, &h);
    memset(a, 'A', LENGTH);
    memset(b, 'A', LENGTH);
    for (int64_t at = 0; at < LENGTH; at += at < 8 ? 1 : 997) {
        for (int64_t length = at; length <= at + 1; length++) {
            b[at] = 'a';
            assert_true(rhomb__codes_equal(&dna, a, b, length));
            assert_true(rhomb__codes_equal(&bytes, a, b, length) == (length == at));
            b[at] = 'C';
            assert_true(rhomb__codes_equal(&dna, a, b, length) == (length == at));
        }
        assert_false(rhomb__codes_equal(&dna, a, b, LENGTH));
        b[at] = 'A';
    }
    assert_true(rhomb__codes_equal(&bytes, a, b, LENGTH));
    assert_true(rhomb__codes_equal(&dna, "uUtTN", "TtUun", 5));
    assert_false(rhomb__codes_equal(&bytes, "U", "T", 1));
    assert_true(rhomb__codes_equal(&dna, NULL, NULL, 0));
}

TEST_MAIN(test_histogram, test_classify, test_check, test_check_detail, test_codes,
          test_codes_of_all_bytes, test_equal)
