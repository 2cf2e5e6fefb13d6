/* SPDX-License-Identifier: MIT */
/*
 * Rhomb, alignments of any program from PAF, SAM, BAM or CRAM, and ranges from tables: record by
 * record, of PAF in constant memory however long a record's path is.
 *
 *     rhomb_paf *paf = NULL;
 *     const rhomb_paf_record *row = NULL;
 *     rhomb_path_op ops[1024];
 *     size_t count = 0;
 *     rhomb_status status = rhomb_paf_open(ctx, "out.paf", &paf);
 *     while (status == RHOMB_OK) {
 *         status = rhomb_paf_next(paf, &row);
 *         if (status != RHOMB_OK || row == NULL)
 *             break;
 *         do {
 *             status = rhomb_paf_ops(paf, ops, 1024, &count);
 *             use(row, ops, count);
 *         } while (status == RHOMB_OK && count > 0);
 *     }
 *     rhomb_paf_destroy(paf);
 *
 * SAM, BAM and CRAM are read as if they were PAF: clips become the query's range, also on the
 * reverse strand, and the CIGAR without them the path; NM, AS, nn, de, tp, sc, al, ro and bl are
 * the same tags, bases are not read, and a record without an alignment has strand *. A *table* has
 * lines of seven columns: target, begin, end, query, begin, end and strand, with positions as in
 * PAF; a line that begins with # is a comment. Its rows have no path.
 *
 * A record is a line of twelve columns and then tags. Its *path* is its first tag that is one:
 * cg:Z, with = X I D, or M from programs that do not tell matches from mismatches; or cs:Z in its
 * short or long form, of which the operations are read and not the bases. A second such tag is
 * skipped unless requested (rhomb_verify() checks both, and the bases). A record whose strand
 * is * has no path. Reading stops before the path, so tags after it are known only once
 * rhomb_paf_ops() has reached its end.
 *
 * Everything said in rhomb.h about guarantees, growing structures, threads and units holds here.
 */
#ifndef RHOMB_PAF_H
#define RHOMB_PAF_H

#include <rhomb/cigar.h>
#include <rhomb/rhomb.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The tag that a record's path comes from. */
typedef enum rhomb_paf_path {
    RHOMB_PAF_PATH_NONE,
    RHOMB_PAF_PATH_CG,
    RHOMB_PAF_PATH_CS
} rhomb_paf_path;

/*
 * The columns of a record, in file order. Ranges are 0-based, half-open and on the forward strands;
 * 0 <= begin <= end <= length < 2^60 holds; lengths of a table are -1, as they are not known. If
 * `reverse` is set, the path goes through the target's range and the reverse complement of the
 * query's range.
 */
typedef struct rhomb_paf_record {
    int64_t line;  /* of the file, 1-based; of BAM and CRAM the number of the record */
    int64_t index; /* of the record, 0-based; empty lines do not count */
    const char *query_name;
    int64_t query_length, query_begin, query_end;
    bool reverse;
    const char *target_name;
    int64_t target_length, target_begin, target_end;
    int64_t matches;      /* column 10: matching bases; -1: SAM or a table does not say */
    int64_t block_length; /* column 11: all operations, or what the program counts there */
    int64_t mapq;         /* 255: unknown */
    rhomb_paf_path path;
} rhomb_paf_record;

/* The tags of a record that have a meaning here. For a duplicate tag, the last value. */
typedef struct rhomb_paf_tags {
    bool complete;        /* the line has been read to its end; else there may be more tags */
    bool has_edits;       /* NM:i is present, and `edits` is its value; likewise below */
    bool has_divergence;  /* de:f */
    bool has_score;       /* AS:i */
    bool has_ambiguous;   /* nn:i */
    int64_t edits;        /* mismatches, and bases inserted and deleted */
    double divergence;    /* per base of the alignment; programs count gaps differently */
    double divergence_by; /* half a unit of its last digit: how far rounding may have moved it */
    int64_t score;        /* of the aligner */
    int64_t ambiguous;    /* minimap2: bases of the alignment that are not A, C, G or T */
    char type;            /* tp:A: 'P' primary, 'S' secondary, 'I' 'i' inversion; 0: absent */
    const char *scoring;  /* sc:Z: the scoring of AS, see rhomb_scoring_parse(); NULL: absent */
    bool has_rotation;    /* ro:i */
    int64_t rotation;     /* rhomb: the query's first bases, on its strand, that come last */
    int64_t block;        /* rhomb, bl:i: the pair's collinear block, from 1 on; 0: absent */
    const char *others;   /* all other tags of PAF, a tab before each, see rhomb_paf_keep_tags() */
    bool is_iupac;        /* rhomb, al:Z:iupac: matches are those of RHOMB_ALPHABET_IUPAC */
} rhomb_paf_tags;

