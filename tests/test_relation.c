/* SPDX-License-Identifier: MIT */
/*
 * test_relation CASES [LONGEST]: what a look at a pair says, on pairs of 24 to 75 % GC of which is
 * known what is right. CASES pairs are on the other strand or begin elsewhere, CASES / 2 have an
 * inversion or a moved piece, and another CASES are nothing of that, or are not related at all. And
 * the guides that follow from anchors.
 */
#include "host/cli/sketch/relation.h"
#include "planted.h"
#include "support/amount.h"
#include "support/test.h"

static int64_t cases, longest;

static cli_relation relate(const planted *pair)
{
    const cli_two two = {pair->target, pair->target_length, pair->query, pair->query_length};
    const cli_relation_options options = {.threads = 2};
    cli_relation relation;
    assert_true(cli_relate(&two, &options, &relation));
    return relation;
}

/* From 1,000 bases to the longest, each order of magnitude as often. */
static int64_t random_length(rng *r)
{
    int64_t length = 1000;
    while (2 * length <= longest && rng_chance(r, 0.85))
        length *= 2;
    return length + rng_below(r, length);
}

static planted_recipe random_recipe(rng *r)
{
    static const double RATES[] = {0, 0.001, 0.01, 0.03, 0.08};
    planted_recipe recipe = {.length = random_length(r),
                             .gc = 0.24 + 0.51 * (double)rng_below(r, 1001) / 1000,
                             .rate = RATES[rng_below(r, COUNT(RATES))]};
    recipe.repeats = recipe.length > 20000 ? (int)rng_below(r, 6) : 0;
    return recipe;
}

/* What a look has to say, besides what the recipe has of strand, rotation and relation. */
typedef struct wanted {
    size_t least, most, inverted; /* of blocks */
} wanted;

static bool is_right(const cli_relation *got, const planted_recipe *recipe, const wanted *w)
{
    return got->is_related != recipe->unrelated && got->is_unrelated == recipe->unrelated &&
           got->reverse == recipe->reverse && (got->rotation != 0) == (recipe->rotation != 0) &&
           got->count >= w->least && got->count <= w->most && got->inverted == w->inverted &&
           got->is_rearranged == (w->least > 1);
}

static void fail_case(const char *what, int64_t i, const planted_recipe *p, const cli_relation *was)
{
    print_error("%s: case %" PRId64 ", %" PRId64
                " bases, GC %.2f, rate %.3f, repeats %d, rotation %" PRId64 "\n",
                what, i, p->length, p->gc, p->rate, p->repeats, p->rotation);
    print_error("found: related %d, unrelated %d, reverse %d, rotation %" PRId64
                ", blocks %zu, inverted %zu\n",
                was->is_related, was->is_unrelated, was->reverse, was->rotation, was->count,
                was->inverted);
    for (size_t k = 0; k < was->count && k < 20; k++)
        print_error("  %" PRId64 "-%" PRId64 " %" PRId64 "-%" PRId64 " %c %" PRId64 "\n",
                    was->blocks[k].target_begin, was->blocks[k].target_end,
                    was->blocks[k].query_begin, was->blocks[k].query_end,
                    was->blocks[k].reverse ? '-' : '+', was->blocks[k].anchors);
    print_error("again: RHOMB_TEST_SEED=%" PRIu64 " test_relation %" PRId64 " %" PRId64 "\n",
                rng_seed(), cases, longest);
}

/* On the other strand, begins elsewhere, or both. */
static wanted draw_turned(planted_recipe *recipe, int64_t i, rng *r)
{
    recipe->reverse = i % 3 != 1;
    if (i % 3 != 0)
        recipe->rotation = rng_between(r, recipe->length / 4, recipe->length / 2);
    return (wanted){1, 1, 0};
}

/* The query begins within half a genome that is another one's. */
static wanted draw_turned_within(planted_recipe *recipe, int64_t i, rng *r)
{
    recipe->length += 20000;
    recipe->replaced_begin = recipe->length / 5;
    recipe->replaced_end = recipe->length * 7 / 10;
    recipe->rotation = rng_between(r, recipe->length / 4, recipe->length * 2 / 3);
    return (wanted){0, SIZE_MAX, 0};
}

static void invert(planted_recipe *recipe, rng *r)
{
    const int64_t piece = recipe->length / 4;
    recipe->inverted_begin = rng_between(r, piece, recipe->length / 2);
    recipe->inverted_end = recipe->inverted_begin + piece;
}

/* A piece is inverted or moved; an eighth is a block of its own. */
static wanted draw_rearranged(planted_recipe *recipe, int64_t i, rng *r)
{
    recipe->length += 2000;
    if (i % 2 == 0) {
        invert(recipe, r);
        return (wanted){3, 3, 1};
    }
    const int64_t piece = recipe->length / 4;
    recipe->moved_begin = rng_between(r, piece / 2, piece);
    recipe->moved_end = recipe->moved_begin + piece;
    recipe->moved_to = recipe->length - piece / 2;
    return (wanted){4, 4, 0};
}

