/* SPDX-License-Identifier: MIT */
/*
 * What `rhomb align` does once its options are known.
 */
#ifndef RHOMB_CLI_ALIGN_RUN_H
#define RHOMB_CLI_ALIGN_RUN_H

#include "host/cli/align/align_arguments.h"

/* Aligns and writes. `argv` is the command line from the command's name on. The exit status. */
int cli_align_run(cli_align_arguments *args, int argc, char **argv);

#endif
