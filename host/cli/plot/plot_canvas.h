/* SPDX-License-Identifier: MIT */
/*
 * What panels are drawn with, over Cairo: colours, text, and frames whose axes have ticks. Cairo
 * keeps the first error for the end.
 *
 * Positions never depend on the font: text is assumed to be as wide as in a wide font. So a picture
 * without text is the same on every machine, and labels never overlap.
 */
#ifndef RHOMB_CLI_PLOT_CANVAS_H
#define RHOMB_CLI_PLOT_CANVAS_H

#include "host/cli/base/text_buffer.h"
#include "host/cli/plot/plot_ticks.h"
#include <cairo.h>

typedef struct cli_canvas {
    cairo_t *cr;
    double width, height;
    double scale;      /* of text and lines: 1 for a picture of 900 by 1200 */
    double detail;     /* how much finer than a pixel lines are: 1, more where one can zoom in */
    bool text;         /* false: no text is drawn */
    cli_buffer *texts; /* where texts go as elements of SVG; NULL: Cairo draws them */
} cli_canvas;

/* The colours of Okabe and Ito, which the colour-blind can tell apart, and greys. */
typedef enum cli_colour {
    CLI_BLACK,
    CLI_GREY,
    CLI_LIGHT_GREY,
    CLI_BLUE,
    CLI_VERMILION,
    CLI_GREEN,
    CLI_ORANGE,
    /* Of identity, from high to low: darker to lighter, also in print without colours. */
    CLI_IDENTITY,
    CLI_IDENTITY_OTHER = CLI_IDENTITY + 6,
    CLI_COLOURS
} cli_colour;

void cli_canvas_colour(const cli_canvas *canvas, cli_colour colour);

typedef struct cli_point {
    double x, y;
} cli_point;

/* Which point of a text is at the given place. */
typedef enum cli_anchor { CLI_LEFT, CLI_MIDDLE, CLI_RIGHT } cli_anchor;

enum { CLI_FONT_SIZE = 11 }; /* of labels, before scaling */

/* The most room that `characters` characters of a size take. */
double cli_canvas_text_width(const cli_canvas *canvas, double size, size_t characters);

/*
 * Draws a text in the current colour, its base line at that place. What does not fit into `room` is
 * left out in the middle; bytes that are not UTF-8 are drawn as '?'. Up: turned left by 90 degrees.
 */
void cli_canvas_text(const cli_canvas *canvas, cli_point at, double size, cli_anchor anchor,
                     double room, const char *text);
void cli_canvas_text_up(const cli_canvas *canvas, cli_point at, double size, cli_anchor anchor,
                        double room, const char *text);
/* The text if all of it fits into the room, else the brief one. */
const char *cli_canvas_choose(const cli_canvas *canvas, double size, double room, const char *text,
                              const char *brief);
void cli_canvas_bold(const cli_canvas *canvas, bool bold);

/* A thin line, horizontal or vertical, on whole pixels unless one can zoom in. */
void cli_canvas_rule(const cli_canvas *canvas, double x0, double y0, double x1, double y1);

/* A frame, with the values at its left, right, bottom and top edges. */
typedef struct cli_frame {
    double left, top, width, height;
    double x_low, x_high, y_low, y_high;
} cli_frame;

double cli_frame_x(const cli_frame *frame, double value);
double cli_frame_y(const cli_frame *frame, double value);

enum { CLI_MOST_TICKS = 12 };

/* The number of ticks that fit along an edge, with labels of `characters` characters. */
int cli_canvas_most_ticks(const cli_canvas *canvas, double length, size_t characters);

typedef enum cli_axis { CLI_X, CLI_Y } cli_axis;

/* Grid lines and labels, below the frame or to the left of it. */
void cli_canvas_ticks(const cli_canvas *canvas, const cli_frame *frame, cli_axis axis,
                      const cli_ticks *ticks);
/* The same for log axes, whose values are exponents of ten: bases along x, counts along y. */
void cli_canvas_decades(const cli_canvas *canvas, const cli_frame *frame, cli_axis axis);

/* The title of an axis: below the labels, or to the left of them. */
void cli_canvas_title_x(const cli_canvas *canvas, const cli_frame *frame, const char *text);
void cli_canvas_title_y(const cli_canvas *canvas, const cli_frame *frame, const char *text);

/* Draws the border, and clips to a little beyond it until cli_canvas_end_frame(). */
void cli_canvas_begin_frame(const cli_canvas *canvas, const cli_frame *frame);
void cli_canvas_end_frame(const cli_canvas *canvas);

/*
 * Lines of very many points as few segments. Coinciding points are merged, those within a third of
 * a pixel of a straight line are left out (Douglas and Peucker 1973), and lines shorter than a
 * pixel become dots. The pixels that a line crosses bound its size in a vector format.
 *
 * After the first thousand lines a picture in a vector format is a crowd: Cairo draws the others
 * into an image, which lies over the first ones. So the size of a picture is bounded, a few bytes
 * per pixel, however many lines there are.
 */

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
