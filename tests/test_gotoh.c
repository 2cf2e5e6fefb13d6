/* SPDX-License-Identifier: MIT */
/*
 * The oracles of affine gaps against each other, before they judge anything: Gotoh's matrix against
 * all paths one by one, against the textbook where costs are unit costs, and against other
 * programs; and the rule of extensions against ksw2.
 *
 *     test_gotoh [CASE [PERCENT]]
 *
 * A case of another program exits with 77 where that was not found when this was built.
 */
#include "support/affine_pair.h"
#include "support/amount.h"
#include "support/test.h"
#include "tests/reference/edlib_distance.h"

#include "tests/reference/gotoh.h"
#include "tests/reference/peers.h"

/* Penalties alone, and scores. Openings of 0, pieces that hardly differ, mismatches beyond two
 * gaps. */
static const oracle_penalties SETS[] = {
    {.mismatch = 1, .pieces = 1, .open = {0}, .extend = {1}},
    {.mismatch = 4, .pieces = 1, .open = {6}, .extend = {2}},
    {.mismatch = 7, .pieces = 1, .open = {0}, .extend = {2}},
    {.mismatch = 50, .pieces = 1, .open = {3}, .extend = {1}},
    {.mismatch = 5, .pieces = 2, .open = {8, 24}, .extend = {2, 1}},
    {.mismatch = 3, .pieces = 2, .open = {1, 3}, .extend = {2, 1}},
    {.mismatch = 4, .pieces = 1, .open = {4}, .extend = {2}, .match = 2},
    {.mismatch = 4, .pieces = 1, .open = {6}, .extend = {2}, .match = 1},
    {.mismatch = 4, .pieces = 2, .open = {4, 24}, .extend = {2, 1}, .match = 2},
    {.mismatch = 19, .pieces = 2, .open = {39, 81}, .extend = {3, 1}, .match = 1},
};

static void expect(const pair *p, const oracle_penalties *penalties, int64_t other, const char *by)
{
    const int64_t gotoh = oracle_gotoh(p->a.at, p->a.length, p->b.at, p->b.length, penalties);
    if (gotoh == other)
        return;
    fail_msg(
        "a: %.*s\nb: %.*s\nmatch %lld, mismatch %lld, gap %lld + k * %lld, %d pieces: %lld, but "
        "%lld by %s",
        (int)p->a.length, p->a.at, (int)p->b.length, p->b.at, (long long)penalties->match,
        (long long)penalties->mismatch, (long long)penalties->open[0],
        (long long)penalties->extend[0], penalties->pieces, (long long)gotoh, (long long)other, by);
}

/* The form without a match score has the same best alignment. */
static void expect_formula(const pair *p, const oracle_penalties *s)
{
    const oracle_penalties same = oracle_without_match(s);
    const int64_t score = -oracle_gotoh(p->a.at, p->a.length, p->b.at, p->b.length, s);
    expect(p, &same, oracle_penalty_of_score(s, p->a.length, p->b.length, score), "the formula");
}

enum { GAPS = RHOMB_GAP_I_2 + 1, LONGEST_PATH = 16 };

/* All paths of two strings, and the least penalty for each set and borders, or only without. */
typedef struct all_paths {
    const pair *p;
    int gaps; /* of each border */
    rhomb_cigar_op ops[LONGEST_PATH];
    int64_t best[COUNT(SETS)][GAPS][GAPS];
} all_paths;

static void price(all_paths *all, int64_t count)
{
    for (size_t s = 0; s < COUNT(SETS); s++)
        for (int begin = 0; begin < all->gaps; begin++)
            for (int end = 0; end < all->gaps; end++) {
                int64_t *best = &all->best[s][begin][end];
                const int64_t penalty =
                    oracle_path_penalty(all->ops, count, &SETS[s], (oracle_borders){begin, end});
                *best = penalty < *best ? penalty : *best;
            }
}

/* Goes on from (i, j) in every way, with operations that differ. */
static void go_on(all_paths *all, int64_t i, int64_t j, int64_t count)
{
    static const uint32_t CODES[] = {RHOMB_CIGAR_EQ, RHOMB_CIGAR_X, RHOMB_CIGAR_I, RHOMB_CIGAR_D};
    const letters *a = &all->p->a, *b = &all->p->b;
    if (j == a->length && i == b->length)
        price(all, count);
    for (int c = 0; c < 4; c++) {
        const bool both = CODES[c] == RHOMB_CIGAR_EQ || CODES[c] == RHOMB_CIGAR_X;
        const int64_t rows = both || CODES[c] == RHOMB_CIGAR_I;
        const int64_t columns = both || CODES[c] == RHOMB_CIGAR_D;
        if (count > 0 && RHOMB_CIGAR_CODE(all->ops[count - 1]) == CODES[c])
            continue;
        for (int64_t x = 1; i + x * rows <= b->length && j + x * columns <= a->length; x++) {
            if (both && (a->at[j + x - 1] == b->at[i + x - 1]) != (CODES[c] == RHOMB_CIGAR_EQ))
                break;
            all->ops[count] = (rhomb_cigar_op)x << 4 | CODES[c];
            go_on(all, i + x * rows, j + x * columns, count + 1);
        }
    }
}

