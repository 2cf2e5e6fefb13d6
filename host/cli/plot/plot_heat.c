/* SPDX-License-Identifier: MIT */
/*
 * Heat maps, see plot_picture.h: a square of cells, names on its left and below it, and the scale
 * of colours on its right. Cells that would be less than a pixel are averaged.
 */
#include "host/cli/plot/plot_picture.h"

#include <ctype.h>
#include <math.h>

/* Distances before scaling. */
enum {
    WIDTH = 900,
    TITLE = 46,
    LEAST_NAMES = 40, /* the room of names, on the left and below, ... */
    MOST_NAMES = 160, /* ... as long as the longest */
    SCALE_LEFT = 24,
    SCALE_WIDTH = 16,
    RIGHT = 110, /* of the square: the scale and its labels */
    BOTTOM = 8,
    LINE = 12 /* of a name */
};

/* Cells are drawn one by one up to so many sequences, more as an image of so many pixels a side. */
enum { MOST_SHAPES = 100, IMAGE = 1000 };

/* Values are written into cells with room for them. */
enum { MOST_WRITTEN = 24 };

typedef struct colour {
    double red, green, blue;
} colour;

/* From alike to far apart: viridis, which is even to the eye and to the colour-blind, backwards. */
static colour colour_of(double share)
{
    static const colour STOPS[] = {
        {0.993, 0.906, 0.144}, {0.678, 0.864, 0.190}, {0.369, 0.789, 0.383},
        {0.158, 0.684, 0.502}, {0.128, 0.567, 0.551}, {0.173, 0.449, 0.558},
        {0.231, 0.318, 0.545}, {0.280, 0.165, 0.476}, {0.267, 0.005, 0.329}};
    const double at = fmin(fmax(share, 0), 1) * (CLI_COUNT(STOPS) - 1);
    const size_t low = (size_t)fmin(floor(at), CLI_COUNT(STOPS) - 2);
    const double part = at - (double)low;
    const colour *a = &STOPS[low], *b = &STOPS[low + 1];
    return (colour){a->red + part * (b->red - a->red), a->green + part * (b->green - a->green),
                    a->blue + part * (b->blue - a->blue)};
}

/* Of values that are only known to be beyond a limit. */
static const colour BEYOND = {0.75, 0.75, 0.75};

typedef struct heat {
    const cli_canvas *canvas;
    const cli_matrix *matrix;
    double low, high; /* of the scale */
    bool is_similar;  /* high values are alike */
    cli_frame square;
    double names; /* the room of a name */
} heat;

static colour colour_for(const heat *h, float value)
{
    if (isnan(value))
        return BEYOND;
    const double share = (value - h->low) / (h->high - h->low);
    return colour_of(h->is_similar ? 1 - share : share);
}

static float value_at(const heat *h, int64_t row, int64_t column)
{
    return h->matrix->values[row * h->matrix->count + column];
}

/* A value in black or white, whichever can be read on its colour. */
static void write_value(const heat *h, int64_t row, int64_t column, double cell)
{
    char text[32];
    const float value = value_at(h, row, column);
    const colour c = colour_for(h, value);
    if (isnan(value))
        return;
    snprintf(text, sizeof text, "%.*f", h->is_similar ? 3 : 0, value);
    if (cli_canvas_text_width(h->canvas, CLI_FONT_SIZE, strlen(text)) > cell)
        return;
    const double light = 0.3 * c.red + 0.6 * c.green + 0.1 * c.blue > 0.5 ? 0 : 1;
    cairo_set_source_rgb(h->canvas->cr, light, light, light);
    cli_canvas_text(h->canvas,
                    (cli_point){h->square.left + ((double)column + 0.5) * cell,
                                h->square.top + ((double)row + 0.5) * cell + 4 * h->canvas->scale},
                    CLI_FONT_SIZE, CLI_MIDDLE, cell, text);
}

static void draw_shapes(const heat *h)
{
    const int64_t count = h->matrix->count;
    const double cell = h->square.width / (double)count;
    cairo_set_antialias(h->canvas->cr, CAIRO_ANTIALIAS_NONE);
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < count; j++) {
            const colour c = colour_for(h, value_at(h, i, j));
            cairo_set_source_rgb(h->canvas->cr, c.red, c.green, c.blue);
            cairo_rectangle(h->canvas->cr, h->square.left + (double)j * cell,
                            h->square.top + (double)i * cell, cell, cell);
            cairo_fill(h->canvas->cr);
        }
    cairo_set_antialias(h->canvas->cr, CAIRO_ANTIALIAS_DEFAULT);
    for (int64_t i = 0; i < count && count <= MOST_WRITTEN; i++)
        for (int64_t j = 0; j < count; j++)
            write_value(h, i, j, cell);
}

