/* SPDX-License-Identifier: MIT */
/*
 * --haplotype: both haplotypes of a sample are aligned to the target, one after the other. Their
 * records are kept (kept_records.h), and VCF is written of both, see vcf_phase.h.
 */
#ifndef RHOMB_CLI_DIPLOID_H
#define RHOMB_CLI_DIPLOID_H

#include "host/cli/align/kept_records.h"

/* All zeros is nothing. */
typedef struct cli_diploid {
    cli_align_arguments args[2];
    cli_kept_records kept[2];
    cli_align_files files; /* the output, between both */
    const char *left_out;  /* of the first one, as heads have it */
    char *sample;
    int done; /* haplotypes so far */
} cli_diploid;

/* The exit status. */
int cli_diploid_run(const cli_align_arguments *args, int argc, char **argv);

/*
 * When all paths of a haplotype are in its records: takes the output, and gives it back, written,
 * to the second one. The exit status.
 */
int cli_diploid_take(cli_diploid *diploid, const cli_head *head, cli_align_files *output);

#endif
