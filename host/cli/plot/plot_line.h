/* SPDX-License-Identifier: MIT */
/*
 * Lines of very many points as few segments. Coinciding points are merged, those within a third of
 * a pixel of a straight line are left out (Douglas and Peucker 1973), and lines shorter than a
 * pixel become dots, at most one per pixel. The pixels that a line crosses bound its size in a
 * vector format.
 *
 * After the first thousand lines the picture is a crowd, and what would be invisible in it is left
 * out: lines over pixels of their colour. Short lines, dots, and lines that are visible in a few
 * places only are kept as pixels, and drawn at the end as runs of pixels. So the size of a picture
 * is bounded, a few bytes per pixel, however many lines there are.
 */
#ifndef RHOMB_CLI_PLOT_LINE_H
#define RHOMB_CLI_PLOT_LINE_H

#include "host/cli/plot/plot_cells.h"

typedef struct cli_line {
    const cli_canvas *canvas;
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
    cli_cells cells;       /* the pixels of dots, and of a crowd's lines */
    int waiting;           /* lines that Cairo has but has not drawn yet */
    int drawn;             /* lines and dots until there is a crowd */
} cli_line;

/* The frame and the canvas are borrowed. */
void cli_line_init(cli_line *line, const cli_canvas *canvas, const cli_frame *frame);
/* How the next lines look. */
void cli_line_style(cli_line *line, cli_colour colour, double width, bool is_dashed);
/* The next point, in the units of the frame's axes. */
void cli_line_to(cli_line *line, double x, double y);
/* Ends a line: the next point begins another one. */
void cli_line_end(cli_line *line);
/* Draws what waits, and the kept pixels. Call it before anything else is drawn. */
void cli_line_flush(cli_line *line);
/* False if memory was short and something is missing. */
bool cli_line_free(cli_line *line);

#endif
