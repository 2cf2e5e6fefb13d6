/* SPDX-License-Identifier: MIT */
/* The header of VCF 4.3 (samtools.github.io/hts-specs/VCFv4.3.pdf), see vcf_rows.h. */

#include "host/cli/writers/align_formats.h"
#include "host/cli/writers/vcf_rows.h"
#include "rhomb/rhomb.h"

const char *cli_vcf_left_out(const cli_head *head)
{
    return head->has_path ? head->left_out : "there is no alignment";
}

const char *cli_vcf_region_name(const cli_head *head)
{
    for (size_t i = 0; i < head->target_count; i++)
        if (strchr(head->targets[i].name, ':') != NULL)
            return head->targets[i].name;
    return NULL;
}

/* Whether the query can be made from the records: by the rules of bcftools, as by vcf_rows.h. */
static void write_lossless(cli_buffer *out, const cli_head *head)
{
    const char *left_out = cli_vcf_left_out(head), *region = cli_vcf_region_name(head);
    cli_append_text(out, "##rhomb_lossless=");
    if (head->has_path && head->max_allele > 0) {
        cli_append_format(out, "no, alleles of more than %" PRId64 " base%s are symbolic",
                          head->max_allele, cli_s(head->max_allele));
    } else if (left_out != NULL) {
        cli_append_format(out, "no, %s", left_out);
    } else if (region != NULL) {
        cli_append_text(out, "no, bcftools takes a target name for a region: ");
        cli_append_field(out, region);
    } else {
        cli_append_text(out, "yes");
    }
    cli_append_text(out, "\n");
}

static void write_symbolic_head(cli_buffer *out, bool has_events)
{
    cli_append_text(out, "##ALT=<ID=DEL,Description=\"Deletion\">\n"
                         "##ALT=<ID=INS,Description=\"Insertion\">\n"
                         "##INFO=<ID=SVTYPE,Number=1,Type=String,Description=\"");
    cli_append_text(out, has_events ? "DEL, INS, INV, DUP or BND" : "DEL or INS");
    cli_append_text(
        out, "\">\n"
             "##INFO=<ID=SVLEN,Number=.,Type=Integer,Description=\"Length of the variant, negative "
             "for a deletion\">\n"
             "##INFO=<ID=END,Number=1,Type=Integer,Description=\"Last position of the "
             "variant\">\n");
}

/* See events.h. */
static void write_events_head(cli_buffer *out)
{
    cli_append_text(
        out,
        "##ALT=<ID=INV,Description=\"Inversion\">\n"
        "##ALT=<ID=DUP,Description=\"Bases that the query has again\">\n"
        "##ALT=<ID=DUP:TANDEM,Description=\"Bases that the query has again, beside them\">\n"
        "##INFO=<ID=CIPOS,Number=2,Type=Integer,Description=\"Where POS may be, around it\">\n"
        "##INFO=<ID=CIEND,Number=2,Type=Integer,Description=\"Where END may be, around it\">\n"
        "##INFO=<ID=CN,Number=1,Type=Integer,Description=\"Copies that the query has of the range "
        "of a tandem duplication\">\n"
        "##INFO=<ID=MATEID,Number=.,Type=String,Description=\"The other breakend\">\n"
        "##INFO=<ID=EVENT,Number=1,Type=String,Description=\"The rearrangement that a breakend "
        "is of\">\n"
        "##INFO=<ID=INBASES,Number=0,Type=Flag,Description=\"Records with bases have it, "
        "too\">\n");
}

static void write_filter_head(cli_buffer *out, double least_identity)
{
    cli_append_format(
        out,
        "##FILTER=<ID=dissimilar,Description=\"Aligned with sequence that is not similar: in no "
        "segment of at least %.4g %% identity\">\n",
        100 * (least_identity > 0 ? least_identity : RHOMB_LEAST_IDENTITY));
}

/* What INFO has of the query, or of both haplotypes that have the record. */
static void write_query_head(cli_buffer *out, bool is_diploid)
{
    static const char *const LINES[][2] = {
        {"QNAME", "Type=String,Description=\"The query"},
        {"QSTART",
         "Type=Integer,Description=\"Position of ALT's first base in the query, or of its "
         "last one with QSTRAND -, counted on the forward strand"},
        {"QSTRAND", "Type=String,Description=\"The query's strand that ALT is of"}};
    for (size_t i = 0; i < CLI_COUNT(LINES); i++) {
        cli_append_format(out, "##INFO=<ID=%s,Number=%c,%s\">\n", LINES[i][0],
                          is_diploid ? '.' : '1', LINES[i][1]);
    }
    cli_append_text(out, "##FORMAT=<ID=GT,Number=1,Type=String,Description=\"Genotype\">\n");
}

void cli_write_vcf_head(cli_sink *sink, const cli_head *head)
{
    static const char *const MARKS[] = {"##contig=<ID=", ",length=", ",md5=", ">\n"};
    cli_buffer *out = &sink->text;
    cli_append_text(out, "##fileformat=VCFv4.3\n##source=rhomb " RHOMB_VERSION "\n");
    if (head->target_file != NULL) {
        cli_append_text(out, "##reference=");
        cli_append_field(out, head->target_file);
        cli_append_text(out, "\n");
    }
    for (size_t i = 0; i < head->target_count && cli_sink_spill(sink); i++)
        cli_append_target(out, &head->targets[i], MARKS);
    write_lossless(out, head);
    if (head->reverse)
        cli_append_text(out, "##rhomb_query_strand=-\n");
    if (head->rotation > 0)
        cli_append_format(out, "##rhomb_query_rotation=%" PRId64 "\n", head->rotation);
    if (head->max_allele > 0 || head->has_events)
        write_symbolic_head(out, head->has_events);
    if (head->has_events)
        write_events_head(out);
    write_filter_head(out, head->least_identity);
    write_query_head(out, head->is_diploid);
    cli_append_text(out, "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t");
    cli_append_field(out, head->sample);
    cli_append_text(out, "\n");
}

bool cli_vcf_lacks_sequences(const cli_path *path, char *why, size_t size)
{
    if (cli_lacks_target_name(path->target_name, INT64_MAX, why, size))
        return true;
    if ((path->target_length == 0) == (path->query_length == 0))
        return false;
    snprintf(why, size, "the %s is empty, and an allele has at least one base",
             path->target_length == 0 ? "target" : "query");
    return true;
}
