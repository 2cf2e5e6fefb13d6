/* SPDX-License-Identifier: MIT */
/*
 * The work of `rhomb batch`. Everything runs at the same time:
 *
 *     feed        reads chunks of pairs ahead
 *     this file   adds them to the batch, and is called back with results, in order
 *     printer     formats rows on several threads, and writes them on one
 *
 * A chunk is kept until the results of all its pairs have been formatted, and then filled again. A
 * pair that fails stops the run after the preceding rows, or, with --keep-going, its row has the
 * error.
 */
#include "host/cli/batch/batch_arguments.h"

#include "host/cli/batch/matched.h"
#include "host/cli/batch/printer.h"
#include "host/cli/command/options.h"

#include <stdatomic.h>

/* Rows between the one that is formatted and the one whose CIGAR is prefetched: 4 are as good. */
enum { ROWS_AHEAD = 8 };

/*
 * The most loads whose text is kept, of 2 MiB each: pairs may be far apart in it, and a batch waits
 * for enough of them. Without such gaps a job takes 4 to 6 loads.
 */
#define MOST_LOADS  128
#define LOADS_A_JOB 8
/*
 * Under a limit on the address space, the most loads, and the most bytes of a load, after which all
 * its pairs are solved before the next one is read.
 */
#define LIMITED_LOADS 8
#define LIMITED_BYTES (INT64_C(4) << 20)

/* Everything that a run holds and has to release. */
typedef struct batch_job {
    cli_batch_arguments args;
    double start_seconds;
    rhomb_context *ctx;
    rhomb_batch *batch;
    cli_output output;
    cli_matched *matched; /* with --match */
    cli_feed *feed;
    cli_printer *printer;
    cli_row_style style;
    cli_aligned aligned; /* of formats of alignments */
    cli_load *first;     /* loads with pairs that have not been delivered */
    cli_load **last;
    int64_t loads; /* their number */
    cli_batch_look look;
    cli_batch_failure failure;
    cli_batch_counts counts;
    cli_journal *journal; /* with --resume */
    int kept;             /* the exit status of what is kept, there or of a query's results */
    double fraction;      /* of the input, of which there are rows; not above 0: not known */
    bool complete;        /* there is a row for each pair up to the end, or to a bad one */
    cli_progress progress;
} batch_job;

/* Rows that are formatted together: results of consecutive pairs, from `first` on. */
typedef struct rows {
    const batch_job *job;
    cli_batch_look *look;
    const cli_load *loads; /* where the pairs are */
    int64_t first;
    const rhomb_pair_result *const *results;
    /* Pairs without a result among those formatted so far, and the first of them. */
    atomic_int_least64_t failures;
    atomic_int_least64_t first_failed;
    atomic_int_least64_t empty; /* whose best alignment is */
} rows;

/* The number of a pair for the user: from 1, in the input, and not in the part that is solved. */
static int64_t number_of(const batch_job *job, int64_t pair)
{
    const cli_part_asked *part = &job->args.part;
    if (job->matched != NULL)
        return cli_matched_first(job->matched) + pair + 1;
    return part->of == 0 ? pair + 1 : pair * part->of + part->number;
}

/* Any of the formatting threads may call it. */
static void note_failed_row(rows *r, int64_t pair)
{
    int64_t first = atomic_load(&r->first_failed);
    atomic_fetch_add(&r->failures, 1);
    while (pair < first && !atomic_compare_exchange_weak(&r->first_failed, &first, pair))
        continue;
}

/*
 * Formats the rows of consecutive pairs of one chunk and returns their number: all with
 * --keep-going, else those before the first pair without a result.
 */
