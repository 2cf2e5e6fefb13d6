/* SPDX-License-Identifier: MIT */
/*
 * Ranges of the query in plots: what is shown of an alignment in a range of the query, and maybe
 * one of the target, is what the two ranges swapped show of the alignment with its sequences
 * swapped; and what is not similar. Ticks: round steps, never more than there is room for, all
 * within the axis, labels that say exactly where they are; at every scale from a base to 2^60.
 */
#include <math.h>

#include "host/cli/plot/plot_data.h"
#include "host/cli/plot/plot_ticks.h"
#include "support/test.h"
#include "tests/support/rng.h"

enum { OPS = 3000 };

static size_t random_path(rng *random, rhomb_path_op *ops, rhomb_paf_record *row)
{
    static const uint64_t CODES[] = {RHOMB_CIGAR_EQ, RHOMB_CIGAR_X, RHOMB_CIGAR_I, RHOMB_CIGAR_D};
    int64_t target = 0, query = 0;
    size_t count = 0;
    uint64_t before = 0;
    while (count < OPS) {
        const uint64_t code = CODES[rng_below(random, 4)];
        const int64_t bases = 1 + rng_below(random, code == RHOMB_CIGAR_EQ ? 50 : 9);
        if (code == before)
            continue;
        before = code;
        ops[count++] = (uint64_t)bases << 4 | code;
        target += code == RHOMB_CIGAR_I ? 0 : bases;
        query += code == RHOMB_CIGAR_D ? 0 : bases;
    }
    *row = (rhomb_paf_record){.line = 1,
                              .query_name = "q",
                              .query_length = query + 50,
                              .query_begin = 30,
                              .query_end = query + 30,
                              .target_name = "t",
                              .target_length = target + 10,
                              .target_begin = 7,
                              .target_end = target + 7,
                              .path = RHOMB_PAF_PATH_CG};
    return count;
}

/* The same alignment with target and query swapped: the first position of the target is first. */
static rhomb_paf_record swap(const rhomb_paf_record *row, rhomb_path_op *ops, size_t count)
{
    rhomb_paf_record other = *row;
    other.target_begin = row->query_begin;
    other.target_end = row->query_end;
    other.target_length = row->query_length;
    other.query_begin = row->target_begin;
    other.query_end = row->target_end;
    other.query_length = row->target_length;
    for (size_t i = 0; row->reverse && i < count / 2; i++) {
        const rhomb_path_op op = ops[i];
        ops[i] = ops[count - 1 - i];
        ops[count - 1 - i] = op;
    }
    for (size_t i = 0; i < count; i++) {
        const uint64_t code = RHOMB_CIGAR_CODE(ops[i]);
        if (code == RHOMB_CIGAR_I || code == RHOMB_CIGAR_D)
            ops[i] = (ops[i] ^ code) | (code == RHOMB_CIGAR_I ? RHOMB_CIGAR_D : RHOMB_CIGAR_I);
    }
    return other;
}

static void feed(cli_plot_data *data, const cli_plot_view *view, int64_t window,
                 const rhomb_paf_record *row, const rhomb_path_op *ops, size_t count)
{
    cli_plot_data_init(data, "test", view, window);
    assert_int_equal(cli_plot_begin_row(data, row, 0), CLI_OK);
    assert_int_equal(cli_plot_add_ops(data, ops, count), CLI_OK);
    if (data->now.shown)
        assert_int_equal(cli_plot_end_row(data), CLI_OK);
}

static void expect_covered(const cli_plot_names *a, const cli_plot_names *b)
{
    assert_true(a->list[0].low == b->list[0].low && a->list[0].high == b->list[0].high);
}

static void expect_swapped(const cli_plot_data *data, const cli_plot_data *other)
{
    const cli_plot_totals *a = &data->totals, *b = &other->totals;
    int64_t columns = 0;
    assert_true(a->rows == b->rows && a->matches == b->matches && a->mismatches == b->mismatches);
    assert_true(a->inserted == b->deleted && a->deleted == b->inserted);
    assert_memory_equal(data->sizes[0], other->sizes[1], sizeof data->sizes[0]);
    assert_memory_equal(data->sizes[1], other->sizes[0], sizeof data->sizes[0]);
    assert_true(data->traces.count == other->traces.count);
    if (data->traces.count == 0)
        return;
    expect_covered(&data->queries, &other->targets);
    expect_covered(&data->targets, &other->queries);
    for (int64_t i = 0; i < data->targets.list[0].count; i++)
        columns += data->targets.list[0].windows[i].columns;
    assert_true(columns == a->matches + a->mismatches + a->inserted + a->deleted);
}

