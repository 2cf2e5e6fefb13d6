/* SPDX-License-Identifier: MIT */
/* The dot plot, the sizes of indels, and what all panels share. See plot_panels.h. */
#include "host/cli/plot/plot_panels.h"

#include "host/cli/plot/plot_canvas.h"

#include <math.h>

/* The room of one legend: the longest text, and its square. */
static double legend_width(const cli_canvas *canvas)
{
    return cli_canvas_text_width(canvas, CLI_FONT_SIZE, 15) + 13 * canvas->scale;
}

void cli_panel_heading(const cli_canvas *canvas, const cli_frame *frame, int legends,
                       const char *text, const char *brief)
{
    const double room = frame->width - legends * legend_width(canvas);
    cli_canvas_colour(canvas, CLI_BLACK);
    cli_canvas_bold(canvas, true);
    cli_canvas_text(canvas, (cli_point){frame->left, frame->top - 6 * canvas->scale}, CLI_FONT_SIZE,
                    CLI_LEFT, room, cli_canvas_choose(canvas, CLI_FONT_SIZE, room, text, brief));
    cli_canvas_bold(canvas, false);
}

void cli_panel_legend(const cli_canvas *canvas, const cli_frame *frame, int place,
                      cli_colour colour, const char *text)
{
    cli_panel_legend_at(canvas, frame, frame->left + frame->width - legend_width(canvas) * place,
                        colour, text);
}

void cli_panel_legend_at(const cli_canvas *canvas, const cli_frame *frame, double right,
                         cli_colour colour, const char *text)
{
    const double scale = canvas->scale;
    const double room = cli_canvas_text_width(canvas, CLI_FONT_SIZE, strlen(text));
    const double x = right - room;
    cli_canvas_colour(canvas, colour);
    cairo_rectangle(canvas->cr, x - 12 * scale, frame->top - 14 * scale, 9 * scale, 9 * scale);
    cairo_fill(canvas->cr);
    cli_canvas_colour(canvas, CLI_BLACK);
    cli_canvas_text(canvas, (cli_point){x, frame->top - 6 * scale}, CLI_FONT_SIZE, CLI_LEFT, room,
                    text);
}

void cli_panel_note(const cli_canvas *canvas, const cli_frame *frame, const char *text)
{
    cli_canvas_colour(canvas, CLI_GREY);
    cli_canvas_text(canvas,
                    (cli_point){frame->left + frame->width / 2, frame->top + frame->height / 2},
                    CLI_FONT_SIZE, CLI_MIDDLE, frame->width, text);
}

cli_colour cli_panel_strand(bool reverse)
{
    return reverse ? CLI_VERMILION : CLI_BLUE;
}

/* "chr1, Mb" for a single sequence, "3 targets, 12.1 Mb" for several. */
static void axis_title(const cli_plot_axis *axis, const char *kind, const cli_ticks *ticks,
                       char *text, size_t size)
{
    cli_text length;
    if (axis->count == 1)
        snprintf(text, size, "%s %.150s, %s", kind, axis->list[axis->spans[0].sequence].name,
                 ticks->unit_name);
    else
        snprintf(text, size, "%zu %s sequences, %s", axis->count, kind,
                 cli_show_bases(axis->length, &length));
}

/* Says that some names are left out. */
static void add_named(size_t named, char *text, size_t size)
{
    snprintf(text + strlen(text), size - strlen(text), "; names of the %zu longest", named);
}

/* Positions of a single sequence are its own, not those of the axis. */
static cli_ticks span_ticks(const cli_plot_axis *axis, int most)
{
    const cli_plot_span *span = &axis->spans[0];
    return cli_ticks_bases(span->low, span->high > span->low ? span->high : span->low + 1, most);
}

double cli_plot_unit(const cli_plot_axis *targets, const cli_plot_axis *queries)
{
    if (targets->count != 1 || queries->count != 1 || targets->length > 10 * queries->length ||
        queries->length > 10 * targets->length)
        return 0;
    /* Fewer ticks have no more decimals. */
    const cli_ticks x = span_ticks(targets, CLI_MOST_TICKS);
    const cli_ticks y = span_ticks(queries, CLI_MOST_TICKS);
    return cli_ticks_unit(&x, &y);
}

