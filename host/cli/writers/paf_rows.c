/* SPDX-License-Identifier: MIT */
/*
 * PAF (github.com/lh3/miniasm, PAF.md; tags as in minimap2's manual page), see align_formats.h.
 * Each tag takes a pass over the row, as its figures and its ends come before its operations.
 */
#include "host/cli/base/text_buffer.h"
#include "host/cli/writers/align_formats.h"

/* The digits of a length, and the operation's character. */
enum { OPERATION_BYTES = CLI_NUMBER_BYTES + 1 };

static void append_operation(cli_buffer *out, int64_t length, char letter)
{
    char *at = cli_buffer_room(out, OPERATION_BYTES);
    if (at == NULL)
        return; /* the sink fails at the next spill */
    at = cli_put_number(at, (uint64_t)length);
    *at++ = letter;
    cli_buffer_taken(out, at);
}

void cli_write_cigar(cli_sink *sink, const cli_path *path, cli_path_cursor begin,
                     const cli_path_cursor *end)
{
    cli_path_segment segment;
    char letter = '\0';
    int64_t length = 0;
    while (cli_sink_spill(sink) && cli_path_next(path, &begin, end, &segment)) {
        const char next = cli_path_letter(path, segment.code);
        if (next != letter && length > 0)
            append_operation(&sink->text, length, letter);
        length = next != letter ? segment.length : length + segment.length;
        letter = next;
    }
    if (length > 0)
        append_operation(&sink->text, length, letter);
}

/* "*ag" for each mismatch of a run: the target's base, then the query's. */
static void write_mismatches(cli_sink *sink, const char *target, const char *query, int64_t count)
{
    for (int64_t i = 0; i < count && cli_sink_spill(sink); i++) {
        cli_append_text(&sink->text, "*");
        cli_sink_lower_bases(sink, &target[i], 1);
        cli_sink_lower_bases(sink, &query[i], 1);
    }
}

static void write_cs(cli_sink *sink, const cli_path *path, const cli_path_row *row)
{
    cli_path_cursor cursor = row->begin;
    cli_path_segment segment;
    while (cli_sink_spill(sink) && cli_path_next(path, &cursor, &row->end, &segment)) {
        const char *target = path->target + segment.target;
        const char *query = path->query + segment.query;
        if (segment.code == RHOMB_CIGAR_EQ) {
            cli_append_labelled(&sink->text, ":", segment.length);
        } else if (segment.code == RHOMB_CIGAR_X) {
            write_mismatches(sink, target, query, segment.length);
        } else {
            const bool inserted = segment.code == RHOMB_CIGAR_I;
            cli_append_text(&sink->text, inserted ? "+" : "-");
            cli_sink_lower_bases(sink, inserted ? query : target, segment.length);
        }
    }
}

/* Name, length, begin and end of a side. */
static void append_side(cli_buffer *out, const char *name, int64_t length, int64_t begin,
                        int64_t end)
{
    cli_append_field(out, name);
    cli_append_format(out, "\t%" PRId64 "\t%" PRId64 "\t%" PRId64, length, begin, end);
}

void cli_append_path_tags(cli_buffer *out, const cli_path *path, const cli_path_row *row,
                          const char *type)
{
    cli_append_format(out, "\tNM:i:%" PRId64 "\tAS:i:%" PRId64, cli_path_row_edits(row),
                      row->score);
    if (path->scoring != NULL)
        cli_append_scoring_tag(out, path->scoring);
    if (path->iupac)
        cli_append_text(out, CLI_IUPAC_TAG);
    if (path->rotation > 0)
        cli_append_labelled(out, "\tro:i:", path->rotation);
    if (path->block > 0)
        cli_append_labelled(out, "\tbl:i:", path->block);
    if (path->segments > 0)
        cli_append_labelled(out, "\tpc:i:", path->segments);
    cli_append_text(out, type);
    cli_append_format(out, "\tde:f:%.6g", cli_path_row_divergence(row));
}

static void append_columns(cli_buffer *out, const cli_path *path, const cli_path_row *row)
{
    const cli_path_range query = cli_path_query_range(path, row->begin.query, row->end.query);
    append_side(out, path->query_name, cli_path_query_record(path), query.begin, query.end);
    cli_append_text(out, path->reverse ? "\t-\t" : "\t+\t");
    append_side(out, path->target_name, cli_path_target_record(path),
                path->target_before + row->begin.target, path->target_before + row->end.target);
    cli_append_format(out, "\t%" PRId64 "\t%" PRId64 "\t255", row->matches,
                      cli_path_row_columns(row));
    cli_append_path_tags(out, path, row, "\ttp:A:P");
}

void cli_write_paf_unaligned(cli_sink *sink, const char *name, int64_t length)
{
    cli_append_field(&sink->text, name);
    cli_append_format(&sink->text, "\t%" PRId64 "\t0\t0\t*\t*\t0\t0\t0\t0\t0\t0\n", length);
}

void cli_write_paf(cli_sink *sink, const cli_path *path, const cli_path_cuts *cuts, bool cs)
{
    cli_path_rows rows = {0};
    cli_path_row row;
    while (cli_sink_spill(sink) && cli_path_next_row(path, cuts, &rows, &row)) {
        append_columns(&sink->text, path, &row);
        if (cli_path_row_columns(&row) > 0) {
            cli_append_text(&sink->text, "\tcg:Z:");
            cli_write_cigar(sink, path, row.begin, &row.end);
        }
        if (cs && cli_path_row_columns(&row) > 0) {
            cli_append_text(&sink->text, "\tcs:Z:");
            write_cs(sink, path, &row);
        }
        cli_append_text(&sink->text, path->tags != NULL ? path->tags : "");
        cli_append_text(&sink->text, "\n");
    }
}
