/* SPDX-License-Identifier: MIT */
/* Ranges of a sequence: 0-based, half-open. */
#ifndef RHOMB_CLI_RANGE_LIST_H
#define RHOMB_CLI_RANGE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cli_range {
    int64_t begin, end;
} cli_range;

/* All zeros is none. */
typedef struct cli_ranges {
    cli_range *list;
    size_t count;
} cli_ranges;

/* Appends one that is not empty. False if there is no memory. */
bool cli_ranges_add(cli_ranges *ranges, cli_range range);

/* Puts them in order, and makes one of those that meet; the next three need that. */
void cli_ranges_settle(cli_ranges *ranges);

/* Whether any base from `begin` to `end` is in a range. */
bool cli_ranges_meet(const cli_ranges *ranges, int64_t begin, int64_t end);

/* Where the first range after `at` begins, which is in none; `length` if there is none. */
int64_t cli_ranges_after(const cli_ranges *ranges, int64_t at, int64_t length);

/* Where the last range before `at` ends, which is in none; 0 if there is none. */
int64_t cli_ranges_before(const cli_ranges *ranges, int64_t at);

void cli_ranges_release(cli_ranges *ranges);

#endif
