/* SPDX-License-Identifier: MIT */
/*
 * Rhomb: how two sets of sequences differ, from the alignments of a PAF file of any program: what
 * is aligned and what is not, substitutions, insertions and deletions, identity, and what has been
 * rearranged.
 *
 *     rhomb_comparison *comparison = NULL;
 *     rhomb_status status = rhomb_sequence_set_read(ctx, "a.fa", &targets);
 *     if (status == RHOMB_OK)
 *         status = rhomb_sequence_set_read(ctx, "b.fa", &queries);
 *     if (status == RHOMB_OK)
 *         status = rhomb_paf_open(ctx, "out.paf", &paf);
 *     if (status == RHOMB_OK)
 *         status = rhomb_compare(paf, targets, queries, NULL, &comparison);
 *     if (status == RHOMB_OK)
 *         show(rhomb_comparison_get_report(comparison));
 *     rhomb_comparison_destroy(comparison);
 *
 * *One-to-one records.* Of records that lie on the same bases, differences are counted once.
 * Records are taken in the order of their matches, the most first, of equal ones as they are in the
 * file. A record is one-to-one if less than half of its target range and less than half of its
 * query range belong to one-to-one records before it. Secondary ones (tp S or i) never are.
 *
 * *Similar segments.* An alignment also goes through sequence that is not related, where each base
 * that differs looks like a SNP. similar.h says which parts of a record are similar; `similar` has
 * the sum of these, which is what people mean by SNPs and identity, and each side says how many of
 * its aligned bases are in them. All other numbers are of whole records.
 *
 * *Rearrangements.* The one-to-one records of a target and a query have a main strand and a main
 * chain: of both strands, the records in the same order in both sequences that have the most
 * matches. A target and a query *belong together* if either has most of its matches with the other.
 * All other one-to-one records of a target, in its order, form *runs* of neighbours that are of one
 * kind, one query and one strand, and in one order:
 *
 *     inversion        records of the other strand than the main one
 *     relocation       records of the main strand that are not in the main chain
 *     translocation    records of a target and a query that do not belong together
 *
 * So a segment that was reversed is one inversion, and of two segments that changed places the
 * lighter one is a relocation. dnadiff counts *joins* instead: places where two neighbours of a
 * sequence are not neighbours, in the right order, of the other one; `joins` has those too. Records
 * of a query that was rotated (ro) lie where they were aligned: a circle begins anywhere. Where it
 * was not, the main chain may go on from one end of the query to the other, if both ends of both
 * sequences, but for a twentieth, belong to it.
 *
 * *Gaps in pieces.* With unit costs a long insertion costs no more in pieces, with bases of the
 * target matched by chance between them, than in one; that is not similar. Between two similar
 * segments of a record, or two records, there is one gap, as long as the sides differ, if one side
 * has at least twice as many bases as the other one, and four fifths of the shorter one belong to
 * the longer one's ends: followed from there, with less than an edit in five bases. Between
 * segments it counts in the sum of these alone: the others have the pieces.
 *
 * Everything said in rhomb.h about guarantees, growing structures, threads and units holds here. No
 * device is needed.
 */
#ifndef RHOMB_COMPARISON_H
#define RHOMB_COMPARISON_H

#include <rhomb/similar.h>
#include <rhomb/verify.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * How two neighbours of a sequence lie in the other one. An array has as many members, so that
 * there will be no further one.
 */
typedef enum rhomb_join {
    RHOMB_JOIN_SEQUENCE, /* in two sequences; dnadiff: translocation */
    RHOMB_JOIN_STRAND,   /* on two strands; dnadiff: inversion */
    RHOMB_JOIN_ORDER,    /* not as neighbours, or not in that order; dnadiff: relocation */
    RHOMB_JOIN_GAP,      /* as neighbours in that order */
    RHOMB_JOINS
} rhomb_join;

