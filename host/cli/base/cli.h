/* SPDX-License-Identifier: MIT */
/*
 * What the files of the program share: messages, signals, output, progress.
 *
 * The program uses only the library's public headers. Standard output carries data and nothing
 * else; every message goes to standard error, in lines that begin with "rhomb: ". A function that
 * returns an exit status has already printed its message.
 */
#ifndef RHOMB_CLI_H
#define RHOMB_CLI_H

/* Nearly every file needs these, and may leave them to this one. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/cli/base/text_buffer.h"
#include "host/cli/base/words.h"
#include "rhomb/tuning.h"

/*
 * Exit statuses. The others are the classes of rhomb_status_class(), and 128 plus the number of
 * the signal that stopped the program.
 */
enum {
    CLI_OK = 0,
    CLI_FAILED = 1,
    CLI_USAGE = 2,
    CLI_INPUT = 3,
    CLI_DEVICE = 4,
    CLI_MEMORY = 5,
    CLI_MISMATCH = 6
};

/* -1 prints errors only (--quiet); 0 notes and progress; 1 and 2 details for -v and -vv. */
void cli_set_verbosity(int verbosity);
/* One more -v, which cancels --quiet. */
void cli_more_verbose(void);
int cli_verbosity(void);

/* "rhomb: error: ...", always. All messages print control characters as escapes such as \x1b. */
void cli_error(const char *format, ...) CLI_PRINTF(1, 2);
void cli_error_list(const char *format, va_list args) CLI_PRINTF(1, 0);
/* The same, and returns `status`, an exit status. */
int cli_fail_with(int status, const char *format, ...) CLI_PRINTF(2, 3);
/* Reports, as the library does, an input that cannot be opened for `code`, an errno. CLI_INPUT. */
int cli_fail_to_open(const char *path, int code);
/* "rhomb: ...", always. */
void cli_say(const char *format, ...) CLI_PRINTF(1, 2);
/* "rhomb: ..." if the verbosity is at least `level`: 0 for notes that --quiet hides. */
void cli_note(int level, const char *format, ...) CLI_PRINTF(2, 3);

/* Replaces the line that is updated in place on a terminal. Other messages clear it first. */
void cli_set_status_line(const char *text);
void cli_clear_status_line(void);

/* The name of an input in messages: "-" is standard input. */
const char *cli_input_name(const char *path);

/* Prints the error of a failed library call and returns its exit status. `ctx` may be NULL. */
int cli_fail(const rhomb_context *ctx, rhomb_status status);

/* The same of a call of another context on the same device, with the error's detail: some lines. */
int cli_fail_of(const rhomb_context *ctx, rhomb_status status, const char *detail);

/* Names the option for proteins, where the detail of RHOMB_ERR_ALPHABET says that one is one. */
void cli_say_if_protein(const char *detail);

/*
 * A note where sequences are compared as proteins of which so many symbols have been seen, as many
 * of them A, C, G, T or N.
 */
void cli_note_if_nucleotides(int64_t symbols, int64_t nucleotides);

/* A context whose messages are the program's; the rest is as in rhomb_context_options. */
rhomb_status cli_context_create(rhomb_context **ctx, const char *cache_dir, int32_t threads);

/*
 * Blocks SIGINT, SIGTERM and SIGHUP, unless the program's caller had them ignored: called before
 * any other thread exists, so that all threads have them blocked. cli_interrupts_unblock() gives
 * them their default action again.
 */
void cli_interrupts_block(void);
void cli_interrupts_unblock(void);
/*
 * Takes these signals in a thread of their own. At most times a signal ends the program at once
 * with status 128 + signal. Between cli_interrupts_defer() and cli_interrupts_restore() the first
 * one only sets the flag that cli_interrupted() returns; the second ends the program at once. A
 * file that reaches its size limit is a failed write, not a signal. SIGPIPE ends the program as
 * usual, but temporary files are removed first.
 */
