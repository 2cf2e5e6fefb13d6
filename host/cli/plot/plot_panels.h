/* SPDX-License-Identifier: MIT */
/* The four panels of a plot, each in a frame that the picture assigns. */
#ifndef RHOMB_CLI_PLOT_PANELS_H
#define RHOMB_CLI_PLOT_PANELS_H

#include "host/cli/plot/plot_canvas.h"
#include "host/cli/plot/plot_data.h"

typedef enum cli_panel_kind {
    CLI_PANEL_PATH,     /* target along x, query along y */
    CLI_PANEL_OFFSET,   /* along the target, how far the path is from a straight line */
    CLI_PANEL_IDENTITY, /* along the target, in windows */
    CLI_PANEL_SIZES     /* insertions and deletions by length */
} cli_panel_kind;

enum { CLI_PANELS = 4 };

/* What colours say in the dot plot. */
typedef enum cli_colour_by { CLI_BY_IDENTITY, CLI_BY_STRAND } cli_colour_by;

/* What all panels of a picture share. */
typedef struct cli_plot {
    const cli_canvas *canvas;
    const cli_plot_data *data;
    cli_plot_axis targets, queries;
    double unit; /* of bases on both axes; 0: each has its own */
    cli_colour_by colour_by;
    double turned; /* the room of turned names of targets below the last panel; 0: they lie along
                      it, */
                   /* -1: there is no room for names */
    size_t named_targets; /* how many of several sequences have their names on the axis */
    size_t named_queries;
    int64_t window; /* bases of a window as drawn, a multiple of a kept window's */
} cli_plot;

/* The bases of a drawn window: --window, or a round number that gives 80 to 200 windows. */
int64_t cli_plot_window_bases(const cli_plot_data *data, const cli_plot_axis *targets);

/* The unit of both axes if both are single sequences of similar length; else 0. */
double cli_plot_unit(const cli_plot_axis *targets, const cli_plot_axis *queries);

/*
 * Draws a panel; only the place and the size of *frame are read. `is_last`: the last of those along
 * the target, which has the title of the axis. False if memory is short.
 */
bool cli_panel_draw(const cli_plot *plot, cli_panel_kind kind, const cli_frame *frame,
                    bool is_last);

/* What paths in colours have, for their legend. */
typedef struct cli_seen {
    bool colours[CLI_COLOURS];
    bool imperfect; /* a window has less than 100 % */
} cli_seen;

/* In plot_identity.c: a path in the colours of its identity in windows, which `seen` has then. */
void cli_panel_draw_coloured(const cli_plot *plot, const cli_trace *trace, cli_line *line,
                             cli_seen *seen);
/* The colours that were seen, above a frame. Returns the room that they take. */
double cli_panel_identity_legend(const cli_canvas *canvas, const cli_frame *frame,
                                 const cli_seen *seen);
/* Of how many pairs of sequences the identity is known, and how many have no similar segment. */
typedef struct cli_plot_pairs {
    int64_t known, other;
} cli_plot_pairs;
/*
 * Appends rows of HTML, one for each pair, of which `most` at most, and returns how many there are;
 * -1 if memory is short.
 */
int64_t cli_plot_pair_rows(const cli_plot_data *data, int64_t most, cli_buffer *html);
/* False if memory is short. */
bool cli_plot_count_pairs(const cli_plot_data *data, cli_plot_pairs *pairs);
/* The identity of random sequences, in percent. */
extern const double cli_random_percent;

/* In plot_panels.c: where a vertex of a trace is on both axes; the vertices of a column. */
cli_point cli_panel_vertex(const cli_plot *plot, const cli_trace *trace, int64_t at,
                           int64_t offset);
void cli_panel_column(const cli_plot *plot, const cli_trace *trace, size_t column, cli_line *line);

/* In plot_graphs.c. */
bool cli_panel_draw_offset(const cli_plot *plot, cli_frame *frame);
bool cli_panel_draw_identity(const cli_plot *plot, cli_frame *frame);

/* In plot_panels.c: the axis of the targets below a frame, and lines between sequences. */
void cli_panel_axis_x(const cli_plot *plot, const cli_frame *frame);
/*
 * The room that names of targets need below a frame `width` pixels wide, turned; 0 if all are
 * written along the axis.
 */
double cli_panel_turned_names(const cli_plot *plot, double width);
/* The length of the labels of the dot plot's vertical axis, in characters; 0 if they are names. */
size_t cli_panel_label_characters(const cli_plot *plot, double height);
/* What a panel shows, above it, beside `legends` legends; `brief` if there is little room. */
void cli_panel_heading(const cli_canvas *canvas, const cli_frame *frame, int legends,
                       const char *text, const char *brief);
/* A colour and its meaning, 15 characters, above the frame; `place` 0 is the rightmost one. */
void cli_panel_legend(const cli_canvas *canvas, const cli_frame *frame, int place,
                      cli_colour colour, const char *text);
/* The same with its right end there. */
void cli_panel_legend_at(const cli_canvas *canvas, const cli_frame *frame, double right,
                         cli_colour colour, const char *text);
/* A sentence in the middle of a frame without data. */
void cli_panel_note(const cli_canvas *canvas, const cli_frame *frame, const char *text);
/* The colour of a strand. */
cli_colour cli_panel_strand(bool reverse);

#endif
