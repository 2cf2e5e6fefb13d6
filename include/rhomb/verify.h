/* SPDX-License-Identifier: MIT */
/*
 * Rhomb: whether the alignments of a PAF file are what they say, of any program's.
 *
 *     rhomb_sequence_set *targets = NULL, *queries = NULL;
 *     rhomb_paf *paf = NULL;
 *     rhomb_verify_options options = RHOMB_VERIFY_OPTIONS_INIT;
 *     rhomb_verify_report report;
 *     rhomb_status status = rhomb_sequence_set_read(ctx, "a.fa", &targets);
 *     if (status == RHOMB_OK)
 *         status = rhomb_sequence_set_read(ctx, "b.fa", &queries);
 *     if (status == RHOMB_OK)
 *         status = rhomb_paf_open(ctx, "out.paf", &paf);
 *     if (status == RHOMB_OK)
 *         status = rhomb_verify(paf, targets, queries, &options, &report);
 *     if (status == RHOMB_OK)
 *         puts(report.offences == 0 ? "verified" : "wrong");
 *
 * Everything said in rhomb.h about guarantees, growing structures, threads and units holds here. No
 * device is needed.
 */
#ifndef RHOMB_VERIFY_H
#define RHOMB_VERIFY_H

#include <rhomb/paf.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --------------------------------------------------------------- sequences */

/* All records of a file, in memory. */
typedef struct rhomb_sequence_set rhomb_sequence_set;

/*
 * Reads all records of a FASTA or FASTQ file, of which rhomb_sequence_read() says what is accepted;
 * "-" is standard input. It uses the context until it is destroyed, for errors.
 * Returns as rhomb_sequence_read() does. On failure *out is NULL.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_sequence_set_read(rhomb_context *ctx,
                                                                const char *path,
                                                                rhomb_sequence_set **out);

/* How many records it has. */
RHOMB_API int64_t rhomb_sequence_set_count(const rhomb_sequence_set *set);

/*
 * The letters of the record of that name, or, where there is none, of the region that it means, as
 * in rhomb_sequence_read(). They belong to the set; no NUL follows them.
 * Returns RHOMB_OK, RHOMB_ERR_INPUT (no such record, one that stands twice, no such region),
 * RHOMB_ERR_MEMORY or RHOMB_ERR_ARGUMENT.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_sequence_set_find(const rhomb_sequence_set *set,
                                                                const char *name,
                                                                const char **letters,
                                                                int64_t *length);

/* Releases a set. NULL is allowed. */
RHOMB_API void rhomb_sequence_set_destroy(rhomb_sequence_set *set);

/* -------------------------------------------------------------------- rows */

/* What may be wrong with a row. */
typedef enum rhomb_offence_kind {
    RHOMB_OFFENCE_NO_PATH,    /* there is nothing to verify */
    RHOMB_OFFENCE_LENGTH,     /* column 2 or 7: the sequence has another length */
    RHOMB_OFFENCE_EQUAL,      /* a `=` stands over letters that differ */
    RHOMB_OFFENCE_UNEQUAL,    /* an X stands over letters that are equal */
    RHOMB_OFFENCE_BEYOND,     /* an operation leaves the row's range; the rest is not looked at */
    RHOMB_OFFENCE_ENDS,       /* the path ends before the row's range does */
    RHOMB_OFFENCE_MATCHES,    /* column 10 */
    RHOMB_OFFENCE_BLOCK,      /* column 11 */
    RHOMB_OFFENCE_EDITS,      /* NM:i */
    RHOMB_OFFENCE_DIVERGENCE, /* de:f */
    RHOMB_OFFENCE_AMBIGUOUS,  /* nn:i */
    RHOMB_OFFENCE_LETTERS,    /* cs names a letter that the sequence does not have there */
    RHOMB_OFFENCE_PATHS,      /* cg and cs are different paths */
    RHOMB_OFFENCE_MISSING,    /* rows: all of them, or, of whole alignments, for some letters */
    RHOMB_OFFENCE_ORDER       /* and a row that does not go on where those before it ended */
} rhomb_offence_kind;

