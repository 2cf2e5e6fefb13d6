/* SPDX-License-Identifier: MIT */
/*
 * Looks, see look.h. Whichever reader is the last one to finish looks, on its thread and some more.
 */
#include "host/cli/sketch/look.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>

/* A side, for its reader's hook. */
typedef struct side {
    struct cli_look *look;
    const rhomb_sequence *sequence;
} side;

struct cli_look {
    side sides[2];
    cli_relation_options options;
    atomic_int owners; /* the program and both readers */
    atomic_int read;   /* sequences so far */
    bool is_known;
    cli_relation relation;
};

cli_look *cli_look_create(int32_t threads, const cli_relation_options *given)
{
    cli_look *look = cli_has_minimizers ? calloc(1, sizeof *look) : NULL;
    if (!cli_has_minimizers)
        cli_note(1,
                 "no sketch of the sequences: this build was configured with -DRHOMB_SKETCH=OFF");
    if (look == NULL)
        return NULL;
    /* A thread takes address space, which is scarce under a limit. */
    look->options = *given;
    look->options.threads = cli_space_limit() > 0 ? 1 : cli_threads_meant(threads);
    look->sides[0].look = look->sides[1].look = look;
    atomic_init(&look->owners, 3);
    atomic_init(&look->read, 0);
    return look;
}

void cli_look_release(cli_look *look)
{
    if (look == NULL || atomic_fetch_sub(&look->owners, 1) > 1)
        return;
    cli_relation_release(&look->relation);
    free(look);
}

static void look_at(cli_look *look)
{
    const rhomb_sequence *target = look->sides[0].sequence, *query = look->sides[1].sequence;
    const cli_two two = {.target = rhomb_sequence_bases(target),
                         .target_length = rhomb_sequence_length(target),
                         .query = rhomb_sequence_bases(query),
                         .query_length = rhomb_sequence_length(query)};
    const double start = cli_seconds_now();
    look->is_known = cli_relate(&two, &look->options, &look->relation);
    look->relation.seconds = cli_seconds_now() - start;
}

static void on_read(const rhomb_sequence *sequence, void *user)
{
    side *own = user;
    cli_look *look = own->look;
    own->sequence = sequence;
    if (sequence != NULL && atomic_fetch_add(&look->read, 1) == 1)
        look_at(look);
    cli_look_release(look);
}

cli_reader_hook cli_look_hook(cli_look *look, int which)
{
    return look != NULL ? (cli_reader_hook){on_read, &look->sides[which]}
                        : (cli_reader_hook){NULL, NULL};
}

const cli_relation *cli_look_relation(const cli_look *look)
{
    return look != NULL && look->is_known ? &look->relation : NULL;
}

/* Of a pair that has blocks: how they are arranged. */
static void warn_of_blocks(const cli_relation *relation, const cli_look_asked *asked,
                           const char *pair)
{
    if (relation->reverse && asked->strand)
        cli_note(0, "%sthe query looks reverse-complemented: --strand auto", pair);
    if (relation->is_opposite)
        cli_note(0, "%sthe query looks as if its other strand were meant: --strand auto", pair);
    else if (relation->is_interrupted)
        cli_note(0,
                 "%slong parts of both look unrelated: %zu collinear block%s about %" PRId64
                 " bases: rhomb align --blocks",
                 pair, relation->count, relation->count == 1 ? " has" : "s in the same order have",
                 relation->covered);
    else if (relation->is_rearranged)
        cli_note(0,
                 "%sthe query looks rearranged%s: %zu collinear blocks, %zu inverted: rhomb align "
                 "--blocks",
                 pair, relation->rotation != 0 ? ", and to start elsewhere on a circle" : "",
                 relation->count, relation->inverted);
    if (relation->rotation != 0 && asked->rotation && !relation->is_rearranged)
        cli_note(0, "%sthe query seems to start elsewhere on a circle: --rotate auto", pair);
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

void cli_look_warn_within(const cli_look *look)
{
    const cli_relation *relation = cli_look_relation(look);
    if (relation == NULL || relation->within_end == 0)
        return;
    const rhomb_sequence *target = look->sides[0].sequence, *query = look->sides[1].sequence;
    const bool is_query = rhomb_sequence_length(query) < rhomb_sequence_length(target);
    const int64_t before = rhomb_sequence_record_begin(is_query ? target : query);
    const bool has_place = is_query || (!relation->reverse && relation->rotation == 0);
    char place[64] = "";
    if (has_place)
        snprintf(place, sizeof place, ", at %" PRId64 "-%" PRId64,
                 before + relation->within_begin + 1, before + relation->within_end);
    cli_note(0,
             "the %s lies within the %s%s: rhomb align --mode ends-free%s or --mode local, or %s "
             "with that part",
             is_query ? "query" : "target", is_query ? "target" : "query", place,
             is_query ? "" : " --free-ends all,all,0,0", is_query ? "-r" : "-q");
}
