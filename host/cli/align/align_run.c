/* SPDX-License-Identifier: MIT */
/*
 * The work of `rhomb align`: the library's path goes to the file as it is, in pieces. Both outputs
 * are opened first, so that a bad name fails before a long run. What SAM cannot hold is refused
 * before it too, as far as it is known by then.
 */
#include "host/cli/align/align_run.h"

#include "host/cli/align/align_formats.h"
#include "host/cli/align/bam_file.h"
#include "host/cli/align/file_index.h"
#include "host/cli/align/vcf_check.h"
#include "host/cli/align/vcf_rows.h"
#include "host/cli/pair/pair_run.h"

#include <cJSON.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Everything that a run holds and has to release. */
typedef struct align_job {
    cli_align_arguments *args;
    cli_pair_job pair;
    rhomb_alignment *alignment;
    cli_path path;
    cli_output output;
    cli_output index; /* of the output, if it is to have one: `index_ending` is not NULL */
    const char *index_ending;
    cli_output report;
    cli_output callable;
    char wrong[320]; /* why what was written is not what was asked for; "" if it is */
} align_job;

/* Whether it is SAM, in text or as htslib writes it. */
static bool is_sam(int format)
{
    return format == CLI_ALIGN_SAM || format == CLI_ALIGN_BAM || format == CLI_ALIGN_CRAM;
}

static bool is_found(const align_job *job)
{
    return !rhomb_alignment_report(job->alignment)->whole->exceeds_max_distance;
}

/* Whether the format cannot hold the alignment, with the reason, before there is a path. */
static bool lacks_sequences(const align_job *job, char *why, size_t size)
{
    switch ((cli_align_format)job->args->format) {
    case CLI_ALIGN_SAM:
    case CLI_ALIGN_BAM:
        return cli_sam_lacks_sequences(&job->path, why, size);
    case CLI_ALIGN_CRAM:
        return cli_sam_lacks_sequences(&job->path, why, size) ||
               cli_cram_lacks_reference(rhomb_sequence_path(job->pair.run.target), why, size);
    case CLI_ALIGN_VCF:
        return cli_vcf_lacks_sequences(&job->path, why, size);
    default:
        return false;
    }
}

/* The same, once there is one. */
static bool lacks_path(const align_job *job, char *why, size_t size)
{
    return is_sam(job->args->format) && cli_sam_lacks_path(&job->path, why, size);
}

/* Prints why the format cannot hold the alignment. */
static int refuse(const align_job *job, const char *why)
{
    cli_error("--format %s: %s",
              cli_word_of(job->args->format, cli_align_formats, CLI_COUNT(cli_align_formats)), why);
    cli_say("--format paf has no such limits");
    return CLI_FAILED;
}

/* Of the target's whole record, NULL for a part of one. */
static const char *target_md5(const align_job *job)
{
    const bool has_region = cli_path_target_record(&job->path) != job->path.target_length;
    return has_region ? NULL : rhomb_sequence_md5(job->pair.run.target);
}

static void write_sam(cli_sink *sink, const align_job *job)
{
    const cli_run *run = &job->pair.run;
    const cli_sam_head head = {.target_md5 = target_md5(job), .argc = run->argc, .argv = run->argv};
    cli_write_sam_head(sink, &job->path, &head);
    if (is_found(job))
        cli_write_sam(sink, &job->path, false);
}

/* The report, with the operations appended as its last member: they are not held as JSON. */
static void write_json(cli_sink *sink, const align_job *job)
{
    char *text = cli_align_json_text(&job->pair.run, rhomb_alignment_report(job->alignment));
    if (text == NULL) {
        sink->text.failed = true;
        return;
    }
    size_t length = strlen(text) - strlen("\n}");
    cli_append_bytes(&sink->text, text, length);
    cJSON_free(text);
    cli_append_text(&sink->text, ",\n\t\"operations\":\t");
    if (is_found(job))
        cli_write_operations(sink, &job->path);
    else
        cli_append_text(&sink->text, "null");
    cli_append_text(&sink->text, "\n}\n");
}

