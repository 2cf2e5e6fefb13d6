/* SPDX-License-Identifier: MIT */
/*
 * A run of many pairs that can go on after it was killed. The output grows in FILE.partial, and
 * beside it FILE.resume says which pairs are complete, how long the output was with each, its
 * digest, and what they left out. The same command goes on from there; another one, other inputs,
 * and an output that is not what was written, are refused. A second output may grow along with it.
 */
#ifndef RHOMB_CLI_JOURNAL_H
#define RHOMB_CLI_JOURNAL_H

#include "host/cli/many/many.h"

typedef struct cli_journal cli_journal;

/*
 * Opens the output FILE and its journal, or goes on with those of an earlier run with the same key:
 * what that left out is added to `unaligned`. The exit status, with the message printed: CLI_FAILED
 * if the key is another one, if the output is damaged, or if another process writes them.
 */
int cli_journal_open(cli_journal **journal, const char *file, uint64_t key, cli_output *output);

/* Opens a second output in the same way; before the first mark. The exit status. */
int cli_journal_open_second(cli_journal *journal, const char *file, cli_output *output);

/* The number of pairs that are complete, and what the user counted up to then. */
int64_t cli_journal_pairs(const cli_journal *journal);
void cli_journal_note(const cli_journal *journal);              /* says the number */
const int64_t *cli_journal_counted(const cli_journal *journal); /* two */

/* Adds to the list what these left out. */
void cli_journal_rests(const cli_journal *journal, cli_unaligned *unaligned);

/*
 * Notes that `pairs` pairs are complete, all of whose output has been given to the stream;
 * `unaligned` has what it left out, after what was there at the last call. The exit status.
 */
int cli_journal_mark(cli_journal *journal, int64_t pairs, const cli_unaligned *unaligned,
                     const int64_t counted[2]);

/* Removes the journal of a complete output. */
void cli_journal_remove(cli_journal *journal);

/* Leaves the files as they are. NULL is allowed. */
void cli_journal_release(cli_journal *journal);

#endif
