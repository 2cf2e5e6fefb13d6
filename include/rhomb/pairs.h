/* SPDX-License-Identifier: MIT */
/*
 * Rhomb, pairs of sequences from files for rhomb_batch_add(): one after the other, in constant
 * memory, as fast as the file can be read.
 *
 *     rhomb_pair_chunk *chunk = NULL;
 *     rhomb_status status = rhomb_pairs_open(ctx, "pairs.seq", NULL, NULL, &pairs);
 *     while (status == RHOMB_OK) {
 *         status = rhomb_pairs_next(pairs, &chunk);
 *         if (status != RHOMB_OK || chunk->count == 0)
 *             break;
 *         use(chunk->pairs, chunk->count);
 *     }
 *     rhomb_pair_chunk_destroy(chunk);
 *     rhomb_pairs_destroy(pairs);
 *
 * A *chunk* holds some megabytes of pairs and belongs to the caller. To keep the sequences while
 * reading on, as a batch needs, use another chunk for the next pairs.
 *
 * Everything said in rhomb.h about guarantees, growing structures, threads and units holds here.
 */
#ifndef RHOMB_PAIRS_H
#define RHOMB_PAIRS_H

#include <rhomb/batch.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The names of a pair's sequences, up to the first whitespace. In a file of pairs either may be
 * NULL: use the pair's number. Does not grow.
 */
typedef struct rhomb_pair_names {
    const char *target;
    const char *query;
} rhomb_pair_names;

/*
 * A malformed pair in the file. In the chunk it is a pair of empty sequences, so that the other
 * pairs keep their numbers. Does not grow.
 */
typedef struct rhomb_pair_fault {
    size_t index;       /* of the pair in its chunk */
    const char *detail; /* a sentence, with the file and the line or record */
} rhomb_pair_fault;

/* Some pairs. The chunk owns everything in it; valid until the chunk is filled again. */
typedef struct rhomb_pair_chunk {
    int64_t first; /* the number of its first pair, counted from 0 over all chunks */
    size_t count;  /* 0: there are no more */
    const rhomb_pair *pairs;
    const rhomb_pair_names *names;  /* NULL if no pair has names: use the pair's number */
    const rhomb_pair_fault *faults; /* in the order of their indices */
    size_t fault_count;
    /* Since 0.3.0: of each query; NULL if they are not asked for, or queries are not of FASTQ. */
    const char *const *qualities;
} rhomb_pair_chunk;

/* The cost of reading so far. */
typedef struct rhomb_pairs_report {
    int64_t bytes;        /* of text, after decompression; 0 for two files */
    int64_t pairs;        /* including faults, and those of other parts */
    double seconds_read;  /* reading and decompressing the files; summed over threads */
    double seconds_parse; /* finding the pairs in the text; summed over threads */
    double fraction;      /* of the file, or of the queries', 0 to 1; -1 if its size is not known */
} rhomb_pairs_report;

typedef struct rhomb_pairs_options {
    size_t struct_size;
    bool one_to_many; /* for two files: the only record of `path` is the target of all queries */
    bool live;        /* for one file: a chunk ends where the input pauses */
    /*
     * Where `parts` is not 0, only those pairs are given, and counted by the chunks' numbers, whose
     * number in the input, from 0 on, is `part` modulo `parts`: number i is then pair i * parts +
     * part of the input. Faults of other pairs are left out with them.
     */
    int64_t part, parts;
    bool qualities; /* of two files: those of queries are kept */
} rhomb_pairs_options;

#define RHOMB_PAIRS_OPTIONS_INIT                               \
    {                                                          \
        sizeof(rhomb_pairs_options), false, false, 0, 0, false \
    }

typedef struct rhomb_pairs rhomb_pairs;

