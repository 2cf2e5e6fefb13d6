/* SPDX-License-Identifier: MIT */
/*
 * The work of `rhomb distance`: of one pair its report, or of two assemblies a row for each pair,
 * and for each record without a partner.
 */
#ifndef RHOMB_CLI_DISTANCE_RUN_H
#define RHOMB_CLI_DISTANCE_RUN_H

#include "host/cli/pair/pair_options.h"

/* Computes and writes, as TSV or JSON. The exit status. */
int cli_distance_run(cli_pair_arguments *args, bool json, bool header, int argc, char **argv);

#endif