static size_t print_run(cli_buffer *out, rows *r, const cli_load *load, size_t first, size_t count)
{
    const rhomb_pair_chunk *chunk = load->chunk;
    const rhomb_pair_result *const *results =
        r->results + (chunk->first + (int64_t)first - r->first);
    size_t fault = cli_load_fault(load, first);
    int64_t empty = 0;
    for (size_t i = first; i < first + count; i++) {
        const rhomb_pair_result *result = *results++;
        if (i + ROWS_AHEAD < first + count)
            cli_rows_expect(result + ROWS_AHEAD);
        cli_row row = {.number = number_of(r->job, chunk->first + (int64_t)i),
                       .pair = &cli_load_pairs(load)[i],
                       .names = chunk->names != NULL ? &chunk->names[i] : NULL,
                       .qualities = chunk->qualities != NULL ? chunk->qualities[i] : NULL,
                       .result = result,
                       .reverse = load->reverse != NULL && load->reverse[i]};
        if (result->status != RHOMB_OK) {
            row.error = result->detail;
            note_failed_row(r, chunk->first + (int64_t)i);
            if (!r->job->args.keep_going)
                return i - first;
        }
        if (fault < chunk->fault_count && chunk->faults[fault].index == i) {
            row.error = chunk->faults[fault++].detail;
            row.is_fault = true;
        }
        empty += cli_row_is_empty(&r->job->style, &row);
        cli_batch_look_at_row(r->look, &r->job->style, &row);
        if (load->waits != NULL && load->waits[i])
            continue;
        cli_aligned_append(out, &r->job->style, &row);
    }
    atomic_fetch_add(&r->empty, empty);
    return count;
}

/* A cli_print_fn. */
static size_t print_rows(cli_buffer *out, size_t first, size_t count, void *user)
{
    rows *r = user;
    int64_t pair = r->first + (int64_t)first;
    const cli_load *load = cli_load_of(r->loads, pair);
    size_t printed = 0;
    while (printed < count) {
        const size_t index = (size_t)(pair - load->chunk->first);
        const size_t rest = load->chunk->count - index;
        const size_t run = count - printed < rest ? count - printed : rest;
        const size_t done = print_run(out, r, load, index, run);
        printed += done;
        if (done < run)
            break;
        pair += (int64_t)run;
        load = load->next;
    }
    return printed;
}

/* A cli_print_fn. */
static size_t print_header(cli_buffer *out, size_t first, size_t count, void *user)
{
    (void)first;
    cli_aligned_header(out, user);
    return count;
}

/* A cli_print_fn: records of queries that are in several pairs. */
static size_t print_kept(cli_buffer *out, size_t first, size_t count, void *user)
{
    const batch_job *job = user;
    for (size_t i = first; i < first + count; i++)
        cli_matched_append_kept(job->matched, i, out, &job->style);
    return count;
}

/* A cli_print_fn: records without a partner. */
static size_t print_left(cli_buffer *out, size_t first, size_t count, void *user)
{
    const batch_job *job = user;
    for (size_t i = first; i < first + count; i++)
        cli_matched_append_left(job->matched, i, out, &job->style);
    return count;
}

/*
 * Records the failure of a pair. Faults of the input are noted when their chunk is added, while
 * results of preceding pairs are still to come.
 */
static void note_failure(batch_job *job, const rhomb_pair_chunk *chunk, size_t index,
                         rhomb_status status, const char *detail)
{
    cli_batch_failure *f = &job->failure;
    const int64_t number = number_of(job, chunk->first + (int64_t)index);
    job->counts.failures++;
    if (f->status != RHOMB_OK && f->number <= number)
        return;
    f->status = status;
    f->number = number;
    f->line = job->args.queries == NULL ? rhomb_pair_chunk_line(chunk, index) : 0;
    if (chunk->names != NULL) {
        const rhomb_pair_names *names = &chunk->names[index];
        snprintf(f->names[0], sizeof f->names[0], "%s", names->target != NULL ? names->target : "");
        snprintf(f->names[1], sizeof f->names[1], "%s", names->query != NULL ? names->query : "");
    }
    snprintf(f->detail, sizeof f->detail, "%s", detail != NULL ? detail : "");
}

/*
 * Records the failures that the formatting threads have seen. Faults of a chunk are counted when it
 * is added.
 */
