/* SPDX-License-Identifier: MIT */
/*
 * Distances against independent code, on the device that "auto" takes: all short strings over two
 * bases, families of random pairs with every variant of the tuning, pairs that other programs are
 * known to get wrong, progress and cancelling.
 *
 *     test_distance CASE [PERCENT]    one case; PERCENT of its pairs or bases, 100 unless told
 *     test_distance                   all cases
 *
 * Exits with 77 where there is no device.
 */
#include "cl/abi.h"
#include "support/amount.h"
#include "support/check.h"
#include "support/test.h"
#include "tests/reference/edlib_distance.h"

/* Random pairs that a whole run has to check in all families. */
#define LEAST_PAIRS 20000

/* Symbols that are compared at a time; the first steps of a longer run take 4 times as many. */
#define WINDOW RHOMB_WORD_SYMBOLS

static session the_session;
#define MODEL(name) (1u << PAIR_##name)

typedef struct family {
    const char *name;
    unsigned models;      /* of MODEL() */
    int64_t pairs;        /* of a whole run */
    int64_t most_length;  /* of a sequence */
    int64_t least_length; /* 0: mostly short ones, and those around the edges of tiles and words */
    int64_t most_edits;   /* 0: any error rate */
    bool all_relations;   /* for each pair, else one in turn */
    bool iupac;           /* pairs of RHOMB_ALPHABET_IUPAC alone */
} family;

static const family FAMILIES[] = {
    {"uniform", MODEL(UNIFORM), 4600, 1200, 0, 0, false, false},
    {"spaced", MODEL(SPACED), 3600, 1200, 0, 0, false, false},
    {"indels", MODEL(LONG_INDEL) | MODEL(LONG_INDELS) | MODEL(BLOCK_SWAP), 3500, 1200, 0, 0, false,
     false},
    {"repeats", MODEL(TANDEM) | MODEL(HOMOPOLYMER) | MODEL(RUNS), 4000, 1200, 0, 0, false, false},
    {"unlike", MODEL(REVERSED) | MODEL(UNRELATED) | MODEL(UNEQUAL) | MODEL(PART), 4000, 1200, 0, 0,
     false, false},
    {"limits", (1u << PAIR_MODEL_COUNT) - 1, 2000, 1200, 0, 0, true, false},
    {"medium", MODEL(UNIFORM) | MODEL(LONG_INDELS) | MODEL(RUNS) | MODEL(TANDEM) | MODEL(PART), 50,
     20000, 3000, 600, false, false},
    {"large", MODEL(UNIFORM) | MODEL(LONG_INDEL) | MODEL(LONG_INDELS) | MODEL(RUNS), 12, 200000,
     50000, 5000, false, false},
    {"iupac", (1u << PAIR_MODEL_COUNT) - 1, 1200, 1200, 0, 0, false, true},
};
enum { FAMILY_COUNT = COUNT(FAMILIES) };

/* Bases to draw from, with the planes of a pair that has them all. */
static const struct letter_set {
    int32_t planes;
    rhomb_alphabet alphabet;
    const char *letters;
} LETTER_SETS[] = {
    {2, RHOMB_ALPHABET_DNA, "ACGT"},
    {2, RHOMB_ALPHABET_DNA, "ACGTU"},
    {2, RHOMB_ALPHABET_DNA, "GACN"},
    {2, RHOMB_ALPHABET_DNA, "AC"},
    {2, RHOMB_ALPHABET_BYTES, "?!Aa"},
    {3, RHOMB_ALPHABET_DNA, "ACGTN"},
    {3, RHOMB_ALPHABET_BYTES, "ACGTacgt"},
    {4, RHOMB_ALPHABET_DNA, "ACGTNRYSW"},
    {4, RHOMB_ALPHABET_DNA, "ACGTNRYSWKMBDHVU"},
    {4, RHOMB_ALPHABET_IUPAC, "ACGTNRYSWKMBDHVU"},
    {4, RHOMB_ALPHABET_IUPAC, "AACCGGTN"},
    {4, RHOMB_ALPHABET_IUPAC, "ACNRY"},
    {4, RHOMB_ALPHABET_BYTES, "!#%+:=?@AC[^aTz~"},
    {8, RHOMB_ALPHABET_BYTES, NULL}, /* variant_letters() */
};
enum { LETTER_SET_COUNT = COUNT(LETTER_SETS) };

