/* SPDX-License-Identifier: MIT */
/*
 * Memory that ends at a page which cannot be touched: reading one base too many is a crash.
 */
#ifndef RHOMB_TESTS_GUARD_H
#define RHOMB_TESTS_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct guard {
    char *begin;
    char *end; /* the page that cannot be touched */
    int64_t mapped;
} guard;

/* Maps room for at least `bytes`. False when the system refuses. */
bool guard_create(guard *g, int64_t bytes);

void guard_release(guard *g);

/* Copies bases right before the guard page; more than fit are returned as they are. */
const char *guard_place(const guard *g, const char *letters, int64_t length);

#endif
