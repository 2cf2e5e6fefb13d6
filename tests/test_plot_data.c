/* SPDX-License-Identifier: MIT */
/*
 * What plots keep of paths: the same as a plain walk over every base says, in bounded memory, for
 * ranges, for records that are parts of one alignment, and on either strand.
 */
#include "host/cli/plot/plot_data.h"
#include "support/test.h"
#include "tests/reference/path.h"
#include "tests/support/rng.h"

enum { MOST_OPS = 4000, MOST_LETTERS = 200000 };

static rhomb_paf_record make_row(int64_t target_begin, int64_t target_end, int64_t query_begin,
                                 int64_t query_end, bool reverse)
{
    return (rhomb_paf_record){.line = 1,
                              .query_name = "q",
                              .query_length = 100000,
                              .query_begin = query_begin,
                              .query_end = query_end,
                              .reverse = reverse,
                              .target_name = "t",
                              .target_length = 100000,
                              .target_begin = target_begin,
                              .target_end = target_end,
                              .path = RHOMB_PAF_PATH_CG};
}

static int feed(cli_plot_data *data, const rhomb_paf_record *row, const rhomb_path_op *ops,
                size_t count)
{
    int status = cli_plot_begin_row(data, row, 0);
    /* In pieces, as the reader has them. */
    for (size_t i = 0; status == CLI_OK && i < count; i += 7)
        status = cli_plot_add_ops(data, ops + i, count - i < 7 ? count - i : 7);
    return status == CLI_OK && data->now.shown ? cli_plot_end_row(data) : status;
}

static void feed_text(cli_plot_data *data, const rhomb_paf_record *row, const char *cigar)
{
    rhomb_path_op ops[64];
    assert_int_equal(feed(data, row, ops, (size_t)path_read(cigar, ops)), CLI_OK);
}

static void init(cli_plot_data *data, int64_t begin, int64_t end, int64_t window)
{
    const cli_plot_view view = {.target = {NULL, begin, end}};
    cli_plot_data_init(data, "test", &view, window);
}

static void expect_column(const cli_trace *trace, size_t index, int64_t at, int64_t offset,
                          bool gap)
{
    assert_true(index < trace->count);
    const cli_trace_column *column = &trace->columns[index];
    if (column->first_at != at || column->first != offset || column->gap != gap)
        fail_msg("column %zu is at %lld with %lld", index, (long long)column->first_at,
                 (long long)column->first);
}

static void test_vertices(void **state)
{
    cli_plot_data data;
    init(&data, 0, 0, 10);
    const rhomb_paf_record row = make_row(10, 34, 5, 31, false);
    feed_text(&data, &row, "10=2X4I3D1=2I7=1D");
    assert_int_equal(data.traces.count, 1);
    const cli_trace *trace = &data.traces.traces[0];
    expect_column(trace, 0, 10, -5, false);
    expect_column(trace, 1, 20, -5, false);
    expect_column(trace, 2, 22, -5, false);
    assert_int_equal(trace->columns[2].last, -1); /* the insertion is within a column */
    expect_column(trace, 3, 25, -4, false);
    expect_column(trace, trace->count - 1, 34, -3, false);
    const cli_plot_totals *t = &data.totals;
    assert_true(t->matches == 18 && t->mismatches == 2 && t->inserted == 6 && t->deleted == 4);
    assert_true(data.sizes[0][2] == 1 && data.sizes[0][1] == 1);
    assert_true(data.sizes[1][1] == 1 && data.sizes[1][0] == 1);
    assert_int_equal(data.targets.list[0].first, 1);
    assert_int_equal(data.targets.list[0].count, 3);
    const cli_plot_window *windows = data.targets.list[0].windows;
    assert_true(windows[0].matches == 10 && windows[0].columns == 10);
    assert_true(windows[1].matches == 5 && windows[1].columns == 16);
    assert_true(windows[2].matches == 3 && windows[2].columns == 4);
    assert_true(windows[2].either == 0);
    const rhomb_paf_record with_m = make_row(30, 38, 5, 11, false);
    feed_text(&data, &with_m, "5M2D1=");
    windows = data.targets.list[0].windows;
    assert_true(windows[2].either == 7 && windows[2].columns == 12 && t->either == 5);
    cli_plot_data_free(&data);
}

