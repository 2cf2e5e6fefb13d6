/* SPDX-License-Identifier: MIT */
/*
 * Similar segments, see rhomb/similar.h: one pass, which keeps the score since the last turn.
 *
 * Outside of a segment, the score starts again at 0 when it falls below: no segment begins before a
 * lower point. Once it reaches X, all since then is in a segment. There `score` is how far it is
 * below its maximum; what follows the maximum is open until the score is back, or has fallen by
 * more than X. That point is the lowest one since, so the search goes on there and nothing is read
 * twice. At the beginning, what precedes the lowest point may still be in the segment.
 */
#include "rhomb/similar.h"
#include "rhomb/identity.h"

enum { UNIT = 10000, TURN_MATCHES = 100 };

/* At the path's beginning, outside of segments, in one. */
enum { BEGIN, OUTSIDE, INSIDE };

/* Lengths count up to here; a path that long has turned whatever follows. */
#define LONGEST (INT64_C(1) << 40)

rhomb_similar rhomb_similar_begin(double least_identity)
{
    const double p = least_identity > 0 ? least_identity : RHOMB_LEAST_IDENTITY;
    const double units = p * UNIT + 0.5;
    const int64_t mismatch = units < 1 ? 1 : units < UNIT ? (int64_t)units : UNIT - 1;
    return (rhomb_similar){.match = UNIT - mismatch,
                           .mismatch = mismatch,
                           .turn = TURN_MATCHES * (UNIT - mismatch),
                           .state = BEGIN};
}

static int64_t gain_of(const rhomb_similar *s, rhomb_path_op op)
{
    const int64_t all = (int64_t)RHOMB_CIGAR_LENGTH(op), bases = all < LONGEST ? all : LONGEST;
    int64_t cost = 0;
    switch (RHOMB_CIGAR_CODE(op)) {
    case RHOMB_CIGAR_X:
        return -s->mismatch * bases;
    case RHOMB_CIGAR_I:
    case RHOMB_CIGAR_D:
        for (int64_t rest = bases; rest > 0; rest >>= 1)
            cost += s->mismatch;
        return -cost;
    default:
        return s->match * bases;
    }
}

static rhomb_similar_part turn_to(rhomb_similar *s, int state, rhomb_similar_part part)
{
    s->state = state;
    s->score = s->low = s->high = 0;
    return part;
}

/* Before the first segment, while the path's beginning may be in it. */
static rhomb_similar_part add_at_begin(rhomb_similar *s)
{
    s->low = s->score < s->low ? s->score : s->low;
    s->high = s->score > s->high ? s->score : s->high;
    if (2 * -s->low > s->turn || s->high - s->score > s->turn)
        return turn_to(s, OUTSIDE, RHOMB_SIMILAR_NO);
    return s->score - s->low >= s->turn ? turn_to(s, INSIDE, RHOMB_SIMILAR_YES)
                                        : RHOMB_SIMILAR_OPEN;
}

rhomb_similar_part rhomb_similar_add(rhomb_similar *s, rhomb_path_op op)
{
    s->score += gain_of(s, op);
    if (s->state == BEGIN)
        return add_at_begin(s);
    if (s->state == OUTSIDE && s->score < 0)
        return turn_to(s, OUTSIDE, RHOMB_SIMILAR_NO);
    if (s->state == OUTSIDE)
        return s->score >= s->turn ? turn_to(s, INSIDE, RHOMB_SIMILAR_YES) : RHOMB_SIMILAR_OPEN;
    if (s->score >= 0)
        return turn_to(s, INSIDE, RHOMB_SIMILAR_YES);
    return -s->score > s->turn ? turn_to(s, OUTSIDE, RHOMB_SIMILAR_NO) : RHOMB_SIMILAR_OPEN;
}

rhomb_similar_part rhomb_similar_end(const rhomb_similar *s)
{
    const int64_t fall = s->high - s->score;
    const bool is_similar =
        s->state != OUTSIDE && 2 * fall <= s->turn && (s->state == INSIDE || s->score >= 0);
    return is_similar ? RHOMB_SIMILAR_YES : RHOMB_SIMILAR_NO;
}

/* The three definitions of how alike two sequences are: the only ones in the project. */
static double share(int64_t part, int64_t whole, double of_nothing)
{
    return whole > 0 ? (double)part / (double)whole : of_nothing;
}

double rhomb_similarity(int64_t distance, int64_t longer_length)
{
    return 1 - share(distance, longer_length, 0);
}

double rhomb_identity(int64_t matches, int64_t columns)
{
    return share(matches, columns, 1);
}

double rhomb_gap_compressed_identity(int64_t matches, int64_t mismatches, int64_t gaps)
{
    return share(matches, matches + mismatches + gaps, 1);
}

double rhomb_gap_compressed_divergence(int64_t matches, int64_t mismatches, int64_t gaps)
{
    return share(mismatches + gaps, matches + mismatches + gaps, 0);
}
