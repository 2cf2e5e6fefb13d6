/* SPDX-License-Identifier: MIT */
/*
 * The choice among paths of equal cost, see rhomb__path_tidy() in path_ops.h.
 *
 * The bases of a gap lie in one of the sequences, and shifting it past matches costs nothing where
 * that sequence repeats itself, the gap's length apart. So all comparisons are of a sequence with
 * itself, next to the gap; runs between gaps that stay are not read. They are for equal codes, also
 * where codes match others (RHOMB_ALPHABET_IUPAC): an equal one matches the same bases.
 *
 * An insertion and a deletion that touch may change places: the path costs the same, and leads
 * through the same matches. So the two kinds do not stop each other, and where each kind comes to
 * lie depends on its own sequence alone; at the same place the deletion comes first. Only with a
 * mismatch that costs at least as much as an insertion and a deletion of one base can they meet.
 *
 * A gap is stopped by a base, a run of mismatches or an end. So the operations between two runs of
 * mismatches are tidied independently, and threads share a path in segments that begin with a
 * mismatch. Each segment is tidied in place, right after its bases were checked, while they
 * are in the cache. Operations that do not fit in place are kept aside until all segments are
 * moved together: few, since each needs a run of mismatches, or an end. So no page is touched for
 * the first time, which takes as long as 80 operations. Checking and tidying take some 35 ns per
 * operation on one core, 4 on 16 (bench/NOTES.md).
 */
#include "src/paths/path_segments.h"

#include "src/base/int64.h"
#include "src/base/parallel.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK_BASES = 256, /* bases of a block; as many are compared singly before blocks are */
    BUDGET_BASES = 8,  /* compared per base of a segment, at most; then gaps stay */
    STACK_OPS = 4096,  /* that fit on a thread's stack, twice */
};

/* Operations that are tidied independently. */
typedef struct segment {
    const rhomb__path_pair *pair;
    rhomb_path_op *ops;
    int64_t count;
    int64_t target; /* where they begin */
    int64_t query;
    int64_t budget; /* bases that may still be compared */
} segment;

/* A gap, and its beginning in the sequence that has its bases. */
typedef struct gap {
    const char *bases; /* of that sequence */
    int64_t at;
    int64_t length;
} gap;

static bool is_gap(rhomb_path_op op)
{
    return rhomb__op_is(op, RHOMB_CIGAR_I) || rhomb__op_is(op, RHOMB_CIGAR_D);
}

/* The number of matches immediately before `a` and `b`, at most `most`. */
static int64_t equal_before(const rhomb__codes *codes, const char *a, const char *b, int64_t most)
{
    int64_t run = 0;
    while (run < most) {
        if (run > 0 && most - run >= BLOCK_BASES &&
            memcmp(a - run - BLOCK_BASES, b - run - BLOCK_BASES, BLOCK_BASES) == 0) {
            run += BLOCK_BASES;
            continue;
        }
        const int64_t end = rhomb__min(most, run + BLOCK_BASES);
        for (; run < end; run++)
            if (codes->code[(unsigned char)a[-run - 1]] != codes->code[(unsigned char)b[-run - 1]])
                return run;
    }
    return run;
}

/* The number of bases, at most `most`, by which a gap can be shifted left. */
static int64_t bases_left(segment *s, const gap *g, int64_t most)
{
    const char *begin = g->bases + g->at;
    const int64_t run =
        equal_before(s->pair->codes, begin, begin + g->length, rhomb__min(most, s->budget));
    s->budget -= run;
    return run;
}

/* The same for shifting right. */
static int64_t bases_right(segment *s, const gap *g, int64_t most)
{
    const char *begin = g->bases + g->at;
    const int64_t run = rhomb__codes_equal_run(s->pair->codes, begin, begin + g->length,
                                               rhomb__min(most, s->budget));
    s->budget -= run;
    return run;
}

/* Operations that replace those that they are made from. */
typedef struct written {
    rhomb_path_op *ops;  /* the first `room` of them */
    rhomb_path_op *more; /* those after them; NULL if there are none */
    int64_t room;
    int64_t count;
} written;

static rhomb_path_op *op_at(written *w, int64_t index)
{
    return index < w->room ? &w->ops[index] : &w->more[index - w->room];
}

