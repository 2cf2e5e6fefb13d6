/* SPDX-License-Identifier: MIT */
/*
 * The frame of commands on one pair of sequences, see pair_run.h.
 */
#include "host/cli/pair/pair_run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/cli/base/orient.h"
#include "host/cli/ranks/run_ranks.h"
#include "src/checkpoint/saver.h"

cli_pair_job cli_pair_start(cli_pair_arguments *args, int argc, char **argv)
{
    return (cli_pair_job){
        .args = args,
        .held = -1,
        .run = {
            .argc = argc, .argv = argv, .start = time(NULL), .start_seconds = cli_seconds_now()}};
}

/* Finds where the file of --resume is: not a link to it, which would be replaced. */
static bool place_resume(cli_pair_job *job)
{
    cli_pair_arguments *args = job->args;
    const char *name = args->resume_beside ? args->output : args->resume;
    if (name == NULL)
        return true;
    char *place = cli_output_place(name);
    if (place != NULL)
        job->resume = cli_with_ending(place, args->resume_beside ? ".resume" : "");
    free(place);
    args->resume = job->resume;
    return job->resume != NULL;
}

int cli_pair_create(cli_pair_job *job)
{
    const rhomb_context_options options = {.struct_size = sizeof options,
                                           .cache_dir = job->args->cache_dir,
                                           .log = cli_log,
                                           .threads = job->args->threads};
    job->run.score = job->args->score;
    job->run.scoring = job->args->options.scoring;
    if (!place_resume(job))
        return cli_fail_with(CLI_FAILED, "cannot write the file of --resume: %s", strerror(errno));
    if (job->args->match == NULL)
        job->args->options.checkpoint = job->resume;
    job->run.has_checkpoint = job->args->options.checkpoint != NULL;
    const rhomb_status created = rhomb_context_create(&job->ctx, &options);
    return created == RHOMB_OK ? CLI_OK : cli_fail(NULL, created);
}

/* The span from the start of the first reader to the end of the last. */
static double reading_seconds(const cli_pair_job *job)
{
    const double target = cli_reader_ended(job->target);
    const double query = cli_reader_ended(job->query);
    return (target > query ? target : query) - cli_reader_began(job->target);
}

/* Starts both readers; the last one that finishes looks at both sequences. */
static int start_reading(cli_pair_job *job)
{
    const cli_pair_arguments *args = job->args;
    /* A rotation is that of a strand. */
    const bool is_forward = args->strand == CLI_STRAND_FORWARD || args->blocks ||
                            (args->strand == CLI_STRAND_NONE && args->rotation != CLI_ROTATE_NONE);
    const cli_relation_options given = {.strand = args->strand == CLI_STRAND_REVERSE ? '-'
                                                  : is_forward                       ? '+'
                                                                                     : 0,
                                        .whole = args->blocks,
                                        .guides = args->options.engine != RHOMB_ENGINE_WAVEFRONT,
                                        .dense = args->blocks,
                                        .has_rotation = args->blocks || args->rotation >= 0,
                                        .rotation = args->rotation > 0 ? args->rotation : 0};
    if (args->sketch && args->options.alphabet == RHOMB_ALPHABET_DNA)
        job->look = cli_look_create(args->threads, &given);
    job->target = cli_reader_start(args->target_path, args->target_region, args->threads,
                                   cli_look_hook(job->look, 0));
    job->query = cli_reader_start(args->query_path, args->query_region, args->threads,
                                  cli_look_hook(job->look, 1));
    return job->target != NULL && job->query != NULL ? CLI_OK : CLI_MEMORY;
}

static void note_frame(const cli_run *run, bool may_rotate)
{
    char rotation[64] = "";
    if (run->rotation > 0)
        snprintf(rotation, sizeof rotation, ", rotated by %" PRId64 " base%s", run->rotation,
                 cli_s(run->rotation));
    else if (may_rotate)
        snprintf(rotation, sizeof rotation, ", not rotated");
    cli_note(0, "the query is on strand %c%s", run->reverse ? '-' : '+', rotation);
}

/*
 * Says what the look has found, chooses the query's strand and rotation, and makes a copy where the
 * file has them otherwise.
 */
