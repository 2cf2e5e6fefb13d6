/* SPDX-License-Identifier: MIT */
/* Votes of minimizers, see votes.h. */
#include "host/cli/sketch/votes.h"

#include <stdlib.h>

enum {
    LEAST_K = 11,
    MOST_K = 27,
    W = 5,
    LONG_W = 15, /* of more than LONG_BASES */
    LONG_BASES = 1 << 25,
    /*
     * There are so many k-mers for each base that one of a hundred minimizers is there by chance.
     * Less than SHARE_LEAST of a sequence's, or VOTES_LEAST, say nothing.
     */
    KMERS_A_BASE = 64,
    SHARE_LEAST = 32,
    VOTES_LEAST = 3
};

cli_votes cli_votes_begin(int64_t bases)
{
    cli_votes votes = {.shape = {.k = LEAST_K, .w = bases > LONG_BASES ? LONG_W : W, .share = 1}};
    while (votes.shape.k < MOST_K && (INT64_C(1) << 2 * votes.shape.k) / KMERS_A_BASE < bases)
        votes.shape.k += 2; /* odd: no k-mer is its own complement */
    return votes;
}

/* Each minimizer of a sequence once. False without memory. */
static bool list_of(const cli_votes *votes, const char *bases, int64_t length, cli_minimizers *list)
{
    *list = (cli_minimizers){.shape = votes->shape};
    return cli_minimizers_list(list, bases, length, 1);
}

bool cli_votes_add(cli_votes *v, const char *bases, int64_t length)
{
    cli_minimizers list;
    bool good = list_of(v, bases, length, &list);
    if (good && v->count + list.count > v->room) {
        const size_t room = 2 * (v->count + list.count);
        cli_key_value *grown = realloc(v->entries, room * sizeof *grown);
        good = grown != NULL;
        if (good) {
            v->entries = grown;
            v->room = room;
        }
    }
    for (size_t i = 0; good && i < list.count; i++)
        v->entries[v->count++] =
            (cli_key_value){list.entries[i].key, v->sequences << 1 | (list.entries[i].value & 1)};
    v->sequences += good;
    cli_minimizers_release(&list);
    return good;
}

bool cli_votes_end(cli_votes *v)
{
    cli_key_values_sort(v->entries, v->count);
    v->tally = calloc(2 * v->sequences + 1, sizeof *v->tally);
    v->touched = calloc(2 * v->sequences + 1, sizeof *v->touched);
    return v->tally != NULL && v->touched != NULL;
}

/* The first entry with a hash, or where it would be. */
static size_t find(const cli_votes *v, uint64_t hash)
{
    size_t low = 0, high = v->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (v->entries[middle].key < hash)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool cli_votes_of(cli_votes *v, const char *bases, int64_t length, cli_vote *vote)
{
    cli_minimizers list;
    size_t touched = 0, best = 0;
    int64_t most = 0;
    *vote = (cli_vote){.is_any = false};
    const bool good = list_of(v, bases, length, &list);
    for (size_t i = 0; good && i < list.count; i++) {
        const cli_key_value *own = &list.entries[i];
        for (size_t k = find(v, own->key); k < v->count && v->entries[k].key == own->key; k++) {
            const size_t at = (size_t)(v->entries[k].value ^ (own->value & 1));
            if (v->tally[at]++ == 0)
                v->touched[touched++] = at;
        }
    }
    for (size_t i = 0; i < touched; i++) {
        const size_t at = v->touched[i];
        if (v->tally[at] > most || (v->tally[at] == most && at < best)) {
            most = v->tally[at];
            best = at;
        }
        v->tally[at] = 0;
    }
    if (most >= VOTES_LEAST && most * SHARE_LEAST >= (int64_t)list.count)
        *vote = (cli_vote){.is_any = true, .sequence = best >> 1, .reverse = (best & 1) != 0};
    cli_minimizers_release(&list);
    return good;
}

void cli_votes_release(cli_votes *v)
{
    free(v->entries);
    free(v->tally);
    free(v->touched);
    *v = (cli_votes){.count = 0};
}
