/* SPDX-License-Identifier: MIT */
/*
 * Rhomb, pairs of sequences from files, as rhomb_batch_add() takes them: one after the other, in
 * constant memory, at the rate at which the file can be read.
 *
 *     rhomb_pair_chunk *chunk = NULL;
 *     rhomb_status status = rhomb_pairs_open(ctx, "pairs.seq", NULL, &pairs);
 *     while (status == RHOMB_OK) {
 *         status = rhomb_pairs_next(pairs, &chunk);
 *         if (status != RHOMB_OK || chunk->count == 0)
 *             break;
 *         use(chunk->pairs, chunk->count);
 *     }
 *     rhomb_pair_chunk_destroy(chunk);
 *     rhomb_pairs_destroy(pairs);
 *
 * A *chunk* holds the text of some megabytes of pairs and belongs to the caller: who has to keep
 * letters while reading on, as a batch does, takes another chunk for what comes next.
 *
 * Everything said in rhomb.h about guarantees, growing structures, threads and units holds here.
 */
#ifndef RHOMB_PAIRS_H
#define RHOMB_PAIRS_H

#include <rhomb/batch.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The names of a pair's records, up to the first blank. */
typedef struct rhomb_pair_names {
    const char *target;
    const char *query;
} rhomb_pair_names;

/*
 * Something in the file that should be a pair and is none: in the chunk it is a pair of empty
 * sequences, so that the others keep their numbers.
 */
typedef struct rhomb_pair_fault {
    size_t index;       /* of the pair in its chunk */
    const char *detail; /* a sentence, with the file and the line or record */
} rhomb_pair_fault;

/* Some pairs. Everything in it is the chunk's, and valid until the chunk is filled again. */
typedef struct rhomb_pair_chunk {
    int64_t first; /* the number of its first pair, counted from 0 over all chunks */
    size_t count;  /* 0: there are no more */
    const rhomb_pair *pairs;
    const rhomb_pair_names *names;  /* NULL where the format has none: a pair is its number */
    const rhomb_pair_fault *faults; /* in the order of their indices */
    size_t fault_count;
} rhomb_pair_chunk;

/* What reading has cost so far. */
typedef struct rhomb_pairs_report {
    int64_t bytes;        /* of text, after decompression; 0 from two files */
    int64_t pairs;        /* faults among them */
    double seconds_read;  /* from the files, with decompressing them; summed over threads */
    double seconds_parse; /* finding the pairs in that, summed as well */
} rhomb_pairs_report;

typedef struct rhomb_pairs rhomb_pairs;

/*
 * Opens one file or two, each plain, gzip or bgzip; "-" is standard input, for one of them.
 *
 * `queries` NULL: the file `path` holds two lines for each pair, '>' and the query, then '<' and
 * the target, as WFA's tools have them ("pattern" and "text"). Blank lines are skipped, and blanks
 * at the end of a line. Else `path` holds the targets and `queries` the queries, as FASTA or FASTQ
 * records; the first of one belongs to the first of the other, and so on. Lines may end in LF or
 * CRLF and have any length, sequences may be empty, and so may files: they have no pairs. Letters
 * are judged by who uses them, but that they are printable.
 *
 * Uses the context until it is destroyed, for threads and errors; to read on a thread of its own,
 * give it a context of its own. `path` and `queries` are copied. Returns RHOMB_OK; RHOMB_ERR_INPUT
 * (not there, unreadable, a folder); RHOMB_ERR_MEMORY or RHOMB_ERR_ARGUMENT. On failure *out is
 * NULL.
 *
 * Two files are read at the same time where the context has four threads or more. About a megabyte
 * of each, or one record where that is longer, waits for the other one's.
 *
 * A plain file of pairs is read ahead from here on, by a third of the context's threads, eight at
 * the most, and by some 12 MB for each. Where the system can, its text is not copied but mapped, 16
 * MB at a time, until no chunk has pairs of it. The file must stay as it is meanwhile: to shorten
 * it, or to take its disk away, while pairs of it are in use may end the process with SIGBUS.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_pairs_open(rhomb_context *ctx, const char *path,
                                                         const char *queries, rhomb_pairs **out);

/*
 * Fills *chunk with the next pairs. Where *chunk is NULL it is created, else its memory is used
 * again, whichever reader it came from.
 *
 * A pair that the format does not allow is a fault of the chunk, and reading goes on behind it: a
 * '>' line without its '<' line or the other way round, a line that begins with neither, a byte
 * that is no text, a record without one in the other file. Returns RHOMB_OK; RHOMB_ERR_INPUT where
 * the rest cannot be read (truncated or damaged compressed data, no such format, FASTQ that is
 * malformed), after all pairs before that place; or RHOMB_ERR_MEMORY. After a failure there are no
 * more pairs, and *chunk has none.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_pairs_next(rhomb_pairs *pairs,
                                                         rhomb_pair_chunk **chunk);

/*
 * The 1-based line at which a pair of a file of pairs begins; 0 for a fault, and from two files.
 * Counts lines from the beginning of the chunk on.
 */
RHOMB_API int64_t rhomb_pair_chunk_line(const rhomb_pair_chunk *chunk, size_t index);

/* Never NULL, lives as long as the reader. */
RHOMB_API const rhomb_pairs_report *rhomb_pairs_get_report(const rhomb_pairs *pairs);

/* Releases a chunk, or a reader; chunks outlive readers. NULL is allowed. */
RHOMB_API void rhomb_pair_chunk_destroy(rhomb_pair_chunk *chunk);
RHOMB_API void rhomb_pairs_destroy(rhomb_pairs *pairs);

#ifdef __cplusplus
}
#endif

#endif
