/* SPDX-License-Identifier: MIT */
/*
 * Columns of PAF's records and of tables of ranges, see paf_reader.h.
 */
#include "src/formats/paf_reader.h"

#include <stdio.h>
#include <string.h>

/* Bytes of a name. FASTA names are lines; SAM allows 254. */
#define NAME_BYTES 65536

enum { COLUMNS = RHOMB__PAF_COLUMN_COUNT, TABLE_COLUMNS = 7 };

/* Which column of PAF each column of a table is. */
static const int OF_TABLE[TABLE_COLUMNS] = {5, 7, 8, 0, 2, 3, 4};

static const char *const COLUMN_NAMES[COLUMNS] = {
    "query name",    "query length", "query start", "query end", "strand",       "target name",
    "target length", "target start", "target end",  "matches",   "block length", "mapping quality",
};

static rhomb_status set_strand(rhomb_paf *paf, const char *text, int number)
{
    if (strcmp(text, "+") != 0 && strcmp(text, "-") != 0 && strcmp(text, "*") != 0)
        return rhomb__paf_fail(paf, "column %d (strand): '%s' is not + or -", number, text);
    paf->row.reverse = text[0] == '-';
    paf->has_strand = text[0] != '*';
    return RHOMB_OK;
}

/* Reads column `i` of PAF, counted from 0, which is column `number` of the line. */
static rhomb_status read_column(rhomb_paf *paf, int i, int number)
{
    rhomb_status status = RHOMB_OK;
    rhomb_paf_record *row = &paf->row;
    int64_t *const numbers[COLUMNS] = {
        [1] = &row->query_length,  [2] = &row->query_begin,   [3] = &row->query_end,
        [6] = &row->target_length, [7] = &row->target_begin,  [8] = &row->target_end,
        [9] = &row->matches,       [10] = &row->block_length, [11] = &row->mapq,
    };
    char what[64];
    snprintf(what, sizeof what, "column %d (%s)", number, COLUMN_NAMES[i]);
    if (i == 0 || i == 5)
        return rhomb__paf_read_field(paf, what, NAME_BYTES,
                                     i == 0 ? &paf->query_name : &paf->target_name);
    RHOMB_TRY(rhomb__paf_read_field(paf, what, RHOMB__PAF_VALUE_BYTES, &paf->value));
    if (i == 4)
        RHOMB_TRY(set_strand(paf, paf->value.data, number));
    else if (i == 9 && paf->sam != NULL && strcmp(paf->value.data, "*") == 0)
        row->matches = -1;
    else if (!rhomb__paf_parse_number(paf->value.data, numbers[i]))
        status = rhomb__paf_fail(paf, "%s: '%s' is not a number below 2^60", what, paf->value.data);

out:
    return status;
}

/* The same of a table, which has no lengths. */
static rhomb_status check_ranges(rhomb_paf *paf)
{
    rhomb_paf_record *row = &paf->row;
    row->target_length = row->query_length = row->matches = row->block_length = -1;
    if (row->target_begin <= row->target_end && row->query_begin <= row->query_end &&
        paf->has_strand)
        return RHOMB_OK;
    if (!paf->has_strand)
        return rhomb__paf_fail(paf, "column 7 (strand): '*' is not + or -");
    const bool is_target = row->target_begin > row->target_end;
    return rhomb__paf_fail(paf, "columns %s: the range begins at %lld, after its end at %lld",
                           is_target ? "2 and 3 (target)" : "5 and 6 (query)",
                           (long long)(is_target ? row->target_begin : row->query_begin),
                           (long long)(is_target ? row->target_end : row->query_end));
}

/* Checks the columns against each other; the sequences are not known. */
static rhomb_status check_columns(rhomb_paf *paf)
{
    const rhomb_paf_record *row = &paf->row;
    if (paf->is_table)
        return check_ranges(paf);
    if (row->query_begin > row->query_end || row->query_end > row->query_length)
        return rhomb__paf_fail(paf,
                               "columns 2 to 4 (query length, start, end): %lld to %lld is not "
                               "within a sequence of %lld bases",
                               (long long)row->query_begin, (long long)row->query_end,
                               (long long)row->query_length);
    if (row->target_begin > row->target_end || row->target_end > row->target_length)
        return rhomb__paf_fail(paf,
                               "columns 7 to 9 (target length, start, end): %lld to %lld is not "
                               "within a sequence of %lld bases",
                               (long long)row->target_begin, (long long)row->target_end,
                               (long long)row->target_length);
    return RHOMB_OK;
}

rhomb_status rhomb__paf_read_columns(rhomb_paf *paf)
{
    rhomb_status status = RHOMB_OK;
    bool more = true;
    const int columns = paf->is_table ? TABLE_COLUMNS : COLUMNS;
    paf->row =
        (rhomb_paf_record){.line = paf->line, .index = paf->has_row ? paf->row.index + 1 : 0};
    paf->has_row = true;
    paf->notation = RHOMB_PAF_PATH_NONE;
    paf->section = RHOMB__PAF_COLUMNS;
    for (int i = 0; i < columns; i++) {
        if (i > 0) {
            int byte = 0;
            RHOMB_TRY(rhomb__paf_peek(paf, &byte));
            if (byte != '\t')
                RHOMB_TRY(rhomb__paf_fail(paf, "not a %s: it has %d column%s, not %d",
                                          paf->is_table ? "pair of ranges" : "PAF record", i,
                                          i == 1 ? "" : "s", columns));
            RHOMB_TRY(rhomb__paf_end_field(paf, &more));
        }
        RHOMB_TRY(read_column(paf, paf->is_table ? OF_TABLE[i] : i, i + 1));
    }
    paf->row.query_name = paf->query_name.data;
    paf->row.target_name = paf->target_name.data;
    paf->section = RHOMB__PAF_TAGS;
    RHOMB_TRY(check_columns(paf));

out:
    return status;
}

