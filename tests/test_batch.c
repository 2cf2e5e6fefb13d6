/* SPDX-License-Identifier: MIT */
/*
 * Batches of short pairs against edlib, and each path against the rule's: lengths about the word
 * size, distances about every kernel's limit, kinds of pairs, limits of the caller, tunings, and
 * pairs that are far too long for a kernel.
 *
 *     test_batch CASE [THOUSANDS [GROUP]]     of pairs, and work-items that share one, in the case
 *                                             "million"
 *
 * Exits with 77 without a device.
 */
#include "host/device/context.h"
#include "support/batch_check.h"
#include "support/check.h"
#include "support/run.h"
#include "support/test.h"

/* That no kernel's exceeds: a pair beyond it is solved alone, with a path up to MOST_ALONE whole.
 */
#define LAST_LIMIT 2000
#define MOST_ALONE 4000

/* About the symbols of a word, of two, and of four. */
static const int64_t EDGES[] = {0, 1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129};
/* That kernels have, or may have. */
static const int64_t LIMITS[] = {32, 64, 128, 256, 512, 1000, LAST_LIMIT};

static const char *const ALPHABETS[] = {"ACGTU", "ACGTN", "ACGTURYSWKMBDHVN"};

static session device;
static int64_t thousands = 1000;
static int32_t million_group;

static batch_setup setup_of(void)
{
    const batch_setup setup = BATCH_SETUP_INIT;
    return setup;
}

static void add_recipe(pair_list *list, const pair_recipe *recipe, rng *r)
{
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    pair_make(recipe, r, &p);
    pair_list_add(list, &p);
    pair_release(&p);
}

/* Asks for paths and for distances alone. */
static void ask_both(pair_list *list)
{
    batch_setup setup = setup_of();
    batch_ask(device.ctx, &setup, list, NULL);
    setup.cigar = false;
    batch_ask(device.ctx, &setup, list, NULL);
}

static void ask_and_release(pair_list *list)
{
    ask_both(list);
    pair_list_release(list);
}

/* Every length beside every other: nothing in common, and a part with errors. */
static void test_lengths(void **state)
{
    pair_list list = pair_list_of("lengths", RHOMB_ALPHABET_DNA);
    rng r = rng_for(list.family, 0);
    for (size_t x = 0; x < COUNT(EDGES) * COUNT(EDGES); x++) {
        pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
        const int64_t lengths[2] = {EDGES[x / COUNT(EDGES)], EDGES[x % COUNT(EDGES)]};
        letters_random(&p.a, "ACGT", lengths[0], &r);
        letters_random(&p.b, "ACGT", lengths[1], &r);
        pair_list_add(&list, &p);
        for (int64_t i = 0; i < lengths[0] && i < lengths[1]; i++)
            p.b.at[i] = rng_chance(&r, 0.9) ? p.a.at[i] : 'C';
        pair_list_add(&list, &p);
        pair_release(&p);
    }
    ask_and_release(&list);
}

/* Every model, with few bases and many, and in lower case. */
static void ask_models(const char *family, rhomb_alphabet alphabet)
{
    pair_list list = pair_list_of(family, alphabet);
    rng r = rng_for(list.family, 0);
    for (int64_t i = 0; i < 40 * PAIR_MODEL_COUNT; i++) {
        const pair_recipe recipe = {.model = (pair_model)(i % PAIR_MODEL_COUNT),
                                    .length = rng_below(&r, i % 5 == 0 ? 2001 : 400),
                                    .error_rate = 0.02 * (double)rng_below(&r, 10),
                                    .spacing = rng_between(&r, 1, 70),
                                    .longest_indel = rng_between(&r, 1, 300),
                                    .alphabet = ALPHABETS[rng_below(&r, COUNT(ALPHABETS))],
                                    .lower_case = rng_chance(&r, 0.3)};
        add_recipe(&list, &recipe, &r);
    }
    ask_and_release(&list);
}

