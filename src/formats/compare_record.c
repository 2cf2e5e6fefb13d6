/* SPDX-License-Identifier: MIT */
/*
 * Counting the operations of a record, see compare_record.h. Their places and = and X have been
 * checked by score.c. And what is counted: events, gaps in pieces, marks of bases.
 */
#include "src/formats/compare_record.h"

#include "rhomb/identity.h"
#include "src/base/alphabet.h"
#include "src/base/int64.h"

#include <stdlib.h>
#include <string.h>

size_t rhomb__events_count(const rhomb__events *events)
{
    return events->list.length / sizeof(rhomb_event);
}

static void cut_events(rhomb__events *events, size_t count)
{
    events->list.length = count * sizeof(rhomb_event);
}

void rhomb__events_add(rhomb__events *events, const rhomb_event *event)
{
    if (events->status == RHOMB_OK)
        events->status = rhomb__bytes_append(events->error, &events->list, event, sizeof *event);
}

void rhomb__events_add_between(rhomb__events *events, rhomb_event event, bool is_gap)
{
    const int64_t deleted = event.target_end - event.target_begin;
    const int64_t inserted = event.query_end - event.query_begin;
    is_gap = is_gap || deleted <= 0 || inserted <= 0;
    event.kind = !is_gap              ? RHOMB_EVENT_REPLACEMENT
                 : inserted > deleted ? RHOMB_EVENT_INSERTION
                                      : RHOMB_EVENT_DELETION;
    event.bases = !is_gap              ? rhomb__max(inserted, deleted)
                  : inserted > deleted ? inserted - deleted
                                       : deleted - inserted;
    event.target_end = rhomb__max(event.target_end, event.target_begin);
    event.query_end = rhomb__max(event.query_end, event.query_begin);
    if (event.before.target >= 0)
        event.before = (rhomb_event_end){
            event.target, event.reverse ? event.target_end : event.target_begin, event.reverse};
    if (event.after.target >= 0)
        event.after = (rhomb_event_end){
            event.target, event.reverse ? event.target_begin : event.target_end, event.reverse};
    if (event.bases >= RHOMB_EVENT_LEAST)
        rhomb__events_add(events, &event);
}

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int by_target(const void *a, const void *b)
{
    const rhomb_event *x = a, *y = b;
    const int orders[] = {compare(x->target, y->target), compare(x->target_begin, y->target_begin),
                          compare(x->target_end, y->target_end), compare(x->query, y->query),
                          compare(x->query_begin, y->query_begin)};
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        if (orders[i] != 0)
            return orders[i];
    return compare(x->kind, y->kind);
}

void rhomb__events_sort(rhomb__events *events)
{
    const size_t count = rhomb__events_count(events);
    if (count > 1)
        qsort(events->list.data, count, sizeof(rhomb_event), by_target);
}

void rhomb__events_release(rhomb__events *events)
{
    rhomb__bytes_release(&events->list);
    *events = (rhomb__events){0};
}

/*
 * Gaps in pieces. From either end it is followed how far the shorter side goes
 * along with the longer one: the furthest bases of each diagonal at a growing number of edits (E.
 * W. Myers, Algorithmica 1, 1986). A base gains 1 and an edit costs another 4, so that less than 80
 * % identity loses, as in rhomb/similar.h; random bases have less. It ends when so much was lost
 * since the best place.
 */
enum { EDITS_MOST = 1000, EDIT_COST = 5, DROP = 100, LONGER = 2 /* times the shorter side */ };

static const int64_t LIMITS[RHOMB_COMPARISON_SIZES] = RHOMB_COMPARISON_LIMITS;

/* Both sides from an end on. */
typedef struct sides {
    const rhomb__between *between;
    int shorter;
    int64_t length[RHOMB__SIDES];
    bool backwards;
} sides;