static cli_ticks ticks_in_unit(const cli_plot *plot, const cli_plot_axis *axis, double length,
                               size_t characters)
{
    cli_ticks ticks = span_ticks(axis, cli_canvas_most_ticks(plot->canvas, length, characters));
    if (plot->unit > 0)
        cli_ticks_set_unit(&ticks, plot->unit);
    return ticks;
}

/* The ticks of a single sequence along `length` pixels. */
static cli_ticks single_ticks(const cli_plot *plot, const cli_plot_axis *axis, double length)
{
    const size_t usual = 7; /* characters of a label; longer ones get more room */
    cli_text text;
    const cli_ticks ticks = ticks_in_unit(plot, axis, length, usual);
    const size_t longest = strlen(cli_tick_label(&ticks, ticks.count - 1, &text));
    return longest > usual ? ticks_in_unit(plot, axis, length, longest) : ticks;
}

/* Thin lines between sequences; closer ones would be a grey area. */
static void lines_between(const cli_plot *plot, const cli_frame *frame, cli_axis which)
{
    const cli_plot_axis *axis = which == CLI_X ? &plot->targets : &plot->queries;
    const double pixels = which == CLI_X ? frame->width : frame->height;
    cli_canvas_colour(plot->canvas, CLI_LIGHT_GREY);
    for (size_t i = 1; i < axis->count; i++) {
        const cli_plot_span *span = &axis->spans[i];
        if (pixels * (span->high - span->low) / axis->length <= 3 * plot->canvas->scale)
            continue;
        const double x = cli_frame_x(frame, span->start), y = cli_frame_y(frame, span->start);
        if (which == CLI_X)
            cli_canvas_rule(plot->canvas, x, frame->top, x, frame->top + frame->height);
        else
            cli_canvas_rule(plot->canvas, frame->left, y, frame->left + frame->width, y);
    }
}

enum { NAME_LINE = 12, MOST_NAME = 30 /* characters of a turned name */ };

double cli_panel_turned_names(const cli_plot *plot, double width)
{
    size_t longest = 0;
    bool fit = true;
    for (size_t i = 0; i < plot->targets.count; i++) {
        const cli_plot_span *span = &plot->targets.spans[i];
        const size_t characters = strlen(plot->targets.list[span->sequence].name);
        const double room = width * (span->high - span->low) / plot->targets.length;
        fit = fit && cli_canvas_text_width(plot->canvas, CLI_FONT_SIZE, characters) <= room;
        longest = characters > longest ? characters : longest;
    }
    longest = longest < MOST_NAME ? longest : MOST_NAME;
    return fit || plot->targets.count == 1
               ? 0
               : cli_canvas_text_width(plot->canvas, CLI_FONT_SIZE, longest) +
                     10 * plot->canvas->scale;
}

/* A line from the middle of a sequence to its name, where that is elsewhere. */
static void draw_leader(const cli_canvas *canvas, cli_point from, cli_point to)
{
    cli_canvas_colour(canvas, CLI_GREY);
    cairo_set_line_width(canvas->cr, 0.7 * canvas->scale);
    cairo_move_to(canvas->cr, from.x, from.y);
    cairo_line_to(canvas->cr, to.x, to.y);
    cairo_stroke(canvas->cr);
    cli_canvas_colour(canvas, CLI_BLACK);
}

/* Names of targets below their sequences. */
static void names_x(const cli_plot *plot, const cli_frame *frame)
{
    const cli_canvas *canvas = plot->canvas;
    const double bottom = frame->top + frame->height;
    for (size_t i = 0; i < plot->targets.count; i++) {
        const cli_plot_span *span = &plot->targets.spans[i];
        const double middle = span->start + (span->high - span->low) / 2;
        cli_canvas_colour(canvas, CLI_BLACK);
        cli_canvas_text(
            canvas, (cli_point){cli_frame_x(frame, middle), bottom + 14 * canvas->scale},
            CLI_FONT_SIZE, CLI_MIDDLE, frame->width, plot->targets.list[span->sequence].name);
    }
}

