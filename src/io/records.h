/* SPDX-License-Identifier: MIT */
/*
 * The records of a FASTA or FASTQ file, one after the other: name and letters, each as the caller
 * wants it. Bytes are pulled through the window of a stream and no line is held, so that a record
 * of one line costs what a record of short lines costs.
 *
 *     rhomb__records_open()                      before the first record
 *     rhomb__records_next()                      at a record: its name is known
 *     rhomb__records_letters()                   behind it; once for each record
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
    bool has_blank_start; /* blanks or blank lines before the first record, or instead of one */
    rhomb__bytes name;    /* of the current record, up to the first blank */
    rhomb__bytes skipped; /* letters of lines that are only counted */
    double seconds_read;  /* in which the window was filled; the caller may set it back */
} rhomb__records;

/* Opens `path` ("-": standard input). On failure the records are closed. */
rhomb_status rhomb__records_open(rhomb__records *records, rhomb__error *error, const char *path);
void rhomb__records_close(rhomb__records *records);

/*
 * Goes to the next record, and to the first one at first; *found is false where there is none. A
 * file without any is no error here.
 */
rhomb_status rhomb__records_next(rhomb__records *records, bool *found);

/* The current record's name, never NULL. */
const char *rhomb__records_name(const rhomb__records *records);

/* A name in a message, which shows 80 bytes of it. */
#define RHOMB__NAME_FORMAT "%.80s"

/*
 * Reads the current record to its end: appends its letters to `letters` unless that is NULL, and
 * sets *length to their number.
 */
rhomb_status rhomb__records_letters(rhomb__records *records, rhomb__bytes *letters,
                                    int64_t *length);

/* What else a file may be, by its first bytes: "a BAM file"; NULL where they say nothing. */
const char *rhomb__foreign_format(const char *data, size_t bytes);

#endif
