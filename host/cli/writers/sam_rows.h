/* SPDX-License-Identifier: MIT */
/*
 * SAM. Records of a query are written once all of them are known: the longest one is primary, with
 * all bases of the query that were read, those that it does not align being soft clips; the others
 * are supplementary, with their own bases and hard clips. Each has the others in SA. Bases of the
 * record that were not read, as an index has given the region, are hard clips everywhere. A
 * secondary record, of another pair of the query, has no bases, and its clips are soft, as
 * minimap2's.
 */
#ifndef RHOMB_CLI_SAM_ROWS_H
#define RHOMB_CLI_SAM_ROWS_H

#include "host/cli/base/sink.h"
#include "host/cli/many/many.h"
#include "host/cli/writers/path_rows.h"

/* The header: a line for each target, and the program's. `order` is that of the records. */
void cli_write_sam_head(cli_sink *sink, const cli_head *head, const char *order);

/* The texts of a record that is kept, a NUL after each; bases only if its path has no side. */
enum { CLI_SAM_QUERY, CLI_SAM_TARGET, CLI_SAM_CIGAR, CLI_SAM_TAGS, CLI_SAM_BASES, CLI_SAM_TEXTS };

/* What comes before them. Ranges are of whole records, on forward strands. */
typedef struct cli_sam_kept {
    int64_t target; /* its number */
    cli_path_range in_target, in_query;
    int64_t query_bases; /* of the record */
    int64_t edits;
    int64_t last_pair; /* as in cli_path */
    int64_t reverse;   /* a bool, as the next one */
    int64_t is_secondary;
} cli_sam_kept;

/*
 * Keeps the records of a path, as bytes that another process of this program may read again. The
 * target has a number, by which they will be ordered. The sink keeps all text,
 * cli_sink_open_text(). The tag MD has numbers of matches, the target's bases that mismatch, and
 * after a caret those that are deleted; N matches N there, as everywhere.
 */
void cli_sam_keep(cli_sink *sink, const cli_path *path, const cli_path_cuts *cuts, int64_t target);

/* The last pair of all queries that have a record there, see cli_path; -1: none has. */
int64_t cli_sam_last_pair(const cli_buffer *text);

typedef struct cli_sam_record cli_sam_record;

/* The records that are kept in a text, from which they borrow. */
typedef struct cli_sam_records {
    cli_sam_record *list;
    cli_sam_record **by_query;
    cli_sam_record **by_place; /* by target, then by position: the order of the output */
    size_t count;
} cli_sam_records;

/* Finds the records of a text, and what they have to say of each other. False without memory. */
bool cli_sam_settle(const cli_buffer *text, cli_sam_records *records);
void cli_sam_release(cli_sam_records *records);

/* The name of its query. */
const char *cli_sam_query(const cli_sam_record *record);

/*
 * Writes a record. `side` is its query, or NULL where its path has none. The query's U is T where
 * it `is_dna`. False without memory.
 */
bool cli_sam_write(cli_sink *sink, const cli_sam_record *record, const cli_side *side, bool is_dna);

/* Writes the records of a path that are all of its query's. */
void cli_write_sam(cli_sink *sink, const cli_path *path, const cli_path_cuts *cuts, bool is_dna);

/* Writes the record of a query without an alignment. */
void cli_write_sam_unaligned(cli_sink *sink, const cli_side *query, bool is_dna);

#endif
