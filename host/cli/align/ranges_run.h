/* SPDX-License-Identifier: MIT */
/* The work of `rhomb align --ranges`: exact alignments of ranges that another program found. */
#ifndef RHOMB_CLI_RANGES_RUN_H
#define RHOMB_CLI_RANGES_RUN_H

#include "host/cli/align/align_arguments.h"

/* The exit status. */
int cli_ranges_run(cli_align_arguments *args, int argc, char **argv);

#endif
