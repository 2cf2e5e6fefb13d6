/* SPDX-License-Identifier: MIT */
/*
 * Reading FASTA and FASTQ through htslib. See rhomb_sequence_read() in rhomb.h for what is
 * accepted.
 */
#ifndef RHOMB_SRC_FASTA_H
#define RHOMB_SRC_FASTA_H

#include "src/io/sequence.h"

/*
 * Reads the record that `region` selects (NULL: the only one) from `path` ("-": standard input).
 * `threads` may decompress it. More than `most` bytes of text are RHOMB_ERR_MEMORY; 0: as far as
 * there is memory. The caller releases *out with rhomb_sequence_destroy(). On failure
 * *out is NULL.
 */
rhomb_status rhomb__fasta_read(rhomb__error *error, const char *path, const char *region,
                               int32_t threads, size_t most, rhomb_sequence **out);

#endif
