/* SPDX-License-Identifier: MIT */
/*
 * Rows, see rows.h. Room is made for the largest possible row, which is then written without
 * checks. Formatting takes most of the command's CPU time, besides reading.
 */
#include "host/cli/base/rows.h"

#include "host/cli/base/schema.h"
#include "host/cli/base/text_buffer.h"

enum {
    OP_BYTES = 12,    /* 9 digits and a character, and two to spare: see put_op() */
    FIXED_BYTES = 768 /* numbers, and what separates them in any format */
};

static int64_t longer_length(const cli_row *row)
{
    const rhomb_pair *p = row->pair;
    return p->target_length > p->query_length ? p->target_length : p->query_length;
}

static size_t name_bytes(const char *name)
{
    return name != NULL ? 6 * strlen(name) : 0;
}

/* The most that a row takes. */
static size_t row_bytes(const cli_row_style *style, const cli_row *row)
{
    size_t bytes = FIXED_BYTES;
    if (style->cigar)
        bytes += (size_t)row->result->cigar_count * OP_BYTES;
    if (row->names != NULL)
        bytes += name_bytes(row->names->target) + name_bytes(row->names->query);
    if (row->error != NULL)
        bytes += 6 * strlen(row->error);
    return bytes;
}

/* The digits of a number below 1,000: the first in the lowest byte, their count in the top one. */
#define TEXT(n)                                                \
    ((n) < 10 ? 1u << 24 | ('0' + (n))                         \
     : (n) < 100                                               \
         ? 2u << 24 | ('0' + (n) % 10) << 8 | ('0' + (n) / 10) \
         : 3u << 24 | ('0' + (n) % 10) << 16 | ('0' + (n) / 10 % 10) << 8 | ('0' + (n) / 100))
#define TEN(n)                                                                             \
    TEXT(n), TEXT(n + 1), TEXT(n + 2), TEXT(n + 3), TEXT(n + 4), TEXT(n + 5), TEXT(n + 6), \
        TEXT(n + 7), TEXT(n + 8), TEXT(n + 9)
#define HUNDRED(n)                                                                        \
    TEN(n), TEN(n + 10), TEN(n + 20), TEN(n + 30), TEN(n + 40), TEN(n + 50), TEN(n + 60), \
        TEN(n + 70), TEN(n + 80), TEN(n + 90)

/*
 * An operation. Its digit count is so random that a branch on it would be mispredicted every other
 * time. A table of 4 KB has up to three digits, and the operation's character goes after them.
 */
static inline char *put_op(char *at, rhomb_cigar_op op)
{
    static const uint32_t TEXTS[] = {HUNDRED(0),   HUNDRED(100), HUNDRED(200), HUNDRED(300),
                                     HUNDRED(400), HUNDRED(500), HUNDRED(600), HUNDRED(700),
                                     HUNDRED(800), HUNDRED(900)};
    const uint32_t length = RHOMB_CIGAR_LENGTH(op);
    if (length > 999) {
        at = cli_put_number(at, length);
        *at++ = RHOMB_CIGAR_LETTER(op);
        return at;
    }
    const uint32_t text = TEXTS[length];
    const unsigned digits = text >> 24;
    cli_put_four(at, text);
    at[digits] = RHOMB_CIGAR_LETTER(op);
    return at + digits + 1;
}

static char *put_cigar(char *at, const rhomb_pair_result *result)
{
    const rhomb_cigar_op *ops = result->cigar;
    const int64_t count = result->cigar_count;
    for (int64_t i = 0; i < count; i++)
        at = put_op(at, ops[i]);
    return at;
}

static bool has_side(const cli_row *row, cli_row_sides side)
{
    return row->sides == CLI_ROW_BOTH || row->sides == side;
}

/* What is before a value: a tab, or the key in JSON. */
static inline char *put_key(char *at, bool json, const char *key)
{
    if (!json) {
        *at++ = '\t';
        return at;
    }
    return cli_put_text(cli_put_text(cli_put_text(at, ",\""), key), "\":");
}

static inline char *put_unknown(char *at, bool json)
{
    return cli_put_text(at, json ? "null" : "*");
}

static inline char *put_quote(char *at, bool json)
{
    if (json)
        *at++ = '"';
    return at;
}

