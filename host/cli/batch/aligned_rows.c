/* SPDX-License-Identifier: MIT */
/* Rows in formats of alignments, see printer.h. */
#include "host/cli/batch/printer.h"

#include "host/cli/base/cli.h"
#include "host/cli/writers/align_formats.h"
#include "rhomb/all_records.h"

static const cli_path_cuts NONE;

bool cli_is_aligned(int format)
{
    return format > CLI_ROWS_JSON;
}

bool cli_is_sam(int format)
{
    return format == CLI_ROWS_SAM || format == CLI_ROWS_BAM;
}

bool cli_aligned_has_path(const cli_row_style *style, const rhomb_pair_result *result)
{
    return result->status == RHOMB_OK && result->distance >= 0 &&
           (style->mode == RHOMB_MODE_GLOBAL || result->cigar_count > 0);
}

/* A name, or the pair's number in `number`. */
static const char *name_of(const char *name, char *number, const cli_row *row)
{
    *cli_put_number(number, (uint64_t)row->number) = '\0';
    return name != NULL ? name : number;
}

/* Appends a CIGAR as operations of a path. */
static void append_ops(cli_buffer *out, const rhomb_pair_result *result)
{
    for (int64_t i = 0; i < result->cigar_count; i++) {
        const rhomb_cigar_op op = result->cigar[i];
        const rhomb_path_op wide =
            (rhomb_path_op)RHOMB_CIGAR_LENGTH(op) << 4 | RHOMB_CIGAR_CODE(op);
        cli_append_bytes(out, (const char *)&wide, sizeof wide);
    }
}

/* The path of a row, with operations in `ops` and numbers for missing names in `number`. */
static cli_path path_of(const cli_row_style *style, const cli_row *row, const cli_side *side,
                        char *number, cli_buffer *ops)
{
    const rhomb_pair *p = row->pair;
    append_ops(ops, row->result);
    cli_path path = {.target_name =
                         name_of(row->names != NULL ? row->names->target : NULL, number, row),
                     .query_name = side->name,
                     .target = p->target,
                     .query = p->query,
                     .target_length = p->target_length,
                     .query_length = p->query_length,
                     .side = side,
                     .reverse = row->reverse,
                     .is_secondary = row->is_secondary,
                     .ops = (const rhomb_path_op *)(const void *)ops->data,
                     .count = row->result->cigar_count,
                     .scoring = style->scored ? &style->scoring : NULL,
                     .iupac = style->iupac};
    if (row->result->extent != NULL)
        cli_path_take_parts(&path, row->result->extent);
    return path;
}

static void write_path(cli_sink *sink, const cli_row_style *style, const cli_row *row,
                       const cli_side *side)
{
    char number[CLI_NUMBER_BYTES + 1];
    cli_buffer ops = {0};
    const cli_path path = path_of(style, row, side, number, &ops);
    if (ops.failed)
        sink->text.failed = true;
    else if (style->format == CLI_ROWS_PAIRWISE)
        cli_write_pairwise(sink, &path, &NONE);
    else if (style->format == CLI_ROWS_AFA)
        cli_write_afa(sink, &path, &NONE);
    else
        cli_write_sam(sink, &path, &NONE, style->is_dna);
    cli_buffer_release(&ops);
}

bool cli_aligned_tell_broken_gap(const cli_row_style *style, const cli_row *row,
                                 char text[CLI_BROKEN_GAP_BYTES])
{
    char number[CLI_NUMBER_BYTES + 1];
    int64_t bases[16] = {0};
    for (int64_t i = 0; i < row->result->cigar_count; i++)
        bases[RHOMB_CIGAR_CODE(row->result->cigar[i])] += RHOMB_CIGAR_LENGTH(row->result->cigar[i]);
    if (bases[RHOMB_CIGAR_D] < CLI_LONG_GAP && bases[RHOMB_CIGAR_I] < CLI_LONG_GAP)
        return false;
    const cli_side side = {.name =
                               name_of(row->names != NULL ? row->names->query : NULL, number, row)};
    cli_buffer ops = {0};
    const cli_path path = path_of(style, row, &side, number, &ops);
    const bool found = !ops.failed && cli_path_tell_broken_gap(&path, text);
    cli_buffer_release(&ops);
    return found;
}

/* A pair without an alignment has a record of its query in SAM, and nothing elsewhere. */
static void append_aligned(cli_buffer *out, const cli_row_style *style, const cli_row *row)
{
    const rhomb_pair *p = row->pair;
    const bool is_found = row->error == NULL && cli_aligned_has_path(style, row->result);
    char number[CLI_NUMBER_BYTES + 1];
    if (row->sides == CLI_ROW_TARGET || row->is_fault || (!is_found && !cli_is_sam(style->format)))
        return;
    char *turned = row->reverse ? cli_orient(p->query, p->query_length, true, 0) : NULL;
    const cli_side side = {.name =
                               name_of(row->names != NULL ? row->names->query : NULL, number, row),
                           .bases = row->reverse ? turned : p->query,
                           .qualities = row->qualities,
                           .length = p->query_length};
    cli_sink sink;
    cli_sink_open_text(&sink);
    sink.text = *out;
    if (row->reverse && turned == NULL)
        sink.text.failed = true;
    else if (is_found)
        write_path(&sink, style, row, &side);
    else
        cli_write_sam_unaligned(&sink, &side, style->is_dna);
    *out = sink.text;
    free(turned);
}

