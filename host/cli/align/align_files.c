/* SPDX-License-Identifier: MIT */
/* Files of alignments, see align_files.h. */
#include "host/cli/align/align_files.h"

#include "host/cli/base/text_buffer.h"
#include "host/cli/writers/align_formats.h"
#include "host/cli/writers/vcf_rows.h"

#include <errno.h>

enum { WHY_BYTES = 320 };

/* Whether htslib makes it of the text of SAM. */
static bool is_binary(int format)
{
    return format == CLI_ALIGN_BAM || format == CLI_ALIGN_CRAM;
}

bool cli_align_has_bases(int format)
{
    return format == CLI_ALIGN_SAM || is_binary(format);
}

static cli_indexed indexed_kind(int format)
{
    return format == CLI_ALIGN_VCF   ? CLI_INDEXED_VCF
           : format == CLI_ALIGN_BAM ? CLI_INDEXED_BAM
                                     : CLI_INDEXED_CRAM;
}

static bool shows_strand(const cli_align_arguments *args)
{
    return args->pair.blocks || args->pair.match != NULL || args->ranges != NULL ||
           cli_pair_shows_strand(&args->pair);
}

/* Prints why the format cannot hold the alignment. */
static int refuse(const cli_align_files *files, const char *why)
{
    cli_error("--format %s: %s",
              cli_word_of(files->args->format, cli_align_formats, CLI_COUNT(cli_align_formats)),
              why);
    cli_say("--format paf has no such limits");
    return CLI_FAILED;
}

int cli_align_files_check(const cli_align_files *files, const cli_path *path)
{
    const int format = files->args->format;
    char why[WHY_BYTES];
    const bool lacks =
        (cli_align_has_bases(format) && (cli_sam_lacks_sequences(path, why, sizeof why) ||
                                         cli_sam_lacks_path(path, why, sizeof why))) ||
        (format == CLI_ALIGN_VCF && cli_vcf_lacks_sequences(path, why, sizeof why));
    return lacks ? refuse(files, why) : CLI_OK;
}

int cli_align_files_open(cli_align_files *files, const cli_align_arguments *args)
{
    *files = (cli_align_files){.args = args};
    const bool opened =
        cli_output_open(&files->output, args->pair.output) &&
        (args->callable == NULL || cli_output_open(&files->callable, args->callable));
    return opened ? CLI_OK : CLI_FAILED;
}

