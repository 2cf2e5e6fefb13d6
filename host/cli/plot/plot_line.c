/* SPDX-License-Identifier: MIT */
/* Lines of very many points, see plot_canvas.h. */
#include "host/cli/plot/plot_canvas.h"

#include <math.h>

/*
 * In pixels. Larger values leave out visible detail; at a third, a noisy graph has about two
 * segments per column.
 */
static const double TOLERANCE = 0.33, SAME = 0.15;

enum {
    /* Lines of one style that are drawn at once: alone, each would carry its colour and width. */
    MOST_WAITING = 256
};

/*
 * Pixels of a crowd's image in one of the picture, a side, unless the frame has so many of them
 * that this takes too much memory. 100,000 short rows of both strands all over a picture are
 * 15.5 MB of SVG as lines and 0.9 MB as an image.
 */
enum { CROWD_DETAIL = 2, CROWD_MOST = 4000 };

void cli_line_init(cli_line *line, const cli_canvas *canvas, const cli_frame *frame)
{
    *line = (cli_line){.canvas = *canvas, .picture = canvas->cr, .frame = frame, .column = -1};
    line->is_image =
        cairo_surface_get_type(cairo_get_target(canvas->cr)) == CAIRO_SURFACE_TYPE_IMAGE;
}

static bool grow(cli_line *line)
{
    const size_t room = line->room == 0 ? 256 : 2 * line->room;
    cli_point *points = realloc(line->points, room * sizeof *points);
    if (points != NULL)
        line->points = points;
    bool *kept = realloc(line->kept, room * sizeof *kept);
    if (kept != NULL)
        line->kept = kept;
    size_t *stack = realloc(line->stack, 2 * room * sizeof *stack);
    if (stack != NULL)
        line->stack = stack;
    if (points == NULL || kept == NULL || stack == NULL)
        return false;
    line->room = room;
    return true;
}

static void push(cli_line *line, cli_point point)
{
    if (line->count > 0) {
        const cli_point last = line->points[line->count - 1];
        if (fabs(point.x - last.x) < SAME / line->canvas.detail &&
            fabs(point.y - last.y) < SAME / line->canvas.detail)
            return;
    }
    if (line->count == line->room && !grow(line)) {
        line->failed = true;
        return;
    }
    line->points[line->count++] = point;
}

static void close_column(cli_line *line)
{
    /* The extreme that is closer to the first point comes first. */
    const bool down =
        line->extremes[0].y - line->extremes[1].y > line->extremes[2].y - line->extremes[0].y;
    if (line->column < 0)
        return;
    push(line, line->extremes[0]);
    push(line, line->extremes[down ? 2 : 1]);
    push(line, line->extremes[down ? 1 : 2]);
    push(line, line->extremes[3]);
    line->column = -1;
}

void cli_line_to(cli_line *line, double x, double y)
{
    cli_point point = {cli_frame_x(line->frame, x), cli_frame_y(line->frame, y)};
    /* Far outside the frame all places are alike; this keeps numbers small enough for Cairo. */
    point.x = fmin(fmax(point.x, -1e5), 1e5);
    point.y = fmin(fmax(point.y, -1e5), 1e5);
    if (!line->is_graph) {
        push(line, point);
        return;
    }
    const int column = point.x < 0 ? 0 : (int)(point.x * line->canvas.detail);
    if (column != line->column) {
        close_column(line);
        line->column = column;
        for (size_t i = 0; i < CLI_COUNT(line->extremes); i++)
            line->extremes[i] = point;
    }
    if (point.y < line->extremes[1].y)
        line->extremes[1] = point;
    if (point.y > line->extremes[2].y)
        line->extremes[2] = point;
    line->extremes[3] = point;
}

/* The point between two that is farthest from the line through them; `begin` if none is far. */
static size_t farthest(const cli_line *line, size_t begin, size_t end)
{
    const cli_point a = line->points[begin], b = line->points[end];
    const double dx = b.x - a.x, dy = b.y - a.y, length = hypot(dx, dy);
    double most = TOLERANCE / line->canvas.detail;
    size_t found = begin;
    for (size_t i = begin + 1; i < end; i++) {
        const double px = line->points[i].x - a.x, py = line->points[i].y - a.y;
        const double away = length > 0 ? fabs(dx * py - dy * px) / length : hypot(px, py);
        if (away > most) {
            most = away;
            found = i;
        }
    }
    return found;
}

static void simplify(cli_line *line)
{
    size_t depth = 0;
    memset(line->kept, 0, line->count * sizeof *line->kept);
    line->kept[0] = line->kept[line->count - 1] = true;
    line->stack[depth++] = 0;
    line->stack[depth++] = line->count - 1;
    while (depth > 0) {
        const size_t end = line->stack[--depth], begin = line->stack[--depth];
        const size_t middle = farthest(line, begin, end);
        if (middle == begin)
            continue;
        line->kept[middle] = true;
        const size_t parts[4] = {begin, middle, middle, end};
        memcpy(line->stack + depth, parts, sizeof parts);
        depth += 4;
    }
}

