/* SPDX-License-Identifier: MIT */
/*
 * The work of `rhomb align --ranges`: rows of a file are pairs of batches, which solve them in
 * jobs on all devices, those that are long by the engines; results come in the order of the rows,
 * and are written as other alignments are. Rows are read as the batch has room for them, except for
 * formats that have records by target: of these all rows are read first, without bases, and put in
 * that order.
 */
#include "host/cli/align/range_rows.h"

#include <rhomb/batch.h>

#include "host/cli/align/align_files.h"
#include "host/cli/align/range_batches.h"
#include "host/cli/align/range_objects.h"
#include "host/cli/base/json.h"
#include "host/cli/base/schema.h"
#include "host/cli/command/options.h"
#include "host/cli/pair/pair_run.h"

/* Rows that cannot be used, and say so; the others are counted. */
enum { FAULTS_SHOWN = 10 };

/* Rows by what became of them. */
typedef struct ranges_counts {
    int64_t rows, unaligned; /* read */
    int64_t written, faults, exceeding, empty, unplaced;
} ranges_counts;

/* Everything that a run holds and has to release. */
typedef struct ranges_job {
    cli_align_arguments *args;
    cli_pair_job pair;
    int read; /* the exit status of reading, beside the device's opening */
    cli_range_rows rows;
    cli_range_batches batches;
    cli_long_ranges longer;
    cli_ranges_kept kept; /* with --resume */
    cli_align_files files;
    cli_audit audit;
    cli_target *targets;
    char *stem;
    cli_head head;
    cli_side *queries;    /* by name, for SAM */
    cli_range_row *first; /* rows without a result so far */
    cli_range_row **last; /* where the next one is linked */
    int64_t target;       /* of the last row that was written; -1: none */
    ranges_counts counts;
    cli_output report;
    cli_progress progress;
    int64_t done;    /* rows */
    double fraction; /* of the file that has been read, */
    int64_t all;     /* or all rows, where they are read before any is aligned */
} ranges_job;

#define FIELDS "host/cli/align/ranges.def"
#include "host/cli/base/fields.inc"

const cli_document cli_document_ranges = {"rhomb.ranges.1", "rhomb align --ranges, --report",
                                          describe_ranges, false};

static void *read_files(void *user)
{
    ranges_job *job = user;
    job->read = cli_range_rows_open(&job->rows, job->args);
    return NULL;
}

/* Whether records are by target. */
static bool is_by_target(const ranges_job *job)
{
    return cli_align_has_bases(job->args->format) || job->args->format == CLI_ALIGN_VCF;
}

static int compare_sides(const void *a, const void *b)
{
    return strcmp(((const cli_side *)a)->name, ((const cli_side *)b)->name);
}

/* A cli_align_read. */
static int read_query(const char *name, const cli_side **side, void *user)
{
    const ranges_job *job = user;
    const int64_t count = rhomb_sequence_set_count(cli_range_rows_set(&job->rows, 1));
    const cli_side key = {.name = name};
    *side = bsearch(&key, job->queries, (size_t)count, sizeof key, compare_sides);
    return CLI_OK;
}

/* With JSON, whose objects are of all rows: that of a row. */
static int write_object(ranges_job *job, const cli_range_row *row, const cli_path *path,
                        const cli_range_outcome *outcome)
{
    if (job->args->format != CLI_ALIGN_JSON)
        return CLI_OK;
    cli_write_range_object(&job->files.sink, job->args, row, path, outcome);
    return cli_align_files_spill(&job->files);
}

/* Writes the alignment of a row. A query may have others, so that SAM has its records at the end.
 */
static int write_path(ranges_job *job, const cli_range_row *row, const cli_path *path)
{
    int status = CLI_OK;
    if (path->count == 0 && cli_align_has_bases(job->args->format)) {
        job->counts.empty++;
        return CLI_OK;
    }
    /* An insertion or deletion of all of a range has no base beside it to be written with. */
    if (job->args->format == CLI_ALIGN_VCF && path->count > 0 &&
        (path->target_length == 0 || path->query_length == 0)) {
        job->counts.unplaced++;
        return CLI_OK;
    }
    if (job->target >= 0 && job->target != row->record[0])
        status = cli_align_files_end_target(&job->files);
    job->target = row->record[0];
    if (status == CLI_OK)
        status = cli_align_files_check(&job->files, path);
    if (status == CLI_OK)
        status = write_object(job, row, path, &(cli_range_outcome){.has_path = true});
    if (status == CLI_OK)
        status = cli_align_files_add(&job->files, path);
    job->counts.written += status == CLI_OK;
    return status;
}