/* Opens the file of the index, which has the name of the output and an ending. */
static int open_index(cli_align_files *files, const char *ending)
{
    char *name = cli_with_ending(files->output.path, ending);
    if (name == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    const bool opened = cli_output_open(&files->index, name);
    free(name);
    files->index_ending = opened ? ending : NULL;
    return opened ? CLI_OK : CLI_FAILED;
}

int cli_align_files_prepare(cli_align_files *files, const cli_head *head)
{
    const cli_align_arguments *args = files->args;
    const bool is_vcf = args->format == CLI_ALIGN_VCF;
    int64_t longest = 0;
    char why[WHY_BYTES];
    for (size_t i = 0; i < head->target_count; i++)
        longest = head->targets[i].length > longest ? head->targets[i].length : longest;
    if (args->format == CLI_ALIGN_CRAM &&
        cli_cram_lacks_reference(head->target_file, why, sizeof why))
        return refuse(files, why);
    files->is_ordered = is_vcf && (!head->is_sorted || head->has_events || head->is_diploid);
    const bool is_indexed = is_binary(args->format) || (is_vcf && args->compress);
    if (!is_indexed || files->output.temporary == NULL)
        return CLI_OK;
    const char *ending = cli_index_ending(indexed_kind(args->format), longest);
    return ending != NULL ? open_index(files, ending)
                          : refuse(files, "there is no index for so long a target");
}

/* Gives htslib the text so far. */
static int add_binary(cli_align_files *files)
{
    cli_buffer *text = &files->sink.text;
    cli_sink_show(&files->sink);
    const int code = text->failed ? ENOMEM : cli_bam_add(files->bam, text->data, text->length);
    text->length = files->sink.tapped = 0;
    return cli_output_status(&files->output, code);
}

static int begin_binary(cli_align_files *files, const cli_head *head)
{
    int code = 0;
    const cli_align_arguments *args = files->args;
    const bool is_cram = args->format == CLI_ALIGN_CRAM;
    cli_sink_open_text(&files->sink);
    files->bam = cli_bam_open(files->output.stream, is_cram ? head->target_file : NULL,
                              cli_threads_meant(args->pair.threads), &code);
    if (files->bam == NULL)
        return cli_output_status(&files->output, code);
    cli_write_sam_head(&files->sink, head, "coordinate");
    return add_binary(files);
}

int cli_align_files_begin(cli_align_files *files, const cli_head *head)
{
    const cli_align_arguments *args = files->args;
    const int threads = cli_threads_meant(args->pair.threads);
    files->head = head;
    files->last_pair = -1;
    files->left_out = cli_vcf_left_out(head);
    files->region = cli_vcf_region_name(head);
    cli_sink_open(&files->sink, files->output.stream, args->compress ? threads : 0);
    if (files->is_ordered || cli_align_has_bases(args->format))
        cli_sink_open_text(&files->records);
    if (args->callable != NULL)
        cli_sink_open(&files->callable_sink, files->callable.stream,
                      args->compress_callable ? threads : 0);
    if (is_binary(args->format))
        return begin_binary(files, head);
    if (args->format == CLI_ALIGN_SAM)
        cli_write_sam_head(&files->sink, head, "coordinate");
    if (args->format == CLI_ALIGN_VCF)
        cli_write_vcf_head(&files->sink, head);
    if (args->format == CLI_ALIGN_MAF)
        cli_write_maf_head(&files->sink);
    if (args->format == CLI_ALIGN_PAIRWISE)
        cli_write_pairwise_head(&files->sink);
    if (args->format == CLI_ALIGN_TSV && args->header)
        cli_write_differences_head(&files->sink, shows_strand(args));
    return CLI_OK;
}

/*
 * What is written is read back on the way, unless that is impossible: with symbolic alleles, and
 * where codes match others.
 */
static int add_vcf(cli_align_files *files, const cli_path *path)
{
    const int64_t max_allele = files->args->max_allele;
    cli_sink *sink = files->is_ordered ? &files->records : &files->sink;
    char why[WHY_BYTES];
    cli_vcf_check check = {.path = path};
    const bool is_checked = max_allele == 0 && !path->iupac;
    if (is_checked)
        cli_sink_set_tap(sink, cli_vcf_check_text, &check);
    files->symbolic += cli_write_vcf(sink, path, max_allele);
    cli_sink_set_tap(sink, NULL, NULL);
    if (!is_checked || sink->code != 0 || sink->text.failed ||
        cli_vcf_check_end(&check, why, sizeof why))
        return CLI_OK;
    return cli_fail_with(rhomb_status_class(RHOMB_ERR_INTERNAL), "%s: %s",
                         rhomb_status_text(RHOMB_ERR_INTERNAL), why);
}

static bool is_dna(const cli_align_files *files)
{
    return cli_is_dna(files->args->pair.options.alphabet);
}

/* Counts a path of which --similar-only leaves nothing. */
static void count_dissimilar(cli_align_files *files, const cli_path *path)
{
    const cli_path_cuts *cuts = &files->args->cuts;
    cli_path_rows rows = {0};
    cli_path_row row;
    files->dissimilar += cuts->similar_only && !cli_path_next_row(path, cuts, &rows, &row);
}

/* Keeps the records of a path. Targets come in their order. */
static void keep_sam(cli_align_files *files, const cli_path *path)
{
    const cli_head *head = files->head;
    for (size_t i = 0; i < head->target_count; i++) {
        if (strcmp(head->targets[files->target].name, path->target_name) == 0)
            break;
        files->target = (files->target + 1) % head->target_count;
    }
    cli_sam_keep(&files->records, path, &files->args->cuts, (int64_t)files->target);
    if (path->last_pair > files->last_pair)
        files->last_pair = path->last_pair;
}

static int add_to_output(cli_align_files *files, const cli_path *path)
{
    const cli_align_arguments *args = files->args;
    cli_sink *sink = files->is_ordered ? &files->records : &files->sink;
    switch ((cli_align_format)args->format) {
    case CLI_ALIGN_PAF:
        cli_write_paf(sink, path, &args->cuts, args->cs);
        return CLI_OK;
    case CLI_ALIGN_SAM:
    case CLI_ALIGN_BAM:
    case CLI_ALIGN_CRAM:
        keep_sam(files, path);
        return CLI_OK;
    case CLI_ALIGN_VCF:
        return add_vcf(files, path);
    case CLI_ALIGN_CHAIN:
        files->chains = cli_write_chains(sink, path, &args->cuts, args->from_query, files->chains);
        return CLI_OK;
    case CLI_ALIGN_MAF:
        cli_write_maf(sink, path, &args->cuts);
        return CLI_OK;
    case CLI_ALIGN_TSV:
        cli_write_differences(sink, path, shows_strand(args));
        return CLI_OK;
    case CLI_ALIGN_PAIRWISE:
        cli_write_pairwise(sink, path, &args->cuts);
        return CLI_OK;
    case CLI_ALIGN_AFA:
        cli_write_afa(sink, path, &args->cuts);
        return CLI_OK;
    case CLI_ALIGN_JSON:
        return CLI_OK;
    }
    return CLI_OK;
}

/* Whether everything so far could be written. */
static int check_sinks(cli_align_files *files)
{
    (void)cli_sink_spill(&files->sink);
    (void)cli_sink_spill(&files->callable_sink);
    const int status = cli_output_status(&files->output, files->sink.code);
    return status == CLI_OK ? cli_output_status(&files->callable, files->callable_sink.code)
                            : status;
}

int cli_align_files_spill(cli_align_files *files)
{
    return is_binary(files->args->format) ? add_binary(files) : check_sinks(files);
}

/* Says, once a run, where a long gap is in segments that other costs would keep together. */
static void note_broken_gap(cli_align_files *files, const cli_path *path)
{
    const rhomb_scoring *costs = files->args->pair.options.scoring;
    char text[CLI_BROKEN_GAP_BYTES];
    if (files->was_looked_at || cli_verbosity() < 0 || (costs != NULL && !cli_is_edit(costs)) ||
        !cli_path_tell_broken_gap(path, text))
        return;
    files->was_looked_at = true;
    cli_note(0, "%s", text);
}

int cli_align_files_add(cli_align_files *files, const cli_path *path)
{
    note_broken_gap(files, path);
    const int status = add_to_output(files, path);
    count_dissimilar(files, path);
    if (status == CLI_OK && files->args->callable != NULL)
        cli_write_callable(&files->callable_sink, path);
    return status == CLI_OK ? check_sinks(files) : status;
}

/* Writes the records of SAM that are kept. */
static int write_kept(cli_align_files *files)
{
    cli_sam_records all;
    cli_sink *kept = &files->records;
    cli_sink_show(kept);
    if (kept->text.failed || !cli_sam_settle(&kept->text, &all))
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    int status = CLI_OK;
    for (size_t i = 0; i < all.count && status == CLI_OK; i++) {
        const cli_side *side = NULL;
        if (files->read != NULL)
            status = files->read(cli_sam_query(all.by_place[i]), &side, files->user);
        if (status == CLI_OK && !cli_sam_write(&files->sink, all.by_place[i], side, is_dna(files)))
            status = cli_fail(NULL, RHOMB_ERR_MEMORY);
        if (status == CLI_OK)
            status = cli_align_files_spill(files);
    }
    cli_sam_release(&all);
    kept->text.length = kept->tapped = 0;
    return status;
}

int cli_align_files_end_target(cli_align_files *files)
{
    cli_buffer *records = &files->records.text;
    if (cli_align_has_bases(files->args->format))
        return files->last_pair < files->pairs ? write_kept(files) : CLI_OK;
    if (!files->is_ordered)
        return CLI_OK;
    if (records->failed)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    if (!cli_vcf_order(records, &files->sink, &files->overlapping))
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    records->length = 0;
    files->records.tapped = 0;
    return check_sinks(files);
}

int cli_align_files_add_unaligned(cli_align_files *files, const cli_side *query)
{
    const int format = files->args->format;
    if (format == CLI_ALIGN_PAF)
        cli_write_paf_unaligned(&files->sink, query->name,
                                query->before + query->length + query->after);
    if (cli_align_has_bases(format))
        cli_write_sam_unaligned(&files->sink, query, is_dna(files));
    return cli_align_files_spill(files);
}

/* Writes the index of the output, which is complete but not in its place. */
static int write_index(cli_align_files *files)
{
    if (files->index_ending == NULL)
        return CLI_OK;
    if (fflush(files->output.stream) != 0)
        return cli_output_status(&files->output, errno);
    const int code = cli_index_build(indexed_kind(files->args->format), files->output.temporary,
                                     files->index.temporary, files->index_ending);
    return cli_output_status(&files->index, code);
}

/* Says what the output is not, or has in another form. */
static void note_output(const cli_align_files *files)
{
    const bool is_vcf = files->args->format == CLI_ALIGN_VCF;
    if (is_vcf && files->left_out != NULL)
        cli_note(0, "this VCF may not give the query back: %s", files->left_out);
    if (is_vcf && files->region != NULL)
        cli_note(0,
                 "bcftools takes a target name with ':' for a region, such as %s: bcftools "
                 "consensus applies none of its records",
                 files->region);
    if (files->symbolic > 0)
        cli_note(0, "%" PRId64 " symbolic allele%s: the query cannot be made from this VCF",
                 files->symbolic, cli_s(files->symbolic));
    if (is_vcf && files->events > 0)
        cli_note(0,
                 "%" PRId64 " record%s of rearrangements %s no bases: bcftools consensus needs -e "
                 "'SVTYPE!=\"\"'",
                 files->events, cli_s(files->events), files->events == 1 ? "has" : "have");
    if (files->overlapping > 0)
        cli_note(0,
                 "%" PRId64 " record%s of VCF overlap%s another one, where queries do: bcftools "
                 "consensus leaves one of them out",
                 files->overlapping, cli_s(files->overlapping), files->overlapping == 1 ? "s" : "");
    if (files->dissimilar > 0)
        cli_note(0, "%" PRId64 " alignment%s without similar sequence: no record",
                 files->dissimilar, cli_s(files->dissimilar));
}

void cli_align_files_add_lines(cli_align_files *files, const cli_buffer *lines)
{
    if (lines->length > 0)
        cli_append_bytes(&files->records.text, lines->data, lines->length);
}

int cli_align_files_finish(cli_align_files *files)
{
    const int kept = cli_align_has_bases(files->args->format) ? write_kept(files) : CLI_OK;
    if (kept != CLI_OK)
        return kept;
    int code = cli_bam_close(files->bam);
    files->bam = NULL;
    const int sink_code = cli_sink_close(&files->sink);
    int status = cli_output_status(&files->output, code != 0 ? code : sink_code);
    code = cli_sink_close(&files->callable_sink);
    if (status == CLI_OK)
        status = cli_output_status(&files->callable, code);
    if (status == CLI_OK)
        status = write_index(files);
    return status;
}

int cli_align_files_commit(cli_align_files *files)
{
    const bool has_callable = files->args->callable != NULL;
    const int status = cli_align_files_finish(files);
    if (status != CLI_OK)
        return status;
    note_output(files);
    if (!cli_output_commit(&files->output) ||
        (files->index_ending != NULL && !cli_output_commit(&files->index)) ||
        (has_callable && !cli_output_commit(&files->callable)))
        return CLI_FAILED;
    return CLI_OK;
}

void cli_align_files_close(cli_align_files *files)
{
    (void)cli_bam_close(files->bam);
    cli_sink_release(&files->sink);
    cli_sink_release(&files->callable_sink);
    cli_sink_release(&files->records);
    cli_output_close(&files->callable);
    cli_output_close(&files->index);
    cli_output_close(&files->output);
    *files = (cli_align_files){0};
}
