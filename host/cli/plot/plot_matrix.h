/* SPDX-License-Identifier: MIT */
/*
 * Matrices as `rhomb matrix` writes them in TSV, whole or their lower triangle, and heat maps of
 * them.
 */
#ifndef RHOMB_CLI_PLOT_MATRIX_H
#define RHOMB_CLI_PLOT_MATRIX_H

#include "host/cli/plot/plot_picture.h"

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