static char base_at(const sides *w, int side, int64_t at)
{
    const rhomb__between *b = w->between;
    const bool falls = w->backwards != (side == RHOMB__QUERY && b->reverse);
    return b->bases[side][falls ? b->end[side] - 1 - at : b->begin[side] + at];
}

/* How many bases match from a place of the shorter side on, on a diagonal of the longer one. */
static int64_t run_at(const sides *w, int64_t at, int64_t diagonal)
{
    const rhomb__score_codes *codes = w->between->codes;
    const unsigned char *of_query = w->between->reverse ? codes->reverse : codes->forward;
    const int s = w->shorter;
    int64_t run = 0;
    while (at + run < w->length[s] && at + diagonal + run < w->length[1 - s]) {
        const char first = base_at(w, s, at + run);
        const char second = base_at(w, 1 - s, at + diagonal + run);
        const char target = s == RHOMB__TARGET ? first : second;
        const char query = s == RHOMB__TARGET ? second : first;
        if (!rhomb__score_matches(codes, codes->target[(unsigned char)target],
                                  of_query[(unsigned char)query]))
            break;
        run++;
    }
    return run;
}

/* The bases of both sides that go along: by their indexes. */
typedef struct reached {
    int64_t bases[RHOMB__SIDES];
} reached;

static reached reach(const sides *w)
{
    /* By diagonal: the furthest place; -1 is none. Two more on either side are always none. */
    int64_t rows[2][2 * EDITS_MOST + 5];
    int64_t best = 0, most = 0, diagonal = 0;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2 * EDITS_MOST + 5; k++)
            rows[i][k] = -1;
    for (int edits = 0; edits <= EDITS_MOST; edits++) {
        const int64_t *before = &rows[edits % 2][EDITS_MOST + 2];
        int64_t *now = &rows[1 - edits % 2][EDITS_MOST + 2], furthest = 0, on = 0;
        for (int k = -edits; k <= edits; k++) {
            /* A base of the longer side alone, a pair, a base of the shorter one alone. */
            const int64_t own = before[k] >= 0 ? before[k] + 1 : -1;
            const int64_t skipped = before[k + 1] >= 0 ? before[k + 1] + 1 : -1;
            int64_t at = rhomb__max(before[k - 1], rhomb__max(own, skipped));
            at = edits == 0 ? 0 : rhomb__min(at, w->length[w->shorter]);
            if (at >= 0 && at + k >= 0 && at + k <= w->length[1 - w->shorter])
                at += run_at(w, at, k);
            else
                at = -1;
            now[k] = at;
            on = at > furthest ? k : on;
            furthest = rhomb__max(furthest, at);
        }
        const int64_t score = furthest - EDIT_COST * edits;
        if (score > most) {
            most = score;
            best = furthest;
            diagonal = on;
        }
        if (score < most - DROP || furthest == w->length[w->shorter])
            break;
    }
    reached found;
    found.bases[w->shorter] = best;
    found.bases[1 - w->shorter] = best + diagonal;
    return found;
}

/* Whether the ranges are a gap; if so, they are left without what goes along. */
static bool is_gap(rhomb__between *between)
{
    sides w = {.between = between};
    reached ends[2] = {{{0, 0}}, {{0, 0}}};
    for (int side = 0; side < RHOMB__SIDES; side++)
        w.length[side] = between->end[side] - between->begin[side];
    w.shorter = w.length[RHOMB__TARGET] <= w.length[RHOMB__QUERY] ? RHOMB__TARGET : RHOMB__QUERY;
    const int64_t shorter = w.length[w.shorter];
    if (shorter < 0 || w.length[1 - w.shorter] < LONGER * shorter || w.length[1 - w.shorter] == 0)
        return false;
    for (int i = 0; i < 2 && shorter > 0; i++) {
        w.backwards = i > 0;
        ends[i] = reach(&w);
    }
    /* What neither end has is less than what an edit in five bases would be. */
    const int64_t rest = shorter - ends[0].bases[w.shorter] - ends[1].bases[w.shorter];
    if (EDIT_COST * rest > shorter)
        return false;
    for (int side = 0; side < RHOMB__SIDES; side++) {
        /* What both ends have is the first one's. */
        const int64_t first = ends[0].bases[side];
        const int64_t second = ends[1].bases[side] + rhomb__min(rest, 0);
        const bool turned = side == RHOMB__QUERY && between->reverse;
        between->begin[side] += turned ? second : first;
        between->end[side] -= turned ? first : second;
    }
    return true;
}