static int orient(cli_pair_job *job)
{
    const cli_pair_arguments *args = job->args;
    cli_run *run = &job->run;
    const cli_look_asked asked = {.strand = args->strand == CLI_STRAND_NONE,
                                  .rotation = args->rotation == CLI_ROTATE_NONE};
    const cli_relation *found = cli_look_relation(job->look);
    const bool is_found = found != NULL && found->is_related;
    const int64_t length = rhomb_sequence_length(run->query);
    const bool asks = args->strand == CLI_STRAND_AUTO || args->rotation == CLI_ROTATE_AUTO;
    if (args->rotation > 0 && args->rotation >= length)
        return cli_fail_with(CLI_USAGE, "--rotate: the query has only %" PRId64 " base%s", length,
                             cli_s(length));
    if (!args->blocks)
        cli_look_warn(found, &asked);
    if (!args->blocks && !args->parts)
        cli_look_warn_within(job->look);
    run->target_name = rhomb_sequence_name(run->target);
    run->query_name = rhomb_sequence_name(run->query);
    run->shows_strand = cli_pair_shows_strand(args);
    run->query_bases = rhomb_sequence_bases(run->query);
    run->reverse = args->strand == CLI_STRAND_REVERSE ||
                   (args->strand == CLI_STRAND_AUTO && is_found && found->reverse);
    run->rotation = args->rotation == CLI_ROTATE_AUTO && is_found ? found->rotation
                    : args->rotation > 0                          ? args->rotation
                                                                  : 0;
    if (asks && !is_found)
        cli_note(0, "the sketch has found nothing in common: the query stays as it is");
    else if (asks)
        note_frame(run, args->rotation == CLI_ROTATE_AUTO);
    if (run->reverse || run->rotation > 0) {
        job->oriented = cli_orient(run->query_bases, length, run->reverse, run->rotation);
        if (job->oriented == NULL)
            return cli_fail(NULL, RHOMB_ERR_MEMORY);
        run->query_bases = job->oriented;
    }
    return CLI_OK;
}

/* Where the sketch believes that a path leads. */
static void guide(cli_pair_job *job)
{
    const cli_run *run = &job->run;
    const cli_relation *found = cli_look_relation(job->look);
    if (found == NULL || job->args->blocks || job->args->options.engine == RHOMB_ENGINE_WAVEFRONT)
        return;
    if (cli_guide_make(found, run->scoring, rhomb_sequence_length(run->target),
                       rhomb_sequence_length(run->query), run->reverse, run->rotation, &job->guide,
                       &job->points))
        job->args->options.guide = &job->guide;
}

rhomb_status cli_pair_open(cli_pair_job *job)
{
    const double start = cli_seconds_now();
    const cli_pair_arguments *args = job->args;
    const rhomb_status status =
        cli_ranks_open(job->ctx, args->device, args->open_flags, args->cache_dir, args->threads);
    job->run.open_seconds = cli_seconds_now() - start;
    job->run.device = rhomb_context_device(job->ctx);
    job->run.ctx = job->ctx;
    return status;
}

/* Waits for a reader; a hint follows the error of a file that has more records than one. */
static int finish_reading(cli_reader *reader, const char *path, const char *option,
                          const rhomb_sequence **sequence)
{
    const int status = cli_reader_finish(reader, sequence);
    if (status == CLI_OK || !cli_reader_has_several(reader) || cli_say_if_pairs(path))
        return status;
    cli_say("%s NAME uses that one; --match names, order, best or FILE compares all records of "
            "both files",
            option);
    return status;
}

int cli_pair_prepare(cli_pair_job *job)
{
    const cli_pair_arguments *args = job->args;
    cli_run *run = &job->run;
    const int started = start_reading(job);
    if (started != CLI_OK)
        return started;
    const rhomb_status opened = cli_pair_open(job);
    const double end = cli_seconds_now();
    int status = finish_reading(job->target, args->target_path, "-r", &run->target);
    if (status == CLI_OK)
        status = finish_reading(job->query, args->query_path, "-q", &run->query);
    if (status == CLI_OK && opened != RHOMB_OK)
        status = cli_fail(job->ctx, opened);
    if (status != CLI_OK)
        return status;
    run->read_seconds = reading_seconds(job);
    run->read_while_open = cli_reader_began(job->target) < end;
    cli_note_device(job->ctx, args->device);
    status = orient(job);
    if (status != CLI_OK)
        return status;
    guide(job);
    if (job->needs_digests) {
        cli_reader_digest(job->target);
        cli_reader_digest(job->query);
    }
    return CLI_OK;
}

void cli_pair_join(cli_pair_job *job)
{
    cli_reader_join(job->target);
    cli_reader_join(job->query);
}

