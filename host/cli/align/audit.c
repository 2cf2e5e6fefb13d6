/* SPDX-License-Identifier: MIT */
/* What given alignments cost beside the best ones, see range_rows.h. */
#include "host/cli/align/range_rows.h"

#include <rhomb/identity.h>

const int64_t CLI_AUDIT_PERCENT[] = {50, 90, 99, 100};

static const char HEAD[] =
    "line\ttarget\ttarget_begin\ttarget_end\tquery\tquery_begin\tquery_end\tstrand\tgiven_cost\t"
    "least_cost\tlost\tgiven_identity\tbest_identity\tfirst_difference\terror\tambiguous\n";

/* The last column, of each kind of row. */
static const char *const AMBIGUOUS[] = {[CLI_AMBIGUOUS_NONE] = "\t*\n",
                                        [CLI_AMBIGUOUS_APART] = "\t-1\n",
                                        [CLI_AMBIGUOUS_AS_OTHERS] = "\tas-others\n"};

/* What a path costs, and how alike it makes its ranges. */
typedef struct judgement {
    int64_t cost;
    double identity;
} judgement;

/* The operations are of the sequences of `path`, and its own ones are not looked at. */
static judgement judge(const rhomb_path_op *ops, int64_t count, const cli_path *path)
{
    const cli_path given = {.ops = ops,
                            .count = count,
                            .target = path->target,
                            .query = path->query,
                            .query_length = path->query_length,
                            .scoring = path->scoring};
    const cli_path_cuts uncut = {0};
    cli_path_rows rows = {0};
    cli_path_row row = {0};
    (void)cli_path_next_row(&given, &uncut, &rows, &row);
    return (judgement){-row.score, rhomb_identity(row.matches, cli_path_row_columns(&row))};
}

/* The bases of the target before the first column in which two paths differ; -1: none. */
static int64_t first_difference(const rhomb_path_op *a, int64_t a_count, const rhomb_path_op *b,
                                int64_t b_count)
{
    int64_t i = 0, j = 0, target = 0;
    rhomb_path_op x = 0, y = 0;
    for (;;) {
        if (RHOMB_CIGAR_LENGTH(x) == 0 && i < a_count)
            x = a[i++];
        if (RHOMB_CIGAR_LENGTH(y) == 0 && j < b_count)
            y = b[j++];
        const uint64_t left = RHOMB_CIGAR_LENGTH(x), right = RHOMB_CIGAR_LENGTH(y);
        const uint64_t same = left < right ? left : right;
        if (left == 0 && right == 0)
            return -1;
        if (same == 0 || RHOMB_CIGAR_CODE(x) != RHOMB_CIGAR_CODE(y))
            return target;
        target += RHOMB_CIGAR_CODE(x) != RHOMB_CIGAR_I ? (int64_t)same : 0;
        x -= same << 4;
        y -= same << 4;
    }
}

int cli_audit_open(cli_audit *audit, const char *name)
{
    if (!cli_output_open(&audit->output, name))
        return CLI_FAILED;
    cli_sink_open(&audit->sink, audit->output.stream, 0);
    cli_append_text(&audit->sink.text, HEAD);
    return CLI_OK;
}

/* Keeps a row among the worst, of which the first of equal ones counts. */
static void keep_worst(cli_audit *audit, const cli_audit_worst *row)
{
    int32_t at = audit->worst_count;
    while (at > 0 && audit->worst[at - 1].lost < row->lost)
        at--;
    if (at == CLI_AUDIT_WORST)
        return;
    const int32_t kept =
        audit->worst_count < CLI_AUDIT_WORST ? audit->worst_count : CLI_AUDIT_WORST - 1;
    memmove(&audit->worst[at + 1], &audit->worst[at], (size_t)(kept - at) * sizeof *row);
    audit->worst[at] = *row;
    audit->worst_count = kept + 1;
}

static void count(cli_audit *audit, const cli_range_row *row, int64_t given, int64_t least)
{
    const cli_audit_worst this = {row->line, given - least, given, least};
    audit->given++;
    audit->optimal += this.lost == 0;
    audit->bases += row->end[0] - row->begin[0];
    audit->lost_sum += this.lost;
    audit->ambiguous += row->ambiguous != CLI_AMBIGUOUS_NONE;
    audit->apart += row->ambiguous == CLI_AMBIGUOUS_APART;
    cli_append_bytes(&audit->lost, (const char *)&this.lost, sizeof this.lost);
    if (this.lost > 0)
        keep_worst(audit, &this);
}

static void append_ranges(cli_buffer *out, const cli_range_row *row)
{
    cli_append_number(out, row->line);
    for (int side = 0; side < 2; side++) {
        cli_append_text(out, "\t");
        cli_append_field(out, row->name[side] != NULL ? row->name[side] : "*");
        cli_append_format(out, "\t%" PRId64 "\t%" PRId64, row->begin[side], row->end[side]);
    }
    cli_append_text(out, row->reverse ? "\t-" : "\t+");
}

