/* SPDX-License-Identifier: MIT */
/*
 * A path of an alignment as its writers see it, and how it is cut into rows.
 */
#ifndef RHOMB_CLI_PATH_ROWS_H
#define RHOMB_CLI_PATH_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "rhomb/cigar.h"

/*
 * Two sequences and the operations of a path from end to end. Each may be a part of a record, whose
 * name and positions are what is written. Everything is borrowed.
 */
typedef struct cli_path {
    const char *target_name;
    const char *query_name;
    const char *target; /* letters, as they are in the file */
    const char *query;
    int64_t target_length;
    int64_t query_length;
    int64_t target_before; /* letters of the record, that are not of the path */
    int64_t target_behind;
    int64_t query_before;
    int64_t query_behind;
    const rhomb_path_op *ops;
    int64_t count;
} cli_path;

/* A place on a path: so many letters of an operation, and so many of the sequences, are behind. */
typedef struct cli_path_place {
    int64_t index; /* of the operation; what is behind is less than it */
    int64_t used;
    int64_t target;
    int64_t query;
} cli_path_place;

/* Columns of one operation, or a part of them. */
typedef struct cli_path_piece {
    unsigned code;
    int64_t length;
    int64_t target; /* where it begins, counted from the path's beginning */
    int64_t query;
} cli_path_piece;

/* The piece from a place to the end of its operation, or to `end`. False where that is here. */
bool cli_path_next(const cli_path *path, cli_path_place *place, const cli_path_place *end,
                   cli_path_piece *piece);

/* The place behind everything. */
cli_path_place cli_path_end(const cli_path *path);

/* Letters of the records. */
int64_t cli_path_target_record(const cli_path *path);
int64_t cli_path_query_record(const cli_path *path);

/*
 * Where rows end; 0 for nowhere. `split` at gaps of so many letters or more, in one piece or in
 * many, which are in no row. `chunk` wherever so many letters of the target are behind, counted
 * from its beginning: what is inserted just there belongs to the row before.
 *
 * A long gap beside other differences is cheaper in pieces, with letters between them that match by
 * chance. So gaps are found in a score, the matches less the inserted and deleted letters so far:
 *
 *      score    /\    /\      peak: the row ends
 *              /  \/\/  \/\          /
 *             /           \/\/\    /
 *            /                 \/\/   valley: the next one begins
 *
 * A turn counts where the score then falls or rises by CLI_PATH_GAIN, or by `split` where that is
 * less. From a peak to the next valley is a gap; it splits where `split` of its letters are
 * inserted or deleted. Unequal letters leave the score alone, so that they do not split. The path
 * comes from a peak and goes to a valley: what gains less at its ends belongs to a gap that is long
 * enough, and else to the row. Where all of it would be a gap, it is a row nevertheless. The rows
 * of a path that is read backwards are the same.
 *
 * Less of a gain takes chance for rows: between random letters, in gaps of 2 to 40 kb beside up to
 * 20 % of changed letters, the score rose by 19 at most. More of it loses rows.
 */
enum { CLI_PATH_GAIN = 32 };

typedef struct cli_path_cuts {
    int64_t split;
    int64_t chunk;
} cli_path_cuts;

/* Columns of a row, and what is in them. */
typedef struct cli_path_row {
    cli_path_place begin;
    cli_path_place end;
    int64_t matches;
    int64_t mismatches;
    int64_t inserted; /* letters */
    int64_t deleted;
    int64_t gaps; /* runs of inserted or of deleted letters */
} cli_path_row;

/* Where the score turns, in front of an operation. */
typedef struct cli_path_turn {
    int64_t index;
    int64_t score;
    int64_t letters; /* inserted and deleted ones so far */
} cli_path_turn;

/* How far the rows of a path are; all zeros at its beginning. */
typedef struct cli_path_rows {
    cli_path_place place;
    int64_t gap_begin; /* operations that are left out next */
    int64_t gap_end;
    /* The search for the gap after that, which is further. */
    cli_path_turn now;
    cli_path_turn peak;
    cli_path_turn valley;
    bool rises; /* `peak` is the highest since the last valley, else `valley` the lowest */
} cli_path_rows;

/*
 * The next row. False where nothing is left. Rows have a column at least, but where there are no
 * letters at all: that is one row. Takes time in proportion to the path, for all rows together.
 */
bool cli_path_next_row(const cli_path *path, const cli_path_cuts *cuts, cli_path_rows *rows,
                       cli_path_row *row);

/* Columns, and those that are edits. */
int64_t cli_path_row_columns(const cli_path_row *row);
int64_t cli_path_row_edits(const cli_path_row *row);

/*
 * Edits a column where a run of inserted or of deleted letters counts once: the gap-compressed
 * divergence that minimap2's tag de has. 0 without columns.
 */
double cli_path_row_divergence(const cli_path_row *row);

#endif
