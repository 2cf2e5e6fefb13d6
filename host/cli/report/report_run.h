/* SPDX-License-Identifier: MIT */
/*
 * What `rhomb report` does, for other commands too: it compares two files by the records of a PAF
 * file, and writes what comes out in one form or several.
 */
#ifndef RHOMB_CLI_REPORT_RUN_H
#define RHOMB_CLI_REPORT_RUN_H

#include "host/cli/report/comparison_print.h"
#include "host/cli/report/events.h"

typedef enum cli_report_format {
    CLI_REPORT_TEXT,
    CLI_REPORT_JSON,
    CLI_REPORT_HTML,
    CLI_REPORT_TSV,
    CLI_REPORT_BED
} cli_report_format;

typedef struct cli_report_arguments {
    const char *audit; /* NULL: the next three are compared */
    const char *paf;
    const char *target;
    const char *query;
    const char *output;
    int32_t threads;
    int format; /* cli_report_format */
    rhomb_alphabet alphabet;
    double least_identity;
    const char *only[2]; /* of targets and queries: as cli_events has it */
} cli_report_arguments;

/* What a run has open. All zeros is nothing. */
typedef struct cli_report {
    rhomb_context *ctx;
    rhomb_sequence_set *targets, *queries; /* no queries: they are the targets */
    rhomb_paf *paf;
    rhomb_comparison *found;
    cli_events events;
    cli_comparison comparison; /* to be printed; the caller may name files in another way */
    cli_progress progress;
    double reads_from; /* when the records begin to be read */
} cli_report;

/* Reads the three files and compares. The exit status, as below; release it in any case. */
int cli_report_compare(cli_report *report, const cli_report_arguments *args);

/* The sequences that are compared with the targets, which may be the same. */
const rhomb_sequence_set *cli_report_queries(const cli_report *report);

/* Writes one form to the open output, and commits it. HTML reads the PAF file again. */
int cli_report_write(const cli_report *report, int format, cli_output *output);

void cli_report_release(cli_report *report);

#endif