/* Nothing is to be said, or that they are not related. */
static wanted draw_harmless(planted_recipe *recipe, int64_t i, rng *r)
{
    recipe->unrelated = i % 4 == 3;
    return (wanted){0, 1, 0};
}

/* A piece of a tenth at most, whose two copies have had edits since, so that anchors lead to both.
 */
static wanted draw_duplicate(planted_recipe *recipe, int64_t i, rng *r)
{
    recipe->length += 20000;
    recipe->rate = 0.001 * (double)rng_between(r, 1, 30);
    const int64_t most = recipe->length / 10 < 20000 ? recipe->length / 10 : 20000;
    const int64_t count = rng_between(r, 500, most);
    recipe->copied_begin = rng_below(r, recipe->length - count);
    recipe->copied_end = recipe->copied_begin + count;
    recipe->copied_to = i % 2 == 0   ? recipe->copied_end
                        : i % 8 == 1 ? 0
                        : i % 8 == 3 ? recipe->length
                                     : rng_below(r, recipe->length);
    recipe->copied_reverse = rng_chance(r, 0.3);
    recipe->swapped = rng_chance(r, 0.5);
    return (wanted){1, 1, 0};
}

/* A repeat beside an inversion is collinear without anchors, and no copy of what is inverted. */
static wanted draw_beside_repeat(planted_recipe *recipe, int64_t i, rng *r)
{
    recipe->repeats = 0;
    recipe->length += 60000;
    const int64_t piece = rng_between(r, 3000, 6000), at = recipe->length / 3;
    recipe->inverted_begin = at;
    recipe->inverted_end = at + piece;
    recipe->repeat_begin = at - rng_between(r, piece / 2, 6000);
    recipe->repeat_end = at;
    recipe->repeat_to = 2 * recipe->length / 3;
    return (wanted){3, 3, 1};
}

/* Kinds of pairs, a share of CASES of each. */
static const struct {
    const char *name;
    int share;
    wanted (*draw)(planted_recipe *recipe, int64_t i, rng *r);
    bool cuts; /* the query of every fourth pair is a piece of it */
} FAMILIES[] = {
    {"turned", 1, draw_turned, false},         {"turned within", 2, draw_turned_within, false},
    {"rearranged", 2, draw_rearranged, false}, {"harmless", 1, draw_harmless, true},
    {"duplicates", 1, draw_duplicate, false},  {"beside repeats", 2, draw_beside_repeat, false},
};

static void test_families(void **state)
{
    int failures = 0;
    for (size_t f = 0; f < COUNT(FAMILIES); f++) {
        for (int64_t i = 0; i < cases / FAMILIES[f].share; i++) {
            rng r = rng_for(FAMILIES[f].name, i);
            planted_recipe recipe = random_recipe(&r);
            const wanted w = FAMILIES[f].draw(&recipe, i, &r);
            planted pair = planted_make(&recipe, &r);
            if (FAMILIES[f].cuts && i % 4 == 1)
                pair.query_length -= rng_below(&r, pair.query_length / 2);
            cli_relation relation = relate(&pair);
            if (!is_right(&relation, &recipe, &w)) {
                fail_case(FAMILIES[f].name, i, &recipe, &relation);
                failures++;
            }
            cli_relation_release(&relation);
            planted_release(&pair);
        }
    }
    assert_int_equal(failures, 0);
}

/*
 * Whether a relation says where one sequence, which has the `end - begin` first bases of a recipe's
 * pair from `begin` on, lies within the other; edits and unlike ends move that a little.
 */
static bool is_found_within(const cli_relation *relation, int64_t begin, int64_t end)
{
    const int64_t slack = 50 + (end - begin) / 10;
    return llabs(relation->within_begin - begin) <= slack &&
           llabs(relation->within_end - end) <= slack;
}

