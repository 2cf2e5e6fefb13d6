/* SPDX-License-Identifier: MIT */
/*
 * Anchors (rhomb/anchors.h): the pieces between them cost together what the whole pair does, by
 * Gotoh's recurrence, for short words in small and repetitive sequences, where most is there more
 * than once; and alike sequences are anchors for the most part.
 */
#include "src/paths/anchor_proof.h"

#include "support/cost_sets.h"
#include "support/pair.h"
#include "support/rng.h"
#include "support/test.h"

enum { CASES = 20000, BLOCK = 40 };

/* Blocks of which some are there again, in the target, and a query with edits, swaps and copies. */
static void make(pair *p, rng *r)
{
    const char *alphabet = rng_chance(r, 0.1) ? "AC" : rng_chance(r, 0.1) ? "ACGTN" : "ACGT";
    letters blocks[3] = {{0}};
    const int64_t length = rng_between(r, 1, BLOCK);
    const double rate = rng_chance(r, 0.7) ? 0.01 : 0.05;
    letters_append(&p->a, "A", 1); /* neither is NULL */
    letters_append(&p->b, "A", 1);
    for (int i = 0; i < 3; i++)
        letters_random(&blocks[i], alphabet, length, r);
    for (int64_t i = rng_between(r, 1, 5); i > 0; i--) {
        const letters *block = &blocks[rng_below(r, 3)];
        letters_mutate(&p->a, block, 0.02, alphabet, r);
        if (rng_chance(r, 0.5))
            letters_random(&p->a, alphabet, rng_below(r, BLOCK), r);
    }
    const letters whole = p->a;
    const int64_t cut = rng_below(r, whole.length + 1), other = rng_below(r, whole.length + 1);
    letters part = {.at = whole.at, .length = cut};
    letters_mutate(&p->b, &part, rate, alphabet, r);
    if (rng_chance(r, 0.3)) /* something new */
        letters_random(&p->b, alphabet, rng_below(r, 40), r);
    if (rng_chance(r, 0.3)) /* and something again */
        letters_mutate(&p->b, &blocks[rng_below(r, 3)], rate, alphabet, r);
    part.at = whole.at + (rng_chance(r, 0.3) ? other : cut);
    part.length = whole.at + whole.length - part.at;
    letters_mutate(&p->b, &part, rate, alphabet, r);
    for (int i = 0; i < 3; i++)
        free(blocks[i].at);
}

/* What is between anchors, and that these match. */
static int64_t cost_of_pieces(const rhomb_pair *p, const oracle_penalties *penalties,
                              const rhomb_anchor *anchors, size_t count, int64_t *proved)
{
    int64_t cost = 0, target = 0, query = 0;
    for (size_t i = 0; i <= count; i++) {
        const rhomb_anchor end = {p->target_length, p->query_length, 0};
        const rhomb_anchor *next = i < count ? &anchors[i] : &end;
        assert_true(next->target >= target && next->query >= query);
        cost += oracle_gotoh(p->target + target, next->target - target, p->query + query,
                             next->query - query, penalties);
        target = next->target + next->length;
        query = next->query + next->length;
        assert_true(i == count || next->length > 0);
        assert_memory_equal(p->target + next->target, p->query + next->query, next->length);
        *proved += next->length;
    }
    assert_true(target == p->target_length && query == p->query_length);
    return cost;
}

static void test_pieces(void **state)
{
    int64_t bases = 0, proved = 0, alike = 0;
    for (int64_t i = 0; i < CASES; i++) {
        rng r = rng_for("anchors", i);
        pair p = {{0}, {0}};
        make(&p, &r);
        const rhomb_pair texts = {p.a.at, p.a.length, p.b.at, p.b.length};
        rhomb__error error = {RHOMB_OK, NULL, ""};
        rhomb__costs costs = rhomb__costs_edit();
        if (rng_chance(&r, 0.6))
            assert_int_equal(rhomb__costs_of(&error, scoring_at((size_t)rng_below(&r, 30)), &costs),
                             RHOMB_OK);
        const oracle_penalties penalties = costs_penalties(&costs);
        const int64_t word = rng_between(&r, 2, 6);
        const int64_t least = oracle_gotoh(p.a.at, p.a.length, p.b.at, p.b.length, &penalties);
        rhomb_anchor *anchors = NULL;
        size_t count = 0;
        assert_int_equal(rhomb__anchors_by_words(&texts, &costs, word, 1, &anchors, &count),
                         RHOMB_OK);
        const int64_t cost = cost_of_pieces(&texts, &penalties, anchors, count, &proved);
        if (cost != least)
            fail_msg("case %d: pieces cost %d, all %d, words of %d", (int)i, (int)cost, (int)least,
                     (int)word);
        bases += p.b.length;
        alike += count > 0;
        rhomb_anchors_destroy(anchors);
        free(p.a.at);
        free(p.b.at);
    }
    print_message("%d of %d bases are proved, in %d of %d pairs\n", (int)proved, (int)bases,
                  (int)alike, (int)CASES);
    assert_true(20 * proved > bases);
}

