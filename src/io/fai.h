/* SPDX-License-Identifier: MIT */
/*
 * Regions of indexed files: reads only the requested region, if there is a .fai (and for bgzip a
 * .gzi) next to the file, from `samtools faidx` or a similar program.
 */
#ifndef RHOMB_SRC_FAI_H
#define RHOMB_SRC_FAI_H

#include "src/io/region.h"
#include "src/io/stream.h"

/*
 * Appends the bases of the region to `bases` and reports which part they are. Returns false, with
 * `bases` empty, if there is no index, if it is older than the file or does not fit it, if it
 * lacks the record or the range, and after any other failure: then the file itself must be read.
 */
bool rhomb__fai_fetch(const char *path, const rhomb__region *region, int32_t threads,
                      rhomb__bytes *bases, rhomb__region_part *part);

/*
 * RHOMB_ERR_INPUT if a plain file, which is open, ends before the last record of an index next to
 * it that is not older: a copy that was cut off would otherwise pass for a whole file.
 */
rhomb_status rhomb__fai_check(const rhomb__stream *stream, const char *path);

#endif