/* Appends an operation, or extends the last one if that has the same code. */
static void append(written *w, uint64_t code, int64_t length)
{
    rhomb_path_op *last = w->count > 0 ? op_at(w, w->count - 1) : NULL;
    if (last != NULL && rhomb__op_is(*last, code))
        *last += (rhomb_path_op)length << 4;
    else if (length > 0)
        *op_at(w, w->count++) = (rhomb_path_op)length << 4 | code;
}

/* Makes room for `more` operations at an index. */
static void make_room(written *w, int64_t index, int64_t more)
{
    for (int64_t i = w->count - 1; i >= index; i--)
        *op_at(w, i + more) = *op_at(w, i);
    w->count += more;
}

/* Removes the operation at an index; those around it become one if they are of a kind. */
static void remove_op(written *w, int64_t index)
{
    const bool joins =
        index > 0 && index + 1 < w->count &&
        RHOMB_CIGAR_CODE(*op_at(w, index - 1)) == RHOMB_CIGAR_CODE(*op_at(w, index + 1));
    if (joins)
        *op_at(w, index - 1) += RHOMB_CIGAR_LENGTH(*op_at(w, index + 1)) << 4;
    w->count -= 1 + joins;
    for (int64_t i = index; i < w->count; i++)
        *op_at(w, i) = *op_at(w, i + 1 + joins);
}

/*
 * The last gap of a kind and the matches after it; -1 if there is none since a mismatch. What it
 * passes is passed once by either kind, or is between two gaps that merge, whose bases were
 * compared.
 */
static int64_t last_gap(written *w, uint64_t code, int64_t *matches)
{
    *matches = 0;
    for (int64_t i = w->count - 1; i >= 0; i--) {
        const rhomb_path_op op = *op_at(w, i);
        if (rhomb__op_is(op, code))
            return i;
        if (rhomb__op_is(op, RHOMB_CIGAR_X))
            break;
        *matches += rhomb__op_is(op, RHOMB_CIGAR_EQ) ? rhomb__op_length(op) : 0;
    }
    return -1;
}

/* By how many of the last matches a gap of a kind can be shifted left. */
static int64_t matches_left(segment *s, written *w, uint64_t code, gap g)
{
    const int64_t end = g.at;
    for (int64_t i = w->count - 1; i >= 0; i--) {
        const rhomb_path_op op = *op_at(w, i);
        if (rhomb__op_is(op, RHOMB_CIGAR_EQ)) {
            const int64_t run = bases_left(s, &g, rhomb__op_length(op));
            g.at -= run;
            if (run < rhomb__op_length(op))
                break;
        } else if (rhomb__op_is(op, RHOMB_CIGAR_X) || rhomb__op_is(op, code)) {
            break;
        }
    }
    return end - g.at;
}

/* Adds a gap that has `back` matches after it, and none of its kind. */
static void put_gap(written *w, uint64_t code, int64_t length, int64_t back)
{
    int64_t at = w->count;
    for (; at > 0; at--) {
        const rhomb_path_op before = *op_at(w, at - 1);
        if (rhomb__op_is(before, RHOMB_CIGAR_EQ) && back >= rhomb__op_length(before))
            back -= rhomb__op_length(before);
        else if (!is_gap(before) || rhomb__op_is(before, code) ||
                 (back == 0 && code == RHOMB_CIGAR_I))
            break;
    }
    if (at > 0 && rhomb__op_is(*op_at(w, at - 1), code)) {
        *op_at(w, at - 1) += (rhomb_path_op)length << 4;
        return;
    }
    make_room(w, at, back > 0 ? 2 : 1);
    *op_at(w, at) = (rhomb_path_op)length << 4 | code;
    if (back > 0) {
        *op_at(w, at - 1) -= (rhomb_path_op)back << 4;
        *op_at(w, at + 1) = (rhomb_path_op)back << 4 | RHOMB_CIGAR_EQ;
    }
}

/* The gap of an operation that begins at a place. */
static gap gap_at(const segment *s, rhomb_path_op op, int64_t target, int64_t query)
{
    const bool inserted = rhomb__op_is(op, RHOMB_CIGAR_I);
    const gap g = {inserted ? s->pair->query : s->pair->target, inserted ? query : target,
                   rhomb__op_length(op)};
    return g;
}

