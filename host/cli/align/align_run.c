/* SPDX-License-Identifier: MIT */
/*
 * The work of `rhomb align`: the library's path goes to the files as it is, in pieces. All outputs
 * are opened first, so that a bad name fails before a long run. What a format cannot hold is
 * refused before it too, as far as it is known by then.
 */
#include "host/cli/align/align_run.h"

#include "host/cli/align/align_files.h"
#include "host/cli/align/align_formats.h"
#include "host/cli/command/modes.h"
#include "host/cli/pair/pair_run.h"

#include <cJSON.h>
#include <inttypes.h>
#include <string.h>

/* Everything that a run holds and has to release. */
typedef struct align_job {
    cli_align_arguments *args;
    cli_pair_job pair;
    rhomb_alignment *alignment;
    cli_path path;
    cli_target target;
    cli_head head;
    cli_align_files files;
    cli_output report;
} align_job;

/* Whether there is an alignment; of parts it may be empty. */
static bool is_found(const align_job *job)
{
    return (rhomb_alignment_local(job->alignment) == NULL || job->path.count > 0) &&
           !rhomb_alignment_report(job->alignment)->whole->exceeds_max_distance;
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

static void set_head(align_job *job)
{
    const cli_align_arguments *args = job->args;
    const cli_run *run = &job->pair.run;
    job->target =
        (cli_target){.name = job->path.target_name, .length = cli_path_target_record(&job->path)};
    job->head = (cli_head){.targets = &job->target,
                           .target_count = 1,
                           .target_file = rhomb_sequence_path(run->target),
                           .sample = args->sample != NULL ? args->sample : job->path.query_name,
                           .reverse = run->reverse,
                           .rotation = run->rotation,
                           .max_allele = args->max_allele,
                           .least_identity = args->least_identity,
                           .is_sorted = true,
                           .argc = run->argc,
                           .argv = run->argv};
}

static int write_files(align_job *job)
{
    if (job->target.length == rhomb_sequence_length(job->pair.run.target))
        job->target.md5 = rhomb_sequence_md5(job->pair.run.target);
    job->head.has_path = is_found(job);
    int status = cli_align_files_begin(&job->files, &job->head);
    if (status == CLI_OK && job->args->format == CLI_ALIGN_JSON)
        write_json(&job->files.sink, job);
    if (status == CLI_OK && is_found(job))
        status = cli_align_files_add(&job->files, &job->path);
    return status == CLI_OK ? cli_align_files_commit(&job->files) : status;
}

/* The path is that of the parts which are aligned, as of regions of the records. */
static void take_parts(align_job *job, const rhomb_pair_extent *e)
{
    cli_path *path = &job->path;
    cli_note_empty(path->count == 0, 1, path->scoring, job->args->how.mode,
                   &job->args->how.free_ends);
    path->target_before += e->target_begin;
    path->target_after += path->target_length - e->target_end;
    path->target += e->target_begin;
    path->target_length = e->target_end - e->target_begin;
    path->query_before += path->reverse ? path->query_length - e->query_end : e->query_begin;
    path->query_after += path->reverse ? e->query_begin : path->query_length - e->query_end;
    path->query += e->query_begin;
    path->query_length = e->query_end - e->query_begin;
}

static rhomb_status align_pair(align_job *job)
{
    const cli_path *path = &job->path;
    const rhomb_options *options = &job->args->pair.options;
    if (job->args->how.mode == RHOMB_MODE_GLOBAL)
        return rhomb_align(job->pair.ctx, path->target, path->target_length, path->query,
                           path->query_length, options, &job->alignment);
    return rhomb_align_mode(job->pair.ctx, path->target, path->target_length, path->query,
                            path->query_length, &job->args->how, options, &job->alignment);
}

static int solve(align_job *job)
{
    const cli_path *path = &job->path;
    int status = cli_align_files_check(&job->files, path);
    if (status != CLI_OK)
        return status;
    cli_pair_begin(&job->pair);
    const rhomb_status solved = align_pair(job);
    status = cli_pair_end(&job->pair, solved);
    if (status != CLI_OK)
        return status;
    const rhomb_report *report = rhomb_alignment_report(job->alignment)->whole;
    const rhomb_local_report *local = rhomb_alignment_local(job->alignment);
    job->path.ops = rhomb_alignment_path(job->alignment, &job->path.count);
    if (local != NULL)
        take_parts(job, local->extent);
    job->pair.run.local = local;
    job->pair.run.mode = job->args->how.mode;
    cli_pair_note_bases(&job->pair, report);
    if (report->exceeds_max_distance)
        cli_note(0, "the distance is larger than %" PRId64 ": there is no alignment",
                 report->max_distance);
    return cli_align_files_check(&job->files, path);
}

/* Writes what was computed, and puts it in its place. */
static int deliver(align_job *job)
{
    const rhomb_align_report *report = rhomb_alignment_report(job->alignment);
    const double start = cli_seconds_now();
    cli_pair_join(&job->pair);
    const int status = write_files(job);
    if (status != CLI_OK)
        return status;
    const double seconds = cli_seconds_now() - start;
    if (job->pair.run.local != NULL)
        cli_mode_details(&job->pair.run);
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
    FILE *stream = job->files.output.stream;
    const bool json = job->args->format == CLI_ALIGN_JSON;
    const int status = job->args->how.mode == RHOMB_MODE_GLOBAL
                           ? cli_pair_plan(&job->pair, stream, json)
                           : cli_pair_plan_mode(&job->pair, &job->args->how, stream, json);
    if (status != CLI_OK)
        return status;
    return cli_output_commit(&job->files.output) ? CLI_OK : CLI_FAILED;
}

static int open_outputs(align_job *job)
{
    const cli_align_arguments *args = job->args;
    const int status = cli_align_files_open(&job->files, args);
    if (status != CLI_OK || args->pair.dry_run || args->report == NULL)
        return status;
    return cli_output_open(&job->report, args->report) ? CLI_OK : CLI_FAILED;
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
    if (status == CLI_OK)
        status = open_outputs(job);
    if (status == CLI_OK)
        status = cli_pair_prepare(&job->pair);
    if (status != CLI_OK)
        return status;
    const cli_run *run = &job->pair.run;
    job->path = path_of(run);
    job->path.scoring = run->scoring;
    job->path.cigar_m = job->args->cigar_m;
    job->path.md = job->args->md;
    job->path.least_identity = job->args->least_identity;
    if (job->args->pair.dry_run)
        return plan(job);
    set_head(job);
    status = cli_align_files_prepare(&job->files, &job->head);
    if (status == CLI_OK)
        status = solve(job);
    if (status == CLI_OK)
        status = deliver(job);
    if (status == CLI_OK) {
        cli_pair_drop_resume(&job->pair);
        cli_note_usage(run->device, run->start_seconds);
    }
    return status;
}

/* Formats with the target's digest. */
static bool is_with_digest(int format)
{
    return format == CLI_ALIGN_SAM || format == CLI_ALIGN_BAM || format == CLI_ALIGN_CRAM ||
           format == CLI_ALIGN_VCF || format == CLI_ALIGN_JSON;
}

int cli_align_run(cli_align_arguments *args, int argc, char **argv)
{
    align_job job = {.args = args};
    job.pair = cli_pair_start(&args->pair, argc, argv);
    job.pair.run.with_path = true;
    job.pair.needs_digests = args->report != NULL || is_with_digest(args->format);
    const int status = work(&job);
    rhomb_alignment_destroy(job.alignment);
    cli_pair_release(&job.pair);
    cli_output_close(&job.report);
    cli_align_files_close(&job.files);
    return status;
}
