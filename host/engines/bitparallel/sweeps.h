/* SPDX-License-Identifier: MIT */
/*
 * One driver for all sweeps: for one that takes hours and for hundreds side by side that take a
 * millisecond. It knows strips, their records, and what they hand on through borders
 * (src/strips/strips_many.h); it does not know the kernel's step. The bit-parallel engine runs one
 * sweep after the other, each for a larger bound; host/splits runs many at a time, whose bounds are
 * known distances.
 *
 * A queue orders the launches, of all or of a direction, and the host reads nothing while sweeps
 * run, but for what devices pass on that share one. Each launch has a list of the strips that run
 * in it: groups that return at once would be dealt out to the units of a device like others, and
 * leave it unevenly busy. A single sweep's strips are neighbours, so its list is that of all
 * strips, and a launch is a part of it.
 *
 * Several devices may share a single sweep, each with an rhomb__sweeps of its own
 * (sweep_devices.h). Each has all records and the whole border row, but only its own strips run on
 * it.
 *
 * Buffers, kernel and host memory stay from one set of sweeps to the next, and a launch sets only
 * what changes: rounds of an alignment are short, and making these takes as long as their
 * arithmetic.
 */
#ifndef RHOMB_HOST_SWEEPS_H
#define RHOMB_HOST_SWEEPS_H

#include "host/device/buffer.h"
#include "host/device/program.h"
#include "host/device/queue.h"
#include "host/engines/bitparallel/borders.h"
#include "src/planner/engine_plan.h"
#include "src/strips/strips_many.h"

/* The buffers on the device. The first three are the caller's to fill, if it has no others. */
enum {
    RHOMB__SWEEP_ROWS,
    RHOMB__SWEEP_COLUMNS,
    RHOMB__SWEEP_RANGES,
    RHOMB__SWEEP_DOWN,   /* rows between launches: vertical differences, and more */
    RHOMB__SWEEP_ACROSS, /* borders: horizontal differences of each block, and more */
    RHOMB__SWEEP_CARRY,  /* between launches: a border's block for each item */
    RHOMB__SWEEP_STRIPS, /* the records */
    RHOMB__SWEEP_LISTED, /* strips, in the order in which launches have them */
    RHOMB__SWEEP_BUFFERS
};

/*
 * A way of launching: a queue, and the strips that run in it. Where a single sweep has enough
 * strips to keep a device busy, each direction has a queue of its own: while the last groups of one
 * direction's launch run, or what devices pass on is on its way, the other one's take the units.
 */
typedef struct rhomb__sweep_way {
    rhomb__device_stream *stream; /* the device's, or `own` */
    rhomb__device_stream own;     /* with a queue of its own; kept */
    int64_t directions;           /* that are listed, 1 or 2, which alternate; of one sweep: ... */
    int64_t direction;            /* ... the first of them */
    int64_t first_listed;         /* where its strips begin in the list */
    int64_t first_active, end_active; /* strips that ran in the last launch */
    rhomb__pace pace;
    rhomb__borders borders; /* where several devices share the sweep, and ... */
    rhomb__borders *before; /* ... those of the device before */
} rhomb__sweep_way;

typedef struct rhomb__sweeps {
    rhomb__device_stream *stream;
    rhomb__buffer buffers[RHOMB__SWEEP_BUFFERS];
    int64_t most_bytes; /* of them together, if they can be; 0: each has what it needs, no more */
    cl_kernel kernel;
    const rhomb__program *program; /* of the kernel */
    int32_t group_size;
    double launches_per_second;

    int32_t owner; /* of a single sweep that several devices share: which of them this one is */
    bool one_way;  /* another device that shares it has one way only */
    rhomb_context *rank; /* this one is another rank's (remote_sweep.h); NULL: it is here */
    rhomb__sweep_way ways[2];
    int32_t way_count;

    /* Work so far. */
    int64_t cells, launches, reads;
    int64_t device_bytes; /* the most that the buffers had */

    /* The set that runs. */
    rhomb__sweep_share *shares; /* the caller's */
    int64_t count;
    rhomb__sweep_totals totals;
    bool is_running; /* commands may be running */
    int64_t all_launches;
    int64_t next_launch;
    double all_seconds; /* of all launches, and of those enqueued, as rates have it */
    double enqueued_seconds, behind_seconds; /* the latter of those that may not be done */
    double fraction;                         /* the last one told: more may be behind later */
    int64_t most_groups;                     /* of a launch */
    rhomb_strip *records;
    rhomb_strip *answers; /* the records as the device left them */
    uint32_t *down;       /* the final vertical differences */
    rhomb__sweep_breakpoint *found;
    char *host; /* room for these four; kept, as fresh pages take as long as a round */
    int64_t host_bytes;

    /* The launches [listed_from, listed_to), whose strips are listed on the device. */
    uint32_t *listed;
    int64_t *counts; /* of running strips, of each launch */
    int64_t *ends;   /* of each of those launches in the list */
    int64_t listed_room;
    int64_t listed_from, listed_to;
} rhomb__sweeps;