/* A random pair, and what it was made from. */
typedef struct draw {
    const variant *variant;
    const struct letter_set *set;
    pair_recipe recipe;
    pair pair;
} draw;

/* Lengths at which a tile, a window or a run's step ends, give or take one. */
static int64_t edge_length(const variant *v, int64_t most, rng *r)
{
    const int64_t w = variant_diagonals(v), t = v->columns;
    const int64_t edges[] = {0,
                             WINDOW,
                             2 * WINDOW,
                             6 * WINDOW,
                             10 * WINDOW,
                             t,
                             2 * t,
                             w - 2 * t,
                             w - t,
                             w,
                             w + t,
                             2 * (w - t),
                             2 * w,
                             2 * w - 2 * t,
                             1,
                             3 * (w - t),
                             INT64_C(1) << rng_below(r, 11)};
    const int64_t edge = edges[rng_below(r, COUNT(edges))] + rng_between(r, -1, 1);
    return edge < 0 ? 0 : edge > most ? rng_below(r, most) : edge;
}

/* From 0 to most, as many below 30 as above where `most` is 1000. */
static int64_t mostly_short(int64_t most, rng *r)
{
    int64_t bits = 1;
    while ((INT64_C(1) << bits) <= most)
        bits++;
    const int64_t length = rng_below(r, INT64_C(1) << rng_between(r, 1, bits));
    return length < most ? length : most;
}

static int64_t draw_length(const family *f, const variant *v, rng *r)
{
    if (f->least_length > 0)
        return rng_between(r, f->least_length, f->most_length);
    return rng_chance(r, 0.5) ? edge_length(v, f->most_length, r) : mostly_short(f->most_length, r);
}

static pair_model draw_model(unsigned models, rng *r)
{
    for (;;) {
        const unsigned model = (unsigned)rng_below(r, PAIR_MODEL_COUNT);
        if ((models >> model & 1) != 0)
            return (pair_model)model;
    }
}

static pair_recipe draw_recipe(const family *f, const draw *d, rng *r)
{
    static const double RATES[] = {0, 0.001, 0.01, 0.03, 0.1, 0.2, 0.35, 0.5, 0.75, 1};
    const int64_t spacings[] = {1, 8, WINDOW, 2 * WINDOW, 6 * WINDOW, 10 * WINDOW};
    pair_recipe recipe = {.alphabet = d->set->letters};
    rhomb_alphabet bytes;
    if (recipe.alphabet == NULL)
        recipe.alphabet = variant_letters(d->variant, &bytes);
    recipe.model = draw_model(f->models, r);
    recipe.length = draw_length(f, d->variant, r);
    recipe.error_rate = RATES[rng_below(r, COUNT(RATES))];
    recipe.longest_indel = recipe.length / 2;
    if (f->most_edits > 0) {
        const double most = (double)f->most_edits / (double)recipe.length;
        recipe.error_rate = recipe.error_rate < most ? recipe.error_rate : most;
        recipe.longest_indel = f->most_edits / 5;
    }
    recipe.spacing = spacings[rng_below(r, COUNT(spacings))];
    recipe.spacing += rng_between(r, recipe.spacing > 1 ? -1 : 0, 1);
    recipe.lower_case = d->set->alphabet != RHOMB_ALPHABET_BYTES && rng_chance(r, 0.2);
    return recipe;
}

/* Small tiles and all diagonals of a wide pyramid take too long where distances are large. */
static bool is_fit_for(const variant *v, const family *f)
{
    return f->most_length <= 20000 || variant_is_long(v);
}

