/* SPDX-License-Identifier: MIT */
/*
 * JSON of alignments, see align_files.h. Rows are written as they come, between the members of a
 * report that is held.
 */
#include "host/cli/align/align_files.h"

#include <cJSON.h>

#include "host/cli/writers/align_formats.h"

#define FIELDS "host/cli/align/alignments.def"
#include "host/cli/base/fields.inc"

static void describe_alignments(cli_schema *schema)
{
    cli_many_json_describe(schema);
    cli_schema_list(schema, "alignments", "each alignment", describe_alignment);
    cli_schema_list(schema, "unaligned", "ranges without an alignment", describe_unaligned);
    cli_many_describe_shares(schema);
}

const cli_document cli_document_alignments = {
    "rhomb.alignments.1", "rhomb align --match or --blocks, --json", describe_alignments, false};

/* Appends a report, which it releases, without its end: one more member follows. */
static void append_open(cli_sink *sink, char *report, const char *member)
{
    sink->text.failed = sink->text.failed || report == NULL;
    if (report == NULL)
        return;
    cli_append_bytes(&sink->text, report, strlen(report) - strlen("\n}"));
    cli_append_text(&sink->text, member);
    cJSON_free(report);
}

void cli_write_align_json(cli_sink *sink, const cli_run *run, const rhomb_align_report *report,
                          const cli_path *path)
{
    append_open(sink, cli_align_json_text(run, report), ",\n\t\"operations\":\t");
    if (path != NULL)
        cli_write_operations(sink, path);
    else
        cli_append_text(&sink->text, "null");
    cli_append_text(&sink->text, "\n}\n");
}

void cli_write_alignments_begin(cli_sink *sink, const cli_run *run)
{
    append_open(sink, cli_many_json_text(run, cli_document_alignments.name),
                ",\n\t\"alignments\":\t[");
}

void cli_write_alignment(cli_sink *sink, const cli_path *path, const cli_part *part, bool is_first)
{
    cli_json json = {.root = cJSON_CreateObject()};
    cli_append_text(&sink->text, is_first ? "\n\t\t" : ",\n\t\t");
    write_alignment(&json, json.root, path, part, cli_part_report(part));
    cli_json_append_row(&json, true, &sink->text);
    cli_append_text(&sink->text, ",\"operations\":");
    cli_write_operations(sink, path);
    cli_append_text(&sink->text, "}");
}

void cli_write_alignments_end(cli_sink *sink, cli_many *many)
{
    const cli_unaligned *u = cli_many_unaligned(many);
    cli_append_text(&sink->text, "],\n\t\"unaligned\":\t[");
    for (size_t i = 0; i < cli_unaligned_count(u) && cli_sink_spill(sink); i++) {
        const cli_rest *rest = cli_unaligned_rest(u, i);
        cli_json json = {.root = cJSON_CreateObject()};
        cli_append_text(&sink->text, i > 0 ? ",\n\t\t" : "\n\t\t");
        write_unaligned(&json, json.root, u->names.data + rest->name, rest);
        cli_json_append_row(&json, false, &sink->text);
    }
    cli_append_text(&sink->text, "]");
    cli_many_append_shares(many, &sink->text);
    cli_append_text(&sink->text, "\n}\n");
}
