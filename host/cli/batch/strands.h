/* SPDX-License-Identifier: MIT */
/*
 * --strand auto of a batch: each query is on the strand on which it shares most minimizers with its
 * target (sketch/votes.h), or as it was read if it shares too few. A heuristic.
 */
#ifndef RHOMB_CLI_STRANDS_H
#define RHOMB_CLI_STRANDS_H

#include "host/cli/batch/matched.h"
#include "host/cli/sketch/votes.h"

/* The target of the last pair. All zeros at first, but for the first member. */
typedef struct cli_strands {
    bool has_one_target; /* which all pairs have */
    bool has_votes;
    cli_votes votes;
} cli_strands;

/* Gives a load the strands of its queries. False without memory. */
bool cli_strands_choose(cli_strands *strands, cli_load *load);

/* Releases what a load has of that. */
void cli_strands_drop(cli_load *load);

void cli_strands_release(cli_strands *strands);

#endif