void cli_interrupts_install(void);
void cli_interrupts_defer(void);
void cli_interrupts_restore(void);
/* The number of the signal that was deferred, or 0. */
int cli_interrupted(void);
/* Prints which signal stopped the program and returns its exit status. */
int cli_stopped(int signal_number);
/*
 * mkstemp() for a temporary file that a signal removes, from its creation until
 * cli_interrupts_keep(): a few at a time. `path` is borrowed; NULL may be kept. The second function
 * has the signal remove what has been made, or will be: a folder is to be added before the first
 * file.
 */
int cli_interrupts_make(char *path);
void cli_interrupts_add(const char *path);
void cli_interrupts_keep(const char *path);

/*
 * Where the data goes. A file is written under a temporary name beside it and renamed when
 * complete, so that it is never half written; a device or a pipe is written directly.
 */
typedef struct cli_output {
    FILE *stream;
    char *path;      /* NULL for standard output */
    char *temporary; /* NULL if there is nothing to rename */
} cli_output;

/*
 * Opens a placeholder on each of the descriptors 0 to 2 that is closed, so that no file gets its
 * number: reading 0 and writing 1 fail, and messages on 2 are lost. False if that is not possible;
 * no message can be printed then.
 */
bool cli_hold_descriptors(void);

/* Some names for a message, with commas between, and how many there are in all. All zeros at first.
 */
typedef struct cli_some_names {
    char text[240];
    size_t count;
} cli_some_names;

void cli_add_name(cli_some_names *names, const char *name);

/* Whether both are of one file. */
struct stat;
bool cli_is_same_file(const struct stat *a, const struct stat *b);

/* The part of a name after its last slash. */
const char *cli_base_name(const char *name);

/* A name and an ending, which the caller frees; NULL without memory. */
char *cli_with_ending(const char *name, const char *ending);

/*
 * Where an output of that name is written: the name, or what it is a link to in the end, which need
 * not be there. The caller frees it. NULL, with errno, without memory or if links lead nowhere.
 */
char *cli_output_place(const char *name);

/* The run is complete: removes the file of --resume. NULL is allowed. */
void cli_drop_finished(const char *file);

/*
 * Whether it is standard output: NULL, "-", or a name of the file or pipe that standard output is,
 * such as /dev/stdout, which is neither replaced nor opened again. False for a device.
 */
bool cli_is_standard_output(const char *name);

/* False, with the message printed, if it fails. A link is followed, and stays. */
bool cli_output_open(cli_output *output, const char *name);
/* Ensures that everything is written, and puts the file in its place. False as above. */
bool cli_output_commit(cli_output *output);
/*
 * The exit status of a write that has ended with this errno, or 0: CLI_FAILED, without a message if
 * the reader has gone; CLI_MEMORY for ENOMEM.
 */
int cli_output_status(const cli_output *output, int code);
/* Writes to the stream. The exit status, with the message printed. */
int cli_output_write(const cli_output *output, const char *bytes, size_t count);
/* Removes what was not committed and releases everything. */
void cli_output_close(cli_output *output);
/* Closes standard output at the end of the program. False as above. */
bool cli_stdout_close(void);

/*
 * Progress on standard error: on a terminal one line that is updated in place, else an occasional
 * line. Nothing with --quiet.
 */
typedef struct cli_progress {
    bool terminal;
    int width;           /* of the terminal */
    double next_seconds; /* when the next line is due */
    const char *device;  /* its name, borrowed */
    bool told_building;
    double building_from; /* seconds of the call; below 0 while no kernel is being built */
    double built;         /* seconds that went into building, until then */
} cli_progress;

void cli_progress_start(cli_progress *progress, const char *device);
void cli_progress_show(cli_progress *progress, const rhomb_progress *now);
/*
 * The same in two steps, for another text, without "rhomb: ": whether one is due of a call that has
 * run for so long, and that text. The first shows that kernels are being built.
 */