/* The kernels that sweep: Myers' step, and the bit-sliced one. */
#define RHOMB__SWEEP_MYERS  "rhomb_bitparallel_sweep"
#define RHOMB__SWEEP_SLICED "rhomb_bitsliced_sweep"

/* The same with the kernel of a plan's sweep. */
rhomb_status rhomb__sweeps_use_plan(rhomb__sweeps *sweeps, const rhomb__program *program,
                                    const rhomb__plan *plan);

/*
 * The bytes that the buffers of some sweeps need, without the caller's, and with the shortest list;
 * all have the shape of `sweep`.
 */
void rhomb__sweeps_bytes(const rhomb__sweep *sweep, const rhomb__sweep_totals *totals,
                         int64_t bytes[RHOMB__SWEEP_BUFFERS]);

/* The bytes that a longer list of many sweeps takes besides, where all may take `most_bytes`. */
int64_t rhomb__sweeps_list_bytes(int64_t most_bytes);

/*
 * Prepares a set of sweeps, each for paths of cost at most its share's bound: lays out the shares,
 * makes the records, sends them, and makes the buffers large enough. A buffer that was smaller
 * loses its contents. `own` is what the caller's three buffers need, in bytes, or NULL.
 */
rhomb_status rhomb__sweeps_prepare(rhomb__sweeps *sweeps, rhomb__sweep_share *shares, int64_t count,
                                   const int64_t own[RHOMB__SWEEP_DOWN]);

/*
 * Whether the directions of a single sweep should have a queue each: where both have enough strips
 * in flight for all units, so that nothing is lost on a device that runs one queue's launches after
 * the other's.
 */
bool rhomb__sweeps_can_overlap(const rhomb__sweeps *sweeps, const rhomb__sweep_share *share);

/* How a device is joined with those before and after it. */
typedef struct rhomb__sweeps_joint {
    struct rhomb__sweeps *before; /* NULL: another rank's */
    rhomb__link *last, *next;     /* to the ranks of the device before and of the next; NULL: ... */
    int64_t job;                  /* ... as here. Of the sweep, counted by rank 0 */
    const rhomb__program *program; /* of borders.h */
} rhomb__sweeps_joint;

/* Prepares the borders of a single sweep that is shared, after all devices have prepared it. */
rhomb_status rhomb__sweeps_join(rhomb__sweeps *sweeps, const rhomb__sweeps_joint *joint);

/*
 * After the last launch, or before where the sweep has failed: tells the next rank that nothing
 * more comes; and takes what is left of the rank before, which has to tell the same, up to that.
 */
rhomb_status rhomb__sweeps_tell_end(rhomb__sweeps *sweeps);
rhomb_status rhomb__sweeps_take_rest(rhomb__sweeps *sweeps);

/* Begins to run the prepared set on rows and columns that are packed. */
rhomb_status rhomb__sweeps_begin(rhomb__sweeps *sweeps, const rhomb__buffer *rows,
                                 const rhomb__buffer *columns);

/*
 * Enqueues launches for about a tenth of a second. *fraction of the work is done, by the device's
 * rates; all is done when it is 1.
 */
rhomb_status rhomb__sweeps_advance(rhomb__sweeps *sweeps, double *fraction);

/* One launch of each way, the next one; *behind as in queue.h, of the first way. */
rhomb_status rhomb__sweeps_step(rhomb__sweeps *sweeps, int64_t *behind);

/*
 * Of a single sweep that ranks share, on one of the others: passes on what is due before the next
 * launch, and finds out whether that would wait for the rank before.
 */
rhomb_status rhomb__sweeps_would_wait(rhomb__sweeps *sweeps, bool *waits);

/* After a pause that was not the device's: no launch has taken so long. */
void rhomb__sweeps_pace_anew(rhomb__sweeps *sweeps);

/* Waits for all launches so far. */
rhomb_status rhomb__sweeps_wait(rhomb__sweeps *sweeps);

/*
 * The fraction of the work that is done when a wait has ended with that many launches behind. It
 * never falls.
 */
double rhomb__sweeps_fraction(rhomb__sweeps *sweeps);

/*
 * Parts of finishing a single sweep: reads the records; takes over the fronts that the owners'
 * answers have, checks them, and finds out which strips' rows the result needs; reads those of this
 * device; and finds the result.
 */
rhomb_status rhomb__sweeps_read_records(rhomb__sweeps *sweeps);
rhomb_status rhomb__sweeps_take_records(rhomb__sweeps *sweeps, const rhomb__sweeps *owners);
rhomb_status rhomb__sweeps_read_middle(rhomb__sweeps *sweeps, rhomb__sweeps *to);
void rhomb__sweeps_find(rhomb__sweeps *sweeps);

/*
 * Reads and checks the results. On return sweeps->found[i] is the result of shares[i], and the
 * records of a share are those that its sweep alone would have left.
 */
rhomb_status rhomb__sweeps_finish(rhomb__sweeps *sweeps);

/* Waits for what runs, if anything, and forgets the set. */
void rhomb__sweeps_stop(rhomb__sweeps *sweeps);

/* The same, and releases everything. */
void rhomb__sweeps_release(rhomb__sweeps *sweeps);

#endif
