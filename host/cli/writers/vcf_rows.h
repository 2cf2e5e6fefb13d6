/* SPDX-License-Identifier: MIT */
/*
 * VCF: the differences of a path as variants of the target, from which the query can be made again.
 *
 * A run of operations other than = is one record, so that no two records overlap. Its alleles are
 * the bases of both sequences there, less what they begin or end with in common; in upper case, N
 * and IUPAC codes as they are. Where one of them would be empty, both get the base before:
 *
 *     target  A C G T A C G T - A       POS REF ALT
 *     query   A C G - - C T T A A         3 GTA G     then  7 G T   and  8 T TA
 *
 * At the beginning of the path there is no base before, and both get the base after. If the next
 * variant would need that base too, the two are one record.
 *
 * With `atomize` of a path each mismatch, insertion or deletion is a record of its own, so that two
 * haplotypes with a difference in common have the same record. An indel that follows a mismatch has
 * the base before it all the same, which is that mismatch's; bcftools consensus takes both. An
 * insertion beside a deletion stays one record, as do those at the beginning of the path that need
 * the same base.
 *
 * FILTER is PASS in similar segments and `dissimilar` elsewhere, see rhomb/similar.h. Where two
 * variants are one record, it is that of the first.
 *
 * Records are as far left as the gaps of the path are, see rhomb/align.h. INFO has the query's
 * record, strand and position, QNAME, QSTRAND and QSTART, as paftools.js call writes them.
 */
#ifndef RHOMB_CLI_VCF_ROWS_H
#define RHOMB_CLI_VCF_ROWS_H

#include <stddef.h>

#include "host/cli/base/sink.h"
#include "host/cli/writers/path_rows.h"

void cli_write_vcf_head(cli_sink *sink, const cli_head *head);

/* Why the query cannot be made from the records, but for symbolic ones; NULL: it can. */
const char *cli_vcf_left_out(const cli_head *head);

/* The first name of a target that bcftools takes for a region, as of HLA:00001; NULL: none. */
const char *cli_vcf_region_name(const cli_head *head);

/*
 * Writes the records of a path; how many of them have symbolic alleles. An allele of more than
 * `max_allele` bases, without the one before, makes its record symbolic, with SVTYPE, SVLEN and
 * END: <DEL> for the target's bases, then <INS> for the query's, in a record each. The query cannot
 * be made from those. At the beginning of the path, which has no base before, no record is
 * symbolic; with 0, none is anywhere.
 */
int64_t cli_write_vcf(cli_sink *sink, const cli_path *path, int64_t max_allele);

/* The end of a line: what INFO has of the query, see above, and the genotype. */
void cli_vcf_append_query(cli_buffer *out, const char *name, int64_t position, bool reverse);

/*
 * Whether VCF cannot hold the variants, with the reason as a sentence in `why`: the target's name,
 * or one sequence is empty and the other is not, as an allele has at least one base.
 */
bool cli_vcf_lacks_sequences(const cli_path *path, char *why, size_t size);

#endif
