/* SPDX-License-Identifier: MIT */
/*
 * Rhomb: check the alignments of a PAF file, from any program, against the sequences.
 *
 *     rhomb_sequence_set *targets = NULL, *queries = NULL;
 *     rhomb_paf *paf = NULL;
 *     rhomb_verify_options options = RHOMB_VERIFY_OPTIONS_INIT;
 *     rhomb_verify_report report = RHOMB_VERIFY_REPORT_INIT;
 *     rhomb_status status = rhomb_sequence_set_read(ctx, "a.fa", &targets);
 *     if (status == RHOMB_OK)
 *         status = rhomb_sequence_set_read(ctx, "b.fa", &queries);
 *     if (status == RHOMB_OK)
 *         status = rhomb_paf_open(ctx, "out.paf", &paf);
 *     if (status == RHOMB_OK)
 *         status = rhomb_verify(paf, targets, queries, &options, &report);
 *     if (status == RHOMB_OK)
 *         puts(report.errors == 0 ? "verified" : "wrong");
 *
 * Everything said in rhomb.h about guarantees, growing structures, threads and units holds here. No
 * device is needed.
 */
#ifndef RHOMB_VERIFY_H
#define RHOMB_VERIFY_H

#include <rhomb/paf.h>
#include <rhomb/scoring.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All records of a file, in memory. */
typedef struct rhomb_sequence_set rhomb_sequence_set;

/*
 * Reads all records of a FASTA or FASTQ file, as rhomb_sequence_read() accepts them; "-" is
 * standard input.
 * Returns the same as rhomb_sequence_read(). On failure *out is NULL. The set uses the context for
 * errors until it is destroyed.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_sequence_set_read(rhomb_context *ctx,
                                                                const char *path,
                                                                rhomb_sequence_set **out);

/* The same with the qualities of FASTQ, which take as much memory as the bases. */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_sequence_set_read_all(rhomb_context *ctx,
                                                                    const char *path,
                                                                    rhomb_sequence_set **out);

/* The number of records. */
RHOMB_API int64_t rhomb_sequence_set_count(const rhomb_sequence_set *set);

/*
 * The name and the sequence of record number `index`, from 0 on, in the order of the file; the
 * sequence has no NUL at its end. Returns RHOMB_OK or RHOMB_ERR_ARGUMENT. Both belong to the set.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_sequence_set_get(const rhomb_sequence_set *set,
                                                               int64_t index, const char **name,
                                                               const char **bases, int64_t *length);

/*
 * The qualities of that record, as many as bases. NULL: the file is FASTA, they were not read, the
 * record is empty, or there is none of that number.
 */
RHOMB_API const char *rhomb_sequence_set_qualities(const rhomb_sequence_set *set, int64_t index);

/* Releases a set. NULL is allowed. */
RHOMB_API void rhomb_sequence_set_destroy(rhomb_sequence_set *set);

/* The sequences that a record names: records of the sets, or regions of these. Does not grow. */
typedef struct rhomb_paf_sequences {
    int64_t index[2];  /* of target and query, as for rhomb_sequence_set_get() */
    int64_t before[2]; /* bases of the record before the region */
    const char *bases[2];
    int64_t length[2];
} rhomb_paf_sequences;

/*
 * Finds the sequences of the current record, as rhomb_verify() does, and checks that its ranges are
 * within them and that they have the lengths that it says. Returns RHOMB_OK; RHOMB_ERR_INPUT, with
 * file and line in the detail; RHOMB_ERR_MEMORY; or RHOMB_ERR_ARGUMENT, also without a current
 * record.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_paf_locate(rhomb_paf *paf,
                                                         const rhomb_sequence_set *targets,
                                                         const rhomb_sequence_set *queries,
                                                         rhomb_paf_sequences *out);

/* The possible errors of a record. */
typedef enum rhomb_verify_error_kind {
    RHOMB_VERIFY_NO_PATH,    /* there is nothing to verify */
    RHOMB_VERIFY_LENGTH,     /* column 2 or 7: not the length of the sequence */
    RHOMB_VERIFY_EQUAL,      /* a `=` at a mismatch */
    RHOMB_VERIFY_UNEQUAL,    /* an X at a match */
    RHOMB_VERIFY_BEYOND,     /* an operation leaves the record's range; the rest is not checked */
    RHOMB_VERIFY_ENDS,       /* the path ends before the record's range does */
    RHOMB_VERIFY_MATCHES,    /* column 10 */
    RHOMB_VERIFY_BLOCK,      /* column 11 */
    RHOMB_VERIFY_EDITS,      /* NM:i */
    RHOMB_VERIFY_DIVERGENCE, /* de:f */
    RHOMB_VERIFY_AMBIGUOUS,  /* nn:i */
    RHOMB_VERIFY_BASES,      /* cs names a base that the sequence does not have there */
    RHOMB_VERIFY_PATHS,      /* cg and cs are different paths */
    RHOMB_VERIFY_MISSING,    /* no records at all, or, with `whole`, none for some bases */
    RHOMB_VERIFY_ORDER,      /* with `whole`: a record does not begin where the one before ended */
    RHOMB_VERIFY_SCORE       /* AS:i; or sc:Z is affine... or match..., but no scoring */
} rhomb_verify_error_kind;

