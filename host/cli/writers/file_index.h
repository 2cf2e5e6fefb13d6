/* SPDX-License-Identifier: MIT */
/*
 * Indexes beside files that htslib's programs read by position: VCF that is compressed as bgzip
 * does, BAM and CRAM.
 */
#ifndef RHOMB_CLI_FILE_INDEX_H
#define RHOMB_CLI_FILE_INDEX_H

#include <stdint.h>

typedef enum cli_indexed { CLI_INDEXED_VCF, CLI_INDEXED_BAM, CLI_INDEXED_CRAM } cli_indexed;

/*
 * What the name of the index has after that of the file, by the length of the longest target: .tbi
 * or .bai, which most programs read, or .csi for longer ones; .crai. NULL if there is no index for
 * such a length.
 */
const char *cli_index_ending(cli_indexed kind, int64_t target_length);

/* Reads the file and writes its index of that kind. Returns 0 or an errno. */
int cli_index_build(cli_indexed kind, const char *file, const char *index, const char *ending);

#endif
