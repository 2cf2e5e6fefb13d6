/* SPDX-License-Identifier: MIT */
/*
 * A plain file of pairs, read ahead by several threads. Each thread takes the next part of the
 * file, maps it, and finds the pairs in it; the user gets the parts in order. From a part on that
 * cannot be mapped, the file has to be read otherwise. The threads change nothing but time.
 */
#ifndef RHOMB_SRC_PAIRS_AHEAD_H
#define RHOMB_SRC_PAIRS_AHEAD_H

#include "src/io/file_map.h"
#include "src/io/seq.h"

typedef struct rhomb__ahead rhomb__ahead;

/* Text: in the mapped file or, of what is not read ahead, in a buffer. All zeros holds no memory.
 */
typedef struct rhomb__part_text {
    const char *at;
    rhomb__file_map *map; /* NULL: the text is in the buffer */
    char *buffer;
    size_t capacity; /* of the buffer */
} rhomb__part_text;

/* A part of the file. All zeros holds no memory. */
typedef struct rhomb__text_part {
    rhomb__part_text text;
    size_t length; /* of the text that was read */
    size_t begin;  /* its own text begins here ... */
    size_t end;    /* ... and ends here: whole pairs, or faults; empty inside a long pair */
    rhomb__seq_part part;
    int64_t place;  /* of the text in the file */
    bool ended;     /* it is the last one */
    bool too_long;  /* or reading ahead from its beginning on is not worth it, ... */
    bool failed;    /* ... or not possible */
    bool no_memory; /* or there was no memory */
    double seconds_read, seconds_parse;
} rhomb__text_part;

/*
 * Starts to read a file in parts of about `bytes`; `fd` is borrowed, at any place in the file.
 * NULL if there is no memory, or no thread can be created.
 */
rhomb__ahead *rhomb__ahead_start(int fd, size_t bytes, int32_t threads);

/*
 * Releases the previous part's text, waits for the next part and swaps it for the previous one's
 * memory. Must not be called after a part that has ended, for whatever reason.
 */
void rhomb__ahead_next(rhomb__ahead *ahead, rhomb__text_part *part);

/* Waits for the threads and releases it. NULL is allowed. */
void rhomb__ahead_release(rhomb__ahead *ahead);

/* Releases only the mapping: the buffer is kept for the next text. */
void rhomb__part_text_unmap(rhomb__part_text *text);
/* Releases both. */
void rhomb__part_text_release(rhomb__part_text *text);

#endif
