/* SPDX-License-Identifier: MIT */
/*
 * Rows, see rows.h. Each piece of a row makes room for the most that it can take and then writes
 * without looking.
 */
#include "rows.h"

#include "json.h"
#include "report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    NUMBER_BYTES = 20, /* of an int64_t at most */
    OP_BYTES = 11      /* 9 digits and a letter, and one to spare */
};

void cli_buffer_release(cli_buffer *buffer)
{
    free(buffer->data);
    *buffer = (cli_buffer){0};
}

/* Makes room; NULL, and the buffer has failed, where there is no memory. */
static char *room(cli_buffer *out, size_t bytes)
{
    if (out->failed)
        return NULL;
    if (out->data == NULL || out->capacity - out->length < bytes) {
        size_t capacity = out->capacity < 4096 ? 4096 : 2 * out->capacity;
        while (capacity - out->length < bytes)
            capacity *= 2;
        char *grown = realloc(out->data, capacity);
        out->failed = grown == NULL;
        if (out->failed)
            return NULL;
        out->data = grown;
        out->capacity = capacity;
    }
    return out->data + out->length;
}

/* What has been written up to `end` belongs to the buffer now. */
static void taken(cli_buffer *out, const char *end)
{
    out->length = (size_t)(end - out->data);
}

static void append_bytes(cli_buffer *out, const char *bytes, size_t count)
{
    char *at = room(out, count);
    if (at == NULL)
        return;
    memcpy(at, bytes, count);
    taken(out, at + count);
}

static void append_text(cli_buffer *out, const char *text)
{
    append_bytes(out, text, strlen(text));
}

