/* SPDX-License-Identifier: MIT */
/*
 * The events of a comparison, see rhomb/comparison.h: those in records are noted on the way, those
 * between records and rearrangements once these are in order.
 */
#ifndef RHOMB_SRC_COMPARE_EVENTS_H
#define RHOMB_SRC_COMPARE_EVENTS_H

#include "rhomb/comparison.h"
#include "src/formats/score.h"
#include "src/io/stream.h"

/*
 * Gaps in pieces. Where opening a gap costs nothing, a long one costs as much in pieces, with bases
 * of the other side matched by chance between them:
 *
 *     target   ======== t1 ---- t2 --- t3 ------ ======      t1 t2 t3: bases that belong together,
 *     query    ======== q1 ---- q2 --- q3 ------ ======      beside either end of the gap
 *
 * So what lies between two similar stretches is one gap if one side has at least twice the bases of
 * the other, and the shorter one is similar to the beginning or the end of the longer one, or
 * partly to either. Where bases were replaced by others, it is not. The two sides, as indexes:
 */
enum { RHOMB__TARGET, RHOMB__QUERY, RHOMB__SIDES };

/* Adds a gap of one base or more. */
void rhomb__gaps_add(rhomb_comparison_gaps *gaps, int64_t bases);

/* What may be a gap in pieces: ranges on the forward strands. */
typedef struct rhomb__between {
    const char *bases[RHOMB__SIDES]; /* of the whole sequences */
    int64_t begin[RHOMB__SIDES], end[RHOMB__SIDES];
    bool reverse;
    const rhomb__score_codes *codes; /* of what matches */
} rhomb__between;

/*
 * Adds ranges that are a gap, in pieces or in one, to those of the longer side: as many bases as
 * that has more; true, with the ranges less what goes along at either end. Time: the bases of the
 * shorter side and the square of the edits in them, of which there may be up to 1000 at either end.
 */
bool rhomb__between_add(rhomb__between *between, rhomb_comparison_gaps gaps[RHOMB__SIDES]);

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
