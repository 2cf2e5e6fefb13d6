/* SPDX-License-Identifier: MIT */
/*
 * Scorings as programs for CPUs take them, and how long BiWFA is expected to take.
 */
#ifndef RHOMB_BENCH_BENCH_SCORES_H
#define RHOMB_BENCH_BENCH_SCORES_H

#include "rhomb/scoring.h"
#include "tests/reference/gotoh.h"

/* In the scoring's own form, with its match score. */
oracle_penalties bench_penalties_of(const rhomb_scoring *scoring);

/*
 * BiWFA's CPU seconds for a score of that penalty, by penalties without a match score; infinite
 * where it is missing or does not take them. With its path it takes twice as long.
 */
double bench_biwfa_seconds(const oracle_penalties *p, double penalty);

#endif
