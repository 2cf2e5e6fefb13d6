/* SPDX-License-Identifier: MIT */
/*
 * Which of the paths of equal cost it is, see rhomb__path_tidy() in path_ops.h.
 *
 * The letters of a gap lie in one of the sequences, and moving it past a run of equal letters costs
 * nothing where that sequence repeats itself there, the gap's length apart. So all comparisons are
 * of a sequence with itself, beside the gap; runs between gaps that stay are not read.
 *
 * In a path of least cost an insertion never touches a deletion: one unequal letter would be
 * cheaper than one of each. What stops a gap is a letter, an unequal run or an end.
 */
#include "path_ops.h"

#include "int64.h"

#include <string.h>

enum {
    NEAR_LETTERS = 16, /* that are compared one by one before blocks are */
    BLOCK_LETTERS = 256,
    BUDGET_LETTERS = 8, /* that may be compared, for each of the pair; more is no such path */
};

typedef struct tidying {
    const rhomb__path_pair *pair;
    int64_t budget; /* letters that may still be compared */
} tidying;

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
        if (run >= NEAR_LETTERS && most - run >= BLOCK_LETTERS &&
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
static int64_t letters_left(tidying *t, const gap *g, int64_t most)
{
    const char *begin = g->letters + g->at;
    const int64_t run =
        equal_before(t->pair->codes, begin, begin + g->length, rhomb__min(most, t->budget));
    t->budget -= run;
    return run;
}

/* The same to the right. */
static int64_t letters_right(tidying *t, const gap *g, int64_t most)
{
    const char *begin = g->letters + g->at;
    const int64_t run =
        rhomb__codes_run(t->pair->codes, begin, begin + g->length, rhomb__min(most, t->budget));
    t->budget -= run;
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
static int64_t join_last(tidying *t, rhomb_path_op *ops, int64_t count, gap g)
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
        const int64_t left = letters_left(t, &g, between);
        if (letters_right(t, &before, between - left) < between - left)
            return count;
        g.at = before.at + between - left;
        g.length += before.length;
        count = at - 2;
        push(ops, &count, RHOMB_CIGAR_EQ, between - left);
        push(ops, &count, code, g.length);
        push(ops, &count, RHOMB_CIGAR_EQ, left + behind);
    }
}

typedef struct place {
    int64_t target;
    int64_t query;
} place;

/* The gap that an operation is which begins at a place. */
static gap gap_at(const tidying *t, rhomb_path_op op, const place *at)
{
    const bool inserted = RHOMB_CIGAR_CODE(op) == RHOMB_CIGAR_I;
    const gap g = {inserted ? t->pair->query : t->pair->target, inserted ? at->query : at->target,
                   length_of(op)};
    return g;
}

static void advance(place *at, rhomb_path_op op)
{
    at->target += RHOMB_CIGAR_CODE(op) != RHOMB_CIGAR_I ? length_of(op) : 0;
    at->query += RHOMB_CIGAR_CODE(op) != RHOMB_CIGAR_D ? length_of(op) : 0;
}

/* Joins what gaps it can. There are never more operations than before. */
static void join_gaps(tidying *t, rhomb__path *path)
{
    place at = {0, 0};
    int64_t count = 0;
    for (int64_t i = 0; i < path->count; i++) {
        const rhomb_path_op op = path->ops[i];
        push(path->ops, &count, RHOMB_CIGAR_CODE(op), length_of(op));
        if (is_gap(op))
            count = join_last(t, path->ops, count, gap_at(t, op, &at));
        advance(&at, op);
    }
    path->count = count;
}

/*
 * Moves every gap to the left as far as its letters go. A run of equal letters comes to lie behind
 * it, also where an unequal one followed, or the end: so the operations lie further back before.
 */
static rhomb_status move_gaps(rhomb__error *error, tidying *t, rhomb__path *path)
{
    rhomb_status status = RHOMB_OK;
    place at = {0, 0};
    int64_t more = 1, count = 0;
    for (int64_t i = 0; i < path->count; i++)
        more += is_gap(path->ops[i]) && (i + 1 == path->count || !is_equal_run(path->ops[i + 1]));
    RHOMB_TRY(rhomb__path_reserve(error, path, more));
    const rhomb_path_op *op = path->ops + more, *const end = op + path->count;
    memmove(path->ops + more, path->ops, (size_t)path->count * sizeof *path->ops);
    for (; op < end; op++) {
        const rhomb_path_op this = *op;
        int64_t moved = 0;
        if (is_gap(this) && count > 0 && is_equal_run(path->ops[count - 1])) {
            const gap g = gap_at(t, this, &at);
            moved = letters_left(t, &g, length_of(path->ops[count - 1]));
            path->ops[count - 1] -= (rhomb_path_op)moved << 4;
            count -= length_of(path->ops[count - 1]) == 0;
        }
        push(path->ops, &count, RHOMB_CIGAR_CODE(this), length_of(this));
        push(path->ops, &count, RHOMB_CIGAR_EQ, moved);
        advance(&at, this);
    }
    path->count = count;
out:
    return status;
}

rhomb_status rhomb__path_tidy(rhomb__error *error, rhomb__path *path, const rhomb__path_pair *pair)
{
    tidying t = {pair, BUDGET_LETTERS * (pair->target_length + pair->query_length)};
    if (path->count == 0)
        return RHOMB_OK;
    join_gaps(&t, path);
    return move_gaps(error, &t, path);
}
