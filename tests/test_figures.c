/* SPDX-License-Identifier: MIT */
/*
 * Percentages: rounded to two decimals, but all and nothing, which nothing else looks like.
 */
#include "host/cli/base/cli.h"
#include "support/test.h"

static void check(int64_t part, int64_t whole, const char *wanted)
{
    char text[32];
    snprintf(text, sizeof text, "%.2f", cli_percent((double)part / (double)whole));
    if (strcmp(text, wanted) != 0)
        fail_msg("%" PRId64 " of %" PRId64 ": %s instead of %s", part, whole, text, wanted);
}

static void test_percentages(void **state)
{
    check(0, 7, "0.00");
    check(7, 7, "100.00");
    check(1, INT64_C(1000000000000), "0.01");
    check(INT64_C(999999999999), INT64_C(1000000000000), "99.99");
    check(99994, 100000, "99.99");
    check(99996, 100000, "99.99");
    check(99985, 100000, "99.99");
    check(99984, 100000, "99.98");
    check(2, 3, "66.67");
    check(1, 3, "33.33");
    check(1, 8, "12.50");
    /* Halves go up, whatever the quotient's last bit. */
    for (int64_t i = 1; i < 9999; i++) {
        char wanted[32];
        snprintf(wanted, sizeof wanted, "%" PRId64 ".%02" PRId64, (i + 1) / 100, (i + 1) % 100);
        check(2 * i + 1, 20000, wanted);
        snprintf(wanted, sizeof wanted, "%" PRId64 ".%02" PRId64, i / 100, i % 100);
        check(i, 10000, wanted);
        check(20 * i + 9, 200000, wanted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_percentages)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
