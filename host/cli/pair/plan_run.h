/* SPDX-License-Identifier: MIT */
/*
 * --dry-run: what one pair would take; or each of many pairs or of collinear blocks, and all
 * together.
 */
#ifndef RHOMB_CLI_PLAN_RUN_H
#define RHOMB_CLI_PLAN_RUN_H

#include "host/cli/base/sink.h"
#include "host/cli/many/many.h"
#include "host/cli/pair/pair_options.h"
#include "host/cli/pair/report.h"

/* What is planned: the options of a command besides those of the pair. */
typedef struct cli_plan_asked {
    bool with_path;                /* an alignment, and not a distance alone */
    const rhomb_mode_options *how; /* NULL: from end to end */
    bool json;
} cli_plan_asked;

/*
 * Writes the plan of one pair as text or JSON; of many pairs or blocks a line for each, then lines
 * with their sum: to standard output, and no other file that options name. Nothing runs on a
 * device. The exit status.
 */
int cli_plan_run(cli_pair_arguments *args, const cli_plan_asked *asked, int argc, char **argv);

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
