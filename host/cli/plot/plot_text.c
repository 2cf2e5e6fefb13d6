/* SPDX-License-Identifier: MIT */
/*
 * Text, see plot_canvas.h. Cairo draws it into PNG and PDF. Its SVG files have glyphs as outlines,
 * which nobody can search, edit or copy; so their texts become elements that are put into the file
 * at its end, where viewers measure them with fonts of their own.
 */
#include "host/cli/plot/plot_canvas.h"

#include <math.h>

/* The width of a character in font sizes: a bit more than a digit of DejaVu Sans, a wide font. */
static const double CHARACTER_WIDTH = 0.66;

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

static void show_text(const cli_canvas *canvas, cli_point at, double pixels, cli_anchor anchor,
                      const char *text)
{
    cairo_text_extents_t extents;
    cairo_set_font_size(canvas->cr, pixels);
    cairo_text_extents(canvas->cr, text, &extents);
    if (anchor == CLI_MIDDLE)
        at.x -= extents.x_advance / 2;
    else if (anchor == CLI_RIGHT)
        at.x -= extents.x_advance;
    cairo_move_to(canvas->cr, at.x, at.y);
    cairo_show_text(canvas->cr, text);
    cairo_new_path(canvas->cr);
}

/* An element of SVG in the present colour, weight and direction, which are Cairo's. */
static void append_element(const cli_canvas *canvas, cli_point at, double pixels, cli_anchor anchor,
                           const char *text)
{
    static const char *const ANCHORS[] = {"start", "middle", "end"};
    cairo_matrix_t matrix;
    double rgb[3] = {0};
    cairo_user_to_device(canvas->cr, &at.x, &at.y);
    cairo_get_matrix(canvas->cr, &matrix);
    cairo_pattern_get_rgba(cairo_get_source(canvas->cr), &rgb[0], &rgb[1], &rgb[2], NULL);
    const cairo_font_weight_t weight =
        cairo_toy_font_face_get_weight(cairo_get_font_face(canvas->cr));
    cli_append_format(canvas->texts,
                      "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.3g\" text-anchor=\"%s\" "
                      "fill=\"#%02x%02x%02x\"",
                      at.x, at.y, pixels, ANCHORS[anchor], (unsigned)(255 * rgb[0] + 0.5),
                      (unsigned)(255 * rgb[1] + 0.5), (unsigned)(255 * rgb[2] + 0.5));
    if (weight == CAIRO_FONT_WEIGHT_BOLD)
        cli_append_text(canvas->texts, " font-weight=\"bold\"");
    if (fabs(matrix.xx) < 0.5) /* up */
        cli_append_format(canvas->texts, " transform=\"rotate(-90 %.1f %.1f)\"", at.x, at.y);
    cli_append_text(canvas->texts, ">");
    cli_append_escaped(canvas->texts, text);
    cli_append_text(canvas->texts, "</text>\n");
}

void cli_canvas_text(const cli_canvas *canvas, cli_point at, double size, cli_anchor anchor,
                     double room, const char *text)
{
    char cleaned[4 * MOST_CHARACTERS + 4];
    const double characters = floor(room / cli_canvas_text_width(canvas, size, 1));
    if (!canvas->text || characters < 1)
        return;
    clean(text, characters < MOST_CHARACTERS ? (size_t)characters : MOST_CHARACTERS, cleaned);
    if (canvas->texts != NULL)
        append_element(canvas, at, size * canvas->scale, anchor, cleaned);
    else
        show_text(canvas, at, size * canvas->scale, anchor, cleaned);
}

void cli_canvas_text_up(const cli_canvas *canvas, cli_point at, double size, cli_anchor anchor,
                        double room, const char *text)
{
    cairo_save(canvas->cr);
    cairo_translate(canvas->cr, at.x, at.y);
    cairo_rotate(canvas->cr, -acos(-1) / 2);
    cli_canvas_text(canvas, (cli_point){0, 0}, size, anchor, room, text);
    cairo_restore(canvas->cr);
}

void cli_canvas_bold(const cli_canvas *canvas, bool bold)
{
    cairo_select_font_face(canvas->cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
}
