/* SPDX-License-Identifier: MIT */
/*
 * Alignments as columns, see align_formats.h: in pairs of lines as EMBOSS writes them (its format
 * `srspair`, emboss.sourceforge.net/docs/themes/AlignFormats.html), and as FASTA with gaps. Readers
 * such as Biopython's take no other keys in a head than EMBOSS has, and expect bases from the 22nd
 * character of a line on: positions of more than 7 digits shorten names.
 */

#include "host/cli/base/text_buffer.h"
#include "host/cli/writers/align_formats.h"

#define RULER "#=======================================\n"

enum { COLUMNS = 60, NAME_BYTES = 13, NUMBER_BYTES = 6, PREFIX = 20 /* bytes, with a blank */ };

/* The sides of an alignment, and what stands between them. */
enum { TARGET, QUERY, MATCHES, LINES };

/* Columns that are written as one line of each side. */
typedef struct line_columns {
    cli_path_cursor begin, end;
    int64_t count;
    char lines[LINES][COLUMNS];
} line_columns;

/* Adds columns of one operation. */
static void add_segment(const cli_path *path, const cli_path_segment *segment, line_columns *c)
{
    const bool is_match = segment->code == RHOMB_CIGAR_EQ;
    for (int64_t i = 0; i < segment->length; i++, c->count++) {
        c->lines[TARGET][c->count] =
            segment->code == RHOMB_CIGAR_I ? '-' : path->target[segment->target + i];
        c->lines[QUERY][c->count] =
            segment->code == RHOMB_CIGAR_D ? '-' : path->query[segment->query + i];
        c->lines[MATCHES][c->count] = is_match ? '|' : segment->code == RHOMB_CIGAR_X ? '.' : ' ';
    }
}

/* The columns from c->end on, as many as a line has. False at the end of the row. */
static bool next_columns(const cli_path *path, const cli_path_row *row, line_columns *c)
{
    cli_path_segment segment;
    c->count = 0;
    c->begin = c->end;
    while (c->count < COLUMNS) {
        cli_path_cursor after = c->end, limit = c->end;
        if (!cli_path_next(path, &after, &row->end, &segment))
            break;
        limit.used += COLUMNS - c->count;
        if (segment.length > COLUMNS - c->count)
            (void)cli_path_next(path, &c->end, &limit, &segment);
        else
            c->end = after;
        add_segment(path, &segment, c);
    }
    return c->count > 0;
}

/* Where bases of a side are in its record, counted from 1: the first and the last one. */
static cli_path_range bounds(const cli_path *path, int side, const cli_path_cursor *begin,
                             const cli_path_cursor *end)
{
    const bool is_target = side == TARGET;
    const int64_t first = is_target ? begin->target : begin->query;
    const int64_t last = is_target ? end->target : end->query;
    const cli_path_range range =
        is_target ? (cli_path_range){path->target_before + first, path->target_before + last}
                  : cli_path_query_range(path, first, last);
    const bool reverse = !is_target && path->reverse;
    if (first == last) /* none: the one before */
        return reverse ? (cli_path_range){range.end + 1, range.end + 1}
                       : (cli_path_range){range.begin, range.begin};
    return reverse ? (cli_path_range){range.end, range.begin + 1}
                   : (cli_path_range){range.begin + 1, range.end};
}

static const char *name_of(const cli_path *path, int side)
{
    return side == TARGET ? path->target_name : path->query_name;
}

static int64_t record_of(const cli_path *path, int side)
{
    return side == TARGET ? cli_path_target_record(path) : cli_path_query_record(path);
}

/* The bytes of a name, where positions have `width`. */
static int name_width(int width)
{
    return width < PREFIX - NAME_BYTES ? NAME_BYTES : PREFIX - width;
}

/* Writes a line of bases of one side of a row, or of both; `width` is that of positions. */
static void write_line(cli_sink *sink, const cli_path *path, const line_columns *c, int side,
                       int width)
{
    const cli_path_range at = bounds(path, side, &c->begin, &c->end);
    const int name = name_width(width);
    cli_append_format(&sink->text, "%-*.*s %*" PRId64 " %.*s %*" PRId64 "\n", name, name,
                      name_of(path, side), width, at.begin, (int)c->count, c->lines[side], width,
                      at.end);
}

