/* SPDX-License-Identifier: MIT */
/*
 * The text of a file of pairs: a '>' line with the query, then a '<' line with the target. Finds
 * the pairs in text that is in memory, and copies no letter.
 *
 * A pair begins at a line with '>' whatever stands before it, so that text can be cut in front of
 * any such line, and its parts looked at by different threads.
 */
#ifndef RHOMB_SRC_SEQ_H
#define RHOMB_SRC_SEQ_H

#include "rhomb/batch.h"

/* What can be wrong with a pair. */
typedef enum rhomb__seq_problem {
    RHOMB__SEQ_NO_TARGET, /* a '>' line, and then another one or the end */
    RHOMB__SEQ_NO_QUERY,  /* a '<' line without a '>' line before it */
    RHOMB__SEQ_STRAY,     /* one or more lines that begin with neither, */
    RHOMB__SEQ_CUT,       /* or in place of a '<' line */
    RHOMB__SEQ_NO_TEXT    /* a byte that is no letter */
} rhomb__seq_problem;

typedef struct rhomb__seq_fault {
    size_t index; /* of the empty pair that stands for it */
    int64_t line; /* of the text, from 0 on */
    rhomb__seq_problem problem;
    unsigned char byte; /* that the line begins with, or that is no letter */
} rhomb__seq_fault;

/* What the lines so far ask for. */
typedef enum rhomb__seq_state {
    RHOMB__SEQ_BETWEEN, /* a '>' line */
    RHOMB__SEQ_OPEN,    /* the '<' line of a query */
    RHOMB__SEQ_BROKEN   /* there was a stray line: it may be either line of a pair, so that a '<'
                           line, and stray lines before that, are of the same fault */
} rhomb__seq_state;

/* What was found in a text. All zeros holds no memory. */
typedef struct rhomb__seq_part {
    rhomb_pair *pairs;
    size_t count;
    size_t capacity;
    rhomb__seq_fault *faults;
    size_t fault_count;
    size_t fault_capacity;
    int64_t lines;          /* line ends of the text */
    rhomb__seq_state after; /* at the end of the text; never OPEN, as a text ends with a pair */
} rhomb__seq_part;

/*
 * How much of a text that goes on can be looked at without the rest: whole lines, and no query
 * whose target is still to come. 0 where that is nothing. A fault of many lines may go on behind
 * it, so that memory is that of the longest pair, however long what is between pairs. (Blank lines
 * behind a '>' line belong to its pair.)
 */
size_t rhomb__seq_cut(const char *text, size_t length);

/* The first place at `from` or behind it where a line begins with '>'; `length` without one. */
size_t rhomb__seq_start(const char *text, size_t length, size_t from);

/*
 * Finds the pairs of a text, in place of what the part had. `before` is what the text before it has
 * left, RHOMB__SEQ_BETWEEN where there is none or this one begins with '>'. False where there is no
 * memory.
 */
bool rhomb__seq_parse(rhomb__seq_part *part, rhomb__seq_state before, const char *text,
                      size_t length);

/* Makes room for `count` pairs in all. False where there is no memory. */
bool rhomb__seq_part_reserve(rhomb__seq_part *part, size_t count);

void rhomb__seq_part_release(rhomb__seq_part *part);

#endif
