/* SPDX-License-Identifier: MIT */
/* The order of sequences on the axes, and which part of them is shown, see plot_data.h. */
#include "host/cli/plot/plot_data.h"

#include <math.h>

/* What is sorted: by key, then by index. */
typedef struct ranked {
    double key;
    double length; /* of the trace that gives the key */
    size_t index;
} ranked;

static int by_key(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Fills the axis in the order of the keys, and releases them. */
static bool arrange(cli_plot_axis *axis, const cli_plot_names *names, ranked *order)
{
    const size_t count = names->count;
    *axis = (cli_plot_axis){.list = names->list, .count = count};
    axis->spans = calloc(count + 1, sizeof *axis->spans);
    axis->places = calloc(count + 1, sizeof *axis->places);
    if (order == NULL || axis->spans == NULL || axis->places == NULL) {
        free(order);
        return false;
    }
    qsort(order, count, sizeof *order, by_key);
    for (size_t i = 0; i < count; i++) {
        const size_t sequence = order[i].index;
        axis->spans[i].sequence = sequence;
        axis->spans[i].high = (double)names->list[sequence].length;
        axis->spans[i].end = names->list[sequence].length;
        axis->places[sequence] = i;
    }
    for (size_t i = 0; i < count; i++)
        order[i] = (ranked){.key = -(double)names->list[order[i].index].length,
                            .index = axis->places[order[i].index]};
    qsort(order, count, sizeof *order, by_key);
    for (size_t i = 0; i < count; i++)
        axis->spans[order[i].index].rank = i;
    free(order);
    return true;
}

/* Shows only what rows cover of a sequence, and a little on either side. */
static void cut_to_touched(cli_plot_span *span, const cli_plot_sequence *sequence, double margin)
{
    if (sequence->low > sequence->high)
        return;
    const double low = (double)sequence->low, high = (double)sequence->high;
    const double beside = margin * (high - low);
    span->begin = sequence->low;
    span->end = sequence->high;
    span->low = low - beside > 0 ? low - beside : 0;
    span->high = high + beside < span->high ? high + beside : span->high;
}

static void cut_single(cli_plot_axis *axis)
{
    const cli_plot_sequence *only = &axis->list[axis->spans[0].sequence];
    if (axis->count == 1 && only->high - only->low < only->length / 2)
        cut_to_touched(&axis->spans[0], only, 0.02);
}

/* The range of an axis, or with a range of the other one what rows in that cover. */
static void show(cli_plot_axis *axis, const cli_plot_range *range, bool other_is_part)
{
    if (cli_plot_is_part(range) && axis->count == 1) {
        cli_plot_span *span = &axis->spans[0];
        span->begin = range->begin;
        span->end = range->end > 0 ? range->end : span->end;
        span->low = (double)span->begin;
        span->high = (double)span->end;
        return;
    }
    for (size_t i = 0; other_is_part && i < axis->count; i++)
        cut_to_touched(&axis->spans[i], &axis->list[axis->spans[i].sequence], 0.02);
    if (!other_is_part && axis->count == 1)
        cut_single(axis);
}

static void line_up(cli_plot_axis *axis)
{
    for (size_t i = 0; i < axis->count; i++) {
        axis->spans[i].start = axis->length;
        axis->length += axis->spans[i].high - axis->spans[i].low;
    }
    if (axis->length < 1)
        axis->length = 1;
}

/* As they are in the file. */
static ranked *rank_targets(const cli_plot_names *names)
{
    ranked *order = calloc(names->count + 1, sizeof *order);
    for (size_t i = 0; order != NULL && i < names->count; i++)
        order[i] = (ranked){.key = (double)i, .index = i};
    return order;
}

/* By the middle of each query's longest trace. */
static ranked *rank_queries(const cli_plot_data *data, const cli_plot_axis *targets)
{
    ranked *order = calloc(data->queries.count + 1, sizeof *order);
    for (size_t i = 0; order != NULL && i < data->queries.count; i++)
        order[i] = (ranked){.length = -1, .index = i};
    for (size_t i = 0; order != NULL && i < data->traces.count; i++) {
        const cli_trace *trace = &data->traces.traces[i];
        const double begin = (double)trace->columns[0].first_at;
        const double end = (double)trace->columns[trace->count - 1].last_at;
        ranked *query = &order[trace->query];
        if (end - begin <= query->length)
            continue;
        query->length = end - begin;
        query->key = cli_plot_place(targets, trace->target, (begin + end) / 2);
    }
    return order;
}

bool cli_plot_layout(const cli_plot_data *data, cli_plot_axis *targets, cli_plot_axis *queries)
{
    const cli_plot_range *target = &data->view.target, *query = &data->view.query;
    *queries = (cli_plot_axis){0};
    if (!arrange(targets, &data->targets, rank_targets(&data->targets)))
        return false;
    show(targets, target, cli_plot_is_part(query));
    line_up(targets);
    if (!arrange(queries, &data->queries, rank_queries(data, targets)))
        return false;
    show(queries, query, cli_plot_is_part(target));
    line_up(queries);
    return true;
}

void cli_plot_axis_free(cli_plot_axis *axis)
{
    free(axis->spans);
    free(axis->places);
    *axis = (cli_plot_axis){0};
}

size_t cli_plot_place_names(cli_plot_axis *axis, double from, double to, double room)
{
    const double pixels = fabs(to - from), sign = to < from ? -1 : 1;
    const size_t most = (size_t)fmax(floor(pixels / room), 1);
    double last = -room / 2, end = pixels + room / 2;
    for (size_t i = 0; i < axis->count; i++) {
        cli_plot_span *span = &axis->spans[i];
        const double middle = span->start + (span->high - span->low) / 2;
        span->named = span->rank < most;
        if (span->named)
            last = span->label = fmax(pixels * middle / axis->length, last + room);
    }
    for (size_t i = axis->count; i-- > 0;) {
        cli_plot_span *span = &axis->spans[i];
        if (span->named) {
            end = fmin(span->label, end - room);
            span->label = from + sign * end;
        }
    }
    return most < axis->count ? most : axis->count;
}

double cli_plot_place(const cli_plot_axis *axis, size_t sequence, double position)
{
    const cli_plot_span *span = &axis->spans[axis->places[sequence]];
    return span->start + (position - span->low);
}
