/* SPDX-License-Identifier: MIT */
/* Lists that grow by one record at a time. */
#ifndef RHOMB_CLI_LIST_H
#define RHOMB_CLI_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/*
 * The list with room for one more record of `size` bytes after `count`. There is room for a power
 * of two, so that nobody has to remember it. NULL without memory: the list stays as it is then.
 */
static inline void *cli_list_grown(void *list, size_t count, size_t size)
{
    const bool is_full = (count & (count - 1)) == 0;
    return is_full ? realloc(list, (count == 0 ? 1 : 2 * count) * size) : list;
}

#endif
