/* SPDX-License-Identifier: MIT */
/*
 * Planted sets, see planted_set.h. While they are made, a record of the query is a list of pieces
 * of the target's.
 */
#include "planted_set.h"

#include "support/test.h"
#include "tests/reference/random_bases.h"

typedef struct piece {
    int record;
    int64_t begin, end;
    bool reverse;
} piece;

typedef struct strip {
    piece pieces[PLANTED_PIECES];
    int count;
} strip;

static int64_t length_of(const strip *s)
{
    int64_t length = 0;
    for (int i = 0; i < s->count; i++)
        length += s->pieces[i].end - s->pieces[i].begin;
    return length;
}

static void insert(strip *s, int at, const piece *pieces, int count)
{
    assert_true(s->count + count <= PLANTED_PIECES);
    memmove(s->pieces + at + count, s->pieces + at, (size_t)(s->count - at) * sizeof *pieces);
    memcpy(s->pieces + at, pieces, (size_t)count * sizeof *pieces);
    s->count += count;
}

/* The number of the piece that begins at a base; one that goes on over it becomes two. */
static int cut(strip *s, int64_t base)
{
    int at = 0;
    for (; at < s->count; at++) {
        const int64_t length = s->pieces[at].end - s->pieces[at].begin;
        if (base < length)
            break;
        base -= length;
    }
    if (base > 0) {
        piece *p = &s->pieces[at], rest = *p;
        if (p->reverse) {
            p->begin = rest.end - base;
            rest.end = p->begin;
        } else {
            p->end = rest.begin + base;
            rest.begin = p->end;
        }
        insert(s, ++at, &rest, 1);
    }
    return at;
}

static void turn(piece *pieces, int count)
{
    for (int i = 0, k = count - 1; i <= k; i++, k--) {
        const piece other = pieces[i];
        pieces[i] = pieces[k];
        pieces[k] = other;
        pieces[i].reverse = !pieces[i].reverse;
        if (i < k)
            pieces[k].reverse = !pieces[k].reverse;
    }
}

/*
 * A range within a piece that leaves `least` bases of it on either side, or nothing; of no length,
 * a place. False if none is found.
 */
static bool draw_range(const strip *s, int64_t length, int64_t least, rng *r, int64_t *begin)
{
    for (int tries = 0; tries < 50; tries++) {
        const int at = (int)rng_below(r, s->count);
        const int64_t most = s->pieces[at].end - s->pieces[at].begin - 2 * least - length;
        if (most < 0)
            continue;
        *begin = least + rng_below(r, most + 1);
        for (int i = 0; i < at; i++)
            *begin += s->pieces[i].end - s->pieces[i].begin;
        return true;
    }
    return false;
}

/* Exchanges what two strips have from pieces on. */
static void exchange(strip *a, int from_a, strip *b, int from_b)
{
    const strip first = *a;
    a->count = from_a;
    insert(a, from_a, b->pieces + from_b, b->count - from_b);
    b->count = from_b;
    insert(b, from_b, first.pieces + from_a, first.count - from_a);
}

static void rearrange(strip *strips, const planted_set_recipe *p, rng *r)
{
    enum { COPY, MOVE, INVERT, EXCHANGE, KINDS };
    strip *from = &strips[rng_below(r, p->records)], *to = &strips[rng_below(r, p->records)];
    const int64_t kind = rng_below(r, KINDS), length = rng_between(r, p->least, 2 * p->least);
    int64_t begin, place;
    if (!draw_range(from, length, p->least, r, &begin))
        return;
    if (kind == EXCHANGE) {
        if (from != to && draw_range(to, 0, p->least, r, &place))
            exchange(from, cut(from, begin), to, cut(to, place));
        return;
    }
    const int first = cut(from, begin);
    piece *of = &from->pieces[first], taken;
    cut(from, begin + length);
    taken = *of;
    if (kind == INVERT) {
        of->reverse = !of->reverse;
        return;
    }
    if (!draw_range(to, 0, p->least, r, &place))
        return;
    const int at = cut(to, place);
    if (kind == MOVE) {
        const int left = to == from && at <= first ? first + 1 : first;
        memmove(from->pieces + left, from->pieces + left + 1,
                (size_t)(--from->count - left) * sizeof taken);
    }
    taken.reverse = taken.reverse != rng_chance(r, 0.5);
    insert(to, to == from && kind == MOVE && at > first ? at - 1 : at, &taken, 1);
}

static void *room(int64_t bytes)
{
    void *memory = malloc((size_t)bytes);
    assert_non_null(memory);
    return memory;
}

/* Writes a record of the query, and its matches. */
static void write(planted_set *set, const strip *s, int record, double rate, rng *r)
{
    int64_t at = 0;
    char *to = room(length_of(s) + 1);
    for (int i = 0; i < s->count; i++) {
        const piece *p = &s->pieces[i];
        const int64_t length = p->end - p->begin;
        memcpy(to + at, set->bases[0][p->record] + p->begin, (size_t)length);
        if (p->reverse)
            complement_bases(to + at, length);
        set->matches[set->count++] =
            (planted_match){{p->record, record}, {p->begin, at}, length, p->reverse};
        at += length;
    }
    for (int64_t i = 0; i < at; i++)
        if (rng_chance(r, rate))
            to[i] = random_other_base(to[i], &r->state);
    to[at] = '\0';
    set->bases[1][record] = to;
    set->length[1][record] = at;
}

