/* SPDX-License-Identifier: MIT */
/*
 * Alignments on the device that "auto" takes: pairs of every kind and all borders where parts are
 * solved in another way, with both engines and many tunings. Each path has to make the query of the
 * target at exactly edlib's distance, and to be the one that the rule of include/rhomb/align.h
 * gives, operation for operation.
 *
 *     test_align [CASE [FACTOR]]     FACTOR: as many pairs, or a length, times this
 *
 * Exits with 77 where there is no device.
 */
#include "align_check.h"
#include "support/amount.h"
#include "support/pair_list.h"
#include "support/quick_build.h"
#include "support/test.h"
#include "support/thread_ranks.h"

static align_asker asker;
static int64_t factor = 1;

static const rhomb_engine ENGINES[] = {RHOMB_ENGINE_AUTO, RHOMB_ENGINE_WAVEFRONT,
                                       RHOMB_ENGINE_BITPARALLEL};
enum { ENGINE_COUNT = COUNT(ENGINES) };

/* With 2 to 4 bit planes: each number of them is another program of each kernel. */
static const struct {
    const char *drawn;
    rhomb_alphabet alphabet;
    bool lower_case;
} LETTERS[] = {{"ACGTU", RHOMB_ALPHABET_DNA, false},
               {"ACGTN", RHOMB_ALPHABET_DNA, true},
               {"ACGTNRYSWKMBDHVU", RHOMB_ALPHABET_DNA, true},
               {"ACGTNRYSWKMBDHVU", RHOMB_ALPHABET_IUPAC, true},
               {"ACNRY", RHOMB_ALPHABET_IUPAC, false},
               {"AaCcGgNn -\x01\x7f\x80\xff", RHOMB_ALPHABET_BYTES, false}};

/* Asks each engine. */
static void ask_engines(const pair *p, rhomb_alphabet alphabet, const char *family, int64_t index)
{
    align_question q = align_question_of(p, alphabet, RHOMB_ENGINE_AUTO, family, index);
    for (int i = 0; i < ENGINE_COUNT; i++) {
        q.engine = ENGINES[i];
        align_ask(&asker, &q, NULL);
    }
}

/* Every kind of pair, with bases of every kind. */
static void test_models(void **state)
{
    const int64_t pairs = 2 * PAIR_MODEL_COUNT * (int64_t)COUNT(LETTERS) * factor;
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (int64_t index = 0; index < pairs; index++) {
        rng r = rng_for("align models", index);
        const size_t kind = (size_t)(index / PAIR_MODEL_COUNT) % COUNT(LETTERS);
        const pair_recipe recipe = {.model = (pair_model)(index % PAIR_MODEL_COUNT),
                                    .length = rng_between(&r, 1, index % 3 == 0 ? 60 : 2500),
                                    .error_rate = 0.01 * (double)rng_below(&r, 30),
                                    .spacing = rng_between(&r, 1, 100),
                                    .longest_indel = 700,
                                    .alphabet = LETTERS[kind].drawn,
                                    .lower_case = LETTERS[kind].lower_case};
        pair_make(&recipe, &r, &p);
        ask_engines(&p, LETTERS[kind].alphabet, pair_model_text(recipe.model), index);
    }
    pair_release(&p);
    align_asker_expect_all(&asker);
}

/* The query is some bases of the target, in order: so all others are deleted. */
static void make_gap(int64_t kept, int64_t distance, rng *r, pair *p)
{
    pair_release(p);
    letters_random(&p->a, "ACGT", kept / 2, r);
    letters_append(&p->b, p->a.at, p->a.length);
    letters_random(&p->a, "ACGT", distance, r);
    const int64_t at = p->a.length;
    letters_random(&p->a, "ACGT", kept - kept / 2, r);
    letters_append(&p->b, p->a.at + at, p->a.length - at);
}

static void ask_planted(int64_t length, int64_t distance, int64_t index)
{
    rng r = rng_for("align planted", index);
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    if (pair_plant((plant)(index % PLANT_COUNT), length, distance, "ACGT", &r, &p))
        ask_engines(&p, RHOMB_ALPHABET_DNA, "planted", index);
    pair_release(&p);
}

