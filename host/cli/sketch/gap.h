/* SPDX-License-Identifier: MIT */
/*
 * What is between two blocks that follow each other: homologous sequence that has changed too much
 * to have anchors, or other sequence on either side. All k-mers tell, as long as is needed so that
 * few of a gap's are there by chance: of two random sequences of n bases a chain has 2 / 2^k
 * points a base, of homologous ones with a share d of edits (1 - d)^k. At k = 11 these are 0.001
 * and, at 25 %, 0.042. The sequences' own composition tells what there is by chance: as much as
 * in a chain that leads the other way.
 */
#ifndef RHOMB_CLI_GAP_H
#define RHOMB_CLI_GAP_H

#include "host/cli/sketch/blocks.h"

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
