/* SPDX-License-Identifier: MIT */
/*
 * Which of the paths of equal cost it is, see rhomb__path_tidy() in path_ops.h.
 *
 * The letters of a gap lie in one of the sequences, and moving it past a run of equal letters costs
 * nothing where that sequence repeats itself there, the gap's length apart. So all comparisons are
 * of a sequence with itself, beside the gap; runs between gaps that stay are not read.
 *
 * In a path of least cost an insertion never touches a deletion: one unequal letter would be
 * cheaper than one of each. What stops a gap is a letter, an unequal run or an end. So what lies
 * between two unequal runs is put in order by itself, and threads share a path in stretches that
 * begin with one: some at a time, which come out beside the path, so that little memory is needed.
 *
 * One core takes some 25 ns an operation where edits are 7 letters apart, and 80 ns where each is
 * on a page of its own; looking ahead for those is no quicker (bench/NOTES.md).
 */
#include "path_ops.h"

#include "int64.h"
#include "parallel.h"

#include <stdlib.h>
#include <string.h>

enum {
    BLOCK_LETTERS = 256,  /* that are compared one by one before blocks are */
    BUDGET_LETTERS = 8,   /* that may be compared, for each of a stretch; more is no such path */
    STRETCH_OPS = 2048,   /* at least, and up to the next unequal run */
    MOST_STRETCHES = 128, /* that are put in order at a time: 4 MiB beside the path */
    LEAST_PORTIONS = 5,   /* and less beside a short one */
    THREAD_OPS = 16384,   /* for which a thread is worth it */
};

typedef struct place {
    int64_t target;
    int64_t query;
} place;

/* Operations that are put in order by themselves. */
typedef struct stretch {
    const rhomb__path_pair *pair;
    const rhomb_path_op *given;
    rhomb_path_op *ops; /* with room for two for each */
    int64_t count;
    place begin;
    int64_t budget; /* letters that may still be compared */
} stretch;

/* A gap, and where it begins in the sequence that has its letters. */
typedef struct gap {
    const char *letters; /* of that sequence */
    int64_t at;
    int64_t length;
} gap;

static bool is_gap(rhomb_path_op op)
{
    const uint64_t code = RHOMB_CIGAR_CODE(op);
    return code == RHOMB_CIGAR_I || code == RHOMB_CIGAR_D;
}

static bool is_unequal_run(rhomb_path_op op)
{
    return RHOMB_CIGAR_CODE(op) == RHOMB_CIGAR_X;
}

static bool is_equal_run(rhomb_path_op op)
{
    return RHOMB_CIGAR_CODE(op) == RHOMB_CIGAR_EQ;
}

static int64_t length_of(rhomb_path_op op)
{
    return (int64_t)RHOMB_CIGAR_LENGTH(op);
}

/* How many letters before `a` and `b` are equal, of `most`, until the first that differ. */
static int64_t equal_before(const rhomb__codes *codes, const char *a, const char *b, int64_t most)
{
    int64_t run = 0;
    while (run < most) {
        if (run > 0 && most - run >= BLOCK_LETTERS &&
            memcmp(a - run - BLOCK_LETTERS, b - run - BLOCK_LETTERS, BLOCK_LETTERS) == 0) {
            run += BLOCK_LETTERS;
            continue;
        }
        const int64_t end = rhomb__min(most, run + BLOCK_LETTERS);
        for (; run < end; run++)
            if (codes->code[(unsigned char)a[-run - 1]] != codes->code[(unsigned char)b[-run - 1]])
                return run;
    }
    return run;
}

/* By how many letters, of `most`, a gap can be moved to the left. */
static int64_t letters_left(stretch *s, const gap *g, int64_t most)
{
    const char *begin = g->letters + g->at;
    const int64_t run =
        equal_before(s->pair->codes, begin, begin + g->length, rhomb__min(most, s->budget));
    s->budget -= run;
    return run;
}

/* The same to the right. */
static int64_t letters_right(stretch *s, const gap *g, int64_t most)
{
    const char *begin = g->letters + g->at;
    const int64_t run =
        rhomb__codes_run(s->pair->codes, begin, begin + g->length, rhomb__min(most, s->budget));
    s->budget -= run;
    return run;
}