/* Leaves: up to 128 edits and 32768 bases. */
static void test_leaves(void **state)
{
    static const int64_t DISTANCES[] = {1, 2, 3, 127, 128, 129, 130, 255, 256, 257, 258};
    static const int64_t LENGTHS[] = {32766, 32767, 32768, 32769, 32770, 65537, 65540};
    int64_t index = 0;
    for (size_t i = 0; i < COUNT(DISTANCES); i++)
        for (int x = 0; x < 4; x++, index++)
            ask_planted(DISTANCES[i] + 300 + 100 * x, DISTANCES[i], index);
    for (size_t i = 0; i < COUNT(LENGTHS); i++, index++)
        ask_planted(LENGTHS[i], (int64_t)(i % 4 == 3 ? 126 + i : 1 + i), index);
}

/*
 * Which kernel splits a part is a matter of its edits: gaps, of which each half has half, and which
 * may be at either side.
 */
static void test_large_parts(void **state)
{
    static const int64_t DISTANCES[] = {2047,
                                        2048,
                                        2049,
                                        4096,
                                        4097,
                                        8191,
                                        8192,
                                        16384,
                                        16385,
                                        2 * ALIGN_SWEEP_LEAST,
                                        2 * ALIGN_SWEEP_LEAST + 200};
    for (size_t i = 0; i < COUNT(DISTANCES); i++) {
        rng r = rng_for("align large parts", (int64_t)i);
        pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
        make_gap(i % 3 == 0 ? 40 : 150, DISTANCES[i], &r, &p);
        if (i % 2 == 1)
            pair_swap(&p);
        ask_engines(&p, RHOMB_ALPHABET_DNA, "a gap", (int64_t)i);
        pair_release(&p);
    }
}

/* The shortest sweeps, and the longest ones that are left to the wavefront. */
static void test_short_sweeps(void **state)
{
    int64_t least = INT64_MAX, most = 0;
    for (int64_t index = 0; index < 40; index++) {
        rng r = rng_for("align short sweeps", index);
        pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
        make_gap(60, 2 * ALIGN_SWEEP_LEAST + 46 + index, &r, &p);
        const align_question q = align_question_of(&p, RHOMB_ALPHABET_DNA, RHOMB_ENGINE_BITPARALLEL,
                                                   "short sweeps", index);
        align_ask(&asker, &q, NULL);
        if (asker.model.sweeps > 0 && asker.model.least_swept < least)
            least = asker.model.least_swept;
        if (asker.model.most_left > most)
            most = asker.model.most_left;
        pair_release(&p);
    }
    assert_int_equal(most, ALIGN_SWEEP_LEAST);
    assert_int_equal(least, ALIGN_SWEEP_LEAST + 1);
}

/* Parts that are swept again, with work all over them. */
static void test_swept_parts(void **state)
{
    const int64_t length = 4 * ALIGN_SWEEP_LEAST + ALIGN_SWEEP_LEAST / 8;
    rng r = rng_for("align swept parts", 0);
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    letters_random(&p.a, "ACGT", length, &r);
    letters_random(&p.b, "ACGT", length - 300, &r);
    const align_question q =
        align_question_of(&p, RHOMB_ALPHABET_DNA, RHOMB_ENGINE_BITPARALLEL, "swept parts", 0);
    align_ask(&asker, &q, NULL);
    assert_true(asker.model.sweeps > 0);
    pair_release(&p);
    align_asker_expect_all(&asker);
}

/* An edit in 19 bases, then one in 17: a sweep leaves the first part to the wavefront. */
static void test_sparse_parts(void **state)
{
    rng r = rng_for("align sparse parts", 0);
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (int64_t spacing = ALIGN_SWEEP_SPARSE - 1; spacing >= ALIGN_SWEEP_SPARSE - 3;
         spacing -= 2) {
        const pair_recipe recipe = {.model = PAIR_SPACED,
                                    .length = (ALIGN_SWEEP_SPARSE + 1) * ALIGN_SWEEP_LEAST,
                                    .spacing = spacing,
                                    .alphabet = "ACGT"};
        pair piece = {{NULL, 0, 0}, {NULL, 0, 0}};
        pair_make(&recipe, &r, &piece);
        letters_append(&p.a, piece.a.at, piece.a.length);
        letters_append(&p.b, piece.b.at, piece.b.length);
        pair_release(&piece);
    }
    const align_question q =
        align_question_of(&p, RHOMB_ALPHABET_DNA, RHOMB_ENGINE_BITPARALLEL, "sparse parts", 0);
    align_ask(&asker, &q, NULL);
    assert_true(asker.model.sweeps > 0 && asker.model.sparse > 0);
    pair_release(&p);
    align_asker_expect_all(&asker);
}

