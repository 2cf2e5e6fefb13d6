/* SPDX-License-Identifier: MIT */
/*
 * UCSC chains, see align_formats.h. A chain has aligned blocks and the gaps between them, so that
 * gaps at the ends of a row are in no chain:
 *
 *     2D 3= 1X 2I 1D 5= 1I      blocks of 4 and 5, with 1 and 2 bases of gap between them
 *
 * What a chain leads from is always on its forward strand. So from a query that is on the other
 * one, a chain follows the path backwards.
 */
#include "host/cli/align/align_formats.h"

/* Columns without gaps. */
typedef struct block {
    int64_t target;
    int64_t query;
    int64_t length;
} block;

/* The blocks of a row, one after the other. */
typedef struct walk {
    const cli_path *path;
    cli_path_place place;
    cli_path_place end;
    bool backwards;
} walk;

static walk walk_of(const cli_path *path, const cli_path_row *row, bool backwards)
{
    return (walk){.path = path,
                  .place = backwards ? row->end : row->begin,
                  .end = backwards ? row->begin : row->end,
                  .backwards = backwards};
}

static bool next_piece(const walk *w, cli_path_place *place, cli_path_piece *piece)
{
    return w->backwards ? cli_path_previous(w->path, place, &w->end, piece)
                        : cli_path_next(w->path, place, &w->end, piece);
}

/* The next block. False if there is none. */
static bool next_block(walk *w, block *next)
{
    cli_path_piece piece;
    cli_path_place after = w->place;
    *next = (block){0};
    while (next_piece(w, &after, &piece)) {
        const bool is_aligned = piece.code == RHOMB_CIGAR_EQ || piece.code == RHOMB_CIGAR_X;
        if (!is_aligned && next->length > 0)
            return true;
        if (is_aligned && (next->length == 0 || w->backwards)) {
            next->target = piece.target;
            next->query = piece.query;
        }
        next->length += is_aligned ? piece.length : 0;
        w->place = after;
    }
    return next->length > 0;
}

/* What a chain says of one of its sequences, on its forward strand. */
typedef struct side {
    const char *name;
    int64_t record;
    cli_path_range range;
} side;

static void append_side(cli_buffer *out, const side *s, bool reverse)
{
    cli_append_text(out, " ");
    cli_append_field(out, s->name);
    cli_append_text(out, " ");
    cli_append_number(out, s->record);
    cli_append_text(out, reverse ? " - " : " + ");
    cli_append_number(out, reverse ? s->record - s->range.end : s->range.begin);
    cli_append_text(out, " ");
    cli_append_number(out, reverse ? s->record - s->range.begin : s->range.end);
}

static void append_head(cli_buffer *out, const cli_path *path, const cli_path_row *row,
                        const block *first, const block *last, bool from_query)
{
    const side target = {
        path->target_name,
        cli_path_target_record(path),
        {path->target_before + first->target, path->target_before + last->target + last->length}};
    const side query = {path->query_name, cli_path_query_record(path),
                        cli_path_query_range(path, first->query, last->query + last->length)};
    cli_append_text(out, "chain ");
    cli_append_number(out, row->matches);
    append_side(out, from_query ? &query : &target, false);
    append_side(out, from_query ? &target : &query, path->reverse);
}

/* The first and the last block of a row. False if it has none. */
static bool find_ends(const cli_path *path, const cli_path_row *row, block *first, block *last)
{
    walk forwards = walk_of(path, row, false), backwards = walk_of(path, row, true);
    return next_block(&forwards, first) && next_block(&backwards, last);
}

/* The bases from the end of the earlier of two blocks on. */
static int64_t gap_between(int64_t a, int64_t b, int64_t a_length, int64_t b_length)
{
    return a < b ? b - a - a_length : a - b - b_length;
}

static void write_blocks(cli_sink *sink, const cli_path *path, const cli_path_row *row,
                         bool from_query)
{
    block now, next;
    walk w = walk_of(path, row, from_query && path->reverse);
    bool goes_on = next_block(&w, &now);
    while (cli_sink_spill(sink) && goes_on) {
        cli_append_number(&sink->text, now.length);
        goes_on = next_block(&w, &next);
        if (goes_on) {
            const int64_t target = gap_between(now.target, next.target, now.length, next.length);
            const int64_t query = gap_between(now.query, next.query, now.length, next.length);
            cli_append_text(&sink->text, "\t");
            cli_append_number(&sink->text, from_query ? query : target);
            cli_append_text(&sink->text, "\t");
            cli_append_number(&sink->text, from_query ? target : query);
        }
        cli_append_text(&sink->text, "\n");
        now = next;
    }
    cli_append_text(&sink->text, "\n");
}

int64_t cli_write_chains(cli_sink *sink, const cli_path *path, const cli_path_cuts *cuts,
                         bool from_query, int64_t before)
{
    cli_path_rows rows = {0};
    cli_path_row row;
    block first, last;
    int64_t id = before;
    while (cli_sink_spill(sink) && cli_path_next_row(path, cuts, &rows, &row)) {
        if (!find_ends(path, &row, &first, &last))
            continue;
        append_head(&sink->text, path, &row, &first, &last, from_query);
        cli_append_text(&sink->text, " ");
        cli_append_number(&sink->text, ++id);
        cli_append_text(&sink->text, "\n");
        write_blocks(sink, path, &row, from_query);
    }
    return id;
}