typedef struct rhomb_paf rhomb_paf;

/*
 * Opens a PAF file or table: plain, gzip or bgzip; or SAM, BAM or CRAM; "-" is standard input.
 * Returns RHOMB_OK; RHOMB_ERR_INPUT (missing, unreadable, a folder); RHOMB_ERR_MEMORY or
 * RHOMB_ERR_ARGUMENT. On failure *out is NULL. The reader uses the context for errors until it is
 * destroyed. `path` is copied.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_paf_open(rhomb_context *ctx, const char *path,
                                                       rhomb_paf **out);

/*
 * Goes to the next record, and skips whatever of the current one has not been read. *row is NULL
 * after the last record; a file without records is not an error. Lines may end in LF or CRLF; empty
 * lines are skipped.
 *
 * Returns RHOMB_OK; RHOMB_ERR_MEMORY; or RHOMB_ERR_INPUT, with file, line and column or tag in the
 * detail: columns are missing, are not valid numbers or contradict each other; a tag's value does
 * not fit its type; a byte is not text; compressed data is truncated or damaged; or the last line
 * has no line end, so the file is truncated. After a failure every call fails in the same way.
 *
 * *row belongs to the reader, and is valid until the next call.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_paf_next(rhomb_paf *paf,
                                                       const rhomb_paf_record **row);

/*
 * Reads the next operations of the current record's path, at most `room` (at least 1). *count is 0
 * after the last one, or if the record has no path; the tags are complete then.
 *
 * Adjacent operations have different codes, across calls as well, and no length is 0: runs that are
 * split in the file are joined, and operations of length 0 are dropped. Nothing else is checked,
 * not even that the path fits the record's ranges.
 *
 * Returns the same as rhomb_paf_next(); RHOMB_ERR_INPUT also for any other operation (N, S, H and P
 * of SAM; introns of cs) and for a length of 2^60 or more. On failure *count is 0.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_paf_ops(rhomb_paf *paf, rhomb_path_op *ops,
                                                      size_t room, size_t *count);

/*
 * rhomb_paf_read_both(): from the next record on, the reader also stops at the second path of a
 * record that has both cg and cs. When rhomb_paf_ops() has reached the end of the first path,
 * rhomb_paf_second_path() goes on to the second one, whose operations come next, and returns true;
 * false if there is none. If it is not called, or the second path is not read, the record's tags
 * stay incomplete.
 */
RHOMB_API void rhomb_paf_read_both(rhomb_paf *paf);
RHOMB_API bool rhomb_paf_second_path(rhomb_paf *paf);

/* Before the first record: the file may be a table as well. */
RHOMB_API void rhomb_paf_take_tables(rhomb_paf *paf);

/*
 * From the next record on, tags of PAF that have no meaning here are kept as they are, in `others`
 * of rhomb_paf_tags.
 */
RHOMB_API void rhomb_paf_keep_tags(rhomb_paf *paf);

/*
 * The current record's tags, as far as they have been read. Never NULL; valid as long as the
 * reader.
 */
RHOMB_API const rhomb_paf_tags *rhomb_paf_get_tags(const rhomb_paf *paf);

/*
 * Called now and then while the file is read, on the thread that reads it, with the fraction of the
 * file that has been read, which never falls; -1 where its size is not known, as of a pipe. A
 * return value other than 0 ends reading with RHOMB_ERR_CANCELLED.
 */
typedef int (*rhomb_paf_progress_fn)(double fraction, void *user);

/* Has `progress` called from now on; NULL: nothing. */
RHOMB_API void rhomb_paf_watch(rhomb_paf *paf, rhomb_paf_progress_fn progress, void *user);

/* Closes the file and releases the reader. NULL is allowed. */
RHOMB_API void rhomb_paf_destroy(rhomb_paf *paf);

#ifdef __cplusplus
}
#endif

#endif
