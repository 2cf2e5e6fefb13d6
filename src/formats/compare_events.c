/* SPDX-License-Identifier: MIT */
/*
 * Lists of events, and gaps in pieces, see compare_events.h.
 */
#include "src/formats/compare_events.h"

#include "src/base/int64.h"

#include <stdlib.h>

size_t rhomb__events_count(const rhomb__events *events)
{
    return events->list.length / sizeof(rhomb_event);
}

void rhomb__events_cut(rhomb__events *events, size_t count)
{
    events->list.length = count * sizeof(rhomb_event);
}

void rhomb__events_add(rhomb__events *events, const rhomb_event *event)
{
    if (events->status == RHOMB_OK)
        events->status = rhomb__bytes_append(events->error, &events->list, event, sizeof *event);
}

void rhomb__events_add_between(rhomb__events *events, rhomb_event event, bool is_gap)
{
    const int64_t deleted = event.target_end - event.target_begin;
    const int64_t inserted = event.query_end - event.query_begin;
    is_gap = is_gap || deleted <= 0 || inserted <= 0;
    event.kind = !is_gap              ? RHOMB_EVENT_REPLACEMENT
                 : inserted > deleted ? RHOMB_EVENT_INSERTION
                                      : RHOMB_EVENT_DELETION;
    event.bases = !is_gap              ? rhomb__max(inserted, deleted)
                  : inserted > deleted ? inserted - deleted
                                       : deleted - inserted;
    event.target_end = rhomb__max(event.target_end, event.target_begin);
    event.query_end = rhomb__max(event.query_end, event.query_begin);
    event.before = (rhomb_event_end){
        event.target, event.reverse ? event.target_end : event.target_begin, event.reverse};
    event.after = (rhomb_event_end){
        event.target, event.reverse ? event.target_begin : event.target_end, event.reverse};
    if (event.bases >= RHOMB_EVENT_LEAST)
        rhomb__events_add(events, &event);
}

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int by_target(const void *a, const void *b)
{
    const rhomb_event *x = a, *y = b;
    const int orders[] = {compare(x->target, y->target), compare(x->target_begin, y->target_begin),
                          compare(x->target_end, y->target_end), compare(x->query, y->query),
                          compare(x->query_begin, y->query_begin)};
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        if (orders[i] != 0)
            return orders[i];
    return compare(x->kind, y->kind);
}

void rhomb__events_sort(rhomb__events *events)
{
    const size_t count = rhomb__events_count(events);
    if (count > 1)
        qsort(events->list.data, count, sizeof(rhomb_event), by_target);
}

void rhomb__events_release(rhomb__events *events)
{
    rhomb__bytes_release(&events->list);
    *events = (rhomb__events){0};
}

/*
 * Gaps in pieces. From either end it is followed how far the shorter side goes
 * along with the longer one: the furthest bases of each diagonal at a growing number of edits (E.
 * W. Myers, Algorithmica 1, 1986). A base gains 1 and an edit costs another 4, so that less than 80
 * % identity loses, as in rhomb/similar.h; random bases have less. It ends when so much was lost
 * since the best place.
 */
enum { EDITS_MOST = 1000, EDIT_COST = 5, DROP = 100, LONGER = 2 /* times the shorter side */ };

static const int64_t LIMITS[RHOMB_COMPARISON_SIZES] = RHOMB_COMPARISON_LIMITS;

/* Both sides from an end on. */
typedef struct walk {
    const rhomb__between *between;
    int shorter;
    int64_t length[RHOMB__SIDES];
    bool backwards;
} walk;

static char base_at(const walk *w, int side, int64_t at)
{
    const rhomb__between *b = w->between;
    const bool falls = w->backwards != (side == RHOMB__QUERY && b->reverse);
    return b->bases[side][falls ? b->end[side] - 1 - at : b->begin[side] + at];
}

/* How many bases match from a place of the shorter side on, on a diagonal of the longer one. */
static int64_t run_at(const walk *w, int64_t at, int64_t diagonal)
{
    const rhomb__score_codes *codes = w->between->codes;
    const unsigned char *of_query = w->between->reverse ? codes->reverse : codes->forward;
    const int s = w->shorter;
    int64_t run = 0;
    while (at + run < w->length[s] && at + diagonal + run < w->length[1 - s]) {
        const char first = base_at(w, s, at + run);
        const char second = base_at(w, 1 - s, at + diagonal + run);
        const char target = s == RHOMB__TARGET ? first : second;
        const char query = s == RHOMB__TARGET ? second : first;
        if (!rhomb__score_matches(codes, codes->target[(unsigned char)target],
                                  of_query[(unsigned char)query]))
            break;
        run++;
    }
    return run;
}