/* Records that go on where the last one ended are one trace; what lies between them is a gap. */
static void test_parts(void **state)
{
    cli_plot_data data;
    init(&data, 0, 0, 5000);
    rhomb_paf_record row = make_row(0, 10, 0, 10, false);
    feed_text(&data, &row, "10=");
    row = make_row(10, 20, 10, 20, false);
    feed_text(&data, &row, "10=");
    row = make_row(1020, 1030, 20, 30, false);
    feed_text(&data, &row, "10=");
    row = make_row(1030, 1040, 62, 72, false);
    feed_text(&data, &row, "10=");
    assert_int_equal(data.traces.count, 1);
    const cli_trace *trace = &data.traces.traces[0];
    expect_column(trace, 1, 10, 0, false);
    expect_column(trace, 3, 1020, -1000, true);
    expect_column(trace, 5, 1030, -968, true);
    row = make_row(1060, 1070, 92, 102, false); /* on the same diagonal */
    feed_text(&data, &row, "10=");
    expect_column(&data.traces.traces[0], 7, 1060, -968, true);
    assert_true(data.sizes[1][9] == 1 && data.sizes[0][5] == 1);

    /* The other strand, going back, and records without a path are others. */
    row = make_row(2000, 2010, 50, 60, true);
    feed_text(&data, &row, "10=");
    row = make_row(2010, 2020, 40, 50, true);
    feed_text(&data, &row, "10=");
    assert_int_equal(data.traces.count, 2);
    row = make_row(100, 110, 100, 110, true);
    feed_text(&data, &row, "10=");
    assert_int_equal(data.traces.count, 3);
    /* Back in one of the two. */
    row = make_row(50, 60, 80, 90, true);
    feed_text(&data, &row, "10=");
    row = make_row(60, 70, 85, 95, true);
    feed_text(&data, &row, "10=");
    assert_int_equal(data.traces.count, 5);
    row = make_row(110, 130, 80, 95, true);
    row.path = RHOMB_PAF_PATH_NONE;
    feed_text(&data, &row, "");
    assert_int_equal(data.traces.count, 6);
    assert_false(data.traces.traces[5].has_path);
    assert_true(data.totals.rows == 11 && data.totals.with_path == 10);
    assert_true(data.queries.list[0].low == 0 && data.queries.list[0].high == 110);
    cli_plot_data_free(&data);
}

/* A record, each beginning where the last one ended, or `beyond` bases after that. */
typedef struct part {
    int64_t target, query, beyond_target, beyond_query;
    const char *cigar;
} part;

/* How many gaps there are of each kind, of sizes from 2^0 up. */
static void expect_sizes(const part *parts, size_t count, bool reverse, const char *expected)
{
    cli_plot_data data;
    char all[64] = "";
    int64_t at = 0, other = 0;
    init(&data, 0, 0, 0);
    for (size_t i = 0; i < count; i++) {
        at += parts[i].beyond_target;
        other += parts[i].beyond_query;
        const int64_t end = other + parts[i].query;
        const rhomb_paf_record row =
            make_row(at, at + parts[i].target, reverse ? 100000 - end : other,
                     reverse ? 100000 - other : end, reverse);
        feed_text(&data, &row, parts[i].cigar);
        at += parts[i].target;
        other = end;
    }
    for (int kind = 0; kind < 2; kind++) {
        for (int power = 0; power < 8; power++)
            snprintf(all + strlen(all), sizeof all - strlen(all), "%d",
                     (int)data.sizes[kind][power]);
        strcat(all, kind == 0 ? " " : "");
    }
    assert_string_equal(all, expected);
    cli_plot_data_free(&data);
}

/* A gap that the end of a record cuts, as --chunk does, is one, in as many records as it may lie.
 */
