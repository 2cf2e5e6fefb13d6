/* SPDX-License-Identifier: MIT */
/*
 * The programs of all variants of the tuning: each compiles, and solves a pair. Tests that share
 * the cache of programs find them there afterwards; without this one, those that run side by side
 * all wait for the same ones.
 *
 *     test_programs PART OF     a part of the variants, from 0 on
 *
 * Exits with 77 where there is no device.
 */
#include "support/check.h"
#include "support/run.h"
#include "support/test.h"

static session the_session;
static size_t part, parts;

static void test_programs(void **state)
{
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    size_t built = 0;
    for (size_t at = 0; variant_at(at) != NULL; at++) {
        const variant *v = variant_at(at);
        if (at / 2 % parts != part) /* neighbours differ in directions, which share a program */
            continue;
        rng r = rng_for("programs", (int64_t)at);
        rhomb_alphabet alphabet;
        /* Long enough to have all of the bases, and so the variant's planes. */
        const pair_recipe recipe = {.model = PAIR_UNIFORM,
                                    .length = 1000,
                                    .error_rate = 0.01,
                                    .alphabet = variant_letters(v, &alphabet)};
        pair_make(&recipe, &r, &p);
        assert_int_equal(pair_planes(&p, alphabet), v->planes);
        const question q = question_of(&p, alphabet, v, "programs", (int64_t)at);
        question_ask(&the_session, &q, NULL);
        built++;
    }
    pair_release(&p);
    assert_true(built > 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {TEST_LIST(cmocka_unit_test, test_programs)};
    if (argc != 3)
        return 2;
    part = strtoull(argv[1], NULL, 10);
    parts = strtoull(argv[2], NULL, 10);
    if (parts == 0 || part >= parts)
        return 2;
    return session_run(&the_session, tests, NULL);
}
