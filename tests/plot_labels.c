/* SPDX-License-Identifier: MIT */
/*
 * What `rhomb plot` writes into its pictures, which have glyphs of the machine's fonts and no text:
 * linked with the objects of the program, these take the place of Cairo's functions. Each text is a
 * line on standard output: left end and base line in pixels, the font's size, and the text. All
 * letters are equally wide, so that lines are the same everywhere.
 */
#include <cairo.h>
#include <math.h>
#include <stdio.h>

/* Of a letter, in sizes of the font. */
static const double LETTER_WIDTH = 0.6;

static double font_size(cairo_t *cr)
{
    cairo_matrix_t matrix;
    cairo_get_font_matrix(cr, &matrix);
    return matrix.xx;
}

void cairo_text_extents(cairo_t *cr, const char *utf8, cairo_text_extents_t *extents)
{
    double letters = 0;
    for (; *utf8 != '\0'; utf8++)
        letters += ((unsigned char)*utf8 & 0xc0) != 0x80;
    *extents = (cairo_text_extents_t){.x_advance = LETTER_WIDTH * font_size(cr) * letters};
}

/* Not at a half, where the last bit of a sum would tell. */
static double rounded(double pixels)
{
    return floor(pixels + 0.53);
}

void cairo_show_text(cairo_t *cr, const char *utf8)
{
    double x, y;
    cairo_get_current_point(cr, &x, &y);
    cairo_user_to_device(cr, &x, &y);
    printf("%4.0f %4.0f %4.1f  %s\n", rounded(x), rounded(y), font_size(cr), utf8);
}
