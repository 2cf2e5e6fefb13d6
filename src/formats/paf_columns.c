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
