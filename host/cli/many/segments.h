/* SPDX-License-Identifier: MIT */
/*
 * Which bases of two assemblies belong to which couple of records: collinear blocks of all records
 * at once (blocks.h), so that those of two couples have no base in common, in either assembly. Of a
 * duplicate, as a segment of a chromosome that another one has as well, the copy that is in order
 * belongs to its couple, and the other one to none.
 */
#ifndef RHOMB_CLI_SEGMENTS_H
#define RHOMB_CLI_SEGMENTS_H

#include "host/cli/many/assembly.h"
#include "host/cli/many/couples.h"
#include "host/cli/sketch/blocks.h"

typedef struct cli_segment_couple {
    size_t record[2]; /* target, query */
    int64_t needed;   /* bases of one of its blocks; without it the couple has no segment: */
    bool is_lost;     /* found */
} cli_segment_couple;

typedef struct cli_segment_search {
    cli_assembly_reader *const *readers; /* for bases: of targets, and queries */
    const cli_assembly *const *assemblies;
    int64_t near; /* minimizers this far from each other belong together */
    int64_t least_anchors;
    cli_segment_couple *couples;
    size_t couple_count;
} cli_segment_search;

/*
 * Adds the segments of all couples, by their anchors, which have places among all bases and are in
 * the order of the target. The exit status, with the message printed.
 */
int cli_segments_find(const cli_segment_search *search, const cli_anchor *anchors, size_t count,
                      cli_couples *couples);

#endif