/* One side; made by the library. Bases of a record's range are what the record covers of it. */
typedef struct rhomb_comparison_side {
    int64_t sequences;
    int64_t covered_sequences; /* with a record */
    int64_t bases;
    int64_t aligned;     /* opposite a base of the other side (=, X, M) in a record or more */
    int64_t repeated;    /* of these, in two records or more */
    int64_t in_gaps;     /* of all others, in the range of a record: inserted or deleted */
    int64_t outside;     /* in no record's range: bases = aligned + in_gaps + outside */
    int64_t breakpoints; /* ends of records that are not an end of the sequence, as in dnadiff */
    int64_t joins[RHOMB_JOINS]; /* between one-to-one records */
    int64_t similar;            /* of the aligned ones, in a similar segment of a record or more */
} rhomb_comparison_side;

/*
 * Insertions and deletions of lengths from limits[i] up to the next limit are counted together. The
 * limits do not change.
 */
enum { RHOMB_COMPARISON_SIZES = 7 };
#define RHOMB_COMPARISON_LIMITS        \
    {                                  \
        1, 2, 10, 50, 500, 5000, 50000 \
    }

/* Gaps of one kind. Does not grow. */
typedef struct rhomb_comparison_gaps {
    int64_t count;
    int64_t bases;
    int64_t sizes[RHOMB_COMPARISON_SIZES]; /* how many, by length */
} rhomb_comparison_gaps;

/* The sum of some records; made by the library. */
typedef struct rhomb_comparison_sum {
    int64_t records;
    int64_t target_bases, query_bases; /* of their ranges */
    int64_t matches;
    int64_t mismatches;
    int64_t columns;       /* matches, mismatches, inserted and deleted bases of the records */
    int64_t gaps;          /* runs of inserted or of deleted bases in the records */
    double identity;       /* matches / columns, as in identity.h */
    double gap_compressed; /* the gap-compressed identity */
    /*
     * Mismatches by the base of the target and that of the query, on the target's strand: 0 to 3
     * are A, C, G and T. `other_mismatches` are those with N or IUPAC codes.
     */
    int64_t substitutions[4][4];
    int64_t snps, transitions, transversions, other_mismatches;
    /*
     * Also those that are left between two one-to-one records with nothing between them in one
     * sequence, as rhomb align --split-at leaves them, or with a gap in pieces; and, of similar
     * segments, gaps in pieces between two of them. In the sum of all records: within records.
     */
    rhomb_comparison_gaps insertions, deletions;
} rhomb_comparison_sum;

/* Runs of one kind. */
typedef struct rhomb_comparison_runs {
    int64_t count;
    int64_t records;
    int64_t target_bases, query_bases; /* of their ranges */
} rhomb_comparison_runs;

/* Made by the library. */
typedef struct rhomb_comparison_report {
    const rhomb_comparison_side *target, *query;
    const rhomb_comparison_sum *one_to_one, *all;
    const rhomb_comparison_runs *inversions, *relocations, *translocations;
    int64_t records;   /* of the file, with those that are not aligned */
    int64_t unaligned; /* queries without an alignment */
    int64_t secondary; /* tp S or i */
    /* Between one-to-one records that are neighbours in both sequences. */
    int64_t indels_between; /* bases of one sequence alone, or a gap in pieces; counted as indels */
    int64_t replaced;       /* other bases of both, which are not aligned */
    int64_t replaced_target, replaced_query; /* how many of either */
    int64_t overlaps;                        /* the records overlap in a sequence */
    /* Of the similar segments of one-to-one records alone; `records` is how many segments. */
    const rhomb_comparison_sum *similar;
    double least_identity; /* of similar segments */
} rhomb_comparison_report;

typedef struct rhomb_comparison rhomb_comparison;

/* What an event of a comparison is. More kinds may follow. */
typedef enum rhomb_event_kind {
    RHOMB_EVENT_INSERTION, /* bases that the query alone has */
    RHOMB_EVENT_DELETION,  /* bases that the target alone has */
    /* Bases of both that are not similar, or not aligned, between similar ones. */
    RHOMB_EVENT_REPLACEMENT,
    RHOMB_EVENT_INVERSION,     /* on the other strand, between the same neighbours in both */
    RHOMB_EVENT_RELOCATION,    /* elsewhere in the same record; `inverted` on the other strand */
    RHOMB_EVENT_TRANSLOCATION, /* in another record; `inverted` against the rest of its query */
    /* The query goes on from its end to its beginning: a circle that begins elsewhere. */
    RHOMB_EVENT_ROTATION,
    /*
     * The query goes on from one target, `before`, in another one, and belongs to both: a fusion,
     * or the second junction of a translocation that is reciprocal.
     */
    RHOMB_EVENT_JUNCTION
} rhomb_event_kind;