static void test_cut_gaps(void **state)
{
    static const struct {
        part parts[3];
        size_t count;
        const char *sizes; /* insertions, then deletions */
    } CASES[] = {
        {{{1000, 990, 0, 0, "990=10D"}, {1000, 990, 0, 0, "10D990="}}, 2, "00000000 00001000"},
        {{{9, 19, 0, 0, "9=10I"}, {9, 19, 0, 0, "10I9="}}, 2, "00001000 00000000"},
        {{{20, 10, 0, 0, "10=10D"}, {10, 0, 0, 0, "10D"}, {30, 10, 0, 0, "20D10="}},
         3,
         "00000000 00000100"},
        {{{20, 10, 0, 0, "10=10D"}, {10, 20, 0, 0, "10I10="}}, 2, "00010000 00010000"},
        {{{20, 10, 0, 0, "10=10D"}, {21, 11, 0, 0, "1=10D10="}}, 2, "00000000 00020000"},
        {{{20, 10, 0, 0, "10=10D"}, {20, 10, 0, 1, "10D10="}}, 2, "10000000 00020000"},
        {{{20, 10, 0, 0, "10=10D"}, {20, 10, 1, 1, "10D10="}}, 2, "00000000 00020000"},
        /* Bases of a gap may be in no record. */
        {{{20, 10, 0, 0, "10=10D"}, {20, 10, 5, 0, "10D10="}}, 2, "00000000 00001000"},
        {{{20, 10, 0, 0, "10=5D5D"}}, 1, "00000000 00010000"},
    };
    for (size_t i = 0; i < CLI_COUNT(CASES); i++) {
        expect_sizes(CASES[i].parts, CASES[i].count, false, CASES[i].sizes);
        expect_sizes(CASES[i].parts, CASES[i].count, true, CASES[i].sizes);
    }
}

/* Records of other blocks do not go on: what lies between them is no gap, but in another block. */
static void test_blocks(void **state)
{
    for (int64_t second = 1; second <= 2; second++) {
        cli_plot_data data;
        rhomb_path_op ops[8];
        const rhomb_paf_record rows[2] = {make_row(0, 100, 0, 100, false),
                                          make_row(100, 200, 500, 600, false)};
        init(&data, 0, 0, 0);
        for (int64_t i = 0; i < 2; i++) {
            const size_t count = (size_t)path_read("100=", ops);
            assert_int_equal(cli_plot_begin_row(&data, &rows[i], i == 0 ? 1 : second), CLI_OK);
            assert_int_equal(cli_plot_add_ops(&data, ops, count), CLI_OK);
            assert_int_equal(cli_plot_end_row(&data), CLI_OK);
        }
        int64_t gaps = 0;
        for (int power = 0; power < CLI_PLOT_SIZES; power++)
            gaps += data.sizes[0][power] + data.sizes[1][power];
        assert_true(gaps == 2 - second && (int64_t)data.traces.count == second);
        cli_plot_data_free(&data);
    }
}

static void test_range(void **state)
{
    cli_plot_data data;
    init(&data, 100, 200, 0);
    rhomb_paf_record row = make_row(0, 300, 0, 200, false);
    feed_text(&data, &row, "50=100D20=50I30=50D50=");
    const cli_trace *trace = &data.traces.traces[0];
    expect_column(trace, 0, 100, -50, false);
    const cli_trace_column *last = &trace->columns[trace->count - 1];
    assert_true(last->last_at == 200 && last->last == -50);
    const cli_plot_totals *t = &data.totals;
    assert_true(t->deleted == 50 && t->matches == 50 && t->inserted == 50 && t->mismatches == 0);
    row = make_row(0, 100, 500, 600, false);
    feed_text(&data, &row, "100=");
    row = make_row(200, 300, 500, 600, false);
    feed_text(&data, &row, "100=");
    assert_true(t->rows == 1);
    row = make_row(50, 150, 500, 700, false);
    row.path = RHOMB_PAF_PATH_NONE;
    feed_text(&data, &row, "");
    trace = &data.traces.traces[1];
    expect_column(trace, 0, 100, 500, false);
    expect_column(trace, 1, 150, 550, false);
    cli_plot_data_free(&data);
}

