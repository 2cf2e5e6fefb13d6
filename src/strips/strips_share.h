/* SPDX-License-Identifier: MIT */
/*
 * Whether several devices share a sweep, and in which chunks (strips_chunks.h), by a model of their
 * launches. Shares change speed, never results. Pure functions.
 */
#ifndef RHOMB_SRC_STRIPS_SHARE_H
#define RHOMB_SRC_STRIPS_SHARE_H

#include "src/strips/strips.h"

/* The most strips of a direction that run at a time in the band for a bound, about. */
int64_t rhomb__sweep_in_flight(const rhomb__sweep *sweep, int64_t bound);

/*
 * Whether several devices take less time than the first one alone, where that many strips of a
 * direction run at a time. Speeds are in cells a second; a step takes at least `step_seconds`.
 */
bool rhomb__sharing_pays(const rhomb__sweep *sweep, int64_t in_flight, const double *speeds,
                         const rhomb__strip_chunks *chunks, double step_seconds);

/*
 * Launches that a border has to travel: a read, a copy and a write have to be done within them. Two
 * H200 need 42 microseconds a launch with one, 24 to 29 with two.
 */
#define RHOMB__BORDER_TRAVEL 2

/*
 * The strips of a chunk, where about `in_flight` strips run at a time on equal devices. A launch
 * takes as long as the device with the most strips in it, which has up to a chunk too many: c of
 * the W / D that are its share, half of that in the mean. Each border delays the strips below it by
 * `travel` launches, of c * (the launches by which a strip follows the one above). The sum of both,
 * travel / (c * launches) + c * D / (2 * W), is least at c = sqrt(2 * travel * W / (launches * D)).
 */
int64_t rhomb__chunk_strips(const rhomb__sweep *sweep, int32_t owners, int64_t in_flight);

/* The same for devices of different speeds, which get chunks in proportion to them. */
rhomb__strip_chunks rhomb__chunks_for(const rhomb__sweep *sweep, const double *speeds,
                                      int32_t owners, int64_t in_flight);

#endif