/* The mean of the known values of a pixel's cells; beyond the limit if none is known. */
static float mean_of(const heat *h, int64_t row, int64_t column, int64_t side)
{
    const int64_t count = h->matrix->count;
    const int64_t row_end = (row + 1) * count / side, column_end = (column + 1) * count / side;
    double sum = 0;
    int64_t known = 0;
    for (int64_t i = row * count / side; i < row_end; i++)
        for (int64_t j = column * count / side; j < column_end; j++) {
            const float value = value_at(h, i, j);
            sum += isnan(value) ? 0 : value;
            known += !isnan(value);
        }
    return known > 0 ? (float)(sum / (double)known) : NAN;
}

static uint32_t pixel_of(colour c)
{
    return (uint32_t)(c.red * 255 + 0.5) << 16 | (uint32_t)(c.green * 255 + 0.5) << 8 |
           (uint32_t)(c.blue * 255 + 0.5);
}

/* False if memory is short; the surface has Cairo's own errors. */
static bool draw_image(const heat *h)
{
    const int64_t count = h->matrix->count;
    const int64_t side = count < IMAGE ? count : IMAGE;
    const int scale = (int)((IMAGE + side - 1) / side);
    const int pixels = (int)side * scale;
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, pixels, pixels);
    if (cairo_surface_status(image) != CAIRO_STATUS_SUCCESS) {
        cairo_surface_destroy(image);
        return false;
    }
    cairo_surface_flush(image);
    const int stride = cairo_image_surface_get_stride(image);
    for (int64_t i = 0; i < pixels; i++) {
        uint32_t *line = (uint32_t *)(void *)(cairo_image_surface_get_data(image) + i * stride);
        if (i % scale != 0) {
            memcpy(line, (unsigned char *)line - stride, (size_t)pixels * sizeof *line);
            continue;
        }
        for (int64_t j = 0; j < pixels; j++)
            line[j] = j % scale == 0
                          ? pixel_of(colour_for(h, mean_of(h, i / scale, j / scale, side)))
                          : line[j - 1];
    }
    cairo_surface_mark_dirty(image);
    cairo_save(h->canvas->cr);
    cairo_translate(h->canvas->cr, h->square.left, h->square.top);
    cairo_scale(h->canvas->cr, h->square.width / pixels, h->square.height / pixels);
    cairo_set_source_surface(h->canvas->cr, image, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(h->canvas->cr), CAIRO_FILTER_NEAREST);
    cairo_paint(h->canvas->cr);
    cairo_restore(h->canvas->cr);
    cairo_surface_destroy(image);
    return true;
}

/* Names on the left and, turned, below; every so many if there is no room for all. */
static void draw_names(const heat *h)
{
    const cli_canvas *canvas = h->canvas;
    const int64_t count = h->matrix->count;
    const double cell = h->square.width / (double)count, room = h->names - 8 * canvas->scale;
    const int64_t step = (int64_t)fmax(ceil(LINE * canvas->scale / cell), 1);
    cli_canvas_colour(canvas, CLI_BLACK);
    for (int64_t i = 0; i < count; i += step) {
        const double at = ((double)i + 0.5) * cell;
        const char *name = h->matrix->names[i];
        cli_canvas_text(
            canvas,
            (cli_point){h->square.left - 5 * canvas->scale, h->square.top + at + 4 * canvas->scale},
            CLI_FONT_SIZE, CLI_RIGHT, room, name);
        cli_canvas_text_up(canvas,
                           (cli_point){h->square.left + at + 4 * canvas->scale,
                                       h->square.top + h->square.height + 5 * canvas->scale},
                           CLI_FONT_SIZE, CLI_RIGHT, room, name);
    }
}

/* The scale of colours, with ticks; grey for what is beyond a limit. */
static void draw_scale(const heat *h)
{
    const cli_canvas *canvas = h->canvas;
    const double left = h->square.left + h->square.width + SCALE_LEFT * canvas->scale;
    const cli_frame frame = {.left = floor(left),
                             .top = h->square.top,
                             .width = SCALE_WIDTH * canvas->scale,
                             .height = h->square.height,
                             .y_low = h->low,
                             .y_high = h->high};
    enum { STEPS = 128 };
    for (int i = 0; i < STEPS; i++) {
        const double value = h->low + (h->high - h->low) * (i + 0.5) / STEPS;
        const colour c = colour_for(h, (float)value);
        cairo_set_source_rgb(canvas->cr, c.red, c.green, c.blue);
        cairo_rectangle(canvas->cr, frame.left,
                        frame.top + frame.height * (1 - (i + 1.0) / STEPS) - 0.5, frame.width,
                        frame.height / STEPS + 1);
        cairo_fill(canvas->cr);
    }
    const cli_ticks ticks = cli_ticks_plain(h->low, h->high, 8);
    cli_text text;
    cli_canvas_colour(canvas, CLI_BLACK);
    for (int i = 0; i < ticks.count; i++)
        cli_canvas_text(
            canvas,
            (cli_point){frame.left + frame.width + 5 * canvas->scale,
                        cli_frame_y(&frame, cli_tick_value(&ticks, i)) + 4 * canvas->scale},
            CLI_FONT_SIZE, CLI_LEFT, (RIGHT - 40) * canvas->scale,
            cli_tick_label(&ticks, i, &text));
    if (h->matrix->beyond > 0)
        cli_canvas_text(canvas,
                        (cli_point){frame.left, frame.top + frame.height + 16 * canvas->scale},
                        CLI_FONT_SIZE, CLI_LEFT, (RIGHT - 20) * canvas->scale, "grey: beyond");
}

