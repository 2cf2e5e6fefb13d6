/* SPDX-License-Identifier: MIT */
/*
 * See recurrences.h.
 */
#include "recurrences.h"

#include <stdlib.h>

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static bool match(const plain_pair *p, int64_t i, int64_t j)
{
    return p->backward ? p->query[p->m - 1 - i] == p->target[p->n - 1 - j]
                       : p->query[i] == p->target[j];
}

void plain_first_column(const plain_pair *p, int64_t *cost)
{
    for (int64_t i = 0; i <= p->m; i++)
        cost[i] = i;
}

void plain_next_column(const plain_pair *p, int64_t j, int64_t *cost)
{
    int64_t diagonal = cost[0]++;
    for (int64_t i = 0; i < p->m; i++) {
        const int64_t replaced = diagonal + !match(p, i, j);
        diagonal = cost[i + 1];
        cost[i + 1] = least(replaced, least(diagonal, cost[i]) + 1);
    }
}

static int64_t *allocate(int64_t count)
{
    int64_t *memory = malloc((size_t)count * sizeof *memory);
    if (memory == NULL)
        abort();
    return memory;
}

int64_t oracle_textbook(const char *a, int64_t a_length, const char *b, int64_t b_length)
{
    const plain_pair p = {a, a_length, b, b_length, false};
    int64_t *cost = allocate(b_length + 1);
    plain_first_column(&p, cost);
    for (int64_t j = 0; j < a_length; j++)
        plain_next_column(&p, j, cost);
    const int64_t distance = cost[b_length];
    free(cost);
    return distance;
}

void plain_wavefront_open(plain_wavefront *w, const plain_pair *p, int64_t most_score)
{
    const int64_t width = 2 * most_score + 3;
    w->pair = p;
    w->score = -1;
    w->memory = allocate(2 * width);
    for (int64_t at = 0; at < 2 * width; at++)
        w->memory[at] = PLAIN_NOTHING;
    w->offset = w->memory + most_score + 1;
    w->before = w->offset + width;
}

void plain_wavefront_next(plain_wavefront *w)
{
    const plain_pair *p = w->pair;
    int64_t *const now = w->before, *const before = w->offset;
    const int64_t s = ++w->score;
    for (int64_t k = most(-s, -p->m); k <= least(s, p->n); k++) {
        const int64_t limit = least(p->n, p->m + k);
        int64_t j = s == 0 ? 0 : before[k + 1]; /* an insertion stays in its column */
        if (before[k] != PLAIN_NOTHING)
            j = most(j, before[k] + 1);
        if (before[k - 1] != PLAIN_NOTHING)
            j = most(j, before[k - 1] + 1);
        j = least(j, limit);
        while (j < limit && match(p, j - k, j))
            j++;
        now[k] = j;
    }
    w->offset = now;
    w->before = before;
}

void plain_wavefront_close(plain_wavefront *w)
{
    free(w->memory);
}
