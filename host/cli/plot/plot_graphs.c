/* SPDX-License-Identifier: MIT */
/*
 * The panels that are graphs along the target: the offset of the paths from straight lines, and
 * identity in windows.
 */
#include "host/cli/plot/plot_canvas.h"
#include "host/cli/plot/plot_panels.h"

#include <math.h>
#include <rhomb/identity.h>

/* The lines of text that every tick on a vertical axis takes. */
static int most_ticks_y(const cli_canvas *canvas, const cli_frame *frame)
{
    const int most = (int)(frame->height / (22 * canvas->scale));
    return most < 2 ? 2 : most > 8 ? 8 : most;
}

/*
 * Offsets are counted from the diagonal on which the longest trace of the same strand of the same
 * two sequences begins. So indels are steps with level lines between them, and rows of one
 * alignment continue where the preceding one ended.
 */
typedef struct offset_trace {
    const cli_trace *trace;
    double bases;     /* of the target */
    double base;      /* the offset that counts as 0 */
    double low, high; /* of the offsets */
} offset_trace;

/* By sequences and strand, then the longest first, then in the order of the file. */
static int by_pair(const void *a, const void *b)
{
    const offset_trace *x = a, *y = b;
    if (x->trace->target != y->trace->target)
        return x->trace->target < y->trace->target ? -1 : 1;
    if (x->trace->query != y->trace->query)
        return x->trace->query < y->trace->query ? -1 : 1;
    if (x->trace->reverse != y->trace->reverse)
        return x->trace->reverse - y->trace->reverse;
    if (x->bases != y->bases)
        return x->bases > y->bases ? -1 : 1;
    return (x->trace > y->trace) - (x->trace < y->trace);
}

static double distance_from_zero(const offset_trace *trace)
{
    return fmax(fabs(trace->low), fabs(trace->high));
}

static int by_distance(const void *a, const void *b)
{
    const double x = distance_from_zero(a), y = distance_from_zero(b);
    return (x > y) - (x < y);
}

static bool same_pair(const cli_trace *a, const cli_trace *b)
{
    return a->target == b->target && a->query == b->query && a->reverse == b->reverse;
}

/* The *count traces with paths, and what their offsets are counted from. */
static offset_trace *offset_traces(const cli_traces *traces, size_t *count)
{
    offset_trace *list = calloc(traces->count + 1, sizeof *list);
    *count = 0;
    for (size_t i = 0; list != NULL && i < traces->count; i++) {
        const cli_trace *trace = &traces->traces[i];
        if (!trace->has_path)
            continue;
        list[(*count)++] =
            (offset_trace){.trace = trace,
                           .bases = (double)(trace->columns[trace->count - 1].last_at -
                                             trace->columns[0].first_at),
                           .base = (double)trace->columns[0].first};
    }
    if (list == NULL)
        return NULL;
    qsort(list, *count, sizeof *list, by_pair);
    for (size_t i = 0; i < *count; i++) {
        offset_trace *now = &list[i];
        if (i > 0 && same_pair(now->trace, list[i - 1].trace))
            now->base = list[i - 1].base;
        now->low = now->high = (double)now->trace->columns[0].first - now->base;
        for (size_t j = 0; j < now->trace->count; j++) {
            now->low = fmin(now->low, (double)now->trace->columns[j].low - now->base);
            now->high = fmax(now->high, (double)now->trace->columns[j].high - now->base);
        }
    }
    return list;
}

/*
 * The offsets of the axis: those of the traces that are nearest to 0 and have 95 % of all bases.
 * Other programs find repeats far from the diagonal, which would hide everything else. Returns
 * whether other traces are outside.
 */
static bool offset_range(offset_trace *list, size_t count, double *low, double *high)
{
    double all = 0, so_far = 0;
    size_t i = 0;
    *low = *high = 0;
    for (size_t j = 0; j < count; j++)
        all += list[j].bases;
    qsort(list, count, sizeof *list, by_distance);
    for (; i < count && (i == 0 || so_far < 0.95 * all); i++) {
        *low = fmin(*low, list[i].low);
        *high = fmax(*high, list[i].high);
        so_far += list[i].bases;
    }
    /* Include those that need little more room. */
    const double most = 1.5 * fmax(*high - *low, 20);
    for (; i < count; i++) {
        const double lower = fmin(*low, list[i].low), higher = fmax(*high, list[i].high);
        if (higher - lower > most)
            return true;
        *low = lower;
        *high = higher;
    }
    return false;
}

