/* SPDX-License-Identifier: MIT */
/*
 * JSON of rows of `--ranges`, see range_objects.h. A row's CIGAR, which may be long, is its last
 * member, and is written as it comes.
 */
#include "host/cli/align/range_objects.h"

#include <cJSON.h>

#include "host/cli/writers/align_formats.h"

/* A row with what its fields are made of. */
typedef struct cli_range_object {
    const cli_range_row *row;
    bool is_located; /* its sequences are known */
    bool has_path, has_distance, has_score, exceeds;
    cli_path_row figures; /* of the path */
    int64_t distance;
    const char *scoring, *error;
} cli_range_object;

#define FIELDS "host/cli/align/range_objects.def"
#include "host/cli/base/fields.inc"

const cli_document cli_document_range = {
    "rhomb.range.1", "a line of rhomb align --ranges --format json", describe_range, true};

/* The penalty of a path end to end with this score, see rhomb/scoring.h. */
static int64_t distance_of(const cli_path *path, int64_t score)
{
    const int64_t match = path->scoring != NULL ? path->scoring->match : 0;
    const int64_t bases = path->target_length + path->query_length;
    return match % 2 == 0 ? match / 2 * bases - score : match * bases - 2 * score;
}

static cli_range_object object_of(const cli_align_arguments *args, const cli_range_row *row,
                                  const cli_path *path, const cli_range_outcome *outcome)
{
    static const cli_path_cuts NONE;
    const bool is_global = args->how.mode == RHOMB_MODE_GLOBAL;
    cli_path_rows rows = {0};
    cli_range_object o = {.row = row,
                          .is_located = row->name[0] != NULL && row->name[1] != NULL,
                          .has_path = outcome->has_path,
                          .has_distance = outcome->has_path && is_global,
                          .exceeds = outcome->exceeds,
                          .error = outcome->error};
    o.has_score = o.has_path && (!is_global || (path->scoring != NULL && path->scoring->match > 0));
    if (o.has_path)
        (void)cli_path_next_row(path, &NONE, &rows, &o.figures);
    o.distance = distance_of(path, o.figures.score);
    return o;
}

void cli_write_range_object(cli_sink *sink, const cli_align_arguments *args,
                            const cli_range_row *row, const cli_path *path,
                            const cli_range_outcome *outcome)
{
    cli_range_object o = object_of(args, row, path, outcome);
    cli_json json = {.root = cJSON_CreateObject()};
    const cli_path_cursor end = cli_path_end(path);
    cli_buffer scoring = {0};
    if (path->scoring != NULL)
        cli_append_scoring_tag(&scoring, path->scoring);
    if (scoring.length > 0) {
        cli_append_bytes(&scoring, "", 1);
        o.scoring = scoring.failed ? NULL : scoring.data + strlen("\tsc:Z:");
    }
    sink->text.failed = sink->text.failed || scoring.failed;
    write_range(&json, json.root, &o, path);
    cli_json_append_row(&json, true, &sink->text);
    cli_append_text(&sink->text, o.has_path ? ",\"cigar\":\"" : ",\"cigar\":null");
    if (o.has_path) {
        cli_write_cigar(sink, path, (cli_path_cursor){0}, &end);
        cli_append_text(&sink->text, "\"");
    }
    cli_append_text(&sink->text, "}\n");
    cli_buffer_release(&scoring);
}
