/* SPDX-License-Identifier: MIT */
/*
 * See path_judge.h.
 */
#include "path_judge.h"
#include "random_bases.h"

#include <limits.h>
#include <string.h>

/* A path in progress. */
typedef struct judge {
    const rhomb_pair *texts;
    const oracle_penalties *penalties;   /* NULL: unit costs */
    bool ordered;                        /* by the rule that path_judge_scored() looks at */
    unsigned char folded[UCHAR_MAX + 1]; /* bytes as they are compared */
    rhomb_path_op before;                /* the code of the operation before; none: 15 */
    int64_t i, j;                        /* in the query, in the target */
    int64_t cost;
} judge;

static judge judge_of(const rhomb_pair *texts, bool fold)
{
    judge j = {.texts = texts, .before = 15};
    for (int i = 0; i <= UCHAR_MAX; i++)
        j.folded[i] = (unsigned char)(fold ? folded_base((char)i) : i);
    return j;
}

static bool is_run(const judge *p, int64_t length, bool equal)
{
    const char *target = p->texts->target + p->j, *query = p->texts->query + p->i;
    for (int64_t x = 0; x < length; x++)
        if (bases_match((char)p->folded[(unsigned char)target[x]],
                        (char)p->folded[(unsigned char)query[x]]) != equal)
            return false;
    return true;
}

static int64_t cost_of(const judge *p, rhomb_path_op code, int64_t length)
{
    const oracle_penalties *penalties = p->penalties;
    int64_t cost = 0;
    if (penalties == NULL)
        return code != RHOMB_CIGAR_EQ ? length : 0;
    if (penalties->matrix != NULL && (code == RHOMB_CIGAR_EQ || code == RHOMB_CIGAR_X)) {
        for (int64_t x = 0; x < length; x++)
            cost += oracle_pair(penalties, p->texts->target[p->j + x], p->texts->query[p->i + x]);
        return cost;
    }
    return code == RHOMB_CIGAR_EQ  ? -length * penalties->match
           : code == RHOMB_CIGAR_X ? length * penalties->mismatch
                                   : oracle_gap(penalties, length);
}

/* Whether a gap of one kind comes right after matches that it could change places with. */
static bool moves_left(const judge *p, rhomb_path_op code, int64_t length)
{
    const char *end = code == RHOMB_CIGAR_D ? p->texts->target + p->j : p->texts->query + p->i;
    return p->before == RHOMB_CIGAR_EQ &&
           p->folded[(unsigned char)end[-1]] == p->folded[(unsigned char)end[length - 1]];
}

/* Whether an operation breaks the order that the rule puts gaps in. */
static const char *judge_order(const judge *p, rhomb_path_op code, int64_t length)
{
    if (!p->ordered || (code != RHOMB_CIGAR_I && code != RHOMB_CIGAR_D))
        return NULL;
    if (code == RHOMB_CIGAR_D && p->before == RHOMB_CIGAR_I)
        return "an insertion comes right before a deletion";
    return moves_left(p, code, length) ? "a gap is not as far left as it can be" : NULL;
}

/* Follows an operation. */
static const char *judge_step(judge *p, rhomb_path_op op)
{
    const rhomb_path_op code = RHOMB_CIGAR_CODE(op);
    const int64_t length = (int64_t)RHOMB_CIGAR_LENGTH(op);
    const bool has_target = code != RHOMB_CIGAR_I, has_query = code != RHOMB_CIGAR_D;
    if (strchr("ID=X", RHOMB_CIGAR_LETTER(op)) == NULL)
        return "an operation is none of I, D, = and X";
    if (length == 0)
        return "an operation has no length";
    if (code == p->before)
        return "neighbours have the same code";
    if ((has_target && length > p->texts->target_length - p->j) ||
        (has_query && length > p->texts->query_length - p->i))
        return "the path leaves the matrix";
    if (has_target && has_query && !is_run(p, length, code == RHOMB_CIGAR_EQ))
        return "matches under X, or mismatches under =";
    const char *disorder = judge_order(p, code, length);
    if (disorder != NULL)
        return disorder;
    p->before = code;
    p->cost += cost_of(p, code, length);
    p->j += has_target ? length : 0;
    p->i += has_query ? length : 0;
    return NULL;
}

/* Follows all of a path, in either form. */
static const char *judge_path(judge *p, const rhomb_cigar_op *ops, const rhomb_path_op *long_ops,
                              int64_t count, int64_t cost)
{
    const char *complaint = NULL;
    for (int64_t x = 0; x < count && complaint == NULL; x++)
        complaint = judge_step(p, ops != NULL ? ops[x] : long_ops[x]);
    if (complaint != NULL)
        return complaint;
    if (p->j != p->texts->target_length || p->i != p->texts->query_length)
        return "the path ends before the sequences do";
    return p->cost == cost ? NULL : "the path costs another distance";
}

const char *path_judge(const rhomb_cigar_op *ops, int64_t count, const rhomb_pair *texts,
                       int64_t distance)
{
    judge p = judge_of(texts, false);
    return judge_path(&p, ops, NULL, count, distance);
}

const char *path_judge_long(const rhomb_path_op *ops, int64_t count, const rhomb_pair *texts,
                            int64_t distance, bool fold)
{
    judge p = judge_of(texts, fold);
    return judge_path(&p, NULL, ops, count, distance);
}

const char *path_judge_scored(const rhomb_path_op *ops, int64_t count, const rhomb_pair *texts,
                              const oracle_penalties *penalties, int64_t least, bool fold)
{
    judge p = judge_of(texts, fold);
    p.penalties = penalties;
    p.ordered = true;
    return judge_path(&p, NULL, ops, count, least);
}

const char *path_judge_extent(const rhomb_cigar_op *ops, int64_t count, const rhomb_pair *texts,
                              const rhomb_pair_extent *extent, const oracle_penalties *penalties)
{
    const rhomb_pair part = {
        texts->target + extent->target_begin, extent->target_end - extent->target_begin,
        texts->query + extent->query_begin, extent->query_end - extent->query_begin};
    judge p = judge_of(&part, false);
    p.penalties = penalties;
    return judge_path(&p, ops, NULL, count, -extent->score);
}
