/* SPDX-License-Identifier: MIT */
/*
 * The text of a file of pairs: a '>' line with the query, then a '<' line with the target. Finds
 * the pairs in text that is in memory, and copies no bases.
 *
 * A tab ends a sequence, and its name follows: see rhomb__seq_name().
 *
 * A pair begins at any line with '>', whatever comes before it. So text can be cut before any such
 * line, and different threads can parse the parts.
 */
#ifndef RHOMB_SRC_SEQ_H
#define RHOMB_SRC_SEQ_H

#include "rhomb/batch.h"

/* The possible errors of a pair. */
typedef enum rhomb__seq_problem {
    RHOMB__SEQ_NO_TARGET, /* a '>' line, and then another one or the end */
    RHOMB__SEQ_NO_QUERY,  /* a '<' line without a '>' line before it */
    RHOMB__SEQ_STRAY,     /* one or more lines that begin with neither, */
    RHOMB__SEQ_CUT,       /* or in place of a '<' line */
    RHOMB__SEQ_NO_TEXT    /* a byte that is not printable */
} rhomb__seq_problem;

typedef struct rhomb__seq_fault {
    size_t index; /* of the empty pair in its place */
    int64_t line; /* of the text, from 0 on */
    rhomb__seq_problem problem;
    unsigned char byte; /* the line's first byte, or the byte that is not printable */
} rhomb__seq_fault;

/* What the next line must be, after the lines so far. */
typedef enum rhomb__seq_state {
    RHOMB__SEQ_BETWEEN, /* a '>' line */
    RHOMB__SEQ_OPEN,    /* the '<' line of a query */
    RHOMB__SEQ_BROKEN   /* after a stray line, which may be either line of a pair: a '<' line, and
                           stray lines before that, belong to the same fault */
} rhomb__seq_state;

/* The pairs found in a text. All zeros holds no memory. */
typedef struct rhomb__seq_part {
    rhomb_pair *pairs;
    size_t count;
    size_t capacity;
    rhomb__seq_fault *faults;
    size_t fault_count;
    size_t fault_capacity;
    int64_t lines;          /* line ends of the text */
    rhomb__seq_state after; /* at the end of the text; never OPEN, as a text ends with a pair */
    bool has_names;         /* a sequence may have one */
} rhomb__seq_part;

/*
 * The length of the beginning of an incomplete text that can be parsed without the rest: whole
 * lines, and no query whose target is still to come. May be 0. A fault of many lines may continue
 * after it, so memory is that of the longest pair, however much text is between pairs. (Blank lines
 * after a '>' line belong to its pair.)
 */
size_t rhomb__seq_cut(const char *text, size_t length);

/* The first place at or after `from` where a line begins with '>'; `length` if there is none. */
size_t rhomb__seq_start(const char *text, size_t length, size_t from);

/*
 * Finds the pairs of a text; they replace the part's contents. `before` is the state after the text
 * before it, RHOMB__SEQ_BETWEEN if there is none or this one begins with '>'. False if there is no
 * memory.
 */
bool rhomb__seq_parse(rhomb__seq_part *part, rhomb__seq_state before, const char *text,
                      size_t length);

/*
 * The length of the name that follows a sequence, up to the first whitespace; 0 if there is none.
 * *name is where it begins. `end` is the end of the text.
 */
size_t rhomb__seq_name(const char *sequence, int64_t length, const char *end, const char **name);

void rhomb__seq_part_release(rhomb__seq_part *part);

#endif
