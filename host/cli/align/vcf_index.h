/* SPDX-License-Identifier: MIT */
/*
 * The index of a VCF file that is compressed as bgzip does.
 */
#ifndef RHOMB_CLI_VCF_INDEX_H
#define RHOMB_CLI_VCF_INDEX_H

#include <stdint.h>

/*
 * What the name of the index has after that of the file, by the length of the longest target: .tbi,
 * which most programs read, or .csi for longer ones. NULL if there is no index for such a length.
 */
const char *cli_vcf_index_ending(int64_t target_length);

/* Reads the file and writes its index of that kind. Returns 0 or an errno. */
int cli_vcf_index(const char *file, const char *index, const char *ending);

#endif
