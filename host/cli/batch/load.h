/* SPDX-License-Identifier: MIT */
/*
 * Some pairs on their way from a file to the printer.
 */
#ifndef RHOMB_CLI_LOAD_H
#define RHOMB_CLI_LOAD_H

#include "rhomb/pairs.h"

/* A chunk in a list. `next` belongs to whoever holds the chunk. */
typedef struct cli_load {
    rhomb_pair_chunk *chunk;
    struct cli_load *next;
    double fraction;     /* of the input, up to the end of the chunk; -1: not known */
    const bool *reverse; /* for each pair: the query is the record's other strand; NULL: none is */
    void (*release)(struct cli_load *load); /* NULL: the chunk is one of the library */
} cli_load;

/* The load, from `load` on, that has a pair. */
const cli_load *cli_load_of(const cli_load *load, int64_t pair);

/* The number of its first fault at or after the pair `index` of its chunk. */
size_t cli_load_fault(const cli_load *load, size_t index);

/* The bytes of all its pairs. */
int64_t cli_load_bytes(const cli_load *load);

#endif
