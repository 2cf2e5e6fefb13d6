/* SPDX-License-Identifier: MIT */
/*
 * VCF 4.3 (samtools.github.io/hts-specs/VCFv4.3.pdf), see vcf_rows.h. Nothing is held but the
 * stretch of a record: alleles of any length go to the sink in pieces.
 */
#include "host/cli/align/vcf_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/cli/align/align_formats.h"
#include "host/cli/align/record_names.h"
#include "rhomb/rhomb.h"

/* A stretch of both sequences, counted from the path's beginning. */
typedef struct stretch {
    int64_t target;
    int64_t target_end;
    int64_t query;
    int64_t query_end;
    int64_t op; /* its first operation */
} stretch;

static bool lacks_allele(const stretch *s)
{
    return s->target == s->target_end || s->query == s->query_end;
}

static bool is_nothing(const stretch *s)
{
    return s->target == s->target_end && s->query == s->query_end;
}

/* Whether no base precedes it. */
static bool is_first(const stretch *s)
{
    return s->target == 0 || s->query == 0;
}

static bool is_same(char a, char b)
{
    return cli_upper_base((unsigned char)a) == cli_upper_base((unsigned char)b);
}

/* The same without the bases that both alleles end with, and then those that both begin with. */
static stretch trimmed(const cli_path *path, stretch s)
{
    while (!lacks_allele(&s) &&
           is_same(path->target[s.target_end - 1], path->query[s.query_end - 1])) {
        s.target_end--;
        s.query_end--;
    }
    while (!lacks_allele(&s) && is_same(path->target[s.target], path->query[s.query])) {
        s.target++;
        s.query++;
    }
    return s;
}

/*
 * The next run of operations other than =, and how many matches there are between it and the next
 * one. False if there is none.
 */
static bool next_run(const cli_path *path, cli_path_place *place, stretch *run, int64_t *matches)
{
    const cli_path_place end = cli_path_end(path);
    cli_path_piece piece;
    bool found = false;
    *matches = 0;
    while (cli_path_next(path, place, &end, &piece)) {
        if (piece.code == RHOMB_CIGAR_EQ && found) {
            *matches = piece.length;
            return true;
        }
        if (piece.code == RHOMB_CIGAR_EQ)
            continue;
        if (!found)
            *run =
                (stretch){piece.target, piece.target, piece.query, piece.query, place->index - 1};
        found = true;
        run->target_end += piece.code != RHOMB_CIGAR_I ? piece.length : 0;
        run->query_end += piece.code != RHOMB_CIGAR_D ? piece.length : 0;
    }
    return found;
}

/* The next stretch that differs, not anchored yet. False if there is none. */
static bool next_variant(const cli_path *path, cli_path_place *place, stretch *variant)
{
    stretch run, next;
    int64_t matches;
    do {
        if (!next_run(path, place, &run, &matches))
            return false;
        *variant = trimmed(path, run);
        /* The base after is an anchor for both: they become one. */
        while (is_first(variant) && lacks_allele(variant) && matches == 1 &&
               variant->target_end == run.target_end && next_run(path, place, &next, &matches)) {
            run.target_end = next.target_end;
            run.query_end = next.query_end;
            *variant = trimmed(path, run);
        }
    } while (is_nothing(variant));
    return true;
}

static void write_begin(cli_sink *sink, const cli_path *path, int64_t position)
{
    cli_append_text(&sink->text, path->target_name);
    cli_append_labelled(&sink->text, "\t", position);
    cli_append_text(&sink->text, "\t.\t");
}

/* A value of INFO: what has a meaning there goes by its number (VCF 4.3, section 1.2). */
static void append_value(cli_buffer *out, const char *text)
{
    char code[4];
    for (; *text != '\0'; text++) {
        snprintf(code, sizeof code, strchr(";=,%:", *text) != NULL ? "%%%02X" : "%c", *text);
        cli_append_text(out, code);
    }
}

/*
 * Where the query has the bases of a stretch, as paftools.js call writes it: of its record's
 * forward strand, so that strand and rotation are seen.
 */
static void write_query(cli_sink *sink, const cli_path *path, const stretch *v)
{
    const int64_t base = path->reverse ? v->query_end - 1 : v->query;
    cli_append_text(&sink->text, "QNAME=");
    append_value(&sink->text, path->query_name);
    cli_append_labelled(&sink->text, ";QSTART=", cli_path_query_position(path, base));
    cli_append_text(&sink->text, path->reverse ? ";QSTRAND=-" : ";QSTRAND=+");
    cli_append_text(&sink->text, "\tGT\t1\n");
}

static const char *filter_of(bool is_similar)
{
    return is_similar ? "\t.\tPASS\t" : "\t.\tdissimilar\t";
}

