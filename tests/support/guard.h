/* SPDX-License-Identifier: MIT */
/*
 * Memory that ends at a page which cannot be touched: reading one base too many is a crash; and
 * such that shows what was not written.
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

/*
 * Memory of just the size for tools that look at accesses, filled with bytes 0x55, which are no
 * offset, length or place. Fails the cmocka test that is running where there is none.
 */
void *filled_memory(int64_t count, size_t size);

#endif