/*
 * Adds a gap, merged with those of its kind before it, one by one, if they can be shifted together:
 * the last one left, the one before right. Neither blocks the other.
 */
static void join_gap(segment *s, written *w, uint64_t code, gap g)
{
    int64_t back = 0, matches;
    for (;;) {
        const int64_t at = last_gap(w, code, &matches), between = matches - back;
        if (at < 0)
            break;
        const int64_t length = rhomb__op_length(*op_at(w, at));
        const gap before = {g.bases, g.at - between - length, length};
        const int64_t left = bases_left(s, &g, between);
        if (bases_right(s, &before, between - left) < between - left)
            break;
        g.at = before.at + between - left;
        g.length += length;
        back += left;
        remove_op(w, at);
    }
    put_gap(w, code, g.length, back);
}

/* Merges all gaps that it can. The number of operations never grows. */
static void join_gaps(segment *s)
{
    int64_t target = s->target, query = s->query;
    written w = {s->ops, NULL, s->count, 0};
    for (int64_t i = 0; i < s->count; i++) {
        const rhomb_path_op op = s->ops[i];
        if (is_gap(op))
            join_gap(s, &w, RHOMB_CIGAR_CODE(op), gap_at(s, op, target, query));
        else
            append(&w, RHOMB_CIGAR_CODE(op), rhomb__op_length(op));
        target += rhomb__op_target_bases(op);
        query += rhomb__op_query_bases(op);
    }
    s->count = w.count;
}

/*
 * The most operations that shifting gaps can add: a run of matches may appear after a gap that a
 * mismatch, another gap or the end followed.
 */
static int64_t count_more(const segment *s)
{
    int64_t more = 0;
    for (int64_t i = 0; i < s->count; i++)
        more += is_gap(s->ops[i]) &&
                (i + 1 == s->count || !rhomb__op_is(s->ops[i + 1], RHOMB_CIGAR_EQ));
    return more;
}

/*
 * Shifts every gap left as far as its bases allow. The output may be up to `more` operations ahead
 * of the input, and one more for a moment: so many are read ahead, into `ahead`.
 */
static void move_gaps(segment *s, int64_t more, rhomb_path_op *ahead, written *w)
{
    const int64_t count = s->count, read = rhomb__min(count, more + 1);
    int64_t target = s->target, query = s->query, turn = 0;
    memcpy(ahead, s->ops, (size_t)read * sizeof *ahead);
    for (int64_t i = 0; i < count; i++) {
        const rhomb_path_op op = ahead[turn];
        if (i + read < count)
            ahead[turn] = s->ops[i + read];
        turn = turn + 1 < read ? turn + 1 : 0;
        if (is_gap(op)) {
            const gap g = gap_at(s, op, target, query);
            put_gap(w, RHOMB_CIGAR_CODE(op), g.length, matches_left(s, w, RHOMB_CIGAR_CODE(op), g));
        } else {
            append(w, RHOMB_CIGAR_CODE(op), rhomb__op_length(op));
        }
        target += rhomb__op_target_bases(op);
        query += rhomb__op_query_bases(op);
    }
}

/* What operations cost; 0 where a gap costs the same in pieces, so that no merging changes it. */
static int64_t cost_of(const rhomb__costs *costs, written *w)
{
    int64_t cost = 0;
    if (costs->pieces == 1 && costs->open[0] == 0)
        return 0;
    for (int64_t i = 0; i < w->count; i++)
        cost += rhomb__op_cost(costs, *op_at(w, i));
    return cost;
}

/* The result for a segment: in place, and what does not fit there in `more`. */
typedef struct outcome {
    int64_t count;
    rhomb_path_op *more;
} outcome;

typedef struct tidying {
    const rhomb__path *path;
    const rhomb__path_pair *pair;
    rhomb__path_segments segments;
    outcome *outcomes;
    atomic_bool wrong;
    atomic_size_t missing; /* bytes that could not be allocated, or 0 */
} tidying;