/* Both alleles have the target's base as the anchor, which an IUPAC code of the query may match. */
static void write_variant(cli_sink *sink, const cli_path *path, stretch v, bool is_similar)
{
    const int64_t after = lacks_allele(&v) && is_first(&v), before = lacks_allele(&v) && !after;
    const char *target = path->target + v.target, *query = path->query + v.query;
    write_begin(sink, path, path->target_before + v.target - before + 1);
    cli_sink_upper_bases(sink, target - before, before + v.target_end - v.target + after);
    cli_append_text(&sink->text, "\t");
    cli_sink_upper_bases(sink, target - before, before);
    cli_sink_upper_bases(sink, query, v.query_end - v.query);
    cli_sink_upper_bases(sink, path->target + v.target_end, after);
    cli_append_text(&sink->text, filter_of(is_similar));
    v.query -= before;
    v.query_end += after;
    write_query(sink, path, &v);
}

/* A record without the bases that it is about; `length` is negative for a deletion. */
static void write_symbolic(cli_sink *sink, const cli_path *path, const stretch *v, int64_t length,
                           bool is_similar)
{
    const char *type = length < 0 ? "DEL" : "INS";
    const stretch alt = {v->target, v->target_end, v->query - 1,
                         length < 0 ? v->query : v->query_end, v->op};
    const int64_t position = path->target_before + v->target;
    write_begin(sink, path, position);
    cli_sink_upper_bases(sink, path->target + v->target - 1, 1);
    cli_append_text(&sink->text, "\t<");
    cli_append_text(&sink->text, type);
    cli_append_text(&sink->text, ">");
    cli_append_text(&sink->text, filter_of(is_similar));
    cli_append_text(&sink->text, "SVTYPE=");
    cli_append_text(&sink->text, type);
    cli_append_labelled(&sink->text, ";SVLEN=", length);
    cli_append_labelled(&sink->text, ";END=", length < 0 ? position - length : position);
    cli_append_text(&sink->text, ";");
    write_query(sink, path, &alt);
}

int64_t cli_write_vcf(cli_sink *sink, const cli_path *path, int64_t max_allele)
{
    int64_t symbolic = 0;
    cli_path_place place = {0};
    cli_similar similar = {.read = 0};
    stretch v;
    while (cli_sink_spill(sink) && next_variant(path, &place, &v)) {
        const bool is_similar = cli_path_is_similar(path, &similar, v.op);
        const int64_t deleted = v.target_end - v.target, inserted = v.query_end - v.query;
        const bool is_long = deleted > max_allele || inserted > max_allele;
        if (max_allele == 0 || !is_long || is_first(&v)) {
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

/* Whether the query can be made from the records. */
static void write_lossless(cli_buffer *out, const cli_head *head)
{
    const char *left_out = cli_vcf_left_out(head);
    cli_append_text(out, "##rhomb_lossless=");
    if (head->has_path && head->max_allele > 0) {
        cli_append_labelled(out, "no, alleles of more than ", head->max_allele);
        cli_append_text(out, head->max_allele == 1 ? " base are symbolic" : " bases are symbolic");
    } else {
        cli_append_text(out, left_out != NULL ? "no, " : "yes");
        cli_append_text(out, left_out != NULL ? left_out : "");
    }
    cli_append_text(out, "\n");
}

static void write_symbolic_head(cli_buffer *out)
{
    cli_append_text(
        out, "##ALT=<ID=DEL,Description=\"Deletion\">\n"
             "##ALT=<ID=INS,Description=\"Insertion\">\n"
             "##INFO=<ID=SVTYPE,Number=1,Type=String,Description=\"DEL or INS\">\n"
             "##INFO=<ID=SVLEN,Number=.,Type=Integer,Description=\"Inserted or, negative, deleted "
             "bases\">\n"
             "##INFO=<ID=END,Number=1,Type=Integer,Description=\"Last position that is deleted, or "
             "POS\">\n");
}

static void write_filter_head(cli_buffer *out, double least_identity)
{
    char text[200];
    snprintf(
        text, sizeof text,
        "##FILTER=<ID=dissimilar,Description=\"Aligned with sequence that is not similar: in no "
        "segment of at least %.4g %% identity\">\n",
        100 * (least_identity > 0 ? least_identity : RHOMB_LEAST_IDENTITY));
    cli_append_text(out, text);
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
    if (head->rotation > 0) {
        cli_append_labelled(out, "##rhomb_query_rotation=", head->rotation);
        cli_append_text(out, "\n");
    }
    if (head->max_allele > 0)
        write_symbolic_head(out);
    write_filter_head(out, head->least_identity);
    cli_append_text(
        out,
        "##INFO=<ID=QNAME,Number=1,Type=String,Description=\"The query\">\n"
        "##INFO=<ID=QSTART,Number=1,Type=Integer,Description=\"Position of ALT's first base in "
        "the query, or of its last one with QSTRAND -, counted on the forward strand\">\n"
        "##INFO=<ID=QSTRAND,Number=1,Type=String,Description=\"The query's strand that ALT is "
        "of\">\n"
        "##FORMAT=<ID=GT,Number=1,Type=String,Description=\"Genotype\">\n"
        "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t");
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