static bool set_has(const oracle_penalties *s, int gap)
{
    return s->match == 0 && (gap == RHOMB_GAP_NONE || RHOMB_GAP_PIECE(gap) < s->pieces);
}

static void expect_borders(const all_paths *all, size_t set, oracle_borders borders)
{
    const pair *p = all->p;
    const int64_t best = all->best[set][borders.begin][borders.end];
    const int64_t found =
        oracle_gotoh_borders(p->a.at, p->a.length, p->b.at, p->b.length, &SETS[set], borders);
    if (found != best)
        fail_msg("%.*s and %.*s, set %zu, gaps %d and %d: %lld, all paths say %lld",
                 (int)p->a.length, p->a.at, (int)p->b.length, p->b.at, set, (int)borders.begin,
                 (int)borders.end, (long long)found, (long long)best);
}

/* Gotoh's matrix against all paths, each priced as a whole; up to 4 bases, borders within gaps. */
static void test_paths(void **state)
{
    enum { STRINGS = 63, WITH_BORDERS = 4 };
    static all_paths all;
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    all.p = &p;
    for (int both = 0; both < STRINGS * STRINGS; both++) {
        pair_tiny(&p, STRINGS, both);
        all.gaps = p.a.length <= WITH_BORDERS && p.b.length <= WITH_BORDERS ? GAPS : 1;
        for (size_t i = 0; i < COUNT(SETS) * GAPS * GAPS; i++)
            (&all.best[0][0][0])[i] = INT64_MAX;
        go_on(&all, 0, 0, 0);
        for (size_t s = 0; s < COUNT(SETS); s++) {
            expect(&p, &SETS[s], all.best[s][0][0], "all paths");
            expect_formula(&p, &SETS[s]);
            for (int i = 0; i < all.gaps * all.gaps && p.a.length + p.b.length > 0; i++)
                if (set_has(&SETS[s], i / all.gaps) && set_has(&SETS[s], i % all.gaps))
                    expect_borders(&all, s, (oracle_borders){i / all.gaps, i % all.gaps});
        }
    }
    pair_release(&p);
}

/* Family by family; only `bases` of A, C, G and T where other programs know no more. */
static void draw(const char *name, int64_t index, bool bases, pair *p)
{
    rng r = rng_for(name, index);
    affine_family family = (affine_family)(index % AFFINE_FAMILY_COUNT);
    if (bases && family == AFFINE_CODES)
        family = AFFINE_UNIFORM;
    affine_pair_make(family, rng_between(&r, 1, index % 7 == 0 ? 600 : 60), &r, p);
}

static void test_unit_costs(void **state)
{
    static const oracle_penalties twice = {.mismatch = 2, .pieces = 1, .open = {0}, .extend = {2}};
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (int64_t i = 0; i < amount(1000); i++) {
        draw("unit costs", i, false, &p);
        const int64_t edits = oracle_textbook(p.a.at, p.a.length, p.b.at, p.b.length);
        expect(&p, &SETS[0], edits, "the textbook");
        expect(&p, &twice, 2 * edits, "the textbook");
    }
    pair_release(&p);
}

static bool has_edges(const pair *p)
{
    return p->a.length > 0 && p->b.length > 0;
}

static void test_peer(void **state)
{
    const oracle_peer peer = *(const oracle_peer *)*state;
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    int64_t asked = 0;
    for (int64_t i = 0; i < amount(3000); i++) {
        const oracle_penalties *s = &SETS[i % (int64_t)COUNT(SETS)];
        draw("peers", i, true, &p);
        if (!oracle_peer_takes(peer, s) || !has_edges(&p))
            continue;
        expect(&p, s, oracle_peer_penalty(peer, p.a.at, p.a.length, p.b.at, p.b.length, s),
               oracle_peer_names[peer]);
        asked++;
    }
    printf("%s: %lld pairs\n", oracle_peer_names[peer], (long long)asked);
    assert_true(asked > amount(500));
    pair_release(&p);
}

