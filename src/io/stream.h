/* SPDX-License-Identifier: MIT */
/*
 * Bytes of a plain, gzip or bgzip file, or of standard input, seen through a window that moves over
 * the data, and the growing buffer that collects bases. Reading goes through htslib's BGZF layer in
 * large pieces: its line reader and kseq.h cost a copy and a call per line. Of damaged gzip that is
 * not bgzip it drops up to 64 KiB of text before the damage.
 *
 * Every failure is recorded with the path and in plain words; the caller silences what htslib would
 * print (see fasta.c).
 */
#ifndef RHOMB_SRC_STREAM_H
#define RHOMB_SRC_STREAM_H

#include "src/base/error.h"

#include <htslib/bgzf.h>
#include <htslib/hfile.h>

/* Bytes that grow geometrically. All zeros is empty; data is followed by a NUL once it exists. */
typedef struct rhomb__bytes {
    char *data;
    size_t length;
    size_t capacity;
    size_t most; /* of the capacity; 0: as far as there is memory */
} rhomb__bytes;

rhomb_status rhomb__bytes_append(rhomb__error *error, rhomb__bytes *buffer, const void *data,
                                 size_t bytes);
/* Empties it and frees its memory. It may grow without a bound again. */
void rhomb__bytes_release(rhomb__bytes *buffer);

/* RHOMB_ERR_MEMORY for text that needs more than the `most` bytes that it may have. */
rhomb_status rhomb__fail_text(rhomb__error *error, size_t most);

/*
 * In a file, any byte but blanks, controls and DEL is a base: UTF-8 is text. The number of bases
 * that a text begins with, and whether it consists of bases only, which is the faster test.
 */
size_t rhomb__base_run(const char *text, size_t length);
bool rhomb__is_bases(const char *text, size_t length);

/* An open input. All zeros is closed. The window [at, end) has been read and not used. */
typedef struct rhomb__stream {
    rhomb__error *error; /* borrowed */
    const char *name;    /* for messages: the path, borrowed, or "standard input" */
    BGZF *bgzf;
    unsigned char *window;
    const unsigned char *at;
    const unsigned char *end;
    int64_t file_bytes; /* of a regular file, otherwise -1 */
    int fd;             /* of a regular file that was opened by its name, otherwise -1 */
    bool ended;
    bool has_odd_line; /* in the window: rhomb__stream_lines() does not take the rest of it */
} rhomb__stream;

/* Opens `path` ("-": standard input). On failure the stream is closed. */
rhomb_status rhomb__stream_open(rhomb__stream *stream, rhomb__error *error, const char *path);

/*
 * The same in two steps, where the first bytes are looked at in between (hpeek()): the file belongs
 * to the caller until the second one has it, also if that fails. Without the second one the stream
 * has only its name and the size of the file.
 */
rhomb_status rhomb__stream_find(rhomb__stream *stream, rhomb__error *error, const char *path,
                                hFILE **file);
rhomb_status rhomb__stream_begin(rhomb__stream *stream, hFILE *file);

void rhomb__stream_close(rhomb__stream *stream);

/*
 * Decompresses on `threads` threads from here on, if the data is bgzip and the remaining `bytes` or
 * so are worth it. For speed only: if it is not possible, one thread does it.
 */
void rhomb__stream_use_threads(rhomb__stream *stream, int64_t bytes, int32_t threads);

/*
 * Reads into the caller's memory until `bytes` bytes are read or the data ends, which sets `ended`;
 * the window must be empty. *got is correct on failure, too: data before a damaged or missing place
 * is read first. After a failure, each further call fails.
 */
rhomb_status rhomb__stream_read(rhomb__stream *stream, void *out, size_t bytes, size_t *got);

/* The fraction of a regular file that has been read, 0 to 1; -1 for others. */
double rhomb__stream_fraction(const rhomb__stream *stream);

/* Whether its bytes are those of a regular file, which can be read through `fd` at any place. */
bool rhomb__stream_is_plain(const rhomb__stream *stream);

/* Reads more if the window is empty. Afterwards it is empty only at the end of the data. */
rhomb_status rhomb__stream_fill(rhomb__stream *stream);

/*
 * Continues `skip` bytes after the start of the bgzip block at `address`, or after byte `address`
 * of a plain file. For regular files that are plain or bgzip.
 */
rhomb_status rhomb__stream_seek(rhomb__stream *stream, int64_t address, int64_t skip);

/*
 * Takes the bases that the window begins with, at most `limit` and possibly none, and appends them
 * to `buffer` unless that is NULL.
 */
rhomb_status rhomb__stream_bases(rhomb__stream *stream, int64_t limit, rhomb__bytes *buffer,
                                 int64_t *count);

/*
 * The fast way through the lines of a record: takes the whole lines in the window until one begins
 * with `marker`, and appends their bases to `buffer`. A line is bases and LF or CRLF; if the window
 * has any other line, nothing is taken. It need not take every line: *lines is the number taken.
 */
rhomb_status rhomb__stream_lines(rhomb__stream *stream, int marker, rhomb__bytes *buffer,
                                 int64_t *lines);

#endif
