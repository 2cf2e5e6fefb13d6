/* SPDX-License-Identifier: MIT */
/*
 * All records of a FASTA or FASTQ file, found by name. See rhomb_sequence_set_read() in
 * rhomb/verify.h.
 */
#ifndef RHOMB_SRC_SEQUENCE_SET_H
#define RHOMB_SRC_SEQUENCE_SET_H

#include "rhomb/verify.h"
#include "src/base/error.h"

/* `error` is borrowed until the set is destroyed; `threads` may decompress the file. */
rhomb_status rhomb__sequence_set_read(rhomb__error *error, const char *path, int32_t threads,
                                      bool qualities, rhomb_sequence_set **out);

/* Some or all bases of a record, which is number `index` in the order of names. */
typedef struct rhomb__sequence_part {
    size_t index;
    int64_t begin; /* bases of the record before it */
    const char *bases;
    int64_t length;
} rhomb__sequence_part;

/*
 * The sequence of the record with that name or, if there is none, of the region that the name
 * means, as in rhomb_sequence_read(). Returns RHOMB_OK, RHOMB_ERR_INPUT (no such record, a
 * duplicate record name, no such region) or RHOMB_ERR_MEMORY. On failure *out is all zeros.
 */
rhomb_status rhomb__sequence_set_locate(const rhomb_sequence_set *set, const char *name,
                                        rhomb__sequence_part *out);

/* The place in the file of the record that is number `index` in the order of names. */
size_t rhomb__sequence_set_place(const rhomb_sequence_set *set, size_t index);

/* Which number record `place` of the file has in the order of names. */
size_t rhomb__sequence_set_number(const rhomb_sequence_set *set, size_t place);

/* The length of record number `index`. */
int64_t rhomb__sequence_set_length(const rhomb_sequence_set *set, size_t index);

/* Whether a record has exactly that name. */
bool rhomb__sequence_set_has(const rhomb_sequence_set *set, const char *name);

/* The error record of its calls. */
const rhomb__error *rhomb__sequence_set_error(const rhomb_sequence_set *set);

#endif
