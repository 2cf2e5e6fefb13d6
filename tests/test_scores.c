/* SPDX-License-Identifier: MIT */
/*
 * Gap-affine penalties and scores against independent code, on the device that "auto" takes: all
 * short strings over two bases, random families with the presets and with random penalties, and
 * unit costs in other words against the unit-cost engines.
 *
 *     test_scores CASE [PERCENT]    one case; PERCENT of its pairs, 100 unless told
 *     test_scores                   all cases
 *
 * Each set of penalties is a program to build, so pairs go set by set. Exits with 77 where there is
 * no device.
 */
#include "support/affine_pair.h"
#include "support/amount.h"
#include "support/check.h"
#include "support/quick_build.h"
#include "support/run.h"
#include "support/test.h"
#include "tests/reference/edlib_distance.h"

#include "src/planner/tiling.h"

/* Random pairs that a whole run has to check in all cases. */
#define LEAST_PAIRS 20000

enum {
    PRESET_PAIRS = 650, /* of each set */
    RANDOM_PAIRS = 260,
    STRIP_PAIRS = 60,  /* and of each variant */
    TILE_PAIRS = 22,   /* the same */
    TILES = 3,         /* variants of them, the last one of a group */
    UNIT_PAIRS = 150,  /* and of each engine */
    SYMBOL_PAIRS = 40, /* and of each number of planes */
    RANDOM_SETS = 50,
    RANDOM_PARTS = 5 /* cases that share the sets */
};

static session the_session;

/* What has a name, and the other sets of the figures. */
static const struct preset {
    const char *name; /* NULL: none */
    rhomb_scoring scoring;
} PRESETS[] = {
    {"wfa", {0, 4, 6, 2, -1, -1, NULL}},    {"asm5", {1, 19, 39, 3, 81, 1, NULL}},
    {"asm10", {1, 9, 16, 2, 41, 1, NULL}},  {"asm20", {1, 4, 6, 2, 26, 1, NULL}},
    {"map-ont", {2, 4, 4, 2, 24, 1, NULL}}, {NULL, {0, 5, 8, 2, 24, 1, NULL}},
    {NULL, {1, 4, 6, 2, -1, -1, NULL}},     {NULL, {2, 4, 4, 2, -1, -1, NULL}},
};

/* Lengths at which a word, a block of columns or a strip ends, give or take one, and others. */
static int64_t draw_length(rng *r)
{
    static const int64_t EDGES[] = {16, 32, 48, 64, 96, 128, 256, 512};
    if (rng_chance(r, 0.3))
        return EDGES[rng_below(r, COUNT(EDGES))] + rng_between(r, -1, 1);
    return rng_below(r, INT64_C(1) << rng_between(r, 2, 9)) + rng_below(r, 90);
}

/* Whether the wavefront looks back no further than it can; unit costs have one of their own. */
static bool wavefront_can(const score_set *set)
{
    rhomb__error error = {0};
    rhomb__costs costs;
    assert_int_equal(rhomb__costs_of(&error, &set->scoring, &costs), RHOMB_OK);
    return rhomb__costs_are_edit(&costs) || rhomb__affine_can(&costs);
}

/* All engines that can, in turn; or one. */
static rhomb_engine engine_for(const score_set *set, rhomb_engine only, int64_t index)
{
    static const rhomb_engine ENGINES[] = {RHOMB_ENGINE_AUTO, RHOMB_ENGINE_WAVEFRONT,
                                           RHOMB_ENGINE_BITPARALLEL};
    const rhomb_engine engine =
        only != RHOMB_ENGINE_AUTO ? only : ENGINES[index % (int64_t)COUNT(ENGINES)];
    return engine == RHOMB_ENGINE_WAVEFRONT && !wavefront_can(set) ? RHOMB_ENGINE_AUTO : engine;
}

/*
 * Engines in turns. `family` goes through all of them but the one of long pairs; `codes` says
 * whether there may be other symbols than A, C, G and T, which two more programs of each kernel
 * have to compare.
 */