/* A piece of either sequence within the other one, on either strand; a fifth of it is too much. */
static void test_within(void **state)
{
    int failures = 0;
    for (int64_t i = 0; i < cases; i++) {
        rng r = rng_for("lies within", i);
        planted_recipe recipe = random_recipe(&r);
        recipe.repeats = 0;
        recipe.length += 10000;
        recipe.reverse = i % 3 == 2;
        recipe.unrelated = i % 8 == 7;
        planted pair = planted_make(&recipe, &r);
        const int64_t length = pair.query_length, share = i % 8 == 6 ? 4 : 6;
        const int64_t piece = length / share - rng_below(&r, length / (share == 4 ? 30 : 12));
        const int64_t begin = rng_below(&r, length - piece);
        planted cut = {pair.target, pair.target_length, pair.query + begin, piece};
        if (i % 2 == 1) /* of the target's strand, it is elsewhere */
            cut = (planted){cut.query, cut.query_length, cut.target, cut.target_length};
        cli_relation relation = relate(&cut);
        const int64_t at = recipe.reverse ? pair.target_length - begin - piece : begin;
        /* Of a target within a query, places are on the query's strand. */
        const int64_t place = i % 2 == 1 && recipe.reverse ? begin : at;
        const bool lies = !recipe.unrelated && share == 6;
        if (lies ? !is_found_within(&relation, place, place + piece) : relation.within_end != 0) {
            print_error("piece %" PRId64 "-%" PRId64 ", found %" PRId64 "-%" PRId64 "\n", place,
                        place + piece, relation.within_begin, relation.within_end);
            fail_case("within", i, &recipe, &relation);
            failures++;
        }
        cli_relation_release(&relation);
        planted_release(&pair);
    }
    assert_int_equal(failures, 0);
}

/* ------------------------------------------------------------------- guides */

enum { MOST_ANCHORS = 60 };

/* By the square of the number of points. */
static size_t longest_chain(const rhomb_guide_point *points, size_t count)
{
    size_t best[MOST_ANCHORS], most = 0;
    for (size_t i = 0; i < count; i++) {
        best[i] = 1;
        for (size_t before = 0; before < i; before++)
            if (points[before].query < points[i].query && best[before] >= best[i])
                best[i] = best[before] + 1;
        most = best[i] > most ? best[i] : most;
    }
    return most;
}

static double way(rhomb_guide_point from, rhomb_guide_point to)
{
    return (double)llabs((to.query - to.target) - (from.query - from.target));
}

/* What a chain is worth with all of its points. */
static double worth(const rhomb_guide_point *points, size_t count, double gain, int64_t end)
{
    rhomb_guide_point at = {0, 0};
    double sum = gain * (double)count;
    for (size_t i = 0; i < count; at = points[i++])
        sum -= way(at, points[i]);
    return sum - way(at, (rhomb_guide_point){0, end});
}

/* The most that any of its points are worth, by the square of their number. */
static double most_worth(const rhomb_guide_point *points, size_t count, double gain, int64_t end)
{
    double best[MOST_ANCHORS], most = worth(points, 0, gain, end);
    for (size_t i = 0; i < count; i++) {
        best[i] = gain - way((rhomb_guide_point){0, 0}, points[i]);
        for (size_t before = 0; before < i; before++) {
            const double here = best[before] + gain - way(points[before], points[i]);
            best[i] = here > best[i] ? here : best[i];
        }
        const double whole = best[i] - way(points[i], (rhomb_guide_point){0, end});
        most = whole > most ? whole : most;
    }
    return most;
}

static void check_points(const rhomb_guide *guide, int64_t n, int64_t m)
{
    for (int64_t i = 0; i < guide->count; i++) {
        const rhomb_guide_point *here = &guide->points[i];
        assert_true(here->target >= 0 && here->target < n && here->query >= 0 && here->query < m);
        assert_true(i == 0 || (here->target > here[-1].target && here->query > here[-1].query));
    }
}

static void test_chain(void **state)
{
    for (int64_t i = 0; i < 500; i++) {
        rng r = rng_for("chain", i);
        rhomb_guide_point points[MOST_ANCHORS];
        size_t count = (size_t)rng_between(&r, 1, MOST_ANCHORS), kept = 0;
        const double gain = (double)rng_below(&r, 12);
        const int64_t end = rng_between(&r, -20, 20);
        for (size_t a = 0; a < count; a++)
            points[a] = (rhomb_guide_point){(int64_t)a, rng_below(&r, 40)};
        const size_t most_points = longest_chain(points, count);
        assert_true(cli_chain_keep(points, count, &kept));
        assert_true(kept == most_points);
        const double most = most_worth(points, kept, gain, end);
        assert_true(cli_chain_straighten(points, kept, gain, end, &count));
        assert_true(worth(points, count, gain, end) == most);
        const rhomb_guide guide = {.count = (int64_t)count, .points = points};
        check_points(&guide, MOST_ANCHORS, 100);
    }
}