static void test_models(void **state)
{
    ask_models("models", RHOMB_ALPHABET_DNA);
}

static void test_iupac(void **state)
{
    ask_models("iupac", RHOMB_ALPHABET_IUPAC);
}

/* Bytes: any, NUL among them, and such that only lower case tells apart. */
static void test_bytes(void **state)
{
    char all[256];
    pair_list list = pair_list_of("bytes", RHOMB_ALPHABET_BYTES);
    rng r = rng_for(list.family, 0);
    for (int byte = 0; byte < 255; byte++)
        all[byte] = (char)(unsigned char)(byte + 1);
    all[255] = '\0';
    for (int64_t i = 0; i < 300; i++) {
        const char *const alphabets[] = {all, "ACGTacgt", "ACGT", "xyz"};
        const pair_recipe recipe = {.model = PAIR_UNIFORM,
                                    .length = rng_below(&r, 300),
                                    .error_rate = 0.02 * (double)rng_below(&r, 10),
                                    .alphabet = alphabets[i % 4]};
        pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
        pair_make(&recipe, &r, &p);
        for (int64_t x = 0; x < p.a.length && i % 8 == 0; x += 7)
            p.a.at[x] = '\0';
        pair_list_add(&list, &p);
        pair_release(&p);
    }
    ask_and_release(&list);
}

/* Adds a pair with the distance, planted in some way that brings it about. */
static void add_planted(pair_list *list, int64_t distance, int64_t longest, const char *alphabet,
                        rng *r)
{
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    bool planted = false;
    while (!planted) {
        const plant how = (plant)rng_below(r, PLANT_COUNT);
        const int64_t length = rng_between(r, distance + distance / 2, longest);
        planted = pair_plant(how, length, distance, alphabet, r, &p);
    }
    pair_list_add_known(list, &p, distance);
    pair_release(&p);
}

/* Distances about every limit, by any kind of edits, up to those that take a long pair's engine. */
static void test_limits(void **state)
{
    pair_list list = pair_list_of("limits", RHOMB_ALPHABET_DNA);
    rng r = rng_for(list.family, 0);
    for (size_t l = 0; l < COUNT(LIMITS); l++) {
        const int64_t limit = LIMITS[l], times = limit < 200 ? 24 : 6;
        for (int64_t i = 0; i < 3 * times; i++)
            add_planted(&list, limit - 1 + i % 3, 2000 + limit, i % 4 == 0 ? "ACGTN" : "ACGT", &r);
    }
    for (int64_t i = 0; i < 18; i++)
        add_planted(&list, LAST_LIMIT - 1 + i % 3, 5000, "ACGT", &r);
    for (int64_t i = 0; i < 6; i++)
        add_planted(&list, MOST_ALONE - 1 + i % 3, 9000, "ACGT", &r);
    ask_and_release(&list);
}

/* The caller's limit, about the distance of a pair; also 0. */
static void test_max_distance(void **state)
{
    batch_setup setup = setup_of();
    for (int64_t i = 0; i < 12; i++) {
        static const int64_t DISTANCES[] = {0, 1, 2, 31, 32, 33, 64, 127, 128, 129, 200, 513};
        pair_list list = pair_list_of("max_distance", RHOMB_ALPHABET_DNA);
        rng r = rng_for(list.family, i);
        for (int64_t d = DISTANCES[i] > 1 ? DISTANCES[i] - 2 : 0; d <= DISTANCES[i] + 2; d++)
            for (int times = 0; times < 4; times++)
                add_planted(&list, d, 1500, "ACGT", &r);
        for (int64_t beside = -1; beside <= 1; beside++) {
            setup.max_distance = DISTANCES[i] + beside;
            if (setup.max_distance < 0)
                continue;
            setup.cigar = true;
            batch_ask(device.ctx, &setup, &list, NULL);
            setup.cigar = false;
            batch_ask(device.ctx, &setup, &list, NULL);
        }
        setup.max_distance = INT64_MAX;
        batch_ask(device.ctx, &setup, &list, NULL);
        pair_list_release(&list);
    }
}

