/* SPDX-License-Identifier: MIT */
/*
 * Lists of events, see compare_events.h.
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
