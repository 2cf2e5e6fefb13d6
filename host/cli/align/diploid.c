/* SPDX-License-Identifier: MIT */
/* Two haplotypes, see align_files.h. */
#include "host/cli/align/align_files.h"

#include "host/cli/align/range_rows.h"
#include "host/cli/writers/vcf_rows.h"

/* The rows of both haplotypes; the targets are read once. */
typedef struct reader {
    cli_align_arguments args[2];
    cli_range_rows rows[2];
    cli_range_row *next[2];
    cli_haplotype haplotypes[2];
} reader;

static int open_reader(reader *r, const cli_diploid *d)
{
    for (int h = 0; h < 2; h++) {
        r->args[h] = d->args[h];
        r->args[h].ranges = r->args[h].audit = d->kept[h].files.output.temporary;
    }
    int status = cli_range_rows_open(&r->rows[0], &r->args[0]);
    if (status != CLI_OK)
        return status;
    cli_range_rows *second = &r->rows[1];
    *second = cli_range_rows_of(&r->args[1], r->rows[0].ctx, r->rows[0].sets[0], NULL);
    rhomb_status opened =
        rhomb_sequence_set_read(second->ctx, r->args[1].pair.query_path, &second->sets[1]);
    if (opened == RHOMB_OK)
        opened = rhomb_paf_open(second->ctx, r->args[1].ranges, &second->paf);
    if (opened != RHOMB_OK)
        return cli_fail(second->ctx, opened);
    for (int h = 0; h < 2 && status == CLI_OK; h++)
        status = cli_range_rows_next(&r->rows[h], &r->next[h]);
    return status;
}

static void close_reader(reader *r)
{
    for (int h = 0; h < 2; h++) {
        cli_range_row_free(r->next[h]);
        cli_buffer_release(&r->haplotypes[h].records);
        cli_buffer_release(&r->haplotypes[h].ranges);
    }
    rhomb_paf_destroy(r->rows[1].paf);
    rhomb_sequence_set_destroy(r->rows[1].sets[1]);
    cli_range_rows_close(&r->rows[0]);
}

/* Takes the rows of a haplotype and a target: their records, which are checked, and ranges. */
static int take_rows(reader *r, int h, const char *target, cli_align_files *output)
{
    int status = CLI_OK;
    cli_range_row **row = &r->next[h];
    while (status == CLI_OK && *row != NULL && strcmp((*row)->name[0], target) == 0) {
        cli_path path = cli_range_row_path(&r->args[h], *row);
        path.ops = (*row)->ops;
        path.count = (*row)->op_count;
        status = cli_align_files_add(output, &path);
        cli_haplotype_cover(&r->haplotypes[h], &path);
        cli_range_row_free(*row);
        *row = NULL;
        if (status == CLI_OK)
            status = cli_range_rows_next(&r->rows[h], row);
    }
    const cli_buffer own = r->haplotypes[h].records;
    r->haplotypes[h].records = output->records.text;
    output->records.text = own;
    output->records.tapped = 0;
    return status;
}

static int write_targets(reader *r, const cli_head *head, cli_align_files *output)
{
    int status = cli_align_files_begin(output, head);
    for (size_t i = 0; i < head->target_count && status == CLI_OK; i++) {
        for (int h = 0; h < 2 && status == CLI_OK; h++)
            status = take_rows(r, h, head->targets[i].name, output);
        const rhomb_status phased =
            status == CLI_OK ? cli_vcf_phase(r->haplotypes, &output->sink) : RHOMB_OK;
        if (phased != RHOMB_OK)
            status = cli_fail(NULL, phased);
        if (status == CLI_OK)
            status = cli_align_files_spill(output);
    }
    return status == CLI_OK && (r->next[0] != NULL || r->next[1] != NULL)
               ? cli_fail(NULL, RHOMB_ERR_INTERNAL)
               : status;
}

static int write_output(cli_diploid *d, const cli_head *head, cli_align_files *output)
{
    cli_head both = *head;
    reader r = {.rows = {{0}}};
    both.left_out = d->left_out != NULL ? d->left_out : head->left_out;
    const int opened = open_reader(&r, d);
    const int status = opened == CLI_OK ? write_targets(&r, &both, output) : opened;
    close_reader(&r);
    return status == CLI_OK ? cli_align_files_commit(output) : status;
}

int cli_diploid_take(cli_diploid *d, const cli_head *head, cli_align_files *output)
{
    const int status = cli_kept_records_finish(&d->kept[d->done]);
    if (status != CLI_OK)
        return status;
    if (d->done++ > 0)
        return write_output(d, head, output);
    d->left_out = head->left_out;
    d->sample = strdup(head->sample);
    d->files = *output;
    *output = (cli_align_files){0};
    return d->sample != NULL ? CLI_OK : cli_fail(NULL, RHOMB_ERR_MEMORY);
}

int cli_diploid_run(const cli_align_arguments *args, int argc, char **argv)
{
    cli_diploid d = {.args = {*args, *args}};
    int status = CLI_OK;
    d.args[1].pair.query_path = args->haplotype;
    for (int h = 0; h < 2 && status == CLI_OK; h++) {
        d.args[h].diploid = &d;
        d.args[h].atomize = true;
        d.args[h].pair.as_given = true;
        status = cli_align_run(&d.args[h], argc, argv);
    }
    for (int h = 0; h < 2; h++)
        cli_kept_records_close(&d.kept[h]);
    cli_align_files_close(&d.files);
    free(d.sample);
    return status;
}
