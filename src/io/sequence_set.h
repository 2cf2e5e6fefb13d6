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
                                      rhomb_sequence_set **out);

/* Whether a record has exactly that name. */
bool rhomb__sequence_set_has(const rhomb_sequence_set *set, const char *name);

/* The error record of its calls. */
const rhomb__error *rhomb__sequence_set_error(const rhomb_sequence_set *set);

/* The file, for messages. */
const char *rhomb__sequence_set_path(const rhomb_sequence_set *set);

#endif