/* A byte outside of the alphabet is of its pair alone, wherever it is. */
static void test_other_letters(void **state)
{
    pair_list list = pair_list_of("other_letters", RHOMB_ALPHABET_DNA);
    rng r = rng_for(list.family, 0);
    for (int64_t i = 0; i < 400; i++) {
        const pair_recipe recipe = {.model = PAIR_UNIFORM,
                                    .length = rng_between(&r, 1, 200),
                                    .error_rate = 0.05,
                                    .alphabet = ALPHABETS[i % 2]};
        static const char WRONG[] = {'X', '-', '*', '\n', '\0', '@', 'x', '\x80', '\xff', 'E', '['};
        pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
        pair_make(&recipe, &r, &p);
        letters *spoilt = rng_chance(&r, 0.5) ? &p.a : &p.b;
        const bool fails = rng_chance(&r, 0.2) && spoilt->length > 0;
        if (fails)
            spoilt->at[rng_below(&r, spoilt->length)] = WRONG[i % (int64_t)sizeof WRONG];
        listed_pair *added = pair_list_add(&list, &p);
        added->status = fails ? RHOMB_ERR_ALPHABET : RHOMB_OK;
        pair_release(&p);
    }
    ask_and_release(&list);
}

/* A few hundred short pairs, with a few that are harder or longer than the rest. */
static pair_list make_mixture(const char *family)
{
    pair_list list = pair_list_of(family, RHOMB_ALPHABET_DNA);
    rng r = rng_for(family, 0);
    for (int64_t i = 0; i < 400; i++) {
        const pair_recipe recipe = {.model = (pair_model)(i % PAIR_MODEL_COUNT),
                                    .length =
                                        i % 50 == 0 ? rng_below(&r, 2000) : rng_below(&r, 200),
                                    .error_rate = 0.01 * (double)rng_below(&r, 20),
                                    .spacing = rng_between(&r, 1, 70),
                                    .longest_indel = 40,
                                    .alphabet = ALPHABETS[i % 10 == 0 ? 2 : i % 10 == 1],
                                    .lower_case = i % 7 == 0};
        add_recipe(&list, &recipe, &r);
    }
    return list;
}

/* One row of tunings, and how many pairs are added at once; 0: all. */
typedef struct tuning_row {
    int32_t group_size, first_limit, last_limit, workers;
    int64_t job_bases;
    int32_t long_bases;
    int64_t at_once;
} tuning_row;

static void ask_tuning(const tuning_row *row, const pair_list *list)
{
    batch_setup setup = setup_of();
    rhomb_batch_report report;
    setup.tuning.group_size = row->group_size;
    setup.tuning.first_limit = row->first_limit;
    setup.tuning.last_limit = row->last_limit;
    setup.tuning.workers = row->workers;
    setup.tuning.job_bases = row->job_bases;
    setup.tuning.long_bases = row->long_bases;
    setup.at_once = row->at_once;
    batch_ask(device.ctx, &setup, list, &report);
    /* Pairs that the kernels are not to solve, nobody else has solved. */
    for (int64_t x = 0; x < list->count && report.long_pairs == 0; x++)
        assert_true(list->at[x].distance <= row->last_limit);
    assert_true(row->job_bases != 4096 || report.jobs > 2);
    setup.cigar = false;
    if (row->group_size == 1) /* larger ones take a CPU's compiler long */
        batch_ask(device.ctx, &setup, list, NULL);
}

