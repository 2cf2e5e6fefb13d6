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

/*
 * What a guide promises (src/planner/guide_segments.h): a cost, in steps, and between which
 * *places* each step is paid. A place is a share of all antidiagonals, 0 to 1. Where differences
 * are spread evenly, both are the same; a long insertion or deletion is somewhere between two
 * points.
 */
#define RHOMB__PROMISE_STEPS 128

typedef struct rhomb__promise {
    double cost; /* of the whole pair; not above 0: none is promised */
    double begins[RHOMB__PROMISE_STEPS], ends[RHOMB__PROMISE_STEPS];
    double bases;  /* of both sequences: all antidiagonals */
    double random; /* the cost of random sequences, for each base */
} rhomb__promise;

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
 * The work of a sweep whose band narrows, over that of one whose does not. The band has the
 * diagonals of paths within a bound, and fewer once a path has paid a part of it: each step of the
 * promise takes away its share, times `narrows`, of the direction that passes it. Without a promise
 * the steps are spread evenly. And how much of it is done when a fraction of the columns is swept.
 */
double rhomb__band_share(const rhomb__promise *promise, int directions, double narrows);
double rhomb__band_done(const rhomb__promise *promise, int directions, double narrows,
                        double columns);

/*
 * `narrows` where the bound is that of a path, and where it has some to spare: with a promise of
 * the same everywhere that makes the shares in one direction 0.57 and 0.75, see plan_seconds.c.
 */
#define RHOMB__NARROWS_PATH  0.86
#define RHOMB__NARROWS_SPARE 0.5

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

/* What is known of a wavefront when it tells of its progress. */
typedef struct rhomb__wave_moment {
    double seconds;  /* since it began */
    double done;     /* costs below are ruled out */
    double bound;    /* no cost is above */
    int directions;  /* 1 or 2, which pay the same */
    double reach[2]; /* antidiagonals that they have come to, each from its end, as a share of all;
                        0 where that is not known */
} rhomb__wave_moment;

/* What is expected of a running wavefront. All zero before its first moment. */
typedef struct rhomb__forecast {
    double paid[2], reach[2];         /* of each direction, when it was last in what matches */
    double since_seconds, since_work; /* the speed counts from here, ... */
    double next_seconds, next_work;   /* ... and from here once the work has doubled */
} rhomb__forecast;

/*
 * The cost that the progress goes by; not above the bound, nor below `done`. Without a promise the
 * rest costs as much for each antidiagonal as those so far. With one, it costs the steps that
 * neither direction has passed; and if what is reached has cost more or less than was promised, the
 * rest differs by as much for each antidiagonal, which counts the more, the more of them are
 * reached. While a direction comes on no faster than random sequences would let it, it pays for a
 * long insertion or deletion, or for what was replaced: then it counts as where that begins, with
 * what it had paid there.
 */
double rhomb__forecast_cost(rhomb__forecast *forecast, const rhomb__promise *promise,
                            const rhomb__wave_moment *now);

/*
 * The fraction of a wavefront's work that is done, and the time to its end, at the speed of the
 * last half of its work or more, which leaves out what its beginning cost; negative if nothing was
 * done.
 */
typedef struct rhomb__foretold {
    double fraction, seconds;
} rhomb__foretold;

rhomb__foretold rhomb__forecast_make(rhomb__forecast *forecast, const rhomb__promise *promise,
                                     double full, const rhomb__wave_moment *now);

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