static void test_offences(void **state)
{
    static const char *const WRONG[] = {"9=", "11=", "10=1D", "10=1I", "5=5I5D1D", "5=5I", ""};
    for (size_t i = 0; i < CLI_COUNT(WRONG); i++) {
        cli_plot_data data;
        rhomb_path_op ops[8];
        const rhomb_paf_record row = make_row(0, 10, 0, 10, false);
        init(&data, 0, 0, 0);
        assert_int_equal(feed(&data, &row, ops, (size_t)path_read(WRONG[i], ops)), CLI_INPUT);
        cli_plot_data_free(&data);
    }
    cli_plot_data data;
    init(&data, 0, 0, 0);
    rhomb_paf_record row = make_row(0, 10, 0, 10, false);
    feed_text(&data, &row, "10=");
    row.target_length++;
    assert_int_equal(cli_plot_begin_row(&data, &row, 0), CLI_INPUT);
    cli_plot_data_free(&data);
    init(&data, 0, 100001, 0);
    assert_int_equal(cli_plot_begin_row(&data, &row, 0), CLI_OK);
    row.target_length--;
    assert_int_equal(cli_plot_begin_row(&data, &row, 0), CLI_INPUT);
    cli_plot_data_free(&data);
    init(&data, 0, 0, 1);
    row.target_length = row.target_end = INT64_C(1) << 59;
    assert_int_equal(cli_plot_begin_row(&data, &row, 0), CLI_USAGE);
    cli_plot_data_free(&data);
}

/* A path base by base, as it should be. */
typedef struct walk {
    int64_t letters, other;        /* of target and query */
    int64_t offset[MOST_LETTERS];  /* of the place before each base: the lowest */
    int64_t highest[MOST_LETTERS]; /* and the highest one */
    bool match[MOST_LETTERS];
    int64_t inserted[MOST_LETTERS]; /* before each base */
} walk;

static size_t random_path(rng *random, rhomb_path_op *ops, walk *plain)
{
    static const uint64_t CODES[] = {RHOMB_CIGAR_EQ, RHOMB_CIGAR_X, RHOMB_CIGAR_I, RHOMB_CIGAR_D};
    uint64_t before = 0;
    size_t count = 0;
    memset(plain, 0, sizeof *plain);
    plain->offset[0] = plain->highest[0] = 0;
    while (count < MOST_OPS) {
        const uint64_t code = CODES[rng_below(random, 4)];
        const int64_t length = 1 + rng_below(random, code == RHOMB_CIGAR_EQ ? 50 : 9);
        if (code == before)
            continue;
        before = code;
        ops[count++] = (uint64_t)length << 4 | code;
        if (code == RHOMB_CIGAR_I) {
            plain->other += length;
            plain->inserted[plain->letters] = length;
            plain->highest[plain->letters] = plain->other - plain->letters;
        }
        for (int64_t i = 0; code != RHOMB_CIGAR_I && i < length; i++) {
            plain->match[plain->letters++] = code == RHOMB_CIGAR_EQ;
            plain->other += code != RHOMB_CIGAR_D;
            plain->offset[plain->letters] = plain->highest[plain->letters] =
                plain->other - plain->letters;
        }
    }
    return count;
}

/* Every column's ends are places of the path, and between two columns it goes straight. */
static void check_trace(const cli_trace *trace, const walk *plain, int shift)
{
    for (size_t i = 0; i < trace->count; i++) {
        const cli_trace_column *c = &trace->columns[i];
        assert_true(c->first_at >> shift == c->last_at >> shift);
        assert_true(i == 0 || c->first_at >> shift > trace->columns[i - 1].last_at >> shift);
        assert_true(c->first == plain->offset[c->first_at] ||
                    c->first == plain->highest[c->first_at]);
        assert_true(c->last == plain->offset[c->last_at] || c->last == plain->highest[c->last_at]);
        int64_t low = INT64_MAX, high = INT64_MIN;
        for (int64_t at = c->first_at; at <= c->last_at; at++) {
            low = plain->offset[at] < low ? plain->offset[at] : low;
            high = plain->highest[at] > high ? plain->highest[at] : high;
        }
        /* Nothing is lost: the ends of operations are where the extremes are. */
        assert_true(c->low == low && c->high == high);
    }
    assert_true(trace->columns[trace->count - 1].last_at == plain->letters);
    assert_true(trace->columns[trace->count - 1].last == plain->other - plain->letters);
}

