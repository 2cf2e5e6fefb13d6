/* SPDX-License-Identifier: MIT */
/*
 * Two haplotypes in one VCF: their records of a target, of a difference each, become records with
 * phased genotypes.
 *
 *     target       A C G T A C G T        POS REF ALT   GT
 *     haplotype 1  A T G T A C G T          2 C   T    1|1
 *     haplotype 2  A T G - - C C T          3 GTA G    0|1     then  7 G C  0|1
 *
 * Records of one position and REF are one, of several alleles if they differ; a mismatch and an
 * insertion or deletion at its base stay two, the mismatch first. A haplotype without the record
 * has 0 if all bases of REF are opposite bases of it, else a dot: they are deleted, or in no
 * alignment.
 */
#ifndef RHOMB_CLI_VCF_PHASE_H
#define RHOMB_CLI_VCF_PHASE_H

#include "host/cli/base/sink.h"
#include "host/cli/writers/path_rows.h"

/* A haplotype and a target. All zeros is nothing. */
typedef struct cli_haplotype {
    cli_buffer records; /* whole lines of VCF */
    cli_buffer ranges;  /* of the target, opposite bases of the haplotype: int64_t pairs */
} cli_haplotype;

/* Adds the ranges of a path. */
void cli_haplotype_cover(cli_haplotype *haplotype, const cli_path *path);

/* Writes the records of both, and empties them. False without memory. */
bool cli_vcf_phase(cli_haplotype haplotypes[2], cli_sink *out);

#endif
