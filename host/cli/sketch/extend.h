/* SPDX-License-Identifier: MIT */
/*
 * Where blocks end. Anchors leave off up to a window before a break, or before where the two
 * sequences differ much: from there on a block goes on base by base, as long as bases match.
 */
#ifndef RHOMB_CLI_EXTEND_H
#define RHOMB_CLI_EXTEND_H

#include "host/cli/sketch/relation.h"

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

#endif
