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
 * Two blocks become one if what is between them in both sequences is short or alike, or if both are
 * much longer. A block gains a base for each one of its shorter side. A base between two of them
 * that is unlike the other side's, as in a replaced piece, costs four, and one that is alike gains
 * one; in all that may cost no more than the lighter of both has gained. So 10 kb that were
 * replaced are part of a block that goes on for 40 kb on either side, and a repeat that both
 * sequences have 70 kb after their common part has ended is not. Only the shorter side of a gap
 * counts, so that insertions and deletions cost nothing, however long they are; nor do runs of N.
 *
 * Of a duplicate, where the other side has one copy, anchors lead to both copies by turns. A block
 * is left out, whatever its weight, if its neighbours in a sequence are one block without it and
 * what is then between them is alike: the copy that is in order stays.
 *
 * The sequences may be all records of two files, one after the other. Blocks are each of a couple
 * of records then, and what goes on in another record goes elsewhere.
 *
 * This is a heuristic: it decides where to look, never what a distance is.
 */
#ifndef RHOMB_CLI_BLOCKS_H
#define RHOMB_CLI_BLOCKS_H

#include "host/cli/sketch/minimizers.h"
#include "host/cli/sketch/range_list.h"

/* Two sequences, borrowed. */
typedef struct cli_two {
    const char *target;
    int64_t target_length;
    const char *query;
    int64_t query_length;
} cli_two;

/* A k-mer that both sequences have: where its first base is, on the forward strands. */
typedef struct cli_anchor {
    int64_t target;
    int64_t query;
    bool reverse;    /* the query has its reverse complement */
    uint32_t couple; /* of records; 0 where there is one alone */
} cli_anchor;

/* Ranges are 0-based and half-open, and on the forward strands. */
typedef struct cli_block {
    int64_t target_begin, target_end;
    int64_t query_begin, query_end;
    int64_t anchors;
    int64_t bases; /* of its shorter side, but for those that are unlike, between anchors */
    bool reverse;
    bool goes_on; /* in the next one: they were one, which was cut */
    uint32_t couple;
} cli_block;

/* Bases of the shorter side of a gap between two blocks: like the other side's, and unlike them. */
typedef struct cli_likeness {
    int64_t alike, unlike;
} cli_likeness;

/* Looks at a gap: its ranges, and the strand of both blocks. False if there is no memory. */
typedef bool (*cli_gap_fn)(const cli_block *gap, void *user, cli_likeness *found);

/* A couple of records: their ranges in both sequences. */
typedef struct cli_couple_limits {
    int64_t target_begin, target_end;
    int64_t query_begin, query_end;
    int64_t least_bases; /* how long a block is at least, in both */
} cli_couple_limits;

typedef struct cli_block_limits {
    const cli_couple_limits *couples;
    const cli_ranges *taken; /* of target and query, what no block has, or goes on over; or NULL */
    int k;                   /* bases of an anchor */
    int64_t least_anchors;   /* of a block */
    int64_t far;      /* a few anchors this far from the rest of a block do not belong to it, */
    int64_t farthest; /* and a block whose anchors are all this far from each other is none */
    int64_t near;     /* gaps are short whose shorter side has no more bases; */
    cli_gap_fn look;  /* this looks at others, if it is not NULL, */
    void *user;       /* given that */
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

/* The bases of blocks, of both sequences. */
int64_t cli_blocks_bases(const cli_block *blocks, size_t count);

#endif