/* Adds a gap of one base or more. */
static void add_gap(rhomb_comparison_gaps *gaps, int64_t bases)
{
    int size = RHOMB_COMPARISON_SIZES - 1;
    while (bases < LIMITS[size])
        size--;
    gaps->count++;
    gaps->bases += bases;
    gaps->sizes[size]++;
}

bool rhomb__between_add(rhomb__between *between, rhomb_comparison_gaps gaps[RHOMB__SIDES])
{
    const int64_t deleted = between->end[RHOMB__TARGET] - between->begin[RHOMB__TARGET];
    const int64_t inserted = between->end[RHOMB__QUERY] - between->begin[RHOMB__QUERY];
    if (!is_gap(between))
        return false;
    add_gap(&gaps[inserted > deleted ? RHOMB__QUERY : RHOMB__TARGET],
            inserted > deleted ? inserted - deleted : deleted - inserted);
    return true;
}

/* A, C, G and T as 0 to 3; 4 for all others. */
static int number_of(char base)
{
    static const char BASES[] = "ACGT";
    const char *found =
        strchr(BASES, rhomb__alphabet_fold(RHOMB_ALPHABET_DNA, (unsigned char)base));
    return found != NULL ? (int)(found - BASES) : 4;
}

/* The base of a side that is `ahead` bases further on along the path. */
static char base_of(const rhomb__compare_walk *w, int side, int64_t ahead)
{
    const rhomb__compared *r = w->record;
    const int64_t at = w->done[side] + ahead;
    return r->bases[side][side == RHOMB__QUERY && r->reverse ? r->end[side] - 1 - at
                                                             : r->begin[side] + at];
}

/* Counts a mismatch, on the target's strand. */
static void count_mismatch(rhomb__compare_walk *w, int64_t ahead)
{
    const int target = number_of(base_of(w, RHOMB__TARGET, ahead));
    const int other = number_of(base_of(w, RHOMB__QUERY, ahead));
    const int query = w->record->reverse ? 3 - other : other;
    /* U beside T, and lower case beside upper case, differ where bytes are compared. */
    if (target < 4 && other < 4 && target != query)
        w->open.substitutions[target][query]++;
    else
        w->open.other_mismatches++;
}

static void add_gaps(rhomb_comparison_gaps *gaps, const rhomb_comparison_gaps *more)
{
    gaps->count += more->count;
    gaps->bases += more->bases;
    for (int i = 0; i < RHOMB_COMPARISON_SIZES; i++)
        gaps->sizes[i] += more->sizes[i];
}

static void add_tally(rhomb__tally *tally, const rhomb__tally *more)
{
    tally->parts += more->parts;
    tally->matches += more->matches;
    tally->other_mismatches += more->other_mismatches;
    for (int i = 0; i < 16; i++)
        tally->substitutions[i / 4][i % 4] += more->substitutions[i / 4][i % 4];
    for (int side = 0; side < RHOMB__SIDES; side++)
        add_gaps(&tally->gaps[side], &more->gaps[side]);
}

/* Bases of a side, in the path's direction, as positions of its sequence. */
typedef struct range {
    int64_t begin, end;
} range;

static range range_of(const rhomb__compare_walk *w, int side, int64_t begin, int64_t end)
{
    const rhomb__compared *r = w->record;
    return side == RHOMB__QUERY && r->reverse
               ? (range){r->end[side] - end, r->end[side] - begin}
               : (range){r->begin[side] + begin, r->begin[side] + end};
}

