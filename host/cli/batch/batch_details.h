/* SPDX-License-Identifier: MIT */
/*
 * What `rhomb batch` did and where time went, as messages for -v.
 */
#ifndef RHOMB_CLI_BATCH_DETAILS_H
#define RHOMB_CLI_BATCH_DETAILS_H

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

#endif
