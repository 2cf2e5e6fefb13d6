/* SPDX-License-Identifier: MIT */
/*
 * Looks at the pairs of two assemblies before they are solved: of each its bases are loaded, and
 * how its records belong together is found, some pairs ahead of the one that is next.
 */
#ifndef RHOMB_CLI_PAIR_LOOKS_H
#define RHOMB_CLI_PAIR_LOOKS_H

#include <pthread.h>

#include "host/cli/many/assembly.h"
#include "host/cli/many/couples.h"
#include "host/cli/many/many.h"
#include "host/cli/pair/pair_options.h"

typedef struct cli_shared_target cli_shared_target;
typedef struct cli_looking cli_looking;

/* What a row has, which those of other pairs must not have. */
typedef struct cli_kept_row {
    cli_segment piece;
    bool query_comes_again;
} cli_kept_row;

/* All looks of a run. The first four are borrowed; the others are zeros at first. */
typedef struct cli_looks {
    const cli_pair_arguments *args;
    cli_assembly_reader *const *readers; /* targets, queries */
    const cli_assembly *const *assemblies;
    const cli_couples *couples;
    cli_shared_target *target; /* the present one */
    cli_kept_target kept;      /* with blocks: its minimizers, for all of its queries */
    cli_looking *list;         /* at the couples from `next` to `begun` */
    size_t next, begun;
    int64_t ahead;      /* bases of these */
    cli_kept_row *rows; /* with pieces, so far: pairs are looked at one after the other then */
    size_t row_count;
} cli_looks;

/* A pair that is to be added, and what a look at it says, on a thread of its own or the caller's.
 */
struct cli_looking {
    cli_looks *all;
    const cli_couple *couple;
    cli_pair pair;
    cli_relation_options options;
    bool looks, runs; /* that thread does */
    bool has_memory;
    cli_relation found;
    pthread_t thread;
};

/* What options say of a look at a pair, of which only `strand` may be known; NUL: it is not. */
cli_relation_options cli_look_options(const cli_pair_arguments *args, char strand);

/* False if there is no memory. */
bool cli_looks_open(cli_looks *looks);

/* Bases of a couple's records. */
int64_t cli_looks_bases(const cli_looks *looks, size_t index);

/* How many pairs may be looked at at the same time; with blocks a target is kept for the next. */
size_t cli_looks_at_a_time(const cli_looks *looks);

/*
 * Goes on with the pair `first`, of a run that is resumed: at those before it is only looked if
 * their rows matter to others. The exit status, with the message printed.
 */
int cli_looks_skip(cli_looks *looks, size_t first);

/* Begins looks ahead of the pair that is next. The exit status, with the message printed. */
int cli_looks_ahead(cli_looks *looks);

/* The look at the pair that is next, which is the caller's now: to end it, and add or drop it. */
cli_looking *cli_looks_next(cli_looks *looks);

/* Waits for a look, or looks now. */
void cli_looking_end(cli_looking *looking);

/* Gives back a pair that is not added. */
void cli_looking_drop(cli_looking *looking);

/* Drops the looks that are left. */
void cli_looks_release(cli_looks *looks);

#endif
