/* SPDX-License-Identifier: MIT */
/*
 * test_collinear CASES [LONGEST]: the collinear blocks of planted pairs. They have no base in
 * common, in either sequence; where the query is not mutated, both sides of a block are the same;
 * and they leave next to nothing out, as each block is where it was planted. Cut, they have the
 * same bases, and both sides are the same around each cut.
 */
#include "host/cli/sketch/blocks.h"
#include "host/cli/sketch/relation.h"
#include "planted.h"
#include "support/test.h"
#include "tests/reference/random_bases.h"

static int64_t cases, longest, pieces;

/* Edits of a block without gaps; -1 if its sides differ in length. */
static int64_t mismatches(const planted *pair, const cli_block *b)
{
    const int64_t length = b->target_end - b->target_begin;
    int64_t count = 0;
    if (b->query_end - b->query_begin != length)
        return -1;
    for (int64_t i = 0; i < length; i++) {
        const char query = b->reverse ? complement_base(pair->query[b->query_end - 1 - i])
                                      : pair->query[b->query_begin + i];
        count += pair->target[b->target_begin + i] != query;
    }
    return count;
}

static bool overlap(const cli_block *a, const cli_block *b)
{
    return (a->target_begin < b->target_end && b->target_begin < a->target_end) ||
           (a->query_begin < b->query_end && b->query_begin < a->query_end);
}

/* What is wrong with the blocks of a pair; NULL if nothing is. */
static const char *check(const planted *pair, const planted_recipe *recipe,
                         const cli_relation *found, size_t wanted)
{
    int64_t bases = 0;
    for (size_t i = 0; i < found->count; i++) {
        const cli_block *b = &found->blocks[i];
        bases += b->target_end - b->target_begin;
        if (b->target_begin < 0 || b->target_end > pair->target_length || b->query_begin < 0 ||
            b->query_end > pair->query_length || b->target_begin >= b->target_end ||
            b->query_begin >= b->query_end)
            return "a range is none of the sequence";
        for (size_t k = 0; k < i; k++) {
            if (overlap(b, &found->blocks[k]))
                return "two blocks overlap";
        }
        if (recipe->rate <= 0 && mismatches(pair, b) != 0)
            return "the sides of a block differ";
    }
    if (found->count != wanted)
        return "there are more blocks, or fewer, than were planted";
    const int64_t left = pair->target_length - bases;
    return left > (recipe->rate > 0 ? 400 * (int64_t)wanted : 8 * (int64_t)wanted)
               ? "much is in no block"
               : NULL;
}

/* Whether both sides of a pair are the same for 50 bases before or after the end of a piece. */
static bool is_same_beside(const planted *pair, const cli_block *b, int64_t begin)
{
    cli_block beside = *b;
    beside.target_begin = b->target_end + begin;
    beside.target_end = beside.target_begin + 50;
    beside.query_begin = b->reverse ? b->query_begin - begin - 50 : b->query_end + begin;
    beside.query_end = beside.query_begin + 50;
    return mismatches(pair, &beside) == 0;
}

/* What is wrong with the pieces of blocks; NULL if nothing is. */
static const char *check_pieces(const planted *pair, const cli_block *blocks, size_t count,
                                const cli_relation *cut)
{
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        cli_block whole = cut->blocks[at];
        for (; at < cut->count && cut->blocks[at].goes_on; at++) {
            const cli_block *b = &cut->blocks[at], *next = b + 1;
            if (next->target_begin != b->target_end || next->reverse != b->reverse ||
                (b->reverse ? next->query_end != b->query_begin
                            : next->query_begin != b->query_end))
                return "pieces do not follow each other";
            if (!is_same_beside(pair, b, -50) || !is_same_beside(pair, b, 0))
                return "a cut is in no exact match";
            whole.query_begin = b->reverse ? next->query_begin : whole.query_begin;
            whole.query_end = b->reverse ? whole.query_end : next->query_end;
        }
        whole.target_end = cut->blocks[at++].target_end;
        if (whole.target_begin != blocks[i].target_begin ||
            whole.target_end != blocks[i].target_end ||
            whole.query_begin != blocks[i].query_begin || whole.query_end != blocks[i].query_end)
            return "the pieces are not the block";
    }
    pieces += (int64_t)(at - count);
    return at == cut->count ? NULL : "there are more pieces";
}

