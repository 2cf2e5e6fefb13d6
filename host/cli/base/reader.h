/* SPDX-License-Identifier: MIT */
/*
 * Reads a file while the program does something else: another file, opening the device. Each reader
 * has a context of its own, because a context is for one thread at a time. Errors wait until they
 * are asked for, so which one is printed does not depend on which file was faster.
 */
#ifndef RHOMB_CLI_READER_H
#define RHOMB_CLI_READER_H

#include "host/cli/base/cli.h"

typedef struct cli_reader cli_reader;

/*
 * Starts to read a file on a thread of its own; if `threads` is 1 or the system can give no thread,
 * cli_reader_finish() reads it. `path` and `region` (may be NULL) are borrowed until
 * cli_reader_release(). NULL, with the message printed, if there is no memory.
 */
cli_reader *cli_reader_start(const char *path, const char *region, int32_t threads);

/*
 * Waits until the file is read. CLI_OK, with a sequence that belongs to the reader; else the exit
 * status, with the message printed.
 */
int cli_reader_finish(cli_reader *reader, const rhomb_sequence **sequence);

/* Whether reading failed because there are several records and none was named. */
bool cli_reader_has_several(const cli_reader *reader);

/*
 * After an error with a file of sequences: if it is one of pairs, says which command reads it.
 * False if it is not, or not a regular file.
 */
bool cli_say_if_pairs(const char *path);

/* When a finished reader began and ended, by cli_seconds_now(). */
double cli_reader_began(const cli_reader *reader);
double cli_reader_ended(const cli_reader *reader);

/*
 * Computes the digest on a thread of its own, for the sequence of a finished reader.
 * cli_reader_join() waits for it; without a thread, rhomb_sequence_md5() computes it when asked.
 */
void cli_reader_digest(cli_reader *reader);
void cli_reader_join(cli_reader *reader);

/*
 * Releases it with its sequence. NULL is allowed. A reader that is still running, because something
 * else has ended the program with an error, is not waited for, as it may wait for its input for
 * ever: it releases itself, unless the process ends first.
 */
void cli_reader_release(cli_reader *reader);

#endif
