/* SPDX-License-Identifier: MIT */
/*
 * RHOMB_ALPHABET_IUPAC, in which codes match that have a base in common: every engine and mode
 * against textbooks with that relation (match_iupac()), all short pairs over five codes, random
 * ones, and primers. The differential testers have it too: test_distance, test_align, test_batch.
 *
 *     test_iupac CASE [PERCENT]    PERCENT of the pairs, 100 unless told
 *
 * Exits with 77 where there is no device.
 */
#include "align_check.h"
#include "rhomb/local.h"
#include "rhomb/matrix.h"
#include "rhomb/scoring.h"
#include "src/base/alphabet.h"
#include "support/amount.h"
#include "support/batch_check.h"
#include "support/mode_check.h"
#include "support/pair_list.h"
#include "support/run.h"
#include "support/test.h"
#include "tests/reference/edlib_distance.h"
#include "tests/reference/random_bases.h"

static align_asker asker;

#define CODES    "ACGTNRYSWKMBDHV"
#define FEW      "ACNRY"
#define BOUND(s) ((int64_t)(sizeof(s) - 1))

/* Text number `number` of those over FEW, the shorter ones first. */
static void few_codes(letters *text, int64_t number)
{
    int64_t length = 0;
    text->length = 0;
    for (int64_t count = 1; number >= count; count *= BOUND(FEW), length++)
        number -= count;
    letters_append(text, "", 0);
    for (; length > 0; length--, number /= BOUND(FEW))
        letters_append(text, &FEW[number % BOUND(FEW)], 1);
}

/* As many texts as have up to so many codes. */
static int64_t few_texts(int most)
{
    int64_t texts = 1;
    for (int length = 0, count = BOUND(FEW); length < most; length++, count *= BOUND(FEW))
        texts += count;
    return texts;
}

/* What each alphabet lets match, byte by byte, and in tables of codes. */
static void test_relation(void **state)
{
    rhomb__histogram all = {{0}};
    for (const char *code = CODES; *code != '\0'; code++)
        all.count[(unsigned char)*code] = 1;
    const rhomb__codes codes = rhomb__codes_assign(RHOMB_ALPHABET_IUPAC, &all, &all);
    assert_int_equal(codes.symbols, RHOMB__MASKS);
    match_iupac(true);
    for (const char *a = "ACGTUNRYSWKMBDHVacgtunryswkmbdhv"; *a != '\0'; a++)
        for (const char *b = "ACGTUNRYSWKMBDHVacgtunryswkmbdhv"; *b != '\0'; b++) {
            const char x = folded_base(*a), y = folded_base(*b);
            assert_true(rhomb__alphabet_matches(RHOMB_ALPHABET_DNA, *a, *b) == (x == y));
            assert_true(rhomb__alphabet_matches(RHOMB_ALPHABET_BYTES, *a, *b) == (*a == *b));
            assert_true(rhomb__alphabet_matches(RHOMB_ALPHABET_IUPAC, *a, *b) == bases_match(x, y));
            assert_true(rhomb__codes_match(&codes, *a, *b) == bases_match(x, y));
            assert_true(rhomb__codes_run(&codes, a, b, 1) == bases_match(x, y));
            assert_true(rhomb__codes_equal_run(&codes, a, b, 1) == (x == y));
        }
    /* Without IUPAC codes the codes are those of DNA. */
    for (const char *code = "NRYSWKMBDHV"; *code != '\0'; code++)
        all.count[(unsigned char)*code] = 0;
    assert_int_equal(rhomb__codes_assign(RHOMB_ALPHABET_IUPAC, &all, &all).symbols, 4);
}

static void ask_batch(const pair_list *list, int32_t group)
{
    batch_setup setup = {.max_distance = RHOMB_NO_LIMIT, .cigar = true};
    setup.tuning = (rhomb_batch_tuning)RHOMB_BATCH_TUNING_INIT;
    setup.tuning.group_size = group;
    batch_ask(asker.session.ctx, &setup, list, NULL);
    setup.cigar = false;
    batch_ask(asker.session.ctx, &setup, list, NULL);
}

