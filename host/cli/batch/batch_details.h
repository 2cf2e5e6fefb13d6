/* SPDX-License-Identifier: MIT */
/* What `rhomb batch` did and where time went, as messages for -v. */
#ifndef RHOMB_CLI_BATCH_DETAILS_H
#define RHOMB_CLI_BATCH_DETAILS_H

#include "host/cli/batch/batch_arguments.h"
#include "host/cli/batch/feed.h"
#include "host/cli/batch/printer.h"

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

#endif
