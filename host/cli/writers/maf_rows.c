/* SPDX-License-Identifier: MIT */
/*
 * MAF (genome.ucsc.edu/FAQ/FAQformat.html#format5), see align_formats.h. The lines of a block are
 * as long as the row has columns, and take a pass each.
 */
#include "host/cli/writers/align_formats.h"

/* One of the two sequences of a row. */
typedef struct side {
    const char *name;
    const char *bases;
    int64_t record;
    int64_t begin; /* in the record, on the strand */
    int64_t length;
    bool reverse;
    unsigned missing; /* the operation whose bases it lacks */
} side;

static void write_side(cli_sink *sink, const cli_path *path, const cli_path_row *row, const side *s)
{
    cli_path_cursor cursor = row->begin;
    cli_path_segment segment;
    const char *bases = s->bases;
    cli_append_text(&sink->text, "s ");
    cli_append_field(&sink->text, s->name);
    cli_append_format(&sink->text, " %" PRId64 " %" PRId64 " %c %" PRId64 " ", s->begin, s->length,
                      s->reverse ? '-' : '+', s->record);
    while (cli_sink_spill(sink) && cli_path_next(path, &cursor, &row->end, &segment)) {
        if (segment.code == s->missing) {
            cli_sink_repeat(sink, '-', segment.length);
        } else {
            cli_sink_dna_bases(sink, bases, segment.length);
            bases += segment.length;
        }
    }
    cli_append_text(&sink->text, "\n");
}

static void write_block(cli_sink *sink, const cli_path *path, const cli_path_row *row)
{
    const side target = {.name = path->target_name,
                         .bases = path->target + row->begin.target,
                         .record = cli_path_target_record(path),
                         .begin = path->target_before + row->begin.target,
                         .length = row->end.target - row->begin.target,
                         .missing = RHOMB_CIGAR_I};
    const cli_path_range range = cli_path_query_range(path, row->begin.query, row->end.query);
    const int64_t record = cli_path_query_record(path);
    const side query = {.name = path->query_name,
                        .bases = path->query + row->begin.query,
                        .record = record,
                        .begin = path->reverse ? record - range.end : range.begin,
                        .length = row->end.query - row->begin.query,
                        .reverse = path->reverse,
                        .missing = RHOMB_CIGAR_D};
    if (target.length == 0 || query.length == 0)
        return;
    cli_append_format(&sink->text, "\na score=%" PRId64 "\n", row->score);
    write_side(sink, path, row, &target);
    write_side(sink, path, row, &query);
}

void cli_write_maf_head(cli_sink *sink)
{
    cli_append_text(&sink->text, "##maf version=1\n");
}

void cli_write_maf(cli_sink *sink, const cli_path *path, const cli_path_cuts *cuts)
{
    cli_path_rows rows = {0};
    cli_path_row row;
    while (cli_sink_spill(sink) && cli_path_next_row(path, cuts, &rows, &row))
        write_block(sink, path, &row);
}
