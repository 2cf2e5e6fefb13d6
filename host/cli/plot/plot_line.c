/* SPDX-License-Identifier: MIT */
/* Lines of very many points, see plot_line.h. */
#include "host/cli/plot/plot_line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * In pixels. Larger values leave out visible detail; at a third, a noisy graph has about two
 * segments per column.
 */
static const double TOLERANCE = 0.33, SAME = 0.15;

enum {
    /* Lines of one style that are drawn at once: alone, each would carry its colour and width. */
    MOST_WAITING = 256,
    /*
     * More are a crowd. 100,000 short rows of both strands all over a picture are 15.5 MB of SVG
     * without this limit and 2.2 MB with it; of 2 to 16 pixels 20.6 and 1.6 MB; along the diagonal
     * 2.8 and 0.6 MB.
     */
    FEW = 1000,
    /*
     * In a crowd, lines of up to this many pixels are kept as pixels. With 16 the longer rows are
     * 3 MB; 100 saves no more than 32, and steps begin to show.
     */
    SHORT = 32
};

void cli_line_init(cli_line *line, const cli_canvas *canvas, const cli_frame *frame)
{
    *line = (cli_line){.canvas = canvas, .frame = frame, .column = -1};
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
        if (fabs(point.x - last.x) < SAME / line->canvas->detail &&
            fabs(point.y - last.y) < SAME / line->canvas->detail)
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
    const int column = point.x < 0 ? 0 : (int)(point.x * line->canvas->detail);
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
    double most = TOLERANCE / line->canvas->detail;
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
    return 5 * line->canvas->scale;
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
    cairo_t *cr = line->canvas->cr;
    const double dash = dash_of(line);
    if (line->waiting == 0)
        return;
    line->waiting = 0;
    cli_canvas_colour(line->canvas, line->colour);
    cairo_set_line_width(cr, fmax(line->width * line->canvas->scale, 1));
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
    cairo_move_to(line->canvas->cr, from.x, from.y);
    cairo_line_to(line->canvas->cr, to.x, to.y);
    if (++line->waiting >= MOST_WAITING)
        stroke(line);
}

void cli_line_flush(cli_line *line)
{
    const cli_colour colour = line->colour;
    const bool dashed = line->is_dashed;
    stroke(line);
    for (int i = 0; line->cells.cells != NULL && i < (int)CLI_COLOURS; i++) {
        cli_point from, to;
        size_t at = 0;
        cli_line_style(line, (cli_colour)i, line->width, false);
        while (cli_cells_run(&line->cells, line->colour, &at, &from, &to))
            draw_segment(line, from, to);
    }
    cli_cells_free(&line->cells);
    cli_line_style(line, colour, line->width, dashed);
}

/* Whether there are many lines, and memory for the cells. */
static bool is_crowd(const cli_line *line)
{
    return line->drawn >= FEW && line->cells.cells != NULL;
}

static void draw_dot(cli_line *line, cli_point at)
{
    const bool dashed = line->is_dashed;
    if (line->cells.cells == NULL)
        cli_cells_init(&line->cells, line->frame);
    if (is_crowd(line)) {
        cli_cells_wait(&line->cells, at, line->colour);
        return;
    }
    if (line->cells.cells != NULL && cli_cells_dot(&line->cells, at, line->colour))
        return;
    /* A dash without length would have no cap. */
    cli_line_style(line, line->colour, line->width, false);
    draw_segment(line, at, at);
    line->drawn++;
    cli_line_style(line, line->colour, line->width, dashed);
}

/* Goes over the cells of the kept points. */
static cli_cells_way go(cli_line *line, cli_cells_action action)
{
    const cli_cells_pen pen = {line->colour, line->is_dashed ? dash_of(line) : 0};
    cli_cells_way way = {0};
    size_t before = 0;
    for (size_t i = 1; i < line->count; i++) {
        if (!line->kept[i])
            continue;
        cli_cells_line(&line->cells, line->points[before], line->points[i], pen, action, &way);
        before = i;
    }
    return way;
}

/* Whether a line in a crowd must be drawn, because its cells do not suffice. */
static bool stands_out(cli_line *line)
{
    const cli_cells_way way = go(line, CLI_CELLS_COUNT);
    const bool drawn = way.all > SHORT && way.others > way.all / 4;
    if (way.others > 0)
        go(line, drawn ? CLI_CELLS_DRAWN : CLI_CELLS_WAIT);
    return drawn;
}

/* Where a point is drawn: in a crowd rounded to a quarter of a pixel, which has fewer digits. */
static cli_point drawn_at(cli_point at, bool crowd)
{
    return crowd ? (cli_point){floor(4 * at.x + 0.5) / 4, floor(4 * at.y + 0.5) / 4} : at;
}

static void draw_line(cli_line *line)
{
    if (line->drawn >= FEW && line->cells.cells == NULL)
        cli_cells_init(&line->cells, line->frame);
    const bool crowd = is_crowd(line);
    if (crowd && !stands_out(line))
        return;
    for (size_t i = 0; i < line->count; i++) {
        const cli_point at = drawn_at(line->points[i], crowd);
        if (i == 0)
            cairo_move_to(line->canvas->cr, at.x, at.y);
        else if (line->kept[i])
            cairo_line_to(line->canvas->cr, at.x, at.y);
    }
    line->waiting++;
    line->drawn += !crowd;
}

void cli_line_end(cli_line *line)
{
    if (line->is_graph)
        close_column(line);
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
    cli_cells_free(&line->cells);
    *line = (cli_line){0};
    return complete;
}