/* Anchors only at both ends: the long gap between has points, unless not all was looked at. */
static void test_long_gap(void **state)
{
    enum { ANCHORS = 400, EVERY = 25, APART = 490000, LENGTH = 520000, MOST = 2 * 65536 };
    static cli_anchor anchors[ANCHORS];
    for (int64_t i = 0; i < ANCHORS; i++) {
        const int64_t at = i * EVERY + (i < ANCHORS / 2 ? 0 : APART);
        anchors[i] = (cli_anchor){.target = at, .query = at + (i < ANCHORS / 2 ? 0 : 5000)};
    }
    for (int part = 0; part < 2; part++) {
        const cli_relation relation = {.is_related = true,
                                       .share = part == 0 ? 1 : 0.5,
                                       .anchors = anchors,
                                       .anchor_count = ANCHORS,
                                       .similarity = 0.9,
                                       .k = 10};
        rhomb_guide guide;
        rhomb_guide_point *points;
        int64_t longest_gap = 0;
        assert_true(
            cli_guide_make(&relation, NULL, LENGTH, LENGTH + 5000, false, 0, &guide, &points));
        check_points(&guide, LENGTH, LENGTH + 5000);
        for (int64_t i = 1; i < guide.count; i++) {
            const int64_t gap = points[i].target - points[i - 1].target;
            longest_gap = gap > longest_gap ? gap : longest_gap;
        }
        assert_true((longest_gap < MOST) == (part == 0));
        free(points);
    }
}

/* Guides of pairs that are on some strand, rotated or not: most of the sketch is on the path. */
static void test_guides(void **state)
{
    for (int64_t i = 0; i < 20; i++) {
        rng r = rng_for("guides", i);
        planted_recipe recipe = random_recipe(&r);
        recipe.unrelated = i % 5 == 4;
        recipe.length += 2000;
        if (i % 2 == 0)
            (void)draw_turned(&recipe, 2, &r);
        else
            invert(&recipe, &r);
        planted pair = planted_make(&recipe, &r);
        cli_relation relation = relate(&pair);
        rhomb_guide guide;
        rhomb_guide_point *points;
        assert_true(cli_guide_make(&relation, NULL, pair.target_length, pair.query_length,
                                   relation.reverse, relation.rotation, &guide, &points));
        check_points(&guide, pair.target_length, pair.query_length);
        assert_true(recipe.unrelated ? guide.count == 0 && guide.divergence > 0.5
                                     : guide.count > 3 && guide.divergence < 0.2);
        free(points);
        cli_relation_release(&relation);
        planted_release(&pair);
    }
}

/* The divergence that a guide has, for windows of 10 to 255 k-mers: within a fourth of the edits.
 */
static void test_divergence(void **state)
{
    static const int64_t LENGTHS[] = {200000, 1000000, 9000000};
    static const double RATES[] = {0.003, 0.01, 0.05};
    for (size_t l = 0; l < COUNT(LENGTHS); l++)
        for (size_t i = 0; i < COUNT(RATES); i++) {
            const planted_recipe recipe = {.length = LENGTHS[l], .gc = 0.5, .rate = RATES[i]};
            rng r = rng_for("divergence", (int)(COUNT(RATES) * l + i));
            planted pair = planted_make(&recipe, &r);
            cli_relation relation = relate(&pair);
            const double ratio = (1 - relation.similarity) / RATES[i];
            if (!(ratio > 0.75 && ratio < 1.25))
                fail_msg("%" PRId64 " bases with %g edits for each: %.3f times that, "
                         "RHOMB_TEST_SEED=%" PRIu64,
                         LENGTHS[l], RATES[i], ratio, rng_seed());
            cli_relation_release(&relation);
            planted_release(&pair);
        }
}

/* A pair too long to be looked at whole, unless a guide needs that, and is worth it. */
static void test_looked_at_whole(void **state)
{
    static const struct {
        int64_t query;
        bool whole;
    } CASES[] = {{RHOMB_GUIDE_LEAST - 1, false}, {RHOMB_GUIDE_LEAST, true}};
    const planted_recipe recipe = {.length = 60000000, .gc = 0.5, .rate = 0.01};
    rng r = rng_for("looked at whole", 0);
    planted pair = planted_make(&recipe, &r);
    for (size_t i = 0; i < COUNT(CASES); i++) {
        const cli_two two = {pair.target, pair.target_length, pair.query, CASES[i].query};
        cli_relation_options options = {.threads = 2};
        cli_relation part, guided;
        assert_true(cli_relate(&two, &options, &part));
        options.guides = true;
        assert_true(cli_relate(&two, &options, &guided));
        assert_true((guided.anchor_count != part.anchor_count) == CASES[i].whole);
        cli_relation_release(&part);
        cli_relation_release(&guided);
    }
    planted_release(&pair);
}

int main(int argc, char **argv)
{
    cases = argc > 1 ? atoll(argv[1]) : 50;
    if (amount_is_first_tier())
        cases = cases * 2 / 5;
    longest = argc > 2 ? atoll(argv[2]) : 200000;
    if (!cli_has_minimizers)
        return 77;
    const struct CMUnitTest tests[] = {TEST_LIST(cmocka_unit_test, test_families, test_within,
                                                 test_chain, test_long_gap, test_guides,
                                                 test_looked_at_whole, test_divergence)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
