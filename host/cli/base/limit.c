/* SPDX-License-Identifier: MIT */
/*
 * The limit on the address space (`ulimit -v`), which drivers of CPUs share with the program: its
 * size, and how the program is sparing with it.
 */
#include "host/cli/base/cli.h"

#ifdef __GLIBC__
#    include <malloc.h>
#endif
#include <sys/resource.h>

int64_t cli_space_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return 0;
    return (int64_t)(limit.rlim_cur >> 20);
}

void cli_space_spare(void)
{
#ifdef __GLIBC__
    if (cli_space_limit() > 0)
        mallopt(M_ARENA_MAX, 1);
#endif
}