typedef struct rhomb_verify_error {
    rhomb_verify_error_kind kind;
    const rhomb_paf_record *row; /* NULL: the file has no records */
    int64_t operation;           /* of the path, 1-based, adjacent ones of a kind merged; 0: none */
    /* The position, 0-based, on the forward strands; -1 if there is none. */
    int64_t target_position, query_position;
    const char *text; /* a sentence; positions in it are 1-based */
} rhomb_verify_error;

/*
 * Called for each error; *error is valid only during the call. A return value other than 0 ends
 * the verification there. The function must not call the library with the same context.
 */
typedef int (*rhomb_verify_error_fn)(const rhomb_verify_error *error, void *user);

typedef struct rhomb_verify_options {
    size_t struct_size;
    rhomb_alphabet alphabet;     /* what matches; reverse strands are for DNA only */
    bool whole;                  /* records must make up whole alignments, see rhomb_verify() */
    int64_t least_gap;           /* the shortest gap allowed in these, see there; 0: none */
    rhomb_verify_error_fn error; /* NULL: errors are only counted */
    void *error_user;
    const rhomb_scoring *scoring; /* what AS is checked by; NULL: each record's own, see there */
} rhomb_verify_options;

#define RHOMB_VERIFY_OPTIONS_INIT                                                    \
    {                                                                                \
        sizeof(rhomb_verify_options), RHOMB_ALPHABET_DNA, false, 0, NULL, NULL, NULL \
    }

typedef struct rhomb_verify_report {
    size_t struct_size;
    int64_t rows;
    int64_t unaligned;    /* of these, records of queries without an alignment */
    int64_t errors;       /* errors; 0: all records are correct */
    int64_t target_bases; /* target bases that the paths go through */
    int64_t query_bases;
    int64_t edits; /* of the paths: bases mismatched, inserted or deleted */
    /* Of whole alignments: pairs of sequences that have records, and bases in none of these. */
    int64_t pairs;
    int64_t gaps; /* between records, before the first and after the last one */
    int64_t gap_target_bases, gap_query_bases;
    int64_t gap_edits_least; /* what the gaps add to the edits, at least ... */
    int64_t gap_edits_most;  /* ... and at most */
    int64_t unscored; /* records whose AS has no known scoring, and is not that of unit costs */
} rhomb_verify_report;

#define RHOMB_VERIFY_REPORT_INIT                                           \
    {                                                                      \
        sizeof(rhomb_verify_report), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 \
    }

/*
 * Follows the path of every remaining record through the two sequences that it names, and checks
 * the record against them: the bases under = and X and in cs, both ends, the lengths, matches and
 * block length in its columns, and NM, de and nn if present. Bases under M are compared and
 * counted. AS is checked by `scoring`, or else by the one that the record names in sc before its
 * path, as rhomb align does; without either it is the aligner's own, and such records are counted
 * unless AS is less the edits, as by unit costs. The record's own one comes first if it is
 * `scoring` with the matrix of a preset of minimap2, so but for N and IUPAC codes. A record of two
 * empty ranges needs no path. If a record has cg and cs, both are followed, and must be the same
 * path. The case of a base in cs does not matter, and it may be what minimap2 writes: t for U, and
 * n for all but A, C, G and T.
 *
 * A name is looked up as it is and, if there is no such record, as `rhomb` writes names: \\, \t, \n
 * and \r are a backslash, a tab and line ends, and a dot is the empty name.
 *
 * Bases match as in rhomb_distance(), but a character outside the alphabet is not an error. Block
 * length may count all columns of the alignment, or be the longer of the two ranges (wfmash); de
 * may count every base of a gap, or a gap as one (minimap2). If minimap2 announces N or IUPAC
 * codes, by nn before the path, they count as minimap2 counts them: columns with them may be under
 * =, but are not matches, the block length leaves them out, and a column with one in either
 * sequence scores -1 in AS (minimap2's --score-N), whether the bases are equal or not. AS of its
 * inversions (tp I or i) is not checked: it may be less than their paths score.
 *
 * With `whole` the records of each pair of sequences must be one alignment of both from end to end,
 * in order: the first begins where both sequences do, each next one where the last one ended, and
 * the last ends where both do. In the query this is along the aligned strand, which must be the
 * same in all. If the records have the tag ro, as those of rhomb align --rotate do, it begins after
 * so many bases of the strand, and goes on from the strand's end to its beginning. Records of other
 * pairs may be in between. A gap (bases in none of the records) is an error unless it has
 * `least_gap` bases or more of either sequence, as when rhomb align splits at that length; such
 * gaps are counted. Without gaps, `edits` is the cost of the alignments. Records of queries without
 * an alignment are counted, and an error if there are no others. Missing pairs are not detected.
 *
 * A file without records is an error, with or without `whole`.
 *
 * Returns RHOMB_OK, even if records have errors (see the report, which is always filled); what
 * rhomb_paf_next() returns; RHOMB_ERR_INPUT if a record names a sequence that the set does not
 * have; RHOMB_ERR_ARGUMENT, also for a reverse strand in RHOMB_ALPHABET_BYTES or
 * RHOMB_ALPHABET_PROTEIN.
 *
 * Cost: a few kilobytes, however long a path is; with `whole` also up to 400 bytes and both names
 * for each pair.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_verify(rhomb_paf *paf,
                                                     const rhomb_sequence_set *targets,
                                                     const rhomb_sequence_set *queries,
                                                     const rhomb_verify_options *options,
                                                     rhomb_verify_report *report);

#ifdef __cplusplus
}
#endif

#endif