/*
 * Random sequences between two long runs: the sweep leaves halves to the wavefront, which
 * splits them into runs and parts that are dense again.
 */
static void test_dense_in_sparse(void **state)
{
    const int64_t run = 60 * ALIGN_SWEEP_LEAST, unrelated = 9 * ALIGN_SWEEP_LEAST;
    rng r = rng_for("align dense in sparse", 0);
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    letters_random(&p.a, "ACGT", run, &r);
    letters_append(&p.b, p.a.at, p.a.length);
    for (int i = 0; i < 2; i++) {
        letters piece = {NULL, 0, 0};
        letters_random(&piece, "ACGT", unrelated, &r);
        letters_append(i == 0 ? &p.a : &p.b, piece.at, piece.length);
        free(piece.at);
    }
    letters same = {NULL, 0, 0};
    letters_random(&same, "ACGT", run, &r);
    letters_append(&p.a, same.at, same.length);
    letters_append(&p.b, same.at, same.length);
    free(same.at);
    const align_question q =
        align_question_of(&p, RHOMB_ALPHABET_DNA, RHOMB_ENGINE_BITPARALLEL, "dense in sparse", 0);
    align_ask(&asker, &q, NULL);
    assert_true(asker.model.dense > 0);
    pair_release(&p);
    align_asker_expect_all(&asker);
}

typedef struct edge {
    const char *target_unit;
    int64_t target;
    const char *query_unit;
    int64_t query;
} edge;

static const edge EDGES[] = {
    {"A", 0, "A", 0},
    {"A", 1, "A", 0},
    {"A", 0, "A", 1},
    {"A", 1, "A", 1},
    {"A", 1, "C", 1},
    {"A", 1, "a", 1},
    {"N", 1, "A", 1},
    {"A", 5000, "C", 1},
    {"A", 1, "ACGT", 5000},
    {"AC", 40000, "", 0},
    {"", 0, "ACG", 40000},
    {"N", 3000, "N", 3000},
    {"N", 3000, "N", 2000},
    {"N", 3000, "A", 3000},
    {"N", 100, "ACGT", 40000},
    {"ACGT", 500, "CGTA", 500},
    {"ACGT", 3000, "TGCA", 2999},
    {"ACGTTGC", 70000, "ACGTTGC", 70000},
    {"ACGTTGC", 70000, "ACGTTGC", 69993},
    {"A", 63, "CG", 5000},
    {"A", 64, "CG", 5000},
    {"A", 65, "CG", 5000},
    {"AC", 20, "GT", 9000},
    {"GT", 9000, "AC", 20},
    {"A", 33000, "A", 32000},
    {"C", 15, "G", 300},
    {"C", 300, "G", 15},
};

static void append_unit(letters *to, const char *unit, int64_t length)
{
    letters_append(to, "", 0);
    if (length > 0)
        letters_repeat(to, unit, length);
}

static void test_edges(void **state)
{
    for (size_t i = 0; i < COUNT(EDGES); i++) {
        pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
        append_unit(&p.a, EDGES[i].target_unit, EDGES[i].target);
        append_unit(&p.b, EDGES[i].query_unit, EDGES[i].query);
        ask_engines(&p, RHOMB_ALPHABET_DNA, "edges", (int64_t)i);
        pair_release(&p);
    }
}

/* All pairs of texts of up to three bases. */
static void test_tiny(void **state)
{
    enum { STRINGS = 15 };
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (int both = 0; both < STRINGS * STRINGS; both++) {
        pair_tiny(&p, STRINGS, both);
        ask_engines(&p, RHOMB_ALPHABET_DNA, "tiny", both);
    }
    pair_release(&p);
}

