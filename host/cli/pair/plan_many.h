/* SPDX-License-Identifier: MIT */
/*
 * --dry-run of many pairs, or of collinear blocks: what each would take, and all together.
 */
#ifndef RHOMB_CLI_PLAN_MANY_H
#define RHOMB_CLI_PLAN_MANY_H

#include "host/cli/base/sink.h"
#include "host/cli/many/many.h"
#include "host/cli/pair/pair_options.h"
#include "host/cli/pair/report.h"

/*
 * Writes a line for each, then lines with their sum, as of distances or, `with_path`, alignments.
 * `output` is as for cli_output_open(). Nothing runs on a device. The exit status.
 */
int cli_plan_many(cli_pair_arguments *args, bool with_path, const char *output, int argc,
                  char **argv);

/* The lines of plans, and the sums. */
typedef struct cli_plan_rows {
    const cli_run *run;
    const cli_output *output;
    cli_sink sink;
    const char *part;       /* what it is: a pair, block or piece */
    int64_t parts, unknown; /* of the latter no distance is expected */
    int64_t too_large;      /* in the worst case */
    bool must_build;
    double seconds, worst;
    int64_t device_bytes, device_limit, host_bytes; /* the largest */
} cli_plan_rows;

/* Begins with the line of names. Everything is borrowed. */
void cli_plan_rows_begin(cli_plan_rows *rows, const cli_run *run, const cli_output *output,
                         const char *part);
/* Of cli_many_hooks, for a pool that plans; `user` is a cli_plan_rows. */
int cli_plan_rows_part(const cli_part *part, void *user);
/* Ends with the sums. The exit status. Else the sink is to be released. */
int cli_plan_rows_end(cli_plan_rows *rows);

#endif
