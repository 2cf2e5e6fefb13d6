/* SPDX-License-Identifier: MIT */
/*
 * Lines of very many points as few segments. Coinciding points are merged, those within a third of
 * a pixel of a straight line are left out (Douglas and Peucker 1973), and lines shorter than a
 * pixel become dots. The pixels that a line crosses bound its size in a vector format.
 *
 * After the first thousand lines a picture in a vector format is a crowd: Cairo draws the others
 * into an image, which lies over the first ones. So the size of a picture is bounded, a few bytes
 * per pixel, however many lines there are.
 */
#ifndef RHOMB_CLI_PLOT_LINE_H
#define RHOMB_CLI_PLOT_LINE_H

#include "host/cli/plot/plot_canvas.h"

/* More lines are a crowd. */
enum { CLI_LINE_FEW = 1000 };

typedef struct cli_line {
    cli_canvas canvas; /* the picture's or, of a crowd, the image's */
    cairo_t *picture;
    bool is_image;          /* it is an image itself */
    cairo_surface_t *crowd; /* the image; NULL: none */
    const cli_frame *frame;
    bool is_graph; /* x never decreases: points of one column of pixels are merged */
    bool failed;   /* memory was short */
    cli_colour colour;
    double width; /* before scaling */
    bool is_dashed;
    cli_point *points; /* in pixels */
    size_t count, room;
    bool *kept;            /* working space for as many points */
    size_t *stack;         /* and for twice as many */
    int column;            /* of a graph: the column that is open */
    cli_point extremes[4]; /* its first, lowest, highest and last point */
    int waiting;           /* lines that Cairo has but has not drawn yet */
    int drawn;             /* lines and dots */
} cli_line;

/* The frame and what the canvas draws on are borrowed. */
void cli_line_init(cli_line *line, const cli_canvas *canvas, const cli_frame *frame);
/* How the next lines look. */
void cli_line_style(cli_line *line, cli_colour colour, double width, bool is_dashed);
/* The next point, in the units of the frame's axes. */
void cli_line_to(cli_line *line, double x, double y);
/* Ends a line: the next point begins another one. */
void cli_line_end(cli_line *line);
/* Draws what waits, and the image of a crowd. Call it before anything else is drawn. */
void cli_line_flush(cli_line *line);
/* False if memory was short and something is missing. */
bool cli_line_free(cli_line *line);

#endif
