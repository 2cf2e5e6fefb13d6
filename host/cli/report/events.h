/* SPDX-License-Identifier: MIT */
/*
 * The events of a comparison (rhomb/comparison.h), with their types as users read them. Bases that
 * one side alone has are a duplicate if the other side has them elsewhere, which a sketch finds: a
 * guess, of copies of some hundred bases or more that the other side has once.
 */
#ifndef RHOMB_CLI_EVENTS_H
#define RHOMB_CLI_EVENTS_H

#include "host/cli/base/text_buffer.h"
#include "rhomb/comparison.h"

typedef enum cli_event_type {
    CLI_EVENT_INSERTION,
    CLI_EVENT_DELETION,
    CLI_EVENT_REPLACEMENT,
    CLI_EVENT_INVERSION,
    CLI_EVENT_RELOCATION,
    CLI_EVENT_INVERTED_RELOCATION,
    CLI_EVENT_TRANSLOCATION,
    CLI_EVENT_INVERTED_TRANSLOCATION,
    CLI_EVENT_ROTATION,
    CLI_EVENT_JUNCTION,
    CLI_EVENT_DUPLICATION,
    CLI_EVENT_TANDEM_DUPLICATION,
    CLI_EVENT_LOST_DUPLICATE, /* which the target alone has */
    CLI_EVENT_LOST_TANDEM_DUPLICATE,
    CLI_EVENT_TYPES
} cli_event_type;

/* As in TSV. */
extern const char *const cli_event_names[CLI_EVENT_TYPES];

/* Of a duplicate, one range is the copy, and that of the other side where its bases are too. */
typedef struct cli_event {
    rhomb_event event;
    cli_event_type type;
    rhomb_event_end site; /* of one, where the copy or what was lost is in the target */
} cli_event;

/* All zeros is none. */
typedef struct cli_events {
    const rhomb_sequence_set *targets, *queries;
    const char *only[2]; /* of both sides: the one that is searched for duplicates; NULL: all are */
    cli_event *list;
    size_t count;
} cli_events;

/*
 * The events of a comparison of two sets, which are borrowed, without a search for duplicates
 * (cli_duplicates_find()). False without memory.
 */
bool cli_events_find(const rhomb_comparison *comparison, const rhomb_sequence_set *targets,
                     const rhomb_sequence_set *queries, cli_events *events);

/* In duplicates.c: gives their types and ranges to those that are. False without memory. */
bool cli_duplicates_find(cli_events *events, int threads);

int64_t cli_events_count(const cli_events *events, cli_event_type type);

/* The name of a sequence of a set, and those of an event. */
const char *cli_sequence_name(const rhomb_sequence_set *set, int64_t index);
const char *cli_event_target(const cli_events *events, const cli_event *event);
const char *cli_event_query(const cli_events *events, const cli_event *event);

/*
 * A line for each, of TSV or of BED: target and range, type, 0, strand, query and range, bases; of
 * the largest `most`, a row of a table in HTML, or a line of text, the largest first, with ranges
 * as regions.
 */
void cli_events_tsv(const cli_events *events, cli_buffer *out);
void cli_events_bed(const cli_events *events, cli_buffer *out);
void cli_events_html(const cli_events *events, size_t most, cli_buffer *out);
void cli_events_text(const cli_events *events, size_t most, cli_buffer *out);

void cli_events_release(cli_events *events);

/*
 * Events as records of VCF 4.3 (section 3) without bases, beside those of paths (vcf_rows.h):
 *
 * - insertion, deletion, replacement, lost duplicate: <INS>, <DEL>, or both, unless a path of one
 *   record has the bases
 * - inversion: <INV>, of the target's range
 * - duplication: <DUP>, tandem <DUP:TANDEM>, of the range that the query has again
 * - relocation, translocation, junction: breakends, two for each place where the query goes on
 *   elsewhere in the target: into what has moved, out of it, and over the gap that it has left
 * - rotation: none
 *
 * POS is the base before, or 1 at the target's beginning: 0, as the specification has it for
 * telomeres, is refused by bcftools norm, and not found by its regions. CIPOS and CIEND are
 * wherever the query may go on from one side to the other, as both have the same bases, and how far
 * the ends of neighbouring records, which are guesses, are from each other.
 */

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
