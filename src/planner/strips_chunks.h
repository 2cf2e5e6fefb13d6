/* SPDX-License-Identifier: MIT */
/*
 * Which device has which strips of a sweep that several share (rhomb__strip_chunks), and which of
 * its strips are *borders*: the last ones of its chunks, that another device has a strip below of.
 * Strips and borders are counted in one direction; the other one has the same. Pure functions.
 */
#ifndef RHOMB_SRC_STRIPS_CHUNKS_H
#define RHOMB_SRC_STRIPS_CHUNKS_H

#include "src/planner/strips.h"

/* Whether several devices share the sweep. */
bool rhomb__sweep_is_shared(const rhomb__sweep *sweep);

/* The owner of strip g. */
int32_t rhomb__strip_owner(const rhomb__sweep *sweep, int64_t g);

/* Whether the strip above strip g is another owner's. */
bool rhomb__strip_begins_chunk(const rhomb__sweep *sweep, int64_t g);

/* How many of the strips [0, g) an owner has. */
int64_t rhomb__strips_owned(const rhomb__sweep *sweep, int32_t owner, int64_t g);

/* Strip `index` of those that an owner has. */
int64_t rhomb__strip_of_owner(const rhomb__sweep *sweep, int32_t owner, int64_t index);

/* How many borders an owner has among the strips [0, g), and the strip of border `index`. */
int64_t rhomb__borders_owned(const rhomb__sweep *sweep, int32_t owner, int64_t g);
int64_t rhomb__border_of_owner(const rhomb__sweep *sweep, int32_t owner, int64_t index);

/* The most strips of a direction that run at a time in the band for a bound, about. */
int64_t rhomb__sweep_in_flight(const rhomb__sweep *sweep, int64_t bound);

/*
 * Whether several devices take less time than the first one alone, where that many strips of a
 * direction run at a time. Speeds are in cells a second; a step takes at least `step_seconds`.
 */
bool rhomb__sharing_pays(const rhomb__sweep *sweep, int64_t in_flight, const double *speeds,
                         int32_t owners, double step_seconds);

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