static void turned_names(const cli_plot *plot, const cli_frame *frame)
{
    const cli_canvas *canvas = plot->canvas;
    const double bottom = frame->top + frame->height;
    for (size_t i = 0; i < plot->targets.count; i++) {
        const cli_plot_span *span = &plot->targets.spans[i];
        if (!span->named)
            continue;
        const double middle = span->start + (span->high - span->low) / 2;
        const cli_point end = {span->label, bottom + 7 * canvas->scale};
        draw_leader(canvas, (cli_point){cli_frame_x(frame, middle), bottom}, end);
        cli_canvas_text_up(canvas,
                           (cli_point){end.x + 4 * canvas->scale, end.y + 2 * canvas->scale},
                           CLI_FONT_SIZE, CLI_RIGHT, plot->turned - 8 * canvas->scale,
                           plot->targets.list[span->sequence].name);
    }
}

size_t cli_panel_label_characters(const cli_plot *plot, double height)
{
    cli_text text;
    if (plot->queries.count != 1)
        return 0;
    const cli_ticks ticks = single_ticks(plot, &plot->queries, 2.5 * height);
    return ticks.count > 0 ? strlen(cli_tick_label(&ticks, ticks.count - 1, &text)) : 0;
}

void cli_panel_axis_x(const cli_plot *plot, const cli_frame *frame)
{
    if (plot->targets.count == 1) {
        const double low = plot->targets.spans[0].low;
        const cli_ticks ticks = single_ticks(plot, &plot->targets, frame->width);
        cli_frame shifted = *frame;
        shifted.x_low += low;
        shifted.x_high += low;
        cli_canvas_ticks(plot->canvas, &shifted, CLI_X, &ticks);
    } else {
        lines_between(plot, frame, CLI_X);
        if (plot->turned == 0)
            names_x(plot, frame);
    }
}

static void title_x(const cli_plot *plot, const cli_frame *frame)
{
    char text[256];
    cli_ticks ticks = {0};
    if (plot->targets.count == 1)
        ticks = single_ticks(plot, &plot->targets, frame->width);
    axis_title(&plot->targets, "target", &ticks, text, sizeof text);
    if (plot->turned > 0 && plot->named_targets < plot->targets.count)
        add_named(plot->named_targets, text, sizeof text);
    cli_frame lower = *frame;
    if (plot->turned > 0) {
        turned_names(plot, frame);
        lower.height += plot->turned - 14 * plot->canvas->scale;
    }
    cli_canvas_title_x(plot->canvas, &lower, text);
}

/* The names of queries on the left. */
static void names_y(const cli_plot *plot, const cli_frame *frame)
{
    const cli_canvas *canvas = plot->canvas;
    const double room = frame->left - 30 * canvas->scale;
    for (size_t i = 0; i < plot->queries.count; i++) {
        const cli_plot_span *span = &plot->queries.spans[i];
        if (!span->named)
            continue;
        const double middle = span->start + (span->high - span->low) / 2;
        const cli_point end = {frame->left - 7 * canvas->scale, span->label};
        draw_leader(canvas, (cli_point){frame->left, cli_frame_y(frame, middle)}, end);
        cli_canvas_text(canvas, (cli_point){end.x - 2 * canvas->scale, end.y + 4 * canvas->scale},
                        CLI_FONT_SIZE, CLI_RIGHT, room, plot->queries.list[span->sequence].name);
    }
}

static void axis_y(const cli_plot *plot, const cli_frame *frame)
{
    char text[256];
    cli_ticks ticks = {0};
    if (plot->queries.count == 1) {
        const double low = plot->queries.spans[0].low;
        /* Lines of text are two characters high. */
        ticks = single_ticks(plot, &plot->queries, 2.5 * frame->height);
        cli_frame shifted = *frame;
        shifted.y_low += low;
        shifted.y_high += low;
        cli_canvas_ticks(plot->canvas, &shifted, CLI_Y, &ticks);
    } else {
        lines_between(plot, frame, CLI_Y);
        names_y(plot, frame);
    }
    axis_title(&plot->queries, "query", &ticks, text, sizeof text);
    if (plot->named_queries < plot->queries.count)
        add_named(plot->named_queries, text, sizeof text);
    cli_canvas_title_y(plot->canvas, frame, text);
}

