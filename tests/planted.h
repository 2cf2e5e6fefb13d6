/* SPDX-License-Identifier: MIT */
/*
 * Pairs of genomes of which is known how they belong together: the query has the target's bases, or
 * a mutated copy of them, in pieces that were moved or inverted, from another base of the circle
 * on, or on the other strand.
 */
#ifndef RHOMB_TESTS_PLANTED_H
#define RHOMB_TESTS_PLANTED_H

#include "support/rng.h"

typedef struct planted_recipe {
    int64_t length; /* of the target */
    double gc;      /* the share of G and C */
    double rate;    /* of edits */
    int repeats; /* copies of pieces of up to 2 kb elsewhere, on either strand, before all else */
    int64_t repeat_begin, repeat_end; /* a range, ... */
    int64_t repeat_to;                /* ... that both have there as well, instead of their own */
    int64_t inverted_begin, inverted_end; /* a range that the query has inverted */
    int64_t moved_begin, moved_end;       /* a range, of those before or after it, ... */
    int64_t moved_to;                     /* ... that the query has after this base */
    int64_t replaced_begin, replaced_end; /* a range that the query has other bases for */
    int64_t copied_begin, copied_end;     /* a range, ... */
    int64_t copied_to;                    /* ... that the query has once more at this base */
    bool copied_reverse;                  /* on the other strand */
    bool swapped;                         /* at last target and query are exchanged */
    int64_t rotation;                     /* that query's bases that come last instead of first */
    bool reverse;                         /* then its other strand is the query */
    bool unrelated; /* the query is another random sequence, whatever the rest says */
} planted_recipe;

typedef struct planted {
    char *target;
    int64_t target_length;
    char *query;
    int64_t query_length;
} planted;

/* Makes a pair; the test fails without memory. */
planted planted_make(const planted_recipe *recipe, rng *r);
void planted_release(planted *pair);

#endif