static void check_windows(const cli_plot_data *data, const walk *plain)
{
    const cli_plot_sequence *target = &data->targets.list[0];
    for (int64_t i = 0; i < target->count; i++) {
        cli_plot_window expected = {0};
        const int64_t begin = (target->first + i) * data->unit;
        for (int64_t at = begin; at < begin + data->unit && at <= plain->letters; at++) {
            expected.columns += plain->inserted[at] + (at < plain->letters);
            expected.matches += at < plain->letters && plain->match[at];
        }
        if (i + 1 == target->count && begin + data->unit == plain->letters)
            expected.columns += plain->inserted[plain->letters];
        assert_true(target->windows[i].columns == expected.columns);
        assert_true(target->windows[i].matches == expected.matches);
    }
}

/* The bases of the target that are not similar. */
static int64_t other_of(const cli_plot_data *data)
{
    int64_t other = 0;
    const cli_trace *trace = &data->traces.traces[0];
    for (size_t i = 0; i < trace->count; i++) {
        other += trace->columns[i].sums.other;
        assert_true(trace->columns[i].sums.other <= trace->columns[i].sums.columns);
    }
    return other;
}

static void test_random(void **state)
{
    static walk plain;
    static rhomb_path_op ops[MOST_OPS];
    rng random = rng_for("plot", 0);
    for (int round = 0; round < 40; round++) {
        cli_plot_data data;
        const size_t count = random_path(&random, ops, &plain);
        rhomb_paf_record row = make_row(0, plain.letters, 0, plain.other, round % 2 == 1);
        row.target_length = plain.letters;
        row.query_length = plain.other;
        init(&data, 0, 0, round % 3 == 0 ? 1 + rng_below(&random, 500) : 0);
        /* Wide columns from the beginning, as after a longer path. */
        data.traces.shift = round % 8;
        assert_int_equal(feed(&data, &row, ops, count), CLI_OK);
        check_trace(&data.traces.traces[0], &plain, data.traces.shift);
        check_windows(&data, &plain);
        cli_plot_data_free(&data);
    }
}

/* A path with M for = and X; and then the path itself, which tells what matches. */
static int feed_twice(cli_plot_data *data, const rhomb_paf_record *row, const rhomb_path_op *ops,
                      size_t count)
{
    int status = cli_plot_begin_row(data, row, 0);
    for (size_t i = 0; status == CLI_OK && i < count; i++) {
        const uint64_t code = RHOMB_CIGAR_CODE(ops[i]);
        const bool is_pair = code == RHOMB_CIGAR_EQ || code == RHOMB_CIGAR_X;
        const rhomb_path_op op = (ops[i] ^ code) | (is_pair ? RHOMB_CIGAR_M : code);
        status = cli_plot_add_ops(data, &op, 1);
    }
    if (status != CLI_OK)
        return status;
    assert_true(cli_plot_wants_matches(data));
    for (size_t i = 0; status == CLI_OK && i < count; i += 7)
        status = cli_plot_add_matches(data, ops + i, count - i < 7 ? count - i : 7);
    return status == CLI_OK ? cli_plot_end_row(data) : status;
}

/* The columns of a path have the matches of the windows in which they end. */
static void check_sums(const cli_plot_data *data)
{
    const cli_trace *trace = &data->traces.traces[0];
    const cli_plot_sequence *target = &data->targets.list[0];
    int64_t columns = 0, expected = 0, either = 0;
    size_t at = 0;
    for (int64_t i = 0; i < target->count; i++) {
        const int64_t end = (target->first + i + 1) * data->unit;
        int64_t matches = 0;
        for (; at < trace->count && trace->columns[at].last_at <= end; at++) {
            matches += trace->columns[at].sums.matches;
            columns += trace->columns[at].sums.columns;
            either += trace->columns[at].sums.either;
        }
        if (data->traces.shift == 0)
            assert_true(matches == target->windows[i].matches);
        expected += target->windows[i].columns;
    }
    assert_true(at == trace->count && columns == expected && either == 0);
}

