/* SPDX-License-Identifier: MIT */
/*
 * Ranges of the query in plots: what is shown of an alignment in a range of the query, and maybe
 * one of the target, is what the two ranges swapped show of the alignment with its sequences
 * swapped. Ranges of the target are judged in test_plot_data. And what is not similar.
 */
#include "host/cli/plot/plot_layout.h"
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

TEST_MAIN(test_swapped, test_axes, test_other)
