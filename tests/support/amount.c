/* SPDX-License-Identifier: MIT */
/*
 * See amount.h.
 */
#include "amount.h"

#include <stdio.h>
#include <stdlib.h>

static int64_t the_percent = 100;

void amount_from(int argc, char **argv, int at)
{
    if (argc > at)
        amount_set(strtoll(argv[at], NULL, 10));
}

int64_t amount_percent(void)
{
    return the_percent;
}

void amount_set(int64_t percent)
{
    the_percent = percent;
}

/* RHOMB_TEST_SHARE, in percent. */
static int64_t run_percent(void)
{
    const char *text = getenv("RHOMB_TEST_SHARE");
    char *end = NULL;
    const long long percent = text != NULL ? strtoll(text, &end, 10) : 100;
    if (percent < 1 || percent > 100 || (text != NULL && *end != '\0')) {
        fprintf(stderr, "RHOMB_TEST_SHARE is a percentage from 1 to 100, not %s\n", text);
        exit(1);
    }
    return percent;
}

/* Of ten thousand. */
static int64_t share(void)
{
    return the_percent * run_percent();
}

int64_t amount(int64_t full)
{
    const int64_t taken = full * share() / 10000;
    return taken > 0 ? taken : 1;
}

int64_t amount_of_each(int64_t full)
{
    const int64_t taken = amount(full);
    return taken > full ? taken : full;
}

/* Whether a case is of so many of ten thousand. */
static bool is_within(int64_t at, int64_t of_10000)
{
    /* Multiples of the golden ratio, of which the fractions are spread. */
    const uint32_t fraction = (uint32_t)at * 2654435769U;
    return (int64_t)(fraction * UINT64_C(10000) >> 32) < of_10000;
}

bool amount_takes(int64_t at)
{
    return is_within(at, share());
}

bool amount_takes_case(int64_t at)
{
    return is_within(at, run_percent() * 100);
}

bool amount_is_whole(void)
{
    return run_percent() == 100;
}
