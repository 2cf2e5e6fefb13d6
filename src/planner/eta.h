/* SPDX-License-Identifier: MIT */
/*
 * How long a call will still take. This is arithmetic on its progress so far; the caller gives the
 * time. Times are seconds on one clock, fractions are of a phase's work, 0 to 1.
 */
#ifndef RHOMB_SRC_ETA_H
#define RHOMB_SRC_ETA_H

/* A moment of a phase. */
typedef struct rhomb__moment {
    double seconds;
    double fraction;
} rhomb__moment;

/* Time to the end of the phase at the rate from `from` to `now`; negative if nothing was done. */
double rhomb__eta_at_rate(const rhomb__moment *from, const rhomb__moment *now);

/*
 * A phase whose pace changes steadily, as that of a sweep whose band narrows. All zero before the
 * first moment, which counts from the phase's beginning.
 */
typedef struct rhomb__trend {
    rhomb__moment last;
    double pace; /* seconds for the whole at the pace of late; 0: not known */
} rhomb__trend;

/*
 * Time to the end of the phase if its pace goes on changing as it has, down to half or up to twice
 * what it is now; negative if nothing was done.
 */
double rhomb__eta_by_trend(rhomb__trend *trend, const rhomb__moment *now);

/*
 * The fraction of a call that consists of phases, each of which goes from 0 to 1 and nobody knows
 * how many there are: a wavefront and the sweep that takes over, a sweep and one with a larger
 * bound. All zero before the first. A phase that begins shares what is left.
 */
typedef struct rhomb__rise {
    double before; /* of the call, when the phase began */
    double phase;  /* the fraction of the phase */
    double shown;
} rhomb__rise;

/* The fraction of the call when its phase is so far; it never falls. 0 after more begins a phase.
 */
double rhomb__rise_to(rhomb__rise *rise, double phase);

/*
 * The cost that the progress of a wavefront goes by, with all below `done` ruled out: what a guide
 * promises (0: there is none), or, if antidiagonals go on as they did, that of the score at which
 * they reach the end; `share` of them is reached, 0 where that is not known. A long insertion or
 * deletion holds them up, which a guide knows of; where they promise less, that counts the more the
 * nearer they are to the end. At most `bound`.
 */
double rhomb__eta_expected_cost(double done, double bound, double promised, double share);

/*
 * The two phases of an alignment: the distance, then the path, which takes about `share` times as
 * long. All zero before anything is known.
 */
typedef struct rhomb__eta {
    double work_began;    /* time of the first report on the distance */
    double distance_ends; /* by the latest report */
    double path_began;
    int phase; /* 0: no report yet; 1: the distance; 2: the path */
} rhomb__eta;

/*
 * Time to the end of the path while the distance is computed, which will take `to_go`; a negative
 * `to_go` brings no news. Negative before anything is known.
 */
double rhomb__eta_of_distance(rhomb__eta *eta, double now, double to_go, double share);

/* The distance is known. */
void rhomb__eta_begin_path(rhomb__eta *eta, double now);

/*
 * Time to the end of the path, of which a fraction is done. At first it follows from the time of
 * the distance, from the first fiftieth to the first tenth more and more from the path's own rate,
 * and then from that rate alone. Never negative.
 */
double rhomb__eta_of_path(const rhomb__eta *eta, double now, double done, double share);

#endif