static void swap(planted_set *set)
{
    for (int i = 0; i < set->records; i++) {
        char *bases = set->bases[0][i];
        const int64_t length = set->length[0][i];
        set->bases[0][i] = set->bases[1][i];
        set->length[0][i] = set->length[1][i];
        set->bases[1][i] = bases;
        set->length[1][i] = length;
    }
    for (int i = 0; i < set->count; i++) {
        planted_match *m = &set->matches[i];
        *m = (planted_match){
            {m->record[1], m->record[0]}, {m->begin[1], m->begin[0]}, m->length, m->reverse};
    }
}

void planted_set_make(planted_set *set, const planted_set_recipe *p, rng *r)
{
    strip *strips = calloc(PLANTED_RECORDS, sizeof *strips);
    assert_non_null(strips);
    *set = (planted_set){.records = p->records};
    for (int i = 0; i < p->records; i++) {
        const int64_t mean = p->bases / p->records;
        const int64_t length = rng_between(r, mean / 2, mean + mean / 2);
        set->bases[0][i] = room(length + 1);
        random_bases(set->bases[0][i], length, &r->state);
        set->bases[0][i][length] = '\0';
        set->length[0][i] = length;
        strips[i] = (strip){{{.record = i, .end = length}}, 1};
    }
    for (int i = 0; i < p->events; i++)
        rearrange(strips, p, r);
    for (int i = 0; i < p->records; i++) {
        if (p->turned)
            turn(strips[i].pieces, strips[i].count);
        write(set, &strips[i], i, p->rate, r);
    }
    if (p->swapped)
        swap(set);
    free(strips);
}

void planted_set_release(planted_set *set)
{
    for (int i = 0; i < set->records; i++) {
        free(set->bases[0][i]);
        free(set->bases[1][i]);
    }
    *set = (planted_set){0};
}

/* The part of a match that lies in both ranges; of length 0 or less if there is none. */
static planted_match clip(const planted_match *m, const planted_range *range)
{
    planted_match part = *m;
    int64_t ahead = 0, over = 0; /* along the target */
    for (int side = 0; side < 2; side++) {
        const int64_t before = range->begin[side] - m->begin[side];
        const int64_t after = m->begin[side] + m->length - range->end[side];
        const bool turned = side == 1 && m->reverse;
        const int64_t first = turned ? after : before, last = turned ? before : after;
        ahead = first > ahead ? first : ahead;
        over = last > over ? last : over;
    }
    part.length = m->length - ahead - over;
    part.begin[0] += ahead;
    part.begin[1] += m->reverse ? over : ahead;
    return part;
}

static int by_target(const void *a, const void *b)
{
    const planted_match *x = a, *y = b;
    return (x->begin[0] > y->begin[0]) - (x->begin[0] < y->begin[0]);
}

/* Of what lies between two matches, or beside one, the shorter side: the other one is an indel. */
static int64_t unlike_between(const planted_range *range, const planted_match *before,
                              const planted_match *after)
{
    int64_t bases[2];
    for (int side = 0; side < 2; side++) {
        const bool turned = side == 1 && range->reverse;
        const planted_match *first = turned ? after : before, *second = turned ? before : after;
        bases[side] = (second != NULL ? second->begin[side] : range->end[side]) -
                      (first != NULL ? first->begin[side] + first->length : range->begin[side]);
    }
    return bases[0] < 0 || bases[1] < 0 ? -1 : bases[0] < bases[1] ? bases[0] : bases[1];
}

planted_likeness planted_set_compare(const planted_set *set, const planted_range *range)
{
    planted_match *parts = room((int64_t)sizeof *parts * (set->count + 1));
    planted_likeness *chains = room((int64_t)sizeof *chains * (set->count + 1));
    planted_likeness best = {0, unlike_between(range, NULL, NULL)};
    int count = 0;
    for (int i = 0; i < set->count; i++) {
        const planted_match *m = &set->matches[i], part = clip(m, range);
        if (m->record[0] == range->record[0] && m->record[1] == range->record[1] &&
            m->reverse == range->reverse && part.length > 0)
            parts[count++] = part;
    }
    qsort(parts, (size_t)count, sizeof *parts, by_target);
    for (int i = 0; i < count; i++) {
        chains[i] = (planted_likeness){parts[i].length, unlike_between(range, NULL, &parts[i])};
        for (int k = 0; k < i; k++) {
            const int64_t unlike = unlike_between(range, &parts[k], &parts[i]);
            if (unlike >= 0 && chains[i].alike < chains[k].alike + parts[i].length)
                chains[i] = (planted_likeness){chains[k].alike + parts[i].length,
                                               chains[k].unlike + unlike};
        }
        if (best.alike < chains[i].alike)
            best = (planted_likeness){chains[i].alike,
                                      chains[i].unlike + unlike_between(range, &parts[i], NULL)};
    }
    free(chains);
    free(parts);
    return best;
}