/* All pairs of up to four codes, in vectors and in groups. */
static void test_exhaustive_batch(void **state)
{
    const int64_t texts = few_texts(4);
    pair_list list = pair_list_of("iupac tiny", RHOMB_ALPHABET_IUPAC);
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (int64_t a = 0; a < texts; a++) {
        few_codes(&p.a, a);
        for (int64_t b = 0; b < texts; b++) {
            few_codes(&p.b, b);
            if (amount_takes(a * texts + b) || a * b < 1000)
                pair_list_add(&list, &p);
        }
    }
    printf("exhaustive: %lld pairs\n", (long long)list.count);
    ask_batch(&list, 0);
    ask_batch(&list, 8);
    pair_release(&p);
    pair_list_release(&list);
}

/* The same of up to three codes by scorings, in every mode. */
static void test_exhaustive_modes(void **state)
{
    static const char *const SCORINGS[] = {"match:2,4,4,2", "match:2,3,2,2,4,1"};
    const int64_t texts = few_texts(3);
    letters a = {NULL, 0, 0}, b = {NULL, 0, 0};
    for (size_t s = 0; s < COUNT(SCORINGS); s++) {
        mode_asker m = mode_asker_of(asker.session.ctx, SCORINGS[s], RHOMB_MODE_GLOBAL);
        m.alphabet = RHOMB_ALPHABET_IUPAC;
        match_iupac(true);
        for (int64_t i = 0; i < texts * texts; i++) {
            few_codes(&a, i / texts);
            few_codes(&b, i % texts);
            if (amount_takes(i))
                mode_add(&m, a.at, a.length, b.at, b.length);
        }
        for (int mode = RHOMB_MODE_GLOBAL; mode <= RHOMB_MODE_LOCAL; mode++) {
            m.mode =
                (oracle_mode){.mode = (rhomb_mode)mode, .free_ends = {1, 0, 2, 1}, .z_drop = -1};
            mode_ask(&m);
            m.mode.z_drop = 4;
            if (mode == RHOMB_MODE_EXTEND)
                mode_ask(&m);
        }
        mode_release(&m);
    }
    free(a.at);
    free(b.at);
}

static const char *const TEXTS[] = {"wfa", "affine2p:4,6,2,20,1", "match:2,4,4,2", "affine:1,0,2"};

static score_set set_of(const char *text)
{
    rhomb_scoring scoring;
    assert_int_equal(rhomb_scoring_parse(asker.session.ctx, text, &scoring), RHOMB_OK);
    return score_set_of(&scoring);
}

static const rhomb_engine ENGINES[] = {RHOMB_ENGINE_WAVEFRONT, RHOMB_ENGINE_BITPARALLEL};

/* Asks both engines for paths, by unit costs and by a scoring. */
static void ask_engines(const pair *p, const score_set *set, int64_t index)
{
    match_iupac(true);
    align_question edits =
        align_question_of(p, RHOMB_ALPHABET_IUPAC, RHOMB_ENGINE_AUTO, "iupac", index);
    align_question scored = align_question_scored(p, set, "iupac scored", index);
    scored.alphabet = RHOMB_ALPHABET_IUPAC;
    for (size_t i = 0; i < COUNT(ENGINES); i++) {
        edits.engine = scored.engine = ENGINES[i];
        align_ask(&asker, &edits, NULL);
        align_ask(&asker, &scored, NULL);
    }
}

/* All pairs of up to two codes, and some of up to four, by each engine. */
static void test_exhaustive_engines(void **state)
{
    const int64_t all = few_texts(2), texts = few_texts(4);
    const score_set set = set_of("wfa");
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    rng r = rng_for("iupac engines", 0);
    for (int64_t i = 0; i < all * all + 1000; i++) {
        const bool some = i >= all * all;
        if (!amount_takes(i))
            continue;
        few_codes(&p.a, some ? rng_below(&r, texts) : i / all);
        few_codes(&p.b, some ? rng_below(&r, texts) : i % all);
        ask_engines(&p, &set, i);
    }
    pair_release(&p);
}

/*
 * Random pairs of all kinds, with all codes or mostly bases, by each engine and every scoring; in
 * the first tier by one of each number of pieces.
 */
