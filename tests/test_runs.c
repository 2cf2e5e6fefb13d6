/* SPDX-License-Identifier: MIT */
/*
 * Runs of matches in a wavefront, on the device that "auto" takes: as long as a window, a
 * step of a run, or what a work-group compares at a time, give or take one; with an N inside, or
 * one sequence's end; one in a column, or more of them than a group follows together.
 *
 *     test_runs [CASE]     "test_longest", runs of ten million bases, only when asked for
 *
 * Exits with 77 where there is no device.
 */
#include "support/amount.h"
#include "support/check.h"
#include "support/run.h"
#include "support/test.h"

static const int64_t LENGTHS[] = {1, 31, 32, 33, 63, 64, 65, 255, 256, 257, 8191, 8192, 8193};

static session the_session;

/* What the bases of a run are: its own, or the same over and over. */
typedef enum texture { RANDOM, HOMOPOLYMER, TANDEM, TEXTURES } texture;

typedef struct maker {
    const char *alphabet;
    texture texture;
    rng r;
    pair *p;
} maker;

static void append_run(maker *m, int64_t length)
{
    static const char *const UNITS[TEXTURES] = {NULL, "A", "ACGCA"};
    const int64_t at = m->p->a.length;
    if (m->texture == RANDOM)
        letters_random(&m->p->a, m->alphabet, length, &m->r);
    else
        letters_repeat(&m->p->a, UNITS[m->texture], length);
    letters_append(&m->p->b, m->p->a.at + at, length);
}

static void append_mismatch(maker *m)
{
    letters_append(&m->p->a, "G", 1);
    letters_append(&m->p->b, "T", 1);
}

/* Puts the base at `before_end` bases before what either sequence has come to. */
static void put(letters *these, int64_t before_end, char letter)
{
    these->at[these->length - before_end] = letter;
}

/* A run after a mismatch, and another one before the next. */
static void make_between(maker *m, int64_t length)
{
    append_run(m, length);
    append_mismatch(m);
    append_run(m, length);
    append_mismatch(m);
    append_run(m, 5);
}

/* From the beginning to the end of both, but for an insertion. */
static void make_whole(maker *m, int64_t length)
{
    append_run(m, length);
    letters_append(&m->p->a, "TG", 2);
    append_run(m, length);
}

/* Up to the end of one sequence, while the other one goes on. */
static void make_to_end(maker *m, int64_t length)
{
    append_mismatch(m);
    append_run(m, length);
    letters_repeat(&m->p->a, "AC", 1 + length % 37);
}

/* Both have a stretch of N in the run, and one of them one more at its first or last base. */
static void make_with_n(maker *m, int64_t length)
{
    append_mismatch(m);
    append_run(m, length);
    for (int64_t i = length / 3; i <= length / 2; i++) {
        put(&m->p->a, length - i, 'N');
        put(&m->p->b, length - i, 'N');
    }
    put(rng_chance(&m->r, 0.5) ? &m->p->a : &m->p->b, rng_chance(&m->r, 0.5) ? 1 : length, 'N');
    append_run(m, 40);
    append_mismatch(m);
}

/* A run in which the sequences differ at each place that is about a window from the last one. */
static void make_broken(maker *m, int64_t length)
{
    append_run(m, length);
    for (int64_t at = 0; at < length && at < 2000; at += 30 + rng_below(&m->r, 5)) {
        char *letter = &m->p->b.at[at];
        *letter = *letter == 'C' ? 'A' : 'C';
    }
    append_run(m, 3);
}

static const struct making {
    const char *name;
    void (*make)(maker *m, int64_t length);
} MAKINGS[] = {
    {"runs between mismatches", make_between},
    {"runs of both sequences", make_whole},
    {"runs to the end of one", make_to_end},
    {"runs with N", make_with_n},
    {"broken runs", make_broken},
};

static void ask(const variant *v, const pair *p, rhomb_alphabet alphabet, const char *family,
                int64_t index)
{
    static const relation RELATIONS[] = {RELATION_SWAPPED, RELATION_REVERSED, RELATION_LIMIT_BELOW,
                                         RELATION_LIMIT_EXACT};
    const question q = question_of(p, alphabet, v, family, index);
    question_ask(&the_session, &q, NULL);
    question_ask_related(&the_session, &q, RELATIONS[index % (int64_t)COUNT(RELATIONS)]);
}

/* Makes a pair of so many planes, if its few bases can have them, and asks. */
static bool make_and_ask(const variant *v, int64_t length, texture of, int64_t index)
{
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    const struct making *making = &MAKINGS[index % (int64_t)COUNT(MAKINGS)];
    rhomb_alphabet alphabet;
    maker m = {variant_letters(v, &alphabet), of, rng_for("runs", index), &p};
    making->make(&m, length);
    const bool fits = pair_planes(&p, alphabet) == v->planes;
    if (fits)
        ask(v, &p, alphabet, making->name, index);
    pair_release(&p);
    return fits;
}

