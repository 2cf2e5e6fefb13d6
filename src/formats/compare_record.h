/* SPDX-License-Identifier: MIT */
/*
 * What rhomb_compare() keeps of a record of PAF, and how its path is counted, operation by
 * operation.
 */
#ifndef RHOMB_SRC_COMPARE_RECORD_H
#define RHOMB_SRC_COMPARE_RECORD_H

#include "rhomb/comparison.h"
#include "rhomb/similar.h"
#include "src/base/error.h"
#include "src/formats/score.h"
#include "src/io/sequence_set.h"
#include "src/io/stream.h"

/*
 * Gaps in pieces. Where opening a gap costs nothing, a long one costs as much in pieces, with bases
 * of the other side matched by chance between them:
 *
 *     target   ======== t1 ---- t2 --- t3 ------ ======      t1 t2 t3: bases that belong together,
 *     query    ======== q1 ---- q2 --- q3 ------ ======      beside either end of the gap
 *
 * So what lies between two similar stretches is one gap if one side has at least twice the bases of
 * the other, and the shorter one is similar to the beginning or the end of the longer one, or
 * partly to either. Where bases were replaced by others, it is not. The two sides, as indexes:
 */
enum { RHOMB__TARGET, RHOMB__QUERY, RHOMB__SIDES };

/* What may be a gap in pieces: ranges on the forward strands. */
typedef struct rhomb__between {
    const char *bases[RHOMB__SIDES]; /* of the whole sequences */
    int64_t begin[RHOMB__SIDES], end[RHOMB__SIDES];
    bool reverse;
    const rhomb__score_codes *codes; /* of what matches */
} rhomb__between;

/*
 * Adds ranges that are a gap, in pieces or in one, to those of the longer side: as many bases as
 * that has more; true, with the ranges less what goes along at either end. Time: the bases of the
 * shorter side and the square of the edits in them, of which there may be up to 1000 at either end.
 */
bool rhomb__between_add(rhomb__between *between, rhomb_comparison_gaps gaps[RHOMB__SIDES]);

/*
 * The events of a comparison, see rhomb/comparison.h: those in records are noted on the way, those
 * between records and rearrangements once these are in order. All zeros is none.
 */
typedef struct rhomb__events {
    rhomb__error *error;
    rhomb_status status; /* of the first that could not be added, for want of memory */
    rhomb__bytes list;   /* rhomb_event each */
} rhomb__events;

size_t rhomb__events_count(const rhomb__events *events);

/* Adds an event, of any length. */
void rhomb__events_add(rhomb__events *events, const rhomb_event *event);

/*
 * Adds what is between two similar stretches, whose ranges the event has, unless it is too short:
 * an insertion or deletion, if it `is_gap` or one range is empty, or else a replacement. Of ends of
 * the event, those that have no target (-1) stay so.
 */
void rhomb__events_add_between(rhomb__events *events, rhomb_event event, bool is_gap);

/* Puts them in the order of the targets. */
void rhomb__events_sort(rhomb__events *events);

void rhomb__events_release(rhomb__events *events);

/*
 * What records of PAF cover of a sequence, with six bits for each base.
 */
typedef enum rhomb__mark {
    RHOMB__MARK_COVERED,  /* in a record's range */
    RHOMB__MARK_ALIGNED,  /* opposite a base of the other sequence */
    RHOMB__MARK_REPEATED, /* the same in two records or more */
    RHOMB__MARK_TAKEN,    /* in the range of a one-to-one record */
    RHOMB__MARK_SIMILAR,  /* aligned in a similar segment */
    RHOMB__MARK_OPEN,     /* aligned where it is not decided yet whether that is similar */
    RHOMB__MARKS
} rhomb__mark;

/* All zeros: of a sequence that no record has. */
typedef struct rhomb__marks {
    uint64_t *bits[RHOMB__MARKS]; /* one block of memory */
} rhomb__marks;

/* Makes room for a sequence; does nothing where it has been made. */
rhomb_status rhomb__marks_create(rhomb__error *error, rhomb__marks *marks, int64_t length);
void rhomb__marks_release(rhomb__marks *marks);

/* Marks the bases [begin, end), as covered or taken. */
void rhomb__marks_set(rhomb__marks *marks, rhomb__mark mark, int64_t begin, int64_t end);

