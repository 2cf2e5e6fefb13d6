/* SPDX-License-Identifier: MIT */
/*
 * How long a call will take to its end: arithmetic on what it has told so far, with the time given
 * by the caller. Times are seconds on one clock, fractions are of a phase's work, 0 to 1.
 */
#ifndef RHOMB_SRC_ETA_H
#define RHOMB_SRC_ETA_H

/* A moment of a phase. */
typedef struct rhomb__moment {
    double seconds;
    double fraction;
} rhomb__moment;

/* To the end of the phase, as fast as from `from` to `now`; negative where nothing was done. */
double rhomb__eta_at_rate(const rhomb__moment *from, const rhomb__moment *now);

/*
 * The two phases of an alignment, the distance and then the path, which takes about `share` times
 * as long. All zero before anything is known.
 */
typedef struct rhomb__eta {
    double work_began;    /* when the distance was told of first */
    double distance_ends; /* by what it said last */
    double path_began;
    int phase; /* 0: nothing was told; 1: the distance; 2: the path */
} rhomb__eta;

/*
 * To the end of the path while the distance is computed, which will take `to_go`; where that is
 * negative, nothing new is known of it. Negative before anything was known.
 */
double rhomb__eta_of_distance(rhomb__eta *eta, double now, double to_go, double share);

/* The distance is known. */
void rhomb__eta_begin_path(rhomb__eta *eta, double now);

/*
 * To the end of the path, a fraction of which is done: at first by what the distance took, from the
 * first fiftieth to the first tenth more and more by its own rate, and then by that alone. Never
 * negative.
 */
double rhomb__eta_of_path(const rhomb__eta *eta, double now, double done, double share);

#endif
