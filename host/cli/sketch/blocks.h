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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/cli/sketch/minimizers.h"

/* Ranges of a sequence: 0-based, half-open. */

typedef struct cli_range {
    int64_t begin, end;
} cli_range;

/* All zeros is none. */
typedef struct cli_ranges {
    cli_range *list;
    size_t count;
} cli_ranges;

/* Appends one that is not empty. False if there is no memory. */
bool cli_ranges_add(cli_ranges *ranges, cli_range range);

/* Puts them in order, and makes one of those that meet; the next three need that. */
void cli_ranges_settle(cli_ranges *ranges);

/* Whether any base from `begin` to `end` is in a range. */
bool cli_ranges_meet(const cli_ranges *ranges, int64_t begin, int64_t end);

/* Where the first range after `at` begins, which is in none; `length` if there is none. */
int64_t cli_ranges_after(const cli_ranges *ranges, int64_t at, int64_t length);

/* Where the last range before `at` ends, which is in none; 0 if there is none. */
int64_t cli_ranges_before(const cli_ranges *ranges, int64_t at);

void cli_ranges_release(cli_ranges *ranges);

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

/*
 * Where blocks end. Anchors leave off up to a window before a break, or before where the two
 * sequences differ much: from there on a block goes on base by base, as long as bases match.
 */

/*
 * Extends blocks, which are in the order of the target and on the query's forward strand, until
 * they meet each other, what is `taken`, the sequences' ends, or a stretch where too few bases
 * match; overlaps of up to an anchor go to the first one. Where the first bases of both sequences
 * belong to one block but for the last few hundred, all of them do; so do the last ones. Blocks
 * have no base in common then, in either sequence. False if there is no memory.
 */
bool cli_blocks_extend(const cli_two *two, const cli_ranges *taken, cli_block *blocks,
                       size_t count);

/* The capital of a base or, for the other strand, its complement; 0 for what matches nothing here.
 */
char cli_block_base(char base, bool other);

/* Gives bases of up to an anchor that two blocks have in common to the first one. False if there is
 * no memory. */
bool cli_blocks_separate(cli_block *blocks, size_t count);

/*
 * What is between two blocks that follow each other: homologous sequence that has changed too much
 * to have anchors, or other sequence on either side. All k-mers tell, as long as is needed so that
 * few of a gap's are there by chance: of two random sequences of n bases a chain has 2 / 2^k
 * points a base, of homologous ones with a share d of edits (1 - d)^k. At k = 11 these are 0.001
 * and, at 25 %, 0.042. The sequences' own composition tells what there is by chance: as much as
 * in a chain that leads the other way.
 */

/*
 * Looks at a gap, whose strand is that of the blocks, and whose range of the query may go on beyond
 * the end, at the beginning again. Of the side that says less it counts the bases that are alike
 * and unlike: those of stretches where a chain of k-mers of both is dense, as it is up to some 35 %
 * of edits, and others. Only k-mers that are there once say something, so that runs of N and
 * satellites count for nothing. A guess; takes some 50 ns for each base, so that without `whole`
 * only both ends of a long gap are looked at, unless one is alike and the other is not, as beside a
 * long insertion. False if there is no memory.
 */
bool cli_gap_look(const cli_two *two, const cli_block *gap, bool whole, int threads,
                  cli_likeness *found);

#endif
