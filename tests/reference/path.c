/* SPDX-License-Identifier: MIT */
/*
 * See path.h. The path is read from the furthest offsets alone: at each the three points that lead
 * there are computed again, and the rule picks one of them. A wavefront has offsets too where fewer
 * edits come to the matrix's edge than it has; they are on no shortest path.
 */
#include "path.h"

#include <stdlib.h>
#include <string.h>

/* The moves, in the order in which the rule prefers them. */
static const struct {
    rhomb_cigar_op code;
    int from;  /* the diagonal that it comes from, less the one that it goes to */
    int steps; /* in the target */
} MOVES[] = {{RHOMB_CIGAR_X, 0, 1}, {RHOMB_CIGAR_D, -1, 1}, {RHOMB_CIGAR_I, 1, 0}};
enum { MOVE_COUNT = sizeof MOVES / sizeof MOVES[0] };

/* The first of the moves from a wavefront to diagonal k that come furthest within the matrix. */
static int best_move(const int32_t *before, const rhomb_pair *texts, int64_t k, int32_t *to)
{
    int best = 0;
    *to = PLAIN_NOTHING;
    for (int move = 0; move < MOVE_COUNT; move++) {
        const int32_t from = before[k + MOVES[move].from], j = from + MOVES[move].steps;
        if (from == PLAIN_NOTHING || j <= *to || j > texts->target_length ||
            j - k > texts->query_length)
            continue;
        *to = j;
        best = move;
    }
    return best;
}

/* The wavefront that comes to the end, or false when that is beyond `most`. */
static bool find_end(const rhomb_pair *texts, int64_t most, plain_wavefront *w)
{
    const int64_t end = texts->target_length - texts->query_length;
    const plain_pair pair = {texts->target, texts->target_length, texts->query, texts->query_length,
                             false};
    plain_wavefront_begin_all(w, &pair);
    while (w->score < most) {
        plain_wavefront_next(w);
        if (llabs(end) <= w->score && w->offset[end] == texts->target_length)
            return true;
    }
    return false;
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
    if (p->count == p->room) {
        p->room = 2 * p->room + 16;
        p->ops = realloc(p->ops, (size_t)p->room * sizeof *p->ops);
        if (p->ops == NULL)
            abort();
    }
    p->ops[p->count++] = (rhomb_cigar_op)length << 4 | code;
}

bool path_find(const rhomb_pair *texts, int64_t most, path *out)
{
    const plain_wavefront *w = &out->wavefront;
    int64_t k = texts->target_length - texts->query_length;
    out->count = 0;
    if (!find_end(texts, most, &out->wavefront))
        return false;
    for (int64_t s = w->score; s > 0; s--) {
        int32_t to;
        const int move = best_move(plain_wavefront_of(w, s - 1), texts, k, &to);
        add_run(out, RHOMB_CIGAR_EQ, plain_wavefront_of(w, s)[k] - to);
        add_run(out, MOVES[move].code, 1);
        k += MOVES[move].from;
    }
    add_run(out, RHOMB_CIGAR_EQ, plain_wavefront_of(w, 0)[0]);
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
    plain_wavefront_end(&p->wavefront);
    *p = none;
}

int64_t path_read(const char *cigar, rhomb_path_op *ops)
{
    static const char LETTERS[] = "MIDNSHP=X"; /* by their codes */
    int64_t count = 0;
    while (*cigar != '\0') {
        char *end;
        const rhomb_path_op length = strtoull(cigar, &end, 10);
        const char *code = strchr(LETTERS, *end);
        if (*end == '\0' || code == NULL)
            abort();
        ops[count++] = length << 4 | (rhomb_path_op)(code - LETTERS);
        cigar = end + 1;
    }
    return count;
}
