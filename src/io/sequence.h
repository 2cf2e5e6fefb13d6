/* SPDX-License-Identifier: MIT */
/*
 * A sequence as it was read: name, origin and bases. See rhomb_sequence_read() in rhomb.h.
 */
#ifndef RHOMB_SRC_SEQUENCE_H
#define RHOMB_SRC_SEQUENCE_H

#include "src/io/region.h"

struct hts_md5_context;

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

#endif