bool cli_progress_is_due(cli_progress *progress, double seconds, bool building);
/*
 * Seconds that are left when a fraction above 0 is done after so many: the rest goes as fast as
 * what is done, but for the building of kernels, of which cli_progress_is_due() was told.
 */
double cli_progress_to_go(const cli_progress *progress, double seconds, double fraction);
/*
 * A line of what is done, such as "3 pairs", after so many seconds: the fraction, below 0 if nobody
 * knows it, and the seconds that are left, below 0 for cli_progress_to_go().
 */
void cli_progress_tell(cli_progress *progress, double seconds, double fraction, double to_go,
                       const char *done);
/* Of a command without a device, the fraction of a file that it has read. */
void cli_progress_reading(cli_progress *progress, double seconds, double fraction);
/* Of a command that writes the rows of pairs; the fraction is above 0 if it is known. */
void cli_progress_pairs(cli_progress *progress, double seconds, int64_t pairs, double fraction);

/* Readable text in the caller's buffer: "1.5 GiB", "2 h 03 min", "12.3 G". */
typedef struct cli_text {
    char text[48];
} cli_text;

const char *cli_show_bytes(int64_t bytes, cli_text *buffer);
const char *cli_show_seconds(double seconds, cli_text *buffer);
const char *cli_show_rate(double per_second, cli_text *buffer);

/* The end of a plural: "s", or "" for one. */
static inline const char *cli_s(int64_t count)
{
    return count == 1 ? "" : "s";
}

/*
 * A share, 0 to 1, in percent, rounded to two decimals, half up; but 100 is all and 0 nothing: what
 * is nearly all is 99.99, and what is hardly anything 0.01.
 */
double cli_percent(double share);

const char *cli_device_kind_name(rhomb_device_kind kind);

/* Notes if an open device is a CPU; where `selector` asks for it, with -v alone. */
void cli_note_device(const rhomb_context *ctx, const char *selector);
/* The last line of -v; `device` is NULL if none was needed. */
void cli_note_usage(const rhomb_device_info *device, double start_seconds);

/*
 * With -v, where several devices are open, what each has done; and the line for one of them. `jobs`
 * is left out where there is one for each pair.
 */
void cli_note_shares(const rhomb_context *ctx);
void cli_note_share(const rhomb_device_info *device, const rhomb_device_work *share);

/* The threads that --threads means: 0, without the option, is one per core, at most 16. */
int32_t cli_threads_meant(int32_t asked);

/* The limit on the address space (`ulimit -v`) in MiB; 0 if there is none. */
int64_t cli_space_limit(void);

/*
 * Under such a limit, has all threads allocate from one arena: glibc reserves 64 MiB for that of
 * each thread, of up to eight a core, which takes what a driver's compiler needs. To be called
 * before the first thread is started.
 */
void cli_space_spare(void);

/* Seconds of a clock that never jumps, and the CPU time and memory that the process has used. */
double cli_seconds_now(void);
double cli_cpu_seconds(void);
int64_t cli_peak_rss_bytes(void);

/* Lists that grow by one record at a time. */

/*
 * The list with room for one more record of `size` bytes after `count`. There is room for a power
 * of two, so that nobody has to remember it. NULL without memory: the list stays as it is then.
 */
static inline void *cli_list_grown(void *list, size_t count, size_t size)
{
    const bool is_full = (count & (count - 1)) == 0;
    return is_full ? realloc(list, (count == 0 ? 1 : 2 * count) * size) : list;
}

/* Sequences on the other strand, and from another base of a circle on. */

/*
 * A copy of a DNA sequence: its reverse complement if `reverse` is set, of which the first
 * `rotation` bases (up to `length`) then come last. IUPAC codes have their complements, U has A;
 * the case stays, and so does any other byte. A NUL follows. The caller frees it; NULL without
 * memory.
 */
char *cli_orient(const char *bases, int64_t length, bool reverse, int64_t rotation);

#endif
