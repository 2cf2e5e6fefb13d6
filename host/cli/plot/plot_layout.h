/* SPDX-License-Identifier: MIT */
/*
 * Where sequences lie on the axes of a plot: end to end, in letters, before anything is known of
 * pixels. Targets are in the order of their lengths, the longest first; queries in the order in
 * which their longest traces lie along the targets, so that what is alike comes to lie on a
 * diagonal. Equal ones are in the order of the file.
 */
#ifndef RHOMB_CLI_PLOT_LAYOUT_H
#define RHOMB_CLI_PLOT_LAYOUT_H

#include "host/cli/plot/plot_data.h"

/*
 * One sequence on an axis: its letters [low, high) are shown from `start` on, of which [begin, end)
 * is what is meant: the range that was asked for, or what rows touch.
 */
typedef struct cli_plot_span {
    size_t sequence;
    double start, low, high;
    int64_t begin, end;
} cli_plot_span;

typedef struct cli_plot_axis {
    const cli_plot_sequence *list;
    cli_plot_span *spans; /* in the order of the axis */
    size_t *places;       /* of a sequence: its index in spans */
    size_t count;
    double length; /* of all; above 0 */
} cli_plot_axis;

/*
 * A single sequence of which rows touch less than a half is cut to what they touch; a range is
 * shown as it is, with what rows in it touch of the queries. False when memory is short.
 */
bool cli_plot_layout(const cli_plot_data *data, cli_plot_axis *targets, cli_plot_axis *queries);
void cli_plot_axis_free(cli_plot_axis *axis);

/* Where a position of a sequence lies on the axis. */
double cli_plot_place(const cli_plot_axis *axis, size_t sequence, double position);

#endif
