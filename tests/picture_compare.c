/* SPDX-License-Identifier: MIT */
/*
 * picture_compare EXPECTED.png GOT.png: whether two pictures look the same. Versions of Cairo and
 * of pixman blend the edges of lines a little differently, so a pixel is compared with those around
 * it: it has to lie, in each colour, between the darkest and the lightest of the nine there, with a
 * margin, in both directions. A line that is a pixel off in part is allowed, one that is missing,
 * two pixels off, or of another colour is not. Exit status 0: the same; 1: not, or unreadable.
 */
#include <cairo.h>
#include <stdbool.h>
#include <stdio.h>

enum {
    MARGIN = 40, /* of 255: what blending may change */
    MOST_ODD = 8 /* so many pixels may be odd all the same, where lines end or cross */
};

typedef struct picture {
    cairo_surface_t *surface;
    const unsigned char *data;
    int width, height, stride;
} picture;

static bool read_picture(const char *path, picture *p)
{
    p->surface = cairo_image_surface_create_from_png(path);
    const cairo_status_t status = cairo_surface_status(p->surface);
    if (status != CAIRO_STATUS_SUCCESS) {
        fprintf(stderr, "picture_compare: %s: %s\n", path, cairo_status_to_string(status));
        return false;
    }
    p->data = cairo_image_surface_get_data(p->surface);
    p->width = cairo_image_surface_get_width(p->surface);
    p->height = cairo_image_surface_get_height(p->surface);
    p->stride = cairo_image_surface_get_stride(p->surface);
    return true;
}

/* A colour of a pixel, the nearest one's beyond the edges. */
static int value_at(const picture *p, int x, int y, int colour)
{
    x = x < 0 ? 0 : x >= p->width ? p->width - 1 : x;
    y = y < 0 ? 0 : y >= p->height ? p->height - 1 : y;
    return p->data[y * p->stride + 4 * x + colour];
}

/* Whether the pixel of `a` is between those around it in `b`. */
static bool is_like(const picture *a, const picture *b, int x, int y)
{
    for (int colour = 0; colour < 3; colour++) {
        int low = 255, high = 0;
        for (int i = 0; i < 9; i++) {
            const int value = value_at(b, x + i % 3 - 1, y + i / 3 - 1, colour);
            low = value < low ? value : low;
            high = value > high ? value : high;
        }
        const int value = value_at(a, x, y, colour);
        if (value < low - MARGIN || value > high + MARGIN)
            return false;
    }
    return true;
}

static int count_odd(const picture *a, const picture *b)
{
    int odd = 0;
    for (int y = 0; y < a->height; y++) {
        for (int x = 0; x < a->width; x++)
            odd += !is_like(a, b, x, y);
    }
    return odd;
}

int main(int argc, char **argv)
{
    picture a = {0}, b = {0};
    if (argc != 3) {
        fputs("usage: picture_compare EXPECTED.png GOT.png\n", stderr);
        return 1;
    }
    bool same = read_picture(argv[1], &a) && read_picture(argv[2], &b);
    if (same && (a.width != b.width || a.height != b.height)) {
        fprintf(stderr, "picture_compare: %dx%d and %dx%d\n", a.width, a.height, b.width, b.height);
        same = false;
    }
    if (same) {
        const int missing = count_odd(&a, &b), added = count_odd(&b, &a);
        same = missing <= MOST_ODD && added <= MOST_ODD;
        if (!same)
            fprintf(stderr, "picture_compare: %d pixels are missing, %d were not there\n", missing,
                    added);
    }
    cairo_surface_destroy(a.surface);
    cairo_surface_destroy(b.surface);
    return same ? 0 : 1;
}
