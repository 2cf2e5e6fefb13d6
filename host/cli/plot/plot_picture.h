/* SPDX-License-Identifier: MIT */
/* A whole plot as a file: title, panels below each other, and the format. */
#ifndef RHOMB_CLI_PLOT_PICTURE_H
#define RHOMB_CLI_PLOT_PICTURE_H

#include "host/cli/plot/plot_panels.h"

typedef enum cli_picture_format { CLI_SVG, CLI_PNG, CLI_PDF, CLI_HTML } cli_picture_format;

typedef struct cli_picture {
    cli_picture_format format;
    cli_panel_kind panels[CLI_PANELS]; /* from top to bottom */
    size_t panel_count;
    double width, height; /* pixels of PNG, points of the others; 0 to choose both */
    cli_colour_by colour_by;
    const char *title; /* NULL: the names and lengths */
    bool text;         /* false: no text is drawn */
    int argc;          /* the command line, which HTML has */
    char **argv;
    const cli_buffer *above; /* of HTML, more of it above the picture; NULL: nothing */
} cli_picture;

/* The least height that has room for the panels. */
double cli_picture_least_height(const cli_picture *picture);

/*
 * Draws the picture and writes it to the open output, which the caller commits. An exit status; the
 * message has been printed.
 */
int cli_picture_write(const cli_picture *picture, const cli_plot_data *data, cli_output *output);

/* Draws; false if memory is short. Cairo keeps its own errors. */
typedef bool (*cli_picture_draw_fn)(cli_canvas *canvas, void *user);

typedef struct cli_picture_drawing {
    double width, height;
    cli_picture_draw_fn draw;
    void *user;
} cli_picture_drawing;

/* What writes any picture but HTML: draws it and writes the file, as cli_picture_write(). */
int cli_picture_save(const cli_picture *picture, const cli_picture_drawing *drawing,
                     cli_output *output);
/* Appends it as SVG, in more detail for CLI_HTML. */
int cli_picture_svg(const cli_picture *picture, const cli_picture_drawing *drawing,
                    cli_buffer *svg);

/* How much finer than pixels lines are where one can zoom in. */
enum { CLI_ZOOM_DETAIL = 8 };

/*
 * In plot_html.c: writes a page with the picture, its script and the pairs. `map` says where what
 * is in the picture: see plot_map.c.
 */
int cli_html_write(const cli_picture *picture, const cli_plot_data *data, const cli_buffer *svg,
                   const cli_buffer *map, cli_output *output);
/* Of such pages: from their first line to the title; a picture; version and command line. */
void cli_html_begin(cli_buffer *html, const char *title);
void cli_html_svg(cli_buffer *html, const cli_buffer *svg);
void cli_html_command(cli_buffer *html, const cli_picture *picture);
/* In plot_map.c: appends a frame; then, after all frames, axes and paths, which ends the map. */
void cli_map_frame(cli_buffer *map, cli_panel_kind kind, const cli_frame *frame);
void cli_map_end(cli_buffer *map, const cli_plot *plot);
/* The script, plot_script.js. */
extern const char cli_html_script[];

/* Limits of --size. */
enum { CLI_PICTURE_LEAST = 200, CLI_PICTURE_MOST = 10000 };

/*
 * Matrices as `rhomb matrix` writes them in TSV, whole or their lower triangle, and heat maps of
 * them.
 */

typedef struct cli_matrix {
    char *kind; /* "distance", "similarity" or "penalty" */
    char **names;
    int64_t count;
    float *values;    /* count rows of count values, by either half; NAN beyond a limit */
    double low, high; /* of the values outside the diagonal that are known */
    int64_t known;    /* how many of these there are, in one half */
    int64_t beyond;   /* values that are only known to be beyond a limit, in one half */
    double sum;       /* of the known ones */
} cli_matrix;

/*
 * Whether a file that can be opened twice begins like a matrix, also one in PHYLIP, which is
 * refused when it is loaded. False for "-" and pipes.
 */
bool cli_matrix_is_one(const char *path);

/* Reads a matrix; the exit status. It is released in any case. */
int cli_matrix_load(const char *path, cli_matrix *matrix);
void cli_matrix_release(cli_matrix *matrix);

/* Draws it and writes the picture to the open output, which the caller commits. The exit status. */
int cli_matrix_draw(const cli_picture *picture, const cli_matrix *matrix, cli_output *output);

#endif
