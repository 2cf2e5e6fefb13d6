/* SPDX-License-Identifier: MIT */
/*
 * How much a test does. What draws pairs at random, or goes through a long list of cases, takes a
 * share of them. The share is a product of two: an argument of the program, 100 percent unless
 * told, as CMakeLists.txt has it, and more than 100 where a test is labelled slow; and
 * RHOMB_TEST_SHARE, which run.sh sets for CI, 100 percent where it is not set. The first of a list
 * is always taken; where families are side by side in one, a test sees to it that each has a turn.
 * Where there is a share, some tests compile kernels without optimizing (quick_build.h).
 */
#ifndef RHOMB_TESTS_AMOUNT_H
#define RHOMB_TESTS_AMOUNT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Takes the program's share from its argument `at`, where it has one. */
void amount_from(int argc, char **argv, int at);

/* The program's share, in percent; and to have another. */
int64_t amount_percent(void);
void amount_set(int64_t percent);

/* The share of so many cases, but at least one of them; and so many, or the share where it is more.
 */
int64_t amount(int64_t full);
int64_t amount_of_each(int64_t full);

/*
 * Whether case `at` of a list, from 0 on, is of the share: spread evenly, but out of step with
 * lists that repeat, as those of combinations do.
 */
bool amount_takes(int64_t at);

/* The same by RHOMB_TEST_SHARE alone: the program's share is of the pairs that a case has. */
bool amount_takes_case(int64_t at);

/* Whether RHOMB_TEST_SHARE leaves nothing out. */
bool amount_is_whole(void);

/*
 * Whether run.sh runs its first tier, which it tells by RHOMB_TEST_TIER=1: some tests do less there
 * than by their share. --full, and a test by hand, do all of it.
 */
static inline bool amount_is_first_tier(void)
{
    const char *tier = getenv("RHOMB_TEST_TIER");
    return tier != NULL && strcmp(tier, "1") == 0;
}

#endif