static question draw_question(const score_set *set, rhomb_engine only, bool codes, const char *name,
                              int64_t index, pair *p)
{
    rng r = rng_for(set->text, index);
    affine_family family = (affine_family)(index % AFFINE_FAMILY_COUNT);
    if (family == AFFINE_STRIPS && index % 7 != 0)
        family = AFFINE_ACROSS;
    if (family == AFFINE_CODES && !codes)
        family = AFFINE_UNIFORM;
    affine_pair_make(family, draw_length(&r), &r, p);
    question q = question_scored(p, set, name, index);
    q.engine = engine_for(set, only, index);
    q.relation = affine_family_text(family);
    return q;
}

/*
 * Pairs of all families, each followed by one of the relations in turn; of a variant, or as
 * planned.
 */
static int64_t ask_families(const score_set *set, rhomb_engine only, const variant *v, bool codes,
                            const char *name, int64_t pairs)
{
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (int64_t i = 0; i < pairs; i++) {
        question q = draw_question(set, only, codes, name, i, &p);
        q.variant = v;
        question_ask(&the_session, &q, NULL);
        question_ask_related(&the_session, &q, (relation)(i % RELATION_COUNT));
    }
    pair_release(&p);
    return pairs;
}

static void test_exhaustive(void **state)
{
    static const rhomb_scoring SCORINGS[] = {
        {0, 4, 6, 2, -1, -1, NULL}, {0, 1, 0, 1, -1, -1, NULL}, {0, 3, 1, 2, 3, 1, NULL},
        {2, 4, 4, 2, -1, -1, NULL}, {1, 4, 1, 1, 3, 0, NULL},
    };
    enum { STRINGS = 63 };
    int64_t asked = 0, taken = 0;
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (size_t i = 0; i < COUNT(SCORINGS); i++) {
        const score_set set = score_set_of(&SCORINGS[i]);
        for (int both = 0; both < STRINGS * STRINGS; both++) {
            pair_tiny(&p, STRINGS, both);
            question q = question_scored(&p, &set, "exhaustive", asked);
            if (!amount_takes(asked++))
                continue;
            taken++;
            q.engine = RHOMB_ENGINE_BITPARALLEL;
            question_ask(&the_session, &q, NULL);
            q.engine = RHOMB_ENGINE_WAVEFRONT;
            question_ask(&the_session, &q, NULL);
        }
    }
    printf("exhaustive: %lld pairs\n", (long long)taken);
    pair_release(&p);
}

static void test_names(void **state)
{
    for (size_t i = 0; i < COUNT(PRESETS); i++) {
        const score_set set = score_set_of(&PRESETS[i].scoring);
        const char *const texts[] = {set.text, PRESETS[i].name};
        for (int which = 0; which < 2 && texts[which] != NULL; which++) {
            rhomb_scoring parsed;
            memset(&parsed, 0x55, sizeof parsed);
            assert_int_equal(rhomb_scoring_parse(the_session.ctx, texts[which], &parsed), RHOMB_OK);
            assert_memory_equal(&parsed, &PRESETS[i].scoring, sizeof parsed);
        }
    }
}

/* A pair of 20,000 bases by each engine. */
static void ask_long(const score_set *set, int64_t index)
{
    rng r = rng_for("long presets", index);
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    const pair_recipe recipe = {.model = index % 2 == 0 ? PAIR_UNIFORM : PAIR_LONG_INDELS,
                                .length = 20000,
                                .error_rate = 0.05,
                                .longest_indel = 4000,
                                .alphabet = "ACGT"};
    pair_make(&recipe, &r, &p);
    question q = question_scored(&p, set, "long presets", index);
    for (int i = 0; i < 3; i++) {
        q.engine = engine_for(set, RHOMB_ENGINE_AUTO, i);
        question_ask(&the_session, &q, NULL);
    }
    pair_release(&p);
}