static void note_failures(batch_job *job, rows *r)
{
    const int64_t failures = atomic_load(&r->failures);
    const int64_t first = atomic_load(&r->first_failed);
    if (failures == 0)
        return;
    const rhomb_pair_result *result = r->results[first - r->first];
    const rhomb_pair_chunk *chunk = cli_load_of(r->loads, first)->chunk;
    note_failure(job, chunk, (size_t)(first - chunk->first), result->status, result->detail);
    job->counts.failures += failures - 1;
}

/* Gives back the chunks whose pairs are all before `pair`. */
static void recycle(batch_job *job, int64_t pair)
{
    while (job->first != NULL &&
           job->first->chunk->first + (int64_t)job->first->chunk->count <= pair) {
        cli_load *load = job->first;
        job->first = load->next;
        job->fraction = load->fraction;
        job->loads--;
        if (job->first == NULL)
            job->last = &job->first;
        cli_feed_recycle(job->feed, load);
    }
}

/* With --resume, keeps what has been printed. False if that has failed. */
static bool keep(batch_job *job)
{
    job->counts.failed = job->failure.status;
    if (job->journal != NULL)
        job->kept = cli_batch_kept_mark(job->journal, job->printer, &job->counts);
    return job->kept == CLI_OK;
}

/* For rhomb_batch_options: prints results, and gives back the finished chunks. */
static int deliver(int64_t first, const rhomb_pair_result *const *results, size_t count, void *user)
{
    batch_job *job = user;
    rows r = {
        .job = job, .look = &job->look, .loads = job->first, .first = first, .results = results};
    size_t printed = 0;
    atomic_init(&r.failures, 0);
    atomic_init(&r.first_failed, INT64_MAX);
    const bool good = cli_printer_print(job->printer, print_rows, &r, count, &printed);
    note_failures(job, &r);
    job->counts.empty += r.empty;
    job->counts.printed += (int64_t)printed;
    if (!good || printed < count)
        return 1;
    if (job->matched != NULL)
        job->kept = cli_matched_keep(job->matched, first, results, count);
    if (job->kept != CLI_OK || !keep(job))
        return 1;
    recycle(job, first + (int64_t)count);
    cli_progress_pairs(&job->progress, cli_seconds_now() - job->start_seconds, job->counts.printed,
                       job->fraction);
    return 0;
}

/* Whether the pairs that wait must be solved before more are read. */
static bool is_full(const batch_job *job, const cli_load *last)
{
    const int64_t for_jobs = (int64_t)LOADS_A_JOB * job->args.tuning.workers;
    if (cli_space_limit() > 0)
        return job->loads >= LIMITED_LOADS || cli_load_bytes(last) > LIMITED_BYTES;
    return job->loads > MOST_LOADS && job->loads > for_jobs;
}

/*
 * Adds the pairs of a chunk. Its faults are empty pairs, which make rows with --keep-going; without
 * it *fault says that the first one stops the run.
 */
static rhomb_status add_load(batch_job *job, cli_load *load, bool *fault)
{
    const rhomb_pair_chunk *chunk = load->chunk;
    const bool has_faults = chunk->fault_count > 0;
    size_t count = chunk->count;
    load->next = NULL;
    *job->last = load;
    job->last = &load->next;
    *fault = has_faults && !job->args.keep_going;
    if (*fault) {
        count = chunk->faults[0].index;
    } else if (has_faults) {
        note_failure(job, chunk, chunk->faults[0].index, RHOMB_ERR_INPUT, "");
        job->counts.failures += (int64_t)chunk->fault_count - 1;
    }
    job->loads++;
    if (job->args.sketch && cli_is_dna(job->args.options.alphabet))
        cli_batch_look_at(&job->look, chunk);
    else if (job->args.options.alphabet == RHOMB_ALPHABET_PROTEIN && job->loads == 1)
        cli_batch_note_nucleotides(chunk);
    const rhomb_status status = rhomb_batch_add(job->batch, cli_load_pairs(load), count);
    /* The chunk is still there: a batch does not start a job before it has more pairs. */
    return status == RHOMB_OK && is_full(job, load) ? rhomb_batch_finish(job->batch) : status;
}