static double dash_of(const cli_line *line)
{
    return 5 * line->canvas.scale;
}

static double extent(const cli_line *line)
{
    double most = 0;
    for (size_t i = 1; i < line->count && most < 1; i++)
        most = fmax(most, fmax(fabs(line->points[i].x - line->points[0].x),
                               fabs(line->points[i].y - line->points[0].y)));
    return most;
}

static void stroke(cli_line *line)
{
    cairo_t *cr = line->canvas.cr;
    const double dash = dash_of(line);
    if (line->waiting == 0)
        return;
    line->waiting = 0;
    cli_canvas_colour(&line->canvas, line->colour);
    cairo_set_line_width(cr, fmax(line->width * line->canvas.scale, 1));
    cairo_set_line_cap(cr, line->is_dashed ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    if (line->is_dashed)
        cairo_set_dash(cr, &dash, 1, 0);
    cairo_stroke(cr);
    cairo_set_dash(cr, NULL, 0, 0);
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_BUTT);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_MITER);
}

void cli_line_style(cli_line *line, cli_colour colour, double width, bool is_dashed)
{
    if (line->colour == colour && line->width == width && line->is_dashed == is_dashed)
        return;
    stroke(line);
    line->colour = colour;
    line->width = width;
    line->is_dashed = is_dashed;
}

static void draw_segment(cli_line *line, cli_point from, cli_point to)
{
    cairo_move_to(line->canvas.cr, from.x, from.y);
    cairo_line_to(line->canvas.cr, to.x, to.y);
    if (++line->waiting >= MOST_WAITING)
        stroke(line);
}

/* Once there are many lines, draws the next ones into an image that is somewhat wider than the
 * frame. */
static void begin_crowd(cli_line *line)
{
    const cli_frame *frame = line->frame;
    const double beyond = 2 * line->canvas.scale;
    const double width = frame->width + 2 * beyond, height = frame->height + 2 * beyond;
    const double detail = fmax(width, height) > CROWD_MOST ? 1 : CROWD_DETAIL;
    if (line->crowd != NULL || line->drawn < CLI_LINE_FEW || line->is_image)
        return;
    stroke(line);
    line->crowd = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, (int)ceil(detail * width),
                                             (int)ceil(detail * height));
    line->failed = line->failed || cairo_surface_status(line->crowd) != CAIRO_STATUS_SUCCESS;
    cairo_surface_set_device_scale(line->crowd, detail, detail);
    cairo_surface_set_device_offset(line->crowd, detail * (beyond - frame->left),
                                    detail * (beyond - frame->top));
    line->canvas.cr = cairo_create(line->crowd);
    /* Few colours make a small file. */
    cairo_set_antialias(line->canvas.cr, CAIRO_ANTIALIAS_NONE);
}

static void drop_crowd(cli_line *line)
{
    if (line->crowd == NULL)
        return;
    cairo_destroy(line->canvas.cr);
    cairo_surface_destroy(line->crowd);
    line->canvas.cr = line->picture;
    line->crowd = NULL;
}

void cli_line_flush(cli_line *line)
{
    stroke(line);
    if (line->crowd != NULL) {
        cairo_set_source_surface(line->picture, line->crowd, 0, 0);
        cairo_paint(line->picture);
    }
    drop_crowd(line);
}

static void draw_dot(cli_line *line, cli_point at)
{
    const bool dashed = line->is_dashed;
    /* A dash without length would have no cap. */
    cli_line_style(line, line->colour, line->width, false);
    draw_segment(line, at, at);
    cli_line_style(line, line->colour, line->width, dashed);
}

static void draw_line(cli_line *line)
{
    for (size_t i = 0; i < line->count; i++) {
        if (i == 0)
            cairo_move_to(line->canvas.cr, line->points[i].x, line->points[i].y);
        else if (line->kept[i])
            cairo_line_to(line->canvas.cr, line->points[i].x, line->points[i].y);
    }
    line->waiting++;
}

void cli_line_end(cli_line *line)
{
    if (line->is_graph)
        close_column(line);
    begin_crowd(line);
    line->drawn += line->count > 0;
    if (line->count > 1 && extent(line) >= 1) {
        simplify(line);
        draw_line(line);
    } else if (line->count > 0) {
        draw_dot(line, line->points[0]);
    }
    line->count = 0;
    if (line->waiting >= MOST_WAITING)
        stroke(line);
}

bool cli_line_free(cli_line *line)
{
    const bool complete = !line->failed;
    free(line->points);
    free(line->kept);
    free(line->stack);
    drop_crowd(line);
    *line = (cli_line){0};
    return complete;
}
