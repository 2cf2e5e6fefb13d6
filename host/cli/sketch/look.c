/* SPDX-License-Identifier: MIT */
/* Words about a pair, see relation.h. */
#include "host/cli/sketch/relation.h"

/* What to do about it, or nothing where that is excluded. */
static const char *advice(const cli_look_asked *asked, const char *text)
{
    return asked->as_given ? "" : text;
}

/* Of a pair that has blocks: how they are arranged. */
static void warn_of_blocks(const cli_relation *relation, const cli_look_asked *asked,
                           const char *pair)
{
    static const char BLOCKS[] = ": rhomb align --blocks";
    if (relation->reverse && asked->strand)
        cli_note(0, "%sthe query looks reverse-complemented: %s", pair,
                 asked->as_given ? "--match best" : "--strand auto");
    if (relation->is_opposite)
        cli_note(0, "%sthe query looks as if its other strand were meant: --strand auto", pair);
    else if (relation->is_interrupted)
        cli_note(0,
                 "%slong parts of both look unrelated: %zu collinear block%s about %" PRId64
                 " bases%s",
                 pair, relation->count, relation->count == 1 ? " has" : "s in the same order have",
                 relation->covered, advice(asked, BLOCKS));
    else if (relation->is_rearranged)
        cli_note(0, "%sthe query looks rearranged%s: %zu collinear blocks, %zu inverted%s", pair,
                 relation->rotation != 0 ? ", and to start elsewhere on a circle" : "",
                 relation->count, relation->inverted, advice(asked, BLOCKS));
    if (relation->rotation != 0 && asked->rotation && !relation->is_rearranged)
        cli_note(0, "%sthe query seems to start elsewhere on a circle%s", pair,
                 advice(asked, ": --rotate auto"));
}

void cli_look_warn(const cli_relation *relation, const cli_look_asked *asked)
{
    cli_text seconds;
    if (relation == NULL)
        return;
    const char *pair = asked->prefix != NULL ? asked->prefix : "";
    if (relation->is_unrelated && !relation->is_related)
        cli_note(0, "%starget and query look unrelated: no more similar than random sequences",
                 pair);
    else if (relation->is_unrelated)
        cli_note(0,
                 "%starget and query look unrelated but for about %" PRId64
                 " bases: elsewhere no more similar than random sequences",
                 pair, relation->covered);
    else
        warn_of_blocks(relation, asked, pair);
    if (relation->is_related)
        cli_note(1, "%ssketch: about %.1f %% similar where they match, collinear blocks %zu, %s",
                 pair, 100 * relation->similarity, relation->count,
                 cli_show_seconds(relation->seconds, &seconds));
}

void cli_look_warn_within(const cli_relation *relation, const cli_look_asked *asked,
                          const rhomb_sequence *target, const rhomb_sequence *query)
{
    if (relation == NULL || relation->within_end == 0)
        return;
    const bool is_query = rhomb_sequence_length(query) < rhomb_sequence_length(target);
    const int64_t before = rhomb_sequence_record_begin(is_query ? target : query);
    const bool has_place = is_query || (!relation->reverse && relation->rotation == 0);
    char place[64] = "";
    if (has_place)
        snprintf(place, sizeof place, ", at %" PRId64 "-%" PRId64,
                 before + relation->within_begin + 1, before + relation->within_end);
    char command[128];
    snprintf(command, sizeof command,
             ": rhomb align --mode ends-free%s or --mode local, or %s with that part",
             is_query ? "" : " --free-ends all,all,0,0", is_query ? "-r" : "-q");
    cli_note(0, "the %s lies within the %s%s%s", is_query ? "query" : "target",
             is_query ? "target" : "query", place, advice(asked, command));
}
