/* SPDX-License-Identifier: MIT */
/*
 * What `rhomb plot` draws: linked with the objects of the program, these take the place of Cairo's
 * functions, and nothing depends on how a version of Cairo blends pixels, or on a machine's fonts.
 * Each text is a line on standard output: left end and base line in pixels, the font's size, and
 * the text, whose letters are all equally wide. So is each area and line, with its colour and its
 * corners in pixels, and each image with a digest of its pixels.
 */
#include <cairo.h>
#include <inttypes.h>
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

/* The corners of what is drawn, in tenths of a pixel, and its colour. */
static void print_path(cairo_t *cr, const char *what, double width)
{
    double red = 0, green = 0, blue = 0, alpha = 0;
    cairo_pattern_get_rgba(cairo_get_source(cr), &red, &green, &blue, &alpha);
    printf("%s %.2f, colour %.0f %.0f %.0f:", what, width, rounded(255 * red), rounded(255 * green),
           rounded(255 * blue));
    cairo_path_t *path = cairo_copy_path(cr);
    for (int i = 0; i < path->num_data; i += path->data[i].header.length) {
        for (int j = 1; j < path->data[i].header.length; j++) {
            double x = path->data[i + j].point.x, y = path->data[i + j].point.y;
            cairo_user_to_device(cr, &x, &y);
            printf(" %d %.0f %.0f", (int)path->data[i].header.type, rounded(10 * x),
                   rounded(10 * y));
        }
    }
    putchar('\n');
    cairo_path_destroy(path);
    cairo_new_path(cr);
}

void cairo_fill(cairo_t *cr)
{
    print_path(cr, "area", 0);
}

void cairo_stroke(cairo_t *cr)
{
    print_path(cr, cairo_get_dash_count(cr) > 0 ? "dashes" : "line", cairo_get_line_width(cr));
}

void cairo_clip(cairo_t *cr)
{
    print_path(cr, "within", 0);
}

void cairo_set_source_surface(cairo_t *cr, cairo_surface_t *image, double x, double y)
{
    cairo_matrix_t matrix;
    const unsigned char *data = cairo_image_surface_get_data(image);
    const int width = cairo_image_surface_get_width(image);
    const int height = cairo_image_surface_get_height(image);
    uint64_t digest = 0;
    for (int i = 0; i < height; i++) {
        for (int j = 0; j < 4 * width; j++)
            if (j % 4 < 3) /* the colours */
                digest =
                    (digest ^ data[i * cairo_image_surface_get_stride(image) + j]) * 1099511628211;
    }
    cairo_user_to_device(cr, &x, &y);
    cairo_get_matrix(cr, &matrix);
    /* An image may be of a part of the picture, as lines have been drawn into it. */
    double left, top, scale[2];
    cairo_surface_get_device_scale(image, &scale[0], &scale[1]);
    cairo_surface_get_device_offset(image, &left, &top);
    x -= left / scale[0];
    y -= top / scale[1];
    printf("image %dx%d, digest %016" PRIx64 ", at %.0f %.0f, scaled by %.3f %.3f\n", width, height,
           digest, rounded(10 * x), rounded(10 * y), matrix.xx / scale[0], matrix.yy / scale[1]);
}