/* What is written is read back on the way, unless symbolic alleles make that impossible. */
static void write_vcf(cli_sink *sink, align_job *job)
{
    const cli_align_arguments *args = job->args;
    const cli_vcf_head head = {.reference = rhomb_sequence_path(job->pair.run.target),
                               .target_md5 = target_md5(job),
                               .sample = args->sample,
                               .max_allele = args->max_allele,
                               .has_path = is_found(job)};
    cli_write_vcf_head(sink, &job->path, &head);
    if (!is_found(job))
        return;
    cli_vcf_check check = {.path = &job->path};
    if (args->max_allele == 0)
        cli_sink_set_tap(sink, cli_vcf_check_text, &check);
    const int64_t symbolic = cli_write_vcf(sink, &job->path, args->max_allele);
    cli_sink_set_tap(sink, NULL, NULL);
    if (args->max_allele == 0)
        (void)cli_vcf_check_end(&check, job->wrong, sizeof job->wrong);
    if (symbolic > 0)
        cli_note(0, "%" PRId64 " symbolic allele%s: the query cannot be made from this VCF",
                 symbolic, symbolic == 1 ? "" : "s");
}

static void write_format(cli_sink *sink, align_job *job)
{
    const cli_align_arguments *args = job->args;
    const bool strand = cli_pair_shows_strand(&args->pair);
    switch ((cli_align_format)args->format) {
    case CLI_ALIGN_PAF:
        if (is_found(job))
            cli_write_paf(sink, &job->path, &args->cuts, args->cs);
        return;
    case CLI_ALIGN_SAM:
    case CLI_ALIGN_BAM:
    case CLI_ALIGN_CRAM:
        write_sam(sink, job);
        return;
    case CLI_ALIGN_VCF:
        write_vcf(sink, job);
        return;
    case CLI_ALIGN_CHAIN:
        if (is_found(job))
            cli_write_chains(sink, &job->path, &args->cuts, args->from_query, 0);
        return;
    case CLI_ALIGN_MAF:
        cli_write_maf_head(sink);
        if (is_found(job))
            cli_write_maf(sink, &job->path, &args->cuts);
        return;
    case CLI_ALIGN_TSV:
        if (args->header)
            cli_write_differences_head(sink, strand);
        if (is_found(job))
            cli_write_differences(sink, &job->path, strand);
        return;
    case CLI_ALIGN_JSON:
        write_json(sink, job);
        return;
    }
}

/* The text of SAM goes through htslib, whole. Returns 0 or an errno. */
static int write_binary(align_job *job, int threads)
{
    const bool is_cram = job->args->format == CLI_ALIGN_CRAM;
    const char *reference = is_cram ? rhomb_sequence_path(job->pair.run.target) : NULL;
    cli_sink sink;
    cli_sink_open_text(&sink);
    write_format(&sink, job);
    int code = sink.text.failed ? ENOMEM : 0;
    if (code == 0 && fflush(job->output.stream) != 0)
        code = errno;
    if (code == 0)
        code =
            cli_write_bam(job->output.stream, reference, threads, sink.text.data, sink.text.length);
    (void)cli_sink_close(&sink);
    return code;
}

static int write_text(align_job *job, int threads)
{
    cli_sink sink;
    cli_sink_open(&sink, job->output.stream, job->args->compress ? threads : 0);
    write_format(&sink, job);
    return cli_sink_close(&sink);
}

/* The exit status of writing to an output, which has returned 0 or an errno. */
static int written(const cli_output *output, int code)
{
    if (code == 0)
        return CLI_OK;
    return code == ENOMEM ? cli_fail(NULL, RHOMB_ERR_MEMORY) : cli_output_fail(output, code);
}

/* The intervals that are aligned, in a file of their own. */
static int write_callable(align_job *job)
{
    const cli_align_arguments *args = job->args;
    cli_sink sink;
    if (args->callable == NULL)
        return CLI_OK;
    cli_sink_open(&sink, job->callable.stream,
                  args->compress_callable ? cli_threads_meant(args->pair.threads) : 0);
    if (is_found(job))
        cli_write_callable(&sink, &job->path);
    return written(&job->callable, cli_sink_close(&sink));
}