static void append_share(cli_buffer *out, const char *what, int64_t part, int64_t all)
{
    cli_append_format(out, "# %-9s %" PRId64 "/%" PRId64 " (%.1f%%)\n", what, part, all,
                      all > 0 ? 100.0 * (double)part / (double)all : 0);
}

static void write_head(cli_sink *sink, const cli_path *path, const cli_path_row *row)
{
    const int64_t columns = cli_path_row_columns(row);
    enum { LABEL = sizeof "\tsc:Z:" - 1 };
    cli_buffer *out = &sink->text, scoring = {0};
    cli_append_text(out, RULER "# Aligned_sequences: 2\n# 1: ");
    cli_append_field(out, path->target_name);
    cli_append_text(out, "\n# 2: ");
    cli_append_field(out, path->query_name);
    if (path->scoring != NULL)
        cli_append_scoring_tag(&scoring, path->scoring);
    cli_append_text(out, scoring.length > 0 ? "\n# Matrix: " : "\n# Matrix: edit");
    if (scoring.length > 0)
        cli_append_bytes(out, scoring.data + LABEL, scoring.length - LABEL);
    cli_append_format(out, "\n# Length: %" PRId64 "\n", columns);
    append_share(out, "Identity:", row->matches, columns);
    append_share(out, "Gaps:", row->inserted + row->deleted, columns);
    cli_append_labelled(out, "# Score: ", row->score);
    cli_append_text(out, "\n" RULER "\n");
    out->failed = out->failed || scoring.failed;
    cli_buffer_release(&scoring);
}

/* The digits of the largest position, or as many as EMBOSS has. */
static int number_width(const cli_path *path)
{
    const int64_t target = record_of(path, TARGET), query = record_of(path, QUERY);
    const int digits = snprintf(NULL, 0, "%" PRId64, target > query ? target : query);
    return digits > NUMBER_BYTES ? digits : NUMBER_BYTES;
}

void cli_write_pairwise_head(cli_sink *sink)
{
    static const char END[] = "########################################\n";
    cli_append_text(&sink->text, END);
    cli_append_text(&sink->text, "# Program: rhomb\n# Align_format: srspair\n");
    cli_append_text(&sink->text, END);
    cli_append_text(&sink->text, "\n");
}

void cli_write_pairwise(cli_sink *sink, const cli_path *path, const cli_path_cuts *cuts)
{
    const int width = number_width(path);
    cli_path_rows rows = {0};
    cli_path_row row;
    while (cli_path_next_row(path, cuts, &rows, &row)) {
        line_columns c = {.end = row.begin};
        write_head(sink, path, &row);
        while (cli_sink_spill(sink) && next_columns(path, &row, &c)) {
            write_line(sink, path, &c, TARGET, width);
            cli_sink_repeat(sink, ' ', name_width(width) + width + 2);
            cli_append_bytes(&sink->text, c.lines[MATCHES], (size_t)c.count);
            cli_append_text(&sink->text, "\n");
            write_line(sink, path, &c, QUERY, width);
            cli_append_text(&sink->text, "\n");
        }
    }
}

/* A record of FASTA: name, and which bases of its record follow. */
static void write_record(cli_sink *sink, const cli_path *path, const cli_path_row *row, int side)
{
    line_columns c = {.end = row->begin};
    const cli_path_range at = bounds(path, side, &row->begin, &row->end);
    cli_append_format(&sink->text, ">%s %" PRId64 "-%" PRId64 "/%" PRId64 "\n", name_of(path, side),
                      at.begin, at.end, record_of(path, side));
    while (cli_sink_spill(sink) && next_columns(path, row, &c)) {
        cli_append_bytes(&sink->text, c.lines[side], (size_t)c.count);
        cli_append_text(&sink->text, "\n");
    }
}

void cli_write_afa(cli_sink *sink, const cli_path *path, const cli_path_cuts *cuts)
{
    cli_path_rows rows = {0};
    cli_path_row row;
    while (cli_path_next_row(path, cuts, &rows, &row)) {
        write_record(sink, path, &row, TARGET);
        write_record(sink, path, &row, QUERY);
    }
}
