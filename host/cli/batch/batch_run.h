/* SPDX-License-Identifier: MIT */
/*
 * What `rhomb batch` does once its options are known.
 */
#ifndef RHOMB_CLI_BATCH_RUN_H
#define RHOMB_CLI_BATCH_RUN_H

#include "host/cli/batch/batch_arguments.h"

/* Solves all pairs and prints their rows. The exit status, with any message printed. */
int cli_batch_run(const cli_batch_arguments *args, int argc, char **argv);

#endif