static int write_alignment(align_job *job)
{
    const cli_align_arguments *args = job->args;
    const int32_t threads = cli_threads_meant(args->pair.threads);
    const bool is_text = args->format == CLI_ALIGN_SAM || !is_sam(args->format);
    const int code = is_text ? write_text(job, threads) : write_binary(job, threads);
    if (code == 0 && job->wrong[0] != '\0')
        return cli_fail_with(rhomb_status_class(RHOMB_ERR_INTERNAL), "%s: %s",
                             rhomb_status_text(RHOMB_ERR_INTERNAL), job->wrong);
    return written(&job->output, code);
}

static int solve(align_job *job)
{
    const cli_path *path = &job->path;
    char why[320];
    if (lacks_sequences(job, why, sizeof why))
        return refuse(job, why);
    cli_pair_begin(&job->pair);
    const rhomb_status solved =
        rhomb_align(job->pair.ctx, path->target, path->target_length, path->query,
                    path->query_length, &job->args->pair.options, &job->alignment);
    const int status = cli_pair_end(&job->pair, solved);
    if (status != CLI_OK)
        return status;
    const rhomb_report *report = rhomb_alignment_report(job->alignment)->whole;
    job->path.ops = rhomb_alignment_path(job->alignment, &job->path.count);
    cli_pair_note_bases(&job->pair, report);
    if (report->exceeds_max_distance)
        cli_note(0, "the distance is larger than %" PRId64 ": there is no alignment",
                 report->max_distance);
    if (lacks_path(job, why, sizeof why))
        return refuse(job, why);
    return CLI_OK;
}

static cli_indexed indexed_kind(int format)
{
    return format == CLI_ALIGN_VCF   ? CLI_INDEXED_VCF
           : format == CLI_ALIGN_BAM ? CLI_INDEXED_BAM
                                     : CLI_INDEXED_CRAM;
}

/* Writes the index of the output, which is complete but not in its place. */
static int write_index(align_job *job)
{
    if (job->index_ending == NULL)
        return CLI_OK;
    if (fflush(job->output.stream) != 0)
        return cli_output_fail(&job->output, errno);
    const int code = cli_index_build(indexed_kind(job->args->format), job->output.temporary,
                                     job->index.temporary, job->index_ending);
    return code == 0 ? CLI_OK : cli_output_fail(&job->index, code);
}

/* Writes what was computed, and puts it in its place. */
static int deliver(align_job *job)
{
    const rhomb_align_report *report = rhomb_alignment_report(job->alignment);
    const double start = cli_seconds_now();
    cli_pair_join(&job->pair);
    int status = write_alignment(job);
    if (status == CLI_OK)
        status = write_index(job);
    if (status == CLI_OK)
        status = write_callable(job);
    if (status != CLI_OK)
        return status;
    if (!cli_output_commit(&job->output) ||
        (job->index_ending != NULL && !cli_output_commit(&job->index)) ||
        (job->args->callable != NULL && !cli_output_commit(&job->callable)))
        return CLI_FAILED;
    const double seconds = cli_seconds_now() - start;
    cli_report_details(&job->pair.run, report->whole);
    cli_align_details(report, seconds);
    if (job->args->report == NULL)
        return CLI_OK;
    if (!cli_align_json(job->report.stream, &job->pair.run, report))
        return CLI_MEMORY;
    return cli_output_commit(&job->report) ? CLI_OK : CLI_FAILED;
}

/* The plan is for people: it does not replace the alignment. It has two directions, as the run. */
static int plan(align_job *job)
{
    cli_pair_arguments *args = &job->args->pair;
    args->tuning.directions = 2;
    args->options.tuning = &args->tuning;
    const int status = cli_pair_plan(&job->pair, job->output.stream, job->args->json_plan);
    if (status != CLI_OK)
        return status;
    return cli_output_commit(&job->output) ? CLI_OK : CLI_FAILED;
}

