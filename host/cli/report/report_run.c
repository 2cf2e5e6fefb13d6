/* SPDX-License-Identifier: MIT */
/*
 * Comparing by a PAF file and writing the result, see report_run.h. The library's rhomb_compare()
 * does the work; its forms are in comparison_print.c.
 */
#include "host/cli/report/report_run.h"

#include "host/cli/plot/plot_page.h"

/* A rhomb_paf_progress_fn. */
static int show_progress(double fraction, void *user)
{
    cli_records *r = user;
    cli_progress_reading(&r->progress, cli_seconds_now() - r->reads_from, fraction);
    return 0;
}

rhomb_status cli_records_open(cli_records *r, const char *paf, const char *target,
                              const char *query, int32_t threads)
{
    rhomb_status status = cli_context_create(&r->ctx, "off", threads);
    if (status == RHOMB_OK)
        status = rhomb_sequence_set_read(r->ctx, target, &r->targets);
    r->queries = r->targets;
    if (status == RHOMB_OK && strcmp(target, query) != 0)
        status = rhomb_sequence_set_read(r->ctx, query, &r->queries);
    if (status == RHOMB_OK)
        status = rhomb_paf_open(r->ctx, paf, &r->paf);
    r->reads_from = cli_seconds_now();
    cli_progress_start(&r->progress, "");
    if (status == RHOMB_OK)
        rhomb_paf_watch(r->paf, show_progress, r);
    return status;
}

void cli_records_close(cli_records *r)
{
    rhomb_paf_destroy(r->paf);
    if (r->queries != r->targets)
        rhomb_sequence_set_destroy(r->queries);
    rhomb_sequence_set_destroy(r->targets);
    rhomb_context_destroy(r->ctx);
}

static int find_events(cli_report *r, const cli_report_arguments *args)
{
    if (!cli_events_find(r->found, r->records.targets, r->records.queries, &r->events))
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    memcpy(r->events.only, args->only, sizeof args->only);
    return !cli_is_dna(args->alphabet) /* as minimizers are */ ||
                   cli_duplicates_find(&r->events, cli_threads_meant(args->threads))
               ? CLI_OK
               : cli_fail(NULL, RHOMB_ERR_MEMORY);
}

int cli_report_compare(cli_report *r, const cli_report_arguments *args)
{
    rhomb_compare_options options = RHOMB_COMPARE_OPTIONS_INIT;
    options.alphabet = args->alphabet;
    options.least_identity = args->least_identity;
    cli_records *all = &r->records;
    rhomb_status status =
        cli_records_open(all, args->paf, args->target, args->query, args->threads);
    if (status == RHOMB_OK)
        status = rhomb_compare(all->paf, all->targets, all->queries, &options, &r->found);
    cli_clear_status_line();
    if (status != RHOMB_OK)
        return cli_fail(all->ctx, status);
    r->comparison = (cli_comparison){.paf = args->paf,
                                     .shown_paf = args->paf,
                                     .target = args->target,
                                     .query = args->query,
                                     .events = &r->events,
                                     .report = rhomb_comparison_get_report(r->found)};
    return find_events(r, args);
}

static int write_text(const cli_buffer *text, cli_output *output)
{
    if (text->failed)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    return cli_output_write(output, text->data, text->length);
}

static int write_page(const cli_comparison *comparison, const cli_buffer *above, cli_output *output)
{
    if (above->failed)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    const cli_plot_page_parts parts = {.paf = comparison->paf,
                                       .title = comparison->title,
                                       .least_identity = comparison->report->least_identity,
                                       .above = above,
                                       .argc = comparison->argc,
                                       .argv = comparison->argv};
    return cli_plot_page(&parts, output);
}

int cli_report_write(const cli_report *r, int format, cli_output *output)
{
    const cli_comparison *comparison = &r->comparison;
    int status = CLI_OK;
    if (format == CLI_REPORT_JSON) {
        status = cli_comparison_json(output->stream, comparison) ? CLI_OK : CLI_MEMORY;
    } else if (format == CLI_REPORT_TSV || format == CLI_REPORT_BED) {
        cli_buffer text = {0};
        (format == CLI_REPORT_TSV ? cli_events_tsv : cli_events_bed)(&r->events, &text);
        status = write_text(&text, output);
        cli_buffer_release(&text);
    } else {
        const bool html = format == CLI_REPORT_HTML;
        cli_buffer text = cli_comparison_tables(comparison, html);
        status = html ? write_page(comparison, &text, output) : write_text(&text, output);
        cli_buffer_release(&text);
    }
    if (status != CLI_OK)
        return status;
    return cli_output_commit(output) ? CLI_OK : CLI_FAILED;
}

void cli_report_release(cli_report *r)
{
    cli_events_release(&r->events);
    rhomb_comparison_destroy(r->found);
    cli_records_close(&r->records);
    *r = (cli_report){0};
}
