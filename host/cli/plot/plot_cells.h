/* SPDX-License-Identifier: MIT */
/*
 * What colour each pixel of a frame has, so that what cannot be seen beside that is left out, and
 * what is smaller than it is drawn once, in runs along x. Cells are a pixel wide and high, with
 * their centres on whole pixels. Nothing here draws.
 */
#ifndef RHOMB_CLI_PLOT_CELLS_H
#define RHOMB_CLI_PLOT_CELLS_H

#include "host/cli/plot/plot_canvas.h"

typedef struct cli_point {
    double x, y;
} cli_point;

/* All zeros before the first call. */
typedef struct cli_cells {
    const cli_frame *frame; /* borrowed */
    int width, height;
    uint8_t *cells;
} cli_cells;

/* How a line goes over cells: all that it has, and those that are of another colour. */
typedef struct cli_cells_way {
    size_t all, others;
} cli_cells_way;

/* Whether there is memory for them. */
bool cli_cells_init(cli_cells *cells, const cli_frame *frame);

/* Whether there is a dot at this pixel already; from now on there is, in this colour. */
bool cli_cells_dot(cli_cells *cells, cli_point at, cli_colour colour);
/* The same; what is not of this colour yet waits for the runs. */
void cli_cells_wait(cli_cells *cells, cli_point at, cli_colour colour);

/* What to do with the cells of a line. */
typedef enum cli_cells_action {
    CLI_CELLS_COUNT,
    CLI_CELLS_WAIT, /* those of another colour wait for the runs */
    CLI_CELLS_DRAWN /* the line itself is drawn over all of them */
} cli_cells_action;

/* The straight line between two points; with dashes of so many pixels, or 0. */
void cli_cells_line(cli_cells *cells, cli_point from, cli_point to, double dash, cli_colour colour,
                    cli_cells_action action, cli_cells_way *way);

/*
 * The next run of cells that wait in a colour, from *at on, which goes on; false at the end.
 * Colours are drawn in their order: a run may lie over cells that wait in a later one.
 */
bool cli_cells_run(const cli_cells *cells, cli_colour colour, size_t *at, cli_point *from,
                   cli_point *to);

void cli_cells_free(cli_cells *cells);

#endif
