/* SPDX-License-Identifier: MIT */
/*
 * The time left that lines of progress show: what kernels took to build says nothing of the rest.
 */
#include "host/cli/base/cli.h"
#include "support/test.h"

#include <math.h>

static bool quiet(cli_progress *progress, double seconds, bool building)
{
    return !cli_progress_is_due(progress, seconds, building);
}

static void test_time_left(void **state)
{
    cli_progress progress;
    cli_set_verbosity(-1);
    cli_progress_start(&progress, "a device");
    assert_true(quiet(&progress, 1, false));
    assert_true(fabs(cli_progress_to_go(&progress, 1, 0.25) - 3) < 1e-9);
    /* Kernels are built from 2 to 32 s and from 33 to 43 s. */
    assert_true(quiet(&progress, 2, true) && quiet(&progress, 20, true));
    assert_true(quiet(&progress, 32, false));
    assert_true(fabs(cli_progress_to_go(&progress, 32, 0.5) - 2) < 1e-9);
    assert_true(quiet(&progress, 33, true) && quiet(&progress, 43, false));
    assert_true(fabs(cli_progress_to_go(&progress, 45, 0.5) - 5) < 1e-9);
    cli_progress_end(&progress);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_time_left)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