/* With --flush, delivers all rows when the input pauses. False if printing has failed. */
static bool deliver_early(batch_job *job, rhomb_status *status)
{
    if (!job->args.flush || cli_feed_is_ready(job->feed))
        return true;
    *status = rhomb_batch_finish(job->batch);
    return *status != RHOMB_OK || cli_printer_flush(job->printer);
}

/*
 * Adds all pairs, from those of `load` on, and delivers all results. *read says whether the input
 * could be read to its end.
 */
static rhomb_status add_all(batch_job *job, cli_load *load, rhomb_status *read)
{
    rhomb_status status = RHOMB_OK;
    bool fault = false;
    *read = RHOMB_OK;
    while (load != NULL && status == RHOMB_OK && !fault) {
        status = add_load(job, load, &fault);
        if (status == RHOMB_OK && !fault && !deliver_early(job, &status))
            return status; /* the printer has the failure */
        if (status == RHOMB_OK && !fault)
            *read = cli_feed_next(job->feed, &load);
    }
    if (status == RHOMB_OK)
        status = rhomb_batch_finish(job->batch);
    /* The chunk with the fault is still the first unfinished one. */
    if (status == RHOMB_OK && fault) {
        const rhomb_pair_chunk *chunk = job->first->chunk;
        note_failure(job, chunk, chunk->faults[0].index, RHOMB_ERR_INPUT, chunk->faults[0].detail);
    }
    return status;
}

/* If the input cannot be used, the rows before that place are kept, in all files. */
static int keep_rows(batch_job *job, int code)
{
    cli_journal_release(job->journal);
    job->journal = NULL;
    job->complete = code == CLI_INPUT;
    if (job->complete && job->output.path != NULL)
        cli_say("%s has the preceding rows (%" PRId64 ")", job->args.output, job->counts.printed);
    return code;
}

/*
 * Prints, after all other rows, those of queries that are in several pairs, then of the records
 * without a partner. The exit status.
 */
static int print_all_left(batch_job *job)
{
    size_t count = 0, printed = 0;
    if (job->matched == NULL)
        return CLI_OK;
    const size_t kept = cli_matched_settle(job->matched, &job->style);
    if (kept > 0 && !cli_printer_print(job->printer, print_kept, job, kept, &printed))
        return cli_printer_finish(job->printer);
    const int status = cli_matched_leave(job->matched, &count);
    if (status == CLI_OK && count > 0 &&
        !cli_printer_print(job->printer, print_left, job, count, &printed))
        return cli_printer_finish(job->printer);
    return status;
}

/* Prints the rows of all pairs. The first chunk has been read. */
static int solve(batch_job *job, cli_load *load)
{
    rhomb_status read = RHOMB_OK;
    cli_progress_start(&job->progress, rhomb_context_device(job->ctx)->name);
    const rhomb_status status = add_all(job, load, &read);
    int printed = CLI_OK;
    if (status == RHOMB_OK && read == RHOMB_OK &&
        (job->failure.status == RHOMB_OK || job->args.keep_going))
        printed = print_all_left(job);
    if (printed == CLI_OK)
        printed = job->kept != CLI_OK ? job->kept : cli_printer_finish(job->printer);
    cli_clear_status_line();
    if (printed != CLI_OK)
        return printed;
    if (job->failure.status != RHOMB_OK && !job->args.keep_going)
        return keep_rows(job, cli_batch_fail_pair(&job->failure, &job->args));
    if (status != RHOMB_OK)
        return cli_fail(job->ctx, status);
    if (read != RHOMB_OK)
        return keep_rows(job, cli_feed_fail(job->feed, read));
    job->complete = true;
    cli_batch_look_end(&job->look);
    cli_note_empty(job->counts.empty, job->counts.printed, job->args.options.scoring,
                   job->args.options.mode, &job->args.options.free_ends);
    cli_batch_note_details(&(cli_batch_details){.report = rhomb_batch_get_report(job->batch),
                                                .feed = job->feed,
                                                .printer = job->printer,
                                                .failures = job->counts.failures,
                                                .start_seconds = job->start_seconds});
    cli_note_shares(job->ctx);
    if (job->counts.failures == 0)
        return CLI_OK;
    cli_error("no result for %" PRId64 " of %" PRId64 " pair%s: the row%s why",
              job->counts.failures, job->counts.printed, cli_s(job->counts.printed),
              job->counts.failures == 1 ? " says" : "s say");
    return rhomb_status_class(job->failure.status);
}