static cli_range_result result_of_task(const cli_task *task)
{
    cli_range_result result = {.status = task->status, .detail = task->error};
    if (task->status != RHOMB_OK)
        return result;
    const rhomb_local_report *local = rhomb_alignment_local(task->alignment);
    result.exceeds = rhomb_alignment_report(task->alignment)->whole->exceeds_max_distance;
    result.ops = rhomb_alignment_path(task->alignment, &result.count);
    result.extent = local != NULL ? local->extent : NULL;
    return result;
}

/* A row without a result: the end of the run or, with --keep-going, a count. */
static int take_fault(ranges_job *job, const cli_range_row *row, const cli_range_result *result)
{
    const cli_path path = cli_range_row_path(job->args, row);
    const char *why = row->fault != NULL ? row->fault : result->detail;
    const rhomb_status status = row->fault != NULL ? RHOMB_ERR_INPUT : result->status;
    char named[1280];
    snprintf(named, sizeof named, "%s: line %" PRId64 ": %s", cli_input_name(job->args->ranges),
             row->line, why != NULL ? why : "");
    job->counts.faults++;
    if (!job->args->keep_going || job->counts.faults <= FAULTS_SHOWN)
        cli_error("%s: %s", rhomb_status_text(status), row->fault != NULL ? why : named);
    if (!job->args->keep_going)
        return rhomb_status_class(status);
    const int written = write_object(job, row, &path, &(cli_range_outcome){.error = why});
    return job->args->audit != NULL && written == CLI_OK
               ? cli_audit_add(&job->audit, row, NULL, why)
               : written;
}

/* A row whose distance exceeds --max-distance. */
static int take_exceeding(ranges_job *job, const cli_range_row *row)
{
    const cli_path path = cli_range_row_path(job->args, row);
    const int written = write_object(job, row, &path, &(cli_range_outcome){.exceeds = true});
    job->counts.exceeding++;
    return job->args->audit != NULL && written == CLI_OK
               ? cli_audit_add(&job->audit, row, NULL, "the cost exceeds --max-distance")
               : written;
}

static int take_result(ranges_job *job, const cli_range_row *row, const cli_range_result *result)
{
    cli_path path = cli_range_row_path(job->args, row);
    const bool has_audit = job->args->audit != NULL;
    if (row->fault != NULL || result->status != RHOMB_OK)
        return take_fault(job, row, result);
    if (result->exceeds)
        return take_exceeding(job, row);
    path.ops = result->ops;
    path.count = result->count;
    if (job->queries != NULL)
        (void)read_query(path.query_name, &path.side, job);
    if (job->args->how.mode != RHOMB_MODE_GLOBAL)
        cli_path_take_parts(&path, result->extent);
    if (job->args->how.mode != RHOMB_MODE_GLOBAL && path.count == 0) {
        job->counts.empty++;
        return write_object(job, row, &path, &(cli_range_outcome){.has_path = false});
    }
    const int status = has_audit ? cli_audit_add(&job->audit, row, &path, NULL) : CLI_OK;
    return status == CLI_OK ? write_path(job, row, &path) : status;
}

/* Takes the result of the first row that waits, and releases it; keeps it, if it is a new one. */
static int take_first(ranges_job *job, const cli_range_result *result, bool is_new)
{
    cli_range_row *row = job->first;
    int status = take_result(job, row, result);
    if (status == CLI_OK && is_new)
        status = cli_ranges_kept_add(&job->kept, row, result);
    job->first = row->next;
    if (job->first == NULL)
        job->last = &job->first;
    cli_range_row_free(row);
    job->done++;
    return status;
}

/* Takes the first rows as far as they have results. Waits for long ones among them; with `some`,
 * until there is room for others. */
