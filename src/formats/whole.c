/* SPDX-License-Identifier: MIT */
/*
 * Chains of records, see whole.h.
 */
#include "src/formats/whole.h"

#include "src/base/int64.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST_SLOTS = 64 };

/* Two sequences that have records. */
typedef struct pair {
    rhomb_paf_record last; /* without its names */
    size_t query_name;     /* its place among the names; the target's follows it */
    int64_t target_at;     /* where the records so far end */
    int64_t query_at;      /* along the strand that is aligned, as it is rotated */
    int64_t rotation;
    int64_t target_end, query_end; /* their lengths */
} pair;

static size_t count_of(const rhomb__whole *whole)
{
    return whole->pairs.length / sizeof(pair);
}

static pair *pair_at(const rhomb__whole *whole, size_t index)
{
    return (pair *)(void *)whole->pairs.data + index;
}

static const char *query_name(const rhomb__whole *whole, const pair *p)
{
    return whole->names.data + p->query_name;
}

static const char *target_name(const rhomb__whole *whole, const pair *p)
{
    const char *query = query_name(whole, p);
    return query + strlen(query) + 1;
}

/* FNV-1a, of a name and its NUL. */
static uint64_t mix_name(uint64_t hash, const char *name)
{
    const char *at = name;
    do
        hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
    while (*at++ != '\0');
    return hash;
}

/* The slot of two names, or the free slot for them. */
static size_t *slot_of(const rhomb__whole *whole, const char *query, const char *target)
{
    const uint64_t hash = mix_name(mix_name(UINT64_C(0xcbf29ce484222325), query), target);
    size_t at = (size_t)(hash ^ hash >> 32) & (whole->slot_count - 1);
    while (whole->slots[at] != 0) {
        const pair *p = pair_at(whole, whole->slots[at] - 1);
        if (strcmp(query_name(whole, p), query) == 0 && strcmp(target_name(whole, p), target) == 0)
            break;
        at = (at + 1) & (whole->slot_count - 1);
    }
    return &whole->slots[at];
}

/* Makes sure that at least half of the slots stay free when a pair is added. */
static rhomb_status make_room(rhomb__whole *whole)
{
    const size_t count = count_of(whole);
    if (2 * (count + 1) <= whole->slot_count)
        return RHOMB_OK;
    const size_t room = whole->slot_count == 0 ? FEWEST_SLOTS : 2 * whole->slot_count;
    size_t *slots = calloc(room, sizeof *slots);
    if (slots == NULL)
        return rhomb__fail_memory(whole->error, room * sizeof *slots, "pairs of sequences");
    free(whole->slots);
    whole->slots = slots;
    whole->slot_count = room;
    for (size_t i = 0; i < count; i++) {
        const pair *p = pair_at(whole, i);
        *slot_of(whole, query_name(whole, p), target_name(whole, p)) = i + 1;
    }
    return RHOMB_OK;
}

/* The pair of a record; *is_new if it is a new one. */
static rhomb_status find_pair(rhomb__whole *whole, const rhomb_paf_record *row, pair **out,
                              bool *is_new)
{
    rhomb_status status = RHOMB_OK;
    pair new = {.query_name = whole->names.length,
                .target_end = row->target_length,
                .query_end = row->query_length};
    RHOMB_TRY(make_room(whole));
    size_t *slot = slot_of(whole, row->query_name, row->target_name);
    *is_new = *slot == 0;
    if (*is_new) {
        RHOMB_TRY(rhomb__bytes_append(whole->error, &whole->names, row->query_name,
                                      strlen(row->query_name) + 1));
        RHOMB_TRY(rhomb__bytes_append(whole->error, &whole->names, row->target_name,
                                      strlen(row->target_name) + 1));
        RHOMB_TRY(rhomb__bytes_append(whole->error, &whole->pairs, &new, sizeof new));
        *slot = count_of(whole);
    }
    *out = pair_at(whole, *slot - 1);

out:
    return status;
}

/*
 * Bases of both sides that are in no record, 0-based, of the query along the aligned strand, as it
 * is rotated.
 */
typedef struct hole {
    int64_t target_begin, target_end;
    int64_t query_begin, query_end;
    int64_t rotation;
} hole;

/* The bounds of a hole's cost: all of it is gaps, or bases of both sides are aligned. */
static void count_gap(rhomb_verify_report *report, int64_t target_bases, int64_t query_bases)
{
    const int64_t longer = rhomb__max(target_bases, query_bases);
    report->gaps++;
    report->gap_target_bases += target_bases;
    report->gap_query_bases += query_bases;
    report->gap_edits_least += longer - rhomb__min(target_bases, query_bases);
    report->gap_edits_most += longer;
}

/* "target positions 4 to 9", "target position 4", or nothing if there are none. */
static int print_range(char *out, size_t size, const char *what, int64_t begin, int64_t end)
{
    out[0] = '\0';
    if (begin == end)
        return 0;
    if (begin + 1 == end)
        return snprintf(out, size, "%s position %lld", what, (long long)end);
    return snprintf(out, size, "%s positions %lld to %lld", what, (long long)begin + 1,
                    (long long)end);
}