/*
 * Except on a CPU, half as many jobs at a time as there are threads, which read and format
 * meanwhile. bench/results/batch.csv has the rate of the whole command. Several devices share them;
 * each needs three, of which one may wait until older results have been delivered.
 */
static void choose_workers(batch_job *job)
{
    cli_batch_arguments *args = &job->args;
    const int32_t threads = cli_threads_meant(args->threads);
    const int32_t devices = rhomb_context_device_count(job->ctx);
    const int32_t least = devices > 1 ? 3 : 2, each = threads / 2 / devices;
    if (args->tuning.workers != 0 || rhomb_context_device(job->ctx)->kind == RHOMB_DEVICE_CPU)
        return;
    args->tuning.workers = each > least ? each : least;
    args->options.tuning = &args->tuning;
}

/* With --resume, goes on with what the file has. The exit status. */
static int go_on(batch_job *job)
{
    if (job->journal == NULL)
        return CLI_OK;
    const int status =
        cli_batch_kept_repeat(job->journal, job->printer, &job->output, &job->counts);
    job->failure.status = job->counts.failed;
    return status;
}

/* The header, and with --resume the rows that there are. */
static int start_printing(batch_job *job)
{
    const cli_batch_arguments *args = &job->args;
    size_t printed = 0;
    job->printer = cli_printer_start(&job->output, cli_threads_meant(args->threads));
    if (job->printer == NULL)
        return CLI_MEMORY;
    const int status = cli_aligned_start(&job->aligned, &job->output, job->printer, args->threads);
    if (status != CLI_OK)
        return status;
    if ((args->header &&
         !cli_printer_print(job->printer, print_header, &job->aligned, 1, &printed)) ||
        (args->flush && !cli_printer_flush(job->printer)))
        return cli_printer_finish(job->printer);
    return go_on(job);
}

/* The exit status. */
static int start_reading(batch_job *job)
{
    const cli_batch_arguments *args = &job->args;
    if (args->match != NULL)
        job->matched = cli_matched_start(args->path, args->queries, args->match, args->threads);
    else
        job->feed = cli_feed_start(args->path, args->queries, &args->pairs, args->strand_auto,
                                   args->threads);
    return job->matched != NULL || job->feed != NULL ? CLI_OK : CLI_MEMORY;
}

/* With --match, waits until all is read. The exit status. */
static int find_partners(batch_job *job)
{
    if (job->matched == NULL)
        return CLI_OK;
    const cli_batch_arguments *args = &job->args;
    int status = cli_matched_find(job->matched, cli_is_dna(args->options.alphabet), &args->part);
    if (status == CLI_OK && cli_is_sam(args->format))
        status = cli_matched_wait(job->matched, args->part.of > 0 || args->resume != NULL);
    if (status != CLI_OK)
        return status;
    job->feed = cli_feed_of(job->matched);
    return job->feed != NULL ? CLI_OK : CLI_MEMORY;
}

/*
 * Opens the device while the first chunk is read, and prints the header. Input errors are reported
 * first; with --flush the header comes before them, as input may wait for it.
 */
static int prepare(batch_job *job, cli_load **load)
{
    cli_batch_arguments *args = &job->args;
    int status = start_reading(job);
    if (status != CLI_OK)
        return status;
    const rhomb_status opened = rhomb_context_open(job->ctx, args->device, args->open_flags);
    if (opened == RHOMB_OK && args->flush)
        status = start_printing(job);
    if (status == CLI_OK)
        status = find_partners(job);
    if (status == CLI_OK && opened == RHOMB_OK && args->resume != NULL)
        status = cli_batch_kept_open(&job->journal, args, rhomb_context_device(job->ctx)->name,
                                     job->matched);
    if (status != CLI_OK)
        return status;
    const rhomb_status read = cli_feed_next(job->feed, load);
    if (read != RHOMB_OK)
        return cli_feed_fail(job->feed, read);
    if (opened != RHOMB_OK)
        return cli_fail(job->ctx, opened);
    cli_note_device(job->ctx, args->device);
    args->options.results = deliver;
    args->options.user = job;
    args->options.borrow_pairs = true; /* chunks are kept until their rows are formatted */
    args->options.profile = cli_verbosity() > 0;
    choose_workers(job);
    const rhomb_status created = rhomb_batch_create(job->ctx, &args->options, &job->batch);
    if (created != RHOMB_OK)
        return cli_fail(job->ctx, created);
    return args->flush ? CLI_OK : start_printing(job);
}

