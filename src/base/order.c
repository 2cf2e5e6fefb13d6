/* SPDX-License-Identifier: MIT */
/*
 * An order of subproblems, see order.h.
 */
#include "src/base/order.h"

#include <stdlib.h>

static int compare_places(const void *a, const void *b)
{
    const rhomb__place *p = a, *q = b;
    if (p->size != q->size)
        return p->size > q->size ? -1 : 1;
    return p->index < q->index ? -1 : p->index > q->index;
}

void rhomb__order_sort(rhomb__place *places, int64_t count)
{
    qsort(places, (size_t)count, sizeof *places, compare_places);
}