/* Writes a number that is not negative; returns where it ends. */
static char *put_number(char *at, uint64_t number)
{
    char digits[NUMBER_BYTES];
    char *first = digits + NUMBER_BYTES;
    do {
        *--first = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    const size_t count = (size_t)(digits + NUMBER_BYTES - first);
    memcpy(at, first, count);
    return at + count;
}

static void append_number(cli_buffer *out, int64_t number)
{
    char *at = room(out, NUMBER_BYTES);
    if (at != NULL)
        taken(out, put_number(at, (uint64_t)number));
}

static int64_t longer_length(const cli_row *row)
{
    const rhomb_pair *p = row->pair;
    return p->target_length > p->query_length ? p->target_length : p->query_length;
}

/*
 * 1 - distance / longer length as `rhomb distance` prints it: rounded to even where it is half way,
 * which is exact in binary then. Other fractions are further from half way than a double's error,
 * as long as lengths have seven digits.
 */
static void append_similarity(cli_buffer *out, int64_t distance, int64_t longer)
{
    char *at = room(out, 64);
    if (at == NULL)
        return;
    const int decimals = cli_similarity_decimals(longer);
    if (longer > 9999999) {
        taken(out, at + snprintf(at, 64, "%.*f", decimals, 1 - (double)distance / (double)longer));
        return;
    }
    const uint64_t length = longer > 0 ? (uint64_t)longer : 1;
    const uint64_t same = length - (uint64_t)distance;
    const uint64_t unit = decimals == 6 ? 1000000 : 10000000;
    uint64_t scaled = same * unit / length;
    const uint64_t twice_rest = 2 * (same * unit % length);
    scaled += twice_rest > length || (twice_rest == length && scaled % 2 == 1);
    *at++ = (char)('0' + scaled / unit);
    *at++ = '.';
    for (int i = decimals; i-- > 0; scaled /= 10)
        at[i] = (char)('0' + scaled % 10);
    taken(out, at + decimals);
}

static void append_cigar(cli_buffer *out, const rhomb_pair_result *result)
{
    char *at = room(out, (size_t)result->cigar_count * OP_BYTES);
    if (at == NULL)
        return;
    for (int64_t i = 0; i < result->cigar_count; i++) {
        const rhomb_cigar_op op = result->cigar[i];
        const uint32_t length = RHOMB_CIGAR_LENGTH(op);
        if (length < 10)
            *at++ = (char)('0' + length);
        else
            at = put_number(at, length);
        *at++ = RHOMB_CIGAR_LETTER(op);
    }
    taken(out, at);
}

/* What stands behind a backslash for a character that would end a field; NUL for all others. */
static char escape_of(char character)
{
    switch (character) {
    case '\t':
        return 't';
    case '\n':
        return 'n';
    case '\r':
        return 'r';
    case '\\':
        return '\\';
    default:
        return '\0';
    }
}

/* A TSV field: characters that would end it are escaped, and nothing at all is a dot. */
static void append_field(cli_buffer *out, const char *text)
{
    const size_t length = strlen(text);
    char *at = room(out, 2 * length + 1);
    if (at == NULL)
        return;
    if (length == 0)
        *at++ = '.';
    for (size_t i = 0; i < length; i++) {
        const char escape = escape_of(text[i]);
        if (escape != '\0')
            *at++ = '\\';
        *at++ = escape != '\0' ? escape : text[i];
    }
    taken(out, at);
}

/* A JSON string; bytes that are no UTF-8 become U+FFFD. */
static void append_string(cli_buffer *out, const char *text)
{
    char escape[8];
    append_text(out, "\"");
    while (text[0] != '\0') {
        const unsigned char byte = (unsigned char)text[0];
        const size_t length = cli_utf8_length(text);
        if (byte < ' ' || byte == '"' || byte == '\\') {
            snprintf(escape, sizeof escape, byte < ' ' ? "\\u%04x" : "\\%c", (unsigned)byte);
            append_text(out, escape);
        } else if (length == 0) {
            append_text(out, "\xef\xbf\xbd");
        } else {
            append_bytes(out, text, length);
        }
        text += length > 0 ? length : 1;
    }
    append_text(out, "\"");
}

/* The name of a side; NULL: the pair's number. */
static void append_name(cli_buffer *out, const cli_row_style *style, const cli_row *row,
                        const char *name)
{
    const bool json = style->format == CLI_ROWS_JSON;
    if (name != NULL && json) {
        append_string(out, name);
    } else if (name != NULL) {
        append_field(out, name);
    } else {
        append_text(out, json ? "\"" : "");
        append_number(out, row->number);
        append_text(out, json ? "\"" : "");
    }
}

static const char *target_name(const cli_row *row)
{
    return row->names != NULL ? row->names->target : NULL;
}

static const char *query_name(const cli_row *row)
{
    return row->names != NULL ? row->names->query : NULL;
}

static bool is_found(const cli_row *row)
{
    return row->error == NULL && row->result->distance >= 0;
}

static void append_tsv(cli_buffer *out, const cli_row_style *style, const cli_row *row)
{
    append_name(out, style, row, target_name(row));
    append_text(out, "\t");
    append_number(out, row->pair->target_length);
    append_text(out, "\t");
    append_name(out, style, row, query_name(row));
    append_text(out, "\t");
    append_number(out, row->pair->query_length);
    append_text(out, "\t");
    if (is_found(row)) {
        append_number(out, row->result->distance);
        append_text(out, "\t");
        append_similarity(out, row->result->distance, longer_length(row));
    } else if (row->error == NULL) {
        append_text(out, ">");
        append_number(out, style->max_distance);
        append_text(out, "\t*");
    } else {
        append_text(out, "*\t*");
    }
    if (style->cigar) {
        append_text(out, "\t");
        if (is_found(row) && row->result->cigar_count > 0)
            append_cigar(out, row->result);
        else
            append_text(out, "*");
    }
    if (style->error) {
        append_text(out, "\t");
        append_field(out, row->error != NULL ? row->error : "*");
    }
    append_text(out, "\n");
}

static void append_json(cli_buffer *out, const cli_row_style *style, const cli_row *row)
{
    append_text(out, "{\"target\":");
    append_name(out, style, row, target_name(row));
    append_text(out, ",\"target_length\":");
    append_number(out, row->pair->target_length);
    append_text(out, ",\"query\":");
    append_name(out, style, row, query_name(row));
    append_text(out, ",\"query_length\":");
    append_number(out, row->pair->query_length);
    if (is_found(row)) {
        append_text(out, ",\"distance\":");
        append_number(out, row->result->distance);
        append_text(out, ",\"similarity\":");
        append_similarity(out, row->result->distance, longer_length(row));
    } else {
        append_text(out, ",\"distance\":null,\"similarity\":null");
    }
    append_text(out, ",\"exceeds_max_distance\":");
    append_text(out, row->error == NULL && !is_found(row) ? "true" : "false");
    if (style->cigar && is_found(row)) {
        append_text(out, ",\"cigar\":\"");
        append_cigar(out, row->result);
        append_text(out, "\"");
    } else if (style->cigar) {
        append_text(out, ",\"cigar\":null");
    }
    if (style->error) {
        append_text(out, ",\"error\":");
        if (row->error != NULL)
            append_string(out, row->error);
        else
            append_text(out, "null");
    }
    append_text(out, "}\n");
}

/* Name, length, beginning and end of a side of an alignment that has all of it. */
static void append_paf_side(cli_buffer *out, const cli_row_style *style, const cli_row *row,
                            const char *name, int64_t length)
{
    append_name(out, style, row, name);
    append_text(out, "\t");
    append_number(out, length);
    append_text(out, "\t0\t");
    append_number(out, length);
}

/*
 * A pair without a result is a query without a target, as minimap2 --paf-no-hit has it, and one
 * beyond the limit is left out: an alignment is what PAF's readers look for. Without a CIGAR the
 * matches are those that the similarity stands for.
 */
static void append_paf(cli_buffer *out, const cli_row_style *style, const cli_row *row)
{
    const rhomb_pair_result *result = row->result;
    if (row->error != NULL) {
        append_name(out, style, row, query_name(row));
        append_text(out, "\t");
        append_number(out, row->pair->query_length);
        append_text(out, "\t0\t0\t*\t*\t0\t0\t0\t0\t0\t0\ter:Z:");
        append_field(out, row->error);
        append_text(out, "\n");
        return;
    }
    if (!is_found(row))
        return;
    int64_t columns = longer_length(row);
    int64_t matches = columns - result->distance;
    if (style->cigar) {
        columns = matches = 0;
        for (int64_t i = 0; i < result->cigar_count; i++) {
            const rhomb_cigar_op op = result->cigar[i];
            columns += RHOMB_CIGAR_LENGTH(op);
            matches += RHOMB_CIGAR_CODE(op) == RHOMB_CIGAR_EQ ? RHOMB_CIGAR_LENGTH(op) : 0;
        }
    }
    append_paf_side(out, style, row, query_name(row), row->pair->query_length);
    append_text(out, "\t+\t");
    append_paf_side(out, style, row, target_name(row), row->pair->target_length);
    append_text(out, "\t");
    append_number(out, matches);
    append_text(out, "\t");
    append_number(out, columns);
    append_text(out, "\t255\tNM:i:");
    append_number(out, result->distance);
    if (style->cigar && result->cigar_count > 0) {
        append_text(out, "\tcg:Z:");
        append_cigar(out, result);
    }
    append_text(out, "\n");
}

void cli_rows_header(cli_buffer *out, const cli_row_style *style)
{
    if (style->format != CLI_ROWS_TSV)
        return;
    append_text(out, "#target\ttarget_length\tquery\tquery_length\tdistance\tsimilarity");
    append_text(out, style->cigar ? "\tcigar" : "");
    append_text(out, style->error ? "\terror\n" : "\n");
}

void cli_rows_append(cli_buffer *out, const cli_row_style *style, const cli_row *row)
{
    static void (*const appenders[])(cli_buffer *, const cli_row_style *, const cli_row *) = {
        [CLI_ROWS_TSV] = append_tsv, [CLI_ROWS_PAF] = append_paf, [CLI_ROWS_JSON] = append_json};
    appenders[style->format](out, style, row);
}
