/* SPDX-License-Identifier: MIT */
/*
 * Sweeps by emulated kernels (emu/), one alone or several side by side. It does what
 * host/engines/bitparallel/sweeps.c does, with the packed parts that the engine asks for and
 * buffers of just the sizes that it allocates; as there, they keep what an earlier sweep has left
 * in them.
 */
#ifndef RHOMB_TESTS_SWEEP_RIG_H
#define RHOMB_TESTS_SWEEP_RIG_H

#include "emu/emulated.h"
#include "host/upload/pack.h"
#include "src/planner/engine_plan.h"
#include "src/strips/strips_many.h"
#include "support/pair.h"

/* Symbols of short and long pairs. */
enum { SWEEP_SHORT = 70, SWEEP_LONGEST = 1600 };

/* A pair with a kernel's number of symbols, and how it is swept. */
typedef struct sweep_problem {
    const emulated_sweep *kernel;
    pair letters; /* a: the target, b: the query */
    unsigned char codes[256];
    rhomb__plan plan;
    rhomb__sweep sweep;
} sweep_problem;

/* As many symbols as there are codes, or few of 256; one of them has code 0, as the padding does.
 */
const char *sweep_alphabet(int32_t planes);

int64_t sweep_strip_rows(const emulated_sweep *kernel);

/* Codes and plan of a problem whose kernel and bases are there; Myers' step without costs. */
void sweep_complete_problem(sweep_problem *p, const rhomb__costs *costs, int64_t steps,
                            int directions);

/* The same with a random number of steps, and one direction or two. */
void sweep_complete_randomly(sweep_problem *p, const rhomb__costs *costs, rng *r);

/* Near the edges of blocks and words, or of up to as many strips as take little time. */
int64_t sweep_random_length(const emulated_sweep *kernel, rng *r);

/* Makes a pair of any model for a kernel; false when it is one that no engine gets. */
bool sweep_random_pair(sweep_problem *p, const emulated_sweep *kernel, rng *r);

/* Packs as the engine asks, in launches for at most so many bases; the caller frees it. */
void *sweep_pack(const sweep_problem *p, const rhomb__packing *packing, const letters *these,
                 int64_t most_bases);

/* What the engine keeps on the device and on the host. */
typedef struct sweep_rig {
    const sweep_problem *problems;
    int64_t count;
    int64_t launches; /* of the running sweeps */
    rhomb__sweep_share *shares;
    rhomb__sweep_totals totals;
    emulated_sweep_arguments arguments;
    rhomb_strip *records;
    uint16_t *columns;
    uint32_t *rows;
    uint32_t *listed;
    int64_t *counts;   /* of several sweeps: strips of each launch */
    int64_t active[2]; /* of one: rhomb__sweep_active() */
    int32_t owner;     /* of one that is shared: whose strips it runs */
} sweep_rig;

/* Makes room for sweeps side by side, all with the same kernel, steps and costs. */
void sweep_rig_start(sweep_rig *rig, const sweep_problem *problems, int64_t count);
void sweep_rig_end(sweep_rig *rig);

/* Sweeps for a bound on each problem's cost: launch by launch, or at once. */
void sweep_rig_begin(sweep_rig *rig, const int64_t *bounds);
void sweep_rig_launch(sweep_rig *rig, int64_t launch);
void sweep_rig_finish(sweep_rig *rig, rhomb__sweep_breakpoint *found);
void sweep_rig_run(sweep_rig *rig, const int64_t *bounds, rhomb__sweep_breakpoint *found);

/* Afterwards: a problem's records, and what its strip 2 g + direction keeps of its rows. */
rhomb_strip *sweep_rig_records(const sweep_rig *rig, int64_t problem);
const uint32_t *sweep_rig_down(const sweep_rig *rig, int64_t problem, int64_t strip);

#endif
