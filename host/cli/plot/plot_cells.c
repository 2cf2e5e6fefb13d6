/* SPDX-License-Identifier: MIT */
/* A byte for each pixel of a frame, see plot_cells.h. */
#include "host/cli/plot/plot_cells.h"

#include <math.h>
#include <stdlib.h>

enum {
    COLOUR = 0x0f, /* 1 + the visible colour; 0: none */
    DOT = 0x10,    /* a dot is there, or was before a line covered it */
    WAITS = 0x20   /* not drawn yet */
};

_Static_assert((int)CLI_COLOURS < COLOUR, "1 + a colour fits into its bits of a cell");

bool cli_cells_init(cli_cells *cells, const cli_frame *frame)
{
    *cells = (cli_cells){.frame = frame,
                         .width = (int)ceil(frame->width) + 2,
                         .height = (int)ceil(frame->height) + 2};
    cells->cells = calloc((size_t)cells->width * (size_t)cells->height, 1);
    return cells->cells != NULL;
}

void cli_cells_free(cli_cells *cells)
{
    free(cells->cells);
    *cells = (cli_cells){0};
}

/* The cell of a point; NULL outside of the frame. */
static uint8_t *cell_at(cli_cells *cells, double x, double y)
{
    x = floor(x - cells->frame->left + 0.5);
    y = floor(y - cells->frame->top + 0.5);
    if (x < 0 || y < 0 || x >= cells->width || y >= cells->height)
        return NULL;
    return &cells->cells[(size_t)y * (size_t)cells->width + (size_t)x];
}

static bool has_colour(uint8_t cell, cli_colour colour)
{
    return (cell & COLOUR) == (unsigned)colour + 1;
}

static void set_colour(uint8_t *cell, cli_colour colour, int flags)
{
    *cell = (uint8_t)((*cell & DOT) | flags | ((int)colour + 1));
}

bool cli_cells_dot(cli_cells *cells, cli_point at, cli_colour colour)
{
    uint8_t *cell = cell_at(cells, at.x, at.y);
    if (cell == NULL)
        return false;
    const bool has = (*cell & DOT) != 0;
    if (!has)
        set_colour(cell, colour, DOT);
    return has;
}

void cli_cells_wait(cli_cells *cells, cli_point at, cli_colour colour)
{
    uint8_t *cell = cell_at(cells, at.x, at.y);
    if (cell != NULL && (*cell & DOT) == 0 && !has_colour(*cell, colour))
        set_colour(cell, colour, DOT | WAITS);
}

void cli_cells_line(cli_cells *cells, cli_point from, cli_point to, cli_cells_pen pen,
                    cli_cells_action action, cli_cells_way *way)
{
    const double dx = to.x - from.x, dy = to.y - from.y;
    const double steps = ceil(fmax(fabs(dx), fabs(dy)));
    const double each = steps > 0 ? hypot(dx, dy) / steps : 0;
    for (double i = 0; i <= steps; i++) {
        const double part = steps > 0 ? i / steps : 0;
        uint8_t *cell = cell_at(cells, from.x + part * dx, from.y + part * dy);
        if (cell == NULL || (pen.dash > 0 && fmod(i * each, 2 * pen.dash) >= pen.dash))
            continue;
        const bool other = !has_colour(*cell, pen.colour);
        way->all++;
        way->others += other;
        if (action == CLI_CELLS_DRAWN)
            set_colour(cell, pen.colour, 0);
        else if (action == CLI_CELLS_WAIT && other)
            set_colour(cell, pen.colour, WAITS);
    }
}

bool cli_cells_run(const cli_cells *cells, cli_colour colour, size_t *at, cli_point *from,
                   cli_point *to)
{
    const size_t width = (size_t)cells->width, count = width * (size_t)cells->height;
    const uint8_t *list = cells->cells;
    while (*at < count && !(has_colour(list[*at], colour) && (list[*at] & WAITS) != 0))
        ++*at;
    if (*at == count)
        return false;
    const size_t row = *at / width, first = *at % width, row_end = (row + 1) * width;
    size_t last = *at;
    /* Up to the last waiting cell, over cells that have this colour or get a later one. */
    for (; *at < row_end; ++*at) {
        const bool waits = (list[*at] & WAITS) != 0;
        if (has_colour(list[*at], colour))
            last = waits ? *at : last;
        else if (!waits || (list[*at] & COLOUR) <= (int)colour)
            break;
    }
    from->x = cells->frame->left + (double)first;
    to->x = cells->frame->left + (double)(last - row * width);
    from->y = to->y = cells->frame->top + (double)row;
    return true;
}
