/* SPDX-License-Identifier: MIT */
/* The frame of commands on one pair of sequences, see pair_run.h. */
#include "host/cli/pair/pair_run.h"

#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include "host/cli/ranks/run_ranks.h"
#include "host/cli/sketch/blocks.h"
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
    job->run.score = job->args->score.text;
    job->run.scoring = job->args->options.scoring;
    job->run.alphabet = job->args->options.alphabet;
    if (!place_resume(job))
        return cli_fail_with(CLI_FAILED, "cannot write the file of --resume: %s", strerror(errno));
    if (job->args->match == NULL)
        job->args->options.checkpoint = job->resume;
    job->run.has_checkpoint = job->args->options.checkpoint != NULL;
    const rhomb_status created =
        cli_context_create(&job->ctx, job->args->cache_dir, job->args->threads);
    return created == RHOMB_OK ? CLI_OK : cli_fail(NULL, created);
}

/* When reading took place: from the start of the first reader to the end of the last. */
static void take_times(cli_pair_job *job)
{
    double began, target, query;
    cli_assembly_times(job->query, &began, &query);
    cli_assembly_times(job->target, &began, &target);
    job->run.read_seconds = (target > query ? target : query) - began;
    job->run.read_while_open = began < job->opened;
}

/* Starts both readers. */
static int start_reading(cli_pair_job *job)
{
    const cli_pair_arguments *args = job->args;
    if (args->sketch && cli_is_dna(args->options.alphabet) && !cli_has_minimizers)
        cli_note(1,
                 "no sketch of the sequences: this build was configured with -DRHOMB_SKETCH=OFF");
    job->target = cli_assembly_start_one(args->target_path, args->target_region, args->threads);
    job->query = cli_assembly_start_one(args->query_path, args->query_region, args->threads);
    return job->target != NULL && job->query != NULL ? CLI_OK : CLI_MEMORY;
}

/* Looks at both sequences; with --blocks, their blocks are extended. */
static void look(cli_pair_job *job)
{
    const cli_pair_arguments *args = job->args;
    const rhomb_sequence *target = job->run.target, *query = job->run.query;
    /* A rotation is that of a strand. */
    cli_relation_options options =
        cli_look_options(args, args->rotation != CLI_ROTATE_NONE ? '+' : '\0');
    /* A thread takes address space, which is scarce under a limit. */
    options.threads = cli_space_limit() > 0 ? 1 : cli_threads_meant(args->threads);
    const cli_two two = {.target = rhomb_sequence_bases(target),
                         .target_length = rhomb_sequence_length(target),
                         .query = rhomb_sequence_bases(query),
                         .query_length = rhomb_sequence_length(query)};
    const double start = cli_seconds_now();
    job->is_known =
        cli_relate(&two, &options, &job->found) &&
        (!args->blocks || cli_blocks_extend(&two, NULL, job->found.blocks, job->found.count));
    job->found.seconds = cli_seconds_now() - start;
}

/* Waits for a reader; a hint follows the error of a file that has more records than one. */
static int finish_reading(cli_assembly_reader *reader, const char *path, const char *option,
                          const rhomb_sequence **sequence)
{
    const int status = cli_assembly_one(reader, sequence);
    if (status == CLI_OK || !cli_assembly_has_several(reader) || cli_say_if_pairs(path))
        return status;
    cli_say("%s NAME uses that one; --match names, order, best, best-target or FILE compares all "
            "records of "
            "both files",
            option);
    return status;
}

/* Waits for both readers, and looks: see cli_pair_open(). */
static void *read_both(void *user)
{
    cli_pair_job *job = user;
    const cli_pair_arguments *args = job->args;
    job->status = finish_reading(job->target, args->target_path, "-r", &job->run.target);
    if (job->status == CLI_OK)
        job->status = finish_reading(job->query, args->query_path, "-q", &job->run.query);
    if (job->status == CLI_OK && args->sketch && cli_has_minimizers &&
        cli_is_dna(args->options.alphabet))
        look(job);
    return NULL;
}

