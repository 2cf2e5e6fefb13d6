/* SPDX-License-Identifier: MIT */
/* Colours, frames and axes over Cairo, see plot_canvas.h. */
#include "host/cli/plot/plot_canvas.h"

#include <math.h>

void cli_canvas_colour(const cli_canvas *canvas, cli_colour colour)
{
    static const double RGB[][3] = {
        [CLI_BLACK] = {0.1, 0.1, 0.1},
        [CLI_GREY] = {0.45, 0.45, 0.45},
        [CLI_LIGHT_GREY] = {0.9, 0.9, 0.9},
        [CLI_BLUE] = {0, 0.447, 0.698},
        [CLI_VERMILION] = {0.835, 0.369, 0},
        [CLI_GREEN] = {0, 0.62, 0.451},
        [CLI_ORANGE] = {0.902, 0.624, 0},
        /* plasma of matplotlib, without its light end */
        [CLI_IDENTITY] = {0.05, 0.03, 0.53},
        {0.34, 0.0, 0.64},
        {0.56, 0.05, 0.64},
        {0.75, 0.22, 0.52},
        {0.88, 0.39, 0.38},
        {0.96, 0.58, 0.25},
        [CLI_IDENTITY_OTHER] = {0.7, 0.7, 0.7},
    };
    cairo_set_source_rgb(canvas->cr, RGB[colour][0], RGB[colour][1], RGB[colour][2]);
}

void cli_canvas_rule(const cli_canvas *canvas, double x0, double y0, double x1, double y1)
{
    /* Lines of odd width are sharp in the middle of a pixel, those of even width between two. */
    const double width = canvas->scale < 1.5 ? 1 : floor(canvas->scale + 0.5);
    const double shift = fmod(width, 2) == 1 ? 0.5 : 0;
    cairo_set_line_width(canvas->cr, width);
    /* Where one can zoom in, a line stands where its value is. */
    const bool exact = canvas->detail > 1;
    cairo_move_to(canvas->cr, exact ? x0 : floor(x0) + shift, exact ? y0 : floor(y0) + shift);
    cairo_line_to(canvas->cr, exact ? x1 : floor(x1) + shift, exact ? y1 : floor(y1) + shift);
    cairo_stroke(canvas->cr);
}

double cli_frame_x(const cli_frame *frame, double value)
{
    return frame->left + frame->width * (value - frame->x_low) / (frame->x_high - frame->x_low);
}

double cli_frame_y(const cli_frame *frame, double value)
{
    return frame->top + frame->height * (frame->y_high - value) / (frame->y_high - frame->y_low);
}

int cli_canvas_most_ticks(const cli_canvas *canvas, double length, size_t characters)
{
    /* Two characters of space between two labels. */
    const double most = length / cli_canvas_text_width(canvas, CLI_FONT_SIZE, characters + 2);
    return most < 2 ? 2 : most > CLI_MOST_TICKS ? CLI_MOST_TICKS : (int)most;
}

/* The grid line of a value, and a label that may be empty. */
static void draw_tick(const cli_canvas *canvas, const cli_frame *frame, cli_axis axis, double value,
                      const char *label)
{
    const bool is_x = axis == CLI_X;
    const double right = frame->left + frame->width, bottom = frame->top + frame->height;
    const double x = is_x ? cli_frame_x(frame, value) : frame->left;
    const double y = is_x ? frame->top : cli_frame_y(frame, value);
    cli_canvas_colour(canvas, CLI_LIGHT_GREY);
    cli_canvas_rule(canvas, x, y, is_x ? x : right, is_x ? bottom : y);
    cli_canvas_colour(canvas, CLI_BLACK);
    /* The last label may not leave the picture. */
    const double half = cli_canvas_text_width(canvas, CLI_FONT_SIZE, strlen(label)) / 2;
    if (is_x)
        cli_canvas_text(canvas,
                        (cli_point){fmin(x, canvas->width - half), bottom + 14 * canvas->scale},
                        CLI_FONT_SIZE, CLI_MIDDLE, frame->width, label);
    else
        cli_canvas_text(canvas, (cli_point){x - 5 * canvas->scale, y + 4 * canvas->scale},
                        CLI_FONT_SIZE, CLI_RIGHT, frame->left, label);
}

void cli_canvas_ticks(const cli_canvas *canvas, const cli_frame *frame, cli_axis axis,
                      const cli_ticks *ticks)
{
    cli_text text;
    for (int i = 0; i < ticks->count; i++)
        draw_tick(canvas, frame, axis, cli_tick_value(ticks, i), cli_tick_label(ticks, i, &text));
}

void cli_canvas_decades(const cli_canvas *canvas, const cli_frame *frame, cli_axis axis)
{
    cli_text text;
    const bool is_x = axis == CLI_X;
    const double low = is_x ? frame->x_low : frame->y_low;
    const double high = is_x ? frame->x_high : frame->y_high;
    const int lines = (int)(frame->height / (18 * canvas->scale));
    const int most = is_x ? cli_canvas_most_ticks(canvas, frame->width, 6) : lines < 2 ? 2 : lines;
    int step = 1; /* decades from label to label */
    while ((high - low) / step + 1 > most)
        step++;
    for (int e = 0; e <= high; e += step)
        draw_tick(canvas, frame, axis, e, cli_decade_label(e, is_x, &text));
}

void cli_canvas_title_x(const cli_canvas *canvas, const cli_frame *frame, const char *text)
{
    cli_canvas_colour(canvas, CLI_BLACK);
    cli_canvas_text(canvas,
                    (cli_point){frame->left + frame->width / 2,
                                frame->top + frame->height + 29 * canvas->scale},
                    CLI_FONT_SIZE, CLI_MIDDLE, frame->width, text);
}

void cli_canvas_title_y(const cli_canvas *canvas, const cli_frame *frame, const char *text)
{
    cli_canvas_colour(canvas, CLI_BLACK);
    cli_canvas_text_up(canvas, (cli_point){14 * canvas->scale, frame->top + frame->height / 2},
                       CLI_FONT_SIZE, CLI_MIDDLE, frame->height + 40 * canvas->scale, text);
}

void cli_canvas_begin_frame(const cli_canvas *canvas, const cli_frame *frame)
{
    const double right = frame->left + frame->width, bottom = frame->top + frame->height;
    cli_canvas_colour(canvas, CLI_GREY);
    cli_canvas_rule(canvas, frame->left, frame->top, right, frame->top);
    cli_canvas_rule(canvas, right, frame->top, right, bottom);
    cli_canvas_colour(canvas, CLI_BLACK);
    cli_canvas_rule(canvas, frame->left, bottom, right, bottom);
    cli_canvas_rule(canvas, frame->left, frame->top, frame->left, bottom);
    /* A line along an edge shows its whole width. */
    const double beyond = 2 * canvas->scale;
    cairo_save(canvas->cr);
    cairo_rectangle(canvas->cr, frame->left - beyond, frame->top - beyond,
                    frame->width + 2 * beyond, frame->height + 2 * beyond);
    cairo_clip(canvas->cr);
}

void cli_canvas_end_frame(const cli_canvas *canvas)
{
    cairo_restore(canvas->cr);
}