static int take_ready(ranges_job *job, bool some)
{
    int status = CLI_OK;
    while (status == CLI_OK && job->first != NULL) {
        if (job->first->held != NULL) {
            status = take_first(job, job->first->held, true);
            continue;
        }
        if (job->first->task == NULL || (some && !cli_long_ranges_are_enough(&job->longer)))
            return CLI_OK;
        status = cli_long_ranges_wait(&job->longer, job->first);
        if (status != CLI_OK)
            return status;
        const cli_range_result result = result_of_task(job->first->task);
        status = take_first(job, &result, true);
    }
    return status;
}

/* A cli_range_take_fn. */
static int take_or_hold(cli_range_row *row, const cli_range_result *result, void *user)
{
    ranges_job *job = user;
    const int status = take_ready(job, false);
    if (status != CLI_OK)
        return status;
    return row == job->first ? take_first(job, result, true)
                             : cli_range_batches_hold(&job->batches, row, result);
}

/* A cli_range_pause_fn. */
static int pause_between(void *user)
{
    ranges_job *job = user;
    if (job->longer.pool == NULL)
        cli_progress_pairs(&job->progress, cli_seconds_now() - job->pair.run.start_seconds,
                           job->done,
                           job->all > 0 ? (double)job->done / (double)job->all : job->fraction);
    return cli_interrupted() != 0 ? cli_stopped(cli_interrupted()) : CLI_OK;
}

/* Waits for the first rows where many long ones wait. */
static int make_room(ranges_job *job)
{
    int status = take_ready(job, true);
    if (status == CLI_OK && cli_long_ranges_are_enough(&job->longer))
        status = cli_range_batches_finish(&job->batches);
    return status;
}

/* A rhomb_paf_progress_fn. */
static int take_fraction(double fraction, void *user)
{
    ((ranges_job *)user)->fraction = fraction;
    return 0;
}

/* Takes what an earlier run has left of the only row that waits. */
static int take_kept(ranges_job *job)
{
    cli_range_result result;
    const int status = cli_ranges_kept_take(&job->kept, job->first, &result);
    return status == CLI_OK ? take_first(job, &result, false) : status;
}

/* Adds a row to a batch, which may deliver others, or to the pool. One that cannot be used is an
 * empty pair. */
static int add(ranges_job *job, cli_range_row *row)
{
    const int oriented = cli_range_row_orient(row);
    const cli_path path = cli_range_row_path(job->args, row);
    if (row->fault == NULL && oriented == CLI_OK)
        row->pair = (rhomb_pair){path.target, path.target_length, path.query, path.query_length};
    row->next = NULL;
    *job->last = row;
    job->last = &row->next;
    if (oriented != CLI_OK)
        return oriented;
    if (job->kept.rows > 0)
        return take_kept(job);
    if (cli_range_is_long(row)) {
        const int cut = cli_range_batches_cut(&job->batches, row);
        if (cut != CLI_OK || row->pieces != NULL)
            return cut != CLI_OK ? cut : cli_range_batches_add(&job->batches, row);
        const int added = cli_long_ranges_add(&job->longer, row);
        return added == CLI_OK ? make_room(job) : added;
    }
    return cli_range_batches_add(&job->batches, row);
}

static int compare_rows(const void *a, const void *b)
{
    const cli_range_row *x = *(cli_range_row *const *)a, *y = *(cli_range_row *const *)b;
    const int by_target = (x->record[0] > y->record[0]) - (x->record[0] < y->record[0]);
    return by_target != 0 ? by_target : (x->line > y->line) - (x->line < y->line);
}

/* Adds all rows in the order of their targets. */
static int add_by_target(ranges_job *job)
{
    cli_buffer list = {0};
    cli_range_row *row = NULL;
    int status = CLI_OK;
    do {
        status = cli_range_rows_next(&job->rows, &row);
        if (row == NULL)
            break;
        cli_range_row_rest(row);
        cli_append_bytes(&list, (const char *)&row, sizeof(cli_range_row *));
    } while (status == CLI_OK);
    if (list.failed)
        status = cli_fail(NULL, RHOMB_ERR_MEMORY);
    cli_range_row **all = (cli_range_row **)(void *)list.data;
    const size_t count = list.length / sizeof *all;
    job->all = (int64_t)count;
    if (count > 0)
        qsort(all, count, sizeof *all, compare_rows);
    size_t taken = 0;
    while (status == CLI_OK && taken < count)
        status = add(job, all[taken++]);
    while (taken < count)
        cli_range_row_free(all[taken++]);
    cli_buffer_release(&list);
    return status;
}