static void put_in_order(int64_t index, void *user)
{
    tidying *t = user;
    const rhomb__path_segment *begin = &t->segments.begin[index];
    const int64_t given = begin[1].op - begin->op;
    segment s = {.pair = t->pair,
                 .ops = t->path->ops + begin->op,
                 .count = given,
                 .target = begin->target,
                 .query = begin->query,
                 .budget = BUDGET_BASES *
                           (begin[1].target - begin->target + begin[1].query - begin->query)};
    outcome *o = &t->outcomes[index];
    rhomb_path_op ahead[STACK_OPS], behind[STACK_OPS], *room = NULL;
    written w = {s.ops, behind, given, given};
    const int64_t cost = cost_of(t->pair->costs, &w);
    w.count = 0;
    if (!rhomb__path_segment_fits(t->path, t->pair, begin)) {
        atomic_store(&t->wrong, true);
        return;
    }
    join_gaps(&s);
    const int64_t more = count_more(&s);
    size_t bytes = 2 * (size_t)(more + 1) * sizeof *room;
    if (more < STACK_OPS) {
        move_gaps(&s, more, ahead, &w);
    } else {
        if ((room = malloc(bytes)) == NULL)
            goto fail;
        w.more = room + more + 1;
        move_gaps(&s, more, room, &w);
    }
    /* Merging what had two openings is cheaper: that was no best path. */
    if (cost_of(t->pair->costs, &w) != cost)
        atomic_store(&t->wrong, true);
    o->count = w.count;
    if (w.count > given) {
        bytes = (size_t)(w.count - given) * sizeof *o->more;
        if ((o->more = malloc(bytes)) == NULL)
            goto fail;
        memcpy(o->more, w.more, bytes);
    }
    free(room);
    return;
fail:
    free(room);
    atomic_store(&t->missing, bytes);
}

/* Moves the results together. */
static rhomb_status move_together(rhomb__error *error, const tidying *t, rhomb__path *path)
{
    rhomb_status status = RHOMB_OK;
    int64_t behind = 0, most = 0, count = 0;
    /* How far back the path must lie, so that nothing is overwritten before it is read. */
    for (int64_t i = 0; i < t->segments.count; i++) {
        const rhomb__path_segment *begin = &t->segments.begin[i];
        behind += t->outcomes[i].count - (begin[1].op - begin->op);
        most = rhomb__max(most, behind);
    }
    if (most > 0) {
        RHOMB_TRY(rhomb__path_reserve(error, path, most));
        memmove(path->ops + most, path->ops, (size_t)path->count * sizeof *path->ops);
    }
    for (int64_t i = 0; i < t->segments.count; i++) {
        const rhomb__path_segment *begin = &t->segments.begin[i];
        const outcome *o = &t->outcomes[i];
        const int64_t here = rhomb__min(o->count, begin[1].op - begin->op);
        memmove(path->ops + count, path->ops + most + begin->op, (size_t)here * sizeof *path->ops);
        if (o->more != NULL)
            memcpy(path->ops + count + here, o->more, (size_t)(o->count - here) * sizeof *o->more);
        count += o->count;
    }
    path->count = count;
out:
    return status;
}

rhomb_status rhomb__path_tidy(rhomb__error *error, rhomb__path *path, const rhomb__path_pair *pair,
                              int64_t cost, int32_t threads, bool *fits)
{
    rhomb_status status = RHOMB_OK;
    tidying t = {.path = path, .pair = pair};
    atomic_init(&t.wrong, false);
    atomic_init(&t.missing, 0);
    RHOMB_TRY(rhomb__path_cut(error, path, pair, cost, threads, &t.segments, fits));
    if (t.segments.count == 0)
        goto out;
    size_t bytes = (size_t)t.segments.count * sizeof *t.outcomes;
    t.outcomes = calloc(1, bytes);
    if (t.outcomes != NULL) {
        rhomb__parallel_run(rhomb__path_threads(path, pair, threads), t.segments.count,
                            put_in_order, &t);
        bytes = atomic_load(&t.missing);
    }
    *fits = !atomic_load(&t.wrong);
    if (bytes > 0)
        status = rhomb__fail_memory(error, bytes, "putting the gaps of a path in order");
    else if (*fits)
        status = move_together(error, &t, path);
out:
    for (int64_t i = 0; i < t.segments.count && t.outcomes != NULL; i++)
        free(t.outcomes[i].more);
    free(t.outcomes);
    free(t.segments.begin);
    return status;
}
