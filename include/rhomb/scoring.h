/* SPDX-License-Identifier: MIT */
/*
 * Scoring: what mismatches and gaps cost.
 *
 * A gap of k bases costs gap_open + k * gap_extend, as with WFA2 and minimap2 (parasail has
 * gap_open + (k - 1) * gap_extend). With a second piece it costs the less of both, so that long
 * gaps become cheaper. The *penalty* of an alignment is what its mismatches and gaps cost; the best
 * alignment has the least. Unit costs are mismatch 1, gap_open 0, gap_extend 1: the penalty is the
 * edit distance.
 *
 * With a match score A > 0, mismatch and gaps are what a score loses, in minimap2's form: the score
 * of an alignment is A * matches - mismatch * mismatches - gaps, and the best one has the highest.
 * That is the same as a least penalty: a mismatch costs A + mismatch, and each base of a gap
 * gap_extend + A / 2, so that
 *
 *     score = A * (n + m) / 2 - penalty
 *
 * for sequences of n and m bases. With an odd A all penalties are doubled, to be whole numbers, and
 * the score is (A * (n + m) - penalty) / 2.
 *
 * With a substitution matrix, as BLOSUM62, each pair of symbols has a score of its own; gaps are as
 * before. A is the highest score of the matrix then, or 0 if none is above 0, so that two symbols
 * cost A less their score, and all of the above holds.
 */
#ifndef RHOMB_SCORING_H
#define RHOMB_SCORING_H

#include <rhomb/cigar.h>
#include <rhomb/rhomb.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The most symbols of a matrix. */
#define RHOMB_MATRIX_SYMBOLS 32

/*
 * A substitution matrix: what two symbols score, in either order. Its symbols are letters of an
 * alphabet, upper case and each once: DNA (A C G T N and IUPAC codes) or PROTEIN. Sequences may
 * have no others, but for what the alphabet folds. Does not grow.
 */
typedef struct rhomb_score_matrix {
    const char *name;                       /* "BLOSUM62", or that of a file; not NULL */
    rhomb_alphabet alphabet;                /* DNA or PROTEIN: that of the sequences */
    int32_t count;                          /* of symbols, at least 1 */
    char symbols[RHOMB_MATRIX_SYMBOLS + 1]; /* their letters, then NULs */
    int8_t scores[RHOMB_MATRIX_SYMBOLS][RHOMB_MATRIX_SYMBOLS]; /* of symbols by their number */
} rhomb_score_matrix;

/* How an alignment is scored. Each value is at most 2^40. Does not grow. */
struct rhomb_scoring {
    int64_t match;        /* A: the score of a match; 0: penalties alone */
    int64_t mismatch;     /* at least 0 with a match score, else at least 1 */
    int64_t gap_open;     /* at least 0 */
    int64_t gap_extend;   /* at least 1; at least 0 with a match score */
    int64_t gap_open_2;   /* of the second piece; ... */
    int64_t gap_extend_2; /* ... both are -1 if there is none; not 0 and 0 */
    /*
     * NULL: all matches score the same, and so do all mismatches. Else `match` is the highest score
     * of the matrix and `mismatch` less its lowest, or 0 where that is below 0; see
     * rhomb_scoring_set_matrix(). Borrowed as long as the scoring is in use.
     */
    const rhomb_score_matrix *matrix;
};

/* Unit costs. */
#define RHOMB_SCORING_EDIT       \
    {                            \
        0, 1, 0, 1, -1, -1, NULL \
    }

/*
 * Reads a scoring as users write it:
 *   edit                           unit costs
 *   affine:X,O,E                   mismatch X, a gap of k bases O + k * E
 *   affine2p:X,O1,E1,O2,E2         the less of O1 + k * E1 and O2 + k * E2
 *   match:A,B,O,E or ...,O2,E2     minimap2's form: a match scores A, a mismatch -B
 *   wfa                            affine:4,6,2, the default of WFA2
 *   asm5, asm10, asm20, map-ont    minimap2's presets of these names
 *   matrix:NAME,O,E or ...,O2,E2   a substitution matrix, see rhomb_score_matrix_read()
 * Returns RHOMB_OK or RHOMB_ERR_ARGUMENT; the detail (rhomb_context_error()) says what is wrong. Of
 * a matrix also what rhomb_score_matrix_read() returns; its scoring is valid as long as the
 * context.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_scoring_parse(rhomb_context *ctx, const char *text,
                                                            rhomb_scoring *out);

/*
 * What an operation adds to the score of a path: A for each match, -B for each mismatch, and less
 * what a gap costs for I and D; 0 for M, which does not tell. Without a match score that is the
 * negative penalty. Summed over the path of rhomb_align() with the same scoring it is the score of
 * its report, or less its distance; over a part of a path, the score of that part alone, in which a
 * gap that was cut in two is opened twice. Beyond 2^62 the result stays there. `scoring` NULL: unit
 * costs. A value below 0 counts as 0, one above 2^40 as 2^40. With a matrix only gaps count: see
 * rhomb_scoring_bases_score().
 */
RHOMB_API int64_t rhomb_scoring_op_score(const rhomb_scoring *scoring, rhomb_path_op op);

/*
 * The matrix of that name: BLOSUM45, BLOSUM62, BLOSUM80, BLOSUM90, PAM30, PAM70, PAM250, NUC.4.4,
 * HOXD70, or asm5, asm10, asm20 or map-ont, the scores of minimap2's presets with its -1 for pairs
 * with N or an IUPAC code; in either case. Else that of a file of this name, as
 * rhomb_score_matrix_parse() reads it.
 * Returns RHOMB_OK; RHOMB_ERR_ARGUMENT for any other name of which no file can be opened;
 * RHOMB_ERR_INPUT for a file that has no such matrix: the detail has its line, and what was
 * expected there. On failure *out is NULL. Valid as long as the context.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_score_matrix_read(rhomb_context *ctx,
                                                                const char *name,
                                                                const rhomb_score_matrix **out);

/*
 * Reads a matrix from a text in NCBI's format: lines that begin with # are comments; then a line
 * with the symbols of the columns, and for each of them a line with its symbol and the scores, in
 * any order. Scores are whole numbers from -127 to 127, and the same in both orders. A matrix of A,
 * C, G, T, U, N and IUPAC codes alone is of DNA, and any other one of proteins. `name` is for
 * messages and tags. Returns RHOMB_OK, or RHOMB_ERR_INPUT as above. On failure *out is NULL. Valid
 * as long as the context.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_score_matrix_parse(rhomb_context *ctx,
                                                                 const char *name, const char *text,
                                                                 size_t length,
                                                                 const rhomb_score_matrix **out);

/* Sets `matrix`, `match` and `mismatch` of a scoring; nothing where either is NULL. */
RHOMB_API void rhomb_scoring_set_matrix(rhomb_scoring *scoring, const rhomb_score_matrix *matrix);

/* The number of a letter's symbol, lower case folded and U as T in DNA; -1: it has none. */
RHOMB_API int32_t rhomb_score_matrix_symbol(const rhomb_score_matrix *matrix, char letter);

/*
 * rhomb_scoring_op_score() with the bases that the operation is at: of `target` where it is no I,
 * of `query` where it is no D, as many as it is long. With a matrix that is the sum of its scores
 * for =, X and M; letters without a symbol count as its lowest score. Without one they are not
 * looked at, and may be NULL.
 */
RHOMB_API int64_t rhomb_scoring_bases_score(const rhomb_scoring *scoring, rhomb_path_op op,
                                            const char *target, const char *query);

#ifdef __cplusplus
}
#endif

#endif
