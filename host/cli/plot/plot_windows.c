/* SPDX-License-Identifier: MIT */
/*
 * Identity in windows along each target. Windows begin at multiples of the unit. If the unit is not
 * given, it is a power of ten that grows with what all rows have covered so far: then ten windows
 * become one. So there are a tenth of CLI_PLOT_MOST to CLI_PLOT_MOST of them, and at least one per
 * target.
 */
#include "host/cli/plot/plot_data.h"

static const int64_t LARGEST_UNIT = INT64_C(100000000000000000);

void cli_plot_window_add(cli_plot_window *to, const cli_plot_window *from)
{
    cli_plot_sum(&to->matches, from->matches);
    cli_plot_sum(&to->columns, from->columns);
    cli_plot_sum(&to->either, from->either);
}

/* Merges the windows of a target into windows of ten times the width. */
static void merge_tens(cli_plot_sequence *target)
{
    const int64_t first = target->first / 10;
    int64_t count = 0;
    for (int64_t i = 0; i < target->count; i++) {
        const int64_t to = (target->first + i) / 10 - first;
        const cli_plot_window window = target->windows[i];
        if (to == count)
            target->windows[count++] = (cli_plot_window){0};
        cli_plot_window_add(&target->windows[to], &window);
    }
    target->first = first;
    target->count = count;
}

static void set_unit(cli_plot_data *data, int64_t unit)
{
    for (; data->unit < unit; data->unit *= 10) {
        data->units = 0;
        for (size_t i = 0; i < data->targets.count; i++) {
            cli_plot_sequence *target = &data->targets.list[i];
            merge_tens(target);
            data->units += target->count;
        }
    }
}

/* Extends the range that rows cover of a target, and the unit, if it may grow. */
static void touch(cli_plot_data *data, cli_plot_sequence *target, int64_t begin, int64_t end)
{
    const int64_t low = begin < target->low ? begin : target->low;
    const int64_t high = end > target->high ? end : target->high;
    if (target->high >= target->low)
        data->touched -= (double)(target->high - target->low);
    data->touched += (double)(high - low);
    target->low = low;
    target->high = high;
    int64_t unit = data->unit;
    while (!data->unit_is_fixed && unit < LARGEST_UNIT &&
           data->touched > (double)unit * CLI_PLOT_MOST)
        unit *= 10;
    set_unit(data, unit);
}

static int too_many(const cli_plot_data *data)
{
    return cli_fail_with(
        CLI_USAGE, "--window: %" PRId64 " base%s too few here: at most %d windows are possible",
        data->unit, data->unit == 1 ? " is" : "s are", CLI_PLOT_WINDOWS);
}

/* Makes windows [first, end) for a target, and keeps those that it has. */
static int set_span(cli_plot_data *data, cli_plot_sequence *target, int64_t first, int64_t end)
{
    cli_plot_window *windows = calloc((size_t)(end - first), sizeof *windows);
    if (windows == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    if (target->count > 0)
        memcpy(windows + (target->first - first), target->windows,
               (size_t)target->count * sizeof *windows);
    free(target->windows);
    target->windows = windows;
    data->units += end - first - target->count;
    target->first = first;
    target->count = end - first;
    return CLI_OK;
}

int cli_plot_windows_cover(cli_plot_data *data, size_t target, int64_t begin, int64_t end,
                           bool slack)
{
    cli_plot_sequence *sequence = &data->targets.list[target];
    /* The position after the end, where an insertion may be, belongs to the last window. */
    const int64_t last = end > begin ? end - 1 : begin;
    touch(data, sequence, begin, end);
    int64_t first = begin / data->unit;
    int64_t beyond = last / data->unit + 1;
    if (sequence->count > 0) {
        if (first >= sequence->first && beyond <= sequence->first + sequence->count)
            return CLI_OK;
        if (first > sequence->first)
            first = sequence->first;
        if (beyond < sequence->first + sequence->count)
            beyond = sequence->first + sequence->count;
    }
    const int64_t most = (sequence->length - 1) / data->unit + 1;
    const int64_t more = sequence->count / 8 + 16;
    const int64_t others = data->units - sequence->count;
    if (slack && beyond + more < most && others + beyond + more - first <= CLI_PLOT_WINDOWS)
        beyond += more;
    if (data->unit_is_fixed && others > CLI_PLOT_WINDOWS - (beyond - first))
        return too_many(data);
    return set_span(data, sequence, first, beyond);
}

/* The window of a position, or the last one for a position at their end. */
static cli_plot_window *window_at(const cli_plot_data *data, size_t target, int64_t at)
{
    const cli_plot_sequence *sequence = &data->targets.list[target];
    int64_t index = at / data->unit - sequence->first;
    if (index >= sequence->count)
        index = sequence->count - 1;
    return &sequence->windows[index];
}

void cli_plot_windows_add(cli_plot_data *data, size_t target, int64_t begin, int64_t end,
                          uint64_t code)
{
    cli_plot_window *window = window_at(data, target, begin);
    while (begin < end) {
        const int64_t left = data->unit - begin % data->unit;
        const int64_t bases = left < end - begin ? left : end - begin;
        const bool either =
            code != RHOMB_CIGAR_EQ && code != RHOMB_CIGAR_X && code != RHOMB_CIGAR_D;
        const cli_plot_window more = {.matches = code == RHOMB_CIGAR_EQ ? bases : 0,
                                      .columns = bases,
                                      .either = either ? bases : 0};
        cli_plot_window_add(window, &more);
        begin += bases;
        window++;
    }
}

void cli_plot_windows_insert(cli_plot_data *data, size_t target, int64_t at, int64_t bases)
{
    cli_plot_sum(&window_at(data, target, at)->columns, bases);
}
