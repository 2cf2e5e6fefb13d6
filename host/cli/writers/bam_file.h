/* SPDX-License-Identifier: MIT */
/* BAM and CRAM, which htslib makes of the text of SAM. */
#ifndef RHOMB_CLI_BAM_FILE_H
#define RHOMB_CLI_BAM_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct cli_bam cli_bam;

/*
 * Begins BAM; or CRAM, if there is a `reference`: the file of the targets, with an index beside.
 * The stream must have nothing in its buffer: everything is written through its descriptor. NULL on
 * failure, with the errno in *code.
 */
cli_bam *cli_bam_open(FILE *stream, const char *reference, int threads, int *code);

/*
 * Adds whole lines of SAM: all of the header the first time, then records, each of which is held in
 * memory once more. The text is overwritten. Returns 0 or an errno.
 */
int cli_bam_add(cli_bam *bam, char *text, size_t length);

/* Writes the rest and releases everything; NULL is allowed. Returns 0 or an errno. */
int cli_bam_close(cli_bam *bam);

/*
 * Whether a file of targets cannot be the reference of CRAM, with the reason as a sentence in
 * `why`: it has no index beside it, which htslib would write there.
 */
bool cli_cram_lacks_reference(const char *reference, char *why, size_t size);

#endif
