/* SPDX-License-Identifier: MIT */
/*
 * Planted pairs, see planted.h.
 */
#include "planted.h"

#include "support/test.h"
#include "tests/reference/random_bases.h"

static char *room(int64_t bytes)
{
    char *bases = malloc((size_t)bytes + 1);
    assert_non_null(bases);
    return bases;
}

static char random_of(double gc, rng *r)
{
    const bool strong = rng_chance(r, gc);
    return "ATGC"[(strong ? 2 : 0) + rng_below(r, 2)];
}

static void rotate(char *bases, int64_t length, int64_t by)
{
    char *first = room(by);
    memcpy(first, bases, (size_t)by);
    memmove(bases, bases + by, (size_t)(length - by));
    memcpy(bases + length - by, first, (size_t)by);
    free(first);
}

static void repeat(char *bases, int64_t length, rng *r)
{
    const int64_t most = length / 20 < 2000 ? length / 20 : 2000;
    const int64_t count = rng_between(r, most / 2, most);
    const int64_t to = rng_below(r, length - count);
    memmove(bases + to, bases + rng_below(r, length - count), (size_t)count);
    if (rng_chance(r, 0.5))
        complement_bases(bases + to, count);
}

static void rearrange(const planted_recipe *p, char *bases)
{
    complement_bases(bases + p->inverted_begin, p->inverted_end - p->inverted_begin);
    const int64_t count = p->moved_end - p->moved_begin;
    if (count > 0 && p->moved_to > p->moved_end)
        rotate(bases + p->moved_begin, p->moved_to - p->moved_begin, count);
    else if (count > 0)
        rotate(bases + p->moved_to, p->moved_end - p->moved_to, p->moved_begin - p->moved_to);
}

/* Has room for the copy. */
static int64_t copy(const planted_recipe *p, char *bases)
{
    const int64_t count = p->copied_end - p->copied_begin;
    char *copied = room(count);
    memcpy(copied, bases + p->copied_begin, (size_t)count);
    if (p->copied_reverse)
        complement_bases(copied, count);
    memmove(bases + p->copied_to + count, bases + p->copied_to, (size_t)(p->length - p->copied_to));
    memcpy(bases + p->copied_to, copied, (size_t)count);
    free(copied);
    return p->length + count;
}

planted planted_make(const planted_recipe *p, rng *r)
{
    planted pair = {.target = room(p->length), .target_length = p->length};
    char *bases = room(2 * p->length);
    for (int64_t i = 0; i < p->length; i++)
        pair.target[i] = random_of(p->gc, r);
    for (int i = 0; i < p->repeats; i++)
        repeat(pair.target, p->length, r);
    memmove(pair.target + p->repeat_to, pair.target + p->repeat_begin,
            (size_t)(p->repeat_end - p->repeat_begin));
    memcpy(bases, pair.target, (size_t)p->length);
    for (int64_t i = 0; i < p->length && p->unrelated; i++)
        bases[i] = random_of(p->gc, r);
    for (int64_t i = p->replaced_begin; i < p->replaced_end; i++)
        bases[i] = random_of(p->gc, r);
    rearrange(p, bases);
    const int64_t length = copy(p, bases);
    pair.query = room(2 * length);
    pair.query_length = random_edits(bases, length, p->rate, &r->state, pair.query);
    rotate(pair.query, pair.query_length, p->rotation);
    if (p->reverse)
        complement_bases(pair.query, pair.query_length);
    free(bases);
    if (p->swapped)
        pair = (planted){pair.query, pair.query_length, pair.target, pair.target_length};
    return pair;
}

void planted_release(planted *pair)
{
    free(pair->target);
    free(pair->query);
    *pair = (planted){0};
}
