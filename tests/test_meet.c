/* SPDX-License-Identifier: MIT */
/*
 * Where the two directions of a wavefront meet, on the device that "auto" takes: pairs whose edits
 * lie so that one direction has all the work or both have half, that the breakpoint lies on the end
 * diagonal or far off it, or on many diagonals at once; distances around the ends of launches and
 * of batches; and limits right at the distance. Every tile with one direction and with two.
 *
 *     test_meet [CASE]
 *
 * Exits with 77 where there is no device.
 */
#include "support/check.h"
#include "support/run.h"
#include "support/test.h"

static session the_session;

/* What the relations of a question look at here, in turn. */
static const relation RELATIONS[] = {RELATION_LIMIT_EXACT, RELATION_LIMIT_BELOW, RELATION_SWAPPED,
                                     RELATION_LIMIT_ABOVE, RELATION_REVERSED};

/* Asks if the pair has the variant's planes, and once more with a relation. */
static bool ask(const variant *v, const pair *p, rhomb_alphabet alphabet, const char *family,
                int64_t index, int64_t *distance)
{
    if (pair_planes(p, alphabet) != v->planes)
        return false;
    const question q = question_of(p, alphabet, v, family, index);
    question_ask(&the_session, &q, NULL);
    question_ask_related(&the_session, &q, RELATIONS[index % (int64_t)COUNT(RELATIONS)]);
    *distance = q.distance;
    return true;
}

/* A part of a pair: bases that both have, substitutions, or bases that one of them has. */
typedef enum piece_kind { END, KEEP, CHANGE, TARGET, QUERY } piece_kind;

typedef struct piece {
    piece_kind kind;
    double share; /* of the edits; the last piece with any gets what is left */
} piece;

typedef struct script {
    const char *name;
    piece pieces[6];
} script;

/*
 * Bases of a KEEP, and from one substitution to the next: so many that no other path is cheaper.
 *
 */
#define KEPT    70
#define SPACING 8

static const script SCRIPTS[] = {
    {"all at the beginning", {{CHANGE, 1}, {KEEP, 0}}},
    {"all at the end", {{KEEP, 0}, {CHANGE, 1}}},
    {"all in the middle", {{KEEP, 0}, {CHANGE, 1}, {KEEP, 0}}},
    {"half at either end", {{CHANGE, 0.5}, {KEEP, 0}, {CHANGE, 0.5}}},
    {"an insertion at the beginning", {{TARGET, 1}, {KEEP, 0}}},
    {"an insertion at the end", {{KEEP, 0}, {TARGET, 1}}},
    {"an insertion in the middle", {{KEEP, 0}, {TARGET, 1}, {KEEP, 0}}},
    {"insertions at both ends", {{TARGET, 0.6}, {KEEP, 0}, {TARGET, 0.4}}},
    {"between an insertion and a deletion",
     {{TARGET, 0.3}, {KEEP, 0}, {CHANGE, 0.4}, {KEEP, 0}, {QUERY, 0.3}}},
    {"before an insertion and a deletion", {{CHANGE, 0.6}, {TARGET, 0.2}, {KEEP, 0}, {QUERY, 0.2}}},
    {"after an insertion and a deletion", {{TARGET, 0.2}, {KEEP, 0}, {QUERY, 0.2}, {CHANGE, 0.6}}},
    {"in an insertion", {{CHANGE, 0.2}, {TARGET, 0.6}, {KEEP, 0}, {CHANGE, 0.2}}},
};

static char other_letter(char letter, const char *alphabet)
{
    return letter == alphabet[0] ? alphabet[1] : alphabet[0];
}

/* Appends `count` times a substitution and some matches. */
static void append_changes(pair *p, int64_t count, const char *alphabet, rng *r)
{
    for (int64_t i = 0; i < count; i++) {
        const int64_t at = p->a.length;
        letters_random(&p->a, alphabet, SPACING, r);
        letters_append(&p->b, p->a.at + at, SPACING);
        char *changed = &p->b.at[p->b.length - SPACING / 2];
        *changed = other_letter(*changed, alphabet);
    }
}

static void append_kept(pair *p, int64_t count, const char *alphabet, rng *r)
{
    const int64_t at = p->a.length;
    if (count == 0)
        return; /* there may be no bases at all yet */
    letters_random(&p->a, alphabet, count, r);
    letters_append(&p->b, p->a.at + at, count);
}

