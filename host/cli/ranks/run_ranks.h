/* SPDX-License-Identifier: MIT */
/*
 * Several processes of one run, as mpirun and srun start them: rank 0 does what the command line
 * says, and the others serve it with their devices (rhomb/ranks.h). ranks_mpi.c passes messages by
 * MPI, if RHOMB_MPI is on; no_ranks.c knows one process only.
 */
#ifndef RHOMB_CLI_RUN_RANKS_H
#define RHOMB_CLI_RUN_RANKS_H

#include "rhomb/ranks.h"

extern const bool cli_has_ranks; /* this build can have several */

/*
 * At the beginning of a run, before anything is read or written; returns the exit status. Processes
 * whose command lines differ are no ranks: each runs alone.
 */
int cli_ranks_start(int *argc, char ***argv);

/* This process's rank, and how many there are: 0 and 1 where nobody has started several. */
int32_t cli_rank(void);
int32_t cli_ranks_count(void);

/* On the other ranks: what a run of theirs is, from here to its exit status. */
int cli_ranks_serve(void);

/*
 * Opens the device or devices of a selector; with several ranks one on each: of those that the
 * selector means on its machine, the one with the rank's number there. As rhomb_context_open().
 */
rhomb_status cli_ranks_open(rhomb_context *ctx, const char *selector, uint32_t flags,
                            const char *cache_dir, int32_t threads);

/*
 * At the end of rank 0's run, with its exit status, once its contexts are gone and all is written:
 * the others end, too. Where the status is a failure and they do not, it ends all of them, with
 * that status, and does not return.
 */
void cli_ranks_end(int status);

#endif
