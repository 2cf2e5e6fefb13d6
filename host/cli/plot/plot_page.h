/* SPDX-License-Identifier: MIT */
/* The page of HTML that `rhomb plot` makes, for another command that has something to add. */
#ifndef RHOMB_CLI_PLOT_PAGE_H
#define RHOMB_CLI_PLOT_PAGE_H

#include "host/cli/base/cli.h"

/* What a page has. */
typedef struct cli_plot_page_parts {
    const char *paf;         /* the file, which is read */
    const char *title;       /* NULL: the file's name */
    double least_identity;   /* of similar segments; 0: the default */
    const cli_buffer *above; /* HTML above the picture */
    int argc;                /* the command line */
    char **argv;
} cli_plot_page_parts;

/*
 * Writes the page to the open output, which the caller commits. An exit status; the message has
 * been printed. Where cli_command_plot is left out of the build, that is the message.
 */
int cli_plot_page(const cli_plot_page_parts *parts, cli_output *output);

/* A row of an audit: bases of its target's range, and what its alignment lost. */
typedef struct cli_audit_point {
    int64_t bases, lost;
} cli_audit_point;

/* The bits of a number, which losses are grouped by: 0, 1, 2 to 3, 4 to 7, ... */
static inline int cli_audit_group(int64_t number)
{
    int bits = 0;
    for (; number > 0; number >>= 1)
        bits++;
    return bits;
}

/* The same for an audit, with pictures of its rows. */
int cli_plot_audit_page(const cli_plot_page_parts *parts, const cli_audit_point *points,
                        size_t count, cli_output *output);

#endif
