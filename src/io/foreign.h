/* SPDX-License-Identifier: MIT */
/*
 * What a file is that a reader cannot read, to name it in the message: by its first bytes, or by
 * its first lines where comments come first.
 */
#ifndef RHOMB_SRC_FOREIGN_H
#define RHOMB_SRC_FOREIGN_H

#include <stddef.h>

/* What a reader takes. */
typedef enum rhomb__reads {
    RHOMB__READS_SEQUENCES = 1, /* FASTA and FASTQ, or pairs, by their first byte */
    RHOMB__READS_PAF = 2,
    RHOMB__READS_RANGES = 4 /* PAF, or tables */
} rhomb__reads;

/*
 * The format of a file by its beginning, such as "a BAM file"; NULL if it is unknown, or may be
 * what the reader takes.
 */
const char *rhomb__foreign_format(const char *data, size_t bytes, rhomb__reads reader);

#endif