/* The name of a side: the pair's number, if it has none. */
static char *put_name(char *at, bool json, const cli_row *row, cli_row_sides side)
{
    const rhomb_pair_names *names = row->names;
    const char *name = names == NULL ? NULL : side == CLI_ROW_TARGET ? names->target : names->query;
    if (!has_side(row, side))
        return put_unknown(at, json);
    if (name != NULL)
        return json ? cli_put_string(at, name) : cli_put_field(at, name);
    return put_quote(cli_put_number(put_quote(at, json), (uint64_t)row->number), json);
}

/* A non-negative number after some text. Inline, so that the text's length is known. */
static inline char *put_labelled(char *at, const char *label, int64_t number)
{
    return cli_put_number(cli_put_text(at, label), (uint64_t)number);
}

/* A sequence's length, if there is such a sequence. */
static inline char *put_length(char *at, bool json, const char *key, const cli_row *row,
                               cli_row_sides side)
{
    const rhomb_pair *p = row->pair;
    at = put_key(at, json, key);
    if (row->is_fault || !has_side(row, side))
        return put_unknown(at, json);
    return cli_put_number(at,
                          (uint64_t)(side == CLI_ROW_TARGET ? p->target_length : p->query_length));
}

static bool is_found(const cli_row *row)
{
    return row->error == NULL && row->result->distance >= 0;
}

static char *put_signed(char *at, int64_t number)
{
    if (number < 0)
        *at++ = '-';
    return cli_put_number(at, number < 0 ? (uint64_t)-number : (uint64_t)number);
}

/* A position; -1 if it is not known. */
static inline char *put_position(char *at, bool json, const char *key, int64_t position)
{
    at = put_key(at, json, key);
    return position < 0 ? put_unknown(at, json) : cli_put_number(at, (uint64_t)position);
}

/* Whether rows have a begin and an end, and the score in place of the distance. */
static bool has_extent(const cli_row_style *style)
{
    return style->mode != RHOMB_MODE_GLOBAL;
}

/* The place on the record itself; -1 stays what it is: not known. */
static int64_t flip(const cli_row *row, int64_t position)
{
    return position < 0 ? position : row->pair->query_length - position;
}

/* What is aligned, on the forward strands. */
static rhomb_pair_extent extent_of(const cli_row *row)
{
    rhomb_pair_extent e = *row->result->extent;
    if (row->reverse) {
        const int64_t begin = e.query_begin;
        e.query_begin = flip(row, e.query_end);
        e.query_end = flip(row, begin);
    }
    return e;
}

static char *put_strand(char *at, const cli_row *row)
{
    *at++ = row->reverse ? '-' : '+';
    return at;
}

/* Columns and matches of a CIGAR. */
typedef struct counted {
    int64_t columns;
    int64_t matches;
} counted;

static counted count_columns(const rhomb_pair_result *result)
{
    counted c = {0, 0};
    for (int64_t i = 0; i < result->cigar_count; i++) {
        const rhomb_cigar_op op = result->cigar[i];
        c.columns += RHOMB_CIGAR_LENGTH(op);
        c.matches += RHOMB_CIGAR_CODE(op) == RHOMB_CIGAR_EQ ? RHOMB_CIGAR_LENGTH(op) : 0;
    }
    return c;
}

/* Of all edits of a path end to end; with a scoring only the path tells. */
static char *put_row_similarity(char *at, bool json, const cli_row_style *style, const cli_row *row)
{
    int64_t edits = row->result->distance;
    if (style->scored && !style->cigar)
        return put_unknown(at, json);
    if (style->scored) {
        const counted c = count_columns(row->result);
        edits = c.columns - c.matches;
        if (edits > longer_length(row)) /* the best path may have more edits than that */
            return put_unknown(at, json);
    }
    return cli_put_similarity(at, edits, longer_length(row));
}

/* What is aligned, after the lengths: score, begins and ends. */
static inline char *put_extent(char *at, bool json, const cli_row_style *style, const cli_row *row)
{
    const bool found = is_found(row) && row->result->extent != NULL;
    const rhomb_pair_extent e =
        found ? extent_of(row) : (rhomb_pair_extent){0, -1, -1, -1, -1, false};
    at = put_key(at, json, "score");
    at = found ? put_signed(at, e.score) : put_unknown(at, json);
    at = put_position(at, json, "target_begin", e.target_begin);
    at = put_position(at, json, "target_end", e.target_end);
    at = put_position(at, json, "query_begin", e.query_begin);
    at = put_position(at, json, "query_end", e.query_end);
    if (style->mode != RHOMB_MODE_EXTEND)
        return at;
    at = put_key(at, json, "reached_end");
    return !found          ? put_unknown(at, json)
           : e.reached_end ? cli_put_text(at, json ? "true" : "yes")
                           : cli_put_text(at, json ? "false" : "no");
}

