/* SPDX-License-Identifier: MIT */
/*
 * Reading pairs of sequences, see rhomb/pairs.h: pairs.c has what both forms share, pairs_text.c
 * reads one file of pairs, pairs_records.c two files of records.
 */
#ifndef RHOMB_SRC_PAIRS_READER_H
#define RHOMB_SRC_PAIRS_READER_H

#include "rhomb/pairs.h"
#include "src/io/pairs_ahead.h"
#include "src/io/records.h"
#include "src/io/seq.h"

enum { RHOMB__TARGET, RHOMB__QUERY, RHOMB__SIDES };

/* A chunk: the public structure and the memory behind it. */
typedef struct rhomb__chunk {
    rhomb_pair_chunk is;              /* the first member */
    bool is_text;                     /* it is from one file */
    rhomb__part_text text;            /* of one file; pairs point into it */
    size_t begin;                     /* of the pairs in the text */
    size_t length;                    /* of the text that consists of whole pairs */
    int64_t lines;                    /* of the file before them */
    rhomb__seq_part part;             /* the pairs in it */
    rhomb__bytes bases[RHOMB__SIDES]; /* of two files: bases, and qualities, of each record */
    rhomb__bytes names[RHOMB__SIDES]; /* the same, with NULs */
    rhomb__bytes pairs;               /* rhomb_pair each */
    rhomb__bytes pair_names;          /* rhomb_pair_names each */
    rhomb__bytes qualities;           /* a pointer each, which is NULL of empty queries */
    rhomb__bytes faults;              /* rhomb_pair_fault each */
    rhomb__bytes details;             /* theirs, with NULs */
} rhomb__chunk;

/* The sizes of a record. */
typedef struct rhomb__record_size {
    int64_t bases;
    int64_t qualities; /* that follow the bases: as many, or none */
    size_t name;       /* with its NUL */
} rhomb__record_size;

/*
 * One of two files, and the records read from it that belong to no chunk yet. Only one thread at a
 * time uses it.
 */
typedef struct rhomb__side {
    rhomb__records records;
    rhomb_status status; /* why there are no more records */
    bool ended;          /* or the file has ended */
    size_t budget;       /* of bytes that are read ahead, unless one record is longer */
    rhomb__bytes bases;  /* of one record after the other, each with its qualities if asked for */
    rhomb__bytes names;  /* the same, with NULs */
    rhomb__bytes sizes;  /* rhomb__record_size each */
    size_t bases_at;     /* where the bases begin that belong to no chunk */
    size_t names_at;
    size_t sizes_at;
    int64_t taken;  /* records that belong or belonged to chunks */
    double seconds; /* of its thread, since the last report */
    /*
     * Of this file. It is last because it is long: data that two threads write all the time must
     * not share a cache line.
     */
    rhomb__error error;
} rhomb__side;

struct rhomb_pairs {
    rhomb__error *reported; /* the caller's */
    rhomb__error error;     /* the reader's own: pairs before the error are delivered first */
    rhomb_status status;    /* why there are no more pairs */
    bool ended;
    bool is_text;       /* one file */
    bool one_target;    /* two, and the first has the target of all pairs */
    bool has_target;    /* which has been read */
    bool qualities;     /* of queries are kept */
    int64_t part;       /* only these pairs of `part_count` are given */
    int64_t part_count; /* 1: all are */
    int live_fd;        /* of the one file, if its chunks end where it pauses; otherwise -1 */
    size_t text_bytes;  /* of a chunk, unless a pair is longer */
    size_t most_bytes;  /* of a buffer; 0: as far as there is memory */
    int32_t threads;
    char *paths[RHOMB__SIDES];
    rhomb_pairs_report report;
    rhomb__stream stream;
    rhomb__ahead *ahead;    /* NULL: the text comes from the stream */
    int64_t ahead_end;      /* the place in the file after the last pair that was read ahead */
    rhomb__bytes carried;   /* text after the pairs of the last chunk */
    bool begun;             /* there was a line that is not blank */
    int64_t lines;          /* of the text so far */
    rhomb__seq_state state; /* the state after it */
    rhomb__side sides[RHOMB__SIDES];
};

/*
 * Opens one file of pairs, or two of records if `queries` is not NULL. `text_bytes` is for tests; 0
 * is the fast choice. `error` is borrowed until the reader is destroyed. On failure *out is NULL.
 */
rhomb_status rhomb__pairs_open(rhomb__error *error, const char *path, const char *queries,
                               const rhomb_pairs_options *options, int32_t threads,
                               size_t text_bytes, rhomb_pairs **out);

/*
 * Bounds the text that the reader and one chunk hold together to about `bytes`: more is
 * RHOMB_ERR_MEMORY. To be called before the first chunk is read; nothing may be read ahead, so the
 * reader must have one thread.
 */
void rhomb__pairs_bound(rhomb_pairs *pairs, size_t bytes);

/*
 * Fills an empty chunk. After a failure it has the pairs before that place, which may be none.
 * `ended` is set if these are the last pairs.
 */
rhomb_status rhomb__pairs_fill_text(rhomb_pairs *pairs, rhomb__chunk *chunk);
rhomb_status rhomb__pairs_fill_records(rhomb_pairs *pairs, rhomb__chunk *chunk);

/*
 * Opens the one file as one that may pause, unless it is of a kind that does not: then live_fd
 * stays -1.
 */
rhomb_status rhomb__live_open(rhomb_pairs *pairs);
/*
 * Reads at least a whole line's end, then as much as there is, up to `bytes`; at the end of the
 * data sets the stream's `ended`.
 */
rhomb_status rhomb__live_read(rhomb_pairs *pairs, char *out, size_t bytes, size_t *got);
void rhomb__live_close(rhomb_pairs *pairs);

/* Opens one of two files. After a failure, destroying the reader cleans up. */
rhomb_status rhomb__side_open(rhomb_pairs *pairs, int side);
void rhomb__side_close(rhomb__side *side);

/* Adds a fault for the pair `index`. */
rhomb_status rhomb__chunk_add_fault(rhomb_pairs *pairs, rhomb__chunk *chunk, size_t index,
                                    const char *format, ...) RHOMB__PRINTF(4, 5);

#endif
