/* SPDX-License-Identifier: MIT */
/*
 * Affine gaps in plain code, without bounds, words or strips: Gotoh's matrix (1982) with a state
 * for each piece and kind of gap, a row at a time, and all paths one by one to judge it. A gap of
 * one kind may follow one of the other (Altschul and Erickson 1986). Bytes are compared as they
 * are. Nothing here knows src/scoring.
 *
 * A subproblem may begin and end within a gap: a gap at the beginning may go on with the one of
 * that border at no cost of opening, and a gap at the end likewise; a gap that does both is paid an
 * opening.
 */
#ifndef RHOMB_REFERENCE_GOTOH_H
#define RHOMB_REFERENCE_GOTOH_H

#include "cl/abi.h"
#include "recurrences.h"
#include "rhomb/cigar.h"
#include "rhomb/scoring.h"

/*
 * A gap of k bases costs the least of open[p] + k * extend[p] over the pieces p. With a match
 * score, mismatch and gaps are what a score loses, and the penalty is the score with the other
 * sign.
 */
typedef struct oracle_penalties {
    int64_t mismatch;
    int pieces; /* 1 or 2 */
    int64_t open[2];
    int64_t extend[2];
    int64_t match; /* what a match takes off; 0 where penalties alone count */
    /* What two letters take off instead, in either case and with U as T in DNA; NULL: the above. */
    const rhomb_score_matrix *matrix;
} oracle_penalties;

/* What two letters opposite each other cost. */
int64_t oracle_pair(const oracle_penalties *p, char a, char b);

/* Those of a scoring. */
oracle_penalties oracle_penalties_of(const rhomb_scoring *scoring);

/* What a gap of k bases costs; 0 for none. */
int64_t oracle_gap(const oracle_penalties *p, int64_t k);

/* The gaps of both borders, RHOMB_GAP_*; a second piece only where the penalties have one. */
typedef struct oracle_borders {
    int32_t begin;
    int32_t end;
} oracle_borders;

/* More than any path costs, with room for what is added. */
#define ORACLE_NEVER (INT64_MAX / 4)

/* What any path to a vertex costs, and those that end within a gap, whose opening is paid. */
enum { ORACLE_KINDS = RHOMB_GAP_I_2 + 1 };
typedef struct oracle_vertex {
    int64_t cost[ORACLE_KINDS];
} oracle_vertex;
#define ORACLE_UNREACHED \
    ((oracle_vertex){{ORACLE_NEVER, ORACLE_NEVER, ORACLE_NEVER, ORACLE_NEVER, ORACLE_NEVER}})

/*
 * The vertices of the matrix's last column, of two texts that begin within a gap, or none. The
 * caller frees them. About 3e8 of the matrix a second. Aborts without memory.
 */
oracle_vertex *oracle_gotoh_column(const plain_pair *texts, const oracle_penalties *p,
                                   int32_t begin);

/* What any path costs to each vertex: that after j bases of the target and i of the query is
 * [i * (n + 1) + j]. */
int64_t *oracle_gotoh_costs(const plain_pair *texts, const oracle_penalties *p);

/*
 * Vertices 1 to n of row i >= 1 from those above and the first one of their own row. None of them
 * costs more than `most`. `corner` is what the first one above costs: `above` may be `row`.
 */
void oracle_gotoh_row(const plain_pair *texts, const oracle_penalties *p, int64_t i, int64_t most,
                      int64_t corner, const oracle_vertex *above, oracle_vertex *row);

/* What a path costs that comes to the last vertex and ends within a gap, or not. */
int64_t oracle_gotoh_end(const oracle_vertex *last, const oracle_penalties *p, int32_t end);

/* The least penalty of an alignment of all of both texts. Aborts without memory. */
int64_t oracle_gotoh(const char *a, int64_t n, const char *b, int64_t m, const oracle_penalties *p);

/* The same between borders, n + m > 0. Below 0 only where one of the texts is empty. */
int64_t oracle_gotoh_borders(const char *target, int64_t n, const char *query, int64_t m,
                             const oracle_penalties *p, oracle_borders borders);

/*
 * Penalties alone with the same best alignments, in the form of rhomb/scoring.h: a mismatch costs a
 * match more, and each base of a gap half a match; with an odd match score all is doubled. And an
 * alignment's penalty by these from its score.
 */
oracle_penalties oracle_without_match(const oracle_penalties *p);
int64_t oracle_penalty_of_score(const oracle_penalties *p, int64_t n, int64_t m, int64_t score);

/* The penalty of a path whose neighbouring operations differ, added up gap by gap. */
int64_t oracle_path_penalty(const rhomb_cigar_op *ops, int64_t count, const oracle_penalties *p,
                            oracle_borders borders);

/*
 * Where a problem is split in two, by the rules of those that split it and without anything of
 * them: plain wavefronts that meet, and the matrix up to the middle column from either end.
 */
/*
 * By wavefronts, with unit costs: on the first diagonal on which half of the edits, rounded up, and
 * the others from the end meet. RHOMB_SPLIT_APART where the distance is larger than it is said to
 * be.
 */
rhomb_split_point oracle_split_wavefront(const plain_pair *texts, int64_t distance);

/* Where the first part ends, what it costs, and the gap that goes on there, if any (RHOMB_GAP_*).
 */
typedef struct oracle_breakpoint {
    int64_t target;
    int64_t query;
    int64_t cost;
    int32_t gap;
} oracle_breakpoint;

/*
 * By a sweep, with any costs: in the middle column, rounded up to whole blocks, the first row that
 * a path of least cost goes through; not within a gap, if such a path is not, else within one of
 * the first piece, if one is. *distance is that cost. For targets of more than 15 bases. Aborts
 * without memory.
 */
oracle_breakpoint oracle_split_sweep(const plain_pair *texts, const oracle_penalties *p,
                                     oracle_borders borders, int64_t *distance);

#endif
