/* SPDX-License-Identifier: MIT */
/*
 * A sequence as it was read: name, origin and letters. See rhomb_sequence_read() in rhomb.h.
 */
#ifndef RHOMB_SRC_SEQUENCE_H
#define RHOMB_SRC_SEQUENCE_H

#include "src/io/region.h"

struct hts_md5_context;

struct rhomb_sequence {
    char *path;
    char *name;
    char *letters; /* length letters and a NUL; NULL is allowed while length is 0 */
    int64_t length;
    char *record; /* the record that it is, or is a part of, and where it begins there */
    int64_t record_length;
    int64_t record_begin;
    /* Filled by the first rhomb_sequence_md5(): hashing takes longer than reading a plain file. */
    char *md5; /* 33 bytes; "" until then */
    struct hts_md5_context *md5_context;
};

/* Creates a sequence of the part's length, without its letters. On failure *out is NULL. */
rhomb_status rhomb__sequence_create(rhomb__error *error, const char *path, const char *name,
                                    const rhomb__part *part, rhomb_sequence **out);

#endif