/* The next variant from `position` on, in turn, that fits the family and so many planes. */
static const variant *next_variant(const family *f, int64_t position, int32_t planes)
{
    size_t count = 0;
    while (variant_at(count) != NULL)
        count++;
    for (size_t at = (size_t)position % count;; at = (at + 1) % count) {
        const variant *v = variant_at(at);
        if (is_fit_for(v, f) && (planes == 0 || v->planes == planes))
            return v;
    }
}

static const struct letter_set *draw_letters(int32_t planes, rng *r)
{
    for (;;) {
        const struct letter_set *set = &LETTER_SETS[rng_below(r, LETTER_SET_COUNT)];
        if (set->planes == planes)
            return set;
    }
}

/* Leaves 16 different bytes: there are variants of up to 4 planes, and of 8. */
static void narrow(pair *p)
{
    letters *const both[] = {&p->a, &p->b};
    for (int side = 0; side < 2; side++) {
        for (int64_t i = 0; i < both[side]->length; i++)
            both[side]->at[i] &= 0x0f;
    }
}

/* In half of the short pairs the second sequence ends at an edge as well. */
static void draw_pair(const family *f, int64_t index, draw *d)
{
    rng r = rng_for(f->name, index);
    d->variant = next_variant(f, index, f->iupac ? 4 : 0);
    d->set = draw_letters(d->variant->planes, &r);
    while (f->iupac && d->set->alphabet != RHOMB_ALPHABET_IUPAC)
        d->set = draw_letters(d->variant->planes, &r);
    d->recipe = draw_recipe(f, d, &r);
    pair_make(&d->recipe, &r, &d->pair);
    if (f->least_length == 0 && rng_chance(&r, 0.5)) {
        const int64_t edge = edge_length(d->variant, f->most_length, &r);
        d->pair.b.length = d->pair.b.length < edge ? d->pair.b.length : edge;
    }
    /* Pairs that happen to have fewer bases run with a variant whose program is built already. */
    if (pair_planes(&d->pair, d->set->alphabet) != d->variant->planes) {
        if (d->variant->planes == 8)
            narrow(&d->pair);
        d->variant = next_variant(f, index, pair_planes(&d->pair, d->set->alphabet));
    }
}

static void test_family(void **state)
{
    const family *f = *state;
    draw d = {.pair = {{NULL, 0, 0}, {NULL, 0, 0}}};
    int64_t pairs = 0, split = 0;
    for (; pairs < amount(f->pairs); pairs++) {
        rhomb_report report;
        draw_pair(f, pairs, &d);
        /* Tilings with that relation are programs of their own; test_iupac has engines with it. */
        if (amount_is_first_tier() && d.set->alphabet == RHOMB_ALPHABET_IUPAC)
            continue;
        question q = question_of(&d.pair, d.set->alphabet, d.variant, f->name, pairs);
        q.recipe = &d.recipe;
        question_ask(&the_session, &q, &report);
        split += report.launches > report.batches;
        for (int which = 0; which < RELATION_UNIT_COUNT; which++) {
            if (f->all_relations || which == pairs % RELATION_UNIT_COUNT)
                question_ask_related(&the_session, &q, (relation)which);
        }
    }
    pair_release(&d.pair);
    printf("%s: %lld random pairs (%lld with tiles in several launches)\n", f->name,
           (long long)pairs, (long long)split);
    assert_true(pairs > 0);
}

static void test_total(void **state)
{
    int64_t pairs = 0;
    for (int i = 0; i < FAMILY_COUNT; i++)
        pairs += FAMILIES[i].pairs;
    printf("all families: %lld random pairs\n", (long long)pairs);
    assert_true(pairs >= LEAST_PAIRS);
}

