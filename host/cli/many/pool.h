/* SPDX-License-Identifier: MIT */
/*
 * Distances and alignments of many pairs, some of them at the same time: on each of the devices
 * that are open, and where a pair alone leaves a device idle, another one runs beside it. A device
 * takes a pair when it is free. Results are taken in the order in which pairs were added.
 */
#ifndef RHOMB_CLI_POOL_H
#define RHOMB_CLI_POOL_H

#include <rhomb/align.h>
#include <rhomb/guide.h>
#include <rhomb/local.h>
#include <rhomb/plan.h>

#include "host/cli/base/cli.h"

/* Two sequences, borrowed until the task is done, and what came out. All zeros but these at first.
 */
typedef struct cli_task {
    const char *target;
    int64_t target_length;
    const char *query;
    int64_t query_length;
    bool with_path;
    rhomb_guide guide;         /* for the library; of no size: none */
    rhomb_guide_point *points; /* of the guide; the task frees them */
    /* Once it is done. */
    rhomb_status status;
    rhomb_alignment *alignment; /* with a path */
    rhomb_result *result;       /* without */
    rhomb_plan *plan;           /* instead of both, if plans are asked for */
    rhomb_mode_plan mode_plan;  /* or this one, not from end to end */
    char *error;                /* the detail of a failure, or NULL */
    double began;               /* on the clock of cli_seconds_now() */
    double seconds;             /* that it took, without the wait for its turn */
    bool is_done;
    struct cli_task *next;
} cli_task;

typedef struct cli_pool cli_pool;

typedef struct cli_pool_options {
    const char *cache_dir;
    int32_t threads;
    /* Pairs of a device; 0: one on a CPU, which is busy with it, up to four on a GPU. */
    int32_t at_a_time;
    int64_t tasks;  /* that there will be, if it is known; else 0 */
    int64_t bases;  /* of all of them, if it is known; else 0 */
    bool is_single; /* one task, of the two sequences of the command: errors need not say which */
    bool plans;     /* nothing is run but rhomb_plan_distance() or rhomb_plan_mode() */
    bool blocks;    /* tasks are blocks of pairs, in lines of progress */
    const rhomb_options *options;  /* their progress is not used */
    const rhomb_mode_options *how; /* of paths and their plans; NULL: end to end */
} cli_pool_options;

/*
 * A pool for the devices that `ctx` has open; it takes the context until it is released. Options
 * are borrowed. NULL, with the message printed, if there is no memory, or if a device cannot be
 * opened again. Signals are deferred until then.
 */
cli_pool *cli_pool_start(rhomb_context *ctx, const cli_pool_options *options);

/*
 * Whether so many tasks that were added, with so many bases, are enough: then the first one should
 * be waited for before there are more. Where several are solved at a time, short ones that follow a
 * long one keep the others busy meanwhile.
 */
bool cli_pool_has_enough(const cli_pool *pool, int64_t tasks, int64_t bases);

/* Corrects how many bases all tasks will have, by so many. */
void cli_pool_expect(cli_pool *pool, int64_t bases);

/* The bases of a task. */
int64_t cli_task_bases(const cli_task *task);

/* The most tasks at the same time. */
int32_t cli_pool_at_a_time(const cli_pool *pool);

/* The devices that take tasks, and what one of them has done; once all tasks are done. */
int32_t cli_pool_devices(const cli_pool *pool);
rhomb_device_work cli_pool_share(const cli_pool *pool, int32_t device,
                                 const rhomb_device_info **info);

/* Adds a task, which stays where it is until it is done. */
void cli_pool_add(cli_pool *pool, cli_task *task);

/* Waits for a task. The exit status of a stop by a signal, or CLI_OK, whatever its status is. */
int cli_pool_wait(cli_pool *pool, cli_task *task);

/* Releases a task's results. */
void cli_task_release(cli_task *task);

/* Stops what is running, and releases the pool. NULL is allowed. */
void cli_pool_release(cli_pool *pool);

#endif
