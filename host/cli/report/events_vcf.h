/* SPDX-License-Identifier: MIT */
/*
 * Events as records of VCF 4.3 (section 3) without bases, beside those of paths (vcf_rows.h):
 *
 *     insertion, deletion, replacement, lost duplicate    <INS>, <DEL>, or both, unless a path of
 * one record has the bases inversion                     <INV>, of the target's range duplication
 * <DUP>, tandem <DUP:TANDEM>, of the range that the query has again relocation, translocation
 * breakends, two for each place where the query goes on elsewhere in the target: into what has
 * moved, out of it, and over the gap that it has left rotation                      none
 *
 * POS is the base before. At the target's beginning it is 1, and END the base after, so that SVLEN
 * is END - POS there, too. CIPOS and CIEND are how far the ends of neighbouring records, which are
 * guesses, are from each other.
 */
#ifndef RHOMB_CLI_EVENTS_VCF_H
#define RHOMB_CLI_EVENTS_VCF_H

#include "host/cli/report/events.h"

/* The records of each target, whole lines in no order. All zeros is none. */
typedef struct cli_event_records {
    cli_buffer *of_target; /* by its number in the set */
    int64_t targets;
    int64_t count;
} cli_event_records;

/* False without memory. Release them in any case. */
bool cli_event_records_make(const cli_events *events, cli_event_records *out);
void cli_event_records_release(cli_event_records *records);

#endif
