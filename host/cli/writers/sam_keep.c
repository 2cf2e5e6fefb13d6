/* SPDX-License-Identifier: MIT */
/*
 * SAM 1.6 (samtools.github.io/hts-specs/SAMv1.pdf), see align_formats.h: the header, and what is
 * known of a record as soon as its path is.
 */
#include "host/cli/writers/align_formats.h"

#include "rhomb/rhomb.h"

/* Appends the arguments of a command, in one line. */
static void append_command(cli_buffer *out, const cli_head *head)
{
    cli_append_text(out, "rhomb");
    for (int i = 0; i < head->argc; i++) {
        cli_append_text(out, " ");
        for (const char *at = head->argv[i]; *at != '\0'; at++)
            cli_append_bytes(out, (unsigned char)*at < ' ' ? " " : at, 1);
    }
}

void cli_append_target(cli_buffer *out, const cli_target *target, const char *const marks[4])
{
    const bool has_md5 = target->md5 != NULL;
    cli_append_format(out, "%s%s%s%" PRId64 "%s%s%s", marks[0], target->name, marks[1],
                      target->length, has_md5 ? marks[2] : "", has_md5 ? target->md5 : "",
                      marks[3]);
}

void cli_write_sam_head(cli_sink *sink, const cli_head *head, const char *order)
{
    static const char *const MARKS[] = {"@SQ\tSN:", "\tLN:", "\tM5:", "\n"};
    cli_append_format(&sink->text, "@HD\tVN:1.6\tSO:%s\n", order);
    for (size_t i = 0; i < head->target_count && cli_sink_spill(sink); i++)
        cli_append_target(&sink->text, &head->targets[i], MARKS);
    cli_append_text(&sink->text, "@PG\tID:rhomb\tPN:rhomb\tVN:" RHOMB_VERSION "\tCL:");
    append_command(&sink->text, head);
    cli_append_text(&sink->text, "\n");
}

/* Mismatches, each after the number of matches before it. */
static void write_mismatches(cli_sink *sink, const char *bases, int64_t count, int64_t matches)
{
    for (int64_t i = 0; i < count && cli_sink_spill(sink); i++) {
        cli_append_number(&sink->text, i == 0 ? matches : 0);
        cli_sink_upper_bases(sink, &bases[i], 1);
    }
}

static void write_md(cli_sink *sink, const cli_path *path, const cli_path_row *row)
{
    cli_path_cursor cursor = row->begin;
    cli_path_segment segment;
    int64_t matches = 0;
    cli_append_text(&sink->text, "\tMD:Z:");
    while (cli_sink_spill(sink) && cli_path_next(path, &cursor, &row->end, &segment)) {
        const char *bases = path->target + segment.target;
        if (segment.code == RHOMB_CIGAR_EQ)
            matches += segment.length;
        if (segment.code == RHOMB_CIGAR_X)
            write_mismatches(sink, bases, segment.length, matches);
        if (segment.code == RHOMB_CIGAR_D) {
            cli_append_number(&sink->text, matches);
            cli_append_text(&sink->text, "^");
            cli_sink_upper_bases(sink, bases, segment.length);
        }
        if (segment.code == RHOMB_CIGAR_X || segment.code == RHOMB_CIGAR_D)
            matches = 0;
    }
    cli_append_number(&sink->text, matches);
}

static void end_text(cli_sink *sink)
{
    cli_append_bytes(&sink->text, "", 1);
}

static void keep_row(cli_sink *sink, const cli_path *path, const cli_path_row *row, int64_t target)
{
    const int64_t begin = path->target_before + row->begin.target;
    /* Inserted bases alone, after the last one of the target, have the position of that one. */
    const bool is_after = begin > 0 && begin == cli_path_target_record(path);
    const cli_sam_kept k = {
        .target = target,
        .in_target = {begin - is_after, path->target_before + row->end.target - is_after},
        .in_query = cli_path_query_range(path, row->begin.query, row->end.query),
        .query_bases = cli_path_query_record(path),
        .edits = cli_path_row_edits(row),
        .last_pair = path->last_pair,
        .reverse = path->reverse,
        .is_secondary = path->is_secondary};
    cli_append_bytes(&sink->text, (const char *)&k, sizeof k);
    cli_append_bytes(&sink->text, path->query_name, strlen(path->query_name) + 1);
    cli_append_bytes(&sink->text, path->target_name, strlen(path->target_name) + 1);
    cli_write_cigar(sink, path, row->begin, &row->end);
    end_text(sink);
    cli_append_path_tags(&sink->text, path, row, "");
    if (path->md)
        write_md(sink, path, row);
    end_text(sink);
    if (path->side == NULL)
        cli_sink_bases(sink, path->query + row->begin.query, row->end.query - row->begin.query);
    end_text(sink);
}

void cli_sam_keep(cli_sink *sink, const cli_path *path, const cli_path_cuts *cuts, int64_t target)
{
    cli_path_rows rows = {0};
    cli_path_row row;
    while (cli_path_next_row(path, cuts, &rows, &row))
        keep_row(sink, path, &row, target);
}
