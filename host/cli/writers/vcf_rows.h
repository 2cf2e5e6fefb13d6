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
#include <stdint.h>

#include "host/cli/base/sink.h"
#include "host/cli/writers/path_rows.h"

/* The variants of a path, one after the other, see below. */

/* A range of both sequences, counted from the path's beginning. */
typedef struct cli_variant_range {
    int64_t target;
    int64_t target_end;
    int64_t query;
    int64_t query_end;
    int64_t op; /* its first operation */
} cli_variant_range;

/* How far the variants of a path are, and the mismatches of an operation that are still to come. */
typedef struct cli_variants {
    cli_path_cursor cursor;
    cli_variant_range mismatches;
} cli_variants;

/* Whether a side of it has no bases, so that both get one more; and whether no base precedes it. */
bool cli_variant_range_lacks_allele(const cli_variant_range *s);
bool cli_variant_range_is_first(const cli_variant_range *s);

/* The next variant, without a base before or after it. False if there is none. */
bool cli_variants_next(const cli_path *path, cli_variants *variants, cli_variant_range *variant);

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

/*
 * The order of records of VCF where a target has several queries, whose records come one
 * query after the other: by position, and those of a position as they came.
 */

/*
 * Writes the records of one target, whole lines, in their order, and counts those that begin where
 * one of another query has not ended. They are held in memory, with 40 bytes for each line. False
 * without memory for these; whether they could be written says the sink.
 */
bool cli_vcf_order(const cli_buffer *records, cli_sink *out, int64_t *overlapping);

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

/* A haplotype and a target. All zeros is nothing. */
typedef struct cli_haplotype {
    cli_buffer records; /* whole lines of VCF */
    cli_buffer ranges;  /* of the target, opposite bases of the haplotype: int64_t pairs */
} cli_haplotype;

/* Adds the ranges of a path. */
void cli_haplotype_cover(cli_haplotype *haplotype, const cli_path *path);

/*
 * Writes the records of both, and empties them. RHOMB_OK, RHOMB_ERR_MEMORY, or RHOMB_ERR_INTERNAL
 * if a line that was written does not say of each haplotype what its own record says.
 */
rhomb_status cli_vcf_phase(cli_haplotype haplotypes[2], cli_sink *out);

/*
 * Whether a line of two haplotypes has the position, REF and allele of each one's own line, or none
 * where it has no line, and PASS only if all of these have it.
 */
bool cli_vcf_check_phased(const char *line, const char *const own[2]);

/*
 * Whether a VCF file gives the query back: its text, as it goes to the file, is read again and
 * applied to the target, as `bcftools consensus` does it, and the result is compared with the
 * query, ignoring case.
 */

/* One pass over the lines of a path; all zeros but `path` at its beginning. */
typedef struct cli_vcf_check {
    const cli_path *path; /* borrowed; its operations are not looked at */
    int64_t target;       /* bases so far, from the path's beginning */
    int64_t query;
    int64_t position;   /* POS, as far as it has been read */
    int column;         /* of the line, from 0 */
    size_t in_column;   /* its characters so far */
    bool is_dissimilar; /* FILTER, once it has begun */
    bool in_head;       /* in a line that begins with # */
    char anchor;        /* the base before, which the record before has already; NUL: it has not */
    bool failed;
    int64_t records;
} cli_vcf_check;

/* Reads on; a cli_sink_tap. */
void cli_vcf_check_text(void *check, const char *text, size_t length);

/*
 * The end of the path's lines. False if they do not give the query, with the reason as a sentence
 * in `why`.
 */
bool cli_vcf_check_end(cli_vcf_check *check, char *why, size_t size);

#endif
