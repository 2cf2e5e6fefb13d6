/* SPDX-License-Identifier: MIT */
/*
 * An order of subproblems: the largest first, so that no long one starts last.
 */
#ifndef RHOMB_SRC_ORDER_H
#define RHOMB_SRC_ORDER_H

#include <stdint.h>

/* A subproblem's place in the order. */
typedef struct rhomb__order_entry {
    int64_t size;
    int64_t index;
} rhomb__order_entry;

/* Sorts them by size, ties by index, so that every run is the same. */
void rhomb__order_sort(rhomb__order_entry *entries, int64_t count);

#endif