/* Each length, making and texture with some of the variants, and each variant with some of them. */
static void test_lengths(void **state)
{
    enum { EVERY = 3 };
    int64_t index = 0, asked = 0;
    for (size_t i = 0; i < COUNT(LENGTHS) * COUNT(MAKINGS) * TEXTURES; i++, index++) {
        const size_t which = i / COUNT(MAKINGS) / TEXTURES;
        const int64_t length = LENGTHS[which];
        const texture texture_here = (texture)(i / COUNT(MAKINGS) % TEXTURES);
        for (size_t at = (i + which) % EVERY; variant_at(at) != NULL; at += EVERY) {
            if (!variant_is_sweep(variant_at(at)))
                asked += make_and_ask(variant_at(at), length, texture_here, index);
        }
    }
    printf("%lld pairs\n", (long long)asked);
    assert_true(asked > amount(10 * index)); /* by the variants */
}

/*
 * Repeats of which one has some units more: as many diagonals as the longer one is long are runs at
 * once, far more than a work-group keeps a list of.
 */
static void test_many(void **state)
{
    static const char *const UNITS[] = {"A", "AC", "ACGCA", "ACGGTACCGATTCAGGATACCAGTTTAGACCA"};
    int64_t index = 0;
    for (size_t at = 0; variant_at(at) != NULL; at++) {
        const variant *v = variant_at(at);
        for (size_t i = 0; i < 2 * COUNT(UNITS) && !variant_is_sweep(v) && v->planes == 2; i++) {
            pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
            const char *unit = UNITS[i / 2];
            rng r = rng_for("many runs", index);
            const int64_t length = rng_between(&r, 600, 900);
            letters_repeat(&p.a, "T", 1 + v->columns);
            letters_repeat(&p.b, "G", 1 + v->columns);
            letters_repeat(&p.a, unit, length);
            letters_repeat(&p.b, unit, length + (i % 2 == 0 ? 0 : rng_between(&r, 1, 40)));
            letters_append(&p.a, "G", 1);
            ask(v, &p, RHOMB_ALPHABET_DNA, "many runs", index++);
            pair_release(&p);
        }
    }
}

/*
 * A run of one base against the same with another base now and then. Each such place stops all
 * diagonals at one row, and one edit takes all of them to the next: they run on in the same column,
 * with the widest groups in more work-items than the list has room for.
 */
static void test_side_by_side(void **state)
{
    enum { PERIOD = 400 };
    int64_t index = 0;
    for (size_t at = 0; variant_at(at) != NULL; at++) {
        const variant *v = variant_at(at);
        if (variant_is_sweep(v) || v->planes != 2)
            continue;
        const int64_t periods = v->group > 64 ? 400 : 40;
        pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
        letters_repeat(&p.a, "A", periods * PERIOD);
        letters_repeat(&p.b, "A", periods * PERIOD);
        for (int64_t i = PERIOD - 1; i < p.b.length; i += PERIOD)
            p.b.at[i] = 'C';
        ask(v, &p, RHOMB_ALPHABET_DNA, "side by side", index++);
        pair_release(&p);
    }
}

/* Long runs of one base that are known before, as the library has tables of them. */
static void test_known(void **state)
{
    enum { EVERY = 15 }; /* all lengths and edges */
    int64_t index = 0;
    for (size_t at = 0; variant_at(at) != NULL; at++) {
        const variant *v = variant_at(at);
        const char *symbols = v->planes == 3 ? "NA" : v->planes == 2 ? "AC" : NULL;
        if (variant_is_sweep(v) || symbols == NULL)
            continue;
        for (int i = 0; i < 5; i++, index++) {
            pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
            rng r = rng_for("known runs", index);
            pair_make_known_runs(symbols, index % EVERY, &r, &p);
            ask(v, &p, RHOMB_ALPHABET_DNA, "known runs", index);
            pair_release(&p);
        }
    }
    assert_true(index >= 2 * EVERY);
}

/* Ten million bases between two mismatches, with an N in the middle, and a homopolymer's. */
static void test_longest(void **state)
{
    enum { LENGTH = 10000000 };
    int64_t index = 0;
    for (int texture_here = RANDOM; texture_here <= HOMOPOLYMER; texture_here++) {
        pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
        maker m = {"ACGN", (texture)texture_here, rng_for("longest runs", texture_here), &p};
        append_mismatch(&m);
        append_run(&m, LENGTH);
        p.b.at[LENGTH / 2] = p.b.at[LENGTH / 2] == 'N' ? 'A' : 'N';
        append_mismatch(&m);
        append_run(&m, 1000);
        const rhomb_alphabet dna = RHOMB_ALPHABET_DNA;
        question q = question_of(&p, dna, NULL, "longest runs", 0);
        for (size_t at = 0; variant_at(at) != NULL; at++) {
            q.variant = variant_at(at);
            q.index = index++;
            if (!variant_is_sweep(q.variant) && pair_planes(&p, dna) == q.variant->planes)
                question_ask(&the_session, &q, NULL);
        }
        pair_release(&p);
    }
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest TESTS[] = {
        TEST_LIST(cmocka_unit_test, test_lengths, test_many, test_side_by_side, test_known)};
    static const struct CMUnitTest LONGEST[] = {TEST_LIST(cmocka_unit_test, test_longest)};
    const bool longest = argc > 1 && strcmp(argv[1], "test_longest") == 0;
    return longest ? session_run(&the_session, LONGEST, NULL)
                   : session_run(&the_session, TESTS, argc > 1 ? argv[1] : NULL);
}
