/* SPDX-License-Identifier: MIT */
/*
 * Gaps in order, see path.h. Between two mismatches there are only matches and gaps: what is left
 * of either sequence without its gaps is the same text. A gap may be wherever its sequence, without
 * it, is that text. So each sequence is put in order by itself, with its gaps as places in it and
 * every place tried base by base, and both together make the path. Plain and slow.
 */
#include "path.h"

#include <stdlib.h>
#include <string.h>

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
