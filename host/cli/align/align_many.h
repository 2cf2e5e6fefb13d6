/* SPDX-License-Identifier: MIT */
/*
 * `rhomb align` where one output has many alignments: of the collinear blocks of a pair.
 */
#ifndef RHOMB_CLI_ALIGN_MANY_H
#define RHOMB_CLI_ALIGN_MANY_H

#include "host/cli/align/align_run.h"

/* Aligns and writes. The exit status. */
int cli_align_many(cli_align_arguments *args, int argc, char **argv);

#endif
