/* SPDX-License-Identifier: MIT */
/*
 * BED (UCSC: chrom, chromStart, chromEnd, name) of what is aligned and of what is not, see
 * align_formats.h.
 */
#include "host/cli/writers/align_formats.h"

/* Bases of the target, of which the last ones may go on. */
typedef struct interval {
    int64_t begin;
    int64_t end;
} interval;

static void append_row(cli_buffer *out, const char *name, int64_t begin, int64_t end)
{
    cli_append_field(out, name);
    cli_append_labelled(out, "\t", begin);
    cli_append_labelled(out, "\t", end);
}

static void write_interval(cli_sink *sink, const cli_path *path, interval i)
{
    if (i.begin == i.end)
        return;
    append_row(&sink->text, path->target_name, path->target_before + i.begin,
               path->target_before + i.end);
    cli_append_text(&sink->text, "\n");
}

static bool is_known(char base)
{
    return base != 'N' && base != 'n';
}

/* Adds columns without gaps; an interval that ends within them is written. */
static void add_columns(cli_sink *sink, const cli_path *path, const cli_path_segment *segment,
                        interval *now)
{
    const char *target = path->target + segment->target, *query = path->query + segment->query;
    for (int64_t i = 0; i < segment->length; i++) {
        if (is_known(target[i]) && is_known(query[i])) {
            now->end++;
            continue;
        }
        if (now->begin < now->end && !cli_sink_spill(sink))
            return;
        write_interval(sink, path, *now);
        now->begin = now->end = segment->target + i + 1;
    }
}

void cli_write_callable(cli_sink *sink, const cli_path *path)
{
    const cli_path_cursor end = cli_path_end(path);
    cli_path_cursor cursor = {0};
    cli_path_segment segment;
    interval now = {0};
    while (cli_sink_spill(sink) && cli_path_next(path, &cursor, &end, &segment)) {
        if (segment.code == RHOMB_CIGAR_I)
            continue;
        if (segment.code == RHOMB_CIGAR_D) {
            write_interval(sink, path, now);
            now.begin = now.end = segment.target + segment.length;
        } else {
            add_columns(sink, path, &segment, &now);
        }
    }
    write_interval(sink, path, now);
}

void cli_write_unaligned(FILE *stream, const cli_unaligned *u)
{
    cli_sink sink;
    cli_sink_open(&sink, stream, 0);
    for (size_t i = 0; i < cli_unaligned_count(u) && cli_sink_spill(&sink); i++) {
        const cli_rest *rest = cli_unaligned_rest(u, i);
        append_row(&sink.text, u->names.data + rest->name, rest->begin, rest->end);
        cli_append_text(&sink.text, rest->side == 0 ? "\ttarget\n" : "\tquery\n");
    }
    cli_sink_close(&sink);
}