static void test_presets(void **state)
{
    int64_t pairs = 0;
    for (size_t i = 0; i < COUNT(PRESETS); i++) {
        if (!amount_takes((int64_t)i))
            continue;
        const score_set set = score_set_of(&PRESETS[i].scoring);
        /* Codes with one piece and with two. */
        pairs += ask_families(&set, RHOMB_ENGINE_AUTO, NULL, i % 4 == 0, "presets",
                              amount_of_each(PRESET_PAIRS));
        if (!amount_is_first_tier())
            ask_long(&set, (int64_t)i);
    }
    printf("presets: %lld random pairs, %d sets of penalties\n", (long long)pairs,
           (int)COUNT(PRESETS));
}

static int64_t divisor(int64_t a, int64_t b)
{
    return b == 0 ? a : divisor(b, a % b);
}

/*
 * Penalties that take `planes` planes: 2 * (open + extend) + 1 values in the first piece. The
 * second one is the better from some length on; without one where no extension is below the
 * first's.
 */
static rhomb_scoring draw_penalties(int planes, bool two, rng *r)
{
    const int64_t least = (INT64_C(1) << planes) / 4, most = (INT64_C(1) << planes) / 2 - 1;
    for (;;) {
        rhomb_scoring s = {0, 0, 0, 0, -1, -1, NULL};
        const int64_t step = rng_between(r, least, most);
        s.gap_extend = rng_between(r, 1, rng_chance(r, 0.5) && step > 8 ? step / 8 : step);
        s.gap_open = step - s.gap_extend;
        s.mismatch = rng_between(r, 1, 2 * step + (rng_chance(r, 0.2) ? step : 0));
        if (two && step > 1 && s.gap_extend == 1)
            continue;
        if (two && step > 1) {
            s.gap_extend_2 = rng_between(r, 1, s.gap_extend - 1);
            s.gap_open_2 = step - s.gap_extend_2 + rng_between(r, 0, 3 * step);
        }
        const int64_t unit = divisor(divisor(s.mismatch, s.gap_open), s.gap_extend);
        if (unit == 1)
            return s;
    }
}

/* All penalties times one number: the same costs. */
static void multiply(rhomb_scoring *s, int64_t by)
{
    s->mismatch *= by;
    s->gap_open *= by;
    s->gap_extend *= by;
    s->gap_open_2 *= s->gap_open_2 < 0 ? 1 : by;
    s->gap_extend_2 *= s->gap_extend_2 < 0 ? 1 : by;
}

/*
 * One set in five has a match score, which takes up to two planes more, one in seven a common
 * divisor; planes and pieces go round.
 */
static score_set random_set(int index)
{
    rng r = rng_for("random penalties", index);
    const bool scores = index % 5 == 4;
    const int planes = 2 + index % 9;
    rhomb_scoring s =
        draw_penalties(scores && planes > 4 ? planes - 2 : planes, index / 9 % 2 == 1, &r);
    if (scores) {
        s.match = rng_between(&r, 1, 4);
        s.mismatch = rng_below(&r, 12);
    }
    if (index % 7 == 6)
        multiply(&s, rng_between(&r, 2, 9));
    return score_set_of(&s);
}

static void test_random(void **state)
{
    /*
     * Each set is a kernel of its own: with one word an item it takes two thirds of the time. Every
     * other set goes through the wavefront, too, and one in five has codes, with one piece or two.
     */
    static const variant ONE_WORD = {.words = 1};
    const int part = *(const int *)*state;
    int64_t pairs = 0;
    for (int i = part; i < RANDOM_SETS; i += RANDOM_PARTS) {
        if (!amount_takes(i / RANDOM_PARTS))
            continue;
        const score_set set = random_set(i);
        printf("%s: %d planes of costs\n", set.text, score_set_planes(&set));
        const int turn = i / RANDOM_PARTS;
        const rhomb_engine only = turn % 2 == 0 ? RHOMB_ENGINE_AUTO : RHOMB_ENGINE_BITPARALLEL;
        pairs += ask_families(&set, only, &ONE_WORD, turn % 5 == 2, "random",
                              amount_of_each(RANDOM_PAIRS));
    }
    printf("random %d: %lld random pairs\n", part, (long long)pairs);
}

