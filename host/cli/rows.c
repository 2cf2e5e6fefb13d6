/* SPDX-License-Identifier: MIT */
/*
 * Rows, see rows.h. Each piece of a row makes room for the most that it can take and then writes
 * without looking.
 */
#include "rows.h"

#include "report.h"

#include <inttypes.h>

enum { OP_BYTES = 12 /* 9 digits and a letter, and two to spare: see put_op() */ };

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
    char *at = cli_buffer_room(out, 64);
    if (at == NULL)
        return;
    const int decimals = cli_similarity_decimals(longer);
    if (longer > 9999999) {
        cli_buffer_taken(
            out, at + snprintf(at, 64, "%.*f", decimals, 1 - (double)distance / (double)longer));
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
    scaled %= unit;
    if (decimals == 7)
        *at++ = (char)('0' + scaled / 1000000);
    at = cli_put_two_digits(at, scaled / 10000 % 100);
    at = cli_put_two_digits(at, scaled / 100 % 100);
    cli_buffer_taken(out, cli_put_two_digits(at, scaled % 100));
}

/*
 * An operation. How many digits it has is as random as a CIGAR, so that a branch for it would be
 * guessed wrong every other time: all of three digits and the letter are one number, of which the
 * digits that are not wanted are shifted out.
 */
static inline char *put_op(char *at, rhomb_cigar_op op)
{
    const uint32_t length = RHOMB_CIGAR_LENGTH(op);
    const char letter = RHOMB_CIGAR_LETTER(op);
    if (length > 999) {
        at = cli_put_number(at, length);
        *at++ = letter;
        return at;
    }
    const uint32_t tens = length / 10, hundreds = length / 100;
    const unsigned leading = (length < 100) + (length < 10);
    uint32_t text = (uint32_t)(unsigned char)letter << 24 | ('0' + length - 10 * tens) << 16 |
                    ('0' + tens - 10 * hundreds) << 8 | ('0' + hundreds);
    text >>= 8 * leading;
    at[0] = (char)(text & 255);
    at[1] = (char)(text >> 8 & 255);
    at[2] = (char)(text >> 16 & 255);
    at[3] = (char)(text >> 24);
    return at + 4 - leading;
}

static void append_cigar(cli_buffer *out, const rhomb_pair_result *result)
{
    const rhomb_cigar_op *ops = result->cigar;
    const int64_t count = result->cigar_count;
    char *at = cli_buffer_room(out, (size_t)count * OP_BYTES);
    if (at == NULL)
        return;
    for (int64_t i = 0; i < count; i++)
        at = put_op(at, ops[i]);
    cli_buffer_taken(out, at);
}

