/* SPDX-License-Identifier: MIT */
/*
 * --dry-run of many pairs, or of collinear blocks: what each would take, and all together.
 */
#ifndef RHOMB_CLI_PLAN_MANY_H
#define RHOMB_CLI_PLAN_MANY_H

#include "host/cli/pair/pair_options.h"

/* An error for the user. */
#define CLI_PLAN_MANY_NO_JSON "--dry-run of many pairs or blocks is TSV: it has no JSON"

/*
 * Writes a line for each, then lines with their sum, as of distances or, `with_path`, alignments.
 * `output` is as for cli_output_open(). Nothing runs on a device. The exit status.
 */
int cli_plan_many(cli_pair_arguments *args, bool with_path, const char *output, int argc,
                  char **argv);

#endif
