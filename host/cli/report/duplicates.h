/* SPDX-License-Identifier: MIT */
/*
 * Which insertions and deletions are duplicates, see events.h.
 */
#ifndef RHOMB_CLI_DUPLICATES_H
#define RHOMB_CLI_DUPLICATES_H

#include "host/cli/report/events.h"

/* Gives their types and ranges to those that are. False without memory. */
bool cli_duplicates_find(cli_events *events, int threads);

#endif
