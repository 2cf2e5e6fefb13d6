/* SPDX-License-Identifier: MIT */
/*
 * What records of PAF cover of a sequence, with six bits for each base.
 */
#ifndef RHOMB_SRC_COMPARE_MARKS_H
#define RHOMB_SRC_COMPARE_MARKS_H

#include "src/base/error.h"

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

#endif