static int64_t ask_all_strings(const variant *v, int most, int64_t asked)
{
    const int strings = (2 << most) - 1;
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (int both = 0; both < strings * strings; both++) {
        pair_tiny(&p, strings, both);
        const question q = question_of(&p, RHOMB_ALPHABET_DNA, v, "exhaustive", asked++);
        question_ask(&the_session, &q, NULL);
    }
    pair_release(&p);
    return asked;
}

/* All pairs of strings up to 5 bases with one variant, up to 3 bases with all. */
static void test_exhaustive(void **state)
{
    int64_t asked = ask_all_strings(variant_at(0), 5, 0);
    for (size_t at = 0; variant_at(at) != NULL; at++) {
        if (variant_at(at)->planes == 2)
            asked = ask_all_strings(variant_at(at), 3, asked);
    }
    printf("exhaustive: %lld pairs\n", (long long)asked);
    assert_true(asked >= 63 * 63);
}

/* Asks with wide tiles of either shape and with sweeps, both ways round. */
static void ask_hard(const pair *p, rhomb_alphabet alphabet, const char *name)
{
    static const variant VARIANTS[] = {
        {RHOMB_TILE_TRAPEZOID, 1, 512, 32, 100, 32, 0, false, 1, 0, 0, 0, 0},
        {RHOMB_TILE_TRAPEZOID, 1, 512, 32, 100, 32, 0, false, 2, 0, 0, 0, 0},
        {RHOMB_TILE_DIAMOND, 1, 2048, 64, 100, 32, 0, false, 1, 0, 0, 0, 0},
        {RHOMB_TILE_AUTO, 8, 0, 16, 0, 32, 0, false, 2, 1, 2, 64, 300},
        {RHOMB_TILE_AUTO, 1, 0, 16, 0, 32, 0, false, 1, 16, 4, 128, 300}};
    for (int i = 0; i < 5; i++) {
        const question q = question_of(p, alphabet, &VARIANTS[i], name, i);
        question_ask(&the_session, &q, NULL);
        question_ask_related(&the_session, &q, RELATION_SWAPPED);
    }
}

/* Runs of one base, on which probes never end. */
static void test_homopolymers(void **state)
{
    static const int64_t LENGTHS[][2] = {{20000, 19000}, {100000, 99000}, {1, 5000}};
    for (size_t i = 0; i < COUNT(LENGTHS); i++) {
        pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
        letters_repeat(&p.a, "A", LENGTHS[i][0]);
        letters_repeat(&p.b, "A", LENGTHS[i][1]);
        ask_hard(&p, RHOMB_ALPHABET_DNA, "homopolymers");
        letters_append(&p.b, "C", 1);
        ask_hard(&p, RHOMB_ALPHABET_DNA, "homopolymers");
        pair_release(&p);
    }
}

/*
 * N in few places: a sweep leaves out their plane where the rows of a strip and the columns of a
 * launch have none, so that each N has to be seen wherever it is in a block, a launch and a strip.
 */
static void test_few_n(void **state)
{
    static const int64_t PLACES[] = {0, 15, 16, 511, 512, 1023, 2000, 5119, 5120, 5999};
    for (size_t i = 0; i < COUNT(PLACES); i++) {
        rng r = rng_for("few_n", (int64_t)i);
        pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
        letters_random(&p.a, "ACGT", 6000, &r);
        letters_mutate(&p.b, &p.a, 0.1, "ACGT", &r);
        p.a.at[PLACES[i]] = 'N';
        ask_hard(&p, RHOMB_ALPHABET_DNA, "few_n");
        p.b.at[PLACES[COUNT(PLACES) - 1 - i] * p.b.length / 6000] = 'N';
        ask_hard(&p, RHOMB_ALPHABET_DNA, "few_n");
        pair_release(&p);
    }
}

