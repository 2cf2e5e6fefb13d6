/* SPDX-License-Identifier: MIT */
/* The path of an alignment as its writers see it, and how it is cut into rows: records of PAF. */
#ifndef RHOMB_CLI_PATH_ROWS_H
#define RHOMB_CLI_PATH_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rhomb/batch.h"
#include "rhomb/scoring.h"
#include "rhomb/similar.h"

/*
 * Two sequences and the operations of a path from end to end. Each may be a part of a record; the
 * record's name and positions are written. Everything is borrowed.
 */
typedef struct cli_path {
    const char *target_name;
    const char *query_name;
    const char *target; /* bases, as they are in the file */
    const char *query;
    int64_t target_length;
    int64_t query_length;
    int64_t target_before; /* bases of the record outside the path */
    int64_t target_after;
    int64_t query_before; /* on the forward strand, as query_after */
    int64_t query_after;
    const struct cli_side *side; /* the query as it was read, forward; NULL if it is not known */
    int64_t last_pair; /* the number of the last pair of this query; records come once it is done */
    bool reverse;      /* `query` is on the other strand of its record */
    int64_t
        rotation;  /* bases of that strand that are at the end of `query`, and not its beginning */
    int64_t block; /* its number, from 1 on, among the collinear blocks of its pair; 0: none */
    int64_t segments; /* of the block, if it was cut, else 0; each has a best path
                         (sketch/relation.h) */
    const rhomb_path_op *ops;
    int64_t count;
    const rhomb_scoring *scoring; /* NULL: unit costs */
    bool iupac;                   /* matches are those of RHOMB_ALPHABET_IUPAC */
    bool cigar_m;                 /* in CIGARs both = and X are M */
    bool md;                      /* SAM has the tag MD */
    bool is_secondary;            /* SAM: another alignment of the query is its primary one */
    const char *tags;             /* more of them for PAF, a tab before each; NULL: none */
    bool atomize;                 /* VCF and TSV have a record for each difference */
    double least_identity;        /* of similar segments; 0: the default */
} cli_path;

/* A target, as heads of files list it. */
typedef struct cli_target {
    const char *name;
    int64_t length;  /* of the whole record */
    const char *md5; /* of it; NULL if unknown */
} cli_target;

/* What heads of files say. Everything is borrowed. */
typedef struct cli_head {
    const cli_target *targets;
    size_t target_count;
    const char *target_file; /* NULL if unknown */
    const char *sample;      /* of VCF */
    bool reverse;            /* all queries are on the other strand of their records; of VCF */
    int64_t rotation;        /* of all queries, as in cli_path; of VCF */
    int64_t max_allele;      /* as for cli_write_vcf() */
    double least_identity;   /* as in cli_path; of VCF */
    bool has_path;           /* without one, that VCF has no records says nothing */
    bool is_diploid;         /* of VCF: genotypes are of two haplotypes */
    bool has_events;         /* of VCF: records of rearrangements may be among those of paths */
    bool is_sorted;          /* paths come in the order of the targets and of their positions */
    const char *left_out;    /* why not all of the sequences is in paths; NULL: it is */
    int argc;                /* of the command line, for SAM */
    char **argv;
} cli_head;

/* A cursor on a path: what precedes it of an operation and of the sequences. */
typedef struct cli_path_cursor {
    int64_t index; /* of the operation */
    int64_t used;  /* columns of it, fewer than it has */
    int64_t target;
    int64_t query;
} cli_path_cursor;

/* Columns of one operation, or a part of them. */
typedef struct cli_path_segment {
    unsigned code;
    int64_t length;
    int64_t target; /* where it begins, counted from the path's beginning */
    int64_t query;
} cli_path_segment;

/* What is left of the operation at a cursor, which is not the end of the path. */
static inline cli_path_segment cli_path_rest(const cli_path *path, const cli_path_cursor *cursor)
{
    const rhomb_path_op op = path->ops[cursor->index];
    return (cli_path_segment){.code = (unsigned)RHOMB_CIGAR_CODE(op),
                              .length = (int64_t)RHOMB_CIGAR_LENGTH(op) - cursor->used,
                              .target = cursor->target,
                              .query = cursor->query};
}

/* Moves past the first `length` columns of the operation at a cursor, of which `rest` is left. */
static inline void cli_path_move(cli_path_cursor *cursor, const cli_path_segment *rest,
                                 int64_t length)
{
    cursor->target += rest->code != RHOMB_CIGAR_I ? length : 0;
    cursor->query += rest->code != RHOMB_CIGAR_D ? length : 0;
    cursor->used += length;
    if (length == rest->length) {
        cursor->index++;
        cursor->used = 0;
    }
}

/* The segment from a cursor to the end of its operation, or to `end`. False at `end`. */
static inline bool cli_path_next(const cli_path *path, cli_path_cursor *cursor,
                                 const cli_path_cursor *end, cli_path_segment *segment)
{
    if (cursor->index == end->index && cursor->used == end->used)
        return false;
    const cli_path_segment rest = cli_path_rest(path, cursor);
    *segment = rest;
    if (cursor->index == end->index)
        segment->length = end->used - cursor->used;
    cli_path_move(cursor, &rest, segment->length);
    return true;
}

/* The letter of an operation in CIGARs. */
static inline char cli_path_letter(const cli_path *path, unsigned code)
{
    const bool is_aligned = code == RHOMB_CIGAR_EQ || code == RHOMB_CIGAR_X;
    return path->cigar_m && is_aligned ? 'M' : RHOMB_CIGAR_LETTER(code);
}