/* The bases of both sides that go along: by their indexes. */
typedef struct reached {
    int64_t bases[RHOMB__SIDES];
} reached;

static reached reach(const walk *w)
{
    /* By diagonal: the furthest place; -1 is none. Two more on either side are always none. */
    int64_t rows[2][2 * EDITS_MOST + 5];
    int64_t best = 0, most = 0, diagonal = 0;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2 * EDITS_MOST + 5; k++)
            rows[i][k] = -1;
    for (int edits = 0; edits <= EDITS_MOST; edits++) {
        const int64_t *before = &rows[edits % 2][EDITS_MOST + 2];
        int64_t *now = &rows[1 - edits % 2][EDITS_MOST + 2], furthest = 0, on = 0;
        for (int k = -edits; k <= edits; k++) {
            /* A base of the longer side alone, a pair, a base of the shorter one alone. */
            const int64_t own = before[k] >= 0 ? before[k] + 1 : -1;
            const int64_t skipped = before[k + 1] >= 0 ? before[k + 1] + 1 : -1;
            int64_t at = rhomb__max(before[k - 1], rhomb__max(own, skipped));
            at = edits == 0 ? 0 : rhomb__min(at, w->length[w->shorter]);
            if (at >= 0 && at + k >= 0 && at + k <= w->length[1 - w->shorter])
                at += run_at(w, at, k);
            else
                at = -1;
            now[k] = at;
            on = at > furthest ? k : on;
            furthest = rhomb__max(furthest, at);
        }
        const int64_t score = furthest - EDIT_COST * edits;
        if (score > most) {
            most = score;
            best = furthest;
            diagonal = on;
        }
        if (score < most - DROP || furthest == w->length[w->shorter])
            break;
    }
    reached found;
    found.bases[w->shorter] = best;
    found.bases[1 - w->shorter] = best + diagonal;
    return found;
}

/* Whether the ranges are a gap; if so, they are left without what goes along. */
static bool is_gap(rhomb__between *between)
{
    walk w = {.between = between};
    reached ends[2] = {{{0, 0}}, {{0, 0}}};
    for (int side = 0; side < RHOMB__SIDES; side++)
        w.length[side] = between->end[side] - between->begin[side];
    w.shorter = w.length[RHOMB__TARGET] <= w.length[RHOMB__QUERY] ? RHOMB__TARGET : RHOMB__QUERY;
    const int64_t shorter = w.length[w.shorter];
    if (shorter < 0 || w.length[1 - w.shorter] < LONGER * shorter || w.length[1 - w.shorter] == 0)
        return false;
    for (int i = 0; i < 2 && shorter > 0; i++) {
        w.backwards = i > 0;
        ends[i] = reach(&w);
    }
    /* What neither end has is less than what an edit in five bases would be. */
    const int64_t rest = shorter - ends[0].bases[w.shorter] - ends[1].bases[w.shorter];
    if (EDIT_COST * rest > shorter)
        return false;
    for (int side = 0; side < RHOMB__SIDES; side++) {
        /* What both ends have is the first one's. */
        const int64_t first = ends[0].bases[side];
        const int64_t second = ends[1].bases[side] + rhomb__min(rest, 0);
        const bool turned = side == RHOMB__QUERY && between->reverse;
        between->begin[side] += turned ? second : first;
        between->end[side] -= turned ? first : second;
    }
    return true;
}

void rhomb__gaps_add(rhomb_comparison_gaps *gaps, int64_t bases)
{
    int size = RHOMB_COMPARISON_SIZES - 1;
    while (bases < LIMITS[size])
        size--;
    gaps->count++;
    gaps->bases += bases;
    gaps->sizes[size]++;
}

bool rhomb__between_add(rhomb__between *between, rhomb_comparison_gaps gaps[RHOMB__SIDES])
{
    const int64_t deleted = between->end[RHOMB__TARGET] - between->begin[RHOMB__TARGET];
    const int64_t inserted = between->end[RHOMB__QUERY] - between->begin[RHOMB__QUERY];
    if (!is_gap(between))
        return false;
    rhomb__gaps_add(&gaps[inserted > deleted ? RHOMB__QUERY : RHOMB__TARGET],
                    inserted > deleted ? inserted - deleted : deleted - inserted);
    return true;
}