/* An event of the record, with these bases of either side along the path. */
static rhomb_event event_of(const rhomb__compare_walk *w, const int64_t begin[RHOMB__SIDES],
                            const int64_t end[RHOMB__SIDES])
{
    const rhomb__compared *r = w->record;
    const range target = range_of(w, RHOMB__TARGET, begin[0], end[0]);
    const range query = range_of(w, RHOMB__QUERY, begin[1], end[1]);
    return (rhomb_event){.in_record = true,
                         .reverse = r->reverse,
                         .target = (int64_t)r->sequence[RHOMB__TARGET],
                         .query = (int64_t)r->sequence[RHOMB__QUERY],
                         .target_begin = target.begin,
                         .target_end = target.end,
                         .query_begin = query.begin,
                         .query_end = query.end};
}

/* Counts what lies between two segments, if it is a gap in pieces. */
static void count_between(const rhomb__compare_walk *w)
{
    rhomb__compared *r = w->record;
    rhomb__between between = {.reverse = r->reverse, .codes = w->codes};
    for (int side = 0; side < RHOMB__SIDES; side++) {
        const range at = range_of(w, side, w->end[side], w->begin[side]);
        between.bases[side] = r->bases[side];
        between.begin[side] = at.begin;
        between.end[side] = at.end;
    }
    const bool is_gap = rhomb__between_add(&between, r->in_pieces);
    rhomb_event event = event_of(w, w->end, w->begin);
    event.target_begin = between.begin[RHOMB__TARGET];
    event.target_end = between.end[RHOMB__TARGET];
    event.query_begin = between.begin[RHOMB__QUERY];
    event.query_end = between.end[RHOMB__QUERY];
    rhomb__events_add_between(w->events, event, is_gap);
}

/* Counts what is open, which is similar or not. */
static void settle(rhomb__compare_walk *w, bool is_similar)
{
    const bool is_first = is_similar && w->end[RHOMB__TARGET] == 0;
    if (is_similar && !w->is_similar && !is_first)
        count_between(w);
    if (!is_similar)
        cut_events(w->events, w->kept_events);
    w->kept_events = is_similar ? rhomb__events_count(w->events) : w->kept_events;
    w->open.parts = is_similar && !w->is_similar;
    w->is_similar = is_similar;
    if (is_similar)
        add_tally(&w->record->similar, &w->open);
    w->open.parts = 0;
    add_tally(&w->record->all, &w->open);
    w->open = (rhomb__tally){0};
    for (int side = 0; side < RHOMB__SIDES; side++) {
        const range r = range_of(w, side, w->begin[side], w->done[side]);
        rhomb__marks_settle(w->marks[side], r.begin, r.end, is_similar);
        w->first[side] = is_first ? w->begin[side] : w->first[side];
        w->begin[side] = w->done[side];
        w->end[side] = is_similar ? w->done[side] : w->end[side];
    }
}

/* Notes an insertion or deletion that is ahead, which is an event if it turns out to be similar. */
static void note_gap(const rhomb__compare_walk *w, unsigned code, int64_t bases)
{
    const int64_t end[RHOMB__SIDES] = {w->done[0] + (code == RHOMB_CIGAR_D ? bases : 0),
                                       w->done[1] + (code == RHOMB_CIGAR_I ? bases : 0)};
    if (bases >= RHOMB_EVENT_LEAST)
        rhomb__events_add_between(w->events, event_of(w, w->done, end), true);
}

