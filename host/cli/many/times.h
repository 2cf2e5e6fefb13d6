/* SPDX-License-Identifier: MIT */
/*
 * Where the time of many pairs goes: that of each stage of the pairs, which several may spend at
 * once, and that of the thread that adds pairs and writes results. In seconds.
 */
#ifndef RHOMB_CLI_TIMES_H
#define RHOMB_CLI_TIMES_H

#include "host/cli/many/pool.h"

/* Of a task, or the sums of several. */
typedef struct cli_stages {
    double all; /* of which the others are parts; a wait for another one's build is one of build */
    double inspect, guide, build, transfer, solve, split, base_cases;
} cli_stages;

/* All zeros at first. */
typedef struct cli_times {
    int64_t tasks;
    double began;      /* on the clock of cli_seconds_now(), when the pool was ready */
    double opening;    /* of contexts for the pool */
    double looked;     /* waited for looks at pairs, before they were added */
    double waited;     /* for results; with one pair at a time this is where they are solved */
    double written;    /* results */
    cli_stages solved; /* all tasks */
} cli_times;

/* Adds a task that is done, and says what it took with -vv. */
void cli_times_add(cli_times *times, const cli_task *task);

/* Says it all with -v. `at_a_time`: tasks at the same time. */
void cli_times_note(const cli_times *times, int32_t at_a_time);

#endif
