/* SPDX-License-Identifier: MIT */
/*
 * The records of a FASTA or FASTQ file, one after the other: name and bases, each only if the
 * caller wants it. Bytes pass through the window of a stream and no line is held, so a record of
 * one line costs the same as a record of short lines.
 *
 *     rhomb__records_open()                      before the first record
 *     rhomb__records_next()                      at a record: its name is known
 *     rhomb__records_bases()                   after it; once for each record
 */
#ifndef RHOMB_SRC_RECORDS_H
#define RHOMB_SRC_RECORDS_H

#include "src/io/stream.h"

/* All zeros is closed. */
typedef struct rhomb__records {
    rhomb__stream stream;
    int64_t count; /* of the records up to the current one */
    int64_t line;  /* 1-based, of the stream's place */
    bool is_fastq;
    bool has_blank_start;    /* whitespace before the first record, or instead of one */
    rhomb__bytes name;       /* of the current record, up to the first whitespace */
    rhomb__bytes skipped;    /* text of lines that are only counted */
    rhomb__bytes *qualities; /* where those of the next records of FASTQ go; NULL: nowhere */
    double seconds_read;     /* spent filling the window; the caller may reset it */
} rhomb__records;

/* Opens `path` ("-": standard input). On failure the records are closed. */
rhomb_status rhomb__records_open(rhomb__records *records, rhomb__error *error, const char *path);
void rhomb__records_close(rhomb__records *records);

/*
 * Goes to the next record, at first to the first one; *found is false if there is none. A file
 * without records is not an error here.
 */
rhomb_status rhomb__records_next(rhomb__records *records, bool *found);

/* RHOMB_ERR_INPUT: the file, which was read to its end, has no records. */
rhomb_status rhomb__records_fail_none(const rhomb__records *records);

/* The current record's name, never NULL. */
const char *rhomb__records_name(const rhomb__records *records);

/* A name in a message: its first 80 bytes. */
#define RHOMB__NAME_FORMAT "%.80s"

/*
 * Reads the current record to its end: appends its bases to `bases` unless that is NULL, and sets
 * *length to their number.
 */
rhomb_status rhomb__records_bases(rhomb__records *records, rhomb__bytes *bases, int64_t *length);

#endif
