/* SPDX-License-Identifier: MIT */
/*
 * See amount.h.
 */
#include "amount.h"

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
    return the_percent * (text != NULL ? strtoll(text, NULL, 10) : 100);
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
    return at == 0 || share() >= 10000 || at * share() / 10000 != (at - 1) * share() / 10000;
}
