/* SPDX-License-Identifier: MIT */
/* What --resume keeps of a batch, see batch_arguments.h. */
#include "host/cli/batch/batch_arguments.h"

#include "host/cli/base/mix.h"

/* What the matrix of a scoring, if it has one, scores: its name may be that of a file. */
static void append_matrix(cli_buffer *identity, const rhomb_scoring *scoring)
{
    const rhomb_score_matrix *matrix = scoring->matrix;
    if (matrix == NULL)
        return;
    const uint64_t symbols = cli_mix(CLI_MIX_NONE, matrix->symbols, sizeof matrix->symbols);
    cli_append_format(identity, "matrix: %016" PRIx64 "\n",
                      cli_mix(symbols, matrix->scores, sizeof matrix->scores));
}

int cli_batch_kept_open(cli_journal **journal, const cli_batch_arguments *args, const char *device,
                        cli_matched *matched)
{
    static const char *const FORMATS[] = {"tsv", "paf",      "json", "sam",
                                          "bam", "pairwise", "afa"}; /* cli_row_format */
    const rhomb_batch_options *o = &args->options;
    const rhomb_free_ends *ends = &o->free_ends;
    cli_buffer identity = {0};
    cli_matched_identify(matched, device, &args->part, &identity);
    cli_journal_line(&identity, "scoring", args->score.text);
    append_matrix(&identity, &args->score.costs);
    cli_journal_line(&identity, "format", FORMATS[args->format]);
    cli_append_format(&identity,
                      "cigar: %d\nkeep-going: %d\nends-only: %d\nmax-distance: %" PRId64
                      "\nalphabet: %d\nmode: %d\nfree-ends: %" PRId64 ",%" PRId64 ",%" PRId64
                      ",%" PRId64 "\nz-drop: %" PRId64 "\nend-bonus: %" PRId64 "\nsketch: %d\n",
                      (int)o->cigar, (int)args->keep_going, (int)o->ends_only, o->max_distance,
                      (int)o->alphabet, (int)o->mode, ends->query_begin, ends->query_end,
                      ends->target_begin, ends->target_end, o->z_drop, o->end_bonus,
                      (int)args->sketch);
    const int status = cli_journal_open_pairs(journal, args->resume, &identity);
    if (status == CLI_OK)
        cli_matched_skip(matched, cli_journal_pairs(*journal));
    return status;
}

/* A cli_journal_take. */
static int write_rows(int number, const char *text, size_t length, void *user)
{
    (void)number;
    return cli_output_write(user, text, length);
}

int cli_batch_kept_repeat(cli_journal *journal, cli_printer *printer, cli_output *output,
                          cli_batch_counts *counts)
{
    const int64_t *counted = cli_journal_counted(journal);
    cli_unaligned none = {.bases = {0}};
    *counts = (cli_batch_counts){.printed = cli_journal_pairs(journal),
                                 .failures = counted[0],
                                 .failed = (rhomb_status)counted[1],
                                 .empty = counted[2]};
    if (!cli_printer_flush(printer))
        return cli_printer_finish(printer);
    cli_printer_tap(printer, cli_journal_first, journal);
    return cli_journal_repeat(journal, &none, write_rows, output);
}

int cli_batch_kept_mark(cli_journal *journal, cli_printer *printer, const cli_batch_counts *counts)
{
    static const cli_unaligned NONE;
    const int64_t counted[CLI_JOURNAL_COUNTS] = {counts->failures, (int64_t)counts->failed,
                                                 counts->empty};
    return cli_printer_flush(printer) ? cli_journal_mark(journal, counts->printed, &NONE, counted)
                                      : cli_printer_finish(printer);
}
