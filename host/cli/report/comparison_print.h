/* SPDX-License-Identifier: MIT */
/* The forms of what `rhomb report` prints. */
#ifndef RHOMB_CLI_COMPARISON_PRINT_H
#define RHOMB_CLI_COMPARISON_PRINT_H

#include <rhomb/comparison.h>

#include "host/cli/base/cli.h"
#include "host/cli/report/events.h"

/* What was compared, and the result. */
typedef struct cli_comparison {
    const char *paf, *target, *query; /* the files */
    const char *shown_paf;            /* the first one's name for the reader */
    const char *title;                /* of a page; NULL: the name of the PAF file */
    const cli_buffer *more;           /* of a page: HTML after the tables; NULL: nothing */
    const cli_events *events;
    const rhomb_comparison_report *report;
    int argc;
    char **argv;
} cli_comparison;

/* The first lines: the identity of similar sequence, gap-compressed, and its share of each side. */
typedef struct cli_headline {
    double ani, target, query; /* all 0 where nothing is similar */
} cli_headline;

cli_headline cli_comparison_headline(const rhomb_comparison_report *report);
void cli_append_headline(cli_buffer *out, const rhomb_comparison_report *report, bool html);

/*
 * Tables, in lines of at most 80 characters, or more where a file's name is long; or in HTML. The
 * caller releases the buffer, which has failed if there is no memory.
 */
cli_buffer cli_comparison_tables(const cli_comparison *comparison, bool html);

/* False, with a message, if there is no memory. */
bool cli_comparison_json(FILE *stream, const cli_comparison *comparison);

#endif
