/* SPDX-License-Identifier: MIT */
/*
 * The page of an audit: how many rows lost how much, in bars for powers of two, and what each row
 * lost, by its length. Rows that lost nothing are below a loss of 1.
 */
#include "host/cli/plot/plot_page.h"

#include <math.h>

#include "host/cli/plot/plot_panels.h"
#include "host/cli/plot/plot_picture.h"

enum { WIDTH = 900, HEIGHT = 620, LEFT = 78, RIGHT = 22, SIZES = 64 };

/* Where rows that lost nothing are: log10, as all of the axis. */
static const double NOTHING = -0.3;

static const double LOG10_2 = 0.30102999566398120;

typedef struct subject {
    const cli_audit_point *points;
    size_t count;
} subject;

/* The labels of bars: the least loss of each. */
static void label_bars(const cli_canvas *canvas, const cli_frame *frame, int last)
{
    const int most = cli_canvas_most_ticks(canvas, frame->width, 7);
    cli_canvas_colour(canvas, CLI_BLACK);
    for (int size = 0; size <= last; size += 1 + last / most) {
        cli_text text;
        const int64_t least = size > 0 ? INT64_C(1) << (size - 1) : 0;
        const cli_point at = {cli_frame_x(frame, size + 0.5),
                              frame->top + frame->height + 16 * canvas->scale};
        cli_canvas_text(canvas, at, CLI_FONT_SIZE, CLI_MIDDLE, frame->width,
                        cli_show_count(least, &text));
    }
}

static void draw_histogram(const cli_canvas *canvas, const subject *s, cli_frame *frame)
{
    int64_t rows[SIZES] = {0}, most = 1;
    int last = 3;
    for (size_t i = 0; i < s->count; i++) {
        const int size = cli_audit_group(s->points[i].lost);
        rows[size]++;
        most = rows[size] > most ? rows[size] : most;
        last = size > last ? size : last;
    }
    frame->x_high = last + 1;
    frame->y_low = NOTHING; /* so that a count of one is a visible bar */
    frame->y_high = fmax(log10((double)most) + 0.2, 1.1);
    cli_panel_heading(canvas, frame, 0, "Rows by what their alignments lost", "Losses");
    cli_canvas_decades(canvas, frame, CLI_Y);
    label_bars(canvas, frame, last);
    cli_canvas_title_x(canvas, frame, "lost, at least");
    cli_canvas_title_y(canvas, frame, "rows");
    cli_canvas_begin_frame(canvas, frame);
    for (int size = 0; size <= last; size++) {
        if (rows[size] == 0)
            continue;
        const double begin = cli_frame_x(frame, size + 0.08);
        const double top = cli_frame_y(frame, log10((double)rows[size]));
        cli_canvas_colour(canvas, size == 0 ? CLI_GREEN : CLI_VERMILION);
        cairo_rectangle(canvas->cr, begin, top, cli_frame_x(frame, size + 0.92) - begin,
                        frame->top + frame->height - top);
        cairo_fill(canvas->cr);
    }
    cli_canvas_end_frame(canvas);
}

/* Points that lost something, or those that lost nothing. */
static void draw_points(const subject *s, bool lost, cli_line *line)
{
    cli_line_style(line, lost ? CLI_VERMILION : CLI_GREEN, 3, false);
    for (size_t i = 0; i < s->count; i++) {
        const cli_audit_point *p = &s->points[i];
        if ((p->lost > 0) != lost)
            continue;
        cli_line_to(line, p->bases > 0 ? log10((double)p->bases) : 0,
                    lost ? log10((double)p->lost) : NOTHING);
        cli_line_end(line);
    }
    cli_line_flush(line);
}

static bool draw_losses(const cli_canvas *canvas, const subject *s, cli_frame *frame)
{
    int64_t bases = 100, lost = 10;
    cli_line line;
    for (size_t i = 0; i < s->count; i++) {
        bases = s->points[i].bases > bases ? s->points[i].bases : bases;
        lost = s->points[i].lost > lost ? s->points[i].lost : lost;
    }
    frame->x_high = log10((double)bases) + 0.1;
    frame->y_low = 2 * NOTHING;
    frame->y_high = log10((double)lost) + LOG10_2;
    cli_panel_heading(canvas, frame, 2, "What each row lost, by its length", "Losses by length");
    cli_canvas_decades(canvas, frame, CLI_X);
    cli_canvas_decades(canvas, frame, CLI_Y);
    cli_canvas_title_x(canvas, frame, "length of the target's range");
    cli_canvas_title_y(canvas, frame, "lost");
    cli_canvas_begin_frame(canvas, frame);
    cli_line_init(&line, canvas, frame);
    draw_points(s, false, &line);
    draw_points(s, true, &line);
    cli_canvas_end_frame(canvas);
    cli_panel_legend(canvas, frame, 1, CLI_GREEN, "optimal");
    cli_panel_legend(canvas, frame, 0, CLI_VERMILION, "not optimal");
    return cli_line_free(&line);
}

/* A cli_picture_draw_fn. */
static bool draw(cli_canvas *canvas, void *user)
{
    const double width = WIDTH - LEFT - RIGHT;
    cli_frame histogram = {.left = LEFT, .top = 30, .width = width, .height = 200};
    cli_frame losses = {.left = LEFT, .top = 300, .width = width, .height = 270};
    draw_histogram(canvas, user, &histogram);
    return draw_losses(canvas, user, &losses);
}

int cli_plot_audit_page(const cli_plot_page_parts *parts, const cli_audit_point *points,
                        size_t count, cli_output *output)
{
    subject s = {points, count};
    const cli_picture picture = {
        .format = CLI_SVG, .text = true, .argc = parts->argc, .argv = parts->argv};
    const cli_picture_drawing drawing = {WIDTH, HEIGHT, draw, &s};
    cli_buffer svg = {0}, html = {0};
    int status = cli_picture_svg(&picture, &drawing, &svg);
    cli_html_begin(&html, cli_input_name(parts->paf));
    cli_append_bytes(&html, parts->above->data, parts->above->length);
    cli_html_svg(&html, &svg);
    cli_html_command(&html, &picture);
    cli_append_text(&html, "</body>\n</html>\n");
    if (status == CLI_OK)
        status = html.failed ? cli_fail(NULL, RHOMB_ERR_MEMORY)
                             : cli_output_write(output, html.data, html.length);
    cli_buffer_release(&html);
    cli_buffer_release(&svg);
    return status;
}
