/* SPDX-License-Identifier: MIT */
/*
 * Re-scoring the path of a PAF record against its two sequences, operation by operation: the part
 * of rhomb_verify() that knows neither files nor names.
 *
 *     rhomb__score_begin()    with the record, the tags before its path and the sequences
 *     rhomb__score_ops()      with the next operations, as often as there are any
 *     rhomb__score_bases()  if bases that cs names are wrong
 *     rhomb__score_second()   if the record has cg and cs, and then its operations
 *     rhomb__score_end()      with all tags
 *
 * Every error is passed to a function; if that returns anything but 0, no more errors are passed.
 */
#ifndef RHOMB_SRC_SCORE_H
#define RHOMB_SRC_SCORE_H

#include "rhomb/verify.h"
#include "src/scoring/score_matrix.h"

/* A base that cs names. Places are bases of the path before it; -1: it is on the other side. */
typedef struct rhomb__score_base {
    int64_t target, query;
    char base;
} rhomb__score_base;

/* Codes of bases; bases match that have equal codes, or a bit of the codes' masks in common. */
typedef struct rhomb__score_codes {
    unsigned char target[256];
    unsigned char forward[256]; /* of the query */
    unsigned char reverse[256]; /* of its complement */
    unsigned char mask[256]; /* of a code; all 0 but where IUPAC codes match what they stand for */
} rhomb__score_codes;

/* Whether bases match, by their codes. */
static inline bool rhomb__score_matches(const rhomb__score_codes *codes, unsigned char target,
                                        unsigned char query)
{
    return target == query || (codes->mask[target] & codes->mask[query]) != 0;
}

/* The counts of a path. */
typedef struct rhomb__score_counts {
    int64_t equal, unequal, inserted, deleted;
    int64_t gaps;
    uint64_t gap_digest;     /* of their places and lengths */
    int64_t gap_score;       /* what they add to the score */
    int64_t pair_score;      /* what pairs of bases add to it, with a matrix */
    int64_t ambiguous;       /* columns with N or IUPAC codes */
    int64_t ambiguous_pairs; /* of these, with bases of both sequences ... */
    int64_t ambiguous_equal; /* ... and with equal codes */
} rhomb__score_counts;

typedef struct rhomb__score {
    rhomb_verify_error_fn error; /* may be NULL */
    void *user;
    rhomb__score_codes exact;
    rhomb__score_codes iupac;   /* IUPAC codes match what they stand for */
    rhomb__score_codes coarse;  /* as in minimap2: A, C, G, T, and one code for all others */
    const rhomb_scoring *given; /* of all records; NULL: each has its own or none */
    int64_t errors;             /* errors of all records */
    int64_t unscored;           /* records so far, see rhomb_verify_report */
    bool stopped;

    bool is_iupac;                      /* of all records; or of those that say so, of DNA */
    bool is_letters;                    /* BYTES or PROTEIN: there are no codes of bases */
    const rhomb__score_codes *relation; /* of the last record so far, but for minimap2's: the exact
                                           ones, or those of IUPAC */

    /* Of the current record. */
    const rhomb_paf_record *row;
    const char *target;
    const char *query;
    const rhomb__score_codes *codes;
    bool is_coarse;
    const rhomb_scoring *scoring; /* what AS is checked by; NULL: it is not */
    rhomb_scoring own;            /* which the record names */
    rhomb__symbol_table table;    /* of the last matrix so far */
    const char *second;           /* the tag of a record's second path while that is followed */
    bool lost; /* the path has left the record's range, or is not worth following */
    int64_t target_at,
        query_at; /* position in the target; query bases done, in the path's direction */
    int64_t operations;
    rhomb__score_counts counts;
    rhomb__score_counts first; /* of the first path, while another one is followed */
} rhomb__score;

/*
 * Reports an error of a record, or of the file if `row` is NULL, that does not concern its path.
 * The place is 0-based, on the forward strands; -1: none.
 */
void rhomb__score_error(rhomb__score *score, rhomb_verify_error_kind kind,
                        const rhomb_paf_record *row, int64_t target, int64_t query,
                        const char *format, ...) RHOMB__PRINTF(6, 7);

/* `options` are valid, and so is their scoring, if there is one. */
void rhomb__score_create(rhomb__score *score, const rhomb_verify_options *options);

void rhomb__score_begin(rhomb__score *score, const rhomb_paf_record *row,
                        const rhomb_paf_tags *tags, const char *target, int64_t target_length,
                        const char *query, int64_t query_length);
void rhomb__score_ops(rhomb__score *score, const rhomb_path_op *ops, size_t count);

/*
 * Whether a sequence of the current record has the base that cs names, in either case, or what
 * minimap2 writes for it: t for U, and n for all but A, C, G and T. True for a place outside the
 * record's range: the operation that leads there will be reported.
 */
bool rhomb__score_has_base(const rhomb__score *score, const rhomb__score_base *base);

/* Reports that `count` bases of the last operation, `op`, differ from the sequences. 0: nothing. */
void rhomb__score_bases(rhomb__score *score, rhomb_path_op op, const rhomb__score_base *first,
                        int64_t count);

/* Goes back to the record's beginning for its second path, of that tag. */
void rhomb__score_second(rhomb__score *score, const char *tag);
void rhomb__score_end(rhomb__score *score, const rhomb_paf_tags *tags);

/* The part of rhomb__score_end() that needs no tags: whether the path ends where the record does.
 */
void rhomb__score_ends(rhomb__score *score);

#endif
