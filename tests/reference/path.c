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

/*
 * Gaps in order. Between two mismatches there are only matches and gaps: what is left
 * of either sequence without its gaps is the same text. A gap may be wherever its sequence, without
 * it, is that text. So each sequence is put in order by itself, with its gaps as places in it and
 * every place tried base by base, and both together make the path. Plain and slow.
 */
/* A gap of one sequence. */
typedef struct gap {
    int64_t at;
    int64_t length;
} gap;

/* The gaps of one sequence since the last mismatch, which ended at `begin`. */
typedef struct side {
    const char *text;
    gap *gaps;
    int64_t count;
    int64_t begin;
    int64_t end; /* of what has been followed */
} side;

/* The operations that come out. */
typedef struct output {
    rhomb_cigar_op *ops;
    int64_t count;
} output;

static void *room_for(int64_t bytes)
{
    void *room = malloc((size_t)bytes + 1);
    if (room == NULL)
        abort();
    return room;
}

/*
 * The last two gaps become one somewhere between them, as far to the left as it can, if the same
 * bases are left.
 */
static bool join_last(side *s)
{
    if (s->count < 2)
        return false;
    gap *const a = &s->gaps[s->count - 2], *const b = a + 1;
    const int64_t between = b->at - a->at - a->length, length = a->length + b->length;
    const char *const left = s->text + a->at + a->length;
    for (int64_t at = 0; at <= between; at++) {
        if (memcmp(s->text + a->at, left, (size_t)at) != 0 ||
            memcmp(s->text + a->at + at + length, left + at, (size_t)(between - at)) != 0)
            continue;
        a->at += at;
        a->length = length;
        s->count--;
        return true;
    }
    return false;
}

static void add_gap(side *s, int64_t length)
{
    s->gaps[s->count++] = (gap){s->end, length};
    s->end += length;
    while (join_last(s))
        continue;
}

/* Moves each gap to the left, base by base. */
static void move_left(side *s)
{
    for (int64_t i = 0; i < s->count; i++) {
        gap *g = &s->gaps[i];
        const int64_t least = i > 0 ? g[-1].at + g[-1].length : s->begin;
        while (g->at > least && s->text[g->at - 1] == s->text[g->at + g->length - 1])
            g->at--;
    }
}

static void add_op(output *out, rhomb_cigar_op code, int64_t length)
{
    if (length > 0 && out->count > 0 && RHOMB_CIGAR_CODE(out->ops[out->count - 1]) == code)
        out->ops[out->count - 1] += (rhomb_cigar_op)length << 4;
    else if (length > 0)
        out->ops[out->count++] = (rhomb_cigar_op)length << 4 | code;
}

/* How far the next gap of a side is. */
static int64_t next_gap(const side *s, int64_t i)
{
    return (i < s->count ? s->gaps[i].at : s->end) - s->begin;
}

/* Writes matches and gaps, the target's first where both have one; then nothing is left. */
static void write_both(side *target, side *query, output *out)
{
    int64_t d = 0, i = 0;
    move_left(target);
    move_left(query);
    while (target->begin < target->end || query->begin < query->end) {
        const int64_t to_d = next_gap(target, d), to_i = next_gap(query, i);
        const int64_t run = to_d < to_i ? to_d : to_i;
        add_op(out, RHOMB_CIGAR_EQ, run);
        target->begin += run;
        query->begin += run;
        if (to_d == run && d < target->count) {
            add_op(out, RHOMB_CIGAR_D, target->gaps[d].length);
            target->begin += target->gaps[d++].length;
        } else if (to_i == run && i < query->count) {
            add_op(out, RHOMB_CIGAR_I, query->gaps[i].length);
            query->begin += query->gaps[i++].length;
        }
    }
    target->count = query->count = 0;
}

int64_t path_in_order(rhomb_cigar_op *ops, int64_t count, const rhomb_pair *texts)
{
    const int64_t bytes = count * (int64_t)sizeof(gap);
    rhomb_cigar_op *given = room_for(count * (int64_t)sizeof *ops);
    side target = {texts->target, room_for(bytes), 0, 0, 0};
    side query = {texts->query, room_for(bytes), 0, 0, 0};
    output out = {ops, 0};
    if (count > 0)
        memcpy(given, ops, (size_t)count * sizeof *ops);
    for (int64_t k = 0; k < count; k++) {
        const int64_t length = RHOMB_CIGAR_LENGTH(given[k]);
        const rhomb_cigar_op code = RHOMB_CIGAR_CODE(given[k]);
        if (code == RHOMB_CIGAR_D)
            add_gap(&target, length);
        else if (code == RHOMB_CIGAR_I)
            add_gap(&query, length);
        if (code == RHOMB_CIGAR_X)
            write_both(&target, &query, &out);
        if (code == RHOMB_CIGAR_X || code == RHOMB_CIGAR_EQ) {
            target.end += length;
            query.end += length;
        }
        if (code == RHOMB_CIGAR_X) {
            add_op(&out, code, length);
            target.begin = target.end;
            query.begin = query.end;
        }
    }
    write_both(&target, &query, &out);
    free(given);
    free(target.gaps);
    free(query.gaps);
    return out.count;
}