static const rhomb_scoring EDIT = RHOMB_SCORING_EDIT;

/* Whether results have extents: with any but unit costs, end to end. */
static bool is_scored(const rhomb_batch_options *options)
{
    return options->mode != RHOMB_MODE_GLOBAL ||
           (options->scoring != NULL && memcmp(options->scoring, &EDIT, sizeof EDIT) != 0);
}

static int work(batch_job *job)
{
    const cli_batch_arguments *args = &job->args;
    cli_load *load = NULL;
    const rhomb_status created = cli_context_create(&job->ctx, args->cache_dir, args->threads);
    if (created != RHOMB_OK)
        return cli_fail(NULL, created);
    job->style =
        (cli_row_style){.format = (cli_row_format)args->format,
                        .cigar = args->options.cigar,
                        .error = args->keep_going,
                        .strand = args->match != NULL || args->strand_auto,
                        .is_dna = cli_is_dna(args->options.alphabet),
                        .max_distance = args->options.max_distance,
                        .scored = is_scored(&args->options),
                        .mode = args->options.mode,
                        .scoring = args->options.scoring != NULL ? *args->options.scoring : EDIT,
                        .iupac = args->options.alphabet == RHOMB_ALPHABET_IUPAC};
    if (!cli_output_open(&job->output, args->output))
        return CLI_FAILED;
    job->aligned.style = &job->style;
    int status = cli_aligned_read(&job->aligned, args->path, args->threads);
    if (status == CLI_OK)
        status = prepare(job, &load);
    if (status == CLI_OK)
        status = solve(job, load);
    else if (load != NULL)
        cli_feed_recycle(job->feed, load);
    const int closed = cli_output_status(&job->output, cli_aligned_close(&job->aligned));
    job->complete = job->complete && closed == CLI_OK;
    status = status == CLI_OK ? closed : status;
    /* Rows with an error in place of a result are complete, too. */
    if (job->complete && !cli_output_commit(&job->output))
        status = CLI_FAILED;
    if (job->complete && status != CLI_FAILED)
        cli_journal_drop(job->journal);
    if (job->complete)
        cli_note_usage(rhomb_context_device(job->ctx), job->start_seconds);
    return status;
}

int cli_batch_run(const cli_batch_arguments *args, int argc, char **argv)
{
    batch_job job = {.args = *args,
                     .aligned = {.argc = argc, .argv = argv},
                     .start_seconds = cli_seconds_now(),
                     .look.by_order = args->match != NULL
                                          ? strcmp(args->match, "order") == 0
                                          : args->queries != NULL && !args->pairs.one_to_many,
                     .look.is_matched = args->match != NULL,
                     .look.is_oriented = args->strand_auto,
                     .look.is_global = args->options.mode == RHOMB_MODE_GLOBAL,
                     .look.is_edit = cli_verbosity() >= 0 && (args->options.scoring == NULL ||
                                                              cli_is_edit(args->options.scoring))};
    job.last = &job.first;
    const int status = work(&job);
    cli_printer_release(job.printer);
    rhomb_batch_destroy(job.batch);
    while (job.first != NULL) {
        cli_load *next = job.first->next;
        cli_feed_recycle(job.feed, job.first);
        job.first = next;
    }
    cli_feed_release(job.feed);
    cli_matched_release(job.matched);
    rhomb_context_destroy(job.ctx);
    cli_journal_release(job.journal);
    cli_output_close(&job.output);
    return status;
}
