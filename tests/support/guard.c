/* SPDX-License-Identifier: MIT */
/*
 * Memory before a guard page, see guard.h. MAP_ANONYMOUS and POSIX go together only from 2024 on,
 * so the pages come from /dev/zero.
 */
#include "guard.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

bool guard_create(guard *g, int64_t bytes)
{
    const int64_t page = sysconf(_SC_PAGESIZE);
    const int64_t room = (bytes + page - 1) / page * page;
    const int zero = open("/dev/zero", O_RDWR);
    if (zero < 0)
        return false;
    void *memory = mmap(NULL, (size_t)(room + page), PROT_READ | PROT_WRITE, MAP_PRIVATE, zero, 0);
    close(zero);
    if (memory == MAP_FAILED)
        return false;
    g->begin = memory;
    g->end = g->begin + room;
    g->mapped = room + page;
    return mprotect(g->end, (size_t)page, PROT_NONE) == 0;
}

void guard_release(guard *g)
{
    if (g->begin != NULL)
        munmap(g->begin, (size_t)g->mapped);
    g->begin = NULL;
}

const char *guard_place(const guard *g, const char *letters, int64_t length)
{
    if (length > g->end - g->begin)
        return letters;
    if (length > 0)
        memcpy(g->end - length, letters, (size_t)length);
    return g->end - length;
}
