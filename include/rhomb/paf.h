/* SPDX-License-Identifier: MIT */
/*
 * Rhomb, alignments from PAF files of any program: row after row, in constant memory however long
 * a row's path is.
 *
 *     rhomb_paf *paf = NULL;
 *     const rhomb_paf_row *row = NULL;
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
 * A row is a line of twelve columns and then tags. Its *path* is its first tag that is one: cg:Z,
 * with = X I D, or M of programs that do not tell letters that are equal from those that are not;
 * or cs:Z in its short or long form, of which the operations are taken and not the letters. A
 * second such tag is passed over unless it is asked for (rhomb_verify() looks at both, and at the
 * letters). A row whose
 * strand is * has no path. Reading stops in front of the path, so tags that stand behind it
 * are known only once rhomb_paf_ops() has come to its end.
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

/* Where a row's path comes from; its name is the tag's. */
typedef enum rhomb_paf_path {
    RHOMB_PAF_PATH_NONE,
    RHOMB_PAF_PATH_CG,
    RHOMB_PAF_PATH_CS
} rhomb_paf_path;

/*
 * The columns of a row, in their order in the file. Ranges are 0-based and half-open, of the
 * forward strands; 0 <= begin <= end <= length < 2^60 holds. Where `reverse` is set, the path is
 * one through the target's range and the reverse complement of the query's.
 */
typedef struct rhomb_paf_row {
    int64_t line;  /* of the file, 1-based */
    int64_t index; /* of the row, 0-based: empty lines are none */
    const char *query_name;
    int64_t query_length, query_begin, query_end;
    bool reverse;
    const char *target_name;
    int64_t target_length, target_begin, target_end;
    int64_t matches;      /* column 10: letters that are equal */
    int64_t block_length; /* column 11: all operations, or what the program takes for that */
    int64_t mapq;         /* 255: not known */
    rhomb_paf_path path;
} rhomb_paf_row;

/* The tags of a row that have a meaning here. A tag that stands twice has the last value. */
typedef struct rhomb_paf_tags {
    bool complete;        /* the line has been read to its end; else more tags may come */
    bool has_edits;       /* NM:i is there, and `edits` its value; the others alike */
    bool has_divergence;  /* de:f */
    bool has_score;       /* AS:i */
    bool has_ambiguous;   /* nn:i */
    int64_t edits;        /* mismatches, and letters inserted and deleted */
    double divergence;    /* per letter of the alignment; which gaps count how is the program's */
    double divergence_by; /* half a unit of its last digit: how far rounding may have moved it */
    int64_t score;        /* of the aligner */
    int64_t ambiguous;    /* minimap2: letters of the alignment that are not ACGT */
    char type;            /* tp:A: 'P' primary, 'S' secondary, 'I' 'i' inversion; 0: not there */
} rhomb_paf_tags;

typedef struct rhomb_paf rhomb_paf;

/*
 * Opens a PAF file: plain, gzip or bgzip; "-" is standard input. It uses the context until it is
 * destroyed, for errors. `path` is copied.
 * Returns RHOMB_OK; RHOMB_ERR_INPUT (not there, unreadable, a folder); RHOMB_ERR_MEMORY or
 * RHOMB_ERR_ARGUMENT. On failure *out is NULL.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_paf_open(rhomb_context *ctx, const char *path,
                                                       rhomb_paf **out);

/*
 * Goes to the next row, past whatever of the current one has not been read. *row is NULL when there
 * is none: a file without rows is no error. It belongs to the reader, and is valid until the next
 * row is asked for.
 *
 * Lines may end in LF or CRLF, empty ones are passed over. Returns RHOMB_OK; RHOMB_ERR_MEMORY; or
 * RHOMB_ERR_INPUT, with file, line and column or tag in the detail: columns are missing, are no
 * numbers or contradict each other, a tag has no value of its type, a byte is no text, compressed
 * data is truncated or damaged, or the last line has no end: the file was cut there. After a
 * failure every call fails in the same way.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_paf_next(rhomb_paf *paf, const rhomb_paf_row **row);

/*
 * Reads the next operations of the current row's path, at most `room` of them (one or more). *count
 * is 0 when there are no more, or the row has no path; the tags are complete then.
 *
 * Neighbours differ in their codes, over calls as well, and no length is 0: runs that the file has
 * in parts are put together, and operations without letters left out. Nothing else is checked: not
 * even that the path fits the row's ranges.
 *
 * Returns as rhomb_paf_next() does; RHOMB_ERR_INPUT also for an operation that is none of the above
 * (N, S, H and P of SAM; introns of cs) and for a length of 2^60 or more. *count is 0 on failure.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_paf_ops(rhomb_paf *paf, rhomb_path_op *ops,
                                                      size_t room, size_t *count);

/*
 * From the next row on, the reader stops at the second path of a row that has cg and cs, too. When
 * rhomb_paf_ops() has come to the end of the first one, rhomb_paf_second_path() goes on to the
 * other, whose operations come next, and returns true; false where there is none. Where it is not
 * asked, or the second path not read, the row's tags stay incomplete.
 */
RHOMB_API void rhomb_paf_read_both(rhomb_paf *paf);
RHOMB_API bool rhomb_paf_second_path(rhomb_paf *paf);

/* The current row's tags, as far as they have been read. Never NULL, lives as long as the reader.
 */
RHOMB_API const rhomb_paf_tags *rhomb_paf_get_tags(const rhomb_paf *paf);

/* Closes the file and releases the reader. NULL is allowed. */
RHOMB_API void rhomb_paf_destroy(rhomb_paf *paf);

#ifdef __cplusplus
}
#endif

#endif
