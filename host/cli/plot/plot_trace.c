/* SPDX-License-Identifier: MIT */
/*
 * Columns of paths, see plot_data.h. A vertex costs a comparison or two; all widenings together
 * touch each column about twice.
 */
#include "host/cli/plot/plot_data.h"

#include "host/cli/base/cli.h"

enum { LARGEST_SHIFT = 61 };

cli_trace *cli_traces_begin(cli_traces *traces)
{
    cli_trace *grown = cli_list_grown(traces->traces, traces->count, sizeof *grown);
    if (grown == NULL)
        return NULL;
    traces->traces = grown;
    cli_trace *trace = &traces->traces[traces->count++];
    *trace = (cli_trace){0};
    return trace;
}

void cli_trace_add_sums(cli_trace_sums *to, const cli_trace_sums *from)
{
    cli_plot_sum(&to->matches, from->matches);
    cli_plot_sum(&to->columns, from->columns);
    cli_plot_sum(&to->gaps, from->gaps);
    cli_plot_sum(&to->either, from->either);
    cli_plot_sum(&to->other, from->other);
}

void cli_traces_count(cli_traces *traces, const cli_trace_sums *sums)
{
    cli_trace *trace = &traces->traces[traces->count - 1];
    cli_trace_add_sums(&trace->columns[trace->count - 1].sums, sums);
}

bool cli_trace_is_known(const cli_trace *trace)
{
    for (size_t i = 0; i < trace->count; i++) {
        if (trace->columns[i].sums.either > 0)
            return false;
    }
    return trace->has_path;
}

/* The column of the last trace that ends at a target position, or after it. */
static cli_trace_column *column_at(const cli_traces *traces, int64_t at)
{
    const cli_trace *trace = &traces->traces[traces->count - 1];
    size_t low = 0, high = trace->count - 1;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (trace->columns[middle].last_at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return &trace->columns[low];
}

void cli_traces_tell_other(cli_traces *traces, int64_t begin, int64_t end)
{
    const cli_trace *trace = &traces->traces[traces->count - 1];
    const cli_trace_column *after = trace->columns + trace->count;
    for (cli_trace_column *c = column_at(traces, begin + 1); begin < end && c < after; c++) {
        const int64_t stop = c->last_at < end ? c->last_at : end;
        cli_plot_sum(&c->sums.other, stop - begin);
        begin = stop;
    }
}

/* Merges column `b`, the next one, into `a`. A gap between them is narrower than a column now. */
static void take_in(cli_trace_column *a, const cli_trace_column *b)
{
    a->last_at = b->last_at;
    a->last = b->last;
    if (b->low < a->low)
        a->low = b->low;
    if (b->high > a->high)
        a->high = b->high;
    cli_trace_add_sums(&a->sums, &b->sums);
}

static void widen_trace(cli_trace *trace, int shift)
{
    size_t kept = 0;
    for (size_t i = 1; i < trace->count; i++) {
        cli_trace_column *last = &trace->columns[kept];
        if (trace->columns[i].first_at >> shift == last->first_at >> shift)
            take_in(last, &trace->columns[i]);
        else
            trace->columns[++kept] = trace->columns[i];
    }
    if (trace->count > 0)
        trace->count = kept + 1;
}

/* Doubles the columns' width until there are few enough, or no trace has many. */
static void widen(cli_traces *traces)
{
    const size_t enough = CLI_TRACE_COLUMNS / 2 + 2 * traces->count;
    while (traces->columns > enough && traces->shift < LARGEST_SHIFT) {
        traces->shift++;
        traces->columns = 0;
        for (size_t i = 0; i < traces->count; i++) {
            widen_trace(&traces->traces[i], traces->shift);
            traces->columns += traces->traces[i].count;
        }
    }
    /* Twice the remaining number, so that the next widening does not come soon. */
    traces->most_columns = 2 * traces->columns;
    if (traces->most_columns < CLI_TRACE_COLUMNS)
        traces->most_columns = CLI_TRACE_COLUMNS;
}

bool cli_traces_add(cli_traces *traces, int64_t at, int64_t offset, bool gap)
{
    cli_trace *trace = &traces->traces[traces->count - 1];
    const cli_trace_column vertex = {.first_at = at,
                                     .last_at = at,
                                     .first = offset,
                                     .last = offset,
                                     .low = offset,
                                     .high = offset,
                                     .gap = gap};
    if (trace->count > 0 && !gap) {
        cli_trace_column *last = &trace->columns[trace->count - 1];
        if (at >> traces->shift == last->first_at >> traces->shift) {
            take_in(last, &vertex);
            return true;
        }
    }
    cli_trace_column *grown = cli_list_grown(trace->columns, trace->count, sizeof *grown);
    if (grown == NULL)
        return false;
    trace->columns = grown;
    trace->columns[trace->count++] = vertex;
    traces->columns++;
    if (traces->most_columns < CLI_TRACE_COLUMNS)
        traces->most_columns = CLI_TRACE_COLUMNS;
    if (traces->columns > traces->most_columns)
        widen(traces);
    return true;
}

void cli_traces_free(cli_traces *traces)
{
    for (size_t i = 0; i < traces->count; i++)
        free(traces->traces[i].columns);
    free(traces->traces);
    *traces = (cli_traces){0};
}