/* The same results whatever the tuning; the paths are the rule's, so they are the same as well. */
static void test_tunings(void **state)
{
    static const tuning_row rows[] = {
        {1, 1, 8, 1, 4096, 0, 0},       {1, 32, 64, 2, 10000, 0, 1},
        {1, 7, 2000, 3, 0, 0, 7},       {1, 2000, 2000, 1, INT64_C(1) << 30, 0, 0},
        {1, 1, 2000, 5, 4096, 100, 13}, {1, 33, 33, 0, 0, 0, 0},
        {2, 31, 100, 2, 50000, 0, 100}, {2, 5, 1000, 64, 4096, 0, 399},
    };
    pair_list list = make_mixture("tunings");
    for (size_t i = 0; i < COUNT(rows); i++)
        ask_tuning(&rows[i], &list);
    pair_list_release(&list);
}

/* Jobs that share the device's queue, as some drivers need it, with pairs that are solved alone. */
static void test_one_queue(void **state)
{
    static const tuning_row rows[] = {{1, 32, 500, 5, 4096, 0, 13}, {1, 1, 8, 3, 20000, 100, 0}};
    pair_list list = make_mixture("one queue");
    device.ctx->stream.device->quirks.one_queue = true;
    for (size_t i = 0; i < COUNT(rows); i++)
        ask_tuning(&rows[i], &list);
    pair_list_release(&list);
}

/* All other sizes of groups. */
static void test_groups(void **state)
{
    static const tuning_row rows[] = {
        {8, 1, 2000, 0, 0, 0, 0},         {4, 33, 33, 0, 0, 0, 0},
        {16, 32, 2000, 1, 0, 0, 0},       {32, 8, 500, 0, 0, 0, 50},
        {64, 64, 2000, 0, 0, 64, 0},      {128, 16, 2000, 3, 10000, 0, 1},
        {256, 128, 512, 4, 0, 1000, 200}, {256, 2000, 2000, 0, 0, 0, 0},
    };
    pair_list list = make_mixture("groups");
    for (size_t i = 0; i < COUNT(rows); i++)
        ask_tuning(&rows[i], &list);
    pair_list_release(&list);
}

/* Threads of the host change nothing either. */
static void test_threads(void **state)
{
    pair_list list = make_mixture("threads");
    for (int32_t threads = 1; threads <= 8; threads += 1 + 2 * (threads > 1)) {
        rhomb_context_options options = RHOMB_CONTEXT_OPTIONS_INIT;
        rhomb_context *ctx = NULL;
        batch_setup setup = setup_of();
        options.threads = threads;
        assert_int_equal(rhomb_context_create(&ctx, &options), RHOMB_OK);
        assert_int_equal(rhomb_context_open(ctx, getenv("RHOMB_TEST_DEVICE"), 0), RHOMB_OK);
        setup.tuning.job_bases = 4096;
        batch_ask(ctx, &setup, &list, NULL);
        rhomb_context_destroy(ctx);
    }
    pair_list_release(&list);
}

/* Adds a pair of `length` bases with about `edits` of them changed, alike but for that. */
static void add_long(pair_list *list, int64_t length, int64_t edits, rng *r)
{
    const pair_recipe recipe = {
        .model = PAIR_SPACED, .length = length, .spacing = length / edits, .alphabet = "ACGT"};
    add_recipe(list, &recipe, r);
}

/* A pair of a million bases in the middle of short ones, some in the ladder's upper part, and one
 * that no kernel's limit holds. */
static void test_long_pairs(void **state)
{
    pair_list list = pair_list_of("long_pairs", RHOMB_ALPHABET_DNA);
    rng r = rng_for(list.family, 0);
    batch_setup setup = setup_of();
    for (int64_t i = 0; i < 2000; i++) {
        const pair_recipe recipe = {.model = PAIR_UNIFORM,
                                    .length = rng_below(&r, 150),
                                    .error_rate = 0.03,
                                    .alphabet = ALPHABETS[i % 100 == 0]};
        if (i == 1000)
            add_long(&list, 1000000, 300, &r);
        else if (i % 400 == 7)
            add_long(&list, 200000, 100 + i / 10, &r);
        else if (i == 1500)
            add_long(&list, 12000, 4000, &r); /* beyond any kernel's limit */
        else if (i == 1600)
            add_long(&list, 30000, 9000, &r); /* aligned in parts */
        else
            add_recipe(&list, &recipe, &r);
    }
    ask_both(&list);
    setup.tuning.job_bases = 100000; /* less than some pairs have */
    batch_ask(device.ctx, &setup, &list, NULL);
    setup.max_distance = 100;
    batch_ask(device.ctx, &setup, &list, NULL);
    pair_list_release(&list);
}

