/* SPDX-License-Identifier: MIT */
/* Couples, see assembly.h. */
#include "host/cli/many/assembly.h"

#include "host/cli/base/cli.h"

bool cli_couples_add(cli_couples *couples, cli_couple couple)
{
    cli_couple *grown = cli_list_grown(couples->list, couples->count, sizeof *grown);
    if (grown == NULL)
        return false;
    couples->list = grown;
    couples->list[couples->count++] = couple;
    return true;
}

bool cli_couples_others(const cli_couples *couples, const cli_couple *couple, int side,
                        cli_ranges *ranges)
{
    const size_t own = side == 0 ? couple->target : couple->query;
    const size_t partner = side == 0 ? couple->query : couple->target;
    const cli_segment *segments = couples->segments[side];
    size_t low = 0, high = couples->segment_count;
    bool good = true;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (segments[middle].record[side] < own)
            low = middle + 1;
        else
            high = middle;
    }
    for (; good && low < couples->segment_count && segments[low].record[side] == own; low++)
        if (segments[low].record[1 - side] != partner)
            good = cli_ranges_add(ranges, segments[low].range[side]);
    return good;
}

bool *cli_couples_have(const cli_couples *couples, int side, size_t records)
{
    bool *has = calloc(records + 1, sizeof *has);
    for (size_t i = 0; i < couples->count && has != NULL; i++)
        has[side == 0 ? couples->list[i].target : couples->list[i].query] = true;
    return has;
}

void cli_couples_release(cli_couples *couples)
{
    free(couples->list);
    free(couples->segments[0]);
    free(couples->segments[1]);
    free(couples->lost[0]);
    free(couples->lost[1]);
    *couples = (cli_couples){.list = NULL};
}