static void test_random(void **state)
{
    static const char *const LETTERS[] = {CODES, "AAACCCGGGTTTRYN", FEW};
    int64_t pairs = 0;
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    const size_t scorings = amount_is_first_tier() ? 2 : COUNT(TEXTS);
    for (size_t s = 0; s < scorings; s++) {
        const score_set set = set_of(TEXTS[s]);
        for (int64_t i = 0; i < amount(6 * PAIR_MODEL_COUNT); i++, pairs++) {
            rng r = rng_for("iupac random", pairs);
            const pair_recipe recipe = {.model = (pair_model)(i % PAIR_MODEL_COUNT),
                                        .length = rng_between(&r, 1, i % 3 == 0 ? 60 : 1500),
                                        .error_rate = 0.01 * (double)rng_below(&r, 30),
                                        .spacing = rng_between(&r, 1, 100),
                                        .longest_indel = 300,
                                        .alphabet = LETTERS[pairs % (int64_t)COUNT(LETTERS)]};
            pair_make(&recipe, &r, &p);
            ask_engines(&p, &set, pairs);
        }
    }
    printf("random: %lld pairs\n", (long long)pairs);
    pair_release(&p);
}

/*
 * Batches of random pairs by every scoring and mode, with lengths at the edges of strips; in
 * vectors and in groups, which take turns in the first tier.
 */
static void test_random_modes(void **state)
{
    static const char *const SCORINGS[] = {"match:2,4,4,2", "wfa"};
    static const char CHANGED[] = "NRYSWKMBDHV";
    for (size_t s = 0; s < COUNT(SCORINGS); s++) {
        for (int mode = RHOMB_MODE_GLOBAL; mode <= RHOMB_MODE_LOCAL; mode++) {
            mode_asker m = mode_asker_of(asker.session.ctx, SCORINGS[s], (rhomb_mode)mode);
            rng r = rng_for("iupac modes", (int64_t)s * 8 + mode);
            if (mode_penalties_of(asker.session.ctx, SCORINGS[s]).match == 0 &&
                mode > RHOMB_MODE_ENDS_FREE)
                continue;
            m.alphabet = RHOMB_ALPHABET_IUPAC;
            match_iupac(true);
            mode_add_random(&m, amount(200), 300, &r);
            for (int64_t i = 0; i < m.count; i++)
                for (int64_t x = 0; x < m.pairs[i].query_length && i % 8 != 0; x++)
                    if (rng_chance(&r, 0.1))
                        ((char *)(uintptr_t)m.pairs[i].query)[x] =
                            CHANGED[rng_below(&r, BOUND("NRYSWKMBDHV"))];
            mode_draw(&m, &r);
            for (int32_t group = 1; group <= 8; group += 7) {
                if (amount_is_first_tier() && ((int)s + mode) % 2 != group / 8)
                    continue;
                m.tuning.group_size = group;
                mode_ask(&m);
            }
            mode_release(&m);
        }
    }
}

/* One long pair by a mode: the same as the batch has. */
static void test_one_pair(void **state)
{
    static const rhomb_mode MODES[] = {RHOMB_MODE_ENDS_FREE, RHOMB_MODE_EXTEND, RHOMB_MODE_LOCAL};
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    match_iupac(true);
    for (int64_t i = 0; i < amount(60); i++) {
        rng r = rng_for("iupac one", i);
        rhomb_mode_options mode = RHOMB_MODE_OPTIONS_INIT;
        rhomb_options options = RHOMB_OPTIONS_INIT;
        rhomb_alignment *alignment = NULL;
        rhomb_scoring scoring;
        rhomb_tuning tuning = RHOMB_TUNING_INIT;
        const oracle_penalties penalties =
            mode_penalties_of(asker.session.ctx, i % 2 == 0 ? "match:2,4,4,2" : "asm20");
        mode.mode = MODES[i % (int64_t)COUNT(MODES)];
        mode.free_ends = (rhomb_free_ends){0, 0, 10000, 10000};
        mode.z_drop = i % 4 == 1 ? 50 : RHOMB_NO_LIMIT;
        p.a.length = p.b.length = 0;
        letters_random(&p.a, i % 5 == 0 ? CODES : "AACCGGTTNRY", rng_between(&r, 1, 600), &r);
        letters_mutate(&p.b, &p.a, 0.1, CODES, &r);
        assert_int_equal(rhomb_scoring_parse(asker.session.ctx,
                                             i % 2 == 0 ? "match:2,4,4,2" : "asm20", &scoring),
                         RHOMB_OK);
        options.scoring = &scoring;
        options.alphabet = RHOMB_ALPHABET_IUPAC;
        tuning.local_group_size = i % 3 == 0 ? 4 : 0;
        tuning.local_item_rows = i % 3 == 0 ? 8 : 0;
        options.tuning = &tuning;
        const oracle_mode how = {mode.mode, mode.free_ends, mode.z_drop, 0};
        const rhomb_pair_extent expected =
            oracle_mode_extent(p.a.at, p.a.length, p.b.at, p.b.length, &penalties, &how, NULL);
        if (rhomb_align_mode(asker.session.ctx, p.a.at, p.a.length, p.b.at, p.b.length, &mode,
                             &options, &alignment) != RHOMB_OK)
            fail_msg("%lld: %s", (long long)i, rhomb_context_error(asker.session.ctx));
        const rhomb_pair_extent *e = rhomb_alignment_local(alignment)->extent;
        assert_true(e->score == expected.score && e->target_begin == expected.target_begin &&
                    e->target_end == expected.target_end &&
                    e->query_begin == expected.query_begin && e->query_end == expected.query_end);
        rhomb_alignment_destroy(alignment);
    }
    pair_release(&p);
}

