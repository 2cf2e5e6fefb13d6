/* SPDX-License-Identifier: MIT */
/*
 * What all commands on one pair of sequences do before and around their work: they read both files
 * while the device is being opened, and hold the file of --resume. If several things go wrong, the
 * first in the order target, query, device is reported.
 */
#ifndef RHOMB_CLI_PAIR_RUN_H
#define RHOMB_CLI_PAIR_RUN_H

#include <pthread.h>

#include "host/cli/many/assembly.h"
#include "host/cli/many/journal.h"
#include "host/cli/many/many.h"
#include "host/cli/many/match.h"
#include "host/cli/pair/pair_options.h"
#include "host/cli/pair/report.h"
#include "host/cli/sketch/relation.h"

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

/*
 * Looks at the pairs of two assemblies before they are solved: of each its bases are loaded, and
 * how its records belong together is found, some pairs ahead of the one that is next.
 */

typedef struct cli_shared_target cli_shared_target;
typedef struct cli_looking cli_looking;

/* What a row has, which those of other pairs must not have. */
typedef struct cli_kept_row {
    cli_segment piece;
    bool query_comes_again;
} cli_kept_row;

/* All looks of a run. The first four are borrowed; the others are zeros at first. */
typedef struct cli_looks {
    const cli_pair_arguments *args;
    cli_assembly_reader *const *readers; /* targets, queries */
    const cli_assembly *const *assemblies;
    const cli_couples *couples;
    cli_shared_target *target; /* the present one */
    cli_kept_target kept;      /* with blocks: its minimizers, for all of its queries */
    cli_looking *list;         /* at the couples from `next` to `begun` */
    size_t next, begun;
    int64_t ahead;      /* bases of these */
    cli_kept_row *rows; /* with pieces, so far: pairs are looked at one after the other then */
    size_t row_count;
} cli_looks;

/* A pair that is to be added, and what a look at it says, on a thread of its own or the caller's.
 */
struct cli_looking {
    cli_looks *all;
    const cli_couple *couple;
    cli_pair pair;
    cli_relation_options options;
    bool looks, runs; /* that thread does */
    bool has_memory;
    cli_relation found;
    pthread_t thread;
};

/* What options say of a look at a pair, of which only `strand` may be known; NUL: it is not. */
cli_relation_options cli_look_options(const cli_pair_arguments *args, char strand);

/* False if there is no memory. */
bool cli_looks_open(cli_looks *looks);

/* Bases of a couple's records. */
int64_t cli_looks_bases(const cli_looks *looks, size_t index);

/* How many pairs may be looked at at the same time; with blocks a target is kept for the next. */
size_t cli_looks_at_a_time(const cli_looks *looks);

/*
 * Goes on with the pair `first`, of a run that is resumed: at those before it is only looked if
 * their rows matter to others. The exit status, with the message printed.
 */
int cli_looks_skip(cli_looks *looks, size_t first);

/* Begins looks ahead of the pair that is next. The exit status, with the message printed. */
int cli_looks_ahead(cli_looks *looks);

/* The look at the pair that is next, which is the caller's now: to end it, and add or drop it. */
cli_looking *cli_looks_next(cli_looks *looks);

/* Waits for a look, or looks now. */
void cli_looking_end(cli_looking *looking);

/* Gives back a pair that is not added. */
void cli_looking_drop(cli_looking *looking);

/* Drops the looks that are left. */
void cli_looks_release(cli_looks *looks);

/*
 * What `rhomb distance`, `rhomb align` and --dry-run have in common: reading two files, finding
 * partners among their records, and handing the pairs on in the order of the target. Without
 * --match there is one pair, or its blocks.
 */

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