/* Marks bases as aligned and open, and as repeated those that were aligned before. */
void rhomb__marks_align(rhomb__marks *marks, int64_t begin, int64_t end);

/* Decides of bases that are open. */
void rhomb__marks_settle(rhomb__marks *marks, int64_t begin, int64_t end, bool is_similar);

/* The number of marked bases in [begin, end). */
int64_t rhomb__marks_count(const rhomb__marks *marks, rhomb__mark mark, int64_t begin, int64_t end);

typedef enum rhomb__compared_kind {
    RHOMB__COMPARED_DOUBLE, /* not one-to-one */
    RHOMB__COMPARED_CHAIN,  /* one-to-one, like the next three; in the main chain */
    RHOMB__COMPARED_INVERSION,
    RHOMB__COMPARED_RELOCATION,
    RHOMB__COMPARED_TRANSLOCATION,
    RHOMB__COMPARED_KINDS
} rhomb__compared_kind;

/* What is in a record, or in its similar segments. */
typedef struct rhomb__tally {
    int64_t parts; /* records or segments */
    int64_t matches, other_mismatches;
    int64_t substitutions[4][4];
    rhomb_comparison_gaps gaps[RHOMB__SIDES]; /* bases that this side alone has */
} rhomb__tally;

typedef struct rhomb__compared {
    size_t sequence[RHOMB__SIDES]; /* numbers in their sets */
    int64_t begin[RHOMB__SIDES];   /* the range in these, on the forward strands */
    int64_t end[RHOMB__SIDES];
    int64_t length[RHOMB__SIDES]; /* of the sequences */
    int64_t index;                /* of the record in the file */
    bool reverse;
    bool secondary;
    rhomb__compared_kind kind;
    int64_t rank; /* of a one-to-one record: its number in the order of the queries */
    /* While chains are searched for: its place by rank, and the record before it, 0: none. */
    size_t place, previous;
    rhomb__tally all, similar;
    rhomb_comparison_gaps in_pieces[RHOMB__SIDES]; /* each of them between two segments */
    const char *bases[RHOMB__SIDES];               /* of its sequences */
    int64_t rotated; /* from where the file has its query to where this has it */
    /* Its similar part, as the file has it; empty where nothing is similar. */
    int64_t similar_begin[RHOMB__SIDES], similar_end[RHOMB__SIDES];
    bool inverted;                 /* against the main strand of its query; not of inversions */
    bool turns;                    /* the main chain goes on with the query's beginning here */
    bool has_most;                 /* the main chain matches half of both sequences or more */
    size_t first_event, event_end; /* of those in the record */
} rhomb__compared;

/* A path that is being followed. */
typedef struct rhomb__compare_walk {
    rhomb__compared *record;
    rhomb__marks *marks[RHOMB__SIDES];
    const rhomb__score_codes *codes; /* of what matches */
    int64_t done[RHOMB__SIDES];      /* bases of the path so far */
    rhomb_similar similar;
    bool is_similar;             /* as what was decided last */
    rhomb__tally open;           /* not decided yet: ... */
    int64_t begin[RHOMB__SIDES]; /* ... all since here */
    int64_t end[RHOMB__SIDES];   /* of the last similar segment; 0, 0: none yet */
    int64_t first[RHOMB__SIDES]; /* where the first one begins */
    rhomb__events *events;       /* those of what is open follow those that are kept */
    size_t kept_events;
} rhomb__compare_walk;

/* Counts operations that stay within the record's ranges, and marks the bases; then the end. */
void rhomb__compare_ops(rhomb__compare_walk *walk, const rhomb_path_op *ops, size_t count);
void rhomb__compare_end(rhomb__compare_walk *walk);

/* Adds a tally to a sum; the derived members follow at the end, by rhomb__sum_complete(). */
void rhomb__sum_add(rhomb_comparison_sum *sum, const rhomb__tally *tally);
/* Adds gaps that are in none of the records, or segments, of a sum. */
void rhomb__sum_add_gaps(rhomb_comparison_sum *sum, const rhomb_comparison_gaps gaps[RHOMB__SIDES]);
void rhomb__sum_complete(rhomb_comparison_sum *sum);

#endif