/* The distance, with a match score the score, and the similarity. */
static inline char *put_distance(char *at, bool json, const cli_row_style *style,
                                 const cli_row *row)
{
    const bool found = is_found(row), is_beyond = !found && row->error == NULL;
    at = put_key(at, json, "distance");
    if (found)
        at = cli_put_number(at, (uint64_t)row->result->distance);
    else if (is_beyond && !json)
        at = put_labelled(at, ">", style->max_distance);
    else
        at = put_unknown(at, json);
    if (style->scored && style->scoring.match > 0) {
        at = put_key(at, json, "score");
        at = found ? put_signed(at, row->result->extent->score) : put_unknown(at, json);
    }
    at = put_key(at, json, "similarity");
    at = found ? put_row_similarity(at, json, style, row) : put_unknown(at, json);
    return !json ? at
                 : cli_put_text(put_key(at, json, "exceeds_max_distance"),
                                is_beyond ? "true" : "false");
}

/* As TSV or JSON. */
static char *put_row(char *at, bool json, const cli_row_style *style, const cli_row *row)
{
    at = put_name(cli_put_text(at, json ? "{\"target\":" : ""), json, row, CLI_ROW_TARGET);
    at = put_length(at, json, "target_length", row, CLI_ROW_TARGET);
    at = put_name(put_key(at, json, "query"), json, row, CLI_ROW_QUERY);
    at = put_length(at, json, "query_length", row, CLI_ROW_QUERY);
    at = has_extent(style) ? put_extent(at, json, style, row) : put_distance(at, json, style, row);
    if (style->strand) {
        at = put_key(at, json, "strand");
        at = row->sides == CLI_ROW_BOTH ? put_quote(put_strand(put_quote(at, json), row), json)
                                        : put_unknown(at, json);
    }
    if (style->cigar) {
        at = put_key(at, json, "cigar");
        at = is_found(row) && (json || row->result->cigar_count > 0)
                 ? put_quote(put_cigar(put_quote(at, json), row->result), json)
                 : put_unknown(at, json);
    }
    if (style->error) {
        at = put_key(at, json, "error");
        at = row->error == NULL ? put_unknown(at, json)
             : json             ? cli_put_string(at, row->error)
                                : cli_put_field(at, row->error);
    }
    return cli_put_text(at, json ? "}\n" : "\n");
}

/* Name, length, begin and end of a side. */
static char *put_paf_side(char *at, const cli_row *row, cli_row_sides side, int64_t begin,
                          int64_t end)
{
    at = put_name(at, false, row, side);
    at = put_length(at, false, "", row, side);
    at = put_labelled(at, "\t", begin);
    return put_labelled(at, "\t", end);
}

/* The tags of a score: it, and the scoring. */
static char *put_score_tags(char *at, const cli_row_style *style, const rhomb_pair_extent *extent)
{
    cli_buffer tag = {0};
    at = put_signed(cli_put_text(at, "\tAS:i:"), extent->score);
    cli_append_scoring_tag(&tag, &style->scoring);
    if (!tag.failed && tag.length > 0) {
        memcpy(at, tag.data, tag.length);
        at += tag.length;
    }
    cli_buffer_release(&tag);
    return at;
}

/*
 * A pair without a result is a query without a target, as in minimap2 --paf-no-hit, and so is a
 * query without a partner; a target without one is left out. A pair beyond the limit is left out,
 * since PAF readers expect an alignment, and so is one without any. Without a CIGAR the matches are
 * those that the similarity implies; with a scoring there is one.
 */
