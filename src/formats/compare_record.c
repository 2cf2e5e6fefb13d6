/* SPDX-License-Identifier: MIT */
/*
 * Counting the operations of a record, see compare_record.h. Their places and = and X have been
 * checked by score.c.
 */
#include "src/formats/compare_record.h"

#include "rhomb/identity.h"

static const int64_t LIMITS[RHOMB_COMPARISON_SIZES] = RHOMB_COMPARISON_LIMITS;

/* A, C, G, T and U as 0 to 3; 4 for all others. */
static int number_of(char base)
{
    switch (base) {
    case 'A':
    case 'a':
        return 0;
    case 'C':
    case 'c':
        return 1;
    case 'G':
    case 'g':
        return 2;
    case 'T':
    case 't':
    case 'U':
    case 'u':
        return 3;
    default:
        return 4;
    }
}

/* The base of a side that is `ahead` bases further on along the path. */
static char base_of(const rhomb__compare_walk *w, int side, int64_t ahead)
{
    const rhomb__compared *r = w->record;
    const int64_t at = w->done[side] + ahead;
    return w->bases[side][side == RHOMB__QUERY && r->reverse ? r->end[side] - 1 - at
                                                             : r->begin[side] + at];
}

/* Counts a mismatch, on the target's strand. */
static void count_mismatch(rhomb__compare_walk *w, int64_t ahead)
{
    const int target = number_of(base_of(w, RHOMB__TARGET, ahead));
    const int other = number_of(base_of(w, RHOMB__QUERY, ahead));
    const int query = w->record->reverse ? 3 - other : other;
    /* T beside U, and lower case beside upper case where bytes are compared, are no substitutions.
     */
    if (target < 4 && other < 4 && target != query)
        w->record->substitutions[target][query]++;
    else
        w->record->other_mismatches++;
}

/* Marks the bases of a side that are aligned next. */
static void mark(const rhomb__compare_walk *w, int side, int64_t bases)
{
    const rhomb__compared *r = w->record;
    const bool turned = side == RHOMB__QUERY && r->reverse;
    const int64_t begin =
        turned ? r->end[side] - w->done[side] - bases : r->begin[side] + w->done[side];
    rhomb__marks_align(w->marks[side], begin, begin + bases);
}

/* Counts pairs of bases that may match or not. */
static void compare_pairs(rhomb__compare_walk *w, int64_t bases)
{
    const rhomb__score_codes *codes = w->codes;
    const unsigned char *of_query = w->record->reverse ? codes->reverse : codes->forward;
    for (int64_t i = 0; i < bases; i++) {
        const unsigned char target = (unsigned char)base_of(w, RHOMB__TARGET, i);
        const unsigned char query = (unsigned char)base_of(w, RHOMB__QUERY, i);
        if (codes->target[target] == of_query[query])
            w->record->matches++;
        else
            count_mismatch(w, i);
    }
}

static void take_op(rhomb__compare_walk *w, rhomb_path_op op)
{
    const unsigned code = (unsigned)RHOMB_CIGAR_CODE(op);
    const int64_t bases = (int64_t)RHOMB_CIGAR_LENGTH(op);
    if (code == RHOMB_CIGAR_I || code == RHOMB_CIGAR_D) {
        const int side = code == RHOMB_CIGAR_I ? RHOMB__QUERY : RHOMB__TARGET;
        rhomb__gaps_add(&w->record->gaps[side], bases);
        w->done[side] += bases;
        return;
    }
    if (code == RHOMB_CIGAR_EQ)
        w->record->matches += bases;
    else if (code == RHOMB_CIGAR_M)
        compare_pairs(w, bases);
    for (int64_t i = 0; i < bases && code == RHOMB_CIGAR_X; i++)
        count_mismatch(w, i);
    for (int side = 0; side < RHOMB__SIDES; side++) {
        mark(w, side, bases);
        w->done[side] += bases;
    }
}

void rhomb__compare_ops(rhomb__compare_walk *walk, const rhomb_path_op *ops, size_t count)
{
    for (size_t i = 0; i < count; i++)
        take_op(walk, ops[i]);
}

void rhomb__gaps_add(rhomb_comparison_gaps *gaps, int64_t bases)
{
    int size = RHOMB_COMPARISON_SIZES - 1;
    while (bases < LIMITS[size])
        size--;
    gaps->count++;
    gaps->bases += bases;
    gaps->sizes[size]++;
}

static void add_gaps(rhomb_comparison_gaps *gaps, const rhomb_comparison_gaps *more)
{
    gaps->count += more->count;
    gaps->bases += more->bases;
    for (int i = 0; i < RHOMB_COMPARISON_SIZES; i++)
        gaps->sizes[i] += more->sizes[i];
}

void rhomb__sum_add(rhomb_comparison_sum *sum, const rhomb__compared *record)
{
    const rhomb_comparison_gaps *inserted = &record->gaps[RHOMB__QUERY];
    const rhomb_comparison_gaps *deleted = &record->gaps[RHOMB__TARGET];
    int64_t mismatches = record->other_mismatches;
    for (int i = 0; i < 16; i++) {
        const int64_t count = record->substitutions[i / 4][i % 4];
        sum->substitutions[i / 4][i % 4] += count;
        mismatches += count;
        /* A and G, and C and T, are two apart. */
        if (i / 4 % 2 == i % 2)
            sum->transitions += count;
        else
            sum->transversions += count;
    }
    sum->records++;
    sum->target_bases += record->end[RHOMB__TARGET] - record->begin[RHOMB__TARGET];
    sum->query_bases += record->end[RHOMB__QUERY] - record->begin[RHOMB__QUERY];
    sum->matches += record->matches;
    sum->mismatches += mismatches;
    sum->other_mismatches += record->other_mismatches;
    sum->columns += record->matches + mismatches + inserted->bases + deleted->bases;
    sum->gaps += inserted->count + deleted->count;
    add_gaps(&sum->insertions, inserted);
    add_gaps(&sum->deletions, deleted);
}

void rhomb__sum_complete(rhomb_comparison_sum *sum)
{
    sum->snps = sum->transitions + sum->transversions;
    sum->identity = rhomb_identity(sum->matches, sum->columns);
    sum->gap_compressed = rhomb_gap_compressed_identity(sum->matches, sum->mismatches, sum->gaps);
}