/* How far the similar segments of a path (rhomb/similar.h) are known; all zeros at its beginning.
 */
typedef struct cli_similar {
    rhomb_similar now;
    int64_t read;    /* operations that are followed */
    int64_t known;   /* operations up to the last answer */
    bool is_similar; /* those of that answer */
} cli_similar;

/*
 * Whether an operation is in a similar segment. Asked in the order of the path, all together take
 * time in proportion to it. Segments begin and end beside =, so that all operations between two =
 * are, or none is.
 */
bool cli_path_is_similar(const cli_path *path, cli_similar *similar, int64_t index);

/*
 * Makes it the path of the parts which are aligned, as of regions of the records: the operations
 * are of these alone.
 */
void cli_path_take_parts(cli_path *path, const rhomb_pair_extent *parts);

/* The cursor after everything. */
cli_path_cursor cli_path_end(const cli_path *path);

/*
 * Where bases of the query are in its record, on the forward strand. The first function is for a
 * range of the path that does not go on past where a rotation has put the strand's beginning, as
 * those of rows do not; the second one for a base, 1-based. Both take places of the path.
 */
typedef struct cli_path_range {
    int64_t begin, end;
} cli_path_range;

cli_path_range cli_path_query_range(const cli_path *path, int64_t begin, int64_t end);
int64_t cli_path_query_position(const cli_path *path, int64_t base);

/* Lengths of the records. */
int64_t cli_path_target_record(const cli_path *path);
int64_t cli_path_query_record(const cli_path *path);

/*
 * Where rows end; 0 for nowhere. `split`: at gaps of that many bases or more, in one segment or in
 * many, which are in no row. `chunk`: every that many bases of the target, counted from its
 * beginning; an insertion just there belongs to the row before.
 *
 * A long gap beside other differences is cheaper in segments, with chance matches between them. So
 * gaps are found in a score, the matches - the inserted and deleted bases so far:
 *
 *      score    /\    /\      peak: the row ends
 *              /  \/\/  \/\          /
 *             /           \/\/\    /
 *            /                 \/\/   valley: the next one begins
 *
 * A turn counts if the score then falls or rises by CLI_PATH_GAIN, or by `split` if that is less.
 * From a peak to the next valley is a gap; it splits if at least `split` of its bases are inserted
 * or deleted. Mismatches do not change the score, so they do not split. The path comes from a peak
 * and goes to a valley: an end that gains less belongs to a gap that is long enough, else to the
 * row. If all of the path would be a gap, it is a row nevertheless. A path that is read backwards
 * has the same rows.
 *
 * `similar_only`: at ranges that are not similar, which are in no row either; a path without a
 * similar segment has no rows.
 *
 * A smaller gain mistakes chance matches for rows: between random sequences, in gaps of 2 to 40 kb
 * beside up to 20 % of mismatches, the score rose by 19 at most. A larger one loses rows.
 */
enum { CLI_PATH_GAIN = 32 };

/* A rotation ends a row as well, where the strand begins; a deletion there belongs to the row
 * before. */
typedef struct cli_path_cuts {
    int64_t split;
    int64_t chunk;
    bool similar_only;
} cli_path_cuts;

/* Columns of a row, and what is in them. */
typedef struct cli_path_row {
    cli_path_cursor begin;
    cli_path_cursor end;
    int64_t matches;
    int64_t mismatches;
    int64_t inserted; /* bases */
    int64_t deleted;
    int64_t gaps;  /* runs of inserted or of deleted bases */
    int64_t score; /* of these columns alone; without a match score, the negative penalty */
} cli_path_row;

/* Where the score turns, before an operation. */
typedef struct cli_path_turn {
    int64_t index;
    int64_t score;
    int64_t bases; /* inserted and deleted bases so far */
} cli_path_turn;

/* Operations that are left out. */
typedef struct cli_path_gap {
    int64_t begin, end;
} cli_path_gap;

/* How far the rows of a path are; all zeros at its beginning. */
typedef struct cli_path_rows {
    cli_path_cursor cursor;
    cli_path_gap gap;             /* the next one, of these two or more of them: ... */
    cli_path_gap long_gap, other; /* ... of `split`, and of what is not similar */
    cli_similar similar;
    /* The search for the long gap after that one. */
    cli_path_turn now;
    cli_path_turn peak;
    cli_path_turn valley;
    bool rises; /* `peak` is the highest since the last valley, else `valley` the lowest */
} cli_path_rows;

/*
 * The next row. False if nothing is left. A row has at least one column, except that two empty
 * sequences are one row. All rows together take time in proportion to the path.
 */
bool cli_path_next_row(const cli_path *path, const cli_path_cuts *cuts, cli_path_rows *rows,
                       cli_path_row *row);

/*
 * What to say of the first gap, as above, in which CLI_LONG_GAP bases or more are inserted, or
 * deleted, and that in several segments, as unit costs have it. False if there is none. Names are
 * cut.
 */
enum { CLI_LONG_GAP = 1000, CLI_BROKEN_GAP_BYTES = 600 };

bool cli_path_tell_broken_gap(const cli_path *path, char text[CLI_BROKEN_GAP_BYTES]);

/* The number of columns, and of those that are edits. */
int64_t cli_path_row_columns(const cli_path_row *row);
int64_t cli_path_row_edits(const cli_path_row *row);

/* 1 - gap-compressed identity, as in minimap2's tag de. */
double cli_path_row_divergence(const cli_path_row *row);

#endif
