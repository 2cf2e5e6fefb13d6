/* SPDX-License-Identifier: MIT */
/* A build for one process, see run_ranks.h. */
#include "host/cli/ranks/run_ranks.h"

#include "host/cli/base/cli.h"

const bool cli_has_ranks = false;

int cli_ranks_start(int *argc, char ***argv)
{
    const char *count = getenv("OMPI_COMM_WORLD_SIZE");
    (void)argc;
    (void)argv;
    if (count != NULL && strcmp(count, "1") != 0)
        cli_say("one of %s processes, which this build, without -DRHOMB_MPI=ON, runs alone", count);
    return CLI_OK;
}

int32_t cli_rank(void)
{
    return 0;
}

int32_t cli_ranks_count(void)
{
    return 1;
}

int cli_ranks_serve(void)
{
    return 0;
}

rhomb_status cli_ranks_open(rhomb_context *ctx, const char *selector, uint32_t flags,
                            const char *cache_dir, int32_t threads)
{
    (void)cache_dir;
    (void)threads;
    return rhomb_context_open(ctx, selector, flags);
}

void cli_ranks_end(int status)
{
    (void)status;
}
