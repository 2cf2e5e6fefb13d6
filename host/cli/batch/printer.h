/* SPDX-License-Identifier: MIT */
/*
 * Prints on several threads: whichever thread is free formats the next chunk of rows, and a thread
 * of its own writes them in order while the next ones are formatted.
 *
 *     caller     print k                print k + 1            print k + 2
 *     helpers    chunk chunk chunk ..   chunk chunk chunk ..   chunk ...
 *     writer                 write k    ........................write k + 1
 */
#ifndef RHOMB_CLI_PRINTER_H
#define RHOMB_CLI_PRINTER_H

#include "host/cli/base/rows.h"
#include "host/cli/base/sink.h"
#include "host/cli/writers/align_formats.h"
#include "host/cli/writers/path_rows.h"

typedef struct cli_printer cli_printer;

/*
 * Appends the rows first .. first + count - 1 and returns their number, or fewer if no row after
 * those is to be printed. Several threads call it at the same time.
 */
typedef size_t (*cli_print_fn)(cli_buffer *out, size_t first, size_t count, void *user);

/*
 * Starts the threads; with 1, or if the system can give none, the calling thread does all. NULL,
 * with the message printed, if there is no memory. The output must stay open until the printer is
 * released.
 */
cli_printer *cli_printer_start(const cli_output *output, int32_t threads);

/*
 * Formats `count` rows, and returns when that is done: they are written later. *printed is their
 * number: all, or those before the first one that `print` has left out. False if printing has
 * failed, now or before.
 */
bool cli_printer_print(cli_printer *printer, cli_print_fn print, void *user, size_t count,
                       size_t *printed);

/* Writes all text from now on, in place of the stream; returns 0 or an errno. */
typedef int (*cli_printer_write)(void *user, char *text, size_t length);
void cli_printer_divert(cli_printer *printer, cli_printer_write write, void *user);

/* From now on the tap sees all text that is written, on one thread at a time. */
void cli_printer_tap(cli_printer *printer, cli_sink_tap tap, void *user);

/* Waits until everything is written. CLI_OK, or the exit status with the message printed. */
int cli_printer_finish(cli_printer *printer);

/*
 * Waits the same and hands everything to the system. False if printing has failed, now or before:
 * cli_printer_finish() says how. More may be printed after it.
 */
bool cli_printer_flush(cli_printer *printer);

/* Seconds spent so far: formatting, summed over the threads, and writing. */
double cli_printer_format_seconds(const cli_printer *printer);
double cli_printer_write_seconds(const cli_printer *printer);

/* Waits for the threads and releases it. NULL is allowed. */
void cli_printer_release(cli_printer *printer);

/*
 * Rows of `rhomb batch` in formats of alignments, by the writers of `rhomb align`: SAM, of which
 * BAM is made, and both sequences with their gaps.
 */

/* What these formats need besides rows. All zeros is nothing; the first three are borrowed. */
typedef struct cli_aligned {
    const cli_row_style *style;
    int argc; /* of the command line, for SAM */
    char **argv;
    cli_target *targets; /* which the header of SAM lists */
    size_t target_count;
    cli_bam *bam;
} cli_aligned;

/* Whether a pair has an alignment, of a style with CIGARs. */
bool cli_aligned_has_path(const cli_row_style *style, const rhomb_pair_result *result);

/* Whether rows are in one of these formats, which need CIGARs; and whether they are of SAM. */
bool cli_is_aligned(int format);
bool cli_is_sam(int format);

/*
 * Reads the names of the targets, if there is to be a header: they must be unique. Begins BAM, if
 * that is the format, and closes it. The exit status, with the message printed, or an errno.
 */
int cli_aligned_read(cli_aligned *aligned, const char *targets, int32_t threads);
int cli_aligned_start(cli_aligned *aligned, const cli_output *output, cli_printer *printer,
                      int32_t threads);
int cli_aligned_close(cli_aligned *aligned);

/* Appends the header of any format of rows, or a row; several threads may call the latter. */
void cli_aligned_header(cli_buffer *out, const cli_aligned *aligned);
void cli_aligned_append(cli_buffer *out, const cli_row_style *style, const cli_row *row);

/* cli_path_tell_broken_gap() of a row with a result; several threads may call it. */
bool cli_aligned_tell_broken_gap(const cli_row_style *style, const cli_row *row,
                                 char text[CLI_BROKEN_GAP_BYTES]);

#endif