static int add_in_order(ranges_job *job)
{
    cli_range_row *row = NULL;
    int status = cli_range_rows_next(&job->rows, &row);
    while (status == CLI_OK && row != NULL) {
        status = add(job, row);
        row = NULL;
        if (status == CLI_OK)
            status = cli_range_rows_next(&job->rows, &row);
    }
    cli_range_row_free(row);
    return status;
}

static int list_targets(ranges_job *job)
{
    const rhomb_sequence_set *targets = cli_range_rows_set(&job->rows, 0);
    const int64_t count = rhomb_sequence_set_count(targets);
    job->targets = calloc((size_t)count, sizeof *job->targets);
    if (job->targets == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    for (int64_t i = 0; i < count; i++) {
        const char *bases = NULL;
        (void)!rhomb_sequence_set_get(targets, i, &job->targets[i].name, &bases,
                                      &job->targets[i].length);
    }
    return CLI_OK;
}

/* SAM has all bases of queries, and their qualities. */
static int list_queries(ranges_job *job)
{
    const rhomb_sequence_set *queries = cli_range_rows_set(&job->rows, 1);
    const int64_t count = rhomb_sequence_set_count(queries);
    if (!cli_align_has_bases(job->args->format))
        return CLI_OK;
    job->queries = calloc((size_t)count, sizeof *job->queries);
    if (job->queries == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    for (int64_t i = 0; i < count; i++) {
        cli_side *side = &job->queries[i];
        (void)!rhomb_sequence_set_get(queries, i, &side->name, &side->bases, &side->length);
        side->qualities = rhomb_sequence_set_qualities(queries, i);
    }
    qsort(job->queries, (size_t)count, sizeof *job->queries, compare_sides);
    job->files.read = read_query;
    job->files.user = job;
    return CLI_OK;
}

/* Begins the output. */
static int begin(ranges_job *job)
{
    const cli_align_arguments *args = job->args;
    int status = list_targets(job);
    if (status == CLI_OK)
        status = list_queries(job);
    job->stem = cli_stem(args->pair.query_path);
    if (status == CLI_OK && job->stem == NULL)
        status = cli_fail(NULL, RHOMB_ERR_MEMORY);
    job->head = (cli_head){.targets = job->targets,
                           .target_count =
                               (size_t)rhomb_sequence_set_count(cli_range_rows_set(&job->rows, 0)),
                           .target_file = args->pair.target_path,
                           .sample = args->sample != NULL ? args->sample : job->stem,
                           .max_allele = args->max_allele,
                           .least_identity = args->least_identity,
                           .has_path = true,
                           .left_out = "only the ranges of a file are aligned",
                           .argc = job->pair.run.argc,
                           .argv = job->pair.run.argv};
    if (status == CLI_OK)
        status = cli_align_files_prepare(&job->files, &job->head);
    return status == CLI_OK ? cli_align_files_begin(&job->files, &job->head) : status;
}

static int solve(ranges_job *job)
{
    int status = is_by_target(job) ? add_by_target(job) : add_in_order(job);
    /* The rows before one that cannot be used are complete, and kept for when it is mended. */
    if (status == CLI_OK || (status == CLI_INPUT && job->kept.journal != NULL)) {
        int rest = cli_range_batches_finish(&job->batches);
        if (rest == CLI_OK)
            rest = take_ready(job, false);
        status = status == CLI_OK ? rest : status;
    }
    if (status == CLI_OK && job->rows.rows == 0)
        status = cli_fail_with(CLI_INPUT, "%s: %s: has no rows", rhomb_status_text(RHOMB_ERR_INPUT),
                               cli_input_name(job->args->ranges));
    if (status == CLI_OK && job->kept.rows > 0)
        status = cli_fail_with(CLI_INPUT, "the file of --resume has more rows than %s",
                               cli_input_name(job->args->ranges));
    if (status == CLI_OK)
        status = cli_align_files_end_target(&job->files);
    return status;
}

/* What there is no alignment of. */
static void note_left_out(const ranges_job *job)
{
    if (job->counts.exceeding > 0)
        cli_note(0, "no alignment of %" PRId64 " row%s: the distance is larger than %" PRId64,
                 job->counts.exceeding, cli_s(job->counts.exceeding),
                 job->args->pair.options.max_distance);
    if (job->counts.empty > 0)
        cli_note(0, "no alignment of %" PRId64 " row%s: the best one is empty", job->counts.empty,
                 cli_s(job->counts.empty));
    if (job->counts.unplaced > 0)
        cli_note(0, "no VCF of %" PRId64 " row%s: the range of the target or the query is empty",
                 job->counts.unplaced, cli_s(job->counts.unplaced));
    if (job->counts.unaligned > 0)
        cli_note(0, "%" PRId64 " row%s of %s without ranges", job->counts.unaligned,
                 cli_s(job->counts.unaligned), cli_input_name(job->args->ranges));
}

static bool write_report(ranges_job *job)
{
    const cli_run *run = &job->pair.run;
    cli_json json = cli_json_start(cli_document_ranges.name, run->argc, run->argv);
    write_ranges(&json, json.root, &job->counts, job->args->audit != NULL ? &job->audit : NULL);
    return cli_json_finish(&json, job->report.stream) && cli_output_commit(&job->report);
}

static int finish(ranges_job *job)
{
    job->counts.rows = job->rows.rows;
    job->counts.unaligned = job->rows.unaligned;
    int status = cli_align_files_commit(&job->files);
    if (status == CLI_OK && job->args->audit != NULL)
        status = cli_audit_end(&job->audit, job->args);
    if (status != CLI_OK)
        return status;
    cli_journal_drop(job->kept.journal);
    note_left_out(job);
    if (job->args->report != NULL && !write_report(job))
        return CLI_FAILED;
    cli_note_shares(job->pair.ctx);
    cli_note_usage(job->pair.run.device, job->pair.run.start_seconds);
    if (job->counts.faults == 0)
        return CLI_OK;
    cli_error("no alignment of %" PRId64 " row%s that cannot be used", job->counts.faults,
              cli_s(job->counts.faults));
    return CLI_INPUT;
}

static int work(ranges_job *job)
{
    const cli_align_arguments *args = job->args;
    int status = cli_pair_create(&job->pair);
    job->args->pair.options.checkpoint = NULL; /* complete rows are kept, no part of one */
    job->pair.run.has_checkpoint = false;
    if (status == CLI_OK)
        status = cli_align_files_open(&job->files, args);
    if (status == CLI_OK && args->audit != NULL)
        status = cli_audit_open(&job->audit, args->audit);
    if (status == CLI_OK && args->report != NULL && !cli_output_open(&job->report, args->report))
        status = CLI_FAILED;
    if (status == CLI_OK)
        status = cli_pair_open(&job->pair, read_files, job, &job->read);
    cli_range_batches_start(&job->batches, args, job->pair.ctx);
    if (status == CLI_OK)
        status = begin(job);
    if (status == CLI_OK && args->pair.resume != NULL)
        status = cli_ranges_kept_open(&job->kept, &job->rows, is_by_target(job));
    if (status != CLI_OK)
        return status;
    cli_progress_start(&job->progress, job->pair.run.device->name);
    rhomb_paf_watch(job->rows.paf, take_fraction, job);
    status = solve(job);
    cli_clear_status_line();
    return status == CLI_OK ? finish(job) : status;
}

int cli_ranges_run(cli_align_arguments *args, int argc, char **argv)
{
    ranges_job job = {.args = args, .target = -1, .longer.args = args};
    job.batches.take = take_or_hold;
    job.batches.pause = pause_between;
    job.batches.user = &job;
    job.last = &job.first;
    job.pair = cli_pair_start(&args->pair, argc, argv);
    const int status = work(&job);
    if (status != CLI_OK)
        (void)cli_ranges_kept_settle(&job.kept);
    cli_range_batches_close(&job.batches);
    cli_long_ranges_close(&job.longer);
    while (job.first != NULL) {
        cli_range_row *next = job.first->next;
        cli_range_row_free(job.first);
        job.first = next;
    }
    cli_align_files_close(&job.files);
    cli_audit_close(&job.audit);
    cli_output_close(&job.report);
    cli_ranges_kept_release(&job.kept);
    cli_range_rows_close(&job.rows);
    cli_pair_release(&job.pair);
    free(job.queries);
    free(job.targets);
    free(job.stem);
    return status;
}
