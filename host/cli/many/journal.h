/* SPDX-License-Identifier: MIT */
/*
 * The file of --resume of a run of many: a checkpoint that grows, see
 * src/checkpoint/checkpoint_format.h. The run keeps what it has computed there, and its outputs are
 * made anew when it goes on: of what the file has, then of what is still to do.
 */
#ifndef RHOMB_CLI_JOURNAL_H
#define RHOMB_CLI_JOURNAL_H

#include "host/cli/command/options.h"
#include "host/cli/many/many.h"
#include "host/cli/many/match.h"
#include "src/checkpoint/saved.h"

typedef struct cli_journal cli_journal;

/*
 * Opens the file, or makes it: of the call with this identity, lines "name: value", whose marks are
 * sections of this name. The exit status, with the message printed: CLI_INPUT if it is of another
 * call or damaged.
 */
int cli_journal_open(cli_journal **journal, const char *file, const char *identity,
                     const char *mark);

/* Goes to the next section that an earlier run has left, see rhomb__saved_next(). */
bool cli_journal_next(const cli_journal *journal, rhomb__section *section);

/* Adds a section of numbers, and more after them; the next call below tells what goes wrong. */
void cli_journal_add(cli_journal *journal, const char *name, const int64_t *numbers, int count,
                     const void *content, size_t bytes);

/* All sections so far outlast this process. The exit status. */
int cli_journal_settle(cli_journal *journal);

/* The run is complete: removes the file. NULL is allowed, as below. */
void cli_journal_drop(const cli_journal *journal);

/* Leaves the file as it is. */
void cli_journal_release(cli_journal *journal);

/* A run of pairs has marks of this name, each with how many are complete. */
#define CLI_JOURNAL_PAIRS "pairs"

/* What a run of pairs counts up to a mark. */
enum { CLI_JOURNAL_COUNTS = 3 };

/* Appends a line of an identity, of which a NULL value is "". */
void cli_journal_line(cli_buffer *identity, const char *name, const char *value);

/* Begins the identity of a run of pairs: its command, the device, the records of both sides, and
 * the pairs. */
void cli_journal_identify(cli_buffer *identity, const char *call, const char *device,
                          const cli_assembly *const assemblies[2], const cli_couples *couples,
                          const cli_part_asked *part);

/* Opens the file of a run of pairs, and releases the identity. The exit status. */
int cli_journal_open_pairs(cli_journal **journal, const char *file, cli_buffer *identity);

/* The number of pairs that are complete, and what the user counted up to then. NULL: none. */
int64_t cli_journal_pairs(const cli_journal *journal);
const int64_t *cli_journal_counted(const cli_journal *journal);

/* Adds text of the first output, or of a second one, for a cli_journal; cli_sink_tap functions. */
void cli_journal_first(void *journal, const char *text, size_t length);
void cli_journal_second(void *journal, const char *text, size_t length);

/* Takes text of one of the two outputs, 0 or 1. The exit status. */
typedef int (*cli_journal_take)(int output, const char *text, size_t length, void *user);

/*
 * Says how many pairs are complete, passes on the text of the outputs, and adds what these pairs
 * have left out to the list. The exit status.
 */
int cli_journal_repeat(cli_journal *journal, cli_unaligned *unaligned, cli_journal_take take,
                       void *user);

/*
 * Notes that `pairs` pairs are complete, all of whose text was added; `unaligned` has what it left
 * out, after what was there at the last call. The exit status.
 */
int cli_journal_mark(cli_journal *journal, int64_t pairs, const cli_unaligned *unaligned,
                     const int64_t counted[CLI_JOURNAL_COUNTS]);

#endif