static void draw_title(const cli_picture *picture, const heat *h)
{
    const cli_matrix *m = h->matrix;
    const cli_canvas *canvas = h->canvas;
    const double room = canvas->width - 20 * canvas->scale;
    cli_text count;
    char text[200];
    snprintf(text, sizeof text, "%s of %s sequence%s", m->kind, cli_show_count(m->count, &count),
             cli_s(m->count));
    text[0] = (char)toupper((unsigned char)text[0]);
    cli_canvas_colour(canvas, CLI_BLACK);
    cli_canvas_bold(canvas, true);
    cli_canvas_text(canvas, (cli_point){canvas->width / 2, 20 * canvas->scale}, 14, CLI_MIDDLE,
                    room, picture->title != NULL ? picture->title : text);
    cli_canvas_bold(canvas, false);
    text[0] = '\0';
    if (m->known > 0 && h->is_similar)
        snprintf(text, sizeof text, "%.6f to %.6f, mean %.6f", m->low, m->high,
                 m->sum / (double)m->known);
    else if (m->known > 0)
        snprintf(text, sizeof text, "%.0f to %.0f, mean %.1f", m->low, m->high,
                 m->sum / (double)m->known);
    if (m->beyond > 0)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s beyond the limit",
                 m->known > 0 ? ", " : "", cli_show_count(m->beyond, &count));
    cli_canvas_text(canvas, (cli_point){canvas->width / 2, 38 * canvas->scale}, CLI_FONT_SIZE + 1,
                    CLI_MIDDLE, room, text);
}

/* What is drawn, for cli_picture_save(). */
typedef struct subject {
    const cli_picture *picture;
    const cli_matrix *matrix;
} subject;

/* The scale begins at 0, and ends at 1 for similarities, unless all are close to each other. */
static void choose_scale(heat *h)
{
    const cli_matrix *m = h->matrix;
    h->is_similar = strcmp(m->kind, "similarity") == 0;
    h->low = m->known > 0 ? m->low : 0;
    h->high = m->known > 0 ? m->high : 1;
    if (h->is_similar)
        h->high = 1;
    else
        h->low = 0;
    if (h->high - h->low <= 0)
        h->high = h->low + 1;
}

static double room_of_names(const heat *h)
{
    size_t longest = 0;
    for (int64_t i = 0; i < h->matrix->count; i++)
        longest = strlen(h->matrix->names[i]) > longest ? strlen(h->matrix->names[i]) : longest;
    const double scale = h->canvas->scale;
    const double wanted = cli_canvas_text_width(h->canvas, CLI_FONT_SIZE, longest) + 12 * scale;
    return fmin(fmax(wanted, LEAST_NAMES * scale), MOST_NAMES * scale);
}

static bool draw(cli_canvas *canvas, void *user)
{
    const subject *d = user;
    const double scale = fmax(fmin(canvas->width, canvas->height) / WIDTH, 0.75);
    canvas->scale = scale;
    heat h = {.canvas = canvas, .matrix = d->matrix};
    h.names = room_of_names(&h);
    const double side = floor(fmin(canvas->width - h.names - RIGHT * scale,
                                   canvas->height - h.names - (TITLE + BOTTOM) * scale));
    h.square = (cli_frame){.left = floor(h.names),
                           .top = floor(TITLE * scale),
                           .width = fmax(side, 1),
                           .height = fmax(side, 1)};
    choose_scale(&h);
    bool drawn = true;
    if (d->matrix->count <= MOST_SHAPES)
        draw_shapes(&h);
    else
        drawn = draw_image(&h);
    draw_title(d->picture, &h);
    draw_names(&h);
    draw_scale(&h);
    return drawn;
}

int cli_matrix_draw(const cli_picture *picture, const cli_matrix *matrix, cli_output *output)
{
    subject d = {picture, matrix};
    const double width = picture->width > 0 ? picture->width : WIDTH;
    const double height = picture->height > 0 ? picture->height : WIDTH - RIGHT + TITLE + BOTTOM;
    const cli_picture_drawing drawn = {width, height, draw, &d};
    return cli_picture_save(picture, &drawn, output);
}
