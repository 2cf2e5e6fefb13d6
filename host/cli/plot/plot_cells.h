/* SPDX-License-Identifier: MIT */
/*
 * The colour of each pixel of a frame, so that what would be hidden is left out, and what is
 * smaller than a pixel is drawn once, in runs along x. Cells are a pixel wide and high, with their
 * centres on whole pixels. Nothing here draws.
 */
#ifndef RHOMB_CLI_PLOT_CELLS_H
#define RHOMB_CLI_PLOT_CELLS_H

#include "host/cli/plot/plot_canvas.h"

/* All zeros before the first call. */
typedef struct cli_cells {
    const cli_frame *frame; /* borrowed */
    int width, height;
    uint8_t *cells;
} cli_cells;

/* The number of cells that a line covers, and of those that have another colour. */
typedef struct cli_cells_way {
    size_t all, others;
} cli_cells_way;

/* False if memory is short. */
bool cli_cells_init(cli_cells *cells, const cli_frame *frame);

/* Whether this pixel already has a dot; marks one there, in this colour. */
bool cli_cells_dot(cli_cells *cells, cli_point at, cli_colour colour);
/* The same; a pixel of another colour waits for the runs. */
void cli_cells_wait(cli_cells *cells, cli_point at, cli_colour colour);

/* What to do with the cells of a line. */
typedef enum cli_cells_action {
    CLI_CELLS_COUNT,
    CLI_CELLS_WAIT, /* those of another colour wait for the runs */
    CLI_CELLS_DRAWN /* the line itself is drawn over all of them */
} cli_cells_action;

/* How a line is drawn: with dashes of so many pixels, 0 for none. */
typedef struct cli_cells_pen {
    cli_colour colour;
    double dash;
} cli_cells_pen;

/* The straight line between two points. Adds its cells to *way. */
void cli_cells_line(cli_cells *cells, cli_point from, cli_point to, cli_cells_pen pen,
                    cli_cells_action action, cli_cells_way *way);

/*
 * The next run of cells that wait in a colour, from *at on, which advances; false at the end.
 * Colours are drawn in their order: a run may cover cells that wait in a later one.
 */
bool cli_cells_run(const cli_cells *cells, cli_colour colour, size_t *at, cli_point *from,
                   cli_point *to);

void cli_cells_free(cli_cells *cells);

#endif
