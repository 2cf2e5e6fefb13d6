/* SPDX-License-Identifier: MIT */
/*
 * Regions of indexed files: reads only what a region asks for, where `samtools faidx` or a program
 * like it has left a .fai (and for bgzip a .gzi) beside the file.
 */
#ifndef RHOMB_SRC_FAI_H
#define RHOMB_SRC_FAI_H

#include "src/io/region.h"
#include "src/io/stream.h"

/*
 * Appends the letters of the region to `letters` and says which they are. Returns false, with
 * `letters` empty, when there is no index, when it is older than the file, when the two do not fit
 * each other, when the record or the range is not in it, and after any other failure: then the file
 * itself has the answer.
 */
bool rhomb__fai_fetch(const char *path, const rhomb__region *region, int32_t threads,
                      rhomb__bytes *letters, rhomb__part *part);

#endif
