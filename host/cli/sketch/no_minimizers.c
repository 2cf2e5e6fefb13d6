/* SPDX-License-Identifier: MIT */
/*
 * A build without minimap2's library (-DRHOMB_SKETCH=OFF), in place of minimizers.c: there are no
 * minimizers.
 */
#include "host/cli/sketch/minimizers.h"

#include <stdlib.h>

const bool cli_has_minimizers = false;

bool cli_minimizers_add(cli_minimizers *list, const char *bases, int64_t length, int threads)
{
    (void)bases, (void)threads;
    list->bases += length;
    return true;
}

void cli_minimizers_finish(cli_minimizers *list)
{
    (void)list;
}

void cli_minimizers_release(cli_minimizers *list)
{
    *list = (cli_minimizers){0};
}

static int compare(const void *a, const void *b)
{
    const cli_key_value *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

void cli_key_values_sort(cli_key_value *entries, size_t count)
{
    if (count > 1)
        qsort(entries, count, sizeof *entries, compare);
}
