/* SPDX-License-Identifier: MIT */
/* Records that a run keeps, see align_files.h. */
#include "host/cli/align/align_files.h"

#include <errno.h>

#include "host/cli/align/range_rows.h"
#include "host/cli/report/events.h"

bool cli_records_come_first(const cli_align_arguments *args)
{
    return args->haplotype != NULL ||
           (args->pair.blocks && args->format == CLI_ALIGN_VCF && args->pair.part.of == 0);
}

bool cli_records_are_kept(const cli_align_arguments *args)
{
    return cli_records_come_first(args) || args->rearrangements != NULL;
}

/* A name that a temporary file begins with, for free(); NULL without memory. */
static char *name_of(const cli_align_arguments *args, const cli_output *output)
{
    const char *folder = getenv("TMPDIR");
    if (args->records != NULL)
        return strdup(args->records);
    if (output->temporary != NULL)
        return cli_with_ending(output->path, ".records");
    return cli_with_ending(folder != NULL && folder[0] != '\0' ? folder : "/tmp", "/rhomb.records");
}

int cli_kept_records_open(cli_kept_records *kept, const cli_align_arguments *args,
                          const cli_output *output)
{
    char *name = name_of(args, output);
    if (name == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    *kept = (cli_kept_records){.args = args, .paf = *args};
    kept->paf.format = CLI_ALIGN_PAF;
    kept->paf.pair.output = name;
    kept->paf.cuts = (cli_path_cuts){0};
    kept->paf.cs = kept->paf.compress = false;
    kept->paf.callable = NULL;
    const int status = cli_align_files_open(&kept->files, &kept->paf);
    kept->files.was_looked_at = true; /* by the output */
    free(name);
    kept->paf.pair.output = NULL;
    if (status != CLI_OK || args->rearrangements == NULL)
        return status;
    return cli_output_open(&kept->rearrangements, args->rearrangements) ? CLI_OK : CLI_FAILED;
}

/* Adds a row's path to the output. */
static int add_row(cli_align_files *output, const cli_align_arguments *args,
                   const cli_range_row *row)
{
    cli_path path = cli_range_row_path(args, row);
    path.ops = row->ops;
    path.count = row->op_count;
    return cli_align_files_add(output, &path);
}

/* Adds the records of a target, of which *row is the next one, and of its events. */
static int add_target(cli_range_rows *rows, cli_range_row **row, const char *name,
                      const cli_event_records *events, int64_t number, cli_align_files *output)
{
    int status = CLI_OK;
    while (status == CLI_OK && *row != NULL && strcmp((*row)->name[0], name) == 0) {
        status = add_row(output, rows->args, *row);
        cli_range_row_free(*row);
        *row = NULL;
        if (status == CLI_OK)
            status = cli_range_rows_next(rows, row);
    }
    if (status == CLI_OK && number < events->targets)
        cli_align_files_add_lines(output, &events->of_target[number]);
    return status == CLI_OK ? cli_align_files_end_target(output) : status;
}

/*
 * Goes to the target with that name or, with NULL, to the end; false if events of those that are
 * passed would be lost.
 */
static bool skip_targets(const cli_report *report, const cli_event_records *events,
                         const char *name, int64_t *number)
{
    for (; *number < events->targets; ++*number) {
        if (name != NULL && strcmp(cli_sequence_name(report->records.targets, *number), name) == 0)
            break;
        if (events->of_target[*number].length > 0)
            return false;
    }
    return true;
}

/* Writes VCF of the rows, which are in the order of the targets. */
static int write_vcf(cli_range_rows *rows, const cli_report *report, const cli_head *head,
                     cli_align_files *output)
{
    cli_event_records events = {0};
    cli_range_row *row = NULL;
    int64_t number = 0;
    int status = cli_event_records_make(&report->events, &events)
                     ? cli_align_files_begin(output, head)
                     : cli_fail(NULL, RHOMB_ERR_MEMORY);
    if (status == CLI_OK)
        status = cli_range_rows_next(rows, &row);
    for (size_t i = 0; i < head->target_count && status == CLI_OK; i++) {
        const char *name = head->targets[i].name;
        status = skip_targets(report, &events, name, &number)
                     ? add_target(rows, &row, name, &events, number++, output)
                     : cli_fail(NULL, RHOMB_ERR_INTERNAL);
    }
    if (status == CLI_OK && (row != NULL || !skip_targets(report, &events, NULL, &number)))
        status = cli_fail(NULL, RHOMB_ERR_INTERNAL);
    output->events = events.count;
    cli_range_row_free(row);
    cli_event_records_release(&events);
    return status;
}

/* The rows of the records, with what the report has read. */
static int write_output(const cli_kept_records *kept, const cli_report *report,
                        const cli_head *head, cli_align_files *output)
{
    cli_align_arguments args = *kept->args;
    args.pair.part = (cli_part_asked){0};
    args.audit = report->comparison.paf; /* rows are read with their paths */
    cli_range_rows rows = cli_range_rows_of(&args, report->records.ctx, report->records.targets,
                                            report->records.queries);
    const rhomb_status opened = rhomb_paf_open(rows.ctx, report->comparison.paf, &rows.paf);
    const int status =
        opened == RHOMB_OK ? write_vcf(&rows, report, head, output) : cli_fail(rows.ctx, opened);
    rhomb_paf_destroy(rows.paf);
    return status;
}

int cli_kept_records_finish(cli_kept_records *kept)
{
    const int status = cli_align_files_finish(&kept->files);
    return status == CLI_OK && fflush(kept->files.output.stream) != 0
               ? cli_output_status(&kept->files.output, errno)
               : status;
}

int cli_kept_records_use(cli_kept_records *kept, const char *const only[2], const cli_head *head,
                         cli_align_files *output)
{
    const cli_align_arguments *args = kept->args;
    cli_report *report = args->compared != NULL ? args->compared : &kept->report;
    int status = args->records != NULL ? cli_align_files_commit(&kept->files)
                                       : cli_kept_records_finish(kept);
    const cli_report_arguments asked = {.paf = args->records != NULL ? args->records
                                                                     : kept->files.output.temporary,
                                        .target = args->pair.target_path,
                                        .query = args->pair.query_path,
                                        .threads = args->pair.threads,
                                        .alphabet = args->pair.options.alphabet,
                                        .least_identity = args->least_identity,
                                        .only = {only[0], only[1]}};
    if (status == CLI_OK)
        status = cli_report_compare(report, &asked);
    if (status == CLI_OK && cli_records_come_first(args))
        status = write_output(kept, report, head, output);
    return status;
}

int cli_kept_records_commit(cli_kept_records *kept)
{
    const char *name = kept->args->rearrangements;
    const char *ending = name != NULL ? strrchr(name, '.') : NULL;
    if (name == NULL)
        return CLI_OK;
    return cli_report_write(&kept->report,
                            ending != NULL && strcmp(ending, ".bed") == 0 ? CLI_REPORT_BED
                                                                          : CLI_REPORT_TSV,
                            &kept->rearrangements);
}

void cli_kept_records_close(cli_kept_records *kept)
{
    cli_report_release(&kept->report);
    cli_output_close(&kept->rearrangements);
    cli_align_files_close(&kept->files);
}
