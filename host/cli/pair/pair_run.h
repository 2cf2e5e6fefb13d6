/* SPDX-License-Identifier: MIT */
/*
 * What all commands on one pair of sequences do before and around their work: they read both files
 * while the device is being opened, and hold the file of --resume. If several things go wrong, the
 * first in the order target, query, device is reported.
 */
#ifndef RHOMB_CLI_PAIR_RUN_H
#define RHOMB_CLI_PAIR_RUN_H

#include "host/cli/many/assembly.h"
#include "host/cli/pair/pair_options.h"
#include "host/cli/pair/report.h"
#include "host/cli/sketch/look.h"

/* Everything that a run holds and has to release. `args` is borrowed. */
typedef struct cli_pair_job {
    cli_pair_arguments *args;
    bool needs_digests; /* of the sequences */
    rhomb_context *ctx;
    cli_assembly_reader *target, *query;
    double opened;      /* when the device was, on the clock of cli_seconds_now() */
    int status;         /* of reading, beside the device's opening */
    bool is_known;      /* both were looked at: */
    cli_relation found; /* what they have in common */
    char *resume;       /* where its file is; NULL without one */
    int held;           /* that file, until the output is complete; -1: it is not, or not ours */
    cli_run run;
} cli_pair_job;

/* A job for the arguments of a command, argv[0] being its name. */
cli_pair_job cli_pair_start(cli_pair_arguments *args, int argc, char **argv);

/* Creates only the context; no file or device is touched yet. The exit status, as those below. */
int cli_pair_create(cli_pair_job *job);

/*
 * Opens the device while `read` runs on a thread, or then, where there is no thread for it. *status
 * is what that has come to, and is returned before an error of the device is.
 */
int cli_pair_open(cli_pair_job *job, void *(*read)(void *), void *user, const int *status);

/* Reads both files and looks at them, and opens the device, at the same time if there are threads.
 */
int cli_pair_prepare(cli_pair_job *job);

/* What both have in common, roughly; NULL if nobody has looked. Belongs to the job. */
const cli_relation *cli_pair_relation(const cli_pair_job *job);

/*
 * When the pair is solved: from now on signals end the program, and the file of --resume is kept
 * from other runs. Notes which bases of DNA may count in a way that the user does not expect.
 */
void cli_pair_solved(cli_pair_job *job, const rhomb_report *report);

/* Removes the file of --resume, once the output is complete, unless another run has it. */
void cli_pair_drop_resume(const cli_pair_job *job);

/* Waits for the digests, before anything that contains them is written. */
void cli_pair_join(cli_pair_job *job);

void cli_pair_release(cli_pair_job *job);

#endif
