/* SPDX-License-Identifier: MIT */
/*
 * Where sequences lie on the axes of a plot: end to end, in bases, independent of pixels. Targets
 * are in the order of the file; queries by where their longest traces lie along the targets, so
 * that similar sequences lie on a diagonal.
 */
#ifndef RHOMB_CLI_PLOT_LAYOUT_H
#define RHOMB_CLI_PLOT_LAYOUT_H

#include "host/cli/plot/plot_data.h"

/*
 * One sequence on an axis: its bases [low, high) are shown from `start` on. Of these [begin, end)
 * is the range that was asked for, or what rows cover.
 */
typedef struct cli_plot_span {
    size_t sequence;
    double start, low, high;
    int64_t begin, end;
    size_t rank;  /* 0 for the longest sequence */
    double label; /* where its name is along the axis, in pixels, as cli_plot_place_names() says */
    bool named;
} cli_plot_span;

typedef struct cli_plot_axis {
    const cli_plot_sequence *list;
    cli_plot_span *spans; /* in the order of the axis */
    size_t *places;       /* for each sequence, its index in spans */
    size_t count;
    double length; /* of all; above 0 */
} cli_plot_axis;

/*
 * A single sequence of which rows cover less than half is cut to what they cover; a range is shown
 * as it is, with what its rows cover of the queries. False if memory is short.
 */
bool cli_plot_layout(const cli_plot_data *data, cli_plot_axis *targets, cli_plot_axis *queries);
void cli_plot_axis_free(cli_plot_axis *axis);

/*
 * Places names in the pixels [from, to) of an axis, or of one that goes down: each as near to the
 * middle of its sequence as names of `room` pixels let it. If there is no room for all, those of
 * the longest sequences are named. Returns how many.
 */
size_t cli_plot_place_names(cli_plot_axis *axis, double from, double to, double room);

/* Where a position of a sequence lies on the axis. */
double cli_plot_place(const cli_plot_axis *axis, size_t sequence, double position);

#endif
