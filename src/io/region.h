/* SPDX-License-Identifier: MIT */
/*
 * Regions: which record a text such as "chr1:1,000-2,000" means, and which part of it. htslib's
 * parser decides, and it must know the names that exist: "a:1-9" may be a record of that name. The
 * names in a stream are known only when it has been read. So this first asks the parser which names
 * it would look for (two at most), and asks again when it is known which of them exist.
 */
#ifndef RHOMB_SRC_REGION_H
#define RHOMB_SRC_REGION_H

#include "src/base/error.h"

#include <stddef.h>

#define RHOMB__REGION_NAMES 2

/* All zeros is no region: the only record of a file. */
typedef struct rhomb__region {
    const char *text;                 /* borrowed */
    char *names[RHOMB__REGION_NAMES]; /* the names that the region may mean */
    size_t name_count;
} rhomb__region;

/* Bases [begin, end) of a record, and its length. */
typedef struct rhomb__region_part {
    const char *record; /* its name; borrowed */
    int64_t record_length;
    int64_t begin;
    int64_t end;
} rhomb__region_part;

/* Fills *region. On failure it is released. `text` NULL gives no region. */
rhomb_status rhomb__region_create(rhomb__error *error, const char *text, rhomb__region *region);
void rhomb__region_release(rhomb__region *region);

/* The index in region->names of `name`, or region->name_count if it is none of them. */
size_t rhomb__region_find(const rhomb__region *region, const char *name);

/*
 * Decides which name is meant and which part of its record; part->record is the region's name.
 * `lengths` has the records' lengths, -1 for a name that no record has. `input` names the input in
 * messages. RHOMB_ERR_INPUT if both names exist and could be meant, or if the range is invalid or
 * extends beyond the record.
 */
rhomb_status rhomb__region_resolve(rhomb__error *error, const char *input,
                                   const rhomb__region *region,
                                   const int64_t lengths[RHOMB__REGION_NAMES], size_t *which,
                                   rhomb__region_part *part);

#endif