typedef struct rhomb_offence {
    rhomb_offence_kind kind;
    const rhomb_paf_row *row; /* NULL: the file has none */
    int64_t operation;        /* of the path, 1-based, neighbours of a kind put together; 0: none */
    /* Where it is, 0-based, on the forward strands; -1 where it is no place. */
    int64_t target_position, query_position;
    const char *text; /* a sentence; positions in it are 1-based */
} rhomb_offence;

/*
 * Called for each offence; *offence is valid during the call only. Returning anything but 0 ends
 * the verification there. Calls of the library with the same context are not allowed inside.
 */
typedef int (*rhomb_offence_fn)(const rhomb_offence *offence, void *user);

typedef struct rhomb_verify_options {
    size_t struct_size;
    rhomb_alphabet alphabet;  /* what is equal; reverse strands are for DNA only */
    bool whole;               /* rows have to make up whole alignments, see rhomb_verify() */
    int64_t least_gap;        /* that these may have, see there; 0: none */
    rhomb_offence_fn offence; /* NULL: they are counted only */
    void *offence_user;
} rhomb_verify_options;

#define RHOMB_VERIFY_OPTIONS_INIT                                              \
    {                                                                          \
        sizeof(rhomb_verify_options), RHOMB_ALPHABET_DNA, false, 0, NULL, NULL \
    }

typedef struct rhomb_verify_report {
    int64_t rows;
    int64_t unaligned;      /* of them, rows of queries without an alignment */
    int64_t offences;       /* 0: what the rows say is true */
    int64_t target_letters; /* that the paths go through */
    int64_t query_letters;
    int64_t edits; /* of the paths: letters that differ, are inserted or deleted */
    /* Of whole alignments: pairs of sequences that have rows, and what is in no row of theirs. */
    int64_t pairs;
    int64_t gaps; /* between rows, in front of the first and behind the last one */
    int64_t gap_target_letters, gap_query_letters;
    int64_t gap_edits_least, gap_edits_most; /* what they add to the edits */
} rhomb_verify_report;

/*
 * Follows the path of every row that is left through the two sequences that it names, and compares
 * what the row says of them: letters under = and X and in cs, both ends, the lengths, matches and
 * block length in its columns, and NM, de and nn where they are there. What M stands over counts by
 * the letters. AS is the aligner's own matter. A row of two empty ranges needs no path. Where a row
 * has cg and cs, both are followed, and must be the same path. The case of a letter in cs does not
 * matter, and it may be what minimap2 writes: t for U, and n for all but A, C, G and T.
 *
 * A name is looked for as it stands, and where nothing has it, as `rhomb` writes names: \\, \t, \n
 * and \r are a backslash, a tab and line ends, and a dot is the empty name.
 *
 * Letters are equal as rhomb_distance() has it, but a letter outside of the alphabet is no error.
 * Block length may count all columns of the alignment, or be the longer one of the two ranges
 * (wfmash); de may count every letter of a gap, or a gap as one (minimap2). Where minimap2 has
 * said, by nn in front of the path, that there are letters other than A, C, G, T, they count as it
 * counts them: none is a match, all are equal, and the block leaves them out.
 *
 * With `whole` the rows of each pair of sequences have to be one alignment of all of both, in its
 * order: the first one begins where both sequences do, each next one where the one before ended,
 * and the last one ends where both do, of the query along the strand that is aligned, which is the
 * same in all. Rows of other pairs may be in between. A gap, letters that are in none of them, is
 * an offence unless it has `least_gap` letters or more of either sequence, as where rhomb align is
 * told to split at so many; such gaps are counted. Without any, `edits` is the cost of the
 * alignments. A query that is not aligned is an offence; which pairs there should be, nobody says.
 *
 * A file without rows is an offence, with `whole` and without.
 *
 * Memory: a few kilobytes, however long a path is; with `whole` up to 400 bytes and both names for
 * each pair besides. Returns RHOMB_OK, also where rows are wrong (see the report, which is filled
 * in any case); what rhomb_paf_next() returns; RHOMB_ERR_INPUT where a
 * row names a sequence that the set does not have; RHOMB_ERR_ARGUMENT, also for a reverse strand in
 * RHOMB_ALPHABET_BYTES.
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