/* Appends to the first `*count` operations, which have room. */
static void push(rhomb_path_op *ops, int64_t *count, uint64_t code, int64_t length)
{
    if (*count > 0 && RHOMB_CIGAR_CODE(ops[*count - 1]) == code)
        ops[*count - 1] += (rhomb_path_op)length << 4;
    else if (length > 0)
        ops[(*count)++] = (rhomb_path_op)length << 4 | code;
}

/*
 * Joins the gap that is the last of the operations, but for a run of equal letters behind it, with
 * those of its kind before it, one by one, if they can be moved to each other: it to the left, that
 * to the right. Neither is in the other's way.
 */
static int64_t join_last(stretch *s, rhomb_path_op *ops, int64_t count, gap g)
{
    for (;;) {
        const int64_t at = is_gap(ops[count - 1]) ? count - 1 : count - 2;
        if (at < 2 || !is_equal_run(ops[at - 1]) ||
            RHOMB_CIGAR_CODE(ops[at - 2]) != RHOMB_CIGAR_CODE(ops[at]))
            return count;
        const uint64_t code = RHOMB_CIGAR_CODE(ops[at]);
        const int64_t between = length_of(ops[at - 1]);
        const int64_t behind = at + 1 < count ? length_of(ops[at + 1]) : 0;
        const gap before = {g.letters, g.at - between - length_of(ops[at - 2]),
                            length_of(ops[at - 2])};
        const int64_t left = letters_left(s, &g, between);
        if (letters_right(s, &before, between - left) < between - left)
            return count;
        g.at = before.at + between - left;
        g.length += before.length;
        count = at - 2;
        push(ops, &count, RHOMB_CIGAR_EQ, between - left);
        push(ops, &count, code, g.length);
        push(ops, &count, RHOMB_CIGAR_EQ, left + behind);
    }
}

/* The gap that an operation is which begins at a place. */
static gap gap_at(const stretch *s, rhomb_path_op op, const place *at)
{
    const bool inserted = RHOMB_CIGAR_CODE(op) == RHOMB_CIGAR_I;
    const gap g = {inserted ? s->pair->query : s->pair->target, inserted ? at->query : at->target,
                   length_of(op)};
    return g;
}

static void advance(place *at, rhomb_path_op op)
{
    at->target += RHOMB_CIGAR_CODE(op) != RHOMB_CIGAR_I ? length_of(op) : 0;
    at->query += RHOMB_CIGAR_CODE(op) != RHOMB_CIGAR_D ? length_of(op) : 0;
}

/* Joins what gaps it can. There are never more operations than before. */
static void join_gaps(stretch *s)
{
    place at = s->begin;
    const int64_t given = s->count;
    s->count = 0;
    for (int64_t i = 0; i < given; i++) {
        const rhomb_path_op op = s->given[i];
        push(s->ops, &s->count, RHOMB_CIGAR_CODE(op), length_of(op));
        if (is_gap(op))
            s->count = join_last(s, s->ops, s->count, gap_at(s, op, &at));
        advance(&at, op);
    }
}

/*
 * Moves every gap to the left as far as its letters go. A run of equal letters comes to lie behind
 * it, also where an unequal one followed, or the end: so the operations lie further back before.
 */
static void move_gaps(stretch *s)
{
    place at = s->begin;
    const rhomb_path_op *op = s->ops + s->count, *const end = op + s->count;
    memcpy(s->ops + s->count, s->ops, (size_t)s->count * sizeof *s->ops);
    s->count = 0;
    for (; op < end; op++) {
        const rhomb_path_op this = *op;
        int64_t moved = 0;
        if (is_gap(this) && s->count > 0 && is_equal_run(s->ops[s->count - 1])) {
            const gap g = gap_at(s, this, &at);
            moved = letters_left(s, &g, length_of(s->ops[s->count - 1]));
            s->ops[s->count - 1] -= (rhomb_path_op)moved << 4;
            s->count -= length_of(s->ops[s->count - 1]) == 0;
        }
        push(s->ops, &s->count, RHOMB_CIGAR_CODE(this), length_of(this));
        push(s->ops, &s->count, RHOMB_CIGAR_EQ, moved);
        advance(&at, this);
    }
}