static void append_piece(pair *p, piece_kind kind, int64_t edits, const char *alphabet, rng *r)
{
    if (kind == KEEP)
        append_kept(p, KEPT + rng_below(r, KEPT), alphabet, r);
    else if (kind == CHANGE)
        append_changes(p, edits, alphabet, r);
    else
        letters_random(kind == TARGET ? &p->a : &p->b, alphabet, edits, r);
}

/* Makes a pair by a script with so many edits; its distance is that, or not much less. */
static void play(const script *s, int64_t edits, const char *alphabet, rng *r, pair *p)
{
    int64_t left = edits;
    p->a.length = p->b.length = 0;
    for (const piece *at = s->pieces; at->kind != END; at++) {
        const bool last = at[1].kind == END || (at[1].kind == KEEP && at[2].kind == END);
        const int64_t mine = last ? left : (int64_t)(at->share * (double)edits);
        append_piece(p, at->kind, mine, alphabet, r);
        left -= at->kind == KEEP ? 0 : mine;
    }
}

/* Each script with each tile, from a few edits to more than a few launches of them. */
static void test_scripts(void **state)
{
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    int64_t index = 0, asked = 0, distance;
    for (size_t at = 0; variant_at(at) != NULL; at++) {
        const variant *v = variant_at(at);
        for (size_t i = 0; i < COUNT(SCRIPTS) && !variant_is_sweep(v); i++, index++) {
            rng r = rng_for("meet scripts", index);
            rhomb_alphabet alphabet;
            const char *drawn = variant_letters(v, &alphabet);
            const int64_t edits = rng_between(&r, 4, 10 + 8 * v->columns);
            play(&SCRIPTS[i], edits, drawn, &r, &p);
            asked += ask(v, &p, alphabet, SCRIPTS[i].name, index, &distance);
        }
    }
    pair_release(&p);
    printf("%lld of %lld pairs\n", (long long)asked, (long long)index);
    assert_true(asked > index / 2);
}

/* Sums of scores that the last launch of a run came to, by their place in it. */
typedef enum place { FIRST, INSIDE, LAST, PLACES } place;

/* A launch advances the sum by so many; the first one begins at - directions. */
static int64_t sums_of(const variant *v)
{
    return v->directions * v->columns;
}

static place place_of(const variant *v, int64_t distance)
{
    const int64_t at = (distance + v->directions - 1) % sums_of(v);
    return at == sums_of(v) - 1 ? LAST : at == 0 ? FIRST : INSIDE;
}

/* Asks for distances around the end of launch `launches`. */
static void ask_around(const variant *v, int64_t launches, int64_t *index, int64_t seen[PLACES])
{
    const int64_t sum = launches * sums_of(v) - v->directions;
    const int64_t distances[] = {sum - 1, sum, sum + 1, sum + 2, sum + sums_of(v) / 2};
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (size_t i = 0; i < COUNT(distances); i++, ++*index) {
        rng r = rng_for("meet edges", *index);
        rhomb_alphabet alphabet;
        const char *drawn = variant_letters(v, &alphabet);
        int64_t distance = 0;
        if (distances[i] < 1)
            continue;
        /* One of the scripts whose distance is the number of edits. */
        play(&SCRIPTS[*index % 4], distances[i], drawn, &r, &p);
        if (ask(v, &p, alphabet, "meet edges", *index, &distance))
            seen[place_of(v, distance)]++;
    }
    pair_release(&p);
}

/*
 * Distances around the ends of the first launches, and of batches: those have 4, 8 and 16 launches
 * where the variant reads as rarely. In the first, a middle and the last sum of a launch that is
 * replayed.
 */
static void test_edges(void **state)
{
    static const int64_t LAUNCHES[] = {1, 2, 3, 4, 5, 12, 13, 28};
    int64_t index = 0;
    for (size_t at = 0; variant_at(at) != NULL; at++) {
        const variant *v = variant_at(at);
        int64_t seen[PLACES] = {0};
        if (variant_is_sweep(v))
            continue;
        /* All diagonals of many wavefronts take long, and planes change nothing of them. */
        const int64_t most = v->no_pruning || v->planes > 2 ? 200 : 800;
        for (size_t i = 0; i < COUNT(LAUNCHES); i++) {
            if (LAUNCHES[i] * v->columns < most)
                ask_around(v, LAUNCHES[i], &index, seen);
        }
        assert_true(v->planes > 3 || seen[LAST] > 0);
        assert_true(v->planes > 3 || seen[FIRST] > 0 || sums_of(v) == 1);
        assert_true(v->planes > 3 || seen[INSIDE] > 0 || sums_of(v) <= 2);
    }
}

