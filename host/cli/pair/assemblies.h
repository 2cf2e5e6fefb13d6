/* SPDX-License-Identifier: MIT */
/*
 * What `rhomb distance`, `rhomb align` and --dry-run have in common: reading two files, finding
 * partners among their records, and handing the pairs on in the order of the target. Without
 * --match there is one pair, or its blocks.
 */
#ifndef RHOMB_CLI_ASSEMBLIES_H
#define RHOMB_CLI_ASSEMBLIES_H

#include "host/cli/many/journal.h"
#include "host/cli/many/many.h"
#include "host/cli/many/match.h"
#include "host/cli/pair/pair_looks.h"
#include "host/cli/pair/pair_run.h"

/* Everything that a run holds of its inputs. All zeros at first. */
typedef struct cli_assemblies {
    const cli_pair_arguments *args;
    cli_pair_job *job;               /* which reads the pair without --match */
    bool target_md5;                 /* set before they are read: a digest of each target */
    cli_assembly_reader *readers[2]; /* targets, queries */
    const cli_assembly *assemblies[2];
    bool borrows; /* of cli_assemblies_take(): the readers; and no word is said of pairs */
    cli_couples couples;
    cli_looks looks;
    int64_t unusual; /* pairs of which there was something to say */
    int status;      /* of reading and matching, beside the device's opening */
    int failed;      /* a pair could not be loaded: the exit status, with the message printed */
    double read, matched; /* when that was done, on the clock of cli_seconds_now() */
} cli_assemblies;

/*
 * Takes two files that have been read, and stay there, and finds partners by their bases without a
 * word: the only ones of two files of one record in any case. All that was there before is gone.
 * The exit status.
 */
int cli_assemblies_take(cli_assemblies *a, const cli_pair_arguments *args,
                        cli_assembly_reader *const readers[2],
                        const cli_assembly *const assemblies[2]);

/* The pair of a run without --match, from end to end on forward strands. It borrows from the job.
 */
cli_pair cli_pair_read(const cli_pair_job *job);

/*
 * Adds the couples that are asked for, from the number `first` on, after a look at each; or the one
 * pair.
 * cli_many_finish() is left to the caller, unless a pair cannot be loaded: those before it are
 * delivered then, if the rows are of use. The exit status.
 */
int cli_assemblies_add(cli_assemblies *a, cli_many *many, int64_t first);

/* As cli_match_leave(); of parts, the last one does so. */
int cli_assemblies_leave(const cli_assemblies *a, cli_leave_fn leave, void *user);

/* Release it after the pairs that it has added, or, if it borrows, when it has added them. */
void cli_assemblies_release(cli_assemblies *a);

/* A run: a list of pairs, which may be one, on its way to the devices. All zeros but the job. */
typedef struct cli_pairs {
    cli_pair_job job;
    cli_assemblies assemblies;
    cli_journal *journal; /* of --resume and --match; NULL without */
    cli_many *many;
} cli_pairs;

/* What a command does at the stages of a run. Each returns the exit status. */
typedef struct cli_pairs_steps {
    int (*open)(void *user);   /* its outputs, before anything is read */
    int (*start)(void *user);  /* what was read is known: calls cli_pairs_start() */
    int (*finish)(void *user); /* all pairs are delivered */
    void *user;
} cli_pairs_steps;

/*
 * Starts the pool for the pairs that the journal does not have: for alignments of a mode, which is
 * NULL for end to end; or `plans` of these. The exit status.
 */
int cli_pairs_start(cli_pairs *pairs, const rhomb_mode_options *how, bool plans,
                    const cli_many_hooks *hooks);

/* Runs it, and removes the file of --resume in the end. The exit status. Release it in any case. */
int cli_pairs_run(cli_pairs *pairs, const cli_pairs_steps *steps);
void cli_pairs_release(cli_pairs *pairs);

/*
 * Opens the file of --resume, of a call of this name with these inputs, options and device, and
 * with more of the options: lines "name: value", and that of --sample or NULL. The exit status.
 */
int cli_assemblies_journal(const cli_assemblies *a, const rhomb_device_info *device,
                           const char *call, const char *more, const char *sample,
                           cli_journal **journal);

#endif
