/* SPDX-License-Identifier: MIT */
/*
 * Reading FASTA and FASTQ through htslib. See rhomb_sequence_read() in rhomb.h for what is
 * accepted.
 */
#ifndef RHOMB_SRC_FASTA_H
#define RHOMB_SRC_FASTA_H

#include "rhomb/all_records.h"
#include "src/io/region.h"

/*
 * Reads the record that `region` selects (NULL: the only one) from `path` ("-": standard input).
 * `threads` may decompress it. More than `most` bytes of text are RHOMB_ERR_MEMORY; 0: as far as
 * there is memory. The caller releases *out with rhomb_sequence_destroy(). On failure
 * *out is NULL.
 */
rhomb_status rhomb__fasta_read(rhomb__error *error, const char *path, const char *region,
                               int32_t threads, size_t most, rhomb_sequence **out);

struct hts_md5_context;

/* A sequence as it was read, see rhomb_sequence_read(). */
struct rhomb_sequence {
    char *path;
    char *name;
    char *bases;     /* length bases and a NUL; may be NULL while length is 0 */
    char *qualities; /* of FASTQ, else NULL */
    int64_t length;
    char *record; /* the whole record, and where this part begins in it */
    int64_t record_length;
    int64_t record_begin;
    /* Set by the first rhomb_sequence_md5(): hashing takes longer than reading a plain file. */
    char *md5; /* 33 bytes; "" until then */
    struct hts_md5_context *md5_context;
};

/* Creates a sequence of the part's length, without its bases. On failure *out is NULL. */
rhomb_status rhomb__sequence_create(rhomb__error *error, const char *path, const char *name,
                                    const rhomb__region_part *part, rhomb_sequence **out);

/*
 * The public reader of records (rhomb/all_records.h): rhomb_records_open() with the
 * context's error and threads.
 */
rhomb_status rhomb__records_create(rhomb__error *error, const char *path, int32_t threads,
                                   rhomb_records **out);

#endif
