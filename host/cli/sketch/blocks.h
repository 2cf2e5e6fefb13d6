/* SPDX-License-Identifier: MIT */
/*
 * Collinear blocks of two sequences: stretches that go along with each other, on either strand,
 * with nothing in between that goes elsewhere. They come from anchors: k-mers that are unique in
 * both. Anchors that follow each other in both sequences are a block; the lightest blocks are taken
 * away, and those that follow each other then become one, until all that are left have some weight
 * (greedy breakpoint elimination: A. Darling et al., Genome Research 14, 2004).
 *
 *     target   --A--> --B--> --c--> ----D---->         c: too light, and A and B are no longer two
 *     query    --A--> --B--> <-------D-------- --c-->     blocks where nothing is between them
 *
 * This is a heuristic: it decides where to look, never what a distance is.
 */
#ifndef RHOMB_CLI_BLOCKS_H
#define RHOMB_CLI_BLOCKS_H

#include "host/cli/sketch/minimizers.h"

/* A k-mer that both sequences have: where its first base is, on the forward strands. */
typedef struct cli_anchor {
    int64_t target;
    int64_t query;
    bool reverse; /* the query has its reverse complement */
} cli_anchor;

/* Ranges are 0-based and half-open, and on the forward strands. */
typedef struct cli_block {
    int64_t target_begin, target_end;
    int64_t query_begin, query_end;
    int64_t anchors;
    bool reverse;
} cli_block;

typedef struct cli_block_limits {
    int k;                 /* bases of an anchor */
    int64_t least_anchors; /* of a block, */
    int64_t least_bases;   /* and how long it is at least, in both sequences */
    int64_t far;      /* a few anchors this far from the rest of a block do not belong to it, */
    int64_t farthest; /* and a block whose anchors are all this far from each other is none */
} cli_block_limits;

/*
 * The anchors of two lists, in the order of the target; *count of them. The caller frees them. NULL
 * without memory, and if there are none.
 */
cli_anchor *cli_anchors_find(const cli_minimizers *target, const cli_minimizers *query,
                             size_t *count);

/*
 * The blocks of anchors, which are in the order of the target, as the blocks are. The caller frees
 * *blocks, which is NULL if there are none. False if there is no memory.
 */
bool cli_blocks_find(const cli_anchor *anchors, size_t count, const cli_block_limits *limits,
                     cli_block **blocks, size_t *block_count);

#endif
