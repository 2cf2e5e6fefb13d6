/* SPDX-License-Identifier: MIT */
/*
 * A split that runs, in a checkpoint: subproblems of a round are split in portions, which may take
 * hours. What is kept is the order's beginning up to the running portion, whose breakpoints are
 * known, and of that portion how far it is, with its buffers. The devices of a crew have a split
 * each (crew.h).
 *
 * Another device may have other tiles or strips than the one that has saved a portion. Then that
 * portion begins again; all that is known stays.
 */
#ifndef RHOMB_HOST_SPLIT_SAVED_H
#define RHOMB_HOST_SPLIT_SAVED_H

#include "host/engines/engine.h"
#include "src/base/order.h"

/* Who keeps splits: a member of a crew. All zero: nothing is kept. */
typedef struct rhomb__split_keeper {
    /* Begins a checkpoint with what else there is, and ends it; as in crew_turns.h. */
    rhomb__saver *(*begin)(void *user);
    rhomb_status (*end)(void *user, rhomb_status saved);
    bool (*is_due)(void *user);
    void *user;
    const rhomb__saved *saved; /* what an earlier run has left of this split; NULL: nothing */
} rhomb__split_keeper;

bool rhomb__split_is_due(const rhomb__split_keeper *keeper);

/* What splits. */
typedef enum rhomb__split_means {
    RHOMB__BY_SWEEPS,
    RHOMB__BY_WAVEFRONTS,
    RHOMB__BY_AFFINE_WAVEFRONTS
} rhomb__split_means;

#define RHOMB__SPLIT_SHAPE 5

/* How far a call is. */
typedef struct rhomb__split_stage {
    int32_t kind;
    int64_t count;                     /* subproblems of the call, ... */
    int64_t first;                     /* ... whose first ones in the order are done ... */
    int64_t portion;                   /* ... and of the running portion */
    int64_t shape[RHOMB__SPLIT_SHAPE]; /* what decides on the contents of its buffers */
    int64_t launch;                    /* the portion's next one */
    int64_t cells;                     /* of the call so far */
    double work_done;                  /* of the portions before */
} rhomb__split_stage;

/* The breakpoint of a subproblem as four numbers, from the call or to it. */
typedef void rhomb__split_exchange(void *run, int64_t index, int64_t numbers[4], bool is_saving);

/* The same of a breakpoint as engines have it. */
void rhomb__breakpoint_exchange(rhomb__breakpoint *point, int64_t numbers[4], bool is_saving);

/*
 * Begins a checkpoint of a call, to which the caller adds the portion's buffers before
 * keeper->end(); NULL if that failed.
 */
rhomb__saver *rhomb__split_save(const rhomb__split_keeper *keeper, const rhomb__split_stage *stage,
                                const rhomb__place *order, rhomb__split_exchange *exchange,
                                void *run);

/*
 * Takes over what a checkpoint has of a call of this kind, count and shape; first and portion are 0
 * if it has nothing. *goes_on says that the portion's buffers are there for this shape.
 * RHOMB_ERR_INPUT if it is of another call.
 */
rhomb_status rhomb__split_restore(rhomb__device_stream *stream, const rhomb__split_keeper *keeper,
                                  rhomb__split_stage *stage, const rhomb__place *order,
                                  rhomb__split_exchange *exchange, void *run, bool *goes_on);

/*
 * For a portion whose buffers are two of wavefronts: writes a checkpoint, if it is time for one,
 * after which the caller may wish to stop (RHOMB_ERR_CANCELLED); and gives the buffers what a
 * checkpoint has.
 */
rhomb_status rhomb__split_keep_waves(rhomb__device_stream *stream,
                                     const rhomb__split_keeper *keeper,
                                     const rhomb__split_stage *stage, const rhomb__place *order,
                                     rhomb__split_exchange *exchange, void *run,
                                     const rhomb__buffer waves[2]);
rhomb_status rhomb__split_restore_waves(rhomb__device_stream *stream,
                                        const rhomb__split_keeper *keeper,
                                        const rhomb__buffer waves[2]);

#endif
