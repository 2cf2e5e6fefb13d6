/* SPDX-License-Identifier: MIT */
/*
 * Ticks of plots: round steps, never more than there is room for, all within the axis, labels that
 * say exactly where they are; at every scale from a base to 2^60.
 */
#include <math.h>

#include "host/cli/plot/plot_ticks.h"
#include "support/test.h"

static void expect_labels(const cli_ticks *ticks, const char *unit, const char *expected)
{
    char all[512] = "";
    cli_text text;
    for (int i = 0; i < ticks->count; i++) {
        strcat(all, i > 0 ? " " : "");
        strcat(all, cli_tick_label(ticks, i, &text));
    }
    assert_string_equal(all, expected);
    assert_string_equal(ticks->unit_name, unit);
}

static void test_letters(void **state)
{
    static const struct {
        double low, high;
        int most;
        const char *unit, *labels;
    } CASES[] = {
        {0, 1, 10, "bp", "0 1"},
        {0, 7, 10, "bp", "0 1 2 3 4 5 6 7"},
        {0, 7, 4, "bp", "0 2 4 6"},
        {0, 1000, 6, "bp", "0 200 400 600 800 1,000"},
        {0, 16571, 9, "kb", "0 2 4 6 8 10 12 14 16"},
        {0, 1500000, 4, "kb", "0 500 1,000 1,500"},
        {0, 12157105, 5, "Mb", "0 5 10"},
        {0, 248387328, 6, "Mb", "0 50 100 150 200"},
        {0, 3.1e9, 4, "Gb", "0 1 2 3"},
        {-27000, 3000, 5, "kb", "-20 -10 0"},
        {100000000, 100000500, 3, "bp", "100,000,000 100,000,200 100,000,400"},
        {5000000, 5002000, 3, "bp", "5,000,000 5,001,000 5,002,000"},
        {12345500, 12345900, 5, "bp", "12,345,500 12,345,600 12,345,700 12,345,800 12,345,900"},
        {5000000, 5010000, 3, "kb", "5,000 5,005 5,010"},
        {99999999, 100000010, 3, "bp", "100,000,000 100,000,005 100,000,010"},
    };
    for (size_t i = 0; i < CLI_COUNT(CASES); i++) {
        const cli_ticks ticks = cli_ticks_bases(CASES[i].low, CASES[i].high, CASES[i].most);
        expect_labels(&ticks, CASES[i].unit, CASES[i].labels);
    }
}

/* Axes that are read beside each other. */
static void test_shared_unit(void **state)
{
    static const struct {
        double high, low2, high2;
        const char *unit, *labels, *labels2;
    } CASES[] = {
        {2000000, 0, 1990627, "Mb", "0.0 0.5 1.0 1.5 2.0", "0.0 0.5 1.0 1.5"},
        {1990627, 0, 2000000, "Mb", "0.0 0.5 1.0 1.5", "0.0 0.5 1.0 1.5 2.0"},
        {2000, 0, 450, "kb", "0.0 0.5 1.0 1.5 2.0", "0.0 0.1 0.2 0.3 0.4"},
        {2000, 0, 45, "kb", "0.0 0.5 1.0 1.5 2.0", "0.00 0.01 0.02 0.03 0.04"},
        {2000, 0, 9, "bp", "0 500 1,000 1,500 2,000", "0 2 4 6 8"},
        {4000, 5000000, 5003000, "bp", "0 1,000 2,000 3,000 4,000",
         "5,000,000 5,001,000 5,002,000 5,003,000"},
        {14000, 5000000, 5013000, "kb", "0 5 10", "5,000 5,005 5,010"},
    };
    for (size_t i = 0; i < CLI_COUNT(CASES); i++) {
        cli_ticks a = cli_ticks_bases(0, CASES[i].high, 5);
        cli_ticks b = cli_ticks_bases(CASES[i].low2, CASES[i].high2, 5);
        const double unit = cli_ticks_unit(&a, &b);
        cli_ticks_set_unit(&a, unit);
        cli_ticks_set_unit(&b, unit);
        expect_labels(&a, CASES[i].unit, CASES[i].labels);
        expect_labels(&b, CASES[i].unit, CASES[i].labels2);
    }
}

static void test_plain(void **state)
{
    cli_ticks ticks = cli_ticks_plain(99.4, 100, 4);
    expect_labels(&ticks, "", "99.4 99.6 99.8 100.0");
    ticks = cli_ticks_plain(0, 100, 6);
    expect_labels(&ticks, "", "0 20 40 60 80 100");
    ticks = cli_ticks_plain(-0.3, 0.3, 7);
    expect_labels(&ticks, "", "-0.3 -0.2 -0.1 0.0 0.1 0.2 0.3");
}

/* Whatever the axis: ticks in it, not too many, not far fewer, a label that reads back as its
 * value. */
static void check(double low, double high, int most)
{
    const cli_ticks ticks = cli_ticks_bases(low, high, most);
    const double mantissa = ticks.step / pow(10, floor(log10(ticks.step) + 1e-9));
    assert_true(fabs(mantissa - 1) < 1e-6 || fabs(mantissa - 2) < 1e-6 ||
                fabs(mantissa - 5) < 1e-6);
    if (ticks.count > most || (ticks.count < most / 3 && ticks.step > 1))
        fail_msg("%d of %d ticks between %g and %g", ticks.count, most, low, high);
    for (int i = 0; i < ticks.count; i++) {
        cli_text text;
        char digits[64];
        size_t used = 0;
        const double value = cli_tick_value(&ticks, i);
        for (const char *at = cli_tick_label(&ticks, i, &text); *at != '\0'; at++) {
            if (*at != ',')
                digits[used++] = *at;
        }
        digits[used] = '\0';
        assert_true(value >= low - 1e-6 * (high - low) && value <= high + 1e-6 * (high - low));
        if (fabs(strtod(digits, NULL) * ticks.unit - value) > 1e-6 * ticks.step)
            fail_msg("%s %s is not %f", text.text, ticks.unit_name, value);
    }
}

static void test_all_scales(void **state)
{
    for (double span = 1; span < 1.2e18; span *= 1.37) {
        for (int most = 2; most <= 12; most++) {
            check(0, floor(span), most);
            check(-floor(span), floor(span / 3), most);
        }
    }
    for (double span = 1; span < 3e8; span *= 1.37)
        check(248387328 - floor(span), 248387328, 6);
}

static void test_words(void **state)
{
    cli_text text;
    assert_string_equal(cli_decade_label(0, true, &text), "1 bp");
    assert_string_equal(cli_decade_label(5, true, &text), "100 kb");
    assert_string_equal(cli_decade_label(18, false, &text), "1 E");
    assert_string_equal(cli_decade_label(21, false, &text), "");
    assert_string_equal(cli_show_count(999, &text), "999");
    assert_string_equal(cli_show_count(1234567, &text), "1,234,567");
    assert_string_equal(cli_show_count(INT64_MAX, &text), "9,223,372,036,854,775,807");
    assert_string_equal(cli_show_bases(16571, &text), "16,571 bp");
    assert_string_equal(cli_show_bases(50000, &text), "50 kb");
    assert_string_equal(cli_show_bases(0, &text), "0 bp");
    assert_string_equal(cli_show_bases(248387328, &text), "248.4 Mb");
    assert_string_equal(cli_show_bases(3.1e9, &text), "3.1 Gb");
    assert_true(cli_round_up(0.003) == 0.005 && cli_round_up(1) == 1 && cli_round_up(60786) == 1e5);
}

TEST_MAIN(test_letters, test_shared_unit, test_plain, test_all_scales, test_words)
