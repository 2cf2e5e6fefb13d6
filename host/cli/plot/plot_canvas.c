/* SPDX-License-Identifier: MIT */
/* Text, frames and axes over Cairo, see plot_canvas.h. */
#include "host/cli/plot/plot_canvas.h"

#include "host/cli/base/text_buffer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The width of a character in font sizes: a bit more than a digit of DejaVu Sans, a wide font. */
static const double CHARACTER_WIDTH = 0.66;

void cli_canvas_colour(const cli_canvas *canvas, cli_colour colour)
{
    static const double RGB[][3] = {
        [CLI_BLACK] = {0.1, 0.1, 0.1},       [CLI_GREY] = {0.45, 0.45, 0.45},
        [CLI_LIGHT_GREY] = {0.9, 0.9, 0.9},  [CLI_BLUE] = {0, 0.447, 0.698},
        [CLI_VERMILION] = {0.835, 0.369, 0}, [CLI_GREEN] = {0, 0.62, 0.451},
        [CLI_ORANGE] = {0.902, 0.624, 0},
    };
    cairo_set_source_rgb(canvas->cr, RGB[colour][0], RGB[colour][1], RGB[colour][2]);
}

/* The bytes of the UTF-8 character at `text`; 0 if there is none that can be drawn. */
static size_t character_bytes(const char *text)
{
    const bool control = (unsigned char)text[0] < 0x20 || text[0] == 0x7f;
    return control ? 0 : cli_utf8_length(text);
}

enum { MOST_CHARACTERS = 200 };

/* A text as it is drawn: at most `most` characters, valid UTF-8. */
static void clean(const char *text, size_t most, char cleaned[4 * MOST_CHARACTERS + 4])
{
    size_t characters = 0, used = 0;
    for (const char *at = text; *at != '\0'; characters++) {
        const size_t bytes = character_bytes(at);
        at += bytes > 0 ? bytes : 1;
    }
    if (most > MOST_CHARACTERS)
        most = MOST_CHARACTERS;
    /* An ellipsis replaces the characters [begin, end). */
    const size_t begin = characters > most ? most / 2 : characters;
    const size_t end = characters > most ? characters - (most - most / 2) + 1 : characters;
    size_t character = 0;
    for (const char *at = text; *at != '\0'; character++) {
        const size_t bytes = character_bytes(at);
        if (character < begin || character >= end) {
            memcpy(cleaned + used, bytes > 0 ? at : "?", bytes > 0 ? bytes : 1);
            used += bytes > 0 ? bytes : 1;
        } else if (character == begin) {
            memcpy(cleaned + used, "\xe2\x80\xa6", 3); /* an ellipsis */
            used += 3;
        }
        at += bytes > 0 ? bytes : 1;
    }
    cleaned[used] = '\0';
}

double cli_canvas_text_width(const cli_canvas *canvas, double size, size_t characters)
{
    return CHARACTER_WIDTH * size * canvas->scale * (double)characters;
}

const char *cli_canvas_choose(const cli_canvas *canvas, double size, double room, const char *text,
                              const char *brief)
{
    return cli_canvas_text_width(canvas, size, strlen(text)) <= room ? text : brief;
}

void cli_canvas_text(const cli_canvas *canvas, cli_point at, double size, cli_anchor anchor,
                     double room, const char *text)
{
    char cleaned[4 * MOST_CHARACTERS + 4];
    const double characters = floor(room / cli_canvas_text_width(canvas, size, 1));
    if (!canvas->text || characters < 1)
        return;
    clean(text, characters < MOST_CHARACTERS ? (size_t)characters : MOST_CHARACTERS, cleaned);
    cairo_text_extents_t extents;
    cairo_set_font_size(canvas->cr, size * canvas->scale);
    cairo_text_extents(canvas->cr, cleaned, &extents);
    if (anchor == CLI_MIDDLE)
        at.x -= extents.x_advance / 2;
    else if (anchor == CLI_RIGHT)
        at.x -= extents.x_advance;
    cairo_move_to(canvas->cr, at.x, at.y);
    cairo_show_text(canvas->cr, cleaned);
    cairo_new_path(canvas->cr);
}

void cli_canvas_text_up(const cli_canvas *canvas, double x, double y, double size, double room,
                        const char *text)
{
    cairo_save(canvas->cr);
    cairo_translate(canvas->cr, x, y);
    cairo_rotate(canvas->cr, -acos(-1) / 2);
    cli_canvas_text(canvas, (cli_point){0, 0}, size, CLI_MIDDLE, room, text);
    cairo_restore(canvas->cr);
}

void cli_canvas_bold(const cli_canvas *canvas, bool bold)
{
    cairo_select_font_face(canvas->cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
}

void cli_canvas_rule(const cli_canvas *canvas, double x0, double y0, double x1, double y1)
{
    /* Lines of odd width are sharp in the middle of a pixel, those of even width between two. */
    const double width = canvas->scale < 1.5 ? 1 : floor(canvas->scale + 0.5);
    const double shift = fmod(width, 2) == 1 ? 0.5 : 0;
    cairo_set_line_width(canvas->cr, width);
    cairo_move_to(canvas->cr, floor(x0) + shift, floor(y0) + shift);
    cairo_line_to(canvas->cr, floor(x1) + shift, floor(y1) + shift);
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
    cli_canvas_text_up(canvas, 14 * canvas->scale, frame->top + frame->height / 2, CLI_FONT_SIZE,
                       frame->height + 40 * canvas->scale, text);
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