/* 105 kbp of a repeat of 7 bases, a few units missing, a few errors. */
static void test_tandem_repeat(void **state)
{
    rng r = rng_for("tandem_repeat", 0);
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    letters other = {NULL, 0, 0};
    letters_repeat(&p.a, "ACCTGAT", 105000);
    letters_repeat(&other, "ACCTGAT", 104400);
    letters_mutate(&p.b, &other, 0.005, "ACGT", &r);
    ask_hard(&p, RHOMB_ALPHABET_DNA, "tandem_repeat");
    free(other.at);
    pair_release(&p);
}

/* Three tenths missing of 100 kb, or of a share of them; one error in a thousand bases. */
static void test_long_deletion(void **state)
{
    rng r = rng_for("long_deletion", 0);
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    letters kept = {NULL, 0, 0};
    letters_random(&p.a, "ACGT", amount(100000), &r);
    letters_append(&kept, p.a.at, amount(40000));
    letters_append(&kept, p.a.at + amount(70000), amount(30000));
    letters_mutate(&p.b, &kept, 0.001, "ACGT", &r);
    ask_hard(&p, RHOMB_ALPHABET_DNA, "long_deletion");
    free(kept.at);
    pair_release(&p);
}

/* Progress goes one way, also where one engine takes over from the other. */
static int follow_progress(const rhomb_progress *now, void *user)
{
    rhomb_progress *before = user;
    assert_true(now->lower_bound >= before->lower_bound);
    assert_true(now->upper_bound <= before->upper_bound);
    assert_true(now->seconds >= before->seconds);
    assert_true(now->fraction >= before->fraction && now->fraction <= 1);
    *before = *now;
    return 0;
}

/* The engine that solves a pair when none is asked for. The distance has to be right either way. */
static const char *engine_of(const pair *p, int64_t limit)
{
    static char engine[32];
    const question q = question_of(p, RHOMB_ALPHABET_DNA, NULL, "auto", 0);
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_result *result = NULL;
    rhomb_progress before = {.upper_bound = INT64_MAX};
    options.max_distance = limit;
    options.progress = follow_progress;
    options.progress_user = &before;
    assert_int_equal(rhomb_distance(the_session.ctx, p->a.at, p->a.length, p->b.at, p->b.length,
                                    &options, &result),
                     RHOMB_OK);
    const rhomb_report *report = rhomb_result_report(result);
    assert_true(report->distance == (limit >= 0 && limit < q.distance ? -1 : q.distance));
    snprintf(engine, sizeof engine, "%s", report->plan->engine);
    rhomb_result_destroy(result);
    return engine;
}

/* Random sequences take a wavefront seconds that a sweep takes tenths of; similar ones do not. */
static void test_auto(void **state)
{
    rng r = rng_for("auto", 0);
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    letters_random(&p.a, "ACGT", 80000, &r);
    letters_random(&p.b, "ACGT", 84000, &r);
    assert_string_equal(engine_of(&p, RHOMB_NO_LIMIT), "bitparallel");
    assert_string_equal(engine_of(&p, 40000), "bitparallel");
    assert_string_equal(engine_of(&p, 3999), "trivial");
    pair_release(&p);
    pair similar = {{NULL, 0, 0}, {NULL, 0, 0}};
    letters_random(&similar.a, "ACGT", 300000, &r);
    letters_mutate(&similar.b, &similar.a, 0.002, "ACGT", &r);
    assert_string_equal(engine_of(&similar, RHOMB_NO_LIMIT), "wavefront");
    pair_release(&similar);
}

/* Asks with all variants of the pair's planes, both ways round. */
static void ask_all_variants(const pair *p, rhomb_alphabet alphabet, const char *name)
{
    int64_t asked = 0;
    for (size_t at = 0; variant_at(at) != NULL; at++) {
        if (variant_at(at)->planes != pair_planes(p, alphabet))
            continue;
        const question q = question_of(p, alphabet, variant_at(at), name, asked++);
        question_ask(&the_session, &q, NULL);
        question_ask_related(&the_session, &q, RELATION_SWAPPED);
    }
    assert_true(asked > 0);
}