/* Widths of costs that the random sets have to cover, in either number of pieces. */
static void test_total(void **state)
{
    int seen[2][11] = {{0}};
    for (int i = 0; i < RANDOM_SETS; i++) {
        const score_set set = random_set(i);
        const int planes = score_set_planes(&set);
        assert_in_range(planes, 2, 10);
        seen[set.penalties.pieces - 1][planes]++;
    }
    for (int planes = 2; planes <= 10; planes++)
        assert_true(seen[0][planes] > 0 && (seen[1][planes] > 0 || planes == 2));
    const int64_t pairs =
        RANDOM_SETS * RANDOM_PAIRS + (int64_t)COUNT(PRESETS) * PRESET_PAIRS + 2000;
    printf("all cases: more than %lld random pairs\n", (long long)pairs);
    assert_true(pairs >= LEAST_PAIRS);
}

/* Strips of 64, 128 and 512 rows, one direction and two, first bands from one diagonal on. */
static void test_strips(void **state)
{
    static const variant SWEEPS[] = {
        {RHOMB_TILE_AUTO, 2, 0, 16, 0, 32, 2, false, 2, 1, 1, 3, 1},
        {RHOMB_TILE_AUTO, 4, 0, 16, 0, 32, 2, false, 1, 1, 1, 2, 0},
        {RHOMB_TILE_AUTO, 1, 0, 16, 0, 32, 2, false, 2, 16, 1, 7, 5},
        {RHOMB_TILE_AUTO, 1, 0, 16, 0, 32, 2, false, 1, 16, 1, 2, 40},
    };
    static const affine_family FAMILIES[] = {AFFINE_STRIPS, AFFINE_ACROSS, AFFINE_LONG_GAPS,
                                             AFFINE_ENDS, AFFINE_UNRELATED};
    static const rhomb_scoring SCORINGS[] = {
        {0, 4, 6, 2, -1, -1, NULL}, {2, 4, 4, 2, -1, -1, NULL}, {0, 5, 8, 2, 24, 1, NULL}};
    int64_t pairs = 0;
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (size_t i = 0; i < COUNT(SCORINGS) * COUNT(SWEEPS); i++) {
        if (!amount_takes((int64_t)i))
            continue;
        const score_set set = score_set_of(&SCORINGS[i / COUNT(SWEEPS)]);
        for (int64_t k = 0; k < amount_of_each(STRIP_PAIRS); k++, pairs++) {
            const affine_family family = FAMILIES[k % (int64_t)COUNT(FAMILIES)];
            rng r = rng_for("strips", pairs);
            affine_pair_make(family, rng_between(&r, 100, 1500), &r, &p);
            question q = question_scored(&p, &set, "strips", pairs);
            q.engine = RHOMB_ENGINE_BITPARALLEL;
            q.variant = &SWEEPS[i % COUNT(SWEEPS)];
            q.relation = affine_family_text(family);
            question_ask(&the_session, &q, NULL);
            question_ask_related(&the_session, &q, (relation)(k % RELATION_COUNT));
        }
    }
    printf("strips: %lld random pairs\n", (long long)pairs);
    pair_release(&p);
}

