/* SPDX-License-Identifier: MIT */
/*
 * What the bit-parallel engine has to do, launch by launch, without its kernels, for any costs:
 * each strip's first item sweeps the blocks that are its own by then, its last item passes them
 * `lag` steps later, and what a strip knows of the one above is what that one had left when the
 * launch began. A caller says what sweeping a block does to the score; the model keeps the time
 * table of src/strips/strips.h and says where it fails.
 *
 * The model is written from the matrix: rows, columns, scores, and the bound. It does not look at
 * the fields of a record that say the same in another way (corner, slack, the fronts), and it fills
 * in the fronts that rhomb__strip_result() has to find.
 */
#ifndef RHOMB_TESTS_SWEEP_MODEL_H
#define RHOMB_TESTS_SWEEP_MODEL_H

#include "src/strips/strips.h"

#include <stdbool.h>

enum { MODEL_MOST_STRIPS = 48, MODEL_MOST_BLOCKS = 256 };

/* A block that a strip sweeps. Strip 2 g + direction is strip g of a direction. */
typedef struct model_block {
    int64_t strip;
    int64_t block;
    bool first;       /* of this strip: a vertical gap goes on along its left edge */
    bool above_known; /* else a horizontal gap goes on along its upper edge */
} model_block;

/* Sweeps it, and returns by how much the score of the strip's last row grows. */
typedef int64_t (*model_sweep_fn)(void *user, const model_block *block);

/* By how much the score grows along the left edge of a strip that has begun. */
typedef int64_t (*model_edge_fn)(void *user, int64_t strip);

typedef struct model_strip {
    int64_t begin; /* blocks [begin, end) are swept ... */
    int64_t end;
    int64_t least_unknown; /* ... and from here on without the row above */
    int64_t limit;         /* the end by which its last launch went; -1 before */
    int64_t gain[MODEL_MOST_BLOCKS];
    int64_t score;
    rhomb_strip_front front;
    rhomb_strip_front before; /* when the launch began: all that another strip knows of it */
} model_strip;

/* Who wrote a block of the row that strips hand on, and when. */
typedef struct model_handed {
    int64_t writer; /* a strip, or -1 */
    int64_t step;
} model_handed;

typedef struct sweep_model {
    const rhomb__sweep *sweep;
    int64_t bound;
    rhomb_strip *records;
    model_sweep_fn sweep_block;
    model_edge_fn left_edge; /* NULL: a gap from the strip above costs its extensions */
    void *user;
    int64_t launches;
    /* Results. */
    model_strip strips[2 + MODEL_MOST_STRIPS]; /* as in the records, row 0 first */
    model_handed row[MODEL_MOST_BLOCKS];
    int64_t blocks;    /* swept, of all strips */
    int64_t limited;   /* strips that had ended before a larger end was known */
    const char *wrong; /* what the time table got wrong, NULL: nothing */
    int64_t wrong_strip;
} sweep_model;

/*
 * Makes the band and does all launches. Needs sweep, bound, records (room for
 * rhomb__sweep_records()), sweep_block and user; leaves the records as a device would.
 */
void sweep_model_run(sweep_model *m);

/* Column 0 of a direction, and the block after its last one, as the records count them. */
int64_t sweep_model_first_block(const rhomb__sweep *sweep, int64_t direction);
int64_t sweep_model_end_block(const rhomb__sweep *sweep, int64_t direction);

/* A strip's results; strip -2 and -1 are row 0 of either direction. */
static inline const model_strip *sweep_model_strip(const sweep_model *m, int64_t strip)
{
    return &m->strips[2 + strip];
}

#endif