int cli_audit_add(cli_audit *audit, const cli_range_row *row, const cli_path *path, const char *why)
{
    cli_buffer *out = &audit->sink.text;
    append_ranges(out, row);
    if (path == NULL || row->ops == NULL) {
        cli_append_text(out, "\t*\t*\t*\t*\t*\t*\t");
        cli_append_field(out, path == NULL ? why : "the row brings no alignment");
    } else {
        const judgement given = judge(row->ops, row->op_count, path);
        const judgement best = judge(path->ops, path->count, path);
        const int64_t place = first_difference(row->ops, row->op_count, path->ops, path->count);
        count(audit, row, given.cost, best.cost);
        cli_append_format(out, "\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%.6f\t%.6f", given.cost,
                          best.cost, given.cost - best.cost, given.identity, best.identity);
        if (place < 0)
            cli_append_text(out, "\t*");
        else
            cli_append_labelled(out, "\t", row->begin[0] + place);
        cli_append_text(out, "\t*");
    }
    cli_append_text(out, AMBIGUOUS[row->ambiguous]);
    (void)cli_sink_spill(&audit->sink);
    return audit->lost.failed ? cli_fail(NULL, RHOMB_ERR_MEMORY)
                              : cli_output_status(&audit->output, audit->sink.code);
}

static int compare_lost(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

int64_t cli_audit_quantile(const cli_audit *audit, int64_t percent)
{
    const int64_t *lost = (const int64_t *)(const void *)audit->lost.data;
    return lost[(audit->given - 1) * percent / 100];
}

double cli_audit_per_kb(const cli_audit *audit)
{
    return audit->bases > 0 ? (double)audit->lost_sum / (double)audit->bases * 1000 : 0;
}

/* How rows with N and IUPAC codes were compared. */
static void say_ambiguous(const cli_audit *audit, const cli_align_arguments *args)
{
    static const char BESIDES[] = "bases besides A, C, G and T";
    const rhomb_scoring *scoring = args->pair.options.scoring;
    const int64_t others = audit->ambiguous - audit->apart;
    if (audit->apart > 0)
        cli_note(0, "audit: %" PRId64 " row%s with %s, which score -1 as by minimap2: --score %s",
                 audit->apart, cli_s(audit->apart), BESIDES, args->ambiguous.text);
    if (others > 0 && scoring != NULL && scoring->match > 0 && scoring->matrix == NULL)
        cli_note(0,
                 "audit: %" PRId64
                 " %srow%s with %s: minimap2 scores them as -1, and this audit as mismatches, or "
                 "as matches of the same code",
                 others, args->ambiguous.text != NULL ? "long " : "", cli_s(others), BESIDES);
}

static void say_summary(cli_audit *audit, const cli_align_arguments *args)
{
    const rhomb_scoring *scoring = args->pair.options.scoring;
    const char *what = scoring == NULL      ? "edits"
                       : scoring->match > 0 ? "of the score"
                                            : "of the penalty";
    if (audit->given == 0) {
        cli_note(0, "audit: no row brings an alignment");
        return;
    }
    qsort(audit->lost.data, (size_t)audit->given, sizeof(int64_t), compare_lost);
    cli_note(0,
             "audit: %" PRId64 " row%s with an alignment, %" PRId64
             " optimal (%.2f %%); lost: %" PRId64 " %s, %.3f per kb",
             audit->given, cli_s(audit->given), audit->optimal,
             cli_percent((double)audit->optimal / (double)audit->given), audit->lost_sum, what,
             cli_audit_per_kb(audit));
    cli_note(0,
             "audit: lost by a row: median %" PRId64 ", 90 %% %" PRId64 ", 99 %% %" PRId64
             ", most %" PRId64,
             cli_audit_quantile(audit, 50), cli_audit_quantile(audit, 90),
             cli_audit_quantile(audit, 99), cli_audit_quantile(audit, 100));
    say_ambiguous(audit, args);
    for (int32_t i = 0; i < audit->worst_count; i++) {
        const cli_audit_worst *w = &audit->worst[i];
        if (scoring != NULL && scoring->match > 0)
            cli_note(0, "audit: line %" PRId64 " scores %" PRId64 " of %" PRId64, w->line,
                     -w->given, -w->least);
        else
            cli_note(0, "audit: line %" PRId64 " costs %" PRId64 ", and the best path %" PRId64,
                     w->line, w->given, w->least);
    }
}

int cli_audit_end(cli_audit *audit, const cli_align_arguments *args)
{
    const int status = cli_output_status(&audit->output, cli_sink_close(&audit->sink));
    if (status != CLI_OK || !cli_output_commit(&audit->output))
        return status != CLI_OK ? status : CLI_FAILED;
    say_summary(audit, args);
    return CLI_OK;
}

void cli_audit_close(cli_audit *audit)
{
    cli_sink_release(&audit->sink);
    cli_output_close(&audit->output);
    cli_buffer_release(&audit->lost);
}