/* Counts bases of one operation but M. */
static void take(rhomb__compare_walk *w, unsigned code, int64_t bases)
{
    if (code == RHOMB_CIGAR_EQ)
        w->open.matches += bases;
    for (int64_t i = 0; i < bases && code == RHOMB_CIGAR_X; i++)
        count_mismatch(w, i);
    if (code == RHOMB_CIGAR_I || code == RHOMB_CIGAR_D) {
        add_gap(&w->open.gaps[code == RHOMB_CIGAR_I ? RHOMB__QUERY : RHOMB__TARGET], bases);
        note_gap(w, code, bases);
    }
    for (int side = 0; side < RHOMB__SIDES; side++) {
        if (code == (side == RHOMB__QUERY ? RHOMB_CIGAR_D : RHOMB_CIGAR_I))
            continue;
        const range r = range_of(w, side, w->done[side], w->done[side] + bases);
        if (code == RHOMB_CIGAR_EQ || code == RHOMB_CIGAR_X)
            rhomb__marks_align(w->marks[side], r.begin, r.end);
        w->done[side] += bases;
    }
    const rhomb_similar_part part =
        rhomb_similar_add(&w->similar, (rhomb_path_op)bases << 4 | code);
    if (part != RHOMB_SIMILAR_OPEN)
        settle(w, part == RHOMB_SIMILAR_YES);
}

/* Whether a pair of bases matches. */
static bool is_match(const rhomb__compare_walk *w, int64_t ahead)
{
    const rhomb__score_codes *codes = w->codes;
    const unsigned char *of_query = w->record->reverse ? codes->reverse : codes->forward;
    return rhomb__score_matches(codes,
                                codes->target[(unsigned char)base_of(w, RHOMB__TARGET, ahead)],
                                of_query[(unsigned char)base_of(w, RHOMB__QUERY, ahead)]);
}

/* Counts pairs of bases that may match or not, in runs of = and X. */
static void take_pairs(rhomb__compare_walk *w, int64_t bases)
{
    while (bases > 0) {
        const bool match = is_match(w, 0);
        int64_t run = 1;
        while (run < bases && is_match(w, run) == match)
            run++;
        take(w, match ? RHOMB_CIGAR_EQ : RHOMB_CIGAR_X, run);
        bases -= run;
    }
}

void rhomb__compare_ops(rhomb__compare_walk *walk, const rhomb_path_op *ops, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const unsigned code = (unsigned)RHOMB_CIGAR_CODE(ops[i]);
        const int64_t bases = (int64_t)RHOMB_CIGAR_LENGTH(ops[i]);
        if (code == RHOMB_CIGAR_M)
            take_pairs(walk, bases);
        else
            take(walk, code, bases);
    }
}

void rhomb__compare_end(rhomb__compare_walk *walk)
{
    rhomb__compared *r = walk->record;
    settle(walk, rhomb_similar_end(&walk->similar) == RHOMB_SIMILAR_YES);
    r->all.parts = 1;
    for (int side = 0; side < RHOMB__SIDES; side++) {
        const range similar = range_of(walk, side, walk->first[side], walk->end[side]);
        r->similar_begin[side] = similar.begin;
        r->similar_end[side] = similar.end;
    }
    r->event_end = rhomb__events_count(walk->events);
}

void rhomb__sum_add_gaps(rhomb_comparison_sum *sum, const rhomb_comparison_gaps gaps[RHOMB__SIDES])
{
    add_gaps(&sum->insertions, &gaps[RHOMB__QUERY]);
    add_gaps(&sum->deletions, &gaps[RHOMB__TARGET]);
}