/* A long insertion and a long deletion; 10 Mb with a factor of 100. */
static void test_long_indels(void **state)
{
    for (int i = 0; i < 2; i++) {
        rng r = rng_for("align long indels", i);
        pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
        pair edited = {{NULL, 0, 0}, {NULL, 0, 0}};
        make_gap(15000, 100000 * factor, &r, &p);
        letters_mutate(&edited.b, &p.b, 0.02, "ACGT", &r);
        edited.a = p.a;
        p.a.at = NULL;
        if (i == 1)
            pair_swap(&edited);
        align_question q =
            align_question_of(&edited, RHOMB_ALPHABET_DNA, RHOMB_ENGINE_BITPARALLEL, "indel", i);
        q.judged_only = true;
        align_ask(&asker, &q, NULL);
        pair_release(&edited);
        pair_release(&p);
    }
}

/* A gap between matches, inserted and deleted, is one operation. */
static void ask_clean(pair *p, rhomb_engine engine, bool judged_only, int64_t index)
{
    for (int swapped = 0; swapped < 2; swapped++) {
        rhomb_align_report report;
        int64_t gaps = 0;
        const int64_t more = p->a.length - p->b.length;
        const align_question q = {.p = p,
                                  .alphabet = RHOMB_ALPHABET_DNA,
                                  .engine = engine,
                                  .tuning = RHOMB_TUNING_INIT,
                                  .max_distance = RHOMB_NO_LIMIT,
                                  .distance = more < 0 ? -more : more,
                                  .judged_only = judged_only,
                                  .family = "a clean indel",
                                  .index = index};
        align_ask(&asker, &q, &report);
        for (int64_t i = 0; i < report.operations; i++)
            gaps += RHOMB_CIGAR_CODE(asker.ops[i]) != RHOMB_CIGAR_EQ;
        if (gaps != 1)
            fail_msg("clean indel %lld, %s: %lld operations are a gap's", (long long)index,
                     report.engine, (long long)gaps);
        pair_swap(p);
    }
}

/* The query lacks `gap` bases of the target, at `at` of its own. */
static void make_clean(int64_t at, int64_t gap, int64_t behind, rng *r, pair *p)
{
    letters_random(&p->a, "ACGT", at + gap + behind, r);
    letters_append(&p->b, p->a.at, at);
    letters_append(&p->b, p->a.at + at + gap, behind);
}

/* Everywhere, also at the very ends. */
static void test_clean_indels(void **state)
{
    static const int64_t PLACES[] = {0, 1, 63, 8191, 12345, 16936, 16999, 17000};
    for (size_t i = 0; i < 2 * COUNT(PLACES); i++) {
        const int64_t at = PLACES[i / 2];
        rng r = rng_for("align clean indels", (int64_t)i);
        pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
        make_clean(at, 3000, 17000 - at, &r, &p);
        ask_clean(&p, i % 2 == 0 ? RHOMB_ENGINE_WAVEFRONT : RHOMB_ENGINE_BITPARALLEL, false,
                  (int64_t)i);
        pair_release(&p);
    }
}

/* A long one by the wavefront, which pays for each base of it; 10 Mb with a factor of 1000. */
static void test_clean_long_indel(void **state)
{
    rng r = rng_for("align clean long indel", 0);
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    make_clean(50000, 10000 * factor, 50000, &r, &p);
    ask_clean(&p, RHOMB_ENGINE_WAVEFRONT, true, 0);
    pair_release(&p);
}

/* There is no path where the distance is beyond the limit, and the same one where it is not. */
static void test_limits(void **state)
{
    for (int64_t index = 0; index < 8; index++) {
        rng r = rng_for("align limits", index);
        pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
        const int64_t distance = 1 + index * 60;
        if (!pair_plant((plant)(index % PLANT_COUNT), 1000, distance, "ACGT", &r, &p))
            fail_msg("no pair with the distance %lld", (long long)distance);
        const int64_t limits[] = {0, distance - 1, distance, distance + 1, 1000000};
        for (size_t i = 0; i < COUNT(limits) * ENGINE_COUNT; i++) {
            align_question q = align_question_of(&p, RHOMB_ALPHABET_DNA, ENGINES[i % ENGINE_COUNT],
                                                 "limits", index);
            q.max_distance = limits[i / ENGINE_COUNT];
            align_ask(&asker, &q, NULL);
        }
        pair_release(&p);
    }
}

