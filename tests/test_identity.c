/* SPDX-License-Identifier: MIT */
/*
 * The three definitions of rhomb/identity.h: by hand, at their ends, and where they agree; and that
 * no second one is anywhere, as far as plots and tags can tell (test_plot, test_align_formats).
 */
#include "rhomb/identity.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static void assert_near(double a, double b)
{
    assert_true(a - b < 1e-15 && b - a < 1e-15);
}

/* 90 matches, 4 mismatches, an insertion of 6 bases in one gap and deletions of 10 in two. */
static void test_by_hand(void **state)
{
    (void)state;
    assert_near(rhomb_similarity(20, 104), 84.0 / 104);
    assert_near(rhomb_identity(90, 110), 90.0 / 110);
    assert_near(rhomb_gap_compressed_identity(90, 4, 3), 90.0 / 97);
    assert_near(rhomb_gap_compressed_divergence(90, 4, 3), 7.0 / 97);
}

static void test_ends(void **state)
{
    (void)state;
    assert_true(rhomb_similarity(0, 0) == 1 && rhomb_similarity(7, 7) == 0);
    assert_true(rhomb_similarity(0, 9) == 1);
    assert_true(rhomb_identity(0, 0) == 1 && rhomb_identity(0, 5) == 0 &&
                rhomb_identity(5, 5) == 1);
    assert_true(rhomb_gap_compressed_identity(0, 0, 0) == 1);
    assert_true(rhomb_gap_compressed_divergence(0, 0, 0) == 0);
    assert_true(rhomb_gap_compressed_identity(0, 0, 1) == 0);
    assert_true(rhomb_gap_compressed_divergence(INT64_C(1) << 40, 1, 0) > 0);
}

/* Without gaps all three are the same. */
static void test_substitutions(void **state)
{
    (void)state;
    for (int64_t edits = 0; edits <= 1000; edits++) {
        assert_near(rhomb_similarity(edits, 1000), rhomb_identity(1000 - edits, 1000));
        assert_near(rhomb_gap_compressed_identity(1000 - edits, edits, 0),
                    rhomb_identity(1000 - edits, 1000));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_substitutions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