/*
 *     target   a b c d e f     query   (d e) c (b') ... as drawn: b inverted, d moved after e, the
 *                              circle cut within a or f, all of it on the other strand or not
 */
static planted_recipe draw(rng *r, size_t *wanted)
{
    static const double RATES[] = {0, 0, 0.001, 0.02};
    const int64_t part = rng_between(r, 1500, longest / 8), length = 8 * part;
    planted_recipe recipe = {.length = length,
                             .gc = 0.24 + 0.51 * (double)rng_below(r, 1001) / 1000,
                             .rate = RATES[rng_below(r, COUNT(RATES))],
                             .reverse = rng_chance(r, 0.3)};
    *wanted = 1;
    if (rng_chance(r, 0.7)) {
        recipe.inverted_begin = part + rng_below(r, part / 4);
        recipe.inverted_end = 2 * part + rng_below(r, part / 4);
        *wanted += 2;
    }
    if (rng_chance(r, 0.7)) {
        recipe.moved_begin = 4 * part + rng_below(r, part / 4);
        recipe.moved_end = 5 * part;
        recipe.moved_to = 6 * part + rng_below(r, part / 4);
        *wanted += 3;
    }
    if (rng_chance(r, 0.5)) {
        recipe.rotation = rng_between(r, part / 4, part / 2);
        *wanted += 1;
    }
    return recipe;
}

static void test_planted(void **state)
{
    for (int64_t i = 0; i < cases; i++) {
        rng r = rng_for("collinear", i);
        size_t wanted;
        const planted_recipe recipe = draw(&r, &wanted);
        planted pair = planted_make(&recipe, &r);
        const cli_two two = {pair.target, pair.target_length, pair.query, pair.query_length};
        const cli_relation_options options = {
            .threads = 2, .whole = true, .dense = true, .strand = '+', .has_rotation = true};
        cli_relation found;
        assert_true(cli_relate(&two, &options, &found));
        assert_true(cli_blocks_extend(&two, NULL, found.blocks, found.count));
        const char *wrong = check(&pair, &recipe, &found, wanted);
        cli_block blocks[64];
        const size_t count = found.count;
        if (wrong == NULL && count <= 64) {
            memcpy(blocks, found.blocks, count * sizeof *blocks);
            assert_true(cli_blocks_cut(&two, &found));
            wrong = check_pieces(&pair, blocks, count, &found);
        }
        if (wrong != NULL) {
            for (size_t k = 0; k < found.count; k++)
                print_error("%" PRId64 "-%" PRId64 " %" PRId64 "-%" PRId64 " %c\n",
                            found.blocks[k].target_begin, found.blocks[k].target_end,
                            found.blocks[k].query_begin, found.blocks[k].query_end,
                            found.blocks[k].reverse ? '-' : '+');
            fail_msg("case %" PRId64 ", %" PRId64 " bases, GC %.2f, rate %.3f: %s; again: "
                     "RHOMB_TEST_SEED=%" PRIu64 " test_collinear %" PRId64 " %" PRId64,
                     i, recipe.length, recipe.gc, recipe.rate, wrong, rng_seed(), cases, longest);
        }
        cli_relation_release(&found);
        planted_release(&pair);
    }
    assert_true(pieces > 0 || cases < 10);
}

int main(int argc, char **argv)
{
    cases = argc > 1 ? atoll(argv[1]) : 50;
    longest = argc > 2 ? atoll(argv[2]) : 200000;
    if (!cli_has_minimizers)
        return 77;
    const struct CMUnitTest tests[] = {TEST_LIST(cmocka_unit_test, test_planted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
