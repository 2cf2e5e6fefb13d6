/* SPDX-License-Identifier: MIT */
/*
 * The bit-sliced step (cl/bitsliced/bitsliced.clh) as the host knows it: the planes that costs
 * take, what a strip hands down and keeps in them, and the work of a step. Pure functions.
 */
#ifndef RHOMB_SRC_SLICED_H
#define RHOMB_SRC_SLICED_H

#include "src/scoring/costs.h"

#include "cl/abi.h"

/* Bit planes of the differences u and v, and of what each piece of a gap saves. */
typedef struct rhomb__slices {
    int32_t u;
    int32_t saves[2]; /* 0 where nothing can be saved */
} rhomb__slices;

/* Whether the step's numbers can hold these costs. */
bool rhomb__sliced_can(const rhomb__costs *costs);

rhomb__slices rhomb__sliced_planes(const rhomb__costs *costs);

/* 32-bit words for 16 columns of what a row hands down, and for the state of 32 rows. */
int32_t rhomb__sliced_border_words(const rhomb__costs *costs);
int32_t rhomb__sliced_state_words(const rhomb__costs *costs);

/* Operations of a step for 32 cells, about, with `words` an item: for estimates of its rate. */
double rhomb__sliced_operations(const rhomb__costs *costs, int32_t symbol_planes, int32_t words);

/*
 * Cells a second of a sweep, about, where Myers' step with two planes does `rate`: of the
 * bit-sliced step for these costs, or with NULL of Myers'.
 */
double rhomb__sweep_rate(double rate, const rhomb__costs *sliced, int32_t symbol_planes,
                         int32_t words);

/* The differences u of 32 rows and what they save, from their state. */
typedef struct rhomb__sliced_rows {
    const rhomb__costs *costs;
    rhomb__slices planes;
    const uint32_t *state; /* of the rows of a strip, a word of 32 after the other */
} rhomb__sliced_rows;

rhomb__sliced_rows rhomb__sliced_rows_of(const rhomb__costs *costs, const uint32_t *state);

/* By how much the cost grows along the rows [from, from + count). */
int64_t rhomb__sliced_growth(const rhomb__sliced_rows *rows, int64_t from, int64_t count);

/* What it saves in a row to go on with a horizontal gap of that piece, instead of opening one. */
int64_t rhomb__sliced_saves(const rhomb__sliced_rows *rows, int64_t row, int piece);

/* The cost of going on with a gap for `bases` more bases where it saves so much to do so. */
int64_t rhomb__sliced_run_on(const rhomb__costs *costs, const int32_t saves[2], int64_t bases);

/* What it then saves to go on with it still further. */
void rhomb__sliced_run_saves(const rhomb__costs *costs, const int32_t saves[2], int64_t bases,
                             int32_t after[2]);

#endif
