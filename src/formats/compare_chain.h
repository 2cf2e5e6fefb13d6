/* SPDX-License-Identifier: MIT */
/*
 * Main chains: which records of a target and a query are in the same order in both, and which were
 * rearranged. See rhomb/comparison.h.
 */
#ifndef RHOMB_SRC_COMPARE_CHAIN_H
#define RHOMB_SRC_COMPARE_CHAIN_H

#include "src/formats/compare_record.h"

/*
 * Gives their kinds to one-to-one records that are sorted by their places in the targets and have
 * ranks; `sequences` is how many there are of each side. Time: count * log(count).
 * RHOMB_OK or RHOMB_ERR_MEMORY.
 */
rhomb_status rhomb__compare_chains(rhomb__error *error, rhomb__compared *records, size_t count,
                                   const size_t *sequences);

#endif
