/* SPDX-License-Identifier: MIT */
/*
 * Extensions as on a GPU, where the work-items of a group form teams that share pairs
 * (cl/batch/batch_extend_items.clh), against whole matrices in plain code: lengths at all edges,
 * ties, drops in every attempt, and large numbers.
 *
 *     test_batch_teams CASE
 */
#include "support/check.h"
#include "support/mode_check.h"
#include "support/run.h"
#include "support/test.h"

static session device;

/* All drops and bonuses for the pairs of an asker. */
static void ask_drops(mode_asker *a)
{
    static const int64_t DROPS[] = {-1, 0, 3, 25}, BONUSES[] = {0, 7, 0, 1};
    for (size_t i = 0; i < COUNT(DROPS); i++) {
        a->mode.z_drop = DROPS[i];
        a->mode.end_bonus = BONUSES[i];
        mode_ask_one(a);
    }
}

/* A beginning in common, and then none, or a single base all along: ties on every antidiagonal. */
static void add_beginning(mode_asker *a, int64_t n, int64_t m, int64_t common, int symbols, rng *r)
{
    char *bases = calloc(2, (size_t)(n + m + 1));
    char *query = bases + n;
    assert_non_null(bases);
    for (int64_t i = 0; i < n + m; i++)
        bases[i] = "ACGT"[rng_below(r, symbols)];
    for (int64_t i = 0; i < common && i < n && i < m; i++)
        query[i] = bases[i];
    mode_add(a, bases, n, query, m);
    free(bases);
}

/*
 * Without gap costs, the first matches are in the first and in the last row, on one antidiagonal:
 * of lengths that are one more than a strip's rows these are of one item.
 */
static void add_tie(mode_asker *a, int64_t length)
{
    char target[300], query[300];
    memset(target, 'T', sizeof target);
    memset(query, 'G', sizeof query);
    target[0] = query[length - 1] = 'A';
    target[length - 1] = query[0] = 'C';
    mode_add(a, target, length, query, length);
}

/*
 * Extensions in groups as on a GPU, where 2, 8 or 32 work-items of 4 rows share a pair: lengths at
 * the edges of items, of blocks of columns, of teams and of strips.
 */
static void check_teams(const char *scoring, int32_t group)
{
    static const int64_t LENGTHS[] = {0, 1, 3, 4, 5, 7, 8, 9, 31, 32, 33, 127, 128, 129, 260};
    static const int64_t TIES[] = {16, 17, 22, 33, 65, 129, 257};
    rng r = rng_for("modes teams", group);
    mode_asker a = mode_asker_of(device.ctx, scoring, RHOMB_MODE_EXTEND);
    a.cigar = false;
    a.tuning.group_size = group;
    for (size_t i = 0; i < COUNT(LENGTHS); i++)
        for (size_t j = 0; j < COUNT(LENGTHS); j++)
            add_beginning(&a, LENGTHS[i], LENGTHS[j], rng_below(&r, 300), (int)(i + j) % 4 + 1, &r);
    for (size_t i = 0; i < COUNT(TIES); i++)
        add_tie(&a, TIES[i]);
    ask_drops(&a);
    a.tuning.one_bin = true;
    ask_drops(&a);
    mode_release(&a);
    for (int round = 0; round < 3; round++) {
        mode_add_random(&a, 150, 300, &r);
        mode_draw(&a, &r);
        a.tuning.one_bin = round == 1;
        mode_ask_one(&a);
        mode_release(&a);
    }
}

/* All pairs of strings of up to 3 letters. */
static void ask_exhaustive(const char *scoring)
{
    static const int64_t BONUSES[] = {0, 3, 100000}, DROPS[] = {-1, 1, 4, 45};
    mode_asker a = mode_asker_of(device.ctx, scoring, RHOMB_MODE_EXTEND);
    a.cigar = false;
    a.tuning.group_size = 8;
    mode_add_tiny(&a, 15);
    for (size_t drop = 0; drop < COUNT(DROPS); drop++)
        for (size_t bonus = 0; bonus < COUNT(BONUSES); bonus++) {
            a.mode.z_drop = DROPS[drop];
            a.mode.end_bonus = BONUSES[bonus];
            mode_ask_one(&a);
        }
    mode_release(&a);
}

/* With the last two, gaps alone are often better than all else. */
static void test_exhaustive(void **state)
{
    ask_exhaustive("match:2,4,4,2");
    ask_exhaustive("match:1,19,39,3");
    ask_exhaustive("match:1,19,37,3,39,2");
}

static void test_edges(void **state)
{
    check_teams("match:2,4,4,2", 8);
    check_teams("match:1,1,0,1", 32);
    check_teams("match:3,0,0,0", 8); /* ties of rows in different strips */
    check_teams("match:2,3,2,2,4,1", 8);
}

/*
 * Pairs whose antidiagonals are computed in several attempts, as they may drop in any of them; and
 * pairs with numbers around the most that teams compute with.
 */
static void test_attempts(void **state)
{
    rng r = rng_for("modes attempts", 0);
    mode_asker a = mode_asker_of(device.ctx, "match:2,4,4,2", RHOMB_MODE_EXTEND);
    a.cigar = false;
    a.tuning.group_size = 8;
    add_beginning(&a, 2400, 2400, 2400, 4, &r);
    for (int64_t common = 0; common < 3000; common += 450)
        add_beginning(&a, 2400, 2500 - common / 4, common, 4, &r);
    for (int64_t drop = 20; drop < 6000; drop *= 15) {
        a.mode.z_drop = drop;
        a.mode.end_bonus = drop == 300 ? 5 : 0;
        mode_ask(&a);
    }
    mode_release(&a);
    a.scoring = "match:30000,4,4,2";
    for (int64_t length = 70; length < 80; length++) {
        add_beginning(&a, length, length, length - 2, 4, &r);
        add_beginning(&a, 4 * length, 4 * length, 4 * length - 2, 4, &r);
    }
    ask_drops(&a);
    mode_release(&a);
}

static const struct CMUnitTest TESTS[] = {
    {"exhaustive", test_exhaustive, NULL, NULL, NULL},
    {"edges", test_edges, NULL, NULL, NULL},
    {"attempts", test_attempts, NULL, NULL, NULL},
};

int main(int argc, char **argv)
{
    return session_run(&device, TESTS, argc > 1 ? argv[1] : NULL);
}
