/* SPDX-License-Identifier: MIT */
/*
 * See path.h. Column s of the wavefront has a cell for each diagonal k = j - i, |k| <= s: the
 * furthest offset j of the target with s edits, or NOTHING. Columns lie one after the other, so
 * that cell (s, k) is number s * s + s + k.
 *
 * The path is read from these offsets alone: at each cell the three points that lead there are
 * computed again, and the rule picks one of them.
 */
#include "path.h"

#include <stdlib.h>
#include <string.h>

#define NOTHING INT32_MIN

/* The moves, in the order in which the rule prefers them. */
static const struct {
    rhomb_cigar_op code;
    int from;  /* the diagonal that it comes from, less the one that it goes to */
    int steps; /* in the target */
} MOVES[] = {{RHOMB_CIGAR_X, 0, 1}, {RHOMB_CIGAR_D, -1, 1}, {RHOMB_CIGAR_I, 1, 0}};
enum { MOVE_COUNT = sizeof MOVES / sizeof MOVES[0] };

static void *grow(void *memory, int64_t *room, int64_t wanted, size_t size)
{
    if (wanted <= *room)
        return memory;
    *room = 2 * wanted;
    memory = realloc(memory, (size_t)*room * size);
    if (memory == NULL)
        abort();
    return memory;
}

/* Where a move to diagonal k leads from column s - 1; NOTHING when that is outside the matrix. */
static int32_t point(const path *p, const rhomb_pair *texts, int64_t s, int64_t k, int move)
{
    const int64_t from = k + MOVES[move].from;
    if (from < 1 - s || from > s - 1)
        return NOTHING;
    const int32_t before = p->cells[(s - 1) * (s - 1) + (s - 1) + from];
    if (before == NOTHING)
        return NOTHING;
    const int32_t j = before + MOVES[move].steps;
    return j <= texts->target_length && j - k <= texts->query_length ? j : NOTHING;
}

/* The first of the moves that come furthest. */
static int best_move(const path *p, const rhomb_pair *texts, int64_t s, int64_t k, int32_t *to)
{
    int best = 0;
    *to = point(p, texts, s, k, 0);
    for (int move = 1; move < MOVE_COUNT; move++) {
        const int32_t j = point(p, texts, s, k, move);
        if (j > *to) {
            *to = j;
            best = move;
        }
    }
    return best;
}

static int32_t follow(const rhomb_pair *texts, int64_t k, int32_t j)
{
    if (j == NOTHING)
        return j;
    while (j < texts->target_length && j - k < texts->query_length &&
           texts->target[j] == texts->query[j - k])
        j++;
    return j;
}

/* Fills columns until one comes to the end; the distance, or -1 when it is more than `most`. */
static int64_t fill_columns(const rhomb_pair *texts, int64_t most, path *p)
{
    const int64_t end = texts->target_length - texts->query_length;
    for (int64_t s = 0; s <= most; s++) {
        p->cells = grow(p->cells, &p->cells_room, (s + 1) * (s + 1), sizeof *p->cells);
        int32_t *column = p->cells + s * s + s;
        for (int64_t k = -s; k <= s; k++) {
            int32_t j = 0;
            if (s > 0)
                best_move(p, texts, s, k, &j);
            column[k] = follow(texts, k, j);
        }
        if (llabs(end) <= s && column[end] == texts->target_length)
            return s;
    }
    return -1;
}

/* Puts a run after the path, which grows from the end of the texts. */
static void add_run(path *p, rhomb_cigar_op code, int64_t length)
{
    if (length == 0)
        return;
    if (p->count > 0 && RHOMB_CIGAR_CODE(p->ops[p->count - 1]) == code) {
        p->ops[p->count - 1] += (rhomb_cigar_op)length << 4;
        return;
    }
    p->ops = grow(p->ops, &p->ops_room, p->count + 1, sizeof *p->ops);
    p->ops[p->count++] = (rhomb_cigar_op)length << 4 | code;
}

bool path_find(const rhomb_pair *texts, int64_t most, path *out)
{
    int64_t k = texts->target_length - texts->query_length;
    const int64_t distance = fill_columns(texts, most, out);
    out->count = 0;
    if (distance < 0)
        return false;
    for (int64_t s = distance; s > 0; s--) {
        int32_t to;
        const int move = best_move(out, texts, s, k, &to);
        add_run(out, RHOMB_CIGAR_EQ, out->cells[s * s + s + k] - to);
        add_run(out, MOVES[move].code, 1);
        k += MOVES[move].from;
    }
    add_run(out, RHOMB_CIGAR_EQ, out->cells[0]);
    for (int64_t a = 0, b = out->count - 1; a < b; a++, b--) {
        const rhomb_cigar_op op = out->ops[a];
        out->ops[a] = out->ops[b];
        out->ops[b] = op;
    }
    return true;
}

void path_release(path *p)
{
    const path none = {.ops = NULL};
    free(p->ops);
    free(p->cells);
    *p = none;
}
