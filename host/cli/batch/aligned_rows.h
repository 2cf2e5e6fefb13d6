/* SPDX-License-Identifier: MIT */
/*
 * Rows of `rhomb batch` in formats of alignments, by the writers of `rhomb align`: SAM, of which
 * BAM is made, and both sequences with their gaps.
 */
#ifndef RHOMB_CLI_ALIGNED_ROWS_H
#define RHOMB_CLI_ALIGNED_ROWS_H

#include "host/cli/base/rows.h"
#include "host/cli/batch/printer.h"
#include "host/cli/writers/bam_file.h"
#include "host/cli/writers/path_rows.h"

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

#endif
