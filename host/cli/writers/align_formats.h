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
 * as EMBOSS has them, below a head; and FASTA with a hyphen for each base that is missing. A block,
 * or a pair of records, for each row.
 */
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

#endif
