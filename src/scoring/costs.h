/* SPDX-License-Identifier: MIT */
/*
 * What a scoring (rhomb/scoring.h) means to engines: whole costs without a common divisor, and what
 * follows from them for every path: bounds on its cost, and on the diagonals that it may be on.
 * Pure integer functions; unit costs are one case among others.
 *
 * Engines count in *costs*: the penalty is `unit` times the cost. A gap of g bases costs the least
 * of open[p] + g * extend[p] over the pieces p. Pieces that never are the least are left out. With
 * two pieces the first is the less for one base, and has the larger extension.
 */
#ifndef RHOMB_SRC_COSTS_H
#define RHOMB_SRC_COSTS_H

#include "cl/abi.h"
#include "rhomb/scoring.h"
#include "src/base/error.h"
#include "src/base/int64.h"

typedef struct rhomb__costs {
    int64_t mismatch; /* at most 2 * (open[0] + extend[0]): two gaps do as well */
    int32_t pieces;   /* of a gap's cost: 1 or 2 */
    int64_t open[2];
    int64_t extend[2];
    int64_t unit;    /* the penalty of a cost of 1; doubled, if penalties are */
    int64_t match;   /* A of the scoring, for the score */
    int64_t doubled; /* 2 if penalties are doubled, else 1 */
    bool replaced;   /* the scoring's mismatch costs more than two gaps: no path has X */
    /*
     * Of a substitution matrix: `mismatch` is the most that two symbols cost, unit is 1, and no
     * engine has these costs. NULL: none.
     */
    const rhomb_score_matrix *matrix;
} rhomb__costs;

/* Unit costs. */
rhomb__costs rhomb__costs_edit(void);

/* Whether these are unit costs, whatever the unit: then all engines can compute them. */
bool rhomb__costs_are_edit(const rhomb__costs *costs);

/*
 * The costs of a scoring. RHOMB_ERR_ARGUMENT for one that cannot be: the rules of rhomb/scoring.h,
 * gaps that cost nothing, values above 2^40.
 */
rhomb_status rhomb__costs_of(rhomb__error *error, const rhomb_scoring *scoring,
                             rhomb__costs *costs);

/*
 * What users write, see rhomb_scoring_parse(), as a scoring that rhomb__costs_of() allows. A matrix
 * that is not built in is what `find` finds, which may be NULL.
 */
typedef rhomb_status (*rhomb__matrix_find_fn)(void *user, const char *name,
                                              const rhomb_score_matrix **out);
rhomb_status rhomb__scoring_parse_with(rhomb__error *error, const char *text,
                                       rhomb__matrix_find_fn find, void *user, rhomb_scoring *out);
rhomb_status rhomb__scoring_parse(rhomb__error *error, const char *text, rhomb_scoring *out);

/*
 * Whether the score of every path through so many bases of both sequences together stays below
 * 2^60, and so does all that it is a sum of.
 */
bool rhomb__scoring_fits(const rhomb_scoring *scoring, int64_t bases);

/* The pieces of a gap's score, the least that a base adds to a gap, and what a gap takes. */
static inline int32_t rhomb__scoring_pieces(const rhomb_scoring *scoring)
{
    return scoring->gap_open_2 >= 0 ? 2 : 1;
}

static inline int64_t rhomb__scoring_extend(const rhomb_scoring *s)
{
    return rhomb__scoring_pieces(s) == 1 ? s->gap_extend
                                         : rhomb__min(s->gap_extend, s->gap_extend_2);
}

static inline int64_t rhomb__scoring_gap(const rhomb_scoring *s, int64_t bases)
{
    const int64_t first = s->gap_open + s->gap_extend * bases;
    if (bases <= 0)
        return 0;
    return rhomb__scoring_pieces(s) == 1
               ? first
               : rhomb__min(first, s->gap_open_2 + s->gap_extend_2 * bases);
}

/* The most that a base can change a score by. */
int64_t rhomb__scoring_most(const rhomb_scoring *scoring);

/* The score of an alignment of n and m bases with that penalty; meaningless without match score. */
int64_t rhomb__costs_score(const rhomb__costs *costs, int64_t n, int64_t m, int64_t penalty);

/* The penalty of an alignment of n and m bases with that score. */
static inline int64_t rhomb__costs_penalty(const rhomb__costs *costs, int64_t n, int64_t m,
                                           int64_t score)
{
    return costs->doubled * costs->match / 2 * (n + m) - costs->doubled * score;
}

/* RHOMB_ERR_ARGUMENT with a matrix, for `what` ("an engine") that has none. */
rhomb_status rhomb__costs_refuse_matrix(rhomb__error *error, const rhomb_scoring *scoring,
                                        const char *what);

/* The cost of a gap of `bases` >= 0 bases; 0 for none. */
static inline int64_t rhomb__costs_gap(const rhomb__costs *costs, int64_t bases)
{
    if (bases == 0)
        return 0;
    const int64_t first = costs->open[0] + bases * costs->extend[0];
    if (costs->pieces == 1)
        return first;
    return rhomb__min(first, costs->open[1] + bases * costs->extend[1]);
}

/* The opening of a gap by its RHOMB_GAP_* (cl/abi.h); 0 for none. */
int64_t rhomb__costs_of_opening(const rhomb__costs *costs, int32_t gap);

/* What the last base of a long gap costs: the least extension. */
int64_t rhomb__costs_least_extend(const rhomb__costs *costs);

/* A cost that no best path of n and m bases exceeds, and one that none is below. */
int64_t rhomb__costs_most(const rhomb__costs *costs, int64_t n, int64_t m);
int64_t rhomb__costs_least(const rhomb__costs *costs, int64_t n, int64_t m);

/*
 * What random sequences of four bases cost a base, about: measured on some, a tenth of a
 * millisecond. 0.52 with unit costs, 2.3 for a mismatch of 4 and a gap of 6 + 2 k.
 */
double rhomb__costs_random(const rhomb__costs *costs);

/* Whether all costs of n and m bases stay below 2^60, as penalties too. */
bool rhomb__costs_fit(const rhomb__costs *costs, int64_t n, int64_t m);

/*
 * How far a path of cost at most `bound` can leave the diagonals between 0 and `end_diagonal`: the
 * most b with gap(b) + gap(b + |end_diagonal|) <= bound; -1 if even b = 0 costs more.
 */
int64_t rhomb__costs_half_width(const rhomb__costs *costs, int64_t end_diagonal, int64_t bound);

/* The largest bound whose paths leave those diagonals by at most `half_width` >= 0. */
int64_t rhomb__costs_bound(const rhomb__costs *costs, int64_t end_diagonal, int64_t half_width);

/* A scoring as the kernels that compute scores have it; its values have to fit 32 bits. */
rhomb_batch_scoring rhomb__batch_scoring_of(const rhomb_scoring *s);

/*
 * A matrix as these kernels have it, by the codes of letters, which are below RHOMB_MATRIX_CODES.
 * Letters that the matrix lacks score -1. Nothing but -1 where `matrix` is NULL.
 */
void rhomb__matrix_table(const rhomb_score_matrix *matrix, const uint8_t codes[256],
                         rhomb_matrix_scores *out);

#endif
