/* SPDX-License-Identifier: MIT */
/*
 * The work of `rhomb distance`, see distance_run.h. Rows are written as they are found, in the
 * order of the target. The output is opened first, so that a bad name fails before a long run.
 */
#include "host/cli/pair/distance_run.h"

#include <cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "host/cli/base/similarity.h"
#include "host/cli/pair/assemblies.h"
#include "host/cli/pair/pair_run.h"

/* Everything that a run holds and has to release. */
typedef struct distance_job {
    cli_pair_arguments *args;
    bool json, header;
    bool is_single; /* there is one pair, whose report has all that is known */
    cli_pair_job pair;
    cli_assemblies assemblies;
    cli_journal *journal; /* with --resume */
    cli_many *many;
    cli_output output;
    cli_buffer text; /* of JSON, before it is written */
    int64_t rows;
    bool has_left; /* JSON: a record without a partner was written */
} distance_job;

static int write_text(distance_job *job)
{
    cli_buffer *text = &job->text;
    if (text->failed)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    const int status = cli_output_write(&job->output, text->data, text->length);
    text->length = 0;
    return status;
}

/* The only pair's report. */
static int write_single(distance_job *job, const rhomb_report *report)
{
    const cli_run *run = &job->pair.run;
    cli_pair_solved(&job->pair, report);
    cli_report_details(run, report);
    cli_pair_join(&job->pair);
    if (job->json)
        return cli_report_json(job->output.stream, run, report) ? CLI_OK : CLI_MEMORY;
    if (job->header)
        cli_report_tsv_head(&job->text, run);
    cli_report_tsv(&job->text, run, report, cli_seconds_now() - run->start_seconds);
    return write_text(job);
}

static int on_part(const cli_part *part, void *user)
{
    distance_job *job = user;
    const rhomb_report *report = cli_part_report(part);
    if (job->is_single)
        return write_single(job, report);
    cli_run run = job->pair.run;
    run.target_name = part->pair->target.name;
    run.query_name = part->pair->query.name;
    run.reverse = part->range.reverse;
    run.rotation = part->rotation;
    if (job->json) {
        cli_append_text(&job->text, job->rows > 0 ? ",\n\t\t" : "\n\t\t");
        cli_report_json_row(&job->text, &run, report);
    } else {
        cli_report_tsv(&job->text, &run, report, part->task.seconds);
    }
    if (job->journal != NULL)
        cli_journal_first(job->journal, job->text.data, job->text.length);
    job->rows++;
    return write_text(job);
}

static int on_pair(const cli_pair *pair, int64_t aligned, void *user)
{
    distance_job *job = user;
    const int64_t counts[CLI_JOURNAL_COUNTS] = {job->rows};
    (void)aligned;
    return job->journal != NULL && pair->is_last
               ? cli_journal_mark(job->journal, pair->number + 1, cli_many_unaligned(job->many),
                                  counts)
               : CLI_OK;
}

/* For cli_assemblies_leave(). */
static int on_left(int side, const cli_record *record, void *user)
{
    distance_job *job = user;
    if (!job->json) {
        cli_report_tsv_left(&job->text, &job->pair.run, side == 0, record->name, record->length);
        return write_text(job);
    }
    cli_append_text(&job->text, job->has_left ? ",\n\t\t" : "\n\t\t");
    cli_report_json_left(&job->text, side == 0, record->name, record->length);
    job->has_left = true;
    return write_text(job);
}

static int write_head(distance_job *job)
{
    if (!job->json && job->header)
        cli_report_tsv_head(&job->text, &job->pair.run);
    if (!job->json)
        return write_text(job);
    char *text = cli_many_json_text(&job->pair.run, cli_document_distances.name);
    if (text == NULL)
        return CLI_MEMORY;
    cli_append_bytes(&job->text, text, strlen(text) - strlen("\n}"));
    cJSON_free(text);
    cli_append_text(&job->text, ",\n\t\"pairs\":\t[");
    return write_text(job);
}

/* A cli_journal_take: rows that an earlier run has written. */
static int repeat(int output, const char *text, size_t length, void *user)
{
    distance_job *job = user;
    (void)output;
    cli_append_bytes(&job->text, text, length);
    return write_text(job);
}

static int start(distance_job *job)
{
    const cli_many_hooks hooks = {.part = on_part, .pair = on_pair, .user = job};
    const char *more = job->json ? "format: json\n" : "format: tsv\n";
    int status = CLI_OK;
    if (!job->is_single && job->args->resume != NULL)
        status = cli_assemblies_journal(&job->assemblies, job->pair.run.device, "distance --match",
                                        more, NULL, &job->journal);
    if (status != CLI_OK)
        return status;
    const cli_pool_options options =
        cli_pair_pool(job->args, &job->assemblies, cli_journal_pairs(job->journal));
    job->many = cli_many_start(job->pair.ctx, &options, false, &hooks);
    if (job->many == NULL)
        return CLI_MEMORY;
    status = job->is_single ? CLI_OK : write_head(job);
    if (status != CLI_OK || job->journal == NULL)
        return status;
    job->rows = cli_journal_counted(job->journal)[0];
    return cli_journal_repeat(job->journal, cli_many_unaligned(job->many), repeat, job);
}

static void append_end(distance_job *job)
{
    cli_append_text(&job->text, "]");
    cli_many_append_shares(job->many, &job->text);
    cli_append_text(&job->text, "\n}\n");
}

static int solve(distance_job *job)
{
    const int64_t first = cli_journal_pairs(job->journal);
    int status = cli_assemblies_add(&job->assemblies, job->many, first);
    if (status == CLI_OK)
        status = cli_many_finish(job->many);
    if (status != CLI_OK || job->is_single)
        return status;
    if (job->json)
        cli_append_text(&job->text, "],\n\t\"unmatched\":\t[");
    status = cli_assemblies_leave(&job->assemblies, on_left, job);
    if (status == CLI_OK && job->json)
        append_end(job);
    return status == CLI_OK ? write_text(job) : status;
}

static int work(distance_job *job)
{
    int status = cli_pair_create(&job->pair);
    job->pair.run.shows_strand = true; /* unless one pair's options say otherwise */
    if (status == CLI_OK && !cli_output_open(&job->output, job->args->output))
        status = CLI_FAILED;
    if (status == CLI_OK)
        status = cli_assemblies_read(&job->assemblies, &job->pair);
    if (status == CLI_OK)
        status = start(job);
    if (status == CLI_OK)
        status = solve(job);
    if (status == CLI_OK && !cli_output_commit(&job->output))
        status = CLI_FAILED;
    if (status != CLI_OK)
        return status;
    cli_pair_drop_resume(&job->pair);
    cli_journal_drop(job->journal);
    cli_many_note_shares(job->many);
    cli_note_usage(job->pair.run.device, job->pair.run.start_seconds);
    return CLI_OK;
}

int cli_distance_run(cli_pair_arguments *args, bool json, bool header, int argc, char **argv)
{
    distance_job job = {
        .args = args, .json = json, .header = header, .is_single = args->match == NULL};
    job.pair = cli_pair_start(args, argc, argv);
    job.pair.needs_digests = json;
    const int status = work(&job);
    cli_many_release(job.many);
    cli_assemblies_release(&job.assemblies);
    cli_journal_release(job.journal);
    cli_pair_release(&job.pair);
    cli_buffer_release(&job.text);
    cli_output_close(&job.output);
    return status;
}
