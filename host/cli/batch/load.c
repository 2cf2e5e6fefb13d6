/* SPDX-License-Identifier: MIT */
/* Pairs on their way, see load.h. */
#include "host/cli/batch/load.h"

const cli_load *cli_load_of(const cli_load *load, int64_t pair)
{
    while (pair - load->chunk->first >= (int64_t)load->chunk->count)
        load = load->next;
    return load;
}

size_t cli_load_fault(const cli_load *load, size_t index)
{
    const rhomb_pair_chunk *chunk = load->chunk;
    size_t low = 0;
    size_t high = chunk->fault_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (chunk->faults[middle].index < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int64_t cli_load_bytes(const cli_load *load)
{
    const rhomb_pair_chunk *chunk = load->chunk;
    int64_t bytes = (int64_t)(chunk->count * sizeof *chunk->pairs);
    for (size_t i = 0; i < chunk->count; i++)
        bytes += chunk->pairs[i].target_length + chunk->pairs[i].query_length;
    return bytes;
}