void cli_aligned_append(cli_buffer *out, const cli_row_style *style, const cli_row *row)
{
    if (cli_is_aligned(style->format))
        append_aligned(out, style, row);
    else
        cli_rows_append(out, style, row);
}

void cli_aligned_header(cli_buffer *out, const cli_aligned *aligned)
{
    const cli_head head = {.targets = aligned->targets,
                           .target_count = aligned->target_count,
                           .argc = aligned->argc,
                           .argv = aligned->argv};
    cli_sink sink;
    if (!cli_is_aligned(aligned->style->format)) {
        cli_rows_header(out, aligned->style);
        return;
    }
    cli_sink_open_text(&sink);
    sink.text = *out;
    if (cli_is_sam(aligned->style->format))
        cli_write_sam_head(&sink, &head, "unsorted");
    else if (aligned->style->format == CLI_ROWS_PAIRWISE)
        cli_write_pairwise_head(&sink);
    *out = sink.text;
}

/* A cli_printer_write. */
static int write_binary(void *user, char *text, size_t length)
{
    return cli_bam_add(user, text, length);
}

int cli_aligned_start(cli_aligned *a, const cli_output *output, cli_printer *printer,
                      int32_t threads)
{
    int code = 0;
    if (a->style->format != CLI_ROWS_BAM)
        return CLI_OK;
    a->bam = cli_bam_open(output->stream, NULL, cli_threads_meant(threads), &code);
    cli_printer_divert(printer, write_binary, a->bam);
    return cli_output_status(output, code);
}

int cli_aligned_close(cli_aligned *a)
{
    const int code = cli_bam_close(a->bam);
    for (size_t i = 0; i < a->target_count; i++)
        free((char *)(uintptr_t)a->targets[i].name);
    free(a->targets);
    a->bam = NULL;
    a->targets = NULL;
    a->target_count = 0;
    return code;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp((*(const cli_target *const *)a)->name, (*(const cli_target *const *)b)->name);
}

/* Names must be those of SAM, and unique. The exit status. */
static int check_targets(const cli_aligned *a, const char *path)
{
    char why[320];
    int status = CLI_OK;
    const cli_target **sorted = calloc(a->target_count + 1, sizeof(const cli_target *));
    if (sorted == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    for (size_t i = 0; i < a->target_count; i++)
        sorted[i] = &a->targets[i];
    qsort(sorted, a->target_count, sizeof(const cli_target *), compare_names);
    for (size_t i = 0; i < a->target_count && status == CLI_OK; i++) {
        if (i > 0 && compare_names(&sorted[i - 1], &sorted[i]) == 0)
            status = cli_fail_with(CLI_INPUT, "%s: several records have the name '%s'", path,
                                   sorted[i]->name);
        else if (cli_lacks_sam_target(sorted[i]->name, sorted[i]->length, why, sizeof why))
            status = cli_fail_with(CLI_FAILED, "--format sam: %s", why);
    }
    free(sorted);
    return status;
}

static bool add_target(cli_aligned *a, const rhomb_record *record)
{
    const size_t count = a->target_count;
    if ((count & (count - 1)) == 0) { /* room is a power of two */
        cli_target *grown = realloc(a->targets, (count == 0 ? 1 : 2 * count) * sizeof *grown);
        if (grown == NULL)
            return false;
        a->targets = grown;
    }
    a->targets[count] = (cli_target){strdup(record->name), record->length, NULL};
    a->target_count += a->targets[count].name != NULL;
    return a->targets[count].name != NULL;
}

int cli_aligned_read(cli_aligned *a, const char *path, int32_t threads)
{
    rhomb_context *ctx = NULL;
    rhomb_records *records = NULL;
    const rhomb_record *record = NULL;
    if (!cli_is_sam(a->style->format))
        return CLI_OK;
    rhomb_status status = cli_context_create(&ctx, "off", threads);
    if (status == RHOMB_OK)
        status = rhomb_records_open(ctx, path, &records);
    while (status == RHOMB_OK) {
        status = rhomb_records_next(records, &record);
        if (status != RHOMB_OK || record == NULL)
            break;
        status = add_target(a, record) ? RHOMB_OK : RHOMB_ERR_MEMORY;
    }
    const int code = status == RHOMB_OK ? check_targets(a, path) : cli_fail(ctx, status);
    rhomb_records_destroy(records);
    rhomb_context_destroy(ctx);
    return code;
}
