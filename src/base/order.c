/* SPDX-License-Identifier: MIT */
/*
 * An order of subproblems, see order.h.
 */
#include "src/base/order.h"

#include <stdlib.h>

static int compare_entries(const void *a, const void *b)
{
    const rhomb__order_entry *p = a, *q = b;
    if (p->size != q->size)
        return p->size > q->size ? -1 : 1;
    return p->index < q->index ? -1 : p->index > q->index;
}

void rhomb__order_sort(rhomb__order_entry *entries, int64_t count)
{
    qsort(entries, (size_t)count, sizeof *entries, compare_entries);
}