/* Tiles and sweeps of support/variant.c: with all cases, other tests have their programs, too. */
static const rhomb_tuning TILES[] = {
    {.group_size = 1, .diagonals_per_item = 64, .tile_scores = 1, .no_pruning = true},
    {.group_size = 2, .diagonals_per_item = 8, .tile_scores = 3, .offset_bits = 64},
    {.group_size = 8, .diagonals_per_item = 5, .tile_scores = 8},
};
static const rhomb_tuning SWEEPS[] = {
    {.group_size = 4, .words_per_item = 1, .blocks_per_launch = 7, .first_half_width = 1},
    {.group_size = 1, .words_per_item = 8, .blocks_per_launch = 64},
};

static void ask_tuning(const pair *p, const rhomb_tuning *tuning, rhomb_engine engine,
                       int64_t index)
{
    align_question q = align_question_of(p, RHOMB_ALPHABET_DNA, engine, "tunings", index);
    q.tuning = *tuning;
    q.tuning.struct_size = sizeof q.tuning;
    align_ask(&asker, &q, NULL);
}

/* The rule's path comes out of each tuning; the last pair has parts that are solved one by one. */
static void test_tunings(void **state)
{
    enum { PAIRS = 6 };
    quick_builds = !amount_is_whole();
    for (int64_t index = 0; index < PAIRS; index++) {
        if (!amount_takes(index) && index + 1 < PAIRS)
            continue;
        rng r = rng_for("align tunings", index);
        pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
        const pair_recipe recipe = {.model = (pair_model)(index * 2 % PAIR_MODEL_COUNT),
                                    .length = 2500,
                                    .error_rate = 0.15,
                                    .spacing = 7,
                                    .longest_indel = 300,
                                    .alphabet = "ACGT"};
        pair_make(&recipe, &r, &p);
        if (index + 1 == PAIRS)
            make_gap(64, 16400, &r, &p);
        for (size_t i = 0; i < COUNT(TILES); i++)
            if (index + 1 < PAIRS || !TILES[i].no_pruning)
                ask_tuning(&p, &TILES[i], RHOMB_ENGINE_WAVEFRONT, index);
        for (size_t i = 0; i < COUNT(SWEEPS); i++)
            ask_tuning(&p, &SWEEPS[i], RHOMB_ENGINE_BITPARALLEL, index);
        pair_release(&p);
    }
    quick_builds = false;
}

/* Threads of the host change nothing. */
static void test_threads(void **state)
{
    static const int32_t THREADS[] = {1, 16};
    rhomb_context *const kept = asker.session.ctx;
    for (size_t i = 0; i < COUNT(THREADS); i++) {
        rhomb_context_options options = RHOMB_CONTEXT_OPTIONS_INIT;
        rng r = rng_for("align threads", 0);
        pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
        options.threads = THREADS[i];
        assert_int_equal(rhomb_context_create(&asker.session.ctx, &options), RHOMB_OK);
        assert_int_equal(ranks_open(asker.session.ctx), RHOMB_OK);
        letters_random(&p.a, "ACGT", 9000, &r);
        letters_mutate(&p.b, &p.a, 0.1, "ACGT", &r);
        ask_engines(&p, RHOMB_ALPHABET_DNA, "threads", THREADS[i]);
        pair_release(&p);
        rhomb_context_destroy(asker.session.ctx);
        asker.session.ctx = kept;
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST_LIST(cmocka_unit_test, test_models, test_leaves, test_large_parts, test_short_sweeps,
                  test_swept_parts, test_sparse_parts, test_dense_in_sparse, test_edges, test_tiny,
                  test_long_indels, test_clean_indels, test_clean_long_indel, test_limits,
                  test_tunings, test_threads)};
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    if (argc > 2)
        factor = atoll(argv[2]);
    if (!align_asker_open(&asker))
        return 77;
    const int failures = cmocka_run_group_tests_name("align", tests, NULL, NULL);
    printf("%lld alignments, %lld by the bit-parallel engine\n", (long long)asker.asked,
           (long long)asker.swept);
    align_asker_close(&asker);
    return failures != 0;
}
