/* SPDX-License-Identifier: MIT */
/*
 * The work of `rhomb align`: the library's path goes to the file as it is, in pieces. Both outputs
 * are opened first, so that a bad name fails before a long run. What SAM cannot hold is refused
 * before it too, as far as it is known by then.
 */
#include "host/cli/align/align_run.h"

#include "host/cli/align/align_formats.h"
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
    cli_output report;
} align_job;

static bool is_found(const align_job *job)
{
    return !rhomb_alignment_report(job->alignment)->whole->exceeds_max_distance;
}

/* Prints why the format cannot hold the alignment. */
static int refuse(const char *why)
{
    cli_error("--format sam: %s", why);
    cli_say("the other formats have no such limits");
    return CLI_FAILED;
}

static void write_sam(cli_sink *sink, const align_job *job)
{
    const cli_run *run = &job->pair.run;
    const bool has_region = cli_path_target_record(&job->path) != job->path.target_length;
    const cli_sam_head head = {.target_md5 = has_region ? NULL : rhomb_sequence_md5(run->target),
                               .argc = run->argc,
                               .argv = run->argv};
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

static void write_format(cli_sink *sink, const align_job *job)
{
    const cli_align_arguments *args = job->args;
    const bool strand = cli_pair_shows_strand(&args->pair);
    switch ((cli_align_format)args->format) {
    case CLI_ALIGN_PAF:
        if (is_found(job))
            cli_write_paf(sink, &job->path, &args->cuts, args->cs);
        return;
    case CLI_ALIGN_SAM:
        write_sam(sink, job);
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

static int write_alignment(align_job *job)
{
    const int32_t threads = cli_threads_meant(job->args->pair.threads);
    cli_sink sink;
    cli_sink_open(&sink, job->output.stream, job->args->compress ? threads : 0);
    write_format(&sink, job);
    const int code = cli_sink_close(&sink);
    if (code == 0)
        return CLI_OK;
    return code == ENOMEM ? cli_fail(NULL, RHOMB_ERR_MEMORY) : cli_output_fail(&job->output, code);
}

static int solve(align_job *job)
{
    const cli_path *path = &job->path;
    char why[320];
    if (job->args->format == CLI_ALIGN_SAM && cli_sam_lacks_sequences(path, why, sizeof why))
        return refuse(why);
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
    if (job->args->format == CLI_ALIGN_SAM && cli_sam_lacks_path(path, why, sizeof why))
        return refuse(why);
    return CLI_OK;
}

/* Writes what was computed, and puts it in its place. */
static int deliver(align_job *job)
{
    const rhomb_align_report *report = rhomb_alignment_report(job->alignment);
    const double start = cli_seconds_now();
    cli_pair_join(&job->pair);
    const int status = write_alignment(job);
    if (status != CLI_OK)
        return status;
    if (!cli_output_commit(&job->output))
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
           (args->report == NULL || cli_output_open(&job->report, args->report));
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
    if (job->args->pair.dry_run)
        return plan(job);
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
    job.pair.needs_digests =
        args->report != NULL || args->format == CLI_ALIGN_SAM || args->format == CLI_ALIGN_JSON;
    const int status = work(&job);
    rhomb_alignment_destroy(job.alignment);
    cli_pair_release(&job.pair);
    cli_output_close(&job.report);
    cli_output_close(&job.output);
    return status;
}
