/* SPDX-License-Identifier: MIT */
/*
 * Cutting blocks into stretches, which are aligned each on its own: the time of an alignment grows
 * with the square of its distance, so that many short ones take less. A cut is in the middle of
 * CLI_CUT_BASES bases and more that match, at an anchor of the longest chain of its block. Each
 * stretch is aligned exactly; that the best alignment of the block goes through all cuts is a
 * guess, though a good one.
 */
#ifndef RHOMB_CLI_CUT_H
#define RHOMB_CLI_CUT_H

#include "host/cli/sketch/relation.h"

/* Bases around a cut that match. */
enum { CLI_CUT_BASES = 200 };

/*
 * The stretches of a relation's blocks, in the order of the target, all but the last one of a block
 * with `goes_on`: about `every` bases of the target each, more where few anchors are. *count of
 * them. The caller frees them; NULL if there is no memory.
 */
cli_block *cli_blocks_cut(const cli_two *two, const cli_relation *relation, int64_t every,
                          size_t *count);

#endif