/* Asks ksw2 for an extension. Returns whether it would be another one if borders counted. */
static bool expect_extension(const pair *p, const oracle_penalties *s, const oracle_mode *mode)
{
    const rhomb_pair both = {p->a.at, p->a.length, p->b.at, p->b.length};
    const rhomb_pair_extent other = oracle_extent_with_borders(&both, s, mode);
    bool ties = false;
    const rhomb_pair_extent e =
        oracle_mode_extent(p->a.at, p->a.length, p->b.at, p->b.length, s, mode, &ties);
    const rhomb_pair_extent is = oracle_mode_by_peer(&both, s, mode);
    if (!ties &&
        (e.score != is.score || e.target_end != is.target_end || e.query_end != is.query_end))
        fail_msg("%.*s and %.*s, match %lld, mismatch %lld, z-drop %lld, bonus %lld: %lld at %lld, "
                 "%lld, by ksw2 %lld at %lld, %lld",
                 (int)p->a.length, p->a.at, (int)p->b.length, p->b.at, (long long)s->match,
                 (long long)s->mismatch, (long long)mode->z_drop, (long long)mode->end_bonus,
                 (long long)e.score, (long long)e.target_end, (long long)e.query_end,
                 (long long)is.score, (long long)is.target_end, (long long)is.query_end);
    return !ties && (e.score != other.score || e.target_end != other.target_end ||
                     e.query_end != other.query_end);
}

/*
 * All pairs of up to 4 letters, where gaps alone are better than mismatches at all small lengths,
 * at some, and never: of each pair's last row and of each antidiagonal, ksw2 has to leave out the
 * border.
 */
static void test_extension(void **state)
{
    enum { STRINGS = 32, DROPS = 6, BONUSES = 6 };
    static const oracle_penalties sets[] = {
        {.mismatch = 19, .pieces = 1, .open = {39}, .extend = {3}, .match = 1},
        {.mismatch = 9, .pieces = 1, .open = {5}, .extend = {2}, .match = 1},
        {.mismatch = 4, .pieces = 1, .open = {4}, .extend = {2}, .match = 2},
        {.mismatch = 2, .pieces = 1, .open = {0}, .extend = {1}, .match = 1},
        {.mismatch = 2, .pieces = 1, .open = {3}, .extend = {0}, .match = 1},
        {.mismatch = 19, .pieces = 2, .open = {37, 39}, .extend = {3, 2}, .match = 1},
        {.mismatch = 4, .pieces = 2, .open = {4, 24}, .extend = {2, 1}, .match = 2},
        {.mismatch = 4, .pieces = 2, .open = {0, 4}, .extend = {2, 0}, .match = 3}};
    static const int64_t drops[DROPS] = {-1, 0, 1, 3, 6, 40};
    static const int64_t bonuses[BONUSES] = {0, 1, 5, 10, 60, 100000};
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    int64_t by_end = 0, by_drop = 0;
    for (int both = 0; both < STRINGS * STRINGS; both++) {
        pair_tiny(&p, STRINGS, both);
        for (size_t i = 0; i < COUNT(sets) * DROPS * BONUSES; i++) {
            const oracle_mode mode = {.mode = RHOMB_MODE_EXTEND,
                                      .z_drop = drops[i / BONUSES % DROPS],
                                      .end_bonus = bonuses[i % BONUSES]};
            const bool tells = expect_extension(&p, &sets[i / BONUSES / DROPS], &mode);
            by_end += tells && mode.z_drop < 0;
            by_drop += tells && mode.end_bonus == 0;
        }
    }
    printf("ksw2: borders matter for %lld ends of queries and %lld drops\n", (long long)by_end,
           (long long)by_drop);
    assert_true(by_end > 0 && by_drop > 0);
    pair_release(&p);
}

/* The cases that are asked for; -1 where one is of a program that is not there. */
static int run_case(const char *name)
{
    static oracle_peer peers[] = {ORACLE_WFA2, ORACLE_BIWFA, ORACLE_PARASAIL, ORACLE_KSW2};
    const struct CMUnitTest all[] = {
        {"paths", test_paths, NULL, NULL, NULL},
        {"unit_costs", test_unit_costs, NULL, NULL, NULL},
        {"wfa2", test_peer, NULL, NULL, &peers[0]},
        {"biwfa", test_peer, NULL, NULL, &peers[1]},
        {"parasail", test_peer, NULL, NULL, &peers[2]},
        {"ksw2", test_peer, NULL, NULL, &peers[3]},
        {"extension", test_extension, NULL, NULL, &peers[3]},
    };
    int failures = 0, found = 0;
    for (size_t i = 0; i < COUNT(all); i++) {
        const struct CMUnitTest chosen[] = {all[i]};
        const oracle_peer *peer = all[i].initial_state;
        if (name != NULL && strcmp(name, all[i].name) != 0)
            continue;
        found++;
        if (peer == NULL || oracle_has_peer(*peer)) {
            failures += cmocka_run_group_tests_name(all[i].name, chosen, NULL, NULL);
            continue;
        }
        fprintf(stderr, "%s was not there when this was built: skipped\n", all[i].name);
        if (name != NULL)
            return 77;
    }
    return failures != 0 || found == 0;
}

int main(int argc, char **argv)
{
    amount_from(argc, argv, 2);
    return run_case(argc > 1 ? argv[1] : NULL);
}