cli_point cli_panel_vertex(const cli_plot *plot, const cli_trace *trace, int64_t at, int64_t offset)
{
    const int64_t length = plot->queries.list[trace->query].length;
    const int64_t other = trace->reverse ? length - (at + offset) : at + offset;
    return (cli_point){cli_plot_place(&plot->targets, trace->target, (double)at),
                       cli_plot_place(&plot->queries, trace->query, (double)other)};
}

static void trace_to(const cli_plot *plot, const cli_trace *trace, cli_line *line, int64_t at,
                     int64_t offset)
{
    const cli_point vertex = cli_panel_vertex(plot, trace, at, offset);
    cli_line_to(line, vertex.x, vertex.y);
}

void cli_panel_column(const cli_plot *plot, const cli_trace *trace, size_t index, cli_line *line)
{
    const cli_trace_column *column = &trace->columns[index];
    trace_to(plot, trace, line, column->first_at, column->first);
    /* Extremes that are not an end lie between the ends. */
    const int64_t middle = column->first_at + (column->last_at - column->first_at) / 2;
    if (column->low < column->first && column->low < column->last)
        trace_to(plot, trace, line, middle, column->low);
    if (column->high > column->first && column->high > column->last)
        trace_to(plot, trace, line, middle, column->high);
    trace_to(plot, trace, line, column->last_at, column->last);
}

static void draw_trace(const cli_plot *plot, const cli_trace *trace, cli_line *line)
{
    cli_line_style(line, cli_panel_strand(trace->reverse), 1.6, !trace->has_path);
    for (size_t i = 0; i < trace->count; i++) {
        if (trace->columns[i].gap)
            cli_line_end(line);
        cli_panel_column(plot, trace, i, line);
    }
    cli_line_end(line);
}

static void path_heading(const cli_plot *plot, const cli_frame *rest, int strands, bool coloured)
{
    char text[64];
    cli_text bases;
    snprintf(text, sizeof text, "Path, identity per %s",
             cli_show_bases((double)plot->window, &bases));
    cli_panel_heading(plot->canvas, rest, strands, coloured ? text : "Path", "Path");
}

/* Of more rows than are lines (plot_canvas.h), those that are long on the picture come first. */
static bool is_turn(const cli_plot *plot, const cli_frame *frame, const cli_trace *trace, int turn)
{
    enum { LONG = 32 /* pixels */ };
    const double bases =
        (double)(trace->columns[trace->count - 1].last_at - trace->columns[0].first_at);
    const bool is_long = frame->width * bases > LONG * plot->targets.length;
    return plot->data->traces.count <= CLI_LINE_FEW ? turn == 0 : is_long == (turn == 0);
}

static bool draw_path(const cli_plot *plot, cli_frame *frame)
{
    const cli_traces *traces = &plot->data->traces;
    cli_line line;
    bool has_reverse = false, has_forward = false, any_coloured = false;
    cli_seen seen = {.imperfect = false};
    frame->x_high = plot->targets.length;
    frame->y_high = plot->queries.length;
    cli_line_init(&line, plot->canvas, frame);
    axis_y(plot, frame);
    cli_panel_axis_x(plot, frame);
    cli_canvas_begin_frame(plot->canvas, frame);
    for (size_t i = 0; i < 2 * traces->count; i++) {
        const cli_trace *trace = &traces->traces[i % traces->count];
        if (!is_turn(plot, frame, trace, i >= traces->count))
            continue;
        const bool coloured = plot->colour_by == CLI_BY_IDENTITY && cli_trace_is_known(trace);
        if (coloured)
            cli_panel_draw_coloured(plot, trace, &line, &seen);
        else
            draw_trace(plot, trace, &line);
        any_coloured |= coloured;
        has_reverse |= !coloured && trace->reverse;
        has_forward |= !coloured && !trace->reverse;
    }
    cli_line_flush(&line);
    cli_canvas_end_frame(plot->canvas);
    cli_frame rest = *frame;
    if (any_coloured)
        rest.width -= cli_panel_identity_legend(plot->canvas, frame, &seen);
    const int strands = has_reverse ? 2 : any_coloured && has_forward ? 1 : 0;
    if (has_reverse)
        cli_panel_legend(plot->canvas, &rest, 0, cli_panel_strand(true), "reverse");
    if (strands > 0)
        cli_panel_legend(plot->canvas, &rest, strands - 1, cli_panel_strand(false), "forward");
    path_heading(plot, &rest, strands, any_coloured);
    return cli_line_free(&line);
}