/* Every third pair of tiles of a group has runs that all items follow together. Says what it is. */
static const char *make_tile_pair(size_t tile, int64_t k, int64_t index, pair *p)
{
    rng r = rng_for("tiles", index);
    affine_family family = (affine_family)(k % AFFINE_FAMILY_COUNT);
    if (tile == TILES - 1 && k % 3 == 2) {
        const pair_recipe similar = {.model = PAIR_LONG_INDELS,
                                     .length = rng_between(&r, 1000, 4000),
                                     .error_rate = 0.003,
                                     .longest_indel = 20,
                                     .alphabet = "ACGT"};
        pair_make(&similar, &r, p);
        return "long runs";
    }
    if (family == AFFINE_STRIPS) /* whose pairs are long */
        family = AFFINE_ACROSS;
    if (family == AFFINE_CODES && tile != 0)
        family = AFFINE_BESIDE;
    affine_pair_make(family, rng_between(&r, 1, k % 8 == 0 ? 500 : 150), &r, p);
    return affine_family_text(family);
}

/*
 * Tiles of a wavefront that pairs go far beyond: each of one diagonal between its margins, and of
 * more; launches as short as can be, and longer; one item and several, in both widths of offsets.
 */
static void test_tiles(void **state)
{
    /* Costs that look back 4, 12 and 17 scores, and extend by 1, by 3 or 2, and by 3 or 1. */
#define TILE(g, i, s, l, bits)                                                   \
    {                                                                            \
        .group = g, .items = i, .columns = s, .launches = l, .offset_bits = bits \
    }
    static const struct {
        rhomb_scoring scoring;
        variant tiles[TILES];
    } CASES[] = {
        {{0, 4, 6, 2, -1, -1, NULL},
         {TILE(1, 13, 6, 1, 32), TILE(1, 64, 17, 2, 64), TILE(4, 8, 7, 100, 32)}},
        {{0, 12, 5, 3, 8, 2, NULL},
         {TILE(1, 15, 14, 3, 64), TILE(1, 40, 33, 1, 32), TILE(2, 10, 15, 2, 64)}},
        {{1, 4, 2, 1, 8, 0, NULL},
         {TILE(1, 45, 19, 2, 32), TILE(1, 100, 40, 1, 64), TILE(8, 8, 20, 100, 32)}},
    };
#undef TILE
    int64_t pairs = 0;
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    quick_builds = true;
    for (size_t i = 0; i < COUNT(CASES) * TILES; i++) {
        if (!amount_takes((int64_t)i))
            continue;
        const score_set set = score_set_of(&CASES[i / TILES].scoring);
        for (int64_t k = 0; k < amount_of_each(TILE_PAIRS); k++, pairs++) {
            const char *made = make_tile_pair(i % TILES, k, pairs, &p);
            question q = question_scored(&p, &set, "tiles", pairs);
            q.engine = RHOMB_ENGINE_WAVEFRONT;
            q.variant = &CASES[i / TILES].tiles[i % TILES];
            q.relation = made;
            question_ask(&the_session, &q, NULL);
            /* Windows are narrowest where the limit is the penalty. */
            question_ask_related(&the_session, &q, RELATION_LIMIT_EXACT);
            question_ask_related(&the_session, &q, (relation)(k % RELATION_COUNT));
        }
    }
    quick_builds = false;
    printf("tiles: %lld random pairs\n", (long long)pairs);
    pair_release(&p);
}

/* Symbols of two to eight planes: DNA, with N, with IUPAC codes, and all bytes. */
static void test_symbols(void **state)
{
    static const rhomb_scoring SCORINGS[] = {{0, 4, 6, 2, -1, -1, NULL}, {0, 5, 8, 2, 24, 1, NULL}};
    static const int32_t PLANES[] = {2, 3, 4, 8};
    int64_t pairs = 0;
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (size_t i = 0; i < COUNT(SCORINGS) * COUNT(PLANES); i++) {
        const score_set set = score_set_of(&SCORINGS[i / COUNT(PLANES)]);
        const variant v = {.planes = PLANES[i % COUNT(PLANES)]};
        for (int64_t k = 0; k < amount(SYMBOL_PAIRS); k++, pairs++) {
            rhomb_alphabet alphabet;
            rng r = rng_for("symbols", pairs);
            const pair_recipe recipe = {.model = k % 2 == 0 ? PAIR_UNIFORM : PAIR_LONG_INDELS,
                                        .length = rng_between(&r, 1, 900),
                                        .error_rate = 0.1,
                                        .longest_indel = 100,
                                        .alphabet = variant_letters(&v, &alphabet)};
            pair_make(&recipe, &r, &p);
            question q = question_scored(&p, &set, "symbols", pairs);
            q.alphabet = alphabet;
            q.engine = k % 4 < 2 ? RHOMB_ENGINE_BITPARALLEL : RHOMB_ENGINE_WAVEFRONT;
            question_ask(&the_session, &q, NULL);
            question_ask_related(&the_session, &q, (relation)(k % RELATION_COUNT));
        }
    }
    printf("symbols: %lld random pairs\n", (long long)pairs);
    pair_release(&p);
}

