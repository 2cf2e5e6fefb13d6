/* SPDX-License-Identifier: MIT */
/*
 * Bytes of a plain, gzip or bgzip file, or of standard input, seen through a window that moves over
 * the data, and the growing buffer that letters are collected in. Reading goes through htslib's
 * BGZF layer in large pieces: its line reader and kseq.h cost a copy and a call for each line. Of
 * gzip that is no bgzip, only the compressed bytes come from there, see gunzip.h.
 *
 * Every failure is recorded with the path and in plain words; what htslib would print is left to
 * the caller to silence (see fasta.c).
 */
#ifndef RHOMB_SRC_STREAM_H
#define RHOMB_SRC_STREAM_H

#include "src/base/error.h"

#include <htslib/bgzf.h>

/* Bytes that grow geometrically. All zeros is empty; data is followed by a NUL once it exists. */
typedef struct rhomb__bytes {
    char *data;
    size_t length;
    size_t capacity;
} rhomb__bytes;

rhomb_status rhomb__bytes_append(rhomb__error *error, rhomb__bytes *buffer, const void *data,
                                 size_t bytes);
/* Empties it and gives its memory back. */
void rhomb__bytes_release(rhomb__bytes *buffer);

/*
 * A letter is a printable ASCII character other than the blank. How many of them a text begins
 * with, and whether it is made of them alone: of the two, the quick question.
 */
size_t rhomb__letter_run(const char *text, size_t length);
bool rhomb__is_letters(const char *text, size_t length);

/* An open input. All zeros is closed. The window [at, end) is what has been read and not used. */
typedef struct rhomb__stream {
    rhomb__error *error; /* borrowed */
    const char *name;    /* for messages: the path, borrowed, or "standard input" */
    BGZF *bgzf;
    struct rhomb__gunzip *gunzip; /* of a gzip file that is no bgzip file, otherwise NULL */
    unsigned char *window;
    const unsigned char *at;
    const unsigned char *end;
    int64_t file_bytes; /* of a regular file, otherwise -1 */
    int fd;             /* of a regular file that was opened by its name, otherwise -1 */
    bool ended;
    bool has_odd_line; /* of the window: rhomb__stream_lines() leaves the rest of it alone */
} rhomb__stream;

/* Opens `path` ("-": standard input). On failure the stream is closed. */
rhomb_status rhomb__stream_open(rhomb__stream *stream, rhomb__error *error, const char *path);
void rhomb__stream_close(rhomb__stream *stream);

/*
 * Decompresses on `threads` threads from here on, where the data is bgzip and the about `bytes` of
 * it that are still to be read are worth it. For speed only: where it is not possible, one does it.
 */
void rhomb__stream_use_threads(rhomb__stream *stream, int64_t bytes, int32_t threads);

/*
 * Reads up to `bytes` bytes to a place of the caller's, past the window, which must be empty. *got
 * is 0 only at the end of the data, which sets `ended`, and on failure. What comes before a damaged
 * or missing place is read first. After a failure, each further call fails.
 */
rhomb_status rhomb__stream_read(rhomb__stream *stream, void *out, size_t bytes, size_t *got);

/* Whether its bytes are those of a regular file, which `fd` can be read for at any place. */
bool rhomb__stream_is_plain(const rhomb__stream *stream);

/*
 * The same until `bytes` bytes are read or there are no more; *got is right on failure, too. A
 * plain file is read on up to `threads` threads.
 */
rhomb_status rhomb__stream_read_all(rhomb__stream *stream, void *out, size_t bytes, int32_t threads,
                                    size_t *got);

/* Reads more when the window is empty. It is empty afterwards only at the end of the data. */
rhomb_status rhomb__stream_fill(rhomb__stream *stream);

/*
 * Continues at `skip` bytes behind the start of the bgzip block at `address`, or behind byte
 * `address` of a plain file. For regular files that are not gzip.
 */
rhomb_status rhomb__stream_seek(rhomb__stream *stream, int64_t address, int64_t skip);

/*
 * Uses up the letters that the window begins with, at most `limit` and none where it begins with
 * anything else, and appends them to `buffer` unless that is NULL.
 */
rhomb_status rhomb__stream_letters(rhomb__stream *stream, int64_t limit, rhomb__bytes *buffer,
                                   int64_t *count);

/*
 * The quick way through the lines of a record: uses up lines that the window holds to their end,
 * as long as none begins with `marker`, and appends their letters to `buffer`. A line is letters
 * and LF or CRLF; where the window has any other, nothing is used up. Not every line has to be
 * taken this way: *lines is their number.
 */
rhomb_status rhomb__stream_lines(rhomb__stream *stream, int marker, rhomb__bytes *buffer,
                                 int64_t *lines);

#endif
