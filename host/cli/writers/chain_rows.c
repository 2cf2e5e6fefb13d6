/* SPDX-License-Identifier: MIT */
/*
 * UCSC chains (genome.ucsc.edu/goldenPath/help/chain.html), see align_formats.h. A chain has
 * aligned blocks and the gaps between them, so that gaps at the ends of a row are in no chain:
 *
 *     2D 3= 1X 2I 1D 5= 1I      blocks of 4 and 5, with 1 and 2 bases of gap between them
 *
 * What a chain leads from is always on its forward strand. So from a query that is on the other
 * one, a chain follows the path backwards.
 */
#include "host/cli/writers/align_formats.h"

/* Columns without gaps. */
typedef struct block {
    int64_t target;
    int64_t query;
    int64_t length;
} block;

/* Lists the blocks of a row: 24 bytes each, and operations, of which there are twice as many, 8. */
static void list_blocks(const cli_path *path, const cli_path_row *row, cli_buffer *list)
{
    cli_path_cursor cursor = row->begin;
    cli_path_segment segment;
    bool is_open = false;
    list->length = 0;
    while (cli_path_next(path, &cursor, &row->end, &segment)) {
        const bool is_aligned = segment.code == RHOMB_CIGAR_EQ || segment.code == RHOMB_CIGAR_X;
        const block begun = {.target = segment.target, .query = segment.query};
        if (is_aligned && !is_open)
            cli_append_bytes(list, (const char *)&begun, sizeof begun);
        is_open = is_aligned;
        if (is_aligned && !list->failed)
            ((block *)(void *)(list->data + list->length))[-1].length += segment.length;
    }
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
    cli_append_format(out, " %" PRId64 " %c %" PRId64 " %" PRId64, s->record, reverse ? '-' : '+',
                      reverse ? s->record - s->range.end : s->range.begin,
                      reverse ? s->record - s->range.begin : s->range.end);
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
    cli_append_labelled(out, "chain ", row->matches);
    append_side(out, from_query ? &query : &target, false);
    append_side(out, from_query ? &target : &query, path->reverse);
}

/* The lines of `count` blocks; of a path that is followed backwards, the last block comes first. */
static void write_blocks(cli_sink *sink, const block *list, size_t count, bool backwards,
                         bool from_query)
{
    for (size_t i = 0; i < count && cli_sink_spill(sink); i++) {
        const block *now = &list[backwards ? count - 1 - i : i];
        cli_append_number(&sink->text, now->length);
        if (i + 1 < count) {
            const block *before = backwards ? now - 1 : now;
            const int64_t target = before[1].target - before[0].target - before[0].length;
            const int64_t query = before[1].query - before[0].query - before[0].length;
            cli_append_labelled(&sink->text, "\t", from_query ? query : target);
            cli_append_labelled(&sink->text, "\t", from_query ? target : query);
        }
        cli_append_text(&sink->text, "\n");
    }
    cli_append_text(&sink->text, "\n");
}

int64_t cli_write_chains(cli_sink *sink, const cli_path *path, const cli_path_cuts *cuts,
                         bool from_query, int64_t before)
{
    cli_path_rows rows = {0};
    cli_path_row row;
    cli_buffer blocks = {0};
    int64_t id = before;
    while (cli_sink_spill(sink) && cli_path_next_row(path, cuts, &rows, &row)) {
        list_blocks(path, &row, &blocks);
        const block *list = (const block *)(const void *)blocks.data;
        const size_t count = blocks.length / sizeof *list;
        if (count == 0)
            continue;
        append_head(&sink->text, path, &row, &list[0], &list[count - 1], from_query);
        cli_append_format(&sink->text, " %" PRId64 "\n", ++id);
        write_blocks(sink, list, count, from_query && path->reverse, from_query);
    }
    sink->text.failed = sink->text.failed || blocks.failed;
    cli_buffer_release(&blocks);
    return id;
}