/* Unit costs in other words: every engine has to take them, and say how similar the pair is. */
static void test_unit_costs(void **state)
{
    static const rhomb_scoring SCORINGS[] = {{0, 1, 0, 1, -1, -1, NULL},
                                             {0, 2, 0, 2, -1, -1, NULL},
                                             {0, 5, 0, 5, -1, -1, NULL},
                                             {2, 0, 0, 1, -1, -1, NULL}};
    static const rhomb_engine ENGINES[] = {RHOMB_ENGINE_AUTO, RHOMB_ENGINE_WAVEFRONT,
                                           RHOMB_ENGINE_BITPARALLEL};
    int64_t pairs = 0;
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (size_t i = 0; i < COUNT(SCORINGS) * COUNT(ENGINES); i++) {
        const score_set set = score_set_of(&SCORINGS[i / COUNT(ENGINES)]);
        for (int64_t k = 0; k < amount(UNIT_PAIRS); k++, pairs++) {
            rhomb_report report;
            question q = draw_question(&set, RHOMB_ENGINE_AUTO, true, "unit_costs", k, &p);
            const int64_t edits = oracle_distance(p.a.at, p.a.length, p.b.at, p.b.length, false);
            const int64_t longer = p.a.length > p.b.length ? p.a.length : p.b.length;
            q.engine = ENGINES[i % COUNT(ENGINES)];
            question_ask(&the_session, &q, &report);
            assert_int_equal(report.edit_penalty * edits, report.distance);
            assert_true(report.similarity ==
                        (longer == 0 ? 1 : 1 - (double)edits / (double)longer));
            question_ask_related(&the_session, &q, (relation)(k % RELATION_COUNT));
        }
    }
    printf("unit costs: %lld random pairs\n", (long long)pairs);
    pair_release(&p);
}

int main(int argc, char **argv)
{
    static int parts[RANDOM_PARTS] = {0, 1, 2, 3, 4};
    const struct CMUnitTest tests[] = {
        {"total", test_total, NULL, NULL, NULL},
        {"names", test_names, NULL, NULL, NULL},
        {"exhaustive", test_exhaustive, NULL, NULL, NULL},
        {"presets", test_presets, NULL, NULL, NULL},
        {"random_0", test_random, NULL, NULL, &parts[0]},
        {"random_1", test_random, NULL, NULL, &parts[1]},
        {"random_2", test_random, NULL, NULL, &parts[2]},
        {"random_3", test_random, NULL, NULL, &parts[3]},
        {"random_4", test_random, NULL, NULL, &parts[4]},
        {"strips", test_strips, NULL, NULL, NULL},
        {"tiles", test_tiles, NULL, NULL, NULL},
        {"symbols", test_symbols, NULL, NULL, NULL},
        {"unit_costs", test_unit_costs, NULL, NULL, NULL},
    };
    amount_from(argc, argv, 2);
    /* Hardly a kernel is used twice, and to keep a binary takes PoCL as long as to build it. */
    setenv("RHOMB_CACHE_DIR", "off", 1);
    return session_run(&the_session, tests, argc > 1 ? argv[1] : NULL);
}
