/* SPDX-License-Identifier: MIT */
/*
 * Rows of `rhomb batch`: a pair's result as a line of TSV, PAF or JSON. Rows are built in memory,
 * because several threads format them, and without printf(), which would take longer than the
 * alignment.
 */
#ifndef RHOMB_CLI_ROWS_H
#define RHOMB_CLI_ROWS_H

#include "host/cli/base/cli.h"
#include "rhomb/pairs.h"

/* Those after JSON are written by batch/printer.h. */
typedef enum cli_row_format {
    CLI_ROWS_TSV,
    CLI_ROWS_PAF,
    CLI_ROWS_JSON,
    CLI_ROWS_SAM,
    CLI_ROWS_BAM,
    CLI_ROWS_PAIRWISE,
    CLI_ROWS_AFA
} cli_row_format;

/* What the rows of a run have in common. */
typedef struct cli_row_style {
    cli_row_format format;
    bool cigar;
    bool error;  /* there is a column for it */
    bool strand; /* there is one for the query's */
    bool is_dna;
    int64_t max_distance;
    bool scored; /* results have extents */
    rhomb_mode mode;
    rhomb_scoring scoring; /* where `scored` is set */
    bool iupac;            /* matches are those of RHOMB_ALPHABET_IUPAC */
} cli_row_style;

/* Which records a row is about. */
typedef enum cli_row_sides { CLI_ROW_BOTH, CLI_ROW_TARGET, CLI_ROW_QUERY } cli_row_sides;

typedef struct cli_row {
    int64_t number;                /* of the pair, from 1: its name if it has none */
    const rhomb_pair *pair;        /* for the lengths; in formats with bases, for these */
    const char *qualities;         /* of the query, as it was read; NULL: none */
    const rhomb_pair_names *names; /* may be NULL */
    const rhomb_pair_result *result;
    const char *error; /* why there is no result; NULL if there is one */
    bool is_fault;     /* the input has no valid pair here, and the lengths are unknown */
    bool is_secondary; /* SAM: as in cli_path */
    bool reverse; /* the pair has the query's other strand; rows have places on the record itself */
    cli_row_sides sides; /* one only: a record without a partner; has an error, and no extent */
} cli_row;

/* The header line; nothing if the format has none. */
void cli_rows_header(cli_buffer *out, const cli_row_style *style);

/*
 * Prefetches a result whose row comes soon: CIGARs lie in the order in which the device finished
 * them, which no CPU predicts. This saves a third of the time of a row.
 */
static inline void cli_rows_expect(const rhomb_pair_result *result)
{
#if defined(__GNUC__)
    const uintptr_t cigar = (uintptr_t)result->cigar;
    __builtin_prefetch((const void *)cigar);
    __builtin_prefetch((const void *)(cigar + 60)); /* the end of 16 operations */
#else
    (void)result;
#endif
}

/* Whether its alignment is empty: not end to end, and where it begins is known. */
bool cli_row_is_empty(const cli_row_style *style, const cli_row *row);

/* Appends a row; nothing if the format has none for a distance beyond the limit. */
void cli_rows_append(cli_buffer *out, const cli_row_style *style, const cli_row *row);

#endif
