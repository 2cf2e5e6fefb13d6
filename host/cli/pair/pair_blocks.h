/* SPDX-License-Identifier: MIT */
/*
 * The collinear blocks of one pair, for --blocks without --match.
 */
#ifndef RHOMB_CLI_PAIR_BLOCKS_H
#define RHOMB_CLI_PAIR_BLOCKS_H

#include "host/cli/many/many.h"
#include "host/cli/pair/pair_run.h"

/* Extends the blocks of the pair that was read, says how many there are, and adds them. The exit
 * status. */
int cli_pair_add_blocks(const cli_pair_job *job, cli_many *many);

#endif
