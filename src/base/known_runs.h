/* SPDX-License-Identifier: MIT */
/*
 * Where a sequence has long runs of one symbol, as N between two contigs, for the kernels that
 * follow matches (cl/common/runs.clh): a table of its chunks of RHOMB_RUN_CHUNK symbols.
 */
#ifndef RHOMB_SRC_KNOWN_RUNS_H
#define RHOMB_SRC_KNOWN_RUNS_H

#include "src/base/alphabet.h"

#include <stdbool.h>
#include <stdint.h>

/* The chunks of a sequence in one direction: all that begin in it, and one at its end. */
int64_t rhomb__run_chunks(int64_t length);

/*
 * Fills the tables of a sequence from its beginning, and of the same reversed, of
 * rhomb__run_chunks() elements each: how many whole chunks from this one on are one and the same
 * symbol, by its code; 0 where this one is not. `backward` may be NULL.
 *
 * On up to `threads` threads, see parallel.h. Of a chunk that is not one symbol a few symbols are
 * looked at. Returns false without memory.
 */
bool rhomb__known_runs_find(const rhomb__codes *codes, const char *bases, int64_t length,
                            int32_t threads, uint32_t *forward, uint32_t *backward);

#endif
