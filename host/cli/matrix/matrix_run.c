/* SPDX-License-Identifier: MIT */
/*
 * The work of `rhomb matrix`: reads all sequences, takes what an earlier run has left, computes the
 * rest, and writes rows.
 */
#include "host/cli/matrix/matrix_run.h"

#include "host/cli/many/journal.h"

typedef struct matrix_job {
    const cli_matrix_arguments *args;
    double start_seconds;
    rhomb_context *ctx;
    cli_output output;
    cli_matrix_sequences sequences;
    cli_matrix_rows rows;
    cli_journal *journal; /* of --resume; NULL: none */
    cli_matrix_guides guides;
    int64_t begin, end; /* pairs that are asked for: all, or a part */
    int64_t first_pair; /* of these, the first that is not known yet */
    cli_progress progress;
    rhomb_matrix_report report;
} matrix_job;

/* A section of the journal, its mark: pairs of a row, a column and the distances from there on. */
static const char ROW[] = "row";

/* Writes what is known, unless it is a part. */
static bool write_row(matrix_job *job, int64_t row, int64_t column, const int64_t *distances,
                      size_t count)
{
    return job->args->part.of > 0 ||
           cli_matrix_rows_take(&job->rows, row, column, distances, count);
}

/* A rhomb_matrix_fn. */
static int take(int64_t row, int64_t column, const int64_t *distances, size_t count, void *user)
{
    matrix_job *job = user;
    const int64_t place[] = {row, column};
    if (job->journal != NULL) {
        cli_journal_add(job->journal, ROW, place, 2, distances, count * sizeof *distances);
        if (cli_journal_settle(job->journal) != CLI_OK)
            return 1;
    }
    return !write_row(job, row, column, distances, count);
}

/* A rhomb_matrix_progress_fn: "12.3 %, 61440 of 499500 pairs, 40 s, ETA 5 min". */
static int on_progress(const rhomb_matrix_progress *now, void *user)
{
    matrix_job *job = user;
    char done[64];
    if (cli_progress_is_due(&job->progress, now->seconds, now->building)) {
        snprintf(done, sizeof done, "%" PRId64 " of %" PRId64 " pairs", now->done, now->pairs);
        cli_progress_tell(&job->progress, now->seconds, now->fraction, now->eta_seconds, done);
    }
    return cli_interrupted();
}

static void note_details(const matrix_job *job)
{
    const rhomb_matrix_report *r = &job->report;
    cli_text text[6];
    cli_note(1,
             "pairs: %" PRId64 " computed, %" PRId64 " from --resume, %" PRId64
             " beyond the limit, %" PRId64 " by the engines for long pairs, %" PRId64
             " of these with a guide",
             r->pairs, job->first_pair - job->begin, r->exceeding, r->long_pairs, r->guided);
    cli_note(1,
             "work: %" PRId64 " of %" PRId64 " sequences packed for all pairs, %" PRId64
             " jobs, device memory %s",
             r->pooled, job->sequences.count, r->jobs, cli_show_bytes(r->device_bytes, &text[0]));
    cli_note(
        1, "time: build %s, pack %s, solve %s, long pairs %s, deliver %s, total %s",
        cli_show_seconds(r->seconds_build, &text[0]), cli_show_seconds(r->seconds_pack, &text[1]),
        cli_show_seconds(r->seconds_solve, &text[2]), cli_show_seconds(r->seconds_long, &text[3]),
        cli_show_seconds(r->seconds_deliver, &text[4]),
        cli_show_seconds(r->seconds_total, &text[5]));
}

static int open_device(matrix_job *job)
{
    const rhomb_status opened =
        rhomb_context_open(job->ctx, job->args->device, job->args->open_flags);
    if (opened != RHOMB_OK)
        return cli_fail(job->ctx, opened);
    cli_note_device(job->ctx, job->args->device);
    return CLI_OK;
}

