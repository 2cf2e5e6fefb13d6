/* SPDX-License-Identifier: MIT */
/*
 * Splits many subproblems of an alignment at once: ranges of a pair that is packed on the device,
 * with known distances. Each gets its breakpoint, a point of a path that costs the distance. It
 * does not depend on the device, on group sizes, or on what else is split beside it.
 *
 * The largest subproblems come first, so that none that takes long begins last. They go to the
 * device in *portions*, as many at a time as fit into the allowed memory. How a portion runs is the
 * matter of a way:
 *
 *     rhomb__split_groups  unit costs: a group each, at half of the distance (split.c)
 *     rhomb__split_wide    the same by many groups, for large subproblems (split_wide.c)
 *     rhomb__split_affine  other costs: wavefronts from both ends (split_affine.c)
 *     rhomb__split_sweeps  any costs: the middle column of a sweep (sweep_many.c)
 */
#ifndef RHOMB_HOST_SPLITTER_H
#define RHOMB_HOST_SPLITTER_H

#include "host/device/program.h"
#include "host/engines/engine.h"
#include "host/splits/split_pair.h"
#include "src/base/parallel.h"
#include "src/planner/profiles.h"

typedef struct rhomb__splitter rhomb__splitter;

/* What a way says of subproblems, and does with a portion. */
typedef struct rhomb__split_way {
    size_t splitter_bytes; /* of the struct that begins with an rhomb__splitter */
    rhomb_status (*open)(rhomb__splitter *s); /* may be NULL */
    /* Says why a subproblem is impossible. */
    rhomb_status (*check)(const rhomb__splitter *s, const rhomb_subproblem *subproblem);
    int64_t (*size)(const rhomb_split_pair *pair); /* for the order; NULL: its distance */
    double (*work)(const rhomb__splitter *s, const rhomb_split_pair *pair);
    rhomb_status (*begin)(rhomb__splitter *s); /* a call, whose order is made; may be NULL */
    int64_t (*bytes)(const rhomb__splitter *s, int64_t i); /* on the device, of portion's i */
    rhomb_status (*run)(rhomb__splitter *s); /* the portion: send it, run it, read it */
    /* Checks what came out for subproblem i of the portion. */
    rhomb_status (*take)(const rhomb__splitter *s, int64_t i, rhomb__breakpoint *breakpoint);
    void (*drop)(rhomb__splitter *s);  /* what the portion has; nothing runs, unless by itself */
    void (*end)(rhomb__splitter *s);   /* the call; may be NULL */
    void (*close)(rhomb__splitter *s); /* may be NULL */
} rhomb__split_way;

extern const rhomb__split_way rhomb__split_groups, rhomb__split_wide, rhomb__split_affine,
    rhomb__split_sweeps;

struct rhomb__splitter {
    const rhomb__split_way *way;
    rhomb_context *ctx;
    rhomb__split_source source;
    int64_t most_bytes; /* of a portion, and ... */
    double most_work;   /* ... its work, if above 0; one subproblem at least */
    double look_work;   /* between two waits of rhomb__splitter_look() */
    rhomb__split_work work;
    /* The call. */
    rhomb__plan plan; /* may shrink */
    const rhomb_subproblem *subproblems;
    rhomb__order_entry *order;
    int64_t count;
    double work_done, all_work;
    double since_look;
    /* The portion: `portion` subproblems of the order from `first` on. */
    int64_t first;
    int64_t portion;
    double portion_work;
    double enqueued; /* of that work */
};

/* Programs are built, and checked, when the first subproblems need them. */
rhomb_status rhomb__splitter_open(rhomb_context *ctx, const rhomb__split_way *way,
                                  const rhomb__split_source *source, rhomb__splitter **out);

/*
 * Splits `count` subproblems, in any order; breakpoints[i] is that of subproblems[i]. `plan` has
 * the tiles or strips, and other than unit costs; groups have no use for it:
 *
 * - wide: the tiles of a wavefront, the wide one where the wavefronts of all are wide enough.
 * - affine: the same of an affine wavefront. All cost enough (rhomb__split_affine_can()).
 * - sweeps: a sweep in two directions; the pair is packed with its planes. As swept
 *   (rhomb__sweep_of()), each subproblem has more than RHOMB__BLOCK_COLUMNS columns, and rows; all
 *   can be swept (rhomb__sweep_can()).
 *
 * With unit costs, wavefronts split the distance d into ceil(d / 2) and floor(d / 2). This much
 * was checked: the point lies inside, and the lengths of each half allow its distance.
 *
 * RHOMB_ERR_DEVICE_WRONG_RESULT where no such point exists: a distance was wrong, or the device is.
 * With one that is too large, directions of wide and affine wavefronts may well meet, at a point
 * that is on no shortest path. Where the distance comes from no trusted device or check, compare
 * the costs of the halves. RHOMB_ERR_INTERNAL for an impossible subproblem, before anything runs.
 */
rhomb_status rhomb__splitter_solve(rhomb__splitter *splitter, const rhomb__plan *plan,
                                   const rhomb_subproblem *subproblems, int64_t count,
                                   rhomb__breakpoint *breakpoints);

/* Releases all but the packed pair. NULL is allowed. */
void rhomb__splitter_close(rhomb__splitter *splitter);

/* Whether a cost is large enough for rhomb__split_affine: more than twice what the costs look back.
 */
bool rhomb__split_affine_can(const rhomb__costs *costs, int64_t cost);

/* For ways: subproblem i of the portion. */
const rhomb_split_pair *rhomb__splitter_pair(const rhomb__splitter *s, int64_t i);

/* For ways: tells the caller that so much of the portion's work is done; who may stop. */
rhomb_status rhomb__splitter_advance(const rhomb__splitter *s, double done);

/* For ways: that much more is enqueued. Now and then waits for it, and tells the caller. */
rhomb_status rhomb__splitter_look(rhomb__splitter *s, double work);

/*
 * The strips and the steps for some subproblems together, where caller and device leave the choice:
 * changes `plan`, which has those that the longest of them would have alone.
 */
void rhomb__sweeps_choose_strips(rhomb_context *ctx, const rhomb_tuning *given,
                                 const rhomb_subproblem *subproblems, int64_t count,
                                 rhomb__plan *plan);

/*
 * Splits known subproblems in the way of a splitter of unit costs, with its plan and this tuning,
 * unless the program has passed before, or the splitter is itself one of a self-test.
 * RHOMB_ERR_DEVICE_WRONG_RESULT where another breakpoint comes out.
 */
rhomb_status rhomb__split_self_test(const rhomb__splitter *tested, rhomb__program *program,
                                    const rhomb__split_tuning *tuning);

/*
 * The kinds of groups that split subproblems: narrow ones for many small subproblems, wide ones for
 * few large ones, and wavefronts in local memory where they fit.
 */
typedef struct rhomb__split_kind {
    int32_t group_size;
    int32_t in_place;        /* 1: wavefronts in global memory */
    int64_t most_distance;   /* of its subproblems */
    int64_t most_bases;      /* of their longer sequence */
    rhomb__program *program; /* NULL until a subproblem comes, like its kernels */
    cl_kernel columns;
    cl_kernel meet;
} rhomb__split_kind;

#define RHOMB__SPLIT_MOST_KINDS (RHOMB__SPLIT_KINDS + 1)

/* Builds the program and makes the kernels, unless that is done. */
rhomb_status rhomb__split_kind_ready(rhomb_context *ctx, const rhomb__split_source *source,
                                     rhomb__split_kind *kind);

void rhomb__split_kind_release(rhomb__split_kind *kind);

#endif
