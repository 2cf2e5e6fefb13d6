/* SPDX-License-Identifier: MIT */
/*
 * How long BiWFA is expected to take.
 */
#ifndef RHOMB_BENCH_BENCH_SCORES_H
#define RHOMB_BENCH_BENCH_SCORES_H

#include "tests/reference/gotoh.h"

/*
 * BiWFA's CPU seconds for a score of that penalty, by penalties without a match score; infinite
 * where it is missing or does not take them. With its path it takes twice as long.
 */
double bench_biwfa_seconds(const oracle_penalties *p, double penalty);

#endif