/* Appends bases that only the target or only the query has, in turn, around a repeat. */
static void make_tie(const variant *v, rng *r, pair *p)
{
    static const char *const UNITS[] = {"A", "AC", "ACG", "AACAG"};
    const char *unit = UNITS[rng_below(r, COUNT(UNITS))];
    const int64_t length = rng_between(r, 20, 400);
    const int64_t spread = rng_below(r, 2 * sums_of(v) + 3);
    const int64_t ends[] = {rng_below(r, 2 * sums_of(v) + 3), rng_below(r, 2 * sums_of(v) + 3)};
    p->a.length = p->b.length = 0;
    letters_repeat(&p->a, "T", ends[0]);
    letters_repeat(&p->b, "G", ends[0]);
    letters_repeat(&p->a, unit, length);
    letters_repeat(&p->b, unit, length + (rng_chance(r, 0.5) ? spread : 0));
    letters_repeat(&p->a, "G", ends[1]);
    letters_repeat(&p->b, "T", ends[1]);
}

/* Repeats: the directions meet on as many diagonals at once as there are units. */
static void test_ties(void **state)
{
    enum { PAIRS = 24 };
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    int64_t index = 0, distance;
    for (size_t at = 0; variant_at(at) != NULL; at++) {
        const variant *v = variant_at(at);
        for (int i = 0; i < PAIRS && !variant_is_sweep(v) && v->planes == 2; i++, index++) {
            rng r = rng_for("meet ties", index);
            make_tie(v, &r, &p);
            ask(v, &p, RHOMB_ALPHABET_DNA, "meet ties", index, &distance);
        }
    }
    pair_release(&p);
}

/* 1 to 3 edits of one kind after a prefix of each length, each with some of the variants. */
static void test_few(void **state)
{
    static const piece_kind KINDS[] = {CHANGE, TARGET, QUERY};
    enum { LENGTH = 70, EVERY = 8 };
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    int64_t index = 0, distance;
    for (int64_t prefix = 0; prefix <= LENGTH; prefix++) {
        for (int64_t edits = 1; edits <= 3; edits++) {
            for (size_t kind = 0; kind < COUNT(KINDS); kind++, index++) {
                rng r = rng_for("meet few", index);
                p.a.length = p.b.length = 0;
                append_kept(&p, prefix, "ACGT", &r);
                append_piece(&p, KINDS[kind], edits, "ACGT", &r);
                append_kept(&p, LENGTH - prefix, "ACGT", &r);
                for (size_t at = (size_t)(index % EVERY); variant_at(at) != NULL; at += EVERY) {
                    if (!variant_is_sweep(variant_at(at)))
                        ask(variant_at(at), &p, RHOMB_ALPHABET_DNA, "meet few", index, &distance);
                }
            }
        }
    }
    pair_release(&p);
}

/* All pairs of one or two bases, with every limit that is near. */
static void test_tiny(void **state)
{
    static char TEXTS[][3] = {"A", "C", "AA", "AC", "CA", "CC"};
    for (size_t at = 0; variant_at(at) != NULL; at++) {
        const variant *v = variant_at(at);
        for (size_t both = 0; both < 36 && !variant_is_sweep(v) && v->planes == 2; both++) {
            const size_t x = both / 6, y = both % 6;
            const pair p = {{TEXTS[x], x < 2 ? 1 : 2, 0}, {TEXTS[y], y < 2 ? 1 : 2, 0}};
            const question q = question_of(&p, RHOMB_ALPHABET_DNA, v, "meet tiny", (int64_t)both);
            question_ask(&the_session, &q, NULL);
            question_ask_related(&the_session, &q, RELATION_LIMIT_BELOW);
            question_ask_related(&the_session, &q, RELATION_LIMIT_EXACT);
            question_ask_related(&the_session, &q, RELATION_LIMIT_ABOVE);
        }
    }
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest TESTS[] = {
        TEST_LIST(cmocka_unit_test, test_scripts, test_edges, test_ties, test_few, test_tiny)};
    return session_run(&the_session, TESTS, argc > 1 ? argv[1] : NULL);
}