/* What a path through runs looks like from a place: costs up to it, and where words may begin or
 * end. Of a gap both of its ends. */
typedef struct place {
    int64_t before, after; /* costs, of which a gap's is counted as far as it might matter */
    int64_t begin, end;    /* words that begin after it, or end before */
    int64_t query;         /* within a run; -1: in a gap */
} place;

/* All places of a path, by the definition. */
static int64_t list_places(const rhomb_pair *p, const rhomb__costs *costs, const rhomb_anchor *runs,
                           int64_t count, place *places)
{
    int64_t number = 0, target = 0, query = 0, cost = 0;
    for (int64_t i = 0; i <= count; i++) {
        const rhomb_anchor end = {p->target_length, p->query_length, 0};
        const rhomb_anchor *r = i < count ? &runs[i] : &end;
        const int64_t gap = rhomb__costs_most(costs, r->target - target, r->query - query);
        places[number++] = (place){cost, cost + gap, r->query, query, -1};
        cost += gap;
        for (int64_t k = 0; i < count && k <= r->length; k++)
            places[number++] = (place){cost, cost, r->query + k, r->query + k, r->query + k};
        target = r->target + r->length;
        query = r->query + r->length;
    }
    return number;
}

/* Whether the target has a word nowhere but where a run has it. */
static bool word_counts(const rhomb_pair *p, const rhomb_anchor *runs, int64_t count, int64_t query,
                        int64_t word)
{
    for (int64_t k = 0; k < word; k++)
        if (strchr("ACGT", p->query[query + k]) == NULL)
            return false;
    for (int64_t target = 0; target + word <= p->target_length; target++) {
        bool is_run = false;
        if (memcmp(p->target + target, p->query + query, (size_t)word) != 0)
            continue;
        for (int64_t i = 0; i < count; i++)
            is_run |= runs[i].query <= query && query + word <= runs[i].query + runs[i].length &&
                      target - query == runs[i].target - runs[i].query;
        if (!is_run)
            return false;
    }
    return true;
}

/* The runs of matches of a random walk through both sequences. */
static int64_t random_runs(const rhomb_pair *p, rhomb_anchor *runs, rng *r)
{
    int64_t count = 0, target = 0, query = 0;
    while (target < p->target_length && query < p->query_length) {
        int64_t length = 0;
        while (target + length < p->target_length && query + length < p->query_length &&
               p->target[target + length] == p->query[query + length] &&
               strchr("ACGT", p->query[query + length]) != NULL && !rng_chance(r, 0.01))
            length++;
        if (length > 0)
            runs[count++] = (rhomb_anchor){target, query, length};
        target += length + rng_below(r, 2);
        query += length + rng_below(r, 2);
    }
    return count;
}

/* What is proved of runs is what the definition says of each of their matches. */
static void test_definition(void **state)
{
    enum { PLACES = 2000 };
    static place places[PLACES];
    int64_t proved = 0, not_proved = 0;
    for (int64_t i = 0; i < 2000; i++) {
        rng r = rng_for("definition", i);
        pair p = {{0}, {0}};
        rhomb_anchor runs[PLACES], anchors[PLACES];
        bool counts[PLACES];
        make(&p, &r);
        const rhomb_pair texts = {p.a.at, p.a.length, p.b.at, p.b.length};
        const rhomb__costs costs = costs_of_text(rng_chance(&r, 0.5) ? "edit" : "affine:4,6,2");
        const int64_t word = rng_between(&r, 2, 6), edit = rhomb__anchor_edit(&costs, word);
        const int64_t count = random_runs(&texts, runs, &r);
        memcpy(anchors, runs, sizeof runs);
        const int64_t number = rhomb__anchors_of_runs(&texts, &costs, word, anchors, count);
        const int64_t all = list_places(&texts, &costs, runs, count, places);
        for (int64_t k = 0; k < p.b.length / word; k++)
            counts[k] = word_counts(&texts, runs, count, k * word, word);
        for (int64_t x = 0, at = 0; x + 1 < all; x++) {
            bool holds = places[x].query >= 0 && places[x + 1].query >= 0;
            if (!holds)
                continue;
            for (int64_t a = 0; a <= x && holds; a++)
                for (int64_t b = x + 1; b < all && holds; b++) {
                    int64_t words = 0;
                    for (int64_t k = 0; k < p.b.length / word; k++)
                        words += counts[k] && k * word >= places[a].begin &&
                                 (k + 1) * word <= places[b].end;
                    holds = places[b].after - places[a].before <= edit * words;
                }
            while (at < number && anchors[at].query + anchors[at].length <= places[x].query)
                at++;
            if (holds != (at < number && anchors[at].query <= places[x].query))
                fail_msg("case %d: base %d is %s", (int)i, (int)places[x].query,
                         holds ? "not proved" : "proved");
            proved += holds;
            not_proved += !holds;
        }
        free(p.a.at);
        free(p.b.at);
    }
    print_message("%d proved, %d not\n", (int)proved, (int)not_proved);
}