/* What cs tells of a path with M: the same as a path with = and X has, in any range. */
static void test_matches(void **state)
{
    static walk plain;
    static rhomb_path_op ops[MOST_OPS];
    rng random = rng_for("plot matches", 0);
    for (int round = 0; round < 40; round++) {
        cli_plot_data data, known;
        const size_t count = random_path(&random, ops, &plain);
        rhomb_paf_record row = make_row(0, plain.letters, 0, plain.other, round % 2 == 1);
        row.target_length = plain.letters;
        row.query_length = plain.other;
        const int64_t begin = round % 3 == 0 ? rng_below(&random, plain.letters / 2) : 0;
        const int64_t end = round % 3 == 0 ? plain.letters - begin / 2 : 0;
        const int64_t window = round % 4 == 0 ? 1 + rng_below(&random, 500) : 0;
        init(&data, begin, end, window);
        init(&known, begin, end, window);
        assert_int_equal(feed_twice(&data, &row, ops, count), CLI_OK);
        assert_int_equal(feed(&known, &row, ops, count), CLI_OK);
        assert_memory_equal(&data.totals, &known.totals, sizeof data.totals);
        check_sums(&data);
        check_sums(&known);
        assert_int_equal(other_of(&data), other_of(&known));
        const cli_plot_sequence *target = &data.targets.list[0];
        assert_int_equal(target->count, known.targets.list[0].count);
        assert_memory_equal(target->windows, known.targets.list[0].windows,
                            (size_t)target->count * sizeof *target->windows);
        cli_plot_data_free(&data);
        cli_plot_data_free(&known);
    }
}

/* What is another path than that with M, or none of this record. */
static void test_other_matches(void **state)
{
    static const char *const WRONG[] = {"4=1D5=1I", "1I5=1D4=", "11=", "5=1D4=1I1D"};
    for (size_t i = 0; i < CLI_COUNT(WRONG); i++) {
        cli_plot_data data;
        rhomb_path_op ops[8];
        const rhomb_paf_record row = make_row(0, 10, 0, 10, false);
        const rhomb_path_op found[] = {5 << 4 | RHOMB_CIGAR_M, 1 << 4 | RHOMB_CIGAR_D,
                                       4 << 4 | RHOMB_CIGAR_M, 1 << 4 | RHOMB_CIGAR_I};
        init(&data, 0, 0, 0);
        assert_int_equal(cli_plot_begin_row(&data, &row, 0), CLI_OK);
        assert_int_equal(cli_plot_add_ops(&data, found, CLI_COUNT(found)), CLI_OK);
        assert_int_equal(cli_plot_add_matches(&data, ops, (size_t)path_read(WRONG[i], ops)),
                         CLI_INPUT);
        cli_plot_data_free(&data);
    }
}

/* However long the path, there are so many columns and windows, and none is wrong. */
static void test_bounded(void **state)
{
    cli_plot_data data;
    const rhomb_path_op ops[4] = {9 << 4 | RHOMB_CIGAR_EQ, 2 << 4 | RHOMB_CIGAR_I,
                                  89 << 4 | RHOMB_CIGAR_EQ, 2 << 4 | RHOMB_CIGAR_D};
    const int64_t times = 300000;
    rhomb_paf_record row = make_row(0, 100 * times, 0, 100 * times, false);
    row.target_length = row.query_length = 100 * times;
    init(&data, 0, 0, 0);
    assert_int_equal(cli_plot_begin_row(&data, &row, 0), CLI_OK);
    for (int64_t i = 0; i < times; i++)
        assert_int_equal(cli_plot_add_ops(&data, ops, 4), CLI_OK);
    assert_int_equal(cli_plot_end_row(&data), CLI_OK);
    assert_true(data.traces.columns <= CLI_TRACE_COLUMNS);
    assert_int_equal(data.traces.shift, 9); /* 8 would make more columns than that */
    assert_true(data.units <= CLI_PLOT_MOST && data.units >= CLI_PLOT_MOST / 10);
    const cli_trace *trace = &data.traces.traces[0];
    for (size_t i = 0; i < trace->count; i++)
        assert_true(trace->columns[i].low == 0 && (trace->columns[i].high == 2 || i == 0));
    for (int64_t i = 0; i < data.units; i++) {
        const cli_plot_window *window = &data.targets.list[0].windows[i];
        assert_true(window->matches * 102 == window->columns * 98);
    }
    cli_plot_data_free(&data);
}