/* Counts a hole next to a record, or reports it if it is not allowed. */
static void take_hole(rhomb__whole *whole, const rhomb_paf_record *row, const hole *h,
                      const char *where)
{
    const int64_t target_bases = h->target_end - h->target_begin;
    const int64_t query_bases = h->query_end - h->query_begin;
    const int64_t longer = rhomb__max(target_bases, query_bases);
    if (longer == 0)
        return;
    if (whole->least_gap > 0 && longer >= whole->least_gap) {
        count_gap(whole->report, target_bases, query_bases);
        return;
    }
    const int64_t length = row->query_length;
    /* Of a hole that goes on past the strand's end, what is before it. */
    const int64_t rotated = h->query_begin + h->rotation;
    const int64_t on_strand = length > 0 && rotated >= length ? rotated - length : rotated;
    const int64_t shown = rhomb__min(query_bases, length - on_strand);
    const int64_t query_begin = row->reverse ? length - on_strand - shown : on_strand;
    const int64_t query_end = query_begin + shown;
    char target[64];
    char query[64];
    const int used = print_range(target, sizeof target, "target", h->target_begin, h->target_end);
    print_range(query, sizeof query, "query", query_begin, query_end);
    rhomb__score_error(whole->score, RHOMB_VERIFY_MISSING, row,
                       target_bases > 0 ? h->target_begin : -1, query_bases > 0 ? query_begin : -1,
                       "no record has %s%s%s, %s", target,
                       used > 0 && query[0] != '\0' ? " and " : "", query, where);
}

/* Checks a record against the earlier ones of its pair. False: it does not continue their chain. */
static bool check_order(rhomb__whole *whole, const pair *p, const rhomb_paf_record *row,
                        int64_t query_begin, int64_t rotation)
{
    const bool is_empty =
        row->target_begin == row->target_end && row->query_begin == row->query_end;
    const long long line = (long long)p->last.line;
    if (row->reverse != p->last.reverse) {
        rhomb__score_error(whole->score, RHOMB_VERIFY_ORDER, row, row->target_begin,
                           row->query_begin, "is on another strand than line %lld", line);
        return false;
    }
    if (rotation != p->rotation) {
        rhomb__score_error(whole->score, RHOMB_VERIFY_ORDER, row, row->target_begin,
                           row->query_begin, "is rotated otherwise (ro) than line %lld", line);
        return false;
    }
    if (row->target_begin < p->target_at || query_begin < p->query_at || is_empty)
        rhomb__score_error(whole->score, RHOMB_VERIFY_ORDER, row, row->target_begin,
                           row->query_begin,
                           "begins after %lld bases of the target and %lld of the query%s, but "
                           "the records up to line %lld have come to %lld and %lld",
                           (long long)row->target_begin, (long long)query_begin,
                           row->reverse ? "'s other strand" : "", line, (long long)p->target_at,
                           (long long)p->query_at);
    return true;
}

/* Where a record begins along the strand, as that is rotated. */
static int64_t rotated_begin(const rhomb_paf_record *row, int64_t rotation)
{
    const int64_t length = row->query_length;
    const int64_t begin = row->reverse ? length - row->query_end : row->query_begin;
    /* Without bases of the query, the beginning may be the end. */
    if (rotation > 0 && begin == rotation && row->query_begin == row->query_end &&
        row->target_begin > 0)
        return length;
    return begin >= rotation ? begin - rotation : begin - rotation + length;
}

rhomb_status rhomb__whole_add(rhomb__whole *whole, const rhomb_paf_record *row,
                              int64_t target_length, int64_t query_length, int64_t rotation)
{
    rhomb_status status = RHOMB_OK;
    pair *p = NULL;
    bool is_new = false;
    /* A record with other lengths is an error anyway, and its positions may be anything. */
    if (row->target_length != target_length || row->query_length != query_length)
        return RHOMB_OK;
    rotation = rotation > 0 && rotation < query_length ? rotation : 0;
    const int64_t query_begin = rotated_begin(row, rotation);
    RHOMB_TRY(find_pair(whole, row, &p, &is_new));
    whole->report->pairs += is_new;
    if (is_new)
        p->rotation = rotation;
    if (is_new || check_order(whole, p, row, query_begin, rotation)) {
        /* Where records overlap, what either of them has is not missing. */
        const hole before = {p->target_at, rhomb__max(p->target_at, row->target_begin), p->query_at,
                             rhomb__max(p->query_at, query_begin), rotation};
        take_hole(whole, row, &before, "which come before this record");
        p->last = *row;
        p->last.query_name = p->last.target_name = NULL;
        p->target_at = rhomb__max(p->target_at, row->target_end);
        p->query_at = rhomb__max(p->query_at, query_begin + (row->query_end - row->query_begin));
    }

out:
    return status;
}

void rhomb__whole_end(rhomb__whole *whole)
{
    const rhomb_verify_report *report = whole->report;
    if (report->rows > 0 && report->unaligned == report->rows)
        rhomb__score_error(whole->score, RHOMB_VERIFY_MISSING, NULL, -1, -1,
                           "no query has an alignment");
    for (size_t i = 0; i < count_of(whole); i++) {
        pair *p = pair_at(whole, i);
        const hole behind = {p->target_at, p->target_end, p->query_at, p->query_end, p->rotation};
        p->last.query_name = query_name(whole, p);
        p->last.target_name = target_name(whole, p);
        take_hole(whole, &p->last, &behind, "which come after this record, the pair's last");
    }
}

void rhomb__whole_release(rhomb__whole *whole)
{
    rhomb__bytes_release(&whole->pairs);
    rhomb__bytes_release(&whole->names);
    free(whole->slots);
    *whole = (rhomb__whole){0};
}
