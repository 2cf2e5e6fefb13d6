/* SPDX-License-Identifier: MIT */
/*
 * Cutting blocks. An alignment takes time by the square of its edits, and most of them may be where
 * sequence was replaced, inserted or deleted. So blocks are cut in the middle of long exact matches
 * that both sequences have once, close to either side of such places, and some tens of kilobases
 * apart elsewhere:
 *
 *     target   ====|=======|-------|========|====     ====  alike     ----  not alike
 *     query    ====|=======|---|========|====
 *
 * Each segment has an alignment of least cost. That all of them together have it too is likely, and
 * not certain: where unit costs would have led through the match, they now go along it.
 */
#ifndef RHOMB_CLI_CUTS_H
#define RHOMB_CLI_CUTS_H

#include "host/cli/sketch/relation.h"

/*
 * Replaces the blocks of a relation of two forward strands, which have been extended, by the
 * segments of each, in the order of the target; all but a block's last one go on. False without
 * memory.
 */
bool cli_blocks_cut(const cli_two *two, cli_relation *relation);

#endif