/* Shorter ones are no events. */
enum { RHOMB_EVENT_LEAST = 50 };

/*
 * Where the target goes on beside an event, in the order of the query: from the position on if the
 * query is on the + strand and this is after the event, or on - and before it; else up to it.
 * Target -1: the query begins or ends there. Does not grow.
 */
typedef struct rhomb_event_end {
    int64_t target, position;
    bool reverse; /* the query's strand there */
} rhomb_event_end;

/* An event: ranges are 0-based and half-open, on forward strands. Does not grow. */
typedef struct rhomb_event {
    rhomb_event_kind kind;
    bool reverse; /* the query's strand, of the event or of what is on either side of it */
    bool inverted;
    int64_t target, query; /* numbers of the sequences in their sets */
    int64_t target_begin, target_end;
    int64_t query_begin, query_end;
    int64_t bases;  /* inserted or deleted ones; of a rotation its bases; else the longer range */
    bool in_record; /* the path of one record has all of it */
    rhomb_event_end before, after; /* not of rotations */
    /*
     * Of what was rearranged: how far the range is from its neighbours in the target, below 0 where
     * it overlaps them, as the ends of records may be guesses; 0 without a neighbour. And the range
     * of the target that the query leaves out there; empty if it does not, or another event of the
     * range has it.
     */
    int64_t gap_before, gap_after;
    int64_t left_begin, left_end;
} rhomb_event;

typedef struct rhomb_compare_options {
    size_t struct_size;
    rhomb_alphabet alphabet; /* what matches; reverse strands are for DNA only */
    double least_identity;   /* of similar segments, as in similar.h; 0: RHOMB_LEAST_IDENTITY */
} rhomb_compare_options;

#define RHOMB_COMPARE_OPTIONS_INIT                           \
    {                                                        \
        sizeof(rhomb_compare_options), RHOMB_ALPHABET_DNA, 0 \
    }

/*
 * Reads all remaining records and compares. Bases under M are compared; = and X must be right, and
 * the path must fit the record's range (rhomb_verify() checks more). The path is cg or, without it,
 * cs. Names of sequences are found as by rhomb_verify(). `options` may be NULL.
 *
 * Returns RHOMB_OK; RHOMB_ERR_INPUT, also for records that are wrong, have no path or name an
 * unknown sequence; what rhomb_paf_next() returns; RHOMB_ERR_MEMORY; or RHOMB_ERR_ARGUMENT, also
 * for a reverse strand in RHOMB_ALPHABET_BYTES or RHOMB_ALPHABET_PROTEIN. On failure *out is NULL.
 *
 * Cost: some 900 bytes for each record, however long its path, and six bits for each base of
 * sequences that have records.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_compare(rhomb_paf *paf,
                                                      const rhomb_sequence_set *targets,
                                                      const rhomb_sequence_set *queries,
                                                      const rhomb_compare_options *options,
                                                      rhomb_comparison **out);

/* How the two differ. Never NULL; valid as long as the comparison. */
RHOMB_API const rhomb_comparison_report *rhomb_comparison_get_report(
    const rhomb_comparison *comparison);

/*
 * Insertions, deletions and replaced sequence of RHOMB_EVENT_LEAST bases or more in and between
 * one-to-one records, as far as `similar` has them, and all rearrangements, in the order of the
 * targets. *count is how many; valid as long as the comparison. NULL if there are none. So are
 * bases before the first record of both sequences or after the last one, if their main chain has
 * half of the bases of both.
 *
 * Runs of `inversions` whose neighbours differ are relocations here, and runs are of neighbours in
 * both sequences. Where the main chain goes on from one end of the query to the other is a
 * rotation.
 */
RHOMB_API const rhomb_event *rhomb_comparison_get_events(const rhomb_comparison *comparison,
                                                         int64_t *count);

/* Releases a comparison. NULL is allowed. */
RHOMB_API void rhomb_comparison_destroy(rhomb_comparison *comparison);

#ifdef __cplusplus
}
#endif

#endif
