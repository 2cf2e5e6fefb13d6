/* SPDX-License-Identifier: MIT */
/*
 * The formats of `rhomb align`: each writes a path to a sink, in segments, and stops if the sink
 * has failed.
 */
#ifndef RHOMB_CLI_ALIGN_FORMATS_H
#define RHOMB_CLI_ALIGN_FORMATS_H

#include "host/cli/base/sink.h"
#include "host/cli/many/many.h"
#include "host/cli/writers/path_rows.h"

/* Appends the operations from `begin` to `end` as a CIGAR. */
void cli_write_cigar(cli_sink *sink, const cli_path *path, cli_path_cursor begin,
                     const cli_path_cursor *end);

/*
 * Appends the tags NM, AS, sc, ro, bl and de of a row, a tab before each, and `type` before de,
 * where minimap2 has it: see cli_write_paf().
 */
void cli_append_path_tags(cli_buffer *out, const cli_path *path, const cli_path_row *row,
                          const char *type);

/*
 * PAF, one record per row: the query first, positions 0-based and half-open, matches, columns, 255,
 * then the tags NM (edits), AS (the row's score, or less its penalty where matches score nothing),
 * sc (the scoring, as `--score` takes it, unless costs are unit costs), ro (a rotation), bl (a
 * block), pc (its segments, if it was cut), tp (P), de (gap-compressed divergence), cg and, with
 * `cs`, cs in its short form. cg and cs are left out if there are no columns.
 */
void cli_write_paf(cli_sink *sink, const cli_path *path, const cli_path_cuts *cuts, bool cs);

/*
 * UCSC chains, one per row that has an aligned block, numbered from `before` + 1; the last number.
 * A block is a run of columns without a gap, matches or not. Lines have a block's length, and the
 * bases that only one of the sequences has before the next block. A chain's score is the number of
 * its matches. Chains lead from the target to the query, or the other way round with `from_query`:
 * from a forward strand to the strand that the query is on.
 */
int64_t cli_write_chains(cli_sink *sink, const cli_path *path, const cli_path_cuts *cuts,
                         bool from_query, int64_t before);

/*
 * MAF: a block per row with the bases of both sequences, in their case, and a hyphen for each that
 * is missing, the query's from its strand; its score is the row's. Rows with bases of one
 * sequence alone are left out.
 */
void cli_write_maf_head(cli_sink *sink);
void cli_write_maf(cli_sink *sink, const cli_path *path, const cli_path_cuts *cuts);

/*
 * Pairs of lines with both sequences, and between them one with | for matches and . for mismatches,
 * as EMBOSS has them, below a head, after that of the file; and FASTA with a hyphen for each base
 * that is missing. A block, or a pair of records, for each row.
 */
void cli_write_pairwise_head(cli_sink *sink);
void cli_write_pairwise(cli_sink *sink, const cli_path *path, const cli_path_cuts *cuts);
void cli_write_afa(cli_sink *sink, const cli_path *path, const cli_path_cuts *cuts);

/* A target in a head: name, length and, if it is known, digest, each after its mark; then an end.
 */
void cli_append_target(cli_buffer *out, const cli_target *target, const char *const marks[4]);

/* The record of a query without an alignment, as minimap2 --paf-no-hit writes it. */
void cli_write_paf_unaligned(cli_sink *sink, const char *name, int64_t length);

/*
 * A `#` header line, and one line per difference: target, position, reference, alternative, type
 * and query_position. Positions are 1-based, of the first base; a side without bases is a dot with
 * the position of the preceding base (0 at the beginning). With `strand` there is a column for the
 * query's: on -, alternative is that strand's, and positions, which are the forward strand's, count
 * down.
 */
void cli_write_differences_head(cli_sink *sink, bool strand);
void cli_write_differences(cli_sink *sink, const cli_path *path, bool strand);

/*
 * BED: the intervals of the target whose bases have one of the query beside them, a match or not,
 * neither of them N. Bases that are deleted are in none.
 */
void cli_write_callable(cli_sink *sink, const cli_path *path);

/* BED: a file of what is in no alignment, with the side as the name. */
void cli_write_unaligned(FILE *stream, const cli_unaligned *unaligned);

/* The operations as a JSON array of arrays, [length, "letter"], one per line. */
void cli_write_operations(cli_sink *sink, const cli_path *path);

/* BAM and CRAM, which htslib makes of the text of SAM. */

typedef struct cli_bam cli_bam;

/*
 * Begins BAM; or CRAM, if there is a `reference`: the file of the targets, with an index beside.
 * The stream must have nothing in its buffer: everything is written through its descriptor. NULL on
 * failure, with the errno in *code.
 */
cli_bam *cli_bam_open(FILE *stream, const char *reference, int threads, int *code);

/*
 * Adds whole lines of SAM: all of the header the first time, then records, each of which is held in
 * memory once more. The text is overwritten. Returns 0 or an errno.
 */
int cli_bam_add(cli_bam *bam, char *text, size_t length);

/* Writes the rest and releases everything; NULL is allowed. Returns 0 or an errno. */
int cli_bam_close(cli_bam *bam);

/*
 * Whether a file of targets cannot be the reference of CRAM, with the reason as a sentence in
 * `why`: it has no index beside it, which htslib would write there.
 */
bool cli_cram_lacks_reference(const char *reference, char *why, size_t size);

/*
 * Indexes beside files that htslib's programs read by position: VCF that is compressed as bgzip
 * does, BAM and CRAM.
 */

typedef enum cli_indexed { CLI_INDEXED_VCF, CLI_INDEXED_BAM, CLI_INDEXED_CRAM } cli_indexed;

/*
 * What the name of the index has after that of the file, by the length of the longest target: .tbi
 * or .bai, which most programs read, or .csi for longer ones; .crai. NULL if there is no index for
 * such a length.
 */
const char *cli_index_ending(cli_indexed kind, int64_t target_length);

/* Reads the file and writes its index of that kind. Returns 0 or an errno. */
int cli_index_build(cli_indexed kind, const char *file, const char *index, const char *ending);

/* What of names, sequences and paths SAM, and with it BAM and VCF, can hold. */

/* A byte for a message, which may be part of a multibyte character. */
typedef struct cli_byte_text {
    char at[sizeof "byte 0xff"];
} cli_byte_text;

/*
 * Whether a name cannot be that of a reference, or of a query: it has a character that is not
 * allowed, none at all, or more than `most`. The reason is a sentence in `why`.
 */
bool cli_lacks_target_name(const char *name, int64_t most, char *why, size_t size);

/* The same of a target's name and length, for SAM. */
bool cli_lacks_sam_target(const char *name, int64_t length, char *why, size_t size);

/*
 * Whether SAM, or BAM made of it, cannot hold something, with the reason as a sentence in `why`: of
 * the names and sequences, before there are operations; and of the operations.
 */
bool cli_sam_lacks_sequences(const cli_path *path, char *why, size_t size);
bool cli_sam_lacks_path(const cli_path *path, char *why, size_t size);

/*
 * SAM. Records of a query are written once all of them are known: the longest one is primary, with
 * all bases of the query that were read, those that it does not align being soft clips; the others
 * are supplementary, with their own bases and hard clips. Each has the others in SA. Bases of the
 * record that were not read, as an index has given the region, are hard clips everywhere. A
 * secondary record, of another pair of the query, has no bases, and its clips are soft, as
 * minimap2's.
 */

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
