/* SPDX-License-Identifier: MIT */
/* The rows of a matrix, see matrix_run.h. */
#include "host/cli/matrix/matrix_run.h"

#include "host/cli/base/text_buffer.h"

/* Names in PHYLIP have at least this many characters, blanks at their end. */
enum { PHYLIP_NAME = 10 };

/* What the values are: the first word of a TSV. */
static const char *kind_of(const cli_matrix_arguments *args)
{
    return args->similarity ? "similarity" : args->options.scoring != NULL ? "penalty" : "distance";
}

static bool is_long(const cli_matrix_rows *rows)
{
    return rows->args->format == CLI_MATRIX_LONG;
}

/* What is between the fields of a line. */
static const char *separator_of(const cli_matrix_rows *rows)
{
    return rows->args->format == CLI_MATRIX_CSV      ? ","
           : rows->args->format == CLI_MATRIX_PHYLIP ? " "
                                                     : "\t";
}

/* In quotes where CSV needs them (RFC 4180). */
static void append_quoted(cli_buffer *out, const char *name)
{
    if (strpbrk(name, ",\"\r\n") == NULL) {
        cli_append_text(out, name);
        return;
    }
    cli_append_text(out, "\"");
    for (; *name != '\0'; name++)
        cli_append_bytes(out, *name == '"' ? "\"\"" : name, *name == '"' ? 2 : 1);
    cli_append_text(out, "\"");
}

static void append_name(cli_matrix_rows *rows, int64_t index)
{
    const char *name = rows->sequences->list[index].name;
    cli_buffer *out = &rows->sink.text;
    if (rows->args->format == CLI_MATRIX_CSV) {
        append_quoted(out, name);
        return;
    }
    if (rows->args->format != CLI_MATRIX_PHYLIP) {
        cli_append_field(out, name);
        return;
    }
    cli_append_text(out, name);
    for (size_t length = strlen(name); length < PHYLIP_NAME; length++)
        cli_append_text(out, " ");
}

/*
 * The value of a pair. A distance beyond K is ">K", its similarity less than that of K, or both
 * are what the user wants.
 */
static void append_value(cli_matrix_rows *rows, int64_t i, int64_t j, int64_t distance)
{
    const cli_matrix_arguments *args = rows->args;
    cli_buffer *out = &rows->sink.text;
    const int64_t a = rows->sequences->list[i].length, b = rows->sequences->list[j].length;
    const int64_t known = distance >= 0 ? distance : args->options.max_distance;
    const int64_t longer = a > b ? a : b;
    cli_append_text(out, separator_of(rows));
    if (distance < 0)
        cli_append_text(out, args->limit_as != NULL ? args->limit_as
                             : args->similarity     ? "<"
                                                    : ">");
    if (distance < 0 && args->limit_as != NULL)
        return;
    if (!args->similarity) {
        cli_append_number(out, known);
        return;
    }
    /* That of files may be larger, where records have no partner. */
    const int64_t edits = known / args->edit_penalty;
    char *at = cli_buffer_room(out, CLI_SIMILARITY_BYTES);
    if (at != NULL)
        cli_buffer_taken(out, cli_put_similarity(at, edits < longer ? edits : longer, longer));
}

/* Row `row` with its columns up to `end`; `distances` are those of the columns before `row`. */
static void append_row(cli_matrix_rows *rows, int64_t row, int64_t end, const int64_t *distances)
{
    append_name(rows, row);
    for (int64_t j = 0; j < end && cli_sink_spill(&rows->sink); j++) {
        const int64_t distance = j < row   ? distances[j]
                                 : j > row ? rows->distances[rhomb_matrix_pair(j, row)]
                                           : 0;
        append_value(rows, row, j, distance);
    }
    cli_append_text(&rows->sink.text, "\n");
}

/* A row for a pair. */
static void append_pair(cli_matrix_rows *rows, int64_t row, int64_t column, int64_t distance)
{
    const bool *turned = rows->sequences->turned;
    append_name(rows, column);
    cli_append_text(&rows->sink.text, "\t");
    append_name(rows, row);
    append_value(rows, row, column, distance);
    if (turned != NULL)
        cli_append_text(&rows->sink.text, turned[row] == turned[column] ? "\t+" : "\t-");
    cli_append_text(&rows->sink.text, "\n");
}

static void append_head(cli_matrix_rows *rows)
{
    const cli_matrix_sequences *s = rows->sequences;
    cli_buffer *out = &rows->sink.text;
    if (is_long(rows)) {
        cli_append_format(out, "#target\tquery\t%s%s", kind_of(rows->args),
                          s->turned != NULL ? "\tstrand" : "");
    } else if (rows->args->format == CLI_MATRIX_PHYLIP) {
        cli_append_number(out, s->count);
    } else {
        cli_append_text(out, kind_of(rows->args));
        for (int64_t i = 0; i < (s->has_two ? s->columns : s->count) && cli_sink_spill(&rows->sink);
             i++) {
            cli_append_text(out, separator_of(rows));
            append_name(rows, i);
        }
    }
    cli_append_text(out, "\n");
}

int cli_matrix_rows_begin(cli_matrix_rows *rows, const cli_matrix_arguments *args,
                          const cli_matrix_sequences *sequences, FILE *stream)
{
    const int64_t count = sequences->count;
    *rows = (cli_matrix_rows){.args = args, .sequences = sequences};
    rows->is_square = !args->lower && !sequences->has_two && !is_long(rows);
    const int64_t kept = rows->is_square ? rhomb_matrix_pair(count, 0) : count;
    rows->distances = malloc(((size_t)kept + 1) * sizeof *rows->distances);
    if (rows->distances == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    cli_sink_open(&rows->sink, stream, 0);
    append_head(rows);
    if (args->lower && count > 0)
        append_row(rows, 0, 0, NULL);
    return CLI_OK;
}

bool cli_matrix_rows_take(cli_matrix_rows *rows, int64_t row, int64_t column,
                          const int64_t *distances, size_t count)
{
    const int64_t width = rows->sequences->has_two ? rows->sequences->columns : row;
    int64_t *own = rows->distances + (rows->is_square ? rhomb_matrix_pair(row, 0) : 0);
    if (is_long(rows)) {
        for (size_t i = 0; i < count && cli_sink_spill(&rows->sink); i++)
            append_pair(rows, row, column + (int64_t)i, distances[i]);
        return cli_sink_spill(&rows->sink);
    }
    memcpy(own + column, distances, count * sizeof *own);
    if (!rows->is_square && column + (int64_t)count == width)
        append_row(rows, row, width, own);
    return cli_sink_spill(&rows->sink);
}

int cli_matrix_rows_end(cli_matrix_rows *rows, bool complete)
{
    const int64_t count = rows->sequences != NULL ? rows->sequences->count : 0;
    if (complete && rows->is_square)
        for (int64_t i = 0; i < count; i++)
            append_row(rows, i, count, rows->distances + rhomb_matrix_pair(i, 0));
    if (!complete)
        rows->sink.text.length = 0;
    free(rows->distances);
    return cli_sink_close(&rows->sink);
}
