/* SPDX-License-Identifier: MIT */
/* Looks at pairs of a batch, see batch_arguments.h. */
#include "host/cli/batch/batch_arguments.h"

#include "host/cli/base/cli.h"
#include "host/cli/sketch/relation.h"

#include <pthread.h>

enum {
    BASES_LEAST = 1000, /* of a sequence */
    FIRST_PAIRS = 16,   /* that are all looked at */
    BASES_MOST = 30000000,
    WORDS_MOST = 10 /* of each kind, for pairs that --match has found */
};

/* Whether the pair with this number among the long ones is looked at. */
static bool is_chosen(int64_t number)
{
    return number <= FIRST_PAIRS || (number & (number - 1)) == 0;
}

/* "pair 3 (chrIII, chrIII)". */
static void warn(const rhomb_pair_chunk *chunk, size_t index, const char *what)
{
    const long long number = (long long)chunk->first + (long long)index + 1;
    if (chunk->names == NULL || chunk->names[index].target == NULL ||
        chunk->names[index].query == NULL)
        cli_note(0, "pair %lld %s", number, what);
    else
        cli_note(0, "pair %lld (%.80s, %.80s) %s", number, chunk->names[index].target,
                 chunk->names[index].query, what);
}

static void warn_unrelated(const cli_batch_look *look, const cli_relation *relation,
                           const rhomb_pair_chunk *chunk, size_t index)
{
    char text[200];
    const char *hint = look->by_order && look->unrelated == 1
                           ? ": is the order of both the same? --match best goes by the bases"
                           : "";
    if (relation->is_related)
        snprintf(text, sizeof text, "looks unrelated but for about %" PRId64 " bases%s",
                 relation->covered, hint);
    else
        snprintf(text, sizeof text, "looks unrelated%s", hint);
    warn(chunk, index, text);
}

static void look_at_pair(cli_batch_look *look, const rhomb_pair_chunk *chunk, size_t index)
{
    const rhomb_pair *pair = &chunk->pairs[index];
    const cli_two two = {pair->target, pair->target_length, pair->query, pair->query_length};
    const cli_relation_options options = {.threads = 1};
    const int64_t words = look->is_matched ? WORDS_MOST : 1;
    cli_relation relation;
    if (cli_relate(&two, &options, &relation)) {
        const bool reversed = relation.reverse && !relation.is_unrelated && !look->is_oriented;
        look->looked++;
        look->unrelated += relation.is_unrelated;
        look->reversed += reversed;
        look->within += look->is_global && relation.within_end > 0;
        if (relation.is_unrelated && look->unrelated <= words)
            warn_unrelated(look, &relation, chunk, index);
        if (reversed && look->reversed <= words)
            warn(chunk, index,
                 look->reversed > 1 ? "looks reverse-complemented"
                 : look->is_matched
                     ? "looks reverse-complemented: --match best, also of rhomb align, chooses the "
                       "strand of each pair"
                     : "looks reverse-complemented: --strand auto chooses the strand of each pair");
        if (look->is_global && relation.within_end > 0 && look->within <= words)
            warn(chunk, index,
                 pair->query_length < pair->target_length
                     ? "has a query that lies within the target: --mode infix or local"
                     : "has a target that lies within the query: --mode ends-free --free-ends "
                       "all,all,0,0 or --mode local");
    }
    cli_relation_release(&relation);
}

void cli_batch_look_at(cli_batch_look *look, const rhomb_pair_chunk *chunk)
{
    if (!cli_has_minimizers)
        return;
    for (size_t i = 0; i < chunk->count; i++) {
        const rhomb_pair *pair = &chunk->pairs[i];
        if (pair->target_length < BASES_LEAST || pair->query_length < BASES_LEAST ||
            !is_chosen(++look->pairs))
            continue;
        look->bases += pair->target_length + pair->query_length;
        if (look->bases <= BASES_MOST || look->looked == 0)
            look_at_pair(look, chunk, i);
    }
}

/* Guards `broken` and `broken_gap`. */
static pthread_mutex_t broken_mutex = PTHREAD_MUTEX_INITIALIZER;

/* Whether no pair before this one has such a gap; with `text`, takes it. */
static bool is_first_broken(cli_batch_look *look, int64_t number, const char *text)
{
    pthread_mutex_lock(&broken_mutex);
    const bool is_first = look->broken == 0 || number < look->broken;
    if (is_first && text != NULL) {
        look->broken = number;
        snprintf(look->broken_gap, sizeof look->broken_gap, "%s", text);
    }
    pthread_mutex_unlock(&broken_mutex);
    return is_first;
}

void cli_batch_look_at_row(cli_batch_look *look, const cli_row_style *style, const cli_row *row)
{
    char text[CLI_BROKEN_GAP_BYTES];
    if (look->is_edit && row->error == NULL && row->result->distance >= CLI_LONG_GAP &&
        row->result->cigar_count > 0 && is_first_broken(look, row->number, NULL) &&
        cli_aligned_tell_broken_gap(style, row, text))
        (void)is_first_broken(look, row->number, text);
}

void cli_batch_look_end(const cli_batch_look *look)
{
    if (look->broken > 0)
        cli_note(0, "%s", look->broken_gap);
    if (look->unrelated > 1)
        cli_note(0, "of %" PRId64 " pairs that were looked at, %" PRId64 " look unrelated",
                 look->looked, look->unrelated);
    if (look->reversed > 1)
        cli_note(0,
                 "of %" PRId64 " pairs that were looked at, %" PRId64 " look reverse-complemented",
                 look->looked, look->reversed);
    if (look->within > 1)
        cli_note(0,
                 "of %" PRId64 " pairs that were looked at, %" PRId64
                 " have one sequence within the other",
                 look->looked, look->within);
}

void cli_batch_note_nucleotides(const rhomb_pair_chunk *chunk)
{
    enum { SYMBOLS_MOST = 10000 };
    static const char NUCLEOTIDES[] = "ACGTNacgtn";
    int64_t looked = 0;
    for (size_t i = 0; i < 2 * chunk->count && looked < SYMBOLS_MOST; i++) {
        const rhomb_pair *pair = &chunk->pairs[i / 2];
        const char *symbols = i % 2 == 0 ? pair->target : pair->query;
        const int64_t length = i % 2 == 0 ? pair->target_length : pair->query_length;
        for (int64_t at = 0; at < length && looked < SYMBOLS_MOST; at++, looked++)
            if (memchr(NUCLEOTIDES, symbols[at], sizeof NUCLEOTIDES - 1) == NULL)
                return;
    }
    cli_note_if_nucleotides(looked, looked);
}