/*
 * Opens one file or two, each plain, gzip or bgzip; "-" is standard input, for one of them.
 *
 * `queries` NULL: the file `path` holds two lines for each pair, '>' and the query, then '<' and
 * the target, as WFA's tools do ("pattern" and "text"). A tab after a sequence, and a name after
 * that, name it. Blank lines and whitespace at the end of a line are skipped. Else `path` holds the
 * targets and `queries` the queries, as FASTA or FASTQ records in the same order. Lines may end in
 * LF or CRLF and have any length. Sequences may be empty, and so may files: they have no pairs.
 * Reading checks only that bytes are no blanks or controls; the user of a sequence checks its
 * alphabet.
 *
 * With `one_to_many`, a chunk has a copy of the target, which all its pairs share. A file of
 * targets with no record or more than one is RHOMB_ERR_INPUT, from the first rhomb_pairs_next().
 *
 * With `live`, pairs come as soon as they are whole and the input has no more to read at once, so
 * that a program can write a pair and wait for its result. For that, what is not a regular file
 * must be plain text here, and is read by the calling thread. It is for pipes, sockets and
 * terminals: regular files are read as without it.
 *
 * Returns RHOMB_OK; RHOMB_ERR_INPUT (missing, unreadable, a folder); RHOMB_ERR_MEMORY; or
 * RHOMB_ERR_ARGUMENT, also for `one_to_many` without `queries`, `live` with them, or a part that is
 * not 0 <= part < parts. On failure *out is NULL.
 *
 * The reader uses the context for threads and errors until it is destroyed. `path` and `queries`
 * are copied. A plain file of pairs must not change while its pairs are in use: truncating it, or
 * removing its disk, may end the process with SIGBUS.
 *
 * Cost: the reader buffers about a megabyte of each of two files, or one record if that is longer.
 * A plain file of pairs is read ahead, from this call on, by some 12 MB for each thread; where the
 * system can, the text is mapped rather than copied, 16 MB at a time, for as long as a chunk has
 * pairs of it. Under a limit on the address space (RLIMIT_AS) nothing is read ahead, and a pair is
 * RHOMB_ERR_MEMORY if its text, with the buffers it passes through, needs more than the limit
 * leaves beside a device's driver.
 *
 * Threads: to read on a separate thread, give the reader a separate context. Reading ahead takes a
 * third of the context's threads, at most eight. Two files are read at the same time if the context
 * has four threads or more.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_pairs_open(rhomb_context *ctx, const char *path,
                                                         const char *queries,
                                                         const rhomb_pairs_options *options,
                                                         rhomb_pairs **out);

/*
 * Fills *chunk with the next pairs. If *chunk is NULL, it is created; else its memory is reused,
 * whichever reader it came from.
 *
 * A malformed pair is a fault of the chunk, and reading continues after it: a '>' line without its
 * '<' line or the other way round, a line that begins with neither, a byte that is not text, a
 * record without a counterpart in the other file.
 * Returns RHOMB_OK; RHOMB_ERR_INPUT if the rest cannot be read (truncated or damaged compressed
 * data, an unknown format, malformed FASTQ), after all pairs before that place; or
 * RHOMB_ERR_MEMORY. After a failure there are no more pairs, and *chunk has none.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_pairs_next(rhomb_pairs *pairs,
                                                         rhomb_pair_chunk **chunk);

/*
 * The 1-based line at which a pair begins in a file of pairs; 0 for a fault, and for two files. It
 * takes time to count the lines from the beginning of the chunk.
 */
RHOMB_API int64_t rhomb_pair_chunk_line(const rhomb_pair_chunk *chunk, size_t index);

/* What was read so far. Never NULL; valid as long as the reader. */
RHOMB_API const rhomb_pairs_report *rhomb_pairs_get_report(const rhomb_pairs *pairs);

/* Releases a chunk, or a reader; chunks outlive readers. NULL is allowed. */
RHOMB_API void rhomb_pair_chunk_destroy(rhomb_pair_chunk *chunk);
RHOMB_API void rhomb_pairs_destroy(rhomb_pairs *pairs);

#ifdef __cplusplus
}
#endif

#endif