/* No gap breaks words for less each. */
static void test_edit(void **state)
{
    for (size_t i = 0; scoring_at(i) != NULL; i++) {
        rhomb__error error = {RHOMB_OK, NULL, ""};
        rhomb__costs costs;
        assert_int_equal(rhomb__costs_of(&error, scoring_at(i), &costs), RHOMB_OK);
        for (int64_t word = 2; word <= 31; word += 7) {
            int64_t least = rhomb__min(costs.mismatch, rhomb__costs_gap(&costs, 1));
            for (int64_t bases = 2; bases < 10000; bases++)
                least =
                    rhomb__min(least, rhomb__costs_gap(&costs, bases) / ((bases - 2) / word + 2));
            const int64_t edit = rhomb__anchor_edit(&costs, word);
            assert_true(edit <= least && edit >= least / 2);
        }
    }
}

/* Of two long sequences with an edit in 1,000 bases nearly all is. */
static void test_alike(void **state)
{
    const rhomb_scoring asm5 = {1, 19, 39, 3, 81, 1, NULL};
    const rhomb_scoring *scorings[] = {NULL, &asm5};
    pair p = {{0}, {0}};
    rng r = rng_for("alike", 0);
    letters_random(&p.a, "ACGT", 3000000, &r);
    letters_mutate(&p.b, &p.a, 0.001, "ACGT", &r);
    const rhomb_pair texts = {p.a.at, p.a.length, p.b.at, p.b.length};
    for (int i = 0; i < 2; i++) {
        rhomb_anchor *anchors = NULL;
        size_t count = 0;
        int64_t proved = 0;
        assert_int_equal(rhomb_anchors_find(&texts, scorings[i], i, &anchors, &count), RHOMB_OK);
        for (size_t k = 0; k < count; k++)
            proved += anchors[k].length;
        assert_true(10 * proved > 8 * p.b.length);
        rhomb_anchors_destroy(anchors);
    }
    free(p.a.at);
    free(p.b.at);
}

/* Letters in either case and U are the same; bytes that look like them in seven bits are not. */
static void test_letters(void **state)
{
    const rhomb_scoring wfa = {0, 4, 6, 2, -1, -1, NULL};
    letters a = {0}, b = {0};
    rng r = rng_for("letters", 0);
    letters_random(&a, "ACGT", 2000, &r);
    letters_append(&b, a.at, a.length);
    for (int64_t i = 0; i < b.length; i++)
        b.at[i] = (char)(b.at[i] == 'T' ? 'U' : i % 3 == 0 ? b.at[i] | 0x20 : b.at[i]);
    b.at[1000] = a.at[1000] = (char)(a.at[1000] | 0x80);
    const rhomb_pair texts = {a.at, a.length, b.at, b.length};
    rhomb_anchor *anchors = NULL;
    size_t count = 0;
    assert_int_equal(rhomb_anchors_find(&texts, &wfa, 1, &anchors, &count), RHOMB_OK);
    assert_true(count == 2 && anchors[0].length > 900 && anchors[1].length > 900);
    assert_true(anchors[0].query + anchors[0].length <= 1000 && anchors[1].query > 1000);
    rhomb_anchors_destroy(anchors);
    free(a.at);
    free(b.at);
}

/* Nothing to be found, and what cannot be asked. */
static void test_none(void **state)
{
    const rhomb_pair empty = {"", 0, "", 0}, unknown = {NULL, 1, "A", 1}, less = {"A", 1, "A", -1};
    const rhomb_scoring bad = {-1, 0, 0, 0, -1, -1, NULL};
    rhomb_anchor *anchors = NULL;
    size_t count = 1;
    assert_int_equal(rhomb_anchors_find(&empty, NULL, 0, &anchors, &count), RHOMB_OK);
    assert_true(count == 0 && anchors == NULL);
    assert_int_equal(rhomb_anchors_find(&empty, &bad, 0, &anchors, &count), RHOMB_ERR_ARGUMENT);
    assert_int_equal(rhomb_anchors_find(&unknown, NULL, 0, &anchors, &count), RHOMB_ERR_ARGUMENT);
    assert_int_equal(rhomb_anchors_find(&less, NULL, 0, &anchors, &count), RHOMB_ERR_ARGUMENT);
    assert_int_equal(rhomb_anchors_find(NULL, NULL, 0, &anchors, &count), RHOMB_ERR_ARGUMENT);
    rhomb_anchors_destroy(NULL);
}

TEST_MAIN(test_pieces, test_definition, test_edit, test_alike, test_letters, test_none)
