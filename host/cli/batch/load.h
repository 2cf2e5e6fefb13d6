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

#endif
