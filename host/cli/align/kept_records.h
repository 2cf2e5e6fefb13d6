/* SPDX-License-Identifier: MIT */
/*
 * The alignments of a run with --blocks as records of PAF, in a file beside the output, for what is
 * known only once there are all of them: what was rearranged. They are compared as by `rhomb
 * report`; --rearrangements has the events, and VCF is written then, with records of these among
 * those of the paths.
 */
#ifndef RHOMB_CLI_KEPT_RECORDS_H
#define RHOMB_CLI_KEPT_RECORDS_H

#include "host/cli/align/align_files.h"
#include "host/cli/report/report_run.h"

/* All zeros is nothing. */
typedef struct cli_kept_records {
    const cli_align_arguments *args;
    cli_align_arguments paf; /* the same, for the file of records */
    cli_align_files files;
    cli_output rearrangements;
    cli_report report; /* unless the caller has one */
} cli_kept_records;

/* Whether records are kept; and whether the output is written of them, when there are all. */
bool cli_records_are_kept(const cli_align_arguments *args);
bool cli_records_come_first(const cli_align_arguments *args);

/*
 * Opens the files: beside the output, which is open, or where temporary files are, or under the
 * name that the arguments have. The exit status, as below.
 */
int cli_kept_records_open(cli_kept_records *kept, const cli_align_arguments *args,
                          const cli_output *output);

/* All paths are in `files`: its temporary file can be read. */
int cli_kept_records_finish(cli_kept_records *kept);

/*
 * Compares, when all paths are in `files`, and writes what is asked for: VCF to `output`, which has
 * not begun. `only` names the sequences that were aligned, or is NULL, NULL for all.
 */
int cli_kept_records_use(cli_kept_records *kept, const char *const only[2], const cli_head *head,
                         cli_align_files *output);

/* Puts the list of events in its place. */
int cli_kept_records_commit(cli_kept_records *kept);

void cli_kept_records_close(cli_kept_records *kept);

#endif