/* Every byte is a symbol, also NUL and those that some programs take for marks of their own. */
static void test_all_bytes(void **state)
{
    rng r = rng_for("all_bytes", 0);
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (int i = 0; i < 1024; i++) {
        const char a = (char)(unsigned char)(i % 256), b = (char)(unsigned char)(i * 5 % 256);
        letters_append(&p.a, &a, 1);
        letters_append(&p.b, rng_chance(&r, 0.5) ? &a : &b, 1);
    }
    ask_all_variants(&p, RHOMB_ALPHABET_BYTES, "all_bytes");
    p.a.length = p.b.length = 0;
    letters_repeat(&p.a, "GATTACA!?", 900);
    letters_repeat(&p.b, "GATTACA?!?", 1000);
    ask_all_variants(&p, RHOMB_ALPHABET_BYTES, "all_bytes");
    pair_release(&p);
}

/*
 * Nothing in common: after r edits the end diagonal is at r, so that at most n - r edits are left,
 * and pruning leaves half of the pyramid.
 */
static void test_pruning(void **state)
{
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    letters_repeat(&p.a, "A", 1000);
    letters_repeat(&p.b, "C", 1000);
    static const rhomb_tile_shape SHAPES[] = {RHOMB_TILE_TRAPEZOID, RHOMB_TILE_DIAMOND};
    for (int i = 0; i < 2; i++) {
        rhomb_report with, without;
        variant v = {SHAPES[i], 8, 1, 3, 2, 32, 2, false, 1, 0, 0, 0, 0};
        question q = question_of(&p, RHOMB_ALPHABET_DNA, &v, "pruning", i);
        question_ask(&the_session, &q, &with);
        v.no_pruning = true;
        question_ask(&the_session, &q, &without);
        assert_true(with.cells < without.cells * 55 / 100);
        /* The tiles outside are left out by the host as well: fewer diagonals are held. */
        assert_true(with.diagonals_in_use < without.diagonals_in_use);
    }
    pair_release(&p);
}

typedef struct cancelling {
    int64_t calls;
    int64_t stop_at;
} cancelling;

static int cancel(const rhomb_progress *progress, void *user)
{
    cancelling *c = user;
    return ++c->calls == c->stop_at;
}

/* A call that is stopped at its nth progress, until one gets through; the context works after. */
static void test_cancel(void **state)
{
    rng r = rng_for("cancel", 0);
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    letters_random(&p.a, "ACGT", 300, &r);
    letters_random(&p.b, "ACGT", 300, &r);
    const variant v = {RHOMB_TILE_DIAMOND, 8, 1, 3, 1, 32, 2, false, 1, 0, 0, 0, 0};
    const question q = question_of(&p, RHOMB_ALPHABET_DNA, &v, "cancel", 0);
    int64_t stopped = 0;
    for (rhomb_status status = RHOMB_ERR_CANCELLED; status != RHOMB_OK; stopped++) {
        cancelling c = {0, stopped + 1};
        rhomb_tuning tuning = RHOMB_TUNING_INIT;
        rhomb_options options = RHOMB_OPTIONS_INIT;
        options.engine = RHOMB_ENGINE_WAVEFRONT;
        tuning.tile_shape = stopped % 2 == 0 ? RHOMB_TILE_DIAMOND : RHOMB_TILE_TRAPEZOID;
        tuning.group_size = 8;
        tuning.diagonals_per_item = 1;
        tuning.tile_scores = 3;
        tuning.launches_per_read = stopped % 3 == 0 ? 1 : 4;
        options.tuning = &tuning;
        options.progress = cancel;
        options.progress_user = &c;
        rhomb_result *result = NULL;
        status = rhomb_distance(the_session.ctx, p.a.at, p.a.length, p.b.at, p.b.length, &options,
                                &result);
        assert_true(status == RHOMB_OK || status == RHOMB_ERR_CANCELLED);
        assert_true((status == RHOMB_OK) == (result != NULL));
        assert_true(c.calls == c.stop_at || status == RHOMB_OK);
        rhomb_result_destroy(result);
        question_ask(&the_session, &q, NULL);
    }
    assert_true(stopped > 3);
    pair_release(&p);
}