/* The most bytes of a text: no scoring has as many, but other programs' tags may. */
enum { TEXT_BYTES = 65536 };

bool rhomb__paf_parse_number(const char *text, int64_t *out)
{
    int64_t number = 0;
    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9' || number > (RHOMB__PAF_LIMIT - 1 - (*text - '0')) / 10)
            return false;
        number = number * 10 + (*text - '0');
    }
    *out = number;
    return true;
}

bool rhomb__paf_tag_matters(const char *tag)
{
    static const char *const KNOWN[] = {"NM:i", "AS:i", "nn:i", "de:f", "tp:A",
                                        "sc:Z", "ro:i", "bl:i", "al:Z"};
    size_t i = 0;
    while (i < sizeof KNOWN / sizeof *KNOWN && strcmp(tag, KNOWN[i]) != 0)
        i++;
    return i < sizeof KNOWN / sizeof *KNOWN;
}

static rhomb_status parse_integer(rhomb_paf *paf, const char *tag, int64_t *out)
{
    const char *text = paf->value.data;
    const bool negative = *text == '-';
    if (!rhomb__paf_parse_number(text + (negative || *text == '+'), out))
        return rhomb__paf_fail(paf, "tag %s: '%s' is not an integer", tag, text);
    *out = negative ? -*out : *out;
    return RHOMB_OK;
}

/* value * 10^power; the power is a few hundred at most. */
static double scale(double value, int64_t power)
{
    for (; power > 0 && power < 400; power--)
        value *= 10;
    for (; power < 0 && power > -400; power++)
        value /= 10;
    return value;
}

static int64_t take_digits(const char **at, double *value)
{
    const char *begin = *at;
    for (; **at >= '0' && **at <= '9'; (*at)++)
        *value = *value * 10 + (**at - '0');
    return *at - begin;
}

/*
 * A decimal number, and half a unit of its last digit: 0 if it has neither a point nor an exponent,
 * as a divergence written 0 or 1 is taken to be exact.
 */
static bool parse_real(const char *at, double *value, double *rounding)
{
    double exponent = 0;
    *value = 0;
    const bool negative = *at == '-';
    at += negative || *at == '+';
    int64_t digits = take_digits(&at, value);
    int64_t behind = 0;
    const bool has_point = *at == '.';
    at += has_point;
    if (has_point)
        behind = take_digits(&at, value);
    digits += behind;
    const bool has_exponent = digits > 0 && (*at == 'e' || *at == 'E');
    at += has_exponent;
    const bool falls = has_exponent && *at == '-';
    at += has_exponent && (falls || *at == '+');
    if (has_exponent && take_digits(&at, &exponent) == 0)
        return false;
    if (digits == 0 || *at != '\0' || exponent > 300)
        return false;
    const int64_t power = (falls ? -(int64_t)exponent : (int64_t)exponent) - behind;
    *value = scale(negative ? -*value : *value, power);
    *rounding = has_point || has_exponent ? scale(0.5, power) : 0;
    return true;
}

static rhomb_status parse_divergence(rhomb_paf *paf)
{
    rhomb_paf_tags *tags = &paf->tags;
    tags->has_divergence = parse_real(paf->value.data, &tags->divergence, &tags->divergence_by);
    return tags->has_divergence
               ? RHOMB_OK
               : rhomb__paf_fail(paf, "tag de:f: '%s' is not a number", paf->value.data);
}

rhomb_status rhomb__paf_read_value(rhomb_paf *paf, const char *tag)
{
    rhomb_status status = RHOMB_OK;
    rhomb_paf_tags *tags = &paf->tags;
    bool has_block = false; /* its value says so itself */
    const struct {
        const char *tag;
        int64_t *value;
        bool *has;
    } integers[] = {{"NM:i", &tags->edits, &tags->has_edits},
                    {"AS:i", &tags->score, &tags->has_score},
                    {"nn:i", &tags->ambiguous, &tags->has_ambiguous},
                    {"ro:i", &tags->rotation, &tags->has_rotation},
                    {"bl:i", &tags->block, &has_block}};
    char what[16];
    snprintf(what, sizeof what, "tag %s", tag);
    if (strcmp(tag, "sc:Z") == 0) {
        RHOMB_TRY(rhomb__paf_read_field(paf, what, TEXT_BYTES, &paf->scoring));
        tags->scoring = paf->scoring.data;
        goto out;
    }
    RHOMB_TRY(rhomb__paf_read_field(paf, what, RHOMB__PAF_VALUE_BYTES, &paf->value));
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        if (strcmp(integers[i].tag, tag) == 0) {
            RHOMB_TRY(parse_integer(paf, tag, integers[i].value));
            *integers[i].has = true;
        }
    }
    /* Tags in lower case are anybody's: other texts are another program's. */
    if (strcmp(tag, "al:Z") == 0)
        tags->is_iupac = strcmp(paf->value.data, "iupac") == 0;
    if (strcmp(tag, "de:f") == 0)
        RHOMB_TRY(parse_divergence(paf));
    if (strcmp(tag, "tp:A") == 0) {
        if (paf->value.length != 1)
            status = rhomb__paf_fail(paf, "tag tp:A: '%s' is not one character", paf->value.data);
        else
            tags->type = paf->value.data[0];
    }

out:
    return status;
}
