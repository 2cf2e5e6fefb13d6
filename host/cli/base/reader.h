/* SPDX-License-Identifier: MIT */
/*
 * Reading a file while the program does something else: another file, opening the device. Each
 * reader has a context of its own, because a context is for one thread at a time; so errors wait
 * until they are asked for, and which one is printed does not depend on which file was quicker.
 */
#ifndef RHOMB_CLI_READER_H
#define RHOMB_CLI_READER_H

#include "host/cli/base/cli.h"

typedef struct cli_reader cli_reader;

/*
 * Starts to read a file on a thread of its own; where `threads` is 1 or the system has no thread to
 * give, cli_reader_finish() reads it. `path` and `region` (may be NULL) are borrowed until
 * cli_reader_release(). NULL, with the message printed, when there is no memory.
 */
cli_reader *cli_reader_start(const char *path, const char *region, int32_t threads);

/*
 * Waits until the file is read. CLI_OK, with a sequence that belongs to the reader; else the exit
 * status, with the message printed.
 */
int cli_reader_finish(cli_reader *reader, const rhomb_sequence **sequence);

/* By cli_seconds_now(), when a reader that has finished began and ended. */
double cli_reader_began(const cli_reader *reader);
double cli_reader_ended(const cli_reader *reader);

/*
 * Has the digest computed on a thread of its own, for the sequence of a reader that has finished.
 * cli_reader_join() waits for it; without a thread, rhomb_sequence_md5() is as quick as ever.
 */
void cli_reader_digest(cli_reader *reader);
void cli_reader_join(cli_reader *reader);

/*
 * Releases it with its sequence. NULL is allowed. One that is still at work, because something else
 * has ended the program with an error, is not waited for, as it may wait for its input for ever: it
 * releases itself, unless the end of the process comes before.
 */
void cli_reader_release(cli_reader *reader);

#endif