static bool open_outputs(align_job *job)
{
    const cli_align_arguments *args = job->args;
    if (args->pair.dry_run)
        return cli_output_open(&job->output, NULL);
    return cli_output_open(&job->output, args->pair.output) &&
           (args->report == NULL || cli_output_open(&job->report, args->report)) &&
           (args->callable == NULL || cli_output_open(&job->callable, args->callable));
}

/* A file of BAM, CRAM or compressed VCF, but no pipe, has an index, by the target's length. */
static int open_index(align_job *job)
{
    const cli_align_arguments *args = job->args;
    const bool is_indexed = args->format == CLI_ALIGN_BAM || args->format == CLI_ALIGN_CRAM ||
                            (args->format == CLI_ALIGN_VCF && args->compress);
    if (!is_indexed || job->output.temporary == NULL)
        return CLI_OK;
    const char *ending =
        cli_index_ending(indexed_kind(args->format), cli_path_target_record(&job->path));
    if (ending == NULL)
        return refuse(job, "there is no index for so long a target");
    const size_t size = strlen(job->output.path) + strlen(ending) + 1;
    char *name = malloc(size);
    if (name == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    snprintf(name, size, "%s%s", job->output.path, ending);
    const bool opened = cli_output_open(&job->index, name);
    free(name);
    job->index_ending = opened ? ending : NULL;
    return opened ? CLI_OK : CLI_FAILED;
}

/* Bases of the record after a region of it. */
static int64_t bases_after(const rhomb_sequence *region)
{
    return rhomb_sequence_record_length(region) - rhomb_sequence_record_begin(region) -
           rhomb_sequence_length(region);
}

/* A path without operations yet. */
static cli_path path_of(const cli_run *run)
{
    const rhomb_sequence *target = run->target, *query = run->query;
    return (cli_path){.target_name = rhomb_sequence_record(target),
                      .query_name = rhomb_sequence_record(query),
                      .target = rhomb_sequence_bases(target),
                      .query = run->query_bases,
                      .target_length = rhomb_sequence_length(target),
                      .query_length = rhomb_sequence_length(query),
                      .target_before = rhomb_sequence_record_begin(target),
                      .target_after = bases_after(target),
                      .query_before = rhomb_sequence_record_begin(query),
                      .query_after = bases_after(query),
                      .reverse = run->reverse,
                      .rotation = run->rotation};
}

static int work(align_job *job)
{
    int status = cli_pair_create(&job->pair);
    if (status == CLI_OK && !open_outputs(job))
        status = CLI_FAILED;
    if (status == CLI_OK)
        status = cli_pair_prepare(&job->pair);
    if (status != CLI_OK)
        return status;
    const cli_run *run = &job->pair.run;
    job->path = path_of(run);
    job->path.scoring = run->scoring;
    job->path.cigar_m = job->args->cigar_m;
    job->path.md = job->args->md;
    if (job->args->pair.dry_run)
        return plan(job);
    status = open_index(job);
    if (status == CLI_OK)
        status = solve(job);
    if (status == CLI_OK)
        status = deliver(job);
    if (status == CLI_OK)
        cli_note_usage(run->device, run->start_seconds);
    return status;
}

int cli_align_run(cli_align_arguments *args, int argc, char **argv)
{
    align_job job = {.args = args};
    job.pair = cli_pair_start(&args->pair, argc, argv);
    job.pair.run.with_path = true;
    job.pair.needs_digests = args->report != NULL || is_sam(args->format) ||
                             args->format == CLI_ALIGN_VCF || args->format == CLI_ALIGN_JSON;
    const int status = work(&job);
    rhomb_alignment_destroy(job.alignment);
    cli_pair_release(&job.pair);
    cli_output_close(&job.report);
    cli_output_close(&job.callable);
    cli_output_close(&job.index);
    cli_output_close(&job.output);
    return status;
}