const cli_relation *cli_pair_relation(const cli_pair_job *job)
{
    return job->is_known ? &job->found : NULL;
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

/* Says what the look has found, and chooses the query's strand and rotation. */
static int orient(cli_pair_job *job)
{
    const cli_pair_arguments *args = job->args;
    cli_run *run = &job->run;
    const cli_look_asked asked = {.strand = args->strand == CLI_STRAND_NONE,
                                  .rotation = args->rotation == CLI_ROTATE_NONE,
                                  .as_given = args->as_given};
    const cli_relation *found = cli_pair_relation(job);
    const bool is_found = found != NULL && found->is_related;
    const int64_t length = rhomb_sequence_length(run->query);
    const bool asks = args->strand == CLI_STRAND_AUTO || args->rotation == CLI_ROTATE_AUTO;
    if (args->rotation > 0 && args->rotation >= length)
        return cli_fail_with(CLI_USAGE, "--rotate: the query has only %" PRId64 " base%s", length,
                             cli_s(length));
    if (!args->blocks)
        cli_look_warn(found, &asked);
    if (!args->blocks && !args->parts)
        cli_look_warn_within(found, &asked, run->target, run->query);
    run->target_name = rhomb_sequence_name(run->target);
    run->query_name = rhomb_sequence_name(run->query);
    run->shows_strand = cli_pair_shows_strand(args);
    run->reverse = args->strand == CLI_STRAND_REVERSE ||
                   (args->strand == CLI_STRAND_AUTO && is_found && found->reverse);
    run->rotation = args->rotation == CLI_ROTATE_AUTO && is_found ? found->rotation
                    : args->rotation > 0                          ? args->rotation
                                                                  : 0;
    if (asks && !is_found)
        cli_note(0, "the sketch has found nothing in common: the query stays as it is");
    else if (asks)
        note_frame(run, args->rotation == CLI_ROTATE_AUTO);
    return CLI_OK;
}

int cli_pair_open(cli_pair_job *job, void *(*read)(void *), void *user, const int *status)
{
    pthread_t thread;
    const cli_pair_arguments *args = job->args;
    const bool beside = args->threads != 1 && cli_space_limit() == 0 &&
                        pthread_create(&thread, NULL, read, user) == 0;
    const double start = cli_seconds_now();
    const rhomb_status opened =
        cli_ranks_open(job->ctx, args->device, args->open_flags, args->cache_dir, args->threads);
    job->opened = cli_seconds_now();
    job->run.open_seconds = job->opened - start;
    job->run.device = rhomb_context_device(job->ctx);
    job->run.ctx = job->ctx;
    if (beside)
        pthread_join(thread, NULL);
    else
        read(user);
    if (*status != CLI_OK)
        return *status;
    if (opened != RHOMB_OK)
        return cli_fail(job->ctx, opened);
    cli_note_device(job->ctx, args->device);
    return CLI_OK;
}

int cli_pair_prepare(cli_pair_job *job)
{
    int status = start_reading(job);
    if (status == CLI_OK)
        status = cli_pair_open(job, read_both, job, &job->status);
    if (status != CLI_OK)
        return status;
    take_times(job);
    status = orient(job);
    if (status != CLI_OK)
        return status;
    if (job->needs_digests) {
        cli_assembly_digest(job->target);
        cli_assembly_digest(job->query);
    }
    return CLI_OK;
}

void cli_pair_join(cli_pair_job *job)
{
    cli_assembly_join(job->target);
    cli_assembly_join(job->query);
}

void cli_pair_solved(cli_pair_job *job, const rhomb_report *report)
{
    const rhomb_base_counts *t = &report->target_bases;
    const rhomb_base_counts *q = &report->query_bases;
    const int64_t folded = t->folded + q->folded;
    const int64_t uracils = t->uracils + q->uracils;
    const int64_t n = t->n + q->n;
    const int64_t iupac = t->iupac + q->iupac;
    cli_interrupts_restore();
    if (job->resume != NULL)
        job->held = rhomb__saver_keep(job->resume);
    if (job->args->options.alphabet == RHOMB_ALPHABET_BYTES)
        return;
    if (job->args->options.alphabet == RHOMB_ALPHABET_PROTEIN) {
        if (folded > 0)
            cli_note(0, "%" PRId64 " lower-case letter%s treated as upper case", folded,
                     cli_s(folded));
        cli_note_if_nucleotides(report->target_length + report->query_length,
                                t->acgt + q->acgt + n);
        return;
    }
    if (folded > 0)
        cli_note(0, "%" PRId64 " lower-case base%s treated as upper case", folded, cli_s(folded));
    if (uracils > 0)
        cli_note(0, "%" PRId64 " U treated as T", uracils);
    if (n > 0 || iupac > 0)
        cli_note(0, "%" PRId64 " N and %" PRId64 " other IUPAC code%s: each matches %s", n, iupac,
                 cli_s(iupac),
                 job->args->options.alphabet == RHOMB_ALPHABET_IUPAC
                     ? "the bases that it stands for"
                     : "only itself");
}

void cli_pair_drop_resume(const cli_pair_job *job)
{
    if (job->held >= 0)
        cli_drop_finished(job->resume);
}

void cli_pair_release(cli_pair_job *job)
{
    cli_assembly_release(job->query);
    cli_assembly_release(job->target);
    cli_relation_release(&job->found);
    rhomb_context_destroy(job->ctx);
    if (job->held >= 0)
        close(job->held);
    free(job->resume);
}
