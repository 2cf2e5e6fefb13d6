/* SPDX-License-Identifier: MIT */
/* What the command line of `rhomb batch` says. */
#ifndef RHOMB_CLI_BATCH_ARGUMENTS_H
#define RHOMB_CLI_BATCH_ARGUMENTS_H

#include "host/cli/base/rows.h"
#include "host/cli/batch/matched.h"
#include "host/cli/batch/printer.h"
#include "host/cli/command/options.h"
#include "host/cli/many/journal.h"
#include "rhomb/pairs.h"

typedef struct cli_batch_arguments {
    const char *path;    /* the file of pairs, or of targets */
    const char *queries; /* NULL: one file */
    const char *match;   /* how records find partners, see cli_match(); NULL: by their numbers */
    const char *device;
    const char *output;
    const char *resume; /* NULL: nothing is kept */
    const char *cache_dir;
    uint32_t open_flags;
    int32_t threads;
    bool strand_auto; /* queries may be on either strand of their targets */
    bool keep_going;
    bool header;
    bool sketch; /* look at some pairs */
    bool flush;  /* deliver rows when the input pauses */
    int format;  /* cli_row_format */
    cli_part_asked part;
    rhomb_pairs_options pairs;
    rhomb_batch_options options;
    rhomb_batch_tuning tuning;
    cli_score score;
} cli_batch_arguments;

/* In batch_run.c: solves all pairs and prints their rows. The exit status. */
int cli_batch_run(const cli_batch_arguments *args, int argc, char **argv);

/* What `rhomb batch` did and where time went, as messages for -v. */

/* A run that has ended. Everything is borrowed. */
typedef struct cli_batch_details {
    const rhomb_batch_report *report;
    const cli_feed *feed;
    const cli_printer *printer;
    int64_t failures; /* pairs without a result */
    double start_seconds;
} cli_batch_details;

void cli_batch_note_details(const cli_batch_details *details);

/*
 * The pair that stops the run, or, with --keep-going, the first one without a result: the one with
 * the lowest number, so that the exit status does not depend on timing.
 */
typedef struct cli_batch_failure {
    rhomb_status status; /* RHOMB_OK: there is none */
    int64_t number;      /* of the pair, from 1 */
    int64_t line;        /* 0 if it is of no use */
    char names[2][96];   /* of target and query; "" without */
    char detail[1024];
} cli_batch_failure;

/* Prints which pair stopped the run and why; the exit status. */
int cli_batch_fail_pair(const cli_batch_failure *failure, const cli_batch_arguments *args);

/*
 * What `rhomb batch --match` keeps in the file of --resume: the rows of the pairs that are
 * complete, as a journal.
 */

/* What a batch counts up to the rows that it has printed. */
typedef struct cli_batch_counts {
    int64_t printed;
    int64_t failures;
    rhomb_status failed; /* of the first of these; RHOMB_OK: there is none */
    int64_t empty;       /* rows with an empty alignment */
} cli_batch_counts;

/*
 * Opens the file of a batch of these pairs on a device, and leaves out those that it has. The exit
 * status.
 */
int cli_batch_kept_open(cli_journal **journal, const cli_batch_arguments *args, const char *device,
                        cli_matched *matched);

/*
 * Writes the rows that an earlier run has left, and gives what it counted; the journal sees all
 * rows that are printed from now on. The exit status.
 */
int cli_batch_kept_repeat(cli_journal *journal, cli_printer *printer, cli_output *output,
                          cli_batch_counts *counts);

/* Notes that all rows that have been printed are complete. The exit status. */
int cli_batch_kept_mark(cli_journal *journal, cli_printer *printer, const cli_batch_counts *counts);

/*
 * A look at some pairs of a batch: a word if they are on opposite strands, or look unrelated, as
 * they do if the two files are in different orders.
 */

/* What was seen so far. All zeros at first, but for the first five. */
typedef struct cli_batch_look {
    bool by_order;     /* records of two files are pairs by their numbers */
    bool is_matched;   /* --match has found them */
    bool is_oriented;  /* --strand auto has chosen the strands of queries */
    bool is_global;    /* they are compared from end to end */
    bool is_edit;      /* by unit costs, which leave long gaps in pieces */
    int64_t pairs;     /* that are long enough */
    int64_t bases;     /* of those looked at, .. */
    int64_t looked;    /* .. and their number, .. */
    int64_t unrelated; /* .. and how many of them are so */
    int64_t reversed;
    int64_t within; /* of which one lies within the other */
    int64_t broken; /* the number of the first pair with such a gap, 0: none, .. */
    char broken_gap[CLI_BROKEN_GAP_BYTES]; /* .. and what to say of it */
} cli_batch_look;

/*
 * Looks at some pairs of a chunk: the first sixteen of 1,000 bases and more, then fewer and fewer,
 * which takes a few tenths of a second in all. Warns of the first one of each kind, and of
 * the first ten if they are matched.
 */
void cli_batch_look_at(cli_batch_look *look, const rhomb_pair_chunk *chunk);

/* Looks at the path of a row, if it has one; several threads may call it. */
void cli_batch_look_at_row(cli_batch_look *look, const cli_row_style *style, const cli_row *row);

/* Says how many there were, if there were several, and where the first long gap is in pieces. */
void cli_batch_look_end(const cli_batch_look *look);

/* Notes if the first pairs of a chunk that has proteins look like nucleotides. */
void cli_batch_note_nucleotides(const rhomb_pair_chunk *chunk);

#endif