static void put_in_order(int64_t index, void *user)
{
    stretch *s = (stretch *)user + index;
    join_gaps(s);
    move_gaps(s);
}

/* A path of which some is in order, at its beginning, and the rest lies at its room's end. */
typedef struct tidying {
    const rhomb__path_pair *pair;
    const rhomb_path_op *rest;
    const rhomb_path_op *end;
    place at; /* where the rest begins */
    stretch *stretches;
    int64_t count;   /* of them, that are next */
    int64_t portion; /* operations that they have together, about */
    rhomb_path_op *room;
    int64_t room_ops;
} tidying;

/* Takes the next stretches off the rest, and makes room for what comes out. */
static rhomb_status list_stretches(rhomb__error *error, tidying *t)
{
    const rhomb_path_op *const first = t->rest;
    for (t->count = 0;
         t->rest < t->end && t->rest < first + t->portion && t->count < MOST_STRETCHES;
         t->count++) {
        stretch next = {.pair = t->pair, .given = t->rest, .begin = t->at};
        do {
            advance(&t->at, *t->rest++);
            next.count++;
        } while (t->rest < t->end && (next.count < STRETCH_OPS || !is_unequal_run(*t->rest)));
        next.budget =
            BUDGET_LETTERS * (t->at.target - next.begin.target + t->at.query - next.begin.query);
        t->stretches[t->count] = next;
    }
    const int64_t needed = 2 * (t->rest - first);
    if (needed > t->room_ops) {
        free(t->room);
        t->room = malloc((size_t)needed * sizeof *t->room);
        t->room_ops = t->room != NULL ? needed : 0;
        if (t->room == NULL)
            return rhomb__fail_memory(error, (size_t)needed * sizeof *t->room,
                                      "putting the gaps of a path in order");
    }
    for (int64_t i = 0; i < t->count; i++)
        t->stretches[i].ops = t->room + 2 * (t->stretches[i].given - first);
    return RHOMB_OK;
}

/*
 * Moves the operations back by as many as there may be more of them: runs of equal letters behind
 * gaps that none follows.
 */
static rhomb_status make_way(rhomb__error *error, tidying *t, rhomb__path *path)
{
    rhomb_status status = RHOMB_OK;
    int64_t more = 0;
    for (int64_t i = 0; i < path->count; i++)
        more += is_gap(path->ops[i]) && (i + 1 == path->count || !is_equal_run(path->ops[i + 1]));
    RHOMB_TRY(rhomb__path_reserve(error, path, more));
    t->rest = path->ops + more;
    t->end = t->rest + path->count;
    memmove(path->ops + more, path->ops, (size_t)path->count * sizeof *path->ops);
out:
    return status;
}

rhomb_status rhomb__path_tidy(rhomb__error *error, rhomb__path *path, const rhomb__path_pair *pair,
                              int32_t threads)
{
    rhomb_status status = RHOMB_OK;
    stretch stretches[MOST_STRETCHES];
    tidying t = {.pair = pair, .stretches = stretches, .portion = path->count / LEAST_PORTIONS + 1};
    const int64_t busy = rhomb__min(threads, path->count / THREAD_OPS + 1);
    if (path->count == 0)
        return RHOMB_OK;
    RHOMB_TRY(make_way(error, &t, path));
    path->count = 0;
    while (t.rest < t.end) {
        RHOMB_TRY(list_stretches(error, &t));
        rhomb__parallel_run((int32_t)busy, t.count, put_in_order, stretches);
        for (int64_t i = 0; i < t.count; i++) {
            memcpy(path->ops + path->count, stretches[i].ops,
                   (size_t)stretches[i].count * sizeof *path->ops);
            path->count += stretches[i].count;
        }
    }
out:
    free(t.room);
    return status;
}
