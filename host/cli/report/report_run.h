/* SPDX-License-Identifier: MIT */
/*
 * What `rhomb report` does, for other commands too: it compares two files by the records of a PAF
 * file, and writes what comes out in one form or several.
 */
#ifndef RHOMB_CLI_REPORT_RUN_H
#define RHOMB_CLI_REPORT_RUN_H

#include "host/cli/base/cli.h"
#include "host/cli/report/events.h"
#include <rhomb/comparison.h>

/* Tables of a report, which are lines of text or rows of HTML. */

/* Where rows go. */
typedef struct cli_tables {
    cli_buffer out;
    bool html;
} cli_tables;

/* The widths in text of a name and of one cell for all other columns. */
extern const int CLI_TABLES_ONE[2];

/*
 * A row, of cells between tabs; the spaces that the first one begins with are its level. `widths`
 * are those of printf().
 */
void cli_tables_row(cli_tables *p, const int *widths, const char *format, ...) CLI_PRINTF(3, 4);

/* Begins a table: its name and those of its columns, between tabs. */
void cli_tables_begin(cli_tables *p, const int *widths, const char *names);

/* The percents of a whole; 0 of nothing. */
double cli_tables_percent(int64_t part, int64_t whole);

/* The forms of what `rhomb report` prints. */

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

/* Alignments that are read again, and their sequences; it stays in its place. All zeros is none. */
typedef struct cli_records {
    rhomb_context *ctx;
    rhomb_sequence_set *targets, *queries; /* one set, where both are of one file */
    rhomb_paf *paf;
    cli_progress progress; /* of reading the records, ... */
    double reads_from;     /* ... which begins then */
} cli_records;

/* Opens all three files, and starts to show progress, which is to be ended in any case. */
rhomb_status cli_records_open(cli_records *records, const char *paf, const char *target,
                              const char *query, int32_t threads);
void cli_records_close(cli_records *records);

/* What a run has open. All zeros is nothing. */
typedef struct cli_report {
    cli_records records;
    rhomb_comparison *found;
    cli_events events;
    cli_comparison comparison; /* to be printed; the caller may name files in another way */
} cli_report;

/* Reads the three files and compares. The exit status, as below; release it in any case. */
int cli_report_compare(cli_report *report, const cli_report_arguments *args);

/* Writes one form to the open output, and commits it. HTML reads the PAF file again. */
int cli_report_write(const cli_report *report, int format, cli_output *output);

void cli_report_release(cli_report *report);

/*
 * `rhomb report --audit`: what alignments lost, by an audit of `rhomb align --ranges`: how many
 * rows lost how much, and whether long rows lose more.
 */

/* Reads the file that args->audit names and writes the report; the exit status. */
int cli_audit_report(const cli_report_arguments *args, int argc, char **argv);

#endif
