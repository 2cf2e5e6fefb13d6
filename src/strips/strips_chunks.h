/* SPDX-License-Identifier: MIT */
/*
 * Which device has which strips of a sweep that several share, and which of its strips are
 * *borders*: the last ones of its chunks, that another device has a strip below of. Strips and
 * borders are counted in one direction; the other one has the same. Pure functions.
 */
#ifndef RHOMB_SRC_STRIPS_CHUNKS_H
#define RHOMB_SRC_STRIPS_CHUNKS_H

#include "rhomb/rhomb.h"

/*
 * How devices share a sweep: chunks of neighbouring strips, whose owners take turns. What a chunk's
 * last strip passes on travels to the next owner for `travel` launches, so the strip below begins
 * that much later. What strips compute does not depend on it.
 */
typedef struct rhomb__strip_chunks {
    int32_t owners;                     /* 0 or 1: one has all strips */
    int32_t travel;                     /* launches */
    int64_t strips[RHOMB_MOST_DEVICES]; /* of a chunk of each owner, at least 1 */
} rhomb__strip_chunks;

/* Whether there are several owners. */
bool rhomb__chunks_are_shared(const rhomb__strip_chunks *chunks);

/* The owner of strip g. */
int32_t rhomb__strip_owner(const rhomb__strip_chunks *chunks, int64_t g);

/* Whether the strip above strip g is another owner's. */
bool rhomb__strip_begins_chunk(const rhomb__strip_chunks *chunks, int64_t g);

/* How many of the strips [0, g) an owner has. */
int64_t rhomb__strips_owned(const rhomb__strip_chunks *chunks, int32_t owner, int64_t g);

/* Strip `index` of those that an owner has. */
int64_t rhomb__strip_of_owner(const rhomb__strip_chunks *chunks, int32_t owner, int64_t index);

/*
 * How many borders an owner has among the strips [0, g), of `strips` in all; and the strip of
 * border `index`.
 */
int64_t rhomb__borders_owned(const rhomb__strip_chunks *chunks, int32_t owner, int64_t g,
                             int64_t strips);
int64_t rhomb__border_of_owner(const rhomb__strip_chunks *chunks, int32_t owner, int64_t index);

#endif
