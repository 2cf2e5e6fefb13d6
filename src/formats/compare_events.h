/* SPDX-License-Identifier: MIT */
/*
 * The events of a comparison, see rhomb/comparison.h: those in records are noted on the way, those
 * between records and rearrangements once these are in order.
 */
#ifndef RHOMB_SRC_COMPARE_EVENTS_H
#define RHOMB_SRC_COMPARE_EVENTS_H

#include "src/formats/compare_gap.h"
#include "src/io/stream.h"

/* All zeros is none. */
typedef struct rhomb__events {
    rhomb__error *error;
    rhomb_status status; /* of the first that could not be added, for want of memory */
    rhomb__bytes list;   /* rhomb_event each */
} rhomb__events;

size_t rhomb__events_count(const rhomb__events *events);
void rhomb__events_cut(rhomb__events *events, size_t count);

/* Adds an event, of any length. */
void rhomb__events_add(rhomb__events *events, const rhomb_event *event);

/*
 * Adds what is between two similar stretches, whose ranges the event has, unless it is too short:
 * an insertion or deletion, if it `is_gap` or one range is empty, or else a replacement.
 */
void rhomb__events_add_between(rhomb__events *events, rhomb_event event, bool is_gap);

/* Puts them in the order of the targets. */
void rhomb__events_sort(rhomb__events *events);

void rhomb__events_release(rhomb__events *events);

#endif
