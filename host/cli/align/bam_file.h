/* SPDX-License-Identifier: MIT */
/*
 * BAM and CRAM, which htslib makes of the text of SAM.
 */
#ifndef RHOMB_CLI_BAM_FILE_H
#define RHOMB_CLI_BAM_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Writes SAM, a header and any number of records, as BAM; or as CRAM, if there is a `reference`:
 * the file of the targets, with an index beside. The text is overwritten. Each record is held in
 * memory once more. The stream must have nothing in its buffer; everything is written through its
 * descriptor. Returns 0 or an errno.
 */
int cli_write_bam(FILE *stream, const char *reference, int threads, char *text, size_t length);

/*
 * Whether a file of targets cannot be the reference of CRAM, with the reason as a sentence in
 * `why`: it has no index beside it, which htslib would write there.
 */
bool cli_cram_lacks_reference(const char *reference, char *why, size_t size);

#endif
