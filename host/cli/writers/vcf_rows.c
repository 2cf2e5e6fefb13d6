/* SPDX-License-Identifier: MIT */
/*
 * Records of VCF 4.3 (samtools.github.io/hts-specs/VCFv4.3.pdf), see vcf_rows.h. Nothing is held
 * but the range of a record: alleles of any length go to the sink in segments.
 */
#include "host/cli/writers/vcf_rows.h"

#include <inttypes.h>
#include <string.h>

static void write_begin(cli_sink *sink, const cli_path *path, int64_t position)
{
    cli_append_text(&sink->text, path->target_name);
    cli_append_labelled(&sink->text, "\t", position);
    cli_append_text(&sink->text, "\t.\t");
}

/* A value of INFO: what has a meaning there goes by its number (VCF 4.3, section 1.2). */
static void append_value(cli_buffer *out, const char *text)
{
    for (; *text != '\0'; text++)
        cli_append_format(out, strchr(";=,%:", *text) != NULL ? "%%%02X" : "%c", *text);
}

/*
 * Where the query has the bases of a range, as paftools.js call writes it: of its record's
 * forward strand, so that strand and rotation are seen.
 */
static void write_query(cli_sink *sink, const cli_path *path, const cli_variant_range *v)
{
    const int64_t base = path->reverse ? v->query_end - 1 : v->query;
    cli_vcf_append_query(&sink->text, path->query_name, cli_path_query_position(path, base),
                         path->reverse);
}

void cli_vcf_append_query(cli_buffer *out, const char *name, int64_t position, bool reverse)
{
    cli_append_text(out, "QNAME=");
    append_value(out, name);
    cli_append_labelled(out, ";QSTART=", position);
    cli_append_text(out, reverse ? ";QSTRAND=-\tGT\t1\n" : ";QSTRAND=+\tGT\t1\n");
}

static const char *filter_of(bool is_similar)
{
    return is_similar ? "\t.\tPASS\t" : "\t.\tdissimilar\t";
}

/*
 * The base before, in both alleles. It is the target's, as a mismatch there is another record's,
 * and an IUPAC code of the query may match it. With `atomize` it has the target's case: bcftools
 * consensus gives an insertion that case, and undoes a mismatch before it unless REF begins with
 * the same character.
 */
static void write_anchor(cli_sink *sink, const cli_path *path, int64_t target)
{
    if (path->atomize)
        cli_sink_dna_bases(sink, path->target + target, 1);
    else
        cli_sink_upper_bases(sink, path->target + target, 1);
}

static void write_variant(cli_sink *sink, const cli_path *path, cli_variant_range v,
                          bool is_similar)
{
    const bool lacks_allele = cli_variant_range_lacks_allele(&v);
    const bool after = lacks_allele && cli_variant_range_is_first(&v),
               before = lacks_allele && !after;
    write_begin(sink, path, path->target_before + v.target + !before);
    if (before)
        write_anchor(sink, path, v.target - 1);
    cli_sink_upper_bases(sink, path->target + v.target, v.target_end - v.target + after);
    cli_append_text(&sink->text, "\t");
    if (before)
        write_anchor(sink, path, v.target - 1);
    cli_sink_upper_bases(sink, path->query + v.query, v.query_end - v.query);
    cli_sink_upper_bases(sink, path->target + v.target_end, after);
    cli_append_text(&sink->text, filter_of(is_similar));
    v.query -= before;
    v.query_end += after;
    write_query(sink, path, &v);
}

/* A record without the bases that it is about; `length` is negative for a deletion. */
static void write_symbolic(cli_sink *sink, const cli_path *path, const cli_variant_range *v,
                           int64_t length, bool is_similar)
{
    const char *type = length < 0 ? "DEL" : "INS";
    const cli_variant_range alt = {v->target, v->target_end, v->query - 1,
                                   length < 0 ? v->query : v->query_end, v->op};
    const int64_t position = path->target_before + v->target;
    write_begin(sink, path, position);
    cli_sink_upper_bases(sink, path->target + v->target - 1, 1);
    cli_append_format(&sink->text, "\t<%s>%sSVTYPE=%s;SVLEN=%" PRId64 ";END=%" PRId64 ";", type,
                      filter_of(is_similar), type, length,
                      length < 0 ? position - length : position);
    write_query(sink, path, &alt);
}

int64_t cli_write_vcf(cli_sink *sink, const cli_path *path, int64_t max_allele)
{
    int64_t symbolic = 0;
    cli_variants variants = {.cursor = {0}};
    cli_similar similar = {.read = 0};
    cli_variant_range v;
    while (cli_sink_spill(sink) && cli_variants_next(path, &variants, &v)) {
        const bool is_similar = cli_path_is_similar(path, &similar, v.op);
        const int64_t deleted = v.target_end - v.target, inserted = v.query_end - v.query;
        const bool is_long = deleted > max_allele || inserted > max_allele;
        if (max_allele == 0 || !is_long || cli_variant_range_is_first(&v)) {
            write_variant(sink, path, v, is_similar);
            continue;
        }
        if (deleted > 0)
            write_symbolic(sink, path, &v, -deleted, is_similar);
        if (inserted > 0)
            write_symbolic(sink, path, &v, inserted, is_similar);
        symbolic += (deleted > 0) + (inserted > 0);
    }
    return symbolic;
}
