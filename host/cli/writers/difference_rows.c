/* SPDX-License-Identifier: MIT */
/*
 * Lists of differences, for people and their tools: as lines of TSV (Rhomb's own, rhomb(1)), and as
 * operations in JSON.
 */
#include "host/cli/writers/align_formats.h"

void cli_write_differences_head(cli_sink *sink, bool strand)
{
    cli_append_text(&sink->text, "#target\tposition\treference\talternative\ttype\tquery_position");
    cli_append_text(&sink->text, strand ? "\tstrand\n" : "\n");
}

/* A tab, and the bases of a side, or a dot. */
static void write_side(cli_sink *sink, bool present, const char *bases, int64_t count)
{
    cli_append_text(&sink->text, present ? "\t" : "\t.");
    if (present)
        cli_sink_bases(sink, bases, count);
}

/* The position of the first base of a segment or, for a deletion, of the base before it. */
static int64_t query_position(const cli_path *path, const cli_path_segment *segment)
{
    if (segment->code != RHOMB_CIGAR_D)
        return cli_path_query_position(path, segment->query);
    if (segment->query > 0)
        return cli_path_query_position(path, segment->query - 1);
    if (path->query_length == 0)
        return path->query_before;
    return cli_path_query_position(path, 0) + (path->reverse ? 1 : -1);
}

static void write_difference(cli_sink *sink, const cli_path *path, const cli_path_segment *segment,
                             bool strand)
{
    const bool in_target = segment->code != RHOMB_CIGAR_I;
    const bool in_query = segment->code != RHOMB_CIGAR_D;
    const char type[] = {'\t', RHOMB_CIGAR_LETTER(segment->code), '\t', '\0'};
    cli_append_field(&sink->text, path->target_name);
    cli_append_labelled(&sink->text, "\t", path->target_before + segment->target + in_target);
    write_side(sink, in_target, path->target + segment->target, segment->length);
    write_side(sink, in_query, path->query + segment->query, segment->length);
    cli_append_labelled(&sink->text, type, query_position(path, segment));
    if (strand)
        cli_append_text(&sink->text, path->reverse ? "\t-" : "\t+");
    cli_append_text(&sink->text, "\n");
}

/* Writes an operation that is not =; with `atomize` in a line for each base that mismatches. */
static void write_operation(cli_sink *sink, const cli_path *path, cli_path_segment segment,
                            bool strand)
{
    const int64_t bases = segment.length;
    const bool is_split = path->atomize && segment.code == RHOMB_CIGAR_X;
    segment.length = is_split ? 1 : bases;
    for (int64_t i = 0; i < bases && cli_sink_spill(sink); i += segment.length) {
        write_difference(sink, path, &segment, strand);
        segment.target++;
        segment.query++;
    }
}

void cli_write_differences(cli_sink *sink, const cli_path *path, bool strand)
{
    static const cli_path_cuts NONE = {0};
    cli_path_rows rows = {0};
    cli_path_row row;
    cli_path_segment segment;
    /* Rows, as an operation may go on past the seam of a rotation. */
    while (cli_path_next_row(path, &NONE, &rows, &row)) {
        cli_path_cursor cursor = row.begin;
        while (cli_sink_spill(sink) && cli_path_next(path, &cursor, &row.end, &segment)) {
            if (segment.code != RHOMB_CIGAR_EQ)
                write_operation(sink, path, segment, strand);
        }
    }
}

void cli_write_operations(cli_sink *sink, const cli_path *path)
{
    const cli_path_cursor end = cli_path_end(path);
    cli_path_cursor cursor = {0};
    cli_path_segment segment;
    cli_append_text(&sink->text, "[");
    while (cli_sink_spill(sink) && cli_path_next(path, &cursor, &end, &segment)) {
        const char letter[] = {',', '"', RHOMB_CIGAR_LETTER(segment.code), '"', ']', '\0'};
        cli_append_labelled(&sink->text, segment.target + segment.query > 0 ? ",\n[" : "\n[",
                            segment.length);
        cli_append_text(&sink->text, letter);
    }
    cli_append_text(&sink->text, "]");
}