/* Computes the pairs of sequences that no earlier run has left. */
static int compute_records(matrix_job *job)
{
    rhomb_matrix_options options = job->args->options;
    options.first_pair = job->first_pair;
    options.end_pair = job->end;
    options.columns = job->sequences.columns;
    options.results = take;
    options.user = job;
    options.progress = on_progress;
    options.progress_user = job;
    if (cli_matrix_looks(job->args)) {
        options.guide = cli_matrix_guide;
        options.guide_user = &job->guides;
        if (!cli_matrix_guides_open(&job->guides, job->args, job->sequences.list,
                                    rhomb_context_device_count(job->ctx)))
            return cli_fail(NULL, RHOMB_ERR_MEMORY);
    }
    cli_progress_start(&job->progress, rhomb_context_device(job->ctx)->name);
    cli_interrupts_defer();
    const rhomb_status status = rhomb_matrix_compute(job->ctx, job->sequences.list,
                                                     job->sequences.count, &options, &job->report);
    cli_interrupts_restore();
    cli_clear_status_line();
    if (cli_interrupted() != 0)
        return cli_stopped(cli_interrupted());
    /* What could not be written was said, or is when it is closed. */
    if (status == RHOMB_ERR_CANCELLED)
        return CLI_FAILED;
    return status == RHOMB_OK ? CLI_OK : cli_matrix_fail(job->ctx, status, &job->sequences);
}

/* Computes all pairs that no earlier run has left. */
static int compute(matrix_job *job)
{
    job->report = (rhomb_matrix_report)RHOMB_MATRIX_REPORT_INIT;
    if (job->first_pair == job->end)
        return CLI_OK;
    const int status = open_device(job);
    if (status != CLI_OK)
        return status;
    return job->args->by_file ? cli_matrix_files_compute(job->args, &job->sequences, job->ctx,
                                                         job->first_pair, job->end, take, job)
                              : compute_records(job);
}

/* Takes what the file of --resume has. The exit status. */
static int take_rows(matrix_job *job)
{
    rhomb__section section = {.end = 0};
    int64_t place[2];
    while (cli_journal_next(job->journal, &section)) {
        const int64_t count = (section.bytes - (int64_t)sizeof place) / (int64_t)sizeof *place;
        const int64_t *numbers = section.content;
        if (strcmp(section.name, ROW) != 0 || count < 1)
            continue;
        memcpy(place, numbers, sizeof place);
        const cli_matrix_cell c = {place[0], place[1]};
        const int64_t columns = job->sequences.columns;
        const int64_t width = job->sequences.has_two ? columns : c.row;
        if (c.row < columns || c.row >= job->sequences.count || c.column < 0 || c.column >= width ||
            count > width - c.column || cli_matrix_number(&job->sequences, c) != job->first_pair)
            return cli_fail_with(CLI_INPUT,
                                 "%s: not the pairs that come next: of parts that are not "
                                 "complete, or not in their order",
                                 job->args->resume);
        if (!write_row(job, place[0], place[1], numbers + 2, (size_t)count))
            return CLI_FAILED;
        job->first_pair += count;
    }
    return CLI_OK;
}

/* Opens the file of --resume, and takes what it has. */
static int resume(matrix_job *job)
{
    char digest[33], identity[200];
    if (job->args->resume == NULL)
        return CLI_OK;
    if (job->args->by_file)
        cli_matrix_files_digest(job->args, &job->sequences, digest);
    rhomb_matrix_options options = job->args->options;
    options.columns = job->sequences.columns;
    const rhomb_status status = job->args->by_file
                                    ? RHOMB_OK
                                    : rhomb_matrix_digest(job->ctx, job->sequences.list,
                                                          job->sequences.count, &options, digest);
    if (status != RHOMB_OK)
        return cli_fail(job->ctx, status);
    snprintf(identity, sizeof identity,
             "version: %s\ncall: matrix of %" PRId64 " sequences\n"
             "digest: %s\n",
             rhomb_version(), job->sequences.count, digest);
    int code = cli_journal_open(&job->journal, job->args->resume, identity, ROW);
    if (code == CLI_OK)
        code = take_rows(job);
    if (code == CLI_OK && job->first_pair > job->end)
        return cli_fail_with(CLI_INPUT, "%s: has more than part %" PRId64 " of %" PRId64,
                             job->args->resume, job->args->part.number, job->args->part.of);
    if (code == CLI_OK && job->first_pair > job->begin)
        cli_note(0, "%s has %" PRId64 " of %" PRId64 " pair%s", job->args->resume,
                 job->first_pair - job->begin, job->end - job->begin, cli_s(job->end - job->begin));
    return code;
}