void rhomb__sum_add(rhomb_comparison_sum *sum, const rhomb__tally *tally)
{
    const rhomb_comparison_gaps *inserted = &tally->gaps[RHOMB__QUERY];
    const rhomb_comparison_gaps *deleted = &tally->gaps[RHOMB__TARGET];
    int64_t mismatches = tally->other_mismatches;
    for (int i = 0; i < 16; i++) {
        const int64_t count = tally->substitutions[i / 4][i % 4];
        sum->substitutions[i / 4][i % 4] += count;
        mismatches += count;
        /* A and G, and C and T, are two apart. */
        if (i / 4 % 2 == i % 2)
            sum->transitions += count;
        else
            sum->transversions += count;
    }
    sum->records += tally->parts;
    sum->target_bases += tally->matches + mismatches + deleted->bases;
    sum->query_bases += tally->matches + mismatches + inserted->bases;
    sum->matches += tally->matches;
    sum->mismatches += mismatches;
    sum->other_mismatches += tally->other_mismatches;
    sum->columns += tally->matches + mismatches + inserted->bases + deleted->bases;
    sum->gaps += inserted->count + deleted->count;
    rhomb__sum_add_gaps(sum, tally->gaps);
}

void rhomb__sum_complete(rhomb_comparison_sum *sum)
{
    sum->snps = sum->transitions + sum->transversions;
    sum->identity = rhomb_identity(sum->matches, sum->columns);
    sum->gap_compressed = rhomb_gap_compressed_identity(sum->matches, sum->mismatches, sum->gaps);
}

/* Marks of bases: bit b of word w is base 64 w + b. */
rhomb_status rhomb__marks_create(rhomb__error *error, rhomb__marks *marks, int64_t length)
{
    const size_t words = (size_t)length / 64 + 1;
    if (marks->bits[0] != NULL)
        return RHOMB_OK;
    uint64_t *bits = calloc(words * RHOMB__MARKS, sizeof *bits);
    if (bits == NULL)
        return rhomb__fail_memory(error, words * RHOMB__MARKS * sizeof *bits,
                                  "which bases are aligned");
    for (size_t i = 0; i < RHOMB__MARKS; i++)
        marks->bits[i] = bits + i * words;
    return RHOMB_OK;
}

void rhomb__marks_release(rhomb__marks *marks)
{
    free(marks->bits[0]);
    *marks = (rhomb__marks){{NULL}};
}

/* The bases of word `word` that are in [begin, end). */
static uint64_t part_of(int64_t word, int64_t begin, int64_t end)
{
    const int64_t from = begin - 64 * word, to = end - 64 * word;
    const uint64_t before = from > 0 ? (UINT64_C(1) << from) - 1 : 0;
    return (to < 64 ? (UINT64_C(1) << to) - 1 : UINT64_MAX) & ~before;
}

void rhomb__marks_set(rhomb__marks *marks, rhomb__mark mark, int64_t begin, int64_t end)
{
    for (int64_t w = begin / 64; 64 * w < end; w++)
        marks->bits[mark][w] |= part_of(w, begin, end);
}

void rhomb__marks_align(rhomb__marks *marks, int64_t begin, int64_t end)
{
    for (int64_t w = begin / 64; 64 * w < end; w++) {
        const uint64_t part = part_of(w, begin, end);
        marks->bits[RHOMB__MARK_REPEATED][w] |= marks->bits[RHOMB__MARK_ALIGNED][w] & part;
        marks->bits[RHOMB__MARK_ALIGNED][w] |= part;
        marks->bits[RHOMB__MARK_OPEN][w] |= part;
    }
}

void rhomb__marks_settle(rhomb__marks *marks, int64_t begin, int64_t end, bool is_similar)
{
    for (int64_t w = begin / 64; 64 * w < end; w++) {
        const uint64_t part = part_of(w, begin, end);
        if (is_similar)
            marks->bits[RHOMB__MARK_SIMILAR][w] |= marks->bits[RHOMB__MARK_OPEN][w] & part;
        marks->bits[RHOMB__MARK_OPEN][w] &= ~part;
    }
}

int64_t rhomb__marks_count(const rhomb__marks *marks, rhomb__mark mark, int64_t begin, int64_t end)
{
    int64_t count = 0;
    for (int64_t w = begin / 64; 64 * w < end; w++)
        count += rhomb__count_bits(marks->bits[mark][w] & part_of(w, begin, end));
    return count;
}
