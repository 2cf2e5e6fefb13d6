/* SPDX-License-Identifier: MIT */
/*
 * Where an extension with a z-drop stops (rhomb_mode in rhomb/batch.h), from the highest cell of
 * each antidiagonal but for the first row and column, in order. Pure integer functions.
 */
#ifndef RHOMB_SRC_LONG_DROP_H
#define RHOMB_SRC_LONG_DROP_H

#include <stdbool.h>
#include <stdint.h>

#include "rhomb/scoring.h"

typedef struct rhomb__long_drop {
    int64_t score; /* of the best cell so far; at first nothing is aligned */
    int64_t row;
    int64_t column;
    int64_t looked_at; /* the last antidiagonal that was taken; 1 at first */
    bool dropped;
} rhomb__long_drop;

rhomb__long_drop rhomb__long_drop_begin(void);

/* Takes the next antidiagonal, unless the extension has stopped. */
void rhomb__long_drop_take(rhomb__long_drop *d, const rhomb_scoring *scoring, int64_t z_drop,
                           int64_t score, int64_t row);

#endif