static void draw_offsets(const cli_plot *plot, const offset_trace *now, cli_line *line)
{
    const cli_trace *trace = now->trace;
    for (size_t i = 0; i < trace->count; i++) {
        const cli_trace_column *c = &trace->columns[i];
        const double middle = (double)c->first_at + (double)(c->last_at - c->first_at) / 2;
        const double at[4] = {(double)c->first_at, middle, middle, (double)c->last_at};
        const int64_t offsets[4] = {c->first, c->low, c->high, c->last};
        if (c->gap)
            cli_line_end(line);
        for (int j = 0; j < 4; j++)
            cli_line_to(line, cli_plot_place(&plot->targets, trace->target, at[j]),
                        (double)offsets[j] - now->base);
    }
    cli_line_end(line);
}

/* The straight line between the ends, which shows how a path drifts. */
static void draw_straight(const cli_plot *plot, const offset_trace *now, cli_line *line)
{
    const cli_trace *trace = now->trace;
    const cli_trace_column *begin = &trace->columns[0], *end = &trace->columns[trace->count - 1];
    cli_line_style(line, CLI_GREY, 0.9, true);
    cli_line_to(line, cli_plot_place(&plot->targets, trace->target, (double)begin->first_at),
                (double)begin->first - now->base);
    cli_line_to(line, cli_plot_place(&plot->targets, trace->target, (double)end->last_at),
                (double)end->last - now->base);
    cli_line_end(line);
    cli_line_flush(line);
    cli_panel_legend(plot->canvas, line->frame, 0, CLI_GREY, "end to end");
}

static void offset_axes(const cli_plot *plot, cli_frame *frame, double low, double high)
{
    char title[64];
    const double margin = fmax(0.06 * (high - low), 1);
    frame->y_low = low - margin;
    frame->y_high = high + margin;
    const cli_ticks ticks =
        cli_ticks_bases(frame->y_low, frame->y_high, most_ticks_y(plot->canvas, frame));
    cli_panel_heading(plot->canvas, frame, 1, "Offset from the diagonal (query - target)",
                      "Offset from diagonal");
    cli_canvas_ticks(plot->canvas, frame, CLI_Y, &ticks);
    cli_panel_axis_x(plot, frame);
    snprintf(title, sizeof title, "offset, %s", ticks.unit_name);
    cli_canvas_title_y(plot->canvas, frame, title);
}

bool cli_panel_draw_offset(const cli_plot *plot, cli_frame *frame)
{
    cli_line line;
    double low, high;
    size_t count;
    offset_trace *list = offset_traces(&plot->data->traces, &count);
    if (list == NULL)
        return false;
    const bool some_outside = offset_range(list, count, &low, &high);
    offset_axes(plot, frame, low, high);
    cli_line_init(&line, plot->canvas, frame);
    if (count == 1)
        draw_straight(plot, &list[0], &line);
    cli_canvas_begin_frame(plot->canvas, frame);
    line.is_graph = true;
    for (size_t i = 0; i < count; i++) {
        cli_line_style(&line, cli_panel_strand(list[i].trace->reverse), 1.4, false);
        draw_offsets(plot, &list[i], &line);
    }
    cli_line_flush(&line);
    cli_canvas_end_frame(plot->canvas);
    if (some_outside)
        cli_panel_legend(plot->canvas, frame, 0, CLI_GREY, "some outside");
    free(list);
    return cli_line_free(&line);
}

int64_t cli_plot_window_bases(const cli_plot_data *data, const cli_plot_axis *targets)
{
    if (data->unit_is_fixed)
        return data->unit;
    /* 80 to 200 windows of at least ten bases: steps that can still be told apart. */
    const double wanted = fmax(cli_round_up(targets->length / 200), 10);
    const double unit = (double)data->unit;
    return wanted > unit && wanted < 1e18 ? (int64_t)wanted : data->unit;
}

/* Goes through the drawn windows of a target that have bases, and none of M. */
typedef struct window_walk {
    const cli_plot_sequence *target;
    int64_t each; /* kept windows in a drawn one */
    int64_t next; /* kept window */
} window_walk;

static bool next_window(window_walk *walk, int64_t *index, double *percent)
{
    const cli_plot_sequence *target = walk->target;
    while (walk->next < target->first + target->count) {
        cli_plot_window sum = {0};
        *index = walk->next / walk->each;
        for (; walk->next < target->first + target->count && walk->next / walk->each == *index;
             walk->next++)
            cli_plot_window_add(&sum, &target->windows[walk->next - target->first]);
        *percent = 100 * rhomb_identity(sum.matches, sum.columns);
        if (sum.columns > 0 && sum.either == 0)
            return true;
    }
    return false;
}

