/* SPDX-License-Identifier: MIT */
/*
 * Lists of differences, for people and their tools: as lines of TSV, and as operations in JSON.
 */
#include "host/cli/align/align_formats.h"

void cli_write_differences_head(cli_sink *sink)
{
    cli_append_text(&sink->text,
                    "#target\tposition\treference\talternative\ttype\tquery_position\n");
}

/* A tab, and the bases of a side, or a dot. */
static void write_side(cli_sink *sink, bool present, const char *bases, int64_t count)
{
    cli_append_text(&sink->text, present ? "\t" : "\t.");
    if (present)
        cli_sink_bases(sink, bases, count);
}

static void write_difference(cli_sink *sink, const cli_path *path, const cli_path_piece *piece)
{
    const bool in_target = piece->code != RHOMB_CIGAR_I;
    const bool in_query = piece->code != RHOMB_CIGAR_D;
    const char type[] = {'\t', RHOMB_CIGAR_LETTER(piece->code), '\t', '\0'};
    cli_append_field(&sink->text, path->target_name);
    cli_append_text(&sink->text, "\t");
    cli_append_number(&sink->text, path->target_before + piece->target + in_target);
    write_side(sink, in_target, path->target + piece->target, piece->length);
    write_side(sink, in_query, path->query + piece->query, piece->length);
    cli_append_text(&sink->text, type);
    cli_append_number(&sink->text, path->query_before + piece->query + in_query);
    cli_append_text(&sink->text, "\n");
}

void cli_write_differences(cli_sink *sink, const cli_path *path)
{
    const cli_path_place end = cli_path_end(path);
    cli_path_place place = {0};
    cli_path_piece piece;
    while (cli_sink_spill(sink) && cli_path_next(path, &place, &end, &piece)) {
        if (piece.code != RHOMB_CIGAR_EQ)
            write_difference(sink, path, &piece);
    }
}

void cli_write_operations(cli_sink *sink, const cli_path *path)
{
    const cli_path_place end = cli_path_end(path);
    cli_path_place place = {0};
    cli_path_piece piece;
    cli_append_text(&sink->text, "[");
    while (cli_sink_spill(sink) && cli_path_next(path, &place, &end, &piece)) {
        const char letter[] = {RHOMB_CIGAR_LETTER(piece.code), '\0'};
        cli_append_text(&sink->text, piece.target + piece.query > 0 ? ",\n[" : "\n[");
        cli_append_number(&sink->text, piece.length);
        cli_append_text(&sink->text, ",\"");
        cli_append_text(&sink->text, letter);
        cli_append_text(&sink->text, "\"]");
    }
    cli_append_text(&sink->text, "]");
}