static void expect_failure(rhomb_status expected, const char *target, int64_t target_length,
                           const char *query, int64_t query_length, const char *detail)
{
    rhomb_result *result = (rhomb_result *)&result;
    const rhomb_status status =
        rhomb_distance(the_session.ctx, target, target_length, query, query_length, NULL, &result);
    assert_string_equal(rhomb_status_name(status), rhomb_status_name(expected));
    assert_null(result);
    if (strstr(rhomb_context_error(the_session.ctx), detail) == NULL)
        fail_msg("no \"%s\" in \"%s\"", detail, rhomb_context_error(the_session.ctx));
}

static void test_errors(void **state)
{
    rhomb_result *result = NULL;
    assert_true(rhomb_distance(NULL, "A", 1, "A", 1, NULL, &result) == RHOMB_ERR_ARGUMENT);
    assert_true(rhomb_distance(the_session.ctx, "A", 1, "A", 1, NULL, NULL) == RHOMB_ERR_ARGUMENT);
    expect_failure(RHOMB_ERR_ARGUMENT, "A", -1, "A", 1, "negative");
    expect_failure(RHOMB_ERR_ARGUMENT, "A", 1, NULL, 1, "NULL");
    expect_failure(RHOMB_ERR_ARGUMENT, "A", (INT64_C(1) << 56) + 1, "A", 1, "2^56");
    expect_failure(RHOMB_ERR_ALPHABET, "ACGTX", 5, "A", 1, "target: character 'X'");
    expect_failure(RHOMB_ERR_ALPHABET, "A", 1, "AC GT", 5, "at position 3");
    assert_true(rhomb_distance(the_session.ctx, NULL, 0, NULL, 0, NULL, &result) == RHOMB_OK);
    assert_true(rhomb_result_report(result)->distance == 0);
    assert_true(rhomb_result_report(result)->similarity == 1);
    rhomb_result_destroy(result);
}

static const struct CMUnitTest FIXED[] = {
    {"total", test_total, NULL, NULL, NULL},
    {"errors", test_errors, NULL, NULL, NULL},
    {"cancel", test_cancel, NULL, NULL, NULL},
    {"pruning", test_pruning, NULL, NULL, NULL},
    {"auto", test_auto, NULL, NULL, NULL},
    {"all_bytes", test_all_bytes, NULL, NULL, NULL},
    {"homopolymers", test_homopolymers, NULL, NULL, NULL},
    {"few_n", test_few_n, NULL, NULL, NULL},
    {"tandem_repeat", test_tandem_repeat, NULL, NULL, NULL},
    {"long_deletion", test_long_deletion, NULL, NULL, NULL},
    {"exhaustive", test_exhaustive, NULL, NULL, NULL},
};

int main(int argc, char **argv)
{
    int failures = 0, found = 0;
    amount_from(argc, argv, 2);
    if (!session_open(&the_session))
        return 77;
    for (size_t i = 0; i < COUNT(FIXED) + FAMILY_COUNT; i++) {
        const family *f = i < COUNT(FIXED) ? NULL : &FAMILIES[i - COUNT(FIXED)];
        const struct CMUnitTest of_family = {f != NULL ? f->name : NULL, test_family, NULL, NULL,
                                             (void *)(uintptr_t)f};
        const struct CMUnitTest chosen[] = {f != NULL ? of_family : FIXED[i]};
        if (argc > 1 && strcmp(chosen[0].name, argv[1]) != 0)
            continue;
        found++;
        failures += cmocka_run_group_tests_name(chosen[0].name, chosen, NULL, NULL);
    }
    session_close(&the_session);
    if (found == 0)
        fprintf(stderr, "there is no case \"%s\"\n", argv[1]);
    return failures != 0 || found == 0;
}
