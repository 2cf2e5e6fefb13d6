/* SPDX-License-Identifier: MIT */
/*
 * A plain file of pairs, read ahead by several threads. Each of them takes the next piece of the
 * file, has it brought into memory, and finds the pairs in it; whoever uses them gets piece after
 * piece in order. That there are threads changes nothing but time, and so does whether a piece is
 * seen where the system keeps the file or had to be copied from there.
 */
#ifndef RHOMB_SRC_PAIRS_AHEAD_H
#define RHOMB_SRC_PAIRS_AHEAD_H

#include "src/io/file_map.h"
#include "src/io/seq.h"

typedef struct rhomb__ahead rhomb__ahead;

/* The text of a piece: of the mapped file, or in a buffer. All zeros holds no memory. */
typedef struct rhomb__piece_text {
    const char *at;
    rhomb__file_map *map; /* NULL: it is in the buffer */
    char *buffer;
    size_t capacity; /* of the buffer */
} rhomb__piece_text;

/* A piece of the file. All zeros holds no memory. */
typedef struct rhomb__piece {
    rhomb__piece_text text;
    size_t length; /* of what was read */
    size_t begin;  /* its own text is from here ... */
    size_t end;    /* ... to here: whole pairs, or faults; none where a long pair covers it */
    rhomb__seq_part part;
    int64_t place;  /* of the text in the file */
    bool ended;     /* nothing comes behind it */
    bool too_long;  /* or it is not worth reading ahead from its beginning on */
    bool no_memory; /* or this is why */
    int code;       /* or this, an errno */
    double seconds_read, seconds_parse;
} rhomb__piece;

/*
 * Starts to read a file, of which a piece is about `bytes`; `fd` is borrowed, and its place in the
 * file of no account. NULL where there is no memory, or no thread to be had.
 */
rhomb__ahead *rhomb__ahead_start(int fd, size_t bytes, int32_t threads);

/*
 * Releases the mapping of the last piece, waits for the next one and takes it in exchange for the
 * memory of the last. Not to be called behind one that has ended, for whichever reason.
 */
void rhomb__ahead_next(rhomb__ahead *ahead, rhomb__piece *piece);

/* Waits for the threads and releases it. NULL is allowed. */
void rhomb__ahead_release(rhomb__ahead *ahead);

/* Releases the mapping alone: the buffer is for the next text. */
void rhomb__piece_text_unmap(rhomb__piece_text *text);
/* Releases both. */
void rhomb__piece_text_release(rhomb__piece_text *text);

#endif
