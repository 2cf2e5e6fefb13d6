/* SPDX-License-Identifier: MIT */
/*
 * See recurrences.h.
 */
#include "recurrences.h"

#include "random_bases.h"

#include <stdlib.h>
#include <string.h>

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
    return p->backward ? bases_match(p->query[p->m - 1 - i], p->target[p->n - 1 - j])
                       : bases_match(p->query[i], p->target[j]);
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

static void *allocate(int64_t count, size_t size)
{
    void *memory = malloc((size_t)count * size);
    if (memory == NULL)
        abort();
    return memory;
}

int64_t *plain_matrix(const plain_pair *p)
{
    const int64_t pitch = p->m + 1;
    int64_t *matrix = allocate((p->n + 1) * pitch, sizeof *matrix);
    plain_first_column(p, matrix);
    for (int64_t j = 0; j < p->n; j++) {
        int64_t *column = matrix + (j + 1) * pitch;
        memcpy(column, column - pitch, (size_t)pitch * sizeof *column);
        plain_next_column(p, j, column);
    }
    return matrix;
}

int64_t oracle_textbook(const char *a, int64_t a_length, const char *b, int64_t b_length)
{
    const plain_pair p = {a, a_length, b, b_length, false};
    int64_t *cost = allocate(b_length + 1, sizeof *cost);
    plain_first_column(&p, cost);
    for (int64_t j = 0; j < a_length; j++)
        plain_next_column(&p, j, cost);
    const int64_t distance = cost[b_length];
    free(cost);
    return distance;
}

/* Diagonals on either side of a wavefront, which have PLAIN_NOTHING, so that the next one finds
 * them. */
enum { MARGIN = 2 };

static int64_t center(const plain_wavefront *w, int64_t score)
{
    const int64_t widest = w->most + MARGIN;
    return w->keeps ? score * (score + 2 * MARGIN) + score + MARGIN
                    : score % 2 * (2 * widest + 1) + widest;
}

static void make_room(plain_wavefront *w, int64_t wanted)
{
    if (wanted <= w->room)
        return;
    w->room = w->keeps ? 2 * wanted : wanted;
    w->memory = realloc(w->memory, (size_t)w->room * sizeof *w->memory);
    if (w->memory == NULL)
        abort();
}

static void begin(plain_wavefront *w, const plain_pair *p, bool keeps, int64_t most)
{
    w->pair = *p;
    w->keeps = keeps;
    w->most = most;
    w->score = -1;
}

void plain_wavefront_begin(plain_wavefront *w, const plain_pair *p, int64_t most)
{
    const int64_t cells = 2 * (2 * (most + MARGIN) + 1);
    begin(w, p, false, most);
    make_room(w, cells);
    for (int64_t at = 0; at < cells; at++)
        w->memory[at] = PLAIN_NOTHING;
}

void plain_wavefront_begin_all(plain_wavefront *w, const plain_pair *p)
{
    begin(w, p, true, 0);
}

const int32_t *plain_wavefront_of(const plain_wavefront *w, int64_t score)
{
    return w->memory + center(w, score);
}

static int32_t further(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* The furthest column of diagonal k before any matches, from the wavefront before. */
static int32_t step_to(const int32_t *before, int64_t k)
{
    int32_t j = before[k + 1]; /* an insertion stays in its column */
    if (before[k] != PLAIN_NOTHING)
        j = further(j, before[k] + 1);
    if (before[k - 1] != PLAIN_NOTHING)
        j = further(j, before[k - 1] + 1);
    return j;
}

void plain_wavefront_next(plain_wavefront *w)
{
    const plain_pair *p = &w->pair;
    const int64_t s = ++w->score, low = most(-s, -p->m), high = least(s, p->n);
    const int64_t step = p->backward ? -1 : 1;
    const char *target = p->backward ? p->target + p->n - 1 : p->target;
    const char *query = p->backward ? p->query + p->m - 1 : p->query;
    if (w->keeps)
        make_room(w, center(w, s) + s + MARGIN + 1);
    int32_t *now = w->memory + center(w, s);
    const int32_t *before = s > 0 ? w->memory + center(w, s - 1) : NULL;
    for (int64_t k = -s - MARGIN; w->keeps && k <= s + MARGIN; k++)
        now[k] = PLAIN_NOTHING;
    for (int64_t k = low; k <= high; k++) {
        const int32_t limit = (int32_t)least(p->n, p->m + k);
        int32_t j = s == 0 ? 0 : step_to(before, k);
        j = j < limit ? j : limit;
        while (j < limit && bases_match(query[(j - k) * step], target[j * step]))
            j++;
        now[k] = j;
    }
    w->offset = now;
}

void plain_wavefront_end(plain_wavefront *w)
{
    free(w->memory);
    w->memory = NULL;
    w->room = 0;
}