static char *put_paf(char *at, const cli_row_style *style, const cli_row *row)
{
    const rhomb_pair_result *result = row->result;
    if (row->sides == CLI_ROW_TARGET)
        return at;
    if (row->error != NULL) {
        at = put_name(at, false, row, CLI_ROW_QUERY);
        at = put_labelled(at, "\t", row->pair->query_length);
        at = cli_put_text(at, "\t0\t0\t*\t*\t0\t0\t0\t0\t0\t0\ter:Z:");
        at = cli_put_field(at, row->error);
        *at++ = '\n';
        return at;
    }
    if (!is_found(row))
        return at;
    if (has_extent(style) && result->cigar_count == 0)
        return at;
    counted c = {longer_length(row), longer_length(row) - result->distance};
    if (style->cigar)
        c = count_columns(result);
    const rhomb_pair_extent e = result->extent != NULL
                                    ? extent_of(row)
                                    : (rhomb_pair_extent){.target_end = row->pair->target_length,
                                                          .query_end = row->pair->query_length};
    at = put_paf_side(at, row, CLI_ROW_QUERY, e.query_begin, e.query_end);
    at = cli_put_text(at, row->reverse ? "\t-\t" : "\t+\t");
    at = put_paf_side(at, row, CLI_ROW_TARGET, e.target_begin, e.target_end);
    at = put_labelled(at, "\t", c.matches);
    at = put_labelled(at, "\t", c.columns);
    at = put_labelled(at, "\t255\tNM:i:", style->scored ? c.columns - c.matches : result->distance);
    if (style->scored)
        at = put_score_tags(at, style, &e);
    at = cli_put_text(at, style->iupac ? CLI_IUPAC_TAG : "");
    at = cli_put_text(at, "\ttp:A:P");
    if (style->cigar && result->cigar_count > 0) {
        at = cli_put_text(at, "\tcg:Z:");
        at = put_cigar(at, result);
    }
    *at++ = '\n';
    return at;
}

void cli_rows_header(cli_buffer *out, const cli_row_style *style)
{
    const bool has_score = style->scored && style->scoring.match > 0;
    if (style->format != CLI_ROWS_TSV)
        return;
    cli_append_format(out, "#target\ttarget_length\tquery\tquery_length\t%s%s%s%s%s\n",
                      has_extent(style) ? "score\ttarget_begin\ttarget_end\tquery_begin\tquery_end"
                      : has_score       ? "distance\tscore\tsimilarity"
                                        : "distance\tsimilarity",
                      style->mode == RHOMB_MODE_EXTEND ? "\treached_end" : "",
                      style->strand ? "\tstrand" : "", style->cigar ? "\tcigar" : "",
                      style->error ? "\terror" : "");
}

bool cli_row_is_empty(const cli_row_style *style, const cli_row *row)
{
    const rhomb_pair_extent *e = row->result->extent;
    return has_extent(style) && row->error == NULL && e != NULL &&
           e->target_begin == e->target_end && e->query_begin == e->query_end;
}

void cli_rows_append(cli_buffer *out, const cli_row_style *style, const cli_row *row)
{
    char *at = cli_buffer_room(out, row_bytes(style, row));
    if (at != NULL)
        cli_buffer_taken(out, style->format == CLI_ROWS_PAF
                                  ? put_paf(at, style, row)
                                  : put_row(at, style->format == CLI_ROWS_JSON, style, row));
}

/* As put_row() writes them. */
static void describe_rows(cli_schema *schema)
{
    static const struct {
        const char *name, *type, *unit, *meaning;
    } FIELDS[] = {
        {"target", "string", "", "the target's name, or the pair's number; null without one"},
        {"target_length", "integer", "bases", "its length; null if it is not known"},
        {"query", "string", "", "the query's name, or the pair's number; null without one"},
        {"query_length", "integer", "bases", "its length; null if it is not known"},
        /* What depends on options. */
        {"distance", "integer", "", "the exact distance; with --mode global"},
        {"score", "integer", "", "the score; with another mode or a match score"},
        {"similarity", "number", "", "1 - edits / longer length; with --mode global"},
        {"target_begin", "integer", "bases", "where the alignment begins, from 0; other modes"},
        {"target_end", "integer", "bases", "where it ends, exclusive; other modes"},
        {"query_begin", "integer", "bases", "where the alignment begins, from 0; other modes"},
        {"query_end", "integer", "bases", "where it ends, exclusive; other modes"},
        {"reached_end", "boolean", "", "the end of the query was reached; --mode extend"},
        {"cigar", "string", "", "the path; --cigar"},
        {"error", "string", "", "why there is no result; --keep-going or --match"},
    };
    for (size_t i = 0; i < CLI_COUNT(FIELDS); i++) {
        schema->is_optional = i >= 4;
        cli_schema_value(schema, FIELDS[i].name, FIELDS[i].type, true, FIELDS[i].unit,
                         FIELDS[i].meaning);
    }
    cli_schema_value(schema, "exceeds_max_distance", "boolean", false, "",
                     "the distance was proved to exceed the limit; with --mode global");
    cli_schema_words(schema, "strand", true, "the query's strand; --match",
                     (const char *const[]){"+", "-", NULL});
}

const cli_document cli_document_batch = {"rhomb.batch.1", "a line of rhomb batch --format json",
                                         describe_rows, true};
