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

/* Of ten thousand. */
static int64_t share(void)
{
    const char *text = getenv("RHOMB_TEST_SHARE");
    char *end = NULL;
    const long long percent = text != NULL ? strtoll(text, &end, 10) : 100;
    if (percent < 1 || percent > 100 || (text != NULL && *end != '\0')) {
        fprintf(stderr, "RHOMB_TEST_SHARE is a percentage from 1 to 100, not %s\n", text);
        exit(1);
    }
    return the_percent * percent;
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

bool amount_takes(int64_t at)
{
    /* Multiples of the golden ratio, of which the fractions are spread. */
    const uint32_t fraction = (uint32_t)at * 2654435769U;
    return (int64_t)(fraction * UINT64_C(10000) >> 32) < share();
}

bool amount_is_whole(void)
{
    return share() >= 10000;
}