static const double LOG10_2 = 0.30102999566398120;

/* The bars of a kind are the left or the right half of each power of two. */
static void draw_bars(const cli_plot *plot, const cli_frame *frame, int kind, cli_colour colour)
{
    cairo_t *cr = plot->canvas->cr;
    const double bottom = frame->top + frame->height;
    cli_canvas_colour(plot->canvas, colour);
    for (int power = 0; power < CLI_PLOT_SIZES; power++) {
        const int64_t count = plot->data->sizes[kind][power];
        if (count == 0)
            continue;
        const double begin = cli_frame_x(frame, (power + 0.08 + 0.42 * kind) * LOG10_2);
        const double end = cli_frame_x(frame, (power + 0.50 + 0.42 * kind) * LOG10_2);
        const double top = cli_frame_y(frame, log10((double)count));
        cairo_rectangle(cr, begin, top, end - begin, bottom - top);
        cairo_fill(cr);
    }
}

static bool draw_sizes(const cli_plot *plot, cli_frame *frame)
{
    int last = 6; /* at least 127 bp, so that 1, 10 and 100 are on the axis */
    double most = 1;
    bool any = false;
    for (int kind = 0; kind < 2; kind++) {
        for (int power = 0; power < CLI_PLOT_SIZES; power++) {
            const int64_t count = plot->data->sizes[kind][power];
            any = any || count > 0;
            most = fmax(most, (double)count);
            if (count > 0 && power > last)
                last = power;
        }
    }
    frame->x_high = (last + 1) * LOG10_2;
    frame->y_low = -0.3; /* so that a count of one is a visible bar */
    frame->y_high = fmax(log10(most) + 0.2, 1.1);
    cli_panel_heading(plot->canvas, frame, 2, "Insertions and deletions by length", "Indels");
    cli_canvas_decades(plot->canvas, frame, CLI_X);
    cli_canvas_decades(plot->canvas, frame, CLI_Y);
    cli_canvas_title_x(plot->canvas, frame,
                       cli_canvas_choose(plot->canvas, CLI_FONT_SIZE, frame->width,
                                         "indel length (bp)", "length (bp)"));
    cli_canvas_title_y(plot->canvas, frame, "count");
    cli_canvas_begin_frame(plot->canvas, frame);
    draw_bars(plot, frame, 0, CLI_BLUE);
    draw_bars(plot, frame, 1, CLI_ORANGE);
    cli_canvas_end_frame(plot->canvas);
    cli_panel_legend(plot->canvas, frame, 0, CLI_ORANGE, "deletions");
    cli_panel_legend(plot->canvas, frame, 1, CLI_BLUE, "insertions");
    if (!any)
        cli_panel_note(plot->canvas, frame, "none");
    return true;
}

bool cli_panel_draw(const cli_plot *plot, cli_panel_kind kind, const cli_frame *place, bool is_last)
{
    cli_frame frame = *place;
    bool drawn = false;
    frame.x_high = plot->targets.length;
    switch (kind) {
    case CLI_PANEL_PATH:
        drawn = draw_path(plot, &frame);
        break;
    case CLI_PANEL_OFFSET:
        drawn = cli_panel_draw_offset(plot, &frame);
        break;
    case CLI_PANEL_IDENTITY:
        drawn = cli_panel_draw_identity(plot, &frame);
        break;
    case CLI_PANEL_SIZES:
        return draw_sizes(plot, &frame);
    }
    if (is_last)
        title_x(plot, &frame);
    return drawn;
}