void cli_pair_note_bases(const cli_pair_job *job, const rhomb_report *report)
{
    const rhomb_base_counts *t = &report->target_bases;
    const rhomb_base_counts *q = &report->query_bases;
    const int64_t folded = t->folded + q->folded;
    const int64_t uracils = t->uracils + q->uracils;
    const int64_t n = t->n + q->n;
    const int64_t iupac = t->iupac + q->iupac;
    if (job->args->options.alphabet != RHOMB_ALPHABET_DNA)
        return;
    if (folded > 0)
        cli_note(0, "%" PRId64 " lower-case base%s treated as upper case", folded, cli_s(folded));
    if (uracils > 0)
        cli_note(0, "%" PRId64 " U treated as T", uracils);
    if (n > 0 || iupac > 0)
        cli_note(0, "%" PRId64 " N and %" PRId64 " other IUPAC code%s: each matches only itself", n,
                 iupac, cli_s(iupac));
}

/* Adds what the library does not know: the files of its "target" and "query". */
static int fail_pair(const cli_pair_job *job, rhomb_status status)
{
    const int code = cli_fail(job->ctx, status);
    if (status == RHOMB_ERR_ALPHABET) {
        const cli_run *run = &job->run;
        cli_say("target: %s of %s", rhomb_sequence_name(run->target),
                cli_input_name(rhomb_sequence_path(run->target)));
        cli_say("query: %s of %s%s", rhomb_sequence_name(run->query),
                cli_input_name(rhomb_sequence_path(run->query)),
                job->oriented != NULL ? ", counted on its strand and rotated" : "");
        if (!cli_say_if_pairs(job->args->target_path))
            cli_say_if_pairs(job->args->query_path);
    }
    return code;
}

int cli_pair_plan(cli_pair_job *job, FILE *stream, bool json)
{
    rhomb_plan *plan = NULL;
    const cli_run *run = &job->run;
    const rhomb_status status = rhomb_plan_distance(
        job->ctx, rhomb_sequence_bases(run->target), rhomb_sequence_length(run->target),
        run->query_bases, rhomb_sequence_length(run->query), &job->args->options, &plan);
    if (status != RHOMB_OK)
        return fail_pair(job, status);
    cli_pair_join(job);
    int code = CLI_OK;
    if (!json)
        cli_plan_text(stream, run, plan);
    else if (!cli_plan_json(stream, run, plan))
        code = CLI_MEMORY;
    rhomb_plan_destroy(plan);
    return code;
}

int cli_pair_plan_mode(cli_pair_job *job, const rhomb_mode_options *mode, FILE *stream, bool json)
{
    rhomb_mode_plan plan = RHOMB_MODE_PLAN_INIT;
    cli_run *run = &job->run;
    const rhomb_status status = rhomb_plan_mode(
        job->ctx, rhomb_sequence_bases(run->target), rhomb_sequence_length(run->target),
        run->query_bases, rhomb_sequence_length(run->query), mode, &job->args->options, &plan);
    if (status != RHOMB_OK)
        return fail_pair(job, status);
    cli_pair_join(job);
    run->mode = mode->mode;
    if (json)
        return cli_mode_plan_json(stream, run, &plan) ? CLI_OK : CLI_MEMORY;
    cli_mode_plan_text(stream, run, &plan);
    return CLI_OK;
}

static int on_progress(const rhomb_progress *now, void *user)
{
    cli_progress_show(user, now);
    return cli_interrupted();
}

void cli_pair_begin(cli_pair_job *job)
{
    job->args->options.progress = on_progress;
    job->args->options.progress_user = &job->progress;
    cli_progress_start(&job->progress, job->run.device->name);
    cli_interrupts_defer();
}

int cli_pair_end(cli_pair_job *job, rhomb_status status)
{
    cli_interrupts_restore();
    cli_progress_end(&job->progress);
    if (cli_interrupted() != 0 && (status == RHOMB_OK || status == RHOMB_ERR_CANCELLED))
        return cli_stopped(cli_interrupted());
    if (status != RHOMB_OK)
        return fail_pair(job, status);
    if (job->resume != NULL)
        job->held = rhomb__saver_keep(job->resume);
    return CLI_OK;
}

void cli_pair_drop_resume(const cli_pair_job *job)
{
    if (job->held >= 0)
        cli_drop_finished(job->resume);
}

void cli_pair_release(cli_pair_job *job)
{
    cli_reader_release(job->query);
    cli_reader_release(job->target);
    cli_look_release(job->look);
    free(job->points);
    free(job->oriented);
    rhomb_context_destroy(job->ctx);
    if (job->held >= 0)
        close(job->held);
    free(job->resume);
}