static void test_swapped(void **state)
{
    static rhomb_path_op ops[OPS];
    rng random = rng_for("plot ranges", 0);
    int shown = 0;
    for (int round = 0; round < 200; round++) {
        cli_plot_data data, other;
        cli_plot_view view = {.least = 0};
        rhomb_paf_record row;
        const size_t count = random_path(&random, ops, &row);
        row.reverse = round % 2 == 1;
        view.query.begin = 1 + rng_below(&random, row.query_length - 1);
        view.query.end =
            view.query.begin + 1 + rng_below(&random, row.query_length - view.query.begin);
        if (round % 3 == 0)
            view.target.end = 1 + rng_below(&random, row.target_length);
        const cli_plot_view swapped = {.target = view.query, .query = view.target};
        feed(&data, &view, round % 5 == 0 ? 1 + rng_below(&random, 100) : 0, &row, ops, count);
        row = swap(&row, ops, count);
        feed(&other, &swapped, 0, &row, ops, count);
        expect_swapped(&data, &other);
        shown += data.traces.count > 0;
        cli_plot_data_free(&data);
        cli_plot_data_free(&other);
    }
    assert_true(shown > 100);
}

/* Axes: the range of the query itself, and what records in it cover of the target. */
static void test_axes(void **state)
{
    for (int reverse = 0; reverse < 2; reverse++) {
        cli_plot_data data;
        cli_plot_axis targets, queries;
        const rhomb_path_op ops[] = {1000 << 4 | RHOMB_CIGAR_EQ};
        const cli_plot_view view = {.query = {NULL, 300, 500}};
        for (int path = 0; path < 2; path++) {
            const rhomb_paf_record row = {.line = 1,
                                          .query_name = "q",
                                          .query_length = 1000,
                                          .query_end = 1000,
                                          .reverse = reverse == 1,
                                          .target_name = "t",
                                          .target_length = 5000,
                                          .target_begin = 2000,
                                          .target_end = 3000,
                                          .path = path ? RHOMB_PAF_PATH_CG : RHOMB_PAF_PATH_NONE};
            feed(&data, &view, 0, &row, ops, path);
            assert_true(cli_plot_layout(&data, &targets, &queries));
            assert_true(queries.spans[0].low == 300 && queries.spans[0].high == 500);
            assert_true(targets.spans[0].begin == (reverse ? 2500 : 2300));
            assert_true(targets.spans[0].end == (reverse ? 2700 : 2500));
            cli_plot_axis_free(&targets);
            cli_plot_axis_free(&queries);
            cli_plot_data_free(&data);
        }
    }
}

/* The bases of the target that are not similar, of a path that is shown whole. */
static void check_other(const cli_plot_data *data, const rhomb_path_op *ops, size_t count)
{
    rhomb_similar similar = rhomb_similar_begin(data->view.least_identity);
    const cli_trace *trace = &data->traces.traces[0];
    int64_t open = 0, other = 0;
    bool is_similar = false;
    for (size_t i = 0; i <= count; i++) {
        if (i < count && RHOMB_CIGAR_CODE(ops[i]) != RHOMB_CIGAR_I)
            open += (int64_t)RHOMB_CIGAR_LENGTH(ops[i]);
        const rhomb_similar_part answer =
            i < count ? rhomb_similar_add(&similar, ops[i]) : rhomb_similar_end(&similar);
        other += answer == RHOMB_SIMILAR_NO ? open : 0;
        open = answer == RHOMB_SIMILAR_OPEN ? open : 0;
        is_similar |= answer == RHOMB_SIMILAR_YES;
    }
    for (size_t i = 0; i < trace->count; i++) {
        assert_true(trace->columns[i].sums.other <= trace->columns[i].sums.columns);
        other -= trace->columns[i].sums.other;
    }
    assert_int_equal(other, 0);
    assert_int_equal(trace->is_similar, is_similar);
}

static void test_other(void **state)
{
    static rhomb_path_op ops[OPS];
    rng random = rng_for("plot other", 0);
    for (int round = 0; round < 60; round++) {
        cli_plot_data data;
        rhomb_paf_record row;
        const cli_plot_view view = {.least_identity = 0.5 + 0.008 * round};
        const size_t count = random_path(&random, ops, &row);
        feed(&data, &view, round % 5 == 0 ? 1 + rng_below(&random, 100) : 0, &row, ops, count);
        check_other(&data, ops, count);
        cli_plot_data_free(&data);
    }
}

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

TEST_MAIN(test_swapped, test_axes, test_other, test_letters, test_shared_unit, test_plain,
          test_all_scales, test_words)