static int take_cells(int64_t row, int64_t column, const int64_t *distances, size_t count,
                      void *user)
{
    int64_t *matrix = user;
    memcpy(matrix + rhomb_matrix_pair(row, column), distances, count * sizeof *distances);
    return 0;
}

/* All pairs of a set. */
static void test_matrix(void **state)
{
    enum { SEQUENCES = 24 };
    rhomb_matrix_sequence sequences[SEQUENCES];
    letters texts[SEQUENCES] = {{NULL, 0, 0}};
    int64_t matrix[SEQUENCES * (SEQUENCES - 1) / 2];
    rhomb_matrix_options options = RHOMB_MATRIX_OPTIONS_INIT;
    rng r = rng_for("iupac matrix", 0);
    match_iupac(true);
    for (int i = 0; i < SEQUENCES; i++) {
        if (i == 0)
            letters_random(&texts[i], "ACGTN", 400, &r);
        else
            letters_mutate(&texts[i], &texts[0], 0.02 * i, i % 2 == 0 ? CODES : "ACGT", &r);
        sequences[i] = (rhomb_matrix_sequence){texts[i].at, texts[i].length, NULL};
    }
    options.alphabet = RHOMB_ALPHABET_IUPAC;
    options.results = take_cells;
    options.user = matrix;
    if (rhomb_matrix_compute(asker.session.ctx, sequences, SEQUENCES, &options, NULL) != RHOMB_OK)
        fail_msg("%s", rhomb_context_error(asker.session.ctx));
    for (int64_t i = 1; i < SEQUENCES; i++)
        for (int64_t j = 0; j < i; j++)
            assert_int_equal(
                matrix[rhomb_matrix_pair(i, j)],
                oracle_edlib(texts[j].at, texts[j].length, texts[i].at, texts[i].length));
    for (int i = 0; i < SEQUENCES; i++)
        free(texts[i].at);
}

/* 500 N in 3 kb: an alignment of 0 edits, which is no trivial one for DNA. */
static void test_many_n(void **state)
{
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    rng r = rng_for("iupac n", 0);
    letters_random(&p.a, "ACGT", 3000, &r);
    letters_append(&p.b, p.a.at, p.a.length);
    for (int i = 0; i < 500; i++)
        p.b.at[rng_below(&r, 3000)] = 'N';
    const score_set set = set_of("wfa");
    ask_engines(&p, &set, 0);
    const align_question q =
        align_question_of(&p, RHOMB_ALPHABET_IUPAC, RHOMB_ENGINE_AUTO, "iupac n", 0);
    assert_int_equal(q.distance, 0);
    letters_append(&p.b, "ACGTACGT", 8);
    ask_engines(&p, &set, 1);
    pair_release(&p);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_relation),         cmocka_unit_test(test_exhaustive_batch),
        cmocka_unit_test(test_exhaustive_modes), cmocka_unit_test(test_exhaustive_engines),
        cmocka_unit_test(test_random),           cmocka_unit_test(test_random_modes),
        cmocka_unit_test(test_one_pair),         cmocka_unit_test(test_matrix),
        cmocka_unit_test(test_many_n),
    };
    amount_from(argc, argv, 2);
    if (!align_asker_open(&asker))
        return 77;
    int failures = 0;
    for (size_t i = 0; i < COUNT(tests); i++) {
        const struct CMUnitTest chosen[] = {tests[i]};
        if (argc < 2 || strcmp(tests[i].name, argv[1]) == 0)
            failures += cmocka_run_group_tests(chosen, NULL, NULL);
    }
    align_asker_close(&asker);
    return failures != 0;
}
