/* SPDX-License-Identifier: MIT */
/*
 * What `rhomb batch --match` keeps in the file of --resume: the rows of the pairs that are
 * complete, as a journal.
 */
#ifndef RHOMB_CLI_BATCH_KEPT_H
#define RHOMB_CLI_BATCH_KEPT_H

#include "host/cli/batch/batch_arguments.h"
#include "host/cli/batch/matched.h"
#include "host/cli/batch/printer.h"
#include "host/cli/many/journal.h"

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

#endif
