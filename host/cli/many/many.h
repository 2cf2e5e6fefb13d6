/* SPDX-License-Identifier: MIT */
/*
 * Many distances or alignments for one output: those of the collinear blocks of a pair, or of the
 * pairs of two assemblies. They are delivered in the order in which they were added, and what they
 * leave out of the sequences is listed.
 */
#ifndef RHOMB_CLI_MANY_H
#define RHOMB_CLI_MANY_H

#include "host/cli/base/cli.h"
#include "host/cli/base/schema.h"
#include "host/cli/sketch/relation.h"
#include <rhomb/align.h>
#include <rhomb/guide.h>
#include <rhomb/local.h>
#include <rhomb/plan.h>

/*
 * Distances and alignments of many pairs, some of them at the same time: on each of the devices
 * that are open, and where a pair alone leaves a device idle, another one runs beside it. A device
 * takes a pair when it is free. Results are taken in the order in which pairs were added.
 */

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

/* Seconds of the stages of a task, or the sums of several, which may run at once. */
enum { CLI_STAGES = 8 };

typedef struct cli_stages {
    /*
     * All, and its parts: inspect, guide, build, transfer, solve, split, base cases; a wait for
     * another one's build is one of build.
     */
    double seconds[CLI_STAGES];
} cli_stages;

/* Where the time of many pairs goes, and of the thread that adds pairs and writes results. */
typedef struct cli_times {
    int64_t tasks;
    double began;      /* on the clock of cli_seconds_now(), when the pool was ready */
    double opening;    /* of contexts for the pool */
    double looked;     /* waited for looks at pairs, before they were added */
    double waited;     /* for results; with one pair at a time this is where they are solved */
    double written;    /* results */
    cli_stages solved; /* all tasks */
} cli_times;

/* A sequence, which may be a part of a record. Everything is borrowed. */
typedef struct cli_side {
    const char *file; /* for messages */
    const char *name; /* of the record */
    const char *bases;
    const char *qualities; /* of these, as FASTQ has them; NULL: none */
    int64_t length;
    int64_t before, after; /* bases of the record that are not part of it */
} cli_side;

/*
 * Two sequences; pairs of the same target follow each other, those of the same query need not.
 * Whoever adds it keeps what it borrows until `release` is called, if that is not NULL.
 */
typedef struct cli_pair {
    cli_side target, query;
    void (*release)(void *owner);
    void *owner;
    int64_t number;     /* from 0, for the user */
    int64_t query_last; /* that of the last pair of this query */
    double similarity;  /* roughly, where they have something in common; 0: not known */
    bool is_last;       /* no other pair with this target follows */
    bool query_came_before, query_comes_again; /* in another pair */
} cli_pair;

/* A part of a pair, or all of it, and its result. */
typedef struct cli_part {
    cli_task task; /* its query is on its strand, and rotated */
    const cli_pair *pair;
    cli_block range;  /* of both sequences, on the forward strands; reverse is the query's strand */
    int64_t rotation; /* of the query's strand; the range is all of the query then */
    int64_t block;    /* from 1 on, of the pair; 0: it was not looked for blocks */
} cli_part;

/* A range of a record that no part has. */
typedef struct cli_rest {
    int side;           /* 0 target, 1 query */
    size_t name;        /* of the record: where it begins in the list's names */
    int64_t begin, end; /* -1 and -1: of a query that is kept as a whole, see below */
} cli_rest;

/*
 * Where the bases are that no part has; and how many, of target and query. A query in several pairs
 * is known only after the last one; until then what parts have of it is kept. Queries without a
 * part may be kept as well, for what comes after all parts.
 */
typedef struct cli_unaligned {
    cli_buffer rests; /* cli_rest each */
    cli_buffer held; /* the same: what parts have of queries in several pairs, also complete ones */
    cli_buffer names; /* each with its NUL */
    int64_t bases[2];
    int64_t segments[2];
} cli_unaligned;

static inline size_t cli_unaligned_count(const cli_unaligned *u)
{
    return u->rests.length / sizeof(cli_rest);
}

static inline const cli_rest *cli_unaligned_rest(const cli_unaligned *u, size_t index)
{
    return (const cli_rest *)(const void *)u->rests.data + index;
}

static inline size_t cli_unaligned_held_count(const cli_unaligned *u)
{
    return u->held.length / sizeof(cli_rest);
}

static inline const cli_rest *cli_unaligned_held(const cli_unaligned *u, size_t index)
{
    return (const cli_rest *)(const void *)u->held.data + index;
}

/* Lists a range, if it has bases. */
void cli_unaligned_add(cli_unaligned *u, int side, const char *name, int64_t begin, int64_t end);

/* Keeps what a part has of a query in several pairs. */
void cli_unaligned_hold(cli_unaligned *u, const char *name, int64_t begin, int64_t end);

/* Whether a query in several pairs has had a part. */
bool cli_unaligned_holds(const cli_unaligned *u, const char *name);

void cli_unaligned_release(cli_unaligned *u);

/* What to do with results; false or an exit status ends the run, with the message printed. */
typedef struct cli_many_hooks {
    int (*part)(const cli_part *part, void *user);
    /* The parts of a pair are complete; `aligned` of them have a result. May be NULL. */
    int (*pair)(const cli_pair *pair, int64_t aligned, void *user);
    void *user;
} cli_many_hooks;

typedef struct cli_many cli_many;

/* As cli_pool_start(), for parts with or without paths. */
cli_many *cli_many_start(rhomb_context *ctx, const cli_pool_options *options, bool with_paths,
                         const cli_many_hooks *hooks);

/*
 * Adds a pair as a whole, with the query's strand and rotation and a guide for these; or its
 * blocks, which are on forward strands and have no bases in common; a pair may have none. Delivers
 * what has to be out before. The exit status.
 */
typedef struct cli_frame {
    bool reverse;
    int64_t rotation;
    rhomb_guide guide;         /* as in cli_task */
    rhomb_guide_point *points; /* which are taken over */
} cli_frame;

int cli_many_add_whole(cli_many *many, const cli_pair *pair, const cli_frame *frame);
int cli_many_add_blocks(cli_many *many, const cli_pair *pair, const cli_block *blocks,
                        size_t count);

/* Corrects how many bases all parts will have, by so many, for lines of progress. */
void cli_many_expect(cli_many *many, int64_t bases);

/* Delivers all that is left. The exit status. */
int cli_many_finish(cli_many *many);

/* The times so far; to add that of looking at pairs. */
cli_times *cli_many_times(cli_many *many);

/*
 * Where the time went, and with several devices what each has done, in lines for -v; the latter
 * also as a further member of a JSON object, "devices".
 */
void cli_many_note_shares(const cli_many *many);
void cli_many_append_shares(const cli_many *many, cli_buffer *out);
void cli_many_describe_shares(cli_schema *schema);

/* What the pairs that were delivered leave out. Belongs to it, and may be added to. */
cli_unaligned *cli_many_unaligned(cli_many *many);

/* NULL is allowed. */
void cli_many_release(cli_many *many);

/* What a part has found; NULL if it was only planned. */
const rhomb_report *cli_part_report(const cli_part *part);

#endif