/* The name of a side; NULL: the pair's number. */
static void append_name(cli_buffer *out, const cli_row_style *style, const cli_row *row,
                        const char *name)
{
    const bool json = style->format == CLI_ROWS_JSON;
    if (name != NULL && json) {
        cli_append_string(out, name);
    } else if (name != NULL) {
        cli_append_field(out, name);
    } else {
        cli_append_text(out, json ? "\"" : "");
        cli_append_number(out, row->number);
        cli_append_text(out, json ? "\"" : "");
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
    cli_append_text(out, "\t");
    cli_append_number(out, row->pair->target_length);
    cli_append_text(out, "\t");
    append_name(out, style, row, query_name(row));
    cli_append_text(out, "\t");
    cli_append_number(out, row->pair->query_length);
    cli_append_text(out, "\t");
    if (is_found(row)) {
        cli_append_number(out, row->result->distance);
        cli_append_text(out, "\t");
        append_similarity(out, row->result->distance, longer_length(row));
    } else if (row->error == NULL) {
        cli_append_text(out, ">");
        cli_append_number(out, style->max_distance);
        cli_append_text(out, "\t*");
    } else {
        cli_append_text(out, "*\t*");
    }
    if (style->cigar) {
        cli_append_text(out, "\t");
        if (is_found(row) && row->result->cigar_count > 0)
            append_cigar(out, row->result);
        else
            cli_append_text(out, "*");
    }
    if (style->error) {
        cli_append_text(out, "\t");
        cli_append_field(out, row->error != NULL ? row->error : "*");
    }
    cli_append_text(out, "\n");
}

static void append_json(cli_buffer *out, const cli_row_style *style, const cli_row *row)
{
    cli_append_text(out, "{\"target\":");
    append_name(out, style, row, target_name(row));
    cli_append_text(out, ",\"target_length\":");
    cli_append_number(out, row->pair->target_length);
    cli_append_text(out, ",\"query\":");
    append_name(out, style, row, query_name(row));
    cli_append_text(out, ",\"query_length\":");
    cli_append_number(out, row->pair->query_length);
    if (is_found(row)) {
        cli_append_text(out, ",\"distance\":");
        cli_append_number(out, row->result->distance);
        cli_append_text(out, ",\"similarity\":");
        append_similarity(out, row->result->distance, longer_length(row));
    } else {
        cli_append_text(out, ",\"distance\":null,\"similarity\":null");
    }
    cli_append_text(out, ",\"exceeds_max_distance\":");
    cli_append_text(out, row->error == NULL && !is_found(row) ? "true" : "false");
    if (style->cigar && is_found(row)) {
        cli_append_text(out, ",\"cigar\":\"");
        append_cigar(out, row->result);
        cli_append_text(out, "\"");
    } else if (style->cigar) {
        cli_append_text(out, ",\"cigar\":null");
    }
    if (style->error) {
        cli_append_text(out, ",\"error\":");
        if (row->error != NULL)
            cli_append_string(out, row->error);
        else
            cli_append_text(out, "null");
    }
    cli_append_text(out, "}\n");
}

/* Name, length, beginning and end of a side of an alignment that has all of it. */
static void append_paf_side(cli_buffer *out, const cli_row_style *style, const cli_row *row,
                            const char *name, int64_t length)
{
    append_name(out, style, row, name);
    cli_append_text(out, "\t");
    cli_append_number(out, length);
    cli_append_text(out, "\t0\t");
    cli_append_number(out, length);
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
        cli_append_text(out, "\t");
        cli_append_number(out, row->pair->query_length);
        cli_append_text(out, "\t0\t0\t*\t*\t0\t0\t0\t0\t0\t0\ter:Z:");
        cli_append_field(out, row->error);
        cli_append_text(out, "\n");
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
    cli_append_text(out, "\t+\t");
    append_paf_side(out, style, row, target_name(row), row->pair->target_length);
    cli_append_text(out, "\t");
    cli_append_number(out, matches);
    cli_append_text(out, "\t");
    cli_append_number(out, columns);
    cli_append_text(out, "\t255\tNM:i:");
    cli_append_number(out, result->distance);
    if (style->cigar && result->cigar_count > 0) {
        cli_append_text(out, "\tcg:Z:");
        append_cigar(out, result);
    }
    cli_append_text(out, "\n");
}

void cli_rows_header(cli_buffer *out, const cli_row_style *style)
{
    if (style->format != CLI_ROWS_TSV)
        return;
    cli_append_text(out, "#target\ttarget_length\tquery\tquery_length\tdistance\tsimilarity");
    cli_append_text(out, style->cigar ? "\tcigar" : "");
    cli_append_text(out, style->error ? "\terror\n" : "\n");
}

void cli_rows_append(cli_buffer *out, const cli_row_style *style, const cli_row *row)
{
    static void (*const appenders[])(cli_buffer *, const cli_row_style *, const cli_row *) = {
        [CLI_ROWS_TSV] = append_tsv, [CLI_ROWS_PAF] = append_paf, [CLI_ROWS_JSON] = append_json};
    appenders[style->format](out, style, row);
}
