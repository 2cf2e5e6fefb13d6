/* SPDX-License-Identifier: MIT */
/*
 * The order of records, see compare_order.h. Records are sorted three times: by matches, to choose
 * the one-to-one ones; of these by their places in the queries, for their ranks; and by their
 * places in the targets. There the records of a target and a query are gathered for their chains.
 */
#include "src/formats/compare_order.h"

#include "src/base/int64.h"
#include "src/formats/compare_chain.h"

#include <stdlib.h>

static int by_matches(const void *a, const void *b)
{
    const rhomb__compared *x = a, *y = b;
    if (x->all.matches != y->all.matches)
        return x->all.matches < y->all.matches ? 1 : -1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Whether less than half of a side's range has been taken by better records. */
static bool is_free(const rhomb__compare_order *o, const rhomb__compared *r, int side)
{
    const int64_t bases = r->end[side] - r->begin[side];
    return 2 * rhomb__marks_count(&o->marks[side][r->sequence[side]], RHOMB__MARK_TAKEN,
                                  r->begin[side], r->end[side]) <
               bases ||
           bases == 0;
}

/* Gives the kind CHAIN to all one-to-one records, for now. */
static void choose(rhomb__compare_order *o)
{
    qsort(o->records, o->count, sizeof *o->records, by_matches);
    for (size_t i = 0; i < o->count; i++) {
        rhomb__compared *r = &o->records[i];
        r->kind = RHOMB__COMPARED_DOUBLE;
        if (r->secondary || !is_free(o, r, RHOMB__TARGET) || !is_free(o, r, RHOMB__QUERY))
            continue;
        r->kind = RHOMB__COMPARED_CHAIN;
        for (int side = 0; side < RHOMB__SIDES; side++)
            rhomb__marks_set(&o->marks[side][r->sequence[side]], RHOMB__MARK_TAKEN, r->begin[side],
                             r->end[side]);
    }
}

/* One-to-one records first, by their places in a side; ties as they are in the file. */
static int compare_places(const rhomb__compared *x, const rhomb__compared *y, int side)
{
    const bool x_double = x->kind == RHOMB__COMPARED_DOUBLE;
    const bool y_double = y->kind == RHOMB__COMPARED_DOUBLE;
    if (x_double != y_double)
        return x_double ? 1 : -1;
    if (x->sequence[side] != y->sequence[side])
        return x->sequence[side] < y->sequence[side] ? -1 : 1;
    if (x->begin[side] != y->begin[side])
        return x->begin[side] < y->begin[side] ? -1 : 1;
    if (x->end[side] != y->end[side])
        return x->end[side] < y->end[side] ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static int by_query(const void *a, const void *b)
{
    return compare_places(a, b, RHOMB__QUERY);
}

static int by_target(const void *a, const void *b)
{
    return compare_places(a, b, RHOMB__TARGET);
}

/* The number of one-to-one records, which come first. */
static size_t count_ones(const rhomb__compare_order *o)
{
    size_t count = 0;
    while (count < o->count && o->records[count].kind != RHOMB__COMPARED_DOUBLE)
        count++;
    return count;
}

/* How `b`, the neighbour of `a` in a side, lies in the other side, where they have these ranks. */
static rhomb_join join_of(const rhomb__compared *a, const rhomb__compared *b, int side,
                          int64_t a_rank, int64_t b_rank)
{
    const int other = 1 - side;
    if (a->sequence[other] != b->sequence[other])
        return RHOMB_JOIN_SEQUENCE;
    if (a->reverse != b->reverse)
        return RHOMB_JOIN_STRAND;
    return b_rank == (a->reverse ? a_rank - 1 : a_rank + 1) ? RHOMB_JOIN_GAP : RHOMB_JOIN_ORDER;
}

/* The bases of a side between two neighbours of the targets; below 0 where they overlap. */
static int64_t between(const rhomb__compared *a, const rhomb__compared *b, int side)
{
    return side == RHOMB__QUERY && a->reverse ? a->begin[side] - b->end[side]
                                              : b->begin[side] - a->end[side];
}

/* Counts the gap between two neighbours that may be one, which becomes *gap. True if it is one. */
static bool count_gap(rhomb__compare_order *o, const rhomb__compared *a, const rhomb__compared *b,
                      rhomb__between *gap)
{
    rhomb_comparison_gaps gaps[RHOMB__SIDES] = {{0}};
    bool is_gap = false;
    rhomb__between between = {.reverse = a->reverse, .codes = o->codes};
    /* What goes on at the circle's other end is in two ranges, and may only be a gap in one piece.
     */
    const bool is_whole = a->rotated == b->rotated;
    for (int side = 0; side < RHOMB__SIDES; side++) {
        const bool turned = side == RHOMB__QUERY && a->reverse;
        const int64_t rotated = side == RHOMB__QUERY && is_whole ? a->rotated : 0;
        between.bases[side] = a->bases[side];
        between.begin[side] = (turned ? b : a)->end[side] - rotated;
        between.end[side] = (turned ? a : b)->begin[side] - rotated;
    }
    if (is_whole || between.begin[RHOMB__TARGET] == between.end[RHOMB__TARGET] ||
        between.begin[RHOMB__QUERY] == between.end[RHOMB__QUERY])
        is_gap = rhomb__between_add(&between, gaps);
    rhomb__sum_add_gaps(o->one_to_one, gaps);
    rhomb__sum_add_gaps(o->similar, gaps);
    *gap = between;
    return is_gap;
}

/* Notes what is between the similar parts of two neighbours, or a gap between both records. */
static void note_between(rhomb__compare_order *o, const rhomb__compared *a,
                         const rhomb__compared *b, const rhomb__between *gap)
{
    const bool is_similar = a->similar_end[0] > a->similar_begin[0] &&
                            b->similar_end[0] > b->similar_begin[0] && a->rotated == b->rotated;
    const rhomb__compared *first = a->reverse ? b : a, *second = a->reverse ? a : b;
    rhomb_event event = {.reverse = a->reverse,
                         .target = (int64_t)a->sequence[RHOMB__TARGET],
                         .query = (int64_t)a->sequence[RHOMB__QUERY],
                         .target_begin = a->similar_end[RHOMB__TARGET],
                         .target_end = b->similar_begin[RHOMB__TARGET],
                         .query_begin = first->similar_end[RHOMB__QUERY],
                         .query_end = second->similar_begin[RHOMB__QUERY]};
    if (gap != NULL) {
        event.target_begin = gap->begin[RHOMB__TARGET];
        event.target_end = gap->end[RHOMB__TARGET];
        event.query_begin = gap->begin[RHOMB__QUERY];
        event.query_end = gap->end[RHOMB__QUERY];
    }
    if (is_similar)
        rhomb__events_add_between(o->events, event, gap != NULL);
}

/* What lies between two neighbours in both sequences. */
static void count_between(rhomb__compare_order *o, const rhomb__compared *a,
                          const rhomb__compared *b)
{
    const int64_t deleted = between(a, b, RHOMB__TARGET), inserted = between(a, b, RHOMB__QUERY);
    rhomb__between gap;
    const bool is_gap =
        deleted >= 0 && inserted >= 0 && deleted + inserted > 0 && count_gap(o, a, b, &gap);
    note_between(o, a, b, is_gap ? &gap : NULL);
    if (deleted < 0 || inserted < 0) {
        o->report->overlaps++;
    } else if (is_gap) {
        o->report->indels_between++;
    } else if (deleted > 0 && inserted > 0) {
        o->report->replaced++;
        o->report->replaced_target += deleted;
        o->report->replaced_query += inserted;
    }
}

/* Counts the joins of the records, sorted by their places in the targets. */
static void join_targets(rhomb__compare_order *o, size_t ones)
{
    for (size_t i = 1; i < ones; i++) {
        const rhomb__compared *a = &o->records[i - 1], *b = &o->records[i];
        if (a->sequence[RHOMB__TARGET] != b->sequence[RHOMB__TARGET])
            continue;
        const rhomb_join join = join_of(a, b, RHOMB__TARGET, a->rank, b->rank);
        o->sides[RHOMB__TARGET]->joins[join]++;
        if (join == RHOMB_JOIN_GAP)
            count_between(o, a, b);
    }
}

/* The end of a record, or of none, that is beside an event after it in the query, or before it. */
static rhomb_event_end end_of(const rhomb__compared *r, size_t query, bool is_after)
{
    if (r == NULL || r->sequence[RHOMB__QUERY] != query)
        return (rhomb_event_end){.target = -1};
    return (rhomb_event_end){
        (int64_t)r->sequence[RHOMB__TARGET],
        is_after == r->reverse ? r->end[RHOMB__TARGET] : r->begin[RHOMB__TARGET], r->reverse};
}

static bool is_moved(const rhomb__compared *r)
{
    return r->kind == RHOMB__COMPARED_RELOCATION || r->kind == RHOMB__COMPARED_TRANSLOCATION;
}

/* Notes where a query goes on in another target, unless the end of an event has it. */
static void note_junction(rhomb__compare_order *o, const rhomb__compared *a,
                          const rhomb__compared *b)
{
    const size_t query = b->sequence[RHOMB__QUERY];
    const int64_t at = b->begin[RHOMB__QUERY] - b->rotated;
    rhomb_event event = {.kind = RHOMB_EVENT_JUNCTION,
                         .reverse = b->reverse,
                         .target = (int64_t)b->sequence[RHOMB__TARGET],
                         .query = (int64_t)query,
                         .query_begin = at,
                         .query_end = at,
                         .before = end_of(a, query, false),
                         .after = end_of(b, query, true)};
    event.target_begin = event.target_end = event.after.position;
    if (!is_moved(a) && !is_moved(b))
        rhomb__events_add(o->events, &event);
}

/* The same of the queries, whose n-th record is number at[n]. */
static void join_queries(rhomb__compare_order *o, size_t ones, const size_t *at)
{
    for (size_t n = 1; n < ones; n++) {
        const rhomb__compared *a = &o->records[at[n - 1]], *b = &o->records[at[n]];
        if (a->sequence[RHOMB__QUERY] != b->sequence[RHOMB__QUERY])
            continue;
        const rhomb_join join = join_of(a, b, RHOMB__QUERY, (int64_t)at[n - 1], (int64_t)at[n]);
        o->sides[RHOMB__QUERY]->joins[join]++;
        if (join == RHOMB_JOIN_SEQUENCE)
            note_junction(o, a, b);
    }
}

/* Whether `b` goes on with the run that `a`, before it in the target, is in. */
static bool goes_on(const rhomb__compared *a, const rhomb__compared *b)
{
    return a->kind == b->kind && a->reverse == b->reverse &&
           a->sequence[RHOMB__TARGET] == b->sequence[RHOMB__TARGET] &&
           a->sequence[RHOMB__QUERY] == b->sequence[RHOMB__QUERY] &&
           (a->reverse ? b->rank < a->rank : b->rank > a->rank);
}

/* The next record in the target, or back, of the main chain of the same sequences; or NULL. */
static const rhomb__compared *next_main(const rhomb__compare_order *o, size_t ones, size_t from,
                                        bool back)
{
    const rhomb__compared *list = o->records, *r = &list[from];
    for (size_t i = back ? from - 1 : from + 1;
         i < ones && list[i].sequence[RHOMB__TARGET] == r->sequence[RHOMB__TARGET];
         i = back ? i - 1 : i + 1)
        if (list[i].kind == RHOMB__COMPARED_CHAIN &&
            list[i].sequence[RHOMB__QUERY] == r->sequence[RHOMB__QUERY])
            return &list[i];
    return NULL;
}

/* Whether the run from `begin` to `end` is between the same two of the main chain on both sides. */
static bool is_in_place(const rhomb__compare_order *o, size_t ones, size_t begin, size_t end)
{
    const rhomb__compared *first = &o->records[begin], *last = &o->records[end - 1];
    const int64_t low = rhomb__min(first->rank, last->rank);
    const int64_t high = rhomb__max(first->rank, last->rank);
    for (int side = 0; side < 2; side++) {
        const rhomb__compared *r = next_main(o, ones, side == 0 ? begin : end - 1, side == 0);
        /* Before it in the target, and so in the query on the main strand. */
        if (r != NULL && (side == 0) != r->reverse ? r->rank > low : r != NULL && r->rank < high)
            return false;
    }
    return true;
}

/* Notes what is beside a run, whose n-th record of the queries is number at[n]. */
static void note_ends(const rhomb__compare_order *o, size_t ones, const size_t *at, size_t begin,
                      size_t end, rhomb_event *event)
{
    const rhomb__compared *list = o->records, *first = &list[begin], *last = &list[end - 1];
    const size_t low = (size_t)rhomb__min(first->rank, last->rank);
    const size_t high = (size_t)rhomb__max(first->rank, last->rank);
    const size_t query = first->sequence[RHOMB__QUERY], target = first->sequence[RHOMB__TARGET];
    const rhomb__compared *previous = begin > 0 ? first - 1 : NULL;
    const rhomb__compared *next = end < ones ? last + 1 : NULL;
    event->before = end_of(low > 0 ? &list[at[low - 1]] : NULL, query, false);
    event->after = end_of(high + 1 < ones ? &list[at[high + 1]] : NULL, query, true);
    previous = previous != NULL && previous->sequence[RHOMB__TARGET] == target ? previous : NULL;
    next = next != NULL && next->sequence[RHOMB__TARGET] == target ? next : NULL;
    if (previous != NULL)
        event->gap_before = event->target_begin - previous->end[RHOMB__TARGET];
    if (next != NULL)
        event->gap_after = next->begin[RHOMB__TARGET] - event->target_end;
    if (previous == NULL || previous->kind != RHOMB__COMPARED_CHAIN)
        return;
    /* The first of several runs has what all of them leave behind. */
    while (next != NULL && next->kind != RHOMB__COMPARED_CHAIN)
        next =
            next + 1 < list + ones && next[1].sequence[RHOMB__TARGET] == target ? next + 1 : NULL;
    if (next == NULL || previous->end[RHOMB__TARGET] >= next->begin[RHOMB__TARGET] ||
        join_of(previous, next, RHOMB__TARGET, previous->rank, next->rank) != RHOMB_JOIN_GAP)
        return;
    event->left_begin = previous->end[RHOMB__TARGET];
    event->left_end = next->begin[RHOMB__TARGET];
}

/* Notes bases of both sides that no record has; of those that may belong together no sum knows. */
static void note_open(rhomb__compare_order *o, rhomb__between open, rhomb_event event)
{
    rhomb_comparison_gaps gaps[RHOMB__SIDES] = {{0}};
    const bool is_gap = rhomb__between_add(&open, gaps);
    event.reverse = open.reverse;
    event.target_begin = open.begin[RHOMB__TARGET];
    event.target_end = open.end[RHOMB__TARGET];
    event.query_begin = open.begin[RHOMB__QUERY];
    event.query_end = open.end[RHOMB__QUERY];
    rhomb__events_add_between(o->events, event, is_gap);
}

/*
 * Notes what is between two neighbours in both sequences, of which one is an inversion, as the
 * query's main strand has it.
 */
static void note_flank(rhomb__compare_order *o, const rhomb__compared *a, const rhomb__compared *b,
                       bool reverse)
{
    rhomb__between open = {.reverse = reverse, .codes = o->codes};
    if (a->similar_end[0] <= a->similar_begin[0] || b->similar_end[0] <= b->similar_begin[0] ||
        a->sequence[0] != b->sequence[0] || a->sequence[1] != b->sequence[1])
        return;
    for (int side = 0; side < RHOMB__SIDES; side++) {
        const bool turned = side == RHOMB__QUERY && reverse;
        open.bases[side] = a->bases[side];
        open.begin[side] = (turned ? b : a)->similar_end[side];
        open.end[side] = (turned ? a : b)->similar_begin[side];
    }
    note_open(o, open,
              (rhomb_event){.target = (int64_t)a->sequence[RHOMB__TARGET],
                            .query = (int64_t)a->sequence[RHOMB__QUERY]});
}

static void note_flanks(rhomb__compare_order *o, size_t ones, size_t begin, size_t end)
{
    const rhomb__compared *first = &o->records[begin], *last = &o->records[end - 1];
    const int64_t beside[2] = {last->rank - 1, first->rank + 1};
    const rhomb__compared *before = begin > 0 ? first - 1 : last;
    const rhomb__compared *after = end < ones ? last + 1 : first;
    const bool reverse = !first->reverse;
    if (before->kind == RHOMB__COMPARED_CHAIN && before->rank == beside[reverse])
        note_flank(o, before, first, reverse);
    if (after->kind == RHOMB__COMPARED_CHAIN && after->rank == beside[!reverse])
        note_flank(o, last, after, reverse);
}

/* Notes a run of records as an event. */
static void note_run(rhomb__compare_order *o, size_t ones, const size_t *at, size_t begin,
                     size_t end)
{
    const rhomb__compared *first = &o->records[begin];
    rhomb_event event = {.kind = RHOMB_EVENT_TRANSLOCATION,
                         .reverse = first->reverse,
                         .inverted = first->inverted,
                         .target = (int64_t)first->sequence[RHOMB__TARGET],
                         .query = (int64_t)first->sequence[RHOMB__QUERY],
                         .target_begin = first->begin[RHOMB__TARGET],
                         .query_begin = INT64_MAX};
    for (size_t i = begin; i < end; i++) {
        const rhomb__compared *r = &o->records[i];
        event.target_end = rhomb__max(event.target_end, r->end[RHOMB__TARGET]);
        event.query_begin = rhomb__min(event.query_begin, r->begin[RHOMB__QUERY] - r->rotated);
        event.query_end = rhomb__max(event.query_end, r->end[RHOMB__QUERY] - r->rotated);
    }
    event.bases =
        rhomb__max(event.target_end - event.target_begin, event.query_end - event.query_begin);
    if (first->kind == RHOMB__COMPARED_INVERSION) {
        event.inverted = true;
        event.kind =
            is_in_place(o, ones, begin, end) ? RHOMB_EVENT_INVERSION : RHOMB_EVENT_RELOCATION;
    } else if (first->kind == RHOMB__COMPARED_RELOCATION) {
        event.kind = RHOMB_EVENT_RELOCATION;
    }
    note_ends(o, ones, at, begin, end, &event);
    rhomb__events_add(o->events, &event);
    if (event.kind == RHOMB_EVENT_INVERSION)
        note_flanks(o, ones, begin, end);
}

/* Notes where the query of a main chain begins, if that is between two of its records. */
static void note_turn(rhomb__compare_order *o, const rhomb__compared *r)
{
    const int64_t at = r->begin[RHOMB__TARGET];
    const int64_t query = r->reverse ? r->end[RHOMB__QUERY] : r->begin[RHOMB__QUERY];
    const rhomb_event event = {.kind = RHOMB_EVENT_ROTATION,
                               .reverse = r->reverse,
                               .target = (int64_t)r->sequence[RHOMB__TARGET],
                               .query = (int64_t)r->sequence[RHOMB__QUERY],
                               .target_begin = at,
                               .target_end = at,
                               .query_begin = query,
                               .query_end = query,
                               .bases = at};
    rhomb__events_add(o->events, &event);
}

/*
 * Notes what is between the similar part of a record and the beginning or end of both sequences, if
 * it is the outermost one in both, and these belong together for the most part.
 */
static void note_rest(rhomb__compare_order *o, size_t ones, const size_t *at, size_t number,
                      bool is_end)
{
    const rhomb__compared *list = o->records, *r = &list[number];
    const bool is_begin_of_query = is_end == r->reverse;
    const size_t target_next = is_end ? number + 1 : number - 1;
    const size_t query_next = (size_t)(is_begin_of_query ? r->rank - 1 : r->rank + 1);
    const int64_t none = -1;
    rhomb__between rest = {.reverse = r->reverse, .codes = o->codes};
    rhomb_event event = {.in_record = true,
                         .target = (int64_t)r->sequence[RHOMB__TARGET],
                         .query = (int64_t)r->sequence[RHOMB__QUERY],
                         .before = {.target = is_begin_of_query ? none : 0},
                         .after = {.target = is_begin_of_query ? 0 : none}};
    if (!r->has_most || r->rotated != 0 || r->similar_end[0] <= r->similar_begin[0] ||
        (target_next < ones &&
         list[target_next].sequence[RHOMB__TARGET] == r->sequence[RHOMB__TARGET]) ||
        (query_next < ones &&
         list[at[query_next]].sequence[RHOMB__QUERY] == r->sequence[RHOMB__QUERY]))
        return;
    for (int side = 0; side < RHOMB__SIDES; side++) {
        const bool at_end = side == RHOMB__QUERY ? !is_begin_of_query : is_end;
        rest.bases[side] = r->bases[side];
        rest.begin[side] = at_end ? r->similar_end[side] : 0;
        rest.end[side] = at_end ? r->length[side] : r->similar_begin[side];
        event.in_record =
            event.in_record && (at_end ? r->end[side] == r->length[side] : r->begin[side] == 0);
    }
    note_open(o, rest, event);
}

static void note_runs(rhomb__compare_order *o, size_t ones, const size_t *at)
{
    for (size_t i = 0, end; i < ones; i = end) {
        const rhomb__compared *r = &o->records[i];
        for (end = i + 1; end < ones && goes_on(&o->records[end - 1], &o->records[end]); end++)
            if (r->kind != RHOMB__COMPARED_CHAIN &&
                llabs(o->records[end].rank - o->records[end - 1].rank) > 1)
                break; /* what is between them in the query is part of neither */
        if (r->kind != RHOMB__COMPARED_CHAIN) {
            note_run(o, ones, at, i, end);
            continue;
        }
        for (size_t k = i; k < end; k++) {
            if (o->records[k].turns)
                note_turn(o, &o->records[k]);
            note_rest(o, ones, at, k, false);
            note_rest(o, ones, at, k, true);
        }
    }
}

static void count_runs(rhomb__compare_order *o, size_t ones)
{
    for (size_t i = 0; i < ones; i++) {
        const rhomb__compared *r = &o->records[i];
        rhomb_comparison_runs *runs = o->runs[r->kind];
        if (runs == NULL)
            continue;
        runs->count += i == 0 || !goes_on(&o->records[i - 1], r);
        runs->records++;
        runs->target_bases += r->end[RHOMB__TARGET] - r->begin[RHOMB__TARGET];
        runs->query_bases += r->end[RHOMB__QUERY] - r->begin[RHOMB__QUERY];
    }
}

rhomb_status rhomb__compare_order_find(rhomb__compare_order *o)
{
    rhomb_status status = RHOMB_OK;
    if (o->count == 0)
        return RHOMB_OK;
    choose(o);
    qsort(o->records, o->count, sizeof *o->records, by_query);
    const size_t ones = count_ones(o);
    for (size_t i = 0; i < ones; i++)
        o->records[i].rank = (int64_t)i;
    qsort(o->records, o->count, sizeof *o->records, by_target);
    size_t *at = malloc((ones + 1) * sizeof *at);
    if (at == NULL)
        return rhomb__fail_memory(o->error, (ones + 1) * sizeof *at, "the order of records");
    for (size_t i = 0; i < ones; i++)
        at[o->records[i].rank] = i;
    RHOMB_TRY(rhomb__compare_chains(o->error, o->records, ones, o->sequences));
    join_targets(o, ones);
    join_queries(o, ones, at);
    count_runs(o, ones);
    note_runs(o, ones, at);
    status = o->events->status;
out:
    free(at);
    return status;
}
