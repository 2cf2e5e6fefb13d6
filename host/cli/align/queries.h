/* SPDX-License-Identifier: MIT */
/*
 * The queries whose bases SAM needs when all of their records are known: that of the present pair,
 * or one that is read again.
 */
#ifndef RHOMB_CLI_QUERIES_H
#define RHOMB_CLI_QUERIES_H

#include "host/cli/pair/assemblies.h"

typedef struct cli_queries {
    const cli_assemblies *from;
    const cli_side *present; /* of the pair that is delivered, or NULL */
    cli_side again;
    rhomb_sequence *owned; /* has its bases; NULL: its assembly has them */
    cli_named *names;      /* of all queries, once one was asked for */
} cli_queries;

/* A cli_align_read: `queries` is a cli_queries. */
int cli_queries_read(const char *name, const cli_side **side, void *queries);

void cli_queries_release(cli_queries *queries);

#endif