/* Which pairs are asked for. The exit status. */
static int choose_pairs(matrix_job *job)
{
    const cli_part_asked *part = &job->args->part;
    const bool whole = part->of == 0;
    const rhomb_status status =
        whole ? RHOMB_OK
              : rhomb_matrix_part(job->sequences.list, job->sequences.count, part->number - 1,
                                  part->of, &job->begin, &job->end);
    if (status != RHOMB_OK)
        return cli_fail(NULL, status);
    if (whole)
        job->end = cli_matrix_pairs(&job->sequences);
    job->first_pair = job->begin;
    if (!whole)
        cli_note(0, "part %" PRId64 " of %" PRId64 ": %" PRId64 " pair%s of %" PRId64, part->number,
                 part->of, job->end - job->begin, cli_s(job->end - job->begin),
                 rhomb_matrix_pair(job->sequences.count, 0));
    return CLI_OK;
}

/* Writes what the pairs would take. The exit status. */
static int plan(matrix_job *job)
{
    int status = choose_pairs(job);
    if (status == CLI_OK)
        status = open_device(job);
    return status == CLI_OK ? cli_matrix_plan(job->args, &job->sequences, job->ctx, job->begin,
                                              job->end, &job->output)
                            : status;
}

/* Computes what is asked for, and writes it. The exit status. */
static int solve(matrix_job *job)
{
    const bool has_rows = job->args->part.of == 0;
    int status =
        has_rows ? cli_matrix_rows_begin(&job->rows, job->args, &job->sequences, job->output.stream)
                 : CLI_OK;
    if (status == CLI_OK)
        status = choose_pairs(job);
    if (status == CLI_OK)
        status = resume(job);
    if (status == CLI_OK)
        status = compute(job);
    const int code = has_rows ? cli_matrix_rows_end(&job->rows, status == CLI_OK) : 0;
    if (code != 0 && (status == CLI_OK || status == CLI_FAILED))
        status = cli_output_status(&job->output, code);
    return status;
}

static int work(matrix_job *job)
{
    const cli_matrix_arguments *args = job->args;
    const rhomb_status created = cli_context_create(&job->ctx, args->cache_dir, args->threads);
    if (created != RHOMB_OK)
        return cli_fail(NULL, created);
    const bool writes = args->part.of == 0 || args->dry_run;
    if (writes && !cli_output_open(&job->output, args->dry_run ? NULL : args->output))
        return CLI_FAILED;
    int status = cli_matrix_read(job->ctx, args, &job->sequences);
    if (status == CLI_OK)
        status = cli_matrix_orient(args, &job->sequences);
    if (status == CLI_OK)
        status = args->dry_run ? plan(job) : solve(job);
    if (status == CLI_OK && writes && !cli_output_commit(&job->output))
        status = CLI_FAILED;
    if (status == CLI_OK) {
        if (!args->by_file && !args->dry_run)
            note_details(job);
        cli_note_shares(job->ctx);
        cli_note_usage(rhomb_context_device(job->ctx), job->start_seconds);
    }
    return status;
}

int cli_matrix_run(const cli_matrix_arguments *args)
{
    matrix_job job = {.args = args, .start_seconds = cli_seconds_now()};
    const int status = work(&job);
    cli_journal_release(job.journal);
    cli_matrix_guides_release(&job.guides);
    cli_matrix_sequences_release(&job.sequences);
    rhomb_context_destroy(job.ctx);
    cli_output_close(&job.output);
    return status;
}