/* One of the million. Most are short and close; one in fifty has a distance about a high limit. */
static void add_one_of_many(pair_list *list, rng *r)
{
    const int64_t kind = rng_below(r, 1000);
    pair_recipe recipe = {.model = (pair_model)rng_below(r, PAIR_MODEL_COUNT),
                          .spacing = rng_between(r, 8, 60),
                          .longest_indel = rng_between(r, 1, 40),
                          .error_rate = 0.01 * (double)rng_below(r, 8),
                          .alphabet = kind % 16 == 0 ? ALPHABETS[1] : ALPHABETS[0]};
    if (kind < 350) {
        recipe.length = EDGES[rng_below(r, COUNT(EDGES))];
        recipe.model = recipe.length > 65 ? PAIR_UNIFORM : recipe.model;
    } else if (kind < 850) {
        recipe.length = rng_below(r, 200);
        recipe.model = kind < 800 ? PAIR_LONG_INDEL : recipe.model;
    } else if (kind < 970) {
        recipe.length = rng_between(r, 100, 300);
        recipe.model = PAIR_UNIFORM;
        recipe.error_rate = 0.1 + 0.01 * (double)rng_below(r, 15);
    } else if (kind < 980) {
        recipe.length = rng_below(r, 2001);
        recipe.model = rng_chance(r, 0.5) ? PAIR_LONG_INDEL : PAIR_UNIFORM;
        recipe.longest_indel = 200;
    } else {
        /* The higher, the rarer. */
        size_t l = 0;
        while (l + 1 < COUNT(LIMITS) && rng_chance(r, 0.3))
            l++;
        const int64_t limit = LIMITS[l]; /* of symbols that differ: no U beside T */
        add_planted(list, limit - 1 + rng_below(r, 3), 400 + limit * 3,
                    kind % 16 == 0 ? ALPHABETS[1] : "ACGT", r);
        return;
    }
    add_recipe(list, &recipe, r);
}

/* Many pairs, one batch: given part by part, so that the test's own memory is bounded. */
static void test_million(void **state)
{
    enum { PART = 20000 };
    batch_setup setup = setup_of();
    batch_asker asker;
    rhomb_batch_report report;
    setup.tuning.group_size = million_group;
    batch_asker_open(&asker, device.ctx, &setup, RHOMB_ALPHABET_DNA);
    int64_t begin = 0;
    for (; begin < 1000 * thousands; begin += PART) {
        pair_list list = pair_list_of("million", RHOMB_ALPHABET_DNA);
        rng r = rng_for(list.family, begin / PART);
        for (int64_t i = begin; i < begin + PART && i < 1000 * thousands; i++)
            add_one_of_many(&list, &r);
        batch_asker_ask(&asker, &list);
        pair_list_release(&list);
    }
    batch_asker_close(&asker, &report);
    assert_int_equal(report.pairs, begin < 1000 * thousands ? begin : 1000 * thousands);
}

static const struct CMUnitTest CASES[] = {
    TEST_LIST(cmocka_unit_test, test_lengths, test_models, test_bytes, test_limits,
              test_max_distance, test_other_letters, test_tunings, test_groups, test_one_queue,
              test_threads, test_long_pairs, test_million, test_iupac)};

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    if (argc > 2)
        thousands = strtoll(argv[2], NULL, 10);
    if (argc > 3)
        million_group = (int32_t)strtol(argv[3], NULL, 10);
    return session_run(&device, CASES, argv[1]);
}