/* Many records: names are found again, and traces stay as many as there are records. */
static void test_many_rows(void **state)
{
    cli_plot_data data;
    char name[32];
    init(&data, 0, 0, 0);
    for (int i = 0; i < 100000; i++) {
        rhomb_paf_record row = make_row(0, 10, 0, 10, false);
        snprintf(name, sizeof name, "name%d", i % 1000);
        row.target_name = name;
        row.query_name = i % 2 == 0 ? "even" : "odd";
        feed_text(&data, &row, "4=1X5=");
    }
    assert_true(data.targets.count == 1000 && data.queries.count == 2);
    assert_true(data.traces.count == 100000 && data.traces.columns <= 400000);
    cli_plot_axis targets, queries;
    assert_true(cli_plot_layout(&data, &targets, &queries));
    assert_true(targets.length == 1e8 && queries.length == 2e5);
    /* Equal lengths: the order of the file. */
    for (size_t i = 0; i < targets.count; i++)
        assert_int_equal(targets.spans[i].sequence, i);
    assert_true(cli_plot_place(&targets, 3, 5) == 3e5 + 5);
    cli_plot_axis_free(&targets);
    cli_plot_axis_free(&queries);
    cli_plot_data_free(&data);
}

/* Targets as in the file, queries by their longest records; one alone is cut to what is touched. */
static void test_layout(void **state)
{
    static const struct {
        const char *query, *target;
        int64_t length, at, letters;
    } ROWS[] = {{"a", "short", 1000, 100, 50},
                {"b", "long", 9000, 100, 500},
                {"b", "short", 1000, 900, 100},
                {"a", "long", 9000, 5000, 40},
                {"c", "long", 9000, 0, 60}};
    cli_plot_data data;
    cli_plot_axis targets, queries;
    init(&data, 0, 0, 0);
    for (size_t i = 0; i < CLI_COUNT(ROWS); i++) {
        rhomb_paf_record row = make_row(ROWS[i].at, ROWS[i].at + ROWS[i].letters, 0, 100, false);
        row.query_name = ROWS[i].query;
        row.target_name = ROWS[i].target;
        row.target_length = ROWS[i].length;
        row.path = RHOMB_PAF_PATH_NONE;
        feed_text(&data, &row, "");
    }
    assert_true(cli_plot_layout(&data, &targets, &queries));
    assert_true(cli_plot_place(&targets, 0, 0) == 0 && cli_plot_place(&targets, 1, 7) == 1007);
    assert_string_equal(data.queries.list[queries.spans[0].sequence].name, "a");
    assert_string_equal(data.queries.list[queries.spans[1].sequence].name, "c");
    assert_string_equal(data.queries.list[queries.spans[2].sequence].name, "b");
    cli_plot_axis_free(&targets);
    cli_plot_axis_free(&queries);
    cli_plot_data_free(&data);

    init(&data, 0, 0, 0);
    const rhomb_paf_record row = make_row(10000, 11000, 0, 60000, true);
    feed_text(&data, &row, "1000=59000I");
    assert_true(cli_plot_layout(&data, &targets, &queries));
    assert_true(targets.spans[0].low == 9980 && targets.length == 1040);
    assert_true(queries.spans[0].low == 0 && queries.length == 100000);
    /* Titles leave out what is beside. */
    assert_true(targets.spans[0].begin == 10000 && targets.spans[0].end == 11000);
    assert_true(queries.spans[0].begin == 0 && queries.spans[0].end == 100000);
    cli_plot_axis_free(&targets);
    cli_plot_axis_free(&queries);
    cli_plot_data_free(&data);
}

TEST_MAIN(test_vertices, test_parts, test_cut_gaps, test_blocks, test_range, test_offences,
          test_random, test_matches, test_other_matches, test_bounded, test_many_rows, test_layout)
