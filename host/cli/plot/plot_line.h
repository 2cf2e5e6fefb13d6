/* SPDX-License-Identifier: MIT */
/*
 * Lines of very many points as few segments. Points that fall together are put together, those
 * within a third of a pixel of a straight line are left out (Douglas and Peucker 1973), and lines
 * shorter than a pixel become dots, of which a pixel has one. What a line costs in a vector format
 * is bounded by the pixels that it crosses.
 *
 * Behind the first thousand lines the picture is a crowd, and what cannot be seen in that at
 * its size is left out: lines over pixels of their colour. Short lines, dots, and lines that are
 * seen in a few places only are kept as pixels, and drawn as runs of those at the end. So a picture
 * has a bounded size, of a few bytes a pixel, however many lines there are.
 */
#ifndef RHOMB_CLI_PLOT_LINE_H
#define RHOMB_CLI_PLOT_LINE_H

#include "host/cli/plot/plot_cells.h"

typedef struct cli_line {
    const cli_canvas *canvas;
    const cli_frame *frame;
    bool is_graph; /* x never goes back: points of one pixel's column are put together */
    bool failed;   /* memory was short */
    cli_colour colour;
    double width; /* before scaling */
    bool is_dashed;
    cli_point *points; /* in pixels */
    size_t count, room;
    bool *kept;            /* working space of as many */
    size_t *stack;         /* and twice as many */
    int column;            /* of a graph: the column that is open */
    cli_point extremes[4]; /* its first, lowest, highest and last point */
    cli_cells cells;       /* the pixels of dots, and of a crowd's lines */
    int waiting;           /* lines that Cairo has and that are not drawn yet */
    int drawn;             /* lines and dots until there is a crowd */
} cli_line;

/* The frame and the canvas are borrowed. */
void cli_line_init(cli_line *line, const cli_canvas *canvas, const cli_frame *frame);
/* How the next lines look. */
void cli_line_style(cli_line *line, cli_colour colour, double width, bool is_dashed);
/* The next point, in what the frame's edges stand for. */
void cli_line_to(cli_line *line, double x, double y);
/* Ends a line: the next point begins another one. */
void cli_line_end(cli_line *line);
/* Draws what waits, and the pixels that are kept. To be called before anything else is drawn. */
void cli_line_flush(cli_line *line);
/* False when memory was short and something is missing. */
bool cli_line_free(cli_line *line);

#endif
