/* SPDX-License-Identifier: MIT */
/* Ranges, see blocks.h. */
#include "host/cli/sketch/blocks.h"

#include "host/cli/base/cli.h"

bool cli_ranges_add(cli_ranges *ranges, cli_range range)
{
    cli_range *grown = cli_list_grown(ranges->list, ranges->count, sizeof *grown);
    if (grown == NULL)
        return false;
    ranges->list = grown;
    ranges->list[ranges->count++] = range;
    return true;
}

static int compare(const void *a, const void *b)
{
    const cli_range *x = a, *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

void cli_ranges_settle(cli_ranges *ranges)
{
    size_t last = 0;
    if (ranges->count > 1)
        qsort(ranges->list, ranges->count, sizeof *ranges->list, compare);
    for (size_t i = 1; i < ranges->count; i++) {
        cli_range *to = &ranges->list[last];
        const cli_range next = ranges->list[i];
        if (next.begin > to->end)
            ranges->list[++last] = next;
        else if (next.end > to->end)
            to->end = next.end;
    }
    ranges->count = ranges->count > 0 ? last + 1 : 0;
}

/* The number of the first range that ends after a base. */
static size_t first_after(const cli_ranges *ranges, int64_t at)
{
    size_t low = 0, high = ranges->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (ranges->list[middle].end <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool cli_ranges_meet(const cli_ranges *ranges, int64_t begin, int64_t end)
{
    const size_t at = first_after(ranges, begin);
    return begin < end && at < ranges->count && ranges->list[at].begin < end;
}

int64_t cli_ranges_after(const cli_ranges *ranges, int64_t at, int64_t length)
{
    const size_t next = first_after(ranges, at);
    return next < ranges->count ? ranges->list[next].begin : length;
}

int64_t cli_ranges_before(const cli_ranges *ranges, int64_t at)
{
    const size_t next = first_after(ranges, at);
    return next > 0 ? ranges->list[next - 1].end : 0;
}

void cli_ranges_release(cli_ranges *ranges)
{
    free(ranges->list);
    *ranges = (cli_ranges){0};
}