static window_walk walk_of(const cli_plot *plot, size_t target)
{
    const cli_plot_sequence *sequence = &plot->targets.list[target];
    return (window_walk){
        .target = sequence, .each = plot->window / plot->data->unit, .next = sequence->first};
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/*
 * Where the axis begins: below all windows but one in fifty, so that a long indel does not flatten
 * the others; -1 if memory is short, 101 if there are no windows.
 */
static double lowest_percent(const cli_plot *plot)
{
    size_t count = 0;
    double *values = malloc(((size_t)plot->data->units + 1) * sizeof *values);
    if (values == NULL)
        return -1;
    for (size_t i = 0; i < plot->targets.count; i++) {
        window_walk walk = walk_of(plot, i);
        int64_t index;
        while (next_window(&walk, &index, &values[count]))
            count++;
    }
    qsort(values, count, sizeof *values, by_value);
    const double low = count > 0 ? values[count / 50] : 101;
    free(values);
    return low;
}

/* A small triangle that points to where a window is lower than the axis. */
static void mark_below(const cli_plot *plot, const cli_frame *frame, double x)
{
    cairo_t *cr = plot->canvas->cr;
    const double size = 3.5 * plot->canvas->scale, bottom = frame->top + frame->height - 1;
    cli_canvas_colour(plot->canvas, CLI_VERMILION);
    cairo_move_to(cr, x - size, bottom - 1.6 * size);
    cairo_line_to(cr, x + size, bottom - 1.6 * size);
    cairo_line_to(cr, x, bottom);
    cairo_fill(cr);
}

/* Draws the windows of a target as steps, or with `marks` the triangles. True if any is low. */
static bool draw_windows(const cli_plot *plot, const cli_frame *frame, cli_line *line,
                         const cli_plot_span *span, bool marks)
{
    window_walk walk = walk_of(plot, span->sequence);
    double last_mark = -1e9, percent;
    int64_t index, before = -2;
    bool any = false;
    while (next_window(&walk, &index, &percent)) {
        const double low = fmax((double)index * (double)plot->window, span->low);
        const double high = fmin((double)(index + 1) * (double)plot->window, span->high);
        const double from = span->start + low - span->low;
        const double to = span->start + fmax(high, low) - span->low;
        const double x = cli_frame_x(frame, (from + to) / 2);
        if (!marks) {
            if (index != before + 1)
                cli_line_end(line);
            cli_line_to(line, from, percent);
            cli_line_to(line, to, percent);
        } else if (percent < frame->y_low && x - last_mark > 5 * plot->canvas->scale) {
            mark_below(plot, frame, x);
            last_mark = x;
        }
        any = any || percent < frame->y_low;
        before = index;
    }
    cli_line_end(line);
    return any;
}

static void identity_axes(const cli_plot *plot, cli_frame *frame, double low)
{
    char heading[96], brief[96];
    cli_text bases;
    const double span = fmax(100 - low, 0.5);
    frame->y_high = fmin(100 + 0.08 * span, 104);
    frame->y_low = fmax(100 - 1.15 * span, 0);
    snprintf(heading, sizeof heading, "Identity in windows of %s",
             cli_show_bases((double)plot->window, &bases));
    snprintf(brief, sizeof brief, "Identity per %s", bases.text);
    cli_panel_heading(plot->canvas, frame, 2, heading, brief);
    const cli_ticks ticks = cli_ticks_plain(frame->y_low, 100, most_ticks_y(plot->canvas, frame));
    cli_canvas_ticks(plot->canvas, frame, CLI_Y, &ticks);
    cli_panel_axis_x(plot, frame);
    cli_canvas_title_y(plot->canvas, frame, "identity, %");
}

bool cli_panel_draw_identity(const cli_plot *plot, cli_frame *frame)
{
    const double low = lowest_percent(plot);
    bool any_below = false;
    cli_line line;
    if (low < 0)
        return false;
    identity_axes(plot, frame, low > 100 ? 0 : low);
    cli_line_init(&line, plot->canvas, frame);
    line.is_graph = true;
    if (frame->y_low < cli_random_percent) {
        cli_line_style(&line, CLI_GREY, 0.9, true);
        cli_line_to(&line, frame->x_low, cli_random_percent);
        cli_line_to(&line, frame->x_high, cli_random_percent);
        cli_line_end(&line);
        cli_line_flush(&line);
    }
    cli_line_style(&line, CLI_GREEN, 1.3, false);
    cli_canvas_begin_frame(plot->canvas, frame);
    for (size_t i = 0; i < plot->targets.count; i++)
        any_below |= draw_windows(plot, frame, &line, &plot->targets.spans[i], false);
    cli_line_flush(&line);
    for (size_t i = 0; any_below && i < plot->targets.count; i++)
        draw_windows(plot, frame, &line, &plot->targets.spans[i], true);
    cli_canvas_end_frame(plot->canvas);
    if (any_below)
        cli_panel_legend(plot->canvas, frame, 0, CLI_VERMILION, "below the axis");
    if (frame->y_low < cli_random_percent)
        cli_panel_legend(plot->canvas, frame, any_below, CLI_GREY, "random");
    if (low > 100)
        cli_panel_note(plot->canvas, frame,
                       plot->data->totals.either > 0
                           ? "M does not show matches: use cg with = and X, or cs"
                           : "no paths");
    return cli_line_free(&line);
}
